//! A thread trace as CSV: a row for every stretch of every wave.

use kit::export::csv::row;
use waves::{Account, Capture};

use crate::report::items;

const HEADER: [&str; 18] = [
    "wave",
    "se",
    "cu",
    "simd",
    "slot",
    "n",
    "line",
    "text",
    "source",
    "clock",
    "issued",
    "from",
    "cycles",
    "cause",
    "witness_wave",
    "witness_line",
    "witness_clock",
    "under_way",
];

/// A capture as a table. Times are cycles of the shader engine.
pub fn csv(capture: &Capture) -> String {
    let account = Account::of(capture);
    let lines: std::collections::BTreeMap<u32, &waves::Line> =
        capture.lines.iter().map(|line| (line.number, line)).collect();
    let mut table = row(HEADER.map(str::to_owned));
    for item in items(&account) {
        let wave = &capture.waves[item.wave];
        let line = item.line.and_then(|line| lines.get(&line));
        let some = |number: Option<i64>| number.map_or_else(String::new, |number| number.to_string());
        let witness = item.witness;
        table.push_str(&row([
            item.wave.to_string(),
            wave.se.to_string(),
            wave.cu.to_string(),
            wave.simd.to_string(),
            wave.slot.to_string(),
            wave.n.to_string(),
            some(item.line.map(i64::from)),
            line.map_or_else(String::new, |line| line.text.clone()),
            line.map_or_else(String::new, |line| line.source.clone()),
            item.clock.to_string(),
            item.issued.to_string(),
            item.from.to_string(),
            item.cycles.to_string(),
            item.cause.to_owned(),
            some(witness.map(|seen| i64::from(seen.wave))),
            some(witness.and_then(|seen| seen.line).map(i64::from)),
            some(witness.map(|seen| seen.clock)),
            item.under_way.map_or_else(String::new, |count| count.to_string()),
        ]));
    }
    table
}
