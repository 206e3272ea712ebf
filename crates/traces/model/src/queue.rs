//! The rule that kernels start in the order in which they come to the head of the queue: what a recording of whole
//! kernels would have to be wrong about for it to hold.
//!
//! A kernel comes to the queue when all that is known has permitted its start. That is told only of kernels whose launch is
//! recorded: the end of the operation before it in its stream says no more than that it came no sooner. Where another one of no higher priority
//! came later and started sooner, the rule holds only if the first came later than that, by what is told here. No such
//! recording refutes the rule: it does not say when a kernel's blocks were handed out. One block by block can.
//!
//! By the rule all blocks of a kernel are handed out before one behind it begins. Where a kernel of several waves still ran
//! when another of no higher priority began, its blocks cannot all have taken the same time: some multiprocessor's place
//! had all but the last of a kernel's waves before that, and the block that ended last ran from then on at least. By how
//! much the two must differ follows from the times alone, and is the least for any number of blocks that fit.

use std::collections::BTreeMap;

use crate::causes::Causes;
use crate::occupancy::Holds;
use crate::trace::{Kind, Trace};

/// No device runs more kernels than these at once.
const AT_ONCE: usize = 128;

/// What the rule needs on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Queue {
    /// All kernels on it.
    pub all: u64,
    /// Kernels of which it is known when they came: those whose launch is.
    pub kernels: u64,
    /// Of these, how many a later one overtook, as recorded.
    pub overtaken: u64,
    /// The one that must have come latest, and the one that overtook it.
    pub worst: Option<(u32, u32)>,
    /// By how much it must have come later.
    pub later: u64,
    /// Kernels that began while blocks of one before them, if all took equally long, had not begun.
    pub amid: u64,
    /// Of these the one that needs the most of the rule: which still ran, which began, and by how many percent, rounded
    /// down, the longest block of the former took longer than the shortest.
    pub uneven: Option<(u32, u32, u64)>,
}

/// A kernel that runs in several waves.
struct Waves {
    kernel: u32,
    priority: i64,
    process: i64,
    start: i64,
    end: i64,
    count: u64,
}

impl Waves {
    fn of<'a>(trace: &'a Trace, kernel: u32, holds: &mut Holds<'a>) -> Option<Self> {
        let own = &trace.operations[kernel as usize];
        let Kind::Kernel(shape) = &own.kind else { return None };
        let stream = &trace.streams[own.stream as usize];
        let count = holds.held(shape)?.waves?.count();
        let (priority, process) = (stream.priority.unwrap_or(0), stream.process);
        (count > 1).then_some(Self { kernel, priority, process, start: own.start, end: own.end, count })
    }

    /// By how many percent its blocks must differ where all had begun by a time at which it ran.
    fn uneven(&self, at: i64) -> Option<u64> {
        let (before, others) = (at.abs_diff(self.start), self.count - 1);
        // Else the shortest block took no time.
        if others == 0 || before < others {
            return None;
        }
        let most = u128::from(self.end.abs_diff(at)) * u128::from(others);
        let more = most.checked_sub(u128::from(before)).filter(|&more| more > 0)? * 100;
        // 128 bits are divided slowly, and hardly ever needed.
        Some(match u64::try_from(more) {
            Ok(more) => more / before,
            Err(_) => u64::try_from(more / u128::from(before)).unwrap_or(u64::MAX),
        })
    }
}

/// Notes which kernels began amid the waves of others.
fn amid(trace: &Trace, device: usize, kernels: &[u32], found: &mut Queue) {
    let mut holds = Holds::of(&trace.devices[device].limits);
    let mut running: Vec<Waves> = Vec::new();
    for &kernel in kernels {
        let own = &trace.operations[kernel as usize];
        let stream = &trace.streams[own.stream as usize];
        running.retain(|waves| waves.end > own.start);
        let priority = stream.priority.unwrap_or(0);
        let others = running
            .iter()
            .filter(|one| one.process == stream.process && priority >= one.priority && one.start < own.start);
        let most = others.filter_map(|one| Some((one.uneven(own.start)?, one.kernel))).max();
        if let Some((percent, before)) = most {
            found.amid += 1;
            if found.uneven.is_none_or(|(.., known)| percent > known) {
                found.uneven = Some((before, kernel, percent));
            }
        }
        if let Some(waves) = Waves::of(trace, kernel, &mut holds) {
            if running.len() == AT_ONCE {
                running.remove(0);
            }
            running.push(waves);
        }
    }
}

/// What the rule needs on each device, by its place.
pub fn queues(causes: &Causes) -> Vec<Queue> {
    let trace = causes.trace;
    let mut kernels: Vec<Vec<u32>> = vec![Vec::new(); trace.devices.len()];
    for (place, own) in (0..).zip(&trace.operations) {
        if matches!(own.kind, Kind::Kernel(_)) {
            kernels[causes.device(place) as usize].push(place);
        }
    }
    kernels.iter().enumerate().map(|(device, kernels)| queue(causes, device, kernels)).collect()
}

/// What the rule needs of the kernels of a device.
fn queue(causes: &Causes, device: usize, all: &[u32]) -> Queue {
    let trace = causes.trace;
    let came = |&place: &u32| {
        let own = &trace.operations[place as usize];
        let priority = trace.streams[own.stream as usize].priority.unwrap_or(0);
        // Without its launch nobody knows when it came.
        own.call?;
        Some((own.start, causes.why[place as usize].earliest?, priority, place))
    };
    let mut kernels: Vec<(i64, i64, i64, u32)> = all.iter().filter_map(came).collect();
    // Operations are sorted by their starts.
    kernels.chunk_by_mut(|a, b| a.0 == b.0).for_each(<[_]>::sort_unstable);
    let counts = (all.len() as u64, kernels.len() as u64);
    let mut found = Queue { all: counts.0, kernels: counts.1, ..Queue::default() };
    // By priority: of the kernels that started sooner, the one that came latest.
    let mut latest: BTreeMap<i64, (i64, u32)> = BTreeMap::new();
    for alike in kernels.chunk_by(|a, b| a.0 == b.0) {
        for &(_, came, priority, place) in alike {
            // The smaller the number, the more urgent: those of no higher priority have the same or more.
            let other = latest.range(priority..).map(|(_, latest)| *latest).max();
            if let Some((later, other)) = other.filter(|(later, _)| *later > came) {
                found.overtaken += 1;
                let by = later.abs_diff(came);
                if by > found.later || found.worst.is_none() {
                    (found.later, found.worst) = (by, Some((place, other)));
                }
            }
        }
        for &(_, came, priority, place) in alike {
            let own = latest.entry(priority).or_insert((came, place));
            *own = (*own).max((came, place));
        }
    }
    amid(trace, device, all, &mut found);
    found
}
