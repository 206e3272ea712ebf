//! The table at the end of a command: each step with its seconds and its result, and the time of all.

use std::fmt::Write;
use std::time::Duration;

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) step: &'static str,
    pub(crate) time: Duration,
    pub(crate) result: String,
}

impl Row {
    pub(crate) fn new(step: &'static str, time: Duration, result: impl Into<String>) -> Self {
        Self { step, time, result: result.into() }
    }
}

/// The table; `all` is less than the sum where steps ran beside each other.
pub(crate) fn table(rows: &[Row], all: Duration) -> String {
    let mut text = String::from("\nstep      seconds  result\n");
    let all = Row::new("total", all, "");
    for Row { step, time, result } in rows.iter().chain([&all]) {
        let line = format!("{step:<8} {:>8.1}  {result}", time.as_secs_f64());
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[test]
fn steps_and_times_stand_in_columns() {
    let seconds = |seconds: u64| Duration::from_millis(seconds * 1_000 + 250);
    let rows = [Row::new("set-up", seconds(1), "done"), Row::new("firefox", seconds(1_234), "not run: none")];
    let wanted = "
step      seconds  result
set-up        1.2  done
firefox    1234.2  not run: none
total      1235.2
";
    assert_eq!(table(&rows, seconds(1_235)), wanted);
}
