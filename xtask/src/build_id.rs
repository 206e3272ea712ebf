//! The build id: a hash over everything that the page's programs are built from.
//!
//! The library's build script gives it to every program, and `cargo xtask build` to the service worker.

use std::fs;
use std::path::{Path, PathBuf};

/// What is hashed, seen from the root of the project.
pub(crate) const PARTS: [&str; 6] = ["crates", "src", "www", "Cargo.toml", "Cargo.lock", "index.html"];

/// The id of the sources below a root, in 16 hexadecimal digits.
pub(crate) fn of(root: &Path) -> String {
    let mut files = Vec::new();
    for part in PARTS {
        collect(&root.join(part), &mut files);
    }
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64; // FNV-1a
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        for byte in name.bytes().chain(fs::read(&file).unwrap_or_default()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) => files.push(path.to_owned()),
    }
}
