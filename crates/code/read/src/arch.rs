//! Multiprocessors as public tables describe them: lanes of units, and latencies of what scoreboards wait for, each with
//! where the number is from.
//!
//! Where sources differ, a latency is a range over all of them. What nobody has measured in public is marked as assumed.
//!
//! Sources: G is the CUDA C++ Programming Guide's table of arithmetic throughput; W are NVIDIA's architecture whitepapers; V is
//! Jia et al., arXiv 1804.06826 (V100, P100, M60); T is Jia et al., arXiv 1903.07486 (T4); S is
//! github.com/sjfeng1999/gpu-arch-microbenchmark (RTX 2070); H is Luo et al., arXiv 2402.13499 (A100, RTX 4090, H100); X
//! are the configurations that Accel-Sim was fitted to hardware with.

mod before;
mod since;

use crate::opcode::Class;
use code::Scope;

/// All of them, the oldest first.
pub static ARCHITECTURES: [&Architecture; 11] = [
    &before::MAXWELL,
    &before::PASCAL_P100,
    &before::PASCAL,
    &before::VOLTA,
    &before::TURING,
    &since::AMPERE_A100,
    &since::AMPERE,
    &since::ADA,
    &since::HOPPER,
    &since::BLACKWELL_B200,
    &since::BLACKWELL,
];

/// An architecture.
#[derive(Debug, Clone, Copy)]
pub struct Architecture {
    /// What it is called.
    pub name: &'static str,
    /// The numbers of `sm_`: first the one that its tables were measured on, then others that are taken to be like it.
    pub numbers: &'static [u32],
    /// Partitions of a multiprocessor.
    pub partitions: u32,
    /// Instructions that each issues in a cycle.
    pub issue: u32,
    /// Cycles until the result of an instruction of fixed latency can be used.
    pub fixed: u32,
    /// Its units.
    pub units: &'static [Lanes],
    /// Latencies of what scoreboards wait for.
    pub latencies: &'static [Latency],
}

/// A unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lanes {
    /// The kinds of work it does; the first names it.
    pub classes: &'static [Class],
    /// Who shares it.
    pub scope: Scope,
    /// Threads that it serves in a cycle; an instruction holds it for 32 over this, rounded up.
    pub lanes: u32,
    /// Where that is from.
    pub source: &'static str,
}

/// How long results of one kind take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latency {
    /// The kind; none for the time until operands are read.
    pub class: Option<Class>,
    /// The shortest.
    pub least: u32,
    /// Up to this it is a hit; the same as `most` where nothing can miss.
    pub hit: u32,
    /// The longest.
    pub most: u32,
    /// Where that is from.
    pub source: &'static str,
}

const fn lanes(classes: &'static [Class], scope: Scope, lanes: u32, source: &'static str) -> Lanes {
    Lanes { classes, scope, lanes, source }
}

const fn takes(class: Class, least: u32, hit: u32, most: u32, source: &'static str) -> Latency {
    Latency { class: Some(class), least, hit, most, source }
}

/// Until an instruction has read its operands.
const READING: Latency =
    Latency { class: None, least: 2, hit: 30, most: 30, source: "assumed: no public measurement" };

impl Lanes {
    /// How long an instruction holds it.
    pub fn hold(&self) -> u32 {
        32_u32.div_ceil(self.lanes.max(1))
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.classes.first().map_or("unit", |class| class.name())
    }
}

/// What people call a unit of the tables that documents and reports name after one of the kinds of work it does; none
/// where its name says it.
pub fn in_words(unit: &str) -> Option<&'static str> {
    match unit {
        "global" => Some("load/store"),
        "constant" => Some("LDC/S2R/BAR"),
        "special" => Some("special functions"),
        "double" => Some("double precision"),
        _ => None,
    }
}

impl Architecture {
    /// The one of an `sm_` number: itself, or the last before it.
    pub fn of(number: u32) -> Option<&'static Self> {
        ARCHITECTURES.into_iter().find(|own| own.numbers.contains(&number))
    }

    /// The one that is taken where a text does not say.
    pub fn usual() -> &'static Self {
        match Self::of(75) {
            Some(usual) => usual,
            None => ARCHITECTURES[0],
        }
    }

    /// The unit for a kind of work, by its place.
    pub fn unit(&self, class: Class) -> Option<usize> {
        self.units.iter().position(|unit| unit.classes.contains(&class))
    }

    /// The latency of a kind; none where it is fixed.
    pub fn latency(&self, class: Class) -> Option<&'static Latency> {
        self.latencies.iter().find(|own| own.class == Some(class))
    }

    /// Until operands are read.
    pub fn reading(&self) -> Option<&'static Latency> {
        self.latencies.iter().find(|own| own.class.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_that_do_several_kinds_of_work_are_not_called_by_one() {
        for unit in ARCHITECTURES.iter().flat_map(|own| own.units) {
            assert!(unit.classes.len() == 1 || in_words(unit.name()).is_some(), "{}", unit.name());
        }
        assert_eq!([in_words("global"), in_words("fma"), in_words("lsu")], [Some("load/store"), None, None]);
    }

    #[test]
    fn tables_are_whole() {
        let mut numbers: Vec<u32> = Vec::new();
        for own in ARCHITECTURES {
            numbers.extend(own.numbers);
            for class in Class::ALL {
                let units = own.units.iter().filter(|unit| unit.classes.contains(&class)).count();
                assert_eq!(units, usize::from(class != Class::None), "{} {class:?}", own.name);
                let rows = own.latencies.iter().filter(|row| row.class == Some(class)).count();
                assert!(rows == 1 || !class.is_variable() && rows <= 1, "{} {class:?}", own.name);
            }
            assert!(own.reading().is_some());
            for row in own.latencies {
                assert!(
                    row.least >= 1 && row.least <= row.hit && row.hit <= row.most,
                    "{} {row:?}",
                    own.name
                );
                assert!(!row.source.is_empty());
            }
            assert!(own.units.iter().all(|unit| unit.lanes >= 1 && !unit.source.is_empty()));
        }
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count);
        assert_eq!(Architecture::usual().numbers, [75]);
    }
}
