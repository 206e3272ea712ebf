//! Where kernels provably waited for capacity: until another's last full wave was done, no SM could hold more.
//!
//! 1. The blocks of one kernel take equally long.
//! 2. A kernel beside which no other ran until then filled its device wave by wave.
//! 3. Kernels of one process share the device; a block of the one fits beside as many blocks of the other as occupancy
//!    permits, or it does not.
//!
//! Under these it is proven that no block of the waiting kernel could start before. Only claimed where all limits of the
//! device, all needs of the kernel that holds and the lacking one of the kernel that waits are known, and where the
//! waiting kernel began no earlier: what was recorded must not refute it.

use crate::occupancy::{Holds, Resource, lacking};
use crate::order::Order;
use crate::trace::{Kind, Shape, Stream, Trace};

/// A kernel that had to wait for capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    /// The kernel that waited.
    pub waiting: u32,
    /// The kernel that held it.
    pub holding: u32,
    /// Until when.
    pub until: i64,
    /// What there was not enough of.
    pub lacking: Resource,
}

/// A kernel that filled its device.
struct Full<'a> {
    operation: u32,
    shape: &'a Shape,
    blocks: u64,
    until: i64,
}

/// All kernels that waited for capacity, in order.
pub fn shortages(trace: &Trace, order: &Order) -> Vec<Shortage> {
    let mut kernels: Vec<Vec<(u32, &Shape)>> = vec![Vec::new(); trace.devices.len()];
    for (operation, place) in trace.operations.iter().zip(0..) {
        if let Kind::Kernel(shape) = &operation.kind {
            kernels[stream(trace, order, place).device as usize].push((place, shape));
        }
    }
    let of_each =
        kernels.iter().enumerate().flat_map(|(device, kernels)| of_device(trace, order, device, kernels));
    let mut shortages: Vec<Shortage> = of_each.collect();
    shortages.sort_unstable_by_key(|shortage: &Shortage| shortage.waiting);
    shortages
}

fn of_device<'a>(
    trace: &'a Trace,
    order: &Order,
    device: usize,
    kernels: &[(u32, &'a Shape)],
) -> Vec<Shortage> {
    let (mut shortages, mut busy, mut full) = (Vec::new(), i64::MIN, None);
    let mut holds = Holds::of(&trace.devices[device].limits);
    for (index, &(place, shape)) in kernels.iter().enumerate() {
        let own = &trace.operations[place as usize];
        if let Some(shortage) =
            full.as_ref().and_then(|full| blocked(trace, order, device, full, place, shape))
        {
            shortages.push(shortage);
        }
        let next = kernels.get(index + 1).map_or(i64::MAX, |next| trace.operations[next.0 as usize].start);
        if busy <= own.start
            && let Some(filling) = fills(trace, &mut holds, place, shape)
            && filling.until <= next
        {
            full = Some(filling);
        }
        busy = busy.max(own.end);
    }
    shortages
}

fn stream<'a>(trace: &'a Trace, order: &Order, operation: u32) -> &'a Stream {
    &trace.streams[order.stream[operation as usize] as usize]
}

/// Until when a kernel fills its device, if it does.
fn fills<'a>(trace: &Trace, holds: &mut Holds<'a>, operation: u32, shape: &'a Shape) -> Option<Full<'a>> {
    let held = holds.held(shape).filter(|held| held.complete)?;
    let waves = held.waves.filter(|waves| waves.full > 0)?;
    let own = &trace.operations[operation as usize];
    let length = u128::from(own.nanos()) * u128::from(waves.full) / u128::from(waves.count());
    let until = own.start.saturating_add(i64::try_from(length).unwrap_or(i64::MAX));
    Some(Full { operation, shape, blocks: held.blocks, until })
}

/// Whether a kernel found no capacity left beside a full one.
fn blocked(
    trace: &Trace,
    order: &Order,
    device: usize,
    full: &Full,
    waiting: u32,
    shape: &Shape,
) -> Option<Shortage> {
    let (held, own) = (order.stream[full.operation as usize], order.stream[waiting as usize]);
    let process = |operation: u32| stream(trace, order, operation).process;
    let apart = held != own && process(waiting) == process(full.operation);
    let own = &trace.operations[waiting as usize];
    if !apart || own.start < full.until {
        return None;
    }
    let lacking = lacking(full.shape, full.blocks, shape, &trace.devices[device].limits)?;
    Some(Shortage { waiting, holding: full.operation, until: full.until, lacking })
}
