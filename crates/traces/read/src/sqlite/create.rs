//! The columns of a table, from the text of its CREATE TABLE.
//!
//! Only what decides where values lie is read: names in their order, which column is another name of the row's number,
//! which are computed and so not stored, and whether the table keeps its rows in another way.

/// What a CREATE TABLE says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns {
    /// Names of the columns that are stored, in their order.
    pub names: Vec<String>,
    /// The one that is the row's number.
    pub alias: Option<usize>,
    /// Whether the table is WITHOUT ROWID.
    pub without_rowid: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// A word as written.
    Word(String),
    /// A name in quotation marks.
    Quoted(String),
    /// Anything else.
    Mark(char),
}

impl Token {
    fn is(&self, word: &str) -> bool {
        matches!(self, Self::Word(found) if found.eq_ignore_ascii_case(word))
    }

    fn name(&self) -> Option<&str> {
        match self {
            Self::Word(name) | Self::Quoted(name) => Some(name),
            Self::Mark(_) => None,
        }
    }
}

/// Reads a CREATE TABLE; none where the text is something else.
pub fn columns(sql: &str) -> Option<Columns> {
    let tokens = tokens(sql);
    let open = tokens.iter().position(|token| *token == Token::Mark('('))?;
    if !tokens.first()?.is("create") || !tokens.iter().take(open).any(|token| token.is("table")) {
        return None;
    }
    let (parts, rest) = parts(tokens.get(open + 1..)?);
    let mut columns = Columns::default();
    let mut integers = Vec::new();
    for part in &parts {
        read(part, &mut columns, &mut integers);
    }
    columns.without_rowid =
        rest.windows(2).any(|pair| matches!(pair, [a, b] if a.is("without") && b.is("rowid")));
    Some(columns)
}

/// Splits at the commas that lie in no further brackets, and gives what follows the closing one.
fn parts(tokens: &[Token]) -> (Vec<Vec<Token>>, &[Token]) {
    let mut parts = vec![Vec::new()];
    let mut depth = 0_u32;
    for (place, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark('(') => depth += 1,
            Token::Mark(')') if depth == 0 => return (parts, tokens.get(place + 1..).unwrap_or_default()),
            Token::Mark(')') => depth -= 1,
            Token::Mark(',') if depth == 0 => {
                parts.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(token.clone());
        }
    }
    (parts, &[])
}

/// Reads a column, or a constraint of the table.
fn read(part: &[Token], columns: &mut Columns, integers: &mut Vec<String>) {
    let Some(first) = part.first() else { return };
    if ["constraint", "primary", "unique", "check", "foreign"].iter().any(|word| first.is(word)) {
        return primary_key(part, columns, integers);
    }
    let Some(name) = first.name() else { return };
    let rest = part.get(1..).unwrap_or_default();
    if computed(rest) && !rest.iter().any(|token| token.is("stored")) {
        return;
    }
    let kind: Vec<&Token> = rest.iter().take_while(|token| !ends_type(token)).collect();
    let integer =
        matches!(kind[..], [kind] if kind.name().is_some_and(|name| name.eq_ignore_ascii_case("integer")));
    if integer {
        integers.push(name.to_owned());
        let key = rest.windows(2).position(|pair| matches!(pair, [a, b] if a.is("primary") && b.is("key")));
        if let Some(key) = key
            && !rest.get(key + 2).is_some_and(|token| token.is("desc"))
        {
            columns.alias = Some(columns.names.len());
        }
    }
    columns.names.push(name.to_owned());
}

fn computed(rest: &[Token]) -> bool {
    rest.windows(2).any(|pair| matches!(pair, [a, Token::Mark('(')] if a.is("as")))
}

fn ends_type(token: &Token) -> bool {
    let words = [
        "constraint",
        "primary",
        "not",
        "null",
        "unique",
        "check",
        "default",
        "collate",
        "references",
        "generated",
        "as",
    ];
    words.iter().any(|word| token.is(word))
}

/// A key of one column of whole numbers is the row's number.
fn primary_key(part: &[Token], columns: &mut Columns, integers: &[String]) {
    let Some(key) = part.windows(2).position(|pair| matches!(pair, [a, b] if a.is("primary") && b.is("key")))
    else {
        return;
    };
    let Some([Token::Mark('('), name, after, ..]) = part.get(key + 2..) else { return };
    let one = *after == Token::Mark(')') || after.is("asc") || after.is("desc") || after.is("autoincrement");
    let Some(name) = name.name().filter(|_| one) else { return };
    if integers.iter().any(|integer| integer.eq_ignore_ascii_case(name)) {
        columns.alias = columns.names.iter().position(|column| column.eq_ignore_ascii_case(name));
    }
}

fn tokens(sql: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = sql;
    while let Some(first) = rest.chars().next() {
        let after = rest.get(first.len_utf8()..).unwrap_or_default();
        rest = match first {
            _ if first.is_whitespace() => after,
            '-' if after.starts_with('-') => after.split_once('\n').map_or("", |(_, after)| after),
            '/' if after.starts_with('*') => {
                after.get(1..).and_then(|after| after.split_once("*/")).map_or("", |(_, after)| after)
            }
            '"' | '`' | '\'' => quoted(after, first, &mut tokens),
            '[' => quoted(after, ']', &mut tokens),
            _ if first.is_alphanumeric() || first == '_' || first == '$' => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
                let (word, after) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, ""));
                tokens.push(Token::Word(word.to_owned()));
                after
            }
            _ => {
                tokens.push(Token::Mark(first));
                after
            }
        };
    }
    tokens
}

/// Reads up to the closing mark; two of them stand for one.
fn quoted<'t>(text: &'t str, close: char, tokens: &mut Vec<Token>) -> &'t str {
    let mut name = String::new();
    let mut rest = text;
    loop {
        let Some((before, after)) = rest.split_once(close) else {
            name.push_str(rest);
            rest = "";
            break;
        };
        name.push_str(before);
        rest = after;
        match after.strip_prefix(close).filter(|_| close != ']') {
            Some(after) => {
                name.push(close);
                rest = after;
            }
            None => break,
        }
    }
    tokens.push(Token::Quoted(name));
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sql: &str, names: &[&str], alias: Option<usize>) {
        let found = columns(sql).unwrap();
        assert_eq!(found.names, names, "{sql}");
        assert_eq!(found.alias, alias, "{sql}");
        assert!(!found.without_rowid);
    }

    #[test]
    fn names_in_their_order() {
        check("CREATE TABLE t(a, b INT, c TEXT NOT NULL)", &["a", "b", "c"], None);
        check(
            "CREATE TABLE \"t(\" (\"a, b\" x, [c d] y, `e``f`, 'g''h')",
            &["a, b", "c d", "e`f", "g'h"],
            None,
        );
        check(
            "create temp table t (a DECIMAL(10, 2) DEFAULT (1 + 2), b CHECK (b IN ('(', ',')))",
            &["a", "b"],
            None,
        );
        check("CREATE TABLE t -- first (\n(/* , */ a, -- note, here\n b)", &["a", "b"], None);
    }

    #[test]
    fn the_row_s_number_under_another_name() {
        check("CREATE TABLE t(x, id INTEGER NOT NULL PRIMARY KEY)", &["x", "id"], Some(1));
        check("CREATE TABLE t(id integer primary key desc, x)", &["id", "x"], None);
        check("CREATE TABLE t(id INT PRIMARY KEY, x)", &["id", "x"], None);
        check("CREATE TABLE t(x, id INTEGER, PRIMARY KEY(id DESC))", &["x", "id"], Some(1));
        check("CREATE TABLE t(x INTEGER, id INTEGER, PRIMARY KEY(id, x))", &["x", "id"], None);
        check(
            "CREATE TABLE t(x, \"Id\" INTEGER, CONSTRAINT k PRIMARY KEY ([id]), UNIQUE (x))",
            &["x", "Id"],
            Some(1),
        );
    }

    #[test]
    fn what_is_computed_is_not_stored() {
        check("CREATE TABLE t(a, b GENERATED ALWAYS AS (a + 1), c AS (a) STORED, d)", &["a", "c", "d"], None);
    }

    #[test]
    fn without_rowid_is_seen() {
        assert!(columns("CREATE TABLE t(a PRIMARY KEY) WITHOUT ROWID, STRICT").unwrap().without_rowid);
        assert_eq!(columns("CREATE INDEX i ON t(a)"), None);
        assert_eq!(columns("(("), None);
    }
}
