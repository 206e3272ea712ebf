//! A run of blocks as trace events: a process for each SM, each copy engine, the host and the device; a thread of an
//! SM is a lane.

use crate::timeline::blocks::{Measure, in_use_by_sm};
use base::Nanos;
use blocks::device::MOST_SMS;
use blocks::{Setup, Trace};
use kit::export::perfetto::lanes::Lanes;
use kit::export::perfetto::{File, Micros, escaped, numbered};

/// The run as JSON.
pub fn perfetto(setup: &Setup, trace: &Trace) -> String {
    let names = Names::new(setup, trace);
    let (mut events, sms) = block_events(trace, names.sms);
    for run in 0..trace.kernels.len() {
        events.push((trace.kernels[run].launched, Event::Launch(run)));
        if let Some(deadline) = names.deadline(setup, trace, run) {
            events.push((deadline, Event::Deadline(run)));
        }
    }
    let engines = copy_events(trace, &mut events);
    let counts = Counts { sms, engines, turns: slice_events(trace, &mut events) };
    for (sm, steps) in in_use_by_sm(setup, trace, Measure::Threads).iter().enumerate() {
        let step = |(at, threads): (f64, u64)| (Nanos(at as u64), Event::Threads { sm, threads });
        events.extend(steps.within(-1.0, f64::INFINITY).map(step));
    }
    base::sort::sort_by_key(&mut events, |&(at, _)| at);
    let mut file = File::new(200 * events.len());
    names.write(setup, &counts, &mut file);
    for (at, event) in events {
        names.event(setup, trace, at, event, &mut file);
    }
    file.done(&[])
}

/// Something at a time; numbers are places in the trace.
#[derive(Debug, Clone, Copy)]
enum Event {
    Block { run: usize, block: usize, lane: u32 },
    Copy { copy: usize, lane: u32 },
    Launch(usize),
    Deadline(usize),
    Slice { slice: usize, lane: u32 },
    Threads { sm: usize, threads: u64 },
}

/// How many lanes there are: of each SM, of each copy engine, for the turns of processes.
struct Counts {
    sms: Vec<u32>,
    engines: Vec<u32>,
    turns: u32,
}

/// All blocks with their lanes, and how many lanes each SM has.
fn block_events(trace: &Trace, sms: usize) -> (Vec<(Nanos, Event)>, Vec<u32>) {
    let mut by_sm: Vec<Vec<(Nanos, Nanos, usize, usize)>> = vec![Vec::new(); sms];
    for (run, kernel) in trace.kernels.iter().enumerate() {
        for (block, found) in trace.blocks.get(kernel.blocks.clone()).into_iter().flatten().enumerate() {
            if let Some(own) = by_sm.get_mut(usize::from(found.sm)) {
                own.push((found.start, found.end.max(found.start), run, block));
            }
        }
    }
    let mut events = Vec::with_capacity(trace.blocks.len() * 3);
    let mut counts = Vec::with_capacity(sms);
    for mut own in by_sm {
        base::sort::sort(&mut own);
        let mut lanes = Lanes::default();
        for (start, end, run, block) in own {
            events.push((start, Event::Block { run, block, lane: lanes.take(start, end) }));
        }
        counts.push(lanes.count());
    }
    (events, counts)
}

/// Adds all copies, and tells how many lanes each engine has.
fn copy_events(trace: &Trace, events: &mut Vec<(Nanos, Event)>) -> Vec<u32> {
    let engines = trace.copies.iter().map(|copy| usize::from(copy.engine) + 1).max().unwrap_or(0);
    let mut lanes: Vec<Lanes> = (0..engines).map(|_| Lanes::default()).collect();
    let mut order: Vec<usize> = (0..trace.copies.len()).collect();
    base::sort::sort_by_key(&mut order, |&copy| trace.copies[copy].start);
    for copy in order {
        let run = &trace.copies[copy];
        if let Some(lanes) = lanes.get_mut(usize::from(run.engine)) {
            let lane = lanes.take(run.start, run.end.max(run.start));
            events.push((run.start, Event::Copy { copy, lane }));
        }
    }
    lanes.iter().map(Lanes::count).collect()
}

/// Adds all slices, and tells how many lanes they take: more than one only for how readers compute.
fn slice_events(trace: &Trace, events: &mut Vec<(Nanos, Event)>) -> u32 {
    let mut lanes = Lanes::default();
    let mut order: Vec<usize> = (0..trace.slices.len()).collect();
    base::sort::sort_by_key(&mut order, |&slice| trace.slices[slice].start);
    for slice in order {
        let found = &trace.slices[slice];
        let lane = lanes.take(found.start, found.end.max(found.start));
        events.push((found.start, Event::Slice { slice, lane }));
    }
    lanes.count()
}

/// Names as JSON, and the numbers of processes.
struct Names {
    kernels: Vec<String>,
    streams: Vec<String>,
    copies: Vec<String>,
    sms: usize,
    /// The first copy engine; then come the host and the device.
    engines: usize,
    host: usize,
}

impl Names {
    fn new(setup: &Setup, trace: &Trace) -> Self {
        // Blocks that name an SM beyond every device are left out, as in the picture.
        let used = trace.blocks.iter().map(|block| block.sm).filter(|&sm| sm < MOST_SMS).max();
        let engines = trace.copies.iter().map(|copy| usize::from(copy.engine) + 1).max().unwrap_or(0);
        let sms = usize::from(setup.device.sms).max(used.map_or(0, |sm| usize::from(sm) + 1));
        Self {
            kernels: setup.kernels.iter().map(|kernel| escaped(&kernel.label)).collect(),
            streams: setup.streams.iter().map(|stream| escaped(&stream.label)).collect(),
            copies: setup.copies.iter().map(|copy| escaped(or_copy(&copy.label))).collect(),
            sms,
            engines: sms,
            host: sms + engines,
        }
    }

    fn deadline(&self, setup: &Setup, trace: &Trace, run: usize) -> Option<Nanos> {
        let run = trace.kernels.get(run)?;
        Some(run.launched + setup.kernels.get(run.kernel)?.deadline?)
    }

    /// What processes and threads are called, and their order.
    fn write(&self, setup: &Setup, counts: &Counts, file: &mut File) {
        for (sm, &count) in counts.sms.iter().enumerate() {
            file.process(sm, self.host + 2 + sm, &format!("SM {sm}"), &numbered(1, count));
        }
        for (engine, &count) in counts.engines.iter().enumerate() {
            let pid = self.engines + engine;
            file.process(pid, 2 + engine, &format!("Copy engine {engine}"), &numbered(1, count));
        }
        let streams: Vec<(usize, String)> =
            setup.streams.iter().enumerate().map(|(i, of)| (i + 1, of.label.clone())).collect();
        file.process(self.host, 0, "Launches", &streams);
        if counts.turns > 0 {
            file.process(self.host + 1, 1, &setup.device.name, &numbered(1, counts.turns));
        }
    }

    fn event(&self, setup: &Setup, trace: &Trace, at: Nanos, event: Event, file: &mut File) {
        let ts = Micros(at);
        match event {
            Event::Block { run, block, lane } => {
                let run = &trace.kernels[run];
                let found = &trace.blocks[run.blocks.start + block];
                let (kernel, stream) = (name(&self.kernels, run.kernel), name(&self.streams, run.stream));
                let (dur, sm) = (Micros(found.end.since(found.start)), found.sm);
                let threads = Measure::Threads.of(setup, run.kernel);
                let shared = Measure::SharedMemory.of(setup, run.kernel);
                let round = run.round;
                file.add(format_args!(
                    "{{\"name\":\"{kernel}:{block}\",\"ph\":\"X\",\"ts\":{ts},\"dur\":{dur},\"pid\":{sm},\"tid\":{lane},\"args\":{{\"kernel\":\"{kernel}\",\"block\":{block},\"threads\":{threads},\"shared_memory_bytes\":{shared},\"stream\":\"{stream}\",\"round\":{round}}}}}"
                ))
            }
            Event::Copy { copy, lane } => {
                let run = &trace.copies[copy];
                let (label, stream) = (name(&self.copies, run.copy), name(&self.streams, run.stream));
                let dur = Micros(run.end.since(run.start));
                let pid = self.engines + usize::from(run.engine);
                let bytes = setup.copies.get(run.copy).map_or(0, |copy| copy.bytes);
                file.add(format_args!(
                    "{{\"name\":\"{label}\",\"ph\":\"X\",\"ts\":{ts},\"dur\":{dur},\"pid\":{pid},\"tid\":{lane},\"args\":{{\"bytes\":{bytes},\"stream\":\"{stream}\",\"round\":{}}}}}",
                    run.round
                ))
            }
            Event::Launch(run) | Event::Deadline(run) => {
                let run = &trace.kernels[run];
                let what = if matches!(event, Event::Launch(_)) { "launch" } else { "deadline" };
                let (kernel, pid, tid) = (name(&self.kernels, run.kernel), self.host, run.stream + 1);
                file.add(format_args!(
                    "{{\"name\":\"{what} {kernel}\",\"ph\":\"i\",\"s\":\"t\",\"ts\":{ts},\"pid\":{pid},\"tid\":{tid},\"args\":{{\"round\":{}}}}}",
                    run.round
                ))
            }
            Event::Slice { slice, lane } => {
                let slice = &trace.slices[slice];
                let (process, dur, pid) =
                    (slice.process, Micros(slice.end.since(slice.start)), self.host + 1);
                file.add(format_args!(
                    "{{\"name\":\"process {process}\",\"ph\":\"X\",\"ts\":{ts},\"dur\":{dur},\"pid\":{pid},\"tid\":{lane},\"args\":{{}}}}"
                ))
            }
            Event::Threads { sm, threads } => file.add(format_args!(
                "{{\"name\":\"threads in use\",\"ph\":\"C\",\"ts\":{ts},\"pid\":{sm},\"tid\":0,\"args\":{{\"threads\":{threads}}}}}"
            )),
        }
    }
}

/// A name, where there is one.
fn name(names: &[String], place: usize) -> &str {
    names.get(place).map_or("", String::as_str)
}

/// What a copy is called; one without a name is just that.
fn or_copy(label: &str) -> &str {
    if label.is_empty() { "copy" } else { label }
}

#[cfg(test)]
mod tests;
