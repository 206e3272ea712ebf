//! `run`, `convert` and `diff` on profilers' exports: told by their content and read piece by piece, however large.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::args::Format;
use super::progress::ProgressLine;
use super::through::Through;
use super::{ExitCodeNumber, USAGE, print, standard_input, tell};
use crate::base::Problem;
use crate::base::problem::quoted;
use crate::import::LONGEST;
use crate::job::Progress;
use crate::scenario::Scenario;
use traces::{Trace, join};
use traces_lab::diff::Millionths;
use traces_lab::export;
use traces_lab::job::report_with;
use traces_lab::report::{Detail, report};
use traces_lab::scenario::change::changes;
use traces_lab::scenario::{Given, Named, TraceScenario};
use traces_read::Source;

/// A file on disk.
struct OnDisk {
    file: File,
    length: u64,
}

impl Source for OnDisk {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, Problem> {
        let mut read = |file: &mut File| {
            file.seek(SeekFrom::Start(offset))?;
            file.read(into)
        };
        read(&mut self.file)
            .map_err(|error| Problem::at("file", error.to_string(), "a file that can be read to its end"))
    }
}

/// A file that is an export of a profiler, or standard input; none for everything else, which is read in other ways.
pub(super) struct Export(Box<dyn Source>);

impl Export {
    pub(super) fn of(file: &str) -> Option<Self> {
        Self::told(file, traces_read::sniff)
    }

    /// A file that may be one of several recordings of a run: also a log of the examiner.
    fn any(file: &str) -> Option<Self> {
        Self::told(file, traces_read::sniff_any)
    }

    fn told(file: &str, sniff: fn(&mut dyn Source) -> Option<traces_read::Format>) -> Option<Self> {
        let path = Path::new(file);
        let mut source: Box<dyn Source> = if file == "-" {
            Box::new(standard_input().ok().filter(|bytes| <[u8]>::len(bytes) <= LONGEST)?)
        } else {
            let length = path.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
            Box::new(OnDisk { file: File::open(path).ok()?, length })
        };
        sniff(&mut *source).map(|_| Self(source))
    }

    /// The line of its report.
    pub(super) fn report(self, file: &str, detail: Detail) -> Result<String, Vec<Problem>> {
        let mut line = ProgressLine::start(&name_of(file));
        let mut report = report(&name_of(file), &self.trace(&mut line)?, detail);
        report.seconds = line.seconds();
        line.clear();
        Ok(report.line() + "\n")
    }

    /// The run in another form.
    pub(super) fn convert(self, file: &str, to: Format) -> Result<String, Vec<Problem>> {
        let mut line = ProgressLine::start(&name_of(file));
        let trace = self.trace(&mut line)?;
        line.clear();
        written(&trace, &name_of(file), to)
    }

    /// Reads the file.
    fn trace(mut self, line: &mut ProgressLine) -> Result<Trace, Vec<Problem>> {
        let total = self.0.len();
        let mut told = |read: u64| {
            line.show(&Progress { done: read.min(total), total, best: None, bracket: None });
            true
        };
        traces_read::read(&mut *self.0, &mut told)
    }
}

fn name_of(file: &str) -> String {
    Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A run in another form.
pub(super) fn written(trace: &Trace, title: &str, to: Format) -> Result<String, Vec<Problem>> {
    match to {
        Format::Csv => Ok(export::csv(trace)),
        Format::Perfetto => Ok(export::perfetto(trace, title)),
        Format::ExaminerLog | Format::Svg | Format::Code => {
            let what = "a recorded run becomes no examiner's log, picture or machine code here";
            Err(vec![Problem::at("--to", what, "perfetto or csv")])
        }
    }
}

/// Prints the report of several recordings of one run.
pub(super) fn together(files: &[String], detail: Detail) -> ExitCodeNumber {
    let title = match files {
        [one] => name_of(one),
        [first, rest @ ..] => format!("{} and {} more", name_of(first), rest.len()),
        [] => String::new(),
    };
    let mut line = ProgressLine::start(&title);
    let mut read = |file: &String| {
        let Some(export) = Export::any(file) else { return Err(vec![foreign()]) };
        export.trace(&mut line)
    };
    let traces: Vec<_> = files.iter().map(&mut read).collect();
    for (file, trace) in files.iter().zip(&traces) {
        for problem in trace.as_ref().err().into_iter().flatten() {
            tell(&format!("{file}: {problem}"));
        }
    }
    let Ok(traces) = traces.into_iter().collect::<Result<Vec<_>, _>>() else {
        line.clear();
        return USAGE;
    };
    let mut report = report(&title, &join(traces), detail);
    report.seconds = line.seconds();
    line.clear();
    print(&(report.line() + "\n"))
}

fn foreign() -> Problem {
    let what = "no profiler's export that can be read";
    let expected = "an SQLite export of Nsight Systems, or JSON of the PyTorch profiler or of rocprofv3";
    Problem::at("file", what, expected)
}

/// The run of a document about one; none for all other documents.
pub(super) fn of_document(file: &str, scenario: &Scenario) -> Option<Result<Trace, Vec<Problem>>> {
    let asked = scenario.asked::<TraceScenario>()?;
    Some(match &asked.given {
        Given::Recorded(trace) => Ok(trace.as_ref().clone()),
        Given::Files(files) => {
            let mut line = ProgressLine::start(&scenario.title);
            let read = all_beside(file, files, &mut line);
            line.clear();
            read
        }
    })
}

/// The recordings beside a document that names them, as one run.
fn all_beside(file: &str, files: &[Named], line: &mut ProgressLine) -> Result<Trace, Vec<Problem>> {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let mut all = Vec::new();
    for (place, named) in files.iter().enumerate() {
        let path = folder.join(name_of(&named.name));
        let export = Export::any(&path.to_string_lossy());
        let fits = |export: &Export| named.bytes.is_none_or(|bytes| export.0.len() == bytes);
        let Some(export) = export.filter(fits) else {
            let what = format!("{} is not beside the document", quoted(&named.name));
            let expected =
                "the recording in the document's folder, by its name alone, with as many bytes as it had";
            return Err(vec![Problem::at(format!("trace.files[{place}]"), what, expected)]);
        };
        all.push(export.trace(line)?);
    }
    Ok(join(all))
}

/// The line of the report of a document whose run is in files beside it; none for all other documents.
pub(super) fn beside(
    file: &str,
    scenario: &Scenario,
    detail: Detail,
) -> Option<Result<String, Vec<Problem>>> {
    let asked = scenario.asked::<TraceScenario>()?;
    let Given::Files(files) = &asked.given else { return None };
    let mut line = ProgressLine::start(&scenario.title);
    let answer = all_beside(file, files, &mut line).and_then(|trace| {
        changes(&trace, &asked.changes)?;
        let mut report = report_with(&scenario.title, &trace, asked, detail);
        report.seconds = line.seconds();
        Ok(report.line() + "\n")
    });
    line.clear();
    Some(answer)
}

/// The run of a file that is an export, or a document about one.
fn run_of(file: &str, line: &mut ProgressLine) -> Result<Trace, Vec<Problem>> {
    if let Some(export) = Export::of(file) {
        return export.trace(line);
    }
    let is_document = |text: &String| text.trim_start().starts_with('{');
    let text = super::read(file).ok().filter(is_document).ok_or_else(|| vec![foreign()])?;
    let scenario = super::of_text(&text, &Through::default()).map_err(|_| vec![foreign()])?;
    of_document(file, &scenario).unwrap_or_else(|| Err(vec![foreign()]))
}

/// Prints what changed from one recorded run to another: 1 where that takes longer by more than it may.
pub(super) fn diff(before: &str, after: &str, threshold: Option<Millionths>) -> ExitCodeNumber {
    let mut line = ProgressLine::start(&name_of(before));
    let traces = [run_of(before, &mut line), run_of(after, &mut line)];
    line.clear();
    for (file, trace) in [before, after].into_iter().zip(&traces) {
        for problem in trace.as_ref().err().into_iter().flatten() {
            tell(&format!("{file}: {problem}"));
        }
    }
    let [Ok(one), Ok(other)] = traces else { return USAGE };
    let mut report = traces_lab::diff::diff((&name_of(before), &one), (&name_of(after), &other), threshold);
    report.seconds = line.seconds();
    match print(&(report.line() + "\n")) {
        0 => ExitCodeNumber::from(report.slower == Some(true)),
        status => status,
    }
}
