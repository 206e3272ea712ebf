//! A capture as it crosses from the worker that has read it to the page that shows it: bars in rows, as columns.
//!
//! Times are cycles from the first one of the shader engine; they stay whole in 64-bit floating point. Bars of a row are
//! sorted and do not overlap.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::engines::PackedEngine;
use super::held::PackedLanes;
use super::layout::{Layout, OfWave, Row};
use crate::report::lines::by_line;
use waves::isa::Class;
use waves::{Account, Capture, Cause, Instr, Part};

/// No line, or no bar.
pub const NONE: u32 = u32::MAX;

/// The unit that an instruction issues on, as far as the picture tells them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitKind {
    /// Scalar arithmetic.
    Scalar,
    /// Scalar memory.
    ScalarMemory,
    /// Vector arithmetic.
    Vector,
    /// Matrix instructions.
    Matrix,
    /// Vector memory, flat too.
    Memory,
    /// LDS.
    Lds,
    /// Jumps, waits, barriers, messages: what no unit executes.
    Control,
}

impl UnitKind {
    /// All of them, as legends list them.
    pub const ALL: [Self; 7] = [
        Self::Vector,
        Self::Matrix,
        Self::Scalar,
        Self::ScalarMemory,
        Self::Memory,
        Self::Lds,
        Self::Control,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::ScalarMemory => "scalar memory",
            Self::Vector => "vector",
            Self::Matrix => "matrix",
            Self::Memory => "vector memory",
            Self::Lds => "LDS",
            Self::Control => "control",
        }
    }

    /// Of an instruction.
    pub fn of(capture: &Capture, instr: &Instr) -> Self {
        if capture.op(instr).is_some_and(|op| op.class == Class::Matrix) {
            return Self::Matrix;
        }
        match instr.kind {
            waves::Kind::Salu => Self::Scalar,
            waves::Kind::Smem => Self::ScalarMemory,
            waves::Kind::Valu => Self::Vector,
            waves::Kind::Vmem | waves::Kind::Flat | waves::Kind::Ray => Self::Memory,
            waves::Kind::Lds => Self::Lds,
            _ => Self::Control,
        }
    }
}

/// What a bar shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An instruction issues.
    Issue(UnitKind),
    /// The wave waits.
    Wait(Cause),
}

/// How many kinds there are.
pub const KINDS: usize = UnitKind::ALL.len() + Cause::ALL.len() - 1;

impl Kind {
    /// Of a part of an account.
    fn of(capture: &Capture, part: &Part, instr: Option<&Instr>) -> Self {
        match (part.cause, instr) {
            (Cause::Issue, Some(instr)) => Self::Issue(UnitKind::of(capture, instr)),
            (Cause::Issue, None) => Self::Issue(UnitKind::Control),
            (cause, _) => Self::Wait(cause),
        }
    }

    /// As a number under [`KINDS`].
    pub fn number(self) -> u8 {
        match self {
            Self::Issue(unit) => unit as u8,
            Self::Wait(cause) => (UnitKind::ALL.len() + cause.place() - 1) as u8,
        }
    }

    /// Of a number.
    pub fn numbered(number: u8) -> Self {
        let number = usize::from(number);
        let unit = UnitKind::ALL.into_iter().find(|unit| *unit as usize == number);
        match unit {
            Some(unit) => Self::Issue(unit),
            None => {
                let cause = (number + 1).checked_sub(UnitKind::ALL.len()).and_then(|at| Cause::ALL.get(at));
                Self::Wait(cause.copied().unwrap_or(Cause::Unexplained))
            }
        }
    }

    /// The cause.
    pub fn cause(self) -> Cause {
        match self {
            Self::Issue(_) => Cause::Issue,
            Self::Wait(cause) => cause,
        }
    }
}

/// A line of code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its number in the file.
    pub number: u32,
    /// The instruction.
    pub text: String,
    /// Where in the source it is from.
    pub source: String,
    /// That line of the source, where it was saved.
    pub quoted: String,
    /// How often it was executed.
    pub hits: f64,
    /// Its cycles by cause, in the order of [`Cause::ALL`].
    pub causes: Vec<f64>,
}

/// The capture.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Packed {
    /// When the last wave ended.
    pub end: f64,
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
    /// Waves, in the order of reports.
    pub waves: Vec<OfWave>,
    /// The code.
    pub lines: Vec<Line>,
    /// When each bar begins: 8 bytes each, the low one first.
    pub starts: ByteBuf,
    /// When each ends.
    pub ends: ByteBuf,
    /// The place of its line, or [`NONE`]: 4 bytes each.
    pub of_line: ByteBuf,
    /// The place of its witness's bar, or [`NONE`].
    pub witnesses: ByteBuf,
    /// What each shows, as [`Kind::number`] says.
    pub kinds: ByteBuf,
    /// Who holds which unit.
    pub lanes: PackedLanes,
    /// Who is on the shader engines.
    pub engines: Vec<PackedEngine>,
}

/// Times as they crossed.
pub(super) fn times(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|bytes| f64::from_le_bytes(array(bytes))).collect()
}

/// Numbers as they crossed.
pub(super) fn numbers(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|bytes| u32::from_le_bytes(array(bytes))).collect()
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().unwrap_or([0; N])
}

impl Packed {
    /// Of an account, as it is laid out.
    pub fn of(account: &Account, layout: &Layout) -> Self {
        let mut packed = Self {
            rows: layout.rows.clone(),
            waves: layout.waves.clone(),
            lines: lines(account),
            lanes: PackedLanes::of(account, layout),
            engines: PackedEngine::all(account.capture, layout),
            ..Self::default()
        };
        for &wave in layout.order.iter().flatten() {
            let own = &account.capture.waves[wave as usize];
            for part in &account.parts[wave as usize] {
                let (from, to) = (layout.time(own.se, part.from), layout.time(own.se, part.to));
                let instr = part.item.and_then(|item| own.instrs.get(item as usize));
                let kind = Kind::of(account.capture, part, instr);
                let witness = part.witness.filter(|_| part.cause != Cause::Issue);
                let witness = witness.and_then(|witness| layout.bar(account, witness)).unwrap_or(NONE);
                packed.push((from, to), instr.map_or(NONE, |instr| instr.line), witness, kind);
            }
        }
        packed
    }

    fn push(&mut self, (from, to): (i64, i64), line: u32, witness: u32, kind: Kind) {
        let (from, to) = (from as f64, to as f64);
        self.end = self.end.max(to);
        self.starts.extend_from_slice(&from.to_le_bytes());
        self.ends.extend_from_slice(&to.to_le_bytes());
        self.of_line.extend_from_slice(&line.to_le_bytes());
        self.witnesses.extend_from_slice(&witness.to_le_bytes());
        self.kinds.push(kind.number());
    }
}

fn lines(account: &Account) -> Vec<Line> {
    let saved = Sources::of(account.capture);
    let own = by_line(account);
    let line = |(line, (hits, sums)): (&waves::Line, (u64, waves::Sums))| Line {
        number: line.number,
        text: line.text.clone(),
        source: line.source.clone(),
        quoted: saved.quoted(&line.source).unwrap_or_default(),
        hits: hits as f64,
        causes: Cause::ALL.iter().map(|&cause| sums.of(cause) as f64).collect(),
    };
    account.capture.lines.iter().zip(own).map(line).collect()
}

/// The longest line of source that is shown.
const LONGEST: usize = 200;

/// Saved sources, line by line.
struct Sources<'a>(std::collections::BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> Sources<'a> {
    fn of(capture: &'a Capture) -> Self {
        let split = |(path, text): &'a (String, String)| (path.as_str(), text.lines().collect());
        Self(capture.sources.iter().map(split).collect())
    }

    /// The line that a place names, which is a path, a colon and a number.
    fn quoted(&self, place: &str) -> Option<String> {
        let (path, number) = place.rsplit_once(':')?;
        let number: usize = number.trim().parse().ok()?;
        let line = self.0.get(path)?.get(number.checked_sub(1)?)?;
        Some(line.trim().chars().take(LONGEST).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_numbered() {
        for number in 0..KINDS as u8 {
            assert_eq!(Kind::numbered(number).number(), number);
        }
        assert_eq!(Kind::numbered(KINDS as u8), Kind::Wait(Cause::Unexplained));
    }
}
