//! The chain lab as plain values: the verdict, what there is to say about each station, what would be if something
//! were different, and the edits of its form.
//!
//! Nothing here knows the DOM. Where stations stand and what their numbers are worth is in `crate::timeline::chain`.

pub mod assumed;
pub mod changes;
pub mod details;
pub mod form;
pub mod guess;
pub mod lines;
pub mod listing;
pub mod seek;
pub mod summary;

use crate::report::chain::{Part, WholeReport};
use crate::timeline::chain::{Node, Station, Walk};
use kit::import::json;
use kit::page::told::ToOpen;

/// A line that a worker told, read back; none where it is no report of this lab.
pub fn seen(line: &str) -> Option<WholeReport> {
    let tree = json::parse(line).ok()?;
    if tree.get("lab")?.as_str()? != "chain" {
        return None;
    }
    serde_json::from_value(tree).ok()
}

/// The station someone looks at: the one that was chosen, else the weakest link, else a deadline, else the first.
pub fn shown(report: &WholeReport, chosen: Option<&str>) -> Option<Node> {
    let walk = Walk::new(report);
    let nodes = walk.nodes();
    let named = chosen.and_then(|name| walk.named(report, name));
    let last = || nodes.iter().find(|node| node.station == Station::Deadline).copied();
    named.or_else(|| walk.weakest(report)).or_else(last).or_else(|| nodes.first().copied())
}

/// A part of a report by its id.
pub fn part<'a>(report: &'a WholeReport, id: &str) -> Option<&'a Part> {
    report.parts.iter().find(|part| part.id == id)
}

/// What is opened on the page, so that a part takes the place of the document.
pub fn to_open(part: &Part) -> ToOpen {
    ToOpen {
        document: json::pretty(&part.document),
        what: format!("{}; Undo and Back bring the chain back", part.label),
        ..ToOpen::default()
    }
}

/// The same report with nothing in it that was found: only what is given.
pub fn only_given(report: &WholeReport) -> WholeReport {
    let mut given = WholeReport { sensitivity: Vec::new(), parts: Vec::new(), ..report.clone() };
    given.verdict = Default::default();
    for kernel in &mut given.kernels {
        kernel.makespan = Default::default();
        kernel.block = Default::default();
        kernel.alone = Default::default();
        kernel.completion = Default::default();
        kernel.grids.clear();
        kernel.order.clear();
    }
    for core in &mut given.cores {
        (core.edf, core.edf_violation, core.part) = (None, None, None);
        core.edf_because.clear();
    }
    for task in &mut given.tasks {
        (task.gpu, task.response, task.meets) = Default::default();
        task.because.clear();
        task.response_by.clear();
        task.segments
            .iter_mut()
            .filter(|part| part.does != "cpu")
            .for_each(|part| part.time = Default::default());
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    #[test]
    fn a_report_is_told_from_others() {
        let report = sample::open();
        let line = serde_json::to_string(&report).unwrap_or_default();
        assert_eq!(seen(&line), Some(report));
        for other in ["", "{}", r#"{"lab":"tasks"}"#, r#"{"lab":"chain","kernels":3}"#] {
            assert_eq!(seen(other), None, "{other}");
        }
        // A first line may hold next to nothing.
        assert_eq!(seen(r#"{"lab":"chain"}"#).map(|report| shown(&report, None)), Some(None));
    }

    #[test]
    fn without_a_choice_the_weakest_link_is_shown() {
        let name = |report: &WholeReport, chosen| {
            shown(report, chosen).and_then(|node| Walk::name(report, node)).unwrap_or_default()
        };
        assert_eq!(name(&sample::open(), None), "task:log:task");
        assert_eq!(name(&sample::meets(), None), "kernel:edges:gpu");
        assert_eq!(name(&sample::begun(), None), "task:camera:deadline");
        assert_eq!(name(&sample::open(), Some("kernel:blur:code")), "kernel:blur:code");
        assert_eq!(name(&sample::open(), Some("kernel:gone:code")), "task:log:task");
    }

    #[test]
    fn a_part_is_asked_for_with_its_document() {
        let report = sample::open();
        let Some(part) = part(&report, "warps:blur") else { unreachable!() };
        let asked = to_open(part);
        assert_eq!(json::parse(&asked.document).as_ref(), Ok(&part.document));
        assert_eq!(asked.what, "Open blur in Warps; Undo and Back bring the chain back");
    }

    #[test]
    fn what_is_given_tells_no_answer() {
        let given = only_given(&sample::meets());
        let text = serde_json::to_string(&given).unwrap_or_default();
        for answer in ["under an assumption", "exact search", "every response", "waves"] {
            assert!(!text.contains(answer), "{answer}");
        }
        assert_eq!(given.tasks[0].segments[0].time, sample::meets().tasks[0].segments[0].time);
    }
}
