//! States in machine words: warps at positions, and aggregates of phases.

use super::instance::{Aggregate, Group, Instance, Place};

/// Numbers of fixed widths, side by side, none across a word's end.
#[derive(Debug, Clone, Default)]
pub struct Packing {
    fields: Vec<(usize, u32, u64)>,
    stride: usize,
}

impl Packing {
    /// Room for numbers up to these.
    pub fn new(most: impl IntoIterator<Item = u32>) -> Self {
        let (mut fields, mut word, mut used) = (Vec::new(), 0, 0);
        for most in most {
            let bits = u32::BITS - most.leading_zeros();
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            fields.push((word, used, (1u64 << bits) - 1));
            used += bits;
        }
        Self { fields, stride: word + 1 }
    }

    /// Words.
    pub fn stride(&self) -> usize {
        self.stride
    }

    fn put(&self, key: &mut [u64], field: usize, value: u32) {
        let (word, shift, _) = self.fields[field];
        key[word] |= u64::from(value) << shift;
    }

    fn get(&self, key: &[u64], field: usize) -> u32 {
        let (word, shift, mask) = self.fields[field];
        (key[word] >> shift & mask) as u32
    }
}

/// Multisets of positions as words: in unary where that is short (a 1 for each warp, a 0 for each step
/// forward), else position by position.
#[derive(Debug, Clone)]
pub struct StateCode {
    warps: u32,
    length: u32,
    packing: Packing,
    unary: bool,
    stride: usize,
}

impl StateCode {
    /// The shorter code for a problem.
    pub fn new(instance: &Instance) -> Self {
        let packing = Packing::new((0..instance.warps).map(|_| instance.length));
        let bits = (instance.warps + instance.length) as usize;
        let unary = bits.div_ceil(64) <= packing.stride();
        let stride = if unary { bits.div_ceil(64) } else { packing.stride() };
        Self { warps: instance.warps, length: instance.length, packing, unary, stride }
    }

    /// Words per state.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Writes places, given by ascending position, with the finished warps among them or not.
    pub fn encode(&self, places: &[Place], key: &mut Vec<u64>) {
        key.clear();
        key.resize(self.stride, 0);
        let mut written = 0;
        for place in places.iter().filter(|place| place.at < self.length) {
            self.write(key, written, *place);
            written += place.warps;
        }
        self.write(key, written, Place { at: self.length, warps: self.warps - written });
    }

    fn write(&self, key: &mut [u64], written: u32, place: Place) {
        for i in written..written + place.warps {
            if self.unary {
                let bit = i + place.at;
                key[(bit / 64) as usize] |= 1 << (bit % 64);
            } else {
                self.packing.put(key, i as usize, place.at);
            }
        }
    }

    /// Reads the places of unfinished warps, by ascending position.
    pub fn decode(&self, key: &[u64], places: &mut Vec<Place>) {
        places.clear();
        let mut add = |at: u32| {
            if at < self.length {
                match places.last_mut() {
                    Some(place) if place.at == at => place.warps += 1,
                    _ => places.push(Place { at, warps: 1 }),
                }
            }
        };
        if !self.unary {
            (0..self.warps as usize).for_each(|i| add(self.packing.get(key, i)));
            return;
        }
        let mut seen = 0;
        for (word, &bits) in (0..).zip(key) {
            let mut bits = bits;
            while bits != 0 {
                add(word * 64 + bits.trailing_zeros() - seen);
                seen += 1;
                bits &= bits - 1;
            }
        }
    }
}

/// Aggregates as words.
#[derive(Debug, Clone)]
pub struct AggregateCode {
    packing: Packing,
    phases: usize,
}

impl AggregateCode {
    /// The code for a problem.
    pub fn new(instance: &Instance) -> Self {
        let fields = instance
            .phases
            .iter()
            .flat_map(|phase| [instance.warps, instance.warps.saturating_mul(phase.length), phase.length]);
        Self { packing: Packing::new(fields), phases: instance.phases.len() }
    }

    /// Words per aggregate.
    pub fn stride(&self) -> usize {
        self.packing.stride()
    }

    /// Writes an aggregate.
    pub fn encode(&self, aggregate: &Aggregate, key: &mut Vec<u64>) {
        key.clear();
        key.resize(self.packing.stride(), 0);
        for (q, group) in aggregate.0.iter().enumerate() {
            for (i, value) in [group.warps, group.left, group.most].into_iter().enumerate() {
                self.packing.put(key, 3 * q + i, value);
            }
        }
    }

    /// Reads an aggregate.
    pub fn decode(&self, key: &[u64], aggregate: &mut Aggregate) {
        aggregate.0.clear();
        aggregate.0.extend((0..self.phases).map(|q| Group {
            warps: self.packing.get(key, 3 * q),
            left: self.packing.get(key, 3 * q + 1),
            most: self.packing.get(key, 3 * q + 2),
        }));
    }
}
