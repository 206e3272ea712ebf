//! What is found in a schedule: while something is written, what it means stands out; Enter goes from one to the next.

use leptos::prelude::*;
use ui_kit::find::{Find as Field, LISTED};
use ui_kit::live::{effect, memo};
use ui_kit::mounted::put;

use super::state::App;
use super::{cursor, keys};
use crate::page::Shown;
use crate::page::find::{Found, Hit, TERMS, wrong};
use crate::page::shown::Selected;
use kit::page::hits::Hits;

/// The field.
#[component]
pub fn Find(app: App) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let hit = RwSignal::new(None::<Hit>);
    let understood = RwSignal::new(false);
    let looked = StoredValue::new(String::new());
    let look = move || {
        let written = text.get();
        let (meant, program) = app.shown.with(|shown| match shown {
            Some(shown) => (shown.meant(&written), shown.warps.ptx.is_some()),
            None => (None, false),
        });
        put(understood, meant.is_some());
        // What a program means by it, its source says.
        put(app.sought_text, if meant.is_some() || !program { String::new() } else { written.clone() });
        if meant.is_some() || !program || looked.with_value(|before| *before != written) {
            put(app.sought, meant.unwrap_or_default());
        }
        hit.set(None);
        looked.set_value(written);
    };
    // Another schedule has other instructions.
    effect(look);
    let go = move |back: bool| {
        let (written, selected) = (text.get_untracked(), app.selected.get_untracked());
        if written.trim().is_empty() {
            return;
        }
        // A key may follow the last letter before effects have run.
        if looked.with_value(|before| *before != written) {
            untrack(look);
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
            (many > 0 || understood.get()).then_some(Hits::many(many))
        }
    };
    let some = memo(move |_| {
        let selected = app.selected.get();
        app.sought.with(|meant| {
            text.with(|text| {
                app.shown.with(|shown| Some(shown.as_ref()?.some_of(text, meant, selected, LISTED)))
            })
        })
    });
    let listed = move || {
        let (first, few) = some.get().unwrap_or_default();
        let name = |this: &Selected| {
            let named = |shown: &Shown| text.with(|text| shown.in_list(text, *this));
            app.shown.with(|shown| shown.as_deref().map(named))
        };
        (first, few.iter().filter_map(name).collect())
    };
    let pick = move |place: usize| {
        let (first, few) = some.get_untracked().unwrap_or_default();
        if let Some(found) = place.checked_sub(first).and_then(|at| few.get(at)) {
            keys::choose(app, *found);
            let of = hits().map_or(0, |hits| hits.of);
            hit.set(Some(Hit { found: Found::Instruction(*found), at: place + 1, of }));
        }
    };
    view! {
        <Field id="find" placeholder="Find: L, 3:5, idle" label="Find in the schedule" help=TERMS.help() text
            wrong=Signal::derive(move || wrong(&text.get())) hits=Signal::derive(hits) go=Callback::new(go) listed=Signal::derive(listed)
            pick=Callback::new(pick)/>
    }
}
