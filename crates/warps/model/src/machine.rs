//! What one multiprocessor can do in a cycle, and how unit counts and latencies become that (B, section III-E).

use super::kernel::Kernel;
use super::unit::{PerUnit, Unit};
use base::people;

/// Capacities in warps per cycle. A kind with capacity 0 is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Warps each kind of unit serves in one cycle (B: sigma_U).
    pub capacity: PerUnit<u32>,
    /// Warps that may issue in one cycle in total; `None` is no limit.
    pub issue: Option<u32>,
}

impl Machine {
    /// The issue limit as a number that is never reached where there is none.
    pub fn issue_limit(&self) -> u32 {
        self.issue.unwrap_or(u32::MAX)
    }

    /// How many warps one kind of unit serves in a cycle at most: no more than may issue.
    pub fn serves(&self, unit: Unit) -> u32 {
        self.capacity[unit].min(self.issue_limit())
    }

    /// Whether there is a unit for each kind of instruction of which a kernel has so many.
    pub fn has_units_for(&self, totals: PerUnit<u32>) -> bool {
        Unit::ALL.into_iter().all(|unit| totals[unit] == 0 || self.capacity[unit] > 0)
    }
}

/// A multiprocessor as public tables describe it: how many units, how slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Units {
    /// Threads per warp.
    pub warp_size: u32,
    /// Units of each kind, each serving one thread.
    pub units: PerUnit<u32>,
    /// Cycles an instruction of each kind holds its unit.
    pub latency: PerUnit<u32>,
    /// Warps that may issue in one cycle in total.
    pub issue: Option<u32>,
}

/// A machine in the model's terms, with what that does to the kernel string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Normalised {
    /// The capacities.
    pub machine: Machine,
    /// How often each instruction of a kind is repeated in the string.
    pub repeat: PerUnit<u32>,
    /// What was rounded or repeated, and what is odd about the machine.
    pub notes: Vec<Note>,
}

/// Something worth knowing about a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The kind of unit it is about; none for the whole machine.
    pub unit: Option<Unit>,
    /// A sentence.
    pub text: String,
}

impl Normalised {
    /// A machine given by its capacities needs no change.
    pub fn plain(machine: Machine) -> Self {
        Self { machine, repeat: PerUnit([1; 4]), notes: Vec::new() }
    }

    /// The notes that matter to a kernel: those on units it uses, and on the whole machine.
    pub fn notes_for(&self, kernel: &Kernel) -> Vec<String> {
        let totals = kernel.totals();
        let matters = |note: &&Note| note.unit.is_none_or(|unit| totals[unit] > 0);
        self.notes.iter().filter(matters).map(|note| note.text.clone()).collect()
    }
}

impl Units {
    /// Turns unit counts and latencies into capacities and repetitions.
    ///
    /// Fewer units than a warp has threads: capacity 1, and the instruction is repeated. Where the division
    /// leaves a rest, capacities round down and repetitions round up: never faster than the real machine.
    pub fn normalise(&self) -> Normalised {
        let mut normalised = Normalised::plain(Machine {
            capacity: PerUnit::from_fn(|unit| self.capacity(unit)),
            issue: self.issue,
        });
        for unit in Unit::ALL.into_iter().filter(|&unit| self.units[unit] > 0) {
            normalised.repeat[unit] = self.passes(unit).saturating_mul(self.latency[unit]);
            let texts = [self.passes_note(unit), self.latency_note(unit), self.rounding_note(unit)];
            normalised.notes.extend(texts.into_iter().flatten().map(|text| Note { unit: Some(unit), text }));
        }
        normalised
    }

    fn capacity(&self, unit: Unit) -> u32 {
        if self.units[unit] == 0 { 0 } else { (self.units[unit] / self.warp_size).max(1) }
    }

    /// How often the units of a kind are filled to serve one warp.
    fn passes(&self, unit: Unit) -> u32 {
        self.warp_size.div_ceil(self.units[unit]).max(1)
    }

    fn passes_note(&self, unit: Unit) -> Option<String> {
        let (passes, letter) = (self.passes(unit), unit.letter());
        (passes > 1).then(|| {
            format!(
                "{} {letter} units serve a warp of {} threads in {passes} passes, so each {letter} is written {} in the string.",
                self.units[unit],
                self.warp_size,
                times(passes)
            )
        })
    }

    fn latency_note(&self, unit: Unit) -> Option<String> {
        let (passes, latency, letter) = (self.passes(unit), self.latency[unit], unit.letter());
        (latency > 1).then(|| {
            let (each, all) = match passes {
                1 => (letter.to_string(), String::new()),
                _ => ("of these".to_owned(), format!(", {} in all", passes.saturating_mul(latency))),
            };
            format!("{letter} takes {latency} cycles, so each {each} is written {}{all}.", times(latency))
        })
    }

    fn rounding_note(&self, unit: Unit) -> Option<String> {
        let (units, warp, letter) = (self.units[unit], self.warp_size, unit.letter());
        if units > warp && !units.is_multiple_of(warp) {
            let capacity = self.capacity(unit);
            Some(format!(
                "{units} {letter} units are not a multiple of {warp}: rounded down to {} units, {} per cycle, the pessimistic side.",
                capacity * warp,
                people::counted(capacity as usize, "warp")
            ))
        } else if units < warp && !warp.is_multiple_of(units) {
            Some(format!(
                "{warp} threads do not divide evenly over {units} {letter} units: rounded up, the pessimistic side."
            ))
        } else {
            None
        }
    }
}

fn times(n: u32) -> String {
    match n {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        n => format!("{n} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(units: [u32; 4], latency: [u32; 4], kernel: &str, expected: Expect) {
        let normalised =
            Units { warp_size: 32, units: PerUnit(units), latency: PerUnit(latency), issue: Some(2) }
                .normalise();
        let string =
            Kernel::parse(kernel).and_then(|k| k.repeated(&normalised.repeat)).map(|k| k.to_string());
        let [l, c, s, d] = normalised.machine.capacity.0;
        let string = string.unwrap_or_else(|e| format!("{}: {}", e.what, e.expected));
        expected.assert_eq(&format!(
            "L={l} C={c} S={s} D={d}\n{string}\n{}\n",
            normalised.notes.iter().map(|note| note.text.as_str()).collect::<Vec<_>>().join("\n")
        ));
    }

    #[test]
    fn sixteen_units_with_latency_four_become_eight_instructions() {
        check(
            [16, 0, 0, 0],
            [4, 1, 1, 1],
            "L",
            expect![[r#"
                L=1 C=0 S=0 D=0
                8L
                16 L units serve a warp of 32 threads in 2 passes, so each L is written twice in the string.
                L takes 4 cycles, so each of these is written 4 times, 8 in all.
            "#]],
        );
    }

    #[test]
    fn whole_multiples_need_no_note() {
        check(
            [32, 192, 32, 64],
            [1; 4],
            "LCSD",
            expect![[r#"
            L=1 C=6 S=1 D=2
            L C S D

        "#]],
        );
    }

    #[test]
    fn capability_2_1_rounds_down() {
        check(
            [16, 48, 8, 4],
            [1; 4],
            "LCSD",
            expect![[r#"
            L=1 C=1 S=1 D=1
            2L C 4S 8D
            16 L units serve a warp of 32 threads in 2 passes, so each L is written twice in the string.
            48 C units are not a multiple of 32: rounded down to 32 units, 1 warp per cycle, the pessimistic side.
            8 S units serve a warp of 32 threads in 4 passes, so each S is written 4 times in the string.
            4 D units serve a warp of 32 threads in 8 passes, so each D is written 8 times in the string.
        "#]],
        );
    }

    #[test]
    fn uneven_passes_round_up() {
        check(
            [24, 0, 0, 0],
            [1; 4],
            "L",
            expect![[r#"
            L=1 C=0 S=0 D=0
            2L
            24 L units serve a warp of 32 threads in 2 passes, so each L is written twice in the string.
            32 threads do not divide evenly over 24 L units: rounded up, the pessimistic side.
        "#]],
        );
    }

    #[test]
    fn a_string_that_grows_too_long_is_refused() {
        check(
            [1, 0, 0, 0],
            [1000, 1, 1, 1],
            "LL",
            expect![[r#"
                L=1 C=0 S=0 D=0
                after normalisation the string is longer: at most 10000 instructions per warp
                1 L units serve a warp of 32 threads in 32 passes, so each L is written 32 times in the string.
                L takes 1000 cycles, so each of these is written 1000 times, 32000 in all.
            "#]],
        );
    }
}
