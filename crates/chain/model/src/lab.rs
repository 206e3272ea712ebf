//! A chain's kernels as a workload of the blocks lab.

use super::model::Kernel;
use super::occupancy::on_device;
use base::Nanos;
use blocks::{
    Action, Device, Placement, Program, Repeat, Setup, Slicing, Stream, StreamKind, Switch, Workload,
};

/// Kernels launched together in this order, each in a stream of its own, the blocks of each taking so long.
pub fn together<'a>(device: &Device, kernels: impl Iterator<Item = (&'a Kernel, Nanos)>) -> Workload {
    let setup =
        Setup { device: device.clone(), streams: Vec::new(), kernels: Vec::new(), copies: Vec::new() };
    let slicing = Slicing { quantum: Nanos(1), switch: Switch::Drain };
    let mut workload = Workload {
        setup,
        programs: Vec::new(),
        placement: Placement::default(),
        slicing,
        most_blocks: u64::MAX,
    };
    for (place, (kernel, duration)) in kernels.enumerate() {
        let label = kernel.name.clone();
        let stream = Stream { label: label.clone(), priority: 0, kind: StreamKind::NonBlocking, process: 0 };
        workload.setup.streams.push(stream);
        workload.setup.kernels.push(on_device(kernel, duration));
        let body = vec![Action::Launch { stream: place, kernel: place }, Action::WaitStream(place)];
        let repeat = Repeat { release: Nanos::ZERO, rounds: Some(1), time: None, lockstep: false, body };
        workload.programs.push(Program { label, process: 0, repeat, ends_others: false });
    }
    workload
}
