//! A table's rows, by walking its b-tree: inner pages, leaves, overflow pages (SQLite's file format, sections 1.6, 1.7).
//!
//! Invariants: in a walk every page is used at most once, so that no damage makes it endless; what is damaged is left
//! out and counted, and the walk goes on with what is sound.

use super::pages::{Fault, Pages};
use super::record::{unsigned, varint};

/// What a walk found damaged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Damage {
    /// Pages, with all below them, and rows that were left out.
    pub count: u64,
    /// The first of them, in words.
    pub first: Option<String>,
}

impl Damage {
    fn add(&mut self, what: String) {
        self.count += 1;
        self.first.get_or_insert(what);
    }
}

/// The pages that a walk has used.
struct Used(Vec<u64>);

impl Used {
    fn new(pages: u32) -> Self {
        Self(vec![0; pages as usize / 64 + 1])
    }

    /// Marks a page, and says whether it was not yet.
    fn first(&mut self, page: u32) -> bool {
        let bit = 1 << (page % 64);
        match self.0.get_mut(page as usize / 64) {
            Some(word) if *word & bit == 0 => {
                *word |= bit;
                true
            }
            _ => false,
        }
    }
}

/// What a row holds, read as far as it is asked for.
pub struct Payload<'w, 'a> {
    pages: &'w mut Pages<'a>,
    used: &'w mut Used,
    /// As much of it as lies in its leaf.
    local: &'w [u8],
    /// The same and what follows, once that was asked for.
    bytes: &'w mut Vec<u8>,
    page: &'w mut Vec<u8>,
    total: usize,
    next: u32,
}

impl Payload<'_, '_> {
    /// All bytes that it has.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Those that were read.
    pub fn bytes(&self) -> &[u8] {
        if self.bytes.is_empty() { self.local } else { self.bytes }
    }

    /// Reads on until so many bytes are there, or all.
    pub fn ensure(&mut self, count: usize) -> Result<(), Fault> {
        let count = count.min(self.total);
        if count > self.local.len() && self.bytes.is_empty() {
            self.bytes.extend_from_slice(self.local);
        }
        while self.bytes().len() < count {
            if !self.used.first(self.next) {
                return Err(Fault::Damaged(format!(
                    "overflow page {} is used twice, or not there",
                    self.next
                )));
            }
            self.pages.page(self.next, self.page)?;
            self.next = number_at(self.page, 0).unwrap_or(0);
            let most = self.pages.usable().min(self.total - self.bytes.len() + 4);
            self.bytes.extend_from_slice(self.page.get(4..most).unwrap_or_default());
        }
        Ok(())
    }
}

/// What is done with a row: its number, and what it holds.
pub type OnRow<'f> = dyn FnMut(i64, &mut Payload<'_, '_>) -> Result<(), Fault> + 'f;

struct Level {
    page: Vec<u8>,
    number: u32,
    next: usize,
}

/// Goes through all rows of the tree below a page, in the order of their numbers.
pub fn walk(pages: &mut Pages<'_>, root: u32, on_row: &mut OnRow<'_>) -> Result<Damage, Fault> {
    let mut damage = Damage::default();
    let mut used = Used::new(pages.count());
    let mut stack: Vec<Level> = Vec::new();
    let mut spare = Vec::new();
    let (mut bytes, mut overflow) = (Vec::new(), Vec::new());
    let mut below = Some(root);
    loop {
        if let Some(number) = below.take() {
            let mut page = std::mem::take(&mut spare);
            match enter(pages, &mut used, number, &mut page) {
                Ok(()) => stack.push(Level { page, number, next: 0 }),
                Err(Fault::Damaged(what)) => damage.add(what),
                Err(halt) => return Err(halt),
            }
        }
        let Some(level) = stack.last_mut() else { return Ok(damage) };
        let place = level.next;
        level.next += 1;
        match cell(&level.page, level.number, place, pages.usable()) {
            Ok(Cell::Below(number)) => below = Some(number),
            Ok(Cell::End) => spare = stack.pop().map(|level| level.page).unwrap_or_default(),
            Ok(Cell::Row(row)) => {
                bytes.clear();
                let mut payload = Payload {
                    pages,
                    used: &mut used,
                    local: row.local,
                    bytes: &mut bytes,
                    page: &mut overflow,
                    total: row.total,
                    next: row.next,
                };
                match on_row(row.number, &mut payload) {
                    Ok(()) => {}
                    Err(Fault::Damaged(what)) => damage.add(what),
                    Err(halt) => return Err(halt),
                }
            }
            Err(what) => damage.add(what),
        }
    }
}

/// The number of a table's last row, by the tree's right edge; none where that is damaged.
pub fn last(pages: &mut Pages<'_>, root: u32) -> Result<Option<i64>, Fault> {
    let mut used = Used::new(pages.count());
    let (mut page, mut number) = (Vec::new(), root);
    loop {
        match enter(pages, &mut used, number, &mut page) {
            Ok(()) => {}
            Err(Fault::Damaged(_)) => return Ok(None),
            Err(halt) => return Err(halt),
        }
        let cells = short_at(&page, start(number) + 3).unwrap_or(0);
        let inner = page.get(start(number)) == Some(&5);
        let place = if inner { Some(cells) } else { cells.checked_sub(1) };
        match place.map(|place| cell(&page, number, place, pages.usable())) {
            Some(Ok(Cell::Below(below))) => number = below,
            Some(Ok(Cell::Row(row))) => return Ok(Some(row.number)),
            _ => return Ok(None),
        }
    }
}

fn enter(pages: &mut Pages<'_>, used: &mut Used, number: u32, page: &mut Vec<u8>) -> Result<(), Fault> {
    if !used.first(number) {
        return Err(Fault::Damaged(format!("page {number} is used twice, or not there")));
    }
    pages.page(number, page)?;
    match page.get(start(number)) {
        Some(5 | 13) => Ok(()),
        _ => Err(Fault::Damaged(format!("page {number} is no page of a table"))),
    }
}

/// The file's first page begins with the file's head.
fn start(number: u32) -> usize {
    if number == 1 { 100 } else { 0 }
}

enum Cell<'p> {
    Below(u32),
    Row(Row<'p>),
    End,
}

struct Row<'p> {
    number: i64,
    total: usize,
    local: &'p [u8],
    next: u32,
}

/// The cell at a place of a page; after the last one of an inner page comes its rightmost child.
fn cell(page: &[u8], number: u32, place: usize, usable: usize) -> Result<Cell<'_>, String> {
    let start = start(number);
    let inner = page.get(start) == Some(&5);
    let head = if inner { 12 } else { 8 };
    let cells = short_at(page, start + 3).unwrap_or(0);
    if place >= cells {
        return match number_at(page, start + 8) {
            Some(below) if inner && place == cells => Ok(Cell::Below(below)),
            _ => Ok(Cell::End),
        };
    }
    let damaged = || format!("cell {place} of page {number} lies outside it");
    let from = short_at(page, start + head + 2 * place).ok_or_else(damaged)?;
    if inner {
        return number_at(page, from).map(Cell::Below).ok_or_else(damaged);
    }
    row(page, from, usable).map(Cell::Row).ok_or_else(damaged)
}

/// A row of a leaf: how long it is, its number, as much of it as lies here, and where the rest is.
fn row(page: &[u8], from: usize, usable: usize) -> Option<Row<'_>> {
    let (total, took) = varint(page.get(from..)?)?;
    let from = from + took;
    let (number, took) = varint(page.get(from..)?)?;
    let from = from + took;
    let total = usize::try_from(total).ok().filter(|&total| total <= i32::MAX as usize)?;
    let most = usable - 35;
    if total <= most {
        return Some(Row {
            number: number.cast_signed(),
            total,
            local: page.get(from..from + total)?,
            next: 0,
        });
    }
    let least = (usable - 12) * 32 / 255 - 23;
    let fitting = least + (total - least) % (usable - 4);
    let here = if fitting <= most { fitting } else { least };
    let local = page.get(from..from + here)?;
    Some(Row { number: number.cast_signed(), total, local, next: number_at(page, from + here)? })
}

fn short_at(page: &[u8], from: usize) -> Option<usize> {
    usize::try_from(unsigned(page.get(from..from + 2)?)).ok()
}

fn number_at(page: &[u8], from: usize) -> Option<u32> {
    u32::try_from(unsigned(page.get(from..from + 4)?)).ok()
}
