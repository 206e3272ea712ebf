//! What a stretch of a schedule adds up to: instructions by unit, waits by what for.

use super::Shown;
use crate::timeline::Rows;
use kit::draw::{Hatch, Ink};
use kit::page::Stretch;
use kit::page::sums::{self, Line, Sum, Sums};
use kit::timeline::{Timeline, WaitKind};

/// What a line is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lights {
    /// These instructions, of every warp.
    Instructions(Vec<u32>),
    /// An instruction of a warp.
    One(u32, u32),
}

/// Keys of waits begin here; those of units are their classes.
const WAITS: u64 = 256;

fn place((warp, instruction): (u32, u32)) -> u64 {
    (u64::from(warp) << 32) | u64::from(instruction)
}

fn stretch((from, to): (u32, u32), rows: Option<(usize, usize)>) -> Stretch {
    Stretch { rows, ..Stretch::new(f64::from(from) - 1.0, f64::from(to)) }
}

/// What runs and what waits in a stretch: by class, and by kind.
fn added(picture: &Timeline, stretch: &Stretch) -> (Vec<Sum>, Vec<Sum>) {
    let (mut units, mut waits) =
        (vec![Sum::default(); WAITS as usize], vec![Sum::default(); WaitKind::ALL.len()]);
    for (row, track) in
        picture.tracks.iter().enumerate().take(picture.warps()).filter(|(row, _)| stretch.holds(*row))
    {
        for span in track.within(stretch.from, stretch.to) {
            let within = span.end.min(stretch.to) - span.start.max(stretch.from);
            if let Some(sum) = units.get_mut(usize::from(span.class)) {
                sum.add(within, place(span.id));
            }
        }
        for wait in picture.waits(row, stretch.from, stretch.to).filter(|wait| wait.kind != WaitKind::Done) {
            // Whoever comes next has waited.
            let next = track.spans.partition_point(|span| span.start < wait.end);
            let span = track.spans.get(next).or(track.spans.last());
            let length = wait.end - wait.start;
            if let Some((sum, span)) = waits.get_mut(wait.kind as usize).zip(span) {
                sum.add(length, place(span.id));
            }
        }
    }
    (units, waits)
}

impl Shown {
    /// What is drawn after so many steps.
    fn drawn(&self, steps: usize) -> Timeline {
        if steps < self.steps() {
            self.picture(steps, Rows::Warps).0
        } else {
            self.whole_picture(Rows::Warps)
        }
    }

    /// The tables of the cycles between two, both included, in all rows of warps or in some: of what is drawn after so
    /// many steps.
    pub fn sums(&self, (from, to): (u32, u32), rows: Option<(usize, usize)>, steps: usize) -> Vec<Sums> {
        let picture = self.drawn(steps);
        let (units, waits) = added(&picture, &stretch((from, to), rows));
        let unit = |(class, name): &(u8, String)| {
            let look = Some((Ink::Class(*class), Hatch::Class(*class)));
            let sum = *units.get(usize::from(*class)).filter(|sum| sum.count > 0)?;
            Some((sum, Line { key: (*class).into(), name: name.clone(), look, ..Line::default() }))
        };
        let wait = |(kind, name): &(WaitKind, String)| {
            let sum = *waits.get(*kind as usize).filter(|sum| sum.count > 0)?;
            let (key, look) = (WAITS + *kind as u64, Some((Ink::Wait(*kind), Hatch::None)));
            Some((sum, Line { key, name: name.clone(), look, ..Line::default() }))
        };
        let words = |cycles: f64| base::people::grouped(cycles as u128);
        let heads = ["Count", "Cycles", "Share", "Longest"];
        let units = picture.legend.iter().filter_map(unit).collect();
        let waits = picture.wait_legend.iter().filter_map(wait).collect();
        let both =
            [sums::table("Runs on", heads, units, words), sums::table("Waits for", heads, waits, words)];
        both.into_iter().flatten().collect()
    }

    /// What a line of those tables lights: the instructions of a unit, or whoever waits longest.
    pub fn lights(
        &self,
        range: (u32, u32),
        rows: Option<(usize, usize)>,
        steps: usize,
        key: u64,
    ) -> Option<Lights> {
        let picture = self.drawn(steps);
        if key < WAITS {
            let spans = picture.tracks.iter().take(picture.warps()).flat_map(|track| &track.spans);
            let mut own: Vec<u32> =
                spans.filter(|span| u64::from(span.class) == key).map(|span| span.id.1).collect();
            base::sort::sort(&mut own);
            own.dedup();
            return Some(Lights::Instructions(own));
        }
        let (_, waits) = added(&picture, &stretch(range, rows));
        let place = waits.get(usize::try_from(key - WAITS).ok()?).filter(|sum| sum.count > 0)?.place;
        Some(Lights::One((place >> 32) as u32, place as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::shown::tests::figure_6;

    #[test]
    fn a_stretch_adds_up_what_runs_and_what_waits() {
        let shown = figure_6();
        let all = (1, shown.report.makespan);
        let tables = shown.sums(all, None, shown.steps());
        let count = |table: &Sums| table.lines.iter().map(|line| line.cells[0].by).sum::<f64>();
        assert_eq!(count(&tables[0]) as usize, shown.positions.len());
        assert_eq!(tables[0].name, "Runs on");
        // One warp has its share of it.
        let own = shown.sums(all, Some((0, 0)), shown.steps());
        assert_eq!(count(&own[0]) as usize, shown.warps.kernel.units().len());
        // A line of a unit lights its instructions, one of a wait leads to who waits longest.
        let key = tables[0].lines[0].key;
        let Some(Lights::Instructions(lit)) = shown.lights(all, None, shown.steps(), key) else {
            panic!("no instructions")
        };
        let units = shown.warps.kernel.units();
        assert!(lit.iter().all(|&at| units[at as usize] == units[lit[0] as usize]), "{lit:?}");
        let waits = &tables[1].lines[0];
        let Some(Lights::One(warp, instruction)) = shown.lights(all, None, shown.steps(), waits.key) else {
            panic!("no wait")
        };
        let (from, to) = shown.waited((warp, instruction)).unwrap();
        assert_eq!(f64::from(to + 1 - from), waits.cells[3].by);
        assert_eq!(shown.lights(all, None, shown.steps(), WAITS + 200), None);
    }
    #[test]
    fn on_the_way_only_what_is_placed_counts() {
        let shown = figure_6();
        let all = (1, shown.report.makespan);
        for steps in 0..=shown.steps() {
            let tables = shown.sums(all, None, steps);
            let runs = tables.iter().filter(|table| table.name == "Runs on").flat_map(|table| &table.lines);
            assert_eq!(runs.map(|line| line.cells[0].by).sum::<f64>() as usize, steps);
            let said = shown.totals(all, None, steps, None);
            let counts = said.split(": ").nth(1).into_iter().flat_map(|said| said.split(", "));
            let count = |part: &str| part.split(' ').next().and_then(|count| count.parse::<usize>().ok());
            assert_eq!(counts.filter_map(count).sum::<usize>(), steps, "{said}");
            assert_eq!(said.contains("placed so far"), steps < shown.steps());
        }
    }
}
