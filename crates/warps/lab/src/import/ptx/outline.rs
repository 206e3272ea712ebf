//! What there is to choose in a program before it is walked: kernels, loops and conditional branches.

use super::program::Program;
use super::tree::{Function, Module, Shape};

/// The choices of a program that begins with one kernel; those of functions it calls are among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The functions a walk may begin with.
    pub kernels: Vec<String>,
    /// The loops, in the order of the text.
    pub loops: Vec<LoopHead>,
    /// The conditional branches, in the order of the text.
    pub forks: Vec<Fork>,
}

/// Where a loop begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopHead {
    /// The label it is named by.
    pub label: String,
    /// The line of its first instruction.
    pub line: u32,
}

/// A branch where there is something to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fork {
    /// Its line.
    pub line: u32,
    /// The label or the list it names.
    pub label: Option<String>,
    /// The labels of a `brx.idx`; none for all others, which are taken or not.
    pub targets: Vec<String>,
    /// What a scenario calls it: its line, or its label where it shares the line.
    pub key: String,
}

/// The outline of the kernel named `entry`, or of the first one.
pub fn outline(module: &Module<'_>, entry: Option<&str>) -> Outline {
    let kernels = || module.kernels().filter(|function| function.has_body).map(|function| function.name);
    let mut outline =
        Outline { kernels: kernels().map(str::to_owned).collect(), loops: Vec::new(), forks: Vec::new() };
    let wanted = entry.or(kernels().next());
    let named = |function: &Function<'_>| function.has_body && Some(function.name) == wanted;
    let Some(start) = module.functions.iter().position(named) else { return outline };
    let program = Program::new(module, start);
    let mut part_of = vec![None; module.functions.len()];
    for (part, found) in program.parts.iter().enumerate() {
        part_of[found.function] = Some(part);
    }
    // Functions, and blocks within them, are in the order of the text: nothing need be sorted.
    for part in part_of.into_iter().flatten() {
        let (function, graph) = (program.function(part), &program.parts[part].graph);
        let mut heads = vec![false; graph.blocks.len()];
        graph.loops.iter().for_each(|inner| heads[inner.header] = true);
        for (block, is_head) in graph.blocks.iter().zip(heads) {
            let label = function.labels_of(block.start).next().filter(|_| is_head);
            outline.loops.extend(label.map(|label| LoopHead {
                label: label.to_owned(),
                line: function.instructions[block.start].line,
            }));
            if block.edges.len() > 1 {
                outline.forks.push(fork(function, block.end - 1));
            }
        }
    }
    for at in 0..outline.forks.len() {
        let line = outline.forks[at].line;
        let shared = |other: Option<&Fork>| other.is_some_and(|other| other.line == line);
        if (at > 0 && shared(outline.forks.get(at - 1))) || shared(outline.forks.get(at + 1)) {
            let own = &mut outline.forks[at];
            own.key = own.label.clone().unwrap_or_else(|| own.key.clone());
        }
    }
    outline
}

fn fork(function: &Function<'_>, index: usize) -> Fork {
    let instruction = &function.instructions[index];
    let label = instruction.operands.last().filter(|operand| operand.shape == Shape::Name);
    let targets = if instruction.root() == "brx" { function.targets(index) } else { &[] };
    let names = targets.iter().filter_map(|&target| function.labels_of(target).next());
    Fork {
        line: instruction.line,
        label: label.map(|label| label.text.to_owned()),
        targets: names.map(str::to_owned).collect(),
        key: format!("line {}", instruction.line),
    }
}
