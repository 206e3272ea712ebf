//! A decoded thread trace: when every instruction of every wave on one compute unit issued, and how long it stalled.
//!
//! Invariants, kept by [`Wave::settle`] and by whoever makes a capture: instructions of a wave stand in the order of
//! their clocks and within its life; a line that an instruction names is there. Clocks are those of a shader engine and
//! are compared within one engine only.

use crate::isa::{Generation, Op};

/// No line: the decoder could not match the instruction to code.
pub const NO_LINE: u32 = u32::MAX;

/// What kind an instruction is of, as the decoder tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Scalar memory.
    Smem,
    /// Scalar.
    Salu,
    /// Vector memory.
    Vmem,
    /// Flat: global memory, scratch or LDS.
    Flat,
    /// LDS.
    Lds,
    /// Vector, matrix instructions too.
    Valu,
    /// A jump that was taken.
    Jump,
    /// A jump that was not.
    Next,
    /// Waits, barriers and such.
    Immediate,
    /// A change of context.
    Context,
    /// A message, the end of the program too.
    Message,
    /// Ray tracing.
    Ray,
    /// One that this program does not know.
    Other,
}

impl Kind {
    const ALL: [Self; 12] = [
        Self::Smem,
        Self::Salu,
        Self::Vmem,
        Self::Flat,
        Self::Lds,
        Self::Valu,
        Self::Jump,
        Self::Next,
        Self::Immediate,
        Self::Context,
        Self::Message,
        Self::Ray,
    ];

    /// The kind of a number in the file.
    pub fn of(number: i64) -> Self {
        let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        place.and_then(|place| Self::ALL.get(place)).copied().unwrap_or(Self::Other)
    }

    /// Its number in the file; 0 for those that are not known.
    pub fn number(self) -> u8 {
        Self::ALL.iter().position(|&kind| kind == self).map_or(0, |place| place as u8 + 1)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smem => "scalar memory",
            Self::Salu => "scalar",
            Self::Vmem => "vector memory",
            Self::Flat => "flat",
            Self::Lds => "LDS",
            Self::Valu => "vector",
            Self::Jump => "jump",
            Self::Next => "jump not taken",
            Self::Immediate => "immediate",
            Self::Context => "context",
            Self::Message => "message",
            Self::Ray => "ray",
            Self::Other => "unknown",
        }
    }
}

/// One instruction that a wave executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instr {
    /// When it came up.
    pub clock: i64,
    /// Its kind.
    pub kind: Kind,
    /// How long it stalled before it issued.
    pub stall: u32,
    /// Stall and issue, from gfx10 on stall and execution.
    pub duration: u32,
    /// Its place in [`Capture::lines`], or [`NO_LINE`].
    pub line: u32,
}

impl Instr {
    /// When it issued.
    pub fn issued(&self) -> i64 {
        self.clock.saturating_add(i64::from(self.stall))
    }

    /// When it was through.
    pub fn end(&self) -> i64 {
        self.clock.saturating_add(i64::from(self.duration.max(self.stall)))
    }
}

/// A wave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wave {
    /// Its shader engine.
    pub se: u32,
    /// Its compute unit.
    pub cu: u32,
    /// Its SIMD.
    pub simd: u32,
    /// Its slot there.
    pub slot: u32,
    /// How many waves the slot had before it.
    pub n: u32,
    /// When it began.
    pub begin: i64,
    /// When it ended.
    pub end: i64,
    /// What it executed.
    pub instrs: Vec<Instr>,
}

impl Wave {
    /// Puts instructions into the order of their clocks and leaves out those that come up outside of the wave's life;
    /// says how many those were.
    pub fn settle(&mut self) -> usize {
        self.end = self.end.max(self.begin);
        let before = self.instrs.len();
        let (begin, end) = (self.begin, self.end);
        // The last one, the end of the program, may reach some cycles beyond.
        self.instrs.retain(|own| own.clock >= begin && own.clock <= end);
        if !self.instrs.is_sorted_by_key(|own| own.clock) {
            self.instrs.sort_by_key(|own| own.clock);
        }
        before - self.instrs.len()
    }

    /// Whether its life is one that can be computed with: not before it began, not longer than days, and far from the
    /// ends of what numbers hold.
    pub fn is_plausible(&self) -> bool {
        let far = |time: i64| time.unsigned_abs() >= 1 << 61;
        self.begin <= self.end && !far(self.begin) && !far(self.end) && self.life() < 1 << 40
    }

    /// How long it lived.
    pub fn life(&self) -> u64 {
        self.end.abs_diff(self.begin)
    }
}

/// A line of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number in the file, which instructions refer to there.
    pub number: u32,
    /// The instruction.
    pub text: String,
    /// Where in the source it is from: a path with a line; or nothing.
    pub source: String,
    /// Its address.
    pub address: u64,
    /// Its kernel, a place in [`Capture::kernels`]; or none, if the file names none before it.
    pub kernel: Option<u32>,
    /// What the instruction does.
    pub op: Op,
}

/// A wave that came or went anywhere on a shader engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Presence {
    /// Its shader engine.
    pub se: u32,
    /// When.
    pub clock: i64,
    /// Its compute unit.
    pub cu: u32,
    /// Its SIMD.
    pub simd: u32,
    /// Its slot.
    pub slot: u32,
    /// Whether it came.
    pub came: bool,
}

/// Something of the files that is not in the capture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// What, and where.
    pub what: String,
    /// How many there were.
    pub count: u64,
}

/// A capture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Capture {
    /// The generation of the graphics core.
    pub generation: Generation,
    /// The names of its kernels.
    pub kernels: Vec<String>,
    /// The code.
    pub lines: Vec<Line>,
    /// The waves, by shader engine, SIMD, slot and number.
    pub waves: Vec<Wave>,
    /// All waves of the engines, those that were not traced too.
    pub occupancy: Vec<Presence>,
    /// Saved sources, path and text.
    pub sources: Vec<(String, String)>,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
}

impl Capture {
    /// The line of an instruction.
    pub fn line(&self, instr: &Instr) -> Option<&Line> {
        self.lines.get(instr.line as usize)
    }

    /// What an instruction does, as far as its text says.
    pub fn op(&self, instr: &Instr) -> Option<&Op> {
        self.line(instr).map(|line| &line.op)
    }

    /// An instruction by the places of its wave and of itself.
    pub fn instr(&self, wave: u32, item: u32) -> Option<&Instr> {
        self.waves.get(wave as usize)?.instrs.get(item as usize)
    }

    /// How many instructions were executed.
    pub fn instructions(&self) -> usize {
        self.waves.iter().map(|wave| wave.instrs.len()).sum()
    }

    /// Notes that something was left out; equal texts are counted.
    pub fn leave_out(&mut self, what: String, count: u64) {
        if count == 0 {
            return;
        }
        match self.left_out.iter_mut().find(|left| left.what == what) {
            Some(left) => left.count += count,
            None => self.left_out.push(LeftOut { what, count }),
        }
    }
}
