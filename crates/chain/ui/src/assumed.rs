//! What the document takes for granted because its source did not say it: each value can be set, or said to be right.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::Panel;
use blocks::presets;
use chain_lab::page::chain::assumed::{Asks, Entry, confirmed, entries, in_words, with_value};
use kit::import::json;
use kit::page::{Ask, Edited};
use ui_kit::cells::focus_soon;
use ui_kit::controls::{Bound, Choices, select};
use ui_kit::fields::named;
use warps::presets::PRESETS;

/// More stand in a folded part.
const IN_SIGHT: usize = 8;

/// The panel; nothing where nothing is assumed.
#[component]
pub(super) fn Assumed(panel: Panel) -> impl IntoView {
    let tree = memo(move |_| {
        panel.told.with(|told| told.document.as_deref().and_then(|text| json::parse(text).ok()))
    });
    let known = memo(move |_| tree.with(|tree| tree.as_ref().map(entries).unwrap_or_default()));
    let count = memo(move |_| known.with(Vec::len));
    let hidden = panel.hidden();
    let any = memo(move |_| count.get() > 0 && !hidden.get());
    let all = RwSignal::new(false);
    let change = Callback::new(move |(place, text): (usize, Option<String>)| {
        let next = tree.with_untracked(|tree| {
            let tree = tree.as_ref()?;
            Some(match text {
                Some(text) => with_value(tree, place, &text)?,
                None => confirmed(tree, place),
            })
        });
        if let Some(next) = next {
            panel.page.ask(Ask::Edit { text: json::pretty(&next), edited: Edited::Once });
            let near = place.saturating_sub(1);
            focus_soon(vec![
                format!("assumed-{place}-right"),
                format!("assumed-{near}-right"),
                "chain-run".to_owned(),
            ]);
        }
    });
    let keyed = move || {
        let seen = if all.get() { count.get() } else { IN_SIGHT.min(count.get()) };
        known.with(|known| {
            known
                .iter()
                .take(seen)
                .map(|entry| (entry.place, entry.path.clone(), entry.value.clone()))
                .collect::<Vec<_>>()
        })
    };
    let line = move |(place, ..): (usize, String, String)| {
        let entry = known.with_untracked(|known| known.get(place).cloned());
        entry.map(|entry| view! { <Line entry change/> })
    };
    let more = move || count.get().saturating_sub(IN_SIGHT);
    let many = move || more() > 0;
    view! {
        <Show when=move || any.get()>
            <section class="chain-assumed" aria-labelledby="assumed-title" data-testid="chain-assumed">
                <h3 id="assumed-title">"Taken for granted"</h3>
                <p class="hint" data-testid="assumed-told">{live(move || in_words(count.get()))}</p>
                <ul><For each=keyed key=|entry| entry.clone() children=line/></ul>
                <Show when=many>
                    <p><button data-testid="assumed-all" aria-expanded=live(move || if all.get() { "true" } else { "false" })
                        on:click=move |_| all.update(|all| *all = !*all)>
                        {live(move || if all.get() { "Show fewer".to_owned() } else { format!("Show {} more", more()) })}
                    </button></p>
                </Show>
            </section>
        </Show>
    }
}

/// One value.
#[component]
fn Line(entry: Entry, change: Callback<(usize, Option<String>)>) -> impl IntoView {
    let place = entry.place;
    let id = format!("assumed-{place}");
    let set = Callback::new(move |text: String| change.run((place, Some(text))));
    let draft = RwSignal::new(entry.value.clone());
    let choose = |choices: Choices| {
        let value = entry.value.clone();
        let choices = if choices.iter().any(|(own, _)| *own == value) {
            choices
        } else {
            [vec![(value.clone(), value)], choices].concat()
        };
        let bound = Bound { value: draft.into(), write: set };
        select(entry.what.clone(), id.clone(), Signal::derive(move || choices.clone()), bound)
    };
    let control = match entry.asks {
        Asks::Device => choose(presets::ALL.iter().map(|p| (p.name.to_owned(), p.device().name)).collect()),
        Asks::Machine => choose(PRESETS.iter().map(|p| (p.name.to_owned(), format!("{}: {}", p.name, p.chip))).collect()),
        Asks::Sharing => choose(named(&[("shared", "shared"), ("exclusive", "exclusive")])),
        Asks::Wait => choose(named(&[("suspend", "suspend"), ("spin", "spin")])),
        Asks::Scheduler => choose(named(&[("fixed-priority", "fixed priorities"), ("edf", "EDF")])),
        Asks::Json => view! { <code data-testid=id.clone()>{entry.value.clone()}</code> }.into_any(),
        Asks::Text => view! {
            <input type="text" autocomplete="off" spellcheck="false" class="code" aria-label=entry.what.clone() data-testid=id.clone()
                prop:value=entry.value.clone() on:change=move |event| set.run(event_target_value(&event))/>
        }
        .into_any(),
    };
    let hint = (entry.asks == Asks::Json).then(|| view! { <span class="hint">"Edit it under JSON."</span> });
    let right = format!("Confirm: {}", entry.what);
    view! {
        <li data-testid=format!("{id}-line")>
            <span class="assumed-what">{entry.what.clone()}</span>
            <span class="assumed-value">{control}</span>
            <button type="button" aria-label=right data-testid=format!("{id}-right") on:click=move |_| change.run((place, None))>"Confirm"</button>
            <span class="hint assumed-why">{chain_lab::page::chain::summary::sentence(&entry.why)}" "<code>{entry.path.clone()}</code>" "{hint}</span>
        </li>
    }
}
