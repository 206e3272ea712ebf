//! Tables as CSV (RFC 4180): a header with units in the names, CRLF, fields quoted where they must be.
//!
//! A spreadsheet takes a field that begins with `=`, `+`, `-` or `@` for a formula, and runs it. Names are the input's:
//! an apostrophe is put before such a field, as is usual, unless it is a number.

use crate::report::ConjectureReport;
use crate::timeline::Convergence;
use crate::timeline::convergence::{Axis, height};
use crate::warps::{Kernel, Order, Schedule};

/// One line per instruction, in the order's order; with its last cycle where that may be another than its first.
pub fn schedule_csv(kernel: &Kernel, order: &Order, schedule: &Schedule) -> String {
    let columns = ["position", "warp", "instruction", "unit", "ready_cycle", "cycle", "waited_cycles"];
    let last = schedule.is_lasting().then_some("last_cycle");
    let mut out = row(columns.into_iter().chain(last).map(str::to_owned));
    let mut next = vec![0usize; schedule.warps()];
    for (position, &warp) in order.ids().iter().enumerate() {
        let warp = usize::from(warp);
        let instruction = next[warp];
        next[warp] += 1;
        let (ready, cycle) = (schedule.ready(warp, instruction), schedule.warp(warp)[instruction]);
        let last = last.map(|_| (cycle + schedule.lasts(warp, instruction) - 1).to_string());
        let fields = [
            (position + 1).to_string(),
            (warp + 1).to_string(),
            (instruction + 1).to_string(),
            kernel.units()[instruction].letter().to_string(),
            ready.to_string(),
            cycle.to_string(),
            (cycle - ready).to_string(),
        ];
        out += &row(fields.into_iter().chain(last));
    }
    out
}

/// One line per improvement, chain by chain. `envelope` is the largest makespan that any chain had found after
/// the same number of seconds. Then one line per narrowing of what is proven: found in `makespan`, proven at
/// most in `proven_at_most`.
pub fn convergence_csv(data: &Convergence) -> String {
    let mut out = row(["chain", "start", "iteration", "seconds", "makespan", "envelope", "proven_at_most"]
        .map(str::to_owned));
    let envelope = data.envelope(Axis::Seconds);
    for (i, chain) in data.chains.iter().enumerate() {
        for improvement in &chain.improvements {
            let largest = height(&envelope, improvement.seconds).unwrap_or(improvement.makespan);
            out += &row([
                (i + 1).to_string(),
                chain.start.clone(),
                improvement.iteration.to_string(),
                improvement.seconds.to_string(),
                improvement.makespan.to_string(),
                largest.to_string(),
                String::new(),
            ]);
        }
    }
    for step in data.bracket.iter().flat_map(|bracket| &bracket.steps) {
        let largest = height(&envelope, step.seconds).map_or(step.lower, |chains| chains.max(step.lower));
        out += &row([
            String::new(),
            "search".to_owned(),
            String::new(),
            step.seconds.to_string(),
            step.lower.to_string(),
            largest.to_string(),
            step.upper.to_string(),
        ]);
    }
    out
}

/// An instruction that runs in a cycle in only one of two schedules. Warp and instruction count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The cycle.
    pub cycle: u32,
    /// The schedule it runs there in.
    pub only_in: &'static str,
    /// The warp, by the name under which the schedules were compared.
    pub warp: u32,
    /// The instruction.
    pub instruction: u32,
    /// The warp's name in its own schedule.
    pub own_warp: u32,
}

/// One line per instruction that runs in a cycle in only one of two schedules.
pub fn differences_csv(kernel: &Kernel, differences: &[Difference]) -> String {
    let mut out = row(["cycle", "only_in", "warp", "instruction", "unit", "own_warp"].map(str::to_owned));
    for difference in differences {
        out += &row([
            difference.cycle.to_string(),
            difference.only_in.to_owned(),
            (difference.warp + 1).to_string(),
            (difference.instruction + 1).to_string(),
            kernel.units()[difference.instruction as usize].letter().to_string(),
            (difference.own_warp + 1).to_string(),
        ]);
    }
    out
}

/// One line per cell of a conjecture: the parameters by their names, then what is known.
pub fn conjecture_csv(report: &ConjectureReport) -> String {
    let known = ["warps", "claimed", "allowed_cycles", "lower_cycles", "upper_cycles", "upper_by", "verdict"];
    let known = known.into_iter().chain(["margin_cycles", "why"]).map(str::to_owned);
    let mut out = row(report.parameters.iter().map(|parameter| parameter.name.clone()).chain(known));
    for cell in &report.cells {
        let fields = [
            shown(cell.warps),
            shown(cell.claimed.as_ref()),
            shown(cell.allowed),
            shown(cell.lower),
            shown(cell.upper),
            shown(cell.upper_by.as_ref()),
            cell.verdict.clone(),
            shown(cell.margin),
            shown(cell.why.as_ref()),
        ];
        out += &row(cell.at.iter().map(u32::to_string).chain(fields));
    }
    out
}

/// What is there, or nothing.
fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A line of fields.
pub(super) fn row(fields: impl IntoIterator<Item = String>) -> String {
    let quoted = |field: String| {
        let field = if begins_formula(&field) { format!("'{field}") } else { field };
        // Some programs take semicolons and tabs for separators, too.
        if field.contains([',', ';', '\t', '"', '\r', '\n']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    };
    fields.into_iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}

/// Whether a spreadsheet would take a field for a formula: it begins like one, in ASCII or in the wide forms that some
/// take as well, and is no number or fraction below zero.
fn begins_formula(field: &str) -> bool {
    let is_number = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && rest.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '/' | 'e'))
    };
    field.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
        && !field.strip_prefix('-').is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Control;
    use crate::conjecture::Bench;
    use crate::report::conjecture_report;
    use crate::scenario::Question;
    use crate::warps::{Machine, PerUnit, Start, construct};

    #[test]
    fn a_line_per_instruction() {
        let Ok(kernel) = Kernel::parse("LC") else { unreachable!("parses") };
        let machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };
        let order = Start::RoundRobin.order(&kernel, &machine, 2);
        let Some(schedule) = construct(&kernel, &machine, &order, 2) else { unreachable!("complete") };
        let csv = schedule_csv(&kernel, &order, &schedule);
        assert_eq!(csv.lines().count(), 5);
        assert!(csv.contains("\r\n2,2,1,L,1,2,1\r\n"), "{csv}");
    }

    #[test]
    fn a_line_per_improvement() {
        let csv = convergence_csv(&crate::draw::chart::sample::proven());
        let expected = [
            "chain,start,iteration,seconds,makespan,envelope,proven_at_most",
            "1,round-robin,0,0,154,154,",
            "1,round-robin,90,0.004,155,155,",
            "1,round-robin,20000,0.2,158,158,",
            "2,random,0,0,131,154,",
            "2,random,4,0.0002,140,154,",
            "2,random,800,0.01,156,156,",
            "2,random,900000,4.5,160,160,",
            ",search,,0.001,128,154,197",
            ",search,,0.05,159,159,197",
            ",search,,0.4,159,159,162",
            ",search,,0.9,160,160,160",
            "",
        ];
        assert_eq!(csv, expected.join("\r\n"));
    }

    #[test]
    fn a_line_per_difference() {
        let Ok(kernel) = Kernel::parse("LC") else { unreachable!("parses") };
        let difference = Difference { cycle: 7, only_in: "kept", warp: 2, instruction: 1, own_warp: 0 };
        let csv = differences_csv(&kernel, &[difference]);
        assert_eq!(csv, "cycle,only_in,warp,instruction,unit,own_warp\r\n7,kept,3,2,C,1\r\n");
    }

    #[test]
    fn a_line_per_cell() {
        let text = r#"{"warpspan":1,"conjecture":{"claim":{"formula":"W/(W-1)*2"},"kernel":"LC","machine":{"L":1,"C":1},"ranges":{"W":[1,3]}}}"#;
        let Ok(scenario) = crate::scenario::read(text) else { unreachable!("valid") };
        let Question::Conjecture(asked) = &scenario.question else { unreachable!("a conjecture") };
        let mut bench = Bench::new((**asked).clone());
        bench.step(&mut Control::unlimited());
        let mut report = conjecture_report(&scenario, asked, bench.outcomes());
        for cell in report.cells.iter_mut().filter(|cell| cell.upper.is_some()) {
            cell.upper_by = Some("a proof".to_owned()); // whichever it was
        }
        let expected = [
            "W,warps,claimed,allowed_cycles,lower_cycles,upper_cycles,upper_by,verdict,margin_cycles,why",
            "1,,,,,,,undefined,,a division by 0",
            "2,2,4,4,3,3,a proof,confirmed,1,",
            "3,3,3,3,4,4,a proof,refuted,-1,",
            "",
        ];
        assert_eq!(conjecture_csv(&report), expected.join("\r\n"));
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(row(["a,b".to_owned(), "say \"x\"".to_owned()]), "\"a,b\",\"say \"\"x\"\"\"\r\n");
        assert_eq!(row(["a;=b".to_owned(), "c\td".to_owned()]), "\"a;=b\",\"c\td\"\r\n");
    }

    #[test]
    fn no_field_is_a_formula_and_numbers_stay() {
        for (field, written) in [
            ("=1+1", "'=1+1"),
            ("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""),
            ("+1", "'+1"),
            ("-a", "'-a"),
            ("-", "'-"),
            ("-2+3", "'-2+3"),
            ("-1 cmd", "'-1 cmd"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\"'\t=1\""),
            ("\r=1", "\"'\r=1\""),
            ("＝1", "'＝1"),
            ("-3", "-3"),
            ("-0.5", "-0.5"),
            ("-3/2", "-3/2"),
            ("-1e300", "-1e300"),
            ("12", "12"),
            ("a=b", "a=b"),
            ("'=1", "'=1"),
        ] {
            assert_eq!(row([field.to_owned()]), format!("{written}\r\n"));
        }
    }
}
