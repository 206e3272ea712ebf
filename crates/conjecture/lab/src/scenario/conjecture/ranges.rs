//! The ranges of a conjecture: which parameters there are, and which values they take.

use serde_json::Value;

use base::formula::is_name;
use base::people;
use conjecture::formula::is_function;
use conjecture::grid::{NAMES, SETTABLE};
use conjecture::template::MOST_REP;
use conjecture::{MOST_CELLS, Range};
use kit::import::reader::{Reader, shown};
use warps::MOST_WARPS;
use warps_lab::scenario::warps::MOST_CAPACITY;

/// At most so many parameters, and so many that take more than one value.
pub(super) const MOST_PARAMETERS: usize = 6;
const MOST_VARYING: usize = 2;
/// The largest value of a parameter that means nothing to the model.
const LARGEST: u32 = 1_000_000;

const RANGE: &str = "a number, [from, to] or [from, to, step]";

/// Reads the `ranges` object.
pub(super) fn read(reader: &mut Reader, path: &str, value: &Value) -> Option<Vec<Range>> {
    let fields = reader.object(path, value)?;
    let keys: Vec<&str> = fields.keys().collect();
    if !(1..=MOST_PARAMETERS).contains(&keys.len()) {
        let expected = format!("1 to {MOST_PARAMETERS}");
        reader.problem(fields.path(), people::counted(keys.len(), "parameter"), expected);
        return None;
    }
    let read: Vec<Option<Range>> = keys
        .into_iter()
        .map(|name| {
            let place = fields.path_of(name);
            let taken = NAMES.iter().any(|(own, _)| *own == name) && !SETTABLE.contains(&name);
            if taken || !is_name(name) || is_function(name) {
                let expected = "W, rep, cap_L, cap_C, cap_S, cap_D, issue, or a name of your own";
                reader.problem(place, "no name for a parameter", expected);
                return None;
            }
            let allowed = match name {
                "W" => 1..=MOST_WARPS as u32,
                "rep" => 1..=MOST_REP,
                name if SETTABLE.contains(&name) => 1..=MOST_CAPACITY,
                _ => 0..=LARGEST,
            };
            let values = values(reader, &place, fields.get(name)?, allowed)?;
            Some(Range { name: name.to_owned(), values })
        })
        .collect();
    let ranges: Vec<Range> = read.into_iter().collect::<Option<_>>()?;
    let varying = ranges.iter().filter(|range| range.values.len() > 1);
    let varying: Vec<&str> = varying.map(|range| range.name.as_str()).collect();
    let cells = ranges.iter().try_fold(1usize, |cells, range| cells.checked_mul(range.values.len()));
    if varying.len() > MOST_VARYING {
        let expected = format!("at most {MOST_VARYING} with more than one value");
        reader.problem(fields.path(), format!("{} vary", people::listed(&varying)), expected);
        None
    } else if cells.is_none_or(|cells| cells > MOST_CELLS) {
        let what = cells.map_or("too many cells".to_owned(), |cells| people::counted(cells, "cell"));
        reader.problem(fields.path(), what, format!("at most {}", people::grouped(MOST_CELLS as u128)));
        None
    } else {
        Some(ranges)
    }
}

/// `4`, `[1, 6]` or `[16, 96, 16]`.
fn values(
    reader: &mut Reader,
    place: &str,
    value: &Value,
    allowed: std::ops::RangeInclusive<u32>,
) -> Option<Vec<u32>> {
    let Value::Array(items) = value else {
        if !value.is_number() {
            reader.problem(place, shown(value), RANGE);
            return None;
        }
        return reader.small(place, value, allowed).map(|only| vec![only]);
    };
    let (ends, step) = match items.len() {
        2 => (&items[..], Some(1)),
        3 => (&items[..2], reader.small(&format!("{place}[2]"), &items[2], 1..=LARGEST)),
        _ => {
            reader.problem(place, shown(value), RANGE);
            return None;
        }
    };
    let mut end = |i: usize| reader.small(&format!("{place}[{i}]"), &ends[i], allowed.clone());
    let (from, to) = (end(0), end(1));
    let (from, to, step) = (from?, to?, step?);
    if from > to {
        reader.problem(place, format!("from {from} to {to}"), "the smaller one first");
        return None;
    }
    // One more than there may be cells is enough to be refused.
    Some((from..=to).step_by(step as usize).take(MOST_CELLS + 1).collect())
}
