//! Gives a built page its id: one hash over everything in it, written over the mark that its programs were linked with.
//!
//! The programs ask for it by `base::stamp::build()`. As it comes after linking, no change of a file that is not Rust
//! compiles anything; as it is made of what was built, equal pages have equal ids, wherever they were built.
//!
//! Invariant: every file that differs between two builds has another address. A program's name with trunk's hash in it
//! is kept for ever by browsers, and that hash knows nothing of the id: so the id takes its place.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::{Failure, offline};

/// What programs are linked with, as long as an id: `crates/base/src/stamp.rs`.
const MARK: &[u8; 16] = b"unstamped-build!";
/// What the names of programs end with.
const PROGRAM: &str = "_bg.wasm";
/// Programs that are given everything by the page and ask for nothing: the linker leaves the mark out of them.
const NEVER_ASK: [&str; 1] = ["labs"];
/// The page, which names the program it begins with.
const PAGE: &str = "index.html";

/// Stamps the programs of a page that trunk has just built; the id. A page that has one keeps it.
pub(crate) fn stamp(dist: &Path) -> Result<String, Failure> {
    let files = offline::files(dist)?;
    if let Some(id) = offline::build_of(&files) {
        return kept(&files, id);
    }
    let id = id_of(&files);
    for (name, bytes) in programs(&files) {
        let path = dist.join(name);
        let (stamped, marks) = over(bytes, MARK, id.as_bytes());
        if marks == 0 && asks(name) {
            return Err(again(&format!("{} has no mark to write the build's id over", path.display())));
        }
        fs::write(&path, stamped).map_err(Failure::file("write", &path))?;
    }
    for stem in programs(&files).filter_map(|(name, _)| name.strip_suffix(PROGRAM)) {
        rename(dist, stem, &id)?;
    }
    Ok(id)
}

/// The id of a page that was completed before, if its programs are of it.
fn kept(files: &BTreeMap<String, Vec<u8>>, id: String) -> Result<String, Failure> {
    let fits = |(name, bytes): (&String, &Vec<u8>)| {
        count(bytes, MARK) == 0 && (!asks(name) || count(bytes, id.as_bytes()) > 0)
    };
    match programs(files).find(|&program| !fits(program)) {
        Some((name, _)) => Err(again(&format!("{name} is not of build {id}, as the rest of the page is"))),
        None => Ok(id),
    }
}

fn again(what: &str) -> Failure {
    Failure::person(
        what,
        "build the page again; if that does not help, see what `NEVER_ASK` in xtask/src/stamp.rs says",
    )
}

/// Every program, by the name of its file.
fn programs(files: &BTreeMap<String, Vec<u8>>) -> impl Iterator<Item = (&String, &Vec<u8>)> {
    files.iter().filter(|(name, _)| name.ends_with(".wasm"))
}

/// Whether a program has to know which build it is of.
fn asks(name: &str) -> bool {
    let program = name.strip_suffix(PROGRAM).unwrap_or(name);
    !NEVER_ASK.contains(&program)
}

/// 16 hexadecimal digits that change with every name and every byte.
fn id_of(files: &BTreeMap<String, Vec<u8>>) -> String {
    let mut hash = Sha256::new();
    for (name, bytes) in files {
        for part in [name.as_bytes(), bytes] {
            // With its length, so that nothing can move from one part to the next.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    hash.finalize().iter().take(MARK.len() / 2).map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes with one text written over each occurrence of another that is as long; and how many there were.
fn over(bytes: &[u8], old: &[u8], new: &[u8]) -> (Vec<u8>, usize) {
    let mut written = bytes.to_vec();
    let mut found = 0;
    let mut at = 0;
    while let Some(next) = written[at..].windows(old.len()).position(|window| window == old) {
        at += next;
        written[at..at + old.len()].copy_from_slice(new);
        at += old.len();
        found += 1;
    }
    (written, found)
}

fn count(bytes: &[u8], text: &[u8]) -> usize {
    bytes.windows(text.len()).filter(|window| *window == text).count()
}

/// Has a program and its script carry the id in their names where they carry trunk's hash, and the page name them so.
fn rename(dist: &Path, stem: &str, id: &str) -> Result<(), Failure> {
    let is_hash = |text: &str| text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let Some((name, _)) = stem.rsplit_once('-').filter(|(_, hash)| is_hash(hash)) else { return Ok(()) };
    let new = format!("{name}-{id}");
    for end in [".js", PROGRAM] {
        let path = dist.join(format!("{stem}{end}"));
        fs::rename(&path, dist.join(format!("{new}{end}"))).map_err(Failure::file("rename", &path))?;
    }
    let page = dist.join(PAGE);
    let text = fs::read_to_string(&page).map_err(Failure::file("read", &page))?;
    fs::write(&page, text.replace(stem, &new)).map_err(Failure::file("write", &page))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::tests::Folder;

    const PAGE: &[(&str, &str)] = &[
        (
            "dist/index.html",
            "<script>start('./app-0a1b2c3d4e5f6a7b.js', './app-0a1b2c3d4e5f6a7b_bg.wasm')</script>",
        ),
        ("dist/app-0a1b2c3d4e5f6a7b.js", "start()"),
        ("dist/app-0a1b2c3d4e5f6a7b_bg.wasm", "\0asm unstamped-build!, and unstamped-build!unstamped-build!"),
        ("dist/worker.js", "search()"),
        ("dist/worker_bg.wasm", "\0asm unstamped-build!"),
        ("dist/labs_bg.wasm", "\0asm shader"),
        ("dist/style.css", "body {}"),
        ("dist/service-worker.js", "const BUILD = \"\";\nconst FILES = {};\n"),
    ];

    /// A page as trunk leaves it, with some files in another form.
    fn built(name: &str, other: &[(&str, &str)]) -> (Folder, std::path::PathBuf) {
        let folder = Folder::new(&format!("stamp-{name}"), PAGE);
        other.iter().for_each(|(name, text)| folder.write(name, text.as_bytes()));
        let dist = folder.path.join("dist");
        (folder, dist)
    }

    #[test]
    fn every_mark_is_written_over() {
        let (folder, dist) = built("all", &[]);
        let id = stamp(&dist).expect("stamped");
        assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        let program = folder.read(&format!("dist/app-{id}_bg.wasm"));
        assert_eq!(program, format!("\0asm {id}, and {id}{id}"));
        assert_eq!(folder.read("dist/worker_bg.wasm"), format!("\0asm {id}"));
        assert_eq!(folder.read("dist/labs_bg.wasm"), "\0asm shader");
    }

    #[test]
    fn what_browsers_keep_for_ever_has_the_id_in_its_name() {
        let (folder, dist) = built("names", &[]);
        let id = stamp(&dist).expect("stamped");
        let page = folder.read("dist/index.html");
        assert_eq!(page, format!("<script>start('./app-{id}.js', './app-{id}_bg.wasm')</script>"));
        assert_eq!(folder.read(&format!("dist/app-{id}.js")), "start()");
        let names: Vec<String> = offline::files(&dist).expect("files").into_keys().collect();
        assert!(names.contains(&"worker_bg.wasm".to_owned()), "{names:?}");
        assert!(!names.iter().any(|name| name.contains("0a1b2c3d")), "{names:?}");
    }

    #[test]
    fn equal_pages_have_equal_ids_and_others_have_others() {
        let id = |name: &str, other: &[(&str, &str)]| stamp(&built(name, other).1).expect("stamped");
        let first = id("first", &[]);
        assert_eq!(id("same", &[]), first);
        for (name, text) in [
            ("dist/style.css", "body { color: red }"),
            ("dist/another.css", ""),
            ("dist/worker_bg.wasm", "\0asm unstamped-build! more"),
        ] {
            assert_ne!(id("other", &[(name, text)]), first, "{name}");
        }
    }

    #[test]
    fn a_page_that_has_an_id_keeps_it() {
        let (folder, dist) = built("kept", &[]);
        let id = stamp(&dist).expect("stamped");
        folder.write("dist/service-worker.js", format!("const BUILD = \"{id}\";\n").as_bytes());
        let before = offline::files(&dist).expect("files");
        assert_eq!(stamp(&dist).expect("stamped before"), id);
        assert_eq!(offline::files(&dist).expect("files"), before);
        folder.write("dist/worker_bg.wasm", b"\0asm unstamped-build!");
        let failure = stamp(&dist).expect_err("a program of another build");
        assert!(failure.to_string().contains("worker_bg.wasm is not of build"), "{failure}");
    }

    #[test]
    fn a_program_that_asks_must_have_a_mark() {
        let (_folder, dist) = built("none", &[("dist/worker_bg.wasm", "\0asm")]);
        let failure = stamp(&dist).expect_err("no mark");
        assert!(failure.to_string().contains("worker_bg.wasm has no mark"), "{failure}");
    }

    #[test]
    fn the_mark_is_that_of_the_programs() {
        let source = include_str!("../../crates/base/src/stamp.rs");
        let mark = String::from_utf8_lossy(MARK);
        assert!(source.contains(&format!("static MARK: &str = \"{mark}\";")), "{source}");
    }
}
