//! The logs of a measured run in the form: which there are, more of them, and how exact their clocks are taken.

use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use base::people::counted;
use blocks_lab::page::blocks::form;
use blocks_lab::page::blocks::form::examiner::{MEASURED, logs, with_more_logs, without_log};
use blocks_lab::page::blocks::form::path::Key::Of;
use blocks_lab::page::blocks::form::path::{moved, place};
use blocks_lab::page::blocks::form::units::Unit;
use blocks_lab::page::blocks::form::{Holds, Slot};
use kit::import::gzip;
use ui_kit::cells::{Item, buttons, row, told};
use ui_kit::doc::Doc;

/// More than so many stand under JSON.
const MOST: usize = 64;

/// The list, and the way to more.
#[component]
pub fn Measured(doc: Doc) -> impl IntoView {
    let known = memo(move |_| doc.tree.with(|tree| tree.as_ref().map(logs).unwrap_or_default()));
    let count = memo(move |_| known.with(Vec::len));
    let said = RwSignal::new(String::new());
    let go = Callback::new(move |(from, to)| doc.edit_tree("logs", |tree| moved(tree, &MEASURED, from, to)));
    let away = Callback::new(move |at| doc.edit_tree("logs", |tree| without_log(tree, at)));
    let id = StoredValue::new("log".to_owned());
    let line = move |place| {
        let item = Item { what: "log", id, place, count, go, remove: away };
        let head = memo(move |_| known.with(|known| known.get(place).cloned().unwrap_or_default()));
        view! {
            <div class="item-head">
                <span class="fold-name">{live(move || head.get().0)}</span>
                <span class="fold-about">{live(move || head.get().1)}</span>
                {buttons(item)}
            </div>
        }
    };
    let input = NodeRef::<leptos::html::Input>::new();
    let add = move |_| {
        let Some(input) = input.get_untracked() else { return };
        if let Some(files) = input.files() {
            // The list is the input's own and is empty once that is.
            let files: Vec<File> = (0..files.length()).filter_map(|at| files.get(at)).collect();
            said.set(String::new());
            spawn_local(open(doc, files, said));
        }
        input.set_value("");
    };
    let own = [place(&MEASURED)];
    let tolerance = || Slot {
        label: "Tolerance, µs",
        path: vec![Of("blocks"), Of("tolerance")],
        holds: Holds::Time(Unit::Micros),
        usual: "50",
    };
    let clocks = || Slot {
        label: "Clocks apart by, µs",
        path: vec![Of("blocks"), Of("clocks")],
        holds: Holds::Time(Unit::Micros),
        usual: "100, and 60 a second",
    };
    view! {
        <fieldset>
            <legend>"Logs of a measured run"</legend>
            <div class="items"><For each=move || 0..count.get().min(MOST) key=|place| *place children=line/></div>
            {live(move || count.get().checked_sub(MOST + 1).map(|more| view! {
                <p class="hint">{format!("{} more under JSON.", more + 1)}</p>
            }))}
            {told(doc, "notes-measured".to_owned(), move |problems| form::problems_at(problems, &own))}
            <div class="row">
                <input type="file" class="hidden" tabindex="-1" aria-hidden="true" multiple accept=".json,.gz,application/json"
                    data-testid="log-files" node_ref=input on:change=add/>
                <button type="button" data-testid="log-add" on:click=move |_| if let Some(input) = input.get_untracked() { input.click() }>"Add logs"</button>
            </div>
            <p class="hint" aria-live="polite" data-testid="log-said">{live(move || said.get())}</p>
            <Show when=move || count.get().gt(&0)>
                {row(doc, vec![tolerance(), clocks()], "two")}
                <p class="hint">"Times that differ by no more are the same."</p>
            </Show>
        </fieldset>
    }
}

/// Puts the logs of some files into the document; files that are no logs are named.
async fn open(doc: Doc, files: Vec<File>, said: RwSignal<String>) {
    let mut found = Vec::new();
    let mut refused = Vec::new();
    for file in files {
        let bytes = JsFuture::from(file.array_buffer()).await;
        let text =
            bytes.ok().and_then(|buffer| gzip::text_of(&js_sys::Uint8Array::new(&buffer).to_vec()).ok());
        match text.and_then(|text| kit::scenario::logs_in(&file.name(), &text)) {
            Some(mut logs) => found.append(&mut logs),
            None => refused.push(file.name()),
        }
    }
    if !found.is_empty() {
        doc.edit_tree("logs", |tree| with_more_logs(tree, &found));
    }
    let mut told =
        if found.is_empty() { String::new() } else { format!("{} added.", counted(found.len(), "log")) };
    if !refused.is_empty() {
        told += &format!(" No log: {}.", refused.join(", "));
    }
    said.set(told.trim().to_owned());
}
