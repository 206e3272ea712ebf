//! The figure: the schedule on a canvas with what belongs to it, and the pointers on the canvas.

use std::sync::Arc;

use leptos::ev::{PointerEvent, WheelEvent};
use leptos::prelude::*;

use super::compare::{Beside, Compare};
use super::cursor;
use super::lazy::{Place, StaleBadge};
use super::player::{PlayerBar, Sentence};
use super::state::App;
use super::tools::Tools;
use crate::base::people;
use crate::draw::gantt::{self, Frame, Target};
use crate::page::drag::{Drag, Gesture, Means};
use crate::page::shown::{Selected, selection_text};
use crate::page::{Part, Player, Shown};
use crate::timeline::{Pictured, Rows, Timeline};
use crate::warps::explain::Step;
use ui_kit::canvas::place_of;
use ui_kit::follow::{Drawing, follow_room, paint_frames};
use ui_kit::tip::Tip;

/// The picture at the player's step.
pub(super) type Picture = Arc<(Timeline, Option<Step>)>;

/// What the parts of the figure share.
#[derive(Clone, Copy)]
pub struct Stage {
    pub(super) app: App,
    /// The picture; none before the first result.
    pub(super) picture: Memo<Option<Picture>>,
    /// Width and height of its place.
    pub(super) room: RwSignal<(f64, f64)>,
    /// A schedule that is drawn beneath.
    beside: Memo<Option<Beside>>,
    /// An idle cell that somebody asked about.
    idle: RwSignal<Option<Target>>,
}

impl Stage {
    pub(super) fn new(app: App) -> Self {
        let beside = super::compare::beside(app);
        let picture = Memo::new_with_compare(
            move |_| {
                let shown = app.shown.get()?;
                let player = app.player.get();
                let rows = app.rows.get();
                let beside = beside.get();
                // The units, beneath the warps on the same axis; two schedules have no room for them.
                let lanes = (rows == Rows::Warps && beside.is_none()).then_some(LANE);
                let rows = Pictured { rows, lanes };
                let (picture, step) = if player.is_at_end() {
                    (shown.whole_picture(rows), None)
                } else {
                    shown.picture(player.step, rows)
                };
                let made = |beside: &Shown| {
                    if player.is_at_end() {
                        beside.whole_picture(rows)
                    } else {
                        beside.picture(player.step, rows).0
                    }
                };
                let below = beside.map(|beside| (beside.label(), made(&beside.shown)));
                Some(Arc::new((picture.above(below), step)))
            },
            |_, _| true,
        );
        // The axis is as long as the longer of two schedules.
        Effect::new(move |_| {
            let end = picture.with(|picture| picture.as_ref().map(|picture| picture.0.end));
            if let Some(end) = end.filter(|&end| app.window.with_untracked(|window| window.end != end)) {
                app.window.update(|window| *window = window.on_axis(end));
            }
        });
        let (idle, room) = (RwSignal::new(None), RwSignal::new((0.0, 0.0)));
        Effect::new(move |_| app.width.set(room.get().0));
        Effect::new(move |_| {
            app.selected.track();
            app.shown.track();
            app.rows.track();
            idle.set(None);
        });
        Effect::new(move |_| {
            let other = app.selected.get().is_some() || app.range.get().is_some() || idle.get().is_some();
            if other {
                app.cursor.let_go();
            }
        });
        Self { app, picture, room, beside, idle }
    }

    /// What is at a place of the picture, in a sentence.
    fn told(&self, picture: &Picture, target: Target) -> Option<String> {
        let step = self.app.player.with(|player| player.step);
        let heading = picture.0.headings.first().map(|(row, _)| *row);
        let beneath = |row: usize| heading.filter(|heading| row > *heading).map(|heading| row - heading - 1);
        let (row, moved) = match target {
            Target::Span { row, id } => (row, beneath(row).map(|row| Target::Span { row, id })),
            Target::Idle { row, cycle } => (row, beneath(row).map(|row| Target::Idle { row, cycle })),
        };
        if heading == Some(row) {
            return None;
        }
        match moved {
            Some(target) => self.beside.with(|beside| {
                let shown = &beside.as_ref()?.shown;
                shown.hovered(&picture.0, step.min(shown.steps()), target)
            }),
            None => self.app.shown.with(|shown| shown.as_ref()?.hovered(&picture.0, step, target)),
        }
    }
}

/// How high the rows of units are, as a share of those of warps.
const LANE: f64 = 0.7;

/// The figure: tools, picture, player and the sentence why; empty until the first result is there.
#[component]
pub fn Figure(stage: Stage) -> impl IntoView {
    let Stage { app, picture, .. } = stage;
    let step = Signal::derive(move || picture.get().and_then(|picture| picture.1.clone()));
    view! {
        <section class="figure" class:stale=app.is_stale() aria-label="Schedule" data-testid="figure">
            <Tools stage/>
            <Plot stage/>
            <PlayerBar app/>
            <Details stage/>
            <Sentence app step/>
        </section>
    }
}

/// What belongs to the figure and does not fit beside it.
#[component]
pub fn Beneath(stage: Stage) -> impl IntoView {
    let app = stage.app;
    let rows = Memo::new(move |_| app.player.with(|player| player.step));
    let open = RwSignal::new(false);
    view! {
        <Compare app/>
        <details class="more" data-testid="table" on:toggle=move |event| open.set(event_target::<web_sys::Element>(&event).has_attribute("open"))>
            <summary>{move || format!("The schedule as a table, {} rows", people::grouped(rows.get() as u128))}</summary>
            <Show when=move || open.get()><Place app part=Part::Table/></Show>
        </details>
    }
}

/// What is drawn now.
pub(super) fn frame(stage: Stage, picture: &Picture) -> Frame {
    let (app, (width, height)) = (stage.app, stage.room.get());
    let window = app.window.get();
    // While playing, the instruction placed last stands out; else the selected one.
    let placed =
        picture.1.as_ref().map(|step| (step.placement.warp as u32, step.placement.instruction as u32));
    let selected: Option<Selected> = placed.or(app.selected.get());
    let waited = selected.filter(|_| app.rows.get() == Rows::Warps).and_then(|selected| {
        app.shown.with(|shown| {
            shown.as_ref().filter(|shown| shown.has(selected)).and_then(|shown| shown.waited(selected))
        })
    });
    Frame {
        width,
        row: gantt::row_to_fit_all(&picture.0, height),
        t0: window.t0,
        t1: window.t1,
        selected,
        waited: waited.map(|(from, to)| (f64::from(from) - 1.0, f64::from(to))),
        range: app.range.get().map(|(from, to)| (f64::from(from) - 1.0, f64::from(to))),
    }
}

#[component]
fn Plot(stage: Stage) -> impl IntoView {
    let Stage { app, picture, room, idle, .. } = stage;
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    follow_room(canvas, room);
    let drawing: Memo<Option<Drawing>> = Memo::new_with_compare(
        move |_| {
            let picture = picture.get().filter(|_| room.get().0 > 0.0)?;
            let frame = frame(stage, &picture);
            let chosen = idle.get();
            Some(Arc::new(move || gantt::draw_chosen(&picture.0, &frame, chosen)) as Drawing)
        },
        |_, _| true,
    );
    paint_frames(canvas, drawing);
    let drag = StoredValue::new(Drag::default());
    let at = move |event: &PointerEvent| place_of(event);
    let current = move || {
        picture.get_untracked().map(|picture| {
            let frame = untrack(|| frame(stage, &picture));
            (picture, frame)
        })
    };
    // The pointer that moves the cursor along the axis, and whether a click lets go of it.
    let scrubs = StoredValue::new(None::<(i32, bool)>);
    let scrub = move |picture: &Picture, frame: &Frame, x: f64| {
        idle.set(None);
        cursor::put(app, cursor::nearest_cycle(frame, picture.0.end, x));
    };
    let down = move |event: PointerEvent| {
        let Some((picture, frame)) = current() else { return };
        if event.button() == 0 {
            let (x, y) = at(&event);
            if cursor::is_on_axis(&frame, (x, y)) && !event.shift_key() {
                let here = cursor::nearest_cycle(&frame, picture.0.end, x);
                let again = untrack(|| app.cursor.put()) == Some(here);
                scrubs.set_value(Some((event.pointer_id(), again)));
                scrub(&picture, &frame, x);
                if let Some(canvas) = canvas.get_untracked() {
                    let _ = canvas.set_pointer_capture(event.pointer_id());
                }
                return;
            }
            let pans = event.shift_key() || event.pointer_type() == "touch" || x < frame.scale().left;
            let means = if pans { Means::Pan } else { Means::Select };
            drag.update_value(|drag| drag.press(event.pointer_id(), x, means));
            if let Some(canvas) = canvas.get_untracked() {
                // Without capture a drag ends at the edge of the canvas.
                let _ = canvas.set_pointer_capture(event.pointer_id());
            }
        }
    };
    let on_axis = RwSignal::new(false);
    let pointed = RwSignal::new(None::<(f64, f64, Target)>);
    let point = move |at: Option<(f64, f64, Target)>| {
        if at.is_some() || pointed.with_untracked(Option::is_some) {
            pointed.set(at);
        }
    };
    let moved = move |event: PointerEvent| {
        let Some((picture, frame)) = current() else { return };
        let (x, y) = at(&event);
        app.cursor.point(cursor::cycle_at(&frame, picture.0.end, x));
        let axis = cursor::is_on_axis(&frame, (x, y));
        if on_axis.get_untracked() != axis {
            on_axis.set(axis);
        }
        if let Some((_, again)) = scrubs.get_value().filter(|(id, _)| *id == event.pointer_id()) {
            let here = cursor::nearest_cycle(&frame, picture.0.end, x);
            let stays = again && untrack(|| app.cursor.put()) == Some(here);
            scrubs.set_value(Some((event.pointer_id(), stays)));
            scrub(&picture, &frame, x);
            return point(None);
        }
        match drag.try_update_value(|drag| drag.drag(event.pointer_id(), x)).flatten() {
            Some(Gesture::Pan(pixels)) => {
                app.window.update(|w| *w = w.panned(-pixels / frame.scale().per_unit()))
            }
            Some(Gesture::Pinch(factor, x)) => {
                app.window.update(|w| *w = w.zoomed(factor, frame.scale().value(x)))
            }
            Some(Gesture::Range(from, to)) => {
                let cycle = |x: f64| {
                    frame.scale().value(x).clamp(0.0, app.window.get_untracked().end - 0.5).floor() as u32 + 1
                };
                app.range.set(Some((cycle(from.min(to)), cycle(from.max(to)))));
            }
            None => return point(frame.nearest(&picture.0, x, y).map(|target| (x, y, target))),
        }
        point(None);
    };
    let up = move |event: PointerEvent| {
        if let Some((_, again)) = scrubs.get_value().filter(|(id, _)| *id == event.pointer_id()) {
            scrubs.set_value(None);
            if again {
                app.cursor.let_go();
            }
            return;
        }
        let clicked = drag.try_update_value(|drag| drag.release(event.pointer_id())).unwrap_or(false);
        let Some((picture, frame)) = current().filter(|_| clicked) else { return };
        let (x, y) = at(&event);
        let target = frame.nearest(&picture.0, x, y);
        app.range.set(None);
        app.selected.set(target.and_then(Target::id));
        app.cursor.let_go();
        // After what follows the selection has heard of it.
        request_animation_frame(move || {
            let _ = idle.try_set(target.filter(|target| target.id().is_none()));
        });
    };
    let lost = move |event: PointerEvent| {
        drag.update_value(|drag| {
            drag.release(event.pointer_id());
        });
        scrubs.set_value(None);
        point(None);
    };
    let left = move |_| {
        app.cursor.point(None);
        point(None);
    };
    let tip = move || {
        let (x, y, target) = pointed.get()?;
        let said = picture.with(|picture| stage.told(picture.as_ref()?, target))?;
        Some(view! { <Tip x y room=room.get().0 said/> })
    };
    let wheel = move |event: WheelEvent| {
        let Some((_, frame)) = current() else { return };
        let sideways = if event.shift_key() { event.delta_y() + event.delta_x() } else { event.delta_x() };
        if event.ctrl_key() {
            event.prevent_default();
            let at = frame.scale().value(place_of(&event).0);
            app.window.update(|w| *w = w.zoomed((event.delta_y() / 400.0).exp(), at));
        } else if sideways != 0.0 {
            event.prevent_default();
            app.window.update(|w| *w = w.panned(sideways / frame.scale().per_unit()));
        }
    };
    let label = move || {
        app.shown.with(|shown| {
            shown.as_ref().map_or("Schedule".to_owned(), |shown| format!(
        "Schedule of {} warps over {} cycles. Arrow keys move the selection; the table below holds the same.",
        shown.warps.count, shown.report.makespan
    ))
        })
    };
    view! {
        <div class="figure-plot" tabindex="0" role="application" aria-roledescription="schedule" aria-label=label data-testid="plot">
            <canvas node_ref=canvas class:on-axis=move || on_axis.get() on:pointerdown=down on:pointermove=moved on:pointerup=up on:pointercancel=lost
                on:pointerleave=left on:wheel=wheel></canvas>
            <cursor::Line stage/>
            {tip}
            <StaleBadge app/>
            <Show when=move || app.shown.with(Option::is_none)><p class="empty">"Working out the first schedule…"</p></Show>
        </div>
    }
}

/// What there is to say about the selection or the range.
#[component]
fn Details(stage: Stage) -> impl IntoView {
    let app = stage.app;
    let text = move || {
        let shown = app.shown.get()?;
        if let Some(told) = cursor::told(app, &shown) {
            return Some(told);
        }
        if let Some(target) = stage.idle.get() {
            return stage.picture.with(|picture| stage.told(picture.as_ref()?, target));
        }
        if let Some((from, to)) = app.range.get() {
            return Some(shown.totals(from, to));
        }
        app.selected.get().filter(|&selected| shown.has(selected)).map(|selected| shown.details(selected))
    };
    // What is selected may not be placed yet while the schedule is being made.
    let whole = Memo::new(move |_| app.player.with(Player::is_at_end));
    let hint = "Select a cell, busy or idle, to see why it is so; drag for totals; play to see how the order makes it.";
    view! {
        <p class="details" class:away=move || !whole.get() class:unasked=move || text().is_none() aria-live="polite" data-testid="details">
            {move || text().unwrap_or_else(|| hint.to_owned())}
            <span class="hidden" data-testid="selected">{move || app.selected.get().map(selection_text)}</span>
        </p>
    }
}
