//! Versions read from the workspace's `Cargo.lock` and `Cargo.toml`, and compared as numbers.

use std::fs;
use std::path::Path;

use crate::Failure;

/// The version of a package in the lock file.
pub(crate) fn locked(lock: &Path, package: &str) -> Result<String, Failure> {
    let text = fs::read_to_string(lock).map_err(Failure::file("read", lock))?;
    locked_in(&text, package).ok_or_else(|| {
        Failure::person(
            format!("{} names no version of {package}", lock.display()),
            "run `cargo update --workspace` and look at the dependencies in Cargo.toml",
        )
    })
}

/// The oldest compiler that the workspace builds with.
pub(crate) fn oldest_rust(manifest: &Path) -> Result<String, Failure> {
    let text = fs::read_to_string(manifest).map_err(Failure::file("read", manifest))?;
    Ok(oldest_rust_in(&text).unwrap_or_default())
}

fn locked_in(text: &str, package: &str) -> Option<String> {
    let mut lines = text.lines();
    lines.find(|line| quoted(line, "name") == Some(package))?;
    quoted(lines.next()?, "version").map(str::to_owned)
}

fn oldest_rust_in(text: &str) -> Option<String> {
    text.lines().find_map(|line| quoted(line, "rust-version")).map(str::to_owned)
}

/// The value of `key = "value"`.
fn quoted<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let value = line.trim().strip_prefix(key)?.trim_start().strip_prefix('=')?;
    value.trim_start().strip_prefix('"')?.split('"').next()
}

/// Whether a version such as `1.96.0` or `1.97.0-beta` is at least another.
pub(crate) fn at_least(version: &str, oldest: &str) -> bool {
    numbers(version) >= numbers(oldest)
}

/// The first three numbers; what is missing or unreadable counts as 0.
fn numbers(version: &str) -> [u64; 3] {
    let mut parts = version.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"
version = 4

[[package]]
name = "wasm-bindgen-futures"
version = "0.4.76"

[[package]]
name = "wasm-bindgen"
version = "0.2.126"
source = "registry"
"#;

    #[test]
    fn the_locked_version_is_that_of_the_very_package() {
        assert_eq!(locked_in(LOCK, "wasm-bindgen").as_deref(), Some("0.2.126"));
        assert_eq!(locked_in(LOCK, "wasm-bindgen-futures").as_deref(), Some("0.4.76"));
        assert_eq!(locked_in(LOCK, "wasm"), None);
        assert_eq!(locked_in("", "wasm"), None);
    }

    #[test]
    fn the_oldest_compiler_is_read() {
        assert_eq!(oldest_rust_in("[x]\nrust-version = \"1.95\"\n").as_deref(), Some("1.95"));
        assert_eq!(oldest_rust_in("rust-version.workspace = true"), None);
    }

    #[test]
    fn versions_compare_as_numbers() {
        assert!(at_least("1.96.0", "1.95"));
        assert!(at_least("1.100.0", "1.99.9"));
        assert!(at_least("1.95.0-nightly", "1.95"));
        assert!(!at_least("1.85.1", "1.95"));
    }
}
