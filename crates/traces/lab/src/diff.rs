//! Two recorded runs beside each other: what got slower, by device and cause, and by the names of operations.

use std::collections::BTreeMap;

use serde::Serialize;

use kit::import::json;
use traces::account::accounts;
use traces::trace::Kind;
use traces::{Account, Cause, Causes, Trace};

/// How many names are told one by one.
const NAMES: usize = 40;

/// What changed from one run to another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diff {
    /// What the runs are called.
    pub runs: [String; 2],
    /// `traces`.
    pub lab: &'static str,
    /// How long it took to read and to answer.
    pub seconds: f64,
    /// From the first start of an operation to the last end.
    pub whole: Change,
    /// By how much of the first run the whole takes longer, in percent; negative where it is shorter, and null where the
    /// first run takes no time.
    pub percent: Option<f64>,
    /// By how much it may, in percent, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// Whether it takes longer by more than that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slower: Option<bool>,
    /// Devices, by their numbers.
    pub devices: Vec<Device>,
    /// Operations by kind and name: those that changed most, what got slower first.
    pub operations: Vec<Named>,
    /// All others together.
    pub others: Others,
}

/// A number of nanoseconds before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Change {
    /// In the first run.
    pub before: u64,
    /// In the second.
    pub after: u64,
    /// The second less the first.
    pub more: i64,
}

/// How many there were before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Count {
    /// In the first run.
    pub before: u64,
    /// In the second.
    pub after: u64,
}

/// What changed on a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Device {
    /// Its number in the file.
    pub device: i64,
    /// Operations that ran on it.
    pub operations: Count,
    /// Time in which something ran.
    pub busy: Change,
    /// Time in which nothing ran.
    pub idle: Change,
    /// That by cause, what grew most first; causes without any are left away.
    pub causes: Vec<ByCause>,
}

/// Idle time by one cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ByCause {
    /// The cause.
    pub cause: &'static str,
    /// How much.
    #[serde(flatten)]
    pub idle: Change,
}

/// Operations of one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Named {
    /// `kernel`, `copy` or `set`.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// How many.
    pub count: Count,
    /// How long they took, all together.
    #[serde(flatten)]
    pub took: Change,
}

/// Operations that are not told one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Others {
    /// How many names.
    pub names: usize,
    /// How many operations.
    pub count: Count,
    /// How long they took, all together.
    #[serde(flatten)]
    pub took: Change,
}

/// A share in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Millionths(pub u32);

impl Change {
    fn of(before: u64, after: u64) -> Self {
        let more = i128::from(after) - i128::from(before);
        let most = if more < 0 { i64::MIN } else { i64::MAX };
        Self { before, after, more: i64::try_from(more).unwrap_or(most) }
    }
}

/// What is summed up of one run.
#[derive(Default)]
struct Sums {
    whole: u64,
    /// By number, and which of that number.
    devices: BTreeMap<(i64, usize), OfDevice>,
    /// By kind and name: how many, how long.
    names: BTreeMap<(&'static str, String), (u64, u64)>,
}

/// What is summed up of a device.
#[derive(Debug, Clone, Copy, Default)]
struct OfDevice {
    operations: u64,
    busy: u64,
    idle: u64,
    causes: [u64; 10],
}

/// What changed from one run to the other; both are traces for which [`Trace::check`] finds nothing.
pub fn diff(before: (&str, &Trace), after: (&str, &Trace), threshold: Option<Millionths>) -> Diff {
    let runs = [before.0.to_owned(), after.0.to_owned()];
    let (before, after) = (Sums::of(before.1), Sums::of(after.1));
    let whole = Change::of(before.whole, after.whole);
    let (operations, others) = named(&before, &after);
    Diff {
        runs,
        lab: "traces",
        seconds: 0.0,
        whole,
        percent: (whole.before > 0).then(|| 100.0 * whole.more as f64 / whole.before as f64),
        threshold: threshold.map(|most| f64::from(most.0) / 1e4),
        slower: threshold.map(|most| slower(whole, most)),
        devices: devices(&before, &after),
        operations,
        others,
    }
}

impl Diff {
    /// The report as one line of JSON.
    pub fn line(&self) -> String {
        json::line(self)
    }
}

/// Whether the second run takes longer by more than a share of the first.
fn slower(whole: Change, most: Millionths) -> bool {
    let more = u128::from(whole.after.saturating_sub(whole.before));
    more * 1_000_000 > u128::from(whole.before) * u128::from(most.0)
}

impl Sums {
    fn of(trace: &Trace) -> Self {
        let causes = Causes::of(trace);
        let mut sums = Self::default();
        let first = trace.operations.first().map(|own| own.start);
        let last = trace.operations.iter().map(|own| own.end).max();
        sums.whole = first.zip(last).map_or(0, |(first, last)| last.abs_diff(first));
        let mut keys: Vec<(i64, usize)> = Vec::new();
        for (place, device) in trace.devices.iter().enumerate() {
            let same = trace.devices[..place].iter().filter(|other| other.number == device.number);
            keys.push((device.number, same.count()));
        }
        for (account, key) in accounts(&causes, &mut |_, _| {}).devices.iter().zip(&keys) {
            if let Some(own) = account {
                let Account { busy, idle, causes, .. } = *own;
                sums.devices.insert(*key, OfDevice { operations: 0, busy, idle, causes });
            }
        }
        for (place, own) in (0..).zip(&trace.operations) {
            if let Some(device) = sums.devices.get_mut(&keys[causes.device(place) as usize]) {
                device.operations += 1;
            }
            let name = trace.names[own.name as usize].clone();
            let sum = sums.names.entry((kind(&own.kind), name)).or_default();
            *sum = (sum.0 + 1, sum.1.saturating_add(own.nanos()));
        }
        sums
    }
}

fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Kernel(_) => "kernel",
        Kind::Copy(..) => "copy",
        Kind::Set(_) => "set",
    }
}

fn devices(before: &Sums, after: &Sums) -> Vec<Device> {
    let mut keys: Vec<_> = before.devices.keys().chain(after.devices.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    let device = |key: &(i64, usize)| {
        let [one, other] = [before, after].map(|sums| sums.devices.get(key).copied().unwrap_or_default());
        let cause = |cause: &Cause| ByCause {
            cause: cause.name(),
            idle: Change::of(one.causes[*cause as usize], other.causes[*cause as usize]),
        };
        let mut causes: Vec<ByCause> = Cause::ALL.iter().map(cause).collect();
        causes.retain(|cause| cause.idle != Change::default());
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.idle.more));
        Device {
            device: key.0,
            operations: Count { before: one.operations, after: other.operations },
            busy: Change::of(one.busy, other.busy),
            idle: Change::of(one.idle, other.idle),
            causes,
        }
    };
    keys.into_iter().map(device).collect()
}

/// Those of which the sum changed most, what got slower first; and all others.
fn named(before: &Sums, after: &Sums) -> (Vec<Named>, Others) {
    let mut sums: BTreeMap<&(&'static str, String), [(u64, u64); 2]> = BTreeMap::new();
    before.names.iter().for_each(|(key, sum)| sums.entry(key).or_default()[0] = *sum);
    after.names.iter().for_each(|(key, sum)| sums.entry(key).or_default()[1] = *sum);
    let one = |((kind, name), [before, after]): (&(&'static str, String), [(u64, u64); 2])| Named {
        kind,
        name: name.clone(),
        count: Count { before: before.0, after: after.0 },
        took: Change::of(before.1, after.1),
    };
    let mut all: Vec<Named> = sums.into_iter().map(one).collect();
    all.sort_by_key(|named| std::cmp::Reverse(named.took.more.unsigned_abs()));
    let rest = all.split_off(all.len().min(NAMES));
    all.sort_by_key(|named| std::cmp::Reverse(named.took.more));
    let sum = |of: fn(&Named) -> u64| rest.iter().map(of).fold(0, u64::saturating_add);
    let others = Others {
        names: rest.len(),
        count: Count { before: sum(|own| own.count.before), after: sum(|own| own.count.after) },
        took: Change::of(sum(|own| own.took.before), sum(|own| own.took.after)),
    };
    (all, others)
}

#[cfg(test)]
mod tests;
