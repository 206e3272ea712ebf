//! Schedules, annealing, beams, exact searches and certificates, in slices.

pub mod anneal;
mod beam;
pub mod certify;
pub mod chains;
mod checkpoint;
mod exact;
mod memory;
pub mod memory_chains;
mod warps;

use crate::scenario::{Method, WarpsScenario};
use ::warps::exact::Problem;
use ::warps::{Order, Schedule, Start, construct};
use kit::job::{Job, Weight};
use kit::lab::Linked;
use kit::scenario::Scenario;

/// Whether a schedule is that of a given order, and no search.
pub fn is_quick(warps: &WarpsScenario) -> bool {
    warps.memory.is_none() && order(warps).is_some()
}

/// The weight of a scenario's job: searches are all but the schedules of given orders, and what another lab asks.
pub fn weight(scenario: &Scenario) -> Weight {
    match scenario.asked::<WarpsScenario>() {
        Some(warps) if is_quick(warps) => Weight::Quick,
        _ => Weight::Search,
    }
}

/// The job of a scenario of this lab, if it is a quick one.
pub fn start_quick(scenario: &Scenario) -> Option<Box<dyn Job>> {
    let warps = scenario.asked::<WarpsScenario>().filter(|warps| warps.memory.is_none())?;
    let order = order(warps)?;
    Some(Box::new(self::warps::WarpsJob::new(scenario.clone(), warps.clone(), order)))
}

/// The job of a scenario of this lab.
pub fn start(scenario: &Scenario) -> Option<Box<dyn Job>> {
    let warps = scenario.asked::<WarpsScenario>()?;
    let job = start_quick(scenario).or_else(|| search(scenario.clone(), warps.clone()));
    debug_assert!(job.is_some(), "a validated scenario has a unit for every instruction");
    job
}

fn search(scenario: Scenario, warps: WarpsScenario) -> Option<Box<dyn Job>> {
    Some(match &warps.method {
        Method::Anneal(_) if warps.memory.is_some() => {
            Box::new(memory_chains::MemoryAnnealJob::new(scenario, warps)?)
        }
        _ if warps.memory.is_some() => memory::start(scenario, warps)?,
        Method::Anneal(_) => Box::new(chains::AnnealJob::new(scenario, warps)?),
        &Method::Beam(settings) => Box::new(beam::BeamJob::new(scenario, warps, settings)?),
        &Method::Exact(settings) => Box::new(exact::ExactJob::new(scenario, warps, settings)?),
        Method::Initial(_) | Method::Order(_) | Method::Schedule(_) => return None,
    })
}

/// The order whose schedule is asked for; none where one is sought.
fn order(warps: &WarpsScenario) -> Option<Order> {
    let (kernel, machine, fairness) = (&warps.kernel, &warps.normalised.machine, &warps.fairness);
    Some(match &warps.method {
        Method::Initial(start) => start.fair_order(kernel, machine, fairness, warps.count),
        Method::Order(order) => fairness.arranged(order, kernel.len()),
        // Reading the schedule column by column and constructing gives it back: it is work-conserving.
        Method::Schedule(schedule) => schedule.to_order(),
        Method::Anneal(_) | Method::Beam(_) | Method::Exact(_) => return None,
    })
}

/// The job that writes the certificate of a scenario's result, whichever of the linked labs the scenario is of.
pub fn start_certificate(linked: &Linked, scenario: Scenario) -> Box<dyn Job> {
    Box::new(certify::CertifyJob::new(linked, scenario))
}

/// What a search is asked about.
fn problem(warps: &WarpsScenario) -> Problem<'_> {
    Problem {
        kernel: &warps.kernel,
        machine: &warps.normalised.machine,
        warps: warps.count,
        fairness: &warps.fairness,
    }
}

/// The longest schedule that any of the known starts makes: what a search has before it has anything.
fn longest_start(warps: &WarpsScenario) -> Option<Schedule> {
    starts(warps).into_iter().map(|(_, schedule)| schedule).rev().max_by_key(Schedule::makespan)
}

/// The schedules of all known starts.
fn starts(warps: &WarpsScenario) -> Vec<(Start, Schedule)> {
    let (kernel, machine, fairness) = (&warps.kernel, &warps.normalised.machine, &warps.fairness);
    let schedule = |start: Start| {
        let order = start.fair_order(kernel, machine, fairness, warps.count);
        Some((start, construct(kernel, machine, &order, warps.count)?))
    };
    Start::FIXED.into_iter().filter_map(schedule).collect()
}
