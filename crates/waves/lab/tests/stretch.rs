//! What a stretch of a capture holds, against a walk over all bars.

#![cfg(test)]

use base::Seeded;
use kit::page::Stretch;
use warpspan_waves_lab as waves_lab;
use waves_lab::page::layout::{Layout, OfWave};
use waves_lab::page::run::range;
use waves_lab::page::{Packed, Run, stretch};
use waves_lab::{Account, Cause, captures};

#[test]
fn a_stretch_has_the_sums_of_its_cycles() {
    let file = captures::file("rmsnorm").expect("a shipped capture");
    let capture = waves_read::compact::read(file).expect("a sound one").capture;
    let account = Account::of(&capture);
    let run = Run::new(Packed::of(&account, &Layout::of(&account)));
    let bars = || run.rows.iter().enumerate().flat_map(|(at, row)| range(row).map(move |place| (at, place)));
    let mut seeded = Seeded::new(5, 1);
    for round in 0..50 {
        let (a, b) = (f64::from(seeded.below(run.end as u32)), f64::from(seeded.below(run.end as u32)));
        let (from, to) = (a.min(b), a.max(b) + 1.0);
        let last = run.rows.len() - 1;
        let (one, other) = (seeded.below(last as u32 + 1) as usize, seeded.below(last as u32 + 1) as usize);
        let rows = (round % 2 == 1).then_some((one.min(other), one.max(other)));
        let whole = Stretch { from, to, rows };
        let inside = |row: usize| rows.is_none_or(|(first, last)| row >= first && row <= last);
        let mut walked: Vec<f64> = vec![0.0; Cause::ALL.len()];
        for (row, place) in bars().filter(|(row, _)| inside(*row)) {
            let bar = run.bar(row, place);
            walked[bar.kind.cause().place()] += (bar.end.min(to) - bar.start.max(from)).max(0.0);
        }
        let told = stretch::spent(&run, &whole);
        for (cause, cycles) in &told {
            assert_eq!(walked[cause.place()], *cycles, "{cause:?}");
            walked[cause.place()] = 0.0;
        }
        assert!(walked.iter().all(|cycles| *cycles == 0.0) && told.is_sorted_by(|a, b| a.1 >= b.1));
        // The table holds the same by kind, and its lines know their bars.
        let met = || {
            bars()
                .filter(|(row, _)| inside(*row))
                .map(|(row, place)| run.bar(row, place))
                .filter(|bar| bar.start < to && bar.end > from)
        };
        let tables = stretch::table(&run, &whole);
        assert_eq!(tables.is_empty(), met().count() == 0 || met().count() > stretch::MOST);
        for line in tables.iter().flat_map(|table| &table.lines) {
            let own: Vec<_> = met().filter(|bar| u64::from(bar.kind.number()) == line.key).collect();
            let places: Vec<u32> = own.iter().map(|bar| bar.place as u32).collect();
            assert_eq!(stretch::of_line(&run, &whole, line.key), places, "{}", line.name);
            assert_eq!(line.cells[0].by, own.len() as f64, "{}", line.name);
            let cycles: f64 = own.iter().map(|bar| bar.end.min(to) - bar.start.max(from)).sum();
            assert_eq!(line.cells[1].by, cycles, "{}", line.name);
        }
        let there = |wave: &&OfWave| {
            let own = wave.first as usize..(wave.first + wave.count) as usize;
            own.into_iter().any(|place| {
                let bar = run.bar(wave.row as usize, place);
                bar.start < to && bar.end > from
            })
        };
        assert_eq!(
            stretch::resident(&run, &whole),
            run.waves.iter().filter(|wave| inside(wave.row as usize)).filter(there).count()
        );
    }
    let said = stretch::said(&run, &Stretch::new(run.end, 0.0));
    let waves = format!("{} waves, ", run.waves.len());
    assert!(said.starts_with("Cycles 0 to ") && said.contains(&waves) && said.contains("data "), "{said}");
    let said = stretch::said(&run, &Stretch { rows: Some((1, 2)), ..Stretch::new(run.end, 0.0) });
    assert!(said.contains(&format!(", 2 of {} rows: ", run.rows.len())), "{said}");
}
