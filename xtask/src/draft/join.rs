//! Puts built halves together into the folder that is served, file by file, so that it is a page all the while.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::{Failure, offline};

/// The file by which open pages notice that there is another build: `halves.rs` has the script.
const BUILT: &str = "built.txt";
/// The page itself comes last: it names the others.
const PAGE: &str = "index.html";

/// What becomes of files that none of the halves has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Older {
    Stay,
    Go,
}

/// What joining has done to the files that were there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// None of them is another one now.
    Added,
    /// Some are others, or are gone.
    Replaced,
}

/// Puts the files of some folders into one; where several have a file, that of the last one counts.
pub(super) fn join(halves: &[&Path], page: &Path, older: Older) -> Result<Outcome, Failure> {
    let mut files = BTreeMap::new();
    for half in halves {
        files.extend(offline::files(half)?);
    }
    let before = offline::files(page)?;
    let mut outcome = Outcome::Added;
    let last = files.remove_entry(PAGE);
    for (name, bytes) in files.iter().chain(last.iter().map(|(name, bytes)| (name, bytes))) {
        let old = before.get(name);
        if old != Some(bytes) {
            write(&page.join(name), bytes)?;
        }
        if old.is_some_and(|old| old != bytes) {
            outcome = Outcome::Replaced;
        }
    }
    let is_gone = |name: &&String| !files.contains_key(*name) && *name != PAGE && *name != BUILT;
    if older == Older::Go {
        for name in before.keys().filter(is_gone) {
            let path = page.join(name);
            fs::remove_file(&path).map_err(Failure::file("remove", &path))?;
            outcome = Outcome::Replaced;
        }
    }
    Ok(outcome)
}

/// Has open pages load themselves anew, if something that they may have is not there any more.
pub(super) fn announce(page: &Path, outcome: Outcome) -> Result<(), Failure> {
    if outcome == Outcome::Added && page.join(BUILT).is_file() {
        return Ok(());
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    write(&page.join(BUILT), now.as_nanos().to_string().as_bytes())
}

/// Whoever reads the file meanwhile gets all of the old one or all of the new one.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Failure::file("make the folder", folder))?;
    }
    let fresh = path.with_extension("fresh");
    fs::write(&fresh, bytes).map_err(Failure::file("write", &fresh))?;
    fs::rename(&fresh, path).map_err(Failure::file("move into place", &fresh))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bundle::tests::Folder;

    const HALVES: &[(&str, &str)] = &[
        ("programs/index.html", "programs"),
        ("programs/app-1f_bg.wasm", "one"),
        ("rest/index.html", "page"),
        ("rest/scenarios/one.json", "{}"),
    ];

    fn joined(folder: &Folder, older: Older) -> Outcome {
        let halves = [folder.path.join("programs"), folder.path.join("rest")];
        let page = folder.path.join("page");
        fs::create_dir_all(&page).expect("a temporary folder");
        join(&[&halves[0], &halves[1]], &page, older).expect("joined")
    }

    #[test]
    fn the_last_half_counts_and_nothing_is_replaced_at_first() {
        let folder = Folder::new("join-first", HALVES);
        assert_eq!(joined(&folder, Older::Go), Outcome::Added);
        assert_eq!(folder.read("page/index.html"), "page");
        assert_eq!(folder.read("page/app-1f_bg.wasm"), "one");
        assert_eq!(folder.read("page/scenarios/one.json"), "{}");
        assert_eq!(joined(&folder, Older::Go), Outcome::Added, "the same again");
    }

    #[test]
    fn what_is_replaced_or_gone_is_told() {
        let folder = Folder::new("join-again", HALVES);
        joined(&folder, Older::Go);
        folder.write("rest/index.html", b"other");
        assert_eq!(joined(&folder, Older::Stay), Outcome::Replaced);
        folder.write("page/app-0e_bg.wasm", b"older");
        assert_eq!(joined(&folder, Older::Stay), Outcome::Added);
        assert_eq!(folder.read("page/app-0e_bg.wasm"), "older");
        let page = folder.path.join("page");
        announce(&page, Outcome::Added).expect("told for the first time");
        let first = folder.read("page/built.txt");
        announce(&page, Outcome::Added).expect("nothing to tell");
        assert_eq!(folder.read("page/built.txt"), first);
        announce(&page, Outcome::Replaced).expect("told");
        let told = folder.read("page/built.txt");
        assert_ne!(told, first);
        assert_eq!(joined(&folder, Older::Go), Outcome::Replaced);
        assert!(!folder.path.join("page/app-0e_bg.wasm").exists());
        assert_eq!(folder.read("page/built.txt"), told);
    }
}
