//! What must hold of everything the program says and writes, whatever it was given.

use quick_xml::Reader;
use quick_xml::events::Event;
use warpspan::base::Problem;
use warpspan::base::problem::MOST_PROBLEMS;

/// Complaints a person can use: some, not too many, each with place, finding and remedy on one line.
pub fn clear(problems: &[Problem]) {
    assert!((1..=MOST_PROBLEMS).contains(&problems.len()), "{} problems", problems.len());
    for problem in problems {
        for part in [&problem.place, &problem.what, &problem.expected] {
            assert!(!part.trim().is_empty() && !part.contains(char::is_control), "{problem:?}");
        }
        assert!(problem.to_string().len() < 2_000, "{problem:?}");
    }
}

/// A picture that every reader of XML takes, with one root.
pub fn well_formed(svg: &str) {
    let mut reader = Reader::from_str(svg);
    let (mut depth, mut roots) = (0i32, 0);
    loop {
        match reader.read_event() {
            Ok(Event::Start(_)) => {
                roots += i32::from(depth == 0);
                depth += 1;
            }
            Ok(Event::Empty(_)) => roots += i32::from(depth == 0),
            Ok(Event::End(_)) => depth -= 1,
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => unreachable!("a picture is no XML: {error}: {}", start(svg)),
        }
    }
    assert_eq!((depth, roots), (0, 1), "{}", start(svg));
    let found = ["NaN", "inf\"", "Infinity"].into_iter().find(|word| in_a_tag(svg, word));
    assert_eq!(found, None, "{}", start(svg));
}

/// Whether a word stands within a tag, where it is a number; texts may say what they like.
fn in_a_tag(svg: &str, word: &str) -> bool {
    svg.match_indices(word).any(|(at, _)| {
        let before = &svg[..at];
        before.rfind('<').is_some_and(|open| {
            before.rfind('>').is_none_or(|close| close < open) && !before[open..].starts_with("<title")
        })
    })
}

/// A table in which every line has as many fields as the first (RFC 4180).
pub fn a_table(csv: &str) {
    let (mut fields, mut wanted, mut quoted) = (1, None, false);
    for c in csv.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields += 1,
            '\n' if !quoted => {
                assert_eq!(*wanted.get_or_insert(fields), fields, "{}", start(csv));
                fields = 1;
            }
            _ => {}
        }
    }
    assert!(!quoted && wanted.is_some(), "{}", start(csv));
}

fn start(text: &str) -> String {
    text.chars().take(400).collect()
}
