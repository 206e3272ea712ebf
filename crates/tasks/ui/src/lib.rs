//! The panel of the tasks lab: the graphs, their demand, and the verdict.

#![cfg(target_arch = "wasm32")]

mod chart;
mod experiment;
mod exports;
mod form;
mod gpu;
mod graph;
mod keys;
mod stage;
mod steps;
mod summary;
mod tables;
mod timeline;
mod witness_exports;

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use chart::Chart;
use experiment::Experiment;
use form::TasksForm;
use gpu::GpuCheck;
use graph::Graph;
use kit::draw::Theme;
use kit::page::told::ToldOfTrial;
use stage::{Known, Stage};
use steps::Steps;
use summary::{Brief, Summary};
use tables::{Sensitivity, TaskTable};
use tasks_lab::page::tasks::compared::changes;
use tasks_lab::page::tasks::seek::Hit;
use tasks_lab::page::tasks::{Seen, again};
use timeline::Timeline;
use ui_kit::find::Found;
use ui_kit::mounted::{Content, Form, Host, Mounted, News, Page, Shows, put};
use ui_kit::pin::{self, Changes, Kept};
use ui_kit::styles::{self, Sheet, wear};

/// Its own style, which the page need not load before.
const TASKS: Sheet = Sheet { name: "tasks", text: include_str!("../../../../www/tasks.css") };

/// Its own style, which the page need not load before.
const TASKS_GRAPH: Sheet =
    Sheet { name: "tasks-graph", text: include_str!("../../../../www/tasks-graph.css") };

/// The panel, in its place on the page.
pub fn panel(host: Host) -> Box<dyn Shows> {
    Mounted::put(host, Panel::new)
}

/// The form of its documents, likewise.
pub fn form(host: Host) -> Box<dyn Shows> {
    Form::put(host, |doc| view! { <TasksForm doc/> }.into_any())
}

/// Everything the parts of the panel share.
#[derive(Clone, Copy)]
struct Panel {
    /// The result on the screen.
    seen: RwSignal<Option<Arc<Seen>>>,
    /// The document it is of.
    text: RwSignal<String>,
    /// What was pinned, to be compared.
    kept: Kept<Seen>,
    /// The run it is of.
    shown: RwSignal<u32>,
    /// How the document and its run stand, the document itself, and the page around the panel.
    told: RwSignal<ToldOfTrial>,
    /// The interval someone looks at: chart, graph and timeline show its witness.
    at: RwSignal<Option<u64>>,
    /// The task someone looks at, by its place in the set.
    task: RwSignal<usize>,
    /// What the search finds.
    found: Found<Hit>,
    /// The vertex that it led to last, and its task.
    sought: RwSignal<Option<(usize, usize)>>,
    /// The witness that chart, graph and timeline show.
    known: RwSignal<Option<Arc<Known>>>,
    /// The page around it.
    page: Page,
}

impl Content for Panel {
    type Told = ToldOfTrial;
    type Entry = String;

    fn view(self) -> AnyView {
        view! { <Tasks panel=self/> }.into_any()
    }

    fn hear(self, told: &ToldOfTrial, news: &News<'_, String>) {
        if let Some(seen) = news.last().and_then(|line| Seen::new(&line)) {
            self.shown.set(told.job);
            self.text.set(told.document.clone().unwrap_or_default());
            self.seen.set(Some(Arc::new(seen)));
        }
    }

    fn tell(self, told: ToldOfTrial) {
        put(self.told, told);
    }
}

impl Panel {
    /// A panel that knows nothing yet.
    fn new(page: Page) -> Self {
        Self {
            seen: RwSignal::new(None),
            text: RwSignal::default(),
            kept: RwSignal::new(None),
            shown: RwSignal::new(0),
            told: RwSignal::new(ToldOfTrial::default()),
            at: RwSignal::new(None),
            task: RwSignal::new(0),
            found: RwSignal::new(None),
            sought: RwSignal::new(None),
            known: RwSignal::new(None),
            page,
        }
    }

    /// Whether the answer is hidden until someone has guessed it.
    fn hidden(&self) -> Signal<bool> {
        ui_kit::guess::hidden(self.told)
    }

    /// Something made of the result; nothing before there is one.
    fn with<T>(&self, what: impl FnOnce(&Seen) -> T) -> Option<T> {
        self.seen.with(|seen| seen.as_deref().map(what))
    }
}

/// The vertices of the chosen task's witness in the order of their triggering, by their place in the task.
fn marked(panel: Panel) -> Signal<Vec<usize>> {
    let marked = memo(move |_| {
        let (task, known) = (panel.task.get(), panel.known.get());
        let of = |report: &_| Some(again::marked(report, known.as_deref()?.reports.get(task)?, task));
        panel.with(|seen| seen.set().and_then(of)).flatten().unwrap_or_default()
    });
    marked.into()
}

#[component]
fn Tasks(panel: Panel) -> impl IntoView {
    wear(&[styles::LAB, styles::ITEMS, TASKS, TASKS_GRAPH]);
    provide_context(memo(move |_| {
        panel.told.with(|told| if told.page.dark { Theme::Dark } else { Theme::Light })
    }));
    let hidden = panel.hidden();
    let is_set = memo(move |_| panel.with(|seen| seen.set().is_some()).unwrap_or(false));
    let (stage, marked) = (Stage::new(panel), marked(panel));
    // The graph is what is given; which of its vertices make the worst is part of the answer.
    let shown = Signal::derive(move || if hidden.get() { Vec::new() } else { marked.get() });
    pin::recall(panel.kept, Signal::derive(move || panel.told.with(|told| told.pinned.clone())), Seen::new);
    let changes = Signal::derive(move || {
        let pinned = stage.pinned().filter(|_| !hidden.get())?;
        stage.report(|report| Some(changes(pinned.set()?, report))).flatten()
    });
    let answered = memo(move |_| is_set.get() && !hidden.get());
    view! {
        <div class="screen">
            <Brief panel/>
            <Show when=move || answered.get()><Chart stage/></Show>
            <Show when=move || is_set.get() && hidden.get()><Graph panel marked=shown/></Show>
            <Show when=move || !hidden.get()><Experiment panel/></Show>
        </div>
        <Show when=move || answered.get()><Graph panel marked=shown/></Show>
        <section class="results">
            <Summary panel/>
            <Show when=move || answered.get()>
                <Changes id="tasks-" changes/>
                <Timeline stage/>
                <details class="section" data-testid="tasks-tables">
                    <summary>"Task by task, and slack per job"</summary>
                    <TaskTable stage/>
                    <Sensitivity stage/>
                </details>
                <Steps stage/>
                <GpuCheck panel/>
                <Assumptions panel/>
            </Show>
        </section>
    }
}

/// What the verdict takes for granted.
#[component]
fn Assumptions(panel: Panel) -> impl IntoView {
    let known =
        memo(move |_| panel.with(|seen| seen.set().map(|report| report.assumptions.clone())).flatten());
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
