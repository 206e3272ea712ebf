//! Blocks of which the multiprocessor is known: one that waits holds back those behind it, wherever they go.

#![allow(missing_docs)]

use base::Seeded;
use chain_lab::LINKED;
use chain_lab::report::chain::{Grid, WholeReport};
use serde_json::{Value, json};
use std::collections::VecDeque;
use warpspan_chain_lab as chain_lab;

const SMS: usize = 2;

/// The grid of a kernel whose assignment is known; so many blocks have room on each of two multiprocessors.
fn known(kernel: Value, assignment: &[usize], room: usize) -> Grid {
    let mut kernel = kernel;
    kernel["name"] = json!("k");
    kernel["blocks"] = json!(assignment.len());
    kernel["assignment"] = json!(assignment);
    let tree = json!({ "warpspan": 1, "chain": {
        "device": { "sms": SMS, "threads": 1024, "blocks": room, "threads_per_block": 64 },
        "machine": { "L": 1, "C": 1 }, "clock": 1_000_000_000, "kernels": [kernel], "effort": 3_000
    } });
    let scenario = LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    let report: WholeReport = serde_json::from_str(&LINKED.run(&scenario).line()).expect("a report");
    report.kernels[0].grids.iter().find(|grid| grid.assignment == "known").expect("it is there").clone()
}

/// Cycles of a run: warps by random turns, blocks in their order.
fn run(string: &str, warps: usize, assignment: &[usize], room: usize, random: &mut Seeded) -> u64 {
    let units: Vec<usize> = string.chars().map(|unit| usize::from(unit == 'C')).collect();
    let mut queue: VecDeque<usize> = assignment.iter().copied().collect();
    // On each multiprocessor blocks, and of each the places of its warps.
    let mut on: Vec<Vec<Vec<usize>>> = vec![Vec::new(); SMS];
    let how = random.below(4);
    for cycle in 0.. {
        while let Some(sm) = queue.front().copied().filter(|&sm| on[sm].len() < room) {
            queue.pop_front();
            on[sm].push(vec![0; warps]);
        }
        if on.iter().all(Vec::is_empty) {
            return cycle;
        }
        for blocks in &mut on {
            let mut all: Vec<(u32, usize, usize)> = (0..blocks.len())
                .flat_map(|block| (0..warps).map(move |warp| (block, warp)))
                .map(|(block, warp)| {
                    let first = match how {
                        0 => random.below(1_000),
                        1 => block as u32,
                        2 => 1_000 - block as u32,
                        _ => blocks[block][warp] as u32,
                    };
                    (first, block, warp)
                })
                .collect();
            all.sort_unstable();
            let mut taken = [false; 2];
            for (_, block, warp) in all {
                let place = &mut blocks[block][warp];
                if let Some(&unit) = units.get(*place).filter(|&&unit| !taken[unit]) {
                    taken[unit] = true;
                    *place += 1;
                }
            }
            blocks.retain(|block| block.iter().any(|&place| place < units.len()));
        }
    }
    unreachable!("cycles end with the last block")
}

/// Two blocks for one multiprocessor, two for the other, one at a time: the second waits for the first, the third for the second
/// to start, and the fourth for the third. That is three times what a block takes, though each runs two.
#[test]
fn given_times_follow_each_other() {
    let grid = known(json!({ "cycles": 10, "threads": 32 }), &[0, 0, 1, 1], 1);
    let values = |grid: &Grid| {
        let of = |bracket: &chain_lab::report::chain::Bracket| {
            let side = |figure: &Option<chain_lab::report::chain::Figure>| figure.as_ref().map(|f| f.value);
            (side(&bracket.lower), side(&bracket.upper))
        };
        (of(&grid.makespan), grid.sms.iter().map(|sm| of(&sm.makespan)).collect::<Vec<_>>())
    };
    let both = |value: u64| (Some(value), Some(value));
    assert_eq!(values(&grid), (both(30), vec![both(20), both(30)]));
    let in_turn = known(json!({ "cycles": 10, "threads": 32 }), &[0, 1, 0, 1], 1);
    assert_eq!(values(&in_turn), (both(20), vec![both(20), both(20)]));
}

#[test]
fn no_run_takes_longer_than_is_told() {
    let mut random = Seeded::new(7, 0);
    let (mut held, mut late) = (0, 0);
    for round in 0..150 {
        let length = 1 + random.below(6);
        let string: String = (0..length).map(|_| ['L', 'C'][random.below(2) as usize]).collect();
        let warps = 1 + random.below(2) as usize;
        let room = 1 + random.below(2) as usize;
        let assignment: Vec<usize> =
            (0..2 + random.below(6)).map(|_| random.below(SMS as u32) as usize).collect();
        let kernel = json!({ "kernel": string, "threads": 32 * warps });
        let grid = known(kernel, &assignment, room);
        let lower = grid.makespan.lower.as_ref().expect("known").value;
        let upper = grid.makespan.upper.as_ref().expect("known").value;
        let longest =
            (0..60).map(|_| run(&string, warps, &assignment, room, &mut random)).max().expect("some");
        let told = format!("round {round}: {string}, {warps} warps, {assignment:?}, room for {room}");
        assert!(longest <= upper, "{told}: {longest} above {upper}");
        assert!(lower <= upper, "{told}");
        late += usize::from(longest >= lower);
        held += usize::from(grid.makespan.upper.as_ref().expect("known").why.contains("holds back"));
    }
    assert!(held > 25 && late > 120, "{held} {late}");
}
