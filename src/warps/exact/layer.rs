//! A set of states of one layer: keys of a few words in one block of memory, found by hashing.
//!
//! The order of the entries is the order they came in, whatever the hash does.

/// Entries with a key of `stride` words, and three numbers each.
#[derive(Debug, Clone, Default)]
pub struct Layer {
    stride: usize,
    keys: Vec<u64>,
    entries: Vec<Entry>,
    /// Index of an entry plus one; 0 is free.
    slots: Vec<u32>,
}

/// What is known of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Entry {
    /// The best score of a way to it.
    pub score: i32,
    /// The entry it was reached from in that way, or the best score from it on.
    pub link: u32,
    /// Instructions executed in the cycle that led to it.
    pub executed: u32,
}

impl Layer {
    /// An empty set of keys of so many words.
    pub fn new(stride: usize) -> Self {
        Self { stride, ..Self::default() }
    }

    /// How many states.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The key of an entry.
    pub fn key(&self, index: usize) -> &[u64] {
        &self.keys[index * self.stride..(index + 1) * self.stride]
    }

    /// What is known of an entry.
    pub fn entry(&self, index: usize) -> Entry {
        self.entries[index]
    }

    /// Notes a link.
    pub fn set_link(&mut self, index: usize, link: u32) {
        self.entries[index].link = link;
    }

    /// The entry of a key.
    pub fn find(&self, key: &[u64]) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        match self.slots[self.slot(key)] {
            0 => None,
            index => Some(index as usize - 1),
        }
    }

    /// Adds a state, or keeps the better of two ways to it; whether it is new.
    pub fn offer(&mut self, key: &[u64], entry: Entry) -> bool {
        if (self.entries.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let slot = self.slot(key);
        match self.slots[slot] {
            0 => {
                self.keys.extend_from_slice(key);
                self.entries.push(entry);
                self.slots[slot] = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
                true
            }
            index => {
                let known = &mut self.entries[index as usize - 1];
                if entry.score > known.score {
                    *known = entry;
                }
                false
            }
        }
    }

    /// Frees what only adding and finding need.
    pub fn close(&mut self) {
        self.slots = Vec::new();
        self.keys.shrink_to_fit();
        self.entries.shrink_to_fit();
    }

    /// Forgets all states, keeping the room.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.entries.clear();
        self.slots.fill(0);
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let keys = self.keys.capacity() * 8 + self.slots.capacity() * 4;
        (keys + self.entries.capacity() * size_of::<Entry>()) as u64
    }

    /// Where a key is, or where it would go.
    fn slot(&self, key: &[u64]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = hash(key) as usize & mask;
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
        for index in 0..self.entries.len() {
            let mut at = hash(self.key(index)) as usize & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = u32::try_from(index + 1).unwrap_or(u32::MAX);
        }
    }
}

fn hash(key: &[u64]) -> u32 {
    let mut sum = 0u64;
    for &word in key {
        sum = (sum.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^= sum >> 32;
    }
    (sum.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32) as u32
}
