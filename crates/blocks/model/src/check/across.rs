//! What the null stream and the blocking streams of a process wait for of each other (N1, N2).
//!
//! Each waits for those issued before it. Of two issued within the tolerance nobody knows which was: neither breaks
//! a rule by not waiting, and neither is surely let in before the other has ended.

use super::facts::Facts;
use super::streams::Ends;
use crate::rule::Rule;
use crate::workload::StreamKind;
use base::Nanos;

/// Ends of the operations of the null stream, or of the blocking streams, of a process.
#[derive(Default)]
struct Class {
    /// By when each surely was issued: the latest end so far, and whose.
    sure: Vec<(Nanos, Ends)>,
    /// By when each may have been issued: the latest possible end so far.
    possible: Vec<(Nanos, Nanos)>,
}

/// Both classes of each process.
pub(super) struct Across {
    null: Vec<Class>,
    blocking: Vec<Class>,
}

impl Across {
    /// Looks at all operations, with the ends they have for others.
    pub fn new(facts: &Facts, ends: &[(Nanos, Nanos)]) -> Self {
        let classes = || (0..facts.processes.len()).map(|_| Class::default()).collect();
        let (mut null, mut blocking): (Vec<Class>, Vec<Class>) = (classes(), classes());
        for (i, op) in facts.ops.iter().enumerate() {
            let class = match facts.stream(op).kind {
                StreamKind::Null => &mut null[op.process],
                StreamKind::Blocking => &mut blocking[op.process],
                StreamKind::NonBlocking => continue,
            };
            let mut end = Ends::default();
            end.take(ends[i], i);
            class.sure.push((called(facts, i).1, end));
            class.possible.push((called(facts, i).0, ends[i].1));
        }
        null.iter_mut().chain(&mut blocking).for_each(Class::accumulate);
        Self { null, blocking }
    }

    /// What an operation waits for across streams, and the rule that says so.
    pub fn before(&self, facts: &Facts, i: usize) -> (Rule, Ends) {
        let op = &facts.ops[i];
        let (rule, class) = match facts.stream(op).kind {
            StreamKind::Null => (Rule::N1, &self.blocking[op.process]),
            StreamKind::Blocking => (Rule::N2, &self.null[op.process]),
            StreamKind::NonBlocking => return (Rule::N2, Ends::default()),
        };
        let ((from, to), tolerance) = (called(facts, i), facts.config.tolerance);
        let sure = class.sure.partition_point(|(at, _)| *at + tolerance < from);
        let mut ends = sure.checked_sub(1).map_or(Ends::default(), |last| class.sure[last].1);
        let possible = class.possible.partition_point(|(at, _)| *at <= to + tolerance);
        ends.latest = possible.checked_sub(1).map_or(Nanos::ZERO, |last| class.possible[last].1);
        (rule, ends)
    }
}

/// When an operation was issued: its number, where the order of numbers is the order of issue.
fn called(facts: &Facts, i: usize) -> (Nanos, Nanos) {
    if facts.is_exact() { (Nanos(i as u64), Nanos(i as u64)) } else { facts.ops[i].issued }
}

impl Class {
    fn accumulate(&mut self) {
        base::sort::sort_by_key(&mut self.sure, |(at, _)| *at);
        base::sort::sort_by_key(&mut self.possible, |(at, _)| *at);
        for i in 1..self.sure.len() {
            let before = self.sure[i - 1].1;
            self.sure[i].1.take_all(before);
            self.possible[i].1 = self.possible[i].1.max(self.possible[i - 1].1);
        }
    }
}
