//! Plays a schedule from event to event: who issues is chosen by keys, among those that may.
//!
//! Every schedule it makes is work-conserving, and every work-conserving schedule is made by some keys: take the cycle
//! in which each instruction issues in it. Whatever issues there in a cycle is then tried before whatever does not, fits
//! together, and leaves no place for anything else.

use super::launch::{Launch, MOST_BOARDS};
use super::wakes::{Wakes, bits};

/// Who goes first among those that may issue.
pub trait Chooser {
    /// The key of an instruction that may issue since a cycle; the smallest goes first, among equals the first warp.
    fn key(&mut self, cycle: u32, warp: usize, place: usize, since: u32) -> u64;

    /// The first of a set of warps of one partition, as bits, with its key, where that is known without all keys. It is
    /// asked only where a partition issues one instruction a cycle.
    fn first(&mut self, _cycle: u32, _partition: u32, _ready: u64) -> Option<(u64, usize)> {
        None
    }

    /// Hears who issued.
    fn issued(&mut self, _cycle: u32, _warp: usize, _place: usize) {}
}

/// Where a warp stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Its next instruction may issue from this cycle on, but for its unit and slot.
    Ready(u32),
    /// It came to a barrier in this cycle, or will.
    Arrived(u32),
    /// All has issued; it counts at barriers from this cycle on.
    Over(u32),
}

/// Plays schedules of a launch, always the same one.
#[derive(Debug, Clone)]
pub struct Engine {
    /// Where each warp's row begins.
    rows: Vec<usize>,
    issued: Vec<u32>,
    place: Vec<usize>,
    stand: Vec<Stand>,
    /// Who may issue by stalls, results and its unit, as far as that is known; and the pool that each warp's next
    /// instruction takes a place of.
    wakes: Wakes,
    pool: Vec<usize>,
    /// For each pool the warps whose next instruction takes a place of it, as bits.
    wants: Vec<u64>,
    partition: Vec<usize>,
    /// The warps of each partition, as bits.
    members: Vec<u64>,
    /// For each warp and scoreboard when the last of those under way is there; all of them where some wait counts them.
    clear: Vec<u32>,
    boards: Vec<Vec<u32>>,
    counts: bool,
    /// For each block how many of its warps have neither come to a barrier nor ended; nothing without barriers.
    running: Vec<u32>,
    /// For each pool until when its places are taken, and the soonest of them.
    taken: Vec<Vec<u32>>,
    soonest: Vec<u32>,
    slots: Vec<u32>,
    /// The keys of those that are awake, and the first of each partition.
    keys: Vec<u64>,
    first: Vec<Option<(u64, usize)>>,
}

/// The warps of each partition, as bits.
fn members(launch: &Launch) -> Vec<u64> {
    let mut members = vec![0; launch.machine().partitions as usize];
    for (number, warp) in launch.warps().iter().enumerate() {
        members[warp.partition as usize] |= 1u64 << number;
    }
    members
}

const BOARDS: usize = MOST_BOARDS as usize;
/// The pool of what takes no place.
const NONE: usize = usize::MAX;

impl Engine {
    /// One that has played nothing.
    pub fn new(launch: &Launch) -> Self {
        let warps = launch.warps().len();
        let mut rows = vec![0];
        for warp in 0..warps {
            rows.push(rows[warp] + launch.length(warp));
        }
        let pools = launch.machine().pools();
        let blocks = 1 + launch.warps().iter().map(|warp| warp.block).max().unwrap_or(0);
        let code = launch.code();
        Self {
            issued: vec![0; rows[warps]],
            rows,
            place: vec![0; warps],
            stand: vec![Stand::Ready(1); warps],
            wakes: Wakes::new(),
            pool: vec![NONE; warps],
            wants: vec![0; pools],
            partition: launch.warps().iter().map(|warp| warp.partition as usize).collect(),
            members: members(launch),
            clear: vec![0; warps * BOARDS],
            boards: vec![Vec::new(); warps * BOARDS],
            counts: code.iter().any(|own| own.waits.iter().any(|wait| wait.left > 0)),
            running: if code.iter().any(|own| own.barrier) { vec![0; blocks] } else { Vec::new() },
            taken: (0..pools).map(|pool| vec![0; launch.machine().unit_of(pool).count as usize]).collect(),
            soonest: vec![0; pools],
            slots: vec![0; launch.machine().partitions as usize],
            keys: vec![0; warps],
            first: vec![None; launch.machine().partitions as usize],
        }
    }

    /// Plays a schedule; its makespan.
    pub fn play(&mut self, launch: &Launch, latencies: &[u32], chooser: &mut impl Chooser) -> u32 {
        self.begin(launch);
        let mut makespan = 0;
        while let Some(cycle) = self.wakes.next() {
            self.wakes.begin(cycle);
            self.slots.fill(launch.machine().issue);
            let mut keyed = 0u64;
            for partition in 0..self.first.len() {
                self.first[partition] = self.look(launch, cycle, partition, chooser, &mut keyed);
            }
            while let Some((_, warp)) = self.first.iter().flatten().copied().min() {
                let partition = self.partition[warp];
                if !self.finds_place(cycle, warp) {
                    // It is not known before where the first is chosen without keys, or another took the last place.
                    self.first[partition] = self.again(cycle, partition, chooser, keyed);
                    continue;
                }
                makespan = makespan.max(self.issue(launch, cycle, warp, latencies));
                chooser.issued(cycle, warp, self.place[warp] - 1);
                self.first[partition] = match self.slots[partition] {
                    0 => None,
                    _ => self.again(cycle, partition, chooser, keyed),
                };
            }
        }
        makespan
    }

    /// When each instruction issued in what was played last.
    pub fn rows(&self) -> Vec<Vec<u32>> {
        (0..self.place.len()).map(|warp| self.row(warp).to_vec()).collect()
    }

    /// The same of one warp.
    pub fn row(&self, warp: usize) -> &[u32] {
        &self.issued[self.rows[warp]..self.rows[warp + 1]]
    }

    fn begin(&mut self, launch: &Launch) {
        self.place.fill(0);
        self.clear.fill(0);
        if self.counts {
            self.boards.iter_mut().for_each(Vec::clear);
        }
        for places in &mut self.taken {
            places.fill(0);
        }
        self.soonest.fill(0);
        self.running.fill(0);
        self.wakes = Wakes::new();
        self.wants.fill(0);
        self.pool.fill(NONE);
        for warp in 0..self.stand.len() {
            self.next_pool(warp, launch.pool(warp, 0));
            let barrier = launch.at(warp, 0).barrier;
            self.stand[warp] = if barrier { Stand::Arrived(1) } else { Stand::Ready(1) };
            if !barrier {
                self.wakes.sleep(warp, 1);
            }
            if let Some(running) = self.running.get_mut(launch.warps()[warp].block) {
                *running += u32::from(!barrier);
            }
        }
        for warp in 0..self.stand.len() {
            self.release(launch, launch.warps()[warp].block);
        }
    }

    /// The first of a partition in a cycle, which has issued nothing in it yet; `keyed` are the partitions whose warps
    /// have their keys.
    fn look(
        &mut self,
        launch: &Launch,
        cycle: u32,
        partition: usize,
        chooser: &mut impl Chooser,
        keyed: &mut u64,
    ) -> Option<(u64, usize)> {
        let awake = self.wakes.awake & self.members[partition];
        if awake == 0 {
            return None;
        }
        if launch.machine().issue == 1
            && let Some(first) = chooser.first(cycle, partition as u32, awake)
        {
            return Some(first);
        }
        *keyed |= 1 << partition;
        let mut best = None;
        for warp in bits(awake) {
            if self.finds_place(cycle, warp)
                && let Stand::Ready(since) = self.stand[warp]
            {
                let key = chooser.key(cycle, warp, self.place[warp], since);
                self.keys[warp] = key;
                best = Some(best.map_or((key, warp), |best: (u64, usize)| best.min((key, warp))));
            }
        }
        best
    }

    /// The first of a partition again.
    fn again(
        &mut self,
        cycle: u32,
        partition: usize,
        chooser: &mut impl Chooser,
        keyed: u64,
    ) -> Option<(u64, usize)> {
        let awake = self.wakes.awake & self.members[partition];
        if awake == 0 {
            return None;
        }
        match keyed >> partition & 1 {
            0 => chooser.first(cycle, partition as u32, awake),
            _ => {
                let mut best = None;
                for warp in bits(awake) {
                    if self.finds_place(cycle, warp) {
                        let own = (self.keys[warp], warp);
                        best = Some(best.map_or(own, |best: (u64, usize)| best.min(own)));
                    }
                }
                best
            }
        }
    }

    /// Notes from which pool a warp's next instruction takes a place.
    fn next_pool(&mut self, warp: usize, pool: Option<usize>) {
        if let Some(before) = self.wants.get_mut(self.pool[warp]) {
            *before &= !(1 << warp);
        }
        self.pool[warp] = pool.unwrap_or(NONE);
        if let Some(now) = self.wants.get_mut(self.pool[warp]) {
            *now |= 1 << warp;
        }
    }

    /// Whether its unit has a place for a warp; if not it is looked at again once it has, and so are all who want one of
    /// these places.
    fn finds_place(&mut self, cycle: u32, warp: usize) -> bool {
        let pool = self.pool[warp];
        let free = self.soonest.get(pool).copied().unwrap_or(0);
        if free > cycle {
            self.wakes.sleep_all(self.wakes.awake & self.wants[pool], free);
        }
        free <= cycle
    }

    /// Issues a warp's next instruction; the cycle in which all of it is over.
    fn issue(&mut self, launch: &Launch, cycle: u32, warp: usize, latencies: &[u32]) -> u32 {
        let place = self.place[warp];
        let own = launch.at(warp, place);
        let pool = self.pool[warp];
        if pool != NONE {
            let places = &mut self.taken[pool];
            if let Some(free) = places.iter_mut().find(|until| **until <= cycle) {
                *free = cycle + own.hold;
            }
            self.soonest[pool] = places.iter().copied().min().unwrap_or(0);
        }
        self.slots[self.partition[warp]] -= 1;
        let mut lasts = own.hold;
        if !own.sets.is_empty() {
            let first = launch.latency(warp, place, 0);
            for (set, &latency) in own.sets.iter().zip(&latencies[first..]) {
                self.set(warp * BOARDS + usize::from(set.board), cycle, latency);
                lasts = lasts.max(latency);
            }
        }
        self.issued[self.rows[warp] + place] = cycle;
        self.place[warp] = place + 1;
        if place + 1 == launch.length(warp) {
            self.stand[warp] = Stand::Over(cycle + 1);
            self.wakes.drop(warp);
            self.stop(launch, launch.warps()[warp].block);
            return cycle + lasts - 1;
        }
        let next = launch.at(warp, place + 1);
        self.next_pool(warp, launch.pool(warp, place + 1));
        let mut ready = cycle + own.stall;
        for wait in &next.waits {
            ready = ready.max(self.there(warp * BOARDS + usize::from(wait.board), wait.left as usize));
        }
        if next.barrier {
            self.stand[warp] = Stand::Arrived(ready);
            self.wakes.drop(warp);
            self.stop(launch, launch.warps()[warp].block);
        } else {
            self.ready(warp, ready);
        }
        cycle + lasts - 1
    }

    fn ready(&mut self, warp: usize, since: u32) {
        self.stand[warp] = Stand::Ready(since);
        self.wakes.sleep(warp, since);
    }

    fn set(&mut self, board: usize, cycle: u32, latency: u32) {
        self.clear[board] = self.clear[board].max(cycle + latency);
        if self.counts {
            self.boards[board].retain(|&there| there > cycle);
            self.boards[board].push(cycle + latency);
        }
    }

    /// The cycle from which on no more than so many are under way.
    fn there(&mut self, board: usize, left: usize) -> u32 {
        if left == 0 {
            return self.clear[board];
        }
        let board = &mut self.boards[board];
        if board.len() <= left {
            return 0;
        }
        board.sort_unstable_by(|a, b| b.cmp(a));
        board[left]
    }

    /// Notes that a warp of a block does not go on by itself. While another one does, it has not come to the first barrier
    /// that not all have passed: those that wait at that one have all been let go together.
    fn stop(&mut self, launch: &Launch, block: usize) {
        if let Some(running) = self.running.get_mut(block) {
            *running -= 1;
            if *running == 0 {
                self.release(launch, block);
            }
        }
    }

    /// Lets those go on that wait at the first barrier of their block that not all have passed, if all have come.
    fn release(&mut self, launch: &Launch, block: usize) {
        if self.running.is_empty() {
            return;
        }
        let passed = |warp: usize, place: usize| launch.stream(warp).barriers[place];
        let members = || launch.warps().iter().enumerate().filter(move |(_, own)| own.block == block);
        let open = |warp: usize| !matches!(self.stand[warp], Stand::Over(_));
        let first = members().filter(|&(warp, _)| open(warp)).map(|(warp, _)| passed(warp, self.place[warp]));
        let Some(first) = first.min() else { return };
        let mut last = 0;
        for (warp, _) in members() {
            match self.stand[warp] {
                Stand::Over(from) | Stand::Arrived(from) => {
                    if passed(warp, self.place[warp]) == first || !open(warp) {
                        last = last.max(from);
                    }
                }
                Stand::Ready(_) if passed(warp, self.place[warp]) == first => return,
                Stand::Ready(_) => {}
            }
        }
        for (warp, own) in launch.warps().iter().enumerate() {
            if own.block == block
                && matches!(self.stand[warp], Stand::Arrived(_))
                && passed(warp, self.place[warp]) == first
            {
                self.ready(warp, last);
                self.running[block] += 1;
            }
        }
    }
}
