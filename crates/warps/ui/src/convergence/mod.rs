//! The chart of converging chains: canvas, pointers, keys, tools, and the same as a table.

mod improvements;
mod tools;

use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use plotters_canvas::CanvasBackend;
use ui_kit::live::{effect, live, memo};
use web_sys::{HtmlCanvasElement, HtmlElement};

use base::people;
use improvements::Improvements;
use kit::draw::{Scale, Theme};
use kit::page::Ask;
use tools::Tools;
use ui_kit::canvas::ratio;
use ui_kit::follow::{follow_width, once_a_frame};
use ui_kit::mounted::{Content, News, Page, put};
use ui_kit::styles::{Sheet, wear};
use ui_kit::touch::{Place, Touched, TouchedCanvas};
use warps_lab::draw::chart::{Frame, Layout, Surface, draw};
use warps_lab::page::chart::{ChartView, Move, Told, bracket_in_words, in_words};
use warps_lab::timeline::Convergence;
use warps_lab::timeline::convergence::{Bracket, ImprovementId};

/// Its own style, which the page need not load before.
const CHART: Sheet = Sheet { name: "chart", text: include_str!("../../../../../www/chart.css") };

/// The height of what is said beside the pointer, with room about it.
const ROOM_FOR_TIP: f64 = 100.0;
/// Everything the parts of the chart share.
#[derive(Clone, Copy)]
pub struct Chart {
    data: RwSignal<Option<Arc<Convergence>>>,
    told: RwSignal<Told>,
    view: RwSignal<ChartView>,
    selected: RwSignal<Option<ImprovementId>>,
    width: RwSignal<f64>,
    page: Page,
}

impl Content for Chart {
    type Told = Told;
    type Entry = Convergence;

    fn view(self) -> AnyView {
        effect(move || report(self));
        view! { <ConvergenceChart chart=self/> }.into_any()
    }

    fn hear(self, _told: &Told, news: &News<'_, Convergence>) {
        if let Some(data) = news.last() {
            self.data.set(Some(Arc::new(data)));
        }
    }

    fn tell(self, told: Told) {
        put(self.selected, told.selected);
        put(self.told, told);
    }
}

impl Chart {
    /// A chart of nothing yet.
    pub fn new(page: Page) -> Self {
        Self {
            data: RwSignal::new(None),
            told: RwSignal::default(),
            view: RwSignal::default(),
            selected: RwSignal::new(None),
            width: RwSignal::new(0.0),
            page,
        }
    }

    fn theme(&self) -> Theme {
        self.told.with(|told| told.theme)
    }

    /// The data, and how they are laid out now.
    fn laid_out(&self) -> Option<(Arc<Convergence>, Frame, Layout)> {
        let data = self.data.get_untracked()?;
        let theme = self.told.with_untracked(|told| told.theme);
        let frame = self.view.with_untracked(|view| {
            view.frame(self.width.get_untracked(), self.selected.get_untracked(), theme)
        });
        let plan = Layout::new(&data, &frame);
        Some((data, frame, plan))
    }

    /// Changes the view, with the data at hand.
    fn change(&self, change: impl FnOnce(&mut ChartView, &Convergence)) {
        if let Some(data) = self.data.get_untracked() {
            self.view.update(|view| change(view, &data));
        }
    }

    fn nearest(&self, (x, y): Place) -> Option<ImprovementId> {
        let (data, frame, plan) = self.laid_out()?;
        plan.nearest(&data, &frame, x, y)
    }

    /// Zooms about the improvement that is pointed at if it is in sight, else about the middle.
    fn zoom_here(&self, factor: f64) {
        let Some((data, frame, plan)) = self.laid_out() else { return };
        let pointed = frame.pointed.and_then(|id| data.improvement(id));
        let at = pointed.map(|(_, improvement)| plan.spread(improvement.at(frame.axis)));
        let middle = f64::midpoint(plan.x.from, plan.x.to);
        let at = at.filter(|at| (plan.x.from..=plan.x.to).contains(at)).unwrap_or(middle);
        self.view.update(|view| view.zoom_by(&data, factor, at));
    }

    /// Moves the window by a share of its width.
    fn pan_share(&self, share: f64) {
        if let Some((data, _, plan)) = self.laid_out() {
            self.view.update(|view| view.pan_by(&data, share * (plan.x.to - plan.x.from)));
        }
    }
}

/// Tells the page what is selected, if it does not know.
fn report(chart: Chart) {
    let selected = chart.selected.get();
    if chart.told.with_untracked(|told| told.selected) != selected {
        chart.told.update_untracked(|told| told.selected = selected);
        chart.page.ask(Ask::Select(selected));
    }
}

#[component]
fn ConvergenceChart(chart: Chart) -> impl IntoView {
    wear(&[CHART]);
    view! {
        <div class="chart">
            <Tools chart/>
            <Plot chart/>
            <p class="details" aria-live="polite" data-testid="chart-details">
                {live(move || about(chart))}
            </p>
            <Improvements chart/>
        </div>
    }
}

/// The improvement that is pointed at, else the selected one, in words.
fn about(chart: Chart) -> String {
    let Some(data) = chart.data.get() else { return String::new() };
    let pointed = chart.view.with(|view| view.pointed).and_then(|id| in_words(&data, id));
    let known = pointed.or_else(|| chart.selected.get().and_then(|id| in_words(&data, id)));
    known.unwrap_or_else(|| match data.bracket.as_ref().and_then(Bracket::last) {
        Some(step) if data.chains.is_empty() => bracket_in_words(step),
        _ => "Point at an improvement or move with the arrow keys; click or Enter selects it.".to_owned(),
    })
}

impl Touched for Chart {
    fn axis(self) -> Option<Scale> {
        self.laid_out().map(|(_, _, plan)| plan.x)
    }

    fn pan(self, by: f64) {
        self.change(|view, data| view.pan_by(data, by));
    }

    fn zoom(self, factor: f64, about: f64) {
        self.change(|view, data| view.zoom_by(data, factor, about));
    }

    fn select(self, from: f64, to: f64, _: Option<(f64, f64)>) {
        self.view.update(|view| view.range = Some((from, to)));
    }

    fn dropped(self) {
        if let Some((data, _, plan)) = self.laid_out() {
            self.view.update(|view| view.enter_range(&data, &plan));
        }
    }

    fn click(self, at: Place) {
        let found = self.nearest(at);
        self.view.update(|view| view.pointed = found);
        self.selected.set(found);
    }

    fn lost(self) {
        self.view.update(|view| view.range = None);
    }

    fn point(self, at: Option<Place>) {
        let pointed = at.and_then(|at| self.nearest(at));
        if self.view.with_untracked(|view| view.pointed != pointed) {
            self.view.update(|view| view.pointed = pointed);
        }
    }
}

#[component]
fn Plot(chart: Chart) -> impl IntoView {
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    follow_width(canvas, chart.width);
    paint_frames(chart, canvas);
    let label = move || {
        let chains = chart.data.with(|data| data.as_ref().map_or(0, |data| data.chains.len()));
        format!(
            "Largest makespan found over time by {}. Left and right move between improvements, up and down between chains, Enter selects; the table below holds the same.",
            people::counted(chains, "chain")
        )
    };
    view! {
        <div class="figure-plot" tabindex="0" role="application" aria-roledescription="chart" aria-label=label
            aria-busy=live(move || if chart.told.with(|told| told.live) { "true" } else { "false" }) data-keys="own" data-testid="chart-plot"
            on:keydown=move |event| if key(chart, &event) { event.prevent_default() }>
            <TouchedCanvas picture=chart canvas/>
            {live(move || tip(chart))}
        </div>
    }
}

/// What is pointed at, beside it.
fn tip(chart: Chart) -> Option<impl IntoView> {
    let (data, view, width) = (chart.data.get()?, chart.view.get(), chart.width.get());
    let id = view.pointed.filter(|_| view.range.is_none() && width > 0.0)?;
    let (of, improvement) = data.improvement(id)?;
    let frame = view.frame(width, None, Theme::Light);
    let plan = Layout::new(&data, &frame);
    let (x, y) = plan.pixel(improvement.at(view.axis), improvement.makespan);
    if !plan.area.holds(x, y) || !frame.shows(of) {
        return None;
    }
    // Chains rise to the right: before the middle there is room below, after it above.
    let across = if x < width / 2.0 { "12px" } else { "calc(-100% - 12px)" };
    let above = if x < width / 2.0 { y > frame.height - ROOM_FOR_TIP } else { y > ROOM_FOR_TIP };
    let down = if above { "calc(-100% - 12px)" } else { "12px" };
    let iteration = people::grouped(improvement.iteration.into());
    Some(view! {
        <div class="tip" aria-hidden="true" data-testid="chart-tip" style=format!("left: {x}px; top: {y}px; transform: translate({across}, {down})")>
            <strong>{people::grouped(improvement.makespan.into())} " cycles"</strong>
            <span>{of.label.clone()}</span>
            <span>"iteration " {iteration} ", " {people::duration(improvement.seconds)}</span>
        </div>
    })
}

/// Keys of the chart in focus; whether it was one of them.
fn key(chart: Chart, event: &KeyboardEvent) -> bool {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return false;
    }
    let step = |direction| {
        chart.change(|view, data| {
            if let Some(id) = view.moved(data, direction) {
                view.point_at(data, id);
            }
        });
        true
    };
    match event.key().as_str() {
        "ArrowLeft" => return step(Move::Back),
        "ArrowRight" => return step(Move::On),
        "ArrowUp" => return step(Move::ChainBefore),
        "ArrowDown" => return step(Move::ChainAfter),
        "Home" => return step(Move::First),
        "End" => return step(Move::Last),
        "Enter" => {
            chart.selected.set(chart.view.with_untracked(|view| view.pointed));
            return true;
        }
        "Escape" if chart.view.with_untracked(|view| view.pointed.is_some()) => {
            chart.view.update(|view| view.pointed = None);
            return true;
        }
        _ if chart.told.with_untracked(|told| !told.keys) => return false,
        _ => {}
    }
    match (event.code().as_str(), event.key().as_str()) {
        ("KeyW", _) | (_, "+" | "=") => chart.zoom_here(0.7),
        ("KeyS", _) | (_, "-") => chart.zoom_here(1.0 / 0.7),
        ("KeyA", _) => chart.pan_share(-0.15),
        ("KeyD", _) => chart.pan_share(0.15),
        (_, "0") => chart.view.update(|view| view.zoom = None),
        _ => return false,
    }
    true
}

/// Paints whenever something that is drawn has changed.
fn paint_frames(chart: Chart, canvas: NodeRef<leptos::html::Canvas>) {
    let theme = memo(move |_| chart.theme());
    let ready = move || {
        chart.data.track();
        chart.view.track();
        chart.selected.track();
        theme.track();
        chart.width.get() > 0.0
    };
    once_a_frame(canvas, ready, move |canvas| {
        let Some((data, frame, _)) = chart.laid_out() else { return };
        let style = HtmlElement::style(canvas);
        let _ = style.set_property("height", &format!("{}px", frame.height));
        paint(canvas, &data, &frame, ratio());
    });
}

/// Paints a chart in one go, so that nothing flickers, at so many device pixels per pixel.
fn paint(canvas: &HtmlCanvasElement, data: &Convergence, frame: &Frame, ratio: f64) {
    let (width, height) = ((frame.width * ratio).round() as u32, (frame.height * ratio).round() as u32);
    if (canvas.width(), canvas.height()) != (width, height) {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    // Without a canvas to draw on there is still the table.
    if let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) {
        let _ = draw(backend, data, frame, Surface { ratio, font: 1.0 });
    }
}
