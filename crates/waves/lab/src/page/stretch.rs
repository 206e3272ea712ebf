//! What a stretch of a capture holds: to what the cycles of all waves in it went.

use base::people::{counted, grouped, percent};

use super::packed::{KINDS, Kind};
use super::run::{Bar, Run};
use super::says::name_of;
use crate::draw::{hatch_of, of_cause, of_unit};
use kit::draw::Hatch;
use kit::page::Stretch;
use kit::page::sums::{self, Line, Sum, Sums};
use kit::page::window::whole_cycles;
use waves::Cause;

/// To what the cycles of waves went in a stretch of time and rows: cycles by cause, the most first.
pub fn spent(run: &Run, stretch: &Stretch) -> Vec<(Cause, f64)> {
    let mut all = [0.0; KINDS];
    for row in (0..run.rows.len()).filter(|&row| stretch.holds(row)) {
        let own = run.spent(row, stretch.from, stretch.to);
        all.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
    }
    let mut causes: Vec<(Cause, f64)> = Cause::ALL.into_iter().map(|cause| (cause, 0.0)).collect();
    for (number, cycles) in (0_u8..).zip(all) {
        causes[Kind::numbered(number).cause().place()].1 += cycles;
    }
    causes.retain(|(_, cycles)| *cycles > 0.0);
    base::sort::sort_by(&mut causes, |a, b| b.1.total_cmp(&a.1));
    causes
}

/// How many waves are there at some time of a stretch, in its rows.
pub fn resident(run: &Run, stretch: &Stretch) -> usize {
    let (from, to) = (stretch.from, stretch.to);
    let there = |wave: &&super::layout::OfWave| {
        if !stretch.holds(wave.row as usize) {
            return false;
        }
        let (first, count) = (wave.first as usize, wave.count as usize);
        let last = (first + count).checked_sub(1).filter(|_| count > 0);
        last.is_some_and(|last| {
            run.bar(wave.row as usize, first).start < to && run.bar(wave.row as usize, last).end > from
        })
    };
    run.waves.iter().filter(there).count()
}

/// A stretch with more of them than this is told by its sentence alone: they are added up with every move of the pointer.
pub const MOST: usize = 50_000;

/// The stretches of waves that lie in a stretch of time and rows, each with how much of it does; nothing where there are
/// more than [`MOST`].
fn within<'a>(run: &'a Run, stretch: &'a Stretch) -> impl Iterator<Item = (Bar, f64)> + 'a {
    let rows = move || (0..run.rows.len()).filter(|&row| stretch.holds(row));
    let many = rows().map(|row| run.within(row, stretch.from, stretch.to).len()).sum::<usize>() > MOST;
    let bars = rows()
        .filter(move |_| !many)
        .flat_map(move |row| run.within(row, stretch.from, stretch.to).map(move |place| run.bar(row, place)));
    bars.map(|bar| (bar, bar.end.min(stretch.to) - bar.start.max(stretch.from)))
        .filter(|(_, within)| *within > 0.0)
}

/// To what the cycles of waves went in a stretch, by unit and by cause.
pub fn table(run: &Run, stretch: &Stretch) -> Vec<Sums> {
    let mut all = [Sum::default(); KINDS];
    for (bar, within) in within(run, stretch) {
        if let Some(sum) = all.get_mut(usize::from(bar.kind.number())) {
            sum.add(within, bar.place as u64);
        }
    }
    let line = |(number, sum): (u8, Sum)| {
        let (name, look) = match Kind::numbered(number) {
            Kind::Issue(unit) => (unit.name(), (of_unit(unit), Hatch::None)),
            Kind::Wait(cause) => (name_of(cause), (of_cause(cause), hatch_of(cause))),
        };
        (sum, Line { key: number.into(), name: name.to_owned(), look: Some(look), ..Line::default() })
    };
    let sums = (0_u8..).zip(all).filter(|(_, sum)| sum.count > 0).map(line).collect();
    let words = |cycles: f64| grouped(cycles as u128);
    sums::table("Issues, waits", ["Count", "Cycles", "Share", "Longest"], sums, words).into_iter().collect()
}

/// The places of what a line of that table is of.
pub fn of_line(run: &Run, stretch: &Stretch, key: u64) -> Vec<u32> {
    let own = within(run, stretch).filter(|(bar, _)| u64::from(bar.kind.number()) == key);
    own.map(|(bar, _)| bar.place as u32).collect()
}

/// The same in sentences.
pub fn said(run: &Run, stretch: &Stretch) -> String {
    let (t0, t1) = whole_cycles(run.end, stretch.from, stretch.to);
    let whole = Stretch { from: t0, to: t1, rows: stretch.rows };
    let causes = spent(run, &whole);
    let total: f64 = causes.iter().map(|(_, cycles)| cycles).sum();
    let some = (0..run.rows.len()).filter(|&row| stretch.holds(row)).count();
    let rows = stretch.rows.map_or(String::new(), |_| format!(", {some} of {} rows", run.rows.len()));
    let head = match t1 - t0 {
        1.0 => format!("Cycle {}{rows}", grouped(t0 as u128)),
        _ => format!("Cycles {} to {}{rows}", grouped(t0 as u128), grouped(t1 as u128 - 1)),
    };
    if total == 0.0 {
        return format!("{head}: no wave is there.");
    }
    let part = |(cause, cycles): &(Cause, f64)| format!("{} {}", name_of(*cause), percent(cycles / total));
    let parts: Vec<String> = causes.iter().map(part).collect();
    let waves = counted(resident(run, &whole), "wave");
    format!("{head}: {waves}, {} of theirs in all: {}.", counted(total as usize, "cycle"), parts.join(", "))
}
