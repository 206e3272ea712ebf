//! Paths through a nest of loops where every loop runs a given number of times.
//!
//! Without the edges that lead back, the graph of a function has no cycles, and a path is put together from the
//! end: for each block, the rest of the path from there to each goal it may have. Goal 0 is the end of the
//! function; goal k is to go back to the header of the k-th loop around the block, counted from the outside. A
//! loop that is entered runs its passes, each to its own goal, and then leaves for the goal outside.
//!
//! A loop whose header leaves it, and does not end it, is tested at its top: its body runs n times and the
//! header once more. Any other loop leaves in its n-th pass, and so runs at least once.

use super::graph::{Edge, Graph};
use super::path::Trips;
use super::program::{Program, Trace};
use base::Problem;

/// Which of several ways is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taste {
    /// The first that leads to the goal, falling through before branching.
    First,
    /// The one with the most instructions.
    Longest,
}

/// How often the loops of a path go round where their trip counts are ranges. The way is the same: one with
/// fewer rounds is that with the most, less the rounds that are not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounds {
    /// As often as they may at the most.
    Most,
    /// As seldom as they may.
    Fewest,
}

/// The rest of a path from a block: instructions, and which edge it takes first.
#[derive(Debug, Clone, Copy)]
struct Rest {
    cost: u64,
    edge: usize,
}

/// Where an edge leads on the way to a goal.
#[derive(Debug, Clone, Copy)]
enum Onward {
    /// The goal is reached.
    Goal,
    /// To a block without entering a loop, or into the middle of one.
    Block(usize),
    /// Into a loop, in its middle if `via` says so: that block and the goal of the first round.
    Loop { found: usize, via: Option<(usize, usize)>, passes: u64, leave: Leave },
}

/// How a loop ends after its passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leave {
    /// In one more pass, from wherever it leaves.
    Inside,
    /// From its header.
    Top,
    /// Not at all: the path ends.
    Never,
}

/// The paths of one function.
#[derive(Debug)]
pub(super) struct Nest<'p> {
    graph: &'p Graph,
    taste: Taste,
    /// How often each loop runs.
    times: Vec<Trips>,
    /// The instructions of each block, those of called functions included.
    costs: Vec<u64>,
    /// Where the goals of each block begin in `rests`.
    first: Vec<usize>,
    /// For each block and goal: leaving a header not tested at its top, and leaving from the header.
    rests: Vec<[Option<Rest>; 2]>,
}

impl<'p> Nest<'p> {
    /// Finds the paths.
    pub fn new(graph: &'p Graph, taste: Taste, times: Vec<Trips>, costs: Vec<u64>) -> Self {
        let mut first = Vec::with_capacity(graph.blocks.len());
        let mut total = 0;
        for block in 0..graph.blocks.len() {
            first.push(total);
            total += graph.depth(block) + 1;
        }
        let mut nest = Self { graph, taste, times, costs, first, rests: vec![[None; 2]; total] };
        for block in nest.ends_first() {
            for goal in 0..=graph.depth(block) {
                nest.rests[nest.first[block] + goal] =
                    [nest.best(block, goal, false), nest.best(block, goal, true)];
            }
        }
        nest
    }

    /// How many instructions the whole path executes; none if no path is found.
    pub fn cost(&self) -> Option<u64> {
        self.enter(0, 0, 0).map(|way| way.1)
    }

    /// Adds the whole path to a trace.
    pub fn trace(
        &self,
        nests: &[Nest<'_>],
        program: &Program<'_, '_>,
        part: usize,
        rounds: Rounds,
        trace: &mut Trace,
    ) -> Result<(), Problem> {
        match self.enter(0, 0, 0) {
            Some((way, _)) => Tracer { nests, program, part, rounds, trace }.onward(way, 0),
            None => Ok(()),
        }
    }

    /// Full passes of a loop before it is left, for the fewest trips it may make.
    fn fewest(&self, found: usize, leave: Leave) -> u64 {
        let least = u64::from(self.times[found].least);
        match leave {
            Leave::Inside => least.max(1) - 1,
            Leave::Top => least,
            Leave::Never => least.max(1),
        }
    }

    /// Blocks, each after all that the rest of a path from it may depend on.
    fn ends_first(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut met = vec![false; self.graph.blocks.len()];
        let mut stack = vec![(0, self.needs(0))];
        met[0] = true;
        while let Some((block, needs)) = stack.last_mut() {
            match needs.pop() {
                Some(next) if !met[next] => {
                    met[next] = true;
                    stack.push((next, self.needs(next)));
                }
                Some(_) => {}
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order
    }

    /// Where a block leads, but for edges back; and the headers of loops it enters in their middle.
    fn needs(&self, from: usize) -> Vec<usize> {
        let mut needs = Vec::new();
        for to in self.graph.blocks[from].edges.iter().filter_map(|edge| edge.to) {
            if self.graph.back(from, to).is_none() {
                needs.push(to);
                let entered = self.graph.loop_at(to, self.common(from, to) + 1);
                needs.extend(entered.map(|found| self.graph.loops[found].header));
            }
        }
        needs
    }

    /// How many loops stand around both blocks.
    fn common(&self, one: usize, other: usize) -> usize {
        let shared = |depth: &usize| self.graph.loop_at(one, *depth) == self.graph.loop_at(other, *depth);
        (1..=self.graph.depth(one).min(self.graph.depth(other))).rev().find(shared).unwrap_or(0)
    }

    /// The rest of the path from a block; `top` for that of a header from which its loop is left.
    fn best(&self, block: usize, goal: usize, top: bool) -> Option<Rest> {
        let depth = self.graph.depth(block);
        let own = self.graph.inner[block].map(|found| &self.graph.loops[found]);
        let tested = own.filter(|own| own.header == block && goal < depth && !own.latches.contains(&block));
        if top && tested.is_none() {
            return None;
        }
        let leaves =
            |edge: &Edge| edge.to.is_none_or(|to| self.graph.loop_at(to, depth) != self.graph.inner[block]);
        let mut best: Option<Rest> = None;
        for (index, edge) in self.graph.blocks[block].edges.iter().enumerate() {
            if tested.is_some() && leaves(edge) != top {
                continue;
            }
            let Some((_, rest)) = self.onward(block, goal, edge) else { continue };
            let cost = self.costs[block].saturating_add(rest);
            if best.is_none_or(|best| self.taste == Taste::Longest && cost > best.cost) {
                best = Some(Rest { cost, edge: index });
            }
        }
        best
    }

    fn rest(&self, block: usize, goal: usize) -> Option<Rest> {
        self.rests[self.first[block] + goal][0]
    }

    /// Where an edge leads for a goal, and what the path costs from there.
    fn onward(&self, from: usize, goal: usize, edge: &Edge) -> Option<(Onward, u64)> {
        let Some(to) = edge.to else { return (goal == 0).then_some((Onward::Goal, 0)) };
        if let Some(back) = self.graph.back(from, to) {
            return (self.graph.loop_at(from, goal) == Some(back)).then_some((Onward::Goal, 0));
        }
        if goal > 0 && self.graph.loop_at(to, goal) != self.graph.loop_at(from, goal) {
            return None;
        }
        self.enter(self.common(from, to), to, goal)
    }

    /// Where a path that comes to a block goes on, if only the outer `common` loops were around it before.
    fn enter(&self, common: usize, to: usize, goal: usize) -> Option<(Onward, u64)> {
        let direct = self.rest(to, goal).map(|rest| (Onward::Block(to), rest.cost));
        let Some(found) = self.graph.loop_at(to, common + 1) else { return direct };
        let round = self.round(found, goal);
        if self.graph.loops[found].header == to {
            return round
                .map(|(passes, leave, cost)| (Onward::Loop { found, via: None, passes, leave }, cost));
        }
        let around = round.zip(self.rest(to, common + 1)).map(|((passes, leave, cost), rest)| {
            let via = Some((to, common + 1));
            (Onward::Loop { found, via, passes, leave }, cost.saturating_add(rest.cost))
        });
        match (direct, around) {
            (Some(direct), Some(around)) if self.taste == Taste::Longest && around.1 > direct.1 => {
                Some(around)
            }
            (None, around) => around,
            (direct, _) => direct,
        }
    }

    /// Running a loop from its header: full passes before the last, how it is left, and the cost with the rest.
    fn round(&self, found: usize, goal: usize) -> Option<(u64, Leave, u64)> {
        let own = &self.graph.loops[found];
        let times = u64::from(self.times[found].most);
        let pass = self.rest(own.header, own.depth).map(|rest| rest.cost);
        let passing =
            |passes: u64| if passes == 0 { Some(0) } else { pass.map(|cost| cost.saturating_mul(passes)) };
        let way = |passes: u64, leave: Leave, last: Option<u64>| {
            last.zip(passing(passes)).map(|(last, cost)| (passes, leave, cost.saturating_add(last)))
        };
        let [inside, top] = self.rests[self.first[own.header] + goal].map(|rest| rest.map(|rest| rest.cost));
        let inside = way(times.max(1) - 1, Leave::Inside, inside);
        let top = way(times, Leave::Top, top);
        let leaves = |&latch: &usize| {
            let mut edges = self.graph.blocks[latch].edges.iter();
            edges.any(|edge| edge.to.is_none_or(|to| self.graph.loop_at(to, own.depth) != Some(found)))
        };
        let preferred = match (inside, top) {
            (_, Some(top)) if times == 0 => Some(top),
            (Some(inside), Some(top)) => match self.taste {
                Taste::Longest => Some(if inside.2 > top.2 { inside } else { top }),
                Taste::First if own.latches.iter().any(leaves) => Some(inside),
                Taste::First => Some(top),
            },
            (inside, top) => inside.or(top),
        };
        let never = || way(times.max(1), Leave::Never, Some(0)).filter(|_| goal == 0);
        preferred.or_else(never)
    }
}

/// Writes down a path that was found.
struct Tracer<'t, 'n, 'm, 'a> {
    nests: &'t [Nest<'n>],
    program: &'t Program<'m, 'a>,
    part: usize,
    rounds: Rounds,
    trace: &'t mut Trace,
}

impl Tracer<'_, '_, '_, '_> {
    /// From here to the goal.
    fn onward(&mut self, mut way: Onward, goal: usize) -> Result<(), Problem> {
        let nest = &self.nests[self.part];
        loop {
            let (block, top) = match way {
                Onward::Goal => return Ok(()),
                Onward::Block(block) => (block, false),
                Onward::Loop { found, via, passes, leave } => {
                    let own = &nest.graph.loops[found];
                    if let Some((block, goal)) = via {
                        self.onward(Onward::Block(block), goal)?;
                    }
                    let passes = match self.rounds {
                        Rounds::Most => passes,
                        Rounds::Fewest => passes.min(nest.fewest(found, leave)),
                    };
                    for _ in 0..passes {
                        self.onward(Onward::Block(own.header), own.depth)?;
                    }
                    if leave == Leave::Never {
                        return Ok(());
                    }
                    (own.header, leave == Leave::Top)
                }
            };
            self.block(block)?;
            let rest = nest.rests[nest.first[block] + goal][usize::from(top)];
            let edge = rest.and_then(|rest| nest.graph.blocks[block].edges.get(rest.edge));
            match edge.and_then(|edge| nest.onward(block, goal, edge)) {
                Some((next, _)) => way = next,
                None => return Ok(()),
            }
        }
    }

    fn block(&mut self, block: usize) -> Result<(), Problem> {
        let here = &self.nests[self.part].graph.blocks[block];
        for index in here.start..here.end {
            self.trace.push(self.part, index)?;
            if let Some(called) = self.program.called(self.part, index) {
                self.nests[called].trace(self.nests, self.program, called, self.rounds, self.trace)?;
            }
        }
        Ok(())
    }
}
