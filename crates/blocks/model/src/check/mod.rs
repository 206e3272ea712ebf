//! Is a trace what the rules allow? All that is not, in order of time, each fault under the one rule it breaks.
//!
//! Shares no code with the simulator, so that each can be held against the other. Takes simulated and measured
//! runs: with a tolerance, times that close are in the order that breaks no rule, and bounds of times that are not
//! known are taken in the trace's favour, so that what is told is surely broken. Near-linear in the number of
//! blocks. [`SIGHTS`] says for each rule what is looked at.

mod across;
mod config;
mod exact;
mod facts;
mod fault;
mod flaw;
mod late;
mod overtaken;
mod places;
mod processes;
mod queues;
mod sight;
mod streams;
mod verdict;
mod words;

#[cfg(test)]
mod tests;

pub use config::{CheckConfig, CopyTimes, Exactness, MOST, Processes};
pub use sight::{SIGHTS, Sight};
pub use verdict::{Checked, Examined, Finding, FindingKind, Remark, RuleCounts, Violation};

use self::facts::Facts;
use self::fault::Faults;
use super::names::Names;
use super::trace::{Subject, Trace};
use super::workload::Setup;

/// Checks a trace against the rules.
pub fn check(setup: &Setup, trace: &Trace, config: &CheckConfig) -> Checked {
    let mut facts = Facts::new(setup, trace, config);
    let mut faults = Faults::new(trace.blocks.len());
    let entries = streams::entries(&facts, &mut faults);
    processes::apart(&facts, &mut faults);
    queues::urgent(&facts, &entries, &mut faults);
    queues::in_order(&facts, &entries, &mut faults);
    queues::copies(&facts, &entries, &mut faults);
    places::room(&facts, &mut faults);
    let mut late = late::late(&facts, &entries);
    let flaws = exact::disagreements(&facts, &entries, &faults);
    facts.flaws.extend(flaws);

    let mut broken = RuleCounts::default();
    for fault in &faults.list {
        broken.add(fault.rule, 1);
    }
    faults.list.sort_by_key(|fault| (fault.at, fault.op, fault.block, fault.rule));
    faults.overlaps.sort_by_key(|fault| (fault.at, fault.op, fault.block));
    late.sort_by_key(|late| (late.at, late.op, late.block));
    let mut flaws = std::mem::take(&mut facts.flaws);
    flaws.sort_by_key(|flaw| (flaw.at, flaw.subject, flaw.block, flaw.says.kind()));

    let names = Names::new(setup, trace);
    let examined = Examined {
        kernels: facts.ops.iter().filter(|op| matches!(op.subject, Subject::Kernel(_))).count(),
        blocks: facts.by_start.len(),
        copies: facts.ops.iter().filter(|op| matches!(op.subject, Subject::Copy(_))).count(),
        by_rule: faults.examined,
    };
    let (all_findings, all_remarks) = (flaws.len(), late.len());
    let listed = faults.list.iter().take(config.most);
    Checked {
        violations: listed.map(|fault| words::violation(&facts, &names, fault)).collect(),
        findings: flaws.iter().take(config.most).map(|flaw| words::finding(&names, flaw)).collect(),
        remarks: late.iter().take(config.most).map(|late| words::remark(&facts, &names, late)).collect(),
        overlaps: faults.overlaps.iter().map(|fault| words::violation(&facts, &names, fault)).collect(),
        broken,
        all_findings,
        all_remarks,
        examined,
    }
}
