//! What a thread did before a late launch, nanosecond by nanosecond.

use super::Naive;
use crate::account::Scope;
use crate::cause::Cause;
use crate::order::NONE;

impl Naive<'_> {
    /// Whether the thread that launched what ends the idle stretch around a nanosecond was then in any call; and that
    /// operation.
    pub fn called(&self, scope: Scope, time: i64) -> Option<(u32, bool)> {
        let next = self.ended_by(scope, time)?;
        let launch = self.0.operations[next as usize].call.map(|call| &self.0.calls[call as usize]);
        let thread = launch.map(|launch| launch.thread);
        let within =
            self.0.calls.iter().any(|own| Some(own.thread) == thread && own.start <= time && time < own.end);
        Some((next, within))
    }

    /// The outermost call around one: that of the call in which it began, unless it ends later.
    fn outermost(&self, call: u32) -> u32 {
        let own = &self.0.calls[call as usize];
        let others = (0..call).filter(|&other| self.0.calls[other as usize].thread == own.thread);
        let began_in = others.filter(|&other| self.0.calls[other as usize].end > own.start).max();
        let found = began_in.map(|around| self.outermost(around));
        found.filter(|&found| own.end <= self.0.calls[found as usize].end).unwrap_or(call)
    }

    /// What the thread of a late launch did most of the time before it, nanosecond by nanosecond: the call, or none for
    /// no call; how long; of how long; and the last wait.
    pub fn did(&self, operation: u32) -> (Option<u32>, u64, u64, Option<u32>) {
        let (trace, device) =
            (self.0, self.0.streams[self.0.operations[operation as usize].stream as usize].device);
        let launch = &trace.calls[trace.operations[operation as usize].call.unwrap() as usize];
        let mine = |call: &u32| trace.calls[*call as usize].thread == launch.thread;
        let calls: Vec<u32> = (0..trace.calls.len() as u32).filter(mine).collect();
        let own = |call: u32| &trace.calls[call as usize];
        let by = |time: &i64| *time <= launch.start;
        let known = self.known(operation).into_iter().filter(|known| known.0 != Cause::Launch);
        let since = known.map(|known| known.1).filter(by).max();
        let here = self.all().filter(|&one| self.in_scope(Scope::Device(device), one));
        let since = since.or_else(|| here.map(|one| self.end(one)).filter(by).max());
        let since = since.unwrap_or_else(|| calls.iter().map(|&call| own(call).start).min().unwrap());
        let really = |call: u32| {
            let waited = self.waited(call as usize);
            waited != NONE && self.end(waited) > own(call).start
        };
        let mut marks: Vec<(Option<u32>, u64, i64)> = Vec::new();
        let mut wait = None;
        for time in since..launch.start {
            let open = |call: &&u32| own(**call).start <= time && time < own(**call).end;
            let named = calls.iter().rfind(open).map(|&innermost| {
                let within = self.owner(innermost);
                let outermost = self.outermost(within);
                if really(within) && !really(outermost) { within } else { outermost }
            });
            wait = named.filter(|&named| really(named)).or(wait);
            match marks.iter_mut().find(|mark| mark.0 == named) {
                Some(mark) => (mark.1, mark.2) = (mark.1 + 1, time),
                None => marks.push((named, 1, time)),
            }
        }
        let most = marks.into_iter().max_by_key(|mark| (mark.1, mark.2)).unwrap_or((None, 0, 0));
        (most.0, most.1, launch.start.abs_diff(since), wait)
    }
}
