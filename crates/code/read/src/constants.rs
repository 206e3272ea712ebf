//! Integers that the text itself decides: what counted loops count with. Whatever is not certain is unknown.

use std::collections::BTreeMap;

use crate::listing::Line;
use crate::opcode::{Class, class_of};

/// Registers, and predicates, as far as their values are certain.
#[derive(Debug, Clone, Default)]
pub struct Constants {
    registers: BTreeMap<String, u32>,
    predicates: BTreeMap<String, bool>,
}

/// Opcodes that write one register of 32 bits, where no modifier says otherwise.
const SINGLE: [&str; 40] = [
    "FADD", "FMUL", "FFMA", "MOV", "IADD3", "IADD", "VIADD", "IMAD", "LOP3", "SEL", "FSEL", "ISETP", "FSETP",
    "LDS", "LDG", "LDC", "MUFU", "S2R", "LEA", "PRMT", "IABS", "IMNMX", "VIMNMX", "FMNMX", "POPC", "FLO",
    "SHFL", "I2FP", "HFMA2", "HADD2", "HMUL2", "UMOV", "UIADD3", "UISETP", "ULEA", "ULOP3", "S2UR", "XMAD",
    "FFMA32I", "MOV32I",
];
/// Opcodes that write none.
const WRITES_NOTHING: [&str; 22] = [
    "ST",
    "STG",
    "STS",
    "STL",
    "RED",
    "REDG",
    "BAR",
    "BRA",
    "EXIT",
    "NOP",
    "DEPBAR",
    "LDGDEPBAR",
    "LDGSTS",
    "BSSY",
    "BSYNC",
    "WARPSYNC",
    "MEMBAR",
    "CALL",
    "RET",
    "SSY",
    "SYNC",
    "YIELD",
];

impl Constants {
    /// Whether a guard holds; none where that is not known.
    pub fn guard(&self, line: &Line) -> Option<bool> {
        line.guard.as_deref().map_or(Some(true), |guard| self.predicate(guard))
    }

    /// Whether a line that ends or changes the way does so: its guard and the conditions among its operands, as in
    /// `EXIT !P1` and `EXIT CC.LT`.
    pub fn decides(&self, line: &Line) -> Option<bool> {
        let mut all = self.guard(line);
        for text in line.conditions() {
            all = match (all, self.predicate(text)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), own) => own,
                (None, _) => None,
            };
        }
        all
    }

    /// Whether a predicate holds.
    pub fn predicate(&self, text: &str) -> Option<bool> {
        let (name, wanted) = match text.strip_prefix('!') {
            Some(name) => (name, false),
            None => (text, true),
        };
        match name {
            "PT" | "UPT" => Some(wanted),
            name => self.predicates.get(name).map(|&value| value == wanted),
        }
    }

    /// Executes an instruction.
    pub fn execute(&mut self, line: &Line) {
        match self.guard(line) {
            Some(false) => {}
            Some(true) => self.compute(line),
            None => self.forget(line),
        }
    }

    fn compute(&mut self, line: &Line) {
        let modifiers: Vec<&str> = line.opcode.split('.').skip(1).collect();
        let operands: Vec<&str> = line.operands.iter().map(|text| text.trim_end_matches(".reuse")).collect();
        let certain = match (line.base(), &modifiers[..], &operands[..]) {
            // A mask behind it leaves some of the bytes as they are.
            ("MOV" | "UMOV" | "MOV32I", [], [_, from] | [_, from, "0xf"]) => self.value(from),
            ("IMAD", ["MOV"] | ["MOV", "U32"], [_, "RZ", "RZ", from]) => self.value(from),
            ("CS2R", ["32"] | [], [_, "SRZ"]) => Some(0),
            ("HFMA2" | "HFMA2_32I", [] | ["MMA"], [_, "-RZ", "RZ", "0", "0"]) => Some(0),
            ("IADD3" | "UIADD3" | "IADD" | "VIADD", [], [_, terms @ ..]) => {
                let terms = terms.iter().filter(|text| !is_predicate(text));
                terms.map(|text| self.value(text)).try_fold(0u32, |sum, value| Some(sum.wrapping_add(value?)))
            }
            ("ISETP" | "UISETP", _, [to, "PT" | "UPT", left, right, "PT" | "UPT"]) => {
                let holds = self.compared(&modifiers, left, right);
                self.forget(line);
                if let (Some(holds), true) = (holds, is_predicate(to)) {
                    self.predicates.insert((*to).to_owned(), holds);
                }
                return;
            }
            _ => None,
        };
        self.forget(line);
        if let (Some(value), Some(to)) = (certain, operands.first())
            && is_register(to)
        {
            self.registers.insert((*to).to_owned(), value);
            // Without a width it writes a pair.
            if line.base() == "CS2R"
                && modifiers.is_empty()
                && let Some(next) = to.strip_prefix('R').and_then(|number| number.parse::<u32>().ok())
            {
                self.registers.insert(format!("R{}", next + 1), value);
            }
        }
    }

    fn compared(&self, modifiers: &[&str], left: &str, right: &str) -> Option<bool> {
        let (left, right) = (self.value(left)?, self.value(right)?);
        let order = match modifiers {
            [_, "U32", "AND"] => left.cmp(&right),
            [_, "AND"] => left.cast_signed().cmp(&right.cast_signed()),
            _ => return None,
        };
        match modifiers[0] {
            "LT" => Some(order.is_lt()),
            "LE" => Some(order.is_le()),
            "GT" => Some(order.is_gt()),
            "GE" => Some(order.is_ge()),
            "EQ" => Some(order.is_eq()),
            "NE" => Some(order.is_ne()),
            _ => None,
        }
    }

    /// The value of an operand.
    fn value(&self, text: &str) -> Option<u32> {
        if let Some(text) = text.strip_prefix('-') {
            return self.value(text).map(u32::wrapping_neg);
        }
        if text == "RZ" || text == "URZ" {
            return Some(0);
        }
        if let Some(digits) = text.strip_prefix("0x") {
            return u32::from_str_radix(digits, 16).ok();
        }
        self.registers.get(text).copied()
    }

    /// Nothing is known any more.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// All that an instruction may write is unknown.
    pub fn forget(&mut self, line: &Line) {
        for operand in &line.operands {
            if is_predicate(operand) {
                self.predicates.remove(operand.trim_start_matches('!'));
            }
        }
        if matches!(line.base(), "R2P" | "UR2UP") {
            self.predicates.clear();
        }
        let only_predicates = line.base().ends_with("SETP") || line.base().ends_with("PLOP3");
        if WRITES_NOTHING.contains(&line.base()) || only_predicates {
            return;
        }
        // Nobody knows what an opcode writes that is in no table.
        let Some(class) = class_of(line.base()) else {
            self.clear();
            return;
        };
        let has = |names: &[&str]| line.opcode.split('.').skip(1).any(|modifier| names.contains(&modifier));
        // `IADD R0.CC, ..` writes R0, and the carry.
        let named = line.operands.iter().filter_map(|text| text.split('.').next());
        // Textures, and loads of 256 bits, write two places.
        let places = if class == Class::Texture || has(&["256"]) { 2 } else { 1 };
        let width = match SINGLE.contains(&line.base()) {
            // Those of a group of warps write up to half of all.
            _ if line.base().ends_with("GMMA") => 256,
            _ if matches!(line.base(), "HMMA" | "IMMA") => 4,
            _ if has(&["128", "256", "X4", "X2"]) => 8,
            true if has(&["64", "WIDE", "F64", "S64", "U64"]) => 2,
            true => 1,
            false => 8,
        };
        for name in named.filter(|name| is_register(name)).take(places) {
            let (kind, number) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(0));
            let number = number.parse::<u32>().unwrap_or(0);
            for offset in 0..width {
                self.registers.remove(&format!("{kind}{}", number.saturating_add(offset)));
            }
        }
    }
}

pub(crate) fn is_predicate(text: &str) -> bool {
    let name = text.trim_start_matches('!');
    let number = name.strip_prefix("UP").or_else(|| name.strip_prefix('P'));
    number.is_some_and(|number| {
        number == "T" || !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
    })
}

fn is_register(text: &str) -> bool {
    let number = text.strip_prefix("UR").or_else(|| text.strip_prefix('R'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}
