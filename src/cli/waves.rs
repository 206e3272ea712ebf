//! `run`, `convert` and `diff` on thread traces: the folder that `rocprofv3 --att` writes, an archive of it, or the
//! compact form.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::args::Format;
use super::progress::ProgressLine;
use super::{ExitCodeNumber, USAGE, print, tell};
use crate::base::Problem;
use crate::base::problem::quoted;
use crate::job::Progress;
use crate::scenario::Scenario;
use waves_lab::job::shipped;
use waves_lab::scenario::{Given, WavesScenario};
use waves_lab::{Capture, Detail, export};
use waves_read::Files;

/// Bytes of an archive.
const LARGEST: u64 = 512 << 20;

/// A folder on disk.
struct Folder {
    root: PathBuf,
    names: Vec<String>,
}

impl Folder {
    /// Lists a folder, and folders in it that are named as rocprofv3 names them.
    fn of(root: &Path) -> Option<Self> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(root).ok()?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.starts_with("ui_output") || !entry.path().is_dir() {
                names.push(name);
                continue;
            }
            for inner in std::fs::read_dir(entry.path()).ok()?.flatten() {
                names.push(format!("{name}/{}", inner.file_name().to_string_lossy()));
            }
        }
        names.sort();
        Some(Self { root: root.to_owned(), names })
    }
}

impl Files for Folder {
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn bytes(&mut self, name: &str) -> Result<Cow<'_, [u8]>, String> {
        let path = self.root.join(name);
        let told = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => "it is not there".to_owned(),
            _ => format!("it cannot be read, {error}"),
        };
        if path.metadata().map_err(told)?.len() > LARGEST {
            return Err("it is larger than 512 MiB".to_owned());
        }
        std::fs::read(path).map(Cow::Owned).map_err(told)
    }
}

/// A thread trace; none for everything else, which is read in other ways.
pub(super) enum Trace {
    /// In a folder.
    Folder(FolderOf),
    /// In one file.
    Packed(Vec<u8>),
}

/// A folder of a thread trace.
pub(super) struct FolderOf(Folder);

impl Trace {
    pub(super) fn of(file: &str) -> Option<Self> {
        let path = Path::new(file);
        if path.is_dir() {
            let folder = Folder::of(path)?;
            let holds = !waves_read::files::captures(&folder.names).is_empty();
            return holds.then_some(Self::Folder(FolderOf(folder)));
        }
        let metadata = path.metadata().ok()?;
        if !metadata.is_file() || metadata.len() > LARGEST || !may_be(path)? {
            return None;
        }
        let bytes = std::fs::read(path).ok()?;
        waves_read::sniff(&bytes).map(|_| Self::Packed(bytes))
    }

    /// Reads it.
    fn capture(self, line: &mut ProgressLine) -> Result<Capture, Vec<Problem>> {
        let mut told = |now: &waves_read::Progress<'_>| {
            line.show(&Progress { done: now.done, total: now.total, best: None, bracket: None });
            true
        };
        match self {
            Self::Folder(FolderOf(mut folder)) => waves_read::folder::read(&mut folder, &mut told),
            Self::Packed(bytes) => waves_read::read_packed(&bytes, &mut told),
        }
    }

    /// The line of its report.
    pub(super) fn report(self, file: &str, detail: Detail) -> Result<String, Vec<Problem>> {
        let mut line = ProgressLine::start(&name_of(file));
        let mut report = waves_lab::report(&name_of(file), &self.capture(&mut line)?, detail);
        report.seconds = line.seconds();
        line.clear();
        Ok(report.line() + "\n")
    }

    /// The trace in another form.
    pub(super) fn convert(self, file: &str, to: Format) -> Result<String, Vec<Problem>> {
        let mut line = ProgressLine::start(&name_of(file));
        let text = self.capture(&mut line).and_then(|capture| written(&capture, &name_of(file), to));
        line.clear();
        text
    }
}

/// A capture in another form.
pub(super) fn written(capture: &Capture, title: &str, to: Format) -> Result<String, Vec<Problem>> {
    match to {
        Format::Csv => Ok(export::csv(capture)),
        Format::Perfetto => Ok(export::perfetto(capture, title)),
        Format::ExaminerLog | Format::Svg | Format::Code => {
            let what = "a thread trace becomes no examiner's log, picture or machine code here";
            Err(vec![Problem::at("--to", what, "perfetto or csv")])
        }
    }
}

/// The capture of a document about one, which lies beside it if it does not ship; none for all other documents.
pub(super) fn of_document(file: &str, scenario: &Scenario) -> Option<Result<Capture, Vec<Problem>>> {
    let given = &scenario.asked::<WavesScenario>()?.given;
    if let Some(capture) = shipped(given) {
        return Some(capture);
    }
    let path = Path::new(file).parent().unwrap_or(Path::new("")).join(name_of(given.name()));
    let fits = |trace: &Trace| match (given, trace) {
        (Given::File { bytes, .. }, Trace::Packed(file)) => {
            bytes.is_none_or(|bytes| bytes == file.len() as u64)
        }
        (Given::Folder { .. }, Trace::Folder(_)) => true,
        _ => false,
    };
    let Some(trace) = Trace::of(&path.to_string_lossy()).filter(fits) else {
        let what = format!("{} is not beside the document", quoted(given.name()));
        return Some(Err(vec![Problem::at("waves", what, "the capture as it was")]));
    };
    let mut line = ProgressLine::start(&scenario.title);
    let capture = trace.capture(&mut line);
    line.clear();
    Some(capture)
}

/// The line of the report of a document about a capture; none for all other documents.
pub(super) fn beside(
    file: &str,
    scenario: &Scenario,
    detail: Detail,
) -> Option<Result<String, Vec<Problem>>> {
    let capture = of_document(file, scenario)?;
    let mut line = ProgressLine::start(&scenario.title);
    let answer = capture.map(|capture| {
        let mut report = waves_lab::report(&scenario.title, &capture, detail);
        report.seconds = line.seconds();
        report.line() + "\n"
    });
    line.clear();
    Some(answer)
}

/// Whether the beginning of a file permits that a thread trace is in it.
fn may_be(path: &Path) -> Option<bool> {
    use std::io::Read;
    let mut head = Vec::new();
    std::fs::File::open(path).ok()?.take(512).read_to_end(&mut head).ok()?;
    let compact = head.starts_with(waves_read::compact::MAGIC);
    let archive = waves_read::zip::is_zip(&head) || waves_read::tar::is_tar(&head);
    Some(compact || archive || waves_read::tar::is_gzip(&head))
}

fn name_of(file: &str) -> String {
    let path = Path::new(file);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.or_else(|| Some(path.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned()))
        .unwrap_or_default()
}

/// Prints what changed from one thread trace to another, where at least one of two files is one: 1 where waves live
/// longer by more than they may.
pub(super) fn diff(before: &str, after: &str, threshold: Option<u32>) -> Option<ExitCodeNumber> {
    let traces = [Trace::of(before), Trace::of(after)];
    if traces.iter().all(Option::is_none) {
        return None;
    }
    let mut line = ProgressLine::start(&name_of(before));
    let read = traces.map(|trace| match trace {
        Some(trace) => trace.capture(&mut line),
        None => {
            let what = "no thread trace, where the other one is";
            Err(vec![Problem::at("file", what, "a thread trace of rocprofv3, as a folder, zip or tar.gz")])
        }
    });
    line.clear();
    for (file, read) in [before, after].into_iter().zip(&read) {
        for problem in read.as_ref().err().into_iter().flatten() {
            tell(&format!("{file}: {problem}"));
        }
    }
    let [Ok(one), Ok(other)] = read else { return Some(USAGE) };
    let mut report = waves_lab::diff::diff((&name_of(before), &one), (&name_of(after), &other), threshold);
    report.seconds = line.seconds();
    Some(match print(&(report.line() + "\n")) {
        0 => ExitCodeNumber::from(report.slower == Some(true)),
        status => status,
    })
}
