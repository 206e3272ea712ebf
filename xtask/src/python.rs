//! The Python package: which Python builds and tests it, the environments it is built and tested in, the wheel.
//!
//! Environments are in the cache, one to build wheels and one with all that tests import. A wheel is installed into the
//! target folder, beside its tests, so that clones do not write into each other's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::facts::{Facts, Need, Tool, Way};
use crate::process::{ask, find, run};
use crate::{Failure, Places, setup, spans, toolchain};

/// What wheels are built with.
const TO_BUILD: &[&str] = &["maturin>=1.9.4,<2"];
/// What tests import.
const TO_TEST: &[&str] = &["pytest>=8", "distributed>=2023.5", "pandas>=1.5", "pyarrow>=14"];
/// Names of Pythons, the best first.
const NAMES: [&str; 2] = ["python3", "python"];
/// Whether it is new enough, and makes environments.
const FITS: &str =
    "import sys, venv, ensurepip; assert sys.version_info >= (3, 9); print(sys.version.split()[0])";

/// An environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Environment {
    Build,
    Test,
}

impl Environment {
    pub(crate) fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Build => TO_BUILD,
            Self::Test => TO_TEST,
        }
    }

    fn folder(self, places: &Places) -> PathBuf {
        places.python().join(match self {
            Self::Build => "build",
            Self::Test => "test",
        })
    }

    /// A program of it.
    pub(crate) fn program(self, places: &Places, name: &str) -> PathBuf {
        let (folder, ending) = if cfg!(windows) { ("Scripts", ".exe") } else { ("bin", "") };
        self.folder(places).join(folder).join(format!("{name}{ending}"))
    }

    /// The file that is written once all packages are there.
    fn mark(self, places: &Places) -> PathBuf {
        self.folder(places).join("installed")
    }

    /// Whether all of it is there and was made by this Python.
    pub(crate) fn look(self, places: &Places, python: Option<&Python>) -> Tool {
        let marked = fs::read_to_string(self.mark(places)).ok();
        Tool::from(python.is_some_and(|python| marked == Some(python.marks(self))))
    }

    /// Makes it anew.
    pub(crate) fn install(self, places: &Places, python: &Python) -> Result<(), Failure> {
        let folder = self.folder(places);
        let mut venv = Command::new(&python.program);
        venv.args(["-m", "venv", "--clear"]).arg(&folder);
        run("Making an environment of Python", spans::VENV, &mut venv)?;
        let mut pip = Command::new(self.program(places, "python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(self.packages());
        let span = if self == Self::Build { spans::MATURIN } else { spans::PYTHON_PACKAGES };
        run("Installing Python's packages", span, &mut pip)
            .map_err(|failure| failure.advise("see that pip can install packages"))?;
        let mark = self.mark(places);
        fs::write(&mark, python.marks(self)).map_err(Failure::file("write", &mark))
    }
}

/// A Python that is new enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Python {
    pub(crate) program: PathBuf,
    pub(crate) version: String,
}

impl Python {
    /// The one on `$PATH`, if there is one.
    pub(crate) fn find() -> Option<Self> {
        NAMES.iter().find_map(|name| {
            let program = find(name)?;
            let version = ask(Command::new(&program).args(["-c", FITS]))?;
            Some(Self { program, version })
        })
    }

    fn marks(&self, environment: Environment) -> String {
        format!("Python {}: {}", self.version, environment.packages().join(" "))
    }
}

/// Whether the package can be built and tested here; else why not.
pub(crate) fn ready(facts: &Facts) -> Result<(), &'static str> {
    match (&facts.python, facts.wheel_tools, facts.python_tests) {
        (None, ..) => Err("there is no Python 3.9 or later with its module venv (Debian: python3-venv)"),
        (_, Tool::Here, Tool::Here) => Ok(()),
        _ if facts.python_installs == Way::Closed => Err("installing its packages has failed before"),
        _ => Err("its packages are not there"),
    }
}

/// `cargo xtask wheel`: sets up, builds the wheel for those who use it, and says where it is.
pub(crate) fn wheel(places: &Places) -> Result<(), Failure> {
    let facts = setup::set_up(places, &[Need::Wheel])?;
    if facts.wheel_tools == Tool::Missing {
        let advice = "install Python 3.9 or later with pip and venv (Debian: python3-venv), and see that pip can \
                      install packages";
        return Err(Failure::person("there is nothing to build a wheel with", advice));
    }
    let wheel = build(places, &places.target.join("wheels"), &["--profile", "wheel"], spans::WHEEL)?;
    println!(
        "\nThe wheel: {}\nTo install it: pip install '{}[pandas,dask]'",
        wheel.display(),
        wheel.display()
    );
    Ok(())
}

/// Builds a wheel into a folder, alone there.
fn build(places: &Places, folder: &Path, words: &[&str], span: spans::Span) -> Result<PathBuf, Failure> {
    emptied(folder)?;
    let mut maturin = toolchain::native(&Environment::Build.program(places, "maturin").to_string_lossy());
    maturin.current_dir(&places.root);
    maturin
        .args(["build", "--locked", "--manifest-path", "python/Cargo.toml", "--out"])
        .arg(folder)
        .args(words);
    maturin.arg("--interpreter").arg(Environment::Build.program(places, "python"));
    run("Building the Python package", span, &mut maturin)?;
    let entries = fs::read_dir(folder).map_err(Failure::file("read the folder", folder))?;
    let wheel =
        entries.flatten().map(|entry| entry.path()).find(|path| path.extension() == Some("whl".as_ref()));
    wheel.ok_or_else(|| Failure::person("maturin left no wheel", "read its output above"))
}

fn emptied(folder: &Path) -> Result<(), Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(Failure::file("remove", folder))?;
    }
    fs::create_dir_all(folder).map_err(Failure::file("make the folder", folder))
}

/// Builds a wheel as tests want it, unpacks it by pip and runs its tests.
pub(crate) fn test(places: &Places, only: &[String]) -> Result<(), Failure> {
    let scratch = places.scratch().join("python");
    // As native tests are compiled, so that they share what others wrote; symbols would only make it larger.
    let wheel = build(places, &scratch.join("wheel"), &["--profile", "dev", "--strip"], spans::TEST_WHEEL)?;
    let site = scratch.join("site");
    emptied(&site)?;
    let python = Environment::Test.program(places, "python");
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]);
    pip.arg("--target").arg(&site).arg(&wheel);
    run("Installing the wheel", spans::VENV, &mut pip)?;
    // The whole workspace, as for native tests, so that nothing is compiled again.
    let mut cargo = toolchain::native("cargo");
    cargo.current_dir(&places.root).args(["test", "--workspace", "--test", "cli", "--no-run"]);
    run("Building the command line to compare with", spans::NATIVE, &mut cargo)?;
    let mut pytest = Command::new(&python);
    pytest.current_dir(places.root.join("python")).args(["-m", "pytest", "-p", "no:cacheprovider"]);
    if !only.is_empty() {
        pytest.arg("-k").arg(only.join(" or "));
    }
    let program = format!("warpspan{}", std::env::consts::EXE_SUFFIX);
    pytest.env("WARPSPAN_BINARY", places.target.join("debug").join(program));
    pytest.env("PYTHONPATH", &site).env("PYTHONDONTWRITEBYTECODE", "1");
    run("Tests of the Python package", spans::PYTHON_TESTS, &mut pytest)
}
