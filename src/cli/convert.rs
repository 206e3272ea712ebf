//! `convert`: the timeline of a scenario's run in another form.

use std::path::Path;

use super::args::Format;
use super::{ExitCodeNumber, answer, read, tell, tree, work};
use crate::base::Problem;
use crate::draw::Theme;
use crate::export::{blocks_csv, csv, examiner_log, perfetto, picture, svg};
use crate::import::json;
use crate::report::blocks::picture as pictured;
use crate::report::{BlocksReport, Report, WarpsReport};
use crate::scenario::{self, Question, link};

/// Runs a scenario and prints its timeline, or writes its files into a folder.
pub fn convert(file: &str, to: Format, out: Option<&str>) -> ExitCodeNumber {
    answer(file, || {
        let tree = tree(&read(file)?)?;
        let scenario = scenario::from_tree(&tree)?;
        let link = link::write(&tree, &link::View::default()).map_or(String::new(), |link| format!("#{link}"));
        let question = scenario.question.clone();
        match (work(scenario, None), question) {
            (Report::Blocks(report), _) => blocks(&report, to, out, &link),
            (Report::Warps(report), Question::Warps(warps)) => warps_text(&report, &warps, to, &link),
            _ => {
                let problem = Problem::at("document", "no timeline", "a \"warps\" or \"blocks\" scenario");
                Err(vec![problem])
            }
        }
    })
}

fn blocks(report: &BlocksReport, to: Format, out: Option<&str>, link: &str) -> Result<String, Vec<Problem>> {
    let (simulated, measured) = pictured(report);
    let Some(run) = simulated.or(measured) else {
        return Err(vec![Problem::at("blocks", "no run", "something that runs")]);
    };
    let (setup, trace) = (&run.setup, &run.trace);
    Ok(match to {
        Format::Perfetto => perfetto::trace_events(&report.scenario, setup, trace),
        Format::Csv => blocks_csv::blocks(setup, trace),
        Format::Svg => svg::svg(&picture::blocks(setup, trace, Theme::Light), &report.scenario, link),
        Format::ExaminerLog => {
            let logs = examiner_log::logs(&report.scenario, setup, trace);
            match out {
                Some(folder) => write(folder, &logs)?,
                None => logs.iter().map(|(_, text)| on_one_line(text)).collect(),
            }
        }
    })
}

/// A log as one line.
fn on_one_line(text: &str) -> String {
    text.split('\n').collect::<Vec<_>>().join("") + "\n"
}

/// Writes files into a folder and says where they are.
fn write(folder: &str, files: &[(String, String)]) -> Result<String, Vec<Problem>> {
    let failed = |error: std::io::Error| {
        vec![Problem::at("--out", format!("{folder}: {error}"), "a folder that can be written to")]
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut said = String::new();
    for (name, text) in files {
        let path = Path::new(folder).join(name);
        std::fs::write(&path, text).map_err(failed)?;
        said += &format!("{}\n", path.display());
    }
    Ok(said)
}
