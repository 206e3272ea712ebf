//! The file of a wave.

use waves::capture::{Instr, Kind, Wave};

use crate::json::{Json, Stop};

/// What came of a file.
pub(crate) struct Read {
    /// The wave; its instructions' lines are the file's numbers yet.
    pub wave: Wave,
    /// Whether it can be used.
    pub sound: bool,
    /// What is to be told.
    pub notes: Vec<String>,
}

#[derive(Default)]
struct Draft {
    begin: Option<i64>,
    end: Option<i64>,
    cu: Option<i64>,
    instrs: Vec<Instr>,
    wrong: u64,
    beyond: u64,
    told: Option<i64>,
}

/// Reads a wave; its life as the list of files tells it stands in where the file does not.
pub(crate) fn read(bytes: &[u8], life: Option<(i64, i64)>, room: usize) -> Read {
    let mut draft = Draft::default();
    let stop = file(&mut Json::new(bytes), &mut draft, room).err();
    let mut notes = Vec::new();
    let last = draft.instrs.iter().map(Instr::end).max();
    let first = draft.instrs.iter().map(|instr| instr.clock).min();
    let mut wave = Wave { instrs: draft.instrs, ..Wave::default() };
    wave.cu = draft.cu.and_then(|cu| u32::try_from(cu).ok()).unwrap_or_default();
    let begin = draft.begin.or(life.map(|(begin, _)| begin)).or(first);
    let mut end = draft.end.or(life.map(|(_, end)| end)).or(last);
    if let Some(stop) = &stop {
        notes.push(format!("{}; what stands before that is read", stop.said()));
        // What came after is not known: the wave is taken to end with what was read.
        end = last.or(end);
    }
    let sound = match begin.zip(end) {
        Some((begin, end)) if (Wave { begin, end, ..Wave::default() }).is_plausible() => {
            (wave.begin, wave.end) = (begin, end);
            stop.is_none() || !wave.instrs.is_empty()
        }
        Some((begin, end)) => {
            notes.push(format!("it begins at {begin} and ends at {end}, so it is left out"));
            false
        }
        None => {
            notes.push("it tells neither its begin nor its end, so it is left out".to_owned());
            false
        }
    };
    if sound {
        settle(&mut wave, &draft_counts(draft.wrong, draft.beyond, draft.told, stop.is_some()), &mut notes);
    }
    Read { wave, sound, notes }
}

struct Counts {
    wrong: u64,
    beyond: u64,
    told: Option<i64>,
}

fn draft_counts(wrong: u64, beyond: u64, told: Option<i64>, cut: bool) -> Counts {
    Counts { wrong, beyond, told: told.filter(|_| !cut) }
}

/// Puts instructions into order and notes what does not fit.
fn settle(wave: &mut Wave, counts: &Counts, notes: &mut Vec<String>) {
    let read = wave.instrs.len();
    if !wave.instrs.is_sorted_by_key(|instr| instr.clock) {
        notes.push("its instructions are not in the order of their clocks; they are sorted".to_owned());
    }
    let outside = wave.settle();
    if outside > 0 {
        notes.push(format!("left out: {} outside of its life", instructions(outside as u64)));
    }
    if counts.wrong > 0 {
        notes.push(format!(
            "left out: {} without whole numbers for clock, kind, stall, duration and line",
            instructions(counts.wrong)
        ));
    }
    if counts.beyond > 0 {
        notes.push(format!("left out: {} beyond what is read", instructions(counts.beyond)));
    }
    let there = read as u64 + counts.wrong + counts.beyond;
    if let Some(told) = counts.told.filter(|told| u64::try_from(*told) != Ok(there)) {
        notes.push(format!("it says {told} instructions and has {there}"));
    }
}

/// `1 instruction`, `2 instructions`.
fn instructions(count: u64) -> String {
    base::people::counted(usize::try_from(count).unwrap_or(usize::MAX), "instruction")
}

fn file(json: &mut Json<'_>, draft: &mut Draft, room: usize) -> Result<(), Stop> {
    if !json.object()? {
        return Ok(());
    }
    while let Some(key) = json.key()? {
        match key.as_str() {
            "num_insts" => draft.told = json.whole()?,
            "wave" => wave(json, draft, room)?,
            _ => json.skip()?,
        }
    }
    Ok(())
}

fn wave(json: &mut Json<'_>, draft: &mut Draft, room: usize) -> Result<(), Stop> {
    if !json.object()? {
        return Ok(());
    }
    while let Some(key) = json.key()? {
        match key.as_str() {
            "begin" => draft.begin = json.whole()?,
            "end" => draft.end = json.whole()?,
            "cu" => draft.cu = json.whole()?,
            "instructions" => {
                if !json.array()? {
                    continue;
                }
                while json.item()? {
                    let row = row(json)?;
                    match instruction(row) {
                        Some(instr) if draft.instrs.len() < room => draft.instrs.push(instr),
                        Some(_) => draft.beyond += 1,
                        None => draft.wrong += 1,
                    }
                }
            }
            _ => json.skip()?,
        }
    }
    Ok(())
}

/// The first five numbers of a row; the row is read to its end.
pub(crate) fn row(json: &mut Json<'_>) -> Result<[Option<i64>; 5], Stop> {
    let mut row = [None; 5];
    if !json.array()? {
        return Ok(row);
    }
    let mut at = 0;
    while json.item()? {
        let number = json.whole()?;
        if let Some(slot) = row.get_mut(at) {
            *slot = number;
        }
        at += 1;
    }
    Ok(row)
}

fn instruction(row: [Option<i64>; 5]) -> Option<Instr> {
    let [Some(clock), Some(kind), Some(stall), Some(duration), Some(line)] = row else { return None };
    let instr = Instr {
        clock,
        kind: Kind::of(kind),
        stall: u32::try_from(stall).ok()?,
        duration: u32::try_from(duration).ok()?.max(u32::try_from(stall).ok()?),
        line: u32::try_from(line).ok()?,
    };
    // Nothing of it may lie beyond what numbers hold.
    clock.checked_add(1 << 33).and(clock.checked_sub(1 << 33)).map(|_| instr)
}
