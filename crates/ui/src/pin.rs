//! What is pinned to be compared: the buttons for it, and the numbers that changed.

use std::sync::Arc;

use leptos::prelude::*;

use kit::import::json;
use kit::page::compared::Change;
use kit::page::results::Ran;
use kit::page::{Ask, Edited};

use crate::live::{effect, live, memo};
use crate::mounted::Page;
use crate::show::Show;

/// A result that was pinned.
#[derive(Debug)]
pub struct Pinned<T> {
    /// Its document, as a link carries it.
    pub text: String,
    /// What came of it.
    pub seen: Arc<T>,
}

impl<T> Clone for Pinned<T> {
    fn clone(&self) -> Self {
        Self { text: self.text.clone(), seen: Arc::clone(&self.seen) }
    }
}

/// What is pinned, if anything is.
pub type Kept<T> = RwSignal<Option<Pinned<T>>>;

/// A document as a link carries it: in a line, without its notes.
fn short(text: &str) -> Option<String> {
    let mut tree = json::parse(text).ok()?;
    tree.as_object_mut()?.shift_remove("notes");
    Some(json::line(&tree))
}

/// Pins a result with its document.
pub fn keep<T: Send + Sync + 'static>(kept: Kept<T>, text: &str, seen: Option<Arc<T>>, page: Page) {
    if let Some((text, seen)) = short(text).zip(seen) {
        kept.set(Some(Pinned { text, seen }));
        page.notice("Pinned. What comes next is compared with it");
    }
}

/// Has the page take the document that was pinned, and pins what is there.
pub fn swap<T: Send + Sync + 'static>(kept: Kept<T>, text: &str, seen: Option<Arc<T>>, page: Page) {
    let Some(before) = kept.get_untracked() else { return };
    let Some((own, seen)) = short(text).zip(seen) else { return };
    if let Ok(tree) = json::parse(&before.text) {
        kept.set(Some(Pinned { text: own, seen }));
        page.ask(Ask::Edit { text: json::pretty(&tree), edited: Edited::Once });
    }
}

/// What is pinned, where it is not what is there.
pub fn other<T: Send + Sync + 'static>(kept: Kept<T>, seen: Option<&Arc<T>>) -> Option<Arc<T>> {
    let pinned = kept.with(|kept| kept.as_ref().map(|kept| Arc::clone(&kept.seen)))?;
    seen.is_none_or(|seen| !Arc::ptr_eq(seen, &pinned)).then_some(pinned)
}

/// Pins what a link has pinned, once the page has run it.
pub fn recall<T: Send + Sync + 'static>(
    kept: Kept<T>,
    ran: Signal<Option<Ran>>,
    read: fn(&str) -> Option<T>,
) {
    effect(move || {
        let Some(ran) = ran.get() else { return };
        if kept.with_untracked(|kept| kept.as_ref().is_none_or(|kept| kept.text != ran.text))
            && let Some(seen) = read(&ran.line)
        {
            kept.set(Some(Pinned { text: ran.text, seen: Arc::new(seen) }));
        }
    });
}

/// The buttons; part of a toolbar. Their ids begin with its own.
#[component]
pub fn Pin(
    /// What their ids begin with.
    id: &'static str,
    /// What is pinned, in words; none while nothing is.
    #[prop(into)]
    kept: Signal<Option<String>>,
    /// Pins what is there.
    pin: Callback<()>,
    /// Shows what is pinned, and pins what was there.
    swap: Callback<()>,
    /// Compares no longer.
    end: Callback<()>,
) -> impl IntoView {
    let named = move |what: &str| format!("{id}{what}");
    let unpin = move |_| {
        end.run(());
        crate::keys::focus(&named("keep"));
    };
    view! {
        <div class="row pin" role="group" aria-label="Compare">
            <button id=named("keep") title="Keep this beside what comes next, on the same axis" data-testid=named("keep")
                on:click=move |_| pin.run(())>"Pin"<span class="wide">" to compare"</span></button>
            <Show when=move || kept.with(Option::is_some)>
                <span class="hint" data-testid=named("kept")>{live(move || kept.get())}</span>
                <button title="Show what is pinned, and pin this instead" data-testid=named("swap") on:click=move |_| swap.run(())>"Swap"</button>
                <button title="Compare no longer" data-testid=named("let-go") on:click=unpin>"Unpin"</button>
            </Show>
        </div>
    }
}

/// The numbers of what was pinned and of what is there; nothing while nothing is pinned.
#[component]
pub fn Changes(
    /// What its ids begin with.
    id: &'static str,
    /// What changed.
    changes: Signal<Option<Vec<Change>>>,
) -> impl IntoView {
    let any = memo(move |_| changes.with(Option::is_some));
    let row = |own: Change| {
        let [before, after] = own.difference.both;
        let class = format!("way-{}", own.difference.way.name());
        view! {
            <tr>
                <th scope="row">{own.name}</th>
                <td class="time">{before}</td>
                <td class="time">{after}</td>
                <td class="time"><span class=class>{own.difference.more}" "{own.difference.way.name()}</span></td>
            </tr>
        }
    };
    view! {
        <Show when=move || any.get()>
            <section class="section" aria-label="Compared with the one you pinned" data-testid=format!("{id}changes")>
                <h3>"Compared with the one you pinned"</h3>
                <div class="scroll" role="region" tabindex="0" aria-label="What changed">
                    <table class="numbers">
                        <thead><tr><th scope="col">"What changed"</th><th scope="col">"Pinned"</th><th scope="col">"This one"</th><th scope="col">"Difference"</th></tr></thead>
                        <tbody>{live(move || changes.get().unwrap_or_default().into_iter().map(row).collect_view())}</tbody>
                    </table>
                </div>
            </section>
        </Show>
    }
}
