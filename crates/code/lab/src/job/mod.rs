//! The job: a policy, or searches as asked, stepped to their end.
//!
//! Where it searches, it tells what is proven from the start: the schedules of policies and the bound by formula are a
//! bracket, and whatever is found later only narrows it.

mod telling;

use std::sync::Arc;

use crate::report::{Found, report, rests};
use crate::scenario::{CodeScenario, Method};
use base::{Control, StopReason};
use code::bounds::STRETCHES;
use code::exact::{self, Beam, Best, Goal};
use code::longest::{Search, Settings};
use code::{Schedule, check, schedule};
use kit::job::{BracketLine, Job, Progress, Step};
use kit::report::Report;
use kit::scenario::Scenario;
use telling::Telling;

/// The job of a scenario of this lab.
pub fn start(scenario: &Scenario) -> Option<Box<dyn Job>> {
    CodeJob::new(scenario).map(|job| Box::new(job) as Box<dyn Job>)
}

fn begun(scenario: &Scenario) -> Option<CodeJob> {
    let asked = scenario.asked::<CodeScenario>()?.clone();
    let launch = &asked.launch;
    let mut settings = Settings::usual(launch);
    if let Method::Longest { iterations, seed } = asked.method {
        settings.seed = seed;
        settings.iterations = iterations.unwrap_or(settings.iterations);
    }
    let stage = match asked.method {
        Method::Policy(_) => Stage::Over,
        Method::Beam { .. } => Stage::Beam,
        Method::Longest { .. } | Method::Exact { .. } => Stage::Longest,
    };
    let search = Search::new(launch, settings);
    let beam = match asked.method {
        Method::Beam { width, guided } => Some(Beam::new(launch, width as usize, guided, search.makespan())),
        _ => None,
    };
    let told = Telling::of(launch.instructions());
    Some(CodeJob {
        scenario: scenario.clone(),
        asked,
        search,
        beam,
        exact: None,
        worst: None,
        best: None,
        stage,
        told,
        begun: false,
    })
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Long schedules are sought.
    Longest,
    /// A beam goes on.
    Beam,
    /// All states are searched for the worst case.
    Exact,
    /// All states are searched for the best case.
    Best,
    /// Nothing any more.
    Over,
}

/// A job on machine code.
pub struct CodeJob {
    scenario: Scenario,
    asked: CodeScenario,
    search: Search,
    beam: Option<Beam>,
    exact: Option<exact::Search>,
    /// What that one came to, once it is over.
    worst: Option<Worst>,
    best: Option<Best>,
    stage: Stage,
    told: Telling,
    /// Whether there was a slice, however short.
    begun: bool,
}

/// What a search through all states came to.
#[derive(Clone)]
struct Worst {
    /// A schedule takes so long, and none takes longer.
    bracket: (u64, u64),
    states: u64,
    /// A schedule that is longer than what was known before.
    witness: Option<Schedule>,
    gave_up: bool,
}

impl Worst {
    fn of(search: &exact::Search) -> Self {
        Self {
            bracket: search.bracket(),
            states: search.states(),
            witness: search.witness(),
            gave_up: search.gave_up(),
        }
    }
}

/// Of schedules with more instructions only the last line says why each of them waited.
const LONG: usize = 20_000;
/// Fuel between two looks at the budget of an exact search.
const BATCH: u64 = 1 << 12;

impl CodeJob {
    /// The job at its beginning, if the scenario is of this lab.
    pub fn new(scenario: &Scenario) -> Option<Self> {
        begun(scenario)
    }

    /// The title of its scenario.
    pub fn title(&self) -> &str {
        &self.scenario.title
    }

    /// What is not proven of the kernel that it was read from, in sentences.
    pub fn provided(&self) -> Vec<String> {
        let rests = self.asked.made.as_deref().map(rests::rests).unwrap_or_default();
        rests.into_iter().map(|rest| rest.said).collect()
    }

    /// What is asked about.
    pub fn launch(&self) -> &code::Launch {
        &self.asked.launch
    }

    /// What was found so far.
    pub fn found(&self) -> Found {
        let launch = &*self.asked.launch;
        // What the search for long schedules found it has held against all rules itself.
        let sound = |made: &Schedule| check::check(launch, made).is_empty();
        let (formula, policies) = ((self.search.upper(), self.search.upper_by()), self.search.policies());
        if let Method::Policy(policy) = self.asked.method {
            let made = policy.schedule(launch, schedule::longest(launch));
            return Found::new(launch, made, formula, policies);
        }
        if let Some(beam) = &self.beam {
            let best = beam.witness().filter(sound).unwrap_or_else(|| self.search.best().clone());
            return Found::new(launch, best, formula, policies).after(beam.states());
        }
        let longest = self.search.best();
        let found = match self.worst() {
            None => Found::new(launch, longest.clone(), formula, policies),
            Some(worst) => {
                let beyond = worst.bracket.1;
                let upper = if beyond < formula.0 { (beyond, exact::ALL_STATES) } else { formula };
                let best = worst.witness.filter(sound).unwrap_or_else(|| longest.clone());
                Found::new(launch, best, upper, policies).after(worst.states)
            }
        };
        found.beside(self.best.as_ref())
    }

    /// What is known of the worst case by a search through all states, where there is one.
    fn worst(&self) -> Option<Worst> {
        self.worst.clone().or_else(|| self.exact.as_ref().map(Worst::of))
    }

    /// The same job, which leaves the best case alone.
    #[must_use]
    pub fn without_best(mut self) -> Self {
        if let Method::Exact { shortest, .. } = &mut self.asked.method {
            *shortest = false;
        }
        self
    }

    fn report(&self, stop: StopReason) -> Report {
        Report::new(report(&self.scenario.title, &self.asked, &self.found(), stop))
    }

    /// What is told before the end; of long schedules without why each instruction waited, which is most of a line.
    fn line(&self) -> String {
        let found = self.found();
        let found = if self.asked.launch.instructions() > LONG { found.without_waits() } else { found };
        Report::new(report(&self.scenario.title, &self.asked, &found, StopReason::Cancelled)).line()
    }

    fn progress(&self) -> Progress {
        let (done, total) = match &self.beam {
            Some(beam) => (beam.cycle().into(), self.search.upper()),
            None => self.search.progress(),
        };
        let line = match (&self.best, &self.exact) {
            _ if self.beam.is_some() => self.beam_line(),
            (Some(best), _) => {
                let ((lower, upper), (states, layer)) = (best.bracket(), best.at());
                let [lower, upper] = [lower, upper].map(|cycles| u32::try_from(cycles).ok());
                BracketLine {
                    phase: "all states".to_owned(),
                    best_case: true,
                    layer,
                    states,
                    lower: lower.unwrap_or(u32::MAX),
                    upper,
                }
            }
            (None, exact) => BracketLine {
                phase: if exact.is_some() { "all states" } else { "long schedules" }.to_owned(),
                best_case: false,
                layer: exact.as_ref().map_or(0, exact::Search::cycle),
                states: exact.as_ref().map_or(0, exact::Search::states),
                lower: self.search.makespan(),
                upper: u32::try_from(self.search.upper()).ok(),
            },
        };
        Progress { done, total, best: Some(line.lower), bracket: Some(line) }
    }

    fn beam_line(&self) -> BracketLine {
        let beam = self.beam.as_ref();
        let best = beam.and_then(|beam| u32::try_from(beam.best()).ok());
        BracketLine {
            phase: "beam".to_owned(),
            best_case: false,
            layer: beam.map_or(0, Beam::cycle),
            states: beam.map_or(0, Beam::states),
            lower: best.unwrap_or_else(|| self.search.makespan()),
            upper: u32::try_from(self.search.upper()).ok(),
        }
    }

    /// The exact search, once the other one is over; none where there is a gap no search can close.
    fn go_on(&mut self) {
        self.stage = Stage::Over;
        if let Method::Exact { memory, .. } = self.asked.method {
            if self.search.upper_by() == STRETCHES && u64::from(self.search.makespan()) >= self.search.upper()
            {
                return self.go_on_to_the_best();
            }
            let launch: &Arc<_> = &self.asked.launch;
            self.exact = exact::Search::new(launch, Goal::Longest, self.search.makespan(), memory);
            match self.exact {
                Some(_) => self.stage = Stage::Exact,
                None => self.go_on_to_the_best(),
            }
        }
    }

    /// The best case, once the worst case is over, whose search gives its memory back before.
    fn go_on_to_the_best(&mut self) {
        self.stage = Stage::Over;
        self.worst = self.exact.take().as_ref().map(Worst::of);
        if let Method::Exact { memory, shortest: true } = self.asked.method {
            self.best = Some(Best::new(&self.asked.launch, self.search.best(), memory));
            self.stage = Stage::Best;
        }
    }
}

impl Job for CodeJob {
    fn step(&mut self, control: &mut Control) -> Step {
        loop {
            match self.stage {
                Stage::Over => {
                    let gave_up = self.worst.as_ref().is_some_and(|worst| worst.gave_up);
                    let stop = if gave_up { StopReason::MemoryLimit } else { StopReason::Done };
                    return Step::Done(self.report(stop));
                }
                // What is known without a search is told before it.
                Stage::Longest | Stage::Beam if !std::mem::replace(&mut self.begun, true) => {
                    return Step::More(self.progress());
                }
                Stage::Longest => {
                    if self.search.step(control) {
                        return Step::More(self.progress());
                    }
                    self.go_on();
                }
                Stage::Beam => {
                    if !self.beam.as_mut().is_some_and(|beam| beam.step(BATCH)) {
                        self.stage = Stage::Over;
                    } else if !control.spend(BATCH) {
                        return Step::More(self.progress());
                    }
                }
                Stage::Exact => {
                    if !self.exact.as_mut().is_some_and(|exact| exact.step(BATCH)) {
                        self.go_on_to_the_best();
                    }
                    if !control.spend(BATCH) {
                        return Step::More(self.progress());
                    }
                }
                Stage::Best => {
                    if !self.best.as_mut().is_some_and(|best| best.step(BATCH)) {
                        self.stage = Stage::Over;
                    } else if !control.spend(BATCH) {
                        return Step::More(self.progress());
                    }
                }
            }
        }
    }

    fn took(&mut self, seconds: f64) {
        self.told.seconds += seconds;
    }

    /// The report as it would be if the search ended now: at once, and again when it has narrowed.
    fn news(&mut self) -> Option<String> {
        let Self { search, beam, exact, worst, best, told, .. } = self;
        let bracket = || {
            let upper = search.upper();
            let known = worst.as_ref().map(|worst| worst.bracket);
            let known = known.or_else(|| exact.as_ref().map(exact::Search::bracket));
            let longest = beam.as_ref().map_or_else(|| search.makespan().into(), Beam::best);
            (
                known.map_or((longest, upper), |known| (known.0, known.1.min(upper))),
                best.as_ref().map(Best::bracket),
            )
        };
        told.is_due(bracket).then(|| self.line())
    }

    fn stop(&mut self, reason: StopReason) -> Option<Report> {
        Some(self.report(reason))
    }
}
