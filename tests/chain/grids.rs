//! Grids against brute force: every work-conserving choice on every multiprocessor, every way a block may go.

use std::collections::HashMap;

use serde_json::json;
use warpspan::base::Seeded;
use warpspan::chain::grid::Assignment;
use warpspan::warps::{Kernel, Machine, Unit};

use super::solved;

/// Warps of a block, by their places in the string; multiprocessor after multiprocessor.
type State = (Vec<Vec<Vec<usize>>>, u64);

struct Brute {
    kernel: Kernel,
    machine: Machine,
    warps: usize,
    room: usize,
    known: HashMap<State, u64>,
}

impl Brute {
    /// The longest from here on; blocks that wait have been put wherever there is room.
    fn longest(&mut self, state: State) -> u64 {
        let (sms, left) = state;
        if left > 0 && sms.iter().any(|sm| sm.len() < self.room) {
            let mut longest = 0;
            for i in 0..sms.len() {
                if sms[i].len() < self.room {
                    let mut next = sms.clone();
                    next[i].push(vec![0; self.warps]);
                    longest = longest.max(self.longest((next, left - 1)));
                }
            }
            return longest;
        }
        if sms.iter().all(Vec::is_empty) {
            return 0;
        }
        let mut state = (sms, left);
        // Multiprocessors, blocks and warps are alike.
        for sm in &mut state.0 {
            sm.iter_mut().for_each(|block| block.sort_unstable());
            sm.sort();
        }
        state.0.sort();
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let mut nexts: Vec<Vec<Vec<Vec<usize>>>> = vec![Vec::new()];
        for sm in &state.0 {
            let after = self.after(sm);
            nexts = nexts
                .iter()
                .flat_map(|so_far| {
                    after.iter().map(move |sm| [&so_far[..], std::slice::from_ref(sm)].concat())
                })
                .collect();
        }
        nexts.sort();
        nexts.dedup();
        let longest = nexts.into_iter().map(|sms| 1 + self.longest((sms, left))).max().unwrap_or(0);
        self.known.insert(state, longest);
        longest
    }

    /// What a cycle may lead to on one multiprocessor.
    fn after(&self, sm: &[Vec<usize>]) -> Vec<Vec<Vec<usize>>> {
        let units = self.kernel.units();
        let waiting: Vec<(usize, usize)> = (0..sm.len())
            .flat_map(|b| (0..self.warps).map(move |w| (b, w)))
            .filter(|&(b, w)| sm[b][w] < units.len())
            .collect();
        let fits = |mask: u32| {
            let on = |unit: Unit| {
                (0..waiting.len())
                    .filter(|&i| mask >> i & 1 == 1 && units[sm[waiting[i].0][waiting[i].1]] == unit)
                    .count()
            };
            mask.count_ones() <= self.machine.issue_limit()
                && Unit::ALL.iter().all(|&unit| on(unit) <= self.machine.capacity[unit] as usize)
        };
        let mut found = Vec::new();
        for mask in 0..1u32 << waiting.len() {
            let full = (0..waiting.len()).all(|i| mask >> i & 1 == 1 || !fits(mask | 1 << i));
            if fits(mask) && full {
                let mut next = sm.to_vec();
                for (i, &(b, w)) in waiting.iter().enumerate() {
                    next[b][w] += usize::from(mask >> i & 1 == 1);
                }
                next.retain(|block| block.iter().any(|&at| at < units.len()));
                found.push(next);
            }
        }
        found
    }
}

#[test]
fn no_assignment_takes_longer_than_the_worst() {
    let mut rng = Seeded::new(77, 0);
    let (mut exact, mut all) = (0, 0);
    for round in 0..60 {
        let text: String = (0..=rng.below(3)).map(|_| ['L', 'C'][rng.below(2) as usize]).collect();
        let (warps, room, sms) = (1 + rng.below(2), 1 + rng.below(2), 1 + rng.below(2));
        let blocks = 1 + rng.below(if warps == 1 { 6 } else { 4 });
        let issue = [None, Some(1), Some(2)][rng.below(3) as usize];
        let (chain, solved) = solved(json!({
            "device": {"sms": sms, "threads": 1024, "blocks": room, "threads_per_block": 1024},
            "machine": {"L": 1, "C": 1 + rng.below(2), "issue": issue},
            "kernels": [{"name": "k", "kernel": text, "threads": 32 * warps, "blocks": blocks}],
        }));
        let found = &solved.kernels[0];
        let grid = found.grids.iter().find(|grid| grid.assignment == Assignment::Worst).expect("it is there");
        let (lower, upper) = (grid.makespan.lower(), grid.makespan.upper());
        let (lower, upper) = (lower.expect("known").value.0, upper.expect("known").value.0);
        let kernel = Kernel::parse(&text).expect("a string");
        let machine = chain.sm.machine;
        let mut brute =
            Brute { kernel, machine, warps: warps as usize, room: room as usize, known: HashMap::new() };
        let longest = brute.longest((vec![Vec::new(); sms as usize], blocks.into()));
        assert!(
            lower <= longest && longest <= upper,
            "round {round}: {text} {longest} in {lower} to {upper}"
        );
        all += 1;
        exact += u32::from(lower == upper);
    }
    assert!(exact > all / 2, "{exact} of {all} are exact");
}
