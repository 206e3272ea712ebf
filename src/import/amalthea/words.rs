//! What a model leaves open, in words: what it is about, what was taken, why.

use super::flatten::Gap;

/// What a gap is about, what was taken for it, and why.
pub fn of(gap: &Gap, task: &str) -> (String, String, String) {
    match gap {
        Gap::Unbounded(ticks, guess) => (
            format!("the most that work of {task} takes"),
            format!("{ticks} ticks, {guess}"),
            "the distribution has no upper bound, so that this is no worst case".to_owned(),
        ),
        Gap::Turns => (
            format!("how often a loop of {task} turns"),
            "once".to_owned(),
            "the format has no count; a custom property loopBound of the loop says it".to_owned(),
        ),
        Gap::PerTick(unit) => (
            format!("instructions of {task} in a tick of {unit}"),
            "1".to_owned(),
            "neither the unit's definition nor its features say so".to_owned(),
        ),
        Gap::NoWork => (
            format!("how long work of {task} takes"),
            "no time".to_owned(),
            "it is told for other units only".to_owned(),
        ),
        Gap::Asynchronous => (
            format!("whether {task} waits for a server"),
            "it does".to_owned(),
            "the call is asynchronous; to wait is the worse case".to_owned(),
        ),
        Gap::Missing(what) => (
            format!("{what}, which {task} names"),
            "left out".to_owned(),
            "the reference leads nowhere in this file".to_owned(),
        ),
        Gap::Way => (
            format!("whether {task} reads or writes a label"),
            "it reads".to_owned(),
            "the access does not say".to_owned(),
        ),
    }
}
