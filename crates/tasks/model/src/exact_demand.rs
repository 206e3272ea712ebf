//! The exact demand bound function, by dynamic programming from each vertex on.
//!
//! A job counts if its deadline lies within what is left when it is triggered. Everything is triggered as early as it
//! may be, for waiting leaves less. So the demand from a vertex on is that of its own job and the best of its
//! successors with what is left then; no assumption about deadlines and separations is needed. What remains is how
//! often the source recurs:
//!
//! 1. Where the period leaves room for the longest path, whole rounds follow each other at the period whatever paths
//!    they take, and where it does not but all paths last equally long, as long as they do ([`Task::pace`]), so the demand from the source on is one round now, one so much later, and so on.
//! 2. Where it does not, but deadlines follow one another, a round lasts as long as its path, and takes part whole
//!    or as the last one.
//! 3. Where neither holds, the first is used: an upper bound.

use super::{StepFunction, Task};

/// The demand of a task from each of its vertices on.
#[derive(Debug, Clone)]
pub struct ExactDemand {
    /// From each vertex to the end of its round; kept only where asked.
    pub heads: Vec<StepFunction>,
    /// From each vertex on through the source; empty for the source itself.
    pub through: Vec<StepFunction>,
    /// From the source on, for as many rounds as fit.
    pub rounds: StepFunction,
    /// The paths from each vertex to the source: how long they last, and one more than they need, for steps begin
    /// above 0. Only in the second case.
    pub paths: Vec<StepFunction>,
    /// The most demand within every interval.
    pub whole: StepFunction,
    /// How the source recurs.
    pub recurs: Recurs,
    /// All of it holds for intervals shorter than this.
    pub until: u64,
    /// How many pairs were made.
    pub pairs: u64,
    /// Whether pairs were left out, so that all of it is an upper bound.
    pub thinned: bool,
}

/// The most pairs that are kept of a vertex.
pub const MOST_PAIRS: usize = 100_000;

/// How the demand of one round becomes that of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recurs {
    /// At the pace, exactly.
    Period,
    /// As long as the path lasts, exactly.
    Path,
    /// At the period although it is too short: an upper bound.
    Bound,
}

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The steps of every vertex, to find the way again.
    All,
    /// What is still needed, and the result.
    Whole,
}

impl Recurs {
    /// How the source of a task recurs.
    pub fn of(task: &Task) -> Self {
        match (task.keeps_pace(), task.traits().separated) {
            (true, _) => Self::Period,
            (false, true) => Self::Path,
            (false, false) => Self::Bound,
        }
    }
}

impl ExactDemand {
    /// The demand within every interval shorter than `until`.
    pub fn of(task: &Task, until: u64, keep: Keep) -> Self {
        Self::with(task, until, keep, MOST_PAIRS)
    }

    /// The same with so many pairs for each vertex at the most.
    pub fn with(task: &Task, until: u64, keep: Keep, most: usize) -> Self {
        let mut exact_demand = Self {
            heads: Vec::new(),
            through: Vec::new(),
            rounds: StepFunction::default(),
            paths: Vec::new(),
            whole: StepFunction::default(),
            recurs: Recurs::of(task),
            until,
            pairs: 0,
            thinned: false,
        };
        let mut walk = Walk { task, until, keep, most, scratch: Vec::new() };
        let source = task.source();
        exact_demand.heads = walk.back(&mut exact_demand, |v| Some((v, StepFunction::default())));
        let head = std::mem::take(&mut exact_demand.heads[source]);
        exact_demand.rounds = match exact_demand.recurs {
            Recurs::Period | Recurs::Bound => head.recurring(task.pace(), until),
            Recurs::Path => {
                exact_demand.paths = walk.paths(&mut exact_demand.thinned);
                let (rounds, known) = rounds(task, &head, &exact_demand.paths[source], until);
                exact_demand.until = known;
                rounds
            }
        };
        exact_demand.heads[source] = head;
        let rounds = std::mem::take(&mut exact_demand.rounds);
        let mut after_sink = StepFunction::default();
        after_sink.absorb(&rounds, task.gap(), 0, until, &mut walk.scratch);
        exact_demand.whole.absorb(&rounds, 0, 0, until, &mut walk.scratch);
        exact_demand.pairs += rounds.len() as u64;
        exact_demand.rounds = rounds;
        exact_demand.through =
            walk.back(&mut exact_demand, |v| (v != source).then(|| (v, after_sink.clone())));
        exact_demand
    }
}

/// One walk over the vertices, from the sink to the source.
struct Walk<'a> {
    task: &'a Task,
    until: u64,
    keep: Keep,
    /// So many pairs of a vertex are kept.
    most: usize,
    scratch: Vec<(u64, u64)>,
}

impl Walk<'_> {
    /// The steps of every vertex: its own job and the best of its successors. `start` is what follows the sink, and
    /// which vertices take part.
    fn back(
        &mut self,
        exact_demand: &mut ExactDemand,
        start: impl Fn(usize) -> Option<(usize, StepFunction)>,
    ) -> Vec<StepFunction> {
        let (task, until) = (self.task, self.until);
        let mut steps = vec![StepFunction::default(); task.vertices().len()];
        let mut needed: Vec<usize> = vec![0; steps.len()];
        task.edges().iter().for_each(|edge| needed[edge.to] += 1);
        for &v in task.order().iter().rev() {
            let Some((_, after)) = start(v) else { continue };
            let mut own = if v == task.sink() { after } else { StepFunction::default() };
            for &(w, p) in task.leaving(v) {
                own.absorb(&steps[w], p, 0, until, &mut self.scratch);
                needed[w] -= 1;
                if needed[w] == 0 && self.keep == Keep::Whole {
                    steps[w] = StepFunction::default();
                }
            }
            let vertex = &task.vertices()[v];
            own.lift(vertex.d, vertex.e, until);
            exact_demand.thinned |= own.thin(self.most);
            exact_demand.whole.absorb(&own, 0, 0, until, &mut self.scratch);
            exact_demand.pairs += own.len() as u64;
            steps[v] = own;
        }
        steps
    }

    /// For each vertex the undominated paths to the source: how long they last, and one more than their jobs need.
    fn paths(&mut self, thinned: &mut bool) -> Vec<StepFunction> {
        let most = self.most;
        let keep = |own: &mut StepFunction| {
            *thinned |= own.thin(most);
            true
        };
        paths(self.task, self.until, &mut self.scratch, keep).unwrap_or_default()
    }
}

/// For each vertex the undominated paths to the source that last less than `until`: how long they last, and one more than
/// their jobs need. None as soon as those of a vertex are not kept.
pub(crate) fn paths(
    task: &Task,
    until: u64,
    scratch: &mut Vec<(u64, u64)>,
    mut keep: impl FnMut(&mut StepFunction) -> bool,
) -> Option<Vec<StepFunction>> {
    let mut paths = vec![StepFunction::default(); task.vertices().len()];
    for &v in task.order().iter().rev() {
        let e = task.vertices()[v].e;
        let mut own = StepFunction::default();
        if v == task.sink() {
            own = StepFunction::one(task.gap(), e + 1);
        }
        for &(w, p) in task.leaving(v) {
            own.absorb(&paths[w], p, e, until, scratch);
        }
        if !keep(&mut own) {
            return None;
        }
        paths[v] = own;
    }
    Some(paths)
}

/// The most rounds that are followed, where they last as long as their paths.
const MOST_ROUNDS: usize = 2_000;

/// The demand from the source on where rounds last as long as their paths, a period at least; and the interval below
/// which that is all of it.
fn rounds(task: &Task, head: &StepFunction, paths: &StepFunction, until: u64) -> (StepFunction, u64) {
    let ways = paths.pairs().iter().map(|&(t, e)| (t.max(task.period()), e));
    let ways = StepFunction::of(ways.collect());
    // When whole rounds can be over, and what they needed; each begins another one.
    let mut over = std::collections::BTreeMap::from([(0u64, 0u64)]);
    let (mut all, mut scratch) = (StepFunction::default(), Vec::new());
    let (mut most, mut followed) = (None, 0);
    while let Some((at, done)) = over.pop_first() {
        if most.is_some_and(|most| done <= most) {
            continue;
        }
        if followed == MOST_ROUNDS {
            return (all, at);
        }
        (most, followed) = (Some(done), followed + 1);
        all.absorb(head, at, done, until, &mut scratch);
        for &(t, more) in ways.pairs().iter().filter(|way| at + way.0 < until) {
            let known = over.entry(at + t).or_default();
            *known = (done + more - 1).max(*known);
        }
    }
    (all, until)
}
