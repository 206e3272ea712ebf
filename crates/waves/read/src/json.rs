//! JSON read as it stands: a reader asks for what it expects, whatever else is there is skipped.
//!
//! Invariants: numbers that are whole stay whole, up to 64 bits; no recursion; after the first [`Stop`] nothing is read.

/// Why the reading ended, and at which byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The text ends before its end.
    Cut(usize),
    /// This was expected.
    Wrong(usize, &'static str),
}

impl Stop {
    /// In words.
    pub fn said(&self) -> String {
        match self {
            Self::Cut(at) => format!("it is cut off after {at} bytes"),
            Self::Wrong(at, expected) => format!("it is no JSON at byte {at}, where {expected} was expected"),
        }
    }
}

/// A text being read.
pub struct Json<'t> {
    text: &'t [u8],
    at: usize,
    fresh: bool,
}

impl<'t> Json<'t> {
    /// At the beginning of a text.
    pub fn new(text: &'t [u8]) -> Self {
        let start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { text, at: start, fresh: true }
    }

    /// The next byte that is no space; it is not taken.
    pub fn peek(&mut self) -> Result<u8, Stop> {
        while let Some(&byte) = self.text.get(self.at) {
            if !matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                return Ok(byte);
            }
            self.at += 1;
        }
        Err(Stop::Cut(self.at))
    }

    fn wrong<T>(&self, expected: &'static str) -> Result<T, Stop> {
        Err(Stop::Wrong(self.at, expected))
    }

    /// Goes into an object; false where the value is something else, which is skipped.
    pub fn object(&mut self) -> Result<bool, Stop> {
        self.enter(b'{')
    }

    /// Goes into an array; false where the value is something else, which is skipped.
    pub fn array(&mut self) -> Result<bool, Stop> {
        self.enter(b'[')
    }

    fn enter(&mut self, bracket: u8) -> Result<bool, Stop> {
        if self.peek()? != bracket {
            self.skip()?;
            return Ok(false);
        }
        self.at += 1;
        self.fresh = true;
        Ok(true)
    }

    /// In an object: the next key, or none at its end.
    pub fn key(&mut self) -> Result<Option<String>, Stop> {
        if !self.separated(b'}')? {
            return Ok(None);
        }
        if self.peek()? != b'"' {
            return self.wrong("a key in quotation marks");
        }
        let key = self.string()?;
        if self.peek()? != b':' {
            return self.wrong("a colon");
        }
        self.at += 1;
        Ok(Some(key))
    }

    /// In an array: whether there is another item; else the array is left.
    pub fn item(&mut self) -> Result<bool, Stop> {
        self.separated(b']')
    }

    fn separated(&mut self, close: u8) -> Result<bool, Stop> {
        let mut next = self.peek()?;
        if !self.fresh && next == b',' {
            self.at += 1;
            next = self.peek()?;
        } else if !self.fresh && next != close {
            return self.wrong("a comma or a closing bracket");
        }
        self.fresh = false;
        if next == close {
            self.at += 1;
        }
        Ok(next != close)
    }

    /// A whole number; none where the value is something else, which is skipped.
    pub fn whole(&mut self) -> Result<Option<i64>, Stop> {
        let first = self.peek()?;
        if !matches!(first, b'-' | b'0'..=b'9') {
            self.skip()?;
            return Ok(None);
        }
        let text = self.word();
        if let Some(number) = digits(text) {
            return Ok(Some(number));
        }
        let number = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok());
        let number = number.filter(|number| number.fract() == 0.0 && number.abs() < 9.0e18);
        Ok(number.map(|number| number as i64))
    }

    /// A text; none where the value is something else, which is skipped.
    pub fn text(&mut self) -> Result<Option<String>, Stop> {
        if self.peek()? != b'"' {
            self.skip()?;
            return Ok(None);
        }
        self.string().map(Some)
    }

    fn word(&mut self) -> &'t [u8] {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b':' | b' ' | b'\n' | b'\r' | b'\t');
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        self.at += length;
        self.fresh = false;
        rest.get(..length).unwrap_or_default()
    }

    fn string(&mut self) -> Result<String, Stop> {
        let (from, mut escaped) = (self.at + 1, false);
        self.pass_string(&mut escaped)?;
        let inner = self.text.get(from..self.at - 1).unwrap_or_default();
        if !escaped {
            return Ok(String::from_utf8_lossy(inner).into_owned());
        }
        Ok(unescaped(&String::from_utf8_lossy(inner)))
    }

    /// Goes past a text whose quotation mark stands here.
    fn pass_string(&mut self, escaped: &mut bool) -> Result<(), Stop> {
        self.at += 1;
        self.fresh = false;
        loop {
            match self.text.get(self.at) {
                None => return Err(Stop::Cut(self.at)),
                Some(b'"') => break,
                Some(b'\\') => {
                    *escaped = true;
                    self.at += 2;
                }
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Goes past a value of any kind.
    pub fn skip(&mut self) -> Result<(), Stop> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => self.pass_string(&mut false)?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                _ => {
                    if self.word().is_empty() {
                        return self.wrong("a value");
                    }
                }
            }
            if depth == 0 {
                self.fresh = false;
                return Ok(());
            }
        }
    }
}

fn digits(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text.split_first()? {
        (b'-', rest) => (true, rest),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let number = digits.iter().try_fold(0_i64, |number, byte| {
        let digit = i64::from(byte.checked_sub(b'0').filter(|digit| *digit < 10)?);
        number.checked_mul(10)?.checked_add(digit)
    })?;
    Some(if negative { -number } else { number })
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('u') => {
                let code: String = chars.by_ref().take(4).collect();
                let number = u32::from_str_radix(&code, 16).ok();
                out.push(number.and_then(char::from_u32).unwrap_or('\u{fffd}'));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_read() {
        let mut json = Json::new(
            br#" {"a": [1, -2, 9007199254740993, 1e3, "x", 2.5], "b\n": {"c": [[], {}]}, "d": "q\"\u0041"} "#,
        );
        assert_eq!(json.object(), Ok(true));
        assert_eq!(json.key(), Ok(Some("a".to_owned())));
        assert_eq!(json.array(), Ok(true));
        let mut found = Vec::new();
        while json.item() == Ok(true) {
            found.push(json.whole());
        }
        let expected = [Some(1), Some(-2), Some(9_007_199_254_740_993), Some(1000), None, None];
        assert_eq!(found, expected.map(Ok));
        assert_eq!(json.key(), Ok(Some("b\n".to_owned())));
        assert_eq!(json.skip(), Ok(()));
        assert_eq!(json.key(), Ok(Some("d".to_owned())));
        assert_eq!(json.text(), Ok(Some("q\"A".to_owned())));
        assert_eq!(json.key(), Ok(None));
    }

    #[test]
    fn every_cut_ends_the_reading() {
        let text = br#"{"a":[1,{"b":"c\\"}],"d":null}"#;
        for end in 0..text.len() {
            assert!(Json::new(&text[..end]).skip().is_err(), "{end}");
        }
        assert_eq!(Json::new(text).skip(), Ok(()));
    }

    #[test]
    fn deep_nesting_is_passed() {
        let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
        assert_eq!(Json::new(&deep).skip(), Ok(()));
    }
}
