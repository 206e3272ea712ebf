//! To what a stretch of a wave's life went, in sentences.

use serde::{Deserialize, Serialize};

use super::layout::Layout;
use base::people::{counted, grouped};
use waves::critical::{Step, back};
use waves::{Account, Cause, Instr, Part, Witness};

/// So many links back are told.
const LINKS: usize = 8;
/// So many letters of an instruction have room in a sentence.
const MOST: usize = 64;

/// What is said of a stretch.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Said {
    /// Whose it is, and where in the code.
    pub head: String,
    /// To what it went.
    pub why: String,
    /// The bar of the witness.
    pub witness: Option<u32>,
    /// How that came about, link by link, each with its bar.
    pub back: Vec<(String, Option<u32>)>,
}

/// What a cause is called for people.
pub fn name_of(cause: Cause) -> &'static str {
    match cause {
        Cause::Issue => "issuing",
        Cause::Data => "data",
        Cause::Barrier => "barrier",
        Cause::Unit => "unit busy",
        Cause::MemoryPath => "memory path full",
        Cause::Told => "told to wait",
        Cause::Chosen => "another wave chosen",
        Cause::Fetch => "fetch",
        Cause::Dependency => "dependency",
        Cause::Start => "start",
        Cause::End => "end",
        Cause::Unexplained => "not explained",
    }
}

/// What a cause means, in a sentence.
pub fn meaning(cause: Cause) -> &'static str {
    match cause {
        Cause::Issue => "An instruction issued.",
        Cause::Data => "A wait for a counter: what a load, a store or LDS gives had not returned.",
        Cause::Barrier => "Others of the work-group had not arrived.",
        Cause::Unit => "Another instruction held the unit.",
        Cause::MemoryPath => {
            "A memory instruction stalled, and nobody on its unit was to blame: too much was under way."
        }
        Cause::Told => "s_nop, s_sleep, s_delay_alu, or a wait of which nothing was under way.",
        Cause::Chosen => "The wave stood ready, and the slot went to another wave.",
        Cause::Fetch => "Code that the wave ran for the first time, or after a jump.",
        Cause::Dependency => "The result of an instruction before was not ready.",
        Cause::Start => "Before the first instruction.",
        Cause::End => "After the last one.",
        Cause::Unexplained => "None of these can be said.",
    }
}

/// An instruction's text that has room in a sentence.
pub fn short(text: &str) -> String {
    if text.chars().count() <= MOST {
        text.to_owned()
    } else {
        text.chars().take(MOST).chain(['…']).collect()
    }
}

/// What is said of a stretch, by the place of its bar.
pub fn said(account: &Account, layout: &Layout, place: u32) -> Option<Said> {
    let (wave, at) = layout.part(place)?;
    let part = *account.parts.get(wave as usize)?.get(at)?;
    let speaker = Speaker { account, layout };
    let instr = part.item.and_then(|item| account.capture.instr(wave, item));
    let head = match instr {
        Some(instr) => format!("{}, {}", speaker.wave(wave), speaker.instruction(instr)),
        None => speaker.wave(wave),
    };
    let witness = part.witness.filter(|_| part.cause != Cause::Issue);
    Some(Said {
        head,
        why: speaker.why(wave, &part, instr),
        witness: witness.and_then(|witness| layout.bar(account, witness)),
        back: if part.cause == Cause::Issue { Vec::new() } else { speaker.back(wave, &part) },
    })
}

struct Speaker<'a> {
    account: &'a Account<'a>,
    layout: &'a Layout,
}

impl Speaker<'_> {
    /// A wave: its number in reports, and where it is.
    fn wave(&self, wave: u32) -> String {
        let own = &self.account.capture.waves[wave as usize];
        let several = self.account.capture.waves.iter().any(|wave| wave.se != own.se);
        let engine = if several { format!("SE {}, ", own.se) } else { String::new() };
        format!("Wave {wave} ({engine}SIMD {}, slot {})", own.simd, own.slot)
    }

    /// An instruction with its line.
    fn instruction(&self, instr: &Instr) -> String {
        match self.account.capture.line(instr) {
            Some(line) => format!("{} of line {}", short(&line.text), line.number),
            None => format!("a {} instruction whose line is not known", instr.kind.name()),
        }
    }

    /// A cycle of a wave on the axis.
    fn cycle(&self, wave: u32, clock: i64) -> String {
        let se = self.account.capture.waves[wave as usize].se;
        let time = self.layout.time(se, clock);
        let sign = if time < 0 { "−" } else { "" };
        format!("{sign}{}", grouped(time.unsigned_abs().into()))
    }

    /// A witness: the instruction, whose it is where it is another wave's, and when it issued.
    fn blamed(&self, wave: u32, witness: Witness) -> Option<(String, &Instr)> {
        let instr = self.account.capture.instr(witness.wave, witness.item)?;
        let of = if witness.wave == wave { String::new() } else { format!(" of wave {}", witness.wave) };
        let issued = self.cycle(witness.wave, instr.issued());
        Some((format!("{}{of}, issued at {issued}", self.instruction(instr)), instr))
    }

    fn why(&self, wave: u32, part: &Part, instr: Option<&Instr>) -> String {
        let cycles = counted(usize::try_from(part.cycles()).unwrap_or(usize::MAX), "cycle");
        let blamed = part.witness.and_then(|witness| self.blamed(wave, witness));
        let (Some((who, by)), Some(witness)) = (blamed, part.witness) else {
            return self.unwitnessed(part, &cycles);
        };
        match part.cause {
            Cause::Issue => {
                let stalled = u64::from(instr.map_or(0, |instr| instr.stall));
                let after = if stalled > 0 {
                    format!("; before that, it stalled for {stalled}")
                } else {
                    String::new()
                };
                format!("Issued at {}, and took {cycles}{after}.", self.cycle(wave, part.from))
            }
            Cause::Data => {
                let took = part.to.saturating_sub(by.issued()).unsigned_abs();
                let under = self.account.under_way(witness.wave, witness.item, part.from);
                let under =
                    if under > 0 { format!("; {} under way", of_these(under)) } else { String::new() };
                format!("Waited {cycles} for {who}; it took {}{under}.", grouped(took.into()))
            }
            Cause::Barrier => {
                let at = self.cycle(witness.wave, by.clock);
                format!(
                    "Waited {cycles} at the barrier for {}, which arrived last, at {at}.",
                    lower(&self.wave(witness.wave))
                )
            }
            Cause::Unit => format!("Stood for {cycles}: the unit was held by {who}."),
            Cause::MemoryPath => {
                let under = self.account.under_way(wave, part.item.unwrap_or_default(), part.from);
                format!(
                    "Stalled for {cycles}: the memory path was full. {} under way, the oldest {who}.",
                    of_these(under)
                )
            }
            Cause::Chosen => format!("Stood ready for {cycles}: the slot went to {who}."),
            Cause::Told => format!("Was told to wait for {cycles}."),
            Cause::Fetch => format!("Waited {cycles} for code to be fetched, after {who}."),
            Cause::Dependency => format!("Waited {cycles} for the result of {who}."),
            Cause::Start | Cause::End | Cause::Unexplained => self.unwitnessed(part, &cycles),
        }
    }

    fn unwitnessed(&self, part: &Part, cycles: &str) -> String {
        match part.cause {
            Cause::Start => format!("{cycles} before its first instruction."),
            Cause::End => format!("{cycles} after its last instruction."),
            Cause::Told => format!("Was told to wait for {cycles}."),
            Cause::Unexplained => format!(
                "Nothing explains {}.",
                if part.cycles() == 1 { "this cycle" } else { "these cycles" }
            ),
            cause => format!("{cycles}: {}. Who is to blame is not known.", name_of(cause)),
        }
    }

    /// How it came about, from the end of a stretch back.
    fn back(&self, wave: u32, part: &Part) -> Vec<(String, Option<u32>)> {
        let steps = back(self.account, wave, part.to, LINKS);
        steps.iter().map(|step| (self.link(step), self.bar(step))).collect()
    }

    fn link(&self, step: &Step) -> String {
        let cycles = counted(usize::try_from(step.to.abs_diff(step.from)).unwrap_or(usize::MAX), "cycle");
        let instr = step.item.and_then(|item| self.account.capture.instr(step.wave, item));
        let of = instr.map_or(String::new(), |instr| format!(", {}", self.instruction(instr)));
        format!("{cycles} {}: wave {}{of}", name_of(step.cause), step.wave)
    }

    /// The bar in which a step ends.
    fn bar(&self, step: &Step) -> Option<u32> {
        let parts = self.account.parts.get(step.wave as usize)?;
        let at = parts.partition_point(|part| part.from < step.to).checked_sub(1)?;
        Some(self.layout.waves.get(step.wave as usize)?.first + at as u32)
    }
}

fn of_these(count: usize) -> String {
    base::people::plural(
        count,
        "memory operation of the compute unit was",
        "memory operations of the compute unit were",
    )
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}
