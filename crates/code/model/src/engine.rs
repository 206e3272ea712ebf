//! Plays a schedule from event to event: who issues is chosen by keys, among those that may.
//!
//! Every schedule it makes is work-conserving, and every work-conserving schedule is made by some keys: take the cycle
//! in which each instruction issues in it. Whatever issues there in a cycle is then tried before whatever does not, fits
//! together, and leaves no place for anything else.

use super::launch::Launch;

/// Who goes first among those that may issue.
pub trait Chooser {
    /// The key of an instruction that may issue since a cycle; the smallest goes first, among equals the first warp.
    fn key(&mut self, cycle: u32, warp: usize, place: usize, since: u32) -> u64;

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
    /// For each warp and scoreboard when those under way are there.
    boards: Vec<Vec<u32>>,
    /// For each pool until when its places are taken.
    taken: Vec<Vec<u32>>,
    slots: Vec<u32>,
    candidates: Vec<(u64, usize)>,
}

const BOARDS: usize = super::launch::MOST_BOARDS as usize;

impl Engine {
    /// One that has played nothing.
    pub fn new(launch: &Launch) -> Self {
        let warps = launch.warps().len();
        let mut rows = vec![0];
        for warp in 0..warps {
            rows.push(rows[warp] + launch.length(warp));
        }
        Self {
            issued: vec![0; rows[warps]],
            rows,
            place: vec![0; warps],
            stand: vec![Stand::Ready(1); warps],
            boards: vec![Vec::new(); warps * BOARDS],
            taken: (0..launch.machine().pools())
                .map(|pool| vec![0; launch.machine().unit_of(pool).count as usize])
                .collect(),
            slots: vec![0; launch.machine().partitions as usize],
            candidates: Vec::new(),
        }
    }

    /// Plays a schedule; its makespan.
    pub fn play(&mut self, launch: &Launch, latencies: &[u32], chooser: &mut impl Chooser) -> u32 {
        self.begin(launch);
        let (mut cycle, mut makespan) = (1, 0);
        loop {
            self.candidates.clear();
            let mut next = u32::MAX;
            for (warp, stand) in self.stand.iter().enumerate() {
                match *stand {
                    Stand::Ready(since) if since <= cycle => {
                        let key = chooser.key(cycle, warp, self.place[warp], since);
                        self.candidates.push((key, warp));
                    }
                    Stand::Ready(since) => next = next.min(since),
                    Stand::Arrived(_) | Stand::Over(_) => {}
                }
            }
            self.candidates.sort_unstable();
            self.slots.fill(launch.machine().issue);
            for at in 0..self.candidates.len() {
                let warp = self.candidates[at].1;
                match self.try_issue(launch, cycle, warp, latencies) {
                    Ok(finished) => {
                        makespan = makespan.max(finished);
                        chooser.issued(cycle, warp, self.place[warp] - 1);
                    }
                    Err(again) => next = next.min(again),
                }
            }
            // Those that issued, and those that they let go on.
            for stand in &self.stand {
                if let Stand::Ready(since) = *stand
                    && since > cycle
                {
                    next = next.min(since);
                }
            }
            if next == u32::MAX {
                return makespan;
            }
            cycle = next;
        }
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
        self.boards.iter_mut().for_each(Vec::clear);
        for places in &mut self.taken {
            places.fill(0);
        }
        for warp in 0..self.stand.len() {
            self.stand[warp] = if launch.at(warp, 0).barrier { Stand::Arrived(1) } else { Stand::Ready(1) };
        }
        for warp in 0..self.stand.len() {
            self.release(launch, launch.warps()[warp].block);
        }
    }

    /// Issues a warp's next instruction; the cycle in which all of it is over, or when to try again.
    fn try_issue(&mut self, launch: &Launch, cycle: u32, warp: usize, latencies: &[u32]) -> Result<u32, u32> {
        let place = self.place[warp];
        let own = launch.at(warp, place);
        let partition = launch.warps()[warp].partition;
        if let Some(pool) = launch.pool(warp, place) {
            let places = &mut self.taken[pool];
            let mut soonest = 0;
            for (i, &until) in places.iter().enumerate() {
                if until < places[soonest] {
                    soonest = i;
                }
            }
            if places[soonest] > cycle {
                return Err(places[soonest]);
            }
            if self.slots[partition as usize] == 0 {
                return Err(cycle + 1);
            }
            places[soonest] = cycle + own.hold;
        } else if self.slots[partition as usize] == 0 {
            return Err(cycle + 1);
        }
        self.slots[partition as usize] -= 1;
        let mut lasts = own.hold;
        let first = launch.latency(warp, place, 0);
        for (set, &latency) in own.sets.iter().zip(&latencies[first..]) {
            let board = &mut self.boards[warp * BOARDS + usize::from(set.board)];
            board.retain(|&there| there > cycle);
            board.push(cycle + latency);
            lasts = lasts.max(latency);
        }
        self.issued[self.rows[warp] + place] = cycle;
        self.place[warp] = place + 1;
        if place + 1 == launch.length(warp) {
            self.stand[warp] = Stand::Over(cycle + 1);
            self.release(launch, launch.warps()[warp].block);
        } else {
            let next = launch.at(warp, place + 1);
            let boards = next.waits.iter().map(|wait| {
                there(&mut self.boards[warp * BOARDS + usize::from(wait.board)], wait.left as usize)
            });
            let ready = boards.fold(cycle + own.stall, u32::max);
            if next.barrier {
                self.stand[warp] = Stand::Arrived(ready);
                self.release(launch, launch.warps()[warp].block);
            } else {
                self.stand[warp] = Stand::Ready(ready);
            }
        }
        Ok(cycle + lasts - 1)
    }

    /// Lets those go on that wait at the first barrier of their block that not all have passed, if all have come.
    fn release(&mut self, launch: &Launch, block: usize) {
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
                self.stand[warp] = Stand::Ready(last);
            }
        }
    }
}

/// The cycle from which on no more than so many are under way.
fn there(board: &mut [u32], left: usize) -> u32 {
    if board.len() <= left {
        return 0;
    }
    board.sort_unstable_by(|a, b| b.cmp(a));
    board[left]
}
