//! The schedule as a table: a row for each instruction of each warp.

use kit::export::csv;

use crate::page::{Seen, says};

/// The names of its columns.
const HEADS: [&str; 10] = [
    "warp",
    "place",
    "address",
    "instruction",
    "unit",
    "issued_cycle",
    "last_cycle",
    "waited_cycles",
    "line_share_of_waiting",
    "waited_for",
];

/// All rows, in the order of issue.
pub fn table(seen: &Seen) -> String {
    let mut text = csv::row(HEADS.map(str::to_owned));
    for (entry, &(warp, at, issued, last)) in seen.report.schedule.iter().enumerate() {
        let Some(line) = seen.report.code.get(at as usize) else { continue };
        let entry = entry as u32;
        let waits = seen.report.waits.get(entry as usize);
        let cycles: u64 = waits.into_iter().flatten().map(|(from, to, _)| u64::from(to + 1 - from)).sum();
        let place = seen.timeline.place(&seen.report, entry).unwrap_or_default();
        text += &csv::row([
            warp.to_string(),
            (place + 1).to_string(),
            format!("0x{:04x}", line.address),
            says::text(line).to_owned(),
            line.unit.clone().unwrap_or_default(),
            issued.to_string(),
            last.to_string(),
            cycles.to_string(),
            line.share.to_string(),
            says::waits(seen, entry).join(" "),
        ]);
    }
    text
}
