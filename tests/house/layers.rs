//! Crates keep the layers: this reads their manifests. A model stands on the ground alone, a lab on its own model and
//! the kit, a lab's components on both; what joins labs is named here.

use super::{File, files, none};

/// The labs that a lab joins.
fn joins(lab: &str) -> &'static [&'static str] {
    match lab {
        "conjecture" => &["warps"],
        "chain" => &["blocks", "code", "tasks", "warps"],
        "study" => &["tasks"],
        _ => &[],
    }
}

/// Whether the crate in a folder below `crates` may use another crate of the project.
fn may_use(folder: &str, used: &str) -> bool {
    let (lab, layer) = folder.split_once('/').unwrap_or((folder, ""));
    let known = |name: &str| name == lab || joins(lab).contains(&name);
    let model = known(used);
    let reads = used.strip_suffix("_read") == Some(lab);
    let documents = used.strip_suffix("_lab").is_some_and(known) || used == "kit";
    match (lab, layer) {
        ("base", _) => false,
        ("kit" | "ui", _) => used == "base" || lab == "ui" && used == "kit",
        // What workers run is of all labs; what the page has to say of it is of the chains that warps anneal, and of
        // shares of a study, whose panel has workers of its own.
        ("workers", _) => ["base", "kit", "study_lab", "warps_lab"].contains(&used),
        ("study", "ui") if used == "workers" => true,
        // The list of all labs, with what shows them.
        ("labs", _) => {
            ["base", "kit", "ui_kit"].contains(&used) || used.ends_with("_lab") || used.ends_with("_ui")
        }
        // What the labs say of lessons comes through their list.
        ("classroom", "") => ["base", "kit", "labs"].contains(&used),
        ("classroom", _) => ["base", "classroom", "kit", "labs", "ui_kit"].contains(&used),
        (_, "model") => used == "base" || model,
        (_, "read") => used == "base" || model,
        (_, "lab") => used == "base" || model || reads || documents,
        (_, "ui") => used == "base" || used == "ui_kit" || model || reads || documents,
        _ => false,
    }
}

/// What no model may depend on: it is plain Rust, with no documents and no DOM. Clocks are refused by `clippy.toml`.
const NOT_IN_MODELS: [&str; 2] = ["serde", "serde_json"];

/// What only components, and the page's side of its workers, depend on.
const BROWSER: [&str; 4] = ["js-sys", "leptos", "wasm-bindgen", "web-sys"];

/// The names under `[dependencies]` of a manifest, those for wasm included.
fn dependencies(manifest: &File) -> Vec<&str> {
    let sections = manifest.text.split("\n[").filter_map(|section| {
        let (title, lines) = section.split_once("]\n")?;
        (title == "dependencies" || title.ends_with(".dependencies")).then_some(lines)
    });
    let names = sections.flat_map(str::lines).filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn layers_only_point_downwards() {
    let manifests: Vec<File> =
        files("crates", "toml").into_iter().filter(|file| file.path.ends_with("/Cargo.toml")).collect();
    let folder_of = |manifest: &File| {
        manifest.path.trim_start_matches("crates/").trim_end_matches("/Cargo.toml").to_owned()
    };
    let own: Vec<String> = manifests
        .iter()
        .map(|manifest| match folder_of(manifest).split_once('/') {
            Some((lab, "model")) => lab.to_owned(),
            Some((lab, layer)) => format!("{lab}_{layer}"),
            None if manifest.path == "crates/ui/Cargo.toml" => "ui_kit".to_owned(),
            None => folder_of(manifest),
        })
        .collect();
    assert!(own.len() > 15 && own.iter().any(|name| name == "chain_lab"), "{own:?}");
    let mut findings = Vec::new();
    for manifest in &manifests {
        let folder = folder_of(manifest);
        let used = dependencies(manifest);
        assert!(folder == "base" || used.contains(&"kit") || used.contains(&"base"), "{folder}: {used:?}");
        for name in used {
            let upwards = own.iter().any(|own| own == name) && !may_use(&folder, name);
            let serialises = folder.ends_with("/model") && NOT_IN_MODELS.contains(&name);
            let browses =
                BROWSER.contains(&name) && folder != "ui" && folder != "workers" && !folder.ends_with("/ui");
            if upwards || serialises || browses {
                findings.push(manifest.at(1, format!("depends on {name}")));
            }
        }
    }
    none("a crate uses only what stands below it", findings);
}

#[test]
fn what_may_be_used() {
    for (folder, used, may) in [
        ("warps/model", "base", true),
        ("warps/model", "kit", false),
        ("warps/lab", "warps", true),
        ("warps/lab", "blocks_lab", false),
        ("chain/lab", "blocks_lab", true),
        ("blocks/ui", "blocks_lab", true),
        ("blocks/ui", "tasks_ui", false),
        ("kit", "warps", false),
        ("classroom", "tasks", false),
        ("classroom", "tasks_lab", false),
        ("classroom", "tasks_ui", false),
        ("classroom", "waves_read", false),
        ("classroom", "workers", false),
        ("labs", "waves_lab", true),
        ("labs", "waves_ui", true),
        ("labs", "waves", false),
        ("waves/lab", "waves_ui", false),
    ] {
        assert_eq!(may_use(folder, used), may, "{folder}: {used}");
    }
}

/// Files are read by the command line, tests, benches and `xtask`; nothing else knows of any.
#[test]
fn no_library_reads_files() {
    let mut findings = Vec::new();
    for file in files("crates", "rs") {
        let tests = file.text.find("#[cfg(test)]").unwrap_or(file.text.len());
        let code = file.text[..tests].lines().filter(|line| !line.trim_start().starts_with("//"));
        let measures = file.path.contains("/tests") || file.path.contains("/benches");
        if code.into_iter().any(|line| line.contains("std::fs")) && !measures {
            findings.push(file.at(1, "std::fs"));
        }
    }
    none("no crate below crates/ reads files", findings);
}
