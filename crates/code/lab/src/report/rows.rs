//! The schedule row by row: when each instruction issues, why not earlier, and what the end comes of.

use super::parts::{Critical, Kind, ShortestReport, Why};
use code::exact::Shortest;
use code::reasons::{Reason, Reasons};
use code::{Launch, Schedule, critical};

fn kind_of(reason: Reason) -> Kind {
    match reason {
        Reason::Stall => Kind::Stall,
        Reason::Scoreboard { .. } => Kind::Scoreboard,
        Reason::Barrier { .. } => Kind::Barrier,
        Reason::Unit { .. } => Kind::Unit,
        Reason::Slot { .. } => Kind::Slot,
        Reason::Nothing => Kind::Nothing,
    }
}

/// An instruction of a warp: both as [`Reasons`] have them, and its row in the report.
pub(super) type Row = ((usize, usize), (usize, u32, u32, u32));

pub(super) fn rows(launch: &Launch, schedule: &Schedule) -> Vec<Row> {
    let mut rows = Vec::with_capacity(launch.instructions());
    for (warp, row) in schedule.issued.iter().enumerate() {
        for (place, &issued) in row.iter().enumerate() {
            let at = launch.stream(warp).path[place];
            let row = (warp + 1, at, issued, schedule.finished(launch, warp, place));
            rows.push(((warp, place), row));
        }
    }
    rows.sort_by_key(|(_, row)| (row.2, row.0));
    rows
}

pub(super) fn shortest(launch: &Launch, own: &Shortest) -> ShortestReport {
    ShortestReport {
        makespan: own.makespan,
        lower: own.lower,
        exact: own.lower == u64::from(own.makespan),
        schedule: rows(launch, &own.schedule).into_iter().map(|row| row.1).collect(),
        latencies: own.schedule.latencies.clone(),
    }
}

pub(super) fn waits(rows: &[Row], reasons: &Reasons) -> Vec<Vec<(u32, u32, Why)>> {
    let number = |number: usize| u32::try_from(number).ok();
    let why = |reason: Reason| {
        let (one, other) = match reason {
            Reason::Stall | Reason::Nothing => (None, None),
            Reason::Scoreboard { board, by } => (Some(board.into()), number(by)),
            Reason::Barrier { by } => (number(by + 1), None),
            Reason::Unit { by } | Reason::Slot { by } => (number(by.0 + 1), number(by.1)),
        };
        (kind_of(reason), one, other)
    };
    let of = |&((warp, place), _): &Row| {
        reasons.at(warp, place).iter().map(|own| (own.from, own.to, why(own.reason))).collect()
    };
    rows.iter().map(of).collect()
}

pub(super) fn critical(launch: &Launch, schedule: &Schedule, reasons: &Reasons) -> Critical {
    let path = critical::path(launch, schedule, reasons);
    let step = |cause: &critical::Cause| {
        let (warp, place) = cause.at;
        (warp + 1, place, schedule.issued[warp][place], cause.reason.map(|reason| reason.name().into()))
    };
    Critical { warp: path.first().map_or(0, |cause| cause.at.0 + 1), path: path.iter().map(step).collect() }
}
