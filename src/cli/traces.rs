//! `run` on a profiler's export: told by its content and read piece by piece, however large it is.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::progress::ProgressLine;
use crate::base::Problem;
use crate::job::Progress;
use traces_lab::report::{Detail, report};
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
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut line = ProgressLine::start(&name);
        let total = self.0.length;
        let mut told = |read: u64| {
            line.show(&Progress { done: read.min(total), total, best: None, bracket: None });
            true
        };
        let trace = traces_read::read(&mut self.0, &mut told)?;
        let mut report = report(&name, &trace, detail);
        report.seconds = line.seconds();
        line.clear();
        Ok(report.line() + "\n")
    }
}
