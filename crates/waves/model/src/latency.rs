//! How long operations took, as far as waits show it: those whose wait stalled for them alone took just so long, all
//! others at most as long as until a wait had seen them.

use std::collections::BTreeMap;

use crate::capture::Capture;
use crate::isa::Class;
use crate::required::{Required, Returned};

/// Times of one kind of operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Times {
    /// Those known exactly, sorted.
    pub exact: Vec<i64>,
    /// Upper bounds, sorted.
    pub bounds: Vec<i64>,
}

impl Times {
    /// A quantile of those known exactly: 0 the smallest, 100 the largest.
    pub fn quantile(&self, percent: usize) -> Option<i64> {
        let last = self.exact.len().checked_sub(1)?;
        self.exact.get(last * percent.min(100) / 100).copied()
    }
}

/// All times: by instruction name, and by class for those of which too few are known.
#[derive(Debug, Clone, Default)]
pub struct Latencies {
    /// By instruction name.
    pub by_name: BTreeMap<String, Times>,
    by_class: BTreeMap<Class, Times>,
}

impl Latencies {
    /// Collects them.
    pub fn of(capture: &Capture, required: &[Required]) -> Self {
        let mut found = Self::default();
        for (wave, required) in capture.waves.iter().zip(required) {
            for (instr, returned) in wave.instrs.iter().zip(&required.returned) {
                let (Some(op), Some(returned)) = (capture.op(instr), returned) else { continue };
                let took = returned.time().saturating_sub(instr.issued());
                for times in [
                    found.by_name.entry(op.name.clone()).or_default(),
                    found.by_class.entry(op.class).or_default(),
                ] {
                    let to = if matches!(returned, Returned::At(_)) {
                        &mut times.exact
                    } else {
                        &mut times.bounds
                    };
                    to.push(took);
                }
            }
        }
        for times in found.by_name.values_mut().chain(found.by_class.values_mut()) {
            times.exact.sort_unstable();
            times.bounds.sort_unstable();
        }
        found
    }

    /// What an instruction takes as a rule: the median of its name, else of its class; nothing where none is known.
    pub fn usual(&self, name: &str, class: Class) -> Option<i64> {
        const FEW: usize = 5;
        let own = self.by_name.get(name).filter(|times| times.exact.len() >= FEW);
        own.or_else(|| self.by_class.get(&class)).and_then(|times| times.quantile(50))
    }
}
