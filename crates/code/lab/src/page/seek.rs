//! What the search field finds: lines of the listing, or instructions of warps where terms ask for more than lines know.

use super::{Seen, says};
use base::people::{counted, grouped};
use kit::page::hits::Listed;
use kit::page::terms::{Answer, Kind, Query, Terms};

/// What the search understands.
pub const TERMS: Terms = Terms {
    plain: "Part of an instruction, its unit or its address",
    keys: &[
        ("warp", Kind::Number),
        ("cycle", Kind::Number),
        ("wait", Kind::Amount),
        ("for", Kind::Text),
        ("unit", Kind::Text),
    ],
    bare: None,
    example: "LDG warp:2 cycle:80..120 wait>20 for:scoreboard",
};

/// Something that is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// A line of the listing.
    Line(usize),
    /// An entry of the schedule.
    Entry(u32),
}

impl Seen {
    /// What one of those is called where they are listed.
    pub fn listed(&self, hit: Hit) -> Option<Listed> {
        let text = |line: usize| {
            let own = self.report.code.get(line)?;
            Some((says::text(own).trim().to_owned(), format!("0x{:04x}", own.address)))
        };
        match hit {
            Hit::Line(line) => {
                let (what, address) = text(line)?;
                let times = self.report.schedule.iter().filter(|entry| entry.1 as usize == line).count();
                Some([what, address, counted(times, "time")])
            }
            Hit::Entry(entry) => {
                let &(warp, line, issued, _) = self.report.schedule.get(entry as usize)?;
                let (what, address) = text(line as usize)?;
                let place = format!("warp {warp}, cycle {}, {address}", grouped(issued.into()));
                let wait = match self.waited(entry) as u64 {
                    0 => String::new(),
                    cycles => format!("waited {}", grouped(cycles.into())),
                };
                Some([what, place, wait])
            }
        }
    }

    /// How many cycles an entry waited, for whatever.
    fn waited(&self, entry: u32) -> f64 {
        let waits = self.report.waits.get(entry as usize).into_iter().flatten();
        waits.map(|(from, to, _)| f64::from(to + 1 - from)).sum()
    }

    /// What a search finds: lines as they stand, entries cycle by cycle.
    pub fn seek(&self, query: &Query) -> Vec<Hit> {
        let report = &self.report;
        let mut named = vec![query.plain.is_empty(); report.code.len()];
        self.found(&query.plain).into_iter().for_each(|line| named[line] = true);
        // Found by either of its names.
        let unit = |line: usize| match report.code[line].unit.as_deref() {
            None => Answer::None,
            Some(own) => match says::unit_short(own) {
                words if words == own => Answer::from(own),
                words => Answer::Text(format!("{own} {words}").into()),
            },
        };
        if query.terms.iter().all(|(key, _)| *key == "unit") {
            let holds = |line: &usize| named[*line] && query.holds(&|_| unit(*line));
            return (0..report.code.len()).filter(holds).map(Hit::Line).collect();
        }
        let holds = |entry: &u32| {
            let &(warp, line, issued, _) = &report.schedule[*entry as usize];
            let waits = || report.waits.get(*entry as usize).into_iter().flatten();
            named[line as usize]
                && query.holds(&|key| match key {
                    "warp" => Answer::Number(warp as f64),
                    "cycle" => Answer::Number(f64::from(issued)),
                    "unit" => unit(line as usize),
                    "for" => {
                        let kinds: Vec<&str> = waits().map(|(.., why)| says::called(why.0)).collect();
                        Answer::Text(kinds.join(", ").into())
                    }
                    _ => Answer::Number(self.waited(*entry)),
                })
        };
        let mut all: Vec<u32> = (0..report.schedule.len() as u32).filter(holds).collect();
        base::sort::sort_by_key(&mut all, |entry| (report.schedule[*entry as usize].2, *entry));
        all.into_iter().map(Hit::Entry).collect()
    }
}
