//! The panel of a search: what its chains have found, and what can be done with them.

use std::sync::Arc;

use leptos::prelude::*;
use serde_json::Value;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::lazy::Place;
use super::state::App;
use crate::base::people;
use crate::page::search::{ChainLine, Phase};
use crate::page::{Part, Proof, Search, Session, edit};
use crate::scenario::{Anneal, MOST_CHAINS, MOST_ROUNDS, Method, WarpsScenario};
use crate::timeline::Convergence;
use crate::timeline::convergence::{Chain, Reference, ReferenceKind};
use crate::warps::anneal::StartKind;
use warps_ui::starts::{start_label, with_starts};

const ROUNDS: [&str; 4] = ["warps", "method", "anneal", "rounds"];
/// The button for what comes next.
const NEXT: &str = "search-next";

/// What can be done with the search and how far it is, above the picture; while the document asks for one.
#[component]
pub fn SearchBar(app: App) -> impl IntoView {
    let asked = asked(app);
    let share = move || {
        app.search.with(|search| {
            let progress = search.as_ref().map(Search::progress);
            progress.map_or(0.0, |p| p.done as f64 / p.total.max(1) as f64)
        })
    };
    let told = move || app.search.with(|search| search.as_ref().map(Search::told).unwrap_or_default());
    view! {
        <Show when=move || asked.get()>
            <div class="search-bar" role="group" aria-label="Search" data-testid="search">
                <Controls app/>
                <Show when=move || phase(app).is_some()>
                    <progress max="1" aria-label="Iterations of all chains" value=share></progress>
                    <p class="told" data-testid="search-told">{told}</p>
                </Show>
            </div>
        </Show>
    }
}

/// Its chains and their chart, beneath the picture.
#[component]
pub fn SearchPanel(app: App) -> impl IntoView {
    let asked = asked(app);
    let proven = memo(move |_| app.proven().is_some());
    // Between one search and the next the chart keeps its place.
    let drawn = Signal::derive(move || asked.get() && phase(app).is_some() || proven.get());
    view! {
        <Show when=move || asked.get() && phase(app).is_some()>
            <section class="search" aria-label="Chains"><Standing app/></section>
        </Show>
        <Place app part=Part::Chart seen=drawn/>
        <Show when=move || asked.get() && app.chosen.get().is_some()>
            <p class="row told" data-testid="chosen">
                <span>"The schedule above is that of the improvement you chose."</span>
                <button on:click=move |_| app.choose(None)>"Show the longest"</button>
            </p>
        </Show>
    }
}

/// Whether the document asks for a search; a mistake in it takes nothing away.
fn asked(app: App) -> Memo<bool> {
    memo(move |before: Option<&bool>| {
        app.read.with(|read| match read {
            Ok(scenario) => scenario.asked::<WarpsScenario>().is_some_and(WarpsScenario::anneals),
            Err(_) => before.copied().unwrap_or(false),
        })
    })
}

/// What the chart of the search draws; nothing until there are data.
pub(super) fn charted(app: App) -> Memo<Option<Arc<Convergence>>> {
    let asked = asked(app);
    memo(move |_| convergence(app, asked.get()))
}

/// Whether there may soon be more to draw.
pub(super) fn live_chains(app: App) -> Signal<bool> {
    Signal::derive(move || {
        phase(app) == Some(Phase::Running) || app.proof.with(|proof| proof.as_ref().is_some_and(Proof::runs))
    })
}

fn phase(app: App) -> Option<Phase> {
    of_search(app, Search::phase)
}

/// Something of the chains, unless they are laid aside for another document.
fn of_search<T>(app: App, what: impl FnOnce(&Search) -> T) -> Option<T> {
    app.search
        .with(|search| search.as_ref().filter(|_| !app.session.with_value(Session::chains_rest)).map(what))
}

/// What the document says of its chains.
fn asked_for<T>(app: App, what: impl FnOnce(&WarpsScenario, &Anneal) -> T) -> Option<T> {
    app.read.with(|read| {
        let warps = read.as_ref().ok()?.asked::<WarpsScenario>()?;
        let Method::Anneal(anneal) = &warps.method else { return None };
        Some(what(warps, anneal))
    })
}

#[component]
fn Controls(app: App) -> impl IntoView {
    let stands = memo(move |_| app.searches_this().then(|| phase(app)).flatten());
    let chains = move || asked_for(app, |_, anneal| anneal.starts.len());
    let start = RwSignal::new(StartKind::Random);
    // One button for whatever comes next: who has pressed it by the keyboard is still on it.
    let next = move || match stands.get() {
        None => "search-run",
        Some(Phase::Running) => "search-pause",
        Some(Phase::Paused | Phase::Stopped) => "search-resume",
        Some(Phase::Over) => "search-round",
    };
    let next_said = move || match stands.get() {
        None => format!("Start {}", chains().map_or("chains".to_owned(), |n| people::counted(n, "chain"))),
        Some(Phase::Running) => "Pause".to_owned(),
        Some(Phase::Paused | Phase::Stopped) => "Resume".to_owned(),
        Some(Phase::Over) => "Another round".to_owned(),
    };
    let next_told = move || {
        (stands.get() == Some(Phase::Over))
            .then_some("Cool once more from the initial temperature, each chain from where it is")
    };
    let nothing_next = move || match stands.get() {
        None => chains().is_none(),
        Some(Phase::Over) => {
            asked_for(app, |_, anneal| u64::from(anneal.settings.rounds) >= MOST_ROUNDS) == Some(true)
        }
        Some(_) => false,
    };
    let go = move |_| match stands.get_untracked() {
        None => app.run_again(),
        Some(Phase::Running | Phase::Paused | Phase::Stopped) => app.toggle_search(),
        Some(Phase::Over) => another_round(app),
    };
    let stop = move |_| {
        app.stop_search();
        ui_kit::keys::focus(NEXT); // this button can no longer be pressed
    };
    view! {
        <div class="row" role="toolbar" aria-label="Search">
            <button id=NEXT class:primary=live(move || stands.get() != Some(Phase::Running)) data-testid=next title=next_told
                disabled=nothing_next on:click=go>{next_said}</button>
            <Show when=move || stands.get().is_some()>
                <button data-testid="search-stop" title="Esc" on:click=stop
                    disabled=live(move || !matches!(stands.get(), Some(Phase::Running | Phase::Paused)))>"Stop"</button>
            </Show>
            <Show when=move || matches!(stands.get(), Some(Phase::Stopped | Phase::Over))>
                <button data-testid="search-again" on:click=move |_| { app.run_again(); ui_kit::keys::focus(NEXT); }>"Run again"</button>
            </Show>
            <Show when=move || stands.get().is_none() && phase(app).is_some()>
                <span class="hint" data-testid="search-stale">"The scenario has changed; these results are of the one before."</span>
            </Show>
            <span class="spacer"></span>
            <div class="row" role="group" aria-label="Further chains">
                <label class="inline">
                    <span class="hint">"Start from"</span>
                    <select data-testid="chain-start" on:change=move |event| {
                        start.set(StartKind::named(&event_target_value(&event)).unwrap_or(StartKind::Random));
                    }>
                        {StartKind::ALL.map(|kind| view! { <option value=kind.name() prop:selected=live(move || start.get() == kind)>{start_label(kind)}</option> }).collect_view()}
                    </select>
                </label>
                <button data-testid="chain-add" disabled=live(move || chains().is_none_or(|n| n >= MOST_CHAINS)) on:click=move |_| add_chain(app, start.get_untracked())>"Add a chain"</button>
            </div>
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
    let mut starts = asked_for(app, |_, anneal| anneal.starts.clone()).unwrap_or_default();
    starts.push(start);
    app.edit_tree("starts", |tree| with_starts(tree, starts));
}

/// How far the chains are, together and each.
#[component]
fn Standing(app: App) -> impl IntoView {
    let lines =
        memo(move |_| app.search.with(|search| search.as_ref().map(Search::lines).unwrap_or_default()));
    let count = memo(move |_| lines.with(Vec::len));
    view! {
        <ol class="chains" tabindex="0" aria-label="Chains" data-testid="chains">
            {live(move || (0..count.get()).map(|i| {
                let line = memo(move |_| lines.with(|lines| lines.get(i).cloned().unwrap_or_default()));
                view! { <Line number=i + 1 line/> }
            }).collect_view())}
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
        <li class:busy=live(move || line.with(|line| line.busy)) class:leader=live(move || line.with(|line| line.leads)) title=iterations>
            <span>{number}" "{live(move || line.with(|line| line.start.map(start_label)))}</span>
            <b>{best}</b>
            <progress max="1" aria-label=format!("Chain {number}") value=live(move || line.with(|line| line.share))></progress>
        </li>
    }
}

/// What the chart draws: the chains there are, what is proven, and what others have found.
fn convergence(app: App, chains: bool) -> Option<Arc<Convergence>> {
    let reports = of_search(app, Search::reports).filter(|_| chains).unwrap_or_default();
    let bracket = app.proven();
    if reports.is_empty() && bracket.is_none() {
        return None;
    }
    let chains = reports.iter().enumerate().map(|(i, report)| Chain::new(i + 1, report)).collect();
    let published = app.read.with(|read| {
        let Some(warps) = read.as_ref().ok().and_then(|scenario| scenario.asked::<WarpsScenario>()) else {
            return Vec::new();
        };
        let reference = |r: &crate::scenario::Reference| Reference {
            label: r.label.clone(),
            kind: ReferenceKind::Published,
            makespan: r.makespan,
        };
        warps.references.iter().map(reference).collect()
    });
    // A bracket draws its own upper bound.
    let upper = app.shown.with(|shown| {
        let report = &shown.as_ref().filter(|_| bracket.is_none())?.report;
        let label = "proven upper bound".to_owned();
        Some(Reference { label, kind: ReferenceKind::UpperBound, makespan: report.upper? })
    });
    Some(Arc::new(Convergence { chains, bracket, references: published.into_iter().chain(upper).collect() }))
}
