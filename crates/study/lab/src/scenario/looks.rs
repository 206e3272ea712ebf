//! A look at a study's cells before anything runs: the first one, each value of each axis beside the first ones of
//! the others, and the corners of the grid. What is wrong elsewhere is a problem of its cell.

use std::collections::HashSet;

use base::Problem;
use kit::import::reader::{Reader, join, shown};
use study::Place;

use super::Study;

/// Of an axis at most so many values are looked at, evenly spread; both ends are among them.
const MOST_LOOKS: usize = 128;

/// Notes what is wrong, at its place in the study.
pub(super) fn at(reader: &mut Reader, path: &str, study: &Study) {
    let first = vec![0; study.axes().len()];
    let mut known: HashSet<(String, String)> = HashSet::new();
    for problem in problems(study, &first) {
        known.insert((problem.place.clone(), problem.what.clone()));
        // Keys of the base itself have been told when it was read.
        if problem.what == "unknown key" && !problem.place.contains(['.', '[']) {
            continue;
        }
        reader.problem(within(path, &problem.place), problem.what, problem.expected);
    }
    for (i, axis) in study.axes().iter().enumerate() {
        for value in spread(axis.values.len()) {
            let mut place = first.clone();
            place[i] = value;
            for problem in problems(study, &place) {
                if known.insert((problem.place.clone(), problem.what.clone())) {
                    let place = format!("{path}.axes[{}]", axis.nth);
                    let what =
                        format!("{} makes {}: {}", shown(&axis.values[value]), problem.place, problem.what);
                    reader.problem(place, what, problem.expected);
                }
            }
        }
    }
    if known.is_empty() && study.axes().len() > 1 {
        corners(reader, path, study);
    }
}

/// The cells where every axis is at one of its ends.
fn corners(reader: &mut Reader, path: &str, study: &Study) {
    let mut known: HashSet<(String, String)> = HashSet::new();
    for ends in 1..1u32 << study.axes().len() {
        let end =
            |(i, axis): (usize, &super::Axis)| if ends >> i & 1 == 1 { axis.values.len() - 1 } else { 0 };
        let place: Vec<usize> = study.axes().iter().enumerate().map(end).collect();
        for problem in problems(study, &place) {
            if known.insert((problem.place.clone(), problem.what.clone())) {
                let point = study
                    .called(&place)
                    .iter()
                    .map(|(name, value)| format!("{name} = {}", shown(value)))
                    .collect::<Vec<_>>();
                let what = format!("{} make {}: {}", point.join(", "), problem.place, problem.what);
                reader.problem(format!("{path}.axes"), what, problem.expected);
            }
        }
    }
}

/// What keeps a cell's document from being read.
fn problems(study: &Study, at: &[usize]) -> Vec<Problem> {
    let place = Place { at: at.to_vec(), sample: 0 };
    let Some(cell) = study.grid().cell(&place).and_then(|index| study.cell(index)) else { return Vec::new() };
    cell.scenario().err().unwrap_or_default()
}

/// A place of a cell's document as one of the study.
fn within(path: &str, place: &str) -> String {
    if place == "document" { join(path, "base") } else { format!("{path}.base.{place}") }
}

/// Places from the second to the last, evenly spread.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    let last = count.saturating_sub(1);
    let looks = last.min(MOST_LOOKS);
    (1..=looks).map(move |look| look * last / looks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_looked_at() {
        assert_eq!(spread(1).count(), 0);
        assert_eq!(spread(4).collect::<Vec<_>>(), [1, 2, 3]);
        let many: Vec<usize> = spread(100_000).collect();
        assert_eq!((many.len(), many[MOST_LOOKS - 1]), (MOST_LOOKS, 99_999));
        assert!(many.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
