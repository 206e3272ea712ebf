//! Which unit an instruction goes to, who was on it when, and for how long each instruction holds it.
//!
//! Holds are measured in the capture itself: the shortest time, seen often enough, after which another instruction of
//! the same unit and SIMD that had stalled issued. Where none had stalled, an instruction holds its unit while it issues.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::capture::{Capture, Instr, Kind};
use crate::cause::Witness;
use crate::isa::{Class, Generation};

/// A unit of a SIMD; an arbiter picks one wave a slot for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Vector arithmetic.
    Vector,
    /// The way to memory.
    Memory,
    /// The way to LDS.
    Lds,
    /// Scalar arithmetic.
    Scalar,
    /// Scalar loads.
    ScalarLoad,
    /// Jumps.
    Jump,
    /// Messages and ends.
    Message,
}

impl Unit {
    /// The unit of an instruction; none for what no unit executes, such as waits.
    pub fn of(capture: &Capture, instr: &Instr) -> Option<Self> {
        let class = capture.op(instr).map_or(Class::Other, |op| op.class);
        Some(match (class, instr.kind) {
            (class, _) if class.is_vector() => Self::Vector,
            (class, _) if class.is_memory() => Self::Memory,
            (Class::Lds, _) => Self::Lds,
            (Class::Scalar, _) => Self::Scalar,
            (Class::ScalarLoad, _) => Self::ScalarLoad,
            (Class::Jump, _) => Self::Jump,
            (Class::Message | Class::End, _) => Self::Message,
            (Class::Other, Kind::Valu) => Self::Vector,
            (Class::Other, Kind::Vmem | Kind::Flat | Kind::Ray) => Self::Memory,
            (Class::Other, Kind::Lds) => Self::Lds,
            (Class::Other, Kind::Salu) => Self::Scalar,
            (Class::Other, Kind::Smem) => Self::ScalarLoad,
            _ => return None,
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Memory => "memory",
            Self::Lds => "LDS",
            Self::Scalar => "scalar",
            Self::ScalarLoad => "scalar memory",
            Self::Jump => "jump",
            Self::Message => "message",
        }
    }
}

/// Cycles of a slot: after so many the arbiter of a unit picks again.
pub fn slot(generation: Generation) -> i64 {
    if generation == Generation::Gfx9 { 4 } else { 1 }
}

/// An instruction on a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// When it issued.
    pub issued: i64,
    /// Until when it holds the unit.
    pub held: i64,
    /// Whether it is a matrix instruction, beside which others of the vector unit may issue.
    pub matrix: bool,
    /// Whether it had stalled.
    pub stalled: bool,
    /// Which one it is.
    pub who: Witness,
}

/// A SIMD: shader engine, compute unit, number.
pub type Simd = (u32, u32, u32);

/// How long an instruction holds its unit, as measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    /// Cycles.
    pub cycles: i64,
    /// How many followers that had stalled were seen.
    pub count: u64,
    /// How many of them issued just so many cycles after it.
    pub just: u64,
}

/// Everything that was on units.
#[derive(Debug, Clone, Default)]
pub struct Units {
    /// By SIMD and unit, in the order of issue.
    pub events: BTreeMap<(Simd, Unit), Vec<Event>>,
    /// By unit and instruction name.
    pub holds: BTreeMap<(Unit, String), Hold>,
    /// The longest hold.
    pub longest: i64,
    /// Names of vector instructions of two waves that issued in the same slot of a SIMD, often enough to be no mistake.
    pub beside: BTreeSet<(String, String)>,
}

impl Units {
    /// Finds them.
    pub fn of(capture: &Capture) -> Self {
        let mut events: BTreeMap<(Simd, Unit), Vec<Event>> = BTreeMap::new();
        for (wave, own) in (0..).zip(&capture.waves) {
            for (item, instr) in (0..).zip(&own.instrs) {
                let Some(unit) = Unit::of(capture, instr) else { continue };
                let matrix = capture.op(instr).is_some_and(|op| op.class == Class::Matrix);
                let (issued, held) = (instr.issued(), instr.end());
                let event =
                    Event { issued, held, matrix, stalled: instr.stall > 0, who: Witness { wave, item } };
                events.entry(((own.se, own.cu, own.simd), unit)).or_default().push(event);
            }
        }
        events.values_mut().for_each(|all| all.sort_by_key(|event| (event.issued, event.who)));
        let mut found = Self { events, ..Self::default() };
        found.holds = measured(capture, &found.events);
        found.beside = beside(capture, &found.events);
        found.hold(capture);
        found
    }

    /// Writes into every event until when it holds its unit.
    fn hold(&mut self, capture: &Capture) {
        let mut by_line: HashMap<(Unit, u32), i64> = HashMap::new();
        for ((_, unit), all) in &mut self.events {
            for event in all {
                let Some(instr) = capture.instr(event.who.wave, event.who.item) else { continue };
                let known = *by_line
                    .entry((*unit, instr.line))
                    .or_insert_with(|| known(&self.holds, capture, *unit, instr));
                event.held = event.issued.saturating_add(least(capture, instr).max(known));
                self.longest = self.longest.max(event.held - event.issued);
            }
        }
    }

    /// Cycles for which an instruction holds its unit against other waves: as long as was measured of its name, and no
    /// less than it issues. The account, replays and bounds all count so many.
    pub fn held(&self, capture: &Capture, unit: Unit, instr: &Instr) -> i64 {
        least(capture, instr).max(known(&self.holds, capture, unit, instr))
    }

    /// Events of a unit of a SIMD that may reach into a stretch.
    pub fn near(&self, simd: Simd, unit: Unit, from: i64, to: i64) -> &[Event] {
        let Some(all) = self.events.get(&(simd, unit)) else { return &[] };
        let first = all.partition_point(|event| event.issued < from.saturating_sub(self.longest));
        let last = all.partition_point(|event| event.issued < to);
        all.get(first..last).unwrap_or_default()
    }
}

/// As long as was measured of its name; nothing where it was not.
fn known(holds: &BTreeMap<(Unit, String), Hold>, capture: &Capture, unit: Unit, instr: &Instr) -> i64 {
    let hold = capture.op(instr).and_then(|op| holds.get(&(unit, op.name.clone())));
    hold.map_or(0, |hold| hold.cycles)
}

/// While it issues. From gfx10 on the file tells of execution, which others need not wait for; and the last instruction issues
/// until its wave is gone, beside which others end, too.
fn least(capture: &Capture, instr: &Instr) -> i64 {
    let slot = slot(capture.generation);
    let ends = capture.op(instr).is_some_and(|op| op.class == Class::End);
    let issues = capture.generation == Generation::Gfx9 && !ends;
    if issues { slot.max(instr.end() - instr.issued()) } else { slot }
}

/// Pairs that were seen in one slot at least this often.
const OFTEN: u64 = 3;

fn beside(capture: &Capture, events: &BTreeMap<(Simd, Unit), Vec<Event>>) -> BTreeSet<(String, String)> {
    let mut seen: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let name = |event: &Event| {
        let instr = capture.instr(event.who.wave, event.who.item)?;
        capture.op(instr).map(|op| op.name.as_str())
    };
    for ((_, unit), all) in events {
        if *unit != Unit::Vector {
            continue;
        }
        for pair in all.windows(2) {
            let [one, other] = pair else { continue };
            let together = one.issued == other.issued && one.who.wave != other.who.wave;
            if let (true, Some(a), Some(b)) = (together, name(one), name(other)) {
                *seen.entry((a, b)).or_default() += 1;
                *seen.entry((b, a)).or_default() += u64::from(a != b);
            }
        }
    }
    let often = seen.into_iter().filter(|(_, count)| *count >= OFTEN);
    often.map(|((a, b), _)| (a.to_owned(), b.to_owned())).collect()
}

/// Beyond this a follower waited for something else.
const LONGEST: i64 = 128;

fn measured(
    capture: &Capture,
    events: &BTreeMap<(Simd, Unit), Vec<Event>>,
) -> BTreeMap<(Unit, String), Hold> {
    let mut seen: BTreeMap<(Unit, &str), BTreeMap<i64, u64>> = BTreeMap::new();
    for ((_, unit), all) in events {
        let matrix: Vec<&Event> = all.iter().filter(|event| event.matrix).collect();
        let plain: Vec<&Event> = all.iter().filter(|event| !event.matrix).collect();
        for pair in matrix.windows(2).chain(plain.windows(2)) {
            let [before, after] = pair else { continue };
            let apart = after.issued - before.issued;
            let op = capture.instr(before.who.wave, before.who.item).and_then(|instr| capture.op(instr));
            if let Some(op) = op.filter(|_| after.stalled && (1..=LONGEST).contains(&apart)) {
                *seen.entry((*unit, op.name.as_str())).or_default().entry(apart).or_default() += 1;
            }
        }
    }
    let hold = |((unit, name), apart): ((Unit, &str), BTreeMap<i64, u64>)| {
        let count: u64 = apart.values().sum();
        let enough = |just: u64| just >= 3 && just * 100 >= count * 3;
        let (&cycles, &just) = apart.iter().find(|(_, just)| enough(**just))?;
        Some(((unit, name.to_owned()), Hold { cycles, count, just }))
    };
    seen.into_iter().filter_map(hold).collect()
}
