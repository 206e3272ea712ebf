//! What a device takes between two operations of which the second had been waiting: measured, never assumed.
//!
//! 1. A sample is an operation whose launching call had returned before the operation before it in its stream ended, for
//!    which nothing else came later than that end, and between which and that end nothing ran on the device.
//! 2. Nodes of graphs, whose order is not recorded, are only used where there is nothing else.
//! 3. Kernels are measured apart from copies and sets.
//! 4. What took longer than [`TIMES`] what the shortest tenth of the samples took, and than 20 microseconds, is no
//!    latency, whatever it was: it is counted, not measured. That tenth is the device's own time even where most samples
//!    are not, as in recordings from which operations are missing.
//! 5. The longest of the others only bounds nothing: else one sample would explain itself. So of one sample nothing is
//!    measured.
//! 6. What a launch takes onto a device that does nothing is measured apart, by the same rules: from the return of the call
//!    on, where the launch came last and nothing ran on the device since the call had begun. Graphs are not used, nor calls
//!    that wait for what they launch. Of fewer than [`FEWEST`] launches nothing is measured: they differ more.

use crate::cause::Cause;
use crate::causes::{Binding, Causes};
use crate::constraints::After;
use crate::trace::{Does, Kind};

/// So many times the shortest tenth of the samples a device's own latency never exceeds.
pub const TIMES: u64 = 20;

/// Nanoseconds that the shortest tenth is taken to take at least, for some recordings know no shorter time.
pub const LEAST: u64 = 1_000;

/// So many launches at least tell how long launches take.
pub const FEWEST: u64 = 10;

/// The latency of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Latency {
    /// How many samples there were.
    pub samples: u64,
    /// How many more took too long to be latency.
    pub longer: u64,
    /// The median, the lower of two.
    pub median: u64,
    /// The 99th percentile by nearest rank of all samples but the longest, 0 without any: up to here, time between
    /// operations is called latency.
    pub most: u64,
}

/// The latencies of a device, by what starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Latencies {
    /// Before kernels.
    pub kernels: Latency,
    /// Before copies and sets.
    pub copies: Latency,
    /// Between the return of a launching call and a kernel, on a device that does nothing.
    pub launched_kernels: Latency,
    /// The same of copies and sets.
    pub launched_copies: Latency,
}

impl Latencies {
    /// Before an operation of a kind.
    pub fn before(&self, kind: &Kind) -> &Latency {
        if matches!(kind, Kind::Kernel(_)) { &self.kernels } else { &self.copies }
    }

    /// After the launch of an operation of a kind onto a device that does nothing.
    pub fn after_launch(&self, kind: &Kind) -> &Latency {
        if matches!(kind, Kind::Kernel(_)) { &self.launched_kernels } else { &self.launched_copies }
    }
}

/// Samples between plain operations, and those between nodes of graphs.
type Samples = [Vec<u64>; 2];

/// The latencies of all devices.
pub(crate) fn latencies(causes: &Causes, bindings: &[Binding]) -> Vec<Latencies> {
    let trace = causes.trace;
    let mut samples: Vec<[Samples; 2]> = trace.devices.iter().map(|_| Default::default()).collect();
    let mut launches: Vec<Samples> = trace.devices.iter().map(|_| Default::default()).collect();
    let mut busy = vec![i64::MIN; trace.devices.len()];
    for (operation, (own, binding)) in (0..).zip(trace.operations.iter().zip(bindings)) {
        let device = causes.device(operation) as usize;
        if busy[device] <= own.start
            && let Some((since, node)) = queued(causes, operation, binding)
            && since == busy[device]
        {
            let kernel = matches!(own.kind, Kind::Kernel(_));
            samples[device][usize::from(kernel)][usize::from(node)].push(own.start.abs_diff(since));
        }
        if let Some(took) = launched(causes, operation, binding, busy[device]) {
            launches[device][usize::from(matches!(own.kind, Kind::Kernel(_)))].push(took);
        }
        busy[device] = busy[device].max(own.end);
    }
    let of = |([copies, kernels], [after_copies, after_kernels]): ([Samples; 2], Samples)| Latencies {
        kernels: latency(kernels),
        copies: latency(copies),
        launched_kernels: of_launches(after_kernels),
        launched_copies: of_launches(after_copies),
    };
    samples.into_iter().zip(launches).map(of).collect()
}

/// How long after the return of its call an operation began that its launch alone had held back, on a device that had done
/// nothing since that began.
fn launched(causes: &Causes, operation: u32, binding: &Binding, busy: i64) -> Option<u64> {
    let own = &causes.trace.operations[operation as usize];
    let (since, _) = binding.filter(|binding| binding.1.cause == Cause::Launch)?;
    let call = &causes.trace.calls[own.call? as usize];
    let plain = !own.graph_node && call.does != Does::AwaitOperation(operation);
    let took = own.start.saturating_sub(call.end).max(0).unsigned_abs();
    (plain && busy <= since && since <= own.start).then_some(took)
}

/// What launches take, of enough of them.
fn of_launches(samples: Vec<u64>) -> Latency {
    let found = latency([samples, Vec::new()]);
    if found.samples < FEWEST { Latency { most: 0, ..found } } else { found }
}

/// Since when an operation waited for nothing but its device, and whether it is a node of a graph that follows another.
fn queued(causes: &Causes, operation: u32, binding: &Binding) -> Option<(i64, bool)> {
    let (since, binding) = binding.filter(|binding| binding.1.cause == Cause::Stream)?;
    let call = causes.trace.operations[operation as usize].call?;
    let returned = causes.trace.calls[call as usize].end <= since;
    returned.then_some((since, matches!(binding.after, After::End(_))))
}

fn latency([plain, nodes]: Samples) -> Latency {
    let mut samples = if plain.is_empty() { nodes } else { plain };
    let all = samples.len();
    let short = rank(&mut samples, all, 10).max(LEAST).saturating_mul(TIMES);
    samples.retain(|&sample| sample <= short);
    let count = samples.len();
    Latency {
        samples: count as u64,
        longer: (all - count) as u64,
        median: rank(&mut samples, count, 50),
        most: rank(&mut samples, count.saturating_sub(1), 99),
    }
}

/// The percentile by nearest rank of so many of the shortest; 0 of none.
fn rank(samples: &mut [u64], of: usize, percent: usize) -> u64 {
    let rank = (of * percent).div_ceil(100).checked_sub(1);
    rank.map_or(0, |rank| *samples.select_nth_unstable(rank).1)
}
