//! What the document is called, how its run stands, and the verdict.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::Panel;
use kit::page::tile::Tile;
use tasks_lab::page::tasks::summary::{because, by_equation, state, tiles, verdict};
use tasks_lab::page::tasks::{Seen, guess};
use ui_kit::guess::Guesses;
use ui_kit::outcome::{Notes, RunRow, Tiles, Title, Warnings};

/// Title, verdict and run, in a line; of an experiment only what is common to both.
#[component]
pub(super) fn Brief(panel: Panel) -> impl IntoView {
    let said =
        Signal::derive(move || panel.told.with(|told| panel.seen.with(|seen| state(told, seen.as_deref()))));
    let found = found(panel);
    let verdict = memo(move |_| panel.with(|seen| seen.set().map(verdict)).flatten());
    let hidden = panel.hidden();
    let questions =
        memo(move |_| panel.with(|seen| seen.set().map(guess::questions)).flatten().unwrap_or_default());
    view! {
        <div class="brief">
            <Title told=panel.told/>
            {live(move || verdict.get().filter(|_| !hidden.get()).map(|verdict| view! {
                <p class=format!("verdict {}", verdict.tone.name()) data-testid="tasks-verdict">{verdict.words}</p>
            }))}
            <Show when=move || !hidden.get()>
                <Tiles known=found brief=true/>
                <RunRow id="tasks" label="Work done" told=panel.told said page=panel.page/>
            </Show>
        </div>
        <Guesses questions told=panel.told page=panel.page/>
    }
}

fn found(panel: Panel) -> Memo<Vec<Tile>> {
    memo(move |_| panel.with(|seen| seen.set().map(tiles)).flatten().unwrap_or_default())
}

/// Notes, what the verdict rests on, and the other numbers, beneath the picture.
#[component]
pub(super) fn Summary(panel: Panel) -> impl IntoView {
    let noted = memo(move |_| {
        let warnings = panel.with(|seen| match seen {
            Seen::Set(report) => report.warnings.clone(),
            Seen::Experiment(report) => report.warnings.clone(),
        });
        warnings.unwrap_or_default()
    });
    let why = memo(move |_| {
        panel.with(|seen| seen.set().map(|report| (by_equation(report), because(report)))).flatten()
    });
    let (hidden, found) = (panel.hidden(), found(panel));
    view! {
        <Notes told=panel.told hidden/>
        {live(move || why.get().filter(|_| !hidden.get()).map(|(equation, because)| view! {
            <div class="tasks-verdict">
                <p class="told" data-testid="tasks-equation">{equation}</p>
                <p class="hint" data-testid="tasks-because">{because}</p>
            </div>
        }))}
        <Show when=move || !hidden.get()>
            <Tiles known=found brief=false/>
        </Show>
        <Warnings known=noted/>
    }
}
