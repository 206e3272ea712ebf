//! The figure: runs on a canvas, what belongs to them, and the pointers on the canvas.

use leptos::ev::{MouseEvent, PointerEvent, WheelEvent};
use leptos::prelude::*;

use super::keys;
use super::moment::{Known, MomentView, Sentence};
use super::player::PlayerBar;
use super::stage::Stage;
use super::table::Table;
use super::tools::Tools;
use base::{Nanos, people};
use blocks_lab::draw::blocks::{Hit, Layout, Look, What, draw, hit};
use blocks_lab::page::blocks::{Chosen, Runs};
use kit::draw::DrawList;
use kit::page::Window;
use kit::page::drag::{Drag, Gesture, Means};
use ui_kit::canvas::{Painter, place_of, ratio};
use ui_kit::follow::follow_room;
use ui_kit::tip::Tip;

/// The figure with its tools and player, and the sentence why.
#[component]
pub fn Figure(stage: Stage, moment: Known) -> impl IntoView {
    keys::listen(stage);
    view! {
        <section class="figure blocks-figure" aria-label="Timeline" data-testid="blocks-figure">
            <Tools stage/>
            <Plot stage/>
            <PlayerBar stage/>
            <Details stage/>
            <Sentence stage moment/>
        </section>
    }
}

/// What belongs to it and has no place beside it.
#[component]
pub fn Beneath(stage: Stage, moment: Known) -> impl IntoView {
    view! {
        <MomentView moment/>
        <Table stage/>
    }
}

/// What is drawn now.
pub(super) fn look(stage: Stage, runs: &Runs) -> Look {
    let window = stage.window.get();
    let selected = stage.selected.get();
    Look {
        cursor: stage.instant.get().map(|at| at.0 as f64),
        selected: selected.and_then(|chosen| Some((runs.place(chosen.which)?, chosen.what))),
        range: stage.range.get(),
        wrong: runs.wrong(),
        ..Look::new(stage.room.get().0, stage.room.get().1, window.t0, window.t1)
    }
}

/// The picture as it is now.
fn picture(stage: Stage) -> Option<DrawList> {
    stage.now(|runs| draw(&runs.panels(), &untrack(|| look(stage, runs))))
}

#[component]
fn Plot(stage: Stage) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    follow_room(canvas, stage.room);
    paint_frames(stage, canvas);
    let pointed = RwSignal::new(None::<(f64, f64, Hit)>);
    let drag = StoredValue::new(Drag::default());
    let at = |event: &PointerEvent| place_of(event);
    let found = move |(x, y): (f64, f64)| {
        stage.now(|runs| hit(&runs.panels(), &untrack(|| look(stage, runs)), x, y)).flatten()
    };
    let down = move |event: PointerEvent| {
        let Some(scale) = scale(stage) else { return };
        if event.button() == 0 {
            let (x, _) = at(&event);
            let pans = event.shift_key() || event.pointer_type() == "touch" || x < scale.left;
            let means = if pans { Means::Pan } else { Means::Select };
            drag.update_value(|drag| drag.press(event.pointer_id(), x, means));
            if let Some(canvas) = canvas.get_untracked() {
                // Without capture a drag ends at the edge of the canvas.
                let _ = canvas.set_pointer_capture(event.pointer_id());
            }
        }
    };
    let moved = move |event: PointerEvent| {
        let Some(scale) = scale(stage) else { return };
        let place = at(&event);
        match drag.try_update_value(|drag| drag.drag(event.pointer_id(), place.0)).flatten() {
            Some(Gesture::Pan(pixels)) => change(stage, |w| w.panned(-pixels / scale.per_unit())),
            Some(Gesture::Pinch(factor, x)) => change(stage, |w| w.zoomed(factor, scale.value(x))),
            Some(Gesture::Range(from, to)) => {
                let end = stage.window.with_untracked(|window| window.end);
                let time = |x: f64| scale.value(x.clamp(scale.left, scale.right)).clamp(0.0, end);
                stage.range.set(Some((time(from.min(to)), time(from.max(to)))));
            }
            None => {
                let hit = found(place).filter(|hit| hit.what != What::Nothing);
                if hit.is_some() || pointed.with_untracked(Option::is_some) {
                    pointed.set(hit.map(|hit| (place.0, place.1, hit)));
                }
                return;
            }
        }
        if pointed.with_untracked(Option::is_some) {
            pointed.set(None);
        }
    };
    let up = move |event: PointerEvent| {
        let clicked = drag.try_update_value(|drag| drag.release(event.pointer_id())).unwrap_or(false);
        if clicked {
            let chosen = found(at(&event)).and_then(|hit| stage.now(|runs| chosen(runs, &hit)).flatten());
            stage.range.set(None);
            stage.selected.set(chosen);
        }
    };
    let lost = move |event: PointerEvent| {
        drag.update_value(|drag| {
            drag.release(event.pointer_id());
        });
        pointed.set(None);
    };
    let wheel = move |event: WheelEvent| {
        let Some(scale) = scale(stage) else { return };
        let sideways = if event.shift_key() { event.delta_y() + event.delta_x() } else { event.delta_x() };
        if event.ctrl_key() {
            event.prevent_default();
            let at = scale.value(place_of(&event).0);
            change(stage, |w| w.zoomed((event.delta_y() / 400.0).exp(), at));
        } else if sideways != 0.0 {
            event.prevent_default();
            change(stage, |w| w.panned(sideways / scale.per_unit()));
        }
    };
    let twice = move |event: MouseEvent| {
        let Some(scale) = scale(stage) else { return };
        let x = place_of(&event).0;
        if x >= scale.left {
            stage.go_to(Nanos(scale.value(x).max(0.0) as u64));
        }
    };
    let label = move || stage.with(in_words).unwrap_or_default();
    let plot = NodeRef::<leptos::html::Div>::new();
    Effect::new(move |_| {
        stage.selected.track();
        if let (Some(plot), Some((top, bottom))) = (plot.get(), selected_row(stage)) {
            let (seen, height) = (f64::from(plot.scroll_top()), f64::from(plot.client_height()));
            if top < seen || bottom > seen + height {
                plot.set_scroll_top(((top + bottom - height) / 2.0) as i32);
            }
        }
    });
    view! {
        <div class="figure-plot" node_ref=plot tabindex="0" role="application" aria-roledescription="timeline" aria-label=label data-testid="blocks-plot">
            <canvas node_ref=canvas on:pointerdown=down on:pointermove=moved on:pointerup=up on:pointercancel=lost
                on:pointerleave=move |_| pointed.set(None) on:wheel=wheel on:dblclick=twice></canvas>
            {move || tip(stage, pointed)}
        </div>
    }
}

/// Top and bottom of the row in which the selection stands.
fn selected_row(stage: Stage) -> Option<(f64, f64)> {
    let chosen = stage.selected.get_untracked()?;
    stage.now(|runs| {
        let kind = runs.row(chosen)?;
        let (place, panels) = (runs.place(chosen.which)?, runs.panels());
        let plan = Layout::new(&panels, &untrack(|| look(stage, runs)));
        let row = plan.rows.iter().find(|row| row.panel == place && row.kind == kind)?;
        Some((row.y, row.y + row.h))
    })?
}

/// The scale of the picture; none before its width is known.
fn scale(stage: Stage) -> Option<kit::draw::Scale> {
    let (window, (width, height)) = (stage.window.get_untracked(), stage.room.get_untracked());
    (width > 0.0).then(|| Look::new(width, height, window.t0, window.t1).scale())
}

/// Changes the window, if that changes anything.
fn change(stage: Stage, change: impl FnOnce(&Window) -> Window) {
    let window = stage.window.get_untracked();
    let next = change(&window);
    if next != window {
        stage.window.set(next);
    }
}

/// What a click on something selects.
fn chosen(runs: &Runs, hit: &Hit) -> Option<Chosen> {
    let which = runs.runs.get(hit.panel)?.which;
    match hit.what {
        What::Thing(what) => Some(Chosen { which, what }),
        What::Deadline(run) => Some(Chosen { which, what: blocks_lab::draw::blocks::Selected::Launch(run) }),
        _ => None,
    }
}

/// What the picture shows, for those who do not see it.
fn in_words(runs: &Runs) -> String {
    let blocks = |run: &blocks_lab::page::blocks::OneRun| {
        let blocks = runs.pictured(run.which).map_or(0, |known| known.trace.blocks.len());
        let sms = people::counted(run.timeline.sms.len(), "SM");
        format!("{}: {} on {sms}", run.which.title(), people::counted(blocks, "block"))
    };
    let all: Vec<String> = runs.runs.iter().map(blocks).collect();
    format!(
        "Timeline over {}. {}. Arrow keys move the selection, Enter takes the player to it; the table below holds the same.",
        runs.end,
        all.join("; ")
    )
}

/// What the pointer is at, beside it.
fn tip(stage: Stage, pointed: RwSignal<Option<(f64, f64, Hit)>>) -> Option<impl IntoView> {
    let (x, y, hit) = pointed.get()?;
    let said = stage.with(|runs| runs.hovered(&hit)).flatten()?;
    Some(view! { <Tip x y room=stage.room.get().0 said id="blocks-tip"/> })
}

/// Paints at most once a frame, whenever something that is drawn has changed.
fn paint_frames(stage: Stage, canvas: NodeRef<leptos::html::Canvas>) {
    let theme = Memo::new(move |_| stage.theme());
    let painter = StoredValue::new_local(None::<Painter>);
    let asked = StoredValue::new(false);
    Effect::new(move |_| {
        let Some(canvas) = canvas.get() else { return };
        theme.track();
        stage.track();
        if asked.get_value() || stage.room.get().0 <= 0.0 {
            return;
        }
        asked.set_value(true);
        request_animation_frame(move || {
            if asked.try_set_value(false).is_some() {
                return; // the figure is gone
            }
            let Some(drawn) = picture(stage) else { return };
            let style = web_sys::HtmlElement::style(&canvas);
            let _ = style.set_property("height", &format!("{}px", drawn.height));
            painter.update_value(|painter| {
                if painter.is_none() {
                    *painter = Painter::new(canvas);
                }
                if let Some(painter) = painter {
                    painter.paint(&drawn, theme.get_untracked(), ratio());
                }
            });
        });
    });
}

/// What there is to say about the range or the selection.
#[component]
fn Details(stage: Stage) -> impl IntoView {
    let said = Memo::new(move |_| {
        if let Some((from, to)) = stage.range.get() {
            return stage.with(|runs| runs.range_in_words(from, to));
        }
        stage.with(|runs| runs.details(stage.selected.get()?)).flatten()
    });
    let named = move || stage.with(|runs| runs.link_name(stage.selected.get()?)).flatten();
    let hint =
        "Select a block to see what held it back; drag for totals; play, or double-click, to see the queues.";
    // While it is played, the sentence says what happens.
    let away =
        Memo::new(move |_| stage.player.with(|player| !player.is_at_end()) && said.with(Option::is_none));
    view! {
        <p class="details" class:away=away aria-live="polite" data-testid="blocks-details">
            {move || said.get().unwrap_or_else(|| hint.to_owned())}
            <span class="hidden" data-testid="blocks-selected">{named}</span>
        </p>
    }
}
