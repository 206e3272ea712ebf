//! What is selected: how links and readers write it, and where it is.
//!
//! `K2:5` is block 5 of the first launch of `K2`, `K2` the whole launch; `@7:5` and `@7` say the same of the
//! operation that was issued as number 7, whatever its label. `measured.` before it is the measured run, where
//! both are there.

use super::{Runs, Which};
use crate::draw::blocks::{Kind, Selected};
use base::Nanos;
use blocks::OpId;

/// A selected thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Chosen {
    /// The run it is in.
    pub which: Which,
    /// What.
    pub what: Selected,
}

impl Runs {
    /// Whether there is such a thing.
    pub fn has(&self, chosen: Chosen) -> bool {
        self.stretch(chosen).is_some()
    }

    /// From when to when it was on the device.
    pub fn stretch(&self, chosen: Chosen) -> Option<(Nanos, Nanos)> {
        let trace = &self.pictured(chosen.which)?.trace;
        match chosen.what {
            Selected::Block { run, block } => {
                let place = trace.kernels.get(run)?.blocks.clone().nth(block as usize)?;
                trace.blocks.get(place).map(|block| (block.start, block.end))
            }
            Selected::Launch(run) => trace.kernels.get(run).map(|run| (run.start, run.end)),
            Selected::Copy(copy) => trace.copies.get(copy).map(|copy| (copy.start, copy.end)),
        }
    }

    /// The row of the picture it stands in.
    pub fn row(&self, chosen: Chosen) -> Option<Kind> {
        let trace = &self.pictured(chosen.which)?.trace;
        match chosen.what {
            Selected::Block { run, block } => {
                let place = trace.kernels.get(run)?.blocks.clone().nth(block as usize)?;
                trace.blocks.get(place).map(|block| Kind::Sm(block.sm.into()))
            }
            Selected::Launch(_) => None,
            Selected::Copy(copy) => trace.copies.get(copy).map(|copy| Kind::Engine(copy.engine.into())),
        }
    }

    /// How a link writes it: letters, digits and signs that no address changes.
    pub fn link_name(&self, chosen: Chosen) -> Option<String> {
        let (run, known) = (self.run(chosen.which)?, self.pictured(chosen.which)?);
        let (op, name, block) = match chosen.what {
            Selected::Block { run: i, block } => {
                (known.trace.kernels.get(i)?.op, run.kernels.get(i)?, Some(block))
            }
            Selected::Launch(i) => (known.trace.kernels.get(i)?.op, run.kernels.get(i)?, None),
            Selected::Copy(i) => (known.trace.copies.get(i)?.op, run.copies.get(i)?, None),
        };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let is_told = !name.is_empty() && name.chars().all(is_plain) && {
            self.found(chosen.which, name).is_some_and(|found| self.op(found) == Some(op))
        };
        let own = if is_told { name.clone() } else { format!("@{}", op.0) };
        let own = block.map_or(own.clone(), |block| format!("{own}:{block}"));
        let is_first = chosen.which == self.first();
        Some(if is_first { own } else { format!("{}.{own}", chosen.which.name()) })
    }

    /// What a link or a reader means by a text.
    pub fn named(&self, text: &str) -> Option<Chosen> {
        let text = text.trim();
        let begun =
            |which: &Which| text.strip_prefix(which.name())?.strip_prefix('.').map(|rest| (*which, rest));
        let own = Which::ALL.iter().find_map(begun);
        let (which, text) = own.unwrap_or((self.first(), text));
        // A label may hold a colon itself.
        self.found(which, text).or_else(|| {
            let (name, block) = text.rsplit_once(':')?;
            let Selected::Launch(run) = self.found(which, name.trim_end())?.what else { return None };
            let block = block.trim().parse().ok()?;
            Some(Chosen { which, what: Selected::Block { run, block } }).filter(|&chosen| self.has(chosen))
        })
    }

    /// The launch or copy of that name, or with that number.
    fn found(&self, which: Which, name: &str) -> Option<Chosen> {
        let (run, known) = (self.run(which)?, self.pictured(which)?);
        let chosen = |what| Some(Chosen { which, what });
        if let Some(number) = name.strip_prefix('@') {
            let op = OpId(number.parse().ok()?);
            let launch = known.trace.kernels.binary_search_by_key(&op, |run| run.op);
            let copy = known.trace.copies.binary_search_by_key(&op, |run| run.op);
            return match (launch, copy) {
                (Ok(launch), _) => chosen(Selected::Launch(launch)),
                (_, Ok(copy)) => chosen(Selected::Copy(copy)),
                _ => None,
            };
        }
        let is_it = |own: &&String| own.trim().eq_ignore_ascii_case(name);
        let exact = |names: &[String]| {
            let exact = names.iter().position(|own| own == name);
            exact.or_else(|| names.iter().position(|own| is_it(&own)))
        };
        let labels = |of: usize| known.setup.kernels.get(of).is_some_and(|kernel| is_it(&&kernel.label));
        let first = || known.trace.kernels.iter().position(|run| labels(run.kernel));
        if let Some(launch) = exact(&run.kernels).or_else(first) {
            return chosen(Selected::Launch(launch));
        }
        let labels = |of: usize| known.setup.copies.get(of).is_some_and(|copy| is_it(&&copy.label));
        let first = || known.trace.copies.iter().position(|run| labels(run.copy));
        exact(&run.copies).or_else(first).and_then(|copy| chosen(Selected::Copy(copy)))
    }

    fn op(&self, chosen: Chosen) -> Option<OpId> {
        let trace = &self.pictured(chosen.which)?.trace;
        match chosen.what {
            Selected::Launch(run) | Selected::Block { run, .. } => trace.kernels.get(run).map(|run| run.op),
            Selected::Copy(copy) => trace.copies.get(copy).map(|copy| copy.op),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::sample;

    fn block(run: usize, block: u32) -> Chosen {
        Chosen { which: Which::Simulated, what: Selected::Block { run, block } }
    }

    #[test]
    fn what_is_written_is_found_again() {
        let runs = sample::runs();
        for chosen in [block(1, 5), Chosen { which: Which::Simulated, what: Selected::Launch(3) }] {
            let Some(text) = runs.link_name(chosen) else { unreachable!("it is there") };
            assert_eq!(runs.named(&text), Some(chosen), "{text}");
        }
        assert_eq!(runs.link_name(block(1, 5)).as_deref(), Some("K2:5"));
        assert_eq!(runs.named(" k2:5 "), Some(block(1, 5)));
        assert_eq!(runs.named("@1:5"), Some(block(1, 5)));
        for wrong in ["K2:99", "K9", "", "@99", "@", "K2:", ":", "measured.K2:5", "K2:-1"] {
            assert_eq!(runs.named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn odd_and_repeated_labels_are_written_by_number() {
        let runs = sample::odd();
        let texts: Vec<_> = (0..4).filter_map(|run| runs.link_name(block(run, 1))).collect();
        assert_eq!(texts, ["@0:1", "@1:1", "@2:1", "plain-1:1"]);
        for (run, text) in (0..).zip(&texts) {
            assert_eq!(runs.named(text), Some(block(run, 1)), "{text}");
        }
        assert_eq!(runs.named("a & b: c:1"), Some(block(0, 1)));
        assert_eq!(runs.named("twice:1"), Some(block(1, 1)), "the first of several");
        assert_eq!(runs.named("twice (launch 2):1"), Some(block(2, 1)));
    }
}
