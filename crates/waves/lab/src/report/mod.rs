//! What is reported of a thread trace: the account of every wave, of every line, the critical chains; what was measured
//! of units and of memory; and on request every stretch of every wave.
//!
//! Times are cycles of the shader engine's own clock, as in the file.

mod items;
pub(crate) mod lines;
mod measured;
mod path;
mod replayed;

use serde::Serialize;
use serde_json::{Map, Value};

use kit::import::json;
use waves::cause::{Part, Sums};
use waves::critical::critical;
use waves::isa::Class;
use waves::{ASSUMPTIONS, Account, Capture, Cause};

pub use items::{Item, Seen, items};
pub use lines::{OfLine, OfSource, lines, sources};
pub use measured::{Hold, Latency, Measured};
pub use path::{Chain, Stretch};
pub use replayed::{Chosen, Fit, Replays, WhatIf};

/// How much is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// All but the stretches.
    #[default]
    Summary,
    /// Every stretch, too.
    Instructions,
}

/// The report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What the capture is called.
    pub scenario: String,
    /// `waves`.
    pub lab: &'static str,
    /// How long it took to read and to answer.
    pub seconds: f64,
    /// The generation of the graphics core.
    pub gfx: u32,
    /// The kernels.
    pub kernels: Vec<String>,
    /// How many instructions were executed.
    pub instructions: usize,
    /// The waves.
    pub waves: Vec<OfWave>,
    /// Cycles of all waves by cause.
    pub causes: Map<String, Value>,
    /// How much of that has a witness.
    pub named: Named,
    /// Cycles by SIMD.
    pub simds: Vec<OfSimd>,
    /// Cycles by line of code, in the order of the code.
    pub lines: Vec<OfLine>,
    /// Cycles by line of source, the most first.
    pub sources: Vec<OfSource>,
    /// By shader engine: what its whole time went to, followed back.
    pub critical: Vec<Chain>,
    /// What was measured of units and of memory.
    pub measured: Measured,
    /// The measurement held against the model.
    #[serde(flatten)]
    pub replays: Replays,
    /// What the files have and the report does not.
    pub left_out: Vec<Left>,
    /// What is taken for granted.
    pub assumptions: &'static [&'static str],
    /// Every stretch, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<Item>>,
}

/// A wave's account.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OfWave {
    /// Its shader engine.
    pub se: u32,
    /// Its compute unit.
    pub cu: u32,
    /// Its SIMD.
    pub simd: u32,
    /// Its slot.
    pub slot: u32,
    /// How many the slot had before it.
    pub n: u32,
    /// Its work-group, as far as barriers tell it.
    pub group: u32,
    /// When it began.
    pub begin: i64,
    /// When it ended.
    pub end: i64,
    /// Its cycles by cause; they add up to its life.
    pub causes: Map<String, Value>,
}

/// The account of all waves of a SIMD.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OfSimd {
    /// Its shader engine.
    pub se: u32,
    /// Its compute unit.
    pub cu: u32,
    /// Its number.
    pub simd: u32,
    /// How many waves it had.
    pub waves: u64,
    /// Their cycles by cause.
    pub causes: Map<String, Value>,
}

/// How many cycles have a witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Named {
    /// All cycles of all waves.
    pub cycles: u64,
    /// Those with a witness.
    pub named: u64,
    /// Cycles at waits for counters.
    pub waits: u64,
    /// Those of them that name an operation.
    pub waits_named: u64,
    /// Cycles that waves waited at barriers for others.
    pub barriers: u64,
    /// Those of them that name a wave.
    pub barriers_named: u64,
}

/// Something of the files that is not in the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Left {
    /// What.
    pub what: String,
    /// How many there were.
    pub count: u64,
}

/// The report of a capture.
pub fn report(scenario: &str, capture: &Capture, detail: Detail) -> Report {
    report_of(scenario, &Account::of(capture), detail)
}

/// The same of an account that was made.
pub fn report_of(scenario: &str, account: &Account, detail: Detail) -> Report {
    let capture = account.capture;
    let mut whole = Sums::default();
    let waves = (0..capture.waves.len()).map(|place| wave(account, place, &mut whole)).collect();
    Report {
        scenario: scenario.to_owned(),
        lab: "waves",
        seconds: 0.0,
        gfx: capture.generation.number(),
        kernels: capture.kernels.clone(),
        instructions: capture.instructions(),
        waves,
        causes: by_cause(&whole),
        named: named(account),
        simds: simds(account),
        lines: lines(account),
        sources: sources(account),
        critical: critical(account).iter().map(|chain| path::chain(account, chain)).collect(),
        measured: Measured::of(account),
        replays: Replays::of(account),
        left_out: capture
            .left_out
            .iter()
            .map(|left| Left { what: left.what.clone(), count: left.count })
            .collect(),
        assumptions: ASSUMPTIONS,
        items: (detail == Detail::Instructions).then(|| items(account)),
    }
}

impl Report {
    /// The report as one line of JSON.
    pub fn line(&self) -> String {
        json::line(self)
    }
}

fn wave(account: &Account, place: usize, whole: &mut Sums) -> OfWave {
    let own = &account.capture.waves[place];
    let sums = account.sums(place);
    whole.add_all(&sums);
    OfWave {
        se: own.se,
        cu: own.cu,
        simd: own.simd,
        slot: own.slot,
        n: own.n,
        group: account.barriers.group.get(place).copied().unwrap_or_default(),
        begin: own.begin,
        end: own.end,
        causes: by_cause(&sums),
    }
}

/// Sums with their names, all of them.
pub fn by_cause(sums: &Sums) -> Map<String, Value> {
    Cause::ALL.iter().map(|&cause| (cause.name().to_owned(), sums.of(cause).into())).collect()
}

fn simds(account: &Account) -> Vec<OfSimd> {
    let mut found: std::collections::BTreeMap<(u32, u32, u32), (u64, Sums)> = Default::default();
    for (place, wave) in account.capture.waves.iter().enumerate() {
        let own = found.entry((wave.se, wave.cu, wave.simd)).or_default();
        own.0 += 1;
        own.1.add_all(&account.sums(place));
    }
    let simd = |((se, cu, simd), (waves, sums))| OfSimd { se, cu, simd, waves, causes: by_cause(&sums) };
    found.into_iter().map(simd).collect()
}

/// How much has a witness.
pub fn named(account: &Account) -> Named {
    let mut found = Named::default();
    for (wave, parts) in account.capture.waves.iter().zip(&account.parts) {
        for part in parts {
            let class = part.item.and_then(|item| wave.instrs.get(item as usize));
            let class = class.and_then(|instr| account.capture.op(instr)).map(|op| op.class);
            found.note(part, class);
        }
    }
    found
}

impl Named {
    fn note(&mut self, part: &Part, class: Option<Class>) {
        let cycles = part.cycles();
        let has = if part.witness.is_some() { cycles } else { 0 };
        self.cycles += cycles;
        self.named += has;
        match (class, part.cause) {
            (Some(Class::Wait), cause) if cause != Cause::Issue => {
                self.waits += cycles;
                self.waits_named += if cause == Cause::Data { has } else { 0 };
            }
            (_, Cause::Barrier) => {
                self.barriers += cycles;
                self.barriers_named += has;
            }
            _ => {}
        }
    }
}
