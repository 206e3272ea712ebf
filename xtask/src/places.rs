//! The folders that the commands read and write.
//!
//! The clone holds sources, `dist/` and cargo's target folder; everything installed is in the cache.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::Failure;

/// Absolute paths only.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// The clone.
    pub(crate) root: PathBuf,
    /// Where tools are installed, shared by all clones.
    pub(crate) cache: PathBuf,
    /// Cargo's target folder.
    pub(crate) target: PathBuf,
}

impl Places {
    pub(crate) fn find() -> Result<Self, Failure> {
        let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        let here = given("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&here).parent().map_or_else(|| PathBuf::from("."), Path::to_owned);
        let cache = cache_folder(given("WARPSPAN_CACHE"), given("XDG_CACHE_HOME"), env::home_dir())
            .ok_or_else(|| {
                Failure::person("no place for tools: $HOME is not set", "set WARPSPAN_CACHE to a folder")
            })?;
        let target = given("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let absolute =
            |path: &Path| std::path::absolute(path).map_err(Failure::file("find the full name of", path));
        Ok(Self { cache: absolute(&cache)?, target: absolute(&target)?, root })
    }

    /// The built page.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("dist")
    }

    /// Cargo's lock file.
    pub(crate) fn lock(&self) -> PathBuf {
        self.root.join("Cargo.lock")
    }

    /// Tools that cargo installed are in `bin/` of this.
    pub(crate) fn tools(&self) -> PathBuf {
        self.cache.join("tools")
    }

    /// The wasm-opt of npm's binaryen.
    pub(crate) fn binaryen(&self) -> PathBuf {
        self.cache.join("binaryen")
    }

    /// npm's axe-core.
    pub(crate) fn axe(&self) -> PathBuf {
        self.cache.join("axe")
    }

    /// Environments of Python.
    pub(crate) fn python(&self) -> PathBuf {
        self.cache.join("python")
    }

    /// A `wasm-opt` that copies, for machines without one and without Node.
    pub(crate) fn copying_wasm_opt(&self) -> PathBuf {
        self.cache.join("no-wasm-opt")
    }

    /// Small files of the running command: logs, browser settings.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.target.join("xtask")
    }
}

fn cache_folder(own: Option<OsString>, xdg: Option<OsString>, home: Option<PathBuf>) -> Option<PathBuf> {
    own.map(PathBuf::from)
        .or_else(|| xdg.map(|folder| Path::new(&folder).join("warpspan")))
        .or_else(|| home.map(|folder| folder.join(".cache/warpspan")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_setting_wins() {
        let (own, xdg) = (Some(OsString::from("/o")), Some(OsString::from("/x")));
        let home = Some(PathBuf::from("/h"));
        assert_eq!(cache_folder(own, xdg.clone(), home.clone()), Some("/o".into()));
        assert_eq!(cache_folder(None, xdg, home.clone()), Some("/x/warpspan".into()));
        assert_eq!(cache_folder(None, None, home), Some("/h/.cache/warpspan".into()));
        assert_eq!(cache_folder(None, None, None), None);
    }
}
