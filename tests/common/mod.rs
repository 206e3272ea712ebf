//! What the integration tests share: calling the real program, and what must hold of every report.
//!
//! The program reads and writes files, not pipes, so that neither side can wait for the other; one that does
//! not end is stopped and fails the test.

#![allow(dead_code)] // every test file takes its own part of this

mod chain;
mod code;
mod studies;
mod traces;
mod waves;

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use warpspan::blocks::check::{CheckConfig, Exactness, check};
use warpspan::page::Subject;
use warpspan::report::blocks::{BlocksReport, picture};
use warpspan::report::tasks::{Curve, ExperimentReport, TasksReport};
use warpspan::tasks::Task;
use warpspan::tasks::witness::{Job, illegal};

use serde_json::Value;
use warpspan::warps::memory::{self, Problem};
use warpspan::warps::{Fairness, Kernel, Machine, Memory, Misses, Mode, PerUnit, Unit, check_fair};

/// After this a call of the program is taken to hang. It ends a hang and decides nothing else.
const PATIENCE: Duration = Duration::from_secs(10 * 60);

/// What a call of the program came back with.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Calls the program with nothing on its standard input.
pub fn warpspan(words: &[&str]) -> Answer {
    warpspan_with(words, b"")
}

/// Calls the program with `input` on its standard input.
#[allow(clippy::disallowed_methods)] // only a clock can tell that a program hangs
pub fn warpspan_with(words: &[&str], input: &[u8]) -> Answer {
    let scratch = [Scratch::new(input), Scratch::new(b""), Scratch::new(b"")];
    let [stdin, stdout, stderr] = &scratch;
    let create = |file: &Scratch| Stdio::from(File::create(&file.0).expect("a scratch file can be written"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpspan"))
        .args(words)
        .stdin(File::open(&stdin.0).expect("a scratch file can be read"))
        .stdout(create(stdout))
        .stderr(create(stderr))
        .spawn()
        .expect("the program starts");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("the program can be waited for") {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("the program can be stopped");
            unreachable!("warpspan {words:?} was still running after {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let text = |file: &Scratch| {
        String::from_utf8(fs::read(&file.0).expect("output was written")).expect("output is UTF-8")
    };
    let status = status.code().expect("no signal ended it");
    Answer { status, out: text(stdout), err: text(stderr) }
}

/// Calls the program and kills it once something holds.
#[allow(clippy::disallowed_methods)] // only a clock can tell that a program hangs
pub fn killed_once(words: &[&str], mut holds: impl FnMut() -> bool) {
    let quiet = || Stdio::null();
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpspan"));
    let child = child.args(words).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    let mut child = child.expect("the program starts");
    let start = Instant::now();
    while !holds() {
        let ended = child.try_wait().expect("the program can be waited for");
        assert!(ended.is_none() && start.elapsed() < PATIENCE, "warpspan {words:?}: {ended:?}");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("the program can be stopped");
    child.wait().expect("the program can be waited for");
}

/// Runs one document from standard input.
pub fn run(document: &str) -> Answer {
    warpspan_with(&["run", "-"], document.as_bytes())
}

/// A document that searches, with a small part of the work it asks for; `None` for any other.
pub fn shortened(document: &str) -> Option<String> {
    let mut tree: Value = serde_json::from_str(document).ok()?;
    if let Some(conjecture) = tree.get_mut("conjecture").and_then(Value::as_object_mut) {
        conjecture.insert("limit".to_owned(), serde_json::json!({"work": 1}));
        return Some(tree.to_string());
    }
    if let Some(sizes) = tree.pointer_mut("/tasks/experiment/sizes").filter(|sizes| sizes.is_array()) {
        *sizes = serde_json::json!([3]);
        return Some(tree.to_string());
    }
    if let Some(chain) = tree.get_mut("chain").and_then(Value::as_object_mut) {
        chain.insert("effort".to_owned(), Value::from(1));
        return Some(tree.to_string());
    }
    let is_code = Subject::of(&tree) == Some(Subject::Code);
    let method = tree.pointer_mut("/warps/method")?;
    let less = [
        ("anneal", "iterations", Value::from(300)),
        ("beam", "width", Value::from(20)),
        ("longest", "iterations", Value::from(300)),
        ("exact", "time_limit", Value::from(0.2)),
    ];
    // Of machine code an exact search is small, or ends for want of memory.
    let mut less = less.into_iter().filter(|(search, ..)| !(is_code && *search == "exact"));
    let (search, key, value) = less.find(|(search, ..)| method.get(search).is_some())?;
    method.get_mut(search)?.as_object_mut()?.insert(key.to_owned(), value);
    Some(tree.to_string())
}

/// A version 1 document around the fields of its `warps`.
pub fn document(warps: &str) -> String {
    format!(r#"{{"warpspan": 1, "title": "t", "warps": {{{warps}}}}}"#)
}

/// The report of a document that must run, already held against [`sound`].
pub fn report(warps: &str) -> Value {
    let answer = run(&document(warps));
    assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{warps}");
    assert_eq!(answer.out.lines().count(), 1, "one report, one line: {}", answer.out);
    let report = serde_json::from_str(&answer.out).expect("a report is JSON");
    sound(&report);
    report
}

/// What must hold of every report about blocks: what was simulated keeps the rules to the nanosecond.
fn sound_blocks(report: &Value) {
    let report: BlocksReport = serde_json::from_value(report.clone()).expect("a report can be read back");
    let (simulated, measured) = picture(&report);
    assert!(simulated.is_some() || measured.is_some(), "something ran");
    if let Some(run) = simulated {
        // A report tells how long blocks took, not how long they were to take.
        let config = CheckConfig { exactness: Exactness::Loose, ..CheckConfig::simulated() };
        let checked = check(&run.setup, &run.trace, &config);
        assert_eq!((checked.violations, checked.findings), (vec![], vec![]), "{}", report.scenario);
        // What is cut off lacks what had not ended, and nothing else shows why others waited.
        assert!(
            checked.remarks.is_empty() || report.stop.as_deref() != Some("done"),
            "{:?}",
            checked.remarks
        );
        assert_eq!(report.end, run.trace.end.0);
        let ends = report.kernels.iter().flat_map(|kernel| &kernel.blocks).map(|&(_, _, end)| end);
        assert_eq!(ends.chain(report.copies.iter().map(|copy| copy.end)).max().unwrap_or(0), report.end);
    }
    assert!(report.seconds >= 0.0 && !report.assumptions.is_empty());
}

/// What must hold of every report about tasks: demands that grow and never exceed those by equation, verdicts that
/// follow from them, witnesses that are legal and attain what is told.
fn sound_tasks(report: &Value) {
    if report.get("experiment").is_some() {
        let report: ExperimentReport = serde_json::from_value(report.clone()).expect("it can be read back");
        assert!(report.experiment.iter().all(|row| row.equal != Some(false) && row.pairs > 0));
        return;
    }
    let report: TasksReport = serde_json::from_value(report.clone()).expect("a report can be read back");
    let set: Vec<Task> = report.set.iter().map(|task| task.task().expect("a task of its own")).collect();
    let at = |curves: &[Curve], t: u64| -> u64 {
        let last = |curve: &Curve| curve.steps.iter().rev().find(|step| step.0 <= t).map_or(0, |step| step.1);
        curves.iter().map(last).sum()
    };
    for curve in report.dbf.iter().chain(&report.equation) {
        let grows = curve.steps.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
        assert!(grows && curve.steps.last().is_none_or(|last| last.0 <= report.horizon), "{curve:?}");
    }
    for &(t, demand) in report.dbf.iter().flat_map(|curve| curve.steps.iter().take(500)) {
        assert!(demand <= at(&report.equation, t), "the equation is safe");
    }
    if let Some(found) = report.first_violation.filter(|found| found.t <= report.horizon) {
        assert_eq!((report.schedulable, at(&report.dbf, found.t)), (Some(false), found.demand));
    }
    assert!(report.schedulable != Some(true) || report.first_violation.is_none());
    assert!(
        report.schedulable_by_equation != Some(true) || report.schedulable == Some(true),
        "the equation is safe"
    );
    for (task, found) in set.iter().zip(&report.witness) {
        let place = |name: &str| task.vertices().iter().position(|v| v.name == name).expect("a vertex");
        let jobs: Vec<Job> = found
            .jobs
            .iter()
            .map(|job| Job { vertex: place(&job.vertex), time: job.time, counted: job.counted })
            .collect();
        assert_eq!(illegal(task, &jobs), None);
        let counted = found.jobs.iter().filter(|job| job.counted && job.deadline <= found.t);
        assert_eq!(counted.map(|job| job.e).sum::<u64>(), found.demand);
    }
    let exact = report.set.iter().all(|task| task.exact);
    let told = report.first_violation.map(|found| found.demand).or(report.tightest.map(|found| found.demand));
    if let Some(demand) =
        told.filter(|_| exact && report.witness.iter().all(|w| w.demand == 0 || !w.jobs.is_empty()))
    {
        assert_eq!(report.witness.iter().map(|witness| witness.demand).sum::<u64>(), demand);
    }
    assert!(report.seconds >= report.decided_seconds && !report.assumptions.is_empty());
}

/// What must hold of every report, whatever the scenario.
pub fn sound(report: &Value) {
    match report["lab"].as_str() {
        Some("conjecture") => sound_conjecture(report),
        Some("blocks") => sound_blocks(report),
        Some("tasks") => sound_tasks(report),
        Some("chain") => chain::sound(report),
        Some("study") => studies::sound(report),
        Some("traces") => traces::sound(report),
        Some("waves") => waves::sound(report),
        Some("warps") if report["timing"].is_string() => code::sound(report),
        Some("warps") => sound_warps(report),
        other => sound_otherwise(other, report),
    }
}

/// What must hold of a report of any lab, where nothing more is known of it: it is of a lab that the page knows by that
/// name, and says what it assumes.
fn sound_otherwise(lab: Option<&str>, report: &Value) {
    let is = |subject: Subject| lab.is_some_and(|lab| subject.name().eq_ignore_ascii_case(lab));
    assert!(Subject::labs().any(is), "no lab: {}", report["lab"]);
    assert!(report["assumptions"].as_array().is_some_and(|texts| !texts.is_empty()), "it assumes nothing");
}

/// What must hold of every report about warps: a schedule that keeps the rules, and sides that follow from it.
fn sound_warps(report: &Value) {
    let number = |key: &str| report[key].as_u64().unwrap_or_else(|| unreachable!("{key}: {}", report[key]));
    let (count, makespan, lower) = (number("count") as usize, number("makespan"), number("lower"));
    let kernel = Kernel::parse(text(report, "kernel")).expect("the kernel of a report parses");
    let rows = rows(report);
    assert_eq!(rows.len(), count);
    assert!(rows.iter().all(|row| row.len() == kernel.len()), "every warp runs the whole kernel: {rows:?}");
    let fairness = fairness(report);
    if report.get("memory").is_some() {
        assert_eq!(sound_memory(report, &kernel, &rows), makespan);
    } else {
        assert_eq!(
            check_fair(&kernel, &machine(report), &fairness, &rows),
            [],
            "the schedule keeps the rules"
        );
        assert_eq!(rows.iter().flatten().max().map(|&last| u64::from(last)), Some(makespan));
    }
    assert!(lower >= makespan, "what was found bounds the worst case from below");
    let upper = report["upper"].as_u64();
    assert!(upper.is_none_or(|upper| upper >= lower), "{upper:?} < {lower}");
    assert_eq!(report["exact"], Value::Bool(upper == Some(lower)), "exact means that the bounds meet");
    assert!(report["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0));
    let fair = fairness != Fairness::WorkConserving;
    let assumptions = report["assumptions"].as_array().map_or(0, Vec::len);
    // Of a program two sentences: what is met, and that PTX is not what runs.
    let of_ptx = 2 * usize::from(!report["ptx"].is_null());
    let more = usize::from(fair) + usize::from(report.get("memory").is_some()) + of_ptx;
    assert_eq!(
        assumptions,
        5 + more,
        "the assumptions say which fairness holds, how long loads take, and what of a program is met"
    );
    if let Some(shortest) = report.get("shortest") {
        let rows = rows_of(shortest);
        assert_eq!((rows.len(), rows.iter().map(Vec::len).max()), (count, Some(kernel.len())));
        assert_eq!(check_fair(&kernel, &machine(report), &fairness, &rows), [], "so does the shortest");
        let last = rows.iter().flatten().max().copied();
        assert_eq!(shortest["makespan"].as_u64(), last.map(u64::from));
        assert!(shortest["lower"].as_u64() <= shortest["makespan"].as_u64());
        assert!(shortest["makespan"].as_u64() <= Some(makespan));
        assert_eq!(shortest["exact"], Value::Bool(shortest["lower"] == shortest["makespan"]));
    }
    if let Some(lines) = report.get("bracket") {
        let lines: Vec<(f64, u64, u64)> = serde_json::from_value(lines.clone()).expect("triples of numbers");
        for pair in lines.windows(2) {
            let narrower = pair[0].1 <= pair[1].1 && pair[1].2 <= pair[0].2;
            assert!(narrower && pair[0].0 <= pair[1].0 && pair[0] != pair[1], "{pair:?}");
        }
        assert!(lines.first().is_some_and(|line| line.0 == 0.0));
        assert!(lines.last().is_some_and(|line| line.1 <= lower && upper <= Some(line.2)));
    }
}

/// The last cycle of a schedule whose loads take their time, once every rule was looked at.
fn sound_memory(report: &Value, kernel: &Kernel, rows: &[Vec<u32>]) -> u64 {
    let told = &report["memory"];
    let cycles = |key: &str| told[key].as_u64().expect("a number") as u32;
    let pairs: Vec<(u16, u16)> = serde_json::from_value(told["missed"].clone()).expect("pairs of numbers");
    let missed: Vec<(u16, u16)> = pairs.iter().map(|&(warp, load)| (warp - 1, load - 1)).collect();
    let misses = match &told["misses"] {
        Value::Number(most) => Misses::AtMost(most.as_u64().expect("a number") as u32),
        Value::String(word) if word == "none" => Misses::None,
        _ => Misses::All,
    };
    let memory = Memory {
        mode: if told["mode"] == "held" { Mode::Held } else { Mode::Pipelined },
        hit: cycles("hit"),
        miss: cycles("miss"),
        misses,
        missing: (told["misses"] == "given").then(|| missed.clone()),
    };
    let problem = Problem { kernel, machine: &machine(report), memory: &memory, warps: rows.len() };
    let flaws: Vec<String> =
        memory::check::check(&problem, rows, &missed).iter().map(ToString::to_string).collect();
    assert_eq!(flaws, Vec::<String>::new(), "the schedule keeps the rules");
    let last = |(warp, row): (usize, &Vec<u32>)| {
        let end = row.len() - 1;
        let load = kernel.units()[end] == Unit::LoadStore;
        let missed = missed.contains(&(warp as u16, end as u16));
        row[end] + if load { memory.cycles(missed) } else { 1 } - 1
    };
    rows.iter().enumerate().map(last).max().expect("there are warps").into()
}

/// The fairness of a report.
fn fairness(report: &Value) -> Fairness {
    match text(report, "fairness") {
        "work-conserving" => Fairness::WorkConserving,
        _ => Fairness::SubBlock(numbers(report, "sub_blocks")),
    }
}

/// What must hold of every report of a conjecture: cells in order, verdicts that follow from what is known, and
/// refutations that open and are as long as told.
fn sound_conjecture(report: &Value) {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let parameters = list(&report["parameters"]);
    let mut points = vec![Vec::new()];
    for parameter in &parameters {
        let values = list(&parameter["values"]);
        points = points
            .iter()
            .flat_map(|p| values.iter().map(|v| [&p[..], std::slice::from_ref(v)].concat()))
            .collect();
    }
    let cells = list(&report["cells"]);
    assert_eq!(cells.iter().map(|cell| list(&cell["at"])).collect::<Vec<_>>(), points);
    let says = text(&report["claim"], "says");
    for cell in &cells {
        let number = |key: &str| cell[key].as_i64();
        let known = number("lower").zip(number("upper")).zip(number("allowed"));
        assert!(number("lower") <= number("upper"), "{cell}");
        match (text(cell, "verdict"), known, says) {
            ("confirmed", Some(((_, upper), allowed)), _) => assert!(upper <= allowed, "{cell}"),
            ("refuted", Some(((lower, _), allowed)), "at-most") => assert!(lower > allowed, "{cell}"),
            ("refuted", Some(_), "exactly") => {}
            ("open" | "undefined", ..) => assert!(cell["why"].is_string(), "{cell}"),
            _ => unreachable!("{cell}"),
        }
        assert!(cell["witness"].is_null() || cell["verdict"] == "refuted", "{cell}");
        assert!(says != "at-most" || cell["verdict"] != "refuted" || cell["witness"].is_object(), "{cell}");
        if cell["witness"].is_object() {
            let scenario = warpspan::scenario::from_tree(&cell["witness"]).expect("a refutation opens");
            let shown = serde_json::from_str(&warpspan::job::run(scenario).line()).expect("a report is JSON");
            sound(&shown);
            assert_eq!(shown["makespan"], cell["lower"], "{cell}");
        }
    }
    let count = |verdict: &str| cells.iter().filter(|cell| cell["verdict"] == verdict).count();
    for verdict in ["confirmed", "refuted", "open", "undefined"] {
        assert_eq!(report["totals"][verdict], count(verdict), "{}", report["totals"]);
    }
    assert_eq!(report["totals"]["cells"], cells.len());
    assert!(report["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0));
    assert!(report["assumptions"].as_array().is_some_and(|texts| !texts.is_empty()));
}

/// The cycles of a report, warp by warp, put together from its order and its cycles.
pub fn rows(report: &Value) -> Vec<Vec<u32>> {
    rows_of(report)
}

/// The same of any object with an order and cycles.
pub fn rows_of(report: &Value) -> Vec<Vec<u32>> {
    let (order, cycles) = (numbers(report, "order"), numbers(report, "cycles"));
    assert_eq!(order.len(), cycles.len(), "a cycle for each entry of the order");
    let mut rows = vec![Vec::new(); order.iter().copied().max().unwrap_or(0) as usize];
    for (warp, cycle) in order.into_iter().zip(cycles) {
        rows[warp as usize - 1].push(cycle);
    }
    rows
}

/// A list of numbers in a report.
pub fn numbers(report: &Value, key: &str) -> Vec<u32> {
    serde_json::from_value(report[key].clone()).unwrap_or_else(|e| unreachable!("{key}: {e}"))
}

/// A text in a report.
pub fn text<'a>(report: &'a Value, key: &str) -> &'a str {
    report[key].as_str().unwrap_or_else(|| unreachable!("{key}: {}", report[key]))
}

fn machine(report: &Value) -> Machine {
    let field = |key: &str| report["machine"][key].as_u64().and_then(|n| u32::try_from(n).ok());
    let capacity = PerUnit(["L", "C", "S", "D"].map(|key| field(key).expect("a capacity")));
    Machine { capacity, issue: field("issue") }
}

/// A file in the tests' own folder, gone when it is dropped.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// A new file holding `bytes`.
    pub fn new(bytes: &[u8]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("scratch-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, bytes).expect("the tests' folder can be written");
        Self(path)
    }

    /// Its path as a word on the command line.
    pub fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0); // a file left behind harms nobody
    }
}
