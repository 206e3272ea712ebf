//! The command line over the same library the page uses.
//!
//! Exit status: 0 done, 1 a check found a violation, a lesson's step cannot be done, a published value compares otherwise
//! than known or a run got slower than it may, 2 bad input or usage. Reports go to standard output, one
//! line each; problems to standard error, one line each, with the file's name before them.

mod anneal;
mod args;
mod certificate;
mod check;
mod convert;
mod exercises;
mod lesson;
mod progress;
mod reproduce;
mod study;
mod through;
mod traces;
mod waves;

use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;

use crate::base::Problem;
use crate::base::control::Pacer;
use crate::base::problem::{MOST_PART, one_line, quoted};
use crate::import::{self, Format, json, several};
use crate::job::{self, Job, Step};
use crate::library::tree;
use crate::report::Report;
use crate::scenario::{self, Method, WarpsScenario, link};
use args::Command;
use progress::ProgressLine;
use through::Through;
use traces::Export;
use traces_lab::report::Detail;

const USAGE: ExitCodeNumber = 2;
/// A line on standard error: a problem with its three parts, and the name of a file.
const LONGEST_LINE: usize = 8 * MOST_PART;
type ExitCodeNumber = u8;

/// Runs the command line the process was started with.
pub fn main() -> ExitCode {
    let command = match args::parse(lexopt::Parser::from_env()) {
        Ok(command) => command,
        Err(message) => {
            tell(&format!("warpspan: {message}"));
            tell("Try warpspan --help.");
            return ExitCode::from(USAGE);
        }
    };
    ExitCode::from(match command {
        Command::Help => print(args::HELP),
        Command::Version => print(concat!("warpspan ", env!("CARGO_PKG_VERSION"), "\n")),
        Command::Schema => print(&json::pretty(&labs::schema::schema())),
        Command::Run { files, threads, through, detail, waves } => {
            files.iter().map(|file| run(file, threads, &through, (detail, waves))).max().unwrap_or(0)
        }
        Command::Together { files, detail } => traces::together(&files, detail),
        Command::Certify { file, through } => certificate::certify(&file, &through),
        Command::Check { files, about } => check::check(&files, &about),
        Command::Study(asked) => study::study(&asked),
        Command::Lesson(files) => lesson::lesson(&files),
        Command::Exercises { set, student, printed } => {
            exercises::exercises(set.as_deref(), student.as_deref(), printed)
        }
        Command::Grade { set, files, answer } => exercises::grade(&set, &files, answer),
        Command::Diff { before, after, threshold } => {
            let waves = waves::diff(&before, &after, threshold.map(|most| most.0));
            waves.unwrap_or_else(|| traces::diff(&before, &after, threshold))
        }
        Command::Convert { file, to, out } => convert::convert(&file, to, out.as_deref()),
        Command::Reproduce { items, threads, answer } => reproduce::reproduce(&items, threads, answer),
        Command::Link { file, through } => answer(&file, || {
            let text = read(&file)?;
            let tree = through.applied(&text, tree(&text)?)?;
            warn(&file, &scenario::from_tree(&tree)?);
            link::write(&tree, &link::View::default())
                .map(|link| format!("#{link}\n"))
                .map_err(|problem| vec![problem])
        }),
        Command::Open(text) => answer(&shortened(&text), || {
            let opened = link::open(&text).map_err(|problem| vec![problem])?;
            scenario::from_tree(&opened.scenario)?;
            for key in &opened.unknown {
                tell(&format!("link: key {} is unknown and was left out", quoted(key)));
            }
            Ok(json::pretty(&opened.scenario))
        }),
    })
}

fn run(
    file: &str,
    threads: Option<usize>,
    through: &Through,
    (detail, of_waves): (Detail, waves_lab::Detail),
) -> ExitCodeNumber {
    if let Some(trace) = waves::Trace::of(file) {
        return answer(file, || trace.report(file, of_waves));
    }
    if let Some(export) = Export::of(file) {
        return answer(file, || export.report(file, detail));
    }
    answer(file, || {
        let text = read(file)?;
        let scenario = of_text(&text, through)?;
        warn(file, &scenario);
        let line = traces::beside(file, &scenario, detail);
        if let Some(line) = line.or_else(|| waves::beside(file, &scenario, of_waves)) {
            return line;
        }
        let notes = scenario.notes.clone();
        let mut report = work(scenario, threads);
        // What was made a document of something else has remarks that are written nowhere else.
        if matches!(import::sniff(&text), Format::Ptx | Format::Amalthea) {
            report.note(notes);
        }
        let told = report.of::<code_lab::report::CodeReport>();
        for text in told.into_iter().flat_map(|told| &told.assumed) {
            tell(&format!("{file}: warning: {text}"));
        }
        Ok(report.line() + "\n")
    })
}

/// The scenario in a text; problems of an examiner's file have their places in that file.
fn of_text(text: &str, through: &Through) -> Result<scenario::Scenario, Vec<Problem>> {
    let read = tree(text).and_then(|tree| through.applied(text, tree));
    let read = read.and_then(|tree| scenario::from_tree(&tree));
    match import::sniff(text) {
        Format::ExaminerConfig | Format::ExaminerLog => {
            read.map_err(|problems| problems.into_iter().map(scenario::in_file).collect())
        }
        _ => read,
    }
}

/// Tells what a scenario takes for granted about the PTX its kernels come from.
fn warn(file: &str, scenario: &scenario::Scenario) {
    for text in through::cautions(scenario) {
        tell(&format!("{file}: warning: {text}"));
    }
}

/// Runs a scenario to its end.
fn work(scenario: scenario::Scenario, threads: Option<usize>) -> Report {
    if let Some(warps) = scenario.asked::<WarpsScenario>()
        && let Method::Anneal(settings) = &warps.method
    {
        return anneal::run(&scenario, warps, settings, threads);
    }
    let title = scenario.title.clone();
    drive(job::start(scenario), &title)
}

/// Drives a job to its end, telling how far it is on a terminal.
fn drive(mut job: Box<dyn Job>, title: &str) -> Report {
    let mut line = ProgressLine::start(title);
    let mut pacer = Pacer::new(20.0);
    loop {
        let before = line.seconds();
        let step = job.step(&mut pacer.next());
        match step {
            Step::More(progress) => line.show(&progress),
            Step::Done(mut report) => {
                report.took(line.seconds());
                line.clear();
                return report;
            }
        }
        let took = line.seconds() - before;
        job.took(took);
        pacer.took(took * 1000.0);
    }
}

/// Prints what `make` makes, or the problems it meets.
fn answer(source: &str, make: impl FnOnce() -> Result<String, Vec<Problem>>) -> ExitCodeNumber {
    match make() {
        Ok(text) => print(&text),
        Err(problems) => {
            for problem in problems {
                tell(&format!("{source}: {problem}"));
            }
            USAGE
        }
    }
}

/// The text of a file, of a folder's models, or of standard input for `-`.
fn read(file: &str) -> Result<String, Vec<Problem>> {
    let path = Path::new(file);
    if path.is_dir() { folder(path) } else { bytes_of(file).and_then(|bytes| text(&bytes)) }
}

fn text(bytes: &[u8]) -> Result<String, Vec<Problem>> {
    import::gzip::text_of(bytes).map_err(|problem| vec![problem])
}

/// The models in a folder, in the order of their names, which are one model.
fn folder(path: &Path) -> Result<String, Vec<Problem>> {
    let unreadable =
        |error: std::io::Error| vec![Problem::at("document", error.to_string(), "a folder that can be read")];
    let mut names = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "amxmi") {
            names.push(path);
        }
    }
    names.sort();
    if names.is_empty() {
        let what = "a folder without AMALTHEA models and without a thread trace";
        let expected = "files whose names end in .amxmi, or what rocprofv3 --att writes";
        return Err(vec![Problem::at("document", what, expected)]);
    }
    let mut files = Vec::new();
    for path in names {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let at = |problem: Problem| Problem { place: format!("{name}: {}", problem.place), ..problem };
        let named = |problems: Vec<Problem>| -> Vec<Problem> { problems.into_iter().map(at).collect() };
        let text = bytes_of(&path.to_string_lossy()).and_then(|bytes| text(&bytes)).map_err(named)?;
        files.push((name, text));
    }
    Ok(several::joined(&files))
}

/// The bytes of a file, or of standard input for `-`, up to what is read at all and one more, so that the parser sees
/// that it is too long.
fn bytes_of(file: &str) -> Result<Vec<u8>, Vec<Problem>> {
    let outcome = match file {
        "-" => standard_input().map(<[u8]>::to_vec),
        _ => std::fs::File::open(file).and_then(read_most).map_err(|error| error.to_string()),
    };
    outcome.map_err(|what| vec![Problem::at("document", what, "a file that can be read")])
}

/// The same of standard input, which can be read but once.
fn standard_input() -> Result<&'static [u8], String> {
    static READ: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
    let read = READ.get_or_init(|| read_most(std::io::stdin().lock()).map_err(|error| error.to_string()));
    read.as_deref().map_err(Clone::clone)
}

fn read_most(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(import::LONGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Writes to standard output; a reader that has gone away is no error.
fn print(text: &str) -> ExitCodeNumber {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            tell(&format!("warpspan: standard output: {error}"));
            USAGE
        }
        _ => 0,
    }
}

/// Writes a line to standard error, one line whatever is in it: names of files may hold line breaks too. Nobody is
/// left to tell if that fails.
fn tell(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", one_line(line, LONGEST_LINE));
}

fn shortened(link: &str) -> String {
    let start: String = link.chars().take(30).flat_map(char::escape_debug).collect();
    if link.chars().nth(30).is_some() { format!("{start}…") } else { start }
}
