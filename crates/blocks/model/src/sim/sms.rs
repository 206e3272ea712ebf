//! What is free on each SM, and to which one the next block of a kernel goes.
//!
//! Invariant: once no SM has room for a kernel, only SMs on which something ended since need to be looked at.

use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::super::device::Device;
use super::super::trace::Hold;
use super::super::workload::Placement;
use super::Grid;

/// What one block takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Needs {
    pub(super) threads: u32,
    pub(super) shared_memory: u32,
    /// More than 32 bits, so that what no SM has is still told from what one has.
    pub(super) registers: u64,
}

/// What is free on an SM.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sm {
    threads: u32,
    shared_memory: u32,
    registers: u32,
    /// Blocks it takes besides those it has.
    places: u32,
}

/// The bits of what a block finds lacking on an SM, in the order in which they are told.
const THREADS: u8 = 1;
const SHARED_MEMORY: u8 = 2;
const REGISTERS: u8 = 4;
const PLACES: u8 = 8;
/// The kernel is kept away from this SM.
const CLOSED: u8 = 16;

impl Sm {
    /// An SM with nothing on it.
    pub(super) fn empty(device: &Device) -> Self {
        Self {
            threads: device.threads_per_sm,
            shared_memory: device.shared_memory_per_sm,
            registers: device.registers_per_sm,
            places: device.blocks_per_sm,
        }
    }

    fn lacks(&self, needs: &Needs) -> u8 {
        let bit = |lacking: bool, bit: u8| if lacking { bit } else { 0 };
        bit(self.threads < needs.threads, THREADS)
            | bit(self.shared_memory < needs.shared_memory, SHARED_MEMORY)
            | bit(u64::from(self.registers) < needs.registers, REGISTERS)
            | bit(self.places == 0, PLACES)
    }

    /// A block that fits begins.
    fn take(&mut self, needs: &Needs) {
        self.threads -= needs.threads;
        self.shared_memory -= needs.shared_memory;
        self.registers -= needs.registers as u32; // it fits, so it is small
        self.places -= 1;
    }

    /// So many blocks that were taken have ended.
    pub(super) fn give(&mut self, needs: &Needs, blocks: u32) {
        self.threads += needs.threads * blocks;
        self.shared_memory += needs.shared_memory * blocks;
        self.registers += needs.registers as u32 * blocks;
        self.places += blocks;
    }
}

/// Where blocks of one kernel of one process fit: kept up to date while that kernel waits.
#[derive(Debug)]
pub(super) struct Fit {
    placement: Placement,
    /// The SM that was given a block last.
    last: Option<u16>,
    /// Which process and which kernel this is about.
    about: Option<(usize, usize)>,
    needs: Needs,
    /// What is lacking on each SM.
    lacks: Vec<u8>,
    /// SMs the kernel may use.
    allowed: u32,
    /// On how many of them each of the four things is lacking.
    counts: [u32; 4],
    /// Whether there was no room left when it was last looked for; then only the SMs in `opened` have some.
    full: bool,
    opened: Vec<u16>,
    /// The SMs with room, the next one to be given a block at the top.
    room: BinaryHeap<u64>,
}

impl Fit {
    /// For a device of so many SMs.
    pub(super) fn new(placement: Placement, sms: usize) -> Self {
        Self {
            placement,
            last: None,
            about: None,
            needs: Needs { threads: 0, shared_memory: 0, registers: 0 },
            lacks: vec![0; sms],
            allowed: 0,
            counts: [0; 4],
            full: false,
            opened: Vec::new(),
            room: BinaryHeap::new(),
        }
    }

    /// Gets ready to place blocks of this kernel of this process.
    pub(super) fn prepare(&mut self, process: usize, kernel: usize, grid: &Grid, sms: &[Sm]) {
        if self.about != Some((process, kernel)) {
            self.about = Some((process, kernel));
            self.look(grid, sms);
        }
        let mut room = std::mem::take(&mut self.room).into_vec();
        room.clear();
        if self.full {
            room.extend(self.opened.iter().map(|&sm| self.rank(sm, &sms[usize::from(sm)])));
        } else {
            let open = (0u16..).zip(&self.lacks).zip(sms).filter(|((_, lacks), _)| **lacks == 0);
            room.extend(open.map(|((sm, _), state)| self.rank(sm, state)));
        }
        self.opened.clear();
        self.full = false;
        self.room = BinaryHeap::from(room);
    }

    /// Gives the next block to an SM, if it fits anywhere.
    pub(super) fn place(&mut self, sms: &mut [Sm]) -> Option<u16> {
        let Some(mut top) = self.room.peek_mut() else {
            self.full = true;
            return None;
        };
        let sm = sm_of(*top);
        let state = &mut sms[usize::from(sm)];
        state.take(&self.needs);
        self.last = Some(sm);
        let lacks = state.lacks(&self.needs);
        if lacks == 0 {
            match self.placement {
                Placement::MostFreeThreads => *top = ranked(u64::from(state.threads), sm),
                Placement::FewestBlocks => *top = ranked(u64::from(state.places), sm),
                Placement::RoundRobin => *top -= (self.lacks.len() as u64) << 16,
                Placement::LowestFirst | Placement::HighestFirst => {}
            }
        } else {
            PeekMut::pop(top);
            self.note(usize::from(sm), lacks);
        }
        Some(sm)
    }

    /// Something ended on an SM of this process.
    pub(super) fn ended(&mut self, process: usize, sm: u16, state: &Sm) {
        let index = usize::from(sm);
        if self.about.is_none_or(|(about, _)| about != process) || self.lacks[index] & CLOSED != 0 {
            return;
        }
        let lacks = state.lacks(&self.needs);
        if lacks == 0 && self.lacks[index] != 0 {
            self.opened.push(sm);
        }
        self.note(index, lacks);
    }

    /// Why the kernel's next block fits nowhere.
    pub(super) fn hold(&self) -> Hold {
        let everywhere = self.counts.map(|count| count == self.allowed);
        match everywhere {
            [true, ..] => Hold::Threads,
            [_, true, ..] => Hold::SharedMemory,
            [_, _, true, _] => Hold::Registers,
            [_, _, _, true] => Hold::BlockLimit,
            _ => Hold::Mixed,
        }
    }

    /// Looks at every SM.
    fn look(&mut self, grid: &Grid, sms: &[Sm]) {
        self.needs = grid.needs;
        self.full = false;
        self.allowed = 0;
        self.counts = [0; 4];
        self.lacks.fill(CLOSED);
        for ((index, state), sm) in sms.iter().enumerate().zip(0..) {
            if grid.mask.has(sm) {
                self.allowed += 1;
                self.lacks[index] = 0;
                self.note(index, state.lacks(&grid.needs));
            }
        }
    }

    /// Writes down what is lacking on an SM.
    fn note(&mut self, index: usize, lacks: u8) {
        let changed = self.lacks[index] ^ lacks;
        if changed == 0 {
            return;
        }
        self.lacks[index] = lacks;
        for (bit, count) in self.counts.iter_mut().enumerate() {
            match (changed >> bit & 1, lacks >> bit & 1) {
                (0, _) => {}
                (_, 0) => *count -= 1,
                _ => *count += 1,
            }
        }
    }

    fn rank(&self, sm: u16, state: &Sm) -> u64 {
        let first = match self.placement {
            Placement::MostFreeThreads => u64::from(state.threads),
            Placement::FewestBlocks => u64::from(state.places),
            Placement::LowestFirst => 0,
            Placement::HighestFirst => u64::from(sm),
            Placement::RoundRobin => {
                let count = self.lacks.len() as u64;
                let after = self.last.map_or(0, |last| u64::from(last) + 1);
                // Far from 0, as it sinks by one turn with every block given.
                (1 << 47) - (u64::from(sm) + count - after) % count
            }
        };
        ranked(first, sm)
    }
}

/// A number that is the higher, the sooner an SM is given a block: among equals, the lowest SM first.
fn ranked(first: u64, sm: u16) -> u64 {
    first << 16 | u64::from(u16::MAX - sm)
}

fn sm_of(rank: u64) -> u16 {
    u16::MAX - (rank & 0xffff) as u16
}
