//! The demand chart on a canvas with its tools, its table, and the pointers on it.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::live;

use super::stage::Stage;
use super::{exports::Exports, keys};
use base::people;
use kit::draw::{DrawList, Scale};
use kit::page::Window;
use kit::page::terms::Query;
use tasks_lab::draw::tasks::{Layout, Look, dim, draw, pinned as pinned_line, small};
use tasks_lab::page::tasks::seek::{Hit, TERMS, listed, seek};
use tasks_lab::page::tasks::{Demand, Stretch, Values};
use ui_kit::find::Seek;
use ui_kit::follow::{Drawing, follow_room, paint_frames};
use ui_kit::mounted::put;
use ui_kit::overview::{Overview, OverviewOfPart};
use ui_kit::pin::Pin;
use ui_kit::tip::Tip;
use ui_kit::touch::{Place, Touched, TouchedCanvas};
use wasm_bindgen::JsCast;

/// Charts are no lower, whatever room there is.
const LOWEST: f64 = 160.0;

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
    let seek = Callback::new(move |query: Arc<Query>| {
        let found = stage.with(|demand| stage.report(|report| seek(report, demand, &query)));
        found.flatten().unwrap_or_default()
    });
    let name_of = move |hit: Hit| {
        let named = stage.with(|demand| stage.report(|report| listed(report, demand, hit)));
        named.flatten().flatten().unwrap_or_default()
    };
    view! {
        <section class="figure tasks-figure" aria-label="Demand over intervals" data-testid="tasks-figure">
            <div class="row tools" role="toolbar" aria-label="Picture">
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
                <button data-testid="tasks-worst" title="Select it and bring it to the middle (F)" disabled=live(move || worst().is_none())
                    on:click=move |_| if let Some(t) = worst() { stage.choose(t); stage.centre(); }>{name}</button>
                <Seek id="tasks-find" placeholder="Find: slack<3" label="Find intervals and vertices" terms=&TERMS found=stage.panel.found seek
                    at=Signal::derive(move || stage.at()) go=Callback::new(move |hit: Hit| stage.go(hit))
                    name=Callback::new(name_of)/>
                <button class="to-graph" data-testid="tasks-to-graph" title="To the graph of the task, beneath the chart" on:click=move |_| to_graph()>"Graph ↓"</button>
                <span class="spacer"></span>
                <Pin id="tasks-" kept=Signal::derive(move || stage.kept()) pin=Callback::new(move |()| stage.pin(false))
                    swap=Callback::new(move |()| stage.pin(true)) end=Callback::new(move |()| stage.panel.kept.set(None))/>
                <Exports stage/>
            </div>
            <Plot stage/>
            <OverviewOfPart of=Whole(stage) id="tasks-overview"/>
            <Details stage/>
        </section>
    }
}

/// Brings the graph of the task into sight, and the keyboard to it.
fn to_graph() {
    let Some(graph) = document().query_selector("[data-testid=task-graph]").ok().flatten() else { return };
    graph.scroll_into_view();
    let plot = graph.query_selector(".graph-plot").ok().flatten();
    if let Some(plot) = plot.and_then(|plot| plot.dyn_into::<web_sys::HtmlElement>().ok()) {
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(true);
        let _ = plot.focus_with_options(&options);
    }
}

/// What is drawn now.
pub(super) fn look(stage: Stage) -> Look {
    let window = stage.window.get();
    Look {
        at: stage.panel.at.get(),
        pointed: stage.pointed.get(),
        range: stage.range.get(),
        pinned: stage.pinned().is_some(),
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

/// The canvas as the pointers meet it.
#[derive(Clone, Copy)]
struct Picture {
    stage: Stage,
    /// Where the pointer is.
    place: RwSignal<Place>,
    /// Whether it is where it would take the selected interval along.
    on_axis: RwSignal<bool>,
}

impl Picture {
    fn found(self, (x, y): Place) -> Option<u64> {
        let plan = plan(self.stage)?;
        self.stage.now(|demand| plan.hit(demand, x, y)).flatten()
    }

    fn is_on_axis(self, at: Place) -> bool {
        plan(self.stage).is_some_and(|plan| plan.is_on_axis(at))
    }
}

impl Touched for Picture {
    fn axis(self) -> Option<Scale> {
        plan(self.stage).map(|plan| plan.x)
    }

    fn pan(self, by: f64) {
        self.stage.change(|window| window.panned(by));
    }

    fn zoom(self, factor: f64, about: f64) {
        self.stage.change(|window| window.zoomed(factor, about));
    }

    fn select(self, from: f64, to: f64, _: Option<(f64, f64)>) {
        let (Some(axis), Some(last)) = (self.axis(), self.stage.now(|demand| demand.horizon as f64)) else {
            return;
        };
        let t = |x: f64| axis.value(x.clamp(axis.left, axis.right)).round().clamp(0.0, last);
        self.stage.range.set(Some((t(from), t(to))));
    }

    fn click(self, at: Place) {
        self.stage.range.set(None);
        self.stage.panel.at.set(self.found(at));
    }

    fn takes(self, at: Place) -> bool {
        let takes = self.is_on_axis(at);
        if takes {
            self.hold(at);
        }
        takes
    }

    /// On the axis the selected interval follows the pointer.
    fn hold(self, (x, _): Place) {
        let Some(plan) = plan(self.stage) else { return };
        if let Some(t) = self.stage.now(|demand| plan.along(demand, x)).flatten() {
            put(self.stage.range, None);
            put(self.stage.panel.sought, None);
            put(self.stage.panel.at, Some(t));
        }
    }

    fn point(self, at: Option<Place>) {
        if let Some(at) = at {
            self.place.set(at);
            put(self.on_axis, self.is_on_axis(at));
        }
        let t = at.and_then(|at| self.found(at));
        if self.stage.pointed.get_untracked() != t {
            self.stage.pointed.set(t);
        }
    }
}

/// All of the chart, to be drawn small.
#[derive(Clone, Copy)]
struct Whole(Stage);

impl Overview for Whole {
    fn window(self) -> RwSignal<Window> {
        self.0.window
    }

    /// As wide as the chart itself, whose numbers take as much room as they need.
    fn axis(self, _width: f64) -> Option<Scale> {
        let end = self.0.window.with(|window| window.end);
        let look = look(self.0);
        self.0.with(|demand| Scale { from: 0.0, to: end, ..Layout::new(demand, &look).x })
    }

    fn drawn(self, width: f64) -> Option<DrawList> {
        let axis = untrack(|| self.axis(width))?;
        self.0.with(|demand| small::overview(demand, width, &axis))
    }

    fn said(self, window: &Window) -> String {
        let whole = |t: f64| people::grouped(t.round() as u128);
        format!("Intervals from {} to {} of up to {}", whole(window.t0), whole(window.t1), whole(window.end))
    }
}

#[component]
fn Plot(stage: Stage) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    follow_room(canvas, stage.room);
    let drawing: Memo<Option<Drawing>> = Memo::new_with_compare(
        move |_| {
            let demand = stage.demand.get().filter(|_| stage.room.get().0 > 0.0)?;
            let look = look(stage);
            let found = stage.panel.found.get();
            let pinned = stage.pinned().and_then(|pinned| Some(Demand::new(pinned.set()?)));
            Some(Arc::new(move || {
                let mut list = draw(&demand, &look);
                if let Some(other) = &pinned {
                    pinned_line(&mut list, &demand, other, &look);
                }
                if let Some(found) = &found {
                    dim(&mut list, &demand, &look, found);
                }
                list
            }) as Drawing)
        },
        |_, _| true,
    );
    paint_frames(canvas, drawing);
    let picture = Picture { stage, place: RwSignal::new((0.0, 0.0)), on_axis: RwSignal::new(false) };
    let label = move || stage.with(in_words).unwrap_or_default();
    view! {
        <div class="figure-plot" tabindex="0" role="application" aria-roledescription="chart" aria-label=label data-testid="tasks-plot">
            <TouchedCanvas picture canvas taken=picture.on_axis/>
            {live(move || tip(picture))}
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
fn tip(Picture { stage, place, .. }: Picture) -> Option<impl IntoView> {
    let t = stage.pointed.get()?;
    let said = stage.with(|demand| Values::at(demand, t).in_words())?;
    let (x, y) = place.get();
    Some(view! { <Tip x y room=stage.room.get().0 said id="tasks-tip"/> })
}

/// What there is to say about the selection.
#[component]
fn Details(stage: Stage) -> impl IntoView {
    let said = move || {
        if let Some((from, to)) = stage.range.get() {
            return stage.with(|demand| Stretch::between(demand, from, to).in_words());
        }
        let at = stage.panel.at.get()?;
        stage.with(|demand| Values::at(demand, at).in_words())
    };
    let named = move || stage.panel.at.get().map(|at| format!("t:{at}"));
    view! {
        <p class="details" aria-live="polite" data-testid="tasks-details">
            {live(move || said().unwrap_or_else(|| "Select an interval to see what there can be to execute in it, and by which triggerings; drag along the axis to walk through them, or across the chart for sums.".to_owned()))}
            <span class="hidden" data-testid="tasks-selected">{named}</span>
        </p>
    }
}
