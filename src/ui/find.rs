//! What is found in a schedule: while something is written, what it means stands out; Enter goes from one to the next.

use leptos::prelude::*;
use ui_kit::find::Find as Field;
use ui_kit::mounted::put;

use super::state::App;
use super::{cursor, keys};
use crate::page::find::{Found, Hit, TERMS, wrong};
use kit::page::hits::Hits;

/// The field.
#[component]
pub fn Find(app: App) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let hit = RwSignal::new(None::<Hit>);
    // Another schedule has other instructions.
    Effect::new(move |before: Option<String>| {
        let written = text.get();
        let (meant, program) = app.shown.with(|shown| match shown {
            Some(shown) => (shown.meant(&written), shown.warps.ptx.is_some()),
            None => (None, false),
        });
        // What a program means by it, its source says.
        put(app.sought_text, if meant.is_some() || !program { String::new() } else { written.clone() });
        if meant.is_some() || !program || before.as_ref() != Some(&written) {
            put(app.sought, meant.unwrap_or_default());
        }
        hit.set(None);
        written
    });
    let go = move |back: bool| {
        let (written, selected) = (text.get_untracked(), app.selected.get_untracked());
        if written.trim().is_empty() {
            return;
        }
        let meant = app.sought.get_untracked();
        let found = app.shown.with_untracked(|shown| shown.as_ref()?.find(&written, &meant, selected, back));
        match found.map(|hit| hit.found) {
            Some(Found::Instruction(found)) => keys::choose(app, found),
            Some(Found::Cycle(cycle)) => cursor::go_to(app, cycle),
            None => {
                let why = wrong(&written).unwrap_or_else(|| TERMS.help());
                app.notice.set(format!("Not found here: {written}. {why}"));
            }
        }
        hit.set(found);
    };
    let hits = move || match hit.get() {
        Some(Hit { at, of, .. }) => (of > 1).then_some(Hits { of, at: Some(at) }),
        None => {
            let warps = app.shown.with(|shown| shown.as_ref().map_or(0, |shown| shown.report.count));
            let many = app.sought.with(|sought| sought.count(warps));
            (many > 0).then_some(Hits::many(many))
        }
    };
    view! {
        <Field id="find" placeholder="Find: L, 3:5, wait" label="Find in the schedule" help=TERMS.help() text
            wrong=Signal::derive(move || wrong(&text.get())) hits=Signal::derive(hits) go=Callback::new(go)/>
    }
}
