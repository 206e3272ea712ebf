//! What is found by a key again and again: mostly it is one of a few.
//!
//! A table of those that were asked for last stands before the tree, so that no file makes it slower than that.

use std::collections::BTreeMap;
use std::sync::Arc;
use traces::trace::Shape;

/// So many of those asked for last are found at once.
const RECENT: usize = 64;

/// Values by keys of so many numbers.
pub struct Known<const N: usize, V> {
    all: BTreeMap<[i64; N], V>,
    recent: Vec<Option<([i64; N], V)>>,
}

impl<const N: usize, V> Default for Known<N, V> {
    fn default() -> Self {
        Self { all: BTreeMap::new(), recent: (0..RECENT).map(|_| None).collect() }
    }
}

impl<const N: usize, V: Clone> Known<N, V> {
    /// The value of a key.
    pub fn get(&mut self, key: [i64; N]) -> Option<V> {
        let slot = self.recent.get_mut(slot(&key))?;
        match slot {
            Some((own, value)) if *own == key => Some(value.clone()),
            _ => {
                let value = self.all.get(&key)?;
                *slot = Some((key, value.clone()));
                Some(value.clone())
            }
        }
    }

    /// Gives a key that has none its value.
    pub fn insert(&mut self, key: [i64; N], value: V) {
        self.all.entry(key).or_insert(value);
    }

    /// Whether a key has a value.
    pub fn has(&self, key: [i64; N]) -> bool {
        self.all.contains_key(&key)
    }
}

/// Where a key is kept.
fn slot<const N: usize>(key: &[i64; N]) -> usize {
    let mixed = |all: u64, part: &i64| {
        (all.rotate_left(5) ^ part.cast_unsigned()).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    };
    (key.iter().fold(0, mixed) >> 48) as usize % RECENT
}

/// How kernels were launched, each once.
#[derive(Default)]
pub struct Shapes(Known<8, Arc<Shape>>);

impl Shapes {
    /// The one that is the same.
    pub fn shared(&mut self, shape: Shape) -> Arc<Shape> {
        let two = |high: u32, low: u32| (i64::from(high) << 32) | i64::from(low);
        let [x, y, z] = shape.grid;
        let [bx, by, bz] = shape.block;
        let key = [
            two(x, y),
            two(z, bx),
            two(by, bz),
            shape.registers.map_or(-1, i64::from),
            shape.shared.map_or(-1, u64::cast_signed),
            shape.estimated.map_or(-1, |share| share.to_bits().cast_signed()),
            shape.blocks_each.map_or(-1, |each| each.to_bits().into()),
            shape.warps_each.map_or(-1, |each| each.to_bits().into()),
        ];
        // What is not known has the key of a number that hardly any file has.
        self.0.get(key).filter(|known| **known == shape).unwrap_or_else(|| {
            let shape = Arc::new(shape);
            self.0.insert(key, Arc::clone(&shape));
            shape
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_keeps_its_value() {
        let mut known = Known::<2, i64>::default();
        for turn in 0..3 {
            for number in 0..1_000 {
                let key = [number % 7, number];
                assert_eq!(known.get(key), (turn > 0).then_some(number));
                assert_eq!(known.has(key), turn > 0);
                known.insert(key, number + turn);
            }
        }
    }

    #[test]
    fn shapes_that_are_equal_are_one() {
        let mut shapes = Shapes::default();
        let shape = |shared| Shape { grid: [4, 2, 1], block: [32, 1, 1], shared, ..Shape::default() };
        let first = shapes.shared(shape(None));
        assert!(Arc::ptr_eq(&first, &shapes.shared(shape(None))));
        for other in [Some(0), Some(u64::MAX)] {
            assert_eq!(*shapes.shared(shape(other)), shape(other));
        }
    }
}
