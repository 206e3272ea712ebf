//! The rule that kernels start in the order in which they come to the head of the queue: what a recording of whole
//! kernels would have to be wrong about for it to hold.
//!
//! A kernel comes to the queue when all that is known has permitted its start. Where another one of no higher priority
//! came later and started sooner, the rule holds only if the first came later than that, by what is told here. No such
//! recording refutes the rule: it does not say when a kernel's blocks were handed out. One block by block can.

use std::collections::BTreeMap;

use crate::causes::Causes;
use crate::trace::Kind;

/// What the rule needs on a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Queue {
    /// Kernels of which it is known when they came.
    pub kernels: u64,
    /// Of these, how many a later one overtook, as recorded.
    pub overtaken: u64,
    /// The one that must have come latest, and the one that overtook it.
    pub worst: Option<(u32, u32)>,
    /// By how much it must have come later.
    pub later: u64,
}

/// What the rule needs on a device, by its place.
pub fn queue(causes: &Causes, device: u32) -> Queue {
    let trace = causes.trace;
    let mut kernels: Vec<(i64, i64, i64, u32)> = Vec::new();
    for (place, own) in (0..).zip(&trace.operations) {
        if let (Kind::Kernel(_), Some(came)) = (&own.kind, causes.why[place as usize].earliest)
            && causes.device(place) == device
        {
            let priority = trace.streams[own.stream as usize].priority.unwrap_or(0);
            kernels.push((own.start, came, priority, place));
        }
    }
    kernels.sort_unstable();
    let mut found = Queue { kernels: kernels.len() as u64, ..Queue::default() };
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
    found
}
