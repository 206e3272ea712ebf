//! An adversary for proven upper bounds on warps: it looks for long schedules, of small and of middling questions,
//! and none may be longer than what is proven.
//!
//! It is written from what `docs/exact.md` and `docs/memory.md` say a schedule is, and shares nothing with the
//! program but the letters: a machine of its own steps cycle by cycle, and asks the warps that are ready in the
//! sequence of their priorities; whoever finds a place and an issue slot starts. Every such schedule is
//! work-conserving, and fair where earlier sub-blocks are asked first. The adversary changes priorities and misses,
//! keeps what takes no less time than some steps ago (late acceptance), and begins anew from several sides.
//!
//! `WARPSPAN_EFFORT` is the number of questions of each kind; a few where it is not given.

#![cfg(not(target_arch = "wasm32"))]

use warpspan::base::Seeded;
use warpspan::warps::exact::{Limits, Problem, Search};
use warpspan::warps::memory::bounds::Bounds;
use warpspan::warps::{Fairness, Kernel, Machine, Memory, Misses, Mode, PerUnit, bounds, memory};

const LETTERS: [char; 4] = ['L', 'C', 'S', 'D'];

/// Questions of each kind.
fn effort() -> u32 {
    std::env::var("WARPSPAN_EFFORT").ok().and_then(|text| text.parse().ok()).unwrap_or(40)
}

/// How long loads take.
#[derive(Debug, Clone)]
struct Loads {
    held: bool,
    hit: u32,
    miss: u32,
    /// None is all.
    misses: Option<u32>,
}

/// A question, in plain words.
#[derive(Debug, Clone)]
struct Case {
    /// Kinds by number.
    kernel: Vec<usize>,
    warps: usize,
    places: [u32; 4],
    issue: Option<u32>,
    /// How many instructions stand before each boundary, where sub-blocks are fair.
    boundaries: Option<Vec<u32>>,
    loads: Option<Loads>,
}

impl Case {
    /// A random one; runs of instructions, as kernels have them, in every second one.
    fn random(rng: &mut Seeded, warps: u32, length: u32) -> Self {
        let kinds = 1 + rng.below(4);
        let wanted = 1 + rng.below(length) as usize;
        let mut kernel = Vec::new();
        let longest = 1 + rng.below(2) * 5;
        while kernel.len() < wanted {
            let kind = rng.below(kinds) as usize;
            (0..1 + rng.below(longest)).for_each(|_| kernel.push(kind));
        }
        kernel.truncate(wanted);
        let places = [0; 4].map(|_| [1, 1, 2, 3, 4, 6][rng.below(6) as usize]);
        Self {
            kernel,
            warps: 1 + rng.below(warps) as usize,
            places,
            issue: [None, Some(1), Some(2), Some(3), Some(4)][rng.below(5) as usize],
            boundaries: None,
            loads: None,
        }
    }

    fn with_sub_blocks(mut self, rng: &mut Seeded) -> Self {
        let last = self.kernel.len() as u32;
        self.boundaries = Some((0..=last).filter(|_| rng.below(4) == 0).collect());
        self
    }

    fn with_loads(mut self, rng: &mut Seeded) -> Self {
        let hit = 1 + rng.below(3);
        self.loads = Some(Loads {
            held: rng.below(2) == 0,
            hit,
            miss: hit + rng.below(7),
            misses: [None, Some(0), Some(1), Some(2), Some(5), Some(1_000)][rng.below(6) as usize],
        });
        self
    }

    fn block(&self, instruction: usize) -> usize {
        self.boundaries.iter().flatten().filter(|&&before| before as usize <= instruction).count()
    }

    /// How long a schedule takes in which warps are asked by priority, the smallest first, and these loads miss.
    fn makespan(&self, priority: &[Vec<u32>], missed: &[Vec<bool>]) -> u32 {
        let (mut at, mut ready) = (vec![0usize; self.warps], vec![1u32; self.warps]);
        let held = |loads: &Loads, ready: &[u32], at: &[usize], cycle: u32| {
            let under_way = |w: &usize| at[*w] > 0 && self.kernel[at[*w] - 1] == 0 && ready[*w] > cycle;
            if loads.held { (0..self.warps).filter(under_way).count() as u32 } else { 0 }
        };
        let mut cycle = 0;
        while at.iter().any(|&at| at < self.kernel.len()) {
            cycle += 1;
            let mut free = self.places;
            if let Some(loads) = &self.loads {
                free[0] -= held(loads, &ready, &at, cycle);
            }
            let mut slots = self.issue.unwrap_or(u32::MAX);
            let mut asked: Vec<usize> =
                (0..self.warps).filter(|&w| at[w] < self.kernel.len() && ready[w] <= cycle).collect();
            asked.sort_by_key(|&w| (self.block(at[w]), priority[w][at[w]], w));
            for w in asked {
                let kind = self.kernel[at[w]];
                if free[kind] == 0 || slots == 0 {
                    continue;
                }
                (free[kind], slots) = (free[kind] - 1, slots - 1);
                let takes = match &self.loads {
                    Some(loads) if kind == 0 && missed[w][at[w]] => loads.miss,
                    Some(loads) if kind == 0 => loads.hit,
                    _ => 1,
                };
                ready[w] = cycle + takes;
                at[w] += 1;
            }
        }
        ready.into_iter().max().unwrap_or(1) - 1
    }

    /// The longest schedule the adversary finds in so many steps from each side.
    fn attacked(&self, rng: &mut Seeded, steps: u32) -> u32 {
        let length = self.kernel.len();
        let sides: [fn(usize, usize, usize) -> u32; 5] = [
            |w, _, _| w as u32 * 1_000,
            |w, i, warps| (i * warps + w) as u32,
            |w, i, _| 1_000 * u32::from(w == 0) + (1_000 - i as u32 % 1_000),
            |w, i, _| (w / 2 * 1_000 + i) as u32,
            |w, i, _| ((w * 7919 + i * 104_729) % 4_099) as u32,
        ];
        let mut longest = 0;
        for side in sides {
            let mut priority: Vec<Vec<u32>> =
                (0..self.warps).map(|w| (0..length).map(|i| side(w, i, self.warps)).collect()).collect();
            let mut missed = self.misses(rng);
            let mut now = self.makespan(&priority, &missed);
            let mut late = [now; 16];
            longest = longest.max(now);
            for step in 0..steps {
                let before = (priority.clone(), missed.clone());
                self.change(rng, &mut priority, &mut missed);
                let then = self.makespan(&priority, &missed);
                let bar = &mut late[step as usize % 16];
                if then >= now || then >= *bar {
                    now = then;
                } else {
                    (priority, missed) = before;
                }
                *bar = now;
                longest = longest.max(now);
            }
        }
        longest
    }

    /// Some loads that may miss together.
    fn misses(&self, rng: &mut Seeded) -> Vec<Vec<bool>> {
        let mut missed = vec![vec![false; self.kernel.len()]; self.warps];
        let Some(loads) = &self.loads else { return missed };
        let mut all: Vec<(usize, usize)> = (0..self.warps)
            .flat_map(|w| (0..self.kernel.len()).map(move |i| (w, i)))
            .filter(|&(_, i)| self.kernel[i] == 0)
            .collect();
        rng.shuffle(&mut all);
        let most = loads.misses.map_or(usize::MAX, |most| most as usize);
        all.into_iter().take(most).for_each(|(w, i)| missed[w][i] = true);
        missed
    }

    /// Changes one thing: two instructions change priorities, one gets another, a warp falls behind or comes to the
    /// fore for a while, or another load misses.
    fn change(&self, rng: &mut Seeded, priority: &mut [Vec<u32>], missed: &mut [Vec<bool>]) {
        let mut pick = |n: usize| rng.below(n as u32) as usize;
        let (w, i) = (pick(self.warps), pick(self.kernel.len()));
        let (v, j) = (pick(self.warps), pick(self.kernel.len()));
        match pick(6) {
            0 => (priority[w][i], priority[v][j]) = (priority[v][j], priority[w][i]),
            1 => priority[w][i] = pick(4_000) as u32,
            2 => (i.min(j)..=i.max(j)).for_each(|at| priority[w][at] = 5_000 + pick(8) as u32),
            3 => (i.min(j)..=i.max(j)).for_each(|at| priority[w][at] = pick(8) as u32),
            4 => priority.swap(w, v),
            _ => {
                let limited = self.loads.as_ref().is_some_and(|loads| loads.misses.is_some());
                if limited && self.kernel[i] == 0 && self.kernel[j] == 0 {
                    // As many miss as before, or one fewer.
                    let (one, other) = (missed[w][i], missed[v][j]);
                    (missed[w][i], missed[v][j]) = (other, one);
                    if pick(4) == 0 {
                        missed[w][i] = false;
                    }
                }
            }
        }
    }

    fn kernel(&self) -> Kernel {
        let text: String = self.kernel.iter().map(|&kind| LETTERS[kind]).collect();
        Kernel::parse(&text).expect("a kernel")
    }

    fn machine(&self) -> Machine {
        Machine { capacity: PerUnit(self.places), issue: self.issue }
    }
}

/// What came of many attacks.
#[derive(Debug, Default)]
struct Tally {
    questions: u32,
    /// How often the adversary met the formula's bound, and the search's.
    met_formula: u32,
    met_search: u32,
    /// Questions in which search and its own bound meet.
    proven: u32,
    /// Cycles by which the search's own lower side lies below what the adversary found, at the most.
    beaten: u32,
    /// Cycles the adversary found, and those the search's bound allows, in all.
    found: u64,
    allowed: u64,
}

/// Attacks the formula and the bracket of a search, which is stopped early in two of three questions.
fn attack_plain(case: &Case, rng: &mut Seeded, steps: u32, tally: &mut Tally) {
    let (kernel, machine) = (case.kernel(), case.machine());
    let fairness = case.boundaries.clone().map_or(Fairness::WorkConserving, Fairness::SubBlock);
    let formula = bounds::blocked_cycles(&kernel, &machine, case.warps).expect("served");
    let least = bounds::capacity_and_length(&kernel, &machine, case.warps).expect("served");
    let problem = Problem { kernel: &kernel, machine: &machine, warps: case.warps, fairness: &fairness };
    let mut search = Search::new(&problem, Limits { memory: 16 << 20 }).expect("served");
    let found = case.attacked(rng, steps);
    let batches = [3, 40, 600][rng.below(3) as usize];
    let mut upper = u32::MAX;
    for _ in 0..batches {
        let more = search.step(1 << 12);
        let bracket = search.bracket();
        assert!(bracket.upper <= upper, "a bound grows: {case:?}");
        upper = bracket.upper;
        assert!(found <= upper, "{case:?}: a schedule of {found} cycles, {bracket:?}");
        if !more {
            break;
        }
    }
    let bracket = search.bracket();
    assert!(least <= found && found <= formula, "{case:?}: {least} {found} {formula}");
    tally.questions += 1;
    tally.met_formula += u32::from(found == formula);
    tally.met_search += u32::from(found == upper);
    tally.proven += u32::from(bracket.lower == bracket.upper);
    tally.beaten = tally.beaten.max(found.saturating_sub(bracket.lower));
    (tally.found, tally.allowed) = (tally.found + u64::from(found), tally.allowed + u64::from(upper));
}

/// The same where loads take their time.
fn attack_loads(case: &Case, rng: &mut Seeded, steps: u32, tally: &mut Tally) {
    let Some(loads) = &case.loads else { return };
    let (kernel, machine) = (case.kernel(), case.machine());
    let memory = Memory {
        mode: if loads.held { Mode::Held } else { Mode::Pipelined },
        hit: loads.hit,
        miss: loads.miss,
        misses: match loads.misses {
            None => Misses::All,
            Some(0) => Misses::None,
            Some(most) => Misses::AtMost(most),
        },
        missing: None,
    };
    let problem = memory::Problem { kernel: &kernel, machine: &machine, memory: &memory, warps: case.warps };
    let formula = Bounds::new(&problem).expect("served").whole(&problem);
    let found = case.attacked(rng, steps);
    assert!(found <= formula, "{case:?}: a schedule of {found} cycles, bound {formula}");
    let mut search = memory::exact::Search::new(&problem, 16 << 20).expect("served");
    for _ in 0..[3, 40, 300][rng.below(3) as usize] {
        let more = search.step(&problem, 1 << 12);
        assert!(found <= search.upper().0, "{case:?}: a schedule of {found} cycles, {:?}", search.upper());
        if !more {
            break;
        }
    }
    let (lower, upper) = (search.best().0.makespan(), search.upper().0);
    tally.questions += 1;
    tally.met_formula += u32::from(found == formula);
    tally.met_search += u32::from(found == upper);
    tally.proven += u32::from(lower == upper);
    tally.beaten = tally.beaten.max(found.saturating_sub(lower));
    (tally.found, tally.allowed) = (tally.found + u64::from(found), tally.allowed + u64::from(upper));
}

type Make = fn(Case, &mut Seeded) -> Case;
type Attack = fn(&Case, &mut Seeded, u32, &mut Tally);

/// Small and middling questions of one kind.
fn attack(name: &str, seed: u64, make: Make, attack: Attack) {
    for (size, warps, length, steps, share) in [("small", 4, 8, 60, 1), ("middling", 16, 24, 250, 4)] {
        let (mut rng, mut tally) = (Seeded::new(seed, warps.into()), Tally::default());
        for _ in 0..effort().div_ceil(share) {
            let case = Case::random(&mut rng, warps, length);
            let case = make(case, &mut rng);
            attack(&case, &mut rng, steps, &mut tally);
        }
        println!("{name}, {size}: {tally:?}");
        // An adversary that finds nothing long proves nothing.
        let strong = if size == "small" { 90 } else { 70 };
        assert!(tally.found * 100 >= tally.allowed * strong, "{name}, {size}: too weak, {tally:?}");
    }
}

#[test]
fn no_schedule_is_longer_than_what_is_proven() {
    attack("plain", 41, |case, _| case, attack_plain);
}

#[test]
fn no_fair_schedule_is_longer_than_what_is_proven() {
    attack("fair sub-blocks", 42, Case::with_sub_blocks, attack_plain);
}

#[test]
fn no_schedule_with_loads_that_take_their_time_is_longer_than_what_is_proven() {
    attack("loads", 43, Case::with_loads, attack_loads);
}

/// The published program, whose worst cases are known: the adversary finds them, and never more.
#[test]
fn the_adversary_finds_known_worst_cases() {
    let kernel = [(0, 5), (1, 9), (0, 2), (1, 9)].into_iter().flat_map(|(kind, n)| vec![kind; n]).collect();
    let mut case =
        Case { kernel, warps: 4, places: [1, 4, 1, 1], issue: None, boundaries: None, loads: None };
    let mut rng = Seeded::new(44, 0);
    let mut found = |case: &Case| case.attacked(&mut rng, 3_000);
    assert_eq!(found(&case), 45);
    case.loads = Some(Loads { held: true, hit: 1, miss: 4, misses: None });
    assert_eq!(found(&case), 130);
    case.loads = Some(Loads { held: false, hit: 1, miss: 8, misses: None });
    assert_eq!(found(&case), 77);
    case.loads = Some(Loads { held: true, hit: 1, miss: 4, misses: Some(3) });
    assert_eq!(found(&case), 55);
}
