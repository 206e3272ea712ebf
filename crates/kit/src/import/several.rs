//! Several files that are one document, as one text: a model that is split, a folder, an archive.
//!
//! Before each file stands a line with its name and its length in bytes, so that no content is mistaken for such a
//! line. A text that does not begin with one is a file of its own.

use base::Problem;
use base::people::grouped;
use base::problem::breaks;

/// The most files of one document.
pub const MOST_FILES: usize = 1_000;
/// The most characters of a file's name that are kept, those at its end.
const LONGEST_NAME: usize = 100;
const BEGIN: &str = "<?warpspan-file length=\"";

/// One text of several files, which [`parts`] takes apart again; a single file stays as it is.
pub fn joined(files: &[(String, String)]) -> String {
    if let [(_, text)] = files {
        return text.clone();
    }
    let mut all = String::with_capacity(files.iter().map(|(_, text)| text.len() + 100).sum());
    for (name, text) in files {
        let left_out = name.chars().count().saturating_sub(LONGEST_NAME);
        let shown = name.chars().skip(left_out);
        let name: String =
            shown.map(|c| if matches!(c, '"' | '<' | '>') || breaks(c) { '_' } else { c }).collect();
        all += &format!("{BEGIN}{}\" name=\"{name}\"?>\n{text}\n", text.len());
    }
    all
}

/// The files of a text, with their names; one without a name where the text is a file of its own.
pub fn parts(text: &str) -> Result<Vec<(&str, &str)>, Problem> {
    if !is_several(text) {
        return Ok(vec![("", text)]);
    }
    let (mut found, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let Some((name, content, after)) = first(rest) else {
            return Err(Problem::at("document", "several files, of which some are cut", "whole files"));
        };
        if found.len() == MOST_FILES {
            return Err(too_many());
        }
        found.push((name, content));
        rest = after;
    }
    Ok(found)
}

/// The problem of more files than are read.
pub fn too_many() -> Problem {
    let most = grouped(MOST_FILES as u128);
    Problem::at("document", format!("more than {most} files"), format!("at most {most}"))
}

/// The first file's name and content, and what comes after it; nothing where it was cut.
fn first(text: &str) -> Option<(&str, &str, &str)> {
    let (length, after) = text.strip_prefix(BEGIN)?.split_once("\" name=\"")?;
    let (name, after) = after.split_once("\"?>\n")?;
    let (content, after) = after.split_at_checked(length.parse().ok()?)?;
    Some((name, content, after.strip_prefix('\n')?))
}

/// Whether a text is several files.
pub fn is_several(text: &str) -> bool {
    text.starts_with(BEGIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(all: &[(&str, &str)]) -> Vec<(String, String)> {
        all.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn what_is_joined_comes_apart() {
        let evil = joined(&files(&[("x", "y"), ("z", "")]));
        let all = files(&[("a.amxmi", "<a/>\n"), ("b\"c.amxmi", &evil), ("é", "é")]);
        let text = joined(&all);
        let found = parts(&text).unwrap_or_default();
        assert_eq!(found, [("a.amxmi", "<a/>\n"), ("b_c.amxmi", evil.as_str()), ("é", "é")]);
        assert_eq!(joined(&files(&[("a", "text")])), "text");
        assert_eq!(parts("text"), Ok(vec![("", "text")]));
    }

    #[test]
    fn names_are_one_short_line_each() {
        let long = format!("{}/model\u{202e}\n.amxmi", "folder/".repeat(100));
        let text = joined(&files(&[(&long, "a"), ("b", "b")]));
        let found = parts(&text).unwrap_or_default();
        assert!(found[0].0.ends_with("/model__.amxmi"), "{:?}", found[0].0);
        assert_eq!(found[0].0.chars().count(), LONGEST_NAME);
    }

    #[test]
    fn there_are_so_many_files_at_the_most() {
        let text = |count| joined(&vec![("a".to_owned(), String::new()); count]);
        assert_eq!(parts(&text(MOST_FILES)).map(|found| found.len()), Ok(MOST_FILES));
        assert_eq!(parts(&text(MOST_FILES + 1)), Err(too_many()));
    }

    #[test]
    fn every_cut_is_noticed() {
        let text = joined(&files(&[("a", "one"), ("b", "two")]));
        let whole = parts(&text).map(|all| all.len());
        assert_eq!(whole, Ok(2));
        let first = text.find("\n<?").map_or(0, |at| at + 1);
        for end in (BEGIN.len()..text.len()).filter(|&end| end != first) {
            assert!(parts(&text[..end]).is_err(), "{end}");
        }
    }
}
