//! Files of made recordings: every operation is there once, with the cause that the report tells.

use std::collections::BTreeMap;

use base::Nanos;
use kit::export::perfetto::Micros;
use kit::export::perfetto::sound::sound;

use super::{csv, perfetto};
use crate::made::trace;
use crate::report::{Detail, report};

#[test]
fn events_are_sound_and_carry_their_causes() {
    for number in 0..40 {
        let trace = trace(number, 60);
        assert_eq!(trace.check(), Ok(()));
        let events = sound(&perfetto(&trace, "made \"up\""));
        let told = report("", &trace, Detail::Operations).ops.unwrap();
        let begins = trace.operations[0].start;
        let origin = begins.min(trace.calls[0].start);
        let mut found = BTreeMap::new();
        for event in events.iter().filter(|event| !event["args"]["cause"].is_null()) {
            found.insert(event["args"]["id"].as_u64().unwrap(), event);
        }
        assert_eq!(found.len(), told.len(), "trace {number}");
        for own in told {
            let event = found[&u64::from(own.id)];
            assert_eq!((&event["name"], &event["args"]["cause"]), (&own.name.into(), &own.cause.into()));
            let start = Micros(Nanos((own.start + begins - origin).unsigned_abs())).to_string();
            assert_eq!(event["ts"].to_string().trim_end_matches(".0"), start);
        }
        let calls = events.iter().filter(|event| event["args"]["call"].is_u64()).count();
        assert_eq!(calls, trace.calls.len());
    }
}

#[test]
fn a_table_has_a_row_for_every_operation() {
    let trace = trace(5, 30);
    let table = csv(&trace);
    let lines: Vec<&str> = table.split_terminator("\r\n").collect();
    let told = report("", &trace, Detail::Operations).ops.unwrap();
    assert_eq!((lines.len(), told.len()), (31, 30));
    assert!(lines[0].starts_with("id,device,stream,kind,name,start_ns,end_ns,earliest_ns,cause,witness,"));
    for (line, own) in lines[1..].iter().zip(told) {
        let name = if own.name == "copy" { "copy" } else { "\"'=sum, \"\"of\"\"\"" };
        let begins = format!(
            "{},{},{},{},{name},{},{},",
            own.id, own.device, own.stream, own.kind, own.start, own.end
        );
        assert!(line.starts_with(&begins), "{line}\n{begins}");
        assert!(line.contains(&format!(",{},", own.cause)));
    }
}

#[test]
fn nothing_gives_nothing() {
    let empty = traces::Trace::default();
    assert!(sound(&perfetto(&empty, "")).is_empty());
    assert_eq!(csv(&empty).lines().count(), 1);
}
