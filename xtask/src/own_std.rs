//! The standard library for wasm, built from source where it cannot be downloaded.
//!
//! Built once per compiler into a folder of the cache that has the shape of a sysroot. Wasm builds are
//! pointed to it by `--sysroot`, and then are like those of a compiler that shipped with the library.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::facts::{Compiler, Facts};
use crate::process::run;
use crate::spans;
use crate::{Failure, Places, toolchain};

/// The sysroot for a compiler.
pub(crate) fn sysroot(places: &Places, compiler: &Compiler) -> PathBuf {
    let commit: String = compiler.detail("commit-hash").chars().take(9).collect();
    places.cache.join(format!("sysroot-{}-{commit}", compiler.release()))
}

/// Whether the sysroot was built by this very compiler.
pub(crate) fn is_built(places: &Places, compiler: &Compiler) -> bool {
    fs::read_to_string(sysroot(places, compiler).join("version")).is_ok_and(|text| text == compiler.version)
}

/// Whether a folder holds a compiled standard library.
pub(crate) fn has_std(folder: &Path) -> bool {
    let is_std = |path: &PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    };
    files(folder).is_ok_and(|files| files.iter().any(is_std))
}

/// Builds the sysroot for a compiler whose source is there.
pub(crate) fn build(places: &Places, facts: &Facts, rustc: &Path) -> Result<(), Failure> {
    let compilers = [Some(&facts.active), facts.system.as_ref()].into_iter().flatten();
    let Some(compiler) = compilers.into_iter().find(|it| it.program == rustc) else { return Ok(()) };
    let work = places.cache.join("build-std");
    write_crate(&work)?;
    compile(&work, compiler)?;

    let sysroot = sysroot(places, compiler);
    // Put together beside its place, so that a sysroot is there as a whole or not at all.
    let fresh = work.join("sysroot");
    let library = fresh.join("lib/rustlib").join(toolchain::WASM).join("lib");
    fs::create_dir_all(&library).map_err(Failure::file("make the folder", &library))?;
    let compiled = work.join("target").join(toolchain::WASM).join("release/deps");
    for file in files(&compiled)?.iter().filter(|file| file.extension() == Some(OsStr::new("rlib"))) {
        let name = file.file_name().unwrap_or_default();
        if !name.to_string_lossy().starts_with(&format!("lib{CRATE}")) {
            fs::copy(file, library.join(name)).map_err(Failure::file("copy", file))?;
        }
    }
    let version = fresh.join("version");
    fs::write(&version, &compiler.version).map_err(Failure::file("write", &version))?;
    if sysroot.exists() {
        fs::remove_dir_all(&sysroot).map_err(Failure::file("remove", &sysroot))?;
    }
    fs::rename(&fresh, &sysroot).map_err(Failure::file("move into place", &sysroot))?;
    fs::remove_dir_all(&work).map_err(Failure::file("remove", &work))
}

const CRATE: &str = "only_for_std";

fn write_crate(work: &Path) -> Result<(), Failure> {
    if work.exists() {
        fs::remove_dir_all(work).map_err(Failure::file("remove", work))?;
    }
    let source = work.join("src");
    fs::create_dir_all(&source).map_err(Failure::file("make the folder", &source))?;
    let manifest =
        format!("[package]\nname = \"{CRATE}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n");
    for (path, text) in
        [(work.join("Cargo.toml"), manifest.as_str()), (source.join("lib.rs"), "#![no_std]\n")]
    {
        fs::write(&path, text).map_err(Failure::file("write", &path))?;
    }
    Ok(())
}

fn compile(work: &Path, compiler: &Compiler) -> Result<(), Failure> {
    let mut cargo = toolchain::cargo_of(compiler);
    cargo.current_dir(work).env("CARGO_TARGET_DIR", work.join("target"));
    // Building the library is not a stable feature of cargo, but this switch is there for it.
    cargo.envs([("RUSTC_BOOTSTRAP", "1"), ("RUST_BACKTRACE", "0")]);
    // The page is optimised as a whole, for which the library must hold LLVM's form too.
    cargo.env(toolchain::WASM_RUSTFLAGS, "-Cembed-bitcode=yes");
    cargo.args(["build", "--release", "--target", toolchain::WASM]);
    cargo.arg("-Zbuild-std=std,panic_abort,panic_unwind,test");
    run("Building the standard library for wasm, once", spans::STD, &mut cargo)
        .map_err(|failure| failure.advise("see that crates can be downloaded, then run this again"))
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::file("read the folder", folder))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::WasmStd;

    #[test]
    fn each_compiler_has_its_own_sysroot() {
        let places = Places { root: "/r".into(), cache: "/c".into(), target: "/t".into() };
        let mut compiler = Compiler {
            program: "rustc".into(),
            version: "rustc 1.96.0\ncommit-hash: ac68faa20c58\nrelease: 1.96.0".to_owned(),
            sysroot: "/usr".into(),
            wasm_std: WasmStd::Source,
        };
        assert_eq!(sysroot(&places, &compiler), Path::new("/c/sysroot-1.96.0-ac68faa20"));
        compiler.version = "rustc 1.97.0\ncommit-hash: unknown\nrelease: 1.97.0".to_owned();
        assert_eq!(sysroot(&places, &compiler), Path::new("/c/sysroot-1.97.0-unknown"));
        assert!(!is_built(&places, &compiler));
    }
}
