//! A kernel with the functions that are walked inside of it: graphs, classes and calls.

use super::classes::{Row, row_of};
use super::components::Components;
use super::graph::Graph;
use super::tree::{Function, Module};
use base::people;
use base::{Problem, sort};
use warps::MOST_INSTRUCTIONS;

/// Calls are followed this deep.
const DEEPEST_CALL: usize = 64;

const ITSELF: &str = "it calls itself";
const AROUND: &str = "it calls itself, or calls stand too deep inside of it";

/// What a call leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    /// Into this function, counted from 0 in the module.
    Into(usize),
    /// Nowhere that can be walked, and why.
    Closed(&'static str),
}

/// A function of the program.
#[derive(Debug)]
pub(super) struct Part {
    /// Its place in the module.
    pub function: usize,
    pub graph: Graph,
    /// The row of the table for each instruction.
    pub rows: Vec<&'static Row>,
    /// Each call with its instruction, in order.
    pub calls: Vec<(usize, Call)>,
}

/// Everything a walk may come through.
#[derive(Debug)]
pub(super) struct Program<'m, 'a> {
    pub module: &'m Module<'a>,
    /// Each function before those that call it; the last is where the walk begins.
    pub parts: Vec<Part>,
    /// The part of each function of the module.
    part_of: Vec<Option<usize>>,
}

/// The instructions executed, in order: part and instruction.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub steps: Vec<(usize, usize)>,
    /// Where a fall-through path stopped before it would go round, in the order it came there.
    pub stopped_at: Vec<(usize, usize)>,
    /// The branches that choices were made for, sorted.
    pub chosen: Vec<(usize, usize)>,
}

/// More instructions than are counted one by one: sums stop there.
pub(super) const COUNTLESS: u64 = u64::MAX / 2;

/// The problem of a path that executes more instructions than a string has; `loops` tells whether fewer rounds
/// would make it shorter.
pub(super) fn too_long(total: u64, loops: bool) -> Problem {
    let most = people::grouped(MOST_INSTRUCTIONS as u128);
    let count = match total {
        COUNTLESS.. => "more than 9,000,000,000,000,000,000".to_owned(),
        _ => people::grouped(u128::from(total)),
    };
    if loops {
        let expected = format!("at most {most}: fewer iterations, or \"fall-through\"");
        return Problem::at("path", format!("the path executes {count} instructions"), expected);
    }
    let what = format!("the path executes {count} instructions, and none of them because a loop goes round");
    let expected = format!(
        "at most {most}, the limit of a kernel string: another \"entry\", or \"branches\" that end it earlier"
    );
    Problem::at("path", what, expected)
}

impl Trace {
    /// Notes an instruction, unless there are too many.
    pub fn push(&mut self, part: usize, instruction: usize) -> Result<(), Problem> {
        if self.steps.len() == MOST_INSTRUCTIONS {
            let most = people::grouped(MOST_INSTRUCTIONS as u128);
            let mut seen = self.steps.clone();
            sort::sort(&mut seen);
            let again = seen.windows(2).any(|pair| pair[0] == pair[1]);
            let what = format!("the path executes more than {most} instructions");
            let expected = if again {
                "a path that leaves its loops earlier".to_owned()
            } else {
                format!("at most {most}, the limit of a kernel string: branches that end the path earlier")
            };
            return Err(Problem::at("path", what, expected));
        }
        self.steps.push((part, instruction));
        Ok(())
    }
}

impl<'m, 'a> Program<'m, 'a> {
    /// The program that begins with a function.
    pub fn new(module: &'m Module<'a>, entry: usize) -> Self {
        let mut names: Vec<(&str, usize)> = Vec::new();
        for (index, function) in module.functions.iter().enumerate().filter(|(_, function)| function.has_body)
        {
            names.push((function.name, index));
        }
        sort::sort(&mut names);
        let defined =
            |name: &str| names.binary_search_by_key(&name, |entry| entry.0).ok().map(|at| names[at].1);
        let callees = |function: usize| calls(&module.functions[function]).filter_map(move |call| call.1);
        let groups = Components::new(module.functions.len())
            .find(&[entry], |function, next| next.extend(callees(function).filter_map(defined)));
        let count = module.functions.len();
        let mut program = Self { module, parts: Vec::new(), part_of: vec![None; count] };
        // 0 for what is not walked inside of others.
        let mut heights = vec![0usize; count];
        let mut group_of = vec![usize::MAX; count];
        for (number, group) in groups.into_iter().enumerate() {
            group.iter().for_each(|&index| group_of[index] = number);
            for &index in &group {
                let function = &module.functions[index];
                let target = |(at, name): (usize, Option<&str>)| {
                    let call = match name.map(defined) {
                        None => Call::Closed("its target is in a register"),
                        Some(None) => Call::Closed("it is not defined in this text"),
                        Some(Some(found)) if group_of[found] == number => Call::Closed(ITSELF),
                        Some(Some(found)) if heights[found] == 0 => Call::Closed(AROUND),
                        Some(Some(found)) => Call::Into(found),
                    };
                    (at, call)
                };
                let calls: Vec<(usize, Call)> = calls(function).map(target).collect();
                let inside =
                    calls.iter().map(|call| if let Call::Into(found) = call.1 { heights[found] } else { 0 });
                let height = inside.max().unwrap_or(0) + 1;
                let again = group.len() > 1 || calls.iter().any(|call| call.1 == Call::Closed(ITSELF));
                heights[index] = if again || height > DEEPEST_CALL { 0 } else { height };
                program.part_of[index] = Some(program.parts.len());
                let (graph, rows) = (Graph::of(function), rows(module, function));
                program.parts.push(Part { function: index, graph, rows, calls });
            }
        }
        program
    }

    /// The function of a part.
    pub fn function(&self, part: usize) -> &'m Function<'a> {
        &self.module.functions[self.parts[part].function]
    }

    /// The part a call at an instruction leads into.
    pub fn called(&self, part: usize, instruction: usize) -> Option<usize> {
        let calls = &self.parts[part].calls;
        let found = calls.binary_search_by_key(&instruction, |call| call.0).ok()?;
        match calls[found].1 {
            Call::Into(function) => self.part_of[function],
            Call::Closed(_) => None,
        }
    }

    /// The part where the walk begins.
    pub fn entry(&self) -> usize {
        self.parts.len() - 1
    }
}

/// The calls of a function: instruction, and the name of what is called where it has one.
fn calls<'f, 'a>(function: &'f Function<'a>) -> impl Iterator<Item = (usize, Option<&'a str>)> + use<'f, 'a> {
    let calls =
        function.instructions.iter().enumerate().filter(|(_, instruction)| instruction.root() == "call");
    calls.map(|(index, call)| (index, call.callee().filter(|name| !name.starts_with('%'))))
}

fn rows(module: &Module<'_>, function: &Function<'_>) -> Vec<&'static Row> {
    // Listings without declarations: what is written somewhere is a register.
    let mut written: Vec<&str> = Vec::new();
    let mut collected = false;
    let mut rows = Vec::with_capacity(function.instructions.len());
    for instruction in &function.instructions {
        let source = instruction.operands.get(1).filter(|_| instruction.root() == "mov");
        // `x_addr`, and `x_addr+4`, but no vector, address or number.
        let name =
            source.and_then(|source| source.names().next().filter(|name| source.text.starts_with(name)));
        let known = |names: &[&str], name: &str| names.binary_search(&name).is_ok();
        let stranger = name.filter(|name| {
            let register = name.starts_with(['%', '$']) || name.contains('.') || *name == "WARP_SZ";
            let register = register || is_in_family(function, name);
            !register && !known(&function.names, name) && !known(&module.names, name)
        });
        if stranger.is_some() && !collected {
            let first = |index: usize| function.instructions[index].operands.first();
            written = (0..function.instructions.len())
                .filter_map(first)
                .flat_map(|operand| operand.names())
                .collect();
            sort::sort(&mut written);
            collected = true;
        }
        rows.push(row_of(instruction.opcode, stranger.is_some_and(|name| !known(&written, name))));
    }
    rows
}

/// Whether a name is one of the registers `.reg .f32 f<10>;` declares: a declared name with digits after it.
fn is_in_family(function: &Function<'_>, name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    stem.len() < name.len() && function.names.binary_search(&stem).is_ok()
}
