//! The panel of a conjecture: what is claimed, the map of verdicts, and every refutation one click from the schedule
//! that proves it.

#![cfg(target_arch = "wasm32")]

mod cells;
mod form;
mod map;
mod tools;

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use base::people;
use cells::Cells;
use conjecture_lab::page::Judged;
use conjecture_lab::report::{ConjectureReport, Totals};
use form::ConjectureForm;
use kit::page::Ask;
use kit::page::told::ToOpen;
use kit::page::told::ToldOfTrial;
use map::Map;
use tools::Tools;
use ui_kit::mounted::{Content, Form, Host, Mounted, News, Page, Shows, put};
use ui_kit::outcome::{Notes, Title};
use ui_kit::styles::{self, Sheet, wear};
use warps_lab::report::Capacities;

/// Its own style, which the page need not load before.
const CONJECTURE: Sheet = Sheet { name: "conjecture", text: include_str!("../../../../www/conjecture.css") };

/// The panel, in its place on the page.
pub fn panel(host: Host) -> Box<dyn Shows> {
    Mounted::put(host, Panel::new)
}

/// The form of its documents, likewise.
pub fn form(host: Host) -> Box<dyn Shows> {
    Form::put(host, |doc| view! { <ConjectureForm doc/> }.into_any())
}

/// Everything the parts of the panel share.
#[derive(Clone, Copy)]
struct Panel {
    judged: RwSignal<Option<Judged>>,
    told: RwSignal<ToldOfTrial>,
    /// The cell someone looks at, or would want to.
    place: Memo<Option<usize>>,
    page: Page,
}

impl Content for Panel {
    type Told = ToldOfTrial;
    type Entry = String;

    fn view(self) -> AnyView {
        view! { <Bench panel=self/> }.into_any()
    }

    fn hear(self, _told: &ToldOfTrial, news: &News<'_, String>) {
        self.judged.update(|judged| {
            for line in news.all() {
                if !judged.as_mut().is_some_and(|judged| judged.hear(&line)) {
                    *judged = Judged::new(&line).or(judged.take());
                }
            }
        });
    }

    fn tell(self, told: ToldOfTrial) {
        put(self.told, told);
    }
}

impl Panel {
    /// A panel that knows nothing yet.
    fn new(page: Page) -> Self {
        let judged = RwSignal::new(None::<Judged>);
        let told = RwSignal::new(ToldOfTrial::default());
        let place = memo(move |_| {
            judged.with(|judged| {
                let judged = judged.as_ref()?;
                let chosen = told.with(|told| told.chosen);
                chosen.filter(|&cell| cell < judged.report.cells.len()).or_else(|| judged.striking())
            })
        });
        Self { judged, told, place, page }
    }

    /// Looks at a cell.
    fn choose(&self, cell: usize) {
        self.told.update(|told| told.chosen = Some(cell));
        self.page.ask(Ask::Cell(cell));
    }

    /// Opens the schedule that refutes the claim in a cell, where there is one.
    fn open(&self, cell: usize) {
        let text = self.judged.with_untracked(|judged| judged.as_ref()?.refutation(cell));
        if let Some(document) = text {
            self.choose(cell);
            let what = "The schedule that proves it".to_owned();
            self.page.ask(Ask::Open(ToOpen { document, what, ..ToOpen::default() }));
        }
    }

    /// Something made of what is known; nothing before anything is.
    fn with<T>(&self, what: impl FnOnce(&Judged) -> T) -> Option<T> {
        self.judged.with(|judged| judged.as_ref().map(what))
    }
}

#[component]
fn Bench(panel: Panel) -> impl IntoView {
    wear(&[styles::LAB, CONJECTURE]);
    let any = memo(move |_| panel.judged.with(Option::is_some));
    view! {
        <div class="screen">
            <div class="brief">
                <Title told=panel.told untitled="Untitled conjecture"/>
                <Show when=move || any.get()><Tiles panel/></Show>
                <Running panel/>
            </div>
            <Show when=move || any.get()>
                <section class="figure" aria-label="Verdicts">
                    <Tools panel/>
                    <Map panel/>
                    <Details panel/>
                </section>
            </Show>
        </div>
        <section class="results">
            <Notes told=panel.told hidden=Signal::derive(|| false)/>
            <Show when=move || any.get()>
                <Claim panel/>
                <Cells panel/>
                <Assumptions panel/>
            </Show>
        </section>
    }
}

/// What is claimed, who says so, and of what.
#[component]
fn Claim(panel: Panel) -> impl IntoView {
    // The same whatever is judged.
    let claimed = memo(move |_| {
        panel.with(|judged| {
            let report = &judged.report;
            (
                report.claim.clone(),
                report.kernel.clone(),
                machine(&report.machine),
                fairness(report),
                report.warps.clone(),
            )
        })
    });
    move || {
        let (claim, kernel, machine, fairness, warps) = claimed.get()?;
        let says =
            if claim.says == "exactly" { "The worst case is exactly" } else { "The worst case is at most" };
        let warps = warps.join(" | ");
        Some(view! {
            <div class="claim" data-testid="claim">
                <p>{says}" "<code data-testid="formula">{claim.formula}</code>" cycles."</p>
                {claim.about.map(|about| view! { <p class="hint">{about}" "{claim.source.map(|source| format!("({source})"))}</p> })}
                <dl>
                    <div><dt>"Kernel"</dt><dd><code>{kernel}</code></dd></div>
                    <div><dt>"Warps"</dt><dd><code>{warps}</code></dd></div>
                    <div><dt>"Machine"</dt><dd>{machine}</dd></div>
                    <div><dt>"Fairness"</dt><dd>{fairness}</dd></div>
                </dl>
            </div>
        })
    }
}

fn machine(machine: &Capacities) -> String {
    let units = [
        ("L (load/store)", machine.L),
        ("C (CUDA core)", machine.C),
        ("S (special function)", machine.S),
        ("D (double precision)", machine.D),
    ];
    let units: Vec<String> =
        units.iter().filter(|(_, n)| *n > 0).map(|(name, n)| format!("{n} {name}")).collect();
    let issue = machine.issue.map_or("no issue limit".to_owned(), |n| {
        format!("at most {} issue", people::counted(n as usize, "warp"))
    });
    format!("{} per cycle, {issue}", people::listed(&units))
}

fn fairness(report: &ConjectureReport) -> &'static str {
    if report.fairness == "sub-block" { "between sub-blocks" } else { "none: any warp that can run may" }
}

/// How far it is, and the button for what comes next; one for all, so that the keyboard stays on it.
#[component]
fn Running(panel: Panel) -> impl IntoView {
    let running = memo(move |_| panel.told.with(|told| told.running));
    let said = move || {
        panel.told.with(|told| {
            if told.running {
                return match told.total {
                    0 => "Starting…".to_owned(),
                    total => format!("{} of {} judged", told.done, people::counted(total as usize, "cell")),
                };
            }
            if told.wrong {
                return "The document has mistakes in it; these verdicts are of the one before.".to_owned();
            }
            if told.stale {
                return "The document has changed; these verdicts are of the one before.".to_owned();
            }
            let known =
                panel.with(|judged| (judged.report.summary(), people::duration(judged.report.seconds)));
            match known {
                Some((summary, _)) if told.stopped => format!("Stopped. {summary}"),
                Some((summary, seconds)) => format!("{summary} Computed in {seconds}."),
                None => String::new(),
            }
        })
    };
    let share = move || panel.told.with(|told| told.done as f64 / told.total.max(1) as f64);
    let fresh = move || panel.told.with(|told| !told.stale && !told.stopped && told.job > 0);
    let press = move |_| panel.page.ask(if running.get_untracked() { Ask::Stop } else { Ask::Run });
    view! {
        <div class="row lab-run">
            <button class:primary=live(move || !running.get() && !fresh()) data-testid="conjecture-run" on:click=press
                title=live(move || if running.get() { "Esc" } else { "" })
                disabled=live(move || !running.get() && panel.told.with(|told| told.wrong))>
                {live(move || match (running.get(), fresh()) {
                    (true, _) => "Stop",
                    (false, true) => "Run again",
                    (false, false) => "Run",
                })}
            </button>
            <Show when=move || running.get()>
                <progress max="1" aria-label="Cells judged" value=share></progress>
            </Show>
            <span class="told" aria-live=live(move || if running.get() { "off" } else { "polite" }) data-testid="conjecture-told">{said}</span>
        </div>
    }
}

#[component]
fn Tiles(panel: Panel) -> impl IntoView {
    let totals = memo(move |_| panel.with(|judged| judged.report.totals).unwrap_or_default());
    let tile = move |class: &'static str,
                     label: &'static str,
                     of: fn(&Totals) -> usize,
                     hint: fn(&Totals) -> String| {
        view! {
            <div class=format!("tile {class}") class:none=live(move || totals.with(of) == 0)>
                <p class="label">{label}</p>
                <p class="value" data-testid=format!("total-{class}")>{live(move || people::grouped(totals.with(of) as u128))}</p>
                <p class="hint">{live(move || totals.with(hint))}</p>
            </div>
        }
    };
    view! {
        <div class="tiles totals">
            {tile("refuted", "Refuted", |t| t.refuted, |t| format!("of {}", people::counted(t.cells, "cell")))}
            {tile("confirmed", "Confirmed", |t| t.confirmed, |t| format!("{} to the cycle", people::grouped(t.tight as u128)))}
            {tile("open", "Open", |t| t.open, |_| "not decided".to_owned())}
            {live(move || (totals.with(|t| t.undefined) > 0).then(|| tile("undefined", "Undefined", |t| t.undefined, |_| "the claim says nothing".to_owned())))}
        </div>
    }
}

/// The cell someone looks at, and the way to its schedule.
#[component]
fn Details(panel: Panel) -> impl IntoView {
    let said = memo(move |_| panel.place.get().and_then(|cell| panel.with(|judged| judged.details(cell))));
    let proof = memo(move |_| {
        let cell = panel.place.get()?;
        panel.with(|judged| judged.report.cells.get(cell).is_some_and(|cell| cell.witness.is_some()))
    });
    let open = move |_| {
        if let Some(cell) = panel.place.get_untracked() {
            panel.open(cell);
        }
    };
    view! {
        <div class="details cell-details">
            <p aria-live="polite" data-testid="conjecture-details">{live(move || said.get().unwrap_or_else(|| "Choose a cell to see what is known about it.".to_owned()))}</p>
            <Show when=move || proof.get() == Some(true)>
                <button class="primary" data-testid="conjecture-open" on:click=open>"Open the schedule that proves it"</button>
            </Show>
        </div>
    }
}

#[component]
fn Assumptions(panel: Panel) -> impl IntoView {
    let known =
        memo(move |_| panel.with(|judged| (judged.report.notes.clone(), judged.report.assumptions.clone())));
    let list = |items: Vec<String>| items.into_iter().map(|item| view! { <li>{item}</li> }).collect_view();
    view! {
        <details class="more">
            <summary>"What the verdicts take for granted"</summary>
            {live(move || known.get().map(|(notes, assumptions)| view! {
                {(!notes.is_empty()).then(|| view! { <h3>"Notes on the machine"</h3><ul>{list(notes)}</ul> })}
                <h3>"Assumptions"</h3>
                <ol>{list(assumptions)}</ol>
            }))}
        </details>
    }
}
