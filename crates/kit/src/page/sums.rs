//! What a stretch of a picture adds up to, by name: the lines of a table, and the order they stand in.

use crate::draw::{Hatch, Ink};

/// A number of a line: what it is sorted by, and how it is written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// Its value.
    pub by: f64,
    /// Its text.
    pub text: String,
}

/// What is of one name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Line {
    /// What tells it from the others of its table.
    pub key: u64,
    /// What it is called.
    pub name: String,
    /// How it looks in the picture.
    pub look: Option<(Ink, Hatch)>,
    /// Its numbers.
    pub cells: Vec<Cell>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sums {
    /// What stands above its names.
    pub name: String,
    /// What stands above its numbers.
    pub heads: Vec<&'static str>,
    /// The lines, the most first.
    pub lines: Vec<Line>,
    /// All of them together.
    pub all: Option<Line>,
}

/// What the lines are sorted by: the column of names is the first; by nothing, they stand as they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sorting {
    column: Option<usize>,
    up: bool,
}

impl Sorting {
    /// After a press on the head of a column: names from A, numbers from the most; then the other way round.
    #[must_use]
    pub fn pressed(self, column: usize) -> Self {
        let up = if self.column == Some(column) { !self.up } else { column == 0 };
        Self { column: Some(column), up }
    }

    /// What is said of a column.
    pub fn aria(self, column: usize) -> &'static str {
        match (self.column == Some(column), self.up) {
            (false, _) => "none",
            (true, true) => "ascending",
            (true, false) => "descending",
        }
    }

    /// Puts lines in order; those that are alike stay as they come.
    pub fn sort(self, lines: &mut [Line]) {
        let Some(column) = self.column else { return };
        let by =
            |line: &Line| column.checked_sub(1).and_then(|at| line.cells.get(at)).map_or(0.0, |cell| cell.by);
        base::sort::sort_by(lines, |a, b| {
            let order = if column == 0 { a.name.cmp(&b.name) } else { by(a).total_cmp(&by(b)) };
            if self.up { order } else { order.reverse() }
        });
    }
}

/// What adds up for one name: how often, how long in the stretch, and the longest with its place.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sum {
    /// How often.
    pub count: usize,
    /// How long in the stretch.
    pub time: f64,
    /// How long the longest takes, as far as it lies in it.
    pub longest: f64,
    /// Which that is.
    pub place: u64,
}

impl Sum {
    /// One more: how much of it lies in the stretch, and which it is.
    pub fn add(&mut self, within: f64, place: u64) {
        self.count += 1;
        self.time += within;
        if self.count == 1 || within > self.longest {
            (self.longest, self.place) = (within, place);
        }
    }

    /// Its numbers: how often, how long, which share of a whole, the longest.
    pub fn cells(&self, whole: f64, words: impl Fn(f64) -> String) -> Vec<Cell> {
        let share = self.time / whole.max(f64::MIN_POSITIVE);
        vec![
            Cell { by: self.count as f64, text: base::people::grouped(self.count as u128) },
            Cell { by: self.time, text: words(self.time) },
            Cell { by: share, text: base::people::percent(share) },
            Cell { by: self.longest, text: words(self.longest) },
        ]
    }
}

/// A table of such sums, those that take longest first; the shares are of their whole. None where there are none.
pub fn table(
    name: &str,
    heads: [&'static str; 4],
    sums: Vec<(Sum, Line)>,
    words: impl Fn(f64) -> String,
) -> Option<Sums> {
    let mut sums = sums;
    base::sort::sort_by(&mut sums, |a, b| b.0.time.total_cmp(&a.0.time));
    let mut all = Sum::default();
    for (sum, _) in &sums {
        (all.count, all.time, all.longest) =
            (all.count + sum.count, all.time + sum.time, all.longest.max(sum.longest));
    }
    let with = |sum: &Sum, line: Line| Line { cells: sum.cells(all.time, &words), ..line };
    let lines: Vec<Line> = sums.into_iter().map(|(sum, line)| with(&sum, line)).collect();
    let several = lines.len() > 1;
    let all = several.then(|| with(&all, Line { name: "All".to_owned(), ..Line::default() }));
    (!lines.is_empty()).then(|| Sums { name: name.to_owned(), heads: heads.to_vec(), lines, all })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> Sums {
        let mut sums = vec![(Sum::default(), "copy"), (Sum::default(), "add"), (Sum::default(), "mul")];
        for (at, within, place) in [(0, 2.0, 7), (0, 1.0, 8), (1, 6.0, 9), (2, 1.0, 10)] {
            sums[at].0.add(within, place);
        }
        let line = |(sum, name): (Sum, &str)| {
            (sum, Line { key: sum.place, name: name.to_owned(), ..Line::default() })
        };
        let sums = sums.into_iter().map(line).collect();
        table("Name", ["Count", "Time", "Share", "Longest"], sums, |time| format!("{time} ns")).unwrap()
    }

    fn names(lines: &[Line]) -> Vec<&str> {
        lines.iter().map(|line| line.name.as_str()).collect()
    }

    #[test]
    fn what_takes_longest_comes_first_and_all_of_it_last() {
        let sums = made();
        assert_eq!(names(&sums.lines), ["add", "copy", "mul"]);
        let texts = |line: &Line| line.cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&sums.lines[1]), ["2", "3 ns", "30 %", "2 ns"]);
        assert_eq!(sums.all.as_ref().map(texts).unwrap(), ["4", "10 ns", "100 %", "6 ns"]);
        assert_eq!(sums.lines[1].key, 7, "the longest");
        assert!(table("Name", ["", "", "", ""], Vec::new(), |_| String::new()).is_none());
    }

    #[test]
    fn heads_sort_one_way_and_then_the_other() {
        let mut lines = made().lines;
        let mut sorted = |sorting: Sorting| {
            sorting.sort(&mut lines);
            names(&lines).join(" ")
        };
        let by_name = Sorting::default().pressed(0);
        assert_eq!(
            (sorted(by_name), by_name.aria(0), by_name.aria(1)),
            ("add copy mul".to_owned(), "ascending", "none")
        );
        assert_eq!(sorted(by_name.pressed(0)), "mul copy add");
        let by_count = by_name.pressed(1);
        assert_eq!(
            (sorted(by_count), by_count.aria(1)),
            ("copy mul add".to_owned(), "descending"),
            "as they came"
        );
        assert_eq!(sorted(by_count.pressed(4).pressed(4)), "mul copy add");
        assert_eq!(sorted(Sorting::default()), "mul copy add", "they stay");
    }
}
