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
const TO_BUILD: &[&str] = &["maturin>=1.9.4,<2", "wheel>=0.40"];
/// What tests import.
const TO_TEST: &[&str] = &["pytest>=8", "distributed>=2023.5", "pandas>=1.5", "pyarrow>=14"];
/// What runs the notebook as readers do. Without it its cells are run by themselves, and the tests say so.
const FOR_NOTEBOOKS: &[&str] = &["nbclient>=0.8", "ipykernel>=6", "matplotlib>=3.5"];
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

    /// Its pip, about to install.
    fn pip(self, places: &Places) -> Command {
        let mut pip = Command::new(self.program(places, "python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        pip
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
        let mut pip = self.pip(places);
        pip.args(self.packages());
        let span = if self == Self::Build { spans::MATURIN } else { spans::PYTHON_PACKAGES };
        run("Installing Python's packages", span, &mut pip)
            .map_err(|failure| failure.advise("see that pip can install packages"))?;
        if self == Self::Test {
            let mut pip = self.pip(places);
            let found = run("Installing what runs notebooks", spans::NOTEBOOKS, pip.args(FOR_NOTEBOOKS));
            if let Err(failure) = found {
                println!("\n{failure}\nThe notebook is tested without them, cell by cell.");
            }
        }
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
        let more = if environment == Environment::Test { FOR_NOTEBOOKS } else { &[] };
        format!("Python {}: {}", self.version, [environment.packages(), more].concat().join(" "))
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
    let wheel = build(places, &places.target.join("wheels"))?;
    println!(
        "\nThe wheel: {}\nTo install it: pip install '{}[pandas,dask]'",
        wheel.display(),
        wheel.display()
    );
    Ok(())
}

/// Has maturin build a wheel into a folder, alone there.
fn build(places: &Places, folder: &Path) -> Result<PathBuf, Failure> {
    emptied(folder)?;
    let mut maturin = maturin(places);
    maturin.args(["build", "--locked", "--profile", "wheel", "--out"]).arg(folder);
    maturin.arg("--interpreter").arg(Environment::Build.program(places, "python"));
    run("Building the Python package", spans::WHEEL, &mut maturin)?;
    the_wheel(folder)
}

fn maturin(places: &Places) -> Command {
    let mut maturin = toolchain::native(&Environment::Build.program(places, "maturin").to_string_lossy());
    maturin.current_dir(places.root.join("python"));
    maturin
}

fn the_wheel(folder: &Path) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::file("read the folder", folder))?;
    let wheel =
        entries.flatten().map(|entry| entry.path()).find(|path| path.extension() == Some("whl".as_ref()));
    wheel.ok_or_else(|| Failure::person("there is no wheel", "read the output above"))
}

fn emptied(folder: &Path) -> Result<(), Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(Failure::file("remove", folder))?;
    }
    fs::create_dir_all(folder).map_err(Failure::file("make the folder", folder))
}

/// Builds a wheel as tests want it: its native half with all others of the workspace, as native tests have it, so that
/// next to nothing is compiled again. maturin would compile it alone, with fewer features, and everything with it; it
/// only writes what the wheel says of itself.
fn packed(places: &Places, folder: &Path) -> Result<PathBuf, Failure> {
    let mut cargo = toolchain::native("cargo");
    cargo.current_dir(&places.root).args(["build", "--profile", "test"]);
    cargo.args(["--workspace", "--lib", "--bin", "warpspan"]);
    run("Building the native half of the Python package", spans::TEST_WHEEL, &mut cargo)?;
    let (within, wheels) = (folder.join("unpacked"), folder.join("wheel"));
    emptied(&within)?;
    emptied(&wheels)?;
    copied(&places.root.join("python/package/warpspan"), &within.join("warpspan"))?;
    let (built, called) = match std::env::consts::OS {
        "windows" => ("warpspan_python.dll", "_native.pyd"),
        "macos" => ("libwarpspan_python.dylib", "_native.abi3.so"),
        _ => ("libwarpspan_python.so", "_native.abi3.so"),
    };
    let (built, called) = (places.target.join("debug").join(built), within.join("warpspan").join(called));
    fs::copy(&built, &called).map_err(Failure::file("copy", &built))?;
    let mut about = maturin(places);
    about.args(["pep517", "write-dist-info", "--metadata-directory"]).arg(&within);
    about.arg("--interpreter").arg(Environment::Build.program(places, "python"));
    run("Writing what the wheel says of itself", spans::VENV, &mut about)?;
    let mut pack = Command::new(Environment::Build.program(places, "python"));
    pack.args(["-m", "wheel", "pack", "--dest-dir"]).arg(&wheels).arg(&within);
    run("Packing the wheel", spans::VENV, &mut pack)?;
    the_wheel(&wheels)
}

/// Copies a folder of sources, without what Python compiles beside them.
fn copied(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to).map_err(Failure::file("make the folder", to))?;
    let entries = fs::read_dir(from).map_err(Failure::file("read the folder", from))?;
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()) {
        let name = path.file_name().unwrap_or_default();
        fs::copy(&path, to.join(name)).map_err(Failure::file("copy", &path))?;
    }
    Ok(())
}

/// Builds a wheel as tests want it, unpacks it by pip and runs its tests.
pub(crate) fn test(places: &Places, only: &[String]) -> Result<(), Failure> {
    let scratch = places.scratch().join("python");
    let wheel = packed(places, &scratch)?;
    let site = scratch.join("site");
    emptied(&site)?;
    let python = Environment::Test.program(places, "python");
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]);
    pip.arg("--target").arg(&site).arg(&wheel);
    run("Installing the wheel", spans::VENV, &mut pip)?;
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
