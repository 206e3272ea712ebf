//! The demand chart on a canvas with its tools, its table, and the pointers on it.

use std::sync::Arc;

use leptos::ev::{PointerEvent, WheelEvent};
use leptos::prelude::*;

use super::stage::Stage;
use super::{exports::Exports, keys};
use base::people;
use kit::page::Window;
use kit::page::drag::{Drag, Gesture, Means};
use tasks_lab::draw::tasks::{Layout, Look, draw};
use tasks_lab::page::tasks::{Demand, Values};
use ui_kit::canvas::place_of;
use ui_kit::follow::{Drawing, follow_room, paint_frames};
use ui_kit::tip::Tip;

/// Charts are no lower, whatever room there is.
const LOWEST: f64 = 160.0;
/// Ranges narrower than this, in pixels, are no zoom.
const NARROWEST: f64 = 4.0;

/// The chart with everything that belongs to it.
#[component]
pub(super) fn Chart(stage: Stage) -> impl IntoView {
    keys::listen(stage);
    let worst = move || stage.with(Demand::worst).flatten();
    let name = move || {
        if stage.with(|demand| demand.first.is_some()) == Some(true) {
            "First violation"
        } else {
            "Least slack"
        }
    };
    view! {
        <section class="figure tasks-figure" aria-label="Demand over intervals" data-testid="tasks-figure">
            <div class="row tools">
                <h3>"Demand within an interval of length t"</h3>
                <div class="switch" role="group" aria-label="Zoom">
                    <button title="Zoom out (S)" aria-label="Zoom out" data-testid="tasks-out" on:click=move |_| stage.zoom(1.0 / 0.7)>"−"</button>
                    <button title="Zoom in (W)" aria-label="Zoom in" data-testid="tasks-in" on:click=move |_| stage.zoom(0.7)>"+"</button>
                    <button title="Show everything (0)" data-testid="tasks-all" on:click=move |_| stage.show_all()>"All"</button>
                </div>
                <div class="switch" role="group" aria-label="Steps of the demand">
                    <button title="The step before (left arrow)" aria-label="The step before" data-testid="tasks-before" on:click=move |_| stage.step(false)>"‹"</button>
                    <button title="The next step (right arrow)" aria-label="The next step" data-testid="tasks-next" on:click=move |_| stage.step(true)>"›"</button>
                </div>
                <button data-testid="tasks-worst" title="Select it and bring it to the middle (F)" disabled=move || worst().is_none()
                    on:click=move |_| if let Some(t) = worst() { stage.choose(t); stage.centre(); }>{name}</button>
                <span class="spacer"></span>
                <Exports stage/>
            </div>
            <Plot stage/>
            <Details stage/>
        </section>
    }
}

/// What is drawn now.
pub(super) fn look(stage: Stage) -> Look {
    let window = stage.window.get();
    Look {
        at: stage.panel.at.get(),
        pointed: stage.pointed.get(),
        range: stage.range.get(),
        ..Look::new(stage.room.get().0, stage.room.get().1.max(LOWEST), window.t0, window.t1)
    }
}

/// Where everything stands; none before the width is known.
fn plan(stage: Stage) -> Option<Layout> {
    let look = untrack(|| look(stage));
    if look.width <= 0.0 {
        return None;
    }
    stage.now(|demand| Layout::new(demand, &look))
}

#[component]
fn Plot(stage: Stage) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    follow_room(canvas, stage.room);
    let drawing: Memo<Option<Drawing>> = Memo::new_with_compare(
        move |_| {
            let demand = stage.demand.get().filter(|_| stage.room.get().0 > 0.0)?;
            let look = look(stage);
            Some(Arc::new(move || draw(&demand, &look)) as Drawing)
        },
        |_, _| true,
    );
    paint_frames(canvas, drawing);
    let drag = StoredValue::new(Drag::default());
    let place = RwSignal::new((0.0, 0.0));
    let at = |event: &PointerEvent| place_of(event);
    let found = move |(x, y): (f64, f64)| {
        let plan = plan(stage)?;
        stage.now(|demand| plan.hit(demand, x, y)).flatten()
    };
    let down = move |event: PointerEvent| {
        let Some(plan) = plan(stage) else { return };
        if event.button() == 0 {
            let (x, _) = at(&event);
            let pans = event.shift_key() || event.pointer_type() == "touch" || x < plan.x.left;
            let means = if pans { Means::Pan } else { Means::Select };
            drag.update_value(|drag| drag.press(event.pointer_id(), x, means));
            if let Some(canvas) = canvas.get_untracked() {
                // Without capture a drag ends at the edge of the canvas.
                let _ = canvas.set_pointer_capture(event.pointer_id());
            }
        }
    };
    let point = move |t: Option<u64>| {
        if stage.pointed.get_untracked() != t {
            stage.pointed.set(t);
        }
    };
    let moved = move |event: PointerEvent| {
        let Some(plan) = plan(stage) else { return };
        let (x, y) = at(&event);
        match drag.try_update_value(|drag| drag.drag(event.pointer_id(), x)).flatten() {
            Some(Gesture::Pan(pixels)) => stage.change(|w| w.panned(-pixels / plan.x.per_unit())),
            Some(Gesture::Pinch(factor, x)) => stage.change(|w| w.zoomed(factor, plan.x.value(x))),
            Some(Gesture::Range(from, to)) => {
                let t = |x: f64| plan.x.value(x.clamp(plan.x.left, plan.x.right));
                stage.range.set(Some((t(from.min(to)), t(from.max(to)))));
            }
            None => {
                place.set((x, y));
                return point(found((x, y)));
            }
        }
        point(None);
    };
    let up = move |event: PointerEvent| {
        let clicked = drag.try_update_value(|drag| drag.release(event.pointer_id())).unwrap_or(false);
        if clicked {
            stage.range.set(None);
            stage.panel.at.set(found(at(&event)));
        } else if let (Some((from, to)), Some(plan)) = (stage.range.get_untracked(), plan(stage)) {
            stage.range.set(None);
            if (to - from) * plan.x.per_unit() >= NARROWEST {
                stage.change(|window| Window::given(from, to, window.end));
            }
        }
    };
    let lost = move |event: PointerEvent| {
        drag.update_value(|drag| {
            drag.release(event.pointer_id());
        });
        stage.range.set(None);
        point(None);
    };
    let wheel = move |event: WheelEvent| {
        let Some(plan) = plan(stage) else { return };
        let sideways = if event.shift_key() { event.delta_y() + event.delta_x() } else { event.delta_x() };
        if event.ctrl_key() {
            event.prevent_default();
            let at = plan.x.value(place_of(&event).0);
            stage.change(|w| w.zoomed((event.delta_y() / 400.0).exp(), at));
        } else if sideways != 0.0 {
            event.prevent_default();
            stage.change(|w| w.panned(sideways / plan.x.per_unit()));
        }
    };
    let label = move || stage.with(in_words).unwrap_or_default();
    view! {
        <div class="figure-plot" tabindex="0" role="application" aria-roledescription="chart" aria-label=label data-testid="tasks-plot">
            <canvas node_ref=canvas on:pointerdown=down on:pointermove=moved on:pointerup=up on:pointercancel=lost
                on:pointerleave=move |_| point(None) on:wheel=wheel></canvas>
            {move || tip(stage, place)}
        </div>
    }
}

/// What the picture shows, for those who do not see it.
fn in_words(demand: &Demand) -> String {
    format!(
        "Demand of {} over intervals up to {}. Left and right arrow move to the neighbouring step; the table below holds the same.",
        people::counted(demand.names.len(), "task"),
        people::grouped(demand.horizon.into())
    )
}

/// The values of the interval under the pointer, beside it.
fn tip(stage: Stage, place: RwSignal<(f64, f64)>) -> Option<impl IntoView> {
    let t = stage.pointed.get()?;
    let said = stage.with(|demand| Values::at(demand, t).in_words())?;
    let (x, y) = place.get();
    Some(view! { <Tip x y room=stage.room.get().0 said id="tasks-tip"/> })
}

/// What there is to say about the selection.
#[component]
fn Details(stage: Stage) -> impl IntoView {
    let said = move || {
        let at = stage.panel.at.get()?;
        stage.with(|demand| Values::at(demand, at).in_words())
    };
    let named = move || stage.panel.at.get().map(|at| format!("t:{at}"));
    view! {
        <p class="details" aria-live="polite" data-testid="tasks-details">
            {move || said().unwrap_or_else(|| "Select an interval to see what there can be to execute in it, and by which triggerings; drag to zoom.".to_owned())}
            <span class="hidden" data-testid="tasks-selected">{named}</span>
        </p>
    }
}
