//! JSON read piece by piece from a feed: never more of it at once than one text.
//!
//! A reader asks for what it expects: enter an object, its next key, a value of one kind, or skip it. Whatever else is
//! there is skipped, so that a file with other content than expected only gives less.
//!
//! Invariants: memory is one window of the feed and one text of at most [`MOST_TEXT`] bytes; no recursion; after the
//! first [`Stop`] nothing is read. More is accepted than JSON allows (a comma before a closing bracket, NaN and the
//! like, escapes that do not exist), since profilers write such.

mod decimal;
mod number;

pub use decimal::{Scaled, scaled};

use crate::source::{Feed, Halt};

/// Bytes held of the feed.
const WINDOW: usize = 1 << 16;
/// Bytes kept of one text; the rest of a longer one is passed over.
pub const MOST_TEXT: usize = 1 << 20;

/// Why the reading ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The text is cut off.
    Cut,
    /// At this place it is not JSON.
    Wrong(&'static str),
    /// The feed ended it.
    Halt(Halt),
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

/// What kind of value was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// A text.
    Text,
    /// A number, as it is written.
    Number,
    /// True, false or null, as it is written.
    Word,
    /// An object or an array, which was skipped.
    Other,
}

/// A text being read.
pub struct Reader<'f> {
    feed: &'f mut dyn Feed,
    window: Vec<u8>,
    at: usize,
    filled: usize,
    before: u64,
    /// No value of the container that is being read has come yet.
    fresh: bool,
    /// Where in the window the key or the value lies that was read last, if it lies there in one piece.
    whole: Option<(usize, usize)>,
    /// Else it is here.
    text: Vec<u8>,
}

impl<'f> Reader<'f> {
    /// At the beginning of a feed.
    pub fn new(feed: &'f mut dyn Feed) -> Self {
        let (window, text) = (vec![0; WINDOW], Vec::new());
        Self { feed, window, at: 0, filled: 0, before: 0, fresh: true, whole: None, text }
    }

    /// How many bytes were read.
    pub fn position(&self) -> u64 {
        self.before + self.at as u64
    }

    /// What the feed says of itself.
    pub fn note(&self) -> Option<String> {
        self.feed.note()
    }

    /// The key or the value that was read last.
    pub fn text(&self) -> &str {
        std::str::from_utf8(self.bytes()).unwrap_or_default()
    }

    /// The same, as bytes: keys are compared with what is looked for, and are a text or not.
    pub fn bytes(&self) -> &[u8] {
        match self.whole {
            Some((from, to)) => self.window.get(from..to).unwrap_or_default(),
            None => &self.text,
        }
    }

    /// The next byte that is no space; it is not taken.
    pub fn peek(&mut self) -> Result<u8, Stop> {
        // Mostly there is no space.
        if let Some(&byte) = self.window.get(self.at).filter(|byte| self.at < self.filled && **byte > b' ') {
            return Ok(byte);
        }
        loop {
            let rest = self.window.get(self.at..self.filled).unwrap_or_default();
            match rest.iter().position(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) {
                Some(place) => {
                    self.at += place;
                    return Ok(rest.get(place).copied().unwrap_or_default());
                }
                None => {
                    self.at = self.filled;
                    self.refill()?;
                }
            }
        }
    }

    fn refill(&mut self) -> Result<(), Stop> {
        if let Some((from, to)) = self.whole.take() {
            self.text.clear();
            self.text.extend_from_slice(self.window.get(from..to).unwrap_or_default());
        }
        self.before += self.filled as u64;
        self.at = 0;
        self.filled = 0;
        self.filled = self.feed.feed(&mut self.window)?;
        if self.filled == 0 { Err(Stop::Cut) } else { Ok(()) }
    }

    /// The next byte, whatever it is; it is not taken.
    fn byte(&mut self) -> Result<u8, Stop> {
        loop {
            match self.window.get(self.at).filter(|_| self.at < self.filled) {
                Some(&byte) => return Ok(byte),
                None => self.refill()?,
            }
        }
    }

    fn take(&mut self) -> Result<u8, Stop> {
        let byte = self.byte()?;
        self.at += 1;
        Ok(byte)
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

    /// In an object: reads the next key, or leaves the object and gives false.
    pub fn key(&mut self) -> Result<bool, Stop> {
        if !self.separated(b'}')? {
            return Ok(false);
        }
        if self.peek()? != b'"' {
            return Err(Stop::Wrong("a key in quotation marks"));
        }
        self.at += 1;
        self.string(true)?;
        if self.peek()? != b':' {
            return Err(Stop::Wrong("a colon after a key"));
        }
        self.at += 1;
        Ok(true)
    }

    /// In an array: whether there is another item; else the array is left.
    pub fn item(&mut self) -> Result<bool, Stop> {
        self.separated(b']')
    }

    /// Takes the comma before what comes next, or the closing bracket.
    fn separated(&mut self, close: u8) -> Result<bool, Stop> {
        let mut next = self.peek()?;
        if !self.fresh && next == b',' {
            self.at += 1;
            next = self.peek()?;
        } else if !self.fresh && next != close {
            return Err(Stop::Wrong("a comma or a closing bracket"));
        }
        self.fresh = false;
        if next == close {
            self.at += 1;
        }
        Ok(next != close)
    }

    /// Reads a value that is neither object nor array; those are skipped.
    pub fn scalar(&mut self) -> Result<Scalar, Stop> {
        self.fresh = false;
        self.forget();
        match self.peek()? {
            b'"' => {
                self.at += 1;
                self.string(true)?;
                Ok(Scalar::Text)
            }
            b'{' | b'[' => {
                self.skip()?;
                Ok(Scalar::Other)
            }
            _ => {
                self.word()?;
                let number = matches!(self.bytes().first(), Some(b'-' | b'+' | b'.' | b'0'..=b'9'));
                Ok(if number { Scalar::Number } else { Scalar::Word })
            }
        }
    }

    /// Reads what is written without quotation marks.
    fn word(&mut self) -> Result<(), Stop> {
        self.forget();
        loop {
            let rest = self.window.get(self.at..self.filled).unwrap_or_default();
            let end = rest.iter().position(
                |byte| !matches!(byte, b'-' | b'+' | b'.' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z'),
            );
            if let Some(end) = end.filter(|&end| end > 0 && self.text.is_empty()) {
                self.whole = Some((self.at, self.at + end));
                self.at += end;
                return Ok(());
            }
            let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            keep(&mut self.text, word);
            self.at += word.len();
            if end.is_some() {
                break;
            }
            self.refill()?;
        }
        if self.text.is_empty() { Err(Stop::Wrong("a value")) } else { Ok(()) }
    }

    /// Passes over a value, whatever it is.
    pub fn skip(&mut self) -> Result<(), Stop> {
        self.fresh = false;
        let mut depth = 0_u64;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    self.string(false)?;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                _ => self.word()?,
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Reads a text up to its closing mark, and keeps it or not.
    fn string(&mut self, kept: bool) -> Result<(), Stop> {
        self.forget();
        loop {
            let rest = self.window.get(self.at..self.filled).unwrap_or_default();
            let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'));
            if let Some(end) = end.filter(|&end| rest.get(end) == Some(&b'"') && self.text.is_empty()) {
                let sound = !kept
                    || rest
                        .get(..end)
                        .is_some_and(|text| text.is_ascii() || std::str::from_utf8(text).is_ok());
                if sound && end <= MOST_TEXT {
                    self.whole = Some((self.at, self.at + if kept { end } else { 0 }));
                    self.at += end + 1;
                    return Ok(());
                }
            }
            let plain = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            if kept {
                keep(&mut self.text, plain);
            }
            self.at += plain.len();
            match end.and_then(|_| self.window.get(self.at)) {
                None => self.refill()?,
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                Some(_) => self.escape(kept)?,
            }
        }
        if !self.text.is_ascii() && std::str::from_utf8(&self.text).is_err() {
            self.text = String::from_utf8_lossy(&self.text).into_owned().into_bytes();
        }
        Ok(())
    }

    /// Lets go of what was read last.
    fn forget(&mut self) {
        self.whole = None;
        self.text.clear();
    }

    fn escape(&mut self, kept: bool) -> Result<(), Stop> {
        self.at += 1;
        let found = match self.take()? {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => self.unicode()?,
            other if other.is_ascii() => char::from(other),
            // The first byte of a longer character: it is kept as it is.
            other => {
                if kept {
                    keep(&mut self.text, &[other]);
                }
                return Ok(());
            }
        };
        if kept {
            keep(&mut self.text, found.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Ok(())
    }

    /// Four hexadecimal digits, or eight where the first four are half of a character.
    fn unicode(&mut self) -> Result<char, Stop> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) || self.byte()? != b'\\' {
            return Ok(char::from_u32(first).unwrap_or('\u{fffd}'));
        }
        self.at += 1;
        if self.byte()? != b'u' {
            // The mark that was taken belongs to another escape: without it, that one reads as plain letters.
            return Ok('\u{fffd}');
        }
        self.at += 1;
        let second = self.hex()?;
        let both = 0x10000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff);
        Ok(char::from_u32(both).filter(|_| (0xdc00..0xe000).contains(&second)).unwrap_or('\u{fffd}'))
    }

    fn hex(&mut self) -> Result<u32, Stop> {
        let mut number = 0;
        for _ in 0..4 {
            match char::from(self.byte()?).to_digit(16) {
                Some(digit) => number = number << 4 | digit,
                None => return Ok(0xfffd),
            }
            self.at += 1;
        }
        Ok(number)
    }
}

fn keep(text: &mut Vec<u8>, more: &[u8]) {
    let room = MOST_TEXT.saturating_sub(text.len()).min(more.len());
    text.extend_from_slice(more.get(..room).unwrap_or_default());
}

#[cfg(test)]
mod tests;
