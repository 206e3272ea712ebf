//! From a problem to where it is mended: what is said on the picture that waits for it, the field it is about, and the
//! line of a text.

use base::Problem;

use super::edit;

/// So many problems are told in a row.
const TOLD: usize = 3;

/// The first of the problems in sentences, each after what its place is called, and how many more there are.
pub fn said(problems: &[Problem], called: impl Fn(&str) -> String) -> String {
    let mut said = String::new();
    for problem in problems.iter().take(TOLD) {
        let place = called(&problem.place);
        for part in [
            if said.is_empty() { "" } else { " " },
            &place,
            ": ",
            &problem.what,
            ". Expected ",
            &problem.expected,
            ".",
        ] {
            said.push_str(part);
        }
    }
    if let Some(more) = problems.len().checked_sub(TOLD).filter(|&more| more > 0) {
        said.push_str(" And ");
        said.push_str(&more.to_string());
        said.push_str(" more, beneath the form.");
    }
    said
}

/// What a place is the inside of, innermost first, each as the ids of fields end: `warps-machine-L`, then
/// `warps-machine`, then `warps`.
pub fn fields(place: &str) -> Vec<String> {
    let (path, _) = apart(place);
    let path = path.replace("].", "-").replace(['.', '['], "-").replace(']', "");
    let ends = path.match_indices('-').map(|(at, _)| at).chain([path.len()]);
    let mut all: Vec<String> = ends.filter_map(|end| path.get(..end)).map(str::to_owned).collect();
    all.reverse();
    all.retain(|id| !id.is_empty());
    all
}

/// The line, from 0, of the text at a path that a problem's place names: `warps.ptx line 3 column 5`.
pub fn line_in(place: &str, path: &str) -> Option<usize> {
    let (own, line) = apart(place);
    (own == path).then_some(line)?
}

/// The path of a place, and the line within the text there, from 0.
pub fn apart(place: &str) -> (&str, Option<usize>) {
    let Some((path, rest)) = place.split_once("line ") else { return (place, None) };
    let path = path.trim_end();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest.get(..digits).and_then(|digits| digits.parse::<usize>().ok());
    (path.strip_suffix(':').unwrap_or(path), number.and_then(|number| number.checked_sub(1)))
}

/// A line of a text that something is said about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Which one, from 0.
    pub line: usize,
    /// What is said about it.
    pub said: String,
}

/// The lines of a document's text that its problems are about.
pub fn marks(text: &str, problems: &[Problem]) -> Vec<Mark> {
    let mark = |problem: &Problem| {
        let (line, ..) = edit::line_of(text, &problem.place)?;
        Some(Mark { line, said: sentence(problem) })
    };
    merged(problems.iter().filter_map(mark).collect())
}

/// The lines of the text at a path that problems are about; each with its column first, where that is known.
pub fn marks_in(problems: &[Problem], path: &str) -> Vec<Mark> {
    let mark = |problem: &Problem| {
        let line = line_in(&problem.place, path)?;
        let column = problem.place.rfind("column ").and_then(|at| problem.place.get(at..));
        let said = sentence(problem);
        Some(Mark { line, said: column.map_or(said.clone(), |column| format!("{column}: {said}")) })
    };
    merged(problems.iter().filter_map(mark).collect())
}

/// What is wrong and what was expected, where it is plain where.
pub fn sentence(problem: &Problem) -> String {
    format!("{}. Expected {}.", problem.what, problem.expected)
}

/// One mark for each line, in the order of lines.
fn merged(mut marks: Vec<Mark>) -> Vec<Mark> {
    marks.sort_by_key(|mark| mark.line);
    let mut all: Vec<Mark> = Vec::new();
    for mark in marks {
        match all.last_mut().filter(|last| last.line == mark.line) {
            Some(last) => {
                last.said.push(' ');
                last.said.push_str(&mark.said);
            }
            None => all.push(mark),
        }
    }
    all
}

/// Which column, from 0, a line of text ends in, with tabs every so many columns.
pub fn columns(line: &str, tab: usize) -> usize {
    line.trim_end().chars().fold(0, |at, c| if c == '\t' { (at / tab + 1) * tab } else { at + 1 })
}

/// From where to where a line of a text goes, as browsers count: in UTF-16.
pub fn span(text: &str, line: usize) -> Option<(u32, u32)> {
    let long = |part: &str| u32::try_from(part.encode_utf16().count()).unwrap_or(u32::MAX);
    let own = text.split('\n').nth(line)?;
    let from: u32 = text.split_inclusive('\n').take(line).map(long).sum();
    Some((from, from + long(own)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(place: &str) -> Problem {
        Problem::at(place, "65", "a whole number, 1 to 64")
    }

    #[test]
    fn the_first_problems_are_said_with_how_many_more() {
        let plain = |place: &str| place.to_owned();
        assert_eq!(said(&[], plain), "");
        let one = said(&[problem("warps.count")], |_| "Warps".to_owned());
        assert_eq!(one, "Warps: 65. Expected a whole number, 1 to 64.");
        let two = said(&["warps.count", "title"].map(problem), plain);
        assert_eq!(two, format!("warps.count{0} title{0}", ": 65. Expected a whole number, 1 to 64."));
        let five = ["warps.count", "warps.kernel", "title", "notes", "links"].map(problem);
        assert!(said(&five, plain).ends_with("64. And 2 more, beneath the form."), "{}", said(&five, plain));
    }

    #[test]
    fn a_place_leads_to_its_field() {
        assert_eq!(fields("warps.machine.L"), ["warps-machine-L", "warps-machine", "warps"]);
        assert_eq!(
            fields("blocks.streams[0].label"),
            ["blocks-streams-0-label", "blocks-streams-0", "blocks-streams", "blocks"]
        );
        assert_eq!(fields("warps.ptx line 3 column 5"), ["warps-ptx", "warps"]);
        assert_eq!(fields("warps.sass: line 12"), ["warps-sass", "warps"]);
        assert_eq!(fields("line 3 column 1"), [""; 0]);
    }

    #[test]
    fn a_place_leads_to_the_line_of_a_text() {
        assert_eq!(line_in("warps.ptx line 3 column 5", "warps.ptx"), Some(2));
        assert_eq!(line_in("warps.sass: line 12", "warps.sass"), Some(11));
        assert_eq!(line_in("warps.sass: document", "warps.sass"), None);
        assert_eq!(line_in("warps.sass", "warps.sass"), None);
        assert_eq!(line_in("warps.ptx line 0", "warps.ptx"), None);
        assert_eq!(line_in("line 4 column 1", "warps.ptx"), None);
    }

    #[test]
    fn lines_are_marked_once_and_in_order() {
        let text = "{\n \"a\": 1,\n \"b\": 2\n}";
        let marked = marks(text, &["b", "a", "b"].map(problem));
        assert_eq!(marked.iter().map(|mark| mark.line).collect::<Vec<_>>(), [1, 2]);
        assert!(marked[1].said.starts_with("65. Expected a whole number, 1 to 64. 65. "), "{marked:?}");
        let places = ["warps.sass: line 7", "warps.sass: line 2", "warps.count"];
        let lines: Vec<usize> = marks_in(&places.map(problem), "warps.sass").iter().map(|m| m.line).collect();
        assert_eq!(lines, [1, 6]);
        let said = &marks_in(&[problem("warps.ptx line 3 column 5")], "warps.ptx")[0].said;
        assert_eq!(said, "column 5: 65. Expected a whole number, 1 to 64.");
    }

    #[test]
    fn lines_of_a_text_as_browsers_count() {
        assert_eq!(span("ü😀\nab\n", 1), Some((4, 6)));
        assert_eq!(span("a", 1), None);
        assert_eq!([columns("\tab ", 4), columns("abc", 4), columns("a\tb", 4)], [6, 3, 5]);
    }
}
