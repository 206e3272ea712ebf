//! Legal runs with one thing changed so that one rule is broken for sure: by more than clocks and jitter can explain, and
//! whatever it is that logs do not tell.

use warpspan::base::Seeded;

use super::model::{Kind, Launch, MS, Run, Setup, US};

/// By how much rules are broken at the least.
const MUCH: u64 = 3 * MS / 2;

pub const MUTATIONS: [&str; 12] = [
    "block on another multiprocessor",
    "more threads",
    "more shared memory",
    "multiprocessor that is not there",
    "overtakes in its queue",
    "overtakes a higher priority",
    "before its predecessor ends",
    "before its call",
    "after the wait",
    "null stream not waited for",
    "kept away",
    "other process runs",
];

/// Changes a run; the rule that is broken then, if there was something to change.
pub fn mutate(rng: &mut Seeded, setup: &Setup, run: &mut Run, what: &str) -> Option<&'static str> {
    let mut tries: Vec<usize> = (0..run.launches.len()).collect();
    rng.shuffle(&mut tries);
    tries.into_iter().find_map(|at| match what {
        "block on another multiprocessor" => elsewhere(rng, setup, run, at),
        "more threads" => more(setup, run, at, 0),
        "more shared memory" => more(setup, run, at, 1),
        "multiprocessor that is not there" => {
            let blocks = &mut run.launches[at].blocks;
            let block = rng.below(blocks.len() as u32) as usize;
            blocks[block].2 = setup.gpu.sms + rng.below(3) as u16;
            Some("R2")
        }
        "overtakes in its queue" => overtakes(setup, run, at, false),
        "overtakes a higher priority" => overtakes(setup, run, at, true),
        "before its predecessor ends" => before_predecessor(run, at),
        "before its call" => {
            let launch = &mut run.launches[at];
            let to = launch.called.checked_sub(5 * MS)?;
            launch.move_to(to);
            Some("G1")
        }
        "after the wait" => {
            let launch = &mut run.launches[at];
            if !setup.programs[launch.program].benchmark.starts_with("Timer Spin") {
                return None;
            }
            let idle = launch.idle?;
            launch.blocks.last_mut()?.1 = idle + 2 * MS;
            Some("G4")
        }
        "null stream not waited for" => across(setup, run, at),
        "kept away" => {
            let launch = &mut run.launches[at];
            let mask = launch.kernel.mask;
            let away = (0..setup.gpu.sms).find(|&sm| mask >> sm & 1 == 0)?;
            launch.blocks.last_mut()?.2 = away;
            Some("M1")
        }
        _ => together(setup, run, at),
    })
}

/// What other blocks of the process take of a multiprocessor around a time: threads, shared memory, places.
fn used(setup: &Setup, run: &Run, sm: u16, at: u64, except: (usize, usize)) -> [u32; 3] {
    let process = setup.streams[run.launches[except.0].stream].process;
    let mut used = [0; 3];
    for (i, launch) in run.launches.iter().enumerate() {
        if setup.streams[launch.stream].process != process {
            continue;
        }
        for (j, block) in launch.blocks.iter().enumerate() {
            if (i, j) != except && block.2 == sm && block.0 + MUCH < at && at + MUCH < block.1 {
                let need = [launch.kernel.threads, launch.kernel.shared, 1];
                used.iter_mut().zip(need).for_each(|(used, need)| *used += need);
            }
        }
    }
    used
}

/// Puts a block where there is too little room for it.
fn elsewhere(rng: &mut Seeded, setup: &Setup, run: &mut Run, at: usize) -> Option<&'static str> {
    let gpu = setup.gpu;
    let block = rng.below(run.launches[at].blocks.len() as u32) as usize;
    let (start, end, _) = run.launches[at].blocks[block];
    if end < start + 2 * MUCH {
        return None;
    }
    let kernel = run.launches[at].kernel.clone();
    for sm in (0..gpu.sms).filter(|sm| kernel.mask >> sm & 1 == 1) {
        let used = used(setup, run, sm, start, (at, block));
        let rule = if used[0] + kernel.threads > gpu.threads {
            "R2"
        } else if used[1] + kernel.shared > gpu.shared {
            "R3"
        } else if used[2] + 1 > gpu.blocks {
            "R1"
        } else {
            continue;
        };
        run.launches[at].blocks[block].2 = sm;
        return Some(rule);
    }
    None
}

/// A single block that needs a little more than there is.
fn more(setup: &Setup, run: &mut Run, at: usize, which: usize) -> Option<&'static str> {
    let launch = &run.launches[at];
    let [(start, end, sm)] = launch.blocks[..] else { return None };
    if end < start + 2 * MUCH {
        return None;
    }
    let used = used(setup, run, sm, start, (at, 0));
    let kernel = &mut run.launches[at].kernel;
    if which == 0 {
        let threads = (setup.gpu.threads - used[0].min(setup.gpu.threads)) + 1;
        kernel.threads = Some(threads).filter(|&threads| threads <= 1_024)?;
        return Some("R2");
    }
    let shared = (setup.gpu.shared - used[1].min(setup.gpu.shared)) + 4;
    kernel.shared = Some(shared).filter(|&shared| used[1] > 0 && shared <= 48 << 10)?;
    Some("R3")
}

/// Lets a kernel go before one that was queued before it, or is more urgent.
fn overtakes(setup: &Setup, run: &mut Run, at: usize, urgent: bool) -> Option<&'static str> {
    let late = &run.launches[at];
    let stream = &setup.streams[late.stream];
    let process = |launch: &Launch| setup.streams[launch.stream].process;
    let priorities = || {
        run.launches
            .iter()
            .filter(|other| process(other) == stream.process)
            .map(|other| setup.streams[other.stream].priority)
    };
    if late.unseen || !urgent && priorities().any(|priority| priority != stream.priority) {
        return None;
    }
    let found = run.launches.iter().find_map(|whom| {
        let other = &setup.streams[whom.stream];
        let order = if urgent {
            other.priority < stream.priority
        } else {
            other.priority == stream.priority && whom.queued + MUCH < late.queued
        };
        let at = if urgent { late.queued.max(whom.queued) + MUCH } else { late.queued + 200 * US };
        let waits = at + MUCH < whom.dispatched() && at < late.start();
        (order && waits && !whom.unseen && process(whom) == stream.process).then_some(at)
    })?;
    run.launches[at].move_to(found);
    Some(if urgent { "A2" } else { "X1" })
}

/// The launch before another one in its stream.
fn predecessor(run: &Run, at: usize) -> Option<&Launch> {
    run.launches[..at].iter().rev().find(|other| other.stream == run.launches[at].stream)
}

fn before_predecessor(run: &mut Run, at: usize) -> Option<&'static str> {
    let before = predecessor(run, at)?;
    let to = before.end().checked_sub(MUCH)?;
    if run.launches[at].called + MUCH > to {
        return None;
    }
    run.launches[at].move_to(to);
    Some("G2")
}

/// Lets a kernel of the null stream not wait for the others, or one of the others not for it.
fn across(setup: &Setup, run: &mut Run, at: usize) -> Option<&'static str> {
    let late = &run.launches[at];
    let own = &setup.streams[late.stream];
    let (holds, rule) = match own.kind {
        Kind::Null => (Kind::Blocking, "N1"),
        Kind::Blocking => (Kind::Null, "N2"),
        Kind::NonBlocking => return None,
    };
    let free = predecessor(run, at).map_or(0, Launch::end);
    let to = late.called.max(free) + 300 * US;
    let waits = |whom: &Launch| {
        let other = &setup.streams[whom.stream];
        other.kind == holds
            && other.process == own.process
            && whom.called + MUCH < late.called
            && to + MUCH < whom.end()
    };
    if to >= late.start() || !run.launches.iter().any(waits) {
        return None;
    }
    run.launches[at].move_to(to);
    Some(rule)
}

/// Lets a kernel run while blocks of another process do.
fn together(setup: &Setup, run: &mut Run, at: usize) -> Option<&'static str> {
    let late = &run.launches[at];
    let process = |launch: &Launch| setup.streams[launch.stream].process;
    let other = run.launches.iter().find(|other| {
        process(other) != process(late) && late.queued + MUCH < other.end() && other.end() <= late.start()
    })?;
    let to = late.queued.max(other.start()) + 200 * US;
    if to + MUCH > other.end() {
        return None;
    }
    run.launches[at].move_to(to);
    Some("P1")
}
