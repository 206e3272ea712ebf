//! A timeline of warps as trace events: a thread for each row, a microsecond for each cycle.

use std::fmt::Write;

use super::escaped;
use crate::timeline::Timeline;

/// The rows of a timeline as JSON. Rows ascend and never overlap, so each is a thread of its own.
pub fn timeline_perfetto(timeline: &Timeline, title: &str) -> String {
    let mut out = String::from("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    let name = |kind: &str, tid: usize, name: &str| {
        format!("{{\"ph\":\"M\",\"pid\":0,\"tid\":{tid},\"name\":\"{kind}\",\"args\":{{\"name\":{name}}}}}")
    };
    out += "\n";
    out += &name("process_name", 0, &escaped(&format!("{title}, 1 µs is one {}", timeline.axis)));
    for (tid, track) in timeline.tracks.iter().enumerate() {
        out += ",\n";
        out += &name("thread_name", tid, &escaped(&track.label));
    }
    let class =
        |class| timeline.legend.iter().find(|(known, _)| *known == class).map_or("", |(_, name)| name);
    for (tid, track) in timeline.tracks.iter().enumerate() {
        for span in &track.spans {
            // Writing to a string cannot fail.
            let _ = write!(
                out,
                ",\n{{\"ph\":\"X\",\"pid\":0,\"tid\":{tid},\"ts\":{},\"dur\":{},\"name\":{},\"args\":{{\"warp\":{},\"instruction\":{}}}}}",
                span.start,
                span.end - span.start,
                escaped(class(span.class)),
                span.id.0 + 1,
                span.id.1 + 1,
            );
        }
    }
    out + "\n]}\n"
}
