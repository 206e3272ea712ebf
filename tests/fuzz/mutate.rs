//! Inputs made of seeds: bytes, words and numbers changed, pieces of others put in, trees changed as trees.

use warpspan::base::Seeded;

use super::seeds::Pool;
use super::tree;

/// Numbers at the ends of what types hold, around limits of the formats, and what is nearly a number.
const NUMBERS: [&str; 34] = [
    "0",
    "1",
    "-1",
    "2",
    "-0",
    "64",
    "65",
    "255",
    "256",
    "1024",
    "1025",
    "10000",
    "10001",
    "65535",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e9",
    "1e18",
    "1e308",
    "1e-308",
    "0.5",
    "-0.1",
    "1e999",
];
/// Pieces that mean something in one of the formats.
const PIECES: [&str; 48] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "(",
    ")",
    "<",
    ">",
    "&",
    ";",
    "=",
    "/",
    "\\",
    "\0",
    "\n",
    "\r\n",
    "\t",
    "é",
    "\u{202e}",
    "\u{feff}",
    "𝕏",
    "null",
    "true",
    "-",
    "e",
    ".",
    "%",
    "@%p1 ",
    "bra $L1;",
    "$L1:",
    "ret;",
    "exit;",
    "ld.global.f32 %f1, [%r1];",
    "bar.sync 0;",
    ".visible .entry k() {",
    "<!-- ",
    " -->",
    "<![CDATA[",
    "]]>",
    "&lt;",
    "&#0;",
    "xsi:type=\"am:",
    "&c=",
    "&v=1",
    "#v=1&s=",
];
/// The most an input grows to.
const LONGEST: usize = 48 << 10;

/// Makes inputs out of a pool, one after the other.
pub struct Mutator<'a> {
    pool: &'a Pool,
    rng: Seeded,
}

impl<'a> Mutator<'a> {
    /// The inputs of a seed.
    pub fn new(pool: &'a Pool, seed: u64) -> Self {
        Self { pool, rng: Seeded::new(seed, 41) }
    }

    /// The next input. Where there are trees, half of all inputs are changed as such, and some of those as bytes too.
    pub fn input(&mut self) -> Vec<u8> {
        let as_tree = !self.pool.trees.is_empty() && self.rng.below(2) == 0;
        let mut bytes = if as_tree {
            tree::changed(&mut self.rng, self.pool).to_string().into_bytes()
        } else {
            pick(&mut self.rng, &self.pool.texts).clone()
        };
        let changes = if as_tree { self.rng.below(8) / 7 } else { 1 + self.rng.below(4) };
        for _ in 0..changes {
            self.change(&mut bytes);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let rng = &mut self.rng;
        let at = rng.below(bytes.len() as u32 + 1) as usize;
        match rng.below(14) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            1 if at < bytes.len() => bytes[at] = rng.below(256) as u8,
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(..at)),
            4 => drop(bytes.drain(piece(rng, at, bytes.len(), 60))),
            5 => {
                let copied = bytes[piece(rng, at, bytes.len(), 200)].to_vec();
                let to = rng.below(bytes.len() as u32 + 1) as usize;
                bytes.splice(to..to, copied);
            }
            // The same again and again: what is deep, and what is long.
            6 => {
                let copied = bytes[piece(rng, at, bytes.len(), 12)].repeat(1 << rng.below(9));
                bytes.splice(at..at, copied);
            }
            7 | 8 => put(bytes, at, rng.below(2) == 0, number(rng).as_bytes()),
            9 => put_at(bytes, at, PIECES[rng.below(PIECES.len() as u32) as usize].as_bytes()),
            10 if !self.pool.words.is_empty() => put_at(bytes, at, pick(rng, &self.pool.words).as_bytes()),
            11 if !self.pool.words.is_empty() => exchange(bytes, at, pick(rng, &self.pool.words).as_bytes()),
            12 => {
                let other = pick(rng, &self.pool.texts);
                let from = rng.below(other.len() as u32 + 1) as usize;
                let other = other[piece(rng, from, other.len(), 400)].to_vec();
                bytes.splice(at..at, other);
            }
            // The beginning of one and the end of another.
            _ => {
                let other = pick(rng, &self.pool.texts);
                let from = rng.below(other.len() as u32 + 1) as usize;
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
        }
    }
}

/// One of them.
pub fn pick<'a, T>(rng: &mut Seeded, items: &'a [T]) -> &'a T {
    &items[rng.below(items.len() as u32) as usize]
}

/// A number as it might stand in any document.
pub fn number(rng: &mut Seeded) -> &'static str {
    NUMBERS[rng.below(NUMBERS.len() as u32) as usize]
}

/// From `at` on, so many at the most.
fn piece(rng: &mut Seeded, at: usize, length: usize, most: u32) -> std::ops::Range<usize> {
    at..(at + 1 + rng.below(most) as usize).min(length).max(at)
}

fn put_at(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

/// Puts a number in place of the next one, or behind some of its digits.
fn put(bytes: &mut Vec<u8>, at: usize, whole: bool, number: &[u8]) {
    let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|ahead| at + ahead) else {
        return put_at(bytes, at, number);
    };
    let digits = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = if whole { start + digits } else { start };
    bytes.splice(start..end, number.iter().copied());
}

/// Puts a word in place of the next one.
fn exchange(bytes: &mut Vec<u8>, at: usize, word: &[u8]) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.%".contains(byte);
    let start = bytes[at..].iter().position(is_word).map_or(at, |ahead| at + ahead);
    let length = bytes[start..].iter().take_while(|byte| is_word(byte)).count();
    bytes.splice(start..start + length, word.iter().copied());
}
