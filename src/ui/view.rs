//! How a result is looked at: taken over from a link, and told to one.

use leptos::prelude::*;

use super::state::App;
use crate::page::session::Event;
use crate::page::shown::{cell_text, parse_cell, parse_selection, selection_text};
use crate::page::{Player, Shown, Subject, Window};
use crate::scenario::link::View;
use crate::timeline::Rows;

impl App {
    /// Takes a view of a result.
    pub(super) fn look(&self, shown: &Shown, view: &View) {
        let end = f64::from(shown.schedule.makespan());
        let speed = self.player.get_untracked().speed;
        let player = Player::at_end(shown.steps()).with_speed(speed);
        let selected = view.sel.as_deref().and_then(parse_selection);
        self.window.set(match (view.t0, view.t1) {
            (Some(t0), Some(t1)) => Window::given(t0, t1, end),
            _ => Window::whole(end),
        });
        self.player
            .set(view.step.map_or(player, |step| player.at(usize::try_from(step).unwrap_or(usize::MAX))));
        self.selected.set(selected.filter(|&selected| shown.has(selected)));
        self.range.set(None);
        let units = view.rows.as_deref() == Some(Rows::Units.name());
        self.rows.set(if units { Rows::Units } else { Rows::Warps });
        let last = shown.schedule.makespan();
        if let Some(cell) = view.sel.as_deref().and_then(parse_cell).filter(|(_, cycle)| *cycle <= last) {
            let app = *self;
            // After what follows the result has heard of it.
            request_animation_frame(move || app.idle.set(Some(cell)));
        }
        if let Some(pin) = view.pin.clone() {
            self.recall_kept(pin);
        }
        if view.find {
            let app = *self;
            request_animation_frame(move || app.happened(Event::Sought));
        }
    }

    /// The view as a link carries it.
    pub fn view(&self) -> View {
        let lesson = self.lesson.get();
        let around = View {
            theme: self.theme.get().link_name().map(str::to_owned),
            hide: self.hide.get(),
            projector: self.projector.get(),
            at: lesson.as_ref().map(|lesson| lesson.at as u64 + 1),
            lesson: lesson.map(|lesson| lesson.source),
            ..View::default()
        };
        if self.subject.get() != Subject::Warps {
            let View { step, t0, t1, sel, rows, pin, .. } = self.part_view.get(); // all else is about schedules
            return View { step, t0, t1, sel, rows, pin, ..around };
        }
        let window = self.window.get();
        let player = self.player.get();
        View {
            step: (!player.is_at_end()).then_some(player.step as u64),
            t0: (!window.is_whole()).then(|| (window.t0 * 100.0).round() / 100.0),
            t1: (!window.is_whole()).then(|| (window.t1 * 100.0).round() / 100.0),
            sel: self.selected.get().map(selection_text).or(self.idle.get().map(cell_text)),
            rows: (self.rows.get() == Rows::Units).then(|| Rows::Units.name().to_owned()),
            pin: self.pinned.get().filter(|_| !around.hide),
            find: !around.hide && !self.welcome.get() && self.has_found(),
            ..around
        }
    }
}
