//! Columns in sight, as pictures draw them; what was found of them is kept.

use std::ops::Range;

use crate::page::Shown;
use kit::draw::Scale;
use kit::timeline::columns::{self, level, meeting, width};

/// Width of the narrowest column.
pub(super) const COLUMN: f64 = 2.0;

/// Columns of rows.
pub(super) type Columns = columns::Columns<Shown>;

/// Columns in sight, those beside each other that show the same as one: what they show, and from where to where. `work`
/// works out those of a row that are so wide.
pub(super) fn stretches(
    row: usize,
    work: impl Fn(f64, Range<i64>, &mut Vec<Shown>),
    scale: &Scale,
    narrowest: f64,
    columns: &mut Columns,
) -> Vec<(Shown, f64, f64)> {
    let level = level(narrowest / scale.per_unit());
    let (wide, which) = (width(level), meeting(level, scale.from, scale.to));
    let pixel = |column: i64| scale.pixel(column as f64 * wide).clamp(scale.left, scale.right);
    let work = |which, put: &mut Vec<Shown>| work(wide, which, put);
    let mut found: Vec<(Shown, i64, i64)> = Vec::new();
    for (&shown, column) in columns.of(row, level, which.clone(), work).iter().zip(which) {
        match found.last_mut() {
            Some((last, _, end)) if *last == shown && *end == column => *end = column + 1,
            _ if shown == Shown::default() => {}
            _ => found.push((shown, column, column + 1)),
        }
    }
    found.into_iter().map(|(shown, from, to)| (shown, pixel(from), pixel(to))).collect()
}
