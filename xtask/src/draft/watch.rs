//! Waits for changes of the sources, and tells what they touch: the programs, or only the rest of the page.
//!
//! It looks at the times of files, some times a second; that is the same on every system, and takes milliseconds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// What a page is built from, seen from the root of the project.
const SOURCES: [&str; 8] =
    ["crates", "src", "www", ".cargo/config.toml", "Cargo.toml", "Cargo.lock", "Trunk.toml", "index.html"];
/// What has no program in it, as far as cargo does not say otherwise.
const REST: [&str; 2] = ["www", "index.html"];
const AGAIN: Duration = Duration::from_millis(300);
/// Names are told up to so many.
const TOLD: usize = 5;

/// What a change touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touched {
    Programs,
    Rest,
}

/// Files that have changed since the last look.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) touched: Touched,
    names: Vec<String>,
}

impl Changed {
    /// Their names, if they are few.
    pub(super) fn names(&self) -> String {
        let more = self.names.len().saturating_sub(TOLD);
        let told = self.names.iter().take(TOLD).cloned().collect::<Vec<_>>().join(", ");
        if more == 0 { told } else { format!("{told} and {more} more") }
    }
}

/// When each file was changed, and how long it is.
type Seen = BTreeMap<PathBuf, (SystemTime, u64)>;

/// The sources as they were seen last.
pub(super) struct Watch {
    root: PathBuf,
    seen: Seen,
    /// The lines of `index.html` about programs.
    programs: String,
}

impl Watch {
    /// Changes count from now on.
    pub(super) fn begin(root: &Path) -> Self {
        Self { root: root.to_owned(), seen: look(root), programs: programs(root) }
    }

    /// Waits until something has changed and stays as it is for a moment; `compiled` is where cargo lists the files
    /// that the programs are made of.
    pub(super) fn next(&mut self, compiled: &Path) -> Changed {
        let mut now = look(&self.root);
        loop {
            thread::sleep(AGAIN);
            let then = look(&self.root);
            // Editors write a file in several steps, and tools many files.
            if now == then && now != self.seen {
                return self.changed(now, compiled);
            }
            now = then;
        }
    }

    fn changed(&mut self, now: Seen, compiled: &Path) -> Changed {
        let differs = |path: &&PathBuf| now.get(*path) != self.seen.get(*path);
        let mut paths: Vec<PathBuf> = now.keys().filter(differs).cloned().collect();
        paths.extend(self.seen.keys().filter(|path| !now.contains_key(*path)).cloned());
        let lists = lists(compiled);
        let programs = programs(&self.root);
        let links = programs != self.programs;
        let touches = |path: &PathBuf| is_compiled(&self.root, path, &lists);
        let touched = if links || paths.iter().any(touches) { Touched::Programs } else { Touched::Rest };
        let name = |path: &PathBuf| path.strip_prefix(&self.root).unwrap_or(path).display().to_string();
        let names = paths.iter().map(name).collect();
        (self.seen, self.programs) = (now, programs);
        Changed { touched, names }
    }
}

/// Whether programs are made of a file: Rust and its settings are, and whatever else cargo lists.
fn is_compiled(root: &Path, path: &Path, lists: &str) -> bool {
    let inside = path.strip_prefix(root).unwrap_or(path);
    !REST.iter().any(|rest| inside.starts_with(rest)) || listed(lists).any(|listed| plain(&listed) == path)
}

/// A path without its steps back: sources name the files they include from where they lie themselves.
fn plain(path: &str) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// The names in such lists: spaces stand between them, and one within a name has a backslash before it.
fn listed(lists: &str) -> impl Iterator<Item = String> {
    let names = lists.replace("\\ ", "\0");
    names.split_whitespace().map(|name| name.replace('\0', " ")).collect::<Vec<_>>().into_iter()
}

/// What cargo has written about each program: the files that it was compiled from.
fn lists(compiled: &Path) -> String {
    let entries = fs::read_dir(compiled).into_iter().flatten().flatten().map(|entry| entry.path());
    let lists = entries.filter(|path| path.extension().is_some_and(|end| end == "d"));
    lists.filter_map(|path| fs::read_to_string(path).ok()).collect::<Vec<_>>().join("\n")
}

fn programs(root: &Path) -> String {
    let page = fs::read_to_string(root.join("index.html")).unwrap_or_default();
    super::halves::programs(&page)
}

fn look(root: &Path) -> Seen {
    let mut seen = Seen::new();
    SOURCES.iter().for_each(|part| collect(&root.join(part), &mut seen));
    seen
}

/// A file that goes away meanwhile is gone with the next look.
fn collect(path: &Path, seen: &mut Seen) {
    let Ok(about) = fs::metadata(path) else { return };
    if about.is_dir() {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.for_each(|entry| collect(&entry.path(), seen));
    } else if let Ok(time) = about.modified() {
        seen.insert(path.to_owned(), (time, about.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::tests::Folder;

    const PAGE: &str = "<link data-trunk rel=\"rust\" data-bin=\"app\">\n<p>page";

    /// A project whose one program was compiled from a source and a style sheet.
    fn project(name: &str) -> Folder {
        let files =
            [("index.html", PAGE), ("src/lib.rs", ""), ("www/style.css", ""), ("www/part of.css", "")];
        let folder = Folder::new(&format!("watch-{name}"), &files);
        let root = folder.path.display();
        let list =
            format!("{root}/target/app.wasm: {root}/src/lib.rs {root}/src/page/../../www/part\\ of.css\n");
        folder.write("target/app.d", list.as_bytes());
        folder
    }

    fn touched(watch: &mut Watch, folder: &Folder) -> (Touched, String) {
        let now = look(&folder.path);
        assert_ne!(now, watch.seen, "something has changed");
        let changed = watch.changed(now, &folder.path.join("target"));
        (changed.touched, changed.names())
    }

    #[test]
    fn only_what_is_compiled_touches_the_programs() {
        let folder = project("touched");
        let mut watch = Watch::begin(&folder.path);
        for (name, text, expected) in [
            ("www/style.css", "body {}", Touched::Rest),
            ("www/part of.css", "body {}", Touched::Programs),
            ("src/lib.rs", "//! Text.", Touched::Programs),
            ("src/new.rs", "//! Text.", Touched::Programs),
            ("www/scenarios/new.json", "{}", Touched::Rest),
            ("index.html", "<link data-trunk rel=\"rust\" data-bin=\"app\">\n<p>other", Touched::Rest),
            (
                "index.html",
                "<link data-trunk rel=\"rust\" data-bin=\"another\">\n<p>other",
                Touched::Programs,
            ),
        ] {
            folder.write(name, text.as_bytes());
            assert_eq!(touched(&mut watch, &folder), (expected, name.to_owned()));
        }
        fs::remove_file(folder.path.join("src/new.rs")).expect("it is there");
        assert_eq!(touched(&mut watch, &folder), (Touched::Programs, "src/new.rs".to_owned()));
    }

    #[test]
    fn many_names_are_counted() {
        let names = (1..=7).map(|number| format!("{number}.rs")).collect();
        let changed = Changed { touched: Touched::Programs, names };
        assert_eq!(changed.names(), "1.rs, 2.rs, 3.rs, 4.rs, 5.rs and 2 more");
    }
}
