//! A transposition table: for each state the proven range of its best score. It forgets when full, which costs time and
//! never the truth.
//!
//! It grows up to a limit. Where a key goes depends on the keys seen before it alone.

/// The most places there may be.
const MOST_PLACES: usize = 1 << 28;

/// How many places a key may be at.
const PROBES: usize = 8;

/// Scores a key's best lies between, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProvenRange {
    /// Some way has that score or a better one.
    pub least: i32,
    /// No way has a better score.
    pub most: i32,
}

impl ProvenRange {
    /// Nothing known.
    pub const OPEN: Self = Self { least: i32::MIN, most: i32::MAX };
}

/// Ranges by key: for each place its key and its range, all zero where there is none.
#[derive(Debug, Clone)]
pub struct TranspositionTable {
    stride: usize,
    /// The most bytes it may take.
    memory: u64,
    /// Whether it was not allowed to grow.
    full: bool,
    words: Vec<u64>,
    used: usize,
    /// The table before it was last doubled, while it is being carried over little by little.
    old: Vec<u64>,
    /// How many of its words are through.
    carried: usize,
    forgotten: u64,
}

impl TranspositionTable {
    /// An empty table for keys of `stride` words, of at most about `memory` bytes.
    pub fn new(stride: usize, memory: u64) -> Self {
        let words = vec![0; 64 * (stride + 1)];
        Self { stride, memory, full: false, words, used: 0, old: Vec::new(), carried: 0, forgotten: 0 }
    }

    /// From now on it may take so many bytes.
    pub fn allow(&mut self, memory: u64) {
        self.memory = memory;
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> u64 {
        (self.words.len() + self.old.len()) as u64 * 8
    }

    /// Whether it had to forget more than so many keys for each it holds, since there was no more room.
    pub fn has_replaced_more_than(&self, times: u64) -> bool {
        self.full && self.forgotten > times * self.places(&self.words) as u64
    }

    /// What is known of a key.
    pub fn get(&self, key: &[u64]) -> ProvenRange {
        match self.find(&self.words, key) {
            ProvenRange::OPEN if !self.old.is_empty() => self.find(&self.old, key),
            range => range,
        }
    }

    /// Notes what has become known of a key.
    pub fn narrow(&mut self, key: &[u64], range: ProvenRange) {
        let crowded = self.used * 2 > self.places(&self.words);
        // While it is being carried over, half as much is held besides.
        let fits = self.words.len() as u64 * 24 <= self.memory && self.places(&self.words) < MOST_PLACES;
        if crowded && !fits && !self.full {
            (self.full, self.forgotten) = (true, 0);
        }
        if crowded && fits {
            self.full = false;
            self.old = std::mem::take(&mut self.words);
            self.words = vec![0; self.old.len() * 2];
            (self.used, self.carried) = (0, 0);
        }
        self.carry();
        let known = self.get(key);
        self.put(key, ProvenRange { least: known.least.max(range.least), most: known.most.min(range.most) });
    }

    /// Carries over some of the old table; all of it before the new one is doubled in turn.
    fn carry(&mut self) {
        let width = self.stride + 1;
        let old = std::mem::take(&mut self.old);
        let end = (self.carried + 8 * width).min(old.len());
        self.carried = self.carried.min(end);
        for place in old[self.carried..end].chunks(width).filter(|place| place[0] != 0) {
            let (range, key) = (unpack(place[0]), &place[1..]);
            if self.find(&self.words, key) == ProvenRange::OPEN {
                self.put(key, range);
            }
        }
        self.carried = end;
        if end < old.len() {
            self.old = old;
        }
    }

    fn places(&self, words: &[u64]) -> usize {
        words.len() / (self.stride + 1)
    }

    /// Where in a table a key may be, as indices of words.
    fn probes(&self, words: &[u64], key: &[u64]) -> impl Iterator<Item = usize> + use<> {
        let (home, mask, width) = (hash(key), self.places(words) - 1, self.stride + 1);
        (0..PROBES).map(move |i| (home.wrapping_add(i) & mask) * width)
    }

    fn find(&self, words: &[u64], key: &[u64]) -> ProvenRange {
        for at in self.probes(words, key).take_while(|&at| words[at] != 0) {
            if words[at + 1..=at + self.stride].iter().eq(key) {
                return unpack(words[at]);
            }
        }
        ProvenRange::OPEN
    }

    fn put(&mut self, key: &[u64], range: ProvenRange) {
        let mut probes = self.probes(&self.words, key);
        let fits = |&at: &usize| self.words[at] == 0 || self.words[at + 1..=at + self.stride].iter().eq(key);
        let at = match probes.find(fits) {
            Some(at) => at,
            None => {
                self.forgotten += 1;
                let i = (self.forgotten % PROBES as u64) as usize;
                self.probes(&self.words, key).nth(i).unwrap_or_default()
            }
        };
        self.used += usize::from(self.words[at] == 0);
        self.words[at] = pack(range);
        self.words[at + 1..=at + self.stride].copy_from_slice(key);
    }
}

/// A range as a word, the open one as zero.
fn pack(range: ProvenRange) -> u64 {
    let (least, most) = ((range.least ^ i32::MIN).cast_unsigned(), (range.most ^ i32::MAX).cast_unsigned());
    u64::from(least) << 32 | u64::from(most)
}

fn unpack(word: u64) -> ProvenRange {
    let (least, most) = (((word >> 32) as u32).cast_signed(), (word as u32).cast_signed());
    ProvenRange { least: least ^ i32::MIN, most: most ^ i32::MAX }
}

/// Mixes the words of a key; of a machine word the lower 32 bits are used.
pub fn hash(key: &[u64]) -> usize {
    let mut sum = 0u64;
    for &word in key {
        sum = (sum.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^= sum >> 32;
    }
    (sum.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use base::Seeded;

    /// Notes random ranges, in a plain map as well; how many of its keys are no longer known.
    fn compare(memory: u64, stride: usize) -> usize {
        let (mut rng, mut known, mut plain) =
            (Seeded::new(5, 0), TranspositionTable::new(stride, memory), HashMap::new());
        for _ in 0..20_000 {
            let key: Vec<u64> = (0..stride).map(|_| u64::from(rng.below(100))).collect();
            let score = rng.below(1_000).cast_signed();
            let range = match rng.below(2) {
                0 => ProvenRange { least: score, ..ProvenRange::OPEN },
                _ => ProvenRange { most: 1_000 + score, ..ProvenRange::OPEN },
            };
            known.narrow(&key, range);
            let all = plain.entry(key.clone()).or_insert(ProvenRange::OPEN);
            *all = ProvenRange { least: all.least.max(range.least), most: all.most.min(range.most) };
            let found = known.get(&key);
            assert!(range.least <= found.least && found.most <= range.most);
            assert!(found.least <= all.least && all.most <= found.most, "more than is true");
        }
        plain.iter().filter(|&(key, &range)| known.get(key) != range).count()
    }

    #[test]
    fn hardly_anything_is_forgotten_where_there_is_room() {
        for stride in 1..=3 {
            assert!(compare(1 << 24, stride) < 200, "of 100, nearly 10,000 or 20,000");
        }
    }

    #[test]
    fn what_is_not_forgotten_is_true() {
        assert!(compare(1 << 12, 2) > 0);
    }
}
