//! The chains of a scenario on as many threads as there are processors.
//!
//! Chains do not look at each other, so how they are shared out changes no result.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::progress::ProgressLine;
use crate::base::control::Pacer;
use crate::job::Progress;
use crate::job::anneal::{ChainState, assemble};
use crate::job::chains::ChainRun;
use crate::job::memory_chains::{self, MemoryEnd, MemoryRun};
use crate::report::Report;
use crate::scenario::{Anneal, Scenario, WarpsScenario};

/// Runs all chains to their end; `threads` at most at a time, or as many as there are processors.
pub fn run(scenario: &Scenario, warps: &WarpsScenario, anneal: &Anneal, threads: Option<usize>) -> Report {
    let mut line = ProgressLine::start(&scenario.title);
    let (chains, total) = (anneal.starts.len(), anneal.settings.total());
    let report = match &warps.memory {
        None => {
            let states = share_out(&mut line, (chains, total, threads), |number, clock, tell| {
                to_the_end(warps, number, total, clock, tell)
            });
            assemble(scenario, warps, &states)
        }
        Some(_) => {
            let ends = share_out(&mut line, (chains, total, threads), |number, clock, tell| {
                memory_to_the_end(warps, number, clock, tell)
            });
            memory_chains::assemble(scenario, warps, &ends)
        }
    };
    let Some(report) = report else { unreachable!("every chain has ended") };
    let mut report = Report::new(report);
    report.took(line.seconds());
    line.clear();
    report
}

/// What a thread does with a chain: given its number, a clock, and whom to tell how far it is.
type Tell<'a> = &'a (dyn Fn(u64, u32) + Sync);

/// What comes of each chain, by its number.
fn share_out<T: Clone + Send>(
    line: &mut ProgressLine,
    (chains, total, threads): (usize, u64, Option<usize>),
    each: impl Fn(usize, &(dyn Fn() -> f64 + Sync), Tell<'_>) -> Option<T> + Sync,
) -> Vec<Option<T>> {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let next = AtomicUsize::new(0);
    let heard = Mutex::new(vec![(0u64, 0u32); chains]);
    let ended = Mutex::new(vec![None; chains]);
    let clock = line.clock();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.unwrap_or(processors).clamp(1, chains))
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= chains {
                            return;
                        }
                        let tell = |iterations, best| locked(&heard)[number] = (iterations, best);
                        let end = each(number, &clock, &tell);
                        locked(&ended)[number] = end;
                    }
                })
            })
            .collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(5));
            let heard = locked(&heard);
            line.show(&Progress {
                done: heard.iter().map(|(iterations, _)| iterations).sum(),
                total: total.saturating_mul(chains as u64),
                best: heard.iter().map(|&(_, best)| best).max(),
                bracket: None,
            });
        }
    });
    locked(&ended).clone()
}

/// The same with loads that take their time.
fn memory_to_the_end(
    warps: &WarpsScenario,
    number: usize,
    clock: impl Fn() -> f64,
    tell: impl Fn(u64, u32),
) -> Option<MemoryEnd> {
    let mut before = clock();
    let mut run = MemoryRun::new(warps, number)?;
    let mut pacer = Pacer::new(20.0);
    loop {
        let more = run.step(&mut pacer.next());
        let now = clock();
        run.took(now - before);
        pacer.took((now - before) * 1000.0);
        before = now;
        tell(run.iterations(), run.best());
        if !more {
            return run.end();
        }
    }
}

fn to_the_end(
    warps: &WarpsScenario,
    number: usize,
    total: u64,
    clock: impl Fn() -> f64,
    tell: impl Fn(u64, u32),
) -> Option<ChainState> {
    let mut before = clock();
    let mut run = ChainRun::new(warps, number, None)?;
    let mut pacer = Pacer::new(20.0);
    loop {
        let more = run.step(&mut pacer.next(), total);
        let now = clock();
        run.took(now - before);
        pacer.took((now - before) * 1000.0);
        before = now;
        tell(run.iterations(), run.best());
        if !more {
            return Some(run.state());
        }
    }
}

/// The value in a mutex; a thread that panicked has ended the program.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
