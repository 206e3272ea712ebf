//! Completes the service worker of a built page: the build id, and every file with its checksum.
//!
//! trunk copies the worker as it stands in `www/`; it is no use then, and takes itself away in the browser. Completed,
//! it carries the id that the page's programs were stamped with, and keeps exactly the files of the page.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use crate::Failure;

/// The worker, in `www/` and in the page.
pub(crate) const WORKER: &str = "service-worker.js";
/// The lines that are filled in.
const BUILD: &str = "const BUILD = \"\";\n";
const FILES: &str = "const FILES = {};\n";
/// The start page has no name in addresses.
const START: [&str; 2] = ["index.html", "./"];

/// Writes the completed worker into the page, whose programs carry this id; `root` has the worker as it was written.
pub(crate) fn complete(root: &Path, dist: &Path, build: &str) -> Result<(), Failure> {
    let template = root.join("www").join(WORKER);
    let text = fs::read_to_string(&template).map_err(Failure::file("read", &template))?;
    let mut files = files(dist)?;
    files.remove(WORKER);
    let sums = files.iter().map(|(name, bytes)| (name.as_str(), sum(bytes)));
    let text = filled(&text, build, sums).ok_or_else(|| {
        Failure::person(
            format!("{} has no place for the build or its files", template.display()),
            "restore its lines `const BUILD` and `const FILES`",
        )
    })?;
    let path = dist.join(WORKER);
    fs::write(&path, text).map_err(Failure::file("write", &path))
}

/// The id of a page whose worker is complete already.
pub(crate) fn build_of(files: &BTreeMap<String, Vec<u8>>) -> Option<String> {
    let text = String::from_utf8_lossy(files.get(WORKER)?).into_owned();
    let (_, rest) = text.split_once("const BUILD = \"")?;
    rest.split_once('"').map(|(id, _)| id.to_owned()).filter(|id| !id.is_empty())
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

    const BUILD: &str = "0123456789abcdef";

    /// Sources with the real worker, and a page of them.
    fn built(name: &str) -> Folder {
        let folder = Folder::new(name, PAGE);
        folder.write("www/service-worker.js", TEMPLATE.as_bytes());
        folder.write("dist/service-worker.js", TEMPLATE.as_bytes());
        folder
    }

    #[test]
    fn the_worker_carries_the_programs_id_and_every_file() {
        let folder = built("complete");
        let dist = folder.path.join("dist");
        assert_eq!(build_of(&files(&dist).expect("files")), None, "as it was written");
        complete(&folder.path, &dist, BUILD).expect("completed");
        let text = folder.read("dist/service-worker.js");
        assert!(text.contains(&format!("const BUILD = \"{BUILD}\";\n")), "{text}");
        assert_eq!(build_of(&files(&dist).expect("files")).as_deref(), Some(BUILD));
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
        let folder = built("again");
        let dist = folder.path.join("dist");
        complete(&folder.path, &dist, BUILD).expect("completed");
        let first = folder.read("dist/service-worker.js");
        complete(&folder.path, &dist, BUILD).expect("completed again");
        assert_eq!(folder.read("dist/service-worker.js"), first);
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
