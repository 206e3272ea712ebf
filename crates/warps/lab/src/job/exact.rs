//! The job of an exact search: first the worst case, then the best case where that is asked for.
//!
//! Work is done in batches of fixed fuel, and the bracket is looked at after each: what is noted of its
//! narrowing does not depend on how long slices are.

use super::{problem, starts};
use crate::report::{Found, ShortestReport, warps_report};
use crate::scenario::{Exact, MEBIBYTES, WarpsScenario};
use base::{Control, StopReason};
use kit::job::{BracketLine, Job, Progress, Step};
use kit::report::Report;
use kit::scenario::Scenario;
use warps::Schedule;
use warps::exact::{Bracket, Limits, Search, Shortest};

/// Fuel between two looks at the bracket and the budget.
const BATCH: u64 = 1 << 12;
/// The best case is sought for twice as long as the worst case took, and for so many batches at least: some
/// two seconds.
const LEAST: u64 = 20_000;

/// What is noted where a larger table might have closed the bracket.
const SHORT: &str =
    "Part of the search was left out for want of memory; with a larger \"memory_limit\" it may prove more.";

/// An exact search over a scenario.
pub struct ExactJob {
    scenario: Scenario,
    warps: WarpsScenario,
    settings: Exact,
    stage: Stage,
    /// The longest schedule of the known starts, in case the search has none that is longer.
    start: Schedule,
    /// What each of the known starts takes.
    starts: Vec<(String, u32)>,
    /// The longest makespan that was told, and whether it was told that the worst case is known.
    told: (u32, bool),
    /// The outcome of the worst case, once its search is over.
    worst: Option<Worst>,
    /// The outcome of the best case, likewise.
    best: Option<ShortestReport>,
    seconds: f64,
    /// Batches since the last reading of the clock.
    batches: u64,
    /// Batches since the start.
    all: u64,
    /// The batch after which the best case is left as it is.
    last: u64,
    /// Narrowings since then: after how many batches, lower, upper.
    fresh: Vec<(u64, u32, u32)>,
    narrowings: Vec<(f64, u32, u32)>,
}

enum Stage {
    Worst(Box<Search>),
    Best(Box<Shortest>),
    Over,
}

/// What a search for the worst case came to.
#[derive(Clone)]
struct Worst {
    bracket: Bracket,
    states: u64,
    witness: Option<Schedule>,
    gave_up: bool,
    short: bool,
    /// MiB with which a table would fit that was left out.
    needs: Option<u64>,
}

impl Worst {
    fn of(search: &Search) -> Self {
        Self {
            bracket: search.bracket(),
            states: search.states(),
            witness: search.witness(),
            gave_up: search.gave_up(),
            short: search.short_of_memory(),
            needs: search.needs().map(|bytes| bytes.div_ceil(1 << 20)),
        }
    }
}

impl ExactJob {
    /// The job of a scenario; `None` if the machine lacks a unit that the kernel needs.
    pub fn new(scenario: Scenario, warps: WarpsScenario, settings: Exact) -> Option<Self> {
        let search = Search::new(&problem(&warps), limits(settings))?;
        let known = starts(&warps);
        let starts = known.iter().map(|(start, made)| (start.name().to_owned(), made.makespan())).collect();
        let start = known.into_iter().map(|(_, made)| made).rev().max_by_key(Schedule::makespan)?;
        let Bracket { lower, upper, .. } = search.bracket();
        let lower = lower.max(start.makespan());
        Some(Self {
            scenario,
            warps,
            settings,
            stage: Stage::Worst(Box::new(search)),
            start,
            starts,
            told: (0, false),
            worst: None,
            best: None,
            seconds: 0.0,
            batches: 0,
            all: 0,
            last: u64::MAX,
            fresh: Vec::new(),
            narrowings: vec![(0.0, lower, upper)],
        })
    }

    /// Does one batch of work.
    fn advance(&mut self) {
        self.batches += 1;
        self.all += 1;
        match &mut self.stage {
            Stage::Worst(search) => {
                let more = search.step(BATCH);
                let Bracket { lower, upper, .. } = search.bracket();
                let lower = lower.max(self.start.makespan());
                let fresh = self.fresh.last().map(|&(_, lower, upper)| (lower, upper));
                let noted = self.narrowings.last().map(|&(_, lower, upper)| (lower, upper));
                if fresh.or(noted) != Some((lower, upper)) {
                    self.fresh.push((self.batches, lower, upper));
                }
                if !more {
                    self.worst = Some(Worst::of(search));
                    self.last = self.all + (2 * self.all).max(LEAST);
                    self.stage = Stage::Over; // gives its memory back before the next one takes any
                    if self.settings.shortest
                        && let Some(search) = Shortest::new(&problem(&self.warps), limits(self.settings))
                    {
                        self.stage = Stage::Best(Box::new(search));
                    }
                }
            }
            Stage::Best(search) => {
                if !search.step(BATCH) || self.all >= self.last {
                    self.best = best_of(search);
                    self.stage = Stage::Over;
                }
            }
            Stage::Over => {}
        }
    }

    fn progress(&self) -> Progress {
        let (phase, layer, states, Bracket { lower, upper, .. }) = match &self.stage {
            Stage::Worst(search) => (search.phase(), search.layer(), search.states(), search.bracket()),
            Stage::Best(search) => (search.phase(), search.layer(), search.states(), search.bracket()),
            Stage::Over => return Progress { done: 1, total: 1, best: None, bracket: None },
        };
        let best_case = matches!(self.stage, Stage::Best(_));
        let lower = if best_case { lower } else { lower.max(self.start.makespan()) };
        let line =
            BracketLine { phase: phase.to_owned(), best_case, layer, states, lower, upper: Some(upper) };
        Progress { done: layer.into(), total: upper.into(), best: Some(lower), bracket: Some(line) }
    }

    fn report(&mut self, stop: StopReason) -> Option<Report> {
        self.took(0.0); // what the last slice found is told even if nobody timed it
        let worst = match (&self.worst, &self.stage) {
            (Some(worst), _) => worst.clone(),
            (None, Stage::Worst(search)) => Worst::of(search),
            (None, _) => return None,
        };
        let longer = |witness: &Schedule| witness.makespan() >= self.start.makespan();
        let schedule = worst.witness.filter(longer).unwrap_or_else(|| self.start.clone());
        let mut report = warps_report(&self.scenario, &self.warps, &schedule.to_order(), &schedule);
        let Bracket { lower, upper, upper_by } = worst.bracket;
        report.note_search(Found {
            lower: lower.max(schedule.makespan()),
            upper: Some((upper, upper_by.to_owned())),
            states: Some(worst.states),
            bracket: Some(self.narrowings.clone()),
            shortest: match &self.stage {
                Stage::Best(search) => best_of(search),
                _ => self.best.clone(),
            },
            starts: self.starts.clone(),
            stop: if stop == StopReason::Done && worst.gave_up { StopReason::MemoryLimit } else { stop },
        });
        if worst.short && !report.exact {
            report.notes.push(SHORT.to_owned());
        }
        if let Some(needs) =
            worst.needs.filter(|&needs| needs <= u64::from(*MEBIBYTES.end()) && !report.exact)
        {
            report.notes.push(format!(
                "A table of bounds was left out: it fits with a \"memory_limit\" of {needs} or more, and may prove more."
            ));
        }
        Some(Report::new(report))
    }
}

impl Job for ExactJob {
    fn step(&mut self, control: &mut Control) -> Step {
        let reason = loop {
            if matches!(self.stage, Stage::Over) {
                break StopReason::Done;
            }
            if self.settings.time_limit.is_some_and(|limit| self.seconds >= limit) {
                break StopReason::TimeLimit;
            }
            self.advance();
            if !control.spend(BATCH) && !matches!(self.stage, Stage::Over) {
                return Step::More(self.progress());
            }
        };
        match self.report(reason) {
            Some(report) => Step::Done(report),
            None => unreachable!("there is always a schedule"),
        }
    }

    /// What was found in the slice is dated by its share of it.
    fn took(&mut self, seconds: f64) {
        let batches = self.batches.max(1) as f64;
        for (at, lower, upper) in self.fresh.drain(..) {
            self.narrowings.push((self.seconds + at as f64 / batches * seconds, lower, upper));
        }
        self.seconds += seconds;
        self.batches = 0;
    }

    /// What there is to show, whenever the schedule is another one, and once the worst case is known.
    fn news(&mut self) -> Option<String> {
        let lower = match &self.stage {
            Stage::Worst(search) => search.bracket().lower.max(self.start.makespan()),
            Stage::Best(_) | Stage::Over => self.told.0.max(1),
        };
        let now = (lower, self.worst.is_some());
        if now == self.told {
            return None;
        }
        self.told = now;
        Some(self.report(StopReason::Cancelled)?.line())
    }

    fn stop(&mut self, reason: StopReason) -> Option<Report> {
        self.report(reason)
    }
}

fn best_of(search: &Shortest) -> Option<ShortestReport> {
    let schedule = search.witness()?;
    Some(ShortestReport::new(&schedule, search.bracket().lower))
}

fn limits(settings: Exact) -> Limits {
    Limits { memory: u64::from(settings.memory_limit) << 20 }
}
