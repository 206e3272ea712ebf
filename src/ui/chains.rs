//! The panel of a search: what its chains have found, and what can be done with them.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;

use super::chart::ConvergenceChart;
use super::state::App;
use crate::base::people;
use crate::job::Weight;
use crate::page::search::{ChainLine, Phase};
use crate::page::{Search, edit};
use crate::scenario::{Anneal, MOST_CHAINS, MOST_ROUNDS, Method, Question, WarpsScenario};
use crate::timeline::Convergence;
use crate::timeline::convergence::{Chain, Reference, ReferenceKind};
use crate::warps::anneal::StartKind;

const ROUNDS: [&str; 4] = ["warps", "method", "anneal", "rounds"];
const STARTS: [&str; 4] = ["warps", "method", "anneal", "starts"];

/// Shown while the document asks for a search.
#[component]
pub fn SearchPanel(app: App) -> impl IntoView {
    let asked = Memo::new(move |_| {
        app.read.with(|read| read.as_ref().is_ok_and(|s| Weight::of(s) == Weight::Search))
    });
    let data = Memo::new(move |_| asked.get().then(|| convergence(app)).flatten());
    let live = Signal::derive(move || phase(app) == Some(Phase::Running));
    view! {
        <Show when=move || asked.get()>
            <section class="search" aria-label="Search" data-testid="search">
                <Controls app/>
                <Show when=move || phase(app).is_some()>
                    <Standing app/>
                </Show>
            </section>
        </Show>
        <ConvergenceChart app data=data.into() live/>
    }
}

fn phase(app: App) -> Option<Phase> {
    app.search.with(|search| search.as_ref().map(Search::phase))
}

/// What the document says of its chains.
fn asked_for<T>(app: App, what: impl FnOnce(&WarpsScenario, &Anneal) -> T) -> Option<T> {
    app.read.with(|read| {
        let Question::Warps(warps) = &read.as_ref().ok()?.question;
        let Method::Anneal(anneal) = &warps.method else { return None };
        Some(what(warps, anneal))
    })
}

#[component]
fn Controls(app: App) -> impl IntoView {
    let stands = Memo::new(move |_| app.searches_this().then(|| phase(app)).flatten());
    let chains = move || asked_for(app, |_, anneal| anneal.starts.len()).unwrap_or_default();
    let start = RwSignal::new(StartKind::Random);
    view! {
        <div class="row">
            {move || match stands.get() {
                None => view! {
                    <button class="primary" data-testid="search-run" on:click=move |_| app.run_again()>{move || format!("Run {}", people::counted(chains(), "chain"))}</button>
                    <Show when=move || phase(app).is_some()>
                        <span class="hint">"The document has changed: the results are those of the one before."</span>
                    </Show>
                }.into_any(),
                Some(Phase::Running) => view! {
                    <button data-testid="search-pause" on:click=move |_| app.toggle_search()>"Pause"</button>
                    <button data-testid="search-stop" title="Esc" on:click=move |_| app.stop_search()>"Stop"</button>
                }.into_any(),
                Some(Phase::Paused) => view! {
                    <button class="primary" data-testid="search-resume" on:click=move |_| app.toggle_search()>"Resume"</button>
                    <button data-testid="search-stop" title="Esc" on:click=move |_| app.stop_search()>"Stop"</button>
                }.into_any(),
                Some(Phase::Stopped) => view! {
                    <button class="primary" data-testid="search-resume" on:click=move |_| app.toggle_search()>"Go on"</button>
                    <button data-testid="search-run" on:click=move |_| app.run_again()>"Start over"</button>
                }.into_any(),
                Some(Phase::Over) => view! {
                    <button data-testid="search-round" title="Cool once more from the initial temperature, each chain from where it is"
                        disabled=move || { asked_for(app, |_, anneal| u64::from(anneal.settings.rounds) >= MOST_ROUNDS) == Some(true) }
                        on:click=move |_| another_round(app)>"Another round"</button>
                    <button data-testid="search-run" on:click=move |_| app.run_again()>"Start over"</button>
                }.into_any(),
            }}
            <span class="spacer"></span>
            <label class="inline">
                <span class="hidden">"Start of a further chain"</span>
                <select data-testid="chain-start" on:change=move |event| {
                    start.set(StartKind::named(&event_target_value(&event)).unwrap_or(StartKind::Random));
                }>
                    {StartKind::ALL.map(|kind| view! { <option value=kind.name() prop:selected=move || start.get() == kind>{kind.name()}</option> }).collect_view()}
                </select>
            </label>
            <button data-testid="chain-add" disabled=move || { chains() >= MOST_CHAINS } on:click=move |_| add_chain(app, start.get_untracked())>"Add a chain"</button>
        </div>
    }
}

/// Asks for one more round in the document.
fn another_round(app: App) {
    let rounds = asked_for(app, |_, anneal| anneal.settings.rounds).unwrap_or(1);
    app.edit_tree("rounds", |tree| edit::set(tree, &ROUNDS, Value::from(rounds + 1)));
}

/// Asks for one more chain in the document.
fn add_chain(app: App, start: StartKind) {
    let starts = asked_for(app, |_, anneal| anneal.starts.clone()).unwrap_or_default();
    let names = starts.into_iter().chain([start]).map(|start| Value::from(start.name())).collect();
    app.edit_tree("starts", |tree| edit::set(tree, &STARTS, Value::Array(names)));
}

/// How far the chains are, together and each.
#[component]
fn Standing(app: App) -> impl IntoView {
    let of = move |what: fn(&Search) -> String| {
        app.search.with(|search| search.as_ref().map(what).unwrap_or_default())
    };
    let share = move || {
        app.search.with(|search| {
            let progress = search.as_ref().map(Search::progress);
            progress.map_or(0.0, |p| p.done as f64 / p.total.max(1) as f64)
        })
    };
    let lines =
        Memo::new(move |_| app.search.with(|search| search.as_ref().map(Search::lines).unwrap_or_default()));
    let count = Memo::new(move |_| lines.with(Vec::len));
    view! {
        <progress max="1" aria-label="Iterations of all chains" value=share></progress>
        <p class="told" data-testid="search-told">{move || of(Search::told)}</p>
        <Show when=move || app.chosen.get().is_some()>
            <p class="row" data-testid="chosen">
                <span>"The schedule below is that of the improvement you chose."</span>
                <button on:click=move |_| app.choose(None)>"Show the longest"</button>
            </p>
        </Show>
        <ol class="chains" tabindex="0" aria-label="Chains" data-testid="chains">
            {move || (0..count.get()).map(|i| {
                let line = Memo::new(move |_| lines.with(|lines| lines.get(i).cloned().unwrap_or_default()));
                view! { <Line number=i + 1 line/> }
            }).collect_view()}
        </ol>
    }
}

#[component]
fn Line(number: usize, line: Memo<ChainLine>) -> impl IntoView {
    let best = move || {
        line.with(|line| line.best.map_or("not begun".to_owned(), |best| people::grouped(best.into())))
    };
    let iterations =
        move || people::plural(line.with(|line| line.iterations) as usize, "iteration", "iterations");
    view! {
        <li class:busy=move || line.with(|line| line.busy) class:leader=move || line.with(|line| line.leads) title=iterations>
            <span>{number}" "{move || line.with(|line| line.start)}</span>
            <b>{best}</b>
            <progress max="1" aria-label=format!("Chain {number}") value=move || line.with(|line| line.share)></progress>
        </li>
    }
}

/// What the chart draws: the chains there are, the proven bound, and what others have found.
fn convergence(app: App) -> Option<Arc<Convergence>> {
    let reports =
        app.search.with(|search| search.as_ref().map(Search::reports)).filter(|all| !all.is_empty())?;
    let chains = reports.iter().enumerate().map(|(i, report)| Chain::new(i + 1, report)).collect();
    let published = asked_for(app, |warps, _| {
        let reference = |r: &crate::scenario::Reference| Reference {
            label: r.label.clone(),
            kind: ReferenceKind::Published,
            makespan: r.makespan,
        };
        warps.references.iter().map(reference).collect::<Vec<_>>()
    })?;
    let upper = app.shown.with(|shown| {
        let report = &shown.as_ref()?.report;
        let label = "proven upper bound".to_owned();
        Some(Reference { label, kind: ReferenceKind::UpperBound, makespan: report.upper? })
    });
    Some(Arc::new(Convergence { chains, references: published.into_iter().chain(upper).collect() }))
}
