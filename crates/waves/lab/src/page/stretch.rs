//! What a stretch of a capture holds: to what the cycles of all waves in it went.

use base::people::{counted, grouped, percent};

use super::packed::{KINDS, Kind};
use super::run::Run;
use super::says::name_of;
use kit::page::Stretch;
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
