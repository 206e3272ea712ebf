//! Stalls and scoreboards where the text has none: derived from registers, as an assembler must.
//!
//! An instruction of fixed latency is followed at the distance of that latency by the first one that uses its result; a
//! result of variable latency gets a scoreboard, and whoever uses its register, or writes it, waits for that. Operands of
//! stores are guarded likewise until they are read. The lines are gone through twice, so that loops are closed.

use std::collections::BTreeMap;

use crate::arch::Architecture;
use crate::control::Control;
use crate::listing::Line;
use crate::opcode::{Class, class_of};

/// The stall of a branch, whose target may use anything.
const BRANCH: u8 = 5;

/// The timing of the lines of a function.
pub fn controls(lines: &[Line], architecture: &Architecture) -> Vec<Control> {
    let plain = Control { stall: 1, ..Control::default() };
    let mut controls = vec![plain; lines.len()];
    let mut boards = 0u8;
    // The scoreboard that each instruction sets is the same both times round.
    for (control, line) in controls.iter_mut().zip(lines) {
        let class = class_of(line.base()).unwrap_or(Class::Alu);
        if line.base() == "LDGDEPBAR" {
            control.write = Some(0);
            continue;
        }
        let double =
            class == Class::Double && architecture.latency(Class::Double).is_some_and(|row| row.least > 16);
        if (class.is_variable() && class != Class::Copy || double)
            && !line.is_never()
            && written(line).is_some()
        {
            control.write = Some(boards);
            boards = (boards + 1) % 6;
        } else if matches!(class, Class::Store | Class::Copy | Class::Atomic) && !line.is_never() {
            control.read = Some(boards);
            boards = (boards + 1) % 6;
        }
    }
    let mut pending: BTreeMap<String, (u8, bool)> = BTreeMap::new();
    for _ in 0..2 {
        for (line, control) in lines.iter().zip(&mut controls) {
            let written = written(line);
            for name in uses(line) {
                let writes = written.as_ref() == Some(&name);
                if let Some(&(board, reads)) = pending.get(&name)
                    && (writes || !reads)
                {
                    control.wait |= 1 << board;
                }
            }
            let waited = control.wait;
            pending.retain(|_, (board, _)| waited >> *board & 1 == 0);
            match (control.write, control.read) {
                (Some(board), _) => {
                    pending.extend(written.map(|name| (name, (board, false))));
                }
                (None, Some(board)) => {
                    let sources = uses(line).into_iter();
                    pending.extend(sources.map(|name| (name, (board, true))));
                }
                (None, None) => {}
            }
        }
    }
    stalls(lines, architecture, &mut controls);
    controls
}

/// Distances to the first use of every result of fixed latency.
fn stalls(lines: &[Line], architecture: &Architecture, controls: &mut [Control]) {
    let fixed = u64::from(architecture.fixed);
    let mut there: BTreeMap<String, u64> = BTreeMap::new();
    let mut now = 0u64;
    for at in 0..lines.len() {
        let line = &lines[at];
        let needed = uses(line).iter().filter_map(|name| there.get(name)).copied().max().unwrap_or(0);
        if let Some(before) = at.checked_sub(1)
            && needed > now
        {
            let more = (needed - now).min(15 - u64::from(controls[before].stall.min(15)));
            controls[before].stall += more as u8;
            now = needed;
        }
        if controls[at].write.is_none()
            && let Some(name) = written(line)
        {
            there.insert(name, now + fixed);
        }
        if class_of(line.base()) == Some(Class::Branch) {
            controls[at].stall = BRANCH;
        }
        now += u64::from(controls[at].stall);
    }
}

/// The register or predicate that an instruction writes.
fn written(line: &Line) -> Option<String> {
    let class = class_of(line.base()).unwrap_or(Class::Alu);
    if matches!(class, Class::Store | Class::Branch | Class::Barrier | Class::Copy | Class::None) {
        return None;
    }
    let first = line.operands.first()?;
    names(first).into_iter().next().filter(|name| *first == **name)
}

/// All registers and predicates that an instruction names, its guard included.
fn uses(line: &Line) -> Vec<String> {
    let operands = line.operands.iter().chain(&line.guard);
    operands.flat_map(|text| names(text)).collect()
}

/// The names of registers and predicates in a text.
fn names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        let number = ["UR", "UP", "R", "P"].iter().find_map(|kind| word.strip_prefix(kind));
        if number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())) {
            found.push(word.to_owned());
        }
    }
    found
}
