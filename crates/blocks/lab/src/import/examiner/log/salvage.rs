//! As much of a broken log as is whole: members before the list of times, and every entry of it that parses.
//!
//! Entries of logs hold no objects, so a brace that opens begins the next one, however the one before is broken.
//! One pass over the text; memory grows with what is kept.

use serde_json::{Map, Value};

use super::Times;
use crate::import::examiner::notes::Notes;
use kit::import::json;
use kit::import::json::Budget;

/// The members and the entries of a text that is no valid JSON; `None` where it does not even begin like a log.
pub(super) fn salvage(text: &str, notes: &mut Notes) -> Option<(Map<String, Value>, Times)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let numbers = without_bare_words(text);
    if numbers != text {
        notes.add("", "some numbers are no numbers (nan or inf); what needs them is left out");
        if let Ok(Value::Object(mut map)) = json::parse_loose(&numbers) {
            let times = super::take_times(&mut map, notes);
            return Some((map, times));
        }
    }
    let mut cursor =
        Cursor { text: &numbers, at: 0, line: 1, line_start: 0, seen: 0, budget: Budget::default() };
    if !cursor.skip(b'{') {
        return None;
    }
    let (mut map, mut times) = (Map::new(), Vec::new());
    while let Some((key, start)) = cursor.key() {
        if key.eq_ignore_ascii_case("times") && cursor.skip(b'[') {
            cursor.entries(&mut times, notes);
        } else {
            let end = cursor.value_end();
            let value = end.and_then(|end| json::parse_loose(numbers.get(cursor.at..end)?).ok());
            if let Some(value) = value {
                map.entry(key).or_insert(value);
            } else {
                notes.add(cursor.place(start), "a broken value is left out");
            }
            let Some(end) = end else { break };
            cursor.at = end;
        }
        cursor.skip(b',');
    }
    if !cursor.skip(b'}') {
        let end = cursor.text.len();
        let what = format!("the file is cut off or broken: {} entries of its times are whole", times.len());
        notes.add(cursor.place(cursor.at.max(cursor.seen).min(end)), what);
    }
    Some((map, times))
}

/// The text with `nan`, `inf` and the like outside of quotes replaced by empty texts of the same length.
fn without_bare_words(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut at, mut kept) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = string_end(bytes, at).unwrap_or(bytes.len()),
            b'n' | b'N' | b'i' | b'I' => {
                let length = bytes[at..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
                let word = text.get(at..at + length).unwrap_or_default().to_ascii_lowercase();
                if ["nan", "inf", "infinity"].contains(&word.as_str()) {
                    let signed = at > kept && matches!(bytes[at - 1], b'-' | b'+');
                    let start = at - usize::from(signed);
                    out.push_str(text.get(kept..start).unwrap_or_default());
                    out.push_str("\"\"");
                    out.extend(std::iter::repeat_n(' ', at + length - start - 2));
                    kept = at + length;
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    out
}

/// Just behind the text in quotes that begins here; a line's end ends it too, for then a quote is missing.
fn string_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            b'\n' => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// A place in the text.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    line_start: usize,
    /// How far lines are counted.
    seen: usize,
    /// The budget of all entries together.
    budget: Budget,
}

impl Cursor<'_> {
    fn spaces(&mut self) {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Steps over a mark, if it comes next.
    fn skip(&mut self, mark: u8) -> bool {
        self.spaces();
        let found = self.text.as_bytes().get(self.at) == Some(&mark);
        self.at += usize::from(found);
        found
    }

    /// The next key, with its place, and the colon behind it.
    fn key(&mut self) -> Option<(String, usize)> {
        self.spaces();
        let start = self.at;
        if self.text.as_bytes().get(start) != Some(&b'"') {
            return None;
        }
        let end = string_end(self.text.as_bytes(), start)?;
        let key = json::parse(self.text.get(start..end)?).ok()?.as_str()?.to_owned();
        self.at = end;
        self.skip(b':').then_some((key, start))
    }

    /// Where the value that begins here ends, by quotes and brackets.
    fn value_end(&mut self) -> Option<usize> {
        self.spaces();
        let bytes = self.text.as_bytes();
        let (mut at, mut depth) = (self.at, 0_usize);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    at = string_end(bytes, at)?;
                    continue;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 0 => return Some(at),
                b'}' | b']' => depth -= 1,
                b',' if depth == 0 => return Some(at),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// The entries of the list that was just opened, to its end or that of the text.
    fn entries(&mut self, times: &mut Times, notes: &mut Notes) {
        for index in 0.. {
            while self.skip(b',') {}
            if self.skip(b']') {
                return;
            }
            let Some(next) = self.text.as_bytes().get(self.at) else { return };
            let start = self.at;
            if *next != b'{' {
                // Something else than an entry: on to the next one.
                notes.add(self.place(start), "no entry; left out");
                self.at = self.next_brace(start);
                continue;
            }
            let end = self.entry_end(start + 1);
            let slice = self.text.get(start..end).unwrap_or_default();
            match json::parse_loose_into(slice, &self.budget) {
                Ok(value) => times.push((index, value)),
                Err(problem) if json::is_too_large(&problem) => {
                    notes.add(
                        self.place(start),
                        format!("{}; this and what follows is left out", problem.what),
                    );
                    self.at = self.text.len();
                    return;
                }
                Err(_) if end == self.text.len() => {}
                Err(_) => {
                    notes.add(self.place(start), format!("entry {index} of the times is broken and left out"))
                }
            }
            self.at = end;
        }
    }

    /// Just behind the brace that closes an entry, or at the one that opens the next.
    fn entry_end(&self, from: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut at = from;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    at = string_end(bytes, at).unwrap_or(bytes.len());
                    continue;
                }
                b'{' => return at,
                b'}' => return at + 1,
                _ => at += 1,
            }
        }
        bytes.len()
    }

    fn next_brace(&self, from: usize) -> usize {
        let bytes = self.text.as_bytes();
        bytes[from..].iter().position(|&byte| byte == b'{').map_or(bytes.len(), |more| from + more)
    }

    /// Line and column of a place; places come in ascending order, others count as the furthest so far.
    fn place(&mut self, at: usize) -> String {
        while self.seen < at {
            if self.text.as_bytes().get(self.seen) == Some(&b'\n') {
                self.line += 1;
                self.line_start = self.seen + 1;
            }
            self.seen += 1;
        }
        format!("line {} column {}", self.line, self.seen.max(self.line_start) - self.line_start + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> String {
        let mut notes = Notes::default();
        let Some((map, times)) = salvage(text, &mut notes) else { return "nothing".to_owned() };
        let times: Vec<String> = times.iter().map(|(index, value)| format!("{index}:{value}")).collect();
        let notes = notes.into_warnings().into_iter().map(|w| format!("; {}: {}", w.place, w.text));
        format!("{} [{}]{}", Value::Object(map), times.join(" "), notes.collect::<String>())
    }

    #[test]
    fn what_is_whole_is_kept() {
        assert_eq!(
            kept("{\"a\": 1,\n\"times\": [{},\n{\"b\": 2},\n{\"c\": [1, 2"),
            r#"{"a":1} [0:{} 1:{"b":2}]; line 4 column 12: the file is cut off or broken: 2 entries of its times are whole"#
        );
        assert_eq!(
            kept("{\"times\": [{\"b\": [1,,2]},\n{\"c\": 3},\n{\"d\": [4, {\"e\": 5}], \"x\": }"),
            "{} [1:{\"c\":3} 3:{\"e\":5}]; line 1 column 12: entry 0 of the times is broken and left out; \
             line 3 column 1: entry 2 of the times is broken and left out; \
             line 3 column 22: a broken value is left out"
        );
        assert_eq!(kept("[1, 2"), "nothing");
        assert_eq!(kept(""), "nothing");
    }

    #[test]
    fn words_for_numbers_that_are_none() {
        assert_eq!(
            without_bare_words(r#"[nan, -nan,-Infinity, "nan", null, inf]"#),
            r#"["" , ""  ,""       , "nan", null, "" ]"#
        );
        assert_eq!(
            kept(r#"{"times": [{"a": [nan, 1]}]}"#),
            r#"{} [0:{"a":["",1]}]; : some numbers are no numbers (nan or inf); what needs them is left out"#
        );
    }
}
