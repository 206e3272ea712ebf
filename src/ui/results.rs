//! What is known about the scenario: makespan, bounds, utilisation, orders, assumptions.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{effect, live, memo};
use ui_kit::show::Show;

use super::chains::{SearchBar, SearchPanel};
use super::lazy::Place;
use super::proof::{ProofPanel, ProofRun};
use super::state::{App, Run};
use super::welcome;
use crate::base::people;
use crate::job::Progress;
use crate::page::guess::UNTOLD;
use crate::page::{Part, Shown};
use crate::report::{PtxReport, WarpsReport};
use warps::Unit;

/// What the scenario is called and what came of it, in a line above the picture, with what to do next.
#[component]
pub fn Brief(app: App) -> impl IntoView {
    view! {
        <div class="brief" class:stale=app.is_stale() data-testid="brief">
            <Heading app/>
            <Show when=move || !app.hide.get()>
                {live(move || app.shown.get().map(|shown| view! { <Numbers app shown/> }))}
                <ProofRun app/>
            </Show>
        </div>
        <Show when=move || !app.hide.get()><SearchBar app/></Show>
        <RunLine app/>
        <Guesses app/>
    }
}

/// The notes of the document.
#[component]
pub fn Notes(app: App) -> impl IntoView {
    let notes = move || app.shown.with(|shown| shown.as_ref().map(|shown| shown.notes.clone()));
    move || {
        notes()
            .filter(|notes| !notes.is_empty() && !app.hide.get())
            .map(|notes| view! { <p class="lead about">{notes}</p> })
    }
}

/// Everything else that is known, beneath the picture.
#[component]
pub fn Results(app: App) -> impl IntoView {
    view! {
        <Show when=move || !app.hide.get()>
            <section class="results" class:stale=app.is_stale() aria-label="Result" data-testid="results">
                <ProofPanel app/>
                <SearchPanel app/>
                {live(move || app.shown.get().map(|shown| view! { <Facts app shown/> }))}
            </section>
        </Show>
    }
}

/// The questions while the answer is hidden, and what the guesses were worth; until the scenario is another one.
#[component]
pub fn Guesses(app: App) -> impl IntoView {
    effect(move || {
        if app.hide.get() {
            app.guessing.set(true);
        }
    });
    view! {
        <Show when=move || app.guessing.get()>
            <Place app part=Part::Guessing/>
        </Show>
    }
}

/// What the current run is doing; shown only once it takes noticeable time.
#[component]
fn RunLine(app: App) -> impl IntoView {
    let progress = move || match app.run.get() {
        Run::Running(_, progress) => progress,
        _ => None,
    };
    view! {
        <Show when=move || progress().is_some()>
            <div class="row run" data-testid="running">
                <progress max="1" value=live(move || progress().map_or(0.0, |p| p.done as f64 / p.total.max(1) as f64))></progress>
                <span>{live(move || progress().filter(|_| !app.hide.get()).map(|p| told(&p)))}</span>
                <button on:click=move |_| app.cancel()>"Stop"</button>
            </div>
        </Show>
        <Show when=move || app.run.get() == Run::Stopped>
            <div class="row run" data-testid="stopped">
                <span>"Stopped. The picture shows the scenario before."</span>
                <button on:click=move |_| app.run_again()>"Run again"</button>
            </div>
        </Show>
    }
}

/// How far a run is, in words.
fn told(progress: &Progress) -> String {
    match &progress.bracket {
        Some(bracket) => bracket.text(),
        None => {
            let grouped = |n: u64| people::grouped(n.into());
            format!("{} of {} steps", grouped(progress.done), grouped(progress.total))
        }
    }
}

/// What the scenario is called.
#[component]
fn Heading(app: App) -> impl IntoView {
    let title = move || match app.shown.with(|shown| shown.as_ref().map(|shown| shown.title.clone())) {
        Some(_) if app.hide.get() => UNTOLD.to_owned(),
        Some(_) if welcome::shown(app) => welcome::named(app),
        Some(title) if title.is_empty() => "Untitled scenario".to_owned(),
        Some(title) => title,
        None => String::new(),
    };
    view! { <h2 title=title data-testid="title">{title}</h2> }
}

/// What a search beside this one may have proven more.
fn known(app: App, shown: &Arc<Shown>) -> Memo<Known> {
    let shown = Arc::clone(shown);
    memo(move |_| Known::of(&shown.report, app.proven_bounds()))
}

#[component]
fn Numbers(app: App, shown: Arc<Shown>) -> impl IntoView {
    let known = known(app, &shown);
    let verdict = move || known.with(Known::verdict);
    view! {
        <div class="tiles">
            <div class="tile strong" title=verdict>
                <p class="label">"This schedule takes"</p>
                <p class="value" data-testid="makespan">{people::counted(shown.report.makespan as usize, "cycle")}</p>
            </div>
            <div class="tile" title=live(move || known.with(|known| known.by.clone()))>
                <p class="label">"The worst case"</p>
                <p class="value" data-testid="bounds">{live(move || known.with(Known::bounds))}</p>
            </div>
        </div>
    }
}

#[component]
fn Facts(app: App, shown: Arc<Shown>) -> impl IntoView {
    let report = &shown.report;
    let known = known(app, &shown);
    let used = &report.utilisation;
    let shares = [used.L, used.C, used.S, used.D];
    let units: Vec<_> =
        Unit::ALL.into_iter().zip(capacities(&shown)).zip(shares).filter(|((_, n), _)| *n > 0).collect();
    let issue = report.machine.issue.map_or("no issue limit".to_owned(), |n| {
        format!("at most {} issue per cycle", people::counted(n as usize, "warp"))
    });
    let orders = count_text(&report.orders);
    let unique = count_text(&report.unique_orders);
    let holds = report.ptx.as_ref().and_then(PtxReport::restriction);
    let (notes, assumptions) = (report.notes.clone(), report.assumptions.clone());
    view! {
        <div class="tiles">
            <div class="tile">
                <p class="label">"What is proven"</p>
                <p data-testid="verdict">{live(move || known.with(Known::verdict))}</p>
                <p class="hint">{live(move || known.with(|known| known.by.clone()))}</p>
                {holds.map(|holds| view! { <p class="hint" data-testid="bounds-hold-for">{holds}</p> })}
            </div>
            <div class="tile">
                <p class="label">"Units in use"</p>
                <ul class="bars">
                    {units.into_iter().map(|((unit, value), share)| {
                        let letter = unit.letter();
                        view! {
                            <li>
                                <span class=format!("letter {letter}")>{letter}</span>
                                <span class="bar" aria-hidden="true"><span class=format!("part {letter}") style=format!("width: {:.1}%", share * 100.0)></span></span>
                                <span class="number">{people::percent(share)}" of "{value}", "{unit.name()}</span>
                            </li>
                        }
                    }).collect_view()}
                </ul>
            </div>
        </div>
        <details class="more">
            <summary>"Details and assumptions"</summary>
            <dl>
                <dt>"Kernel"</dt><dd><code data-testid="kernel">{report.kernel.clone()}</code></dd>
                <dt>"Machine"</dt><dd>{machine_text(&shown)}", "{issue}</dd>
                <dt>"Order"</dt><dd>{report.method.clone()}", one of "{orders}" orders ("{unique}" up to renaming of warps)"</dd>
                <dt>"Time taken"</dt><dd>{format!("{:.1} ms", report.seconds * 1000.0)}</dd>
            </dl>
            {(!notes.is_empty()).then(|| view! { <h3>"Notes on the machine"</h3><ul data-testid="machine-notes">{notes.into_iter().map(|n| view! { <li>{n}</li> }).collect_view()}</ul> })}
            <h3>"Assumptions"</h3>
            <ol>{assumptions.into_iter().map(|a| view! { <li>{a}</li> }).collect_view()}</ol>
        </details>
    }
}

/// What is known about the worst case, from everything that looked for it.
#[derive(Clone, PartialEq)]
struct Known {
    makespan: u32,
    lower: u32,
    upper: Option<u32>,
    /// What proves the upper bound.
    by: Option<String>,
}

impl Known {
    /// What a report says, and a search beside it.
    fn of(report: &WarpsReport, beside: Option<(u32, u32)>) -> Self {
        let by = report.upper_by.as_ref().map(|by| format!("Proven by {}.", warps::bounds::in_words(by)));
        let own = Self { makespan: report.makespan, lower: report.lower, upper: report.upper, by };
        let Some((lower, upper)) = beside else { return own };
        let better = own.upper.is_none_or(|own| upper < own);
        Self {
            lower: own.lower.max(lower),
            upper: if better { Some(upper) } else { own.upper },
            by: if better { Some("Proven by the search.".to_owned()) } else { own.by },
            ..own
        }
    }

    fn verdict(&self) -> &'static str {
        match self.upper {
            Some(upper) if upper == self.makespan => "Proven: no schedule takes longer.",
            _ if self.lower > self.makespan => "Not the longest: the search has found a longer one.",
            _ => "A lower bound on the worst case, not a proof of it.",
        }
    }

    fn bounds(&self) -> String {
        let grouped = |n: u32| people::grouped(n.into());
        match self.upper {
            Some(upper) if upper == self.lower => format!("{} cycles, proven", grouped(upper)),
            Some(upper) => format!("{} to {} cycles", grouped(self.lower), grouped(upper)),
            None => format!("at least {} cycles", grouped(self.lower)),
        }
    }
}

fn count_text(orders: &crate::report::Orders) -> String {
    match orders.exact.as_ref().and_then(|digits| digits.parse::<u128>().ok()) {
        Some(n) if n < 1_000_000_000_000 => people::grouped(n),
        _ => people::scientific(orders.log10),
    }
}

/// What a machine can execute, in words.
pub(super) fn machine_text(shown: &Shown) -> String {
    let there = Unit::ALL.into_iter().zip(capacities(shown)).filter(|(_, value)| *value > 0);
    let parts: Vec<String> = there.map(|(unit, value)| format!("{value} {}", unit.lettered())).collect();
    format!("{} per cycle", people::listed(&parts))
}

/// How many warps each kind of unit serves in a cycle.
fn capacities(shown: &Shown) -> [u32; 4] {
    let machine = &shown.report.machine;
    [machine.L, machine.C, machine.S, machine.D]
}
