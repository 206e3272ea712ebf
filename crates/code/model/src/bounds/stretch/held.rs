//! How much warps hold of shared units in some cycles.

use super::graph::Graph;

/// Places that are further apart than so many cycles are taken to be as far apart as their stalls.
const FAR: u64 = 128;
/// Where no warp comes to more places than so many, these are looked at one by one.
const FEW: usize = 16;
/// Of longer stretches nothing is said.
const LONGEST: u64 = 1 << 11;

/// Places on a shared unit, or on all.
#[derive(Debug)]
pub(super) struct Held {
    /// In order.
    pub places: Vec<usize>,
    /// How many are before each place of the stream, and in all.
    numbers: Vec<usize>,
    /// What is held by all before each.
    sums: Vec<u64>,
    /// From each how many cycles later the next ones issue at the earliest.
    apart: Vec<Vec<u64>>,
    /// When each issues at the earliest.
    soonest: Vec<u64>,
    /// By length of a stretch: the most that is held in it from a place on, or from a later one.
    most: Vec<Vec<u32>>,
    /// No stretch in which a unit is never free is longer.
    pub busy: u64,
}

impl Held {
    /// Of these places of a stream that so many warps execute.
    pub fn new(
        graph: &Graph,
        places: Vec<usize>,
        hold: impl Fn(usize) -> u64,
        warps: usize,
        spent: &mut u64,
    ) -> Self {
        let mut sums = vec![0u64];
        for &place in &places {
            sums.push(sums[sums.len() - 1] + hold(place));
        }
        let all = graph.arcs.len();
        let numbers = (0..=all).map(|place| places.partition_point(|&one| one < place)).collect();
        let mut apart = Vec::with_capacity(places.len());
        for (number, &place) in places.iter().enumerate() {
            let (mut row, mut from) = (vec![0u64], vec![0u64]);
            for after in place + 1..all {
                let Some(&next) = places.get(number + row.len()) else { break };
                if row[row.len() - 1] > FAR {
                    break;
                }
                let arcs = graph.least[after].iter().filter(|arc| arc.0 >= place);
                from.push(arcs.map(|&(by, cycles)| from[by - place] + cycles).max().unwrap_or(0));
                if next == after {
                    row.push(from[after - place]);
                }
            }
            apart.push(row);
        }
        let soonest = places.iter().map(|&place| graph.soonest[place]).collect();
        let mut held = Self { places, numbers, sums, apart, soonest, most: Vec::new(), busy: 0 };
        held.busy = held.length(graph, (None, 0), &vec![0; warps], spent).unwrap_or(u64::MAX);
        held
    }

    /// How many of them are before a place of the stream.
    pub fn number(&self, place: usize) -> usize {
        self.numbers[place]
    }

    /// How many there are from one place of the stream to another.
    pub fn between(&self, from: usize, to: usize) -> usize {
        self.numbers[to + 1] - self.numbers[from]
    }

    /// What those from one to before another hold.
    pub fn sum(&self, from: usize, to: usize) -> u64 {
        self.sums[to] - self.sums[from]
    }

    /// How many cycles later than one another issues at the earliest.
    pub fn apart(&self, graph: &Graph, from: usize, to: usize) -> u64 {
        let known = self.apart[from].get(to - from).copied();
        known.unwrap_or_else(|| graph.stalls[self.places[to]] - graph.stalls[self.places[from]])
    }

    /// How long a stretch is that begins in a cycle, or in any, in which so many cycles are a warp's own, and others begin at
    /// these places; none where it is too long.
    pub fn length(
        &mut self,
        graph: &Graph,
        (begin, own): (Option<u64>, u64),
        from: &[usize],
        spent: &mut u64,
    ) -> Option<u64> {
        let mut length = own;
        loop {
            if length > LONGEST {
                return None;
            }
            self.most(graph, length, spent);
            // No warp comes to those from there on so soon.
            let end = begin.map_or(self.places.len(), |begin| {
                self.soonest.partition_point(|&soonest| soonest <= begin + length)
            });
            *spent += from.len() as u64;
            let sum = own + from.iter().map(|&at| self.from(graph, length, at, end)).sum::<u64>();
            if sum == length {
                return Some(length);
            }
            length = sum;
        }
    }

    /// The most that is held in so many cycles from a place on, or from a later one, of those before an end.
    fn from(&self, graph: &Graph, length: u64, from: usize, end: usize) -> u64 {
        let all = self.most[length as usize][from].into();
        if end == self.places.len() || end > from + FEW {
            return all;
        }
        let held = (from..end).map(|number| self.sum(number, self.until(graph, number, length).min(end)));
        held.max().unwrap_or(0)
    }

    /// The first place that is issued more than so many cycles after another.
    fn until(&self, graph: &Graph, number: usize, length: u64) -> usize {
        let row = &self.apart[number];
        let near = row.partition_point(|&later| later <= length);
        let to = number + near;
        if near < row.len() {
            return to;
        }
        let until = graph.stalls[self.places[number]] + length;
        to.max(self.places.partition_point(|&place| graph.stalls[place] <= until))
    }

    fn most(&mut self, graph: &Graph, length: u64, spent: &mut u64) {
        let at = length as usize;
        if self.most.len() <= at {
            self.most.resize(at + 1, Vec::new());
        }
        if self.most[at].is_empty() {
            let count = self.places.len();
            let mut most = vec![0u32; count + 1];
            for number in (0..count).rev() {
                let to = self.until(graph, number, length);
                // More than the longest stretch is as good as any number.
                let held = u32::try_from(self.sum(number, to)).unwrap_or(u32::MAX);
                most[number] = held.max(most[number + 1]);
            }
            *spent += count as u64;
            self.most[at] = most;
        }
    }
}
