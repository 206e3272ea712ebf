//! The picture of a schedule as the pointers meet it.

use leptos::prelude::*;
use ui_kit::mounted::put;
use ui_kit::player::stand_still;
use ui_kit::touch::{Place as Point, Touched};

use super::cursor;
use super::schedule::{Picture, Stage, frame};
use crate::draw::Scale;
use crate::draw::gantt::{Frame, Target};
use crate::page::Window;
use crate::timeline::Rows;

/// The canvas as the pointers meet it.
#[derive(Clone, Copy)]
pub(super) struct Hand {
    pub(super) stage: Stage,
    /// What the pointer is at.
    pub(super) pointed: RwSignal<Option<(Point, Target)>>,
    /// Whether the pointer is where it would move the cursor along the axis.
    pub(super) on_axis: RwSignal<bool>,
    /// Whether a click lets go of the cursor, as it stands there already.
    pub(super) again: StoredValue<bool>,
    /// Whether the pointer is held on the axis and takes the player along.
    pub(super) scrubs: StoredValue<bool>,
    /// The cycle at which it went down there.
    pub(super) pressed: StoredValue<u32>,
}

impl Hand {
    fn now(self) -> Option<(Picture, Frame)> {
        let picture = self.stage.picture.get_untracked()?;
        let frame = untrack(|| frame(self.stage, &picture));
        Some((picture, frame))
    }

    fn target(self, (x, y): Point) -> Option<Target> {
        let (picture, frame) = self.now()?;
        frame.nearest(&picture.0, x, y)
    }

    /// The player goes to the step whose instruction lies beneath the pointer, or last before it.
    fn scrub(self, picture: &Picture, frame: &Frame, x: f64) {
        let app = self.stage.app;
        let here = cursor::nearest_cycle(frame, picture.0.end, x);
        // To the left of the rows is the time before.
        let cycle = here - u32::from(x < frame.scale().left);
        let step = app.shown.with_untracked(|shown| shown.as_ref().map(|shown| shown.step_at(cycle)));
        self.stage.asked_at.set(None);
        if let Some(step) = step {
            put(app.player, app.player.get_untracked().at(step));
        }
        app.cursor.point(Some(here));
    }

    fn window(self, change: impl FnOnce(&Window) -> Window) {
        self.stage.app.window.update(|window| *window = change(window));
    }
}

impl Touched for Hand {
    fn axis(self) -> Option<Scale> {
        self.now().map(|(_, frame)| frame.scale())
    }

    fn pan(self, by: f64) {
        self.window(|window| window.panned(by));
    }

    fn zoom(self, factor: f64, about: f64) {
        self.window(|window| window.zoomed(factor, about));
    }

    fn select(self, from: f64, to: f64, between: Option<(f64, f64)>) {
        let Some((picture, frame)) = self.now() else { return };
        let (axis, app) = (frame.scale(), self.stage.app);
        let own = app.rows.get_untracked() == Rows::Warps;
        let warps = between.filter(|_| own).and_then(|between| frame.warps_between(&picture.0, between));
        let last = app.window.with_untracked(|window| window.end) - 0.5;
        let cycle = |x: f64| axis.value(x).clamp(0.0, last).floor() as u32 + 1;
        stand_still(app.player);
        put(app.ranged, warps);
        // On the way, too, the totals are told, of what is placed by then.
        self.stage.asked_at.set(Some(app.player.with_untracked(|player| player.step)));
        app.range.set(Some((cycle(from), cycle(to))));
    }

    fn click(self, at: Point) {
        let (target, stage) = (self.target(at), self.stage);
        let app = stage.app;
        // What runs in the schedule beneath is no instruction of the one that is shown.
        let (own, beneath): (Option<Target>, _) = match target {
            Some(target) if stage.is_beneath(target.row()) => (None, Some(target)),
            target => (target, None),
        };
        app.range.set(None);
        app.selected.set(own.and_then(Target::id));
        app.cursor.let_go();
        // Who asks about a cell wants to read the answer: what is played stands still for it.
        stage.asked_at.set(target.map(|_| app.player.with_untracked(|player| player.step)));
        if target.is_some() {
            stand_still(app.player);
        }
        // After what follows the selection has heard of it.
        request_animation_frame(move || {
            let _ = stage.beneath.try_set(beneath);
            app.idle.set(match own {
                Some(Target::Idle { row, cycle }) => Some((row, cycle)),
                _ => None,
            });
        });
    }

    fn point(self, at: Option<Point>) {
        let now = at.and_then(|at| Some((at, self.now()?)));
        let cycle =
            now.as_ref().and_then(|((x, _), (picture, frame))| cursor::cycle_at(frame, picture.0.end, *x));
        let axis = now.as_ref().is_some_and(|(at, (_, frame))| cursor::is_on_axis(frame, *at));
        if self.on_axis.get_untracked() != axis {
            self.on_axis.set(axis);
        }
        let met = now.and_then(|(at, (picture, frame))| {
            let target = frame.nearest(&picture.0, at.0, at.1)?;
            Some((at, target, target.cycles(&picture.0)))
        });
        // What is near counts as pointed at; then the cursor is where that is.
        let cycle = cycle.map(|cycle| {
            met.as_ref().and_then(|met| met.2).map_or(cycle, |(from, to)| cycle.clamp(from, to))
        });
        if !self.scrubs.get_value() {
            self.stage.app.cursor.point(cycle);
        }
        let target = met.map(|(at, target, _)| (at, target));
        let instruction = target.and_then(|(_, target)| Some(target.id()?.1));
        put(self.stage.app.pointed, instruction);
        if target.is_some() || self.pointed.with_untracked(Option::is_some) {
            self.pointed.set(target);
        }
    }

    /// On the axis a click puts the cursor, and a drag takes the player along.
    fn takes(self, at: Point) -> bool {
        let Some((picture, frame)) = self.now().filter(|(_, frame)| cursor::is_on_axis(frame, at)) else {
            return false;
        };
        let here = cursor::nearest_cycle(&frame, picture.0.end, at.0);
        let on_the_way = self.stage.app.player.with_untracked(|player| !player.is_at_end());
        self.scrubs.set_value(on_the_way);
        self.pressed.set_value(here);
        self.again.set_value(!on_the_way && untrack(|| self.stage.app.cursor.put()) == Some(here));
        self.hold(at);
        true
    }

    fn hold(self, (x, _): Point) {
        let Some((picture, frame)) = self.now() else { return };
        let here = cursor::nearest_cycle(&frame, picture.0.end, x);
        if here != self.pressed.get_value() && !self.scrubs.get_value() {
            self.scrubs.set_value(true);
            self.again.set_value(false);
            self.stage.app.cursor.let_go();
        }
        if self.scrubs.get_value() {
            return self.scrub(&picture, &frame, x);
        }
        self.stage.forget();
        cursor::put(self.stage.app, here);
    }

    fn release(self) {
        self.scrubs.set_value(false);
        if self.again.get_value() {
            self.stage.app.cursor.let_go();
        }
    }

    fn lost(self) {
        self.scrubs.set_value(false);
    }
}
