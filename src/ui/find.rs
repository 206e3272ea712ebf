//! The field that finds instructions and cycles of a schedule, how many there are, and the way through them.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use ui_kit::live::live;
use ui_kit::mounted::put;
use ui_kit::show::Show;

use super::state::App;
use super::{cursor, keys};
use crate::base::people;
use crate::page::find::{FINDABLE, Found, Hit};

/// While something is written, what it means stands out in the picture; Enter goes from one to the next.
#[component]
pub fn Find(app: App) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let hit = RwSignal::new(None::<Hit>);
    let many = move || {
        let count = app.shown.with(|shown| shown.as_ref().map_or(0, |shown| shown.report.count));
        app.sought.with(|sought| sought.len()) * count
    };
    // Another schedule has other instructions.
    Effect::new(move |before: Option<String>| {
        let written = text.get();
        let (units, program) = app.shown.with(|shown| match shown {
            Some(shown) => (shown.on_unit(&written), shown.warps.ptx.is_some()),
            None => (None, false),
        });
        // What a program means by it, its source says.
        put(app.sought_text, if units.is_some() || !program { String::new() } else { written.clone() });
        if units.is_some() || !program || before.as_ref() != Some(&written) {
            put(app.sought, units.unwrap_or_default().into());
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
            None => app.notice.set(format!("Nothing is called {written} here. Write {FINDABLE}")),
        }
        hit.set(found);
    };
    let pressed = move |event: KeyboardEvent| {
        if event.key() == "Enter" {
            go(event.shift_key());
        }
    };
    let found = move || match (hit.get(), many()) {
        (Some(Hit { at, of, .. }), _) if of > 1 => {
            format!("{} of {}", people::grouped(at as u128), people::grouped(of as u128))
        }
        (None, many) if many > 0 && !text.with(String::is_empty) => people::grouped(many as u128),
        _ => String::new(),
    };
    let several = Memo::new(move |_| !found().is_empty());
    view! {
        <div class="finds" role="search">
            <input id="find" class="find" type="text" placeholder="Find: L, 3:5, wait" aria-label="Find in the schedule"
                title=format!("Enter goes to {FINDABLE} (/); Shift + Enter goes back")
                on:input=move |event| text.set(event_target_value(&event)) on:keydown=pressed/>
            <span class="found" aria-live="polite" data-testid="found">{live(found)}</span>
            <Show when=move || several.get()>
                <button class="icon" title="The one before (Shift + Enter)" aria-label="The one before" data-testid="find-back" on:click=move |_| go(true)>"‹"</button>
                <button class="icon" title="The next one (Enter)" aria-label="The next one" data-testid="find-next" on:click=move |_| go(false)>"›"</button>
            </Show>
        </div>
    }
}
