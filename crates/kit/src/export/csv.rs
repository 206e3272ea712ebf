//! Tables as CSV (RFC 4180): a header with units in the names, CRLF, fields quoted where they must be.
//!
//! A spreadsheet takes a field that begins with `=`, `+`, `-` or `@` for a formula, and runs it. Names are the input's:
//! an apostrophe is put before such a field, as is usual, unless it is a number.

/// A line of fields.
pub fn row(fields: impl IntoIterator<Item = String>) -> String {
    let quoted = |field: String| {
        let field = if begins_formula(&field) { format!("'{field}") } else { field };
        // Some programs take semicolons and tabs for separators, too.
        if field.contains([',', ';', '\t', '"', '\r', '\n']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    };
    fields.into_iter().map(quoted).collect::<Vec<_>>().join(",") + "\r\n"
}

/// Whether a spreadsheet would take a field for a formula: it begins like one, in ASCII or in the wide forms that some
/// take as well, and is no number or fraction below zero.
fn begins_formula(field: &str) -> bool {
    let is_number = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && rest.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '/' | 'e'))
    };
    field.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
        && !field.strip_prefix('-').is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(row(["a,b".to_owned(), "say \"x\"".to_owned()]), "\"a,b\",\"say \"\"x\"\"\"\r\n");
        assert_eq!(row(["a;=b".to_owned(), "c\td".to_owned()]), "\"a;=b\",\"c\td\"\r\n");
    }

    #[test]
    fn no_field_is_a_formula_and_numbers_stay() {
        for (field, written) in [
            ("=1+1", "'=1+1"),
            ("=HYPERLINK(\"http://x\")", "\"'=HYPERLINK(\"\"http://x\"\")\""),
            ("+1", "'+1"),
            ("-a", "'-a"),
            ("-", "'-"),
            ("-2+3", "'-2+3"),
            ("-1 cmd", "'-1 cmd"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\"'\t=1\""),
            ("\r=1", "\"'\r=1\""),
            ("＝1", "'＝1"),
            ("-3", "-3"),
            ("-0.5", "-0.5"),
            ("-3/2", "-3/2"),
            ("-1e300", "-1e300"),
            ("12", "12"),
            ("a=b", "a=b"),
            ("'=1", "'=1"),
        ] {
            assert_eq!(row([field.to_owned()]), format!("{written}\r\n"));
        }
    }
}
