//! The order of operations within streams, and what is certain about when each was put there.
//!
//! 1. A stream's operations are in the order of their starts, which is the order in which they were launched.
//! 2. An operation was put into its stream no earlier than its own call or that of any operation before it began, and no
//!    later than its own call or that of any operation after it returned: `from` and `by`. Both never fall along a
//!    stream. Of two operations, one was certainly put before the other where its `by` is at most the other's `from`.
//! 3. Operations next to each other in a stream which are nodes of one graph launch are a batch. Their order is unknown.
//!
//! Invariant: a place is an index into `sequence`, in which the streams lie one after the other.

use std::ops::Range;

use crate::trace::Trace;

/// No place at all.
pub const NONE: u32 = u32::MAX;

/// The operations, stream by stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Operations by place.
    pub sequence: Vec<u32>,
    /// The first place of each stream, and the number of places.
    pub first: Vec<u32>,
    /// The place of each operation.
    pub place: Vec<u32>,
    /// The stream of each operation.
    pub stream: Vec<u32>,
    /// By place: since when at the earliest the operation can have been in its stream.
    pub from: Vec<i64>,
    /// By place: since when at the latest it was.
    pub by: Vec<i64>,
    /// By place: of the operations of the stream up to here, the one that ended last; the later of two.
    pub last: Vec<u32>,
    /// By place: the first place of its batch.
    pub batch: Vec<u32>,
}

impl Order {
    /// As recorded.
    pub fn of(trace: &Trace) -> Self {
        let streams: Vec<u32> = trace.operations.iter().map(|operation| operation.stream).collect();
        let (sequence, first) = by_stream(0..narrow(trace.operations.len()), &streams, trace.streams.len());
        Self::with(trace, streams, sequence, first)
    }

    /// With operations moved to other streams: `streams` says for each where it is. Those that come together in a stream
    /// are in the order in which they were launched.
    pub fn moved(&self, trace: &Trace, streams: &[u32]) -> Self {
        let mut launched = vec![0; self.sequence.len()];
        for stream in 0..trace.streams.len() {
            let mut latest = i64::MIN;
            for &operation in self.of_stream(stream) {
                let own = &trace.operations[operation as usize];
                latest = latest.max(own.call.map_or(own.start, |call| trace.calls[call as usize].start));
                launched[operation as usize] = latest;
            }
        }
        let mut all: Vec<u32> = (0..narrow(trace.operations.len())).collect();
        all.sort_by_key(|&operation| (launched[operation as usize], operation));
        // Where nothing comes together the recorded order stays, also that of calls which contradict it.
        let mut from: Vec<u32> = vec![NONE; trace.streams.len()];
        let mut mixed = vec![false; trace.streams.len()];
        for (operation, &stream) in trace.operations.iter().zip(streams) {
            let source = &mut from[stream as usize];
            mixed[stream as usize] |= *source != NONE && *source != operation.stream;
            *source = operation.stream;
        }
        let (mut sequence, first) = by_stream(all.into_iter(), streams, trace.streams.len());
        for (stream, _) in mixed.iter().enumerate().filter(|(_, mixed)| !**mixed) {
            sequence[first[stream] as usize..first[stream + 1] as usize].sort_unstable();
        }
        Self::with(trace, streams.to_vec(), sequence, first)
    }

    fn with(trace: &Trace, stream: Vec<u32>, sequence: Vec<u32>, first: Vec<u32>) -> Self {
        let count = sequence.len();
        let mut order = Self {
            place: vec![0; count],
            stream,
            from: vec![i64::MIN; count],
            by: vec![i64::MAX; count],
            last: sequence.clone(),
            batch: (0..narrow(count)).collect(),
            sequence,
            first,
        };
        for place in 0..count {
            order.place[order.sequence[place] as usize] = narrow(place);
        }
        for stream in 0..order.first.len() - 1 {
            order.walk(trace, order.first[stream] as usize, order.first[stream + 1] as usize);
        }
        order
    }

    /// Fills in what is told by walking one stream from front to back, and from back to front.
    fn walk(&mut self, trace: &Trace, from: usize, to: usize) {
        let (mut since, mut node, mut ended) = (i64::MIN, None, (i64::MIN, NONE));
        for place in from..to {
            let operation = self.sequence[place];
            let own = &trace.operations[operation as usize];
            if let Some(call) = own.call.map(|call| &trace.calls[call as usize]) {
                since = since.max(call.start);
                self.by[place] = call.end;
            }
            self.from[place] = since;
            if place == from || ended.0 <= own.end {
                ended = (own.end, operation);
            }
            self.last[place] = ended.1;
            // Nodes of one launch of a graph have its call.
            let own_node = own.call.filter(|_| own.graph_node);
            if own_node.is_some() && own_node == node {
                self.batch[place] = self.batch[place - 1];
            }
            node = own_node;
        }
        let mut by = i64::MAX;
        for own in self.by[from..to].iter_mut().rev() {
            by = by.min(*own);
            *own = by;
        }
    }

    /// The operations of a stream, in order.
    pub fn of_stream(&self, stream: usize) -> &[u32] {
        &self.sequence[self.first[stream] as usize..self.first[stream + 1] as usize]
    }

    /// The last place of a stream that was certainly put there by a time.
    pub fn put_by(&self, stream: u32, time: i64) -> Option<u32> {
        let (from, to) = (self.first[stream as usize], self.first[stream as usize + 1]);
        let count = self.by[from as usize..to as usize].partition_point(|&by| by <= time);
        // What was never certainly put there has the last time of all.
        let count = if time == i64::MAX { self.known(stream as usize).len() } else { count };
        (count > 0).then(|| from + narrow(count) - 1)
    }

    /// The places of a stream up to the last that has a call: those of which it is known by when they were put there.
    pub(crate) fn known(&self, stream: usize) -> Range<usize> {
        let (from, to) = (self.first[stream] as usize, self.first[stream + 1] as usize);
        from..from + self.by[from..to].partition_point(|&by| by < i64::MAX)
    }

    /// The end of everything in a stream up to a place.
    pub fn done(&self, trace: &Trace, place: u32) -> i64 {
        trace.operations[self.last[place as usize] as usize].end
    }

    /// The first place of the stream that a place lies in.
    pub fn begin(&self, trace_stream: u32) -> u32 {
        self.first[trace_stream as usize]
    }
}

/// Operations stream by stream, keeping their order; and where each stream begins.
fn by_stream(all: impl Iterator<Item = u32>, streams: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; count + 1];
    for &stream in streams {
        first[stream as usize + 1] += 1;
    }
    for stream in 0..count {
        first[stream + 1] += first[stream];
    }
    let (mut next, mut sequence) = (first.clone(), vec![0; streams.len()]);
    for operation in all {
        let place = &mut next[streams[operation as usize] as usize];
        sequence[*place as usize] = operation;
        *place += 1;
    }
    (sequence, first)
}

/// A number of things as 32 bits: no list here is longer.
pub fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(NONE)
}
