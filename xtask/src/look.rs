//! Looks at the machine: the facts for the plan. Changes nothing, and takes a fraction of a second.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::facts::{Apt, Compiler, Facts, Need, Tool, WasmStd, Way};
use crate::install::{AXE, BINARYEN, GECKODRIVER};
use crate::process::{ask, find, find_in};
use crate::python::{Environment, Python};
use crate::{Failure, Places, lockfile, own_std, toolchain};

/// The facts, for what a command needs.
pub(crate) fn look(places: &Places, needs: &[Need]) -> Result<Facts, Failure> {
    let active = compiler(places, Path::new("rustc")).ok_or_else(no_rust)?;
    let oldest_rust = lockfile::oldest_rust(&places.root.join("Cargo.toml"))?;
    let system = Some(Path::new(SYSTEM_BIN))
        .filter(|bin| bin.join("cargo").is_file())
        .and_then(|bin| compiler(places, &bin.join("rustc")))
        .filter(|it| it.version != active.version && lockfile::at_least(it.release(), &oldest_rust));
    let bindgen_version = lockfile::locked(&places.lock(), "wasm-bindgen")?;
    let folders = toolchain::tool_folders(places);
    let copying = places.copying_wasm_opt().join("wasm-opt");
    let asks = needs.contains(&Need::Wheel) || needs.contains(&Need::PythonTests);
    let python = if asks { Python::find() } else { None };
    let says = |name: &str, text: &str| says(&folders, name, text);
    Ok(Facts {
        needs: needs.to_vec(),
        linker: linker(&active, system.as_ref()),
        rustup: way("rustup", &closed_for_rustup(places), &active.version),
        trunk_downloads: way("cargo", &closed_for_trunk(places), &bindgen_version),
        apt: apt(),
        rustfmt: answers("cargo", &["fmt", "--version"]),
        clippy: answers("cargo", &["clippy", "--version"]),
        system_clippy: Tool::from(Path::new(SYSTEM_BIN).join("clippy-driver").is_file()),
        trunk: says("trunk", "0.21."),
        bindgen: match says("wasm-bindgen", &bindgen_version) {
            Tool::Here => says("wasm-bindgen-test-runner", &bindgen_version),
            Tool::Missing => Tool::Missing,
        },
        wasm_opt: says("wasm-opt", BINARYEN),
        copying_wasm_opt: Tool::from(copying.is_file()),
        wasm_opt_installs: match find("node") {
            Some(_) => way("npm", &closed_for_wasm_opt(places), BINARYEN),
            None => Way::Absent,
        },
        chromium: CHROMIUM_NAMES.iter().find_map(|name| find(name)),
        chromedriver: find("chromedriver"),
        firefox: FIREFOX_NAMES.iter().find_map(|name| find(name)),
        geckodriver: find_in(&folders, "geckodriver"),
        firefox_installs: way("cargo", &closed_for_firefox(places), GECKODRIVER),
        axe: axe(places),
        axe_installs: way("npm", &closed_for_axe(places), AXE),
        wheel_tools: Environment::Build.look(places, python.as_ref()),
        python_tests: Environment::Test.look(places, python.as_ref()),
        python_installs: match &python {
            Some(python) => open_or_closed(&closed_for_python(places), &python.version),
            None => Way::Absent,
        },
        python,
        bindgen_version,
        active,
        system,
    })
}

/// Where Debian keeps compilers.
pub(crate) const SYSTEM_BIN: &str = "/usr/bin";
const CHROMIUM_NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FIREFOX_NAMES: [&str; 2] = ["firefox-esr", "firefox"];

/// The file that remembers for which compiler `rustup target add` did not work.
pub(crate) fn closed_for_rustup(places: &Places) -> PathBuf {
    places.cache.join("rustup-did-not-work")
}

/// The file that remembers for which wasm-bindgen trunk's downloads did not work.
pub(crate) fn closed_for_trunk(places: &Places) -> PathBuf {
    places.cache.join("trunk-downloads-did-not-work")
}

/// The file that remembers which wasm-opt could not be installed.
pub(crate) fn closed_for_wasm_opt(places: &Places) -> PathBuf {
    places.cache.join("wasm-opt-did-not-work")
}

/// The file that remembers for which geckodriver Firefox could not be installed.
pub(crate) fn closed_for_firefox(places: &Places) -> PathBuf {
    places.cache.join("firefox-did-not-work")
}

/// The file that remembers which axe-core could not be installed.
pub(crate) fn closed_for_axe(places: &Places) -> PathBuf {
    places.cache.join("axe-did-not-work")
}

/// The file that remembers for which Python packages could not be installed.
pub(crate) fn closed_for_python(places: &Places) -> PathBuf {
    places.cache.join("python-did-not-work")
}

/// axe-core's script, of the version that is asked for.
fn axe(places: &Places) -> Option<PathBuf> {
    let package = places.axe().join("node_modules/axe-core");
    let about = std::fs::read_to_string(package.join("package.json")).ok()?;
    let script = package.join("axe.min.js");
    (about.contains(&format!("\"version\": \"{AXE}\"")) && script.is_file()).then_some(script)
}

fn compiler(places: &Places, program: &Path) -> Option<Compiler> {
    let version = ask(Command::new(program).arg("-vV"))?;
    let sysroot = PathBuf::from(ask(Command::new(program).args(["--print", "sysroot"]))?);
    let mut found = Compiler { program: program.to_owned(), version, sysroot, wasm_std: WasmStd::Absent };
    found.wasm_std = if own_std::has_std(&found.library("wasm32-unknown-unknown").join("lib")) {
        WasmStd::Shipped
    } else if own_std::is_built(places, &found) {
        WasmStd::Built
    } else if found.library("src").join("rust/library/std/Cargo.toml").is_file() {
        WasmStd::Source
    } else {
        WasmStd::Absent
    };
    Some(found)
}

fn linker(active: &Compiler, system: Option<&Compiler>) -> Option<PathBuf> {
    let own = |it: &Compiler| it.library(it.detail("host")).join("bin").join(format!("rust-lld{EXE_SUFFIX}"));
    let shipped = [Some(active), system].into_iter().flatten().map(own).find(|path| path.is_file());
    shipped.or_else(|| find("rust-lld")).or_else(|| find("wasm-ld"))
}

fn way(program: &str, closed: &Path, for_version: &str) -> Way {
    if find(program).is_none() { Way::Absent } else { open_or_closed(closed, for_version) }
}

fn open_or_closed(closed: &Path, for_version: &str) -> Way {
    let known = std::fs::read_to_string(closed).is_ok_and(|text| text == for_version);
    if known { Way::Closed } else { Way::Open }
}

fn apt() -> Apt {
    if find("apt-get").is_none() || !Path::new("/etc/debian_version").is_file() {
        Apt::Absent
    } else if ask(Command::new("id").arg("-u")).as_deref() == Some("0") {
        Apt::AsRoot
    } else {
        Apt::ByHand
    }
}

fn answers(program: &str, words: &[&str]) -> Tool {
    Tool::from(ask(Command::new(program).args(words)).is_some())
}

/// Whether the first such program that is found says that it is of a version; one that ends with a point stands for
/// all that begin so.
fn says(folders: &[PathBuf], name: &str, version: &str) -> Tool {
    let answer = find_in(folders, name).and_then(|path| ask(Command::new(path).arg("--version")));
    Tool::from(answer.is_some_and(|answer| is_of(&answer, version)))
}

/// Whether a version is among the words of an answer: as a whole, as trunk downloads what is of any other.
fn is_of(answer: &str, version: &str) -> bool {
    let fits = |word: &str| word == version || (version.ends_with('.') && word.starts_with(version));
    answer.split_whitespace().any(fits)
}

fn no_rust() -> Failure {
    Failure::person(
        "no Rust compiler answers to `rustc -vV`",
        "install Rust with rustup and open a new shell",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_whole_words() {
        assert!(is_of("wasm-bindgen 0.2.126", "0.2.126"));
        assert!(is_of("wasm-opt version 132 (version_132)", "132"));
        assert!(is_of("trunk 0.21.14", "0.21."));
        for (answer, version) in [
            ("wasm-bindgen 0.2.126", "0.2.12"),
            ("wasm-bindgen 0.2.12", "0.2.126"),
            ("wasm-opt version 132 (version_132)", "13"),
            ("trunk 0.22.1", "0.21."),
            ("", "132"),
        ] {
            assert!(!is_of(answer, version), "{answer}: {version}");
        }
    }
}
