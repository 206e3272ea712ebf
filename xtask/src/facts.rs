//! What is on a machine, as far as the set-up asks: plain data, read by `look` and judged by `plan`.

use std::path::{Path, PathBuf};

use crate::python::Python;

/// What a command needs to be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Format,
    Lint,
    /// trunk and what it calls for a page that visitors get.
    Page,
    /// trunk and what it calls for a page that is being worked on, which nothing makes smaller.
    Draft,
    /// Tests compiled to wasm.
    WasmTests,
    /// Chromium with its driver.
    Browser,
    /// A second browser, which not every machine can have.
    Firefox,
    /// The rules of accessibility that axe-core checks; not every machine can have them.
    Axe,
    /// What builds the Python package; not every machine can have it.
    Wheel,
    /// What its tests import, likewise.
    PythonTests,
}

impl Need {
    /// What is needed for all commands; who can build a page can build one to work on.
    pub(crate) const ALL: [Self; 9] = [
        Self::Format,
        Self::Lint,
        Self::Page,
        Self::WasmTests,
        Self::Browser,
        Self::Firefox,
        Self::Axe,
        Self::Wheel,
        Self::PythonTests,
    ];
}

/// A Rust compiler and what it has for the wasm target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compiler {
    /// `rustc`: a name for the one on `$PATH`, or a full path.
    pub(crate) program: PathBuf,
    /// What `rustc -vV` prints.
    pub(crate) version: String,
    pub(crate) sysroot: PathBuf,
    pub(crate) wasm_std: WasmStd,
}

/// Where a compiler's standard library for wasm comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WasmStd {
    /// It came with the compiler.
    Shipped,
    /// The set-up built it into the cache.
    Built,
    /// Only its source is there.
    Source,
    Absent,
}

/// An ordinary way to get something that may not work here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Open,
    /// Tried, and remembered not to work.
    Closed,
    /// The program for it is missing.
    Absent,
}

/// Whether Debian's packages can be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Apt {
    AsRoot,
    /// By somebody else, with sudo.
    ByHand,
    Absent,
}

/// Whether something is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Here,
    Missing,
}

/// Everything that [`crate::plan::plan`] looks at.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) needs: Vec<Need>,
    /// The compiler for native builds.
    pub(crate) active: Compiler,
    /// A second compiler where Debian keeps one, if new enough; for the wasm target only.
    pub(crate) system: Option<Compiler>,
    pub(crate) linker: Option<PathBuf>,
    /// `rustup target add`.
    pub(crate) rustup: Way,
    /// trunk's own downloads of wasm-bindgen and wasm-opt.
    pub(crate) trunk_downloads: Way,
    pub(crate) apt: Apt,
    pub(crate) rustfmt: Tool,
    pub(crate) clippy: Tool,
    pub(crate) system_clippy: Tool,
    pub(crate) trunk: Tool,
    /// The version that wasm-bindgen's command must have.
    pub(crate) bindgen_version: String,
    pub(crate) bindgen: Tool,
    /// A real one, of the version that Trunk.toml names.
    pub(crate) wasm_opt: Tool,
    /// The one in the cache that only copies.
    pub(crate) copying_wasm_opt: Tool,
    /// Installing wasm-opt by npm.
    pub(crate) wasm_opt_installs: Way,
    pub(crate) chromium: Option<PathBuf>,
    pub(crate) chromedriver: Option<PathBuf>,
    pub(crate) firefox: Option<PathBuf>,
    pub(crate) geckodriver: Option<PathBuf>,
    /// Installing Firefox or its driver.
    pub(crate) firefox_installs: Way,
    /// axe-core's script.
    pub(crate) axe: Option<PathBuf>,
    /// Installing axe-core.
    pub(crate) axe_installs: Way,
    /// A Python that is new enough, with what makes environments.
    pub(crate) python: Option<Python>,
    /// The environment that builds wheels.
    pub(crate) wheel_tools: Tool,
    /// The environment that tests them.
    pub(crate) python_tests: Tool,
    /// Installing either by pip.
    pub(crate) python_installs: Way,
}

impl Facts {
    pub(crate) fn needs(&self, need: Need) -> bool {
        self.needs.contains(&need)
    }

    /// Whether the page's wasm is made smaller on the way; without Node it may have to go without.
    pub(crate) fn optimises_wasm(&self) -> bool {
        self.wasm_opt == Tool::Here || self.trunk_fetches()
    }

    /// Firefox and its driver, or why there is no testing in it.
    pub(crate) fn firefox(&self) -> Result<(&Path, &Path), &'static str> {
        match (&self.firefox, &self.geckodriver) {
            (Some(firefox), Some(driver)) => Ok((firefox, driver)),
            _ if self.firefox_installs == Way::Closed => Err("installing it has failed before"),
            (None, _) if self.apt == Apt::ByHand => {
                Err("it is not there; `sudo apt-get install firefox-esr` installs it")
            }
            (None, _) => Err("it is not there; install it so that `firefox` is on $PATH"),
            (_, None) => Err("its driver is not there; install geckodriver so that it is on $PATH"),
        }
    }

    /// Whether trunk is left to fetch wasm-bindgen and wasm-opt itself.
    pub(crate) fn trunk_fetches(&self) -> bool {
        self.rustup != Way::Closed && self.trunk_downloads == Way::Open
    }

    /// Whether it is for trunk to have, or to fetch, something that these needs ask for.
    pub(crate) fn relies_on_downloads(&self) -> bool {
        let page = self.needs(Need::Page);
        let bindgen = (page || self.needs(Need::Draft)) && self.bindgen == Tool::Missing;
        self.trunk_fetches() && (bindgen || (page && self.wasm_opt == Tool::Missing))
    }
}

impl From<bool> for Tool {
    fn from(here: bool) -> Self {
        if here { Self::Here } else { Self::Missing }
    }
}

impl Compiler {
    /// A line of `rustc -vV`, such as `release` or `host`.
    pub(crate) fn detail(&self, key: &str) -> &str {
        let line = self.version.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        line.unwrap_or("unknown")
    }

    pub(crate) fn release(&self) -> &str {
        self.detail("release")
    }

    /// The folder of the standard library for a target.
    pub(crate) fn library(&self, target: &str) -> PathBuf {
        self.sysroot.join("lib/rustlib").join(target)
    }
}
