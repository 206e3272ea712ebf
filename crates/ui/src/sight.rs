//! What is in sight of a picture with an axis, and the keys that move it.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use crate::cursor::Cursor;
use crate::glide::glide;
use crate::keys::on_control;
use crate::mounted::put;
use kit::draw::Scale;
use kit::page::glide::Motion;
use kit::page::{Stretch, Window};

/// A step of the cursor is so much of what is in sight.
const STEP: f64 = 0.01;

/// The window, what is selected on the axis, and the cursor.
#[derive(Clone, Copy)]
pub struct Sight {
    /// The part of the axis that is shown.
    pub window: RwSignal<Window>,
    /// The stretch that is selected.
    pub range: RwSignal<Option<Stretch>>,
    /// The cursor.
    pub cursor: Cursor,
}

impl Sight {
    /// Nothing is selected, on an axis so high.
    pub fn new(axis: f64) -> Self {
        let window = RwSignal::new(Window::whole(1.0));
        Self { window, range: RwSignal::new(None), cursor: Cursor::new(axis) }
    }

    /// Nothing of another picture stays.
    pub fn forget(self) {
        self.range.set(None);
        self.cursor.let_go();
    }

    /// What is selected on the axis gives way; whether there was anything.
    pub fn let_go(self) -> bool {
        let ranged = self.range.with_untracked(Option::is_some);
        if ranged {
            self.range.set(None);
        }
        self.cursor.let_go() || ranged
    }

    /// Selects a stretch.
    pub fn select(self, stretch: Stretch) {
        self.cursor.let_go();
        self.range.set(Some(stretch));
    }

    /// A press on the axis puts the cursor instead of what is selected there.
    pub fn takes(self, at: (f64, f64), axis: Option<Scale>) -> bool {
        let takes = self.cursor.takes(at, axis);
        if takes {
            put(self.range, None);
        }
        takes
    }

    /// Moves along the axis.
    pub fn pan(self, by: f64) {
        self.window.update(|window| *window = window.panned(by));
    }

    /// Wider or narrower, about something if that is in sight.
    pub fn zoom(self, factor: f64, about: Option<f64>) {
        self.window.update(|window| *window = window.zoomed_about(factor, about));
    }

    /// Shows everything.
    pub fn show_all(self) {
        self.window.update(|window| *window = Window::whole(window.end));
    }

    /// A stretch fills what is in sight, with a little beside it.
    pub fn fit(self, (from, to): (f64, f64)) {
        self.window.update(|window| *window = window.fitting(from, to));
    }

    /// Whether it was a key that moves what is in sight; `chosen` is from where to where what is selected goes, and
    /// Shift with an arrow moves the cursor.
    pub fn key(self, event: &KeyboardEvent, chosen: impl Fn() -> Option<(f64, f64)>) -> bool {
        let about = || chosen().map(|(from, to)| (from + to) / 2.0);
        match (event.code().as_str(), event.key().as_str()) {
            ("KeyW", _) | (_, "+" | "=") => glide(event, self.window, Motion::In(about())),
            ("KeyS", _) | (_, "-") => glide(event, self.window, Motion::Out(about())),
            ("KeyA", _) => glide(event, self.window, Motion::Pan(-0.15)),
            ("KeyD", _) => glide(event, self.window, Motion::Pan(0.15)),
            ("KeyF", _) => {
                let ranged = self.range.get_untracked().map(|range| (range.from, range.to));
                if let Some(stretch) = ranged.or_else(chosen) {
                    self.fit(stretch);
                }
            }
            (_, "0") => self.show_all(),
            (_, "ArrowLeft") if event.shift_key() && !on_control(event) => self.step(-1.0, chosen()),
            (_, "ArrowRight") if event.shift_key() && !on_control(event) => self.step(1.0, chosen()),
            _ => return false,
        }
        true
    }

    /// Moves the cursor and brings it into sight; it begins at what is selected, else at the left edge. A step is a
    /// whole number that can be seen: of cycles or nanoseconds.
    fn step(self, to: f64, chosen: Option<(f64, f64)>) {
        let window = self.window.get_untracked();
        let by = to * (window.width() * STEP).round().max(1.0);
        let from = untrack(|| self.cursor.put()).or(chosen.map(|(from, _)| from));
        let at = (from.unwrap_or(window.t0.ceil() - by) + by).floor().clamp(0.0, (window.end - 1.0).max(0.0));
        self.range.set(None);
        self.cursor.set(at);
        self.window.set(window.revealing(at, at + by.abs()));
    }
}
