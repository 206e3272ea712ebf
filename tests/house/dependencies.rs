//! Where dependencies come from and under which licences, as far as it can be told without a network: what `deny.toml`
//! says, held against `Cargo.lock` and against the manifests of the packages that this machine has fetched.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::{none, root};

/// The registry that everything comes from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// A package of the lock file.
#[derive(Debug, Default)]
struct Package {
    name: String,
    version: String,
    source: Option<String>,
    checksum: Option<String>,
}

fn locked() -> Vec<Package> {
    let text = fs::read_to_string(root().join("Cargo.lock")).expect("the lock file");
    let packages: Vec<Package> = text.split("[[package]]").skip(1).map(package).collect();
    assert!(packages.len() > 100, "only {} packages in Cargo.lock", packages.len());
    packages
}

fn package(text: &str) -> Package {
    let field = |key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{key} = \"")))?;
        line.strip_suffix('"').map(str::to_owned)
    };
    Package {
        name: field("name").unwrap_or_default(),
        version: field("version").unwrap_or_default(),
        source: field("source"),
        checksum: field("checksum"),
    }
}

fn rules() -> String {
    fs::read_to_string(root().join("deny.toml")).expect("deny.toml")
}

/// What stands in quotation marks after each `key = ` of a section, or after `key = [`, line by line.
fn told(rules: &str, section: &str, key: &str) -> Vec<String> {
    let within = rules.split(&format!("[{section}]\n")).nth(1).unwrap_or_default();
    let within = within.split("\n[").next().unwrap_or_default();
    let key = format!("{key} = ");
    let values = within.split(&key).skip(1).map(|rest| match rest.strip_prefix('[') {
        Some(list) => list.split(']').next().unwrap_or_default(),
        None => rest.lines().next().unwrap_or_default().split(',').next().unwrap_or_default(),
    });
    values.flat_map(|value| value.split('"').skip(1).step_by(2).map(str::to_owned)).collect()
}

#[test]
fn everything_comes_from_one_registry_with_its_checksum() {
    let other = locked().into_iter().filter(|package| match &package.source {
        Some(source) => source != REGISTRY || package.checksum.is_none(),
        None => !package.name.starts_with("warpspan") && package.name != "xtask",
    });
    none("packages come from crates.io", other.map(|found| format!("{found:?}")).collect());
}

#[test]
fn what_is_banned_is_not_there_and_what_is_excused_is() {
    let rules = rules();
    let names: Vec<String> = locked().into_iter().map(|package| package.name).collect();
    let banned =
        rules.split("deny = [\n").nth(1).and_then(|rest| rest.split("\n]").next()).unwrap_or_default();
    let banned: Vec<&str> = banned.lines().filter_map(|line| line.split('"').nth(1)).collect();
    assert!(banned.len() >= 3, "{banned:?}");
    let found = banned.iter().filter(|name| names.iter().any(|known| known == *name));
    none("these are not to be depended on", found.map(|name| (*name).to_owned()).collect());
    let excused = told(&rules, "licenses", "{ crate");
    assert_eq!(excused, ["webdriver"]);
    for name in excused.iter().map(String::as_str).chain(["paste"]) {
        assert!(
            names.iter().any(|known| known == name),
            "deny.toml excuses {name}, which is not there any more"
        );
    }
}

/// Every package whose manifest this machine has: all that these tests are compiled from, and more where the page was
/// built.
#[test]
fn licences_are_allowed() {
    let rules = rules();
    let allowed = told(&rules, "licenses", "\nallow");
    assert!(allowed.len() > 3 && allowed.iter().any(|licence| licence == "MIT"), "{allowed:?}");
    let excused = told(&rules, "licenses", "{ crate");
    let manifests = manifests();
    let mut read = 0;
    let mut found = Vec::new();
    for package in locked() {
        let Some(licence) = manifests.get(&format!("{}-{}", package.name, package.version)) else { continue };
        read += 1;
        if !excused.contains(&package.name) && !fits(licence, &allowed) {
            found.push(format!("{} {}: {licence:?}", package.name, package.version));
        }
    }
    println!("{read} licences read");
    // Where packages are kept elsewhere, as vendored ones are, cargo-deny is left to look.
    assert!(read > 10 || manifests.is_empty(), "only {read} of the packages were found");
    none("licences that deny.toml does not allow", found);
}

/// The licences of all packages that were unpacked on this machine, by name and version.
fn manifests() -> BTreeMap<String, String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).unwrap_or_default();
    let folders =
        |path: PathBuf| fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let packages = folders(home.join("registry/src")).flat_map(folders);
    let licence = |path: PathBuf| {
        let manifest = fs::read_to_string(path.join("Cargo.toml")).ok()?;
        let line = manifest.lines().find_map(|line| line.strip_prefix("license = \""))?;
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some((name, line.trim_end_matches('"').to_owned()))
    };
    packages.filter_map(licence).collect()
}

/// Whether an expression of licences can be met: one of those joined by OR or a slash, all of those joined by AND.
fn fits(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    either(&words, &mut at, allowed) && at == words.len()
}

fn either(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let mut fits = all(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        fits |= all(words, at, allowed);
    }
    fits
}

fn all(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let mut fits = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        fits &= one(words, at, allowed);
    }
    fits
}

fn one(words: &[&str], at: &mut usize, allowed: &[String]) -> bool {
    let word = words.get(*at).copied().unwrap_or_default();
    *at += 1;
    if word == "(" {
        let fits = either(words, at, allowed);
        *at += 1;
        return fits;
    }
    // An exception only ever allows more.
    if words.get(*at) == Some(&"WITH") {
        *at += 2;
    }
    allowed.iter().any(|licence| licence == word)
}

#[test]
fn expressions_of_licences() {
    let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"].map(str::to_owned);
    for (expression, wanted) in [
        ("MIT", true),
        ("GPL-3.0-only", false),
        ("", false),
        ("MIT OR GPL-3.0-only", true),
        ("GPL-3.0-only/MIT", true),
        ("MIT AND GPL-3.0-only", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(GPL-3.0-only OR LGPL-3.0-only) AND MIT", false),
        ("Apache-2.0 WITH LLVM-exception OR GPL-3.0-only", true),
        ("MIT )", false),
    ] {
        assert_eq!(fits(expression, &allowed), wanted, "{expression}");
    }
}
