//! What the search field finds: blocks and copies of all runs, by name and by terms.

use super::{Chosen, OneRun, Runs};
use crate::draw::blocks::Selected;
use base::Nanos;
use kit::page::terms::{Answer, Kind, Query, Terms};

/// What the search understands.
pub const TERMS: Terms = Terms {
    plain: "kernel:block such as K2:5, part of a kernel's or copy's name",
    keys: &[
        ("block", Kind::Number),
        ("sm", Kind::Number),
        ("stream", Kind::Text),
        ("round", Kind::Number),
        ("threads", Kind::Number),
        ("start", Kind::Time),
        ("end", Kind::Time),
        ("time", Kind::Time),
        ("wait", Kind::Time),
        ("run", Kind::Text),
    ],
    bare: None,
    example: "K2 sm:0..3 start:1ms..2ms wait>20us; wait counts from the launch",
};

impl Runs {
    /// What a search finds, by when it starts.
    pub fn seek(&self, query: &Query) -> Vec<Chosen> {
        if let Some(one) = self.named(&query.plain).filter(|_| query.is_plain() && query.plain.contains(':'))
        {
            return vec![one];
        }
        let mut all: Vec<(Nanos, usize, Chosen)> = Vec::new();
        for (place, run) in self.runs.iter().enumerate() {
            self.blocks(run, query, &mut |start, chosen| all.push((start, place, chosen)));
            self.copies(run, query, &mut |start, chosen| all.push((start, place, chosen)));
        }
        all.sort_by_key(|(start, place, _)| (*start, *place));
        all.into_iter().map(|(.., chosen)| chosen).collect()
    }

    fn blocks(&self, run: &OneRun, query: &Query, found: &mut dyn FnMut(Nanos, Chosen)) {
        let Some(known) = self.pictured(run.which) else { return };
        for (launch, own) in known.trace.kernels.iter().enumerate() {
            let Some(name) = run.kernels.get(launch).filter(|name| query.names(name)) else { continue };
            let threads = known.setup.kernels.get(own.kernel).map_or(0, |kernel| kernel.threads);
            let stream = known.setup.streams.get(own.stream).map_or(name.as_str(), |stream| &stream.label);
            let blocks = known.trace.blocks.get(own.blocks.clone()).unwrap_or_default();
            for (block, at) in (0..).zip(blocks) {
                let holds = query.holds(&|key| match key {
                    "block" => Answer::Number(f64::from(block)),
                    "sm" => Answer::Number(f64::from(at.sm)),
                    "stream" => stream.into(),
                    "round" => Answer::Number(f64::from(own.round)),
                    "threads" => Answer::Number(f64::from(threads)),
                    "wait" => time(at.start.since(own.launched)),
                    key => of_both(key, run, (at.start, at.end)),
                });
                if holds {
                    let what = Selected::Block { run: launch, block };
                    found(at.start, Chosen { which: run.which, what });
                }
            }
        }
    }

    fn copies(&self, run: &OneRun, query: &Query, found: &mut dyn FnMut(Nanos, Chosen)) {
        let Some(known) = self.pictured(run.which) else { return };
        for (place, own) in known.trace.copies.iter().enumerate() {
            let named = run.copies.get(place).is_some_and(|name| query.names(name));
            let stream = known.setup.streams.get(own.stream).map_or("", |stream| &stream.label);
            let holds = named
                && query.holds(&|key| match key {
                    "stream" => stream.into(),
                    "round" => Answer::Number(f64::from(own.round)),
                    key => of_both(key, run, (own.start, own.end)),
                });
            if holds {
                found(own.start, Chosen { which: run.which, what: Selected::Copy(place) });
            }
        }
    }
}

fn time(nanos: Nanos) -> Answer<'static> {
    Answer::Number(nanos.0 as f64)
}

/// What blocks and copies answer alike.
fn of_both(key: &str, run: &OneRun, (start, end): (Nanos, Nanos)) -> Answer<'static> {
    match key {
        "start" => time(start),
        "end" => time(end),
        "time" => time(end.since(start)),
        "run" => run.which.name().into(),
        _ => Answer::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::{Which, sample};

    /// A block: what it is, what its launch is called, where and when it ran, when it was launched.
    type Told = (Chosen, String, blocks::BlockRun, Nanos);

    fn seek(runs: &Runs, text: &str) -> Vec<Chosen> {
        runs.seek(&Query::read(text, &TERMS).unwrap_or_else(|why| unreachable!("{why}")))
    }

    #[test]
    fn what_is_found_is_what_a_look_at_every_block_finds() {
        let runs = sample::both();
        let mut every = Vec::new();
        for run in &runs.runs {
            let Some(known) = runs.pictured(run.which) else { unreachable!("it is there") };
            for (launch, own) in known.trace.kernels.iter().enumerate() {
                for (block, at) in (0..).zip(&known.trace.blocks[own.blocks.clone()]) {
                    let chosen = Chosen { which: run.which, what: Selected::Block { run: launch, block } };
                    every.push((chosen, run.kernels[launch].clone(), *at, own.launched));
                }
            }
        }
        let check = |text: &str, holds: &dyn Fn(&Told) -> bool| {
            let found = seek(&runs, text);
            let mut wanted: Vec<Chosen> = every.iter().filter(|own| holds(own)).map(|own| own.0).collect();
            let key = |chosen: &Chosen| format!("{chosen:?}");
            let starts: Vec<_> =
                found.iter().filter_map(|chosen| runs.stretch(*chosen)).map(|own| own.0).collect();
            assert!(starts.is_sorted() && !found.is_empty(), "{text}");
            let mut found = found;
            found.sort_by_key(key);
            wanted.sort_by_key(key);
            assert_eq!(found, wanted, "{text}");
        };
        check("K2", &|own| own.1.contains("K2"));
        check("sm:1", &|own| own.2.sm == 1);
        check("k block:0..1 run:measured", &|own| {
            matches!(own.0.what, Selected::Block { block: 0..=1, .. }) && own.0.which == Which::Measured
        });
        check("wait>0 sm:0", &|own| own.2.start > own.3 && own.2.sm == 0);
    }

    #[test]
    fn one_block_is_found_by_its_name() {
        let runs = sample::runs();
        let one = Chosen { which: Which::Simulated, what: Selected::Block { run: 1, block: 5 } };
        assert_eq!(seek(&runs, "K2:5"), [one]);
        assert_eq!(seek(&runs, "K9"), []);
        let copies = seek(&sample::odd(), "in");
        assert!(copies.iter().any(|chosen| matches!(chosen.what, Selected::Copy(_))), "{copies:?}");
    }
}
