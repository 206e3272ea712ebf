//! Several files that are one document, as one text: a model that is split, a folder, an archive.
//!
//! Before each file stands a line with its name and its length in bytes, so that no content is mistaken for such a
//! line. A text that does not begin with one is a file of its own.

const BEGIN: &str = "<?warpspan-file length=\"";

/// One text of several files, which [`parts`] takes apart again; a single file stays as it is.
pub fn joined(files: &[(String, String)]) -> String {
    if let [(_, text)] = files {
        return text.clone();
    }
    let mut all = String::with_capacity(files.iter().map(|(_, text)| text.len() + 100).sum());
    for (name, text) in files {
        let name: String = name
            .chars()
            .map(|c| if matches!(c, '"' | '<' | '>') || c.is_control() { '_' } else { c })
            .collect();
        all += &format!("{BEGIN}{}\" name=\"{name}\"?>\n{text}\n", text.len());
    }
    all
}

/// The files of a text, with their names; one without a name where the text is a file of its own, nothing where it
/// was cut.
pub fn parts(text: &str) -> Option<Vec<(&str, &str)>> {
    if !text.starts_with(BEGIN) {
        return Some(vec![("", text)]);
    }
    let (mut found, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let (length, after) = rest.strip_prefix(BEGIN)?.split_once("\" name=\"")?;
        let (name, after) = after.split_once("\"?>\n")?;
        let (content, after) = after.split_at_checked(length.parse().ok()?)?;
        found.push((name, content));
        rest = after.strip_prefix('\n')?;
    }
    Some(found)
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
        assert_eq!(parts("text"), Some(vec![("", "text")]));
    }

    #[test]
    fn every_cut_is_noticed() {
        let text = joined(&files(&[("a", "one"), ("b", "two")]));
        let whole = parts(&text).map(|all| all.len());
        assert_eq!(whole, Some(2));
        let first = text.find("\n<?").map_or(0, |at| at + 1);
        for end in (BEGIN.len()..text.len()).filter(|&end| end != first) {
            assert_eq!(parts(&text[..end]), None, "{end}");
        }
    }
}
