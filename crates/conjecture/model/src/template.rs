//! Kernel strings with a repetition in them: `C rep(LLC) L`.
//!
//! Where a kernel string has a count, a template may say `rep`. For each value of `rep` it is a kernel string.

use warps::kernel::KernelError;
use warps::{Kernel, PerUnit};

/// The word for the repetition.
const REP: &str = "rep";

/// The largest value `rep` may take: it has as many digits as the word has letters, so that columns stay.
pub const MOST_REP: u32 = 999;

/// A kernel string in which `rep` may stand for a count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    text: String,
    /// Where each `rep` begins, in bytes.
    places: Vec<usize>,
}

impl Template {
    /// Reads a template.
    pub fn parse(text: &str) -> Result<Self, KernelError> {
        let places: Vec<usize> = text.match_indices(REP).map(|(place, _)| place).collect();
        for &place in &places {
            let before = text[..place].trim_end();
            if before.ends_with(|c: char| c.is_ascii_digit()) || before.ends_with(REP) {
                return Err(KernelError {
                    column: text[..place].chars().count() + 1,
                    what: "rep after another count".to_owned(),
                    expected: "one count before a letter or a group".to_owned(),
                });
            }
            // As a digit is, it would read as one longer number.
            let after = &text[place + REP.len()..];
            if after.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
                return Err(KernelError {
                    column: text[..place].chars().count() + 1,
                    what: "rep before another count".to_owned(),
                    expected: "one count before a letter or a group".to_owned(),
                });
            }
        }
        let template = Self { text: text.to_owned(), places };
        template.kernel(1).map(|_| template)
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether `rep` stands in it.
    pub fn repeats(&self) -> bool {
        !self.places.is_empty()
    }

    /// The kernel string for a value of `rep`.
    pub fn kernel(&self, rep: u32) -> Result<Kernel, KernelError> {
        Kernel::parse(&self.text.replace(REP, &format!("{rep:>3}")))
    }

    /// Where each further repetition begins once the instructions are repeated so often: how many stand before it.
    /// `None` unless `rep` stands in it once, and outside of parentheses.
    pub fn cuts(&self, rep: u32, repeat: &PerUnit<u32>) -> Option<Vec<u32>> {
        let &[place] = &self.places[..] else { return None };
        let before = &self.text[..place];
        if before.matches('(').count() != before.matches(')').count() {
            return None;
        }
        let length = |kernel: Kernel| kernel.repeated(repeat).ok().map(|kernel| kernel.len() as u32);
        let start = if before.trim().is_empty() { 0 } else { length(Kernel::parse(before).ok()?)? };
        let step = length(self.kernel(2).ok()?)? - length(self.kernel(1).ok()?)?;
        Some((1..rep).map(|k| start + k * step).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expected: Expect) {
        let shown = match Template::parse(text) {
            Ok(template) => {
                let of =
                    |rep| template.kernel(rep).map_or("too long".to_owned(), |kernel| kernel.to_string());
                format!("{}; {}; {:?}", of(1), of(3), template.cuts(3, &PerUnit([1; 4])))
            }
            Err(e) => format!("column {}: {}, expected {}", e.column, e.what, e.expected),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn repetitions_and_their_cuts() {
        check("C rep(LLC) L", expect!["C 2L C L; C 2L C 2L C 2L C L; Some([4, 7])"]);
        check("rep L", expect!["L; 3L; Some([1, 2])"]);
        check("repL repC", expect!["L C; 3L 3C; None"]);
        check("2(C rep(LL))", expect!["C 2L C 2L; C 6L C 6L; None"]);
        check("5L 9C", expect!["5L 9C; 5L 9C; None"]);
        let Ok(template) = Template::parse("C rep(LLC) L") else { unreachable!("parses") };
        assert_eq!(template.cuts(3, &PerUnit([2, 1, 1, 1])), Some(vec![6, 11]));
        assert!(template.kernel(MOST_REP).is_ok_and(|kernel| kernel.len() == 2_999));
    }

    #[test]
    fn wrong_templates_say_where() {
        check("", expect!["column 1: no instruction, expected letters L, C, S and D, such as 5L 9C"]);
        check(
            "C 2rep(L)",
            expect!["column 4: rep after another count, expected one count before a letter or a group"],
        );
        check(
            "C rep 2 L",
            expect!["column 3: rep before another count, expected one count before a letter or a group"],
        );
        check(
            "rep rep L",
            expect!["column 5: rep after another count, expected one count before a letter or a group"],
        );
        check(
            "C repx(L)",
            expect![[r#"column 6: "x", expected a letter L, C, S or D, a count or a group in parentheses"#]],
        );
        check(
            "C rep",
            expect![
                "column 6: the end after a count, expected a letter L, C, S or D or a group in parentheses"
            ],
        );
        check(
            "C rop(L)",
            expect![[r#"column 3: "r", expected a letter L, C, S or D, a count or a group in parentheses"#]],
        );
    }
}
