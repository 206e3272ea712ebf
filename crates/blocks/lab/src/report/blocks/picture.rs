//! A report turned back into the model's own terms, from which pictures and exports are made.

use std::collections::BTreeMap;

use super::{BlocksReport, CopyReport, DeviceReport, KernelReport, StreamReport};
use base::Nanos;
use blocks::device::CopySpeed;
use blocks::{
    BlockRun, Copy, CopyRun, Device, Direction, Durations, Kernel, KernelRun, Mask, OpId, Setup, Slice,
    Stream, StreamKind, Trace,
};

/// A run as a report tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct Pictured {
    /// Device, streams, kernels and copies.
    pub setup: Setup,
    /// What happened when.
    pub trace: Trace,
}

/// The simulated run of a report, and the measured one, where there are such.
pub fn picture(report: &BlocksReport) -> (Option<Pictured>, Option<Pictured>) {
    let simulated = report.stop.is_some().then(|| {
        let mut pictured = pictured(&report.device, &report.streams, &report.kernels, &report.copies);
        pictured.trace.slices = report
            .slices
            .iter()
            .map(|&(process, start, end)| Slice { process, start: Nanos(start), end: Nanos(end) })
            .collect();
        pictured.trace.end = Nanos(report.end);
        pictured
    });
    let measured = report.measured.as_ref().map(|measured| {
        let mut pictured = pictured(&measured.device, &measured.streams, &measured.kernels, &[]);
        pictured.trace.end = Nanos(measured.end);
        pictured
    });
    (simulated, measured)
}

fn pictured(
    device: &DeviceReport,
    streams: &[StreamReport],
    kernels: &[KernelReport],
    copies: &[CopyReport],
) -> Pictured {
    let mut setup = Setup {
        device: device.model(),
        streams: streams.iter().map(StreamReport::model).collect(),
        kernels: Vec::new(),
        copies: Vec::new(),
    };
    let mut trace = Trace::default();
    let mut known = Known::default();
    for report in kernels {
        let kernel = report.model();
        let index = known.kernel(report, &kernel, setup.kernels.len());
        if index == setup.kernels.len() {
            setup.kernels.push(kernel);
        }
        let first = trace.blocks.len();
        trace.blocks.extend(report.blocks.iter().map(|&(sm, start, end)| BlockRun {
            start: Nanos(start),
            end: Nanos(end),
            sm,
        }));
        trace.kernels.push(KernelRun {
            op: OpId(report.operation),
            kernel: index,
            stream: report.stream_number,
            round: report.round.saturating_sub(1),
            launched: Nanos(report.launched),
            queued: Nanos(report.queued),
            start: Nanos(report.start),
            dispatched: Nanos(report.dispatched),
            end: Nanos(report.end),
            blocks: first..trace.blocks.len(),
        });
    }
    for report in copies {
        let copy = report.model();
        let index = known.copy(report, copy.duration, setup.copies.len());
        if index == setup.copies.len() {
            setup.copies.push(copy);
        }
        trace.copies.push(CopyRun {
            op: OpId(report.operation),
            copy: index,
            stream: report.stream_number,
            round: report.round.saturating_sub(1),
            engine: report.engine,
            issued: Nanos(report.launched),
            queued: Nanos(report.queued),
            start: Nanos(report.start),
            end: Nanos(report.end),
        });
    }
    Pictured { setup, trace }
}

/// Kernels and copies by all that tells them apart: in measured runs nearly every launch is one of its own.
#[derive(Default)]
struct Known<'r> {
    kernels: BTreeMap<KernelKey<'r>, usize>,
    copies: BTreeMap<(&'r str, &'r str, u64, Nanos), usize>,
}

type KernelKey<'r> = (&'r str, [u32; 4], Nanos, Option<&'r [u16]>, Option<u64>);

impl<'r> Known<'r> {
    /// The place of a kernel; `next` where it is new.
    fn kernel(&mut self, report: &'r KernelReport, kernel: &Kernel, next: usize) -> usize {
        let shape = [report.grid, report.threads, report.shared_memory, report.registers];
        let (duration, sms) = (kernel.duration.longest(), report.sms.as_deref());
        *self.kernels.entry((&report.label, shape, duration, sms, report.deadline)).or_insert(next)
    }

    /// The place of a copy; `next` where it is new.
    fn copy(&mut self, report: &'r CopyReport, duration: Nanos, next: usize) -> usize {
        *self.copies.entry((&report.label, &report.direction, report.bytes, duration)).or_insert(next)
    }
}

impl DeviceReport {
    fn model(&self) -> Device {
        Device {
            name: self.name.clone(),
            sms: self.sms,
            threads_per_sm: self.threads,
            blocks_per_sm: self.blocks,
            shared_memory_per_sm: self.shared_memory,
            registers_per_sm: self.registers,
            threads_per_block: self.threads_per_block,
            shared_memory_per_block: self.shared_memory_per_block,
            thread_granularity: self.thread_granularity,
            sms_per_tpc: self.sms_per_tpc,
            copy_engines: self.copy_engines,
            copy_speed: CopySpeed { latency: Nanos::ZERO, host: 1, device: 1 }, // durations are known already
        }
    }
}

impl StreamReport {
    fn model(&self) -> Stream {
        let kind = match self.kind.as_str() {
            "null" => StreamKind::Null,
            "non-blocking" => StreamKind::NonBlocking,
            _ => StreamKind::Blocking,
        };
        Stream { label: self.label.clone(), priority: self.priority, kind, process: self.process }
    }
}

impl KernelReport {
    fn model(&self) -> Kernel {
        let mask = self
            .sms
            .as_ref()
            .map_or(Mask::ALL, |sms| sms.iter().fold(Mask::NONE, |mask, &sm| mask.with(sm, true)));
        let longest = self.blocks.iter().map(|&(_, start, end)| end.saturating_sub(start)).max();
        Kernel {
            label: self.label.clone(),
            blocks: self.grid,
            threads: self.threads,
            shared_memory: self.shared_memory,
            registers: self.registers,
            duration: Durations::Same(Nanos(longest.unwrap_or(0))),
            mask,
            deadline: self.deadline.map(Nanos),
            period: None,
        }
    }
}

impl CopyReport {
    fn model(&self) -> Copy {
        let direction = match self.direction.as_str() {
            "in" => Direction::In,
            "out" => Direction::Out,
            "set" => Direction::Set,
            _ => Direction::Within,
        };
        Copy {
            label: self.label.clone(),
            direction,
            bytes: self.bytes,
            duration: Nanos(self.end.saturating_sub(self.start)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Seeded;

    fn launch(rng: &mut Seeded, operation: u32) -> KernelReport {
        let end = u64::from(1 + rng.below(4));
        KernelReport {
            label: format!("K{}", rng.below(2)),
            stream: String::new(),
            stream_number: 0,
            operation,
            round: 1,
            threads: 32 * (1 + rng.below(2)),
            shared_memory: 0,
            registers: 0,
            grid: 1,
            deadline: (rng.below(2) == 0).then_some(9),
            sms: (rng.below(2) == 0).then(|| vec![rng.below(2) as u16]),
            launched: 0,
            queued: 0,
            start: 0,
            dispatched: 0,
            end,
            held: Vec::new(),
            blocks: vec![(0, 0, end)],
        }
    }

    #[test]
    fn launches_of_one_kernel_are_those_that_are_alike() {
        let mut rng = Seeded::new(3, 0);
        let launches: Vec<KernelReport> = (0..6_000).map(|operation| launch(&mut rng, operation)).collect();
        let found = pictured(&DeviceReport::default(), &[], &launches, &[]);
        assert_eq!(found.setup.kernels.len(), 2 * 2 * 2 * 3 * 4, "every kind came");
        for (run, report) in found.trace.kernels.iter().zip(&launches) {
            let first = found.setup.kernels.iter().position(|kernel| *kernel == report.model());
            assert_eq!(Some(run.kernel), first);
        }
    }
}
