//! Loads that take their time, held against a search of its own that tries everything.
//!
//! The search here shares no code with the program: it steps concrete warps through cycles, tries every set of warps
//! that may start together and cannot be made larger, and every set of misses among them.

#![cfg(all(feature = "cli", not(target_arch = "wasm32")))]

use std::collections::HashMap;

use warpspan::base::Seeded;
use warpspan::warps::anneal::{Neighbourhood, Settings, StartKind};
use warpspan::warps::memory::anneal::Chain;
use warpspan::warps::memory::bounds::Bounds;
use warpspan::warps::memory::check::check;
use warpspan::warps::memory::construct::{construct, started};
use warpspan::warps::memory::exact::Search;
use warpspan::warps::memory::{Misses, Problem};
use warpspan::warps::{self, Kernel, Machine, Memory, Mode, Order, PerUnit, Schedule, Start};

/// A small question, in plain words.
#[derive(Debug, Clone)]
struct Case {
    kernel: String,
    warps: usize,
    /// `L`, `C`, `S`, `D`.
    places: [u32; 4],
    issue: Option<u32>,
    held: bool,
    hit: u32,
    miss: u32,
    /// None is all.
    misses: Option<u32>,
}

impl Case {
    fn random(rng: &mut Seeded, warps: u32, length: u32) -> Self {
        let letters = ['L', 'L', 'C', 'S'];
        let kernel = (0..=rng.below(length)).map(|_| letters[rng.below(4) as usize]).collect();
        let hit = 1 + rng.below(2);
        Self {
            kernel,
            warps: 1 + rng.below(warps) as usize,
            places: [1 + rng.below(2), 1 + rng.below(2), 1, 1],
            issue: [None, Some(1), Some(2)][rng.below(3) as usize],
            held: rng.below(2) == 0,
            hit,
            miss: hit + rng.below(4),
            misses: [None, Some(0), Some(1), Some(2), Some(3)][rng.below(5) as usize],
        }
    }

    fn memory(&self) -> Memory {
        Memory {
            mode: if self.held { Mode::Held } else { Mode::Pipelined },
            hit: self.hit,
            miss: self.miss,
            misses: match self.misses {
                None => Misses::All,
                Some(0) => Misses::None,
                Some(most) => Misses::AtMost(most),
            },
            missing: None,
        }
    }

    /// Calls with the question as the program has it.
    fn with<T>(&self, then: impl FnOnce(&Problem) -> T) -> T {
        let kernel = Kernel::parse(&self.kernel).expect("a kernel");
        let machine = Machine { capacity: PerUnit(self.places), issue: self.issue };
        then(&Problem { kernel: &kernel, machine: &machine, memory: &self.memory(), warps: self.warps })
    }

    /// The longest makespan there is.
    fn longest(&self) -> u32 {
        Everything { case: self, kernel: self.kernel.chars().collect(), known: HashMap::new() }
            .rest(&vec![(0, 0); self.warps], self.misses.unwrap_or(u32::MAX))
    }
}

/// The search that tries everything.
struct Everything<'a> {
    case: &'a Case,
    kernel: Vec<char>,
    known: HashMap<(Vec<(usize, u32)>, u32), u32>,
}

impl Everything<'_> {
    /// Cycles that are left at the most: of each warp what it has started, and cycles its load still takes.
    fn rest(&mut self, state: &[(usize, u32)], misses: u32) -> u32 {
        if state.iter().all(|&(at, wait)| at == self.kernel.len() && wait == 0) {
            return 0;
        }
        if let Some(&known) = self.known.get(&(state.to_vec(), misses)) {
            return known;
        }
        let could: Vec<usize> =
            (0..state.len()).filter(|&w| state[w].1 == 0 && state[w].0 < self.kernel.len()).collect();
        let mut longest = 0;
        for set in 0u32..1 << could.len() {
            let set: Vec<usize> = (0..could.len()).filter(|i| set >> i & 1 == 1).map(|i| could[i]).collect();
            let larger = |w: &usize| !set.contains(w) && self.fits(state, &[set.as_slice(), &[*w]].concat());
            if !self.fits(state, &set) || could.iter().any(larger) {
                continue;
            }
            let loads: Vec<usize> = set.iter().copied().filter(|&w| self.kernel[state[w].0] == 'L').collect();
            for missing in 0u32..1 << loads.len() {
                let count = missing.count_ones();
                let all = self.case.misses.is_none();
                if count > misses || all && count as usize != loads.len() {
                    continue;
                }
                let mut next = state.to_vec();
                for (w, (at, wait)) in next.iter_mut().enumerate() {
                    if set.contains(&w) {
                        let load = loads.iter().position(|&other| other == w);
                        *wait = match load {
                            None => 1,
                            Some(i) if missing >> i & 1 == 1 => self.case.miss,
                            Some(_) => self.case.hit,
                        };
                        *at += 1;
                    }
                    *wait = wait.saturating_sub(1);
                }
                longest = longest.max(1 + self.rest(&next, if all { misses } else { misses - count }));
            }
        }
        self.known.insert((state.to_vec(), misses), longest);
        longest
    }

    /// Whether these warps may start together.
    fn fits(&self, state: &[(usize, u32)], set: &[usize]) -> bool {
        let holding = state.iter().filter(|&&(_, wait)| wait > 0).count();
        let held = if self.case.held { holding } else { 0 };
        set.len() <= self.case.issue.map_or(usize::MAX, |n| n as usize)
            && "LCSD".chars().zip(self.case.places).all(|(letter, places)| {
                let taken = set.iter().filter(|&&w| self.kernel[state[w].0] == letter).count();
                taken + if letter == 'L' { held } else { 0 } <= places as usize
            })
    }
}

fn rows(schedule: &Schedule) -> Vec<Vec<u32>> {
    (0..schedule.warps()).map(|warp| schedule.warp(warp).to_vec()).collect()
}

/// Nothing may be wrong with it.
fn sound(problem: &Problem, schedule: &Schedule, missed: &[(u16, u16)], what: &str) {
    let flaws: Vec<String> =
        check(problem, &rows(schedule), missed).iter().map(ToString::to_string).collect();
    assert_eq!(flaws, Vec::<String>::new(), "{what}: {problem:?} {schedule:?} {missed:?}");
}

/// Some loads of all that may miss.
fn some_misses(problem: &Problem, rng: &mut Seeded) -> Vec<(u16, u16)> {
    problem.settled().unwrap_or_else(|| {
        let mut loads = warps::memory::placement::loads(problem);
        rng.shuffle(&mut loads);
        loads.truncate(rng.below(1 + problem.most_misses() as u32) as usize);
        loads.sort_unstable();
        loads
    })
}

#[test]
fn every_order_and_every_start_makes_a_sound_schedule_that_its_columns_give_back() {
    let mut rng = Seeded::new(1, 0);
    for round in 0..3_000 {
        let case = Case::random(&mut rng, 5, 8);
        case.with(|problem| {
            let missed = some_misses(problem, &mut rng);
            let order = Start::Random(round).order(problem.kernel, problem.machine, problem.warps);
            let schedule = construct(problem, &order, &missed).expect("complete");
            sound(problem, &schedule, &missed, "an order");
            assert_eq!(construct(problem, &schedule.to_order(), &missed).as_ref(), Some(&schedule));
            for start in Start::FIXED {
                let schedule = started(problem, start, &missed).expect("complete");
                sound(problem, &schedule, &missed, start.name());
                assert_eq!(construct(problem, &schedule.to_order(), &missed), Some(schedule));
            }
        });
    }
}

#[test]
fn loads_of_one_cycle_are_as_without_memory() {
    let mut rng = Seeded::new(2, 0);
    for round in 0..2_000 {
        let case = Case { hit: 1, miss: 1, ..Case::random(&mut rng, 6, 9) };
        case.with(|problem| {
            let order = Start::Random(round).order(problem.kernel, problem.machine, problem.warps);
            let published = warps::construct(problem.kernel, problem.machine, &order, problem.warps);
            assert_eq!(construct(problem, &order, &[]), published, "{case:?}");
            for start in Start::FIXED {
                let order = start.order(problem.kernel, problem.machine, problem.warps);
                let published = warps::construct(problem.kernel, problem.machine, &order, problem.warps);
                assert_eq!(started(problem, start, &[]), published, "{case:?} {start:?}");
            }
        });
    }
}

#[test]
fn the_exact_search_finds_what_trying_everything_finds() {
    let mut rng = Seeded::new(3, 0);
    let (mut by_bound, mut above) = (0, 0);
    for _ in 0..1_500 {
        let case = Case::random(&mut rng, 3, 4);
        let longest = case.longest();
        case.with(|problem| {
            let bound = Bounds::new(problem).expect("served").whole(problem);
            assert!(bound >= longest, "{case:?}: bound {bound}, longest {longest}");
            by_bound += u32::from(bound == longest);
            above += bound - longest;
            let mut search = Search::new(problem, 64 << 20).expect("served");
            while search.step(problem, 1_000) {}
            let (schedule, missed) = search.best();
            sound(problem, schedule, missed, "the exact search");
            assert_eq!((schedule.makespan(), search.upper().0), (longest, longest), "{case:?}");
        });
    }
    // The bound alone is exact for many, and near for most.
    assert!(by_bound > 700 && above < 1_500, "{by_bound} {above}");
}

#[test]
fn annealing_never_finds_more_and_often_as_much() {
    let mut rng = Seeded::new(4, 0);
    let mut met = 0;
    for round in 0..300 {
        let case = Case::random(&mut rng, 3, 4);
        let longest = case.longest();
        case.with(|problem| {
            let neighbourhood = if round % 2 == 0 { Neighbourhood::Swap } else { Neighbourhood::Auto };
            let settings = Settings { iterations: 400, rounds: 1, t0: 0.5, seed: round, neighbourhood };
            let mut chain = Chain::new(problem, settings, StartKind::Random, 0).expect("served");
            while chain.advance(64) > 0 {}
            let (order, missed) = chain.witness().expect("an order");
            let schedule = construct(problem, &order, &missed).expect("complete");
            sound(problem, &schedule, &missed, "annealing");
            assert_eq!(schedule.makespan(), chain.best());
            assert!(chain.best() <= longest, "{case:?}");
            met += u32::from(chain.best() == longest);
        });
    }
    assert!(met > 270, "{met}");
}

/// Each number of every chain is that of the naive construction, iteration by iteration.
#[test]
fn a_chain_says_what_the_construction_says() {
    let mut rng = Seeded::new(5, 0);
    for round in 0..200 {
        let case = Case::random(&mut rng, 6, 12);
        case.with(|problem| {
            let starts = [StartKind::Random, StartKind::MostPending, StartKind::FixedPriority];
            let neighbourhood = if round % 3 == 0 { Neighbourhood::Swap } else { Neighbourhood::Auto };
            let settings = Settings { iterations: 100, rounds: 2, t0: 2.0, seed: round, neighbourhood };
            let start = starts[round as usize % 3];
            let mut chain = Chain::new(problem, settings, start, 1).expect("served");
            while chain.advance(1) > 0 {
                let (order, missed, makespan) = chain.present();
                let order = Order::new(order, problem.warps, problem.kernel.len()).expect("an order");
                let schedule = construct(problem, &order, &missed).expect("complete");
                assert_eq!(schedule.makespan(), makespan, "{case:?}");
            }
        });
    }
}
