//! The dialog of the link: how long it is and where it fits, before anything is copied; where it does not fit, the file
//! comes first.

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{effect, live};

use super::state::App;
use super::{files, keys, route};
use crate::base::people::grouped;
use crate::page::share::{LIMITS, arrives};

/// What is said where there can be no link.
pub const NO_LINK: &str =
    "No link: the scenario is not valid, or too large for a link. Save it as a file instead.";

/// Asks what is to be done with a link that holds the scenario and the view.
pub fn share(app: App) {
    match route::to_share(app) {
        Some(link) => app.share.set(Some(link)),
        None => app.notice.set(NO_LINK.to_owned()),
    }
}

/// The dialog.
#[component]
pub fn Share(app: App) -> impl IntoView {
    let dialog = NodeRef::<leptos::html::Dialog>::new();
    effect(move || {
        let Some(dialog) = dialog.get() else { return };
        if app.share.with(Option::is_some) && !dialog.open() {
            // Fails only for a dialog that is open already.
            let _ = dialog.show_modal();
            ui_kit::keys::focus(if fits(app) { "share-copy" } else { "share-file" });
        } else if app.share.with(Option::is_none) && dialog.open() {
            dialog.close();
        }
    });
    let length = move || app.share.with(|link| link.as_ref().map_or(0, String::len));
    let copy = move |_| {
        let Some(link) = app.share.try_update(Option::take).flatten() else { return };
        let mut done = "Link copied, ".to_owned();
        done.push_str(&link.len().to_string());
        done.push_str(" characters");
        if left(app, &link) {
            done.push_str("; the pinned one is not in it, which would be too long");
        }
        files::copy(app, link, done);
    };
    let save = move |_| {
        app.share.set(None);
        keys::save_scenario(app);
    };
    let limit = move |(name, most): (&'static str, usize)| {
        let fits = move || length() <= most;
        view! {
            <li class:over=live(move || !fits())>
                {live(move || if fits() { "✓ fits " } else { "✗ too long for " })}<b>{name}</b>", at most "{grouped(most as u128)}
            </li>
        }
    };
    view! {
        <dialog node_ref=dialog class="dialog share-dialog" aria-labelledby="share-title" data-testid="share-dialog"
            on:close=move |_| app.share.set(None)>
            <h2 id="share-title">"Share this scenario"</h2>
            <p data-testid="share-length">{live(move || held(app))}": "<b>{live(move || grouped(length() as u128))}" characters"</b>"."</p>
            <ul data-testid="share-limits">{LIMITS.map(limit)}</ul>
            <div class="row" class:long=live(move || !fits(app))>
                <button id="share-copy" class:primary=live(move || fits(app)) data-testid="share-copy" on:click=copy>"Copy link"</button>
                <button id="share-file" class:primary=live(move || !fits(app)) data-testid="share-file" on:click=save>"Save as a file"</button>
                <button on:click=move |_| app.share.set(None)>"Cancel"</button>
            </div>
        </dialog>
    }
}

/// What the link holds: files that a document names stay where they are.
fn held(app: App) -> &'static str {
    let names = |tree: &Value| {
        ["/trace/files", "/waves/file", "/waves/folder"].iter().any(|at| tree.pointer(at).is_some())
    };
    if app.tree.with(|tree| tree.as_ref().is_ok_and(names)) {
        "The link names the file, which stays on this computer, and holds how you look at it"
    } else {
        "The link holds all of it, and how you look at it"
    }
}

/// Whether the link arrives wherever it is sent.
fn fits(app: App) -> bool {
    app.share.with(|link| link.as_ref().is_none_or(|link| arrives(link.len())))
}

/// Whether what is pinned is not in the link.
fn left(app: App, link: &str) -> bool {
    untrack(|| app.view()).pin.is_some() && !link.contains("&pin=")
}
