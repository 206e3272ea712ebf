//! A function once its end is reached: where branches lead, and guards the listing has lost.

use super::body::{Body, Label};
use super::parser::Parser;
use super::tree::{Function, Guard, Instruction, Shape};
use base::problem::quoted;
use base::sort;

/// The function whose body was read.
pub(super) fn finished<'a>(
    parser: &mut Parser<'a>,
    name: &'a str,
    line: u32,
    is_entry: bool,
    mut body: Body<'a>,
) -> Function<'a> {
    let mut known = body.labels.clone();
    sort::sort_by_key(&mut known, |label| (label.name, label.scope, label.at));
    for pair in known.windows(2).filter(|pair| (pair[0].name, pair[0].scope) == (pair[1].name, pair[1].scope))
    {
        let what = format!("the label {} of line {} again", quoted(pair[1].name), pair[0].line);
        parser.problem_at(pair[1].at, pair[1].line, &what, "each label once");
    }
    sort::sort_by_key(&mut body.lists, |list| (list.name, list.scope));
    let mut jumps = Vec::with_capacity(body.branches.len());
    for &(index, scope) in &body.branches {
        let targets = targets(parser, &body, &known, &body.instructions[index], scope);
        jumps.push((index, targets));
    }
    restore_guards(&mut body.instructions);
    let mut names = body.names;
    names.extend(body.labels.iter().map(|label| label.name));
    sort::sort(&mut names);
    names.dedup();
    let labels = body.labels.iter().map(|label| (label.name, label.before)).collect();
    Function { name, line, is_entry, has_body: true, instructions: body.instructions, labels, jumps, names }
}

/// Where a branch may lead; a problem for each label that is not there.
fn targets<'a>(
    parser: &mut Parser<'a>,
    body: &Body<'a>,
    known: &[Label<'a>],
    branch: &Instruction<'a>,
    scope: usize,
) -> Vec<usize> {
    let direct = branch.root() == "bra";
    let operand = if direct { branch.operands.first() } else { branch.operands.last() };
    let Some(name) = operand.filter(|operand| operand.shape == Shape::Name).map(|operand| operand.text)
    else {
        parser.problem_at(branch.at, branch.line, "a branch without a label", "the name of a label");
        return Vec::new();
    };
    let wanted = if direct {
        vec![name]
    } else {
        match visible(body, scope, |scope| {
            let at = body.lists.partition_point(|list| (list.name, list.scope) < (name, scope));
            body.lists.get(at).filter(|list| (list.name, list.scope) == (name, scope))
        }) {
            Some(list) => list.labels.clone(),
            None => {
                let what = format!("no .branchtargets {} in this function", quoted(name));
                parser.problem_at(branch.at, branch.line, &what, "a list of labels with that name");
                return Vec::new();
            }
        }
    };
    let mut found = Vec::with_capacity(wanted.len());
    for name in wanted {
        let label = visible(body, scope, |scope| {
            let at = known.partition_point(|label| (label.name, label.scope) < (name, scope));
            known.get(at).filter(|label| (label.name, label.scope) == (name, scope))
        });
        match label {
            Some(label) => found.push(label.before),
            None => {
                let what = format!("no label {} in this function", quoted(name));
                parser.problem_at(branch.at, branch.line, &what, "a label that stands in it");
            }
        }
    }
    found
}

/// What `find` finds in the innermost scope around `scope` that has it.
fn visible<'b, T>(body: &Body<'_>, mut scope: usize, find: impl Fn(usize) -> Option<&'b T>) -> Option<&'b T> {
    loop {
        let found = find(scope);
        if found.is_some() || scope == 0 {
            return found;
        }
        scope = body.parents[scope];
    }
}

/// Printed listings lose the guards at their margin. A `bra` without one, right after a `setp` whose predicate
/// nothing reads, gets it back.
fn restore_guards(instructions: &mut [Instruction<'_>]) {
    let lost = |pair: &[Instruction<'_>]| {
        pair[0].root() == "setp" && pair[1].root() == "bra" && pair[1].guard.is_none()
    };
    let mut unread: Vec<&str> =
        instructions.windows(2).filter(|pair| lost(pair)).filter_map(|pair| written(&pair[0])).collect();
    sort::sort(&mut unread);
    unread.dedup();
    if unread.is_empty() {
        return;
    }
    let mut read = vec![false; unread.len()];
    for instruction in instructions.iter() {
        let operands = instruction.operands.iter().skip(1).flat_map(|operand| operand.names());
        for name in operands.chain(instruction.guard.map(|guard| guard.predicate)) {
            if let Ok(found) = unread.binary_search(&name) {
                read[found] = true;
            }
        }
    }
    for i in 1..instructions.len() {
        let predicate = if lost(&instructions[i - 1..=i]) { written(&instructions[i - 1]) } else { None };
        let Some(predicate) = predicate else { continue };
        if unread.binary_search(&predicate).is_ok_and(|found| !read[found]) {
            instructions[i].guard = Some(Guard { predicate, negated: false, restored: true });
        }
    }
}

/// The first name an instruction writes to.
fn written<'a>(instruction: &Instruction<'a>) -> Option<&'a str> {
    instruction.operands.first()?.names().next()
}
