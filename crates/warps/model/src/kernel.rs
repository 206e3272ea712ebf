//! The kernel instruction string (B, section III-D) and its text form.
//!
//! Text: letters `L C S D`; a count before a letter or a group in parentheses; spaces are ignored.
//! `C 3(LLC) L` is `CLLCLLCLLCL`. Printed back in run-length form: `C 2L C 2L C 2L C L`.

use std::fmt;
use std::sync::Arc;

use super::MOST_INSTRUCTIONS;
use super::unit::{PerUnit, Unit};

/// Groups may stand inside groups this deep.
const DEEPEST: usize = 64;

/// The instructions every warp executes, in order; never empty, never over [`MOST_INSTRUCTIONS`]. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel(Arc<[Unit]>);

/// Why a text is no kernel string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelError {
    /// Position of the trouble, in characters from 1.
    pub column: usize,
    /// What was found.
    pub what: String,
    /// What would have been right.
    pub expected: String,
}

impl Kernel {
    /// These instructions, unless there are none or too many.
    pub fn new(units: Vec<Unit>) -> Option<Self> {
        (1..=MOST_INSTRUCTIONS).contains(&units.len()).then(|| Self(units.into()))
    }

    /// Reads a kernel string.
    pub fn parse(text: &str) -> Result<Self, KernelError> {
        let mut parser = Parser { chars: text.chars().collect(), at: 0 };
        let units = parser.sequence(0)?;
        if parser.at < parser.chars.len() {
            return Err(parser.error("\")\" without a \"(\" before it", "balanced parentheses"));
        }
        if units.is_empty() {
            return Err(parser.error("no instruction", "letters L, C, S and D, such as 5L 9C"));
        }
        Ok(Self(units.into()))
    }

    /// The same string with every instruction of a kind repeated (B, section III-E).
    pub fn repeated(&self, times: &PerUnit<u32>) -> Result<Self, KernelError> {
        let mut units = Vec::new();
        for &unit in self.units() {
            let times = times[unit] as usize;
            if units.len() + times > MOST_INSTRUCTIONS {
                return Err(too_long(1, "after normalisation the string is longer"));
            }
            units.extend(std::iter::repeat_n(unit, times));
        }
        Ok(Self(units.into()))
    }

    /// The instructions in order.
    pub fn units(&self) -> &[Unit] {
        &self.0
    }

    /// How many instructions each warp executes.
    #[allow(clippy::len_without_is_empty)] // a kernel is never empty
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// How many instructions of each kind each warp executes.
    pub fn totals(&self) -> PerUnit<u32> {
        let mut totals = PerUnit::default();
        for &unit in self.units() {
            totals[unit] += 1;
        }
        totals
    }

    /// The kinds of unit it uses.
    pub fn kinds(&self) -> Vec<Unit> {
        let totals = self.totals();
        Unit::ALL.into_iter().filter(|&unit| totals[unit] > 0).collect()
    }

    /// Maximal runs of one kind: `(kind, length)`.
    pub fn runs(&self) -> Vec<(Unit, usize)> {
        self.0.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect()
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (unit, length)) in self.runs().into_iter().enumerate() {
            let gap = if i > 0 { " " } else { "" };
            match length {
                1 => write!(f, "{gap}{}", unit.letter())?,
                _ => write!(f, "{gap}{length}{}", unit.letter())?,
            }
        }
        Ok(())
    }
}

struct Parser {
    chars: Vec<char>,
    at: usize,
}

impl Parser {
    /// Items up to the end or an unmatched `)`.
    fn sequence(&mut self, depth: usize) -> Result<Vec<Unit>, KernelError> {
        let mut units = Vec::new();
        while let Some(c) = self.peek() {
            if c == ')' {
                break;
            }
            let start = self.at + 1;
            let count = self.count()?;
            let item = self.item(depth)?;
            let length = item.len().checked_mul(count).and_then(|more| more.checked_add(units.len()));
            if length.is_none_or(|length| length > MOST_INSTRUCTIONS) {
                return Err(too_long(start, "the string is longer"));
            }
            for _ in 0..count {
                units.extend_from_slice(&item);
            }
        }
        Ok(units)
    }

    /// The number before an item; 1 where there is none.
    fn count(&mut self) -> Result<usize, KernelError> {
        let start = self.at;
        while self.chars.get(self.at).is_some_and(char::is_ascii_digit) {
            self.at += 1;
        }
        if start == self.at {
            return Ok(1);
        }
        let digits: String = self.chars[start..self.at].iter().collect();
        match digits.parse::<usize>() {
            Ok(count @ 1..=MOST_INSTRUCTIONS) => Ok(count),
            _ => Err(KernelError {
                column: start + 1,
                what: format!("count {}", base::problem::quoted(&digits)),
                expected: format!("a count from 1 to {MOST_INSTRUCTIONS}"),
            }),
        }
    }

    /// A letter or a group.
    fn item(&mut self, depth: usize) -> Result<Vec<Unit>, KernelError> {
        let what = "a letter L, C, S or D, a count or a group in parentheses";
        match self.peek() {
            None => {
                Err(self.error("the end after a count", "a letter L, C, S or D or a group in parentheses"))
            }
            Some('(') if depth == DEEPEST => {
                Err(self.error("parentheses nested too deep", &format!("at most {DEEPEST} levels")))
            }
            Some('(') => {
                let open = self.at + 1;
                self.at += 1;
                let units = self.sequence(depth + 1)?;
                if self.peek() != Some(')') {
                    return Err(self.error(&format!("the end inside the \"(\" of column {open}"), "\")\""));
                }
                if units.is_empty() {
                    return Err(self.error("an empty group", what));
                }
                self.at += 1;
                Ok(units)
            }
            Some(letter) => match Unit::from_letter(letter) {
                Some(unit) => {
                    self.at += 1;
                    Ok(vec![unit])
                }
                None => Err(self.error(&base::problem::quoted(&letter.to_string()), what)),
            },
        }
    }

    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        while self.chars.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.chars.get(self.at).copied()
    }

    fn error(&self, what: &str, expected: &str) -> KernelError {
        KernelError { column: self.at + 1, what: what.to_owned(), expected: expected.to_owned() }
    }
}

fn too_long(column: usize, what: &str) -> KernelError {
    KernelError {
        column,
        what: what.to_owned(),
        expected: format!("at most {MOST_INSTRUCTIONS} instructions per warp"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let shown = match Kernel::parse(text) {
            Ok(kernel) => {
                let printed = kernel.to_string();
                assert_eq!(Kernel::parse(&printed).as_ref(), Ok(&kernel), "prints back");
                format!("{} instructions: {printed}", kernel.len())
            }
            Err(e) => format!("column {}: {}, expected {}", e.column, e.what, e.expected),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn voronoi_of_figure_11() {
        check("5L 9C 2L 9C", expect!["25 instructions: 5L 9C 2L 9C"]);
        check("LLLLLCCCCCCCCC LL CCCCCCCCC", expect!["25 instructions: 5L 9C 2L 9C"]);
    }

    #[test]
    fn groups_and_spaces() {
        check("C 3(LLC) L", expect!["11 instructions: C 2L C 2L C 2L C L"]);
        check("2(L 2(C S) D)\n", expect!["12 instructions: L C S C S D L C S C S D"]);
    }

    #[test]
    fn wrong_strings_say_where() {
        check("", expect!["column 1: no instruction, expected letters L, C, S and D, such as 5L 9C"]);
        check(
            "L x",
            expect![[r#"column 3: "x", expected a letter L, C, S or D, a count or a group in parentheses"#]],
        );
        check(
            "3",
            expect![
                "column 2: the end after a count, expected a letter L, C, S or D or a group in parentheses"
            ],
        );
        check("0L", expect![[r#"column 1: count "0", expected a count from 1 to 10000"#]]);
        check("2(L", expect![[r#"column 4: the end inside the "(" of column 2, expected ")""#]]);
        check("L)", expect![[r#"column 2: ")" without a "(" before it, expected balanced parentheses"#]]);
        check(
            "2()",
            expect![
                "column 3: an empty group, expected a letter L, C, S or D, a count or a group in parentheses"
            ],
        );
    }

    #[test]
    fn huge_strings_are_refused_before_they_are_built() {
        check(
            "9999(9999(9999(L)))",
            expect!["column 6: the string is longer, expected at most 10000 instructions per warp"],
        );
        check(
            "99999999999999999999L",
            expect![[r#"column 1: count "99999999999999999999", expected a count from 1 to 10000"#]],
        );
        let deep = format!("{}L{}", "(".repeat(100_000), ")".repeat(100_000));
        check(&deep, expect!["column 65: parentheses nested too deep, expected at most 64 levels"]);
    }
}
