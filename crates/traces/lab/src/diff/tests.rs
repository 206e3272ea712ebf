//! Two made recordings beside each other.

use super::{Change, Millionths, diff};
use crate::made::trace;
use traces::Trace;

/// What was recorded, with all operations of a name so much longer.
fn slower(trace: &Trace, name: u32, by: i64) -> Trace {
    let mut slower = trace.clone();
    for own in &mut slower.operations {
        own.end += if own.name == name { by } else { 0 };
    }
    slower.operations.sort_by_key(|own| (own.start, own.end, own.id));
    slower
}

#[test]
fn what_is_the_same_is_told_so() {
    let one = trace(1, 80);
    let told = diff(("a", &one), ("b", &one), Some(Millionths(0)));
    assert_eq!((told.whole.more, told.percent, told.slower), (0, Some(0.0), Some(false)));
    assert!(told.operations.iter().all(|own| own.took.more == 0 && own.count.before == own.count.after));
    assert!(told.devices.iter().all(|own| own.causes.iter().all(|cause| cause.idle.more == 0)));
    assert_eq!(told.runs, ["a", "b"]);
}

#[test]
fn sums_add_up_on_both_sides() {
    for number in 0..30 {
        let (one, other) = (trace(number, 80), trace(number + 100, 70));
        let told = diff(("a", &one), ("b", &other), None);
        for device in &told.devices {
            let sum = |of: fn(&Change) -> u64| device.causes.iter().map(|cause| of(&cause.idle)).sum::<u64>();
            assert_eq!(sum(|idle| idle.before), device.idle.before);
            assert_eq!(sum(|idle| idle.after), device.idle.after);
        }
        let took = |trace: &Trace| trace.operations.iter().map(|own| own.nanos()).sum::<u64>();
        assert_eq!(told.operations.iter().map(|own| own.took.before).sum::<u64>(), took(&one));
        assert_eq!(told.operations.iter().map(|own| own.took.after).sum::<u64>(), took(&other));
        assert_eq!(told.devices.iter().map(|device| device.operations.after).sum::<u64>(), 70);
        assert!(told.operations.is_sorted_by_key(|own| std::cmp::Reverse(own.took.more)));
        assert_eq!((told.slower, told.threshold), (None, None));
    }
}

#[test]
fn what_got_slower_comes_first_and_thresholds_are_exact() {
    let one = trace(2, 80);
    let other = slower(&one, 3, 100);
    let told = diff(("a", &one), ("b", &other), None);
    let first = &told.operations[0];
    assert_eq!(first.name, "copy");
    assert_eq!(first.took.more.unsigned_abs(), first.count.before * 100);
    // The whole takes 1,000 and then 1,050: five percent more, which five permit and less do not.
    let of = |end: i64| {
        let mut trace = one.clone();
        trace.operations.truncate(1);
        (trace.operations[0].start, trace.operations[0].end) = (0, end);
        trace
    };
    let is_slower =
        |millionths| diff(("a", &of(1_000)), ("b", &of(1_050)), Some(Millionths(millionths))).slower;
    assert_eq!([is_slower(50_000), is_slower(49_999)], [Some(false), Some(true)]);
    assert_eq!(diff(("a", &of(0)), ("b", &of(1)), None).percent, None);
    assert_eq!(diff(("a", &of(1)), ("b", &of(0)), Some(Millionths(0))).slower, Some(false));
}

#[test]
fn many_names_are_summed_up_behind_those_that_changed_most() {
    let mut one = trace(3, 200);
    one.names = (0..200).map(|name| format!("n{name}")).collect();
    one.operations.iter_mut().for_each(|own| own.name = own.id);
    let mut other = one.clone();
    other.operations.retain(|own| own.id < 10);
    let told = diff(("a", &one), ("b", &other), None);
    assert_eq!(told.operations.len(), 40);
    let all = |of: fn(&super::Count) -> u64| {
        told.operations.iter().map(|own| of(&own.count)).sum::<u64>() + of(&told.others.count)
    };
    assert_eq!((all(|count| count.before), all(|count| count.after)), (200, 10));
    // Each name is one kind: copies and kernels of one name are told apart.
    assert_eq!(told.others.names, 160);
}
