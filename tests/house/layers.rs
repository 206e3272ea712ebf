//! Crates keep the layers: this reads their manifests. A model stands on the ground alone, a lab on its own model and
//! the kit; what joins labs is named here, and so is who may know a browser.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, files, none};

/// What one crate may use of the project.
type Layers = BTreeMap<&'static str, &'static [&'static str]>;

/// The crates below `crates`, by their folders, each with the crates that it may use.
fn layers() -> Layers {
    BTreeMap::from([
        ("base", &[][..]),
        ("warps/model", &["base"]),
        ("blocks/model", &["base"]),
        ("tasks/model", &["base"]),
        ("conjecture/model", &["base", "warps"]),
        ("chain/model", &["base", "blocks", "tasks", "warps"]),
        ("kit", &["base"]),
        ("warps/lab", &["base", "kit", "warps"]),
        ("blocks/lab", &["base", "blocks", "kit"]),
        ("tasks/lab", &["base", "kit", "tasks"]),
        ("conjecture/lab", &["base", "conjecture", "kit", "warps", "warps_lab"]),
        (
            "chain/lab",
            &["base", "blocks", "blocks_lab", "chain", "kit", "tasks", "tasks_lab", "warps", "warps_lab"],
        ),
        ("labs", &["blocks_lab", "chain_lab", "conjecture_lab", "kit", "tasks_lab", "warps_lab"]),
        (
            "classroom",
            &[
                "base",
                "blocks",
                "blocks_lab",
                "chain",
                "chain_lab",
                "conjecture",
                "conjecture_lab",
                "kit",
                "labs",
                "tasks",
                "tasks_lab",
                "warps",
                "warps_lab",
            ],
        ),
    ])
}

/// What no model may depend on: it is plain Rust, with no documents and no DOM. Clocks are refused by `clippy.toml`.
const NOT_IN_MODELS: [&str; 2] = ["serde", "serde_json"];

/// What only the page's own code depends on.
const BROWSER: [&str; 4] = ["js-sys", "leptos", "wasm-bindgen", "web-sys"];

/// The names under `[dependencies]` of a manifest.
fn dependencies(manifest: &File) -> Vec<&str> {
    let within = manifest.text.split("[dependencies]\n").nth(1).unwrap_or_default();
    let lines = within.split("\n[").next().unwrap_or_default().lines();
    lines.filter_map(|line| line.split(['.', ' ', '=']).next().filter(|name| !name.is_empty())).collect()
}

#[test]
fn layers_only_point_downwards() {
    let layers = layers();
    let own: BTreeSet<&str> =
        layers.values().flat_map(|uses| uses.iter().copied()).chain(["classroom", "labs"]).collect();
    let manifests: Vec<File> =
        files("crates", "toml").into_iter().filter(|file| file.path.ends_with("/Cargo.toml")).collect();
    assert_eq!(manifests.len(), layers.len(), "every crate has its layer here");
    let mut findings = Vec::new();
    for manifest in &manifests {
        let folder = manifest.path.trim_start_matches("crates/").trim_end_matches("/Cargo.toml");
        let Some(allowed) = layers.get(folder) else {
            findings.push(manifest.at(1, "has no layer"));
            continue;
        };
        let used = dependencies(manifest);
        assert!(folder == "base" || used.contains(&"kit") || used.contains(&"base"), "{folder}: {used:?}");
        for name in used {
            let serialises = folder.ends_with("/model") && NOT_IN_MODELS.contains(&name);
            if own.contains(name) && !allowed.contains(&name) || serialises || BROWSER.contains(&name) {
                findings.push(manifest.at(1, format!("depends on {name}")));
            }
        }
    }
    none("a crate uses only what stands below it", findings);
}

/// Files are read by the command line, the tests and `xtask`; nothing else knows of any.
#[test]
fn no_library_reads_files() {
    let mut findings = Vec::new();
    for file in files("crates", "rs") {
        let tests = file.text.find("#[cfg(test)]").unwrap_or(file.text.len());
        let code = file.text[..tests].lines().filter(|line| !line.trim_start().starts_with("//"));
        if code.into_iter().any(|line| line.contains("std::fs")) && !file.path.contains("/tests") {
            findings.push(file.at(1, "std::fs"));
        }
    }
    none("no crate below crates/ reads files", findings);
}
