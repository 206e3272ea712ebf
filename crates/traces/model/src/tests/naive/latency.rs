//! The twin's latencies: what passed between queued operations and after launches, sample by sample.

use super::{Known, Naive};
use crate::account::Scope;
use crate::cause::Cause;
use crate::trace::{Does, Kind};

impl Naive<'_> {
    /// The 99th percentile of what passed between queued operations, of each device: before copies, before kernels; and of
    /// what passed after launches.
    pub fn latency(&self) -> Vec<[u64; 4]> {
        let devices = 0..self.0.devices.len() as u32;
        let queued = |device| [false, true].map(|kernels| self.latency_of(device, kernels));
        let launched = |device| [false, true].map(|kernels| self.launched(device, kernels));
        devices
            .map(|device| {
                let ([copies, kernels], [after_copies, after_kernels]) = (queued(device), launched(device));
                [copies, kernels, after_copies, after_kernels]
            })
            .collect()
    }

    /// What may be blamed for the start of an operation: no engine where a copy began as soon as launches alone let one.
    pub fn blamed(&self, operation: u32) -> Vec<Known> {
        let mut known = self.known(operation);
        if known.iter().all(|known| known.0 != Cause::CopyEngine) {
            return known;
        }
        let call = self.calls(operation).map(|call| call.0);
        let soonest =
            self.soonest(self.0.streams[self.0.operations[operation as usize].stream as usize].device);
        let since = call.map(|call| self.0.operations[operation as usize].start - call);
        if since.zip(soonest).is_some_and(|(since, soonest)| since <= soonest) {
            known.retain(|known| known.0 != Cause::CopyEngine);
        }
        known
    }

    /// How soon after its launch a copy ever began that only its launch held back; without any, anything else.
    fn soonest(&self, device: u32) -> Option<i64> {
        let mine = self.all().filter(|&own| self.in_scope(Scope::Device(device), own));
        let times = mine.filter_map(|own| {
            let (time, call) = (self.0.operations[own as usize].start, self.calls(own)?.0);
            let latest = self.known(own).iter().all(|known| known.1 <= call);
            (latest && call <= time).then_some((self.line(own).is_none(), time - call))
        });
        times.min().map(|found| found.1)
    }

    fn launched(&self, device: u32, kernels: bool) -> u64 {
        let mine: Vec<u32> = self.all().filter(|&own| self.in_scope(Scope::Device(device), own)).collect();
        let samples = mine.iter().filter_map(|&own| {
            let (ran, call) = (&self.0.operations[own as usize], self.calls(own)?);
            let busy = mine.iter().any(|&other| other < own && self.end(other) > call.0);
            let waits = self.0.calls[ran.call? as usize].does == Does::AwaitOperation(own);
            let alone = self.blamed(own).iter().all(|known| known.1 <= call.0);
            let kind = matches!(ran.kind, Kind::Kernel(_)) == kernels;
            let plain = kind && !busy && !waits && alone && !ran.graph_node && call.0 <= ran.start;
            plain.then(|| (ran.start - call.1).max(0).unsigned_abs())
        });
        Self::percentile(samples.collect(), 10)
    }

    fn latency_of(&self, device: u32, kernels: bool) -> u64 {
        let mine: Vec<u32> = self.all().filter(|&own| self.in_scope(Scope::Device(device), own)).collect();
        let (mut plain, mut nodes) = (Vec::new(), Vec::new());
        for &operation in &mine {
            let start = self.0.operations[operation as usize].start;
            if matches!(self.0.operations[operation as usize].kind, Kind::Kernel(_)) != kernels {
                continue;
            }
            let known = self.blamed(operation);
            let latest = known.iter().map(|known| known.1).max();
            let cause = known.iter().filter(|known| Some(known.1) == latest).map(|known| known.0).min();
            let (Some(latest), Some(call)) = (latest, self.calls(operation)) else { continue };
            let idle = mine.iter().filter(|&&other| other < operation).map(|&other| self.end(other)).max();
            if cause == Some(Cause::Stream) && call.1 <= latest && idle == Some(latest) && latest <= start {
                let first = self.before(operation).0;
                let after =
                    known.iter().rev().find(|known| known.0 == Cause::Stream && known.1 == latest).unwrap();
                let node = after.2 >= first;
                if node { nodes.push(start - latest) } else { plain.push(start - latest) }
            }
        }
        let samples: Vec<i64> = if plain.is_empty() { nodes } else { plain };
        Self::percentile(samples.into_iter().map(i64::unsigned_abs).collect(), 0)
    }

    fn percentile(mut samples: Vec<u64>, fewest: usize) -> u64 {
        samples.sort_unstable();
        let Some(&short) = samples.get(samples.len().div_ceil(10).saturating_sub(1)) else { return 0 };
        samples.retain(|&sample| sample <= 20 * short.max(1_000));
        if samples.len() < fewest {
            return 0;
        }
        samples.pop();
        let rank = (samples.len() as f64 * 0.99).ceil() as usize;
        samples.get(rank.saturating_sub(1)).copied().unwrap_or(0)
    }
}
