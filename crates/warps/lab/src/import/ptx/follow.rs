//! Paths that are followed block by block: fall-through, and choices made branch by branch.

use std::collections::BTreeSet;

use super::graph::{Edge, Turn};
use super::path::{Branch, Choice, Choices, Turns};
use super::program::{COUNTLESS, Program, Trace, too_long};
use super::tree::Shape;
use base::people;
use base::problem::quoted;
use base::{Problem, sort};
use warps::MOST_INSTRUCTIONS;

/// Follows the program where no conditional branch is taken and no block is entered twice.
pub(super) fn fall_through(program: &Program<'_, '_>, trace: &mut Trace) -> Result<(), Problem> {
    let ways: Vec<Way> = (0..program.parts.len()).map(|part| way(program, part)).collect();
    // Each function stands before those that call it.
    let mut totals: Vec<u64> = Vec::with_capacity(ways.len());
    for (part, way) in ways.iter().enumerate() {
        let cost = |index| program.called(part, index).map_or(0, |called| totals[called]) + 1;
        let indices = way.pieces.iter().flat_map(|&(start, end)| start..end);
        totals.push(indices.fold(0, |sum: u64, index| sum.saturating_add(cost(index))).min(COUNTLESS));
    }
    match totals[program.entry()] {
        total if total > MOST_INSTRUCTIONS as u64 => Err(too_long(total, false)),
        _ => through(program, &ways, program.entry(), trace),
    }
}

/// The way that falls through a function: instructions from one to before another, and whether it ends before
/// it would go round.
struct Way {
    pieces: Vec<(usize, usize)>,
    stopped_at: Option<usize>,
}

fn way(program: &Program<'_, '_>, part: usize) -> Way {
    let graph = &program.parts[part].graph;
    let mut visited = BTreeSet::new();
    let mut way = Way { pieces: Vec::new(), stopped_at: None };
    let mut block = 0;
    loop {
        visited.insert(block);
        let here = &graph.blocks[block];
        let edge = here.edges.first().copied();
        let again = edge.and_then(|edge| edge.to).is_some_and(|to| visited.contains(&to));
        // A jump back is not counted: the path ends before it.
        let jumps = again && edge.is_some_and(|edge| edge.turn == Turn::Taken);
        way.pieces.push((here.start, if jumps { here.end - 1 } else { here.end }));
        match edge.and_then(|edge| edge.to) {
            Some(_) if again => {
                way.stopped_at = Some(here.end - 1);
                return way;
            }
            Some(to) => block = to,
            None => return way,
        }
    }
}

fn through(program: &Program<'_, '_>, ways: &[Way], part: usize, trace: &mut Trace) -> Result<(), Problem> {
    for index in ways[part].pieces.iter().flat_map(|&(start, end)| start..end) {
        trace.push(part, index)?;
        if let Some(called) = program.called(part, index) {
            through(program, ways, called, trace)?;
        }
    }
    let stop = ways[part].stopped_at.map(|index| (part, index));
    trace.stopped_at.extend(stop.filter(|stop| !trace.stopped_at.contains(stop)));
    Ok(())
}

/// Follows the program, with choices for some of its branches.
pub(super) fn chosen(
    program: &Program<'_, '_>,
    choices: &[Choices],
    trace: &mut Trace,
) -> Result<(), Problem> {
    let mut chooser = Chooser { program, choices, at: Vec::new() };
    chooser.find_branches()?;
    trace.chosen = chooser.at.iter().map(|found| (found.0, found.1)).collect();
    chooser.walk(program.entry(), trace)
}

struct Chooser<'c, 'm, 'a> {
    program: &'c Program<'m, 'a>,
    choices: &'c [Choices],
    /// Part, instruction, which choices, and how many were used; sorted.
    at: Vec<(usize, usize, usize, usize)>,
}

impl Chooser<'_, '_, '_> {
    fn find_branches(&mut self) -> Result<(), Problem> {
        let branches = self.branches();
        for (which, choices) in self.choices.iter().enumerate() {
            let before = self.at.len();
            for &(part, index) in &branches {
                if self.is_meant(&choices.branch, part, index) {
                    self.check(choices, part, index)?;
                    self.at.push((part, index, which, 0));
                }
            }
            if self.at.len() == before {
                let what = format!("no conditional branch at {}", shown(&choices.branch));
                return Err(Problem::at("path.branches", what, self.listed(&branches)));
            }
        }
        // A line is more than a label: of several choices for a branch, the one for its line holds.
        sort::sort_by_key(&mut self.at, |&(part, index, which, _)| {
            (part, index, matches!(self.choices[which].branch, Branch::To(_)))
        });
        self.at.dedup_by_key(|found| (found.0, found.1));
        Ok(())
    }

    /// All branches where there is something to choose.
    fn branches(&self) -> Vec<(usize, usize)> {
        let parts = self.program.parts.iter().enumerate();
        let ends = parts.flat_map(|(part, found)| {
            let forks = found.graph.blocks.iter().filter(|block| block.edges.len() > 1);
            forks.map(move |block| (part, block.end - 1))
        });
        ends.collect()
    }

    fn is_meant(&self, branch: &Branch, part: usize, index: usize) -> bool {
        let instruction = &self.program.function(part).instructions[index];
        match branch {
            Branch::Line(line) => instruction.line == *line,
            Branch::To(label) => instruction.operands.last().is_some_and(|operand| operand.text == label),
        }
    }

    /// Labels are for a `brx.idx`, and must be among its targets.
    fn check(&self, choices: &Choices, part: usize, index: usize) -> Result<(), Problem> {
        let turns = match &choices.turns {
            Turns::Always(turn) => std::slice::from_ref(turn),
            Turns::Each(turns) => turns,
        };
        for turn in turns {
            if let Choice::Label(label) = turn
                && self.target(part, index, label).is_none()
            {
                let what = format!("{} for the branch at {}", quoted(label), shown(&choices.branch));
                return Err(Problem::at(
                    "path.branches",
                    what,
                    "\"taken\", \"not-taken\" or a label of its .branchtargets",
                ));
            }
        }
        Ok(())
    }

    fn target(&self, part: usize, index: usize, label: &str) -> Option<usize> {
        let function = self.program.function(part);
        let named = |target: &&usize| function.labels_of(**target).any(|name| name == label);
        function.targets(index).iter().find(named).copied()
    }

    fn listed(&self, branches: &[(usize, usize)]) -> String {
        const MOST: usize = 10;
        let name = |&(part, index): &(usize, usize)| {
            let instruction = &self.program.function(part).instructions[index];
            let label = instruction.operands.last().filter(|operand| operand.shape == Shape::Name);
            format!(
                "line {}{}",
                instruction.line,
                label.map_or(String::new(), |label| format!(" ({:.40})", label.text))
            )
        };
        let mut names: Vec<String> = branches.iter().take(MOST).map(name).collect();
        if branches.len() > MOST {
            names.push(format!("{} more", branches.len() - MOST));
        }
        if names.is_empty() {
            "no choices, as there is no such branch".to_owned()
        } else {
            people::listed(&names)
        }
    }

    fn walk(&mut self, part: usize, trace: &mut Trace) -> Result<(), Problem> {
        let graph = &self.program.parts[part].graph;
        let mut block = 0;
        loop {
            let here = &graph.blocks[block];
            for index in here.start..here.end {
                trace.push(part, index)?;
                if let Some(called) = self.program.called(part, index) {
                    self.walk(called, trace)?;
                }
            }
            let edge = match here.edges[..] {
                [] => None,
                [only] => Some(only),
                _ => self.choose(part, here.end - 1, &here.edges),
            };
            match edge.and_then(|edge| edge.to) {
                Some(to) => block = to,
                None => return Ok(()),
            }
        }
    }

    fn choose(&mut self, part: usize, index: usize, edges: &[Edge]) -> Option<Edge> {
        let found = self.at.binary_search_by_key(&(part, index), |found| (found.0, found.1));
        let choice = found.ok().and_then(|found| {
            let (_, _, which, used) = &mut self.at[found];
            *used += 1;
            match &self.choices[*which].turns {
                Turns::Always(choice) => Some(choice),
                Turns::Each(choices) => choices.get(*used - 1),
            }
        });
        let taken = || edges.iter().find(|edge| edge.turn == Turn::Taken).copied();
        match choice {
            None | Some(Choice::NotTaken) => edges.first().copied(),
            Some(Choice::Taken) => taken(),
            Some(Choice::Label(label)) => {
                let target = self.target(part, index, label)?;
                let starts = |edge: &&Edge| {
                    edge.to.is_some_and(|to| self.program.parts[part].graph.blocks[to].start == target)
                };
                edges.iter().find(starts).copied().or_else(taken)
            }
        }
    }
}

fn shown(branch: &Branch) -> String {
    match branch {
        Branch::To(label) => quoted(label),
        Branch::Line(line) => format!("line {line}"),
    }
}
