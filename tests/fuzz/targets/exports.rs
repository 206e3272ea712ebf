//! Everything a result can be written as, held to what every picture, table and trace must be.

use serde_json::Value;
use warpspan::draw::blocks::{Look, Panel};
use warpspan::draw::gantt::{self, Frame};
use warpspan::export::blocks_csv::{blocks_csv, copies_csv, kernels_csv};
use warpspan::export::blocks_svg::blocks_svg;
use warpspan::export::chain_csv;
use warpspan::export::chain_svg::chain_svg;
use warpspan::export::csv::{conjecture_csv, schedule_csv};
use warpspan::export::examiner_log::{Origin, examiner_logs};
use warpspan::export::perfetto::{perfetto, schedule_perfetto, witness_perfetto};
use warpspan::export::svg::svg;
use warpspan::export::tasks_csv::{demand_csv, witness_csv};
use warpspan::export::tasks_svg::tasks_svg;
use warpspan::import::{examiner, json};
use warpspan::page::{Shown, sheet::sheet};
use warpspan::report::blocks::{Pictured, picture};
use warpspan::report::chain::WholeReport;
use warpspan::report::tasks::TasksReport;
use warpspan::report::{BlocksReport, ConjectureReport, Report, WarpsReport};
use warpspan::scenario::{Scenario, link};
use warpspan::timeline::Rows;
use warpspan::timeline::blocks::{BlocksTimeline, Measure, kernel_classes};
use warpspan::timeline::tasks::{Demand, Witnessed};
use warpspan::{draw, scenario};

use super::said::{a_table, well_formed};

/// More blocks than this are not drawn here.
const MOST_RUNS: usize = 3_000;

/// Writes everything a report can be written as.
pub fn all(tree: &Value, scenario: &Scenario, report: &Report, line: &str) {
    let link = link::write(tree, &link::View::default()).map_or(String::new(), |link| format!("#{link}"));
    if report.of::<WarpsReport>().is_some() {
        warps(tree, line, &link);
    } else if let Some(report) = report.of::<BlocksReport>() {
        blocks(report, &link);
    } else if let Some(report) = report.of::<TasksReport>() {
        let demand = Demand::new(report);
        let look = draw::tasks::Look::new(1_200.0, 560.0, 0.0, (demand.horizon as f64).max(1.0));
        well_formed(&tasks_svg(&demand, &look, &scenario.title, &link));
        a_table(&demand_csv(&demand));
        let witnessed = Witnessed::new(&report.witness);
        a_table(&witness_csv(&witnessed));
        trace(&witness_perfetto(&witnessed, &scenario.title));
    } else if let Some(report) = report.of::<WholeReport>() {
        a_table(&chain_csv::kernels_csv(report));
        a_table(&chain_csv::tasks_csv(report));
        well_formed(&chain_svg(report, 1_000.0, &scenario.title, &link));
        for part in &report.parts {
            let read = scenario::from_tree(&part.document);
            assert!(read.is_ok(), "a part of a chain cannot be read: {read:?}");
        }
    } else if let Some(report) = report.of::<ConjectureReport>() {
        a_table(&conjecture_csv(report));
    }
    let _ = sheet(&json::pretty(tree), &[line.to_owned()], None, &link);
}

fn warps(tree: &Value, line: &str, link: &str) {
    let Some(shown) = Shown::new(&json::pretty(tree), line) else {
        unreachable!("the page does not take a report: {line}")
    };
    let steps = shown.steps();
    for steps in [0, steps / 2, steps] {
        let _ = shown.picture(steps, Rows::Units);
    }
    let timeline = shown.whole_picture(Rows::Warps);
    a_table(&schedule_csv(&shown.warps.kernel, &shown.order, &shown.schedule));
    trace(&schedule_perfetto(&timeline, &shown.title));
    well_formed(&svg(&gantt::draw(&timeline, &Frame::whole(&timeline, 1_200.0)), &shown.title, link));
}

fn blocks(report: &BlocksReport, link: &str) {
    let (simulated, measured) = picture(report);
    let runs: Vec<&Pictured> = [simulated.as_ref(), measured.as_ref()].into_iter().flatten().collect();
    if runs.iter().any(|run| run.trace.blocks.len() > MOST_RUNS) {
        return;
    }
    for run in &runs {
        a_table(&blocks_csv(&run.setup, &run.trace));
        a_table(&kernels_csv(&run.setup, &run.trace));
        a_table(&copies_csv(&run.setup, &run.trace));
        trace(&perfetto(&run.setup, &run.trace));
        for log in examiner_logs(&run.setup, &run.trace, &report.scenario, Origin::Simulated).files {
            let read = examiner::log::read(&log.name, &log.text);
            assert!(read.is_ok(), "a log we write is one: {read:?}");
        }
    }
    if runs.is_empty() {
        return;
    }
    let told: Vec<_> = runs.iter().map(|run| (&run.setup, &run.trace)).collect();
    let classes = kernel_classes(&told);
    for measure in [Measure::Threads, Measure::SharedMemory] {
        let timelines: Vec<BlocksTimeline> = runs
            .iter()
            .zip(&classes)
            .map(|(run, classes)| BlocksTimeline::new(&run.setup, &run.trace, classes, measure))
            .collect();
        let panels: Vec<Panel<'_>> = runs
            .iter()
            .zip(&timelines)
            .map(|(run, timeline)| Panel { title: "run", setup: &run.setup, trace: &run.trace, timeline })
            .collect();
        let end = timelines.iter().map(|timeline| timeline.end).fold(1.0, f64::max);
        well_formed(&blocks_svg(&panels, &Look::new(1_200.0, 800.0, 0.0, end), &report.scenario, link));
    }
}

/// Trace events are JSON with a list of them.
fn trace(text: &str) {
    let tree: Value =
        serde_json::from_str(text).unwrap_or_else(|error| unreachable!("a trace is no JSON: {error}"));
    assert!(tree.is_array() || tree.get("traceEvents").is_some_and(Value::is_array), "no list of events");
}
