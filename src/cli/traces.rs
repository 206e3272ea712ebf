//! `run` on a profiler's export: told by its content and read piece by piece, however large it is.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::progress::ProgressLine;
use crate::base::Problem;
use crate::base::problem::quoted;
use crate::job::Progress;
use crate::scenario::Scenario;
use traces::{Trace, join};
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
    pub(super) fn report(mut self, file: &str, detail: Detail) -> Result<String, Vec<Problem>> {
        let name = name_of(file);
        let mut line = ProgressLine::start(&name);
        let trace = self.read(&mut line)?;
        let mut report = report(&name, &trace, detail);
        report.seconds = line.seconds();
        line.clear();
        Ok(report.line() + "\n")
    }

    fn read(&mut self, line: &mut ProgressLine) -> Result<Trace, Vec<Problem>> {
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
            let Some(mut export) = export.filter(fits) else {
                let what = format!("{} is not beside the document", quoted(&named.name));
                let expected = "the recording, with as many bytes as it had";
                return Err(vec![Problem::at(format!("trace.files[{place}]"), what, expected)]);
            };
            all.push(export.read(&mut line)?);
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
