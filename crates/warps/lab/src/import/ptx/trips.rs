//! What a path takes for granted: loops and how often they go round, whether anybody said so, and what else of
//! the kernel it does not know.
//!
//! Invariant: a loop that the path meets is either stated by the document, for every trip, or stands in
//! [`Walk::assumed`](super::Walk); so does everything else that the string has a letter for without knowing.

use super::graph::Graph;
use super::path::{Path, Trips};
use super::program::{Program, Trace};
use super::walk::Line;
use base::people;

/// A loop of the kernel or of a function walked inside of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopMet {
    /// The label it begins with.
    pub label: String,
    /// The line of its first instruction.
    pub line: u32,
    /// How often the path executes that instruction; 0 where it does not come by.
    pub executed: u32,
    /// How often its body runs each time it is entered; none where branches are chosen one by one.
    pub trips: Option<Trips>,
    /// Who says so.
    pub stated: Stated,
    /// Whether no branch leads out of it: a path that enters it ends in it.
    pub endless: bool,
}

/// Who says how often a loop goes round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stated {
    /// The document, by a trip count.
    Given,
    /// The document, by a choice at every branch that stays in the loop or leaves it.
    Chosen,
    /// Nobody.
    Assumed,
}

impl Stated {
    /// By what reports call it.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Given, Self::Chosen, Self::Assumed].into_iter().find(|stated| stated.name() == name)
    }

    /// What reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Stated::Given => "given",
            Stated::Chosen => "chosen",
            Stated::Assumed => "assumed",
        }
    }
}

/// What proven bounds on the string hold for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// The string and nothing else: something about the path was assumed.
    String,
    /// The path, as the document states it.
    Path,
    /// The path with any trip counts between those stated.
    Range,
}

impl Holds {
    /// What reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Holds::String => "string",
            Holds::Path => "path",
            Holds::Range => "range",
        }
    }
}

/// All loops in the order of the text; `parts` are in that order, with the place of their first line.
pub(super) fn loops(
    program: &Program<'_, '_>,
    path: &Path,
    trace: &Trace,
    lines: &[Line],
    parts: &[(usize, usize)],
) -> Vec<LoopMet> {
    let mut all = Vec::new();
    for &(part, first) in parts {
        let (function, graph) = (program.function(part), &program.parts[part].graph);
        let before = all.len();
        let exits = Exits::of(graph, |last| {
            lines[first + last].times == 0 || trace.chosen.binary_search(&(part, last)).is_ok()
        });
        for (found, own) in graph.loops.iter().enumerate() {
            let start = graph.blocks[own.header].start;
            let line = function.instructions[start].line;
            let label = function.labels_of(start).next().map_or(format!("line {line}"), str::to_owned);
            let (trips, stated) = match path {
                Path::FallThrough => (Some(Trips::from(1)), Stated::Assumed),
                Path::Loops(iterations) | Path::Longest(iterations) => {
                    let given = iterations.given(function.labels_of(start));
                    let stated = if given.is_some() { Stated::Given } else { Stated::Assumed };
                    (Some(given.unwrap_or(Trips::from(1))), stated)
                }
                Path::Branches(_) if exits.open[found] => (None, Stated::Assumed),
                Path::Branches(_) => (None, Stated::Chosen),
            };
            let executed = lines[first + start].times;
            let endless = exits.none[found];
            all.push(LoopMet { label, line, executed, trips, stated, endless });
        }
        base::sort::sort_by_key(&mut all[before..], |own: &LoopMet| own.line);
    }
    all
}

/// How control leaves the loops of a function.
struct Exits {
    /// Loops that nothing leaves.
    none: Vec<bool>,
    /// Loops that some branch may stay in or leave without anybody having chosen.
    open: Vec<bool>,
}

impl Exits {
    /// One look at every block and the loops around it; `chosen` tells of a block's last instruction.
    fn of(graph: &Graph, chosen: impl Fn(usize) -> bool) -> Self {
        let mut exits = Self { none: vec![true; graph.loops.len()], open: vec![false; graph.loops.len()] };
        for (at, block) in graph.blocks.iter().enumerate() {
            for found in graph.around(at) {
                let leaves =
                    |to: Option<usize>| to.is_none_or(|to| !graph.around(to).any(|around| around == found));
                if block.edges.iter().any(|edge| leaves(edge.to)) {
                    exits.none[found] = false;
                    exits.open[found] |= block.edges.len() > 1 && !chosen(block.end - 1);
                }
            }
        }
        exits
    }
}

/// What the path assumes about its loops, and where it ends without knowing how it goes on.
pub(super) fn assumed(program: &Program<'_, '_>, trace: &Trace, loops: &[LoopMet]) -> Vec<String> {
    let met = || loops.iter().filter(|own| own.executed > 0);
    let mut assumed: Vec<String> = met()
        .filter(|own| own.stated == Stated::Assumed)
        .map(|own| match own.trips {
            Some(_) => format!("{} was gone round once; its trip count is not known.", own.named()),
            None => {
                format!("{} is left where no choice was stated; its trip count is not known.", own.named())
            }
        })
        .collect();
    assumed.extend(
        met()
            .filter(|own| own.endless)
            .map(|own| format!("Nothing leaves {}; the path ends in it.", own.named().replacen('T', "t", 1))),
    );
    let deep = program.parts.iter().enumerate().filter(|(_, part)| part.graph.too_deep);
    assumed.extend(deep.map(|(part, _)| {
        let name = program.function(part).name;
        format!(
            "Loops nested more than {} deep in {name:.60} are not told apart.",
            super::graph::DEEPEST_LOOP
        )
    }));
    assumed.extend(trace.stopped_at.iter().map(|&(part, index)| {
        let line = program.function(part).instructions[index].line;
        format!("The path ends at line {line}, before it would go round a loop.")
    }));
    assumed
}

impl LoopMet {
    /// `The loop $L at line 6`.
    fn named(&self) -> String {
        format!("The loop {:.60} at line {}", self.label, self.line)
    }
}

/// How much of the program the path meets, where that is not all of it.
pub(super) fn coverage(loops: &[LoopMet], (met, of): (u32, u32), functions: usize) -> Vec<String> {
    const MOST: usize = 8;
    let mut told = Vec::new();
    let ranges: Vec<String> = loops
        .iter()
        .filter(|own| own.executed > 0)
        .filter_map(|own| own.trips.filter(|trips| trips.least < trips.most).map(|trips| (own, trips)))
        .map(|(own, trips)| format!("{:.60} {} to {}", own.label, trips.least, trips.most))
        .collect();
    if !ranges.is_empty() {
        told.push(format!(
            "Loops go round a number of times in a range, {}: the string has the most rounds, and what holds for fewer stands in \"range\".",
            people::listed(&ranges)
        ));
    }
    let missed: Vec<&LoopMet> = loops.iter().filter(|own| own.executed == 0).collect();
    if !missed.is_empty() {
        let mut names: Vec<String> =
            missed.iter().take(MOST).map(|own| format!("{:.60} at line {}", own.label, own.line)).collect();
        if missed.len() > MOST {
            names.push(format!("{} more", missed.len() - MOST));
        }
        let loops = if missed.len() == 1 { "loop" } else { "loops" };
        told.push(format!("The path does not come by the {loops} {}.", people::listed(&names)));
    }
    if met < of {
        let of_all = if functions > 1 { "the kernel and what it calls" } else { "the kernel" };
        told.push(format!(
            "The path meets {} of the {} instructions of {of_all}.",
            people::grouped(met.into()),
            people::grouped(of.into())
        ));
    }
    told
}
