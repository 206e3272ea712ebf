//! The rows of a study as an Apache Parquet file: column by column, each of one type, null where a row has nothing.
//!
//! Rows are read twice, as the type of a column is known only after the last of them; memory holds one row group.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use serde_json::Value;
use study_lab::table::shown;

use super::Study;
use super::table::columns;

/// A row group has about so many values.
const GROUP_VALUES: usize = 1 << 20;
/// And about so many bytes of rows at most.
const GROUP_BYTES: usize = 64 << 20;
/// Up to here every whole number is a floating-point number, too.
const LARGEST_EXACT: u64 = 1 << 53;

/// What all values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Truth,
    /// Whole numbers that are also floating-point numbers.
    Whole,
    /// Whole numbers, of which some are not.
    Long,
    Number,
    /// Texts; anything else as text.
    Text,
}

impl Kind {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Null => None,
            Value::Bool(_) => Some(Self::Truth),
            Value::Number(number) => Some(match (number.as_i64(), number.as_u64()) {
                (Some(whole), _) if whole.unsigned_abs() <= LARGEST_EXACT => Self::Whole,
                (Some(_), _) => Self::Long,
                (None, Some(_)) => Self::Text, // too large for either
                (None, None) => Self::Number,
            }),
            _ => Some(Self::Text),
        }
    }

    /// What holds values of both, without changing any.
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Whole, Self::Long) | (Self::Long, Self::Whole) => Self::Long,
            (Self::Whole, Self::Number) | (Self::Number, Self::Whole) => Self::Number,
            _ => Self::Text,
        }
    }

    fn physical(self) -> Physical {
        match self {
            Self::Truth => Physical::BOOLEAN,
            Self::Whole | Self::Long => Physical::INT64,
            Self::Number => Physical::DOUBLE,
            Self::Text => Physical::BYTE_ARRAY,
        }
    }
}

/// Writes the rows that `open` opens.
pub(super) fn write<R: BufRead>(
    study: &Study,
    open: impl Fn() -> io::Result<R>,
    out: &mut (impl Write + Send),
) -> io::Result<()> {
    let columns = columns(study);
    let names = columns.names();
    let fields = |row: &str| columns.fields(row).map_err(|problem| io::Error::other(problem.to_string()));
    let mut kinds: Vec<Option<Kind>> = vec![None; names.len()];
    for row in open()?.lines() {
        for (kind, value) in kinds.iter_mut().zip(fields(&row?)?) {
            *kind = match (*kind, Kind::of(&value)) {
                (Some(one), Some(other)) => Some(one.with(other)),
                (one, other) => one.or(other),
            };
        }
    }
    // What no row has is nothing in any type; a problem would be a text.
    let problem = names.len() - 1;
    let kinds: Vec<Kind> = kinds
        .into_iter()
        .enumerate()
        .map(|(at, kind)| kind.unwrap_or(if at == problem { Kind::Text } else { Kind::Number }))
        .collect();
    let properties = WriterProperties::builder()
        .set_created_by(concat!("warpspan version ", env!("CARGO_PKG_VERSION")).to_owned())
        .build();
    let schema = schema(&names, &kinds).map_err(failed)?;
    let mut file = SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(failed)?;
    let (mut group, mut bytes) = (vec![Vec::new(); names.len()], 0);
    for row in open()?.lines() {
        let row = row?;
        for (column, value) in group.iter_mut().zip(fields(&row)?) {
            column.push(value);
        }
        bytes += row.len();
        if group[0].len() * names.len() >= GROUP_VALUES || bytes >= GROUP_BYTES {
            write_group(&mut file, &kinds, &mut group)?;
            bytes = 0;
        }
    }
    if !group[0].is_empty() {
        write_group(&mut file, &kinds, &mut group)?;
    }
    file.close().map_err(failed).map(|_| ())
}

fn failed(error: ParquetError) -> io::Error {
    io::Error::other(error.to_string())
}

fn schema(names: &[String], kinds: &[Kind]) -> Result<Arc<Type>, ParquetError> {
    let columns = names.iter().zip(kinds).map(|(name, kind)| {
        let text = (*kind == Kind::Text).then_some(LogicalType::String);
        Type::primitive_type_builder(name, kind.physical())
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(text)
            .build()
            .map(Arc::new)
    });
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("rows").with_fields(columns).build().map(Arc::new)
}

/// Writes the rows that were gathered, column by column, and forgets them.
fn write_group<W: Write + Send>(
    file: &mut SerializedFileWriter<W>,
    kinds: &[Kind],
    columns: &mut [Vec<Value>],
) -> io::Result<()> {
    let mut group = file.next_row_group().map_err(failed)?;
    for (kind, values) in kinds.iter().zip(columns) {
        match kind {
            Kind::Truth => column::<BoolType, _>(&mut group, values, Value::as_bool),
            Kind::Whole | Kind::Long => column::<Int64Type, _>(&mut group, values, Value::as_i64),
            Kind::Number => column::<DoubleType, _>(&mut group, values, Value::as_f64),
            Kind::Text => column::<ByteArrayType, _>(&mut group, values, |value| {
                (!value.is_null()).then(|| ByteArray::from(shown(value).into_bytes()))
            }),
        }
        .map_err(failed)?;
        values.clear();
    }
    group.close().map_err(failed).map(|_| ())
}

fn column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[Value],
    taken: impl Fn(&Value) -> Option<T::T>,
) -> Result<(), ParquetError> {
    let there: Vec<i16> = values.iter().map(|value| i16::from(!value.is_null())).collect();
    let values: Vec<T::T> = values.iter().filter_map(taken).collect();
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    column.typed::<T>().write_batch(&values, Some(&there), None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_type_holds_all_values_of_a_column() {
        let kind = |values: &[Value]| values.iter().filter_map(Kind::of).reduce(Kind::with);
        for (values, expected) in [
            (json!([1, 2]), Kind::Whole),
            (json!([null, 1, 2.5]), Kind::Number),
            (json!([i64::MAX, 1]), Kind::Long),
            (json!([i64::MAX, 0.5]), Kind::Text),
            (json!([u64::MAX]), Kind::Text),
            (json!([true, false]), Kind::Truth),
            (json!([true, 1]), Kind::Text),
            (json!(["a", 1]), Kind::Text),
            (json!([[1], {"a": 1}]), Kind::Text),
        ] {
            assert_eq!(kind(values.as_array().expect("a list")), Some(expected), "{values}");
        }
        assert_eq!(kind(&[Value::Null]), None);
    }
}
