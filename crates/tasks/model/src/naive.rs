//! Test oracle: demand by its definition, every legal sequence.

use std::collections::HashMap;

use super::Task;

/// What is known of a task by its definition.
pub(crate) struct Search<'a> {
    task: &'a Task,
    known: HashMap<(usize, u64, Option<u64>), u64>,
}

impl<'a> Search<'a> {
    /// Nothing yet.
    pub(crate) fn new(task: &'a Task) -> Self {
        Self { task, known: HashMap::new() }
    }

    /// The largest demand within an interval, from all sequences of triggerings that begin with it.
    pub(crate) fn demand(&mut self, t: u64) -> u64 {
        (0..self.task.vertices().len()).map(|v| self.from(v, t, None)).max().unwrap_or(0)
    }

    /// The most that sequences which trigger the source exactly once need within an interval.
    pub(crate) fn through_source(&mut self, t: u64) -> u64 {
        let task = self.task;
        (0..task.vertices().len()).filter_map(|v| self.once(v, t, v == task.source())).max().unwrap_or(0)
    }

    /// The most from the triggering of `v` on, with one triggering of the source before, now or later; none where
    /// there is no time for it.
    fn once(&mut self, v: usize, left: u64, passed: bool) -> Option<u64> {
        let task = self.task;
        let vertex = &task.vertices()[v];
        let own = if vertex.d <= left { vertex.e } else { 0 };
        let on = task.leaving(v).iter().filter(|edge| edge.1 <= left);
        let mut rest: Vec<Option<u64>> = on.map(|&(w, p)| self.once(w, left - p, passed)).collect();
        if v == task.sink() && !passed && task.gap() <= left {
            rest.push(self.once(task.source(), left - task.gap(), true));
        }
        rest.push(passed.then_some(0));
        rest.into_iter().flatten().max().map(|rest| own + rest)
    }

    /// The most from the triggering of `v` on, with `left` of the interval left then, and the source triggered so long
    /// ago.
    fn from(&mut self, v: usize, left: u64, since: Option<u64>) -> u64 {
        let task = self.task;
        let since = if v == task.source() { Some(0) } else { since };
        if let Some(&known) = self.known.get(&(v, left, since)) {
            return known;
        }
        let vertex = &task.vertices()[v];
        let own = if vertex.d <= left { vertex.e } else { 0 };
        let mut best = 0;
        for &(w, p) in task.leaving(v) {
            if p <= left {
                best = best.max(self.from(w, left - p, since.map(|since| since + p)));
            }
        }
        if v == task.sink() {
            let wait = since.map_or(0, |since| task.period().saturating_sub(since)).max(task.gap());
            if wait <= left {
                best = best.max(self.from(task.source(), left - wait, since));
            }
        }
        self.known.insert((v, left, since), own + best);
        own + best
    }
}
