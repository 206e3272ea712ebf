//! Files packed with the system's `gzip`, once each: what a real host does on the way to the browser.
//!
//! Where there is no such program the plain files are served.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

/// A file as it was when it was packed.
type Version = (PathBuf, Option<SystemTime>, u64);

static KNOWN: OnceLock<Mutex<HashMap<Version, Option<Vec<u8>>>>> = OnceLock::new();

/// A file's packed bytes; none where packing does not work or does not pay.
pub(super) fn gzip(file: &Path) -> Option<Vec<u8>> {
    let about = fs::metadata(file).ok()?;
    let version = (file.to_owned(), about.modified().ok(), about.len());
    let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    known
        .entry(version)
        .or_insert_with(|| pack(file).filter(|packed| (packed.len() as u64) < about.len()))
        .clone()
}

fn pack(file: &Path) -> Option<Vec<u8>> {
    let mut gzip = Command::new("gzip");
    gzip.args(["-9", "-n", "-c", "--"]).arg(file).stdin(Stdio::null()).stderr(Stdio::null());
    let output = gzip.output().ok()?;
    output.status.success().then_some(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pays_is_packed_and_changes_are_noticed() {
        let file = std::env::temp_dir().join(format!("warpspan-packed-{}.txt", std::process::id()));
        fs::write(&file, "a".repeat(10_000)).expect("a temporary file");
        let Some(packed) = gzip(&file) else { return eprintln!("no gzip on this machine: nothing to test") };
        assert!(packed.len() < 200 && packed.starts_with(&[0x1f, 0x8b]), "{}", packed.len());
        fs::write(&file, "b").expect("a temporary file");
        assert_eq!(gzip(&file), None, "a byte does not get smaller");
        fs::remove_file(&file).expect("it is there");
        assert_eq!(gzip(&file), None);
    }
}
