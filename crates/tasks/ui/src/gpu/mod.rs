//! The published table on the GPU, and every cell of it held against the one that the processor fills.
//!
//! Only the GPU is timed here: what processors take is in the report of an experiment, from the searches' worker.

mod bindings;
mod buffers;
mod device;
mod measure;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::live::{effect, live, memo};

use super::Panel;
use measure::Listener;
use tasks::Joined;
use tasks_lab::gpu::{Told, Unavailable};
use tasks_lab::page::tasks::experiment::gpu_words;
use tasks_lab::report::tasks::TaskReport;
use ui_kit::styles::{Sheet, wear};

/// Its own style, which the page need not load before.
const TASKS_EXPERIMENT: Sheet =
    Sheet { name: "tasks-experiment", text: include_str!("../../../../../www/tasks-experiment.css") };

/// What is measured on the GPU, and what came of it.
#[derive(Clone, Copy)]
pub(super) struct Gpu {
    /// What came of each task, by its place.
    pub(super) told: RwSignal<Vec<(usize, Told)>>,
    /// What is being done; none while nothing is.
    doing: RwSignal<Option<String>>,
    /// Counts what was begun and stopped: whoever has another number is to stop.
    turn: StoredValue<Arc<AtomicU32>>,
}

impl Gpu {
    /// Nothing measured. What is being done stops with the part of the page it is for.
    pub(super) fn new() -> Self {
        let turn: Arc<AtomicU32> = Arc::default();
        let gpu = Self {
            told: RwSignal::new(Vec::new()),
            doing: RwSignal::new(None),
            turn: StoredValue::new(Arc::clone(&turn)),
        };
        // The count outlives its signals: a measurement may still be under way.
        on_cleanup(move || {
            turn.fetch_add(1, Ordering::Relaxed);
        });
        gpu
    }

    /// Forgets everything, and stops.
    fn reset(&self) {
        self.halt();
        if self.told.with_untracked(|told| !told.is_empty()) {
            self.told.set(Vec::new());
        }
    }

    fn halt(&self) {
        self.turn.with_value(|turn| turn.fetch_add(1, Ordering::Relaxed));
        self.doing.set(None);
    }

    fn is_busy(&self) -> bool {
        self.doing.with(Option::is_some)
    }

    /// Measures these tasks, one after the other.
    fn start(&self, tasks: Vec<(usize, String, TaskReport)>) {
        self.reset();
        self.doing.set(Some("Asking…".to_owned()));
        let (gpu, turn) = (*self, self.turn.get_value());
        let own = turn.load(Ordering::Relaxed);
        spawn_local(async move {
            for (place, name, task) in tasks {
                let goes_on = || turn.load(Ordering::Relaxed) == own;
                let tell = |what: &str| {
                    if goes_on() {
                        let _ = gpu.doing.try_set(Some(format!("{name}: {what}")));
                    }
                    goes_on()
                };
                let told = measure(&task, &tell).await;
                if !goes_on() {
                    return; // whoever stopped it has said so
                }
                let gives_up = told.gives_up;
                gpu.told.update(|known| known.push((place, told)));
                if gives_up {
                    break;
                }
            }
            gpu.doing.set(None);
        });
    }
}

/// What comes of a task. `tell` hears what is being done, and stops it by answering `false`.
async fn measure(task: &TaskReport, tell: &dyn Fn(&str) -> bool) -> Told {
    let Some(task) = task.task() else {
        return Told { failed: Some("This is not a task.".to_owned()), ..Told::default() };
    };
    match measure::measure(&Joined::of(&task), &Listener(tell)).await {
        Ok(measured) => Told { measured: Some(measured), ..Told::default() },
        Err(why) => {
            let gives_up = !matches!(why, Unavailable::TooMuch(_) | Unavailable::Refused(_));
            Told { measured: None, failed: Some(why.words()), gives_up }
        }
    }
}

/// The button that measures, the one that stops, and how far it is. `tasks` are those that it measures, with the names
/// that people know them by.
#[component]
pub(super) fn GpuBar(
    gpu: Gpu,
    label: &'static str,
    #[prop(into)] tasks: Callback<(), Vec<(usize, String, TaskReport)>>,
) -> impl IntoView {
    let busy = memo(move |_| gpu.is_busy());
    let failed =
        memo(move |_| gpu.told.with(|told| told.iter().rev().find_map(|(_, told)| told.failed.clone())));
    view! {
        <div class="row gpu-bar">
            <button disabled=live(move || busy.get()) data-testid="gpu-start" on:click=move |_| gpu.start(tasks.run(()))>{label}</button>
            <button hidden=live(move || !busy.get()) data-testid="gpu-stop" on:click=move |_| gpu.halt()>"Stop"</button>
            <span class="hint" aria-live="polite" data-testid="gpu-doing">{live(move || gpu.doing.get())}</span>
        </div>
        {live(move || failed.get().map(|why| view! { <p class="gpu-failed" role="status" data-testid="gpu-failed">{why}</p> }))}
    }
}

/// What was measured of one task, in sentences.
pub(super) fn sentences(told: &Told) -> Option<AnyView> {
    let measured = told.measured.as_ref()?;
    let differs = !measured.equal();
    let line = |text: String| view! { <li>{text}</li> };
    let said = gpu_words(measured).into_iter().map(line).collect_view();
    Some(view! { <ul class="gpu-said" class:wrong=differs data-testid="gpu-said">{said}</ul> }.into_any())
}

/// The published table of the chosen task of a set, on the GPU.
#[component]
pub(super) fn GpuCheck(panel: Panel) -> impl IntoView {
    let chosen = memo(move |_| {
        let place = panel.task.get();
        panel.with(|seen| seen.set()?.set.get(place).cloned()).flatten()
    });
    let any = memo(move |_| chosen.with(Option::is_some));
    move || any.get().then(|| view! { <Check chosen/> })
}

#[component]
fn Check(chosen: Memo<Option<TaskReport>>) -> impl IntoView {
    wear(&[TASKS_EXPERIMENT]);
    let gpu = Gpu::new();
    effect(move || {
        chosen.track();
        gpu.reset(); // another task, or other numbers
    });
    let tasks = move |()| {
        let named = |task: TaskReport| (0, task.name.clone(), task);
        chosen.get_untracked().map(named).into_iter().collect::<Vec<_>>()
    };
    let name = move || chosen.with(|task| task.as_ref().map(|task| task.name.clone()).unwrap_or_default());
    view! {
        <details class="more gpu-check" data-testid="gpu-check">
            <summary>"The published table on this machine's GPU"</summary>
            <p class="hint">"Algorithm 1 fills a table with a cell for every demand, row by row: here one thread of the GPU for each cell, for the task "<b>{name}</b>". Every cell is then compared with the table that the processor fills."</p>
            <GpuBar gpu label="Fill the table on the GPU" tasks/>
            {live(move || gpu.told.with(|told| told.last().and_then(|(_, told)| sentences(told))))}
        </details>
    }
}
