//! A set of recurring tasks on paper, and small.

mod experiment;

use serde_json::Value;

use crate::draw::tasks::{Layout, Look, draw};
use crate::export::tasks_svg::tasks_svg;
use crate::page::tasks::{Seen, summary};
use crate::report::tasks::{TaskReport, TasksReport};
use crate::timeline::tasks::Demand;
use base::people;
use kit::page::paper::{FULL, Fact, HIGH, Paper, Sheet, Small, Table, WIDE, WIDTH, fact, facts};

const HEIGHT: f64 = 460.0;

/// The sheet of a report about recurring tasks; none where it is another.
pub fn sheet(paper: &Paper) -> Option<Sheet> {
    let (line, link) = (paper.line(), paper.link);
    let seen = Seen::new(line)?;
    let Some(report) = seen.set() else { return experiment::sheet(line) };
    Some(Sheet {
        kind: "Recurring tasks",
        given: vec![fact("Tasks", report.set.len().to_string())],
        given_tables: report.set.iter().map(given).collect(),
        asked: "Draw the demand of each task over the interval. Does EDF meet every deadline?",
        blank: Some(chart(&without_demand(report), "")),
        picture: Some(chart(report, link)),
        found: std::iter::once(verdict(report)).chain(facts(summary::tiles(report))).collect(),
        found_tables: std::iter::once(totals(report)).chain(witness(report)).collect(),
        warns: report.warnings.clone(),
        assumes: report.assumptions.clone(),
        ..Sheet::default()
    })
}

/// The small picture of such a report.
pub fn small(_: &Value, line: &str) -> Option<Small> {
    let seen = Seen::new(line)?;
    let report = seen.set()?;
    let demand = Demand::new(report);
    let look = Look::new(FULL, FULL * HIGH / WIDE + 80.0, 0.0, (report.horizon as f64).max(1.0));
    let layout = Layout::new(&demand, &look);
    let part = (layout.x.left, layout.top(), layout.x.right, layout.bottom() + 2.0);
    Some((draw(&demand, &look), part))
}

fn verdict(report: &TasksReport) -> Fact {
    Fact { hint: summary::by_equation(report), ..fact("Verdict", summary::verdict(report).words) }
}

fn chart(report: &TasksReport, link: &str) -> String {
    let demand = Demand::new(report);
    let look = Look::new(WIDTH, HEIGHT, 0.0, (report.horizon as f64).max(1.0));
    tasks_svg(&demand, &look, &report.scenario, link)
}

/// The same set with nothing known about it.
fn without_demand(report: &TasksReport) -> TasksReport {
    TasksReport {
        dbf: Vec::new(),
        equation: Vec::new(),
        first_violation: None,
        first_violation_by_equation: None,
        tightest: None,
        tightest_by_equation: None,
        witness: Vec::new(),
        t_max: None,
        ..report.clone()
    }
}

fn given(task: &TaskReport) -> Table {
    let after = |name: &str| -> Vec<String> {
        let from = task.edges.iter().filter(|(from, ..)| from == name);
        from.map(|(_, to, p)| format!("{to} after {}", people::grouped((*p).into()))).collect()
    };
    let row = |vertex: &crate::report::tasks::VertexReport| {
        let (e, d) = (people::grouped(vertex.e.into()), people::grouped(vertex.d.into()));
        vec![vertex.name.clone(), e, d, after(&vertex.name).join(", ")]
    };
    let rows: Vec<_> = task.vertices.iter().map(row).collect();
    Table {
        title: format!(
            "Task {}, triggered every {} at the soonest",
            task.name,
            people::grouped(task.period.into())
        ),
        head: vec!["Vertex", "Requires", "Deadline", "Then, at the soonest"],
        given: 4,
        asked: None,
        rows,
    }
}

fn totals(report: &TasksReport) -> Table {
    let row = |task: &TaskReport| {
        let number = |n: u64| people::grouped(n.into());
        vec![task.name.clone(), number(task.period), number(task.demand), people::percent(task.utilisation)]
    };
    Table {
        title: "Tasks".to_owned(),
        head: vec!["Task", "Period", "Demand of its heaviest path", "Utilisation"],
        rows: report.set.iter().map(row).collect(),
        given: 2,
        asked: None,
    }
}

/// The jobs of the witness, task by task.
fn witness(report: &TasksReport) -> Vec<Table> {
    let table = |task: &crate::report::tasks::WitnessReport| {
        let row = |job: &crate::report::tasks::JobReport| {
            let number = |n: u64| people::grouped(n.into());
            vec![job.vertex.clone(), number(job.time), number(job.deadline), number(job.e)]
        };
        Table {
            title: format!(
                "Task {}: triggerings that need {} within {}",
                task.task,
                people::grouped(task.demand.into()),
                people::grouped(task.t.into())
            ),
            head: vec!["Vertex", "Triggered", "Deadline", "Requires"],
            rows: task.jobs.iter().map(row).collect(),
            given: 0,
            asked: Some(format!("Task {}: the triggerings that need most within one interval", task.task)),
        }
    };
    report.witness.iter().filter(|task| !task.jobs.is_empty()).map(table).collect()
}
