//! An oracle for the account, written from its specification alone and before the engine: it asks of every single
//! cycle whether what is claimed of it is so. It shares no code with the engine but the types of a capture and what
//! instructions are, walks lists from the beginning each time, and is as slow as that is.
//!
//! Where the specification says what the cause is (issue, waits, barriers, being told) the claim has to be just that;
//! where it gives a condition (the unit was held, another wave was chosen, a path was full) the condition is checked.

use crate::capture::{Capture, Instr, Kind, Wave};
use crate::cause::{Cause, Part, Witness};
use crate::isa::{Class, Counter};

/// What is wrong with the claims about a wave; nothing if all is well.
pub fn objections(capture: &Capture, own: usize, parts: &[Part]) -> Vec<String> {
    let wave = &capture.waves[own];
    let mut found = Vec::new();
    let mut at = wave.begin;
    for part in parts {
        if part.from != at || part.to <= part.from {
            found.push(format!("wave {own}: a part from {} where {at} was due", part.from));
        }
        at = part.to;
        if let Err(why) = judge(capture, own, part) {
            found.push(format!("wave {own}, {part:?}: {why}"));
        }
    }
    if at != wave.end {
        found.push(format!("wave {own}: parts end at {at}, the wave at {}", wave.end));
    }
    found
}

fn class(capture: &Capture, instr: &Instr) -> Class {
    capture.op(instr).map_or(Class::Other, |op| op.class)
}

fn judge(capture: &Capture, own: usize, part: &Part) -> Result<(), String> {
    let wave = &capture.waves[own];
    let Some(item) = part.item else { return at_an_end(wave, part) };
    let x = wave.instrs[item as usize];
    let inside = part.from >= wave.begin && part.to <= x.end();
    if !inside {
        return Err("outside of its instruction".to_owned());
    }
    if let Some(witness) = part.witness {
        let seen = capture.instr(witness.wave, witness.item).ok_or("no such witness")?;
        if seen.clock >= part.to {
            return Err("a witness after its effect".to_owned());
        }
    }
    if part.from >= x.issued() {
        let own_witness = part.witness == Some(Witness { wave: own as u32, item });
        return expect(part.cause == Cause::Issue && own_witness, "it issues");
    }
    if part.from >= x.clock { stalled(capture, own, item as usize, part) } else { in_gap(capture, own, part) }
}

fn expect(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("expected: {what}")) }
}

fn at_an_end(wave: &Wave, part: &Part) -> Result<(), String> {
    let first = wave.instrs.first().map_or(wave.end, |first| first.clock);
    match part.cause {
        Cause::Start => expect(part.from == wave.begin && part.to <= first, "before the first instruction"),
        Cause::End => expect(wave.instrs.iter().all(|own| own.end() <= part.from), "after the last one"),
        _ => Err("only the start and the end have no instruction".to_owned()),
    }
}

fn stalled(capture: &Capture, own: usize, item: usize, part: &Part) -> Result<(), String> {
    let wave = &capture.waves[own];
    let x = &wave.instrs[item];
    match class(capture, x) {
        Class::Wait => waits(capture, own, item, part),
        Class::Barrier | Class::BarrierWait => barrier(capture, own, item, part),
        Class::Told => expect(part.cause == Cause::Told, "told to wait"),
        _ => condition(capture, own, item, part),
    }
}

/// The instructions that a wait's counters still require, the last of each: counted from the program's beginning.
fn required(capture: &Capture, own: usize, item: usize) -> Vec<usize> {
    let wave = &capture.waves[own];
    let Some(op) = capture.op(&wave.instrs[item]) else { return Vec::new() };
    let mut found = Vec::new();
    for &(counter, value) in &op.waits {
        let raised: Vec<usize> =
            (0..item).filter(|&other| raises(capture, &wave.instrs[other], counter)).collect();
        let Some(place) = raised.len().checked_sub(value as usize + 1) else { continue };
        // What an earlier wait has seen return is no longer under way.
        let seen = (0..item).any(|earlier| {
            let before = raised.iter().filter(|&&other| other < earlier).count();
            let asked = capture.op(&wave.instrs[earlier]).map(|op| op.waits.as_slice()).unwrap_or_default();
            asked.iter().any(|&(known, left)| known == counter && before >= place + 1 + left as usize)
        });
        if !seen {
            found.push(raised[place]);
        }
    }
    found
}

fn raises(capture: &Capture, instr: &Instr, counter: Counter) -> bool {
    capture.op(instr).is_some_and(|op| op.raises.contains(&counter))
}

fn waits(capture: &Capture, own: usize, item: usize, part: &Part) -> Result<(), String> {
    let required = required(capture, own, item);
    if required.is_empty() {
        return expect(part.cause == Cause::Told, "a wait for nothing, which takes its own time");
    }
    let named = part.witness.filter(|witness| witness.wave as usize == own);
    let named = named.is_some_and(|witness| required.contains(&(witness.item as usize)));
    expect(part.cause == Cause::Data && named, "data, and one of what the counters still require")
}

/// When a wave arrived at each of its barriers and when it left it.
fn barriers(capture: &Capture, wave: &Wave) -> Vec<(i64, i64, usize)> {
    let mut found = Vec::new();
    let mut signalled = None;
    for (place, own) in wave.instrs.iter().enumerate() {
        match class(capture, own) {
            Class::Signal => signalled = Some(own.issued()),
            Class::Barrier => found.push((own.clock, own.issued(), place)),
            Class::BarrierWait => found.push((signalled.unwrap_or(own.clock), own.issued(), place)),
            _ => {}
        }
    }
    found
}

fn barrier(capture: &Capture, own: usize, item: usize, part: &Part) -> Result<(), String> {
    let wave = &capture.waves[own];
    let mine = barriers(capture, wave);
    let number = mine.iter().position(|(_, _, place)| *place == item).ok_or("no barrier here")?;
    let (arrived, left, _) = mine[number];
    match part.cause {
        Cause::Barrier => {
            let Some(witness) = part.witness else { return Ok(()) };
            expect(witness.wave as usize != own, "nobody waits for itself")?;
            let other = &capture.waves[witness.wave as usize];
            expect((other.se, other.cu) == (wave.se, wave.cu), "a wave of the same compute unit")?;
            let theirs = barriers(capture, other);
            let &(came, went, _) = theirs.get(number).ok_or("a wave that was at this barrier")?;
            expect(went.abs_diff(left) <= 16, "a wave that left with it")?;
            expect(came >= arrived && came <= left, "one that arrived later, and before it left")?;
            // Nobody who left every barrier with both came later still.
            let together = |third: &Wave| {
                let times = barriers(capture, third);
                let with = |known: &[(i64, i64, usize)]| {
                    times.len() == known.len()
                        && times.iter().zip(known).all(|(one, two)| one.1.abs_diff(two.1) <= 8)
                };
                (third.se, third.cu) == (wave.se, wave.cu) && with(&mine) && with(&theirs)
            };
            let later = capture.waves.iter().filter(|third| together(third));
            let latest = later.map(|third| barriers(capture, third)[number].0).max().unwrap_or(came);
            expect(latest <= came || latest > left, "the last to arrive")
        }
        // The last one pays for the barrier itself.
        Cause::Unit => expect(
            part.witness == Some(Witness { wave: own as u32, item: item as u32 }),
            "the barrier's own time, of the last to arrive",
        ),
        _ => Err("expected: a barrier".to_owned()),
    }
}

/// Which arbiter an instruction asks.
fn queue(capture: &Capture, instr: &Instr) -> u8 {
    match class(capture, instr) {
        Class::Vector | Class::Transcendental | Class::Double | Class::Matrix => 1,
        Class::Load | Class::Store | Class::Sample | Class::Ray => 2,
        Class::FlatLoad | Class::FlatStore => 2,
        Class::Lds => 3,
        Class::Scalar => 4,
        Class::ScalarLoad => 5,
        Class::Jump => 6,
        Class::Message | Class::End => 7,
        _ => match instr.kind {
            Kind::Valu => 1,
            Kind::Vmem | Kind::Flat => 2,
            Kind::Lds => 3,
            Kind::Salu => 4,
            Kind::Smem => 5,
            _ => 0,
        },
    }
}

fn condition(capture: &Capture, own: usize, item: usize, part: &Part) -> Result<(), String> {
    let wave = &capture.waves[own];
    let x = &wave.instrs[item];
    let witness = part.witness;
    let seen = witness.and_then(|witness| {
        Some((&capture.waves[witness.wave as usize], capture.instr(witness.wave, witness.item)?))
    });
    match part.cause {
        Cause::Chosen => {
            let (other, instr) = seen.ok_or("a witness")?;
            expect((other.se, other.cu, other.simd) == (wave.se, wave.cu, wave.simd), "of the same SIMD")?;
            expect(witness.is_some_and(|witness| witness.wave as usize != own), "another wave")?;
            expect(queue(capture, instr) == queue(capture, x), "asking the same arbiter")?;
            expect(
                instr.issued() <= part.from && part.to <= instr.issued() + 4,
                "issuing in these very cycles",
            )
        }
        Cause::Unit => {
            let (other, instr) = seen.ok_or("a witness")?;
            expect((other.se, other.cu) == (wave.se, wave.cu), "of the same compute unit")?;
            expect(instr.issued() <= part.from, "that issued before")?;
            expect(queue(capture, instr) == queue(capture, x), "on the same unit")
        }
        Cause::MemoryPath => {
            let (other, instr) = seen.ok_or("a witness")?;
            expect((other.se, other.cu) == (wave.se, wave.cu), "of the same compute unit")?;
            expect(instr.issued() < part.to, "that was under way")?;
            let goes = |instr: &Instr| class(capture, instr).is_memory() || class(capture, instr).is_lds();
            let kind = |instr: &Instr| matches!(instr.kind, Kind::Vmem | Kind::Flat | Kind::Lds | Kind::Ray);
            expect(goes(instr) || kind(instr), "a memory instruction under way")?;
            let overwrites = match (capture.op(x), capture.op(instr)) {
                (Some(x), Some(before)) => x.overwrites(before),
                _ => false,
            };
            expect(
                goes(x) || kind(x) || overwrites,
                "of a memory instruction, or of what overwrites its registers",
            )
        }
        Cause::Told | Cause::Data | Cause::Barrier | Cause::Issue | Cause::Start | Cause::End => {
            Err("not a cause of a stall here".to_owned())
        }
        Cause::Fetch | Cause::Dependency | Cause::Unexplained => in_gap(capture, own, part),
    }
}

fn in_gap(capture: &Capture, own: usize, part: &Part) -> Result<(), String> {
    let wave = &capture.waves[own];
    let item = part.item.ok_or("an instruction")? as usize;
    let x = &wave.instrs[item];
    match part.cause {
        Cause::Fetch => {
            let jumped = wave.instrs[..item].iter().any(|before| before.kind == Kind::Jump);
            let first = wave.instrs[..item].iter().all(|before| before.line != x.line);
            expect(first || jumped, "code that is new to the wave, or a jump before it")
        }
        Cause::Dependency => {
            let witness = part.witness.ok_or("a witness")?;
            expect(witness.wave as usize == own && (witness.item as usize) < item, "an earlier instruction")
        }
        Cause::Chosen => condition(capture, own, item, part),
        Cause::Unexplained => expect(part.witness.is_none(), "no witness"),
        _ => Err("not a cause of a gap".to_owned()),
    }
}
