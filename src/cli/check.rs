//! `check`: certificates each by itself, and the logs of runs against the scheduling rules.

use serde_json::Value;

use super::args::About;
use super::progress::ProgressLine;
use super::{ExitCodeNumber, USAGE, answer, certificate, print, read, tell};
use crate::base::{Problem, people};
use crate::import::examiner::log;
use crate::import::{self, Format, json};
use crate::report::{CheckReport, check_report};
use crate::scenario::{self, document_of_logs, logs_in};

/// The status of what breaks a rule.
const VIOLATED: ExitCodeNumber = 1;

/// A log: the file it is in, and its text.
type Log = (String, String);

/// Checks every certificate, and the logs run by run.
pub fn check(files: &[String], about: &About) -> ExitCodeNumber {
    let mut status = 0;
    let mut logs: Vec<Log> = Vec::new();
    for file in files {
        match read(file) {
            Ok(text) if import::sniff(&text) == Format::Certificate => {
                status = status.max(certificate::check(file, &text));
            }
            Ok(text) => match logs_in(file, &text) {
                Some(found) => logs.extend(found),
                None => {
                    let expected = "an examiner's log, or a certificate as warpspan certify prints it";
                    let problem = Problem::at("document", "neither a log nor a certificate", expected);
                    status = status.max(refuse(file, vec![problem]));
                }
            },
            Err(problems) => status = status.max(refuse(file, problems)),
        }
    }
    for run in runs(logs) {
        status = status.max(check_run(&run, about));
    }
    status
}

/// Logs by the run they are of, in the order in which runs first occur.
fn runs(logs: Vec<Log>) -> Vec<Vec<Log>> {
    let mut runs: Vec<(Option<String>, Vec<Log>)> = Vec::new();
    for log in logs {
        let name = log::read(&log.0, &log.1).ok().map(|log| log.scenario);
        match runs.iter_mut().find(|(known, _)| *known == name) {
            Some((_, run)) => run.push(log),
            None => runs.push((name, vec![log])),
        }
    }
    runs.into_iter().map(|(_, run)| run).collect()
}

fn check_run(run: &[Log], about: &About) -> ExitCodeNumber {
    let name = run.first().map_or("", |(name, _)| name);
    let document = match document(run, about) {
        Ok(document) => document,
        Err((source, problems)) => return refuse(&source, problems),
    };
    let line = ProgressLine::start(name);
    let scenario = match scenario::from_tree(&document) {
        Ok(scenario) => scenario,
        Err(problems) => {
            let named = |problem: Problem| match problem.place.as_str() {
                "blocks.device.preset" if about.device.is_some() => {
                    ("--device".to_owned(), Problem { place: "the device's name".to_owned(), ..problem })
                }
                _ => in_file(problem, run, name),
            };
            for (source, problem) in problems.into_iter().map(named) {
                tell(&format!("{source}: {problem}"));
            }
            return USAGE;
        }
    };
    let Some(asked) = scenario.asked() else { return USAGE };
    let Some(mut report) = check_report(&scenario.title, asked) else { return USAGE };
    for warning in &mut report.warnings {
        *warning = with_files(warning, run);
    }
    if report.verdict == "conforms-as-far-as-recorded" {
        tell(&format!("{name}: {}", share(&report)));
    }
    report.seconds = (line.seconds() * 1e6).round() / 1e6;
    let status = print(&(json::line(&report) + "\n"));
    if status == 0 && !report.conforms { VIOLATED } else { status }
}

/// How much of a run was looked at.
fn share(report: &CheckReport) -> String {
    let CheckReport { kernels, blocks, recorded_kernels, recorded_blocks, .. } = report;
    let more = if report.cut { ", and logs are cut off or broken" } else { "" };
    format!(
        "it keeps the rules as far as it is recorded: {kernels} of {} and {blocks} of {} were looked at{more}",
        people::counted(*recorded_kernels, "kernel"),
        people::counted(*recorded_blocks, "block")
    )
}

/// A warning with the names of files in place of the numbers that logs have in the document.
fn with_files(warning: &str, run: &[Log]) -> String {
    const LOGS: &str = "blocks.measured[";
    let mut out = String::with_capacity(warning.len());
    let mut rest = warning;
    while let Some((before, after)) = rest.split_once(LOGS) {
        out += before;
        let number =
            after.split_once(']').and_then(|(number, after)| Some((number.parse::<usize>().ok()?, after)));
        match number.and_then(|(number, after)| Some((run.get(number)?, after))) {
            Some(((file, _), after)) => {
                out += file;
                rest = after;
            }
            None => {
                out += LOGS;
                rest = after;
            }
        }
    }
    out + rest
}

/// A problem with the file it is in: logs stand in the document by number.
fn in_file(problem: Problem, run: &[Log], name: &str) -> (String, Problem) {
    let within = problem.place.strip_prefix("blocks.measured[").and_then(|rest| {
        let (number, place) = rest.split_once(']')?;
        let (file, _) = run.get(number.parse::<usize>().ok()?)?;
        Some((file.clone(), place.trim_start_matches('.').to_owned()))
    });
    match within {
        Some((file, place)) => {
            let place = if place.is_empty() { "document".to_owned() } else { place };
            (file, Problem { place, ..problem })
        }
        None => (name.to_owned(), scenario::in_file(problem)),
    }
}

/// The document that asks for the check: the logs, and what is known beside them.
fn document(run: &[Log], about: &About) -> Result<Value, (String, Vec<Problem>)> {
    let mut tree = match &about.config {
        None => document_of_logs(run),
        Some(file) => {
            let there = read(file).and_then(|text| scenario::tree(&text));
            let there = there.map_err(|problems| (file.clone(), problems))?;
            let logs = document_of_logs(run);
            let measured = logs.get("blocks").and_then(|blocks| blocks.get("measured")).cloned();
            let mut tree = there;
            let Some(blocks) = tree.get_mut("blocks").and_then(Value::as_object_mut) else {
                let expected = "an examiner's configuration, or a \"blocks\" scenario";
                let problem = Problem::at("document", "no configuration of a run", expected);
                return Err((file.clone(), vec![problem]));
            };
            blocks.insert("measured".to_owned(), measured.unwrap_or_default());
            tree
        }
    };
    if let Some(blocks) = tree.get_mut("blocks").and_then(Value::as_object_mut) {
        if let Some(name) = &about.device {
            let mut device = serde_json::Map::new();
            device.insert("preset".to_owned(), Value::from(name.as_str()));
            blocks.insert("device".to_owned(), Value::Object(device));
        }
        for (key, nanos) in [("tolerance", about.tolerance), ("clocks", about.clocks)] {
            if let Some(nanos) = nanos {
                blocks.insert(key.to_owned(), Value::from(nanos));
            }
        }
    }
    Ok(tree)
}

fn refuse(source: &str, problems: Vec<Problem>) -> ExitCodeNumber {
    answer(source, || Err(problems))
}
