//! The tables that a launch is made with: those of its architecture, with what somebody changes of them.
//!
//! A changed row says that it was given, so that nobody takes it for a measurement.

use std::collections::BTreeMap;

use crate::arch::{Architecture, Lanes, Latency};
use crate::opcode::Class;
use base::Problem;
use base::people;
use base::problem::quoted;

/// Where a changed number is from.
pub const GIVEN: &str = "given";

/// What is changed, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    /// Latencies: shortest, longest hit, longest.
    pub latencies: BTreeMap<String, (u32, u32, u32)>,
    /// Threads that a unit serves in a cycle.
    pub lanes: BTreeMap<String, u32>,
}

/// Tables of one launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    /// Units, in the order of the machine's.
    pub units: Vec<Lanes>,
    /// Latencies of what scoreboards wait for.
    pub latencies: Vec<Latency>,
    /// Cycles until the result of an instruction of fixed latency can be used.
    pub fixed: u32,
}

impl Tables {
    /// Those of an architecture with changes, or what cannot be changed: at `latencies` and `lanes`.
    pub fn of(architecture: &Architecture, changes: &Changes) -> Result<Self, Vec<Problem>> {
        let mut tables = Self {
            units: architecture.units.to_vec(),
            latencies: architecture.latencies.to_vec(),
            fixed: architecture.fixed,
        };
        let mut problems = Vec::new();
        for (name, &(least, hit, most)) in &changes.latencies {
            let class = Class::of_name(name).filter(|class| *class != Class::None);
            if class.is_none() && name != OPERANDS {
                problems.push(unknown(
                    "latencies",
                    name,
                    Class::ALL.map(Class::name).iter().chain([&OPERANDS]),
                ));
                continue;
            }
            let row = Latency { class, least, hit, most, source: GIVEN };
            match tables.latencies.iter_mut().find(|own| own.class == class) {
                Some(own) => *own = row,
                None => tables.latencies.push(row),
            }
        }
        for (name, &lanes) in &changes.lanes {
            match tables.units.iter_mut().find(|unit| unit.name() == name) {
                Some(unit) => (unit.lanes, unit.source) = (lanes, GIVEN),
                None => {
                    let names: Vec<&str> = architecture.units.iter().map(Lanes::name).collect();
                    problems.push(unknown("lanes", name, names.iter()));
                }
            }
        }
        if problems.is_empty() { Ok(tables) } else { Err(problems) }
    }

    /// The unit for a kind of work, by its place.
    pub fn unit(&self, class: Class) -> Option<usize> {
        self.units.iter().position(|unit| unit.classes.contains(&class))
    }

    /// The latency of a kind; none where it is fixed. Without a kind, until operands are read.
    pub fn latency(&self, class: Option<Class>) -> Option<&Latency> {
        self.latencies.iter().find(|own| own.class == class)
    }
}

/// What documents call the time until operands are read.
pub const OPERANDS: &str = "operands";

fn unknown<'a>(table: &str, name: &str, known: impl Iterator<Item = &'a &'a str>) -> Problem {
    let names: Vec<&str> = known.copied().filter(|name| *name != Class::None.name()).collect();
    Problem::at(
        table,
        format!("{} is no row of it", quoted(name)),
        format!("one of {}", people::listed(&names)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_row_says_so_and_others_stay() {
        let turing = Architecture::usual();
        let mut changes = Changes::default();
        assert_eq!(Tables::of(turing, &changes).map(|own| own.latencies), Ok(turing.latencies.to_vec()));
        changes.latencies.insert("shared".to_owned(), (19, 19, 22));
        changes.latencies.insert("fma".to_owned(), (4, 4, 4));
        changes.lanes.insert("special".to_owned(), 4);
        let Ok(tables) = Tables::of(turing, &changes) else { unreachable!("known names") };
        let shared = tables.latency(Some(Class::Shared)).map(|row| (row.least, row.most, row.source));
        assert_eq!(shared, Some((19, 22, GIVEN)));
        assert!(turing.latency(Class::Fma).is_none() && tables.latency(Some(Class::Fma)).is_some());
        let special = tables.unit(Class::Special).map(|unit| tables.units[unit]);
        assert_eq!(special.map(|unit| (unit.hold(), unit.source)), Some((8, GIVEN)));
        assert_eq!(tables.latency(None), turing.reading());
        changes.lanes.insert("none".to_owned(), 4);
        changes.latencies.insert("l1".to_owned(), (1, 1, 1));
        let problems = Tables::of(turing, &changes).unwrap_err();
        assert_eq!(problems.len(), 2);
        assert!(
            problems[0].to_string().starts_with("latencies: \"l1\" is no row of it, expected one of fma, ")
        );
    }
}
