//! The search for the worst case: its panel, and how it begins and ends, beside whatever the document asks for.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::certificate::CertificateButton;
use super::compare::Beside;
use super::search::refused;
use super::state::App;
use crate::base::{Problem, people};
use crate::import::json;
use crate::job::Weight;
use crate::page::linked::LINKED;
use crate::page::pool::Heard;
use crate::page::proof::{ProofPhase, exact_document};
use crate::page::session::Event;
use crate::page::trial::experiment_document;
use crate::page::{Proof, Shown, Subject};
use crate::scenario::{Method, Scenario, WarpsScenario};
use crate::timeline::convergence::{Bracket, StartKind};
use kit::report::Told as _;
use ui_kit::player::now;

/// Whether a document itself asks for the exact worst case.
fn asks_exact(scenario: &Scenario) -> bool {
    scenario.asked::<WarpsScenario>().is_some_and(|warps| matches!(warps.method, Method::Exact(_)))
}

/// What a document asks about warps, if it does.
fn asked(read: &Result<Scenario, Vec<Problem>>) -> Option<&WarpsScenario> {
    read.as_ref().ok()?.asked::<WarpsScenario>()
}

impl App {
    fn asks_exact(&self) -> bool {
        self.read.with_untracked(|read| read.as_ref().is_ok_and(asks_exact))
    }

    /// What the search is about is what the document is about.
    fn proves_this(&self) -> bool {
        let about = |warps: &WarpsScenario| {
            self.proof.with(|proof| proof.as_ref().is_some_and(|proof| proof.is_about(warps)))
        };
        // Until there is a program, or a document that is valid, everything shown is of what was there before.
        if self.waits.get() || self.read.with(Result::is_err) {
            return self.shown.with(|shown| shown.as_ref().is_some_and(|shown| about(&shown.warps)));
        }
        self.read.with(|read| asked(read).is_some_and(about))
    }

    /// Whether a search beside the document has found its worst case.
    pub(super) fn has_found(&self) -> bool {
        self.proves_this()
            && self.proof.with(|proof| proof.as_ref().is_some_and(|proof| proof.found().is_some()))
    }

    /// How the worst case of what the document is about was narrowed; none before anything is known.
    pub(super) fn proven(&self) -> Option<Bracket> {
        self.proof.with(|proof| proof.as_ref()?.bracket().cloned()).filter(|_| self.proves_this())
    }

    /// The bounds it has come to.
    pub(super) fn proven_bounds(&self) -> Option<(u32, u32)> {
        self.proof.with(|proof| proof.as_ref()?.bounds()).filter(|_| self.proves_this())
    }

    /// The longest schedule that the search has found, where the document asks for something else.
    pub(super) fn found_elsewhere(self) -> Memo<Option<Beside>> {
        let elsewhere =
            memo(move |_| self.proves_this() && !self.read.with(|read| read.as_ref().is_ok_and(asks_exact)));
        // Progress comes often, and schedules are large.
        let key = memo(move |_| {
            let of = |shown: &Arc<Shown>| (shown.report.makespan, shown.report.exact);
            self.proof.with(|proof| proof.as_ref().filter(|_| elsewhere.get())?.found().map(of))
        });
        memo(move |_| {
            key.get()?;
            let found = self.proof.with_untracked(|proof| proof.as_ref()?.found().cloned())?;
            Some(Beside { shown: found, pinned: false })
        })
    }

    /// The report of what the search has found about what the document is about, as a line.
    pub(super) fn worst_case(self) -> Memo<Option<String>> {
        // Progress comes often, and reports are large.
        let key = memo(move |_| {
            let of = |shown: &Arc<Shown>| (shown.report.makespan, shown.report.upper);
            self.proof.with(|proof| proof.as_ref()?.found().map(of)).filter(|_| self.proves_this())
        });
        memo(move |_| {
            key.get()?;
            self.proof.with_untracked(|proof| Some(proof.as_ref()?.found()?.report.line()))
        })
    }

    /// What is proven of warps like those of the document: how many, and how long they take at worst.
    pub(super) fn known_worst(&self) -> Vec<(u32, u32)> {
        if self.hide.get() {
            return Vec::new();
        }
        self.read.with(|read| {
            let Some(warps) = asked(read) else { return Vec::new() };
            let now = self.proof.with(|proof| proof.as_ref()?.worst(warps));
            self.proofs.with_value(|proofs| now.into_iter().chain(proofs.worst(warps)).collect())
        })
    }

    /// The best case, where it is proven, too.
    pub(super) fn best_case(&self) -> Option<u32> {
        let best = self.proof.with(|proof| {
            let shortest = proof.as_ref()?.found()?.report.shortest.clone()?;
            shortest.exact.then_some(shortest.makespan)
        });
        best.filter(|_| self.proves_this())
    }

    /// Searches for the worst case of what the document is about.
    pub(super) fn begin_proof(&self) {
        let text = match self.tree.get_untracked() {
            Ok(_) if self.asks_exact() => self.text.get_untracked(),
            Ok(tree) => json::pretty(&exact_document(&tree)),
            Err(_) => return,
        };
        let read = LINKED.read(&text);
        let Some(warps) = asked(&read) else { return };
        self.stop_proof();
        self.remember_proof();
        let app = *self;
        let owner = move |job, heard| app.heard_proof(job, heard);
        let job = self.runs.with_value(|runs| runs.submit(Weight::Search, text.clone(), owner));
        self.proof.set(Some(Proof::new(&text, warps, job, now())));
    }

    /// Gives the search the document, and shows what it has found where the document asks for just that.
    pub(super) fn keep_proof(&self) {
        let text = self.text.get_untracked();
        let found = self.of_warps(|warps| {
            let retell = |proof: &mut Proof| {
                let own = warps.is_some_and(|warps| proof.retell(&text, warps));
                proof.found().filter(|_| own).cloned()
            };
            self.proof.try_update(|proof| proof.as_mut().and_then(retell)).flatten()
        });
        if let Some(found) = found {
            self.show(found);
        }
    }

    /// Whether it runs, or could go on.
    pub(super) fn is_proving(&self) -> bool {
        self.proof.with_untracked(|proof| proof.as_ref().is_some_and(|proof| proof.job().is_some()))
    }

    /// Pauses it; its worker keeps all it has.
    pub(super) fn pause_proof(&self) {
        if let Some(job) = self.proof.try_update(|proof| proof.as_mut()?.pause(now())).flatten() {
            self.runs.with_value(|runs| runs.pause(job));
        }
    }

    /// Lets it go on.
    pub(super) fn resume_proof(&self) {
        if let Some(job) = self.proof.try_update(|proof| proof.as_mut()?.resume(now())).flatten() {
            self.runs.with_value(|runs| runs.resume(job));
        }
    }

    /// Stops it; what is proven so far stays.
    pub(super) fn stop_proof(&self) {
        let job = self.proof.with_untracked(|proof| proof.as_ref().and_then(Proof::job));
        if let Some(job) = job {
            self.runs.with_value(|runs| runs.cancel(job));
        }
    }

    /// Lays the search aside: what it has proven is remembered.
    pub(super) fn remember_proof(&self) {
        if let Some(proof) = self.proof.try_update(Option::take).flatten() {
            self.proofs.update_value(|proofs| proofs.keep(proof));
        }
    }

    /// Takes the one that is about the document in the place of the present one.
    pub(super) fn recall_proof(&self) {
        let take = |warps: Option<&WarpsScenario>| {
            self.proofs.try_update_value(|proofs| proofs.take(warps?)).flatten()
        };
        if let Some(proof) = self.of_warps(take) {
            self.remember_proof();
            self.proof.set(Some(proof));
        }
    }

    fn heard_proof(&self, job: u32, heard: Heard) {
        if self.proof.with_untracked(|proof| proof.as_ref().and_then(Proof::job)) != Some(job) {
            return; // of a question that is gone
        }
        let now = now();
        self.proof.update(|proof| {
            let Some(proof) = proof else { return };
            match &heard {
                Heard::Progress(progress) => proof.progressed(progress, now),
                Heard::Done(reason, report) => proof.ended(*reason, report.as_deref(), now),
                Heard::Refused(problems) => proof.failed(refused(problems)),
                Heard::Crashed(why) => proof.failed(why.clone()),
                Heard::News(line) => {
                    proof.found_meanwhile(line);
                }
                Heard::Chain(..) | Heard::Worked(_) => {}
            }
        });
        let ended = matches!(heard, Heard::Done(..));
        if ended || matches!(heard, Heard::News(_)) {
            self.show_proof(ended);
        }
    }

    /// Shows what the search has found, where the document asks for just that.
    fn show_proof(&self, ended: bool) {
        let Some((text, shown)) = self.proof.with_untracked(|proof| {
            let proof = proof.as_ref()?;
            Some((proof.text().to_owned(), proof.found().cloned()?))
        }) else {
            return;
        };
        let verdict = bounds_told(shown.report.lower, shown.report.upper.unwrap_or(u32::MAX));
        if self.text.with_untracked(|document| *document == text) {
            self.show(shown);
        }
        if ended && !self.hide.get_untracked() {
            // Who looks at the picture reads it above; who is elsewhere is told.
            let here =
                self.subject.get_untracked() == Subject::Warps && self.room.with_untracked(Option::is_none);
            if here { &self.heard } else { &self.notice }.set(verdict);
        }
    }
}

/// What is known about the worst case, as a sentence.
fn bounds_told(lower: u32, upper: u32) -> String {
    let grouped = |n: u32| people::grouped(n.into());
    if lower >= upper {
        return format!("The worst case is {} cycles, proven.", grouped(upper));
    }
    let gap = people::counted((upper - lower) as usize, "cycle");
    let share = people::percent(f64::from(upper - lower) / f64::from(lower.max(1)));
    format!("The worst case is {} to {} cycles: a gap of {gap}, {share}.", grouped(lower), grouped(upper))
}

/// The button for what comes next.
const NEXT: &str = "proof-next";

/// What the button does, before anybody has pressed it.
const IDLE: &str = "Proves it, and shows it.";

/// How the search stands, as far as its buttons go.
#[derive(Clone, Copy, PartialEq)]
enum Stand {
    Running,
    Paused,
    Ended,
}

fn stand(proof: &Proof) -> Stand {
    match (proof.runs(), proof.job()) {
        (true, _) => Stand::Running,
        (false, Some(_)) => Stand::Paused,
        (false, None) => Stand::Ended,
    }
}

/// The buttons for the search, and how it stands; wherever warps are asked about.
#[component]
pub fn ProofRun(app: App) -> impl IntoView {
    let ours = memo(move |_| app.proves_this());
    let with = move |what: fn(&Proof) -> String| {
        app.proof.with(|proof| proof.as_ref().filter(|_| ours.get()).map(what))
    };
    let stands = memo(move |_| app.proof.with(|proof| proof.as_ref().filter(|_| ours.get()).map(stand)));
    // Nobody needs to prove once more what the document itself has proven.
    let proven = memo(move |_| {
        app.shown
            .with(|shown| shown.as_ref().is_some_and(|shown| shown.report.upper == Some(shown.report.lower)))
    });
    let told = move || {
        with(Proof::told).unwrap_or_else(|| if proven.get() { String::new() } else { IDLE.to_owned() })
    };
    let failed = move || {
        app.proof.with(|proof| proof.as_ref().is_some_and(|p| matches!(p.phase(), ProofPhase::Failed(_))))
    };
    // One button for whatever comes next: who has pressed it by the keyboard is still on it.
    let next = move || match stands.get() {
        None | Some(Stand::Ended) => "proof-run",
        Some(Stand::Running) => "proof-pause",
        Some(Stand::Paused) => "proof-resume",
    };
    let next_said = move || match stands.get() {
        None => "Find the worst case",
        Some(Stand::Running) => "Pause",
        Some(Stand::Paused) => "Resume",
        Some(Stand::Ended) => "Run again",
    };
    let go = move |_| match stands.get_untracked() {
        None | Some(Stand::Ended) => app.happened(Event::Sought),
        Some(Stand::Running) => app.pause_proof(),
        Some(Stand::Paused) => app.resume_proof(),
    };
    let stop = move |_| {
        app.stop_proof();
        ui_kit::keys::focus(NEXT); // this button goes
    };
    // What a finished search found is not on the screen where the document asks for something else.
    let elsewhere = memo(move |_| {
        ours.get()
            && app.proof.with(|proof| proof.as_ref().is_some_and(|proof| proof.found().is_some()))
            && !app.read.with(|read| read.as_ref().is_ok_and(asks_exact))
    });
    let open = move |_| {
        let text = app.proof.with_untracked(|proof| proof.as_ref().map(|proof| proof.text().to_owned()));
        if let Some(text) = text {
            let named = app.named(&text, &json::parse(&text), "");
            app.replace(
                named.map_or(text, |tree| json::pretty(&tree)),
                Default::default(),
                "The longest schedule",
            );
        }
    };
    view! {
        <div class="row proof-run" role="toolbar" aria-label="Worst case" data-testid="proof">
            <span class="told" class:wrong=failed data-testid="proof-told">{told}</span>
            <Show when=move || elsewhere.get()>
                <button data-testid="proof-open" title="Open the longest schedule that was found"
                    disabled=live(move || app.stale.get().is_some()) on:click=open>"Show the longest"</button>
            </Show>
            <Show when=move || matches!(stands.get(), Some(Stand::Running | Stand::Paused))>
                <button data-testid="proof-stop" title="Esc" on:click=stop>"Stop"</button>
            </Show>
            <button id=NEXT class:primary=live(move || stands.get().is_none() && !proven.get()) data-testid=next disabled=live(move || app.read.with(Result::is_err)) on:click=go>{next_said}</button>
        </div>
    }
}

/// What the search has come to, beneath the picture.
#[component]
pub fn ProofPanel(app: App) -> impl IntoView {
    let ours = memo(move |_| app.proves_this());
    let bounds = memo(move |_| app.proven_bounds());
    // Each with its share of the worst case, once that is known.
    let starts = memo(move |_| {
        app.proof.with(|proof| {
            let report = &proof.as_ref().filter(|_| ours.get())?.found()?.report;
            let worst = f64::from(report.upper.filter(|_| report.exact)?);
            let share =
                |(name, makespan): &(String, u32)| (name.clone(), *makespan, f64::from(*makespan) / worst);
            Some(report.starts.as_ref()?.iter().map(share).collect::<Vec<_>>())
        })
    });
    let finished = memo(move |_| {
        let done = |proof: &Proof| proof.found().is_some() && matches!(proof.phase(), ProofPhase::Over(_));
        ours.get() && app.proof.with(|proof| proof.as_ref().is_some_and(done))
    });
    let shortest = move || {
        app.proof.with(|proof| {
            let shortest = proof.as_ref().filter(|_| ours.get())?.found()?.report.shortest.clone()?;
            let makespan = people::counted(shortest.makespan as usize, "cycle");
            Some(if shortest.exact {
                format!("The best case is {makespan}, proven.")
            } else {
                format!("The best case is {} to {makespan}.", people::grouped(shortest.lower.into()))
            })
        })
    };
    // The same kernel, machine and fairness, for a few warps and more.
    let test = move |_| {
        let document = app.read.with_untracked(|read| {
            experiment_document(app.tree.get_untracked().as_ref().ok()?, asked(read)?)
        });
        match document {
            Some(document) => {
                app.replace(json::pretty(&document), Default::default(), "A formula over many cases")
            }
            None => app.notice.set("A formula cannot be tested over this scenario.".to_owned()),
        }
    };
    view! {
        <section class="proof" aria-label="What is proven">
            {live(move || bounds.get().map(|(lower, upper)| view! {
                <p class="bounds" data-testid="proof-bounds">{bounds_told(lower, upper)}" "{shortest}</p>
            }))}
            {live(move || starts.get().map(|starts| view! { <Starts starts/> }))}
            <div class="row">
                <Show when=move || finished.get()>
                    <CertificateButton app/>
                </Show>
                <button title="Opens a document that holds a claim against exhaustive search, for one warp and more" data-testid="proof-test" disabled=live(move || app.read.with(Result::is_err)) on:click=test>"Test a formula over many cases"</button>
            </div>
        </section>
    }
}

/// What schedulers take, between the best case and the worst.
#[component]
fn Starts(starts: Vec<(String, u32, f64)>) -> impl IntoView {
    view! {
        <p class="hint">"How common schedulers do, between nothing and the worst case:"</p>
        <ol class="chains" aria-label="What schedulers take" data-testid="proof-starts">
            {starts.into_iter().map(|(name, makespan, share)| view! {
                <li>
                    <span>{StartKind::named(&name).label()}</span>
                    <b>{people::grouped(makespan.into())}</b>
                    <progress max="1" aria-label=format!("{} of the worst case", people::percent(share)) value=share></progress>
                </li>
            }).collect_view()}
        </ol>
    }
}
