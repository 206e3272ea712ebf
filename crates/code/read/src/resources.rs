//! What a function takes of a multiprocessor besides time: registers of a thread and shared memory of a block, as the text
//! states them, or as far as instructions show it.
//!
//! Texts state it in four forms: `.sectioninfo @"SHI_REGISTERS=32"` and the attribute `EIATTR_REGCOUNT` of nvdisasm, with
//! the size of the section `.nv.shared.NAME`; `REG:32 … SHARED:1024` of `cuobjdump -res-usage`; `Used 32 registers, 1024
//! bytes smem` of `ptxas -v`. Where a text has none of them, at least the registers that are named are there. From Volta on
//! the assembler counts two more than the highest one: of 39 kernels of our own (`tests/sass/kernels.py`) on each of eight
//! architectures 304 of 312 had exactly so many, with none on Maxwell and Pascal, and the others one more. Shared memory that
//! a launch asks for besides is in no text.

use std::collections::BTreeMap;

use crate::launch::Row;
use crate::listing::Function;
use crate::occupancy::MOST_REGISTERS;

/// How a number is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// The document gives it.
    Given,
    /// The text states it.
    Stated,
    /// From what instructions name: it may be more.
    Named,
    /// Nobody says it.
    Assumed,
}

impl Known {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Stated => "text",
            Self::Named => "at least",
            Self::Assumed => "assumed",
        }
    }
}

/// What a function takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u32,
    /// How they are known.
    pub registers_known: Known,
    /// Bytes of shared memory of a block.
    pub shared: u32,
    /// How they are known.
    pub shared_known: Known,
    /// The highest register that an instruction names.
    pub highest: Option<u32>,
    /// Whether an instruction reads or writes shared memory.
    pub uses_shared: bool,
}

/// What a text states of one function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Own {
    registers: Option<u32>,
    shared: Option<u32>,
    /// Whether the text has its section, so that one for shared memory would be there, too.
    section: bool,
}

/// What a text states of its functions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stated {
    /// By the part of the text, as several files may stand in one, and by name.
    own: BTreeMap<String, BTreeMap<usize, Own>>,
    /// Where parts begin.
    parts: Vec<usize>,
    /// Whose section, or whose line of use, the text is in.
    place: Place,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
enum Place {
    #[default]
    Elsewhere,
    /// The code of a function.
    Code(String),
    /// The shared memory of one.
    Shared(String),
    /// The use of one is told next.
    Use(String),
    /// The attribute of registers is told next: of whom, once that is known.
    Attribute(Option<String>),
}

impl Stated {
    /// Takes a line, with its number; whether it is about nothing but what functions take.
    pub(crate) fn line(&mut self, number: usize, line: &str) -> bool {
        let line = line.trim();
        if line.starts_with("Fatbin ") || line.starts_with(".elftype") {
            self.parts.push(number);
            self.place = Place::Elsewhere;
        }
        // Others begin with the same letters: flags of a section, and what is known of it.
        if let Some(section) =
            line.strip_prefix(".section").filter(|rest| rest.starts_with(char::is_whitespace))
        {
            let name = section.trim().split(',').next().unwrap_or_default().trim_matches('"');
            self.place = match (name.strip_prefix(".text."), name.strip_prefix(".nv.shared.")) {
                (Some(name), _) => Place::Code(name.to_owned()),
                (_, Some(name)) if !name.starts_with("reserved.") => Place::Shared(name.to_owned()),
                _ => Place::Elsewhere,
            };
            if let Place::Code(name) = &self.place {
                self.of(number, &name.clone()).section = true;
            }
            return false;
        }
        if let Some(attribute) = line.strip_prefix("//----- nvinfo :") {
            let counts = attribute.trim() == "EIATTR_REGCOUNT";
            self.place = if counts { Place::Attribute(None) } else { Place::Elsewhere };
            return false;
        }
        self.use_of(number, line) || self.in_section(number, line)
    }

    /// What `cuobjdump -res-usage` and `ptxas -v` print.
    fn use_of(&mut self, number: usize, line: &str) -> bool {
        if let Some(rest) = line.strip_prefix("ptxas info") {
            if let Some((_, rest)) = rest.split_once(" entry function '") {
                self.place = Place::Use(rest.split('\'').next().unwrap_or_default().to_owned());
            } else if let Some((_, rest)) = rest.split_once("Used ") {
                let before = |unit: &str| number_before(rest, unit);
                self.told(number, before("registers"), Some(before("bytes smem").unwrap_or(0)));
            }
            return true;
        }
        if let Some(name) = line.strip_prefix("Function ").and_then(|rest| rest.strip_suffix(':')) {
            self.place = Place::Use(name.trim().to_owned());
            return false;
        }
        if line.starts_with("REG:") {
            let after = |key: &str| {
                let word = line.split_whitespace().find_map(|word| word.strip_prefix(key));
                word.and_then(|digits| digits.parse().ok())
            };
            self.told(number, after("REG:"), after("SHARED:"));
            return true;
        }
        line.strip_prefix("GLOBAL:").is_some_and(|rest| leading(rest).is_some())
    }

    fn told(&mut self, number: usize, registers: Option<u32>, shared: Option<u32>) {
        if let Place::Use(name) = std::mem::take(&mut self.place) {
            let own = self.of(number, &name);
            (own.registers, own.shared) = (registers.or(own.registers), shared.or(own.shared));
        }
    }

    fn in_section(&mut self, number: usize, line: &str) -> bool {
        // Data has its address before it.
        let data = line.rsplit_once("*/").map_or(line, |(_, rest)| rest).trim();
        match self.place.clone() {
            Place::Code(name) => {
                let stated =
                    line.strip_prefix(".sectioninfo").and_then(|rest| rest.split_once("SHI_REGISTERS="));
                if let Some(registers) = stated.and_then(|(_, rest)| leading(rest)) {
                    self.of(number, &name).registers = Some(registers);
                }
            }
            Place::Shared(name) => {
                if let Some(bytes) =
                    data.strip_prefix(".zero").and_then(|rest| rest.trim().parse::<u32>().ok())
                {
                    let own = self.of(number, &name);
                    own.shared = Some(own.shared.unwrap_or(0).saturating_add(bytes));
                }
            }
            Place::Attribute(of) => {
                if let Some(word) = data.strip_prefix(".word").map(str::trim) {
                    let name = word.strip_prefix("index@(").and_then(|name| name.strip_suffix(')'));
                    let registers = word.strip_prefix("0x").and_then(|hex| u32::from_str_radix(hex, 16).ok());
                    match (name, of, registers) {
                        (Some(name), ..) => self.place = Place::Attribute(Some(name.to_owned())),
                        (None, Some(name), Some(registers)) => {
                            self.of(number, &name).registers = Some(registers);
                            self.place = Place::Elsewhere;
                        }
                        _ => self.place = Place::Elsewhere,
                    }
                }
            }
            Place::Elsewhere | Place::Use(_) => {}
        }
        false
    }

    fn part(&self, number: usize) -> usize {
        self.parts.partition_point(|&begins| begins <= number)
    }

    fn of(&mut self, number: usize, name: &str) -> &mut Own {
        let part = self.part(number);
        self.own.entry(name.to_owned()).or_default().entry(part).or_default()
    }

    /// What is stated of a function: in its own part of the text, else the most of all parts.
    fn about(&self, function: &Function) -> Own {
        let name = match function.name.rsplit_once(" (") {
            Some((name, rest)) if rest.ends_with(')') && !self.own.contains_key(&function.name) => name,
            _ => &function.name[..],
        };
        let Some(all) = self.own.get(name) else { return Own::default() };
        let part = self.part(function.lines.first().map_or(0, |line| line.number));
        let here = all.get(&part).copied().unwrap_or_default();
        let registers = here.registers.or_else(|| all.values().filter_map(|own| own.registers).max());
        let there = all.values().filter_map(|own| own.shared).max();
        let shared = here.shared.or(there).or(here.section.then_some(0));
        Own { registers, shared, ..here }
    }
}

impl Resources {
    /// Of a function, whose instructions and those that it calls are these, assembled for an `sm_` number.
    pub(crate) fn of(stated: &Stated, function: &Function, rows: &[Row], number: u32) -> Self {
        let own = stated.about(function);
        let highest = rows.iter().filter_map(|row| highest(&row.text)).max();
        let kept = if number >= 70 { 2 } else { 0 };
        let named = highest.map_or(0, |highest| highest + 1) + kept;
        let uses_shared = rows.iter().any(|row| of_shared_memory(&row.text));
        Self {
            registers: own.registers.unwrap_or(named).min(MOST_REGISTERS),
            registers_known: if own.registers.is_some() { Known::Stated } else { Known::Named },
            shared: own.shared.unwrap_or(0),
            shared_known: if own.shared.is_some() { Known::Stated } else { Known::Assumed },
            highest,
            uses_shared,
        }
    }
}

/// The highest register that an instruction names.
fn highest(text: &str) -> Option<u32> {
    let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let numbers = names.filter_map(|name| name.strip_prefix('R')?.parse::<u32>().ok());
    numbers.filter(|&number| number < MOST_REGISTERS).max()
}

/// Whether an instruction is one of shared memory.
fn of_shared_memory(text: &str) -> bool {
    let text = text.strip_prefix('@').and_then(|text| text.split_once(' ')).map_or(text, |(_, rest)| rest);
    let base = text.trim().split(['.', ' ']).next().unwrap_or_default();
    matches!(base, "LDS" | "STS" | "ATOMS" | "LDSM" | "STSM" | "LDGSTS")
}

/// The number that a text begins with.
fn leading(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The number before a unit: 33 of `33 registers, 1 barriers`.
fn number_before(text: &str, unit: &str) -> Option<u32> {
    text.split(',').find_map(|part| part.trim().strip_suffix(unit)?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_named() {
        assert_eq!(highest("@P0 LDG.E.SYS R12, [R2.64+0x10]"), Some(12));
        assert_eq!(highest("IMAD R4, RZ, UR63, c[0x0][R31]"), Some(31));
        assert_eq!(highest("MOV R0, R255"), Some(0));
        assert_eq!(highest("EXIT"), None);
        assert!(of_shared_memory("@!P1 STS.128 [R2], R4") && !of_shared_memory("LDG R1, [R2]"));
        assert_eq!(
            number_before("33 registers, used 1 barriers, 16384 bytes smem", "bytes smem"),
            Some(16384)
        );
    }
}
