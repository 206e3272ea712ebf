//! Gives every binary of one source tree the same build id.

use std::path::PathBuf;

#[path = "xtask/src/build_id.rs"]
mod build_id;

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    for part in build_id::PARTS.iter().chain(&["build.rs", "xtask/src/build_id.rs"]) {
        println!("cargo::rerun-if-changed={part}");
    }
    println!("cargo::rustc-env=WARPSPAN_BUILD={}", build_id::of(&root));
}
