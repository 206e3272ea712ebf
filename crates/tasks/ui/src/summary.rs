//! What the document is called, how its run stands, and the verdict.

use leptos::prelude::*;

use super::Panel;
use kit::page::Ask;
use tasks_lab::page::tasks::summary::{because, by_equation, state, tiles, verdict};
use tasks_lab::page::tasks::{Seen, guess};
use ui_kit::guess::Guess;
use ui_kit::outcome::{RunRow, Tiles, Warnings};

/// Title, notes, run, verdict and numbers; of an experiment only what is common to both.
#[component]
pub(super) fn Summary(panel: Panel) -> impl IntoView {
    let title = move || match panel.told.with(|told| told.title.clone()) {
        title if title.is_empty() => "Untitled scenario".to_owned(),
        title => title,
    };
    let notes = Memo::new(move |_| panel.told.with(|told| told.notes.clone()));
    let said =
        Signal::derive(move || panel.told.with(|told| panel.seen.with(|seen| state(told, seen.as_deref()))));
    let found = Memo::new(move |_| panel.with(|seen| seen.set().map(tiles)).flatten().unwrap_or_default());
    let noted = Memo::new(move |_| {
        let warnings = panel.with(|seen| match seen {
            Seen::Set(report) => report.warnings.clone(),
            Seen::Experiment(report) => report.warnings.clone(),
        });
        warnings.unwrap_or_default()
    });
    let words = Memo::new(move |_| {
        let words = |report: &_| (verdict(report), by_equation(report));
        panel.with(|seen| seen.set().map(|report| (words(report), because(report)))).flatten()
    });
    let hidden = panel.hidden();
    let questions =
        Memo::new(move |_| panel.with(|seen| seen.set().map(guess::questions)).flatten().unwrap_or_default());
    let guesses = RwSignal::new(Vec::new());
    let reveal = Callback::new(move |()| panel.page.ask(Ask::Reveal));
    view! {
        <h2 data-testid="title">{title}</h2>
        {move || (!hidden.get() && !notes.with(String::is_empty)).then(|| view! { <p class="lead">{notes.get()}</p> })}
        <Guess questions hidden guesses reveal/>
        <Show when=move || !hidden.get()>
            <RunRow id="tasks" label="Work done" told=panel.told said page=panel.page/>
        </Show>
        {move || words.get().filter(|_| !hidden.get()).map(|((verdict, equation), because)| view! {
            <div class="tasks-verdict">
                <p class=format!("verdict {}", verdict.tone.name()) data-testid="tasks-verdict">{verdict.words}</p>
                <p class="told" data-testid="tasks-equation">{equation}</p>
                <p class="hint" data-testid="tasks-because">{because}</p>
            </div>
        })}
        <Show when=move || !hidden.get()>
            <Tiles known=found/>
        </Show>
        <Warnings known=noted/>
    }
}
