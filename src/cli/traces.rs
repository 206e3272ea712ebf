//! `run`, `convert` and `diff` on profilers' exports: told by their content and read piece by piece, however large.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::args::Format;
use super::progress::ProgressLine;
use super::{ExitCodeNumber, USAGE, print, tell};
use crate::base::Problem;
use crate::base::problem::quoted;
use crate::job::Progress;
use crate::scenario::Scenario;
use traces::{Trace, join};
use traces_lab::diff::Millionths;
use traces_lab::export;
use traces_lab::job::report_with;
use traces_lab::report::{Detail, report};
use traces_lab::scenario::change::changes;
use traces_lab::scenario::{Given, TraceScenario};
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

/// A file that is an export of a profiler; none for everything else, which is read in other ways.
pub(super) struct Export(OnDisk);

impl Export {
    pub(super) fn of(file: &str) -> Option<Self> {
        let path = Path::new(file);
        let length = path.metadata().ok().filter(std::fs::Metadata::is_file)?.len();
        let mut source = OnDisk { file: File::open(path).ok()?, length };
        traces_read::sniff(&mut source).map(|_| Self(source))
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
        let write: fn(&Trace, &str) -> String = match to {
            Format::Csv => |trace, _| export::csv(trace),
            Format::Perfetto => export::perfetto,
            Format::ExaminerLog | Format::Svg => {
                let what = "a recorded run becomes no examiner's log and no picture here";
                return Err(vec![Problem::at("--to", what, "perfetto or csv")]);
            }
        };
        let mut line = ProgressLine::start(&name_of(file));
        let text = write(&self.trace(&mut line)?, &name_of(file));
        line.clear();
        Ok(text)
    }

    /// Reads the file.
    fn trace(mut self, line: &mut ProgressLine) -> Result<Trace, Vec<Problem>> {
        let total = self.0.length;
        let mut told = |read: u64| {
            line.show(&Progress { done: read.min(total), total, best: None, bracket: None });
            true
        };
        traces_read::read(&mut self.0, &mut told)
    }
}

fn name_of(file: &str) -> String {
    Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The line of the report of a document whose run is in files beside it; none for all other documents.
pub(super) fn beside(
    file: &str,
    scenario: &Scenario,
    detail: Detail,
) -> Option<Result<String, Vec<Problem>>> {
    let asked = scenario.asked::<TraceScenario>()?;
    let Given::Files(files) = &asked.given else { return None };
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let mut line = ProgressLine::start(&scenario.title);
    let mut read = || {
        let mut all = Vec::new();
        for (place, named) in files.iter().enumerate() {
            let path = folder.join(name_of(&named.name));
            let export = Export::of(&path.to_string_lossy());
            let fits = |export: &Export| named.bytes.is_none_or(|bytes| export.0.length == bytes);
            let Some(export) = export.filter(fits) else {
                let what = format!("{} is not beside the document", quoted(&named.name));
                let expected = "the recording, with as many bytes as it had";
                return Err(vec![Problem::at(format!("trace.files[{place}]"), what, expected)]);
            };
            all.push(export.trace(&mut line)?);
        }
        Ok(join(all))
    };
    let answer = read().and_then(|trace| {
        changes(&trace, &asked.changes)?;
        let mut report = report_with(&scenario.title, &trace, asked, detail);
        report.seconds = line.seconds();
        Ok(report.line() + "\n")
    });
    line.clear();
    Some(answer)
}

/// Prints what changed from one run to another: 1 where that takes longer by more than it may.
pub(super) fn diff(before: &str, after: &str, threshold: Option<Millionths>) -> ExitCodeNumber {
    let mut line = ProgressLine::start(&name_of(before));
    let mut read = |file: &str| {
        let Some(export) = Export::of(file) else {
            let what = "no profiler's export that can be read";
            let expected =
                "an SQLite export of Nsight Systems, or JSON of the PyTorch profiler or of rocprofv3";
            return Err(vec![Problem::at("file", what, expected)]);
        };
        export.trace(&mut line)
    };
    let traces = [read(before), read(after)];
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
