//! The field that finds something in a picture: how much there is of it, which of it is selected, and the way through.

use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use kit::page::hits::Hits;
use kit::page::terms::{Query, Terms};

use crate::keys::leave_text_field;
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
    help: String,
    /// What is written.
    text: RwSignal<String>,
    /// What is wrong with that.
    wrong: Signal<Option<String>>,
    /// What is found; nothing where nothing is told of it.
    #[prop(into)]
    hits: Signal<Option<Hits>>,
    /// Goes to the next, or back.
    go: Callback<bool>,
) -> impl IntoView {
    let pressed = move |event: KeyboardEvent| {
        match event.key().as_str() {
            "Enter" => go.run(event.shift_key()),
            "ArrowDown" => go.run(false),
            "ArrowUp" => go.run(true),
            "Escape" => {
                text.set(String::new());
                leave_text_field();
            }
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    let told = move || hits.get().filter(|_| text.with(|text| !text.trim().is_empty())).map(Hits::told);
    let several = move || hits.get().is_some_and(|hits| hits.of > 0) && told().is_some();
    let named = move |what: &str| format!("{id}-{what}");
    view! {
        <div class="finds" role="search">
            <input id=id class="find" type="text" placeholder=placeholder aria-label=label aria-describedby=named("help") title="Find (/)" autocomplete="off" data-testid=id
                prop:value=move || text.get() on:input=move |event| text.set(event_target_value(&event)) on:keydown=pressed/>
            <span class="found" aria-live="polite" data-testid=named("count")>{live(move || told().unwrap_or_default())}</span>
            <Show when=several>
                <button class="icon" title="The one before (Shift + Enter)" aria-label="The one before" data-testid=named("back") on:click=move |_| go.run(true)>"‹"</button>
                <button class="icon" title="The next one (Enter)" aria-label="The next one" data-testid=named("next") on:click=move |_| go.run(false)>"›"</button>
            </Show>
            <p id=named("help") class="finding" class:wrong=move || wrong.with(Option::is_some) data-testid=named("help")>
                {live(move || wrong.get().unwrap_or_else(|| help.clone()))}
            </p>
        </div>
    }
}

/// What is found, in the order in which one goes through it; nothing while nothing is sought.
pub type Found<T> = RwSignal<Option<Arc<Vec<T>>>>;

/// A field for terms, of a picture whose things are found all at once.
#[component]
pub fn Seek<T: Copy + PartialEq + Send + Sync + 'static>(
    /// Its id.
    id: &'static str,
    /// What stands in it while it is empty.
    placeholder: &'static str,
    /// What it is called.
    label: &'static str,
    /// What may be written.
    terms: &'static Terms,
    /// Where what is found is put.
    found: Found<T>,
    /// Looks for it.
    seek: Callback<Arc<Query>, Vec<T>>,
    /// What is selected.
    at: Signal<Option<T>>,
    /// Selects something and brings it into sight.
    go: Callback<T>,
) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let query = Memo::new(move |_| text.with(|text| Query::read(text, terms)).map(Arc::new));
    let sought = move || query.get().ok().filter(|query| !query.is_empty());
    Effect::new(move |_| {
        let all = sought().map(|query| Arc::new(seek.run(query)));
        if all.is_some() || found.with_untracked(Option::is_some) {
            found.set(all);
        }
    });
    on_cleanup(move || {
        let _ = found.try_set(None);
    });
    let hits = Memo::new(move |_| {
        let at = at.get();
        found.with(|found| {
            let found = found.as_ref()?;
            let at = at.and_then(|at| found.iter().position(|own| *own == at));
            Some(Hits { of: found.len(), at: at.map(|at| at + 1) })
        })
    });
    let step = Callback::new(move |back: bool| {
        let next = hits.get_untracked().and_then(|hits| hits.beyond(back));
        let next = next.and_then(|next| found.with_untracked(|found| found.as_ref()?.get(next).copied()));
        if let Some(next) = next {
            go.run(next);
        }
    });
    let wrong = Signal::derive(move || query.with(|query| query.as_ref().err().cloned()));
    view! { <Find id placeholder label help=terms.help() text wrong hits go=step/> }
}
