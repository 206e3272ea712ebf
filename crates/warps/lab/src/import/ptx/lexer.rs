//! PTX text as tokens, each with its place; comments and spaces are gone.
//!
//! A word takes its dots along: `setp.gt.u32`, `%tid.x` and `.shared::cta` are one token each. Only a directive
//! ends before its next dot, so that `.reg.u64` is `.reg` and `.u64`, as compilers' own readers take it.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name, an opcode, a register or, with a dot before it, a directive.
    Word,
    /// A number in any of the forms of PTX.
    Number,
    /// A text in quotes.
    Text,
    /// One character of punctuation.
    Mark(u8),
    /// Something PTX does not have, with what to say about it: what it is and what was expected.
    Wrong(&'static str, &'static str),
    /// The end of the text.
    End,
}

/// A piece of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// The characters it stands for.
    pub text: &'a str,
    /// Where it begins, in bytes.
    pub at: usize,
    /// Its line, from 1.
    pub line: u32,
}

impl Token<'_> {
    /// Whether it is this character.
    pub fn is(&self, mark: u8) -> bool {
        self.kind == Kind::Mark(mark)
    }

    /// Whether it is a word that begins with a dot.
    pub fn is_directive(&self) -> bool {
        self.kind == Kind::Word && self.text.starts_with('.')
    }

    /// Whether it is a word that does not begin with a dot.
    pub fn is_name(&self) -> bool {
        self.kind == Kind::Word && !self.text.starts_with('.')
    }
}

/// Hands out the tokens of a text.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

/// `line 12 column 5`, the column in characters.
pub(super) fn place(text: &str, at: usize, line: u32) -> String {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    format!("line {line} column {}", before[start..].chars().count() + 1)
}

impl<'a> Lexer<'a> {
    /// The tokens of `text`, from its beginning.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: if text.starts_with('\u{feff}') { 3 } else { 0 }, line: 1 }
    }

    /// Leaves out all that comes.
    pub fn end(&mut self) {
        self.at = self.text.len();
    }

    /// The next token; after the last one, [`Kind::End`] for ever.
    pub fn next(&mut self) -> Token<'a> {
        if let Some(unfinished) = self.skip_spaces() {
            return unfinished;
        }
        let start = self.at;
        let Some(first) = self.peek(0) else {
            return self.token(Kind::End, start);
        };
        let kind = match first {
            b'0'..=b'9' => self.number(),
            b'"' => return self.quoted(),
            _ if begins_word(first) || first == b'.' && self.peek(1).is_some_and(begins_word) => self.word(),
            b'!'..=b'~' => {
                self.at += 1;
                Kind::Mark(first)
            }
            _ => {
                self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
                Kind::Wrong("a character that PTX does not use", "PTX, which is plain ASCII")
            }
        };
        self.token(kind, start)
    }

    fn token(&self, kind: Kind, start: usize) -> Token<'a> {
        Token { kind, text: &self.text[start..self.at], at: start, line: self.line }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Skips spaces, comments and lines for the preprocessor; a comment without an end is a token.
    fn skip_spaces(&mut self) -> Option<Token<'a>> {
        let mut begins_line = self.at == 0;
        loop {
            match (self.peek(0)?, self.peek(1)) {
                (b'\n', _) => {
                    self.line += 1;
                    self.at += 1;
                    begins_line = true;
                }
                (byte, _) if byte.is_ascii_whitespace() => self.at += 1,
                (b'#', _) if begins_line => self.skip_line(),
                (b'/', Some(b'/')) => self.skip_line(),
                (b'/', Some(b'*')) => {
                    let start = self.at;
                    let Some(length) = self.text[start + 2..].find("*/") else {
                        self.at = self.text.len();
                        let kind = Kind::Wrong("a comment without an end", "\"*/\"");
                        return Some(Token { kind, text: "/*", at: start, line: self.line });
                    };
                    self.at += length + 4;
                    let lines = self.text[start..self.at].bytes().filter(|&byte| byte == b'\n').count();
                    self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
                }
                _ => return None,
            }
        }
    }

    fn skip_line(&mut self) {
        self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at);
    }

    fn word(&mut self) -> Kind {
        let directive = self.peek(0) == Some(b'.');
        self.at += 1;
        loop {
            match (self.peek(0), self.peek(1), self.peek(2)) {
                (Some(byte), _, _) if in_word(byte) => self.at += 1,
                (Some(b'.'), Some(byte), _) if in_word(byte) && !directive => self.at += 2,
                (Some(b':'), Some(b':'), Some(byte)) if in_word(byte) => self.at += 3,
                _ => return Kind::Word,
            }
        }
    }

    fn number(&mut self) -> Kind {
        let start = self.at;
        while let Some(byte) = self.peek(0) {
            let signed_exponent =
                matches!(byte, b'+' | b'-') && is_decimal_before_exponent(self.since(start));
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || signed_exponent) {
                break;
            }
            self.at += 1;
        }
        if is_number(self.since(start)) {
            Kind::Number
        } else {
            Kind::Wrong(
                "not a number",
                "a number such as 16, 0x10, 0b10, 1.5, 0f3F800000 or 0d3FF0000000000000",
            )
        }
    }

    fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    fn quoted(&mut self) -> Token<'a> {
        let start = self.at;
        self.at += 1;
        while let Some(byte) = self.peek(0).filter(|&byte| byte != b'\n') {
            self.at +=
                if byte == b'\\' && self.peek(1).is_some_and(|next| next.is_ascii_graphic()) { 2 } else { 1 };
            if byte == b'"' {
                return self.token(Kind::Text, start);
            }
        }
        self.token(Kind::Wrong("a text without an end", "a second quotation mark on the same line"), start)
    }
}

fn begins_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | b'%')
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// Whether these characters end in the `e` of a decimal number, after which a sign may stand.
fn is_decimal_before_exponent(text: &str) -> bool {
    text.strip_suffix(['e', 'E']).is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    })
}

fn is_number(text: &str) -> bool {
    let all = |digits: &str, fits: fn(&u8) -> bool| {
        let digits = digits.strip_suffix('U').unwrap_or(digits);
        !digits.is_empty() && digits.bytes().all(|byte| fits(&byte))
    };
    let exact = |digits: &str, length| digits.len() == length && all(digits, u8::is_ascii_hexdigit);
    match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => all(&text[2..], u8::is_ascii_hexdigit),
        [b'0', b'f' | b'F', ..] => exact(&text[2..], 8),
        [b'0', b'd' | b'D', ..] => exact(&text[2..], 16),
        [b'0', b'b' | b'B', ..] => all(&text[2..], |byte| matches!(byte, b'0' | b'1')),
        [b'0', b'0'..=b'9', ..] if !text.contains(['.', 'e', 'E']) => {
            all(text, |byte| matches!(byte, b'0'..=b'7'))
        }
        _ => all(text, u8::is_ascii_digit) || text.parse::<f64>().is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut lexer = Lexer::new(text);
        let mut shown = Vec::new();
        loop {
            let token = lexer.next();
            match token.kind {
                Kind::End => return shown,
                Kind::Wrong(what, _) => shown.push(format!("{}: {what}", token.text)),
                _ => shown.push(token.text.to_owned()),
            }
        }
    }

    #[test]
    fn words_take_their_dots_along() {
        assert_eq!(words("@!%p1 bra.uni $L__BB0_2;"), ["@", "!", "%p1", "bra.uni", "$L__BB0_2", ";"]);
        assert_eq!(words("ld.global.v2.f32 {%f1,%f2},[%rd1+-4];").len(), 14);
        assert_eq!(
            words("mov.u32 %r1, %tid.x; a: cp.async.shared::cta.b64")[2..],
            [",", "%tid.x", ";", "a", ":", "cp.async.shared::cta.b64"]
        );
    }

    #[test]
    fn directives_end_before_their_next_dot() {
        assert_eq!(
            words(".reg.u64 a; .param.align.v4.f32"),
            [".reg", ".u64", "a", ";", ".param", ".align", ".v4", ".f32"]
        );
        assert_eq!(words(".shared::cta.b8 ld.param.u64"), [".shared::cta", ".b8", "ld.param.u64"]);
    }

    #[test]
    fn numbers_of_every_form() {
        for good in [
            "0",
            "16",
            "0x1F",
            "017",
            "0b101",
            "12U",
            "7.8",
            "1e5",
            "1.5E-3",
            "0f3F800000",
            "0d3FF0000000000000",
        ] {
            assert_eq!(words(good), [good]);
        }
        for bad in ["0x", "09", "0b2", "0f3F8", "12x", "1.2.3", "0d0"] {
            assert_eq!(words(bad), [format!("{bad}: not a number")]);
        }
    }

    #[test]
    fn comments_and_lines() {
        let mut lexer = Lexer::new("// one\n/* two\nthree */ ret;\r\n  \"a\\\"b\"");
        let ret = lexer.next();
        assert_eq!((ret.text, ret.line), ("ret", 3));
        assert_eq!(place("// one\n/* two\nthree */ ret;", ret.at, ret.line), "line 3 column 10");
        lexer.next();
        let text = lexer.next();
        assert_eq!((text.kind, text.line, text.text), (Kind::Text, 4, "\"a\\\"b\""));
        assert_eq!(words("a /* b"), ["a", "/*: a comment without an end"]);
        assert_eq!(words("\"a\nb"), ["\"a: a text without an end", "b"]);
        assert_eq!(words("é"), ["é: a character that PTX does not use"]);
    }
}
