//! What the search field finds in a schedule: an instruction, a cycle, the next use of a unit, the longest wait.

use super::Shown;
use super::shown::{Selected, parse_selection};
use warps::Unit;

/// What is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// An instruction of a warp.
    Instruction(Selected),
    /// A cycle, from 1.
    Cycle(u32),
}

/// What one may write, for those who wrote something else.
pub const FINDABLE: &str = "warp:instruction such as 3:5, a cycle, a unit's letter for its next instruction, or wait for the longest wait";

impl Shown {
    /// What a text asks for; letters and `wait` go on after the selection, round and round.
    pub fn find(&self, text: &str, selected: Option<Selected>) -> Option<Found> {
        let text = text.trim();
        if let Some(selection) = parse_selection(text) {
            return self.has(selection).then_some(Found::Instruction(selection));
        }
        if let Ok(cycle) = text.replace([',', ' '], "").parse::<u32>() {
            return (1..=self.report.makespan).contains(&cycle).then_some(Found::Cycle(cycle));
        }
        if text.eq_ignore_ascii_case("wait") {
            return self.next(
                selected,
                |this| u32::MAX - self.length(this),
                |this| self.waited(this).is_some(),
            );
        }
        let mut letters = text.chars();
        let unit = letters.next().and_then(|letter| Unit::from_letter(letter.to_ascii_uppercase()))?;
        if letters.next().is_some() {
            return None;
        }
        let units = self.warps.kernel.units();
        let cycle = |this: Selected| self.cycle(this);
        self.next(selected, cycle, |(_, instruction)| units[instruction as usize] == unit)
    }

    /// For how many cycles it waited.
    fn length(&self, this: Selected) -> u32 {
        self.waited(this).map_or(0, |(from, to)| to + 1 - from)
    }

    /// The first of some instructions by a key, or the one after the selected one if that is among them.
    fn next(
        &self,
        selected: Option<Selected>,
        key: impl Fn(Selected) -> u32,
        among: impl Fn(Selected) -> bool,
    ) -> Option<Found> {
        let place = |this: Selected| (key(this), this);
        let mut all =
            self.positions.iter().copied().filter(|&this| among(this)).map(place).collect::<Vec<_>>();
        base::sort::sort(&mut all);
        let next = selected
            .filter(|&this| self.has(this) && among(this))
            .map_or(0, |this| all.partition_point(|&other| other <= place(this)));
        let (_, found) = all.get(next).or(all.first())?;
        Some(Found::Instruction(*found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::shown::tests::figure_6;

    #[test]
    fn what_is_written_is_found() {
        let shown = figure_6();
        let instruction = |warp, instruction| Some(Found::Instruction((warp, instruction)));
        assert_eq!(shown.find("3:2", None), instruction(2, 1));
        assert_eq!(shown.find(" 7 ", None), Some(Found::Cycle(7)));
        for nothing in ["", "0", "99", "4:1", "1:5", "D", "LC", "x", "-1"] {
            assert_eq!(shown.find(nothing, None), None, "{nothing}");
        }
    }

    #[test]
    fn a_letter_goes_from_one_use_of_the_unit_to_the_next_and_begins_again() {
        let shown = figure_6();
        let mut at = None;
        let mut seen = Vec::new();
        for _ in 0..7 {
            let Some(Found::Instruction(found)) = shown.find("c", at) else { unreachable!("there is one") };
            seen.push(shown.cycle(found));
            at = Some(found);
        }
        assert!(seen[..6].is_sorted_by(|a, b| a < b), "{seen:?}");
        assert_eq!(seen[6], seen[0]);
    }

    #[test]
    fn waits_come_the_longest_first() {
        let shown = figure_6();
        let mut at = None;
        let mut lengths = Vec::new();
        for _ in 0..3 {
            let Some(Found::Instruction(found)) = shown.find("wait", at) else {
                unreachable!("there is one")
            };
            lengths.push(shown.length(found));
            at = Some(found);
        }
        assert!(lengths.is_sorted_by(|a, b| a >= b) && lengths[0] > 0, "{lengths:?}");
    }
}
