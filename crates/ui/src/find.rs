//! The field that finds something in a picture: how much there is of it, which of it is selected, and the way through.

use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use base::people;
use kit::page::hits::{Hits, Listed};
use kit::page::terms::{Query, Terms};

use crate::keys::{self, leave_text_field};
use crate::live::{effect, live, memo};
use crate::show::Show;

/// So many of what is found are listed at a time.
pub const LISTED: usize = 99;

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
    /// Some of what is found, and the place of the first of them.
    #[prop(into)]
    listed: Signal<(usize, Vec<Listed>)>,
    /// Goes to one of those.
    pick: Callback<usize>,
) -> impl IntoView {
    let leave = move || {
        text.set(String::new());
        leave_text_field();
        // The button that ends it goes with what is found.
        request_animation_frame(|| {
            if keys::has_none() {
                keys::go_back();
            }
        });
    };
    let pressed = move |event: KeyboardEvent| {
        match event.key().as_str() {
            "Escape" => leave(),
            _ if keys::is_in(&event, "button") => return,
            "Enter" => go.run(event.shift_key()),
            "ArrowDown" => go.run(false),
            "ArrowUp" => go.run(true),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    // The list stays until Esc, wherever that is pressed, if nothing nearer takes it.
    keys::listen(move |event| {
        let leaves =
            event.key() == "Escape" && !keys::has_dialog() && text.with_untracked(|text| !text.is_empty());
        if leaves {
            leave();
        }
        leaves
    });
    let list = NodeRef::<leptos::html::Ol>::new();
    // What is selected is in sight there, too.
    effect(move || {
        hits.track();
        listed.track();
        request_animation_frame(move || {
            let Some(list) = list.try_get_untracked().flatten() else { return };
            let current = list.query_selector("[aria-current]").ok().flatten();
            if let Some(current) = current.and_then(|current| current.dyn_into::<web_sys::HtmlElement>().ok())
            {
                list.set_scroll_top(
                    current.offset_top() - (list.client_height() - current.offset_height()) / 2,
                );
            }
        });
    });
    let told = move || hits.get().filter(|_| text.with(|text| !text.trim().is_empty())).map(Hits::told);
    let several = move || hits.get().is_some_and(|hits| hits.of > 0) && told().is_some();
    let named = move |what: &str| format!("{id}-{what}");
    view! {
        <div class="finds" role="search" on:keydown=pressed>
            <input id=id class="find" type="text" placeholder=placeholder aria-label=label aria-describedby=named("help") title="Find (/)" autocomplete="off" data-testid=id
                prop:value=move || text.get() on:input=move |event| text.set(event_target_value(&event))/>
            <span class="found" aria-live="polite" data-testid=named("count")>{live(move || told().unwrap_or_default())}</span>
            <Show when=several>
                <button class="icon" title="The one before (Shift + Enter)" aria-label="The one before" data-testid=named("back") on:click=move |_| go.run(true)>"‹"</button>
                <button class="icon" title="The next one (Enter)" aria-label="The next one" data-testid=named("next") on:click=move |_| go.run(false)>"›"</button>
            </Show>
            <Show when=move || several() && listed.with(|(_, rows)| !rows.is_empty())>
                <ol class="find-list" node_ref=list tabindex="0" aria-label="What is found: what, where, how long" data-testid=named("list")>
                    {move || {
                        let ((first, rows), hits) = (listed.get(), hits.get().unwrap_or_default());
                        let rest = |many: usize, to: &str| (many > 0).then(|| view! { <li class="rest">{format!("{} {to}", people::grouped(many as u128))}</li> });
                        let (before, after) = (rest(first, "before"), rest(hits.of.saturating_sub(first + rows.len()), "more"));
                        let row = |(place, cells): (usize, Listed)| {
                            let current = (hits.at == Some(place + 1)).then_some("true");
                            let cells = cells.map(|cell| view! { <span>{cell}</span> });
                            view! { <li><button type="button" tabindex="-1" aria-current=current on:mousedown=move |event| event.prevent_default() on:click=move |_| pick.run(place)>{cells}</button></li> }
                        };
                        (before, (first..).zip(rows).map(row).collect_view(), after)
                    }}
                </ol>
                <button class="icon find-end" title="No longer (Esc)" aria-label="Leave the search" data-testid=named("end") on:click=move |_| leave()>"×"</button>
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
    /// What something is in the list.
    name: Callback<T, Listed>,
) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let query = memo(move |_| text.with(|text| Query::read(text, terms)).map(Arc::new));
    let sought = move || query.get().ok().filter(|query| !query.is_empty());
    let done = StoredValue::new(None::<Arc<Query>>);
    let refresh = move |query: Option<Arc<Query>>| {
        let all = query.as_ref().map(|query| Arc::new(seek.run(query.clone())));
        if all.is_some() || found.with_untracked(Option::is_some) {
            found.set(all);
        }
        done.set_value(query);
    };
    effect(move || refresh(sought()));
    on_cleanup(move || {
        let _ = found.try_set(None);
    });
    let hits = memo(move |_| {
        let at = at.get();
        found.with(|found| {
            let found = found.as_ref()?;
            let at = at.and_then(|at| found.iter().position(|own| *own == at));
            Some(Hits { of: found.len(), at: at.map(|at| at + 1) })
        })
    });
    let step = Callback::new(move |back: bool| {
        // A key may follow the last letter before effects have run.
        let query = untrack(sought);
        if query != done.get_value() {
            refresh(query);
        }
        let next = hits.get_untracked().and_then(|hits| hits.beyond(back));
        let next = next.and_then(|next| found.with_untracked(|found| found.as_ref()?.get(next).copied()));
        if let Some(next) = next {
            go.run(next);
        }
    });
    let pick = Callback::new(move |place: usize| {
        if let Some(one) = found.with_untracked(|found| found.as_ref()?.get(place).copied()) {
            go.run(one);
        }
    });
    let listed = Signal::derive(move || {
        let at = hits.get().and_then(|hits| hits.at).unwrap_or(0);
        let few = found.with(|found| {
            let found = found.as_ref()?;
            let first = at.saturating_sub(LISTED / 2).min(found.len().saturating_sub(LISTED));
            Some((first, found.iter().skip(first).take(LISTED).copied().collect::<Vec<_>>()))
        });
        let (first, few) = few.unwrap_or_default();
        (first, few.into_iter().map(|one| name.run(one)).collect())
    });
    let wrong = Signal::derive(move || query.with(|query| query.as_ref().err().cloned()));
    view! { <Find id placeholder label help=terms.help() text wrong hits go=step listed pick/> }
}
