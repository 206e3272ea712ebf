//! A chain on paper, from instructions to deadlines, and small.

use serde_json::Value;

use crate::draw::chain::{Layout, Missing, draw};
use crate::export::chain_svg::chain_svg;
use crate::page::chain::details::Worthy;
use crate::page::chain::lines::{kernels, tasks};
use crate::page::chain::summary::{because, verdict};
use crate::page::chain::{only_given, seen};
use crate::report::chain::{KernelLink, TaskLink, WholeReport};
use crate::timeline::chain::Worth;
use crate::timeline::chain::worth::{clock, time};
use base::people::{counted, grouped};
use kit::page::paper::{FULL, Fact, Paper, Sheet, Small, Table, WIDTH, fact};

/// The sheet of a report about a chain; none where it is another.
pub fn sheet(paper: &Paper) -> Option<Sheet> {
    let (line, link) = (paper.line(), paper.link);
    let report = seen(line)?;
    let picture = |report: &WholeReport| chain_svg(report, WIDTH, &report.scenario, link);
    let mut gpu = vec![
        fact("GPU", format!("{}, {}", report.gpu.name, counted(report.gpu.sms as usize, "multiprocessor"))),
        fact("Its clock", clock(report.gpu.clock)),
    ];
    if !report.gpu.machine.is_empty() {
        gpu.push(fact("A multiprocessor", report.gpu.machine.clone()));
    }
    let told = |what: &str| report.warnings.iter().any(|warning| warning.contains(what));
    let taken = report.assumed.iter().filter(|of| !told(&of.what));
    let value = |value: &str| if value.is_empty() { String::new() } else { format!(": {value}") };
    let taken: Vec<String> = taken.map(|of| format!("{}{}", of.what, value(&of.value))).collect();
    Some(Sheet {
        kind: "From instructions to deadlines",
        given: gpu,
        given_tables: [given_kernels(&report), given_tasks(&report)].into_iter().filter(has_rows).collect(),
        asked: "How long does each kernel take at worst, and each task? Is every deadline met?",
        picture: Some(picture(&report)),
        blank: Some(chain_svg(&only_given(&report), WIDTH, "Room for the answer", "")),
        found: vec![Fact { hint: because(&report), ..fact("Verdict", verdict(&report, false)) }],
        found_tables: [found_kernels(&report), found_tasks(&report)].into_iter().filter(has_rows).collect(),
        warns: report.warnings.clone(),
        assumes: taken.into_iter().chain(report.assumptions.clone()).collect(),
        ..Sheet::default()
    })
}

/// The small picture of a report.
pub fn small(_: &Value, line: &str) -> Option<Small> {
    let report = seen(line)?;
    let list = draw(&report, &Layout::new(&report, FULL), Missing::Unknown);
    let part = (0.0, 0.0, list.width, list.height);
    Some((list, part))
}

fn has_rows(table: &Table) -> bool {
    !table.rows.is_empty()
}

fn given_kernels(report: &WholeReport) -> Table {
    let row = |kernel: &KernelLink| {
        let code = kernel.string.clone().unwrap_or_else(|| match kernel.source.as_str() {
            "sass" | "code" => format!("{} of machine code", plural(kernel.instructions)),
            _ => "cycles given".to_owned(),
        });
        vec![kernel.name.clone(), code, grouped(kernel.blocks.into()), grouped(kernel.threads.into())]
    };
    Table {
        title: "Kernels".to_owned(),
        head: vec!["Kernel", "Instructions of a warp", "Blocks", "Threads of one"],
        rows: report.kernels.iter().map(row).collect(),
        given: 4,
        asked: None,
    }
}

fn given_tasks(report: &WholeReport) -> Table {
    let row = |task: &TaskLink| {
        let does: Vec<String> =
            crate::page::chain::details::segments(task)
                .into_iter()
                .map(|line| {
                    if line.does == "cpu" { format!("{} ({})", line.what, line.time.text) } else { line.what }
                })
                .collect();
        vec![task.name.clone(), task.core.clone(), time(task.period), time(task.deadline), does.join(", ")]
    };
    Table {
        title: "Host tasks".to_owned(),
        head: vec!["Task", "Core", "Period", "Deadline", "What it does"],
        rows: report.tasks.iter().map(row).collect(),
        given: 5,
        asked: None,
    }
}

fn plural(instructions: u64) -> String {
    counted(usize::try_from(instructions).unwrap_or(usize::MAX), "instruction")
}

/// A number in a table that has no colours.
fn said(number: &Worthy) -> String {
    match number.worth {
        Worth::Unknown => number.text.clone(),
        worth => format!("{} {}", worth.sign(), number.text),
    }
}

fn found_kernels(report: &WholeReport) -> Table {
    let row = |line: crate::page::chain::lines::KernelLine| {
        let numbers = line.numbers.iter().map(said);
        [line.name.clone()].into_iter().chain(numbers).collect()
    };
    Table {
        title: "Kernels: = exact, ≤ proven bound, ≥ lower bound, ~ under an assumption, • given".to_owned(),
        head: vec!["Kernel", "Makespan on one SM", "A block", "Alone", "Completion"],
        rows: kernels(report).into_iter().map(row).collect(),
        given: 1,
        asked: Some("What each kernel takes".to_owned()),
    }
}

fn found_tasks(report: &WholeReport) -> Table {
    let row = |line: crate::page::chain::lines::TaskLine| {
        let numbers = line.numbers.iter().map(said);
        [line.name.clone()].into_iter().chain(numbers).chain([line.room.clone()]).collect()
    };
    Table {
        title: "Host tasks".to_owned(),
        head: vec!["Task", "Computes", "Waits", "Response", "Room"],
        rows: tasks(report).into_iter().map(row).collect(),
        given: 1,
        asked: Some("What each host task takes".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    #[test]
    fn a_chain_on_paper() {
        let mut report = sample::meets();
        report.kernels[1] =
            KernelLink { source: "sass".to_owned(), string: None, ..report.kernels[1].clone() };
        let line = serde_json::to_string(&report).unwrap_or_default();
        let lines = [line];
        let paper = Paper { document: "{}", tree: &Value::Null, lines: &lines, proven: None, link: "#v=1" };
        let sheet = sheet(&paper).unwrap_or_default();
        assert_eq!(sheet.found[0].value, "All deadlines are met, under an unproven assumption.");
        assert_eq!(sheet.found_tables[0].rows[0][..2], ["blur", "= 154 cycles"]);
        let given: Vec<&str> = sheet.given_tables[0].rows.iter().map(|row| &*row[1]).collect();
        assert_eq!(given[1..], ["10 instructions of machine code", "cycles given"]);
        for table in sheet.given_tables.iter().chain(&sheet.found_tables) {
            assert!(table.rows.iter().all(|row| row.len() == table.head.len()), "{}", table.title);
        }
        let blank = sheet.blank.unwrap_or_default();
        assert!(
            blank.starts_with("<svg") && !blank.contains("154 cycles") && blank.contains("25 instructions")
        );
        assert_eq!(super::sheet(&Paper { lines: &["{}".to_owned()], ..paper }), None);
    }
}
