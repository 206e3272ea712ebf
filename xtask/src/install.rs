//! The set-up steps, each done once.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::facts::Facts;
use crate::plan::Step;
use crate::process::run;
use crate::spans::{self, Span};
use crate::{Failure, Places, look, own_std, toolchain};

/// The release of binaryen that Trunk.toml names.
pub(crate) const BINARYEN: &str = "132";
pub(crate) const GECKODRIVER: &str = "0.37.0";
pub(crate) const AXE: &str = "4.14.1";
const TRUNK: &str = "0.21.14";
const WITHOUT_FIREFOX: &str = "The tests go on without Firefox";

/// Does one step of the plan.
pub(crate) fn perform(step: &Step, facts: &Facts, places: &Places) -> Result<(), Failure> {
    match step {
        Step::AddTarget => add_target(facts, places),
        Step::Apt(packages) => apt(packages),
        Step::Ask(todo) => Err(Failure::person("something is missing that only you can install", todo)),
        Step::Components(names) => components(names),
        Step::BuildStd(rustc) => own_std::build(places, facts, rustc),
        Step::Trunk => {
            let features = ["--no-default-features", "--features", "rustls"];
            cargo_install(places, "trunk", TRUNK, spans::TRUNK, Tuning::BuildFast, &features)
        }
        Step::Bindgen(version) => {
            cargo_install(places, "wasm-bindgen-cli", version, spans::BINDGEN, Tuning::RunFaster, &[])
        }
        Step::WasmOpt => or_without(
            npm(&places.binaryen(), "wasm-opt", spans::WASM_OPT, &format!("binaryen@{BINARYEN}")),
            "The page is built without wasm-opt, about twice as large",
            &look::closed_for_wasm_opt(places),
            BINARYEN,
        ),
        Step::Firefox => {
            let installed = apt(&["firefox-esr"]);
            or_without(installed, WITHOUT_FIREFOX, &look::closed_for_firefox(places), GECKODRIVER)
        }
        Step::Geckodriver => or_without(
            cargo_install(places, "geckodriver", GECKODRIVER, spans::GECKODRIVER, Tuning::BuildFast, &[]),
            WITHOUT_FIREFOX,
            &look::closed_for_firefox(places),
            GECKODRIVER,
        ),
        Step::Axe => or_without(
            npm(&places.axe(), "axe-core", spans::AXE, &format!("axe-core@{AXE}")),
            "The tests go on without axe-core",
            &look::closed_for_axe(places),
            AXE,
        ),
        Step::Python(environment) => match &facts.python {
            None => Ok(()),
            Some(python) => or_without(
                environment.install(places, python),
                "The Python package is neither built nor tested",
                &look::closed_for_python(places),
                &python.version,
            ),
        },
        Step::CopyingWasmOpt => copying_wasm_opt(places),
    }
}

fn add_target(facts: &Facts, places: &Places) -> Result<(), Failure> {
    let mut rustup = tool_command("rustup");
    rustup.args(["target", "add", toolchain::WASM]);
    let Err(failure) = run("Adding the wasm target, 10 MB", spans::TARGET, &mut rustup) else {
        return Ok(());
    };
    let memory = look::closed_for_rustup(places);
    println!("\n{failure}\nThere is another way, which is taken now and from now on.");
    println!("To try rustup again: rm {}", memory.display());
    remember(&memory, &facts.active.version)
}

/// Goes on without something that could not be installed, now and from now on.
fn or_without(
    installed: Result<(), Failure>,
    what: &str,
    memory: &Path,
    version: &str,
) -> Result<(), Failure> {
    let Err(failure) = installed else { return Ok(()) };
    println!("\n{failure}\n{what}, now and from now on.");
    println!("To try again: rm {}", memory.display());
    remember(memory, version)
}

/// Notes for which version something did not work, so that it is not tried each time.
pub(crate) fn remember(memory: &Path, version: &str) -> Result<(), Failure> {
    if let Some(folder) = memory.parent() {
        fs::create_dir_all(folder).map_err(Failure::file("make the folder", folder))?;
    }
    fs::write(memory, version).map_err(Failure::file("write", memory))
}

fn apt(packages: &[&str]) -> Result<(), Failure> {
    let mut update = Command::new("apt-get");
    run("Reading Debian's package lists", spans::LISTS, update.arg("update"))?;
    let mut install = Command::new("apt-get");
    install.env("DEBIAN_FRONTEND", "noninteractive");
    install.args(["install", "--yes", "--no-remove", "--no-install-recommends"]).args(packages);
    run("Installing Debian's packages", spans::PACKAGES, &mut install).map_err(|failure| {
        failure.advise("see whether this Debian has these packages, or whether apt is busy")
    })
}

fn components(names: &[&str]) -> Result<(), Failure> {
    let mut rustup = tool_command("rustup");
    run("Adding components", spans::COMPONENTS, rustup.args(["component", "add"]).args(names))
        .map_err(|failure| failure.advise("connect to the network, or install these components by hand"))
}

/// How a tool is compiled.
#[derive(Clone, Copy)]
enum Tuning {
    /// For a tool that mostly starts others.
    BuildFast,
    /// For a tool that works through large files.
    RunFaster,
}

fn cargo_install(
    places: &Places,
    package: &str,
    version: &str,
    span: Span,
    tuning: Tuning,
    features: &[&str],
) -> Result<(), Failure> {
    let target = places.cache.join("build");
    let mut cargo = tool_command("cargo");
    cargo.env("CARGO_TARGET_DIR", &target);
    cargo.envs([("CARGO_PROFILE_RELEASE_LTO", "false"), ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "256")]);
    cargo.env("CARGO_PROFILE_RELEASE_DEBUG", "false");
    cargo.args(["install", "--locked", "--force", package, "--version", version]);
    let level = match tuning {
        Tuning::BuildFast => "0",
        Tuning::RunFaster => "1",
    };
    cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level).args(features);
    cargo.arg("--root").arg(places.tools());
    run(&format!("Building {package} {version}, once"), span, &mut cargo).map_err(|failure| {
        failure.advise("see that crates can be downloaded and a C compiler is installed")
    })?;
    fs::remove_dir_all(&target).map_err(Failure::file("remove", &target))
}

fn npm(folder: &Path, name: &str, span: Span, package: &str) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(Failure::file("make the folder", folder))?;
    let mut npm = tool_command("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--no-package-lock", "--prefix"]).arg(folder);
    npm.arg(package);
    run(&format!("Installing {name}"), span, &mut npm)
        .map_err(|failure| failure.advise("see that npm can install packages"))
}

fn copying_wasm_opt(places: &Places) -> Result<(), Failure> {
    let folder = places.copying_wasm_opt();
    let script = folder.join("wasm-opt");
    println!("\n» There is no wasm-opt, and npm cannot get it: the page works, but is about twice as large.");
    println!("  To change that, see that Node's npm can install packages, and run this again.");
    fs::create_dir_all(&folder).map_err(Failure::file("make the folder", &folder))?;
    let text = COPYING_WASM_OPT.replace("VERSION", BINARYEN);
    fs::write(&script, text).map_err(Failure::file("write", &script))?;
    make_executable(&script)
}

/// Answers as wasm-opt does where trunk asks, and copies its input.
const COPYING_WASM_OPT: &str = r#"#!/bin/sh
for word in "$@"; do
  case "$word" in
    --version) echo "wasm-opt version VERSION (version_VERSION)"; exit 0 ;;
    --output=*) output=${word#--output=} ;;
    -*) ;;
    *) input=$word ;;
  esac
done
exec cp "$input" "$output"
"#;

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<(), Failure> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(path, mode).map_err(Failure::file("make executable", path))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<(), Failure> {
    Ok(())
}

/// A tool of the ordinary toolchain that reports errors without a backtrace.
fn tool_command(program: &str) -> Command {
    let mut command = toolchain::native(program);
    command.env("RUST_BACKTRACE", "0");
    command
}
