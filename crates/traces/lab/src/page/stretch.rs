//! What takes longest in a stretch of a run, by name.

use std::collections::BTreeMap;

use super::packed::{Lane, Row, cause};
use super::run::Run;
use super::says::name_of;
use crate::draw::of_cause;
use kit::draw::nanos::in_words;
use kit::page::Stretch;
use kit::page::sums::{self, Line, Sum, Sums};

/// A stretch with more bars than this is told by its sums alone: names are added up with every move of the pointer.
pub const MOST: usize = 20_000;
/// So many names are told.
const NAMES: usize = 3;

/// The tables of a stretch, and what stands above their names.
const TABLES: [(Lane, &str); 3] =
    [(Lane::Stream, "On the GPU"), (Lane::Thread, "On the host"), (Lane::Idle, "Idle")];

/// So many rows are told of a moment.
const ROWS: usize = 8;

impl Run {
    /// What rows do at a time, one sentence for each that does something.
    pub fn moment(&self, time: f64) -> Vec<String> {
        let of = |(at, row): (usize, &Row)| {
            // Of calls within calls the innermost.
            let place = self.within(at, time, time + 1.0).rfind(|&place| {
                let bar = self.bar(at, place);
                bar.start <= time && bar.end > time
            })?;
            let bar = self.bar(at, place);
            let (since, still) = (in_words((time - bar.start) as i64), in_words((bar.end - time) as i64));
            let name = self.text(&bar);
            let what = match row.lane {
                Lane::Idle if name.is_empty() => name_of(cause(bar.kind)).to_owned(),
                Lane::Idle => format!("{} ({name})", name_of(cause(bar.kind))),
                Lane::Stream | Lane::Was | Lane::Thread => name.to_owned(),
            };
            Some(format!("{}: {what}, since {since}, for {still} more", row.label))
        };
        let mut said: Vec<String> = self.rows.iter().enumerate().filter_map(of).collect();
        let more = said.len().saturating_sub(ROWS);
        said.truncate(ROWS);
        said.extend((more > 0).then(|| format!("and {more} more rows")));
        said
    }

    /// How many bars each of the rows has that a stretch holds, and how long they take in it; nothing where it holds all.
    pub fn spent_in_rows(&self, stretch: &Stretch) -> Vec<(usize, usize, f64)> {
        let Some((first, last)) = stretch.rows else { return Vec::new() };
        let (from, to) = (stretch.from, stretch.to);
        let of = |row: usize| {
            // Of calls within calls some may have ended before, though the one around them had not.
            let met = |place: &usize| {
                let bar = self.bar(row, *place);
                bar.start < to && bar.end > from
            };
            let own = self.within(row, from, to);
            let count = if own.len() > MOST { own.len() } else { own.filter(met).count() };
            (row, count, self.covered(row, to) - self.covered(row, from))
        };
        (first..=last.min(self.rows.len().saturating_sub(1))).map(of).collect()
    }

    /// What the bars in rows of a kind add up to in a stretch, by name, and the places of those of a name; nothing where
    /// there are more bars than [`MOST`].
    fn named(&self, lane: Lane, stretch: &Stretch) -> BTreeMap<u64, (Sum, Vec<u32>)> {
        let (from, to) = (stretch.from, stretch.to);
        let rows = || {
            let own = |(at, row): &(usize, &Row)| row.lane == lane && stretch.holds(*at);
            self.rows.iter().enumerate().filter(own).map(|(at, _)| at)
        };
        let mut sums: BTreeMap<u64, (Sum, Vec<u32>)> = BTreeMap::new();
        if rows().map(|row| self.within(row, from, to).len()).sum::<usize>() > MOST {
            return sums;
        }
        for row in rows() {
            for place in self.within(row, from, to) {
                let bar = self.bar(row, place);
                let within = bar.end.min(to) - bar.start.max(from);
                if within > 0.0 {
                    let key = if lane == Lane::Idle { bar.kind.into() } else { self.text_at(place).into() };
                    let (sum, places) = sums.entry(key).or_default();
                    sum.add(within, place as u64);
                    places.push(place as u32);
                }
            }
        }
        sums
    }

    /// The tables of a stretch: operations and calls by name, idle time by cause.
    pub fn sums(&self, stretch: &Stretch) -> Vec<Sums> {
        let of = |(lane, name): (Lane, &str)| {
            let line = |(key, (sum, _)): (u64, (Sum, Vec<u32>))| {
                let bar = self.at(sum.place as u32)?;
                let (name, look) = match lane {
                    Lane::Idle => {
                        let cause = cause(bar.kind);
                        (name_of(cause).to_owned(), Some(of_cause(cause)))
                    }
                    _ => (self.text(&bar).to_owned(), None),
                };
                Some((sum, Line { key, name, look, ..Line::default() }))
            };
            let sums = self.named(lane, stretch).into_iter().filter_map(line).collect();
            sums::table(name, ["Count", "Time", "Share", "Longest"], sums, |time| in_words(time as i64))
        };
        TABLES.into_iter().filter_map(of).collect()
    }

    /// The places of what a line of those tables is of.
    pub fn of_line(&self, stretch: &Stretch, (table, key): (usize, u64)) -> Vec<u32> {
        let there =
            TABLES.into_iter().map(|(lane, _)| self.named(lane, stretch)).filter(|sums| !sums.is_empty());
        let places = there.into_iter().nth(table).and_then(|mut sums| sums.remove(&key));
        places.map(|(_, places)| places).unwrap_or_default()
    }

    /// The names whose bars in rows of a kind take longest in a stretch, with how long that is; nothing where there are
    /// more bars than [`MOST`].
    pub fn longest_names(&self, lane: Lane, stretch: &Stretch) -> Vec<(&str, f64)> {
        let mut all: Vec<Sum> = self.named(lane, stretch).into_values().map(|(sum, _)| sum).collect();
        base::sort::sort_by(&mut all, |a, b| b.time.total_cmp(&a.time));
        all.truncate(NAMES);
        all.into_iter().map(|sum| (self.text(&self.bar(0, sum.place as usize)), sum.time)).collect()
    }
}
