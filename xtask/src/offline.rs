//! Completes the service worker of a built page: the build id, and every file with its checksum.
//!
//! trunk copies the worker as it stands in `www/`; it is no use then, and takes itself away in the browser. Completed,
//! it carries the id that the page's programs carry, and keeps exactly the files of the page.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use crate::{Failure, build_id};

/// The worker, in `www/` and in the page.
pub(crate) const WORKER: &str = "service-worker.js";
/// The lines that are filled in.
const BUILD: &str = "const BUILD = \"\";\n";
const FILES: &str = "const FILES = {};\n";
/// The start page has no name in addresses.
const START: [&str; 2] = ["index.html", "./"];

/// Writes the completed worker into the page; the sources are those that the page was built from.
pub(crate) fn complete(root: &Path, dist: &Path) -> Result<(), Failure> {
    let build = build_id::of(root);
    let template = root.join("www").join(WORKER);
    let text = fs::read_to_string(&template).map_err(Failure::file("read", &template))?;
    let mut files = files(dist)?;
    files.remove(WORKER);
    if !programs(&files).any(|wasm| carries(wasm, &build)) {
        return Err(Failure::person(
            format!("no program in {} is of build {build}", dist.display()),
            "build again: the sources have changed meanwhile",
        ));
    }
    let sums = files.iter().map(|(name, bytes)| (name.as_str(), sum(bytes)));
    let text = filled(&text, &build, sums).ok_or_else(|| {
        Failure::person(
            format!("{} has no place for the build or its files", template.display()),
            "restore its lines `const BUILD` and `const FILES`",
        )
    })?;
    let path = dist.join(WORKER);
    fs::write(&path, text).map_err(Failure::file("write", &path))
}

/// The files of a folder and of those in it, by their names from there.
pub(crate) fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(Failure::file("read", folder))? {
        let path = entry.map_err(Failure::file("read", folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !path.is_dir() {
            let bytes = fs::read(&path).map_err(Failure::file("read", &path))?;
            found.insert(name, bytes);
        } else if !name.starts_with('.') {
            // A hidden one is what trunk has left.
            let inside = files(&path)?.into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes));
            found.extend(inside);
        }
    }
    Ok(found)
}

fn programs(files: &BTreeMap<String, Vec<u8>>) -> impl Iterator<Item = &[u8]> {
    files.iter().filter(|(name, _)| name.ends_with(".wasm")).map(|(_, bytes)| bytes.as_slice())
}

fn carries(wasm: &[u8], build: &str) -> bool {
    wasm.windows(build.len()).any(|bytes| bytes == build.as_bytes())
}

/// What a browser compares a file with.
fn sum(bytes: &[u8]) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(bytes)))
}

/// The worker's text with its lines filled in; none if they are not in it, each once.
fn filled<'a>(text: &str, build: &str, sums: impl Iterator<Item = (&'a str, String)>) -> Option<String> {
    let address = |name: &'a str| if name == START[0] { START[1] } else { name };
    let lines: Vec<String> = sums.map(|(name, sum)| format!("  {:?}: {sum:?},\n", address(name))).collect();
    let once = |line: &str| text.matches(line).count() == 1;
    (once(BUILD) && once(FILES)).then(|| {
        text.replace(BUILD, &format!("const BUILD = {build:?};\n"))
            .replace(FILES, &format!("const FILES = {{\n{}}};\n", lines.concat()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::tests::{Folder, PAGE};

    const TEMPLATE: &str = include_str!("../../www/service-worker.js");

    /// Sources with the real worker, and a page whose program carries the id of these sources.
    fn built(name: &str) -> (Folder, String) {
        let folder = Folder::new(name, PAGE);
        folder.write("www/service-worker.js", TEMPLATE.as_bytes());
        let build = build_id::of(&folder.path);
        folder.write("dist/app-1f_bg.wasm", format!("\0asm data {build} more").as_bytes());
        folder.write("dist/service-worker.js", TEMPLATE.as_bytes());
        (folder, build)
    }

    #[test]
    fn the_worker_carries_the_programs_id_and_every_file() {
        let (folder, build) = built("complete");
        complete(&folder.path, &folder.path.join("dist")).expect("completed");
        let text = folder.read("dist/service-worker.js");
        assert!(text.contains(&format!("const BUILD = \"{build}\";\n")), "{text}");
        for line in [
            "  \"./\": \"sha256-",
            "  \"app-1f.js\": \"sha256-",
            "  \"app-1f_bg.wasm\": \"sha256-",
            "  \"scenarios/one.json\": \"sha256-",
            // printf 'body {}' | openssl dgst -sha256 -binary | base64
            "  \"style.css\": \"sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=\",\n",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
        for absent in ["index.html\":", "service-worker.js\":"] {
            assert!(!text.contains(absent), "{absent} in {text}");
        }
    }

    #[test]
    fn a_second_time_changes_nothing() {
        let (folder, _) = built("again");
        let dist = folder.path.join("dist");
        complete(&folder.path, &dist).expect("completed");
        let first = folder.read("dist/service-worker.js");
        complete(&folder.path, &dist).expect("completed again");
        assert_eq!(folder.read("dist/service-worker.js"), first);
    }

    #[test]
    fn sources_that_have_changed_since_are_noticed() {
        let (folder, build) = built("changed");
        folder.write("www/style.css", b"body { color: red }");
        assert_ne!(build_id::of(&folder.path), build);
        let failure = complete(&folder.path, &folder.path.join("dist")).expect_err("another build");
        assert!(failure.to_string().contains("build again"), "{failure}");
    }

    #[test]
    fn a_worker_without_the_lines_is_refused() {
        for text in
            ["", "const BUILD = \"\";\n", "const BUILD = \"\";\nconst FILES = {};\nconst FILES = {};\n"]
        {
            assert_eq!(filled(text, "1f", std::iter::empty()), None, "{text}");
        }
        assert!(filled(TEMPLATE, "1f", std::iter::empty()).is_some());
    }
}
