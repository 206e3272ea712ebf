//! Sums over any stretch of a run, kernel by kernel: how many blocks, how long they run, and how much they take.
//!
//! Starts and ends are sorted and added up once; then a stretch takes a few searches for each kernel. Sums are whole
//! numbers, so that they add up to what all kernels have together.

use std::collections::BTreeMap;

use base::Nanos;
use blocks::{Setup, Trace};
use kit::timeline::Class;

use crate::timeline::blocks::Measure;

/// What a stretch of time adds up to for a kernel.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KernelSums {
    /// What the kernel is called.
    pub name: String,
    /// How it looks.
    pub class: Class,
    /// Its blocks of which something lies in the stretch.
    pub blocks: usize,
    /// How long they run in it, all together.
    pub time: u128,
    /// How much of the measure they take, times how long.
    pub taken: u128,
}

/// A run, added up kernel by kernel.
#[derive(Debug, Clone, Default)]
pub struct ByKernel {
    /// Name, look, and the launches of it that are alike.
    kernels: Vec<(String, Class, Vec<Tally>)>,
    /// For each process, when it had the device; none where nobody takes turns.
    clocks: BTreeMap<u32, ProcessClock>,
}

impl ByKernel {
    /// Adds up a run; `classes` are those of its launches, `names` what they are called.
    pub fn new(setup: &Setup, trace: &Trace, classes: &[Class], names: &[String], measure: Measure) -> Self {
        let clocks = ProcessClock::all(trace);
        let mut places: BTreeMap<(&str, Option<usize>), usize> = BTreeMap::new();
        let mut shapes: BTreeMap<(usize, usize, u32), usize> = BTreeMap::new();
        let mut kernels: Vec<(String, Class, Vec<Tally>)> = Vec::new();
        for (run, launch) in trace.kernels.iter().enumerate() {
            let Some(kernel) = setup.kernels.get(launch.kernel) else { continue };
            let nameless = kernel.label.is_empty().then_some(launch.stream);
            let place = *places.entry((&kernel.label, nameless)).or_insert(kernels.len());
            if place == kernels.len() {
                let name = if kernel.label.is_empty() { names.get(run) } else { Some(&kernel.label) };
                let class = classes.get(run).copied().unwrap_or(0);
                kernels.push((name.cloned().unwrap_or_default(), class, Vec::new()));
            }
            let process = setup.streams.get(launch.stream).map_or(0, |stream| stream.process);
            let tallies = &mut kernels[place].2;
            let shape = *shapes.entry((place, launch.kernel, process)).or_insert(tallies.len());
            if shape == tallies.len() {
                tallies.push(Tally::new(measure.of(setup, launch.kernel), process));
            }
            for block in trace.blocks.get(launch.blocks.clone()).unwrap_or_default() {
                tallies[shape].starts.push(block.start.0);
                tallies[shape].ends.push(block.end.0.max(block.start.0));
            }
        }
        for tally in kernels.iter_mut().flat_map(|(.., tallies)| tallies) {
            tally.settle(clocks.get(&tally.process));
        }
        Self { kernels, clocks }
    }

    /// What lies between two times adds up to this, kernel by kernel, those that run longest first.
    pub fn between(&self, from: Nanos, to: Nanos) -> Vec<KernelSums> {
        let mut all: Vec<KernelSums> = Vec::new();
        if from >= to {
            return all;
        }
        for (name, class, tallies) in &self.kernels {
            let mut sums = KernelSums { name: name.clone(), class: *class, ..KernelSums::default() };
            for tally in tallies {
                let time = tally.time(self.clocks.get(&tally.process), from.0, to.0);
                sums.blocks += tally.blocks(from.0, to.0);
                sums.time += time;
                sums.taken += time * u128::from(tally.height);
            }
            if sums.blocks > 0 {
                all.push(sums);
            }
        }
        base::sort::sort_by(&mut all, |a, b| b.time.cmp(&a.time));
        all
    }
}

/// Blocks that are alike.
#[derive(Debug, Clone)]
struct Tally {
    /// What each takes of the measure.
    height: u32,
    process: u32,
    /// When they start, ascending, and when they end.
    starts: Vec<u64>,
    ends: Vec<u64>,
    /// Of the first so many, what their starts and ends add up to, on the clock of their process.
    until: [Vec<u128>; 2],
}

impl Tally {
    fn new(height: u32, process: u32) -> Self {
        Self { height, process, starts: Vec::new(), ends: Vec::new(), until: [Vec::new(), Vec::new()] }
    }

    /// Sorts, and adds up.
    fn settle(&mut self, clock: Option<&ProcessClock>) {
        base::sort::sort(&mut self.starts);
        base::sort::sort(&mut self.ends);
        let sums = |times: &[u64]| {
            let mut sum = 0;
            let add = |&time: &u64| {
                sum += u128::from(ProcessClock::at(clock, time));
                sum
            };
            std::iter::once(0).chain(times.iter().map(add)).collect()
        };
        self.until = [sums(&self.starts), sums(&self.ends)];
    }

    /// Blocks of which something lies between two times.
    fn blocks(&self, from: u64, to: u64) -> usize {
        let begun = self.starts.partition_point(|&start| start < to);
        begun.saturating_sub(self.ends.partition_point(|&end| end <= from))
    }

    /// How long they run between two times.
    fn time(&self, clock: Option<&ProcessClock>, from: u64, to: u64) -> u128 {
        // Up to a time a block has run since its start, but for what lies after its end.
        let until = |t: u64| {
            let now = u128::from(ProcessClock::at(clock, t));
            let since = |times: &[u64], sums: &[u128]| {
                let count = times.partition_point(|&time| time <= t);
                (count as u128 * now).saturating_sub(sums.get(count).copied().unwrap_or_default())
            };
            since(&self.starts, &self.until[0]).saturating_sub(since(&self.ends, &self.until[1]))
        };
        until(to).saturating_sub(until(from))
    }
}

/// How long a process had the device by any time.
#[derive(Debug, Clone, Default)]
struct ProcessClock {
    /// From when, until when, and how long it had it before.
    turns: Vec<(u64, u64, u64)>,
}

impl ProcessClock {
    fn all(trace: &Trace) -> BTreeMap<u32, Self> {
        let mut all: BTreeMap<u32, Self> = BTreeMap::new();
        for slice in &trace.slices {
            let turns = &mut all.entry(slice.process).or_default().turns;
            let before = turns.last().map_or(0, |(from, to, before)| before + (to - from));
            turns.push((slice.start.0, slice.end.0.max(slice.start.0), before));
        }
        all
    }

    /// Without a clock time is what it is.
    fn at(clock: Option<&Self>, t: u64) -> u64 {
        let Some(clock) = clock else { return t };
        let begun = clock.turns.partition_point(|(from, ..)| *from <= t);
        let last = begun.checked_sub(1).and_then(|last| clock.turns.get(last));
        last.map_or(0, |(from, to, before)| before + t.min(*to) - from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::{Runs, Which, sample};
    use crate::timeline::blocks::sample::sliced;

    fn by_hand(setup: &Setup, trace: &Trace, from: u64, to: u64, kernel: &str) -> (usize, u128) {
        let own = trace.kernels.iter().filter(|launch| setup.kernels[launch.kernel].label == kernel);
        let mut sums = (0, 0);
        for launch in own {
            let process = setup.streams[launch.stream].process;
            for block in &trace.blocks[launch.blocks.clone()] {
                let (start, end) = (block.start.0.max(from), block.end.0.min(to));
                sums.0 += usize::from(start < end);
                let turns = trace.slices.iter().filter(|slice| slice.process == process);
                let shares = turns.map(|slice| (slice.start.0.max(start), slice.end.0.min(end)));
                let all: Vec<_> = if trace.slices.is_empty() { vec![(start, end)] } else { shares.collect() };
                sums.1 += all.iter().map(|&(start, end)| u128::from(end.saturating_sub(start))).sum::<u128>();
            }
        }
        sums
    }

    fn check(setup: &Setup, trace: &Trace, measure: Measure, ranges: &[(u64, u64)]) {
        let found = ByKernel::new(setup, trace, &[], &[], measure);
        for &(from, to) in ranges {
            let all = found.between(Nanos(from), Nanos(to));
            assert!(all.is_sorted_by(|a, b| a.time >= b.time));
            for sums in &all {
                let (blocks, time) = by_hand(setup, trace, from, to, &sums.name);
                assert_eq!((sums.blocks, sums.time), (blocks, time), "{} {from} to {to}", sums.name);
                let kernel = setup.kernels.iter().position(|kernel| kernel.label == sums.name).unwrap_or(0);
                assert_eq!(sums.taken, time * u128::from(measure.of(setup, kernel)));
            }
            let some =
                setup.kernels.iter().filter(|kernel| by_hand(setup, trace, from, to, &kernel.label).0 > 0);
            assert_eq!(all.len(), some.count(), "{from} to {to}");
        }
    }

    #[test]
    fn kernels_add_up_as_counted_by_hand() {
        let (setup, trace) = crate::timeline::blocks::sample::tx2();
        let ranges =
            [(0, 12_000_000), (3_000_000, 5_000_001), (6_000_000, 6_000_000), (11_500_000, 20_000_000)];
        for measure in [Measure::Threads, Measure::SharedMemory] {
            check(&setup, &trace, measure, &ranges);
        }
    }

    #[test]
    fn a_process_that_stands_still_takes_no_time() {
        let (setup, trace) = sliced();
        check(&setup, &trace, Measure::Threads, &[(0, 80), (10, 50), (25, 35), (40, 41)]);
    }

    #[test]
    fn all_kernels_together_take_what_the_device_is_said_to_be_taken() {
        for runs in [sample::runs(), sample::odd()] {
            let Some((run, known)) = runs.run(Which::Simulated).zip(runs.pictured(Which::Simulated)) else {
                unreachable!("it was simulated")
            };
            let classes = &run.timeline.classes;
            let found = ByKernel::new(&known.setup, &known.trace, classes, &run.kernels, Measure::Threads);
            let to = runs.end;
            let all = found.between(Nanos::ZERO, to);
            let taken: u128 = all.iter().map(|sums| sums.taken).sum();
            let Some(totals) = runs.totals(Which::Simulated) else { unreachable!("a run") };
            let sums = totals.between(0.0, to.0 as f64);
            let share = taken as f64 / (to.0 as f64 * run.timeline.capacity as f64);
            assert!((share - sums.taken_share).abs() < 1e-9);
            assert_eq!(all.iter().map(|sums| sums.blocks).sum::<usize>(), sums.blocks);
        }
        assert_eq!(names(&sample::odd()), ["a & b: c", "twice", "plain-1"]);
    }

    fn names(runs: &Runs) -> Vec<String> {
        let Some((run, known)) = runs.run(Which::Simulated).zip(runs.pictured(Which::Simulated)) else {
            unreachable!("it was simulated")
        };
        let found =
            ByKernel::new(&known.setup, &known.trace, &run.timeline.classes, &run.kernels, Measure::Threads);
        let mut all = found.between(Nanos::ZERO, runs.end);
        all.sort_by_key(|sums| sums.class);
        all.into_iter().map(|sums| sums.name).collect()
    }
}
