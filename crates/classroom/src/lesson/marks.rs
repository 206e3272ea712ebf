//! Marks in the texts of a lesson: `code` and *emphasis*, and nothing else.

/// A stretch of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// As it is.
    Plain(String),
    /// Between backticks.
    Code(String),
    /// Between asterisks.
    Emphasis(String),
}

/// The stretches of a text. A mark that is never closed is an ordinary character.
pub fn marked(text: &str) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*']) {
        let (before, from) = rest.split_at(at);
        let (sign, inside) = from.split_at(1);
        plain.push_str(before);
        // Emphasis begins and ends at a word: 2 * 3 * 4 is arithmetic.
        let sound = |inner: &str| !inner.is_empty() && (sign == "`" || inner.trim() == inner);
        match inside.split_once(sign).filter(|(inner, _)| sound(inner)) {
            Some((inner, after)) => {
                if !plain.is_empty() {
                    marks.push(Mark::Plain(std::mem::take(&mut plain)));
                }
                let inner = inner.to_owned();
                marks.push(if sign == "`" { Mark::Code(inner) } else { Mark::Emphasis(inner) });
                rest = after;
            }
            None => {
                plain.push_str(sign);
                rest = inside;
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        marks.push(Mark::Plain(plain));
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_closed_is_marked() {
        let plain = |text: &str| Mark::Plain(text.to_owned());
        let code = |text: &str| Mark::Code(text.to_owned());
        let emphasis = |text: &str| Mark::Emphasis(text.to_owned());
        let cases = [
            ("", vec![]),
            ("a `b` c", vec![plain("a "), code("b"), plain(" c")]),
            ("*one* `t*o*`", vec![emphasis("one"), plain(" "), code("t*o*")]),
            ("2 * 3 * 4", vec![plain("2 * 3 * 4")]),
            ("a ` b", vec![plain("a ` b")]),
            ("<b>é</b> ``", vec![plain("<b>é</b> ``")]),
        ];
        for (text, marks) in cases {
            assert_eq!(marked(text), marks, "{text}");
        }
    }
}
