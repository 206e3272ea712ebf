//! Null streams and the blocking streams that each of them waits for.

use std::collections::BTreeMap;

use crate::trace::{StreamKind, Trace};

/// The null streams and the blocking streams of one context on one device.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Group {
    /// Null streams, by their places.
    pub nulls: Vec<u32>,
    /// Blocking streams, by their places.
    pub blocking: Vec<u32>,
}

/// All groups that have both, in order of device, process and context.
pub fn groups(trace: &Trace) -> Vec<Group> {
    let mut groups: BTreeMap<(u32, i64, i64), Group> = BTreeMap::new();
    for (stream, own) in trace.streams.iter().zip(0..) {
        let group = (stream.device, stream.process, stream.context);
        match stream.kind {
            StreamKind::Null => groups.entry(group).or_default().nulls.push(own),
            StreamKind::Blocking => groups.entry(group).or_default().blocking.push(own),
            StreamKind::Unknown | StreamKind::NonBlocking => {}
        }
    }
    groups.into_values().filter(|group| !group.nulls.is_empty() && !group.blocking.is_empty()).collect()
}

/// By null stream: the blocking streams for which it waits.
pub fn blocking(groups: &[Group]) -> BTreeMap<u32, &[u32]> {
    let of = |group: &'_ Group| group.nulls.clone();
    groups.iter().flat_map(|group| of(group).into_iter().map(|null| (null, &group.blocking[..]))).collect()
}
