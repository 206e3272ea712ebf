//! What a model leaves open, in words: what it is about, what was taken, why, and which side holds all the same.

use super::flatten::Gap;
use super::questions::Asked;
use chain::{Code, Safe};

/// The question of a gap in what a task does, at the task's place in the document.
pub fn of(gap: &Gap, task: &str, at: &str, place: &str) -> Asked {
    let because = |why: &str| format!("{place}: {why}");
    let new = |code, what: String, value: &str, why: &str| Asked::new(code, at, what, value, because(why));
    match gap {
        Gap::Unbounded(ticks, guess) => {
            let why = "the distribution has no upper bound, so that this is no worst case";
            new(
                Code::Work,
                format!("the most that work of {task} takes"),
                &format!("{ticks} ticks, {guess}"),
                why,
            )
        }
        Gap::Turns => {
            let why = "the format has no count; a custom property loopBound of the loop says it";
            new(Code::Loop, format!("how often a loop of {task} turns"), "once", why)
        }
        Gap::About(turns) => {
            let why = "the model says how often on average, not at most";
            new(Code::Loop, format!("how often a call of {task} is made"), &format!("{turns} times"), why)
        }
        Gap::PerTick(unit) => {
            let why = "neither the unit's definition nor its features say so";
            new(Code::Work, format!("instructions of {task} in a tick of {unit}"), "1", why)
        }
        Gap::Rounded => {
            let why = "the instructions are no multiple of those in a tick";
            new(Code::Work, format!("parts of a tick in {task}"), "whole ticks", why).safe(Safe::Upper)
        }
        Gap::NoWork => {
            let why = "it is told for other units only";
            new(Code::Work, format!("how long work of {task} takes"), "no time", why).safe(Safe::Lower)
        }
        Gap::Server => {
            let why = "the model does not say who executes it";
            new(Code::Work, format!("who runs a server that {task} calls"), "the caller, on its core", why)
        }
        Gap::Asynchronous => {
            let why =
                "the call is asynchronous; the server runs as part of the caller, which goes on after it";
            new(Code::Work, format!("whether {task} waits for a server"), "it does", why)
        }
        Gap::Missing(what) => {
            let why = "the reference leads nowhere in the model";
            new(Code::Work, format!("{what}, which {task} names"), "left out", why).safe(Safe::Lower)
        }
        Gap::MissingStimulus(what) => {
            let why = "the reference leads nowhere in the model";
            new(Code::Period, format!("{what}, which {task} names"), "left out", why)
        }
        Gap::Way => {
            let why = "the access does not say";
            new(Code::Size, format!("whether {task} reads or writes a label"), "it reads", why)
        }
        Gap::Instructions => {
            let why = "its transmission policy has instructions for each part, which are not counted";
            new(Code::Work, format!("instructions of {task} to send or receive data"), "none", why)
                .safe(Safe::Lower)
        }
        Gap::Counted => {
            let why = "it has a counter, and is done every so many times only";
            new(Code::Work, format!("how often {task} does something"), "every time", why).safe(Safe::Upper)
        }
        Gap::Branch => {
            let why = "which one is taken depends on modes or conditions; the longest is";
            new(Code::Path, format!("the branches that {task} takes"), "the longest ones", why)
                .safe(Safe::Upper)
        }
        Gap::BranchAtGpu => {
            let why = "branches differ in what the GPU does, and the longest for the task is not the worst for others";
            new(Code::Path, format!("the branches that {task} takes"), "the longest ones", why)
        }
        Gap::BranchWaits => {
            let why = "a branch that is not the longest one waits for something, which is not looked at";
            new(Code::Waiting, format!("what {task} waits for on other branches"), "nothing", why)
                .safe(Safe::Lower)
        }
        Gap::Order => {
            let why = "the group has no order, and what is in it takes more than cores";
            new(Code::Path, format!("the order of a group in {task}"), "as written", why)
        }
        Gap::End => {
            let why = "the task ends there on some way";
            let what = format!("what {task} does after it was to end");
            new(Code::Path, what, "the rest as well", why).safe(Safe::Upper)
        }
        Gap::Migrate => {
            let why = "from there on it runs where another scheduler says";
            Asked::new(
                Code::Core,
                format!("{at}.core"),
                format!("where {task} goes on"),
                "on its first core",
                because(why),
            )
        }
        Gap::Yield => {
            let why = "it is not preempted, but lets others go first there";
            let what = format!("schedule points of {task}");
            Asked::new(Code::Scheduling, format!("{at}.preemptive"), what, "none", because(why))
                .safe(Safe::Upper)
        }
        Gap::Unknown(kind, false) => {
            let why = "nothing is known of this type, and nothing that is read is in it";
            new(Code::Work, format!("what {kind} is in {task}"), "nothing", why)
        }
        Gap::Unknown(kind, true) => {
            let why = "nothing is known of this type; what is in it is read";
            new(
                Code::Work,
                format!("what {kind} is in {task}"),
                "all that is in it, one after the other, once",
                why,
            )
        }
    }
}
