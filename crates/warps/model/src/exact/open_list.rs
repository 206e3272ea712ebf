//! A hash set of states with parent pointers, in the order of insertion.
//!
//! The order of the entries is the order they came in, whatever the hash does.

use super::transposition::hash;

/// Keys of `stride` words, and a link each.
#[derive(Debug, Clone, Default)]
pub struct StateSet {
    stride: usize,
    keys: Vec<u64>,
    links: Vec<u32>,
    /// Index of an entry plus one; 0 is free.
    slots: Vec<u32>,
}

impl StateSet {
    /// An empty set of keys of so many words.
    pub fn new(stride: usize) -> Self {
        Self { stride, ..Self::default() }
    }

    /// How many states.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// The key of an entry.
    pub fn key(&self, index: usize) -> &[u64] {
        &self.keys[index * self.stride..(index + 1) * self.stride]
    }

    /// Where an entry first came from.
    pub fn link(&self, index: usize) -> u32 {
        self.links[index]
    }

    /// Adds a state; whether it is new.
    pub fn offer(&mut self, key: &[u64], link: u32) -> bool {
        if (self.links.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let slot = self.slot(key);
        if self.slots[slot] != 0 {
            return false;
        }
        self.keys.extend_from_slice(key);
        self.links.push(link);
        self.slots[slot] = u32::try_from(self.links.len()).unwrap_or(u32::MAX);
        true
    }

    /// Forgets all states, keeping the room.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.links.clear();
        self.slots.fill(0);
    }

    /// Where a key is, or where it would go.
    fn slot(&self, key: &[u64]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash(key) & mask;
        loop {
            match self.slots[at] {
                0 => return at,
                index if self.key(index as usize - 1) == key => return at,
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(16);
        self.slots.clear();
        self.slots.resize(size, 0);
        for index in 0..self.links.len() {
            let mut at = hash(self.key(index)) & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = u32::try_from(index + 1).unwrap_or(u32::MAX);
        }
    }
}
