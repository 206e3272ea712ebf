//! Where everything of a capture is in the picture: a row for each slot of each SIMD, and bars wave after wave.
//!
//! The worker that holds a capture and the page that shows it mean the same by the place of a bar: bars stand row by row,
//! in a row wave by wave, in a wave as its account has them. Times count from the first cycle of the shader engine.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use waves::{Account, Capture, Witness};

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The shader engine.
    pub se: u32,
    /// The compute unit.
    pub cu: u32,
    /// The SIMD.
    pub simd: u32,
    /// The slot.
    pub slot: u32,
    /// The place of its first bar.
    pub first: u32,
    /// How many bars it has.
    pub count: u32,
}

/// A wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfWave {
    /// Its row.
    pub row: u32,
    /// The place of its first bar.
    pub first: u32,
    /// How many bars it has.
    pub count: u32,
}

/// Where rows and waves are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
    /// By wave of the capture.
    pub waves: Vec<OfWave>,
    /// By row, its waves in order.
    pub order: Vec<Vec<u32>>,
    /// By shader engine, its first cycle.
    begins: BTreeMap<u32, i64>,
}

impl Layout {
    /// Of an account.
    pub fn of(account: &Account) -> Self {
        let capture = account.capture;
        let mut found = Self { begins: begins(capture), ..Self::default() };
        found.waves = vec![OfWave { row: 0, first: 0, count: 0 }; capture.waves.len()];
        let mut first = 0_u32;
        for ((se, cu, simd, slot, _), waves) in rows(capture) {
            let (row, begins) = (found.rows.len() as u32, first);
            for &wave in &waves {
                let count = account.parts[wave as usize].len() as u32;
                found.waves[wave as usize] = OfWave { row, first, count };
                first += count;
            }
            found.rows.push(Row { se, cu, simd, slot, first: begins, count: first - begins });
            found.order.push(waves);
        }
        found
    }

    /// A cycle of a shader engine on the axis.
    pub fn time(&self, se: u32, clock: i64) -> i64 {
        clock.saturating_sub(self.begins.get(&se).copied().unwrap_or_default())
    }

    /// The wave of a bar, and the place of the bar's part in it.
    pub fn part(&self, place: u32) -> Option<(u32, usize)> {
        let row = self.rows.iter().position(|row| (row.first..row.first + row.count).contains(&place))?;
        let own = |wave: &&u32| {
            let own = self.waves[**wave as usize];
            (own.first..own.first + own.count).contains(&place)
        };
        let wave = *self.order[row].iter().find(own)?;
        Some((wave, (place - self.waves[wave as usize].first) as usize))
    }

    /// The bar of an instruction: the one in which it issued.
    pub fn bar(&self, account: &Account, witness: Witness) -> Option<u32> {
        let parts = account.parts.get(witness.wave as usize)?;
        let is_before = |part: &waves::Part| match part.item {
            Some(item) => item <= witness.item,
            None => part.cause == waves::Cause::Start,
        };
        let place = parts.partition_point(is_before).checked_sub(1)?;
        (parts[place].item == Some(witness.item))
            .then(|| self.waves[witness.wave as usize].first + place as u32)
    }
}

fn begins(capture: &Capture) -> BTreeMap<u32, i64> {
    let mut found = BTreeMap::new();
    for wave in &capture.waves {
        let begin = found.entry(wave.se).or_insert(wave.begin);
        *begin = wave.begin.min(*begin);
    }
    found
}

/// Shader engine, compute unit, SIMD, slot; and how many rows the slot had before, if waves in it overlap.
type Key = (u32, u32, u32, u32, usize);

/// Waves of each row in the order of their begins; none begins before the one before it has ended.
fn rows(capture: &Capture) -> BTreeMap<Key, Vec<u32>> {
    let mut order: Vec<u32> = (0..capture.waves.len() as u32).collect();
    order.sort_by_key(|&wave| (capture.waves[wave as usize].begin, wave));
    let mut found: BTreeMap<Key, Vec<u32>> = BTreeMap::new();
    for wave in order {
        let own = &capture.waves[wave as usize];
        let key = |again| (own.se, own.cu, own.simd, own.slot, again);
        let ends = |again: usize| {
            let last = found.get(&key(again)).and_then(|row| row.last());
            last.map_or(i64::MIN, |&last| capture.waves[last as usize].end)
        };
        let again = (0..).find(|&again| ends(again) <= own.begin).unwrap_or_default();
        found.entry(key(again)).or_default().push(wave);
    }
    found
}
