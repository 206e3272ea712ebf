//! What was read: where timing is from, the machine, the loops and the tables.

use super::parts::{LoopReport, MachineReport, Tables};

pub(super) fn timing(made: Option<&code_read::Made>) -> &'static str {
    match made.map(|made| made.timing) {
        None => "document",
        Some(code_read::Timing::Words) => "words",
        Some(code_read::Timing::ControlWords) => "control words",
        Some(code_read::Timing::None) => "derived",
    }
}

pub(super) fn machine(own: &code::Machine) -> MachineReport {
    let units = own.units.iter().map(|unit| (unit.name.clone(), unit.scope.name().into(), unit.count));
    MachineReport { partitions: own.partitions, issue: own.issue, units: units.collect() }
}

pub(super) fn loops(made: &code_read::Made) -> Vec<LoopReport> {
    let told = made.walk.loops.iter().map(|own| LoopReport {
        address: own.address,
        trips: own.trips,
        stated: match (own.trips, own.known) {
            (None, _) => "text".into(),
            (_, true) => "given".into(),
            (_, false) => "assumed".into(),
        },
        rounds: own.rounds,
    });
    told.collect()
}

pub(super) fn tables(own: &code_read::Tables) -> Tables {
    let unit = |lanes: &code_read::arch::Lanes| {
        (lanes.name().into(), lanes.scope.name().into(), lanes.lanes, lanes.source.into())
    };
    let latency = |own: &code_read::arch::Latency| {
        let name = own.class.map_or("operands", |class| class.name());
        (name.into(), own.least, own.hit, own.most, own.source.into())
    };
    Tables {
        units: own.units.iter().map(unit).collect(),
        latencies: own.latencies.iter().map(latency).collect(),
    }
}
