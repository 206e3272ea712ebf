//! Which process operations are of, where the file does not say: by the numbers of their calls.
//!
//! 1. A context is of one process: that which has calls for all its operations. If several have, it is not known.
//! 2. If none has, contexts of several processes look alike: then each operation is of the only process that has a call
//!    for it, or it is not known. Their streams are told apart.
//!
//! Invariant: what is not known stays so, and no call is tied to it.

use super::{Draft, Joins, UNKNOWN};
use std::collections::{BTreeMap, BTreeSet};

impl Joins {
    /// Gives streams of an unknown process their process, by the number of the call of every operation.
    pub fn tell_processes(&self, draft: &mut Draft, numbers: &[Option<i64>]) {
        let processes: BTreeSet<i64> = draft.threads.iter().map(|thread| thread.process).collect();
        if processes.len() < 2 {
            let only = processes.first().copied().unwrap_or(0);
            let unknown = draft.streams.iter_mut().filter(|stream| stream.process == UNKNOWN);
            return unknown.for_each(|stream| stream.process = only);
        }
        // For each operation the processes that can have launched it; none where none can.
        let able: Vec<BTreeSet<i64>> = (draft.operations.iter().zip(numbers))
            .map(|(own, number)| {
                let unknown =
                    draft.streams.get(own.stream as usize).is_some_and(|own| own.process == UNKNOWN);
                let Some(number) = number.filter(|&number| unknown && number != 0) else {
                    return BTreeSet::new();
                };
                let able = |process: &&i64| self.launched(draft, **process, number, own.start);
                processes.iter().filter(able).copied().collect()
            })
            .collect();
        let context = |stream: u32| draft.streams.get(stream as usize).map(|own| (own.device, own.context));
        let mut shared: BTreeMap<Option<(u32, i64)>, BTreeSet<i64>> = BTreeMap::new();
        for (own, able) in draft.operations.iter().zip(&able).filter(|(_, able)| !able.is_empty()) {
            shared
                .entry(context(own.stream))
                .and_modify(|all| all.retain(|one| able.contains(one)))
                .or_insert_with(|| able.clone());
        }
        let only = |all: &BTreeSet<i64>| all.first().copied().filter(|_| all.len() == 1);
        let told: Vec<i64> = (draft.operations.iter().zip(&able))
            .map(|(own, able)| match shared.get(&context(own.stream)) {
                Some(all) if all.is_empty() => only(able).unwrap_or(UNKNOWN),
                Some(all) => only(all).unwrap_or(UNKNOWN),
                None => UNKNOWN,
            })
            .collect();
        draft.tell_apart(&told);
    }
}

impl Draft {
    /// Gives streams of an unknown process those of their operations; one with several becomes several.
    fn tell_apart(&mut self, processes: &[i64]) {
        let unknown: Vec<bool> = self.streams.iter().map(|stream| stream.process == UNKNOWN).collect();
        let mut places: BTreeMap<(u32, i64), u32> = BTreeMap::new();
        let mut first = BTreeSet::new();
        let Self { operations, streams, .. } = self;
        for (own, &process) in operations.iter_mut().zip(processes) {
            let old = own.stream;
            if !unknown.get(old as usize).is_some_and(|unknown| *unknown) {
                continue;
            }
            own.stream = *places.entry((old, process)).or_insert_with(|| {
                if first.insert(old) {
                    if let Some(stream) = streams.get_mut(old as usize) {
                        stream.process = process;
                    }
                    return old;
                }
                let stream = streams.get(old as usize).cloned().unwrap_or_default();
                streams.push(traces::trace::Stream { process, ..stream });
                super::place(streams.len() - 1)
            });
        }
    }
}
