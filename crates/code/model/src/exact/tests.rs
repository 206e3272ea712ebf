//! The search against trying everything.

use base::Seeded;

use super::{Goal, Search};
use crate::check::check;
use crate::tests::{oracle, random};
use crate::{Instruction, Launch, Machine, Scope, Set, Unit, Wait, Warp};

const SMALL: random::Size = random::Size {
    warps: 4,
    partitions: 2,
    length: 4,
    latency: 4,
    range: 2,
    streams: 2,
    sets: 40,
    barriers: 30,
};

fn found(launch: &Launch, goal: Goal, known: u32) -> (u64, Option<crate::Schedule>) {
    let Some(mut search) = Search::new(&std::sync::Arc::new(launch.clone()), goal, known, 1 << 28) else {
        unreachable!("few warps")
    };
    while search.step(1_000) {}
    assert!(!search.gave_up());
    let (best, beyond) = search.bracket();
    assert_eq!(best, beyond, "{launch:?}");
    (best, search.witness())
}

#[test]
fn the_extremes_are_those_of_trying_everything() {
    let mut rng = Seeded::new(31, 0);
    let mut tried = 0;
    for _ in 0..2_000 {
        let launch = random::launch(&mut rng, SMALL);
        let Some((least, most)) = oracle::extremes(&launch, 6_000) else { continue };
        if least > most {
            continue;
        }
        tried += 1;
        // Also where all but the extreme itself is known: what leads to it is what is left out first.
        let sought = [
            (Goal::Longest, 0, most),
            (Goal::Longest, most - 1, most),
            (Goal::Shortest, 100_000, least),
            (Goal::Shortest, least + 1, least),
        ];
        for (goal, known, extreme) in sought {
            let (best, witness) = found(&launch, goal, known);
            assert_eq!(best, u64::from(extreme), "{goal:?} {launch:?}");
            let Some(witness) = witness else { unreachable!("there is a schedule") };
            assert_eq!(check(&launch, &witness), [], "{launch:?} {witness:?}");
            assert_eq!(witness.makespan(&launch), extreme);
        }
    }
    assert!(tried > 900, "{tried}");
}

/// Warps on partitions of their own, without units, and their worst case; what is known before is one less. Words are
/// instructions: `|` for a barrier, the stall, `:` and the latency of what it sets on scoreboard 0, `?` and how many
/// results may be missing where it waits.
const AT_BARRIERS: [(&str, [&str; 2], u32); 5] = [
    ("the one that comes last holds up the one that takes longest after it", ["1 3 |1", "3 |1 1"], 6),
    ("the same where both begin at a barrier", ["|1 3 |1", "|3 |1 1"], 6),
    (
        "a result that a later one has overtaken is still missing after the barrier",
        ["1:1-50 1:1-1 1?1 |1 1@100?0", "9 1 |1"],
        150,
    ),
    (
        "a result outlasts all, and the other one has come to the barrier sooner than the formula knows",
        ["1:1-50 1:1-1 1?1 |1", "10 1:100 |1"],
        110,
    ),
    ("the same of a hold", ["1:1-50 1:1-1 1?1 |1", "10 1@100 |1"], 110),
];

#[test]
fn nothing_known_hides_what_comes_after_a_barrier() {
    let number = |text: &str| text.parse::<u32>().unwrap_or_else(|_| unreachable!("{text}"));
    let read = |word: &str| {
        let (barrier, word) = word.strip_prefix('|').map_or((false, word), |rest| (true, rest));
        let (word, left) =
            word.split_once('?').map_or((word, None), |(word, left)| (word, Some(number(left))));
        let (word, range) = word.split_once(':').map_or((word, None), |(word, range)| (word, Some(range)));
        let (stall, hold) = word.split_once('@').map_or((word, 1), |(stall, hold)| (stall, number(hold)));
        let mut own = Instruction::plain(0, hold, number(stall));
        (own.unit, own.barrier) = (None, barrier);
        own.waits = left.map(|left| Wait { board: 0, left }).into_iter().collect();
        let set = |range: &str| {
            let (least, most) = range.split_once('-').unwrap_or((range, range));
            Set { board: 0, least: number(least), most: number(most), hit: None }
        };
        own.sets = range.map(set).into_iter().collect();
        own
    };
    for (why, streams, worst) in AT_BARRIERS {
        let (mut code, mut paths) = (Vec::new(), Vec::new());
        for stream in streams {
            let from = code.len() as u32;
            code.extend(stream.split(' ').map(read));
            paths.push((from..code.len() as u32).collect());
        }
        let machine = Machine { partitions: 2, issue: 1, units: Vec::new() };
        let warps = (0..2).map(|at| Warp { stream: at, partition: at as u32, block: 0 }).collect();
        let Ok(launch) = Launch::new(machine, code, paths, warps, None) else { unreachable!("{why}") };
        for known in [0, worst - 1] {
            assert_eq!(found(&launch, Goal::Longest, known).0, u64::from(worst), "{why}, {known} known");
        }
    }
}

/// A barrier that a later result lets go leaves an earlier one under way. The other warp, whose barrier waits for a unit,
/// has not passed it for some cycles in which the first one has.
#[test]
fn a_result_under_way_at_a_barrier_is_not_forgotten_behind_it() {
    let unit = Unit { name: "u".to_owned(), scope: Scope::Multiprocessor, count: 1 };
    let machine = Machine { partitions: 2, issue: 1, units: vec![unit] };
    let result = |most| Set { board: 0, least: 1, most, hit: None };
    let wait = |left| vec![Wait { board: 0, left }];
    let plain = Instruction { unit: None, ..Instruction::plain(0, 1, 1) };
    let code = vec![
        Instruction { sets: vec![result(50)], ..Instruction::plain(0, 10, 1) },
        Instruction { sets: vec![result(1)], ..plain.clone() },
        Instruction { barrier: true, waits: wait(1), ..plain.clone() },
        Instruction { hold: 100, waits: wait(0), ..plain.clone() },
        plain,
        Instruction { barrier: true, ..Instruction::plain(0, 1, 1) },
    ];
    let warp = |stream| Warp { stream, partition: stream as u32, block: 0 };
    let paths = vec![vec![0, 1, 2, 3], vec![4, 5]];
    let Ok(launch) = Launch::new(machine, code, paths, vec![warp(0), warp(1)], None) else {
        unreachable!("sound")
    };
    assert_eq!(oracle::extremes(&launch, 100_000).map(|(_, most)| most), Some(150));
    for known in [0, 149] {
        assert_eq!(found(&launch, Goal::Longest, known).0, 150, "{known} known");
    }
}

/// Voronoi of B, section VI, with issue limit 4: the worst cases of strings are a special case.
#[test]
fn published_worst_cases() {
    let unit = |name: &str, count| Unit { name: name.to_owned(), scope: Scope::Partition, count };
    let machine = Machine { partitions: 1, issue: 4, units: vec![unit("L", 1), unit("C", 4)] };
    let letters = [(5, 0), (9, 1), (2, 0), (9, 1)];
    let string = letters.iter().flat_map(|&(times, unit)| vec![Instruction::plain(unit, 1, 1); times]);
    let code: Vec<Instruction> = string.collect();
    for (warps, worst) in (1..).zip([25, 31, 37, 45]) {
        let Ok(launch) = Launch::uniform(machine.clone(), code.clone(), warps) else { unreachable!("sound") };
        assert_eq!(found(&launch, Goal::Longest, 0).0, worst);
    }
}

/// What was settled on the way to a state is kept once, and not again in all that come of it.
#[test]
fn states_hold_what_was_settled_in_their_step_alone() {
    let set = Set { board: 0, least: 2, most: 3, hit: None };
    let own = Instruction {
        sets: vec![set],
        waits: vec![Wait { board: 0, left: 0 }],
        ..Instruction::plain(0, 1, 1)
    };
    let unit = Unit { name: "u".to_owned(), scope: Scope::Partition, count: 1 };
    let machine = Machine { partitions: 1, issue: 1, units: vec![unit] };
    let Ok(launch) = Launch::uniform(machine, vec![own; 12], 2) else { unreachable!("sound") };
    let Some(mut search) = Search::new(&std::sync::Arc::new(launch), Goal::Longest, 0, 1 << 28) else {
        unreachable!("few warps")
    };
    while search.step(1_000) {}
    let most = search.nodes.iter().map(|node| node.state.told.len()).max();
    assert!(search.nodes.len() > 20 && most.is_some_and(|most| most <= 4), "{most:?}");
}

/// A result that comes sooner makes the whole longer.
#[test]
fn the_worst_latency_is_not_always_the_longest() {
    let mut rng = Seeded::new(33, 0);
    let mut anomalies = 0;
    for _ in 0..3_000 {
        let launch = random::launch(&mut rng, SMALL);
        if launch.misses().is_some() || launch.latencies() == 0 {
            continue;
        }
        let fixed: Vec<Instruction> = launch
            .code()
            .iter()
            .cloned()
            .map(|mut own| {
                own.sets.iter_mut().for_each(|set| set.least = set.most);
                own
            })
            .collect();
        let paths = launch.streams().iter().map(|own| own.path.clone()).collect();
        let Ok(longest) = Launch::new(launch.machine().clone(), fixed, paths, launch.warps().to_vec(), None)
        else {
            unreachable!("sound")
        };
        let (all, at_most) = (found(&launch, Goal::Longest, 0).0, found(&longest, Goal::Longest, 0).0);
        assert!(all >= at_most);
        anomalies += usize::from(all > at_most);
    }
    assert!(anomalies > 5, "{anomalies}");
}
