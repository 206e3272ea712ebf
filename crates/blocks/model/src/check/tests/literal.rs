//! The rules read literally, every pair of things compared, all times exact: the slow twin of the check.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::Subject;
use crate::resources::Resources;
use crate::{BlockRun, OpId, Setup, StreamKind, Trace};
use base::Nanos;

/// What comes first of two things at one instant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ties {
    /// What the order of issue says.
    Count,
    /// Either.
    Free,
}

/// An operation.
#[derive(Clone)]
struct Op {
    id: OpId,
    subject: Subject,
    stream: usize,
    issued: Nanos,
    start: Nanos,
    dispatched: Nanos,
    end: Nanos,
    /// When it gets to the head and is let in, at the earliest and at the latest.
    entered: (Nanos, Nanos),
}

/// Who breaks a rule by when it starts: launches and copies that start too early, and all
/// blocks and copies that overtake. Ties of one instant count only if asked for, and nothing is at once begun and
/// ended in it.
pub(super) fn mistimed(setup: &Setup, trace: &Trace, ties: Ties) -> BTreeSet<(Subject, Option<u32>)> {
    let ops = ops(setup, trace, ties);
    let twice = |at: Nanos| {
        ties == Ties::Free
            || trace.blocks.iter().any(|block| block.start == block.end && block.end == at)
            || trace.copies.iter().any(|copy| copy.start == copy.end && copy.end == at)
    };
    let before = |a: &Op, b: &Op| {
        a.entered.1 < b.entered.0 || a.entered == b.entered && a.id < b.id && !twice(a.entered.0)
    };
    let early = |op: &Op| op.start < op.entered.0;
    let mut found = BTreeSet::new();
    for op in &ops {
        if early(op) {
            found.insert((op.subject, None));
        }
        for (block, start) in starts(trace, op).into_iter().filter(|(_, start)| *start >= op.entered.0) {
            let overtakes = ops.iter().any(|other| {
                let queued = start < other.dispatched;
                let order = match queue(setup, trace, op).cmp(&queue(setup, trace, other)) {
                    // Where one that started too early stands in its queue is not known.
                    Ordering::Equal if early(op) => op.start >= op.issued && other.entered.1 < op.issued,
                    Ordering::Equal => {
                        before(other, op) && !(early(other) && other.entered.1 == op.entered.0)
                    }
                    Ordering::Less => false,
                    Ordering::Greater => {
                        is_more_urgent(setup, trace, other, op)
                            && (other.entered.1 < start || other.entered.1 == start && !twice(start))
                    }
                };
                queued && order
            });
            if overtakes {
                found.insert((op.subject, block));
            }
        }
    }
    found
}

/// Whether any SM ever holds more than it can, or a block that may not be there.
pub(super) fn misplaced(setup: &Setup, trace: &Trace) -> bool {
    let whole = Resources::of_sm(&setup.device);
    let blocks: Vec<(u32, Resources, bool, BlockRun)> = trace
        .kernels
        .iter()
        .flat_map(|run| {
            let kernel = &setup.kernels[run.kernel];
            let process = setup.streams[run.stream].process;
            let need = Resources::of_block(&setup.device, kernel);
            trace.blocks[run.blocks.clone()]
                .iter()
                .map(move |block| (process, need, kernel.mask.has(block.sm), *block))
        })
        .collect();
    blocks.iter().any(|(process, need, allowed, block)| {
        let others = blocks.iter().filter(|(theirs, _, _, other)| {
            let with =
                if block.start == block.end { other.start < block.start } else { other.start <= block.start };
            theirs == process && other.sm == block.sm && with && other.end > block.start
        });
        let used = others.fold(Resources::default(), |used, (_, need, ..)| used.plus(*need));
        let used = if block.start == block.end { used.plus(*need) } else { used };
        !allowed || whole.lacks(used).is_some()
    })
}

/// Whether two copies ever share an engine.
pub(super) fn crowded(trace: &Trace) -> bool {
    trace.copies.iter().enumerate().any(|(i, copy)| {
        trace.copies.iter().enumerate().any(|(j, other)| {
            let inside = other.start <= copy.start && copy.start < other.end;
            let together = copy.start < copy.end || other.start < copy.start;
            i != j && copy.engine == other.engine && inside && together
        })
    })
}

fn ops(setup: &Setup, trace: &Trace, ties: Ties) -> Vec<Op> {
    let entered = (Nanos::ZERO, Nanos::ZERO);
    let kernels = trace.kernels.iter().enumerate().map(|(run, launch)| {
        let blocks = &trace.blocks[launch.blocks.clone()];
        let start = blocks.iter().map(|block| block.start).min().unwrap_or_default();
        let dispatched = blocks.iter().map(|block| block.start).max().unwrap_or_default();
        let end = blocks.iter().map(|block| block.end).max().unwrap_or_default();
        let (id, stream, issued) = (launch.op, launch.stream, launch.launched);
        Op { id, subject: Subject::Kernel(run), stream, issued, start, dispatched, end, entered }
    });
    let copies = trace.copies.iter().enumerate().map(|(run, copy)| Op {
        id: copy.op,
        subject: Subject::Copy(run),
        stream: copy.stream,
        issued: copy.issued,
        start: copy.start,
        dispatched: copy.start,
        end: copy.end,
        entered,
    });
    let mut ops: Vec<Op> = kernels.chain(copies).collect();
    ops.sort_by_key(|op| op.id);
    let entered: Vec<(Nanos, Nanos)> = ops.iter().map(|op| entered_of(setup, &ops, op, ties)).collect();
    ops.iter_mut().zip(entered).for_each(|(op, entered)| op.entered = entered);
    ops
}

/// When all has ended that it waits for: for sure, and where the order of issue is not known, possibly.
fn entered_of(setup: &Setup, ops: &[Op], op: &Op, ties: Ties) -> (Nanos, Nanos) {
    let own = &setup.streams[op.stream];
    let across = |other: &Op| {
        let theirs = &setup.streams[other.stream];
        let across = [(StreamKind::Null, StreamKind::Blocking), (StreamKind::Blocking, StreamKind::Null)];
        own.process == theirs.process && across.contains(&(own.kind, theirs.kind))
    };
    let same = |other: &Op| other.stream == op.stream && other.id < op.id;
    let (mut sure, mut possible) = (op.issued, op.issued);
    for other in ops {
        let (before, maybe) = match ties {
            Ties::Count => (other.id < op.id, other.id < op.id),
            Ties::Free => (other.issued < op.issued, other.issued <= op.issued),
        };
        if same(other) || across(other) && before {
            sure = sure.max(other.end);
        }
        if same(other) || across(other) && maybe {
            possible = possible.max(other.end);
        }
    }
    // What has started has entered its queue.
    (sure, if op.start < sure { possible } else { possible.min(op.start) })
}

/// Its EE or CE queue.
fn queue(setup: &Setup, trace: &Trace, op: &Op) -> (u8, u32, i32) {
    let stream = &setup.streams[op.stream];
    match op.subject {
        Subject::Kernel(_) => (0, stream.process, stream.priority),
        Subject::Copy(run) => (1, 0, i32::from(trace.copies[run].engine)),
    }
}

fn is_more_urgent(setup: &Setup, trace: &Trace, a: &Op, b: &Op) -> bool {
    let (a, b) = (queue(setup, trace, a), queue(setup, trace, b));
    a.0 == 0 && b.0 == 0 && a.1 == b.1 && a.2 < b.2
}

fn starts(trace: &Trace, op: &Op) -> Vec<(Option<u32>, Nanos)> {
    match op.subject {
        Subject::Copy(_) => vec![(None, op.start)],
        Subject::Kernel(run) => {
            let blocks = trace.blocks[trace.kernels[run].blocks.clone()].iter();
            (0..).zip(blocks).map(|(number, block)| (Some(number), block.start)).collect()
        }
    }
}
