//! The field that finds something in a picture: how much there is of it, which of it is selected, and the way through.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use kit::page::hits::Hits;

use crate::live::live;
use crate::show::Show;

/// The field. Its buttons and what it tells are named after its id.
#[component]
pub fn Find(
    /// Its id.
    id: &'static str,
    /// What stands in it while it is empty.
    placeholder: &'static str,
    /// What it is called.
    label: &'static str,
    /// What may be written into it.
    title: String,
    /// What is written.
    text: RwSignal<String>,
    /// What is found; nothing where nothing is told of it.
    #[prop(into)]
    hits: Signal<Option<Hits>>,
    /// Goes to the next, or back.
    go: Callback<bool>,
) -> impl IntoView {
    let pressed = move |event: KeyboardEvent| {
        if event.key() == "Enter" {
            event.prevent_default();
            go.run(event.shift_key());
        }
    };
    let told = move || hits.get().filter(|_| text.with(|text| !text.trim().is_empty())).map(Hits::told);
    let several = move || hits.get().is_some_and(|hits| hits.of > 0) && told().is_some();
    let named = move |what: &str| format!("{id}-{what}");
    view! {
        <div class="finds" role="search">
            <input id=id class="find" type="text" placeholder=placeholder aria-label=label title=title autocomplete="off" data-testid=id
                on:input=move |event| text.set(event_target_value(&event)) on:keydown=pressed/>
            <span class="found" aria-live="polite" data-testid=named("count")>{live(move || told().unwrap_or_default())}</span>
            <Show when=several>
                <button class="icon" title="The one before (Shift + Enter)" aria-label="The one before" data-testid=named("back") on:click=move |_| go.run(true)>"‹"</button>
                <button class="icon" title="The next one (Enter)" aria-label="The next one" data-testid=named("next") on:click=move |_| go.run(false)>"›"</button>
            </Show>
        </div>
    }
}

/// The field that finds lines of a listing, of which one is selected.
#[component]
pub fn FindLine(
    /// Its id.
    id: &'static str,
    /// What stands in it while it is empty.
    placeholder: &'static str,
    /// The lines that a text means, ascending.
    meant: Callback<String, Vec<usize>>,
    /// The selected line.
    line: RwSignal<Option<usize>>,
    /// Selects a line.
    select: Callback<usize>,
) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let found = Memo::new(move |_| meant.run(text.get()));
    let hits = move || {
        let at = line.get();
        found.with(|found| Hits {
            of: found.len(),
            at: at.and_then(|at| found.binary_search(&at).ok()).map(|at| at + 1),
        })
    };
    let go = move |back: bool| {
        if let Some(at) = untrack(hits).beyond(back) {
            select.run(found.with_untracked(|found| found[at]));
        }
    };
    view! {
        <Find id placeholder label="Find an instruction"
            title="Part of an instruction; Enter goes to the next, Shift + Enter back (/)".to_owned() text
            hits=Signal::derive(move || Some(hits())) go=Callback::new(go)/>
    }
}
