//! The model written down once more, in the plainest way there is: what may happen in a cycle, the longest
//! and the shortest way to the end by trying everything, and random questions to ask. Shares nothing with
//! the program but the letters.

#![allow(dead_code)] // every test file takes its own part of this

use std::collections::HashMap;

use serde_json::Value;
use warpspan::base::Seeded;

/// A question: letters, warps, capacities by letter, issue limit, and the sub-block of each instruction.
#[derive(Debug, Clone)]
pub struct Model {
    pub letters: Vec<char>,
    pub warps: usize,
    pub capacity: Vec<(char, usize)>,
    pub issue: usize,
    pub boundaries: Option<Vec<usize>>,
}

impl Model {
    /// A random one; `longest` instructions at most, and so many warps.
    pub fn random(rng: &mut Seeded, warps: u32, longest: u32) -> Self {
        let mut pick = |n: u32| rng.below(n) as usize;
        let kinds = 1 + pick(4);
        let letters: Vec<char> =
            (0..=pick(longest)).map(|_| ['L', 'C', 'S', 'D'][pick(kinds as u32)]).collect();
        let capacity = ['L', 'C', 'S', 'D'].map(|letter| (letter, 1 + pick(3) * pick(2))).to_vec();
        let issue = [usize::MAX, 1, 2, 3][pick(4)];
        let boundaries = (pick(2) == 0).then(|| (0..=letters.len()).filter(|_| pick(3) == 0).collect());
        Self { warps: 1 + pick(warps), letters, capacity, issue, boundaries }
    }

    /// The question of a report.
    pub fn of(report: &Value) -> Self {
        let number = |value: &Value| value.as_u64().map(|n| n as usize);
        let machine = &report["machine"];
        let capacity = |letter: char| (letter, number(&machine[letter.to_string()]).expect("a capacity"));
        let boundaries = report.get("sub_blocks").map(|list| {
            list.as_array().expect("a list").iter().map(|n| number(n).expect("a number")).collect()
        });
        Self {
            letters: letters(report["kernel"].as_str().expect("a text")),
            warps: number(&report["count"]).expect("a number"),
            capacity: ['L', 'C', 'S', 'D'].map(capacity).to_vec(),
            issue: number(&machine["issue"]).unwrap_or(usize::MAX),
            boundaries,
        }
    }

    /// The fields of a `warps` object that ask it, without the method.
    pub fn fields(&self) -> String {
        let kernel: String = self.letters.iter().collect();
        let mut machine: Vec<String> =
            self.capacity.iter().map(|(letter, n)| format!(r#""{letter}": {n}"#)).collect();
        if self.issue < usize::MAX {
            machine.push(format!(r#""issue": {}"#, self.issue));
        }
        let fairness = self.boundaries.as_ref().map_or(String::new(), |boundaries| {
            format!(r#", "fairness": "sub-block", "sub_blocks": {boundaries:?}"#)
        });
        let (warps, machine) = (self.warps, machine.join(", "));
        format!(r#""kernel": "{kernel}", "count": {warps}, "machine": {{{machine}}}{fairness}"#)
    }

    fn room(&self, letter: char) -> usize {
        self.capacity.iter().find(|(other, _)| *other == letter).map_or(0, |&(_, n)| n)
    }

    /// How many boundaries stand at or before an instruction; those at 0 separate nothing, and so all count.
    fn block(&self, instruction: usize) -> usize {
        self.boundaries.iter().flatten().filter(|&&boundary| boundary <= instruction).count()
    }

    /// Whether these of the waiting instructions may execute together while the others wait.
    pub fn may(&self, run: &[usize], wait: &[usize]) -> bool {
        let on = |letter, last| {
            run.iter().filter(|&&i| self.letters[i] == letter && self.block(i) <= last).count()
        };
        let fits = self.capacity.iter().all(|&(letter, room)| on(letter, usize::MAX) <= room);
        let kept_waiting = |&i: &usize| {
            let block = self.block(i);
            let before = run.iter().filter(|&&other| self.block(other) <= block).count();
            before >= self.issue || on(self.letters[i], block) >= self.room(self.letters[i])
        };
        fits && run.len() <= self.issue && wait.iter().all(kept_waiting)
    }

    /// The longest and the shortest time to the end, by trying every choice in every cycle.
    pub fn extremes(&self) -> (u32, u32) {
        self.from(vec![0; self.warps], &mut HashMap::new())
    }

    fn from(&self, mut at: Vec<usize>, known: &mut HashMap<Vec<usize>, (u32, u32)>) -> (u32, u32) {
        at.sort_unstable();
        at.retain(|&i| i < self.letters.len());
        if at.is_empty() {
            return (0, 0);
        }
        if let Some(&found) = known.get(&at) {
            return found;
        }
        let mut extremes = (0, u32::MAX);
        for mask in 1u32..1 << at.len() {
            let chosen = |w: usize| mask >> w & 1 == 1;
            let part = |runs: bool| -> Vec<usize> {
                (0..at.len()).filter(|&w| chosen(w) == runs).map(|w| at[w]).collect()
            };
            if self.may(&part(true), &part(false)) {
                let next = (0..at.len()).map(|w| at[w] + usize::from(chosen(w))).collect();
                let (longest, shortest) = self.from(next, known);
                extremes = (extremes.0.max(longest + 1), extremes.1.min(shortest + 1));
            }
        }
        known.insert(at, extremes);
        extremes
    }

    /// The last cycle of a schedule, after every cycle of it has been looked at; `rows` are those of warps.
    pub fn keeps_rules(&self, rows: &[Vec<u32>]) -> u32 {
        assert_eq!(rows.len(), self.warps);
        let mut at = vec![0usize; self.warps];
        let mut cycle = 0;
        while at.iter().any(|&i| i < self.letters.len()) {
            cycle += 1;
            let runs = |w: &usize| at[*w] < self.letters.len() && rows[*w][at[*w]] == cycle;
            let (run, wait): (Vec<usize>, Vec<usize>) =
                (0..self.warps).filter(|&w| at[w] < self.letters.len()).partition(runs);
            let of = |warps: &[usize]| -> Vec<usize> { warps.iter().map(|&w| at[w]).collect() };
            assert!(self.may(&of(&run), &of(&wait)), "{self:?}: cycle {cycle} of {rows:?}");
            for w in run {
                at[w] += 1;
            }
        }
        assert!(rows.iter().all(|row| row.len() == self.letters.len()));
        cycle
    }
}

/// A kernel in run-length form, letter by letter.
pub fn letters(kernel: &str) -> Vec<char> {
    let runs = kernel.split(' ').map(|run| run.split_at(run.len() - 1));
    runs.flat_map(|(n, unit)| unit.repeat(n.parse().unwrap_or(1)).chars().collect::<Vec<_>>()).collect()
}
