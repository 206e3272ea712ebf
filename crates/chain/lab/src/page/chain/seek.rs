//! What the search field finds: stations, by name and by what their numbers are.

use crate::report::chain::{Bracket, Unit, WholeReport};
use crate::timeline::chain::{Node, Row, Station, Walk, content};
use kit::page::hits::Listed;
use kit::page::terms::{Answer, Kind, Query, Terms};

/// What the search understands.
pub const TERMS: Terms = Terms {
    plain: "Part of a kernel's or task's name",
    keys: &[
        ("kernel", Kind::Text),
        ("task", Kind::Text),
        ("station", Kind::Text),
        ("time", Kind::Time),
        ("cycles", Kind::Number),
        ("worth", Kind::Text),
    ],
    bare: None,
    example: "camera station:deadline, or time>20us worth:simulated",
};

/// What a station is called where they are listed.
pub fn listed(report: &WholeReport, node: Node) -> Listed {
    let name = match node.row {
        Row::Kernel(place) => report.kernels.get(place).map(|kernel| &kernel.name),
        Row::Task(place) => report.tasks.get(place).map(|task| &task.name),
    };
    let number = content(report, node).map(|content| content.number).unwrap_or_default();
    [name.cloned().unwrap_or_default(), node.station.heading().to_owned(), number]
}

/// What a search finds, row by row.
pub fn seek(report: &WholeReport, query: &Query) -> Vec<Node> {
    let name = |node: Node| match node.row {
        Row::Kernel(place) => report.kernels.get(place).map_or("", |kernel| &kernel.name),
        Row::Task(place) => report.tasks.get(place).map_or("", |task| &task.name),
    };
    // The task that a station belongs to: a kernel's is the one that launches it.
    let task = |node: Node| match node.row {
        Row::Kernel(place) => report.kernels.get(place).and_then(|kernel| kernel.task.as_deref()),
        Row::Task(_) => Some(name(node)),
    };
    let holds = |node: &Node| {
        query.names(name(*node))
            && query.holds(&|key| match (key, node.row) {
                ("kernel", Row::Kernel(_)) => name(*node).into(),
                ("task", _) => task(*node).map_or(Answer::None, Answer::from),
                ("station", _) => {
                    Answer::Text(format!("{} {}", node.station.key(), node.station.heading()).into())
                }
                ("time", _) => number(report, *node, Unit::Ns),
                ("cycles", _) => number(report, *node, Unit::Cycles),
                ("worth", _) => {
                    let worth = content(report, *node).and_then(|content| content.worth);
                    // Both as tables call it and in the words of the legend.
                    worth.map_or(Answer::None, |worth| {
                        Answer::Text(format!("{} {}", worth.name(), worth.words()).into())
                    })
                }
                _ => Answer::None,
            })
    };
    Walk::new(report).nodes().into_iter().filter(holds).collect()
}

/// The upper side of a station's number, else its lower one; a deadline is given.
fn number(report: &WholeReport, node: Node, unit: Unit) -> Answer<'static> {
    let bracket: Option<&Bracket> = match (node.row, node.station) {
        (Row::Task(place), Station::Deadline) => {
            let deadline = report.tasks.get(place).filter(|_| unit == Unit::Ns);
            return deadline.map_or(Answer::None, |task| Answer::Number(task.deadline as f64));
        }
        (Row::Task(place), _) => report.tasks.get(place).map(|task| &task.response),
        (Row::Kernel(place), station) => report.kernels.get(place).and_then(|kernel| match station {
            Station::Warps => Some(&kernel.makespan),
            Station::Block => Some(&kernel.block),
            Station::Gpu if kernel.completion.upper.is_some() || kernel.completion.lower.is_some() => {
                Some(&kernel.completion)
            }
            Station::Gpu => Some(&kernel.alone),
            _ => None,
        }),
    };
    let figure = bracket.and_then(|bracket| bracket.upper.as_ref().or(bracket.lower.as_ref()));
    figure
        .filter(|figure| figure.unit == unit)
        .map_or(Answer::None, |figure| Answer::Number(figure.value as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    fn found(text: &str) -> Vec<String> {
        let report = sample::open();
        let query = Query::read(text, &TERMS).unwrap_or_else(|why| unreachable!("{why}"));
        let found = seek(&report, &query).into_iter().filter_map(|node| Walk::name(&report, node));
        found.map(|name| name.split_once(':').map_or(name.clone(), |(_, own)| own.to_owned())).collect()
    }

    #[test]
    fn stations_are_found_by_name_number_and_worth() {
        assert_eq!(found("edges"), ["edges:code", "edges:warps", "edges:block", "edges:gpu"]);
        assert_eq!(found("station:deadline"), ["camera:deadline", "log:deadline"]);
        assert_eq!(found("task:camera station:gpu"), ["blur:gpu", "edges:gpu"]);
        assert_eq!(found("kernel:s cycles>120"), ["spare:warps"]);
        assert_eq!(found("time:8..9.5us"), ["camera:task", "log:task", "log:deadline"]);
        assert_eq!(found("worth:exact blur"), ["blur:warps", "blur:block"]);
        let simulated = found("worth:simulated station:task");
        assert_eq!((simulated.len(), found("worth:assumption station:task")), (1, simulated));
        assert!(found("nobody").is_empty());
    }
}
