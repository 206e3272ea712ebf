//! What the pointer is at, in a few words, without asking the worker.

use super::held::{Held, Lane};
use super::packed::{Kind, UnitKind};
use super::run::{Bar, Run};
use super::says::{name_of, short};
use base::people::{self, counted, grouped};
use waves::Cause;

/// What a bar is.
pub fn pointed(run: &Run, bar: &Bar) -> String {
    let cycles = counted((bar.end - bar.start) as usize, "cycle");
    let own = bar.line.and_then(|line| run.lines.get(line));
    let at = own.map_or(String::new(), |line| format!("{}, line {}: ", short(&line.text), line.number));
    let what = match bar.kind {
        Kind::Issue(unit) => format!("issues ({})", unit.name()),
        Kind::Wait(cause) => name_of(cause).to_owned(),
    };
    let witness = run.witness(bar.place).filter(|_| bar.kind != Kind::Wait(Cause::Told));
    let blamed = witness.and_then(|witness| Some((witness, run.lines.get(witness.line?)?)));
    let blamed = blamed.map_or(String::new(), |(witness, line)| {
        let (text, number) = (short(&line.text), line.number);
        format!("; {text} of line {number}, issued at {}", grouped(witness.start as u128))
    });
    format!("{at}{what}, {cycles}{blamed}")
}

/// Who holds a unit.
pub fn held(run: &Run, held: &Held) -> String {
    let unit = unit(run, held.lane);
    let by = held.by.and_then(|by| run.placed(by));
    let wave = by.and_then(|bar| run.wave(bar.place));
    let line = by.and_then(|bar| run.lines.get(bar.line?));
    let who = wave.map_or("an instruction".to_owned(), |wave| format!("wave {wave}"));
    let what = line.map_or(String::new(), |line| format!(": {}, line {}", short(&line.text), line.number));
    let cycles = counted((held.to - held.from) as usize, "cycle");
    format!("{unit}, held by {who} for {cycles} from {}{what}", grouped(held.from.max(0.0) as u128))
}

/// How long nobody holds a unit around a time.
pub fn free(run: &Run, lane: usize, time: f64) -> String {
    let unit = unit(run, lane);
    match run.lanes.free(lane, time) {
        (since, Some(until)) => {
            let cycles = counted((until - since).max(0.0) as usize, "cycle");
            format!("{unit}, held by nobody for {cycles} until {}", grouped(until.max(0.0) as u128))
        }
        (since, None) => {
            format!("{unit}, held by nobody from {} on", grouped(since.max(0.0) as u128))
        }
    }
}

/// How many waves are on a shader engine at a time.
pub fn engine(run: &Run, engine: usize, time: f64) -> String {
    let Some(own) = run.engines.get(engine) else { return String::new() };
    let (all, traced) = own.at(time);
    let cus: Vec<String> = own.cus.iter().map(u32::to_string).collect();
    format!(
        "Shader engine {}: {} at cycle {}, {traced} of them on compute unit {}, which was traced; {} at most",
        own.se,
        counted(all as usize, "wave"),
        grouped(time.max(0.0) as u128),
        people::listed(&cus),
        grouped(own.most.into()),
    )
}

fn unit(run: &Run, lane: usize) -> String {
    let Some(own) = run.lanes.all.get(lane) else { return String::new() };
    let unit = own.unit();
    let unit = if matches!(unit, UnitKind::Memory | UnitKind::Lds | UnitKind::ScalarMemory) {
        format!("Way to {}", unit.name())
    } else {
        format!("{} unit", capital(unit.name()))
    };
    let several = |of: fn(&Lane) -> u32| run.lanes.all.iter().any(|lane| of(lane) != of(own));
    let mut place = format!("SIMD {}", own.simd);
    if several(|lane| lane.cu) {
        place = format!("CU {}, {place}", own.cu);
    }
    if several(|lane| lane.se) {
        place = format!("SE {}, {place}", own.se);
    }
    format!("{unit} of {place}")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
