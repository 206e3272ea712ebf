//! The fast way and the twin agree: what holds operations back, what calls waited for, latencies, and every nanosecond.

use super::naive::Naive;
use super::random::{Draw, trace};
use crate::account::{Late, Scope, account, accounts};
use crate::cause::{Cause, Witness};
use crate::causes::Causes;
use crate::chain::{Before, link};
use crate::constraints::After;
use crate::order::NONE;

const TRACES: u64 = 300;

fn operation(witness: Witness) -> u32 {
    match witness {
        Witness::Operation(operation)
        | Witness::Event { operation, .. }
        | Witness::Held { operation, .. } => operation,
        _ => NONE,
    }
}

#[test]
fn what_holds_operations_back() {
    let mut seen = [0; 10];
    for number in 0..TRACES {
        let trace = trace(number);
        let (causes, naive) = (Causes::of(&trace), Naive(&trace));
        for place in 0..trace.operations.len() as u32 {
            let all = causes.constraints.before(place).iter();
            let mut fast: Vec<_> = all
                .map(|one| {
                    (
                        one.cause,
                        causes.time(one.after),
                        operation(one.after.witness(&causes.order, &causes.events)),
                    )
                })
                .collect();
            let mut known = naive.known(place);
            fast.sort_unstable();
            known.sort_unstable();
            assert_eq!(fast, known, "trace {number}, operation {place}");
            let why = causes.why[place as usize];
            let known = naive.blamed(place);
            let latest = known.iter().map(|known| known.1).max();
            let cause = known.iter().filter(|known| Some(known.1) == latest).map(|known| known.0).min();
            assert_eq!((why.earliest, why.cause), (latest, cause.unwrap_or(Cause::Unexplained)));
            let parts = why.launching + why.latency + why.unexplained;
            assert!(parts == why.residual.max(0).unsigned_abs() || why.earliest.is_none(), "trace {number}");
            seen[why.cause as usize] += 1;
        }
    }
    let bound = [
        Cause::Launch,
        Cause::Stream,
        Cause::Event,
        Cause::NullStream,
        Cause::CopyEngine,
        Cause::Room,
        Cause::Process,
    ];
    assert!(bound.iter().all(|&cause| seen[cause as usize] > 0), "{seen:?}");
}

#[test]
fn what_calls_waited_for_and_latencies() {
    for number in 0..TRACES {
        let trace = trace(number);
        let (causes, naive) = (Causes::of(&trace), Naive(&trace));
        for call in 0..trace.calls.len() {
            assert_eq!(causes.waited[call], naive.waited(call), "trace {number}, call {call}");
        }
        let told = |own: &crate::latency::Latencies| {
            [&own.copies, &own.kernels, &own.launched_copies, &own.launched_kernels].map(|own| own.most)
        };
        let latency: Vec<[u64; 4]> = causes.latency.iter().map(told).collect();
        assert_eq!(latency, naive.latency(), "trace {number}");
    }
}

#[test]
fn every_nanosecond_of_every_account() {
    let (mut seen, mut seen_late) = ([0; 10], [0; 3]);
    for number in 0..TRACES {
        let trace = trace(number);
        let (causes, naive) = (Causes::of(&trace), Naive(&trace));
        let latency = naive.latency();
        let mut draw = Draw(base::Seeded::new(number, 8));
        let devices = (0..trace.devices.len() as u32).map(Scope::Device);
        let scopes = devices.chain((0..trace.streams.len() as u32).map(Scope::Stream));
        for scope in scopes.collect::<Vec<_>>() {
            let Some(whole) = account(&causes, scope, None) else { continue };
            let within = (whole.start + draw.time(60), whole.start + draw.time(90));
            let marks: Vec<(i64, Option<Cause>)> = (whole.start..whole.end)
                .map(|time| (time, naive.nanosecond(scope, time, &latency)))
                .collect();
            let late = late(&naive, scope, &marks);
            for within in [None, Some(within)] {
                let Some(account) = account(&causes, scope, within) else { continue };
                let inside = |time: &i64| (account.start..account.end).contains(time);
                let marked: Vec<Option<Cause>> =
                    marks.iter().filter(|mark| inside(&mark.0)).map(|mark| mark.1).collect();
                let count = |cause: Cause| marked.iter().filter(|mark| **mark == Some(cause)).count() as u64;
                let expected = Cause::ALL.map(count);
                assert_eq!(account.causes, expected, "trace {number}, {scope:?}, {within:?}");
                assert_eq!(account.busy, marked.iter().filter(|mark| mark.is_none()).count() as u64);
                assert_eq!(account.busy + account.idle, account.end.abs_diff(account.start));
                assert!(account.only_copies <= account.busy);
                let mut expected = Late::default();
                late.iter().filter(|mark| inside(&mark.0)).for_each(|mark| *mark.1(&mut expected) += 1);
                assert_eq!(account.late, expected, "trace {number}, {scope:?}, {within:?}");
                let Late { waited, called, unrecorded } = account.late;
                assert_eq!(waited + called + unrecorded, account.of(Cause::Launch));
                (0..3).for_each(|did| seen_late[did] += [waited, called, unrecorded][did]);
                assert_eq!(account.only_copies, naive.only_copies(scope, account.start, account.end));
                (0..10).for_each(|cause| seen[cause] += account.causes[cause]);
            }
        }
    }
    // A stream is never idle before the operation that its next one waits for is done.
    assert!(
        Cause::ALL.iter().all(|&cause| (seen[cause as usize] > 0) == (cause != Cause::Stream)),
        "{seen:?}"
    );
    assert!(seen_late.iter().all(|&nanos| nanos > 100), "{seen_late:?}");
}

/// A part of the time by late launches.
type Of = fn(&mut Late) -> &mut u64;

/// Which part of the time by late launches each nanosecond of it belongs to.
fn late(naive: &Naive, scope: Scope, marks: &[(i64, Option<Cause>)]) -> Vec<(i64, Of)> {
    let (mut late, mut had_waited) = (Vec::new(), None);
    for &(time, cause) in marks {
        let Some((next, within)) = naive.called(scope, time) else { continue };
        let part: Of = match within {
            true => |late| &mut late.called,
            false if had_waited == Some(next) => |late| &mut late.waited,
            false => |late| &mut late.unrecorded,
        };
        match cause {
            Some(Cause::HostWait) => had_waited = Some(next),
            Some(Cause::Launch) => late.push((time, part)),
            _ => {}
        }
    }
    late
}

#[test]
fn what_threads_did_before_late_launches() {
    let mut seen = [0; 4];
    for number in 0..TRACES {
        let trace = trace(number);
        let (causes, naive) = (Causes::of(&trace), Naive(&trace));
        for place in 0..trace.operations.len() as u32 {
            if !matches!(causes.why_held(place).after, Some(After::Call(_))) {
                continue;
            }
            let found = link(&causes, place);
            let (call, took, of, wait) = naive.did(place);
            let told = (found.took, found.of, found.before);
            let waited = |call: u32| causes.waited[call as usize];
            let expected = match call {
                Some(call) if causes.awaited(call).is_some() => {
                    Before::Waited { call, operation: waited(call) }
                }
                Some(call) => Before::Called(call),
                None => {
                    wait.map_or(Before::Unrecorded, |call| Before::After { call, operation: waited(call) })
                }
            };
            assert_eq!(told, (took, of, expected), "trace {number}, operation {place}");
            assert!(took <= of);
            seen[match expected {
                Before::Waited { .. } => 0,
                Before::Called(_) => 1,
                Before::Unrecorded => 2,
                _ => 3,
            }] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

#[test]
fn parts_lie_one_after_the_other() {
    for number in 0..TRACES {
        let trace = trace(number);
        let causes = Causes::of(&trace);
        for device in 0..trace.devices.len() as u32 {
            let mut last = i64::MIN;
            accounts(&causes, &mut |scope, part| {
                if scope == Scope::Device(device) {
                    assert!(last <= part.start && part.start < part.end, "trace {number}: {part:?}, {last}");
                    last = part.end;
                }
            });
        }
    }
}

#[test]
fn who_overtook_whom() {
    let (mut overtaken, mut unknown) = (0, 0);
    for number in 0..TRACES {
        let trace = trace(number);
        let causes = Causes::of(&trace);
        for device in 0..trace.devices.len() as u32 {
            let kernels = (0..trace.operations.len() as u32).filter(|&place| {
                let own = &trace.operations[place as usize];
                let here = trace.streams[own.stream as usize].device == device;
                here && matches!(own.kind, crate::trace::Kind::Kernel(_))
            });
            let kernels: Vec<u32> = kernels.collect();
            // One that was launched has a time at which it came.
            let launched = |place: &u32| trace.operations[*place as usize].call.is_some();
            let all: Vec<u32> = kernels.iter().copied().filter(launched).collect();
            let came = |place: u32| causes.why[place as usize].earliest.unwrap();
            let of = |place: u32| {
                let own = &trace.operations[place as usize];
                (own.start, trace.streams[own.stream as usize].priority.unwrap_or(0))
            };
            let by = |one: u32| {
                let overtakes = |other: &&u32| {
                    let ((start, priority), (other_start, other_priority)) = (of(one), of(**other));
                    other_start < start && other_priority >= priority && came(**other) > came(one)
                };
                all.iter().filter(overtakes).map(|&other| came(other).abs_diff(came(one))).max()
            };
            let naive: Vec<u64> = all.iter().filter_map(|&one| by(one)).collect();
            let found = crate::queue::queues(&causes)[device as usize];
            let counted = [found.all, found.kernels, found.overtaken];
            assert_eq!(
                counted,
                [kernels.len(), all.len(), naive.len()].map(|count| count as u64),
                "{number}"
            );
            unknown += found.all - found.kernels;
            assert_eq!(found.later, naive.iter().copied().max().unwrap_or(0), "{number}");
            overtaken += found.overtaken;
        }
    }
    assert!(overtaken > 50 && unknown > 50, "{overtaken}, {unknown}");
}
