//! A walk through a kernel: its string, and what of the source was executed how often.

use super::classes::{Row, TABLE};
use super::follow;
use super::nest::{Nest, Taste};
use super::path::{Iterations, Path};
use super::program::{Call, Program, Trace};
use super::tree::{Function, Module};
use crate::base::people;
use crate::base::problem::quoted;
use crate::base::{Problem, sort};
use crate::warps::{Kernel, MOST_INSTRUCTIONS, PerUnit};

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
    /// What a reader of the string should know.
    pub warnings: Vec<String>,
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
    let mut trace = Trace::default();
    match path {
        Path::FallThrough => follow::fall_through(&program, &mut trace)?,
        Path::Branches(choices) => follow::chosen(&program, choices, &mut trace)?,
        Path::Loops(iterations) => nested(&program, iterations, Taste::First, &mut trace)?,
        Path::Longest(iterations) => nested(&program, iterations, Taste::Longest, &mut trace)?,
    }
    told(&program, entry, path, &trace)
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

fn names(functions: &[&Function<'_>]) -> String {
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
    trace: &mut Trace,
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
            match iterations {
                Iterations::All(times) => u64::from(*times),
                Iterations::Each(each) => {
                    let own =
                        each.iter().find(|(label, _)| function.labels_of(first).any(|name| name == label));
                    own.map_or(1, |own| u64::from(own.1))
                }
            }
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
        totals.push(total.min(u64::MAX / 2));
        nests.push(nest);
    }
    let entry = program.entry();
    if totals[entry] > MOST_INSTRUCTIONS as u64 {
        let what = format!("the path executes {} instructions", people::grouped(u128::from(totals[entry])));
        let most = people::grouped(MOST_INSTRUCTIONS as u128);
        return Err(Problem::at(
            "path",
            what,
            format!("at most {most}: fewer iterations, or \"fall-through\""),
        ));
    }
    nests[entry].trace(&nests, program, entry, trace)?;
    debug_assert_eq!(trace.steps.len() as u64, totals[entry], "the path is as long as it was said to be");
    Ok(())
}

/// Sees that every label named begins a loop.
fn check_labels(program: &Program<'_, '_>, each: &[(String, u32)], taste: Taste) -> Result<(), Problem> {
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
fn told(program: &Program<'_, '_>, entry: Option<&str>, path: &Path, trace: &Trace) -> Result<Walk, Problem> {
    let mut in_text: Vec<usize> = (0..program.parts.len()).collect();
    sort::sort_by_key(&mut in_text, |&part| program.parts[part].function);
    let mut first = vec![0; program.parts.len()];
    let mut lines: Vec<Line> = Vec::new();
    for part in in_text {
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
    let unknown = unknown(&lines);
    let mut warnings = Vec::new();
    if entry.is_none() {
        several_kernels(program.module, start, &mut warnings);
    }
    stopped(program, trace, &mut warnings);
    restored(program, &mut warnings);
    undeclared(&lines, &mut warnings);
    closed_calls(program, &lines, &first, &mut warnings);
    told_shortly(
        &mut warnings,
        "opcodes",
        unknown.iter().map(|unknown| {
            format!(
                "The opcode {} on {} is unknown and counts as C.",
                quoted(&unknown.opcode),
                on_lines(&unknown.lines)
            )
        }),
    );
    row_notes(&lines, &mut warnings);
    Ok(Walk {
        entry: start.name.to_owned(),
        path: path.clone(),
        kernel,
        counts,
        lines,
        steps,
        unknown,
        warnings,
    })
}

/// `line 3`, `lines 3 and 4`, `lines 1, 2, 3 and 12 more`.
fn on_lines(lines: &[u32]) -> String {
    const MOST: usize = 8;
    if lines.len() <= MOST {
        return people::named("line", lines);
    }
    let shown: Vec<String> = lines.iter().take(MOST).map(u32::to_string).collect();
    format!("lines {} and {} more", shown.join(", "), lines.len() - MOST)
}

fn unknown(lines: &[Line]) -> Vec<Unknown> {
    let last = &TABLE[TABLE.len() - 1];
    let mut found: Vec<(&str, u32)> =
        lines.iter().filter(|line| line.row == last).map(|line| (line.opcode.as_str(), line.line)).collect();
    sort::sort(&mut found);
    let same = found.chunk_by(|a, b| a.0 == b.0);
    same.map(|same| Unknown {
        opcode: same[0].0.to_owned(),
        lines: same.iter().map(|found| found.1).collect(),
    })
    .collect()
}

fn several_kernels(module: &Module<'_>, taken: &Function<'_>, warnings: &mut Vec<String>) {
    let others: Vec<&Function<'_>> =
        module.kernels().filter(|other| other.has_body && other.name != taken.name).collect();
    if !others.is_empty() {
        warnings.push(format!(
            "The text has several kernels; {:.60} is the first and was taken, not {}.",
            taken.name,
            names(&others)
        ));
    }
}

fn stopped(program: &Program<'_, '_>, trace: &Trace, warnings: &mut Vec<String>) {
    if let Some((part, index)) = trace.stopped_at {
        let line = program.function(part).instructions[index].line;
        warnings.push(format!("The path ends at line {line}, before it would go round a loop."));
    }
}

fn restored(program: &Program<'_, '_>, warnings: &mut Vec<String>) {
    let all = (0..program.parts.len()).flat_map(|part| &program.function(part).instructions);
    let restored = all.filter(|instruction| instruction.guard.is_some_and(|guard| guard.restored));
    let lines: Vec<u32> = restored.map(|branch| branch.line).collect();
    if !lines.is_empty() {
        let branches = if lines.len() == 1 { "branch" } else { "branches" };
        warnings.push(format!(
            "Without a guard, but right after a comparison that nothing else reads: the {branches} on {}, taken as guarded by it.",
            on_lines(&lines)
        ));
    }
}

fn undeclared(lines: &[Line], warnings: &mut Vec<String>) {
    let loads = |line: &&Line| line.row.when == super::classes::When::Undeclared;
    let found: Vec<u32> = lines.iter().filter(loads).map(|line| line.line).collect();
    if !found.is_empty() {
        let verb = if found.len() == 1 {
            "moves a name that is declared nowhere, and counts as a load"
        } else {
            "move names that are declared nowhere, and count as loads"
        };
        let text = on_lines(&found);
        warnings.push(format!("L{} {verb}.", &text[1..]));
    }
}

/// Calls on the path that could not be walked.
fn closed_calls(program: &Program<'_, '_>, lines: &[Line], first: &[usize], warnings: &mut Vec<String>) {
    let mut closed = Vec::new();
    for (part, found) in program.parts.iter().enumerate() {
        for &(index, call) in &found.calls {
            let Call::Closed(why) = call else { continue };
            let instruction = &program.function(part).instructions[index];
            if lines[first[part] + index].times > 0 {
                closed.push((instruction.callee().unwrap_or_default(), why, instruction.line));
            }
        }
    }
    sort::sort(&mut closed);
    let same = closed.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
    told_shortly(
        warnings,
        "calls",
        same.map(|calls| {
            let (name, why, _) = calls[0];
            let lines: Vec<u32> = calls.iter().map(|call| call.2).collect();
            format!("The call of {} on {} counts as one C: {why}.", quoted(name), on_lines(&lines))
        }),
    );
}

/// Adds the first texts and says how many more there are.
fn told_shortly(warnings: &mut Vec<String>, things: &str, mut texts: impl Iterator<Item = String>) {
    const MOST: usize = 20;
    warnings.extend(texts.by_ref().take(MOST));
    match texts.count() {
        0 => {}
        more => warnings.push(format!("The same holds for other {things}: {more} more.")),
    }
}

/// Notes of rows, once each, for what the path executes.
fn row_notes(lines: &[Line], warnings: &mut Vec<String>) {
    for row in TABLE.iter().filter(|row| !row.note.is_empty()) {
        let executed: Vec<&Line> = lines.iter().filter(|line| line.times > 0 && line.row == row).collect();
        if let Some(line) = executed.first() {
            let numbers: Vec<u32> = executed.iter().map(|line| line.line).collect();
            warnings.push(format!("{} on {}: {}.", quoted(&line.opcode), on_lines(&numbers), row.note));
        }
    }
}
