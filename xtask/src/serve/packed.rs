//! Files packed with Brotli or gzip, once each: what a real host does on the way to the browser.
//!
//! Brotli comes from `node`, gzip from the program of that name; where there is neither the plain files are
//! served.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

/// A file as it was when it was packed.
type Version = (PathBuf, Packing, Option<SystemTime>, u64);

static KNOWN: OnceLock<Mutex<HashMap<Version, Option<Vec<u8>>>>> = OnceLock::new();

/// What the first screen needs is packed as well as can be, since its size is watched. Above two megabytes the best
/// quality, 11, takes about fifteen times as long as 9, for a tenth of the size.
const BROTLI: &str = "const bytes = fs.readFileSync(process.argv[1]);
    const quality = bytes.length > 2e6 ? 9 : 11;
    const params = {[zlib.constants.BROTLI_PARAM_QUALITY]: quality};
    process.stdout.write(zlib.brotliCompressSync(bytes, {params}))";

/// A way to pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Packing {
    Brotli,
    Gzip,
}

impl Packing {
    /// All of them, the one that packs best first.
    pub(super) const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// Its name in headers.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    fn command(self, file: &Path) -> Command {
        let mut command = Command::new(match self {
            Self::Brotli => "node",
            Self::Gzip => "gzip",
        });
        match self {
            Self::Brotli => command.args(["-e", BROTLI, "--"]),
            Self::Gzip => command.args(["-9", "-n", "-c", "--"]),
        };
        command.arg(file).stdin(Stdio::null()).stderr(Stdio::null());
        command
    }
}

/// A file's packed bytes; none where packing does not work or does not pay.
pub(super) fn packed(file: &Path, packing: Packing) -> Option<Vec<u8>> {
    let about = fs::metadata(file).ok()?;
    let version = (file.to_owned(), packing, about.modified().ok(), about.len());
    let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    known
        .entry(version)
        .or_insert_with(|| pack(file, packing).filter(|packed| (packed.len() as u64) < about.len()))
        .clone()
}

/// Packs every file of a folder in the best way there is.
pub(super) fn all_in(folder: &Path) {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    for file in files.filter(|file| file.is_file()) {
        Packing::ALL.into_iter().find(|&packing| packed(&file, packing).is_some());
    }
}

fn pack(file: &Path, packing: Packing) -> Option<Vec<u8>> {
    let output = packing.command(file).output().ok()?;
    output.status.success().then_some(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pays_is_packed_and_changes_are_noticed() {
        let file = std::env::temp_dir().join(format!("warpspan-packed-{}.txt", std::process::id()));
        for packing in Packing::ALL {
            fs::write(&file, "a".repeat(10_000)).expect("a temporary file");
            let Some(bytes) = packed(&file, packing) else {
                eprintln!("no program for {} on this machine: nothing to test", packing.name());
                continue;
            };
            assert!(bytes.len() < 200, "{}", bytes.len());
            assert_eq!(bytes.starts_with(&[0x1f, 0x8b]), packing == Packing::Gzip);
            fs::write(&file, "b").expect("a temporary file");
            assert_eq!(packed(&file, packing), None, "a byte does not get smaller");
        }
        fs::remove_file(&file).expect("it is there");
        assert_eq!(packed(&file, Packing::Gzip), None);
    }
}
