//! Readers of thread traces: folders as `rocprofv3 --att` writes them, their archives, and the compact form.
//!
//! Invariants: no input makes a reader panic or run without end; a file that is cut off, missing or damaged gives what
//! was sound, and `left_out` of the capture says what is not there. Nothing here reads a clock or opens a file.

mod code;
pub mod compact;
pub mod files;
pub mod folder;
pub mod json;
pub mod tar;
mod wave;
pub mod zip;

use base::Problem;
pub use files::{AtHand, Files};
pub use waves::Capture;

/// What a reader is about to do; who is told may say that it is not to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The name of the file that it reads next; or that it unpacks an archive.
    pub what: &'a str,
    /// How many waves are read.
    pub done: u64,
    /// How many there are; 0 while that is not known.
    pub total: u64,
}

/// What is told before an archive is unpacked as a whole.
pub const UNPACKING: &str = "Unpacking the archive";

/// The answer to who says so.
pub(crate) fn stopped() -> Vec<Problem> {
    vec![Problem::at("capture", "the reading was stopped", "a reading to the end")]
}

/// What a file is that may hold a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// The compact form.
    Compact,
    /// A ZIP archive.
    Zip,
    /// A tar archive.
    Tar,
    /// One packed by gzip.
    TarGz,
}

/// What a file is, by its beginning and, where it is packed, by what comes out first. A ZIP archive is one only if a
/// capture is in it.
pub fn sniff(bytes: &[u8]) -> Option<Container> {
    if bytes.starts_with(compact::MAGIC) {
        return Some(Container::Compact);
    }
    if zip::is_zip(bytes) {
        let names = zip::Zip::open(bytes).ok()?.names();
        return (!files::captures(&names).is_empty()).then_some(Container::Zip);
    }
    if tar::is_tar(bytes) {
        return Some(Container::Tar);
    }
    if tar::is_gzip(bytes) {
        let beginning = bytes.get(..bytes.len().min(1 << 16)).unwrap_or_default();
        let (plain, _) = tar::unpacked(beginning).ok()?;
        return tar::is_tar(&plain).then_some(Container::TarGz);
    }
    None
}

/// Reads a capture from a file that holds one.
pub fn read_packed(
    bytes: &[u8],
    progress: &mut dyn FnMut(&Progress<'_>) -> bool,
) -> Result<Capture, Vec<Problem>> {
    let wrong = |what: &str| {
        vec![Problem::at("file", what, "a thread trace of rocprofv3, as a folder, zip or tar.gz")]
    };
    match sniff(bytes) {
        Some(Container::Compact) => compact::read(bytes).map(|packed| packed.capture).map_err(wrong),
        Some(Container::Zip) => folder::read(&mut zip::Zip::open(bytes).map_err(wrong)?, progress),
        Some(Container::Tar) => from_tar(bytes, None, progress),
        Some(Container::TarGz) => {
            if !progress(&Progress { what: UNPACKING, done: 0, total: 0 }) {
                return Err(stopped());
            }
            let (plain, note) = tar::unpacked(bytes).map_err(wrong)?;
            from_tar(&plain, note, progress)
        }
        None => Err(wrong("no archive with a thread trace in it")),
    }
}

fn from_tar(
    bytes: &[u8],
    note: Option<&str>,
    progress: &mut dyn FnMut(&Progress<'_>) -> bool,
) -> Result<Capture, Vec<Problem>> {
    let (mut files, cut) = tar::files(bytes);
    let mut capture = folder::read(&mut files, progress)?;
    if let Some(note) = note {
        capture.leave_out(format!("what follows in the gzip file: {note}"), 1);
    }
    if cut {
        capture.leave_out("what follows in the tar archive: it is cut off or damaged".to_owned(), 1);
    }
    Ok(capture)
}
