//! Which set-up steps a machine needs, from facts alone: no file is read and no program run here.
//!
//! A step that changes the facts in an unknown way (`rustup target add` may fail) is followed by a new
//! look and a new plan, so a plan only has to be right about its first step.

use std::path::{Path, PathBuf};

use crate::facts::{Apt, Compiler, Facts, Need, Tool, WasmStd, Way};
use crate::python::Environment;
use crate::spans::{self, Span};

/// One thing to install or build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// `rustup target add`; when it does not work, that is remembered and is no failure.
    AddTarget,
    /// Debian's packages.
    Apt(Vec<&'static str>),
    /// Nothing that a program may do: what a person has to do.
    Ask(String),
    /// rustup's components.
    Components(Vec<&'static str>),
    /// The standard library for wasm, from the source that came with this `rustc`.
    BuildStd(PathBuf),
    Trunk,
    /// wasm-bindgen's commands, of this version.
    Bindgen(String),
    /// npm's binaryen; when that does not work, it is remembered and is no failure.
    WasmOpt,
    /// Debian's Firefox; when that does not work, it is remembered and is no failure.
    Firefox,
    /// Firefox's driver, likewise.
    Geckodriver,
    /// axe-core, likewise.
    Axe,
    /// An environment of Python, likewise.
    Python(Environment),
    /// A stand-in that copies, where wasm-opt cannot be had.
    CopyingWasmOpt,
}

impl Step {
    /// What it does.
    pub(crate) fn title(&self) -> String {
        match self {
            Self::AddTarget => "add the wasm target by rustup".to_owned(),
            Self::Apt(packages) => format!("install {} by apt", packages.join(", ")),
            Self::Ask(_) => "something that only you can install".to_owned(),
            Self::Components(names) => format!("add {} by rustup", names.join(" and ")),
            Self::BuildStd(_) => "build the standard library for wasm".to_owned(),
            Self::Trunk => "build trunk, which builds the page".to_owned(),
            Self::Bindgen(version) => format!("build wasm-bindgen {version}"),
            Self::WasmOpt => "install wasm-opt by npm".to_owned(),
            Self::Firefox => "install Firefox by apt, a second browser to test in".to_owned(),
            Self::Geckodriver => "build geckodriver, which drives Firefox".to_owned(),
            Self::Axe => "install axe-core by npm, which knows rules of accessibility".to_owned(),
            Self::Python(environment) => {
                format!("install {} by pip", environment.packages().join(", "))
            }
            Self::CopyingWasmOpt => "do without wasm-opt: the page gets about twice as large".to_owned(),
        }
    }

    /// How long it takes; nothing where that is not worth a word.
    pub(crate) fn span(&self) -> Option<Span> {
        match self {
            Self::AddTarget => Some(spans::TARGET),
            Self::Apt(_) => Some(spans::PACKAGES),
            Self::Components(_) => Some(spans::COMPONENTS),
            Self::BuildStd(_) => Some(spans::STD),
            Self::Trunk => Some(spans::TRUNK),
            Self::Bindgen(_) => Some(spans::BINDGEN),
            Self::WasmOpt => Some(spans::WASM_OPT),
            Self::Firefox => Some(spans::FIREFOX),
            Self::Geckodriver => Some(spans::GECKODRIVER),
            Self::Axe => Some(spans::AXE),
            Self::Python(Environment::Build) => Some(spans::MATURIN),
            Self::Python(Environment::Test) => Some(spans::PYTHON_PACKAGES),
            Self::Ask(_) | Self::CopyingWasmOpt => None,
        }
    }
}

/// How code for wasm is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WasmCompiler<'a> {
    /// The active toolchain as it is.
    Active,
    /// A compiler that is given a standard library and a linker.
    Own { compiler: &'a Compiler, linker: &'a Path },
}

/// The steps, in order; empty when nothing is missing.
pub(crate) fn plan(facts: &Facts) -> Vec<Step> {
    let compiler = if compiles_to_wasm(facts) { wasm_compiler(facts).err() } else { None };
    if compiler == Some(Missing::Target) {
        return vec![Step::AddTarget];
    }
    let mut steps = Vec::new();
    let packages = packages(facts, compiler.as_ref());
    if !packages.is_empty() {
        steps.push(by_apt(facts.apt, packages));
    }
    let components = components(facts);
    if !components.is_empty() {
        steps.push(by_rustup(facts.rustup, components));
    }
    if let Some(Missing::Std(source)) = compiler {
        steps.push(Step::BuildStd(source.program.clone()));
    }
    steps.extend(page_tools(facts));
    steps.extend(optional(facts));
    steps
}

/// What tests go without where it cannot be had.
fn optional(facts: &Facts) -> Vec<Step> {
    let mut steps = Vec::new();
    if facts.needs(Need::Firefox) && facts.firefox_installs == Way::Open {
        let by_apt = facts.firefox.is_none() && facts.apt == Apt::AsRoot;
        if by_apt {
            steps.push(Step::Firefox);
        }
        if facts.geckodriver.is_none() && (by_apt || facts.firefox.is_some()) {
            steps.push(Step::Geckodriver);
        }
    }
    if facts.needs(Need::Axe) && facts.axe.is_none() && facts.axe_installs == Way::Open {
        steps.push(Step::Axe);
    }
    if facts.python.is_some() && facts.python_installs == Way::Open {
        let tests = facts.needs(Need::PythonTests);
        if (tests || facts.needs(Need::Wheel)) && facts.wheel_tools == Tool::Missing {
            steps.push(Step::Python(Environment::Build));
        }
        if tests && facts.python_tests == Tool::Missing {
            steps.push(Step::Python(Environment::Test));
        }
    }
    steps
}

/// What the wasm compiler still misses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Missing<'a> {
    Target,
    Compiler,
    Linker,
    Std(&'a Compiler),
}

/// The compiler for wasm: the active one with its own library, else one that the set-up gave a library.
pub(crate) fn wasm_compiler(facts: &Facts) -> Result<WasmCompiler<'_>, Missing<'_>> {
    if facts.active.wasm_std == WasmStd::Shipped {
        return Ok(WasmCompiler::Active);
    }
    if facts.rustup == Way::Open {
        return Err(Missing::Target);
    }
    let having = |std: WasmStd| {
        [Some(&facts.active), facts.system.as_ref()].into_iter().flatten().find(move |it| it.wasm_std == std)
    };
    let shipped = having(WasmStd::Shipped).or_else(|| having(WasmStd::Built));
    let compiler = shipped.or_else(|| having(WasmStd::Source)).ok_or(Missing::Compiler)?;
    let linker = facts.linker.as_deref().ok_or(Missing::Linker)?;
    if compiler.wasm_std == WasmStd::Source {
        return Err(Missing::Std(compiler));
    }
    Ok(WasmCompiler::Own { compiler, linker })
}

fn compiles_to_wasm(facts: &Facts) -> bool {
    [Need::Lint, Need::Page, Need::Draft, Need::WasmTests].into_iter().any(|need| facts.needs(need))
}

/// Debian's packages for what is missing.
fn packages(facts: &Facts, compiler: Option<&Missing<'_>>) -> Vec<&'static str> {
    let mut packages = Vec::new();
    if compiler == Some(&Missing::Compiler) {
        packages.extend(["rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy"]);
    } else if facts.needs(Need::Lint) && facts.system_clippy == Tool::Missing && lints_by_system(facts) {
        packages.push("rust-web-clippy");
    }
    if matches!(compiler, Some(Missing::Compiler | Missing::Linker)) && facts.linker.is_none() {
        packages.push("lld");
    }
    let browser = facts.chromium.is_some() && facts.chromedriver.is_some();
    if facts.needs(Need::Browser) && !browser {
        packages.extend(["chromium", "chromium-driver"]);
    }
    packages
}

/// Whether code for wasm is compiled, or will be, by the second compiler.
fn lints_by_system(facts: &Facts) -> bool {
    match wasm_compiler(facts) {
        Ok(WasmCompiler::Own { compiler, .. }) | Err(Missing::Std(compiler)) => {
            facts.system.as_ref() == Some(compiler)
        }
        _ => false,
    }
}

fn by_apt(apt: Apt, packages: Vec<&'static str>) -> Step {
    match apt {
        Apt::AsRoot => Step::Apt(packages),
        Apt::ByHand => Step::Ask(format!(
            "run `sudo apt-get update && sudo apt-get install --no-install-recommends {}`, then this again",
            packages.join(" ")
        )),
        Apt::Absent => Step::Ask(by_hand(&packages)),
    }
}

/// What to install where there are none of Debian's packages.
fn by_hand(packages: &[&str]) -> String {
    let mut todo = Vec::new();
    if packages.contains(&"rustc-web") {
        todo.push("add the target wasm32-unknown-unknown, or the source of the standard library (rust-src), to your Rust");
    }
    if packages.contains(&"lld") {
        todo.push("install LLVM's linker, so that `wasm-ld` is on $PATH");
    }
    if packages.contains(&"chromium") {
        todo.push(
            "install Chromium or Chrome with the ChromeDriver of the same version, so that both are on $PATH",
        );
    }
    format!("{}; then run this again", todo.join("; "))
}

fn components(facts: &Facts) -> Vec<&'static str> {
    let missing = |need, tool, name| (facts.needs(need) && tool == Tool::Missing).then_some(name);
    let rustfmt = missing(Need::Format, facts.rustfmt, "rustfmt");
    let clippy = missing(Need::Lint, facts.clippy, "clippy");
    rustfmt.into_iter().chain(clippy).collect()
}

fn by_rustup(rustup: Way, components: Vec<&'static str>) -> Step {
    match rustup {
        Way::Absent => {
            Step::Ask(format!("install cargo's {}, then run this again", components.join(" and ")))
        }
        Way::Open | Way::Closed => Step::Components(components),
    }
}

/// trunk, and the programs it calls where it does not fetch them itself.
fn page_tools(facts: &Facts) -> Vec<Step> {
    let page = facts.needs(Need::Page);
    let any_page = page || facts.needs(Need::Draft);
    let by_ourselves = !facts.trunk_fetches();
    let mut steps = Vec::new();
    if any_page && facts.trunk == Tool::Missing {
        steps.push(Step::Trunk);
    }
    let bindgen = (any_page && by_ourselves) || facts.needs(Need::WasmTests);
    if bindgen && facts.bindgen == Tool::Missing {
        steps.push(Step::Bindgen(facts.bindgen_version.clone()));
    }
    if page && by_ourselves && facts.wasm_opt == Tool::Missing {
        match (facts.wasm_opt_installs, facts.copying_wasm_opt) {
            (Way::Open, _) => steps.push(Step::WasmOpt),
            (_, Tool::Missing) => steps.push(Step::CopyingWasmOpt),
            (_, Tool::Here) => {}
        }
    }
    steps
}

#[cfg(test)]
mod tests;
