//! What the document is called, how its recording stands, and what came of it in a few numbers.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::files;
use super::stage::{Stage, State};
use base::people;
use kit::draw::nanos::in_words;
use kit::import::json;
use kit::page::Ask;
use kit::page::guess::{Answer, CLOSE, Question};
use kit::page::tile::{Tile, Tone};
use kit::page::told::ToOpen;
use traces_lab::page::says;
use ui_kit::guess::Guesses;
use ui_kit::outcome::{Notes, Tiles, Title};

/// Title, numbers and how far the reading is, in a line.
#[component]
pub(super) fn Brief(stage: Stage) -> impl IntoView {
    let found = memo(move |_| {
        let recorded = stage.run.with(|run| run.as_ref().map_or(0.0, |run| run.end));
        stage
            .report
            .with(|report| report.as_ref().map(|report| tiles(&report.0, recorded)).unwrap_or_default())
    });
    let hidden = stage.panel.hidden();
    let questions = memo(move |_| {
        stage.report.with(|report| report.as_ref().map(|report| questions(&report.0)).unwrap_or_default())
    });
    let told = move || match stage.state.get() {
        State::Reading(_, total) if total > 0.0 => "Reading…".to_owned(),
        State::Reading(..) => "Working…".to_owned(),
        State::Read if stage.report.with(Option::is_none) => "Looking for what to change…".to_owned(),
        State::Read => stage.changed.with(|changed| {
            changed.as_ref().map(|changed| gained(changed.sooner, changed.turned)).unwrap_or_default()
        }),
        State::Died(why) => format!("Stopped: {why}"),
        // Without a run the problems stand where it would be.
        State::Refused(problems) if stage.run.with(Option::is_some) => {
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        }
        State::Nothing | State::Waits(_) | State::Refused(_) => String::new(),
    };
    let share = move || match stage.state.get() {
        State::Reading(read, total) if total > 0.0 => Some(read / total),
        _ => None,
    };
    view! {
        <div class="brief">
            <Title told=stage.panel.told/>
            <Show when=move || !hidden.get()>
                <Tiles known=found brief=true/>
            </Show>
            <div class="row lab-run">
                <span class="told" aria-live="polite" data-testid="traces-told">{told}</span>
                <Show when=move || share().is_some()>
                    <progress max="1" aria-label="File read" value=live(move || share().unwrap_or(0.0))></progress>
                    <button data-testid="traces-stop" on:click=move |_| stage.stop()>"Stop"</button>
                </Show>
            </div>
        </div>
        <Guesses questions told=stage.panel.told page=stage.panel.page/>
    }
}

/// What changes gain, in words.
fn gained(sooner: f64, turned: u32) -> String {
    let by = in_words(sooner.abs() as i64);
    match sooner {
        s if s > 0.0 && turned > 0 => format!(
            "Ends {by} sooner as changed, if all else keeps its order: {} could go first.",
            base::people::plural(turned as usize, "call or copy", "calls or copies")
        ),
        s if s > 0.0 => format!("Ends {by} sooner as changed."),
        s if s < 0.0 => format!("Ends {by} later as changed."),
        _ => "Ends at the same time as changed.".to_owned(),
    }
}

/// The numbers of a report; `recorded` is how long the axis is, which also holds what the host calls before the first
/// operation and after the last.
fn tiles(report: &Value, recorded: f64) -> Vec<Tile> {
    let (idle, whole) = idle(report);
    let mut causes = [0u64; 10];
    for device in report["devices"].as_array().into_iter().flatten() {
        for (sum, cause) in causes.iter_mut().zip(traces::Cause::ALL) {
            *sum += device["causes"][cause.name()].as_u64().unwrap_or(0);
        }
    }
    let mut tiles = Vec::new();
    let mut tile = |id, label, value: String, hint: String| {
        tiles.push(Tile { id, label, value, hint, tone: Tone::Plain });
    };
    let end = report["end"].as_i64().unwrap_or(0);
    let hint = "From the first operation on a GPU to the last".to_owned();
    let within = recorded > end as f64 * 1.1;
    if within {
        let (own, all) = (in_words(end), in_words(recorded as i64));
        tile(
            "traces-end",
            "First to last operation",
            format!("{own} of {all}"),
            format!("{hint}, of all that was recorded; the axis begins with the first call of the host"),
        );
    } else {
        tile("traces-end", "Whole run", in_words(end), hint);
    }
    if whole > 0 {
        let share = idle as f64 / whole as f64;
        tile(
            "traces-idle",
            if within { "GPU idle within that" } else { "GPU idle" },
            people::percent(share),
            format!(
                "{} of {} between operations, of all GPUs together",
                in_words(i64::try_from(idle).unwrap_or(i64::MAX)),
                in_words(i64::try_from(whole).unwrap_or(i64::MAX))
            ),
        );
    }
    let most =
        causes.iter().zip(traces::Cause::ALL).max_by_key(|(sum, _)| **sum).filter(|(sum, _)| **sum > 0);
    if let Some((sum, cause)) = most {
        let share = people::percent(*sum as f64 / idle.max(1) as f64);
        let hint = format!("{share} of the idle time. {}", says::meaning(cause));
        tile("traces-mostly", "Main cause", says::name_of(cause).to_owned(), hint);
    }
    tiles
}

/// What is asked while the answer is hidden.
fn questions(report: &Value) -> Vec<Question> {
    let (idle, whole) = idle(report);
    if whole == 0 {
        return Vec::new();
    }
    let share = Answer::Estimate(100.0 * idle as f64 / whole as f64, "%", CLOSE);
    vec![Question::new("For about how many per cent of the time did nothing run on the GPU?", share)]
}

/// For how long nothing ran, and of how long; of all GPUs together.
fn idle(report: &Value) -> (u64, u64) {
    let devices = report["devices"].as_array().map(Vec::as_slice).unwrap_or_default();
    let number = |device: &Value, key: &str| device[key].as_u64().unwrap_or(0);
    let idle = devices.iter().map(|device| number(device, "idle")).sum::<u64>();
    (idle, idle + devices.iter().map(|device| number(device, "busy")).sum::<u64>())
}

/// Notes of the document.
#[component]
pub(super) fn Noted(stage: Stage) -> impl IntoView {
    let hidden = stage.panel.hidden();
    let calls = memo(move |_| {
        stage
            .report
            .with(|report| report.as_ref().is_some_and(|report| report.0["calls"].as_u64() == Some(0)))
    });
    view! {
        <Notes told=stage.panel.told hidden/>
        <Show when=move || calls.get()>
            <p class="hint" data-testid="traces-no-calls">"The recording holds no calls of the host: whether something was launched late cannot be told, and is left unexplained."</p>
        </Show>
    }
}

/// What stands where the picture would be: files to open, problems, or nothing yet.
#[component]
pub(super) fn Instead(stage: Stage) -> impl IntoView {
    move || {
        match stage.state.get() {
        State::Waits(names) => {
            let list = people::listed(&names);
            view! {
                <section class="figure traces-instead" aria-label="Files to open" data-testid="traces-waits">
                    <h3>{format!("Open {list} here")}</h3>
                    <p>"A link or a document names the recording, and never holds it: the file stays on the computer it was made on. Nothing is sent anywhere, also not when you open it."</p>
                    <PickHere stage label="Open the recording…"/>
                </section>
            }
            .into_any()
        }
        State::Refused(problems) => view! {
            <section class="figure traces-instead" aria-label="What is wrong" data-testid="traces-refused">
                <h3>"This is no recording that can be read"</h3>
                <ul>{problems.into_iter().map(|one| view! { <li class="wrong">{one.to_string()}</li> }).collect_view()}</ul>
                <PickHere stage label="Open another…"/>
            </section>
        }
        .into_any(),
        State::Died(why) => view! {
            <section class="figure traces-instead" aria-label="Stopped">
                <h3>"The reading ended"</h3>
                <p>{why}</p>
                <PickHere stage label="Open the recording…"/>
            </section>
        }
        .into_any(),
        State::Nothing | State::Reading(..) | State::Read => {
            view! { <section class="figure traces-instead" aria-label="Reading"><p class="hint">"Reading the recording…"</p></section> }.into_any()
        }
    }
    }
}

/// Opens files: those that the present document waits for, or others as another document.
#[component]
pub(super) fn Pick(
    label: &'static str,
    /// The present document.
    #[prop(into)]
    present: Callback<(), Option<String>>,
    /// Takes another one.
    #[prop(into)]
    open: Callback<String>,
) -> impl IntoView {
    let field = NodeRef::<leptos::html::Input>::new();
    let said = RwSignal::new(String::new());
    let click = move |_| {
        if let Some(field) = field.get_untracked() {
            field.click();
        }
    };
    let chosen = move |_| {
        let Some(field) = field.get_untracked() else { return };
        let Some(files) = field.files().filter(|files| files.length() > 0) else { return };
        let files: js_sys::Array = (0..files.length()).filter_map(|at| files.get(at)).collect();
        // The same file may be chosen again.
        field.set_value("");
        leptos::task::spawn_local(async move {
            let (which, document) = files::document_of(&files, present.run(()).as_deref()).await;
            let others = files.length() as usize - which.len();
            let _ = said.try_set(match (which.len(), others) {
                (_, 0) => String::new(),
                (0, _) => "No recording: expected an export of Nsight Systems (SQLite), the PyTorch profiler or rocprofv3 (JSON)".to_owned(),
                (_, others) => format!("{} no recording, and left out", people::plural(others, "file is", "files are")),
            });
            if let Some(document) = document {
                open.run(json::pretty(&document));
            }
        });
    };
    view! {
        <div class="row">
            <button class="primary" data-testid="traces-open" on:click=click>{label}</button>
            <input node_ref=field class="hidden" type="file" multiple tabindex="-1" aria-label="Recording" data-testid="traces-file" on:change=chosen/>
        </div>
        {live(move || said.with(|said| (!said.is_empty()).then(|| view! { <p class="wrong" role="status" data-testid="traces-pick-said">{said.clone()}</p> })))}
    }
}

/// The same for the panel.
#[component]
fn PickHere(stage: Stage, label: &'static str) -> impl IntoView {
    let present = move |()| stage.panel.told.with_untracked(|told| told.document.clone());
    let open = move |document: String| {
        let what = "Opened the recording; it stays on this computer".to_owned();
        stage.panel.page.ask(Ask::Open(ToOpen { document, what, ..ToOpen::default() }));
    };
    view! { <Pick label present open/> }
}
