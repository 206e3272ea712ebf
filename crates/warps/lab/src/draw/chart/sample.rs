//! A small chart for tests: two chains, a reference near them and one far away.

use super::{Frame, Spread};
use crate::report::ChainReport;
use crate::timeline::Convergence;
use crate::timeline::convergence::{Axis, Bracket, Chain, Narrowing, Reference, ReferenceKind};

pub(crate) fn data() -> Convergence {
    let chain = |number, start: &str, improvements: &[(u64, f64, u32)]| {
        let report = ChainReport {
            start: start.to_owned(),
            best: 0,
            iterations: 2_000_000,
            seconds: 10.0,
            improvements: improvements.to_vec(),
        };
        Chain::new(number, &report)
    };
    Convergence {
        chains: vec![
            chain(1, "round-robin", &[(0, 0.0, 154), (90, 0.004, 155), (20_000, 0.2, 158)]),
            chain(2, "random", &[(0, 0.0, 131), (4, 0.0002, 140), (800, 0.01, 156), (900_000, 4.5, 160)]),
        ],
        bracket: None,
        references: vec![
            Reference { label: "found by <B>".to_owned(), kind: ReferenceKind::Published, makespan: 160 },
            Reference { label: "upper bound".to_owned(), kind: ReferenceKind::UpperBound, makespan: 281 },
        ],
    }
}

/// The same with a search beside it that proved 160.
pub(crate) fn proven() -> Convergence {
    let step = |seconds, lower, upper| Narrowing { seconds, lower, upper };
    let steps = vec![step(0.001, 128, 197), step(0.05, 159, 197), step(0.4, 159, 162), step(0.9, 160, 160)];
    Convergence { bracket: Some(Bracket { steps, seconds: 1.0 }), ..data() }
}

pub(crate) fn frame(spread: Spread) -> Frame {
    Frame {
        width: 800.0,
        height: 400.0,
        axis: Axis::Seconds,
        spread,
        zoom: None,
        hidden: Vec::new(),
        pointed: None,
        selected: None,
        range: None,
        heading: None,
        theme: Default::default(),
    }
}
