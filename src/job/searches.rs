//! What workers for searches do beside running scenarios: certificates, single chains of an annealing, shares of
//! studies.

use std::cell::RefCell;

use super::anneal::ChainState;
use super::chains::ChainRun;
use super::protocol::ToWorker;
use super::start_certificate;
use super::worker::{Advance, Work};
use crate::base::{Control, Problem};
use crate::scenario::WarpsScenario;
use crate::study::{Asked, Study};

/// A chain up to an iteration.
struct Until(ChainRun, u64);

impl Advance for Until {
    fn step(&mut self, control: &mut Control) -> bool {
        self.0.step(control, self.1)
    }

    fn took(&mut self, seconds: f64) {
        self.0.took(seconds);
    }

    fn state(&self) -> ChainState {
        self.0.state()
    }
}

/// The work a message asks for, if it is of these kinds.
pub fn more(message: &ToWorker) -> Option<Result<Work, Vec<Problem>>> {
    match message {
        ToWorker::Certify { text, .. } => {
            let scenario = labs::WORKED.read(text);
            Some(scenario.map(|scenario| Work::Whole(start_certificate(scenario))))
        }
        ToWorker::Chain { text, chain, from, until, milliseconds, .. } => {
            let run = chain_of(text, *chain, from.as_ref());
            Some(run.map(|run| Work::Chain(Box::new(Until(run, *until)), *milliseconds)))
        }
        ToWorker::Study { text, asked, .. } => Some(studied(text, *asked)),
        ToWorker::Start { .. }
        | ToWorker::Check { .. }
        | ToWorker::Pause { .. }
        | ToWorker::Resume { .. }
        | ToWorker::Cancel { .. } => None,
    }
}

/// A chain of the scenario in a text.
fn chain_of(text: &str, chain: usize, from: Option<&ChainState>) -> Result<ChainRun, Vec<Problem>> {
    let scenario = labs::WORKED.read(text)?;
    let run = scenario.asked::<WarpsScenario>().and_then(|warps| ChainRun::new(warps, chain, from));
    run.ok_or_else(|| {
        vec![Problem::at("warps.method.anneal", format!("no chain {}", chain + 1), "a chain of the scenario")]
    })
}

thread_local! {
    /// The study that was asked about last, with its text and title: it is asked about many times.
    static STUDY: RefCell<Option<(String, String, Study)>> = const { RefCell::new(None) };
}

/// The work on a study.
fn studied(text: &str, asked: Asked) -> Result<Work, Vec<Problem>> {
    STUDY.with_borrow_mut(|known| {
        if known.as_ref().is_none_or(|(of, ..)| of != text) {
            let scenario = labs::WORKED.read(text)?;
            let study = Study::of(&scenario);
            let study = study.ok_or_else(|| vec![Problem::at("document", "no study in it", "\"study\"")])?;
            *known = Some((text.to_owned(), scenario.title.clone(), study));
        }
        let Some((_, title, study)) = known else { return Err(Vec::new()) };
        asked.job(title, study).map(Work::Whole)
    })
}
