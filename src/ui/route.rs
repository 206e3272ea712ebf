//! The address and the state kept in step: `#v=1&s=...`.

use leptos::prelude::*;
use ui_kit::later::Later;
use ui_kit::live::{effect, memo};
use wasm_bindgen::prelude::*;

use super::examples;
use super::fold;
use super::state::App;
use super::theme::Choice;
use crate::import::json;
use crate::page::guess::UNTOLD;
use crate::page::linked::LINKED;
use crate::page::opened::Trouble;
use crate::page::{Lesson, Place, Subject, embed};
use crate::scenario::builtin::LISTED;
use crate::scenario::link::LessonSource;
use crate::scenario::{builtin, link};

/// Writing the address waits this long for more changes.
const SETTLE_MS: u64 = 300;

/// What an address without a scenario shows.
const START: &str = builtin::FIRST;

/// Reads the address, and follows it both ways from now on.
pub fn follow(app: App) {
    let hash = window().location().hash().unwrap_or_default();
    // Only a page that was embedded in the first place goes without its frame.
    app.embed.set(link::open(&hash).is_ok_and(|link| link.view.embed));
    app.welcome.set(hash.len() <= 1);
    read_address(app);
    let popped = window_event_listener(leptos::ev::popstate, move |_| read_address(app));
    let changed = window_event_listener(leptos::ev::hashchange, move |_| read_address(app));
    on_cleanup(move || {
        popped.remove();
        changed.remove();
    });
    name_window(app);
    // What a conjecture's worker has begun on is no mistake.
    let accepted = memo(move |_| app.trial.with(|trial| trial.as_ref().map(|trial| trial.text().to_owned())));
    let later = Later::new();
    Effect::new(move |first: Option<()>| {
        app.shown.track();
        accepted.track();
        app.room.track();
        app.room_at.track();
        app.view();
        if first.is_none() {
            return; // the address is as the visitor gave it
        }
        later.after(std::time::Duration::from_millis(SETTLE_MS), move || write_address(app));
    });
}

/// Says in the window's name what is open.
fn name_window(app: App) {
    let name = memo(move |_| {
        if let Some(room) = app.room.get() {
            return format!("{} · Warpspan", room.name());
        }
        let lab = app.lab.get().name();
        if app.hide.get() {
            return format!("{UNTOLD} · {lab} · Warpspan");
        }
        let title = app.tree.with(|tree| {
            let title = tree.as_ref().ok()?.get("title")?.as_str()?.trim();
            (!title.is_empty()).then(|| title.to_owned())
        });
        title.map_or_else(|| format!("{lab} · Warpspan"), |title| format!("{title} · {lab} · Warpspan"))
    });
    effect(move || document().set_title(&name.get()));
}

/// Opens what the address holds; a bad link is named and changes nothing.
fn read_address(app: App) {
    let hash = window().location().hash().unwrap_or_default();
    match Place::of(&hash) {
        Place::Room(room, at) => app.enter(room, &at),
        Place::Lesson(name, step) => {
            let at = step.saturating_sub(1);
            app.lesson.set(Some(Lesson::begun(LessonSource::Named(name), at)));
            app.room.set(None);
        }
        Place::Example(name, hide) => {
            app.room.set(None);
            fold::arrive(app);
            examples::open_named(app, &name, hide);
        }
        Place::Link => {
            app.room.set(None);
            if fragment(app).is_none_or(|own| format!("#{own}") != hash) {
                fold::arrive(app);
                open(app, &hash, "the link in the address");
            }
        }
        Place::Start => {
            app.room.set(None);
            if app.text.with_untracked(|text| text != START) {
                app.replace(START.to_owned(), link::View::default(), "The first example");
            }
        }
    }
    app.new_entry.set(false);
}

/// Opens a share link.
pub fn open(app: App, text: &str, source: &str) {
    let opened = link::open(text).map_err(|problem| vec![problem]);
    let valid = opened.and_then(|link| LINKED.from_tree(&link.scenario).map(|_| link));
    match valid {
        Ok(link) => {
            let (mut view, unknown) = (link.view, link.unknown);
            app.projector.set(view.projector);
            let at = usize::try_from(view.at.unwrap_or(1)).unwrap_or(1).saturating_sub(1);
            // The link holds what is on the page at that step, changes and all.
            app.lesson.set(view.lesson.take().map(|source| Lesson { source, at, entered: 0 }));
            if let Some(theme) = view.theme.as_deref() {
                app.theme.set(Choice::named(theme));
            }
            let text = json::pretty(&link.scenario);
            let notice = match unknown.as_slice() {
                [] => "Scenario opened from a link".to_owned(),
                keys => format!("Scenario opened from a link; unknown parts left out: {}", keys.join(", ")),
            };
            if !unknown.is_empty() {
                app.notice.set(notice.clone());
            }
            let pin = view.pin.clone().filter(|_| Subject::of(&link.scenario) != Some(Subject::Warps));
            if let Some(pin) = pin {
                app.recall_for_panel(pin);
            }
            app.open(text, view, &notice, source);
        }
        Err(problems) => app.trouble.set(vec![Trouble::new(source, problems)]),
    }
}

/// The present scenario and view as a link's part after `#`; none while the text is not valid.
pub fn fragment(app: App) -> Option<String> {
    fragment_of(app, &untrack(move || app.view()))
}

fn fragment_of(app: App, view: &link::View) -> Option<String> {
    let valid = app.read.with_untracked(Result::is_ok);
    let tree = app.tree.get_untracked().ok().filter(|_| valid)?;
    link::write(&tree, view).ok()
}

/// The whole link.
pub fn address(app: App) -> Option<String> {
    fragment(app).and_then(|fragment| Some(format!("{}#{fragment}", page()?)))
}

/// The name of the example that the document is, where nobody has changed it.
fn example(app: App) -> Option<&'static str> {
    app.text.with(|text| LISTED.iter().find(|example| example.is(text)).map(|example| example.name))
}

/// The part of the address of an example that is seen as it opens.
fn named(app: App) -> Option<String> {
    let view = link::View { theme: None, ..app.view() };
    example(app).filter(|_| view == link::View::default()).map(Place::of_example)
}

/// The link that is copied: the name of an example that is as it opens, else all that is there and how it is seen.
pub fn to_share(app: App) -> Option<String> {
    untrack(|| match named(app) {
        Some(part) => Some(page()? + &part),
        None => address(app),
    })
}

/// The shortest link to the scenario, with its answer hidden or not: that of an example nobody has changed has its name
/// alone.
pub fn short(app: App, hide: bool) -> Option<String> {
    let part = match example(app) {
        Some(name) if hide => Place::of_hidden_example(name),
        Some(name) => Place::of_example(name),
        None => format!("#{}", fragment_of(app, &link::View { hide, ..untrack(move || app.view()) })?),
    };
    Some(page()? + &part)
}

/// The address of the page, up to `#`.
pub fn page() -> Option<String> {
    let location = window().location();
    Some(format!("{}{}", location.origin().ok()?, location.pathname().ok()?))
}

/// HTML that shows the scenario within another page.
pub fn embedding(app: App) -> Option<String> {
    let view = link::View { embed: true, ..untrack(move || app.view()) };
    let fragment = fragment_of(app, &view)?;
    let title = match view.hide {
        true => UNTOLD.to_owned(),
        false => {
            app.read.with_untracked(|read| read.as_ref().map(|read| read.title.clone()).unwrap_or_default())
        }
    };
    Some(embed::frame(&page()?, &fragment, &title))
}

fn write_address(app: App) {
    let hash = window().location().hash().unwrap_or_default();
    if let Some(room) = app.room.get_untracked() {
        let there = Place::of_room(room, &app.room_at.get_untracked());
        if !app.embed.get_untracked() {
            change(app, &hash, &there);
        }
        return;
    }
    let untouched = hash.is_empty()
        && app.text.with_untracked(|text| text == START)
        && untrack(move || app.view())
            == link::View {
                theme: app.theme.get_untracked().link_name().map(str::to_owned),
                ..Default::default()
            };
    if app.embed.get_untracked() || untouched || untrack(|| named(app)).is_some_and(|named| named == hash) {
        return;
    }
    if let Some(fragment) = fragment(app) {
        change(app, &hash, &format!("#{fragment}"));
    }
}

/// Writes the part of the address from `#` on.
fn change(app: App, hash: &str, url: &str) {
    if url == hash {
        app.new_entry.set(false);
        return;
    }
    let Ok(history) = window().history() else { return };
    // A browser that refuses (too many changes a second) is asked again at the next change.
    let _ = if app.new_entry.get_untracked() {
        history.push_state_with_url(&JsValue::NULL, "", Some(url))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(url))
    };
    app.new_entry.set(false);
}
