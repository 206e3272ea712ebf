//! A walk through a kernel: its string, and what of the source was executed how often.

use std::collections::BTreeSet;

use super::classes::{Row, TABLE};
use super::follow;
use super::nest::{Nest, Rounds, Taste};
use super::notes;
use super::path::{Iterations, Path, Trips};
use super::program::{COUNTLESS, Program, Trace, too_long};
use super::tree::{Function, Module};
use super::trips::{self, Holds, LoopMet};
use base::people;
use base::problem::quoted;
use base::{Problem, sort};
use warps::{Kernel, MOST_INSTRUCTIONS, PerUnit};

/// What is said where something about the path was assumed.
pub const STRING_ONLY: &str =
    "What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed.";

/// What is said of every result of PTX.
pub const NOT_WHAT_RUNS: &str = "PTX is not what runs: the assembler orders, merges and removes its instructions. What runs is the machine code (SASS) that it makes.";

/// What one warp executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// The kernel the walk went through.
    pub entry: String,
    /// The path it took.
    pub path: Path,
    /// The kernel string.
    pub kernel: Kernel,
    /// How often each kind was executed.
    pub counts: Counts,
    /// The instructions of the kernel and of the functions walked inside of it, in the order of the text.
    pub lines: Vec<Line>,
    /// What was executed, one after the other, as places in `lines`. Those that run on a unit are, in this
    /// order, the letters of the string.
    pub steps: Vec<u32>,
    /// Opcodes that stand in no row of the table.
    pub unknown: Vec<Unknown>,
    /// The loops of the kernel and of the functions walked inside of it, in the order of the text.
    pub loops: Vec<LoopMet>,
    /// How many instructions the path executes of those there are.
    pub met: u32,
    /// How many there are.
    pub of: u32,
    /// The string of the same way with as few rounds as may be, where trip counts are ranges.
    pub fewest: Option<Kernel>,
    /// What the string takes for granted about the kernel that nobody has stated. Where there is anything, what is
    /// proven of the string is not proven of the kernel.
    pub assumed: Vec<String>,
    /// What was assumed, the first of each kind, and how much of the program the path meets.
    pub cautions: Vec<String>,
    /// What a reader of the string should know; what was assumed is among it.
    pub warnings: Vec<String>,
}

impl Walk {
    /// What proven bounds on the string hold for.
    pub fn holds(&self) -> Holds {
        match (&self.assumed[..], &self.fewest) {
            ([], None) => Holds::Path,
            ([], Some(_)) => Holds::Range,
            _ => Holds::String,
        }
    }
}

/// An instruction in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its line, from 1.
    pub line: u32,
    /// The opcode with its modifiers.
    pub opcode: String,
    /// The row of [`TABLE`] that decides about it.
    pub row: &'static Row,
    /// How often the path executes it.
    pub times: u32,
}

/// Instructions executed by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Those that run on a unit.
    pub units: PerUnit<u32>,
    /// Those that run on none.
    pub none: u32,
}

/// An opcode that stands in no row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// The opcode with its modifiers.
    pub opcode: String,
    /// The lines it stands on.
    pub lines: Vec<u32>,
}

/// Walks through the kernel named `entry`, or through the first one. A problem is placed at `entry`, at
/// `path` or inside of it, or at `ptx`.
pub fn walk(module: &Module<'_>, entry: Option<&str>, path: &Path) -> Result<Walk, Problem> {
    let start = start(module, entry)?;
    let program = Program::new(module, start);
    let (mut trace, mut fewest) = (Trace::default(), Trace::default());
    match path {
        Path::FallThrough => follow::fall_through(&program, &mut trace)?,
        Path::Branches(choices) => follow::chosen(&program, choices, &mut trace)?,
        Path::Loops(iterations) => nested(&program, iterations, Taste::First, (&mut trace, &mut fewest))?,
        Path::Longest(iterations) => nested(&program, iterations, Taste::Longest, (&mut trace, &mut fewest))?,
    }
    told(&program, entry, path, &trace, &fewest)
}

/// The function a walk begins with.
fn start(module: &Module<'_>, entry: Option<&str>) -> Result<usize, Problem> {
    let kernels: Vec<&Function<'_>> = module.kernels().filter(|function| function.has_body).collect();
    let wanted = match entry {
        None => kernels.first().map(|function| function.name),
        Some(name) => Some(name),
    };
    let named = |function: &Function<'_>| function.has_body && Some(function.name) == wanted;
    module.functions.iter().position(named).ok_or_else(|| {
        let what =
            wanted.map_or("no kernel with a body".to_owned(), |name| format!("no kernel {}", quoted(name)));
        Problem::at("entry", what, format!("one of {}", names(&kernels)))
    })
}

pub(super) fn names(functions: &[&Function<'_>]) -> String {
    const MOST: usize = 20;
    let mut names: Vec<String> =
        functions.iter().take(MOST).map(|function| format!("{:.60}", function.name)).collect();
    if functions.len() > MOST {
        names.push(format!("{} more", functions.len() - MOST));
    }
    people::listed(&names)
}

/// A path on which every loop runs its number of times.
fn nested(
    program: &Program<'_, '_>,
    iterations: &Iterations,
    taste: Taste,
    (trace, fewest): (&mut Trace, &mut Trace),
) -> Result<(), Problem> {
    if let Iterations::Each(each) = iterations {
        check_labels(program, each, taste)?;
    }
    let mut nests: Vec<Nest<'_>> = Vec::with_capacity(program.parts.len());
    let mut totals: Vec<u64> = Vec::with_capacity(program.parts.len());
    for (part, found) in program.parts.iter().enumerate() {
        let function = program.function(part);
        if found.graph.too_deep {
            let what = format!(
                "loops nested more than {} deep in {}",
                super::graph::DEEPEST_LOOP,
                quoted(function.name)
            );
            return Err(Problem::at("path", what, "\"fall-through\" or \"branches\""));
        }
        let times = found.graph.loops.iter().map(|inner| {
            let first = found.graph.blocks[inner.header].start;
            iterations.given(function.labels_of(first)).unwrap_or(Trips::from(1))
        });
        let cost = |index| program.called(part, index).map_or(0, |called| totals[called]) + 1;
        let costs =
            found.graph.blocks.iter().map(|block| {
                (block.start..block.end).fold(0, |sum: u64, index| sum.saturating_add(cost(index)))
            });
        let nest = Nest::new(&found.graph, taste, times.collect(), costs.collect());
        let Some(total) = nest.cost() else {
            let what = format!("no way through the loops of {} was found", quoted(function.name));
            return Err(Problem::at("path", what, "\"fall-through\" or \"branches\""));
        };
        totals.push(total.min(COUNTLESS));
        nests.push(nest);
    }
    let entry = program.entry();
    if totals[entry] > MOST_INSTRUCTIONS as u64 {
        let again = match iterations {
            Iterations::Once => false,
            Iterations::All(trips) => trips.most > 1,
            Iterations::Each(each) => each.iter().any(|own| own.1.most > 1),
        };
        let loops = program.parts.iter().any(|part| !part.graph.loops.is_empty());
        return Err(too_long(totals[entry], again && loops));
    }
    nests[entry].trace(&nests, program, entry, Rounds::Most, trace)?;
    nests[entry].trace(&nests, program, entry, Rounds::Fewest, fewest)?;
    debug_assert_eq!(trace.steps.len() as u64, totals[entry], "the path is as long as it was said to be");
    Ok(())
}

/// Sees that every label named begins a loop.
fn check_labels(program: &Program<'_, '_>, each: &[(String, Trips)], taste: Taste) -> Result<(), Problem> {
    let mut known: Vec<&str> = Vec::new();
    for (part, found) in program.parts.iter().enumerate() {
        let headers = found.graph.loops.iter().map(|inner| found.graph.blocks[inner.header].start);
        known.extend(headers.flat_map(|first| program.function(part).labels_of(first)));
    }
    match each.iter().find(|(label, _)| !known.contains(&label.as_str())) {
        None => Ok(()),
        Some((label, _)) => {
            let shown: Vec<String> = known.iter().take(20).map(|label| format!("{label:.60}")).collect();
            let expected = if shown.is_empty() {
                "no labels, as there is no loop".to_owned()
            } else {
                format!("labels of loops: {}", people::listed(&shown))
            };
            let place =
                if taste == Taste::First { "path.loops.iterations" } else { "path.longest.iterations" };
            Err(Problem::at(place, format!("no loop begins at {}", quoted(label)), expected))
        }
    }
}

/// Everything there is to tell about a trace.
fn told(
    program: &Program<'_, '_>,
    entry: Option<&str>,
    path: &Path,
    trace: &Trace,
    fewest: &Trace,
) -> Result<Walk, Problem> {
    let mut in_text: Vec<usize> = (0..program.parts.len()).collect();
    sort::sort_by_key(&mut in_text, |&part| program.parts[part].function);
    let mut first = vec![0; program.parts.len()];
    let mut lines: Vec<Line> = Vec::new();
    for &part in &in_text {
        first[part] = lines.len();
        let rows = program.function(part).instructions.iter().zip(&program.parts[part].rows);
        lines.extend(rows.map(|(instruction, &row)| Line {
            line: instruction.line,
            opcode: instruction.opcode.to_owned(),
            row,
            times: 0,
        }));
    }
    let (mut counts, mut units, mut steps) =
        (Counts::default(), Vec::new(), Vec::with_capacity(trace.steps.len()));
    for &(part, index) in &trace.steps {
        let at = first[part] + index;
        steps.push(u32::try_from(at).unwrap_or(u32::MAX));
        lines[at].times += 1;
        match lines[at].row.unit {
            Some(unit) => {
                counts.units[unit] += 1;
                units.push(unit);
            }
            None => counts.none += 1,
        }
    }
    let start = program.function(program.entry());
    let kernel = Kernel::new(units).ok_or_else(|| {
        let what = format!("nothing is executed in {}", quoted(start.name));
        Problem::at("ptx", what, "a kernel with instructions on its path")
    })?;
    let parts: Vec<(usize, usize)> = in_text.iter().map(|&part| (part, first[part])).collect();
    let loops = trips::loops(program, path, trace, &lines, &parts);
    let ranged = |own: &LoopMet| own.executed > 0 && own.trips.is_some_and(|trips| trips.least < trips.most);
    let fewest = match loops.iter().any(ranged) {
        true => Some(fewest_rounds(&lines, &first, fewest)?),
        false => None,
    };
    let met = lines.iter().filter(|line| line.times > 0).count();
    let (met, of) = (u32::try_from(met).unwrap_or(u32::MAX), u32::try_from(lines.len()).unwrap_or(u32::MAX));
    let unknown = unknown(&lines);
    let loops_assumed = trips::assumed(program, trace, &loops);
    let mut assumed = loops_assumed.clone();
    notes::restored(program, &mut assumed);
    notes::closed_calls(program, &lines, &first, &mut assumed);
    let strange = |line: &&Line| line.times > 0 && is_unknown(line);
    let executed: BTreeSet<&str> = lines.iter().filter(strange).map(|line| line.opcode.as_str()).collect();
    let on_path = |unknown: &&Unknown| executed.contains(unknown.opcode.as_str());
    assumed.extend(unknown.iter().filter(on_path).map(notes::unknown));
    let mut warnings = Vec::new();
    if entry.is_none() {
        let other = |other: &&Function<'_>| other.has_body && other.name != start.name;
        let others: Vec<&Function<'_>> = program.module.kernels().filter(other).collect();
        notes::several_kernels(start, &others, &mut warnings);
    }
    let coverage = trips::coverage(&loops, (met, of), program.parts.len());
    let only = (!assumed.is_empty()).then(|| STRING_ONLY.to_owned());
    notes::shortly(&mut warnings, "loops", loops_assumed.into_iter());
    warnings.extend(only.iter().chain(&coverage).cloned());
    let mut cautions = Vec::new();
    notes::shortly(&mut cautions, "places", assumed.iter().cloned());
    cautions.extend(only.into_iter().chain(coverage));
    notes::restored(program, &mut warnings);
    notes::undeclared(&lines, &mut warnings);
    notes::closed_calls(program, &lines, &first, &mut warnings);
    notes::shortly(&mut warnings, "opcodes", unknown.iter().map(notes::unknown));
    notes::rows(&lines, &mut warnings);
    Ok(Walk {
        entry: start.name.to_owned(),
        path: path.clone(),
        kernel,
        counts,
        lines,
        steps,
        unknown,
        loops,
        met,
        of,
        fewest,
        assumed,
        cautions,
        warnings,
    })
}

/// The string of the way with the fewest rounds.
fn fewest_rounds(lines: &[Line], first: &[usize], fewest: &Trace) -> Result<Kernel, Problem> {
    let unit = |&(part, index): &(usize, usize)| lines[first[part] + index].row.unit;
    Kernel::new(fewest.steps.iter().filter_map(unit).collect()).ok_or_else(|| {
        let what = "nothing is executed where loops go round as seldom as they may";
        Problem::at("path", what, "a kernel with instructions on its path")
    })
}

fn is_unknown(line: &Line) -> bool {
    line.row == &TABLE[TABLE.len() - 1]
}

fn unknown(lines: &[Line]) -> Vec<Unknown> {
    let mut found: Vec<(&str, u32)> =
        lines.iter().filter(|line| is_unknown(line)).map(|line| (line.opcode.as_str(), line.line)).collect();
    sort::sort(&mut found);
    let same = found.chunk_by(|a, b| a.0 == b.0);
    same.map(|same| Unknown {
        opcode: same[0].0.to_owned(),
        lines: same.iter().map(|found| found.1).collect(),
    })
    .collect()
}
