//! What is proven of a result, in short sentences: the bounds, by what argument, and what they rest on.

use base::StopReason;
use base::people::{counted, grouped};
use code::bounds::{BLOCKED_CYCLES, STRETCHES};
use code::exact::ALL_STATES;

use crate::report::CodeReport;

/// All sentences, in their order.
pub fn sentences(report: &CodeReport) -> Vec<String> {
    let mut said = bounds(report);
    said.extend(argument(&report.upper_by));
    said.extend(rests(report));
    // What the kernel may well take no such time by comes with the number.
    said.extend(report.rests.iter().filter(|rest| rest.is_grave()).map(|rest| rest.said.clone()));
    // Why there is a gap where none was asked for.
    if report.stop == StopReason::MemoryLimit {
        said.push("The search had no memory left; more may close the gap.".to_owned());
    }
    if report.shortest.is_none() {
        said.push(format!(
            "Whatever latencies are, no schedule takes less than {}.",
            cycles(report.at_least)
        ));
    }
    said
}

/// What no schedule exceeds, and how far from it the longest one is that was found.
fn bounds(report: &CodeReport) -> Vec<String> {
    let (lower, upper) = (u64::from(report.lower), report.upper);
    let found = match report.exact {
        true => "One that was found takes as long: this is the worst case.".to_owned(),
        false => format!(
            "The longest one found takes {}, {} fewer: the worst case lies between.",
            cycles(lower),
            grouped(upper.saturating_sub(lower).into())
        ),
    };
    vec![format!("Proven: no schedule of these instructions takes longer than {}.", cycles(upper)), found]
}

/// Why none takes longer.
fn argument(by: &str) -> Vec<String> {
    let said: &[&str] = match by {
        BLOCKED_CYCLES => &[
            "The argument: the warp that ends last goes on by itself, or others keep it from issuing.",
            "The most cycles that either can take are added up.",
        ],
        STRETCHES => &[
            "The argument: every warp has a partition of its own, so only units that all share keep it waiting for others.",
            "It is counted how late warps can be after stretches in which such a unit is never free.",
        ],
        ALL_STATES => &[
            "The argument: all states were tried, cycle by cycle, but for those that a proven bound rules out.",
        ],
        _ => return vec![format!("The argument: {by}.")],
    };
    said.iter().map(|&said| said.to_owned()).collect()
}

/// What is taken to be so.
fn rests(report: &CodeReport) -> Vec<String> {
    let tables = match (&report.architecture, &report.holds[..]) {
        (_, "document") => return vec!["It rests on the machine of the document.".to_owned()],
        (Some(architecture), _) => format!("the tables taken for {architecture}"),
        (None, _) => "the tables taken".to_owned(),
    };
    let derived = (report.timing == "derived").then(|| "Stalls and scoreboards are derived.".to_owned());
    [format!("It rests on {tables}, which are partly assumed.")].into_iter().chain(derived).collect()
}

fn cycles(n: u64) -> String {
    counted(usize::try_from(n).unwrap_or(usize::MAX), "cycle")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Rest;

    fn report() -> CodeReport {
        let tree = serde_json::json!({ "warpspan": 1, "warps": {
            "code": [{}], "machine": { "partitions": 1, "units": {} }, "count": 1, "method": { "policy": "oldest-first" }
        } });
        let scenario = crate::LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
        let report = crate::LINKED.run(&scenario);
        let own = report.of::<CodeReport>().unwrap_or_else(|| unreachable!("a report on code"));
        CodeReport { at_least: 40, ..own.clone() }
    }

    #[test]
    fn what_is_exact() {
        let exact = CodeReport { lower: 14, upper: 14, exact: true, upper_by: ALL_STATES.into(), ..report() };
        let said = [
            "Proven: no schedule of these instructions takes longer than 14 cycles.",
            "One that was found takes as long: this is the worst case.",
            "The argument: all states were tried, cycle by cycle, but for those that a proven bound rules out.",
            "It rests on the machine of the document.",
            "Whatever latencies are, no schedule takes less than 40 cycles.",
        ];
        assert_eq!(sentences(&exact), said);
        let beside = CodeReport { shortest: Some(crate::report::ShortestReport::default()), ..exact };
        assert_eq!(sentences(&beside), said[..4], "the best case has a number of its own");
    }

    #[test]
    fn what_is_not() {
        let rest =
            |on: &'static str| Rest { on: on.into(), what: String::new(), said: format!("Said of {on}.") };
        let open = CodeReport {
            lower: 1_340,
            upper: 1_500,
            exact: false,
            upper_by: BLOCKED_CYCLES.into(),
            architecture: Some("Turing".into()),
            holds: "assumed".into(),
            timing: "derived".into(),
            rests: vec![rest("loops"), rest("timing")],
            stop: StopReason::MemoryLimit,
            ..report()
        };
        assert_eq!(
            sentences(&open),
            [
                "Proven: no schedule of these instructions takes longer than 1,500 cycles.",
                "The longest one found takes 1,340 cycles, 160 fewer: the worst case lies between.",
                "The argument: the warp that ends last goes on by itself, or others keep it from issuing.",
                "The most cycles that either can take are added up.",
                "It rests on the tables taken for Turing, which are partly assumed.",
                "Stalls and scoreboards are derived.",
                "Said of loops.",
                "The search had no memory left; more may close the gap.",
                "Whatever latencies are, no schedule takes less than 40 cycles.",
            ]
        );
        let words = CodeReport { timing: "words".into(), rests: Vec::new(), architecture: None, ..open };
        let said = sentences(&CodeReport { upper_by: STRETCHES.into(), ..words }).join(" ");
        assert!(
            said.contains("every warp has a partition of its own")
                && said.contains("on the tables taken, which")
        );
        assert!(!said.contains("derived") && !said.contains("Said of"), "{said}");
    }
}
