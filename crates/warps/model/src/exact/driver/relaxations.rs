//! The driver's bounds of coarser states: which are computed, in which order, and what they prove.

use super::super::Goal;
use super::super::aggregate::table::{AggregateBound, CellLimits, NoTable};
use super::super::instance::Aggregate;
use super::super::lagrangian::LagrangianBound;
use super::super::lagrangian::coloured::ColouredBound;
use super::super::lagrangian::victim::VictimBound;
use super::{AGGREGATED, Driver, Guide, PRICED, Stage, Task, VICTIM};

/// Cells of a table that takes so little time that it comes first.
const QUICK: u64 = 64_000_000;
/// This share of what was found is little to be left open.
const LITTLE: i32 = 32;

impl Driver {
    /// Begins with a table, or with multipliers where it is large or there is none.
    pub(super) fn tabulate(&mut self) {
        let step = self.goal.step() as i16;
        match AggregateBound::new(&self.instance, step, CellLimits::of(self.memory)) {
            Ok(table) if self.goal == Goal::Shortest || table.cells() <= QUICK => {
                self.stage = Stage::Table(table);
            }
            Ok(table) => self.relax(Some(table)),
            Err(why) => {
                self.needs =
                    if let NoTable::Needs(cells) = why { Some(CellLimits::memory(cells)) } else { None };
                if self.goal == Goal::Longest {
                    self.relax(None);
                }
            }
        }
    }

    /// Begins with multipliers, before a large table or instead of one; only the longest schedules have such bounds.
    fn relax(&mut self, table: Option<AggregateBound>) {
        let most = self.found.unsigned_abs();
        let room = self.room().saturating_sub(table.as_ref().map_or(0, AggregateBound::bytes));
        self.table = table;
        match VictimBound::new(&self.instance, most, room / 4 * 3) {
            Some(victim) => self.stage = Stage::Victim(Box::new(victim)),
            None => self.after_victim(),
        }
    }

    /// Goes on with the table, or where there is none, with multipliers for all warps alike; with neither where hardly
    /// anything is open. Without a table, colours are sought later.
    fn after_victim(&mut self) {
        let (most, open) = (self.found.unsigned_abs(), self.proven - self.found);
        let table = self.table.take();
        if table.is_none() {
            self.tasks.splice(..0, [Task::Colour, Task::Anneal(self.annealed)]);
        }
        if open <= 0 {
            return;
        }
        if let Some(table) = table {
            self.stage = Stage::Table(table);
        } else if (self.bounding.victim.is_none() || open > self.found / LITTLE)
            && ColouredBound::new(&self.instance, most, self.room() / 4 * 3).is_none()
            && let Some(lagrangian) = LagrangianBound::new(&self.instance, most, self.room() / 2)
        {
            self.stage = Stage::Lagrangian(Box::new(lagrangian));
        }
    }

    /// Colours next, if there is room for any; else chooses again.
    pub(super) fn seek_colours(&mut self) {
        match ColouredBound::new(&self.instance, self.found.unsigned_abs(), self.room() / 4 * 3) {
            Some(coloured) => self.stage = Stage::Coloured(Box::new(coloured)),
            None => self.choose(),
        }
    }

    /// More colours next, where those there are leave much open and there is room; else chooses again.
    pub(super) fn seek_more_colours(&mut self) {
        let open = self.proven - self.found > self.found / LITTLE;
        let coloured = self.bounding.coloured.as_ref().filter(|_| open);
        match coloured.and_then(|coloured| coloured.finer(self.found.unsigned_abs(), self.room() / 4 * 3)) {
            Some(finer) => self.stage = Stage::Coloured(Box::new(finer)),
            None => self.choose(),
        }
    }

    pub(super) fn end_table(&mut self) {
        let Stage::Table(table) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        let bound = table.bound(&self.instance, &Aggregate::start(&self.instance));
        if bound <= self.proven {
            // From other states on it says more as well, and faster.
            self.bounding.victim = None;
        }
        self.prove(bound, AGGREGATED, table.cells());
        self.bounding.table = Some(table);
        self.choose();
    }

    pub(super) fn end_lagrangian(&mut self) {
        let Stage::Lagrangian(lagrangian) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        if let Some(bound) = lagrangian.bound(&self.instance, &Aggregate::start(&self.instance)) {
            // Of the two the one that says more from the start on is asked from other states, too.
            let bound = self.goal.score(bound);
            if bound < self.proven || self.bounding.victim.is_none() {
                self.bounding.lagrangian = Some(lagrangian);
                self.bounding.victim = None;
            }
            self.prove(bound, PRICED, self.bounding.lagrangian.as_ref().map_or(0, |own| own.cells()));
        }
        self.choose();
    }

    pub(super) fn end_victim(&mut self) {
        let Stage::Victim(victim) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        if let Some(bound) = victim.bound(&self.instance, &Aggregate::start(&self.instance)) {
            self.prove(self.goal.score(bound), VICTIM, victim.cells());
            self.bounding.victim = Some(victim);
        }
        self.after_victim();
    }

    pub(super) fn end_coloured(&mut self) {
        let Stage::Coloured(coloured) = std::mem::replace(&mut self.stage, Stage::Choose) else { return };
        let former = self.bounding.coloured.as_ref().and_then(|former| former.all());
        let better = |bound: &u32| former.is_none_or(|former| *bound < former);
        if let Some(bound) = coloured.all().filter(better) {
            self.prove(self.goal.score(bound), VICTIM, coloured.cells());
            self.bounding.coloured = Some(coloured);
            self.tasks.extend([Task::Beam(300, Guide::Colours), Task::Beam(40, Guide::Colours)]);
        }
        self.choose();
    }
}
