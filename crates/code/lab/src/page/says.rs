//! Sentences: what an instruction waited for, and what its control fields mean.

use base::people::{counted, grouped, listed};

use super::Seen;
use crate::report::{CodeReport, Kind, Line, Why};
use code_read::arch::ARCHITECTURES;
use code_read::opcode::Class;

/// What a barrier that is written out is called in its words, where it holds no unit.
const BARRIER: &str = "barrier";

/// A line of the listing as it is shown: its text, or what it does where nobody has one.
pub fn text(line: &Line) -> &str {
    if line.text.is_empty() { &line.words } else { &line.text }
}

/// The same with all that tells it from another one: the stall of one that has no text.
pub fn full_text(line: &Line) -> String {
    match line.text.is_empty() {
        true => format!("{}, stall {}", line.words, line.stall),
        false => line.text.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// What an instruction is called in a sentence: `the LDG at 0x0070`, or its unit and number where nobody has a text.
pub fn name(line: &Line, at: usize) -> String {
    let word = line.text.split_whitespace().find(|word| !word.starts_with('@'));
    match word.map(|word| word.split('.').next().unwrap_or(word).trim_end_matches(';')) {
        Some(word) if !word.is_empty() => format!("the {word} at 0x{:04x}", line.address),
        _ => {
            // A barrier that is written out may hold no unit.
            let what = line.unit.as_deref().map(unit_short);
            let what = what.or_else(|| line.words.starts_with(BARRIER).then_some("the barrier"));
            what.map_or_else(
                || format!("instruction {}", at + 1),
                |what| format!("{what}, instruction {}", at + 1),
            )
        }
    }
}

/// What a unit is called where there is little room: documents and reports name one that does several kinds of work
/// after the first of them.
pub fn unit_short(unit: &str) -> &str {
    code_read::arch::in_words(unit).unwrap_or(unit)
}

/// The unit that does a kind of work of the tables, as it is called: load/store for `atomic`.
pub fn unit_of_kind(report: &CodeReport, kind: &str) -> &'static str {
    let class = Class::of_name(kind);
    let known = ARCHITECTURES.into_iter().find(|own| Some(own.name) == report.architecture.as_deref());
    let unit = class.zip(known).and_then(|(class, own)| Some(own.units[own.unit(class)?].name()));
    unit.map_or("any", unit_short)
}

/// The same in a sentence.
pub fn unit(unit: &str) -> String {
    code_read::arch::in_words(unit).map_or_else(|| unit.to_owned(), |words| format!("the {words} unit"))
}

/// What an entry of the schedule is, and which cycles it takes.
pub fn entry(seen: &Seen, entry: u32) -> Option<String> {
    let &(warp, at, issued, last) = seen.report.schedule.get(entry as usize)?;
    let line = seen.report.code.get(at as usize)?;
    let holds = match &line.unit {
        Some(own) if line.hold > 1 => {
            let unit = unit(own);
            format!(", holds {unit} until cycle {}", grouped(u128::from(issued + line.hold - 1)))
        }
        Some(own) => format!(", holds {} for that cycle", unit(own)),
        None => String::new(),
    };
    let there = if last > issued + line.hold.max(1) - 1 {
        format!(", and its result is there in cycle {}", grouped(u128::from(last) + 1))
    } else {
        String::new()
    };
    let cycle = grouped(issued.into());
    Some(format!("Warp {warp} issues {} in cycle {cycle}{holds}{there}.", name(line, at as usize)))
}

/// What an entry of the schedule waited for, one sentence for each wait.
pub fn waits(seen: &Seen, entry: u32) -> Vec<String> {
    let count = seen.report.waits.get(entry as usize).map_or(0, Vec::len);
    (0..count).filter_map(|part| wait(seen, entry, part)).collect()
}

/// One wait: `Warp 3 waits in cycles 41 to 63 for scoreboard 2: the LDG at 0x0070 of the same warp.`
pub fn wait(seen: &Seen, entry: u32, part: usize) -> Option<String> {
    let warp = seen.report.schedule.get(entry as usize)?.0;
    let (from, to, why) = seen.report.waits.get(entry as usize)?.get(part)?;
    let cycles = if from == to {
        format!("cycle {}", grouped(u128::from(*from)))
    } else {
        format!("cycles {} to {}", grouped(u128::from(*from)), grouped(u128::from(*to)))
    };
    Some(format!("Warp {warp} waits in {cycles} {}.", reason(seen, entry, why)))
}

fn reason(seen: &Seen, entry: u32, (kind, one, other): &Why) -> String {
    let report = &seen.report;
    let warp = report.schedule[entry as usize].0;
    let of = |warp: usize, place: Option<u32>| {
        let at = seen.line(seen.timeline.entry(warp, place? as usize)?)?;
        Some(name(report.code.get(at)?, at))
    };
    let other_warp = one.map_or(0, |one| one as usize);
    match kind {
        Kind::Stall => {
            let before = seen.timeline.place(report, entry).and_then(|place| place.checked_sub(1));
            let before = before.and_then(|place| seen.line(seen.timeline.entry(warp, place)?));
            match before.and_then(|at| Some((at, report.code.get(at)?))) {
                Some((at, line)) => {
                    let stall = counted(line.stall as usize, "cycle");
                    format!(
                        "out the stall of {}: the next instruction issues {stall} after it",
                        name(line, at)
                    )
                }
                None => "out a stall".to_owned(),
            }
        }
        Kind::Scoreboard => {
            let by = of(warp, *other).map(|by| format!(": {by} of the same warp")).unwrap_or_default();
            format!("for scoreboard {}{by}", one.unwrap_or_default())
        }
        Kind::Barrier if other_warp == warp => "at the barrier, to which it comes last".to_owned(),
        Kind::Barrier => format!("at the barrier, to which warp {other_warp} comes last"),
        Kind::Unit => {
            let by = of(other_warp, *other).unwrap_or_default();
            let own = seen.line(entry).and_then(|at| report.code.get(at)?.unit.as_deref());
            let unit = own.map_or_else(|| "its unit".to_owned(), unit);
            format!("for a place of {unit}, held by {by} of warp {other_warp}")
        }
        Kind::Slot => {
            let by = of(other_warp, *other).unwrap_or_default();
            format!("while its partition issues others: {by} of warp {other_warp}")
        }
        Kind::Nothing => "for nothing".to_owned(),
    }
}

/// The control fields of a line: `stall 4; sets scoreboard 2 until its result is there; waits for scoreboards 0 and 1`.
pub fn control(line: &Line) -> String {
    let mut said = vec![format!("stall {}", line.stall)];
    if let Some(board) = line.write {
        said.push(format!("sets scoreboard {board} until its result is there"));
    }
    if let Some(board) = line.read {
        said.push(format!("sets scoreboard {board} until its operands are read"));
    }
    match &line.wait[..] {
        [] => {}
        [one] => said.push(format!("waits for scoreboard {one}")),
        several => said.push(format!("waits for scoreboards {}", listed(several))),
    }
    for (board, left) in &line.until {
        said.push(match left {
            0 => format!("waits itself until nobody who sets scoreboard {board} is under way"),
            left => format!("waits itself until at most {left} who set scoreboard {board} are under way"),
        });
    }
    if line.yields == Some(true) {
        said.push("prefers another warp next".to_owned());
    }
    said.join("; ")
}

/// The same as short as a column: `4, sets 2, waits 0 1`.
pub fn control_short(line: &Line) -> String {
    let boards = |boards: Vec<String>| boards.join(" ");
    let sets: Vec<String> = line.write.into_iter().chain(line.read).map(|board| board.to_string()).collect();
    let own = line.until.iter().map(|until| until.0).filter(|board| !line.wait.contains(board));
    let waits: Vec<String> = line.wait.iter().copied().chain(own).map(|board| board.to_string()).collect();
    let mut said = line.stall.to_string();
    if !sets.is_empty() {
        said += &format!(", sets {}", boards(sets));
    }
    if !waits.is_empty() {
        said += &format!(", waits {}", boards(waits));
    }
    said
}

/// What a kind of wait is called.
pub fn called(kind: Kind) -> &'static str {
    match kind {
        Kind::Scoreboard => "Scoreboard",
        Kind::Unit => "Unit",
        Kind::Slot => "Issue slot",
        Kind::Barrier => "Barrier",
        Kind::Stall => "Stall",
        Kind::Nothing => "Nothing",
    }
}

/// How long warps waited before a line, by what for, the most first.
pub fn waited(line: &Line) -> Vec<(Kind, u64)> {
    let kinds = [Kind::Scoreboard, Kind::Unit, Kind::Slot, Kind::Barrier, Kind::Stall];
    let named = |kind: &Kind| line.waited.get(&called_in_report(*kind)).and_then(serde_json::Value::as_u64);
    let mut all: Vec<(Kind, u64)> =
        kinds.into_iter().filter_map(|kind| Some((kind, named(&kind)?))).collect();
    all.sort_by_key(|(_, cycles)| std::cmp::Reverse(*cycles));
    all
}

fn called_in_report(kind: Kind) -> String {
    match kind {
        Kind::Slot => "slot".to_owned(),
        kind => called(kind).to_lowercase(),
    }
}

/// A whole instruction, and what stands in its place in code that is pinned and differs: what a listing may have cut.
pub fn whole(line: &Line, pinned: Option<&str>) -> Option<String> {
    let own = Some(text(line)).filter(|text| !text.is_empty());
    let own = own.map(|text| format!("0x{:04x}: {text}", line.address));
    let pinned = pinned.filter(|text| !text.is_empty()).map(|text| format!("Pinned: {text}"));
    let parts: Vec<String> = own.into_iter().chain(pinned).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// All that is known of a line, for its hint.
pub fn line(line: &Line) -> String {
    let waited = waited(line);
    let parts: Vec<String> = waited
        .iter()
        .map(|(kind, cycles)| format!("{} {}", called(*kind).to_lowercase(), grouped((*cycles).into())))
        .collect();
    let waited = if parts.is_empty() {
        "nobody waited before it".to_owned()
    } else {
        format!("warps waited before it, in cycles: {}", parts.join(", "))
    };
    let unit =
        line.unit.as_deref().map_or_else(|| "no unit".to_owned(), |own| format!("unit {}", unit_short(own)));
    format!("{unit}; {}; executed {}; {waited}", control(line), counted(line.executed as usize, "time"))
}
