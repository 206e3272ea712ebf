//! Exact demand, demand by equation (1), and whether triggerings are legal, each in the plainest way: by trying
//! every sequence, by listing every path, and by reading the rules one after the other.

use std::collections::HashMap;

use crate::small::Small;

/// Exact demand of every interval from 0 to `horizon`.
///
/// Only the earliest triggerings are tried: every rule asks for a least distance, so that triggering all vertices
/// of a sequence as early as it allows moves no deadline to a later time.
pub fn exact(task: &Small, horizon: u64) -> Vec<u64> {
    let mut sequences = Sequences::new(task);
    (0..=horizon).map(|t| sequences.demand(t)).collect()
}

/// Legal triggerings whose counted demand in an interval is the exact demand.
pub fn attaining(task: &Small, t: u64) -> Vec<(usize, u64)> {
    let mut sequences = Sequences::new(task);
    let demand = sequences.demand(t);
    let first = (0..task.size()).find(|&v| sequences.from(v, t, None) == demand).expect("a first vertex");
    let (mut at, mut left, mut since) = (first, t, None);
    let mut jobs = vec![(at, 0)];
    loop {
        let rest = sequences.from(at, left, since) - sequences.own(at, left);
        since = sequences.source_before(at, since);
        let onward = sequences.onward(at, since).into_iter();
        let mut onward = onward.filter(|&(_, wait)| wait <= left);
        let Some((next, wait)) = onward.find(|&(w, wait)| {
            let later = since.map(|time| time + wait);
            rest > 0 && sequences.from(w, left - wait, later) == rest
        }) else {
            return jobs;
        };
        (at, left, since) = (next, left - wait, since.map(|time| time + wait));
        jobs.push((at, t - left));
    }
}

/// All sequences of a task, tried depth first.
struct Sequences<'a> {
    task: &'a Small,
    source: usize,
    sink: usize,
    leaving: Vec<Vec<(usize, u64)>>,
    /// What is known, by the arguments of `from`.
    known: HashMap<(usize, u64, Option<u64>), u64>,
}

impl<'a> Sequences<'a> {
    fn new(task: &'a Small) -> Self {
        let leaving = (0..task.size()).map(|v| task.leaving(v)).collect();
        Self { task, source: task.source(), sink: task.sink(), leaving, known: HashMap::new() }
    }

    /// A sequence may start at any vertex.
    fn demand(&mut self, t: u64) -> u64 {
        (0..self.task.size()).map(|v| self.from(v, t, None)).max().unwrap_or(0)
    }

    /// The largest demand from a triggering of `v` on, `left` before the end of the interval and `since` after the
    /// triggering of the source before it, if there was one.
    fn from(&mut self, v: usize, left: u64, since: Option<u64>) -> u64 {
        if let Some(&found) = self.known.get(&(v, left, since)) {
            return found;
        }
        let before = self.source_before(v, since);
        let mut more = 0;
        for (next, wait) in self.onward(v, before) {
            if wait <= left {
                more = more.max(self.from(next, left - wait, before.map(|time| time + wait)));
            }
        }
        let demand = self.own(v, left) + more;
        self.known.insert((v, left, since), demand);
        demand
    }

    /// What a job counts that is triggered so long before the end.
    fn own(&self, v: usize, left: u64) -> u64 {
        if self.task.d[v] <= left { self.task.e[v] } else { 0 }
    }

    /// How long ago the source was triggered, `v` itself included.
    fn source_before(&self, v: usize, since: Option<u64>) -> Option<u64> {
        if v == self.source { Some(0) } else { since }
    }

    /// What may follow a triggering of `v`, and how much later at the earliest.
    fn onward(&self, v: usize, since: Option<u64>) -> Vec<(usize, u64)> {
        let mut all = self.leaving[v].clone();
        if v == self.sink {
            let period_over = since.map_or(0, |time| self.task.period.saturating_sub(time));
            all.push((self.source, self.task.d[v].max(period_over)));
        }
        all
    }
}

/// Demand by equation (1) of every interval from 0 to `horizon`.
pub fn equation(task: &Small, horizon: u64) -> Vec<u64> {
    let (period, demand) = (task.period, task.demand());
    let mut small = vec![0; 2 * period as usize];
    for (interval, demand) in joined(task) {
        if let Some(best) = small.get_mut(interval as usize) {
            *best = demand.max(*best);
        }
    }
    for t in 1..small.len() {
        small[t] = small[t].max(small[t - 1]);
    }
    let at = |t: u64| {
        let (times, rest) = (t / period, t % period);
        if times == 0 {
            return small[t as usize];
        }
        let with_all = times * demand + small[rest as usize];
        with_all.max((times - 1) * demand + small[(period + rest) as usize])
    };
    (0..=horizon).map(at).collect()
}

/// Interval and demand of every path of two copies of the task, joined from sink to source, in the first of which
/// the source is a dummy.
fn joined(task: &Small) -> Vec<(u64, u64)> {
    let (n, source, sink) = (task.size(), task.source(), task.sink());
    let second = |v: usize| n + v;
    let mut e = [task.e.clone(), task.e.clone()].concat();
    let mut d = [task.d.clone(), task.d.clone()].concat();
    let mut edges: Vec<(usize, usize, u64)> = Vec::new();
    for &(from, to, p) in &task.edges {
        edges.push((from, to, if from == source { 0 } else { p }));
        edges.push((second(from), second(to), p));
    }
    edges.push((sink, second(source), if sink == source { 0 } else { task.d[sink] }));
    (e[source], d[source]) = (0, 0);
    let mut found = Vec::new();
    let mut open: Vec<(usize, u64, u64)> = (0..2 * n).map(|v| (v, 0, e[v])).collect();
    while let Some((v, triggered, demand)) = open.pop() {
        found.push((triggered + d[v], demand));
        let onward = edges.iter().filter(|edge| edge.0 == v);
        open.extend(onward.map(|&(_, to, p)| (to, triggered + p, demand + e[to])));
    }
    found
}

/// Whether triggerings, vertices with their times, are a legal sequence; what is broken if not.
pub fn legal(task: &Small, jobs: &[(usize, u64)]) -> Result<(), String> {
    let (source, sink) = (task.source(), task.sink());
    for pair in jobs.windows(2) {
        let [(u, at), (v, then)] = [pair[0], pair[1]];
        let edge = task.edges.iter().find(|edge| (edge.0, edge.1) == (u, v));
        let least = match edge {
            Some(edge) => edge.2,
            None if (u, v) == (sink, source) => task.d[sink],
            None => return Err(format!("v{v} does not follow v{u}")),
        };
        if then < at + least {
            return Err(format!("v{v} at {then} is less than {least} after v{u} at {at}"));
        }
    }
    let of_source: Vec<u64> = jobs.iter().filter(|job| job.0 == source).map(|job| job.1).collect();
    for pair in of_source.windows(2) {
        if pair[1] < pair[0] + task.period {
            return Err(format!("the source at {} and {}: less than a period apart", pair[0], pair[1]));
        }
    }
    Ok(())
}

/// What jobs with trigger and deadline from 0 to `t` need.
pub fn counted(task: &Small, jobs: &[(usize, u64)], t: u64) -> u64 {
    jobs.iter().filter(|&&(v, time)| time + task.d[v] <= t).map(|&(v, _)| task.e[v]).sum()
}
