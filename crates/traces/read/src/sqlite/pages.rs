//! Pages of a database file: its head, and pages read through a small cache of longer stretches.
//!
//! Invariants: no page outside the file is ever read; at most [`MOST`] stretches of [`STRETCH`] bytes are held.
//! Source: SQLite's file format, sections 1.2 and 1.3.

use super::record::unsigned;
use crate::source::{Halt, Tracked};

/// Bytes read at once: leaves of one table mostly lie one after the other.
const STRETCH: usize = 1 << 16;
/// Stretches held.
const MOST: usize = 64;
/// How a database begins.
pub const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Why a page, or a row, is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The file is not what it should be at this place.
    Damaged(String),
    /// The reading ended.
    Halt(Halt),
}

impl From<Halt> for Fault {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

/// How texts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-16, the less significant byte first.
    Utf16Le,
    /// UTF-16, the more significant byte first.
    Utf16Be,
}

/// The pages of a file.
pub struct Pages<'a> {
    source: Tracked<'a>,
    size: usize,
    usable: usize,
    count: u32,
    encoding: Encoding,
    wal: bool,
    told: u32,
    held: Vec<Stretch>,
    turn: u64,
}

struct Stretch {
    number: u64,
    turn: u64,
    bytes: Vec<u8>,
}

impl<'a> Pages<'a> {
    /// Reads the head of a file.
    pub fn open(mut source: Tracked<'a>) -> Result<Self, Fault> {
        let mut head = [0; 100];
        let count = source.read_at(0, &mut head)?;
        if count < head.len() || !head.starts_with(MAGIC) {
            return Err(Fault::Damaged("the file has no head of an SQLite database".to_owned()));
        }
        let [_, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, size, size_low, write, _, reserved, ..] = head;
        let size = match unsigned(&[size, size_low]) {
            1 => 65536,
            size => usize::try_from(size).unwrap_or(0),
        };
        let usable = size.saturating_sub(usize::from(reserved));
        if !size.is_power_of_two() || size < 512 || usable < 480 {
            return Err(Fault::Damaged(format!("pages of {size} bytes, {usable} of them usable")));
        }
        let encoding = match unsigned(head.get(56..60).unwrap_or_default()) {
            2 => Encoding::Utf16Le,
            3 => Encoding::Utf16Be,
            _ => Encoding::Utf8,
        };
        let told = u32::try_from(unsigned(head.get(28..32).unwrap_or_default())).unwrap_or(0);
        let count = u32::try_from(source.len() / size as u64).unwrap_or(u32::MAX);
        Ok(Self { source, size, usable, count, encoding, wal: write == 2, told, held: Vec::new(), turn: 0 })
    }

    /// Bytes of a page.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Bytes of a page that hold something.
    pub fn usable(&self) -> usize {
        self.usable
    }

    /// Pages that the file has in full.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Pages that its head says it has and that are missing.
    pub fn missing(&self) -> u32 {
        self.told.saturating_sub(self.count)
    }

    /// How texts are written.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Whether what was written last may be in another file.
    pub fn wal(&self) -> bool {
        self.wal
    }

    /// Copies a page; pages count from 1.
    pub fn page(&mut self, number: u32, into: &mut Vec<u8>) -> Result<(), Fault> {
        if number == 0 || number > self.count {
            return Err(Fault::Damaged(format!("page {number} lies outside the file's {}", self.count)));
        }
        let from = u64::from(number - 1) * self.size as u64;
        let stretch = self.stretch(from / STRETCH as u64)?;
        // Both sizes are powers of two, so that no page lies across two stretches.
        let within = usize::try_from(from % STRETCH as u64).unwrap_or(usize::MAX);
        let page =
            within.checked_add(self.size).and_then(|end| self.held.get(stretch)?.bytes.get(within..end));
        let Some(page) = page else {
            return Err(Fault::Damaged(format!("page {number} could not be read in full")));
        };
        into.clear();
        into.extend_from_slice(page);
        Ok(())
    }

    /// The place among those held of a stretch, read if it is not there.
    fn stretch(&mut self, number: u64) -> Result<usize, Fault> {
        self.turn += 1;
        if let Some(place) = self.held.iter().position(|held| held.number == number) {
            if let Some(held) = self.held.get_mut(place) {
                held.turn = self.turn;
            }
            return Ok(place);
        }
        let mut bytes = if self.held.len() < MOST { Vec::new() } else { self.oldest() };
        bytes.resize(STRETCH, 0);
        let count = self.source.read_at(number * STRETCH as u64, &mut bytes)?;
        bytes.truncate(count);
        self.held.push(Stretch { number, turn: self.turn, bytes });
        Ok(self.held.len() - 1)
    }

    /// Takes out what was used longest ago.
    fn oldest(&mut self) -> Vec<u8> {
        let oldest = self.held.iter().enumerate().min_by_key(|(_, held)| held.turn).map(|(place, _)| place);
        oldest.map(|place| self.held.swap_remove(place).bytes).unwrap_or_default()
    }
}
