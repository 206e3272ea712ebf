//! The instructions one by one: what they are, and what warps waited for before each.

use super::parts::Line;
use crate::scenario::CodeScenario;
use base::people::{counted, grouped, listed};
use code::reasons::{Reason, Reasons};
use code::{Instruction, Launch};
use kit::report::micro;

pub(super) fn lines(asked: &CodeScenario, reasons: &Reasons) -> Vec<Line> {
    let launch = &*asked.launch;
    let rows = asked.made.as_ref().map(|made| &made.rows);
    let mut waited = vec![[0u64; 5]; launch.code().len()];
    let mut executed = vec![0u32; launch.code().len()];
    for warp in 0..launch.warps().len() {
        for (place, &at) in launch.stream(warp).path.iter().enumerate() {
            executed[at as usize] += 1;
            for one in reasons.at(warp, place) {
                waited[at as usize][kind(one.reason)] += u64::from(one.to - one.from + 1);
            }
        }
    }
    let total = waited.iter().flatten().sum::<u64>().max(1);
    let line = |at: usize| {
        let own = &launch.code()[at];
        let row = rows.map(|rows| &rows[at]);
        // A listing's instructions wait for what their control fields have; DEPBAR, by itself, for what it names.
        let fields = row.map_or(own.waits.len(), |row| row.control.waits().count()).min(own.waits.len());
        let (fields, named) = own.waits.split_at(fields);
        let mut wait: Vec<u8> = fields.iter().map(|wait| wait.board).collect();
        wait.sort_unstable();
        wait.dedup();
        let shown = NAMES.into_iter().zip(waited[at]).filter(|(_, cycles)| *cycles > 0);
        Line {
            address: row.map_or(at as u64, |row| row.address),
            text: row.map_or_else(String::new, |row| row.text.clone()),
            words: if row.is_none() { words(launch, own) } else { String::new() },
            unit: own.unit.map(|unit| launch.machine().units[usize::from(unit)].name.clone()),
            hold: own.hold,
            stall: row.map_or(own.stall, |row| row.control.stall.into()),
            yields: row.map(|row| row.control.yields),
            write: match row {
                Some(row) => row.control.write,
                None => own.sets.first().map(|set| set.board),
            },
            read: row.and_then(|row| row.control.read),
            wait,
            until: named.iter().map(|wait| (wait.board, wait.left)).collect(),
            executed: executed[at],
            waited: shown.map(|(name, cycles)| (name.to_owned(), cycles.into())).collect(),
            unsure: row.and_then(code_read::Row::unknown),
            share: micro(waited[at].iter().sum::<u64>() as f64 / total as f64),
        }
    };
    (0..launch.code().len()).map(line).collect()
}

/// What an instruction does that nobody has a text of: its unit and for how long, the barrier, the scoreboards that it
/// sets and waits for. Its stall stands among the control fields.
fn words(launch: &Launch, own: &Instruction) -> String {
    let cycles = |n: u32| counted(n as usize, "cycle");
    let mut said = Vec::new();
    if let Some(unit) = own.unit {
        let name = &launch.machine().units[usize::from(unit)].name;
        said.push(code_read::arch::in_words(name).unwrap_or(name).to_owned());
        said.push(cycles(own.hold));
    }
    if own.barrier {
        said.push("barrier".to_owned());
    }
    if said.is_empty() {
        said.push("no unit".to_owned());
    }
    said.extend(own.sets.iter().map(|set| match set.least == set.most {
        true => format!("sets {} for {}", set.board, cycles(set.most)),
        false => format!("sets {} for {} to {}", set.board, grouped(set.least.into()), cycles(set.most)),
    }));
    let waits = own.waits.iter().map(|wait| match wait.left {
        0 => wait.board.to_string(),
        left => format!("{} down to {}", wait.board, grouped(left.into())),
    });
    let waits: Vec<String> = waits.collect();
    if !waits.is_empty() {
        said.push(format!("waits for {}", listed(&waits)));
    }
    said.join(", ")
}

/// The reasons, in the order of [`kind`].
const NAMES: [&str; 5] = ["stall", "scoreboard", "barrier", "unit", "slot"];

fn kind(reason: Reason) -> usize {
    match reason {
        Reason::Stall => 0,
        Reason::Scoreboard { .. } => 1,
        Reason::Barrier { .. } => 2,
        Reason::Unit { .. } => 3,
        // No schedule that was found here lets anybody wait for nothing.
        Reason::Slot { .. } | Reason::Nothing => 4,
    }
}
