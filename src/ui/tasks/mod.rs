//! The panel of the tasks lab, in a wasm of its own: the graphs, their demand, and the verdict.

mod chart;
mod experiment;
mod exports;
pub mod form;
mod gpu;
mod graph;
mod keys;
mod stage;
mod steps;
mod summary;
mod tables;
mod timeline;

use std::any::Any;
use std::sync::Arc;

use js_sys::{Array, Function};
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

use crate::draw::Theme;
use crate::page::tasks::{Seen, again};
use crate::page::trial::ToldOfTrial;
use chart::Chart;
use experiment::Experiment;
use exports::Exports;
use gpu::GpuCheck;
use graph::Graph;
use stage::{Known, Stage};
use summary::Summary;
use tables::{Sensitivity, TaskTable};
use timeline::Timeline;

/// Its own style, which the page need not load before.
const STYLE: &str = concat!(
    include_str!("../../../www/lab.css"),
    include_str!("../../../www/items.css"),
    include_str!("../../../www/tasks.css"),
    include_str!("../../../www/tasks-graph.css")
);

/// The panel in the page, until it is dropped.
pub struct Mounted {
    panel: Panel,
    /// What is on the screen, and then the owner of its signals: dropped in this order.
    _held: Box<dyn Any>,
}

impl Mounted {
    /// Puts the panel into an element; `act` is called with what someone wants done, a number and a text.
    pub fn new(host: HtmlElement, act: Function) -> Self {
        console_error_panic_hook::set_once();
        let owner = Owner::new();
        let panel = owner.with(|| Panel::new(act));
        let handle = mount_to(host, move || view! { <Tasks panel/> });
        Self { panel, _held: Box::new((handle, owner)) }
    }

    /// Shows what a worker has told, and how it stands.
    pub fn show(&self, lines: &Array, told: ToldOfTrial) {
        let panel = self.panel;
        let heard = (told.job, lines.length());
        if panel.heard.get_value() != heard {
            let last = lines.length().checked_sub(1).and_then(|last| lines.get(last).as_string());
            if let Some(seen) = last.and_then(|line| Seen::new(&line)) {
                panel.shown.set(told.job);
                panel.seen.set(Some(Arc::new(seen)));
            }
            panel.heard.set_value(heard);
        }
        if panel.told.with_untracked(|old| *old != told) {
            panel.told.set(told);
        }
    }
}

/// Everything the parts of the panel share.
#[derive(Clone, Copy)]
pub struct Panel {
    /// The result on the screen.
    pub(super) seen: RwSignal<Option<Arc<Seen>>>,
    /// The run it is of.
    pub(super) shown: RwSignal<u32>,
    /// How the document and its run stand, the document itself, and the page around the panel.
    pub(super) told: RwSignal<ToldOfTrial>,
    /// The interval someone looks at: chart, graph and timeline show its witness.
    pub(super) at: RwSignal<Option<u64>>,
    /// The task someone looks at, by its place in the set.
    pub(super) task: RwSignal<usize>,
    /// The witness that chart, graph and timeline show.
    known: RwSignal<Option<Arc<Known>>>,
    /// The run whose lines were heard, and how many of them.
    heard: StoredValue<(u32, u32)>,
    act: StoredValue<Function, LocalStorage>,
}

impl Panel {
    fn new(act: Function) -> Self {
        Self {
            seen: RwSignal::new(None),
            shown: RwSignal::new(0),
            told: RwSignal::new(ToldOfTrial::default()),
            at: RwSignal::new(None),
            task: RwSignal::new(0),
            known: RwSignal::new(None),
            heard: StoredValue::default(),
            act: StoredValue::new_local(act),
        }
    }

    /// Has the page do something: `run`, `stop`, `edit` the document to a text, take a `view` (JSON with `step`, `t0`,
    /// `t1`, `sel`, `rows`) into its links, or tell a `notice`.
    pub(super) fn act(&self, what: &str, text: Option<&str>) {
        let text = text.map_or(JsValue::UNDEFINED, JsValue::from_str);
        // What the page does with it is the page's affair.
        let _ =
            self.act.with_value(|act| act.call3(&JsValue::NULL, &what.into(), &JsValue::UNDEFINED, &text));
    }

    /// Something made of the result; nothing before there is one.
    pub(super) fn with<T>(&self, what: impl FnOnce(&Seen) -> T) -> Option<T> {
        self.seen.with(|seen| seen.as_deref().map(what))
    }
}

/// The vertices of the chosen task's witness in the order of their triggering, by their place in the task.
pub fn marked(panel: Panel) -> Signal<Vec<usize>> {
    let marked = Memo::new(move |_| {
        let (task, known) = (panel.task.get(), panel.known.get());
        let of = |report: &_| Some(again::marked(report, known.as_deref()?.reports.get(task)?, task));
        panel.with(|seen| seen.set().and_then(of)).flatten().unwrap_or_default()
    });
    marked.into()
}

#[component]
fn Tasks(panel: Panel) -> impl IntoView {
    provide_context(Memo::new(move |_| {
        panel.told.with(|told| if told.page.dark { Theme::Dark } else { Theme::Light })
    }));
    let is_set = Memo::new(move |_| panel.with(|seen| seen.set().is_some()).unwrap_or(false));
    view! {
        <style>{STYLE}</style>
        <Summary panel/>
        <Show when=move || is_set.get()><Set panel/></Show>
        <Experiment panel/>
    }
}

/// Everything about a set of tasks.
#[component]
fn Set(panel: Panel) -> impl IntoView {
    let stage = Stage::new(panel);
    view! {
        <Chart stage/>
        <Graph panel marked=marked(panel)/>
        <Timeline stage/>
        <TaskTable stage/>
        <Sensitivity stage/>
        <GpuCheck panel/>
        <Exports stage/>
        <Assumptions panel/>
    }
}

/// What the verdict takes for granted.
#[component]
fn Assumptions(panel: Panel) -> impl IntoView {
    let known =
        Memo::new(move |_| panel.with(|seen| seen.set().map(|report| report.assumptions.clone())).flatten());
    let line = |text: String| view! { <li>{text}</li> };
    move || {
        known.get().filter(|texts| !texts.is_empty()).map(|texts| {
            view! {
                <details class="more" data-testid="tasks-assumptions">
                    <summary>"What the verdict takes for granted"</summary>
                    <ol>{texts.into_iter().map(line).collect_view()}</ol>
                </details>
            }
        })
    }
}
