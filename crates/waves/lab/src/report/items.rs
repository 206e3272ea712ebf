//! Every stretch of every wave: its cause, its witness.

use serde::Serialize;

use waves::{Account, Cause, Witness};

/// A stretch of a wave's life.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// The wave's place among the waves.
    pub wave: usize,
    /// The number of its line in the file; none where there is no instruction, or no line of it.
    pub line: Option<u32>,
    /// When the instruction came up; without one, when the stretch begins.
    pub clock: i64,
    /// When the instruction issued; without one, when the stretch ends.
    pub issued: i64,
    /// When the stretch begins.
    pub from: i64,
    /// How long it is.
    pub cycles: u64,
    /// What it went to.
    pub cause: &'static str,
    /// Who is to blame.
    pub witness: Option<Seen>,
    /// Of a full memory path: how many operations were under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub under_way: Option<usize>,
}

/// A witness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Seen {
    /// Its wave's place among the waves.
    pub wave: u32,
    /// The number of its line in the file.
    pub line: Option<u32>,
    /// When it came up.
    pub clock: i64,
}

/// A witness as reports tell it.
pub(crate) fn seen(account: &Account, witness: Witness) -> Option<Seen> {
    let instr = account.capture.instr(witness.wave, witness.item)?;
    let line = account.capture.line(instr).map(|line| line.number);
    Some(Seen { wave: witness.wave, line, clock: instr.clock })
}

/// All of them, wave by wave.
pub fn items(account: &Account) -> Vec<Item> {
    let mut found = Vec::new();
    for (place, (wave, parts)) in account.capture.waves.iter().zip(&account.parts).enumerate() {
        for part in parts {
            let instr = part.item.and_then(|item| wave.instrs.get(item as usize));
            let under_way = (part.cause == Cause::MemoryPath)
                .then(|| account.under_way(place as u32, part.item.unwrap_or_default(), part.from));
            found.push(Item {
                wave: place,
                line: instr.and_then(|instr| account.capture.line(instr)).map(|line| line.number),
                clock: instr.map_or(part.from, |instr| instr.clock),
                issued: instr.map_or(part.to, |instr| instr.issued()),
                from: part.from,
                cycles: part.cycles(),
                cause: part.cause.name(),
                witness: part.witness.and_then(|witness| seen(account, witness)),
                under_way,
            });
        }
    }
    found
}
