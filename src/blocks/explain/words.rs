//! Events and reasons to wait as sentences.

use std::collections::BTreeSet;

use super::{free, kernel};
use crate::base::{Nanos, people};
use crate::blocks::device::Mask;
use crate::blocks::names::Names;
use crate::blocks::replay::{Event, EventKind, State};
use crate::blocks::room::{Resource, Room};
use crate::blocks::rule::Rule;
use crate::blocks::trace::{BlockRun, Hold, OpId, Subject, Trace};
use crate::blocks::workload::{Kernel, Setup};

/// What just happened, and the rule behind it.
pub fn sentence(setup: &Setup, trace: &Trace, event: &Event) -> String {
    let names = Names::new(setup, trace);
    let name = |op: &OpId| names.op(*op);
    let is_copy = |op: &OpId| matches!(trace.subject(*op), Some(Subject::Copy(_)));
    match &event.kind {
        EventKind::Issued(op) => {
            let (verb, stream) = (if is_copy(op) { "issued" } else { "launched" }, stream(setup, trace, *op));
            format!("{} is {verb}: it enters the queue of {stream} (G1).", name(op))
        }
        EventKind::Queued(op) if is_copy(op) => {
            format!("{} heads its stream's queue: it enters the copy queue (C1).", name(op))
        }
        EventKind::Queued(op) => {
            format!(
                "{} heads its stream's queue: it enters the execution queue{} (G2).",
                name(op),
                which(setup, trace, *op)
            )
        }
        EventKind::BlocksAssigned { kernel, .. } => assigned(setup, trace, event, *kernel, &names),
        EventKind::Dispatched(op) => {
            format!("The last block of {} has started: it leaves the execution queue (G3).", name(op))
        }
        EventKind::CopyStarted(op) => {
            format!(
                "{} heads the copy queue and its engine is free: it starts (C2) and leaves that queue (C3).",
                name(op)
            )
        }
        EventKind::BlocksEnded { kernel, count } => {
            let sms = on_sms(trace, *kernel, |block| block.end.max(block.start), event.at);
            let (have, what) = if *count == 1 { ("has", "it held") } else { ("have", "they held") };
            let blocks = people::counted(*count as usize, "block");
            format!("{blocks} of {} {have} ended on {sms}: what {what} is free again.", names.kernel(*kernel))
        }
        EventKind::KernelEnded(op) => {
            format!("The last block of {} has ended: it leaves its stream's queue (G4).", name(op))
        }
        EventKind::CopyEnded(op) => format!("{} is done: it leaves its stream's queue (C4).", name(op)),
        EventKind::DeviceTo(Some(process)) => format!("Process {process} has the device now (P1)."),
        EventKind::DeviceTo(None) => "No process has the device now (P1).".to_owned(),
    }
}

/// Why an operation waits, in numbers.
pub fn hold_sentence(setup: &Setup, trace: &Trace, state: &State, op: OpId, hold: Hold) -> String {
    let names = Names::new(setup, trace);
    let (who, name) = (names.op(op), |other: OpId| names.op(other));
    let why = match hold {
        Hold::Behind(other) => format!("{}, before it in its stream, has not ended", name(other)),
        Hold::NullWaits(other) => format!(
            "it is in the null stream, and {}, issued before it in a blocking stream, has not ended",
            name(other)
        ),
        Hold::WaitsForNull(other) => {
            format!("{}, issued before it in the null stream, has not ended", name(other))
        }
        Hold::NotHead(other) => format!("{} stands before it in the queue", name(other)),
        Hold::Urgent(other) => format!("{}, of higher priority, has blocks to start", name(other)),
        Hold::Process(process) => match state.device {
            Some(device) if device == process => format!("process {process} has the device"),
            _ => format!("process {process} has the device next"),
        },
        Hold::Engine(other) => format!("its copy engine is busy with {}", name(other)),
        Hold::Threads => short(setup, trace, state, op, &[Resource::Threads]),
        Hold::SharedMemory => short(setup, trace, state, op, &[Resource::SharedMemory]),
        Hold::Registers => short(setup, trace, state, op, &[Resource::Registers]),
        Hold::BlockLimit => short(setup, trace, state, op, &[Resource::Blocks]),
        Hold::Mixed => short(setup, trace, state, op, &Resource::ALL),
    };
    let copy = matches!(trace.subject(op), Some(Subject::Copy(_)));
    let rule = match hold.rule() {
        Rule::G2 if copy => Rule::C1,
        Rule::X1 if copy => Rule::C2,
        rule => rule,
    };
    format!("{who} waits: {why} ({}).", rule.name())
}

/// `stream high`, `stream 2` where it has no name.
fn stream(setup: &Setup, trace: &Trace, op: OpId) -> String {
    let index = match trace.subject(op) {
        Some(Subject::Kernel(run)) => trace.kernels[run].stream,
        Some(Subject::Copy(run)) => trace.copies[run].stream,
        None => return "its stream".to_owned(),
    };
    match setup.streams.get(index).map(|stream| stream.label.as_str()) {
        None | Some("") => format!("stream {index}"),
        Some(label) => format!("stream {label}"),
    }
}

/// Which execution queue, where there are several.
fn which(setup: &Setup, trace: &Trace, op: OpId) -> String {
    let Some(Subject::Kernel(run)) = trace.subject(op) else { return String::new() };
    let Some(own) = setup.streams.get(trace.kernels[run].stream) else { return String::new() };
    let mut text = String::new();
    if setup.streams.iter().any(|other| other.priority != own.priority) {
        text += &format!(" of priority {}", own.priority);
    }
    if setup.streams.iter().any(|other| other.process != own.process) {
        text += &format!(" of process {}", own.process);
    }
    text
}

fn assigned(setup: &Setup, trace: &Trace, event: &Event, run: usize, names: &Names) -> String {
    let EventKind::BlocksAssigned { first, count, .. } = event.kind else { return String::new() };
    let sms = on_sms(trace, run, |block| block.start, event.at);
    let grid = trace.kernels.get(run).and_then(|launch| setup.kernels.get(launch.kernel));
    let blocks = match (count, grid) {
        (1, _) => format!("Block {first} of {}", names.kernel(run)),
        (count, Some(kernel)) if count == kernel.blocks => {
            format!("All {count} blocks of {}", names.kernel(run))
        }
        (count, _) => format!("{} of {}", people::counted(count as usize, "block"), names.kernel(run)),
    };
    let Some(kernel) = grid else { return format!("{blocks} went to {sms}.") };
    let had = needs(setup, kernel);
    let each = if count == 1 { "it" } else { "each" };
    let may = if kernel.mask == Mask::ALL { "" } else { ", it may use these multiprocessors (M1)" };
    format!(
        "{blocks} went to {sms}: {} heads the execution queue (X1){may}, and there was room for {each}: {had}.",
        names.kernel(run)
    )
}

/// `512 threads (R2), 8,192 bytes of shared memory (R3)`.
fn needs(setup: &Setup, kernel: &Kernel) -> String {
    let need = Room::of_block(&setup.device, kernel);
    let some = |resource: &Resource| *resource != Resource::Blocks && need.get(*resource) > 0;
    let text =
        |resource: Resource| format!("{} ({})", resource.counted(need.get(resource)), resource.rule().name());
    Resource::ALL.into_iter().filter(some).map(text).collect::<Vec<_>>().join(", ")
}

/// The SMs of the blocks of a launch that start or end at a time: `SM 0 and SM 1`, `12 multiprocessors`.
fn on_sms(trace: &Trace, run: usize, time: fn(&BlockRun) -> Nanos, at: Nanos) -> String {
    let blocks = trace.kernels.get(run).and_then(|launch| trace.blocks.get(launch.blocks.clone()));
    let here = blocks.unwrap_or_default().iter().filter(|block| time(block) == at);
    let sms: BTreeSet<u16> = here.map(|block| block.sm).collect();
    if sms.len() > MOST_NAMED {
        return format!("{} multiprocessors", sms.len());
    }
    people::listed(&sms.into_iter().map(|sm| format!("SM {sm}")).collect::<Vec<_>>())
}

/// So many SMs are named one by one.
const MOST_NAMED: usize = 4;

/// What the next block of a kernel needs, and what there is on each SM it may use.
fn short(setup: &Setup, trace: &Trace, state: &State, op: OpId, of: &[Resource]) -> String {
    let Some(kernel) = kernel(setup, trace, op) else {
        return "no multiprocessor has room for it".to_owned();
    };
    let Some(Subject::Kernel(run)) = trace.subject(op) else { return String::new() };
    let process = setup.streams.get(trace.kernels[run].stream).map_or(0, |stream| stream.process);
    let left =
        state.ee.iter().flat_map(|queue| &queue.ops).find(|(other, _)| *other == op).map(|(_, left)| *left);
    let next = kernel.blocks.saturating_sub(left.unwrap_or(kernel.blocks));
    let need = Room::of_block(&setup.device, kernel);
    let whole = Room::of_sm(&setup.device);

    let sms: Vec<(u16, Room)> = kernel
        .mask
        .below(setup.device.sms)
        .map(|sm| (sm, free(setup, trace, state, usize::from(sm), process)))
        .collect();
    let wanted: Vec<Resource> = of
        .iter()
        .copied()
        .filter(|&resource| sms.iter().any(|(_, free)| free.lacks_of(resource, need)))
        .collect();
    let needed: Vec<String> = wanted.iter().map(|&resource| resource.counted(need.get(resource))).collect();
    let on = |first: bool, free: Room| {
        let lacking = wanted.iter().copied().filter(|&resource| free.lacks_of(resource, need));
        let amounts = lacking.map(|resource| {
            let amount = people::grouped(free.get(resource).into());
            let of = if first {
                format!(" of {}", people::grouped(whole.get(resource).into()))
            } else {
                String::new()
            };
            if wanted.len() > 1 {
                format!("{}{of}", resource.counted(free.get(resource)))
            } else {
                format!("{amount}{of}")
            }
        });
        people::listed(&amounts.collect::<Vec<_>>())
    };
    let has = if let [resource] = wanted[..]
        && sms.len() > MOST_NAMED
    {
        let most = sms.iter().map(|(_, free)| free.get(resource)).max().unwrap_or_default();
        let all = people::grouped(whole.get(resource).into());
        format!(
            "none of {} multiprocessors has more than {} of {all} free",
            sms.len(),
            people::grouped(most.into())
        )
    } else if sms.len() > MOST_NAMED {
        format!("each of {} multiprocessors lacks one of these", sms.len())
    } else {
        let texts = sms.iter().enumerate().map(|(i, (sm, free))| {
            let tail = if i == 0 { " free" } else { "" };
            format!("SM {sm} has {}{tail}", on(i == 0, *free))
        });
        texts.collect::<Vec<_>>().join(", ")
    };
    format!("block {next} needs {}; {has}", people::listed(&needed))
}
