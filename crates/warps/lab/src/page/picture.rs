//! The pictures of a result: of all of it, of its construction after some steps, and of a report alone.

use serde_json::Value;

use super::shown::{Shown, number, told_schedule};
use crate::timeline::{Pictured, Rows, warps_timeline};
use kit::import::json;
use kit::timeline::Timeline;
use warps::construct::Placement;
use warps::explain::{self, Step};
use warps::idle::Cells;
use warps::{Kernel, MOST_WARPS, Machine, Mode, PerUnit};

impl Shown {
    /// The whole picture.
    pub fn whole_picture(&self, what: impl Into<Pictured>) -> Timeline {
        self.timeline(&self.cells(), what.into())
    }

    /// The picture after `steps` steps, with the last step explained.
    pub fn picture(&self, steps: usize, what: impl Into<Pictured>) -> (Timeline, Option<Step>) {
        self.after(steps, |cells, step| (self.timeline(cells, what.into()), step))
    }

    /// How many steps it takes to the one that places what runs at a cycle, or last before it; the last such step where
    /// several do. No step before the first cycle.
    pub fn step_at(&self, cycle: u32) -> usize {
        let steps = (1..).zip(&self.positions).map(|(step, &placed)| (self.cycle(placed), step));
        steps.filter(|&(at, _)| at <= cycle).max().map_or(0, |(_, step)| step)
    }

    fn timeline(&self, cells: &Cells<'_>, what: Pictured) -> Timeline {
        warps_timeline(cells, self.warps.memory.as_ref().map(|memory| memory.miss), what)
    }

    /// The cells of the whole schedule.
    pub(super) fn cells(&self) -> Cells<'_> {
        let (kernel, machine) = (&self.warps.kernel, &self.warps.normalised.machine);
        Cells::whole(kernel, machine, self.mode(), &self.schedule)
    }

    pub(super) fn mode(&self) -> Option<Mode> {
        self.warps.memory.as_ref().map(|memory| memory.mode)
    }

    /// Tells of the cells after `steps` steps, and of the last step.
    pub(super) fn after<T>(&self, steps: usize, tell: impl FnOnce(&Cells<'_>, Option<Step>) -> T) -> T {
        if self.warps.memory.is_some() {
            return self.after_in_time(steps, tell);
        }
        let (kernel, machine) = (&self.warps.kernel, &self.warps.normalised.machine);
        let (construction, step) = explain::replay(kernel, machine, &self.order, self.warps.count, steps);
        let end = self.schedule.makespan();
        tell(&Cells::of_rows(kernel, machine, construction.rows(), end), step)
    }

    /// The same where loads take their time: the entries read so far, as they stand in the end.
    fn after_in_time<T>(&self, steps: usize, tell: impl FnOnce(&Cells<'_>, Option<Step>) -> T) -> T {
        let mut placed = vec![0; self.warps.count];
        for &(warp, _) in &self.positions[..steps.min(self.positions.len())] {
            placed[warp as usize] += 1;
        }
        let last = steps.checked_sub(1).and_then(|last| self.positions.get(last));
        let step = last.map(|&selected| {
            let (warp, instruction) = (selected.0 as usize, selected.1 as usize);
            let placement = Placement {
                warp,
                instruction,
                unit: self.warps.kernel.units()[instruction],
                ready: self.schedule.ready(warp, instruction),
                cycle: self.cycle(selected),
            };
            Step { placement, waits: self.waits(selected) }
        });
        tell(&self.cells().up_to(placed), step)
    }
}

/// Title and picture of a report line, without the document it is of; `None` if it is not of a schedule.
pub fn timeline_of(line: &str) -> Option<(String, Timeline)> {
    let told = json::parse(line).ok()?;
    let kernel = Kernel::parse(told.get("kernel")?.as_str()?).ok()?;
    let count = usize::try_from(told.get("count")?.as_u64()?).ok().filter(|&count| count <= MOST_WARPS)?;
    let (_, schedule) = told_schedule(&told, &kernel, count)?;
    if schedule.length() != kernel.len() {
        return None;
    }
    let machine = told_machine(told.get("machine")?)?;
    let memory = told.get("memory");
    let mode = memory.map(|memory| match memory.get("mode").is_some_and(|mode| mode == "held") {
        true => Mode::Held,
        false => Mode::Pipelined,
    });
    let miss = memory.map(|memory| number(memory, "miss").unwrap_or(1));
    let title = told.get("scenario")?.as_str()?.to_owned();
    let cells = Cells::whole(&kernel, &machine, mode, &schedule);
    Some((title, warps_timeline(&cells, miss, Rows::Warps.into())))
}

/// The machine of a report.
fn told_machine(told: &Value) -> Option<Machine> {
    let [l, c, s, d] = ["L", "C", "S", "D"].map(|kind| number(told, kind));
    let issue = told.get("issue").filter(|issue| !issue.is_null());
    Some(Machine {
        capacity: PerUnit([l?, c?, s?, d?]),
        issue: issue.map(|_| number(told, "issue").ok_or(())).transpose().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A result of two warps that execute a load and a computation each, on one load/store unit.
    fn shown(order: &str) -> Shown {
        let text = format!(
            r#"{{"warpspan": 1, "warps": {{"kernel": "LC", "count": 2, "machine": {{"L": 1, "C": 1}}, "method": {{"order": {order}}}}}}}"#
        );
        let Ok(scenario) = crate::LINKED.read(&text) else { unreachable!("valid") };
        let line = crate::LINKED.run(&scenario).line();
        Shown::new(&text, &line).unwrap_or_else(|| unreachable!("a report fits its scenario"))
    }

    #[test]
    fn a_cycle_leads_to_the_step_whose_instruction_lies_there_or_last_before() {
        // In turn: cycles 1, 2, 2, 3.
        let in_turn = shown("[1, 2, 1, 2]");
        let steps: Vec<usize> = (0..=9).map(|cycle| in_turn.step_at(cycle)).collect();
        assert_eq!(steps, [0, 1, 3, 4, 4, 4, 4, 4, 4, 4]);
        // One after the other: cycles 1, 2 and 2, 3; the last of those in cycle 2 is the second warp's load.
        let in_a_row = shown("[1, 1, 2, 2]");
        let steps: Vec<usize> = (0..=4).map(|cycle| in_a_row.step_at(cycle)).collect();
        assert_eq!(steps, [0, 1, 3, 4, 4]);
    }

    #[test]
    fn the_step_of_a_cycle_is_the_last_of_the_latest_not_after_it() {
        let text = r#"{"warpspan": 1, "warps": {"kernel": "2L 3C L 2C", "count": 5, "machine": {"L": 1, "C": 2},
            "method": {"initial": "random", "seed": 7}}}"#;
        let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("valid") };
        let Some(shown) = Shown::new(text, &crate::LINKED.run(&scenario).line()) else {
            unreachable!("a report fits its scenario")
        };
        for cycle in 0..=shown.schedule.makespan() + 1 {
            // The naive way: look at all of them.
            let (mut best, mut latest) = (0, 0);
            for step in 1..=shown.steps() {
                let at = shown.cycle(shown.positions[step - 1]);
                if at <= cycle && at >= latest {
                    (best, latest) = (step, at);
                }
            }
            assert_eq!(shown.step_at(cycle), best, "cycle {cycle}");
        }
    }
}
