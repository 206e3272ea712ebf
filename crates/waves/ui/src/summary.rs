//! What the document is called, how its capture stands, and what came of it in a few numbers.

use leptos::html::Input;
use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};
use ui_kit::show::Show;

use super::files;
use super::stage::{Stage, State};
use base::people;
use kit::import::json;
use kit::page::Ask;
use kit::page::told::ToOpen;
use ui_kit::dropped;
use ui_kit::guess::Guesses;
use ui_kit::outcome::{Notes, Tiles, Title};
use waves_lab::page::summary::{questions, tiles};
use waves_lab::scenario::Given;

/// So many numbers have room in the line above the picture.
const IN_BRIEF: usize = 4;

/// Title, numbers and how far the reading is, in a line.
#[component]
pub(super) fn Brief(stage: Stage) -> impl IntoView {
    let found = memo(move |_| stage.told(tiles));
    let questions = memo(move |_| stage.told(questions));
    let hidden = stage.panel.hidden();
    let told = move || match stage.state.get() {
        State::Reading(doing) => doing.said(),
        State::Read if stage.report.with(Option::is_none) => "Replaying…".to_owned(),
        State::Died(why) => format!("Stopped: {why}"),
        State::Read | State::Nothing | State::Waits(_) | State::Refused(_) => String::new(),
    };
    let share = move || match stage.state.get() {
        State::Reading(doing) => doing.share(),
        _ => None,
    };
    view! {
        <div class="brief waves-brief">
            <Title told=stage.panel.told/>
            <Show when=move || !hidden.get()>
                <Tiles known=found brief=true most=IN_BRIEF/>
            </Show>
            <div class="row lab-run">
                <span class="told" aria-live="polite" data-testid="waves-told">{told}</span>
                <Show when=move || share().is_some()>
                    <progress max="1" aria-label="Waves read" value=live(move || share().unwrap_or(0.0))></progress>
                    <button title="Read no further (Esc)" data-testid="waves-stop" on:click=move |_| stage.stop()>"Stop"</button>
                </Show>
            </div>
        </div>
        <Guesses questions told=stage.panel.told page=stage.panel.page/>
    }
}

/// Notes of the document.
#[component]
pub(super) fn Noted(stage: Stage) -> impl IntoView {
    view! { <Notes told=stage.panel.told hidden=stage.panel.hidden()/> }
}

/// What stands where the picture would be: what is to be opened, problems, or nothing yet.
#[component]
pub(super) fn Instead(stage: Stage) -> impl IntoView {
    move || {
        match stage.state.get() {
        State::Waits(given) => {
            let what = match &given {
                Given::Folder { name, .. } => format!("Open the folder {name} here"),
                Given::File { name, .. } => format!("Open {name} here"),
                Given::Shipped(name) => format!("{name} ships with this page"),
            };
            view! {
                <section class="figure waves-instead" aria-label="Files to open" data-testid="waves-waits">
                    <h3>{what}</h3>
                    <p>"A link or a document names the capture, and never holds it: it stays on the computer it was made on. Nothing is sent anywhere, also not when you open it."</p>
                    <PickHere stage/>
                </section>
            }
            .into_any()
        }
        State::Refused(problems) => view! {
            <section class="figure waves-instead" aria-label="What is wrong" data-testid="waves-refused">
                <h3>"This is no thread trace that can be read"</h3>
                <ul>{problems.into_iter().map(|one| view! { <li class="wrong">{one.to_string()}</li> }).collect_view()}</ul>
                <PickHere stage/>
            </section>
        }
        .into_any(),
        State::Died(why) => view! {
            <section class="figure waves-instead" aria-label="Stopped">
                <h3>"The reading ended"</h3>
                <p>{why}</p>
                <PickHere stage/>
            </section>
        }
        .into_any(),
        State::Nothing | State::Reading(..) | State::Read => {
            view! { <section class="figure waves-instead" aria-label="Reading"><p class="hint">"Reading the thread trace…"</p></section> }.into_any()
        }
    }
    }
}

/// Opens a file or a folder: what the present document waits for, or another capture as another document.
#[component]
pub(super) fn Pick(
    /// The present document.
    #[prop(into)]
    present: Callback<(), Option<String>>,
    /// Takes another one.
    #[prop(into)]
    open: Callback<String>,
) -> impl IntoView {
    let said = RwSignal::new(String::new());
    let read = move |files: js_sys::Array| {
        said.set(String::new());
        leptos::task::spawn_local(async move {
            let found = dropped::files(&files).await;
            let (rest, capture) = files::document_of(found, present.run(()).as_deref()).await;
            let left = match rest.len() {
                0 => String::new(),
                rest => {
                    format!("{} no part of it, and left out", people::plural(rest, "file is", "files are"))
                }
            };
            let _ = said.try_set(match capture {
                Some(Err((name, problems))) => {
                    let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
                    format!("{name}: {}", all.join("; "))
                }
                None if files.length() as usize == rest.len() => "No thread trace: expected the folder that rocprofv3 --att decodes, its zip or tar.gz, or a .waves file".to_owned(),
                Some(Ok((_, document))) => {
                    open.run(json::pretty(&document));
                    left
                }
                None => left,
            });
        });
    };
    view! {
        <div class="row">
            <Chooser label="Open a file…" id="waves-open" folder=false primary=true read/>
            <Chooser label="Open a folder…" id="waves-open-folder" folder=true primary=false read/>
        </div>
        {live(move || said.with(|said| (!said.is_empty()).then(|| view! { <p class="said" role="status" data-testid="waves-pick-said">{said.clone()}</p> })))}
    }
}

/// A button that has the browser ask for files.
#[component]
pub(super) fn Chooser(
    label: &'static str,
    id: &'static str,
    /// Whether a folder is asked for.
    folder: bool,
    /// Whether it is what is most likely wanted.
    primary: bool,
    /// Takes the files.
    #[prop(into)]
    read: Callback<js_sys::Array>,
) -> impl IntoView {
    let field = NodeRef::<Input>::new();
    let click = move |_| {
        if let Some(field) = field.get_untracked() {
            field.click();
        }
    };
    let chosen = move |_| {
        let Some(field) = field.get_untracked() else { return };
        let Some(files) = field.files().filter(|files| files.length() > 0) else { return };
        let files: js_sys::Array = (0..files.length()).filter_map(|at| files.get(at)).collect();
        // The same may be chosen again.
        field.set_value("");
        read.run(files);
    };
    effect(move || {
        if let Some(field) = field.get().filter(|_| folder) {
            let _ = field.set_attribute("webkitdirectory", "");
        }
    });
    view! {
        <button class:primary=primary data-testid=id on:click=click>{label}</button>
        <input node_ref=field class="hidden" type="file" multiple tabindex="-1" aria-label=label data-testid=format!("{id}-field") on:change=chosen/>
    }
}

/// The same for the panel.
#[component]
fn PickHere(stage: Stage) -> impl IntoView {
    let present = move |()| stage.panel.told.with_untracked(|told| told.document.clone());
    let open = move |document: String| {
        let what = "Opened the thread trace; it stays on this computer".to_owned();
        stage.panel.page.ask(Ask::Open(ToOpen { document, what, ..ToOpen::default() }));
    };
    view! { <Pick present open/> }
}
