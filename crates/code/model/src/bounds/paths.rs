//! Longest ways through what one warp executes, segment by segment.

use crate::launch::{Launch, MOST_BOARDS};

/// What is known about one stream.
#[derive(Debug, Clone)]
pub struct Paths {
    /// Its segments.
    pub segments: Vec<Segment>,
    /// For each unit how many places others hold at least when the warp finds it full.
    pub others: Vec<u32>,
    /// From when each instruction may issue to the end of its segment: the longest way.
    pub longest: Vec<u64>,
    /// From when each instruction may issue until all is over that it and those after it in its segment begin.
    pub over: Vec<u64>,
    /// For each scoreboard that an instruction sets, the first place that issues only when its result is there.
    needs: Vec<Vec<Option<usize>>>,
    /// The same, and all places that may have to wait for it because others were there sooner: the first of each segment
    /// that waits for the scoreboard, up to the one that waits for all on it.
    may_need: Vec<Vec<Vec<usize>>>,
    /// For each place the one that cannot issue before it lets go of its unit.
    next: Vec<Option<usize>>,
    /// The stalls before each place.
    stalls: Vec<u64>,
}

/// What a warp executes between two barriers.
#[derive(Debug, Clone)]
pub struct Segment {
    /// Its first place.
    pub from: usize,
    /// The place after its last one.
    pub to: usize,
    /// How long holds of earlier segments may last into it.
    pub spill: u32,
}

impl Paths {
    /// Those of a stream.
    pub fn new(launch: &Launch, stream: usize) -> Self {
        let path = &launch.streams()[stream].path;
        let at = |place: usize| &launch.code()[path[place] as usize];
        let length = path.len();
        let mut stalls = vec![0u64; length + 1];
        for place in 0..length {
            stalls[place + 1] = stalls[place] + u64::from(at(place).stall);
        }
        let passed = |from: usize, to: usize| stalls[to] - stalls[from];
        let needs = needs(launch, stream);
        let next = next_on_unit(launch, stream);
        let mut starts: Vec<usize> = (0..length).filter(|&place| at(place).barrier).collect();
        starts.insert(0, 0);
        let may_need = may_need(launch, stream, &starts);
        let mut segments: Vec<Segment> = Vec::new();
        let ends = starts[1..].iter().copied().chain([length]);
        for (from, to) in starts.iter().copied().zip(ends) {
            segments.push(Segment { from, to, spill: 0 });
        }
        // The longest way from each place to the end of its segment, and until all is over that was begun in it.
        let mut longest = vec![0u64; length + 1];
        let mut over = vec![0u64; length + 1];
        for segment in &segments {
            let last = segment.to == length;
            for place in (segment.from..segment.to).rev() {
                let own = at(place);
                let mut way = if place + 1 == length { 0 } else { u64::from(own.stall) };
                if place + 1 < segment.to {
                    way += longest[place + 1];
                }
                for (set, need) in own.sets.iter().zip(&needs[place]) {
                    match need {
                        Some(need) if *need < segment.to => {
                            way = way.max(u64::from(set.most) + longest[*need])
                        }
                        Some(need) if *need == segment.to => way = way.max(set.most.into()),
                        _ => {}
                    }
                }
                if let Some(next) = next[place].filter(|&next| next < segment.to) {
                    way = way.max(u64::from(own.hold) + longest[next]);
                }
                if last {
                    way = way.max(own.longest().into());
                }
                longest[place] = way;
                let mut all = u64::from(own.longest());
                if place + 1 < segment.to {
                    all = all.max(u64::from(own.stall) + over[place + 1]);
                }
                for (set, need) in own.sets.iter().zip(&needs[place]) {
                    if let Some(need) = need.filter(|&need| need < segment.to) {
                        all = all.max(u64::from(set.most) + over[need]);
                    }
                }
                if let Some(next) = next[place].filter(|&next| next < segment.to) {
                    all = all.max(u64::from(own.hold) + over[next]);
                }
                over[place] = all;
            }
        }
        let hold = (0..length).map(|place| u64::from(at(place).hold)).max().unwrap_or(0);
        for segment in &mut segments {
            let from = segment.from;
            let near = (0..from).rev().take_while(|&place| passed(place, from) < hold);
            let left = near.map(|place| u64::from(at(place).hold).saturating_sub(passed(place, from)));
            segment.spill = left.max().unwrap_or(0) as u32;
        }
        Self {
            segments,
            others: others(launch, stream, &stalls),
            longest,
            over,
            needs,
            may_need,
            next,
            stalls,
        }
    }
}

/// By what it is bounded when results of earlier segments are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// By the stalls since they were issued: that holds whenever the segment begins.
    Stalls,
    /// By that and by when they were issued at the latest.
    Both,
}

/// The latest that a warp comes to the end of each segment, as far as segments are gone through.
#[derive(Debug, Clone)]
pub struct Latest {
    /// For each place the latest that it may issue but for blocked cycles of its own segment: cycles from the first one.
    ready: Vec<u64>,
    /// For each place results of earlier segments that it needs: the latest that each is there, its place, its latency.
    earlier: Vec<Vec<(u64, usize, u32)>>,
    /// The latest that anything is over.
    pub end: u64,
}

impl Paths {
    /// Before the first segment.
    pub fn latest(&self) -> Latest {
        let length = self.longest.len();
        Latest { ready: vec![0; length], earlier: vec![Vec::new(); length], end: 0 }
    }

    /// Goes through a segment that begins so late at the most, in which the warp is blocked for no more than so many cycles:
    /// the latest that the warp comes to its end.
    pub fn advance(
        &self,
        launch: &Launch,
        stream: usize,
        segment: usize,
        (begins, blocked): (u64, u64),
        (earlier, latest): (Earlier, &mut Latest),
    ) -> u64 {
        let path = &launch.streams()[stream].path;
        let at = |place: usize| &launch.code()[path[place] as usize];
        let Segment { from, to, .. } = self.segments[segment];
        let length = path.len();
        let passed = |place: usize| self.stalls[from] - self.stalls[place];
        latest.ready[from] = latest.ready[from].max(begins);
        for place in from..=to.min(length - 1) {
            if place > from || segment == 0 {
                for &(there, by, latency) in &latest.earlier[place] {
                    let left = begins + u64::from(latency).saturating_sub(passed(by));
                    let there = if earlier == Earlier::Both { there.min(left) } else { left };
                    latest.ready[place] = latest.ready[place].max(there);
                }
            }
            if place == to {
                break;
            }
            let own = at(place);
            let ready = latest.ready[place];
            latest.end = latest.end.max(ready + blocked + u64::from(own.longest()));
            if place + 1 < length {
                latest.ready[place + 1] = latest.ready[place + 1].max(ready + u64::from(own.stall));
            }
            if earlier == Earlier::Stalls {
                // The place that needs it first may have issued sooner than it might, as a later result was there: then
                // the bound of that place says nothing of what comes after the barrier.
                for (set, places) in own.sets.iter().zip(&self.may_need[place]) {
                    for &need in places.iter().filter(|&&need| need > to) {
                        latest.earlier[need].push((0, place, set.most));
                    }
                }
            }
            for (set, need) in own.sets.iter().zip(&self.needs[place]) {
                match *need {
                    Some(need) if need <= to => {
                        latest.ready[need] = latest.ready[need].max(ready + u64::from(set.most));
                    }
                    Some(need) => {
                        latest.earlier[need].push((ready + blocked + u64::from(set.most), place, set.most));
                    }
                    None => {}
                }
            }
            if let Some(next) = self.next[place].filter(|&next| next < to) {
                latest.ready[next] = latest.ready[next].max(ready + u64::from(own.hold));
            }
        }
        let end = if to == length { latest.end } else { latest.ready[to] + blocked };
        if to < length {
            // The barrier issues when all have come.
            latest.ready[to] = 0;
        }
        end
    }
}

/// For each scoreboard that an instruction sets, the first place that issues only when its result is there, whatever
/// becomes of later ones.
fn needs(launch: &Launch, stream: usize) -> Vec<Vec<Option<usize>>> {
    let path = &launch.streams()[stream].path;
    let at = |place: usize| &launch.code()[path[place] as usize];
    let mut needs: Vec<Vec<Option<usize>>> =
        (0..path.len()).map(|place| vec![None; at(place).sets.len()]).collect();
    let mut open = vec![std::collections::VecDeque::new(); usize::from(MOST_BOARDS)];
    for place in 0..path.len() {
        for wait in &at(place).waits {
            let board: &mut std::collections::VecDeque<(usize, usize)> = &mut open[usize::from(wait.board)];
            while board.len() > wait.left as usize {
                if let Some((by, set)) = board.pop_front() {
                    needs[by][set] = Some(place);
                }
            }
        }
        for (i, set) in at(place).sets.iter().enumerate() {
            open[usize::from(set.board)].push_back((place, i));
        }
    }
    needs
}

/// For each scoreboard that an instruction sets, the first place of each segment that waits for it, up to the one that
/// waits for all on it.
fn may_need(launch: &Launch, stream: usize, starts: &[usize]) -> Vec<Vec<Vec<usize>>> {
    let path = &launch.streams()[stream].path;
    let at = |place: usize| &launch.code()[path[place] as usize];
    // A barrier counts to the segment that it ends: whoever has passed it may have a result under way that it would have
    // waited for, but for a later one.
    let segment = |place: usize| starts.partition_point(|start| *start < place);
    let mut waits: Vec<Vec<usize>> = vec![Vec::new(); usize::from(MOST_BOARDS)];
    let mut all = vec![Vec::new(); path.len()];
    for place in (0..path.len()).rev() {
        all[place] = at(place).sets.iter().map(|set| waits[usize::from(set.board)].clone()).collect();
        for wait in &at(place).waits {
            let own = &mut waits[usize::from(wait.board)];
            if wait.left == 0 {
                own.clear();
            }
            // What is later in the same segment is bounded by what is sooner.
            if own.first().is_some_and(|first| segment(*first) == segment(place)) {
                own.remove(0);
            }
            own.insert(0, place);
        }
    }
    all
}

/// For each place the one that cannot issue before it lets go of its unit, by what the warp itself holds.
fn next_on_unit(launch: &Launch, stream: usize) -> Vec<Option<usize>> {
    let path = &launch.streams()[stream].path;
    let units = &launch.machine().units;
    let mut later = vec![std::collections::VecDeque::new(); units.len()];
    let mut next = vec![None; path.len()];
    for place in (0..path.len()).rev() {
        let Some(unit) = launch.code()[path[place] as usize].unit else { continue };
        let later: &mut std::collections::VecDeque<usize> = &mut later[usize::from(unit)];
        let count = units[usize::from(unit)].count as usize;
        next[place] = later.get(count - 1).copied();
        later.push_front(place);
        later.truncate(count);
    }
    next
}

/// How many places of each unit others hold at least when the warp itself leaves one and finds it full.
fn others(launch: &Launch, stream: usize, stalls: &[u64]) -> Vec<u32> {
    let path = &launch.streams()[stream].path;
    let at = |place: usize| &launch.code()[path[place] as usize];
    let units = &launch.machine().units;
    let mut most = vec![0u32; units.len()];
    let hold = (0..path.len()).map(|place| u64::from(at(place).hold)).max().unwrap_or(0);
    for place in 0..path.len() {
        let Some(unit) = at(place).unit else { continue };
        let count = units[usize::from(unit)].count;
        if count == 1 || most[usize::from(unit)] + 1 >= count {
            continue;
        }
        let near = (0..place).rev().take_while(|&earlier| stalls[place] - stalls[earlier] < hold);
        let holds = |&earlier: &usize| {
            at(earlier).unit == Some(unit) && u64::from(at(earlier).hold) > stalls[place] - stalls[earlier]
        };
        let held = near.filter(holds).take(count as usize).count() as u32;
        most[usize::from(unit)] = most[usize::from(unit)].max(held);
    }
    units.iter().zip(most).map(|(unit, held)| unit.count - held.min(unit.count - 1)).collect()
}

/// From when each instruction of a stream may issue to the end: the longest way over what cannot be avoided.
pub fn shortest(launch: &Launch, stream: usize) -> Vec<u64> {
    let path = &launch.streams()[stream].path;
    let mut boards = vec![0u64; usize::from(MOST_BOARDS)];
    let mut units = vec![0u64; launch.machine().units.len()];
    let mut ways = vec![0u64; path.len() + 1];
    for place in (0..path.len()).rev() {
        let own = &launch.code()[path[place] as usize];
        let lasts = own.sets.iter().map(|set| set.least).max().unwrap_or(0).max(own.hold);
        let mut way = u64::from(lasts);
        if place + 1 < path.len() {
            way = way.max(u64::from(own.stall) + ways[place + 1]);
        }
        for set in &own.sets {
            // From the next place that waits until all on this scoreboard are there.
            way = way.max(u64::from(set.least) + boards[usize::from(set.board)]);
        }
        let single = own.unit.map(usize::from).filter(|&unit| launch.machine().units[unit].count == 1);
        if let Some(unit) = single {
            way = way.max(u64::from(own.hold) + units[unit]);
            units[unit] = way;
        }
        ways[place] = way;
        for wait in own.waits.iter().filter(|wait| wait.left == 0) {
            boards[usize::from(wait.board)] = way;
        }
    }
    ways
}
