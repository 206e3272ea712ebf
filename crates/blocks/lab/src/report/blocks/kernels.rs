//! Launches, copies and decisions as a report lists them.

use std::collections::BTreeMap;

use super::{CopyReport, KernelReport, StreamReport};
use blocks::{
    Decision, Direction, Hold, Kernel, Mask, OpId, Rule, Setup, StreamKind, Subject, Trace, Verdict,
};

/// The most decisions a report lists.
const MOST_DECISIONS: usize = 20_000;

/// What operations are called, in reasons.
pub struct Named<'a> {
    setup: &'a Setup,
    trace: &'a Trace,
}

impl<'a> Named<'a> {
    /// The operations of a run.
    pub fn new(setup: &'a Setup, trace: &'a Trace) -> Self {
        Self { setup, trace }
    }

    /// The label of an operation.
    pub fn label(&self, op: OpId) -> String {
        let found = match self.trace.subject(op) {
            Some(Subject::Kernel(at)) => {
                self.setup.kernels.get(self.trace.kernels[at].kernel).map(|k| &k.label)
            }
            Some(Subject::Copy(at)) => {
                self.setup.copies.get(self.trace.copies[at].copy).map(|copy| &copy.label)
            }
            None => None,
        };
        found.cloned().unwrap_or_else(|| format!("operation {}", op.0))
    }

    /// The rule that holds an operation.
    fn rule(&self, op: OpId, hold: Hold) -> &'static str {
        let rule = if self.is_copy(op) { hold.rule_of_copy() } else { hold.rule() };
        rule.name()
    }

    /// The same, with the rule.
    pub fn reason_by_rule(&self, op: OpId, hold: Hold) -> String {
        format!("{} ({})", self.reason(hold), self.rule(op, hold))
    }

    fn is_copy(&self, op: OpId) -> bool {
        matches!(self.trace.subject(op), Some(Subject::Copy(_)))
    }

    /// Why an operation waits, in a few words.
    pub fn reason(&self, hold: Hold) -> String {
        match hold {
            Hold::Behind(op) => format!("{} is before it in its stream", self.label(op)),
            Hold::NullWaits(op) => format!("the null stream waits for {}", self.label(op)),
            Hold::WaitsForNull(op) => format!("{} of the null stream has not ended", self.label(op)),
            Hold::NotHead(op) => format!("{} is before it in the queue", self.label(op)),
            Hold::Urgent(op) => format!("{} is more urgent", self.label(op)),
            Hold::Process(process) => format!("process {process} has the device"),
            Hold::Threads => "too few threads free".to_owned(),
            Hold::SharedMemory => "too little shared memory free".to_owned(),
            Hold::Registers => "too few registers free".to_owned(),
            Hold::BlockLimit => "no room for one more block".to_owned(),
            Hold::Mixed => "every multiprocessor lacks something".to_owned(),
            Hold::Engine(op) => format!("the copy engine is busy with {}", self.label(op)),
        }
    }
}

/// What held an operation back: from, to, rule, why.
type Held = (u64, u64, String, String);

/// The stretches for which each operation was held, for one reason each.
fn held(named: &Named<'_>, decisions: &[Decision]) -> BTreeMap<OpId, Vec<Held>> {
    let mut open: BTreeMap<OpId, (u64, Hold)> = BTreeMap::new();
    let mut all: BTreeMap<OpId, Vec<Held>> = BTreeMap::new();
    for decision in decisions {
        if let Some((from, hold)) = open.remove(&decision.op)
            && from < decision.at.0
        {
            let stretch = (from, decision.at.0, named.rule(decision.op, hold).to_owned(), named.reason(hold));
            all.entry(decision.op).or_default().push(stretch);
        }
        if let Verdict::Held(hold) = decision.verdict {
            open.insert(decision.op, (decision.at.0, hold));
        }
    }
    all
}

/// The launches and copies of a run, with what held them where that is known.
pub fn kernel_reports(
    setup: &Setup,
    trace: &Trace,
    decisions: &[Decision],
) -> (Vec<KernelReport>, Vec<CopyReport>) {
    let mut held = held(&Named::new(setup, trace), decisions);
    let stream = |number: usize| setup.streams.get(number).map_or_else(String::new, |s| s.label.clone());
    let mut kernels = Vec::with_capacity(trace.kernels.len());
    for run in &trace.kernels {
        let Some(kernel) = setup.kernels.get(run.kernel) else { continue };
        let blocks = trace.blocks.get(run.blocks.clone()).unwrap_or_default();
        kernels.push(KernelReport {
            label: kernel.label.clone(),
            stream: stream(run.stream),
            stream_number: run.stream,
            operation: run.op.0,
            round: run.round + 1,
            threads: kernel.threads,
            shared_memory: kernel.shared_memory,
            registers: kernel.registers,
            grid: kernel.blocks,
            deadline: kernel.deadline.map(|nanos| nanos.0),
            sms: masked(kernel, setup.device.sms),
            launched: run.launched.0,
            queued: run.queued.0,
            start: run.start.0,
            dispatched: run.dispatched.0,
            end: run.end.0,
            held: held.remove(&run.op).unwrap_or_default(),
            blocks: blocks.iter().map(|block| (block.sm, block.start.0, block.end.0)).collect(),
        });
    }
    let mut copies = Vec::with_capacity(trace.copies.len());
    for run in &trace.copies {
        let Some(copy) = setup.copies.get(run.copy) else { continue };
        copies.push(CopyReport {
            label: copy.label.clone(),
            stream: stream(run.stream),
            stream_number: run.stream,
            operation: run.op.0,
            round: run.round + 1,
            direction: direction_name(copy.direction).to_owned(),
            bytes: copy.bytes,
            engine: run.engine,
            launched: run.issued.0,
            queued: run.queued.0,
            start: run.start.0,
            end: run.end.0,
            held: held.remove(&run.op).unwrap_or_default(),
        });
    }
    (kernels, copies)
}

/// The multiprocessors a kernel may use, where not all.
fn masked(kernel: &Kernel, sms: u16) -> Option<Vec<u16>> {
    let may: Vec<u16> = kernel.mask.below(sms).collect();
    (kernel.mask != Mask::ALL && may.len() < usize::from(sms)).then_some(may)
}

/// From where to where, as documents and reports write it.
pub fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::In => "in",
        Direction::Out => "out",
        Direction::Within => "within",
        Direction::Set => "set",
    }
}

/// A stream's kind, as documents and reports write it.
pub fn kind_name(kind: StreamKind) -> &'static str {
    match kind {
        StreamKind::Null => "null",
        StreamKind::Blocking => "blocking",
        StreamKind::NonBlocking => "non-blocking",
    }
}

/// The streams of a run.
pub fn stream_reports(setup: &Setup) -> Vec<StreamReport> {
    let report = |stream: &blocks::Stream| StreamReport {
        label: stream.label.clone(),
        priority: stream.priority,
        kind: kind_name(stream.kind).to_owned(),
        process: stream.process,
    };
    setup.streams.iter().map(report).collect()
}

/// Decisions as a report lists them, and how many are left out.
pub fn decision_reports(
    setup: &Setup,
    trace: &Trace,
    decisions: &[Decision],
) -> (Vec<(u64, u32, String, String)>, usize) {
    let named = Named::new(setup, trace);
    let is_copy = |op: OpId| named.is_copy(op);
    let names = |rules: &[Rule]| rules.iter().map(|rule| rule.name()).collect::<Vec<_>>().join(" ");
    let line = |decision: &Decision| {
        let (what, rules) = match decision.verdict {
            Verdict::Issued => ("issued".to_owned(), names(&[Rule::G1])),
            Verdict::Queued if is_copy(decision.op) => ("queued".to_owned(), names(&[Rule::C1])),
            Verdict::Queued => ("queued".to_owned(), names(&[Rule::G2, Rule::A1])),
            Verdict::Held(hold) => {
                (format!("held: {}", named.reason(hold)), named.rule(decision.op, hold).to_owned())
            }
            Verdict::Assigned { first, count } => (
                match count {
                    1 => format!("assigned: block {first}"),
                    _ => format!("assigned: blocks {first} to {}", u64::from(first) + u64::from(count) - 1),
                },
                names(&[Rule::X1, Rule::A2, Rule::R1, Rule::R2, Rule::R3]),
            ),
            Verdict::Dispatched => ("dispatched".to_owned(), names(&[Rule::G3])),
            Verdict::Copying => ("copying".to_owned(), names(&[Rule::C2, Rule::C3])),
            Verdict::Ended if is_copy(decision.op) => ("ended".to_owned(), names(&[Rule::C4])),
            Verdict::Ended => ("ended".to_owned(), names(&[Rule::G4])),
        };
        (decision.at.0, decision.op.0, what, rules)
    };
    let listed: Vec<_> = decisions.iter().take(MOST_DECISIONS).map(line).collect();
    let left_out = decisions.len() - listed.len();
    (listed, left_out)
}
