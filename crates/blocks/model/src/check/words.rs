//! Faults in words: what was found and what was expected.

use super::facts::Facts;
use super::fault::{Fault, Why};
use super::flaw::Flaw;
use super::late::Late;
use super::verdict::{Finding, Remark, Violation};
use crate::names::Names;
use crate::rule::Rule;
use crate::trace::Subject;

/// A fault in words.
pub(super) fn violation(facts: &Facts, names: &Names, fault: &Fault) -> Violation {
    let op = &facts.ops[fault.op];
    let who = who(names, op.subject, fault.block);
    let (found, expected) = found_and_expected(facts, names, fault, &who);
    let (subject, block) = (op.subject, fault.block);
    Violation { rule: fault.rule, at: fault.at, subject, op: op.id, block, found, expected }
}

/// A flaw in words.
pub(super) fn finding(names: &Names, flaw: &Flaw) -> Finding {
    let (found, expected) = flaw.says.found_and_expected();
    let found = match flaw.subject {
        Some(subject) => format!("{}: {found}", who(names, subject, flaw.block)),
        None => found,
    };
    Finding { kind: flaw.says.kind(), at: flaw.at, subject: flaw.subject, block: flaw.block, found, expected }
}

/// A late start in words.
pub(super) fn remark(facts: &Facts, names: &Names, late: &Late) -> Remark {
    let subject = facts.ops[late.op].subject;
    let place = match subject {
        Subject::Kernel(_) => "there was room for it on a multiprocessor",
        Subject::Copy(_) => "its engine was free",
    };
    let text = format!("{} started {} after {place}", who(names, subject, late.block), late.late);
    Remark { at: late.at, subject, block: late.block, late: late.late, text }
}

/// `block 3 of K2`, `K2`.
fn who(names: &Names, subject: Subject, block: Option<u32>) -> String {
    match (subject, block) {
        (Subject::Kernel(run), Some(block)) => format!("block {block} of {}", names.kernel(run)),
        _ => names.subject(subject),
    }
}

fn found_and_expected(facts: &Facts, names: &Names, fault: &Fault, who: &str) -> (String, String) {
    let name = |op: usize| names.subject(facts.ops[op].subject);
    match &fault.why {
        Why::BeforeCall(issued) => (
            format!("{who} starts at {}, before the call was made", fault.at),
            format!("a start from {issued} on"),
        ),
        Why::Before { whom, until } => {
            let other = name(*whom);
            (
                format!("{who} starts at {}, before {other} has ended", fault.at),
                format!("a start from {until} on, when {other} ended"),
            )
        }
        Why::SeenIdle(seen) => {
            let what = format!("{who} still runs, to {}, after the host saw its stream idle", fault.at);
            (what, format!("an end by {seen}"))
        }
        Why::Overtakes { whom, until } => {
            let other = name(*whom);
            let who = format!("{who} starts at {},", fault.at);
            let found = match fault.rule {
                Rule::A2 => format!("{who} while {other}, of higher priority, has blocks to start"),
                Rule::C3 => format!("{who} before {other}, which was queued before it"),
                _ => format!("{who} while {other}, queued before it, has blocks to start"),
            };
            let last = if fault.rule == Rule::C3 { "" } else { "the last of " };
            (found, format!("a start from {until} on, when {last}{other} started"))
        }
        Why::Busy { with, until } => {
            let other = name(*with);
            (
                format!("{who} starts while its engine is busy with {other}"),
                format!("a start from {until} on"),
            )
        }
        Why::Lacks { sm, resource, free, need } => (
            format!("{who} starts on SM {sm}, which has {} free", resource.counted(*free)),
            format!("{} free", resource.counted(*need)),
        ),
        Why::KeptAway(sm) => {
            (format!("{who} starts on SM {sm}, which its kernel is kept away from"), allowed(facts, fault.op))
        }
        Why::OtherProcess(None) => (
            format!("{who} runs while its process does not have the device"),
            "one process at a time".to_owned(),
        ),
        Why::OtherProcess(Some(process)) => (
            format!("{who} starts while blocks of process {process} run"),
            "one process at a time".to_owned(),
        ),
    }
}

/// The SMs that a kernel may use.
fn allowed(facts: &Facts, op: usize) -> String {
    let Some((_, kernel)) = facts.kernel(&facts.ops[op]) else { return "another one".to_owned() };
    let sms: Vec<u16> = kernel.mask.below(facts.setup.device.sms).collect();
    match sms.as_slice() {
        [] => "none: its mask leaves it no SM".to_owned(),
        [one] => format!("SM {one}"),
        [first, .., last] if usize::from(last - first) + 1 == sms.len() => format!("SM {first} to SM {last}"),
        several => format!("one of SM {}", several.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")),
    }
}
