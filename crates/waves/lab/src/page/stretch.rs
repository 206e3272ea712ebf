//! What a stretch of a capture holds: to what the cycles of all waves in it went.

use base::people::{counted, grouped, percent};

use super::packed::{KINDS, Kind};
use super::run::Run;
use super::says::name_of;
use kit::page::window::whole_cycles;
use waves::Cause;

/// To what the cycles of all waves went in a stretch of time: cycles by cause, the most first.
pub fn spent(run: &Run, from: f64, to: f64) -> Vec<(Cause, f64)> {
    let mut all = [0.0; KINDS];
    for row in 0..run.rows.len() {
        let own = run.spent(row, from, to);
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

/// How many waves are there at some time of a stretch.
pub fn resident(run: &Run, from: f64, to: f64) -> usize {
    let there = |wave: &&super::layout::OfWave| {
        let (first, count) = (wave.first as usize, wave.count as usize);
        let last = (first + count).checked_sub(1).filter(|_| count > 0);
        last.is_some_and(|last| {
            run.bar(wave.row as usize, first).start < to && run.bar(wave.row as usize, last).end > from
        })
    };
    run.waves.iter().filter(there).count()
}

/// The same in sentences.
pub fn said(run: &Run, from: f64, to: f64) -> String {
    let (t0, t1) = whole_cycles(run.end, from, to);
    let causes = spent(run, t0, t1);
    let total: f64 = causes.iter().map(|(_, cycles)| cycles).sum();
    let head = format!("Cycles {} to {}", grouped(t0 as u128), grouped(t1 as u128 - 1));
    if total == 0.0 {
        return format!("{head}: no wave is there.");
    }
    let part = |(cause, cycles): &(Cause, f64)| format!("{} {}", name_of(*cause), percent(cycles / total));
    let parts: Vec<String> = causes.iter().map(part).collect();
    let waves = counted(resident(run, t0, t1), "wave");
    format!("{head}: {waves}, {} of theirs in all: {}.", counted(total as usize, "cycle"), parts.join(", "))
}
