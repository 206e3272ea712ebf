//! A thread trace as trace events: a process for each SIMD, a thread for each slot; every stretch carries its cause and
//! its witness. A cycle stands as a nanosecond, from the first cycle of the shader engine.

use std::collections::BTreeMap;

use base::Nanos;
use kit::export::perfetto::{File, Micros, escaped};
use serde_json::json;
use waves::{Account, Capture, Cause};

use crate::report::{Item, items};

/// A SIMD: shader engine, compute unit, number.
type Simd = (u32, u32, u32);

/// A capture as JSON.
pub fn perfetto(capture: &Capture, title: &str) -> String {
    let account = Account::of(capture);
    let mut begins: BTreeMap<u32, i64> = BTreeMap::new();
    let mut simds: BTreeMap<Simd, Vec<u32>> = BTreeMap::new();
    for wave in &capture.waves {
        let begin = begins.entry(wave.se).or_insert(wave.begin);
        *begin = wave.begin.min(*begin);
        simds.entry((wave.se, wave.cu, wave.simd)).or_default().push(wave.slot);
    }
    let all = items(&account);
    let mut file = File::new(200 * all.len());
    let mut pids: BTreeMap<Simd, usize> = BTreeMap::new();
    for (order, (simd, slots)) in simds.iter_mut().enumerate() {
        slots.sort_unstable();
        slots.dedup();
        let threads: Vec<(usize, String)> =
            slots.iter().map(|slot| (*slot as usize + 1, format!("slot {slot}"))).collect();
        let (se, cu, number) = simd;
        file.process(
            order + 1,
            order,
            &format!("shader engine {se}, compute unit {cu}, SIMD {number}"),
            &threads,
        );
        pids.insert(*simd, order + 1);
    }
    let texts: BTreeMap<u32, &str> =
        capture.lines.iter().map(|line| (line.number, line.text.as_str())).collect();
    for item in &all {
        event(&mut file, capture, item, &begins, &pids, &texts);
    }
    file.done(&[("title", title), ("unit", "1 ns stands for a cycle")])
}

fn event(
    file: &mut File,
    capture: &Capture,
    item: &Item,
    begins: &BTreeMap<u32, i64>,
    pids: &BTreeMap<Simd, usize>,
    texts: &BTreeMap<u32, &str>,
) {
    let wave = &capture.waves[item.wave];
    let pid = pids.get(&(wave.se, wave.cu, wave.simd)).copied().unwrap_or_default();
    let tid = wave.slot as usize + 1;
    let start = item.from.abs_diff(begins.get(&wave.se).copied().unwrap_or_default());
    let text = item.line.and_then(|line| texts.get(&line)).copied().unwrap_or_default();
    let name = if item.cause == Cause::Issue.name() && !text.is_empty() { text } else { item.cause };
    let args = json!({
        "wave": item.wave, "line": item.line, "text": text, "cause": item.cause, "clock": item.clock,
        "issued": item.issued, "witness": item.witness, "under_way": item.under_way,
    });
    let (start, takes) = (Micros(Nanos(start)), Micros(Nanos(item.cycles)));
    file.add(format_args!(
        "{{\"name\":\"{}\",\"cat\":\"{}\",\"ph\":\"X\",\"pid\":{pid},\"tid\":{tid},\"ts\":{start},\"dur\":{takes},\"args\":{args}}}",
        escaped(name),
        item.cause
    ));
}
