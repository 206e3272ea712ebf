//! A conjecture with its ranges of parameters: which cells there are, and what is asked in each.

use std::fmt;

use super::formula::{Formula, NoValue, Surroundings};
use super::{Claim, MOST_STRING, Template};
use base::people;
use base::rational::Span;
use warps::{Fairness, Kernel, MOST_WARPS, Machine, Normalised, PerUnit, Unit, bounds};

/// A conjecture that can be looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Conjecture {
    /// What is claimed.
    pub claim: Claim,
    /// What every warp executes.
    pub template: Template,
    /// The machine, before ranges change it.
    pub normalised: Normalised,
    /// Where sub-blocks begin, if fairness is assumed.
    pub sub_blocks: SubBlocks,
    /// How many warps: one formula for each multiprocessor.
    pub warps: Vec<Formula>,
    /// The parameters; the last one changes fastest.
    pub ranges: Vec<Range>,
    /// When to give up on a cell.
    pub limit: Limit,
}

/// A parameter and the values it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// Its name.
    pub name: String,
    /// Its values, ascending; never empty.
    pub values: Vec<u32>,
}

/// Where sub-blocks begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubBlocks {
    /// Nowhere: schedules need only be work-conserving.
    None,
    /// Before each further repetition of the kernel.
    Repetitions,
    /// After so many instructions of the string as it is written.
    After(Vec<u32>),
}

/// When to give up on a worst case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Bytes for the states of one search.
    pub memory: u64,
    /// Units of work of one search.
    pub work: u64,
}

/// What runs on what in a cell, whatever the number of warps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The kernel, normalised.
    pub kernel: Kernel,
    /// The machine.
    pub machine: Machine,
    /// Who goes first.
    pub fairness: Fairness,
}

/// Why nothing can run in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// The string is too long; how long.
    TooLong(String),
    /// The kernel needs a kind of unit that is not there.
    NoUnit(Unit),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::TooLong(how) => f.write_str(how),
            Unfit::NoUnit(unit) => write!(f, "no {} unit, but the kernel needs one", unit.letter()),
        }
    }
}

/// Names that stand for something in every cell, beside the parameters, and what they stand for.
pub const NAMES: [(&str, &str); 13] = [
    ("W", "warps"),
    ("I", "instructions of a warp"),
    ("L", "instructions of a warp on a load/store unit"),
    ("C", "on a CUDA core"),
    ("S", "on a special function unit"),
    ("D", "on a double precision unit"),
    ("cap_L", "warps the load/store units serve in a cycle"),
    ("cap_C", "the CUDA cores"),
    ("cap_S", "the special function units"),
    ("cap_D", "the double precision units"),
    ("issue", "warps that may issue in a cycle; without a limit, the sum of the capacities"),
    ("blocked", "the proven bound by the blocked cycles of the last warp"),
    ("busy", "cycles that each kind of unit needs for all its instructions, added up"),
];

/// Those of [`NAMES`] that a range may set; with `rep` and any name of one's own.
pub const SETTABLE: [&str; 6] = ["W", "cap_L", "cap_C", "cap_S", "cap_D", "issue"];

impl Conjecture {
    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.ranges.iter().map(|range| range.values.len()).product()
    }

    /// The values of the parameters in a cell.
    pub fn point(&self, cell: usize) -> Vec<u32> {
        let mut rest = cell;
        let mut point: Vec<u32> = Vec::with_capacity(self.ranges.len());
        for range in self.ranges.iter().rev() {
            point.push(range.values[rest % range.values.len()]);
            rest /= range.values.len();
        }
        point.reverse();
        point
    }

    /// The point in words: `W = 4, rep = 2`.
    pub fn shown(&self, point: &[u32]) -> String {
        let parts = self.ranges.iter().zip(point).map(|(range, value)| format!("{} = {value}", range.name));
        parts.collect::<Vec<_>>().join(", ")
    }

    /// What a parameter is there, if it is one.
    fn parameter(&self, point: &[u32], name: &str) -> Option<u32> {
        self.ranges.iter().position(|range| range.name == name).and_then(|i| point.get(i).copied())
    }

    /// What runs on what there, or why nothing can.
    pub fn setting(&self, point: &[u32]) -> Result<Setting, Unfit> {
        let rep = self.parameter(point, "rep").unwrap_or(1);
        let repeat = &self.normalised.repeat;
        let too_long = |_| Unfit::TooLong("a string of more than 10,000 instructions".to_owned());
        let written = self.template.kernel(rep).map_err(too_long)?;
        let kernel = written.repeated(repeat).map_err(too_long)?;
        if kernel.len() > MOST_STRING {
            return Err(Unfit::TooLong(format!(
                "a string of {}",
                people::counted(kernel.len(), "instruction")
            )));
        }
        let mut machine = self.normalised.machine;
        for unit in Unit::ALL {
            if let Some(capacity) = self.parameter(point, &format!("cap_{}", unit.letter())) {
                machine.capacity[unit] = capacity;
            }
            if machine.capacity[unit] == 0 && kernel.totals()[unit] > 0 {
                return Err(Unfit::NoUnit(unit));
            }
        }
        machine.issue = self.parameter(point, "issue").or(machine.issue);
        let fairness = match &self.sub_blocks {
            SubBlocks::None => Fairness::WorkConserving,
            SubBlocks::Repetitions => Fairness::SubBlock(self.template.cuts(rep, repeat).unwrap_or_default()),
            SubBlocks::After(cuts) => Fairness::SubBlock(repeated(cuts, &written, repeat)),
        };
        Ok(Setting { kernel, machine, fairness })
    }

    /// The number of warps of each multiprocessor there, or why there is none.
    pub fn counts(&self, point: &[u32], setting: &Setting) -> Result<Vec<usize>, String> {
        let around = Around { conjecture: self, point, setting, warps: None, exact: &|_| None };
        let count = |formula: &Formula| {
            let value = match formula.value(&around) {
                Ok(value) => value,
                Err(NoValue::Undefined(why)) => {
                    return Err(format!("{} has no value: {why}", formula.text()));
                }
                Err(NoValue::Needs(_)) => return Err("exact(...) in a number of warps".to_owned()),
            };
            let whole = value.known().filter(|count| count.is_whole()).map(|count| count.floor());
            let count = whole.and_then(|count| usize::try_from(count).ok());
            count
                .filter(|count| (1..=MOST_WARPS).contains(count))
                .ok_or_else(|| format!("{} is {value}", formula.text()))
        };
        self.warps.iter().map(count).collect()
    }

    /// What the claim comes to for so many warps there, where `exact` knows worst cases.
    pub fn claimed(
        &self,
        point: &[u32],
        setting: &Setting,
        warps: usize,
        exact: Exact<'_>,
    ) -> Result<Span, NoValue> {
        self.claim.formula.value(&Around { conjecture: self, point, setting, warps: Some(warps), exact })
    }
}

/// Looks the worst case of so many warps up.
pub type Exact<'a> = &'a dyn Fn(usize) -> Option<Result<Span, String>>;

/// Numbers of written instructions as numbers of normalised ones.
fn repeated(cuts: &[u32], written: &Kernel, repeat: &PerUnit<u32>) -> Vec<u32> {
    let before = |cut: u32| written.units().iter().take(cut as usize).map(|&unit| repeat[unit]).sum();
    cuts.iter().map(|&cut| before(cut)).collect()
}

/// What formulas see of a cell.
struct Around<'a> {
    conjecture: &'a Conjecture,
    point: &'a [u32],
    setting: &'a Setting,
    warps: Option<usize>,
    exact: Exact<'a>,
}

impl Around<'_> {
    fn busy(&self, warps: u32) -> u32 {
        let (totals, machine) = (self.setting.kernel.totals(), &self.setting.machine);
        let used = Unit::ALL.into_iter().filter(|&unit| totals[unit] > 0);
        used.map(|unit| (warps * totals[unit]).div_ceil(machine.serves(unit))).sum()
    }
}

impl Surroundings for Around<'_> {
    fn value(&self, name: &str) -> Option<Span> {
        let Setting { kernel, machine, .. } = self.setting;
        let warps = self.warps.and_then(|warps| u32::try_from(warps).ok());
        let unit = |name: &str| name.chars().next().and_then(Unit::from_letter);
        let number = match name {
            "W" => warps.or_else(|| self.conjecture.parameter(self.point, name))?,
            "I" => kernel.len() as u32,
            "L" | "C" | "S" | "D" => kernel.totals()[unit(name)?],
            "cap_L" | "cap_C" | "cap_S" | "cap_D" => machine.capacity[unit(&name[4..])?],
            "issue" => machine.issue.unwrap_or_else(|| machine.capacity.0.iter().sum()),
            "blocked" => bounds::blocked_cycles(kernel, machine, warps? as usize)?,
            "busy" => self.busy(warps?),
            name => self.conjecture.parameter(self.point, name)?,
        };
        Some(Span::whole(number))
    }

    fn exact(&self, warps: usize) -> Option<Result<Span, String>> {
        (self.exact)(warps)
    }
}
