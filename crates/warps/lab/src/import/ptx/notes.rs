//! What a walk tells a reader besides its string, in sentences; the first few of a kind, and how many more.

use std::collections::BTreeSet;

use super::caveats::{CAVEATS, Side};
use super::classes::TABLE;
use super::program::{Call, Program};
use super::tree::Function;
use super::walk::{Line, Unknown, names};
use base::people;
use base::problem::quoted;
use base::sort;

/// Which kernel was taken where there are others.
pub(super) fn several_kernels(taken: &Function<'_>, others: &[&Function<'_>], warnings: &mut Vec<String>) {
    if !others.is_empty() {
        warnings.push(format!(
            "The text has several kernels; {:.60} is the first and was taken, not {}.",
            taken.name,
            names(others)
        ));
    }
}

/// Branches whose guards the listing has lost.
pub(super) fn restored(program: &Program<'_, '_>, warnings: &mut Vec<String>) {
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

/// Moves of names that nothing declares.
pub(super) fn undeclared(lines: &[Line], warnings: &mut Vec<String>) {
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
pub(super) fn closed_calls(
    program: &Program<'_, '_>,
    lines: &[Line],
    first: &[usize],
    warnings: &mut Vec<String>,
) {
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
    shortly(
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
pub(super) fn shortly(warnings: &mut Vec<String>, things: &str, mut texts: impl Iterator<Item = String>) {
    const MOST: usize = 20;
    warnings.extend(texts.by_ref().take(MOST));
    match texts.count() {
        0 => {}
        more => warnings.push(format!("The same holds for other {things}: {more} more.")),
    }
}

/// An opcode that stands in no row of the table.
pub(super) fn unknown(unknown: &Unknown) -> String {
    format!(
        "The opcode {} on {} is unknown and counts as C.",
        quoted(&unknown.opcode),
        on_lines(&unknown.lines)
    )
}

/// Notes of rows and caveats, once each, for what the path executes.
pub(super) fn rows(lines: &[Line], warnings: &mut Vec<String>) {
    let executed = |fits: &dyn Fn(&Line) -> bool| -> Vec<&Line> {
        lines.iter().filter(|line| line.times > 0 && fits(line)).collect()
    };
    for row in TABLE.iter().filter(|row| !row.note.is_empty()) {
        let found = executed(&|line| line.row == row);
        warnings.extend(opcodes(&found).map(|which| format!("{which}: {}.", row.note)));
    }
    for caveat in &CAVEATS {
        let found = executed(&|line| (caveat.fits)(&line.opcode));
        let side = match caveat.side {
            Side::Optimistic => "the hardware may be slower than the model",
            Side::Pessimistic => "the model may be slower than the hardware",
        };
        warnings.extend(opcodes(&found).map(|which| format!("{which}: {}; {side}.", caveat.note)));
    }
}

/// `"div.full.f32" and "div.rn.f32" on lines 3 and 4`; nothing where there are no such lines.
fn opcodes(found: &[&Line]) -> Option<String> {
    const MOST: usize = 3;
    let mut seen = BTreeSet::new();
    let names = found.iter().map(|line| line.opcode.as_str());
    let names: Vec<&str> = names.filter(|name| seen.insert(*name)).collect();
    let mut shown: Vec<String> = names.iter().take(MOST).map(|name| quoted(name)).collect();
    if names.len() > MOST {
        shown.push(format!("{} more", names.len() - MOST));
    }
    let mut numbers: Vec<u32> = found.iter().map(|line| line.line).collect();
    numbers.dedup();
    (!found.is_empty()).then(|| format!("{} on {}", people::listed(&shown), on_lines(&numbers)))
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
