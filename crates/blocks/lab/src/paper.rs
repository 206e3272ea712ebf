//! A run of blocks on paper, and small.

use std::sync::Arc;

use serde_json::Value;

use crate::draw::blocks::{Look, draw};
use crate::export::blocks_svg::blocks_svg;
use crate::page::blocks::guess::so_far;
use crate::page::blocks::{Runs, Seen, summary};
use crate::report::blocks::{BlocksReport, DeviceReport, KernelReport};
use crate::timeline::blocks::Measure;
use base::{Nanos, people};
use kit::page::paper::{FULL, Fact, HIGH, MOST_MARKS, Paper, Sheet, Small, Table, WIDE, WIDTH, fact, facts};

/// Launches that are listed at the most.
const MOST: usize = 60;

/// The sheet of a report about blocks; none where it is another.
pub fn sheet(paper: &Paper) -> Option<Sheet> {
    let (line, link) = (paper.line(), paper.link);
    let seen = Arc::new(Seen::new(line)?);
    let report = &seen.report;
    let (device, kernels) = match (&report.stop, &report.measured) {
        (None, Some(measured)) => (&measured.device, &measured.kernels),
        _ => (&report.device, &report.kernels),
    };
    Some(Sheet {
        kind: "Blocks on multiprocessors",
        given: vec![Fact { hint: limits(device), ..fact("Device", device.name.clone()) }],
        asked: "Draw the blocks on their multiprocessors. When does each kernel start and end?",
        blank: (!seen.report.kernels.is_empty()).then(|| so_far(&seen, 0)),
        picture: Some(drawn(&seen, link)),
        found: facts(summary::tiles(&seen)),
        found_tables: [Some(launches(kernels)), copies(report), response(report)]
            .into_iter()
            .flatten()
            .collect(),
        warns: report.warnings.clone(),
        assumes: report.assumptions.clone(),
        ..Sheet::default()
    })
}

/// The small picture of a report.
pub fn small(_: &Value, line: &str) -> Option<Small> {
    let seen = Arc::new(Seen::new(line)?);
    let runs = Runs::new(seen, Measure::Threads);
    let end = runs.runs.iter().map(|run| run.timeline.end).fold(1.0, f64::max);
    let look = Look { most_marks: MOST_MARKS / 2, ..Look::new(FULL, FULL * HIGH / WIDE, 0.0, end) };
    let list = draw(&runs.panels(), &look);
    let scale = look.scale();
    let part = (scale.left, 0.0, scale.right, list.height);
    Some((list, part))
}

fn limits(device: &DeviceReport) -> String {
    format!(
        "{}, each with room for {}, {} and {} of shared memory",
        people::counted(device.sms.into(), "multiprocessor"),
        people::counted(device.threads as usize, "thread"),
        people::counted(device.blocks as usize, "block"),
        people::bytes(device.shared_memory.into())
    )
}

fn drawn(seen: &Arc<Seen>, link: &str) -> String {
    let runs = Runs::new(Arc::clone(seen), Measure::Threads);
    let look = Look::new(WIDTH, 484.0, 0.0, runs.runs.iter().map(|run| run.timeline.end).fold(1.0, f64::max));
    blocks_svg(&runs.panels(), &look, &seen.report.scenario, link)
}

fn time(nanos: u64) -> String {
    Nanos(nanos).to_string()
}

fn launches(kernels: &[KernelReport]) -> Table {
    let row = |kernel: &KernelReport| {
        let duration = kernel.blocks.iter().map(|(_, start, end)| end - start).max().unwrap_or_default();
        vec![
            kernel.label.clone(),
            kernel.stream.clone(),
            time(kernel.launched),
            format!("{} × {}", people::grouped(kernel.grid.into()), people::grouped(kernel.threads.into())),
            people::bytes(kernel.shared_memory.into()),
            time(duration),
            time(kernel.start),
            time(kernel.end),
        ]
    };
    let left = kernels.len().saturating_sub(MOST);
    let title = match left {
        0 => "Launches".to_owned(),
        left => format!("The first {MOST} launches; {} more are left out", people::grouped(left as u128)),
    };
    Table {
        title,
        asked: None,
        head: vec![
            "Kernel",
            "Stream",
            "Launched",
            "Blocks × threads",
            "Shared memory",
            "A block takes",
            "Starts",
            "Ends",
        ],
        rows: kernels.iter().take(MOST).map(row).collect(),
        given: 6,
    }
}

fn copies(report: &BlocksReport) -> Option<Table> {
    let rows: Vec<Vec<String>> = report
        .copies
        .iter()
        .take(MOST)
        .map(|copy| {
            vec![
                copy.label.clone(),
                copy.stream.clone(),
                people::bytes(copy.bytes),
                copy.direction.clone(),
                time(copy.launched),
                time(copy.start),
                time(copy.end),
            ]
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        title: "Copies".to_owned(),
        asked: None,
        head: vec!["Copy", "Stream", "Size", "Direction", "Issued", "Starts", "Ends"],
        rows,
        given: 5,
    })
}

/// What the analysis says, where its assumptions hold.
fn response(report: &BlocksReport) -> Option<Table> {
    let worst = report.worst_order.as_ref();
    let rows = report.response.as_ref()?.iter().map(|found| {
        let worst = worst.and_then(|worst| worst.kernels.iter().find(|kernel| kernel.label == found.label));
        let worst = worst.map_or(String::new(), |kernel| time(kernel.completion));
        vec![found.label.clone(), time(found.completion), worst]
    });
    Some(Table {
        title: "Response-time analysis".to_owned(),
        asked: None,
        head: vec!["Kernel", "Completes at", "At worst, in any launch order"],
        rows: rows.collect(),
        given: 1,
    })
}
