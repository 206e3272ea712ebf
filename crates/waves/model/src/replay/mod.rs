//! The streams of a capture executed again, by a policy: whom of the waves that stand ready a unit's arbiter takes.
//!
//! Invariant: a step of the replay is a slot; nothing issues before what it waits for, and no two waves of a SIMD hold a
//! unit at once, but beside a matrix instruction others of the vector unit may issue.

mod streams;

pub use streams::{Step, Stream, What, streams};

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

use crate::account::Account;
use crate::units::{Simd, Unit, slot};

/// Whom an arbiter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The wave that began first.
    Oldest,
    /// The next one after the one that was taken last.
    RoundRobin,
    /// Everybody at once, as if each wave had units of its own: no schedule of these streams is shorter.
    Alone,
}

impl Policy {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Oldest => "oldest first",
            Self::RoundRobin => "round robin",
            Self::Alone => "alone",
        }
    }
}

/// Which of the latencies that are known as bounds only a replay takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unknown {
    /// The shortest that the measurement permits.
    Least,
    /// The longest.
    Most,
}

/// A replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// By wave: its begin and its end; none for one that never ended, as others did not come to its barrier.
    pub lives: Vec<Option<(i64, i64)>>,
}

/// What does not change from one replay of a capture to the next.
pub struct Machine {
    simds: Vec<Simd>,
    groups: Vec<Vec<u32>>,
    group: Vec<u32>,
    slot: i64,
    /// By line: a number of its instruction's name.
    names: Vec<u32>,
    /// Names that two waves issue in one slot.
    beside: HashSet<(u32, u32)>,
}

impl Machine {
    /// Of a capture.
    pub fn of(account: &Account) -> Self {
        let simds = account.capture.waves.iter().map(|wave| (wave.se, wave.cu, wave.simd)).collect();
        let (groups, group) = (account.barriers.groups.clone(), account.barriers.group.clone());
        let mut known: BTreeMap<&str, u32> = BTreeMap::new();
        let lines = account.capture.lines.iter();
        let names = lines.map(|line| {
            let next = known.len() as u32;
            *known.entry(line.op.name.as_str()).or_insert(next)
        });
        let names = names.collect();
        let beside = account.units.beside.iter();
        let beside =
            beside.filter_map(|(a, b)| Some((*known.get(a.as_str())?, *known.get(b.as_str())?))).collect();
        Self { simds, groups, group, slot: slot(account.capture.generation), names, beside }
    }

    /// Executes streams.
    pub fn replay(&self, streams: &[Stream], policy: Policy, unknown: Unknown) -> Replayed {
        let mut run = Run::new(self, streams, policy, unknown);
        run.begin_all();
        while let Some(Reverse((at, _, wave))) = run.heap.pop() {
            run.turn(at, wave);
        }
        let lives = run.waves.iter().map(|wave| wave.end.map(|end| (wave.begin, end))).collect();
        Replayed { lives }
    }
}

/// A wave in a replay.
#[derive(Clone, Default)]
struct Own {
    next: usize,
    begin: i64,
    /// When its next instruction is ready to issue.
    ready: i64,
    issued: Vec<i64>,
    end: Option<i64>,
}

/// Who holds a unit.
#[derive(Clone, Copy)]
struct Held {
    until: i64,
    /// When the slot ends in which it was taken.
    slot: i64,
    by: u32,
    /// The line of who took it, and whether somebody already issued beside it.
    line: u32,
    paired: bool,
}

struct Run<'m> {
    machine: &'m Machine,
    streams: &'m [Stream],
    policy: Policy,
    unknown: Unknown,
    waves: Vec<Own>,
    /// Ready waves: time, rank, wave.
    heap: BinaryHeap<Reverse<(i64, u64, u32)>>,
    held: BTreeMap<(Simd, Unit, bool), Held>,
    taken: BTreeMap<(Simd, Unit), u32>,
    /// By work-group and barrier: who arrived when.
    arrivals: BTreeMap<(u32, u32), Vec<(u32, i64)>>,
    /// By wave: which one waits for its slot.
    follows: BTreeMap<u32, u32>,
}

impl<'m> Run<'m> {
    fn new(machine: &'m Machine, streams: &'m [Stream], policy: Policy, unknown: Unknown) -> Self {
        let own = |stream: &Stream| Own { issued: vec![0; stream.steps.len()], ..Own::default() };
        Self {
            machine,
            streams,
            policy,
            unknown,
            waves: streams.iter().map(own).collect(),
            heap: BinaryHeap::new(),
            held: BTreeMap::new(),
            taken: BTreeMap::new(),
            arrivals: BTreeMap::new(),
            follows: BTreeMap::new(),
        }
    }

    fn begin_all(&mut self) {
        for (wave, stream) in (0_u32..).zip(self.streams) {
            match stream.after {
                Some((before, _)) => {
                    self.follows.insert(before, wave);
                }
                None => self.begin(wave, stream.begin),
            }
        }
    }

    fn begin(&mut self, wave: u32, at: i64) {
        self.waves[wave as usize].begin = at;
        self.come_up(wave, at);
    }

    /// A wave goes on to its next instruction, or ends.
    fn come_up(&mut self, wave: u32, at: i64) {
        let stream = &self.streams[wave as usize];
        let own = &mut self.waves[wave as usize];
        let Some(step) = stream.steps.get(own.next) else {
            let end = at + stream.tail;
            own.end = Some(end);
            if let Some(&next) = self.follows.get(&wave) {
                let (_, apart) = self.streams[next as usize].after.unwrap_or_default();
                self.begin(next, end + apart);
            }
            return;
        };
        let clock = at + step.gap;
        own.ready = match step.what {
            What::Unit(_) | What::Plain | What::Signal => clock + step.own,
            What::Wait => {
                let returned = |&item: &u32| {
                    let (least, most) = stream.steps[item as usize].latency;
                    let latency = if self.unknown == Unknown::Least { least } else { most };
                    own.issued[item as usize] + latency
                };
                step.asked.iter().map(returned).max().unwrap_or(clock).max(clock + step.own)
            }
            What::Barrier(number) => {
                own.ready = clock;
                self.arrive(wave, number, clock);
                return;
            }
        };
        self.push(wave);
    }

    fn push(&mut self, wave: u32) {
        let ready = self.waves[wave as usize].ready;
        let rank = self.rank(wave);
        self.heap.push(Reverse((ready, rank, wave)));
    }

    /// Smaller comes first.
    fn rank(&self, wave: u32) -> u64 {
        match self.policy {
            // Those that begin at the same time are taken in the order of their places.
            Policy::Oldest | Policy::Alone => (self.waves[wave as usize].begin + (1 << 62)).cast_unsigned(),
            Policy::RoundRobin => {
                let own = &self.waves[wave as usize];
                let step = self.streams[wave as usize].steps.get(own.next);
                let Some(What::Unit(unit)) = step.map(|step| step.what) else { return 0 };
                let last = self.taken.get(&(self.machine.simds[wave as usize], unit)).copied();
                let count = self.waves.len() as u64;
                last.map_or(u64::from(wave), |last| (u64::from(wave) + count - u64::from(last) - 1) % count)
            }
        }
    }

    fn arrive(&mut self, wave: u32, number: u32, at: i64) {
        let group = self.machine.group[wave as usize];
        let all = self.arrivals.entry((group, number)).or_default();
        all.push((wave, at));
        let members = self.machine.groups[group as usize].len();
        if all.len() < members {
            return;
        }
        let last = all.iter().map(|(_, at)| *at).max().unwrap_or(at);
        for (member, _) in std::mem::take(all) {
            let own = &mut self.waves[member as usize];
            own.ready = last + self.streams[member as usize].steps[own.next].own;
            self.push(member);
        }
    }

    /// A wave stands ready: it issues, or stands ready again when what is in its way is gone.
    fn turn(&mut self, at: i64, wave: u32) {
        let step = &self.streams[wave as usize].steps[self.waves[wave as usize].next];
        if let What::Unit(unit) = step.what
            && self.policy != Policy::Alone
        {
            let simd = self.machine.simds[wave as usize];
            let free = self.free(simd, unit, step, wave);
            if free > at && self.pairs(simd, unit, step, wave, at) {
                if let Some(held) = self.held.get_mut(&(simd, unit, false)) {
                    held.paired = true;
                    held.until = held.until.max(at + step.hold);
                }
            } else if free > at {
                self.waves[wave as usize].ready = free;
                self.push(wave);
                return;
            }
            if free <= at {
                self.take(simd, unit, step, wave, at);
            }
        }
        let own = &mut self.waves[wave as usize];
        own.issued[own.next] = at;
        own.next += 1;
        self.come_up(wave, at + step.issues);
    }

    /// A wave takes a unit.
    fn take(&mut self, simd: Simd, unit: Unit, step: &Step, wave: u32, at: i64) {
        let slot = at + self.machine.slot;
        let mut hold = |matrix: bool, until: i64| {
            let held = Held { until, slot, by: wave, line: step.line, paired: false };
            self.held.insert((simd, unit, matrix), held);
        };
        if step.matrix {
            hold(true, at + step.hold);
            hold(false, at + step.issues.max(self.machine.slot));
        } else {
            hold(false, at + step.hold);
        }
        self.taken.insert((simd, unit), wave);
    }

    /// Whether a wave may issue beside the one that took the slot: the measurement has such pairs.
    fn pairs(&self, simd: Simd, unit: Unit, step: &Step, wave: u32, at: i64) -> bool {
        let Some(held) = self.held.get(&(simd, unit, false)) else { return false };
        let name = |line: u32| self.machine.names.get(line as usize).copied();
        let known =
            name(held.line).zip(name(step.line)).is_some_and(|pair| self.machine.beside.contains(&pair));
        let same_slot = held.slot == at + self.machine.slot;
        unit == Unit::Vector && !step.matrix && !held.paired && held.by != wave && same_slot && known
    }

    /// From when on a unit is free for a wave: others do not hold it, and nobody took the slot.
    fn free(&self, simd: Simd, unit: Unit, step: &Step, wave: u32) -> i64 {
        let matrix = step.matrix;
        let of = |matrix: bool| match self.held.get(&(simd, unit, matrix)) {
            Some(held) if held.by != wave => held.until.max(held.slot),
            _ => i64::MIN,
        };
        if matrix { of(true).max(of(false)) } else { of(false) }
    }
}

/// Errors of a replay: of each wave's life, in thousandths of a percent of the measured one, sorted.
pub fn errors(account: &Account, replayed: &Replayed) -> Vec<u64> {
    let mut found: Vec<u64> = account
        .capture
        .waves
        .iter()
        .zip(&replayed.lives)
        .map(|(wave, life)| match life {
            Some((begin, end)) => {
                let (own, measured) = (end - begin, wave.end - wave.begin);
                (own.abs_diff(measured) * 100_000).checked_div(measured.unsigned_abs()).unwrap_or_default()
            }
            None => u64::MAX,
        })
        .collect();
    found.sort_unstable();
    found
}
