//! Duplicate detection: the set of states that a search has expanded, exact and bounded in memory.
//!
//! Invariant: a key is in the set only if it was put in since the set was last cleared. A full set takes nothing more,
//! which costs a search time and nothing else.

/// Where no key stands.
const EMPTY: u32 = u32::MAX;

/// The set.
#[derive(Debug)]
pub struct VisitedSet {
    /// Keys one after another, each behind its length.
    words: Vec<u64>,
    /// Where keys begin, by their hash; a power of two of them, at the most half of them taken.
    slots: Vec<u32>,
    count: usize,
    most_words: usize,
}

/// What became of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Insert {
    /// It is new, and in the set from now on if there was room.
    New,
    /// It was there.
    Seen,
}

impl VisitedSet {
    /// An empty set of so many words in all; a word has 8 bytes.
    pub fn new(most_words: usize) -> Self {
        let most_words = most_words.min(EMPTY as usize - 1);
        Self { words: Vec::new(), slots: vec![EMPTY; 1 << 10], count: 0, most_words }
    }

    /// Forgets all keys and keeps the memory.
    pub fn clear(&mut self) {
        self.words.clear();
        self.slots.fill(EMPTY);
        self.count = 0;
    }

    /// Looks a key up and puts it in if it is not there.
    pub fn insert(&mut self, key: &[u64]) -> Insert {
        let slot = self.slot_of(key);
        if self.slots[slot] != EMPTY {
            return Insert::Seen;
        }
        if self.words.len() + key.len() < self.most_words {
            self.slots[slot] = u32::try_from(self.words.len()).unwrap_or(EMPTY);
            self.words.push(key.len() as u64);
            self.words.extend_from_slice(key);
            self.count += 1;
            if 2 * self.count > self.slots.len() {
                self.grow();
            }
        }
        Insert::New
    }

    /// The slot a key stands in, or would stand in.
    fn slot_of(&self, key: &[u64]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(key) & mask;
        while self.slots[slot] != EMPTY && self.key_at(self.slots[slot]) != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn key_at(&self, at: u32) -> &[u64] {
        let begin = at as usize + 1;
        &self.words[begin..begin + self.words[at as usize] as usize]
    }

    fn grow(&mut self) {
        self.slots = vec![EMPTY; 2 * self.slots.len()];
        let mut at = 0;
        while at < self.words.len() {
            let place = u32::try_from(at).unwrap_or(EMPTY);
            let slot = self.slot_of(self.key_at(place));
            self.slots[slot] = place;
            at += 1 + self.words[at] as usize;
        }
    }
}

/// Mixes the words of a key; of a machine word the lower 32 bits are used.
fn hash(key: &[u64]) -> usize {
    let mut sum = 0u64;
    for &word in key {
        sum = (sum.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^= sum >> 32;
    }
    (sum.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use base::Seeded;

    #[test]
    fn it_knows_what_it_was_told_and_nothing_else() {
        let mut rng = Seeded::new(1, 0);
        let (mut visited, mut twin) = (VisitedSet::new(1 << 20), HashSet::new());
        for round in 0..20_000 {
            let key: Vec<u64> = (0..rng.below(4)).map(|_| rng.below(20).into()).collect();
            let expected = if twin.insert(key.clone()) { Insert::New } else { Insert::Seen };
            assert_eq!(visited.insert(&key), expected, "{key:?}");
            if round == 10_000 {
                visited.clear();
                twin.clear();
            }
        }
    }

    #[test]
    fn a_full_set_takes_nothing_more() {
        let mut visited = VisitedSet::new(10);
        let offers: Vec<Insert> = (0..20).chain(0..20).map(|word| visited.insert(&[word])).collect();
        let old = offers.iter().filter(|offer| **offer == Insert::Seen).count();
        assert!(
            (1..=5).contains(&old) && offers[20] == Insert::Seen && offers[39] == Insert::New,
            "{offers:?}"
        );
    }
}
