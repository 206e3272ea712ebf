//! code.json: the lines of code, by the columns that its header names.

use std::collections::HashMap;

use waves::capture::{Capture, Line};
use waves::isa::Op;

use crate::files::Files;
use crate::json::{Json, Stop};

/// Where the columns stand.
struct Columns {
    text: usize,
    number: usize,
    source: usize,
    address: usize,
}

impl Columns {
    /// As all versions known so far have them.
    const USUAL: Self = Self { text: 0, number: 2, source: 3, address: 5 };

    fn of(header: &str) -> Self {
        let names: Vec<&str> = header.split(',').map(str::trim).collect();
        let at = |name: &str, usual: usize| {
            names.iter().position(|own| own.eq_ignore_ascii_case(name)).unwrap_or(usual)
        };
        Self {
            text: at("ISA", Self::USUAL.text),
            number: at("LineNumber", Self::USUAL.number),
            source: at("Source", Self::USUAL.source),
            address: at("Vaddr", Self::USUAL.address),
        }
    }
}

/// A value of a row.
enum Value {
    Text(String),
    Whole(i64),
    Other,
}

type Row = Vec<Value>;

/// Reads the code into the capture, and says which of its lines a number is.
pub(crate) fn read(files: &mut dyn Files, folder: &str, capture: &mut Capture) -> HashMap<u32, u32> {
    let mut numbers = HashMap::new();
    let bytes = match files.bytes(&format!("{folder}code.json")) {
        Ok(bytes) => bytes,
        Err(why) => {
            capture
                .leave_out(format!("code.json: {why}; what instructions do is told by their kinds alone"), 1);
            return numbers;
        }
    };
    let (mut rows, mut columns) = (Vec::new(), Columns::USUAL);
    let done = object(&mut Json::new(&bytes), &mut rows, &mut columns);
    drop(bytes);
    if let Err(stop) = done {
        capture.leave_out(format!("what follows in code.json: {}", stop.said()), 1);
    }
    let mut kernel = None;
    for row in rows {
        let Some(Value::Text(text)) = row.get(columns.text) else {
            capture.leave_out("rows of code.json without an instruction".to_owned(), 1);
            continue;
        };
        if let Some(name) = text.strip_prefix(';') {
            kernel = Some(capture.kernels.len() as u32);
            capture.kernels.push(name.trim().to_owned());
            continue;
        }
        let whole = |at: usize| match row.get(at) {
            Some(Value::Whole(number)) => Some(*number),
            _ => None,
        };
        let Some(number) = whole(columns.number).and_then(|number| u32::try_from(number).ok()) else {
            capture.leave_out("rows of code.json without a number".to_owned(), 1);
            continue;
        };
        let source = match row.get(columns.source) {
            Some(Value::Text(source)) => source.clone(),
            _ => String::new(),
        };
        let address =
            whole(columns.address).and_then(|address| u64::try_from(address).ok()).unwrap_or_default();
        let place = capture.lines.len() as u32;
        if numbers.insert(number, place).is_some() {
            capture.leave_out(
                "rows of code.json with the number of an earlier row, which they replace".to_owned(),
                1,
            );
        }
        let op = Op::of(text, capture.generation);
        capture.lines.push(Line { number, text: text.clone(), source, address, kernel, op });
    }
    numbers
}

fn object(json: &mut Json<'_>, rows: &mut Vec<Row>, columns: &mut Columns) -> Result<(), Stop> {
    if !json.object()? {
        return Ok(());
    }
    while let Some(key) = json.key()? {
        match key.as_str() {
            "header" => {
                if let Some(header) = json.text()? {
                    *columns = Columns::of(&header);
                }
            }
            "code" => {
                if !json.array()? {
                    continue;
                }
                while json.item()? {
                    rows.push(row(json)?);
                }
            }
            _ => json.skip()?,
        }
    }
    Ok(())
}

fn row(json: &mut Json<'_>) -> Result<Row, Stop> {
    let mut row = Vec::new();
    if !json.array()? {
        return Ok(row);
    }
    while json.item()? {
        row.push(match json.peek()? {
            b'"' => json.text()?.map_or(Value::Other, Value::Text),
            _ => json.whole()?.map_or(Value::Other, Value::Whole),
        });
    }
    Ok(row)
}
