//! Scenarios: read in two ways that must agree, written, put into links; and run for a counted number of steps.

use serde_json::Value;
use warpspan::base::{Control, StopReason};
use warpspan::import::json;
use warpspan::job::{self, Step};
use warpspan::report::Report;
use warpspan::scenario::link::{self, View};
use warpspan::scenario::{self, Method, Scenario, WarpsScenario};

use super::said::clear;
use super::{exports, text};

/// The fuel of a slice, and how many slices a job has before it is stopped.
const FUEL: u64 = 2_000;
const SLICES: usize = 4;
/// Warps times instructions: with more the first schedule alone would be most of the work.
const MOST_ENTRIES: usize = 4_000;

/// A scenario is refused with clear words, or reads again as it is written.
pub fn scenario(data: &[u8]) {
    let Some(text) = text(data) else { return };
    match scenario::read(&text) {
        Ok(_) => drop(again(&text)),
        Err(problems) => clear(&problems),
    }
}

/// The tree of a text that can be read, once it was written in both ways and read again.
fn again(text: &str) -> Option<(Value, Scenario)> {
    let tree = scenario::tree(text).ok()?;
    let scenario = scenario::from_tree(&tree).ok()?;
    for written in [json::line(&tree), json::pretty(&tree)] {
        let read = scenario::read(&written);
        assert_eq!(read.as_ref(), Ok(&scenario), "a document reads as it is written");
    }
    Some((tree, scenario))
}

/// A link opens or says why not; what opened is written and opens as the same.
pub fn link(data: &[u8]) {
    let Some(text) = text(data) else { return };
    open(&text);
    // Most changes end at the checksum: with the right one they go further.
    if let Some((body, _)) = text.trim().rsplit_once("&c=") {
        let inside = body.rsplit_once('#').map_or(body, |(_, inside)| inside);
        open(&format!("#{inside}&c={:08x}", warpspan::base::crc32(inside.as_bytes())));
    }
}

fn open(text: &str) {
    match link::open(text) {
        Ok(opened) => {
            let written = link::write(&opened.scenario, &opened.view);
            if let Ok(written) = written {
                let again = link::open(&written).map(|again| (again.scenario, whole(again.view)));
                let wanted = (opened.scenario.clone(), whole(opened.view));
                assert_eq!(again, Ok(wanted), "a link opens as it was written");
            }
            if let Err(problems) = scenario::from_tree(&opened.scenario) {
                clear(&problems);
            }
        }
        Err(problem) => clear(&[problem]),
    }
}

/// A view whose window has whole edges. Fractions are read in little code, which may miss them by their last digit; that is
/// no different window.
fn whole(view: View) -> View {
    let edge = |at: Option<f64>| at.map(|at| format!("{at:.12e}").parse().unwrap_or(at));
    View { t0: edge(view.t0), t1: edge(view.t1), ..view }
}

/// A scenario is run for some steps; its report is JSON, and everything it can be exported as is written.
pub fn run(data: &[u8]) {
    let Some(text) = text(data) else { return };
    if let Ok(tree) = scenario::tree(&text) {
        run_tree(&tree);
    }
}

/// The report of a tree, where it is a scenario of a size that can be run here.
pub fn run_tree(tree: &Value) -> Option<Value> {
    let scenario = scenario::from_tree(tree).ok().filter(is_small)?;
    let report = begun(scenario.clone())?;
    let line = report.line();
    assert!(!line.contains('\n'), "a report is one line");
    let told = json::parse(&line).unwrap_or_else(|problem| unreachable!("a report is no JSON: {problem}"));
    exports::all(tree, &scenario, &report, &line);
    Some(told)
}

/// What a job comes to in a few slices.
fn begun(scenario: Scenario) -> Option<Report> {
    let mut job = job::start(scenario);
    for _ in 0..SLICES {
        if let Step::Done(report) = job.step(&mut Control::slice(FUEL)) {
            return Some(report);
        }
        if let Some(news) = job.news() {
            for line in news.lines() {
                assert!(json::parse(line).is_ok(), "news are lines of JSON: {line}");
            }
        }
    }
    job.stop(StopReason::Cancelled)
}

/// Whether a job is small whatever it is asked: most is bounded by fuel, but not its beginning and its report.
fn is_small(scenario: &Scenario) -> bool {
    scenario.asked::<WarpsScenario>().is_none_or(|warps| {
        let starts = match &warps.method {
            Method::Anneal(anneal) => anneal.starts.len(),
            _ => 1,
        };
        warps.count * warps.kernel.len() * starts <= MOST_ENTRIES
    })
}
