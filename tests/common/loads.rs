//! Small questions about loads that take their time, and a search that tries everything. It shares no code with the
//! program: it steps concrete warps through cycles, tries every set of warps that may start together and cannot be
//! made larger, and every set of misses among them.

use std::collections::HashMap;

use warpspan::base::Seeded;
use warpspan::warps::memory::{Misses, Problem};
use warpspan::warps::{Kernel, Machine, Memory, Mode, PerUnit};

/// A small question, in plain words.
#[derive(Debug, Clone)]
pub struct Case {
    pub kernel: String,
    pub warps: usize,
    /// `L`, `C`, `S`, `D`.
    pub places: [u32; 4],
    pub issue: Option<u32>,
    pub held: bool,
    pub hit: u32,
    pub miss: u32,
    /// None is all.
    pub misses: Option<u32>,
}

impl Case {
    /// A random one, of so many warps and instructions at the most.
    pub fn random(rng: &mut Seeded, warps: u32, length: u32) -> Self {
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
    pub fn with<T>(&self, then: impl FnOnce(&Problem) -> T) -> T {
        let kernel = Kernel::parse(&self.kernel).expect("a kernel");
        let machine = Machine { capacity: PerUnit(self.places), issue: self.issue };
        then(&Problem { kernel: &kernel, machine: &machine, memory: &self.memory(), warps: self.warps })
    }

    /// The longest makespan there is.
    pub fn longest(&self) -> u32 {
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
