//! The search for the worst case beside whatever the document asks for, as plain state: what is known so far,
//! and since when.
//!
//! A document that asks for the exact worst case is run as it is. For any other one the same question is put
//! into a document of its own, so that a proof stands beside chains, orders and beams.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Shown;
use crate::scenario::WarpsScenario;
use crate::timeline::convergence::{Bracket, Narrowing};
use base::{StopReason, people};
use kit::job::{BracketLine, Progress};
use kit::page::edit;

/// What the search is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofPhase {
    /// It runs.
    Running,
    /// It does nothing until someone says so.
    Paused,
    /// It ended, for this reason.
    Over(StopReason),
    /// It broke off.
    Failed(String),
}

/// A search for the worst case of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    text: String,
    warps: WarpsScenario,
    job: u32,
    phase: ProofPhase,
    /// When it began and when it was heard of last, in milliseconds of the page's clock.
    began: f64,
    heard: f64,
    line: Option<BracketLine>,
    bracket: Bracket,
    /// The report line, and what it shows.
    report: Option<(String, Arc<Shown>)>,
}

/// The document that asks for the exact worst case of what a document is about.
pub fn exact_document(tree: &Value) -> Value {
    edit::set(&edit::remove(tree, &["warps", "references"]), &["warps", "method"], json!({ "exact": {} }))
}

impl Proof {
    /// A job that runs this document began at this time.
    pub fn new(text: &str, warps: &WarpsScenario, job: u32, now: f64) -> Self {
        Self {
            text: text.to_owned(),
            warps: warps.clone(),
            job,
            phase: ProofPhase::Running,
            began: now,
            heard: now,
            line: None,
            bracket: Bracket::default(),
            report: None,
        }
    }

    /// The document it runs.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The job that runs it, while it does, or could go on.
    pub fn job(&self) -> Option<u32> {
        matches!(self.phase, ProofPhase::Running | ProofPhase::Paused).then_some(self.job)
    }

    /// Whether it runs, and is in no pause.
    pub fn runs(&self) -> bool {
        self.phase == ProofPhase::Running
    }

    /// Pauses it; the job to be paused.
    pub fn pause(&mut self, now: f64) -> Option<u32> {
        let job = self.job().filter(|_| self.runs())?;
        (self.phase, self.heard) = (ProofPhase::Paused, now);
        Some(job)
    }

    /// Lets it go on after a pause, which is no part of its time; the job to be resumed.
    pub fn resume(&mut self, now: f64) -> Option<u32> {
        let job = self.job().filter(|_| !self.runs())?;
        (self.phase, self.began, self.heard) = (ProofPhase::Running, self.began + now - self.heard, now);
        Some(job)
    }

    /// What it is doing.
    pub fn phase(&self) -> &ProofPhase {
        &self.phase
    }

    /// Whether it is about the same warps on the same machine.
    pub fn is_about(&self, warps: &WarpsScenario) -> bool {
        self.warps.kernel == warps.kernel
            && self.warps.count == warps.count
            && self.warps.normalised.machine == warps.normalised.machine
            && self.warps.fairness == warps.fairness
            && self.warps.memory == warps.memory
    }

    /// Whether it is about warps like these, however many.
    fn is_alike(&self, warps: &WarpsScenario) -> bool {
        self.is_about(&WarpsScenario { count: self.warps.count, ..warps.clone() })
    }

    /// How many warps it is about, and how long they take at worst, once that is known.
    pub fn worst(&self, warps: &WarpsScenario) -> Option<(u32, u32)> {
        let (lower, upper) = self.bounds().filter(|_| self.is_alike(warps))?;
        (lower == upper).then_some((self.warps.count as u32, upper))
    }

    /// Whether a document asks for just this search, which has something to show or can go on.
    pub fn is_of(&self, warps: &WarpsScenario) -> bool {
        let holds = self.job().is_some() || self.report.is_some();
        holds && self.is_about(warps) && self.warps.method == warps.method
    }

    /// Takes a document that asks for the same in other words, with another title say; false, and nothing
    /// happens, if it asks for anything else.
    pub fn retell(&mut self, text: &str, warps: &WarpsScenario) -> bool {
        let same = self.is_about(warps) && self.warps.method == warps.method;
        if same {
            self.text = text.to_owned();
            if let Some((line, _)) = self.report.take() {
                self.report = Shown::quick(text, &line).map(|shown| (line, Arc::new(shown)));
            }
        }
        same
    }

    /// The job told how far it is.
    pub fn progressed(&mut self, progress: &Progress, now: f64) {
        if self.runs() {
            self.heard = now;
        }
        let Some(line) = &progress.bracket else { return };
        if let (false, Some(upper)) = (line.best_case, line.upper) {
            let (seconds, lower) = (self.seconds(), line.lower);
            if self.bracket.last().is_none_or(|last| (last.lower, last.upper) != (lower, upper)) {
                self.bracket.steps.push(Narrowing { seconds, lower, upper });
            }
            self.bracket.seconds = seconds;
        }
        self.line = Some(line.clone());
    }

    /// The job told what it has found so far; whether that can be shown.
    pub fn found_meanwhile(&mut self, line: &str) -> bool {
        let shown = Shown::quick(&self.text, line);
        let fits = shown.is_some();
        self.report = shown.map(|shown| (line.to_owned(), Arc::new(shown))).or(self.report.take());
        fits
    }

    /// Whether what it found is all there is to find.
    pub fn is_over(&self) -> bool {
        matches!(self.phase, ProofPhase::Over(StopReason::Done)) && self.report.is_some()
    }

    /// The job ended, with a report if it had got that far.
    pub fn ended(&mut self, reason: StopReason, line: Option<&str>, now: f64) {
        if self.runs() {
            self.heard = now;
        }
        let shown = line.and_then(|line| Some((line.to_owned(), Arc::new(Shown::quick(&self.text, line)?))));
        self.phase = match (&shown, line) {
            (Some((_, shown)), _) => ProofPhase::Over(shown.report.stop.unwrap_or(reason)),
            (None, None) => ProofPhase::Over(reason),
            (None, Some(_)) => ProofPhase::Failed("its report does not fit the scenario".to_owned()),
        };
        if let Some(lines) = shown.as_ref().and_then(|(_, shown)| shown.report.bracket.as_ref()) {
            let step = |&(seconds, lower, upper): &(f64, u32, u32)| Narrowing { seconds, lower, upper };
            let steps: Vec<Narrowing> = lines.iter().map(step).collect();
            let last = steps.last().map_or(0.0, |step| step.seconds);
            self.bracket = Bracket { steps, seconds: self.bracket.seconds.max(last) };
        }
        self.report = shown.or(self.report.take());
    }

    /// The job broke off.
    pub fn failed(&mut self, why: String) {
        self.phase = ProofPhase::Failed(why);
    }

    /// How the worst case was narrowed; none before anything is known.
    pub fn bracket(&self) -> Option<&Bracket> {
        (!self.bracket.steps.is_empty()).then_some(&self.bracket)
    }

    /// The present bounds: those it was heard of last, and those of what it has found meanwhile.
    pub fn bounds(&self) -> Option<(u32, u32)> {
        let bracket = self.bracket.last().map(|last| (last.lower, last.upper));
        let found = self.found().and_then(|shown| Some((shown.report.lower, shown.report.upper?)));
        match (bracket, found) {
            (Some((lower, upper)), Some((least, most))) => Some((lower.max(least), upper.min(most))),
            (one, other) => one.or(other),
        }
    }

    /// Its result, once it has one.
    pub fn found(&self) -> Option<&Arc<Shown>> {
        self.report.as_ref().map(|(_, shown)| shown)
    }

    /// What it is doing, in words.
    pub fn told(&self) -> String {
        let after = people::duration(self.seconds());
        match (&self.phase, &self.line) {
            (ProofPhase::Paused, _) => format!("Paused after {after}. What is proven so far holds."),
            (ProofPhase::Running, None) => "Starting…".to_owned(),
            (ProofPhase::Running, Some(line)) => {
                let states = if line.states > 0 {
                    format!("{} explored, ", states(line.states))
                } else {
                    String::new()
                };
                let sought = if line.best_case { " the best case" } else { "" };
                format!("Searching{sought}, cycle {}: {states}{after} ({})", line.layer, line.phase)
            }
            (ProofPhase::Over(reason), _) => {
                let seen = self.found().and_then(|shown| shown.report.states);
                let seen = seen.filter(|&n| n > 0).map_or(String::new(), |n| format!(" and {}", states(n)));
                let ended = match reason {
                    StopReason::Done => return format!("Done after {after}{seen}."),
                    StopReason::Cancelled => "Stopped",
                    StopReason::TimeLimit => "Its time was up",
                    StopReason::MemoryLimit => "Its memory was full",
                };
                format!("{ended} after {after}{seen}. What is proven so far holds.")
            }
            (ProofPhase::Failed(why), _) => format!("The search broke off: {why}"),
        }
    }

    /// How long it has been at it.
    fn seconds(&self) -> f64 {
        (self.heard - self.began) / 1000.0
    }
}

/// What the last few searches have proven, each about other warps than the others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Remembered(Vec<Proof>);

/// So many are remembered at least: each holds a schedule.
const LEAST: usize = 4;
/// More of them only if they are small: so many instructions of all their warps.
const SMALL: usize = 100_000;

impl Remembered {
    /// Remembers a search that has ended with a result, or has proven the worst case; of any other there is nothing to
    /// remember.
    pub fn keep(&mut self, proof: Proof) {
        self.keep_within(proof, SMALL);
    }

    fn keep_within(&mut self, mut proof: Proof, small: usize) {
        // Whoever has proven the worst case and still looks for the best one has something to be remembered for.
        if proof.job().is_some() && proof.bounds().is_some_and(|(lower, upper)| lower == upper) {
            proof.phase = ProofPhase::Over(StopReason::Cancelled);
        }
        if !matches!(proof.phase, ProofPhase::Over(_)) || proof.report.is_none() {
            return;
        }
        self.0.retain(|known| !known.is_about(&proof.warps));
        self.0.push(proof);
        let size = |proof: &Proof| proof.warps.count * proof.warps.kernel.len();
        while self.0.len() > LEAST && self.0.iter().map(size).sum::<usize>() > small {
            self.0.remove(0);
        }
    }

    /// The one about these warps.
    pub fn about(&self, warps: &WarpsScenario) -> Option<&Proof> {
        self.0.iter().find(|proof| proof.is_about(warps))
    }

    /// What they have proven about warps like these.
    pub fn worst(&self, warps: &WarpsScenario) -> impl Iterator<Item = (u32, u32)> {
        self.0.iter().filter_map(|proof| proof.worst(warps))
    }

    /// Takes the one about these warps.
    pub fn take(&mut self, warps: &WarpsScenario) -> Option<Proof> {
        let place = self.0.iter().position(|proof| proof.is_about(warps))?;
        Some(self.0.remove(place))
    }
}

fn states(n: u64) -> String {
    people::counted(usize::try_from(n).unwrap_or(usize::MAX), "state")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::import::json;

    const ANNEAL: &str = r#"{"warpspan":1,"title":"t","warps":{"kernel":"LCL","count":3,"machine":{"L":1,"C":1},"method":{"anneal":{"iterations":9}},"references":[{"label":"a","makespan":9}]}}"#;

    fn warps(text: &str) -> WarpsScenario {
        let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("valid: {text}") };
        let Some(warps) = scenario.asked::<WarpsScenario>() else { unreachable!("about warps: {text}") };
        warps.clone()
    }

    fn exact(tree: &str) -> String {
        let Ok(tree) = json::parse(tree) else { unreachable!("valid") };
        json::pretty(&exact_document(&tree))
    }

    fn heard(lower: u32, upper: u32, best_case: bool) -> Progress {
        let line = BracketLine {
            phase: "beam search".to_owned(),
            best_case,
            layer: 4,
            states: 1_200,
            lower,
            upper: Some(upper),
        };
        Progress { done: 4, total: 9, best: Some(lower), bracket: Some(line) }
    }

    #[test]
    fn any_question_becomes_one_for_the_worst_case() {
        let text = exact(ANNEAL);
        let (before, after) = (warps(ANNEAL), warps(&text));
        assert!(after.references.is_empty() && matches!(after.method, crate::scenario::Method::Exact(_)));
        let mut proof = Proof::new(&text, &after, 1, 0.0);
        assert!(proof.is_about(&before));
        assert!(!proof.is_about(&warps(&ANNEAL.replace("\"count\":3", "\"count\":4"))));
        assert!(!proof.retell(ANNEAL, &before), "another method");
        let titled = text.replace("\"t\"", "\"other\"");
        assert!(proof.retell(&titled, &warps(&titled)) && proof.text() == titled);
    }

    #[test]
    fn the_bracket_closes_while_the_job_runs_and_ends_as_the_report_says() {
        let text = exact(ANNEAL);
        let mut proof = Proof::new(&text, &warps(&text), 7, 1_000.0);
        assert_eq!((proof.job(), proof.bounds(), proof.told().as_str()), (Some(7), None, "Starting…"));
        proof.progressed(&heard(6, 9, false), 1_100.0);
        proof.progressed(&heard(6, 9, false), 1_200.0);
        proof.progressed(&heard(7, 8, false), 1_300.0);
        assert_eq!(proof.told(), "Searching, cycle 4: 1,200 states explored, 300 ms (beam search)");
        assert!(!proof.found_meanwhile("{}") && proof.found().is_none());
        proof.progressed(&heard(3, 5, true), 1_500.0);
        assert_eq!((proof.bounds(), proof.told().contains("the best case")), (Some((7, 8)), true));
        let steps = proof.bracket().map(|bracket| bracket.steps.len());
        assert_eq!((steps, proof.found()), (Some(2), None));

        let Ok(scenario) = crate::LINKED.read(&text) else { unreachable!("valid") };
        let mut job = crate::LINKED.start(&scenario);
        let _ = job.step(&mut base::Control::slice(1));
        assert!(job.news().is_some_and(|line| proof.found_meanwhile(&line)) && job.news().is_none());
        assert!(proof.found().is_some() && !proof.is_over());
        let report = crate::LINKED.run(&scenario);
        proof.ended(StopReason::Done, Some(&report.line()), 1_600.0);
        let shown = proof.found().cloned();
        let Some(shown) = shown else { unreachable!("it has a result") };
        assert!(shown.report.exact && proof.told().starts_with("Done after 600 ms"), "{}", proof.told());
        assert_eq!(proof.bounds(), Some((shown.report.lower, shown.report.lower)));
        assert!(proof.job().is_none() && proof.is_over());
        let titled = text.replace("\"t\"", "\"other\"");
        assert!(proof.retell(&titled, &warps(&titled)));
        assert_eq!(proof.found().map(|shown| shown.title.as_str()), Some("other"));
    }

    #[test]
    fn a_pause_is_no_part_of_its_time() {
        let text = exact(ANNEAL);
        let mut proof = Proof::new(&text, &warps(&text), 7, 0.0);
        assert!(!proof.is_of(&warps(ANNEAL)) && proof.is_of(&warps(&text)));
        assert_eq!((proof.resume(500.0), proof.pause(1_000.0), proof.pause(1_500.0)), (None, Some(7), None));
        proof.progressed(&heard(6, 9, false), 1_600.0); // said before it heard of the pause
        assert_eq!((proof.runs(), proof.job(), proof.bounds()), (false, Some(7), Some((6, 9))));
        assert_eq!(proof.told(), "Paused after 1.0 s. What is proven so far holds.");
        assert_eq!(proof.resume(60_000.0), Some(7));
        proof.ended(StopReason::Cancelled, None, 61_000.0);
        assert_eq!(proof.told(), "Stopped after 2.0 s. What is proven so far holds.");
        assert_eq!((proof.pause(0.0), proof.resume(0.0), proof.is_of(&warps(&text))), (None, None, false));
    }

    #[test]
    fn a_search_may_end_without_a_result() {
        let text = exact(ANNEAL);
        let mut proof = Proof::new(&text, &warps(&text), 7, 0.0);
        proof.ended(StopReason::Cancelled, None, 2_000.0);
        assert_eq!(proof.told(), "Stopped after 2.0 s. What is proven so far holds.");
        proof.ended(StopReason::Done, Some("{}"), 2_000.0);
        assert!(matches!(proof.phase(), ProofPhase::Failed(_)));
        proof.failed("out of memory".to_owned());
        assert_eq!(proof.told(), "The search broke off: out of memory");
    }

    #[test]
    fn the_last_few_results_are_remembered_each_about_other_warps() {
        let of = |count: u32| warps(&ANNEAL.replace("\"count\":3", &format!("\"count\":{count}")));
        let proven = |count: u32, job: u32| {
            let text = exact(&ANNEAL.replace("\"count\":3", &format!("\"count\":{count}")));
            let mut proof = Proof::new(&text, &warps(&text), job, 0.0);
            let Ok(scenario) = crate::LINKED.read(&text) else { unreachable!("valid") };
            proof.ended(StopReason::Done, Some(&crate::LINKED.run(&scenario).line()), 1.0);
            proof
        };
        let mut known = Remembered::default();
        known.keep(Proof::new(&exact(ANNEAL), &of(3), 1, 0.0));
        assert!(known.about(&of(3)).is_none(), "it had proven nothing");
        let mut narrow = proven(3, 9);
        narrow.phase = ProofPhase::Running;
        known.keep(narrow);
        assert_eq!(known.take(&of(3)).map(|proof| (proof.job(), proof.runs())), Some((None, false)));
        let several = [(1, 1), (2, 2), (3, 3), (4, 2), (5, 4), (6, 5)];
        for (job, count) in several {
            known.keep(proven(count, job));
        }
        let mut worst: Vec<u32> = known.worst(&of(9)).map(|(count, _)| count).collect();
        worst.sort_unstable();
        assert_eq!(worst, [1, 2, 3, 4, 5], "they are small, and all proven");
        let mut known = Remembered::default();
        for (job, count) in several {
            known.keep_within(proven(count, job), 0);
        }
        assert!(known.about(&of(1)).is_none(), "of five large ones the oldest is gone");
        assert_eq!(known.take(&of(2)), Some(proven(2, 4)));
        assert!(known.take(&of(2)).is_none() && known.about(&of(5)).is_some());
    }
}
