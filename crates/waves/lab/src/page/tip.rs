//! What the pointer is at, in a few words, without asking the worker.

use super::packed::Kind;
use super::run::{Bar, Run};
use super::says::{name_of, short};
use base::people::{counted, grouped};
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
