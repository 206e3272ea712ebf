//! Every path that prose names exists: in backticks or as a link, in documents and in `//!` comments.

use std::path::Path;

use super::{File, files, none, root, rust};

/// What a path of the project ends in, where it has no `/`.
const ENDINGS: [&str; 8] = [".rs", ".md", ".toml", ".json", ".html", ".css", ".js", ".lock"];

/// Folders that are there only after a build.
const BUILT: [&str; 2] = ["dist", "target"];

/// Whether a text in backticks looks like a path of the project.
fn looks_like_a_path(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./*".contains(c);
    let ends = ENDINGS.iter().any(|ending| text.ends_with(ending) && text.len() > ending.len());
    text.chars().all(plain)
        && text.chars().any(char::is_alphabetic)
        && !text.starts_with(['/', '-', '*'])
        && (text.contains('/') || ends)
}

/// Whether a path is there, seen from the root or from the folder of the file that names it. A name alone
/// may be that of any file: `mod.rs`.
fn exists(path: &str, from: &File) -> bool {
    let path = path.trim_end_matches('/');
    if path.split('/').next().is_some_and(|first| BUILT.contains(&first)) {
        return true;
    }
    let until_star = path.split('*').next().unwrap_or_default();
    let plain =
        if until_star == path { path } else { until_star.rsplit_once('/').map_or("", |(dir, _)| dir) };
    let folder = Path::new(&from.path).parent().unwrap_or(Path::new(""));
    let anywhere = || rust().iter().any(|file| file.path.ends_with(&format!("/{path}")));
    root().join(plain).exists()
        || root().join(folder).join(plain).exists()
        || !path.contains('/') && anywhere()
}

/// Whether a text in backticks such as `scenario::link` names what its folder declares, a module or a function;
/// other texts with `::` are left alone.
fn is_there_if_in_a_folder(text: &str) -> bool {
    let plain = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c == '_') && !word.is_empty();
    let Some((folder, name)) = text.split_once("::").filter(|(folder, name)| plain(folder) && plain(name))
    else {
        return true;
    };
    let within = format!("/{folder}/");
    let sources: Vec<File> = ["crates", "src"]
        .iter()
        .flat_map(|folder| files(folder, "rs"))
        .filter(|file| file.path.contains(&within))
        .collect();
    let declares =
        |file: &File| ["fn", "mod"].iter().any(|word| file.text.contains(&format!("{word} {name}")));
    sources.is_empty() || sources.iter().any(declares)
}

/// Texts in backticks of a line.
fn in_backticks(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Targets of Markdown links in a line, without their anchors; addresses elsewhere left out.
fn linked(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
        .filter(|target| !target.contains(':') && !target.starts_with('#'))
        .map(|target| target.split_once('#').map_or(target, |(path, _)| path))
}

/// Documents for people.
fn documents() -> Vec<File> {
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs"]
        .iter()
        .flat_map(|path| files(path, "md"))
        .collect()
}

#[test]
fn paths_in_documents_exist() {
    let documents = documents();
    assert!(documents.len() >= 5, "documents were found");
    let mut findings = Vec::new();
    for file in documents {
        let mut fenced = false;
        for (number, line) in file.lines() {
            if line.trim_start().starts_with("```") {
                fenced = !fenced;
            } else if !fenced {
                let paths = in_backticks(line).filter(|text| looks_like_a_path(text)).chain(linked(line));
                let missing = paths.filter(|path| !exists(path, &file));
                findings.extend(missing.map(|path| file.at(number, format!("`{path}` is not there"))));
            }
        }
        assert!(!fenced, "{}: a fence is not closed", file.path);
    }
    none("a path named in a document exists", findings);
}

#[test]
fn paths_in_comments_exist() {
    let mut findings = Vec::new();
    for file in rust().into_iter().filter(|file| !file.path.starts_with("xtask/")) {
        for (number, line) in file.lines() {
            let line = line.trim_start();
            let Some(comment) = line.strip_prefix("//!").or_else(|| line.strip_prefix("///")) else {
                continue;
            };
            let missing = in_backticks(comment).filter(|text| {
                looks_like_a_path(text) && !exists(text, &file) || !is_there_if_in_a_folder(text)
            });
            findings.extend(missing.map(|text| file.at(number, format!("`{text}` is not there"))));
        }
    }
    none("a path or module named in a comment exists", findings);
}

/// A page that links a heading links one that is there.
#[test]
fn headings_that_are_linked_exist() {
    let anchor = |heading: &str| -> String {
        let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    let documents = documents();
    let has = |path: &Path, wanted: &str| {
        let file = documents.iter().find(|file| root().join(&file.path) == *path);
        file.is_none_or(|file| {
            let headings = file.text.lines().filter(|line| line.starts_with('#'));
            headings.map(|line| anchor(line.trim_start_matches('#'))).any(|found| found == wanted)
        })
    };
    let mut findings = Vec::new();
    for file in &documents {
        let own = root().join(&file.path);
        for (number, line) in file.lines() {
            for target in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let Some((path, wanted)) = target.split_once('#').filter(|_| !target.contains(':')) else {
                    continue;
                };
                let page = if path.is_empty() { own.clone() } else { own.with_file_name("").join(path) };
                if !has(&page, wanted) {
                    findings.push(file.at(number, format!("no heading #{wanted} in {}", page.display())));
                }
            }
        }
    }
    none("a heading that is linked exists", findings);
}

#[test]
fn what_looks_like_a_path() {
    for path in ["src/lib.rs", "docs/", "Cargo.toml", "www/scenarios/*.json", "tests/e2e"] {
        assert!(looks_like_a_path(path), "{path}");
    }
    for other in ["LCL", "1 / 2", "https://example.org/", "/dev/null", ".rs", "scenario::link", "--to"] {
        assert!(!looks_like_a_path(other), "{other}");
    }
}
