//! What takes longest in a stretch of a run, by name.

use std::collections::BTreeMap;

use super::packed::Lane;
use super::run::Run;

/// A stretch with more bars than this is told by its sums alone: names are added up with every move of the pointer.
pub const MOST: usize = 20_000;
/// So many names are told.
const NAMES: usize = 3;

impl Run {
    /// The names whose bars in rows of a kind take longest between two times, with how long that is; nothing where there
    /// are more bars than [`MOST`].
    pub fn longest_names(&self, lane: Lane, from: f64, to: f64) -> Vec<(&str, f64)> {
        let rows = || self.rows.iter().enumerate().filter(|(_, row)| row.lane == lane).map(|(at, _)| at);
        if rows().map(|row| self.within(row, from, to).len()).sum::<usize>() > MOST {
            return Vec::new();
        }
        // A place of each name, and how long its bars take.
        let mut sums: BTreeMap<u32, (usize, f64)> = BTreeMap::new();
        for row in rows() {
            for place in self.within(row, from, to) {
                let bar = self.bar(row, place);
                let length = bar.end.min(to) - bar.start.max(from);
                if length > 0.0 {
                    sums.entry(self.text_at(place)).or_insert((place, 0.0)).1 += length;
                }
            }
        }
        let mut all: Vec<(usize, f64)> = sums.into_values().collect();
        base::sort::sort_by(&mut all, |a, b| b.1.total_cmp(&a.1));
        all.truncate(NAMES);
        all.into_iter().map(|(place, sum)| (self.text(&self.bar(0, place)), sum)).collect()
    }
}
