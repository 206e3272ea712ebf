//! A report turned back into the model's own terms, from which pictures and exports are made.

use super::{BlocksReport, CopyReport, DeviceReport, KernelReport, StreamReport};
use crate::base::Nanos;
use crate::blocks::device::CopySpeed;
use crate::blocks::{
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
    for report in kernels {
        let kernel = report.model();
        let known = setup.kernels.iter().rposition(|known| *known == kernel);
        let index = known.unwrap_or_else(|| {
            setup.kernels.push(kernel);
            setup.kernels.len() - 1
        });
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
        let known = setup.copies.iter().rposition(|known| *known == copy);
        let index = known.unwrap_or_else(|| {
            setup.copies.push(copy);
            setup.copies.len() - 1
        });
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
