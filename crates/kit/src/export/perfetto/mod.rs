//! Runs as trace events, for Perfetto and speedscope.
//!
//! Both readers mangle events of one thread of a trace that overlap, and both compute in floating point: times are exact
//! to the nanosecond as text, and threads are chosen so that nothing overlaps in that arithmetic either. Every process
//! and every thread has a name, and events ascend by time.

pub mod lanes;
pub mod sound;

use std::fmt::{Arguments, Display, Formatter, Result, Write};

use base::Nanos;

/// The file on its way: first what processes and threads are called, then the events.
pub struct File(String);

impl File {
    /// A file with room for so many bytes.
    pub fn new(room: usize) -> Self {
        let mut text = String::with_capacity(room);
        text.push_str("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
        Self(text)
    }

    /// Adds an event, which is JSON.
    pub fn add(&mut self, event: Arguments<'_>) {
        let comma = if self.0.ends_with('[') { "" } else { "," };
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{comma}\n{event}");
    }

    /// Names a process and its threads, and says where it stands among the others.
    pub fn process(&mut self, pid: usize, order: usize, name: &str, threads: &[(usize, String)]) {
        let mut meta = |tid: usize, what: &str, args: Arguments<'_>| {
            self.add(format_args!(
                "{{\"name\":\"{what}\",\"ph\":\"M\",\"pid\":{pid},\"tid\":{tid},\"args\":{{{args}}}}}"
            ));
        };
        meta(0, "process_name", format_args!("\"name\":\"{}\"", escaped(name)));
        meta(0, "process_sort_index", format_args!("\"sort_index\":{order}"));
        for (tid, name) in threads {
            meta(*tid, "thread_name", format_args!("\"name\":\"{}\"", escaped(name)));
            meta(*tid, "thread_sort_index", format_args!("\"sort_index\":{tid}"));
        }
    }

    /// The whole file, with what else is to be known.
    pub fn done(mut self, about: &[(&str, &str)]) -> String {
        self.0.push_str("\n]");
        if !about.is_empty() {
            let facts: Vec<String> =
                about.iter().map(|(key, fact)| format!("\"{key}\":\"{}\"", escaped(fact))).collect();
            let _ = write!(self.0, ",\"otherData\":{{{}}}", facts.join(","));
        }
        self.0.push_str("}\n");
        self.0
    }
}

/// Threads from a first number on that are lanes.
pub fn numbered(first: usize, count: u32) -> Vec<(usize, String)> {
    (0..count as usize).map(|lane| (first + lane, format!("lane {}", lane + 1))).collect()
}

/// A time in microseconds, with as many decimals as it takes.
pub struct Micros(pub Nanos);

impl Display for Micros {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (whole, rest) = (self.0.0 / 1_000, self.0.0 % 1_000);
        write!(f, "{whole}")?;
        if rest > 0 {
            write!(f, ".{}", format!("{rest:03}").trim_end_matches('0'))?;
        }
        Ok(())
    }
}

/// A text as JSON has it between quotes.
pub fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted.get(1..quoted.len() - 1).unwrap_or_default().to_owned()
}
