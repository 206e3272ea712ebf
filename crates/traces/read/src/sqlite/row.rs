//! A row's values: those that were asked for, decoded from what the row holds.

use super::btree::Payload;
use super::pages::{Encoding, Fault};
use super::record::{signed, size, unsigned, varint};
use std::borrow::Cow;

/// A value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'r> {
    /// None.
    Null,
    /// A whole number.
    Int(i64),
    /// Another number.
    Real(f64),
    /// A text, as the file writes it.
    Text(&'r [u8]),
    /// Bytes.
    Blob(&'r [u8]),
}

/// Where a value lies in a row, and of which type it is: of that of none where the row does not have it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    serial: u64,
    from: u32,
    to: u32,
}

/// Where the values asked for lie in rows of one form: most rows of a table have that of the row before.
#[derive(Debug, Default)]
pub(super) struct Form {
    /// The types of a row, as they are written, and how long the row's head is with them.
    types: Vec<u8>,
    head: usize,
    /// Where the last value ends.
    end: usize,
    places: Vec<Place>,
}

/// A row: the values asked for.
pub struct Row<'r> {
    number: i64,
    bytes: &'r [u8],
    places: &'r [Place],
    encoding: Encoding,
}

/// Which columns of a table are asked for.
pub(super) struct Asked {
    /// Columns and the places that they are asked for, in the order of columns.
    stored: Vec<(usize, usize)>,
    /// The places for which the row's number is asked.
    numbers: Vec<usize>,
    count: usize,
}

impl Asked {
    /// Columns by their places among those asked for; `alias` is the one that is the row's number.
    pub(super) fn new(columns: &[Option<usize>], alias: Option<usize>) -> Self {
        let places = || columns.iter().zip(0..).filter_map(|(column, place)| Some(((*column)?, place)));
        let mut stored: Vec<(usize, usize)> = places().collect();
        stored.sort_unstable();
        let numbers = places().filter(|(column, _)| Some(*column) == alias).map(|(_, place)| place);
        Self { stored, numbers: numbers.collect(), count: columns.len() }
    }
}

/// Takes the values out of what a row holds.
pub(super) fn read<'r>(
    number: i64,
    payload: &'r mut Payload<'_, '_>,
    asked: &Asked,
    encoding: Encoding,
    form: &'r mut Form,
) -> Result<Row<'r>, Fault> {
    let damaged = || Fault::Damaged(format!("row {number} is not written as rows are"));
    payload.ensure(9)?;
    let (head, took) = varint(payload.bytes()).ok_or_else(damaged)?;
    let head = usize::try_from(head).ok().filter(|&head| head <= payload.total()).ok_or_else(damaged)?;
    payload.ensure(head)?;
    let types = payload.bytes().get(took..head).ok_or_else(damaged)?;
    if form.head != head || form.types != types {
        form.head = 0;
        form.find(types, head, asked).ok_or_else(damaged)?;
    }
    if form.end > payload.total() {
        return Err(damaged());
    }
    payload.ensure(form.end)?;
    Ok(Row { number, bytes: payload.bytes(), places: &form.places, encoding })
}

impl Form {
    /// Becomes that of rows of some types.
    fn find(&mut self, types: &[u8], head: usize, asked: &Asked) -> Option<()> {
        self.places.clear();
        self.places.resize(asked.count, Place::default());
        self.end = locate(types, head, &asked.stored, &mut self.places)?;
        for &place in &asked.numbers {
            self.places.get_mut(place)?.serial = ROW_NUMBER;
        }
        self.types.clear();
        self.types.extend_from_slice(types);
        self.head = head;
        Some(())
    }
}

/// Stands for the row's number; no type has it.
const ROW_NUMBER: u64 = u64::MAX;

/// Finds where the columns lie, and where the last one ends.
fn locate(types: &[u8], head: usize, stored: &[(usize, usize)], values: &mut [Place]) -> Option<usize> {
    let last = stored.last().map_or(0, |last| last.0);
    let (mut from, mut rest, mut end) = (head, types, 0);
    let mut stored = stored.iter().peekable();
    for column in 0..=last {
        // Nearly all types are one byte.
        let (serial, took) = match rest {
            [] => break,
            [byte, ..] if *byte < 0x80 => (u64::from(*byte), 1),
            _ => varint(rest)?,
        };
        rest = rest.get(took..)?;
        let to = from.checked_add(usize::try_from(size(serial)?).ok()?)?;
        while let Some((_, place)) = stored.next_if(|own| own.0 == column) {
            let narrow = |at: usize| u32::try_from(at).ok();
            *values.get_mut(*place)? = Place { serial, from: narrow(from)?, to: narrow(to)? };
            end = to;
        }
        from = to;
    }
    Some(end)
}

impl Row<'_> {
    /// The row's number.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// The value of a column, by its place among those asked for.
    pub fn value(&self, place: usize) -> Value<'_> {
        let Some(found) = self.places.get(place) else { return Value::Null };
        let bytes = self.bytes.get(found.from as usize..found.to as usize).unwrap_or_default();
        match found.serial {
            ROW_NUMBER => Value::Int(self.number),
            1..=6 => Value::Int(signed(bytes)),
            7 => Value::Real(f64::from_bits(unsigned(bytes))),
            8 => Value::Int(0),
            9 => Value::Int(1),
            serial if serial >= 13 && serial % 2 == 1 => Value::Text(bytes),
            serial if serial >= 12 => Value::Blob(bytes),
            _ => Value::Null,
        }
    }

    /// A whole number; none where the value is something else.
    pub fn int(&self, place: usize) -> Option<i64> {
        match self.value(place) {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// A number that is not negative and has 32 bits.
    pub fn small(&self, place: usize) -> Option<u32> {
        self.int(place).and_then(|number| u32::try_from(number).ok())
    }

    /// A text; none where the value is something else.
    pub fn text(&self, place: usize) -> Option<Cow<'_, str>> {
        let Value::Text(bytes) = self.value(place) else { return None };
        Some(match self.encoding {
            Encoding::Utf8 => String::from_utf8_lossy(bytes),
            Encoding::Utf16Le => wide(bytes, u16::from_le_bytes),
            Encoding::Utf16Be => wide(bytes, u16::from_be_bytes),
        })
    }
}

fn wide(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Cow<'static, str> {
    let units = bytes.chunks_exact(2).map(|pair| match pair {
        [a, b] => unit([*a, *b]),
        _ => 0xfffd,
    });
    Cow::Owned(char::decode_utf16(units).map(|found| found.unwrap_or('\u{fffd}')).collect())
}
