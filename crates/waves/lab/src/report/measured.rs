//! What a capture shows of its machine: how long operations took, how long instructions held their units.

use serde::Serialize;

use waves::Account;

/// What was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Measured {
    /// Latencies by instruction.
    pub latencies: Vec<Latency>,
    /// Holds by instruction.
    pub holds: Vec<Hold>,
}

/// How long operations of one name took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// The instruction's name.
    pub name: String,
    /// How many were measured: a wait for each alone stalled.
    pub count: usize,
    /// How many more there were of which only a bound is known.
    pub bounds: usize,
    /// The shortest.
    pub least: Option<i64>,
    /// Of ten the shortest.
    pub tenth: Option<i64>,
    /// The median.
    pub median: Option<i64>,
    /// Of ten the longest.
    pub ninetieth: Option<i64>,
    /// The longest.
    pub most: Option<i64>,
}

/// How long instructions of one name hold their unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hold {
    /// The unit.
    pub unit: &'static str,
    /// The instruction's name.
    pub name: String,
    /// Cycles: the shortest time, seen often enough, after which a follower that had stalled issued.
    pub cycles: i64,
    /// How many followers had stalled.
    pub count: u64,
    /// How many of them issued just then.
    pub just: u64,
}

impl Measured {
    /// Of an account.
    pub fn of(account: &Account) -> Self {
        let latency = |(name, times): (&String, &waves::latency::Times)| Latency {
            name: name.clone(),
            count: times.exact.len(),
            bounds: times.bounds.len(),
            least: times.quantile(0),
            tenth: times.quantile(10),
            median: times.quantile(50),
            ninetieth: times.quantile(90),
            most: times.quantile(100),
        };
        let hold = |((unit, name), hold): (&(waves::units::Unit, String), &waves::units::Hold)| Hold {
            unit: unit.name(),
            name: name.clone(),
            cycles: hold.cycles,
            count: hold.count,
            just: hold.just,
        };
        Self {
            latencies: account.latencies.by_name.iter().map(latency).collect(),
            holds: account.units.holds.iter().map(hold).collect(),
        }
    }
}
