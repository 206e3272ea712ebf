//! A schedule of warps as trace events: a thread for each row, a microsecond for each cycle, and how many units of each
//! kind are in use. A load is as long as it takes, and counts as in use until its data is there.

use std::collections::BTreeMap;

use base::Nanos;
use kit::export::perfetto::{File, Micros, escaped};
use kit::timeline::{Class, Span, Timeline};

/// The process; readers take number 0 for an idle processor.
const PID: usize = 1;

/// The rows of a timeline as JSON. Spans of a row ascend and never overlap, so each row is a thread of its own.
pub fn schedule_perfetto(timeline: &Timeline, title: &str) -> String {
    let unit = format!("1 {} = 1 µs", timeline.axis);
    let mut events: Vec<(Nanos, Event<'_>)> = Vec::new();
    for (row, track) in timeline.tracks.iter().enumerate() {
        for span in &track.spans {
            events.push((time(span.start), Event::Span(row, span, track.until(span))));
        }
    }
    events.extend(in_use(timeline));
    base::sort::sort_by_key(&mut events, |&(at, _)| at);
    let mut file = File::new(170 * events.len());
    let rows: Vec<(usize, String)> =
        timeline.tracks.iter().enumerate().map(|(row, track)| (row + 1, track.label.clone())).collect();
    file.process(PID, 0, &format!("{title}, {unit}"), &rows);
    let names = timeline.legend.iter().map(|(class, name)| (*class, escaped(name)));
    let names: BTreeMap<Class, String> = names.collect();
    let name = |class: Class| names.get(&class).map_or("", String::as_str);
    for (at, event) in events {
        let ts = Micros(at);
        match event {
            Event::Span(row, span, until) => file.add(format_args!(
                "{{\"name\":\"{}\",\"ph\":\"X\",\"ts\":{ts},\"dur\":{},\"pid\":{PID},\"tid\":{},\"args\":{{\"warp\":{},\"instruction\":{}}}}}",
                name(span.class),
                Micros(time(until).since(at)),
                row + 1,
                span.id.0 + 1,
                span.id.1 + 1,
            )),
            Event::InUse(class, units) => file.add(format_args!(
                "{{\"name\":\"{} in use\",\"ph\":\"C\",\"ts\":{ts},\"pid\":{PID},\"tid\":0,\"args\":{{\"units\":{units}}}}}",
                name(class),
            )),
        }
    }
    file.done(&[("title", title), ("time", &unit)])
}

/// Something at a time.
enum Event<'a> {
    /// What a row does from then on, and until when.
    Span(usize, &'a Span, f64),
    /// So many units of a kind are in use from then on.
    InUse(Class, i64),
}

/// A time on the axis as a time of the trace.
fn time(at: f64) -> Nanos {
    Nanos((at * 1e3).round() as u64)
}

/// How many units of each kind are in use, whenever that changes.
fn in_use(timeline: &Timeline) -> Vec<(Nanos, Event<'static>)> {
    let mut changes: BTreeMap<(Class, Nanos), i64> = BTreeMap::new();
    for track in &timeline.tracks {
        for span in &track.spans {
            *changes.entry((span.class, time(span.start))).or_default() += 1;
            *changes.entry((span.class, time(track.until(span)))).or_default() -= 1;
        }
    }
    let (mut of, mut units) = (None, 0);
    let mut out = Vec::new();
    for ((class, at), change) in changes.into_iter().filter(|(_, change)| *change != 0) {
        units = if of == Some(class) { units + change } else { change };
        of = Some(class);
        out.push((at, Event::InUse(class, units)));
    }
    out
}

#[cfg(test)]
mod tests;
