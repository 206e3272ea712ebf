//! What the search field finds: intervals at which the demand grows, and vertices of the tasks.

use super::Demand;
use crate::report::tasks::TasksReport;
use crate::timeline::tasks::Room;
use base::people::grouped;
use kit::page::hits::Listed;
use kit::page::terms::{Answer, Kind, Query, Terms};

/// What the search understands.
pub const TERMS: Terms = Terms {
    plain: "Part of a task's or vertex' name",
    keys: &[
        ("interval", Kind::Number),
        ("demand", Kind::Number),
        ("slack", Kind::Number),
        ("lacking", Kind::Amount),
        ("task", Kind::Text),
        ("needs", Kind::Number),
        ("deadline", Kind::Number),
    ],
    bare: Some("interval"),
    example: "interval:10..50 slack<3, or task:planner needs>2",
};

/// Something that is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// An interval at which the demand grows.
    Step(u64),
    /// A vertex of a task, by their places.
    Vertex(usize, usize),
}

/// What one of those is called where they are listed.
pub fn listed(report: &TasksReport, demand: &Demand, hit: Hit) -> Option<Listed> {
    match hit {
        Hit::Step(t) => {
            let sum = demand.at(t);
            let room = match Room::of(t, sum) {
                Room::Left(left) => format!("{} left", grouped(left.into())),
                Room::Lacking(lacking) => format!("{} lacking", grouped(lacking.into())),
            };
            Some([format!("demand {}", grouped(sum.into())), format!("interval {}", grouped(t.into())), room])
        }
        Hit::Vertex(task, vertex) => {
            let task = report.set.get(task)?;
            let vertex = task.vertices.get(vertex)?;
            Some([vertex.name.clone(), task.name.clone(), String::new()])
        }
    }
}

/// What a search finds: intervals ascending, then vertices task by task.
pub fn seek(report: &TasksReport, demand: &Demand, query: &Query) -> Vec<Hit> {
    let number = |value: u64| Answer::Number(value as f64);
    let steps = demand.rows.iter().copied().filter(|&t| {
        let sum = demand.at(t);
        query.plain.is_empty()
            && query.holds(&|key| match (key, Room::of(t, sum)) {
                ("interval", _) => number(t),
                ("demand", _) => number(sum),
                ("slack", Room::Left(left)) => number(left),
                ("lacking", Room::Lacking(lacking)) => number(lacking),
                _ => Answer::None,
            })
    });
    let mut all: Vec<Hit> = steps.map(Hit::Step).collect();
    for (place, task) in report.set.iter().enumerate() {
        for (at, vertex) in task.vertices.iter().enumerate() {
            let named = query.names(&format!("{} {}", task.name, vertex.name));
            let holds = query.holds(&|key| match key {
                "task" => Answer::from(task.name.as_str()),
                "needs" => number(vertex.e),
                "deadline" => number(vertex.d),
                "slack" => vertex.most.map_or(Answer::None, |most| number(most.saturating_sub(vertex.e))),
                _ => Answer::None,
            });
            if named && holds {
                all.push(Hit::Vertex(place, at));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;

    fn found(report: &TasksReport, text: &str) -> Vec<Hit> {
        let query = Query::read(text, &TERMS).unwrap_or_else(|why| unreachable!("{why}"));
        seek(report, &Demand::new(report), &query)
    }

    #[test]
    fn intervals_are_found_by_their_demand() {
        let report = sample::fits();
        let demand = Demand::new(&report);
        for t in &demand.rows {
            assert_eq!(found(&report, &format!("interval:{t}")), [Hit::Step(*t)]);
        }
        let tight: Vec<Hit> = demand
            .rows
            .iter()
            .filter(|&&t| (10..=30).contains(&t) && demand.at(t) > 5)
            .map(|&t| Hit::Step(t))
            .collect();
        assert_eq!((found(&report, "10..30 demand>5"), tight.len() > 1), (tight.clone(), true));
        assert_eq!(found(&sample::overloaded(), "lacking").first(), Some(&Hit::Step(4)));
        assert_eq!(found(&report, "lacking"), []);
    }

    #[test]
    fn vertices_are_found_by_name_and_need() {
        let report = sample::fits();
        assert_eq!(found(&report, "plan"), [Hit::Vertex(2, 0), Hit::Vertex(2, 1)]);
        assert_eq!(found(&report, "task:planner needs>3"), [Hit::Vertex(2, 1)]);
        assert_eq!(found(&report, "blur deadline:6"), [Hit::Vertex(1, 0)]);
        assert_eq!(found(&report, "nobody"), []);
    }
}
