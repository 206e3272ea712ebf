//! What the search field finds in a schedule: an instruction, a cycle, the next use of a unit, the longest wait.

use super::Shown;
use super::idle::no_eligible;
pub use super::query::TERMS;
use super::query::{self, Asked};
use super::shown::{Selected, parse_selection};
use crate::draw::gantt::Lit;
use kit::page::hits::Listed;
use kit::page::terms::Query;
use warps::idle::Cells;

/// What is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// An instruction of a warp.
    Instruction(Selected),
    /// A cycle, from 1.
    Cycle(u32),
}

/// One of the things found, in the order in which they are gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Which.
    pub found: Found,
    /// Its place among all, from 1.
    pub at: usize,
    /// How many there are.
    pub of: usize,
}

/// Whether what is written asks for something of this name.
fn asks(text: &str, key: &str) -> bool {
    text.to_ascii_lowercase().contains(key)
}

/// What is said of terms that are none; nothing where all is well.
pub fn wrong(text: &str) -> Option<String> {
    Query::read(text, &TERMS).err()
}

impl Shown {
    /// What a text asks for: something that has a name, or one of the instructions of a warp that it means, ascending;
    /// the one after the selection, or before it, round and round.
    pub fn find(&self, text: &str, meant: &Lit, selected: Option<Selected>, back: bool) -> Option<Hit> {
        let text = text.trim();
        let one = |found| Hit { found, at: 1, of: 1 };
        if let Some(selection) = parse_selection(text) {
            return self.has(selection).then_some(one(Found::Instruction(selection)));
        }
        if let Ok(cycle) = text.replace([',', ' '], "").parse::<u32>() {
            return (1..=self.report.makespan).contains(&cycle).then_some(one(Found::Cycle(cycle)));
        }
        self.next(text, selected, back, meant)
    }

    /// Some of the instructions that are meant, in that order, around the selected one if it is among them; and how many
    /// come before.
    pub fn some_of(
        &self,
        text: &str,
        meant: &Lit,
        selected: Option<Selected>,
        most: usize,
    ) -> (usize, Vec<Selected>) {
        let all = self.sorted(text, meant);
        let at = selected.and_then(|this| all.iter().position(|other| other.1 == this)).unwrap_or(0);
        let first = at.saturating_sub(most / 2).min(all.len().saturating_sub(most));
        (first, all.into_iter().skip(first).take(most).map(|(_, this)| this).collect())
    }

    /// What an instruction is called where they are listed; where idle cells are meant, those before it and why.
    pub fn in_list(&self, text: &str, this: Selected) -> Listed {
        let unit = self.warps.kernel.units().get(this.1 as usize).map_or("", |unit| unit.name());
        if asks(text, "idle") {
            let cells = self.cells();
            let (cycles, from) = self.idle(&cells, this);
            let when = format!("cycles {from} to {}, {}", from + cycles - 1, self.idle_for(&cells, this));
            return [format!("before {}:{} {unit}", this.0 + 1, this.1 + 1), when, format!("idle {cycles}")];
        }
        let wait = match self.length(this) {
            0 => String::new(),
            cycles => format!("waited {cycles}"),
        };
        [format!("{}:{} {unit}", this.0 + 1, this.1 + 1), format!("cycle {}", self.cycle(this)), wait]
    }

    /// The instructions that are meant, each with what it is sorted by: the cycle; of waits the longest comes first.
    fn sorted(&self, text: &str, meant: &Lit) -> Vec<(u32, Selected)> {
        let these = matches!(meant, Lit::These(_));
        let (waits, idle) = (these && asks(text, "wait"), these && asks(text, "idle"));
        let cells = self.cells();
        let key = |this| match (idle, waits) {
            (true, _) => u32::MAX - self.idle(&cells, this).0,
            (_, true) => u32::MAX - self.length(this),
            _ => self.cycle(this),
        };
        let own = self.positions.iter().copied().filter(|&this| meant.has(this));
        let mut all = own.map(|this| (key(this), this)).collect::<Vec<_>>();
        base::sort::sort(&mut all);
        all
    }

    /// What stands out while a text is written: the instructions it means, in every warp or in some; none if it means
    /// neither a unit nor several terms.
    pub fn meant(&self, text: &str) -> Option<Lit> {
        if let Some(instructions) = self.on_unit(text) {
            return Some(Lit::instructions(instructions));
        }
        let one = parse_selection(text).is_some() || text.trim().parse::<u32>().is_ok();
        let query = Asked::read(text).filter(|_| !one)?;
        let instructions = 0..u32::try_from(self.warps.kernel.units().len()).ok()?;
        let warps = 0..u32::try_from(self.warps.count).ok()?;
        let all = warps.flat_map(|warp| instructions.clone().map(move |at| (warp, at)));
        let cells = self.cells();
        Some(Lit::These(all.filter(|&this| query.holds(self, &cells, this)).collect()))
    }

    /// The instructions of a warp on the unit that a text means, ascending; none if it means no unit.
    fn on_unit(&self, text: &str) -> Option<Vec<u32>> {
        let unit = query::unit(&text.trim().to_ascii_lowercase())?;
        let units = (0..).zip(self.warps.kernel.units().iter());
        Some(units.filter(|(_, own)| **own == unit).map(|(at, _)| at).collect())
    }

    /// In how many cycles its warp executes nothing before it, and from which on.
    pub(super) fn idle(&self, cells: &Cells<'_>, this: Selected) -> (u32, u32) {
        let (warp, at) = (this.0 as usize, this.1 as usize);
        let end = |before: usize| cells.start(warp, before) + cells.takes(warp, before);
        let from = at.checked_sub(1).map_or(1, end);
        (self.cycle(this).saturating_sub(from), from)
    }

    /// Why, where it begins, and where it ends if that differs, and whether any of it has no eligible warp; empty where it
    /// does not wait.
    pub(super) fn idle_for(&self, cells: &Cells<'_>, this: Selected) -> String {
        let (cycles, from) = self.idle(cells, this);
        let why = |cycle| self.waits_for(cells, this.0 as usize, cycle);
        match cycles {
            0 => String::new(),
            _ => {
                let (first, last) = (why(from), why(from + cycles - 1));
                let said = if first == last { first } else { first + ", then " + &last };
                let alone = (from..from + cycles).any(|cycle| no_eligible(cells, cycle));
                if alone { said + ", no eligible warp" } else { said }
            }
        }
    }

    /// For how many cycles it waited.
    pub(super) fn length(&self, this: Selected) -> u32 {
        self.waited(this).map_or(0, |(from, to)| to + 1 - from)
    }

    /// The first of the instructions that are meant, or the one beside the selected one if that is among them.
    fn next(&self, text: &str, selected: Option<Selected>, back: bool, meant: &Lit) -> Option<Hit> {
        let all = self.sorted(text, meant);
        let of = all.len();
        let at = match selected.and_then(|this| all.iter().position(|other| other.1 == this)) {
            Some(place) if back => place + of - 1,
            Some(place) => place + 1,
            None if back => of.max(1) - 1,
            None => 0,
        } % of.max(1);
        let (_, found) = all.get(at)?;
        Some(Hit { found: Found::Instruction(*found), at: at + 1, of })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::shown::tests::figure_6;
    use warps::idle::Cell;

    #[test]
    fn what_is_written_is_found() {
        let shown = figure_6();
        let find = |text: &str| shown.find(text, &Lit::Nothing, None, false).map(|hit| hit.found);
        assert_eq!(find("3:2"), Some(Found::Instruction((2, 1))));
        assert_eq!(find(" 7 "), Some(Found::Cycle(7)));
        for nothing in ["", "0", "99", "4:1", "1:5", "D", "LC", "x", "-1", "C cycle>90", "warp:9"] {
            assert_eq!(find(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_letter_goes_from_one_use_of_the_unit_to_the_next_and_begins_again() {
        let shown = figure_6();
        let meant = shown.meant("c").unwrap_or_default();
        let go = |at, back| {
            let hit = shown.find("c", &meant, at, back).unwrap_or_else(|| unreachable!("there is one"));
            let Found::Instruction(found) = hit.found else { unreachable!("it is no cycle") };
            (found, hit)
        };
        let mut at = None;
        let mut seen = Vec::new();
        for place in [1, 2, 3, 4, 5, 6, 1] {
            let (found, hit) = go(at, false);
            assert_eq!((hit.at, hit.of), (place, 6));
            seen.push(shown.cycle(found));
            at = Some(found);
        }
        assert!(seen[..6].is_sorted_by(|a, b| a < b), "{seen:?}");
        assert_eq!(seen[6], seen[0]);
        // And back the same way.
        for place in [6, 5, 4, 3, 2, 1, 6] {
            let (found, hit) = go(at, true);
            assert_eq!((hit.at, shown.cycle(found)), (place, seen[place - 1]));
            at = Some(found);
        }
        assert_eq!(go(None, true).1.at, 6);
    }

    #[test]
    fn units_mean_their_instructions() {
        let shown = figure_6();
        assert_eq!(shown.on_unit("C"), Some(vec![1, 2]));
        assert_eq!((shown.on_unit("core"), shown.on_unit(" Load/ST ")), (Some(vec![1, 2]), Some(vec![0, 3])));
        assert_eq!(shown.on_unit("d"), Some(vec![]));
        for none in ["lo", "", "ld.global", "3:1"] {
            assert_eq!(shown.on_unit(none), None, "{none}");
        }
    }

    #[test]
    fn terms_together_go_through_what_all_of_them_mean() {
        let shown = figure_6();
        let meant = shown.meant("C warp:2").unwrap_or_default();
        assert_eq!(meant, Lit::These([(1, 1), (1, 2)].into()));
        let mut at = None;
        for place in [1, 2, 1] {
            let hit = shown.find("C warp:2", &meant, at, false).unwrap_or_else(|| unreachable!("two"));
            let Found::Instruction(found) = hit.found else { unreachable!("it is no cycle") };
            assert_eq!((hit.at, hit.of, found.0), (place, 2, 1));
            at = Some(found);
        }
        assert_eq!((shown.meant("3:2"), shown.meant("7"), shown.meant("ld.global")), (None, None, None));
    }

    #[test]
    fn some_are_listed_around_the_selected_one_in_the_order_of_the_search() {
        let shown = figure_6();
        let meant = shown.meant("c").unwrap_or_default();
        let (first, all) = shown.some_of("c", &meant, None, 9);
        let mut at = None;
        for listed in &all {
            let found = shown.find("c", &meant, at, false).map(|hit| hit.found);
            assert_eq!(found, Some(Found::Instruction(*listed)));
            at = Some(*listed);
        }
        assert_eq!((first, all.len()), (0, 6));
        for (place, this) in all.iter().enumerate() {
            let (first, few) = shown.some_of("c", &meant, Some(*this), 3);
            assert_eq!((few.len(), few.get(place - first)), (3, Some(this)));
        }
        assert_eq!(shown.in_list("c", all[0]), ["1:2 CUDA core", "cycle 2", ""]);
    }

    #[test]
    fn waits_come_the_longest_first() {
        let shown = figure_6();
        let mut at = None;
        let mut lengths = Vec::new();
        let meant = shown.meant("wait").unwrap_or_default();
        for _ in 0..3 {
            let Some(Hit { found: Found::Instruction(found), .. }) = shown.find("wait", &meant, at, false)
            else {
                unreachable!("there is one")
            };
            lengths.push(shown.length(found));
            at = Some(found);
        }
        assert!(lengths.is_sorted_by(|a, b| a >= b) && lengths[0] > 0, "{lengths:?}");
    }

    #[test]
    fn cycles_without_an_eligible_warp_are_found_among_the_idle_ones() {
        let text = r#"{"warpspan": 1, "warps": {"kernel": "LCL", "count": 3, "machine": {"L": 1, "C": 1, "issue": 1},
            "memory": {"mode": "pipelined", "miss": 4}, "method": {"initial": "fixed-priority"}}}"#;
        let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("valid") };
        let Some(shown) = Shown::new(text, &crate::LINKED.run(&scenario).line()) else {
            unreachable!("a report fits its scenario")
        };
        // In each other one something starts.
        let starts = |cycle| shown.positions.iter().any(|&this| shown.cycle(this) == cycle);
        let none: Vec<u32> = (1..=shown.schedule.makespan()).filter(|&cycle| !starts(cycle)).collect();
        assert_eq!(none, [4, 11, 12, 13]);
        assert_eq!(shown.without_eligible().as_deref(), Some("no eligible warp: 4 cycles"));
        assert_eq!(figure_6().without_eligible(), None);
        // Those that wait through cycle 4 before their second instruction; behind the last nothing is idle.
        let meant = shown.meant("idle for:eligible").unwrap_or_default();
        let found: Vec<Selected> = shown.positions.iter().copied().filter(|&this| meant.has(this)).collect();
        let naive: Vec<Selected> = shown
            .positions
            .iter()
            .copied()
            .filter(|&(warp, at)| {
                at > 0 && (shown.cycle((warp, at - 1)) + 1..shown.cycle((warp, at))).contains(&4)
            })
            .collect();
        assert_eq!((found.len(), &found), (3, &naive));
        let [_, when, _] = shown.in_list("idle for:eligible", found[0]);
        assert!(when.ends_with(", no eligible warp"), "{when}");
    }

    #[test]
    fn idle_cells_are_found_with_their_causes() {
        let shown = figure_6();
        let (cells, meant) = (shown.cells(), shown.meant("idle").unwrap_or_default());
        let (first, all) = shown.some_of("idle", &meant, None, 99);
        let lengths: Vec<u32> = all.iter().map(|&this| shown.idle(&cells, this).0).collect();
        assert!(first == 0 && lengths.is_sorted_by(|a, b| a >= b) && lengths[0] > 0, "{lengths:?}");
        // Cell by cell: all that lie before a warp's last instruction.
        let last = u32::try_from(shown.warps.kernel.len() - 1).unwrap();
        let idle = |warp: u32| {
            let cell = |cycle: &u32| !matches!(cells.at(warp as usize, *cycle), Cell::Executes(_));
            (1..shown.cycle((warp, last))).filter(cell).count()
        };
        assert_eq!(lengths.iter().sum::<u32>() as usize, (0..3).map(idle).sum::<usize>());
        let [what, when, long] = shown.in_list("idle", all[0]);
        assert_eq!((what.as_str(), long), ("before 3:1 load/store", format!("idle {}", lengths[0])));
        assert!(when.starts_with("cycles ") && when.contains("waits for"), "{when}");
        // Each is found by its cause, and by no other.
        for &this in &all {
            let why = shown.idle_for(&cells, this);
            let found = |text: &str| shown.meant(text).unwrap_or_default().has(this);
            assert!(found("idle for:wait") && !found("idle for:data"), "{why}");
            assert_eq!(found("for:load/store"), why.contains("load/store"), "{why}");
        }
    }
}
