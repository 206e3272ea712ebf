//! How things stand at one instant of a run: queues, copy engines, SMs, what just happened, and why the rest waits.

use std::collections::BTreeMap;

use super::{Played, Runs, Which};
use crate::report::ViolationReport;
use crate::report::blocks::{Named, Pictured};
use base::people;
use blocks::explain::{Words, holds};
use blocks::replay::{Event, EventKind, Motion, Resident, Stage, State};
use blocks::{Device, Hold, OpId, Setup, Subject, Trace};
use kit::timeline::Class;

/// Operations of a queue that are shown.
const MOST_QUEUED: usize = 12;
/// Blocks that are named on each SM of a small device, and of a large one.
const MOST_RESIDENT: [usize; 2] = [16, 6];
/// A device with more SMs than this is large.
const LARGE: u16 = 16;
/// Waiting operations that are explained.
const MOST_WAITS: usize = 10;
/// Streams that are shown even while they are empty, and at all.
const MOST_STREAMS: [usize; 2] = [12, 24];
/// Execution queues that are shown even while they are empty.
const MOST_QUEUES: usize = 8;

/// How things stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Moment {
    /// When.
    pub at: String,
    /// What has just happened.
    pub happened: String,
    /// Why what was issued does not run.
    pub waits: Vec<String>,
    /// How many more wait.
    pub more_waits: usize,
    /// The streams' queues; of many streams those in which something is.
    pub streams: Vec<Queue>,
    /// How many streams are left out.
    pub more_streams: usize,
    /// The execution queues.
    pub execution: Vec<Queue>,
    /// The copy engines: what is on each, and its queue.
    pub engines: Vec<(Option<Entry>, Queue)>,
    /// The process that has the device, where there are several.
    pub device: Option<String>,
    /// The SMs.
    pub sms: Vec<Sm>,
}

/// A queue, head first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Queue {
    /// What it is called.
    pub label: String,
    /// What is in it.
    pub entries: Vec<Entry>,
    /// How many more.
    pub more: usize,
    /// Why the first of them that does not run waits: in a few words, and in full.
    pub why: Option<[String; 2]>,
}

/// An operation in a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// Its colour and hatch, if it is a kernel.
    pub class: Option<Class>,
    /// How far it is, in a word or two.
    pub stage: String,
}

/// An SM.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sm {
    /// Threads, shared memory, registers, places for blocks.
    pub meters: [Meter; 4],
    /// The blocks on it.
    pub blocks: Vec<Entry>,
    /// How many more.
    pub more: usize,
}

/// How much of something is free.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meter {
    /// In words: `512 of 2,048`.
    pub words: String,
    /// In thousandths; none where there is no limit.
    pub free: Option<u16>,
}

impl Moment {
    /// How things stand after so many events.
    pub fn new(runs: &Runs, played: &Played, step: usize) -> Option<Self> {
        let (run, known) = (runs.run(played.which)?, runs.pictured(played.which)?);
        let state = played.state(step);
        let held = holds(&known.setup, &known.trace, &state);
        let scene = Scene {
            run,
            known,
            words: Words::new(&known.setup, &known.trace),
            held: held.iter().copied().collect(),
        };
        let at = runs.clock().at(state.at);
        let happened = match played.last(step) {
            None => "Nothing has happened yet.".to_owned(),
            Some(event) => scene.happened(runs, event),
        };
        let waits = held.iter().take(MOST_WAITS);
        let mut streams = scene.streams(&state);
        if streams.len() > MOST_STREAMS[0] {
            streams.retain(|queue| !queue.entries.is_empty());
            streams.truncate(MOST_STREAMS[1]);
        }
        Some(Self {
            at,
            happened,
            waits: waits.map(|&(op, hold)| scene.words.hold(&state, op, hold)).collect(),
            more_waits: held.len().saturating_sub(MOST_WAITS),
            more_streams: known.setup.streams.len() - streams.len(),
            streams,
            execution: scene.execution(&state),
            engines: scene.engines(&state),
            device: scene.device(&state),
            sms: state.sms.iter().map(|sm| scene.sm(sm)).collect(),
        })
    }
}

struct Scene<'a> {
    run: &'a super::OneRun,
    known: &'a Pictured,
    words: Words<'a>,
    /// Why what waits does.
    held: BTreeMap<OpId, Hold>,
}

impl Scene<'_> {
    fn setup(&self) -> &Setup {
        &self.known.setup
    }

    fn trace(&self) -> &Trace {
        &self.known.trace
    }

    /// What an event is by the rules; for one that breaks them what was found and what they ask for.
    fn happened(&self, runs: &Runs, event: &Event) -> String {
        let EventKind::BlocksAssigned { kernel, first, count } = event.kind else {
            return self.words.event(event);
        };
        let check = runs.seen().report.measured.as_ref().filter(|_| self.run.which == Which::Measured);
        let is_it = |found: &&ViolationReport| found.time == event.at.0 && found.launch == Some(kernel);
        let all = check.iter().flat_map(|measured| &measured.check.violations).filter(is_it);
        let broken: Vec<String> = all
            .map(|found| {
                format!("This breaks {}: {}; expected: {}.", found.rule, found.found, found.expected)
            })
            .collect();
        if broken.is_empty() {
            return self.words.event(event);
        }
        let name = self.run.kernels.get(kernel).map_or("", String::as_str);
        let started = match count {
            1 => format!("Block {first} of {name} starts."),
            _ => format!("{} of {name} start.", people::counted(count as usize, "block")),
        };
        format!("{started} {}", broken.join(" "))
    }

    fn entry(&self, op: OpId, stage: String) -> Entry {
        let (name, class) = match self.trace().subject(op) {
            Some(Subject::Kernel(run)) => {
                (self.run.kernels.get(run), self.run.timeline.classes.get(run).copied())
            }
            Some(Subject::Copy(copy)) => (self.run.copies.get(copy), None),
            None => (None, None),
        };
        Entry { name: name.cloned().unwrap_or_default(), class, stage }
    }

    /// Why the first of some operations that is held waits.
    fn why(&self, state: &State, mut ops: impl Iterator<Item = OpId>) -> Option<[String; 2]> {
        let (op, hold) = ops.find_map(|op| Some((op, *self.held.get(&op)?)))?;
        let short = Named::new(self.setup(), self.trace()).reason_by_rule(op, hold);
        Some([short, self.words.hold(state, op, hold)])
    }

    fn streams(&self, state: &State) -> Vec<Queue> {
        let queue = |(i, stream): (usize, &blocks::Stream)| {
            let all = state.streams.get(i).map_or(&[][..], Vec::as_slice);
            let stage = |stage: Stage| match stage {
                Stage::Waiting => "waits",
                Stage::Queued => "queued",
                Stage::Starting => "starting",
                Stage::Running => "runs",
            };
            let entry = |op: &blocks::replay::InStream| self.entry(op.op, stage(op.stage).to_owned());
            let entries: Vec<Entry> = all.iter().take(MOST_QUEUED).map(entry).collect();
            let why = self.why(state, all.iter().map(|op| op.op));
            Queue { label: stream.label.clone(), more: all.len() - entries.len(), entries, why }
        };
        self.setup().streams.iter().enumerate().map(queue).collect()
    }

    /// All execution queues there can be, unless they are too many: those with something in them.
    fn execution(&self, state: &State) -> Vec<Queue> {
        let setup = self.setup();
        let mut queues: BTreeMap<(u32, i32), Vec<(OpId, u32)>> = BTreeMap::new();
        for run in &self.trace().kernels {
            if let Some(stream) = setup.streams.get(run.stream) {
                queues.entry((stream.process, stream.priority)).or_default();
            }
        }
        if queues.len() > MOST_QUEUES {
            queues.clear();
        }
        let processes = setup.streams.iter().any(|stream| stream.process != setup.streams[0].process);
        let priorities = setup.streams.iter().any(|stream| stream.priority != setup.streams[0].priority);
        queues.extend(state.ee.iter().map(|queue| ((queue.process, queue.priority), queue.ops.clone())));
        let queue = |((process, priority), ops): ((u32, i32), Vec<(OpId, u32)>)| {
            let mut label = Vec::new();
            if processes {
                label.push(format!("process {process}"));
            }
            if priorities {
                label.push(format!("priority {priority}"));
            }
            let entry = |&(op, left): &(OpId, u32)| {
                self.entry(op, format!("{} left", people::counted(left as usize, "block")))
            };
            let entries: Vec<Entry> = ops.iter().take(MOST_QUEUED).map(entry).collect();
            let why = self.why(state, ops.iter().map(|(op, _)| *op));
            Queue { label: label.join(", "), more: ops.len() - entries.len(), entries, why }
        };
        queues.into_iter().map(queue).collect()
    }

    /// The copy engines, if anything is copied at all.
    fn engines(&self, state: &State) -> Vec<(Option<Entry>, Queue)> {
        if self.trace().copies.is_empty() {
            return Vec::new();
        }
        let size = |op: OpId| match self.trace().subject(op) {
            Some(Subject::Copy(copy)) => {
                let copy = self.trace().copies.get(copy).map_or(usize::MAX, |run| run.copy);
                let bytes = self.setup().copies.get(copy).map_or(0, |copy| copy.bytes);
                if bytes > 0 { people::bytes(bytes) } else { String::new() }
            }
            _ => String::new(),
        };
        let engine = |(i, copying): (usize, &Option<OpId>)| {
            let all = state.ce.get(i).map_or(&[][..], Vec::as_slice);
            let entries: Vec<Entry> =
                all.iter().take(MOST_QUEUED).map(|&op| self.entry(op, size(op))).collect();
            let why = self.why(state, all.iter().copied());
            let queue = Queue { label: i.to_string(), more: all.len() - entries.len(), entries, why };
            (copying.map(|op| self.entry(op, size(op))), queue)
        };
        state.copying.iter().enumerate().map(engine).collect()
    }

    fn device(&self, state: &State) -> Option<String> {
        (!self.trace().slices.is_empty()).then(|| match state.device {
            Some(process) => format!("Process {process} has the device."),
            None => "No process has the device.".to_owned(),
        })
    }

    fn sm(&self, sm: &blocks::replay::SmState) -> Sm {
        let Device { threads_per_sm, shared_memory_per_sm, registers_per_sm, blocks_per_sm, .. } =
            self.setup().device;
        let most = MOST_RESIDENT[usize::from(self.setup().device.sms > LARGE)];
        let running = sm.blocks.iter().filter(|block| block.motion == Motion::Running).count() as u64;
        let plain = |amount: u64| people::grouped(amount.into());
        let bytes = |amount: u64| if amount == 0 { "0".to_owned() } else { people::bytes(amount) };
        let block = |block: &Resident| {
            let kernel = self.trace().kernels.get(block.kernel).map_or(usize::MAX, |run| run.kernel);
            let label = self.setup().kernels.get(kernel).map_or("", |kernel| kernel.label.as_str());
            let stage = if block.motion == Motion::Paused { "stands still" } else { "" };
            Entry {
                name: format!("{label}:{}", block.block), // as in the picture
                class: self.run.timeline.classes.get(block.kernel).copied(),
                stage: stage.to_owned(),
            }
        };
        let blocks: Vec<Entry> = sm.blocks.iter().take(most).map(block).collect();
        Sm {
            meters: [
                meter(sm.threads_used, threads_per_sm, plain),
                meter(sm.shared_memory_used, shared_memory_per_sm, bytes),
                meter(sm.registers_used, registers_per_sm, plain),
                meter(running, blocks_per_sm, plain),
            ],
            more: sm.blocks.len() - blocks.len(),
            blocks,
        }
    }
}

fn meter(used: u64, limit: u32, shown: impl Fn(u64) -> String) -> Meter {
    let all = u64::from(limit);
    if limit == u32::MAX {
        return Meter { words: "no limit".to_owned(), free: None };
    }
    let free = all.saturating_sub(used);
    let words = if free == all { shown(all) } else { format!("{} of {}", shown(free), shown(all)) };
    Meter { words, free: Some((free * 1_000 / all.max(1)) as u16) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::sample;
    use base::Nanos;

    fn at(runs: &Runs, nanos: u64) -> Moment {
        let Some(played) = Played::new(runs, Which::Simulated) else { unreachable!("it was simulated") };
        Moment::new(runs, &played, played.step_at(Nanos(nanos))).unwrap_or_default()
    }

    fn names(queue: &Queue) -> String {
        queue
            .entries
            .iter()
            .map(|entry| format!("{} {}", entry.name, entry.stage))
            .collect::<Vec<_>>()
            .join(", ")
    }

    #[test]
    fn an_instant_shows_queues_and_what_is_free() {
        let moment = at(&sample::runs(), 4_000_000_000);
        assert_eq!(moment.at, "4 s");
        let streams: Vec<String> = moment.streams.iter().map(names).collect();
        assert_eq!(streams, ["", "K2 runs", "K3 starting", "K4 queued"]);
        assert_eq!(moment.execution.len(), 1);
        assert_eq!(names(&moment.execution[0]), "K3 1 block left, K4 5 blocks left");
        assert_eq!(moment.sms.len(), 2);
        assert_eq!(moment.sms[0].meters[0], Meter { words: "0 of 2,048".to_owned(), free: Some(0) });
        assert_eq!(moment.sms[0].meters[3].words, "28 of 32");
        assert!(moment.engines.is_empty() && moment.device.is_none());
        let blocks: Vec<&str> = moment.sms[1].blocks.iter().map(|block| block.name.as_str()).collect();
        assert_eq!(blocks, ["K2:1", "K2:3", "K2:5", "K3:0"]);
        assert_eq!(moment.waits.len(), 2, "{:?}", moment.waits);
        let why = |queue: &Queue| queue.why.clone().map(|[short, _]| short).unwrap_or_default();
        let streams: Vec<String> = moment.streams.iter().map(why).collect();
        assert_eq!(streams, ["", "", "too few threads free (R2)", "K3 is before it in the queue (X1)"]);
        assert_eq!(why(&moment.execution[0]), streams[2]);
        let full = moment.execution[0].why.clone().map(|[_, full]| full);
        assert_eq!(full, moment.waits.first().cloned());
    }

    #[test]
    fn what_breaks_a_rule_is_not_said_to_keep_it() {
        let runs = sample::measured();
        let Some(played) = Played::new(&runs, Which::Measured) else { unreachable!("it was measured") };
        let said = |step| Moment::new(&runs, &played, step).map(|moment| moment.happened).unwrap_or_default();
        let all: Vec<String> = (1..=played.total()).map(said).collect();
        let broken: Vec<&String> = all.iter().filter(|said| said.contains("This breaks")).collect();
        assert_eq!(broken.len(), 1, "{all:?}");
        assert!(
            broken[0].starts_with("Block 0 of K3 starts. This breaks X1: block 0 of K3 starts at "),
            "{broken:?}"
        );
        assert!(!broken[0].contains("heads the execution queue"));
    }

    #[test]
    fn copies_stand_at_their_engines() {
        let runs = sample::odd();
        let moment = at(&runs, 40);
        let on: Vec<_> =
            moment.engines.iter().map(|(on, _)| on.as_ref().map(|on| on.name.as_str())).collect();
        assert!(on.contains(&Some("copy in")), "{on:?}");
        assert_eq!(at(&runs, 0).engines.iter().filter(|(on, _)| on.is_some()).count(), 0);
    }
}
