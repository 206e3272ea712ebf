//! What a warp by itself has to wait for: how long at the most, and how long in any schedule.

use crate::launch::Launch;

/// Ways longer than this are not told from each other: no stretch is looked at that is longer.
pub const LONGEST: u64 = 2_048;

/// Of more that places wait for, all together, nothing is said: they are kept.
const MOST_KEPT: usize = 1 << 21;

/// Where arcs to a place begin, and how long they take at the most.
type Arcs = Vec<(usize, u64)>;

/// Some that a place waits for: it issues when all but the last few of these are over.
struct Gate {
    /// Where they were issued, and how long each lasts at the least.
    from: Vec<(usize, u64)>,
    /// How many need not be over.
    left: usize,
}

/// The stream that all warps execute.
pub struct Rules {
    /// The shared unit of each place.
    pub shared: Vec<Option<u16>>,
    /// For how long each place holds it.
    pub hold: Vec<u64>,
    /// Which places are barriers.
    pub barrier: Vec<bool>,
    /// The sum of the stalls before each place.
    pub stalls: Vec<u64>,
    /// For each place the arcs to it, from the last on: where they begin, and how long they take at the most.
    pub arcs: Vec<Arcs>,
    /// The cycle in which each place issues at the earliest.
    pub earliest: Vec<u64>,
    /// For each place how much later those after it issue at the least, as far as this is no more than [`LONGEST`].
    ways: Vec<Vec<u16>>,
    /// How much was looked at.
    pub work: u64,
    /// How many arcs and others that places wait for there are.
    kept: usize,
}

impl Rules {
    /// Those of a launch whose warps all execute the same; none where it takes more work than this.
    pub fn of(launch: &Launch, most: u64) -> Option<Self> {
        let places = launch.length(0);
        let code = || (0..places).map(|place| launch.at(0, place));
        let mut stalls = vec![0];
        stalls.extend(code().scan(0, |sum, own| {
            *sum += u64::from(own.stall);
            Some(*sum)
        }));
        let mut rules = Self {
            shared: code().map(|own| own.unit.filter(|&unit| launch.shared(unit))).collect(),
            hold: code().map(|own| u64::from(own.hold)).collect(),
            barrier: code().map(|own| own.barrier).collect(),
            stalls,
            arcs: Vec::new(),
            earliest: Vec::new(),
            ways: Vec::new(),
            work: 0,
            kept: 0,
        };
        let slowest = code().map(|own| u64::from(own.longest())).max().unwrap_or(0);
        let (mut arcs, mut gates) = (Vec::new(), Vec::new());
        for place in 0..places {
            let (latest, least) = rules.waits(launch, place, slowest)?;
            arcs.push(latest);
            gates.push(least);
            (rules.work <= most).then_some(())?;
        }
        rules.earliest = rules.way(&gates, 0, u64::MAX).into_iter().map(|way| 1 + way).collect();
        for place in 0..places {
            let way = rules.way(&gates, place, LONGEST);
            rules.ways.push(way.into_iter().map(|way| way as u16).collect());
            (rules.work <= most).then_some(())?;
        }
        for all in arcs {
            let mut work = 0;
            let needed = rules.needed(all, &mut work);
            rules.arcs.push(needed);
            rules.work += work;
            (rules.work <= most).then_some(())?;
        }
        Some(rules)
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.shared.len()
    }

    /// All arcs to a place that may be the last to be over, and all that it waits for in any schedule. Nothing lasts
    /// longer than `slowest`. None where there are too many.
    fn waits(&mut self, launch: &Launch, place: usize, slowest: u64) -> Option<(Arcs, Vec<Gate>)> {
        let own = launch.at(0, place);
        let near = |by: &usize| self.stalls[place] - self.stalls[*by] < slowest;
        let before: Vec<usize> = (0..place).rev().take_while(near).collect();
        let mut arcs = Vec::new();
        if place > 0 {
            arcs.push((place - 1, u64::from(launch.at(0, place - 1).stall)));
        }
        let mut gates = Vec::new();
        // Each with its shortest and its longest time, from the last on; some of the last need not be over.
        let (kept, work) = (&mut self.kept, &mut self.work);
        let stalls = &self.stalls;
        let mut wait = |all: Vec<(usize, u64, u64)>, left: usize| {
            *kept += all.len().saturating_sub(left) + all.len();
            *work += all.len() as u64;
            (*kept <= MOST_KEPT).then_some(())?;
            arcs.extend(all.iter().skip(left).map(|&(by, _, most)| (by, most)));
            // What the stalls alone are longer than is over anyway.
            let open = all.iter().filter(|(by, least, _)| *least > stalls[place] - stalls[*by]);
            gates.push(Gate { from: open.map(|&(by, least, _)| (by, least)).collect(), left });
            Some(())
        };
        for (number, one) in own.waits.iter().enumerate() {
            if own.waits[..number].contains(one) {
                continue;
            }
            // Whoever has waited for all on this scoreboard has nothing from before it to wait for.
            let clear = |by: &usize| {
                launch.at(0, *by).waits.iter().any(|wait| (wait.board, wait.left) == (one.board, 0))
            };
            let since = before.iter().copied().find(clear).unwrap_or(0);
            let sets = |&by: &usize| launch.at(0, by).sets.iter().rev().map(move |set| (by, set));
            let on = before.iter().take_while(|by| **by >= since).flat_map(sets);
            let on = on.filter(|(_, set)| set.board == one.board);
            wait(on.map(|(by, set)| (by, set.least.into(), set.most.into())).collect(), one.left as usize)?;
        }
        if let Some(unit) = own.unit {
            let on = before.iter().filter(|&&by| launch.at(0, by).unit == Some(unit));
            let count = launch.machine().units[usize::from(unit)].count as usize;
            // Of one place the last one before has waited for all others.
            let on = on.take(if count == 1 { 1 } else { usize::MAX });
            wait(on.map(|&by| (by, self.hold[by], self.hold[by])).collect(), count - 1)?;
        }
        self.work += (before.len() * (1 + own.waits.len())) as u64;
        Some((arcs, gates))
    }

    /// Arcs without those that another one, from the same or a later place, is never less than; from the last place on.
    pub fn needed(&self, mut arcs: Arcs, work: &mut u64) -> Arcs {
        arcs.sort_unstable_by(|one, other| other.cmp(one));
        let mut needed = Arcs::new();
        for (by, length) in arcs {
            *work += 1 + needed.len() as u64;
            let less = |&(from, other): &(usize, u64)| length <= other + self.at_least(by, from);
            if !needed.iter().any(less) {
                needed.push((by, length));
            }
        }
        needed
    }

    /// How many cycles after a place another one issues at the least.
    fn at_least(&self, from: usize, to: usize) -> u64 {
        match self.ways[from].get(to - from) {
            Some(&way) => way.into(),
            None => (LONGEST + 1).max(self.stalls[to] - self.stalls[from]),
        }
    }

    /// How much later than a place those from it on issue at the least, up to a limit. Those before it may all have issued
    /// long ago.
    fn way(&mut self, gates: &[Vec<Gate>], from: usize, limit: u64) -> Vec<u64> {
        let mut way = vec![0];
        let mut over = Vec::new();
        for place in from + 1..self.places() {
            let mut next = way[place - 1 - from] + self.stalls[place] - self.stalls[place - 1];
            for gate in &gates[place] {
                over.clear();
                let known = gate.from.iter().filter(|(by, _)| *by >= from);
                over.extend(known.map(|(by, least)| way[by - from] + least));
                over.sort_unstable_by(|one, other| other.cmp(one));
                // All but so many are over: the last one of these is.
                next = next.max(over.get(gate.left).copied().unwrap_or(0));
                self.work += 1 + gate.from.len() as u64;
            }
            self.work += 1;
            if next > limit {
                break;
            }
            way.push(next);
        }
        way
    }

    /// Whether a place issues no more than so many cycles after another one in some schedule, for all that is known;
    /// `within` is no more than [`LONGEST`].
    pub fn near(&self, from: usize, to: usize, within: u64) -> bool {
        self.ways[from].get(to - from).is_some_and(|&way| u64::from(way) <= within)
    }

    /// The first place that issues more than so many cycles after one, in any schedule.
    pub fn beyond(&self, from: usize, within: u64) -> usize {
        from + self.ways[from].partition_point(|&way| u64::from(way) <= within)
    }
}
