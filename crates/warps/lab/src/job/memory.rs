//! The job of warps whose loads take their time: construct a schedule and place the misses, or search for the
//! longest. Beams and the exact search are here; annealing is in [`super::memory_chains`].

use crate::report::{Found, WarpsReport, warps_report};
use crate::scenario::{Beam as BeamSettings, Exact, Method, WarpsScenario};
use base::{Control, StopReason};
use kit::job::{BracketLine, Job, Progress, Step};
use kit::report::Report;
use kit::scenario::Scenario;
use warps::memory::Problem;
use warps::memory::construct::{construct, started};
use warps::memory::exact::Ranking;
use warps::memory::exact::{Beam, Search, Witness, starts};
use warps::memory::misses::{self, MissSearch};
use warps::{Memory, Order, Schedule, Start};

/// Fuel between two looks at the budget.
const BATCH: u64 = 1 << 12;

/// What a scenario asks, where its loads take their time.
pub(super) fn problem<'a>(warps: &'a WarpsScenario, memory: &'a Memory) -> Problem<'a> {
    Problem { kernel: &warps.kernel, machine: &warps.normalised.machine, memory, warps: warps.count }
}

/// The job of a scenario with memory, but for annealing; `None` if it has none, or does not fit.
pub(super) fn start(scenario: Scenario, warps: WarpsScenario) -> Option<Box<dyn Job>> {
    let memory = warps.memory.clone()?;
    match &warps.method {
        Method::Anneal(_) => None,
        Method::Beam(settings) => {
            let settings = *settings;
            Some(Box::new(BeamJob::new(scenario, warps, memory, settings)?))
        }
        Method::Exact(settings) => {
            let settings = *settings;
            Some(Box::new(ExactJob::new(scenario, warps, memory, settings)?))
        }
        Method::Initial(_) | Method::Order(_) | Method::Schedule(_) => {
            Some(Box::new(PlacingJob::new(scenario, warps, memory)?))
        }
    }
}

/// The report of a schedule of warps with memory.
pub(super) fn report_of(
    scenario: &Scenario,
    warps: &WarpsScenario,
    order: Option<Order>,
    schedule: &Schedule,
) -> WarpsReport {
    let order = order.unwrap_or_else(|| schedule.to_order());
    let mut report = warps_report(scenario, warps, &order, schedule);
    report.note_loads(warps);
    report
}

/// An order or a start with the misses that make it longest, or a schedule that is given.
struct PlacingJob {
    scenario: Scenario,
    warps: WarpsScenario,
    memory: Memory,
    placing: MissSearch,
    how: misses::Method,
    tried: u64,
    over: bool,
}

impl PlacingJob {
    fn new(scenario: Scenario, warps: WarpsScenario, memory: Memory) -> Option<Self> {
        let problem = problem(&warps, &memory);
        let placing = MissSearch::new(&problem, |missed| play(&problem, &warps.method, missed))?;
        let how = placing.how();
        Some(Self { placing, how, scenario, warps, memory, tried: 0, over: false })
    }

    fn report(&self) -> Report {
        let (schedule, _) = self.placing.best();
        // The order as it is given or named; that of a policy depends on what misses.
        let (kernel, machine) = (&self.warps.kernel, &self.warps.normalised.machine);
        let order = match &self.warps.method {
            Method::Order(order) => Some(order.clone()),
            Method::Initial(start @ (Start::RoundRobin | Start::FixedPriority | Start::Random(_))) => {
                Some(start.order(kernel, machine, self.warps.count))
            }
            _ => None,
        };
        let mut report = report_of(&self.scenario, &self.warps, order, schedule);
        let stopped = !self.over && self.how != misses::Method::Settled;
        let how = if stopped { misses::Method::Stopped } else { self.how };
        if let Some(memory) = &mut report.memory {
            memory.placement = how.text().map(str::to_owned);
        }
        Report::new(report)
    }
}

/// The schedule that a method makes of the loads that miss.
fn play(problem: &Problem, method: &Method, missed: &[(u16, u16)]) -> Option<Schedule> {
    match method {
        Method::Order(order) => construct(problem, order, missed),
        Method::Initial(start) => started(problem, *start, missed),
        Method::Schedule(schedule) => Some(schedule.clone()),
        Method::Anneal(_) | Method::Beam(_) | Method::Exact(_) => None,
    }
}

impl Job for PlacingJob {
    fn step(&mut self, control: &mut Control) -> Step {
        let Self { placing, warps, memory, .. } = self;
        let problem = problem(warps, memory);
        let cost = 30 * (warps.count * warps.kernel.len()) as u64;
        while !self.over {
            self.over = !placing.step(|missed| play(&problem, &warps.method, missed));
            self.tried += 1;
            if !control.spend(cost) && !self.over {
                let best = Some(placing.best().0.makespan());
                return Step::More(Progress { done: self.tried, total: self.tried + 1, best, bracket: None });
            }
        }
        Step::Done(self.report())
    }

    fn stop(&mut self, _reason: StopReason) -> Option<Report> {
        Some(self.report())
    }
}

/// A beam.
struct BeamJob {
    scenario: Scenario,
    warps: WarpsScenario,
    memory: Memory,
    beam: Beam,
    over: bool,
}

impl BeamJob {
    fn new(scenario: Scenario, warps: WarpsScenario, memory: Memory, settings: BeamSettings) -> Option<Self> {
        let ranking = if settings.guided { Ranking::Bound } else { Ranking::Work };
        let beam = Beam::new(&problem(&warps, &memory), settings.width as usize, ranking)?;
        Some(Self { scenario, warps, memory, beam, over: false })
    }

    fn report(&self, stop: StopReason) -> Report {
        let (schedule, _) = self.beam.best();
        let mut report = report_of(&self.scenario, &self.warps, None, schedule);
        report.note_search(Found {
            lower: schedule.makespan(),
            upper: None,
            states: None,
            bracket: None,
            shortest: None,
            starts: Vec::new(),
            stop: if self.beam.is_out_of_memory() { StopReason::MemoryLimit } else { stop },
        });
        Report::new(report)
    }
}

impl Job for BeamJob {
    fn step(&mut self, control: &mut Control) -> Step {
        while !self.over {
            self.over = !self.beam.step(&problem(&self.warps, &self.memory), BATCH);
            if !control.spend(BATCH) && !self.over {
                let (layer, lower) = (self.beam.layer(), self.beam.best().0.makespan());
                let phase = "beam search".to_owned();
                let line = BracketLine { phase, best_case: false, layer, states: 0, lower, upper: None };
                let total = u64::from(layer.max(lower)) + 1;
                return Step::More(Progress {
                    done: layer.into(),
                    total,
                    best: Some(lower),
                    bracket: Some(line),
                });
            }
        }
        Step::Done(self.report(StopReason::Done))
    }

    fn stop(&mut self, reason: StopReason) -> Option<Report> {
        Some(self.report(reason))
    }
}

/// An exact search.
struct ExactJob {
    scenario: Scenario,
    warps: WarpsScenario,
    memory: Memory,
    settings: Exact,
    search: Search,
    starts: Vec<(String, u32)>,
    over: bool,
    told: (u32, bool),
    seconds: f64,
    /// Batches since the last reading of the clock, and narrowings since then.
    batches: u64,
    fresh: Vec<(u64, u32, u32)>,
    narrowings: Vec<(f64, u32, u32)>,
}

impl ExactJob {
    fn new(scenario: Scenario, warps: WarpsScenario, memory: Memory, settings: Exact) -> Option<Self> {
        let problem = problem(&warps, &memory);
        let search = Search::new(&problem, u64::from(settings.memory_limit) << 20)?;
        // What a start takes depends on which loads miss; where that is open it is no comparison.
        let starts = match problem.settled() {
            Some(_) => {
                let takes = |(start, made): (Start, Witness)| (start.name().to_owned(), made.0.makespan());
                starts(&problem).into_iter().map(takes).collect()
            }
            None => Vec::new(),
        };
        let first = (0.0, search.best().0.makespan(), search.upper().0);
        Some(Self {
            scenario,
            warps,
            memory,
            settings,
            search,
            starts,
            over: false,
            told: (0, false),
            seconds: 0.0,
            batches: 0,
            fresh: Vec::new(),
            narrowings: vec![first],
        })
    }

    fn note(&mut self) {
        let now = (self.search.best().0.makespan(), self.search.upper().0);
        let fresh = self.fresh.last().map(|&(_, lower, upper)| (lower, upper));
        let noted = self.narrowings.last().map(|&(_, lower, upper)| (lower, upper));
        if fresh.or(noted) != Some(now) {
            self.fresh.push((self.batches, now.0, now.1));
        }
    }

    fn progress(&self) -> Progress {
        let (lower, (upper, _)) = (self.search.best().0.makespan(), self.search.upper());
        let line = BracketLine {
            phase: self.search.phase().to_owned(),
            best_case: false,
            layer: self.search.layer(),
            states: self.search.states(),
            lower,
            upper: Some(upper),
        };
        Progress { done: line.layer.into(), total: upper.into(), best: Some(lower), bracket: Some(line) }
    }

    fn report(&mut self, stop: StopReason) -> Report {
        self.note();
        self.took(0.0); // what the last slice found is told even if nobody timed it
        let (schedule, _) = self.search.best();
        let mut report = report_of(&self.scenario, &self.warps, None, schedule);
        let (upper, by) = self.search.upper();
        report.note_search(Found {
            lower: schedule.makespan(),
            upper: Some((upper, by.to_owned())),
            states: Some(self.search.states()),
            bracket: Some(self.narrowings.clone()),
            shortest: None,
            starts: self.starts.clone(),
            stop: if stop == StopReason::Done && self.search.gave_up() {
                StopReason::MemoryLimit
            } else {
                stop
            },
        });
        Report::new(report)
    }
}

impl Job for ExactJob {
    fn step(&mut self, control: &mut Control) -> Step {
        while !self.over {
            if self.settings.time_limit.is_some_and(|limit| self.seconds >= limit) {
                return Step::Done(self.report(StopReason::TimeLimit));
            }
            self.over = !self.search.step(&problem(&self.warps, &self.memory), BATCH);
            self.batches += 1;
            self.note();
            if !control.spend(BATCH) && !self.over {
                return Step::More(self.progress());
            }
        }
        Step::Done(self.report(StopReason::Done))
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

    fn news(&mut self) -> Option<String> {
        let now = (self.search.best().0.makespan(), self.over);
        if now == self.told {
            return None;
        }
        self.told = now;
        Some(self.report(StopReason::Cancelled).line())
    }

    fn stop(&mut self, reason: StopReason) -> Option<Report> {
        Some(self.report(reason))
    }
}
