//! `convert`: the timeline of a scenario's run, or a recorded run, in another form.

use std::path::Path;

use super::args::Format;
use super::through::Through;
use super::traces::{self, Export};
use super::{ExitCodeNumber, answer, of_text, read, tell, tree, work};
use crate::base::Problem;
use crate::base::problem::quoted;
use crate::draw::blocks::{Look, Panel};
use crate::draw::gantt::{self, Frame};
use crate::draw::tasks;
use crate::export::blocks_csv::blocks_csv;
use crate::export::blocks_svg::blocks_svg;
use crate::export::code::code_document;
use crate::export::examiner_log::{LogFile, Logs, Origin, examiner_logs};
use crate::export::perfetto::{perfetto, schedule_perfetto, witness_perfetto};
use crate::export::tasks_csv::demand_csv;
use crate::export::tasks_svg::tasks_svg;
use crate::export::{csv, svg};
use crate::import::json;
use crate::page::Shown;
use crate::report::blocks::{Pictured, cut_warnings, picture};
use crate::report::tasks::{ExperimentReport, TasksReport};
use crate::report::{BlocksReport, WarpsReport};
use crate::scenario::{ChainScenario, Scenario, WarpsScenario, link};
use crate::timeline::Rows;
use crate::timeline::blocks::{BlocksTimeline, Measure, kernel_classes};
use crate::timeline::tasks::{Demand, Witnessed};
use serde_json::Value;

/// How wide a picture is.
const WIDTH: f64 = 1_200.0;
/// How high a chart of demand is.
const HEIGHT: f64 = 560.0;

/// Runs a scenario and prints its timeline, or writes its files into a folder.
pub fn convert(file: &str, to: Format, out: Option<&str>) -> ExitCodeNumber {
    if let Some(trace) = super::waves::Trace::of(file) {
        return answer(file, || trace.convert(file, to));
    }
    if let Some(export) = Export::of(file) {
        return answer(file, || export.convert(file, to));
    }
    answer(file, || {
        let text = read(file)?;
        let scenario = of_text(&text, &Through::default())?;
        if let Some(trace) = traces::of_document(file, &scenario) {
            return traces::written(&trace?, &scenario.title, to);
        }
        if let Some(capture) = super::waves::of_document(file, &scenario) {
            return super::waves::written(&capture?, &scenario.title, to);
        }
        let tree = tree(&text)?;
        if to == Format::Code {
            return as_code(&scenario, &tree);
        }
        let link =
            link::write(&tree, &link::View::default()).map_or(String::new(), |link| format!("#{link}"));
        if scenario.asked::<ChainScenario>().is_some() {
            let what = "a chain has no timeline of its own, its parts have";
            let expected = "one of the documents among the \"parts\" that \"warpspan run\" prints";
            return Err(vec![Problem::at("chain", what, expected)]);
        }
        let report = work(scenario, None);
        if let Some(report) = report.of::<BlocksReport>() {
            for warning in cut_warnings(report) {
                tell(&format!("{file}: {warning}"));
            }
            blocks(file, report, to, out, &link)
        } else if report.of::<WarpsReport>().is_some() {
            let shown = Shown::new(&json::pretty(&tree), &report.line());
            schedule(&shown.ok_or_else(|| no_timeline("warps"))?, to, &link)
        } else if let Some(report) = report.of::<TasksReport>() {
            tasks(report, to, &link)
        } else if report.of::<ExperimentReport>().is_some() {
            Err(no_timeline("tasks.experiment"))
        } else {
            Err(no_timeline("conjecture"))
        }
    })
}

/// A question about warps as one about machine code.
fn as_code(scenario: &Scenario, tree: &Value) -> Result<String, Vec<Problem>> {
    let asked = scenario.asked::<WarpsScenario>().ok_or_else(|| {
        let what = "only kernel strings, and loads that take their time, become machine code";
        vec![Problem::at("--to", what, "a \"warps\" scenario with a kernel or PTX")]
    })?;
    let notes = tree.get("notes").and_then(Value::as_str).unwrap_or_default();
    let document = code_document(&scenario.title, notes, asked).map_err(|problem| vec![problem])?;
    Ok(json::pretty(&document))
}

fn no_timeline(place: &str) -> Vec<Problem> {
    vec![Problem::at(place, "its result is no timeline", "a \"warps\", \"blocks\" or \"tasks\" scenario")]
}

fn blocks(
    file: &str,
    report: &BlocksReport,
    to: Format,
    out: Option<&str>,
    link: &str,
) -> Result<String, Vec<Problem>> {
    let (simulated, measured) = picture(report);
    let runs: Vec<(&str, &Pictured)> = [("simulated", simulated.as_ref()), ("measured", measured.as_ref())]
        .into_iter()
        .filter_map(|(title, run)| Some((title, run?)))
        .collect();
    let Some((_, first)) = runs.first() else { return Err(no_timeline("blocks")) };
    Ok(match to {
        Format::Perfetto => perfetto(&first.setup, &first.trace),
        Format::Csv => blocks_csv(&first.setup, &first.trace),
        Format::Svg => blocks_picture(&runs, &report.scenario, link),
        Format::Code => return Err(no_timeline("blocks")),
        Format::ExaminerLog => {
            let origin = if simulated.is_some() { Origin::Simulated } else { Origin::Measured };
            let Logs { files: logs, left_out } =
                examiner_logs(&first.setup, &first.trace, &report.scenario, origin);
            for stream in left_out {
                let what =
                    "launches no kernel: the examiner's logs hold kernels only, so there is none of it";
                tell(&format!("{file}: stream {} {what}", quoted(&stream)));
            }
            if logs.is_empty() {
                tell(&format!("{file}: no kernel was launched: there is no log to write"));
            }
            match out {
                Some(folder) => write(folder, &logs)?,
                None => logs.iter().map(|log| log.text.replace('\n', "") + "\n").collect(),
            }
        }
    })
}

/// The demand of a set as a table or as a chart, and the witness of its report as jobs on a processor.
fn tasks(report: &TasksReport, to: Format, link: &str) -> Result<String, Vec<Problem>> {
    let demand = Demand::new(report);
    match to {
        Format::Csv => Ok(demand_csv(&demand)),
        Format::Svg => {
            let look = tasks::Look::new(WIDTH, HEIGHT, 0.0, (demand.horizon as f64).max(1.0));
            Ok(tasks_svg(&demand, &look, &report.scenario, link))
        }
        Format::Perfetto if report.witness.is_empty() => {
            let what = "there is no witness of these tasks, and so no run to show";
            Err(vec![Problem::at("tasks", what, "csv or svg, or tasks about which there is a verdict")])
        }
        Format::Perfetto => Ok(witness_perfetto(&Witnessed::new(&report.witness), &report.scenario)),
        Format::Code => Err(no_timeline("tasks")),
        Format::ExaminerLog => {
            let what = "recurring tasks have no blocks to log";
            Err(vec![Problem::at("tasks", what, "perfetto, csv or svg, or a \"blocks\" scenario")])
        }
    }
}

fn blocks_picture(runs: &[(&str, &Pictured)], title: &str, link: &str) -> String {
    let told: Vec<_> = runs.iter().map(|(_, run)| (&run.setup, &run.trace)).collect();
    let classes = kernel_classes(&told);
    let timelines: Vec<BlocksTimeline> = runs
        .iter()
        .zip(&classes)
        .map(|((_, run), classes)| BlocksTimeline::new(&run.setup, &run.trace, classes, Measure::Threads))
        .collect();
    let named = |name| if runs.len() > 1 { name } else { "" };
    let panels: Vec<Panel<'_>> = runs
        .iter()
        .zip(&timelines)
        .map(|((name, run), timeline)| Panel {
            title: named(*name),
            setup: &run.setup,
            trace: &run.trace,
            timeline,
        })
        .collect();
    let end = timelines.iter().map(|timeline| timeline.end).fold(1.0, f64::max);
    let rows: usize = runs.iter().map(|(_, run)| usize::from(run.setup.device.sms) + 3).sum();
    let height = (rows as f64 * 90.0).clamp(320.0, 8_000.0);
    blocks_svg(&panels, &Look::new(WIDTH, height, 0.0, end), title, link)
}

/// Writes files into a folder and says where they are.
fn write(folder: &str, files: &[LogFile]) -> Result<String, Vec<Problem>> {
    let failed = |error: std::io::Error| {
        vec![Problem::at("--out", format!("{folder}: {error}"), "a folder that can be written to")]
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut said = String::new();
    for file in files {
        let path = Path::new(folder).join(&file.name);
        std::fs::write(&path, &file.text).map_err(failed)?;
        said += &format!("{}\n", path.display());
    }
    Ok(said)
}

fn schedule(shown: &Shown, to: Format, link: &str) -> Result<String, Vec<Problem>> {
    let timeline = shown.whole_picture(Rows::Warps);
    Ok(match to {
        Format::Csv => csv::schedule_csv(&shown.warps.kernel, &shown.order, &shown.schedule),
        Format::Perfetto => schedule_perfetto(&timeline, &shown.title),
        Format::Svg => {
            let frame = Frame::whole(&timeline, WIDTH);
            svg::svg(&gantt::draw(&timeline, &frame), &shown.title, link)
        }
        Format::Code => return Err(no_timeline("warps")),
        Format::ExaminerLog => {
            let what = "a schedule of warps has no blocks to log";
            return Err(vec![Problem::at("warps", what, "perfetto, csv or svg, or a \"blocks\" scenario")]);
        }
    })
}
