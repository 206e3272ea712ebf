//! The environments in which cargo and its helpers run: native ones as they are, wasm ones as planned.
//!
//! Native and wasm builds by different compilers have different target folders, or each would throw
//! away what the other built.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::facts::{Compiler, Facts};
use crate::plan::{WasmCompiler, wasm_compiler};
use crate::process::path_after;
use crate::{Places, own_std};

pub(crate) const WASM: &str = "wasm32-unknown-unknown";
pub(crate) const WASM_RUSTFLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";
pub(crate) const WASM_RUNNER: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER";
const WASM_LINKER: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER";

/// A program of the ordinary toolchain, free of what cargo told this program about itself.
pub(crate) fn native(program: &str) -> Command {
    let mut command = Command::new(program);
    for (name, _) in env::vars_os().filter(|(name, _)| is_cargos_own(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    if let Some(folders) = env::var_os("LD_LIBRARY_PATH") {
        let own_folders = without_cargos_own(&folders);
        if own_folders.is_empty() {
            command.env_remove("LD_LIBRARY_PATH");
        } else if own_folders != folders {
            command.env("LD_LIBRARY_PATH", own_folders);
        }
    }
    command
}

/// cargo of a compiler, whichever is active.
pub(crate) fn cargo_of(compiler: &Compiler) -> Command {
    let mut command = native("cargo");
    use_compiler(&mut command, compiler, &[]);
    command
}

/// A program that compiles to wasm, or works on what was compiled; the tools of the cache are on its path.
pub(crate) fn wasm(program: &str, facts: &Facts, places: &Places) -> Command {
    let mut command = native(program);
    let folders = page_folders(facts, places);
    match wasm_compiler(facts) {
        Ok(WasmCompiler::Own { compiler, linker }) => {
            use_compiler(&mut command, compiler, &folders);
            command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
            command.env(WASM_RUSTFLAGS, sysroot_flag(&own_std::sysroot(places, compiler)));
            command.env(WASM_LINKER, linker);
            command.env("CARGO_TARGET_DIR", wasm_target(facts, places));
        }
        Ok(WasmCompiler::Active) | Err(_) => {
            command.env("PATH", joined(path_after(&folders)));
        }
    }
    command
}

/// Cargo's target folder for wasm.
pub(crate) fn wasm_target(facts: &Facts, places: &Places) -> PathBuf {
    match wasm_compiler(facts) {
        Ok(WasmCompiler::Own { .. }) => places.target.join("wasm"),
        Ok(WasmCompiler::Active) | Err(_) => places.target.clone(),
    }
}

/// Has trunk ask for no newer trunk, and say what is wrong in words.
pub(crate) fn calm(trunk: &mut Command) {
    trunk.envs([("TRUNK_SKIP_VERSION_CHECK", "true"), ("RUST_BACKTRACE", "0")]);
    // trunk takes no value but true and false, and other tools set it to 1.
    trunk.env_remove("NO_COLOR");
}

/// The folders in which the tools of the page are looked for.
pub(crate) fn tool_folders(places: &Places) -> Vec<PathBuf> {
    path_after(&cached_folders(places))
}

fn cached_folders(places: &Places) -> [PathBuf; 2] {
    [places.tools().join("bin"), places.binaryen().join("node_modules/.bin")]
}

fn page_folders(facts: &Facts, places: &Places) -> Vec<PathBuf> {
    let mut folders = cached_folders(places).to_vec();
    if !facts.optimises_wasm() {
        folders.push(places.copying_wasm_opt());
    }
    folders
}

/// A compiler given by its full path brings its own cargo; programs that call `cargo` shall find that.
fn use_compiler(command: &mut Command, compiler: &Compiler, folders: &[PathBuf]) {
    let mut folders = folders.to_vec();
    if let Some(bin) = compiler.program.parent().filter(|_| compiler.program.is_absolute()) {
        command.env("RUSTC", &compiler.program).env("RUSTDOC", bin.join("rustdoc"));
        folders.push(bin.to_owned());
    }
    command.env("PATH", joined(path_after(&folders)));
}

/// Flags are separated by spaces in this variable, and cargo has no quotes for it; `=` keeps it one word.
fn sysroot_flag(sysroot: &Path) -> OsString {
    let mut flag = OsString::from("--sysroot=");
    flag.push(sysroot);
    flag
}

fn joined(folders: Vec<PathBuf>) -> OsString {
    env::join_paths(folders).unwrap_or_else(|_| env::var_os("PATH").unwrap_or_default())
}

/// Variables that cargo sets for the programs it runs; in a build they would only confuse.
fn is_cargos_own(name: &str) -> bool {
    ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_"].iter().any(|start| name.starts_with(start))
        || ["CARGO", "CARGO_CRATE_NAME", "CARGO_PRIMARY_PACKAGE", "OUT_DIR"].contains(&name)
}

/// Cargo puts its target folder and its compiler's libraries there, which another compiler must not find.
fn without_cargos_own(folders: &OsStr) -> OsString {
    let own = |folder: &PathBuf| {
        let folder = folder.to_string_lossy();
        folder.contains("/toolchains/") || folder.contains("/target/") || folder.contains("/rustlib/")
    };
    joined(env::split_paths(folders).filter(|folder| !own(folder)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cargos_own_variables_are_hidden() {
        assert!(["CARGO", "CARGO_PKG_NAME", "CARGO_MANIFEST_DIR"].into_iter().all(is_cargos_own));
        assert!(
            !["CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_TERM_COLOR", "PATH"].into_iter().any(is_cargos_own)
        );
    }

    #[test]
    fn library_folders_of_the_user_stay() {
        let folders = OsStr::new("/r/target/debug/deps:/h/.rustup/toolchains/stable/lib:/opt/lib");
        assert_eq!(without_cargos_own(folders), "/opt/lib");
    }
}
