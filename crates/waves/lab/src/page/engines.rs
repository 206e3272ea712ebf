//! How many waves are on the shader engines, over time, as the page shows it above the rows of an engine.

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use super::layout::Layout;
use super::packed::{numbers, times};
use waves::Capture;
use waves::residents::residents;

/// A shader engine as it crosses from the worker.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PackedEngine {
    se: u32,
    cus: Vec<u32>,
    from: ByteBuf,
    engine: ByteBuf,
    traced: ByteBuf,
}

impl PackedEngine {
    /// Those of which waves were traced, as far as the capture tells who was on them.
    pub fn all(capture: &Capture, layout: &Layout) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for row in &layout.rows {
            match found.last_mut() {
                Some(last) if last.se == row.se => last.cus.push(row.cu),
                _ => found.push(Self { se: row.se, cus: vec![row.cu], ..Self::default() }),
            }
        }
        for own in &mut found {
            own.cus.dedup();
            for step in residents(capture, own.se) {
                own.from.extend((layout.time(own.se, step.clock) as f64).to_le_bytes());
                own.engine.extend(step.engine.to_le_bytes());
                own.traced.extend(step.traced.to_le_bytes());
            }
        }
        found.retain(|own| !own.from.is_empty());
        found
    }
}

/// A shader engine.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Engine {
    /// Its number.
    pub se: u32,
    /// Its compute units of which waves were traced.
    pub cus: Vec<u32>,
    /// The most waves that are on it while any traced wave lives.
    pub most: u32,
    from: Vec<f64>,
    engine: Vec<u32>,
    traced: Vec<u32>,
    /// Cycles of waves from the first step on to each: on the engine, and on the compute units.
    sums: Vec<[f64; 2]>,
}

impl Engine {
    /// As it crossed; `end` is when the last traced wave ends.
    pub(super) fn new(packed: PackedEngine, end: f64) -> Self {
        let PackedEngine { se, cus, from, engine, traced } = packed;
        let (mut from, engine, traced) = (times(&from), numbers(&engine), numbers(&traced));
        // The first is since ever: the picture begins at zero.
        let before = from.get(1).copied().unwrap_or(0.0).min(0.0) - 1.0;
        from.iter_mut().take(1).for_each(|first| *first = before);
        let mut own = Self { se, cus, most: 0, from, engine, traced, sums: Vec::new() };
        let mut sum = [0.0; 2];
        for at in 0..own.from.len() {
            if at > 0 {
                let long = own.from[at] - own.from[at - 1];
                sum[0] += long * f64::from(own.engine[at - 1]);
                sum[1] += long * f64::from(own.traced[at - 1]);
            }
            own.sums.push(sum);
        }
        let seen = own.place(0.0)..=own.place(end);
        own.most = own.engine.get(seen).into_iter().flatten().copied().max().unwrap_or(0);
        own
    }

    /// The step that a time is in.
    fn place(&self, time: f64) -> usize {
        self.from.partition_point(|&from| from <= time).saturating_sub(1)
    }

    /// Waves at a time: on the engine, and on the compute units.
    pub fn at(&self, time: f64) -> (u32, u32) {
        let at = self.place(time);
        (self.engine.get(at).copied().unwrap_or(0), self.traced.get(at).copied().unwrap_or(0))
    }

    /// Waves in a stretch of time, in the mean: on the engine, and on the compute units.
    pub fn mean(&self, from: f64, to: f64) -> (f64, f64) {
        let until = |time: f64| {
            let at = self.place(time);
            let ((engine, traced), long) = (self.at(time), time - self.from.get(at).copied().unwrap_or(time));
            let [a, b] = self.sums.get(at).copied().unwrap_or_default();
            [a + long * f64::from(engine), b + long * f64::from(traced)]
        };
        let ([a, b], [c, d], wide) = (until(from), until(to), (to - from).max(f64::MIN_POSITIVE));
        ((c - a) / wide, (d - b) / wide)
    }
}
