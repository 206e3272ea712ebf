//! What the places of a stream have to wait for.

use crate::launch::{Launch, MOST_BOARDS};

/// Places before one, and how many cycles after their issue it may issue.
pub(super) type Arcs = Vec<(usize, u64)>;

/// The arcs of a stream.
#[derive(Debug)]
pub(super) struct Graph {
    /// With longest latencies: a place is ready once these are over.
    pub arcs: Vec<Arcs>,
    /// With shortest ones, as far as no schedule avoids them.
    pub least: Vec<Arcs>,
    /// The stalls before each place.
    pub stalls: Vec<u64>,
    /// When each place issues at the earliest, the first one in cycle 0.
    pub soonest: Vec<u64>,
}

/// So many arcs are looked at: of scoreboards that are never waited for to the end, or of long holds, there are more.
const MOST_ARCS: usize = 1 << 18;

impl Graph {
    /// About how many steps a place takes here and in [`super::held`].
    pub const COSTS: u64 = 64;

    /// Those of a stream; none where it has too many.
    pub fn new(launch: &Launch, stream: usize) -> Option<Self> {
        let path = &launch.streams()[stream].path;
        let at = |place: usize| &launch.code()[path[place] as usize];
        let units = &launch.machine().units;
        let mut stalls = vec![0u64];
        for place in 0..path.len() {
            stalls.push(stalls[place] + u64::from(at(place).stall));
        }
        let longest = (0..path.len()).map(|place| u64::from(at(place).hold)).max().unwrap_or(0);
        let mut on: Vec<Vec<usize>> = vec![Vec::new(); units.len()];
        let mut boards: Vec<Vec<(usize, u64, u64)>> = vec![Vec::new(); usize::from(MOST_BOARDS)];
        let (mut arcs, mut least): (Vec<Arcs>, Vec<Arcs>) = (Vec::new(), Vec::new());
        let mut looked_at = 0;
        for place in 0..path.len() {
            let (mut most, mut low): (Arcs, Arcs) = (Vec::new(), Vec::new());
            if place > 0 {
                most.push((place - 1, at(place - 1).stall.into()));
                low.push((place - 1, at(place - 1).stall.into()));
            }
            for wait in &at(place).waits {
                let board = &mut boards[usize::from(wait.board)];
                // When all but the last `left` are there, no more than these are left.
                let upto = board.len().saturating_sub(wait.left as usize);
                most.extend(board[..upto].iter().map(|&(by, _, most)| (by, most)));
                if wait.left == 0 {
                    low.extend(board.iter().map(|&(by, least, _)| (by, least)));
                    board.clear();
                }
            }
            if let Some(unit) = at(place).unit.map(usize::from) {
                let count = units[unit].count as usize;
                let near = on[unit].iter().rev().take_while(|&&by| stalls[place] - stalls[by] < longest);
                most.extend(near.skip(count - 1).map(|&by| (by, u64::from(at(by).hold))));
                if let Some(&by) = on[unit].last().filter(|_| count == 1) {
                    low.push((by, at(by).hold.into()));
                }
                on[unit].push(place);
            }
            for set in &at(place).sets {
                boards[usize::from(set.board)].push((place, set.least.into(), set.most.into()));
            }
            looked_at += most.len() + low.len();
            if looked_at > MOST_ARCS {
                return None;
            }
            most.sort_unstable_by(|one, other| other.cmp(one));
            // From the last place back: one that ends no later than those after it is not needed.
            let mut furthest = None;
            most.retain(|&(by, cycles)| {
                let end = Some(stalls[by] + cycles);
                let needed = end > furthest;
                furthest = furthest.max(end);
                needed
            });
            arcs.push(most);
            least.push(low);
        }
        let mut soonest: Vec<u64> = Vec::with_capacity(path.len());
        for low in &least {
            soonest.push(low.iter().map(|&(by, cycles)| soonest[by] + cycles).max().unwrap_or(0));
        }
        Some(Self { arcs, least, stalls, soonest })
    }
}
