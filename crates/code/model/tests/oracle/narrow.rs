//! Instances in which the bound may not leave out more than it does: each has a longer worst case than what it would be
//! if one condition of `crates/code/model/src/bounds/overlap.rs` or `crates/code/model/src/bounds/beside.rs` were dropped.

use std::sync::Arc;

use base::Seeded;
use warpspan_code_model::bounds;
use warpspan_code_model::certificate::prove;

use crate::rules::{Instance, Op, Runs};
use crate::{claims_are_judged, launch_of};

/// Why, what warps execute, the worst case and the bound. Words are instructions: `|` for a barrier, unit, hold, stall,
/// `:` and the range of what it sets, `?` if it waits for that.
type Case = (&'static str, &'static [&'static str], u32, u64);

/// On one partition that issues one instruction a cycle, and units of one place.
const CASES: [Case; 14] = [
    ("the warp itself holds the unit of a next one", &["131 012 111", "021 111"], 7, 7),
    ("the same for no more than three cycles", &["131 011:12-12", "021 111"], 16, 16),
    ("the same while it is blocked", &["031 111 |011", "141 011 032 |011"], 11, 12),
    (
        "the same of two of its instructions",
        &["141 011 241 011:12-12", "041 111 111 111", "041 211 211 211"],
        27,
        29,
    ),
    ("both of a pair are kept in two runs", &["112 011:12-12", "124 021"], 18, 18),
    ("the same with a stall of two", &["111 011:8-8", "122 021"], 13, 13),
    ("of two holds the shorter one", &["012 111:17-17", "051 026 121", "051 026 121"], 37, 37),
    ("runs on the same unit", &["111 011 111 011 111:8-8", "122 022 -11 122 021"], 21, 21),
    ("the next one waits", &["051:5-6 -11?", "051:5-6 -11?"], 13, 13),
    ("one after it waits", &["061 111:6-7 -11?", "061 111:6-7 -11?"], 16, 16),
    ("the next one is on the same unit", &["021 011", "021 011"], 6, 6),
    ("the next one is on a unit that the warp does not use", &["011:6-6", "131", "021 111"], 10, 10),
    ("the same, held for longer", &["112 111", "131 022"], 6, 7),
    ("the next one stalls for less than it holds", &["012 111", "131 021 011"], 7, 7),
];

fn op(word: &str) -> Op {
    let (barrier, word) = word.strip_prefix('|').map_or((false, word), |rest| (true, rest));
    let (waits, word) = word.strip_suffix('?').map_or((false, word), |rest| (true, rest));
    let (word, range) = word.split_once(':').map_or((word, None), |(word, range)| (word, Some(range)));
    let digit = |at: usize| word.chars().nth(at).and_then(|digit| digit.to_digit(10));
    let set = |range: &str| {
        let (least, most) = range.split_once('-').unwrap();
        (0, least.parse().unwrap(), most.parse().unwrap(), None)
    };
    Op {
        unit: digit(0).map(|unit| unit as usize),
        hold: digit(1).unwrap(),
        stall: digit(2).unwrap(),
        sets: range.map(set).into_iter().collect(),
        waits: if waits { vec![(0, 0)] } else { Vec::new() },
        barrier,
    }
}

fn instance(warps: &[&str], blocks: &[usize], units: &[(u32, bool)]) -> Instance {
    let (mut code, mut paths) = (Vec::new(), Vec::new());
    for warp in warps {
        let first = code.len();
        code.extend(warp.split(' ').map(op));
        paths.push((first..code.len()).collect());
    }
    let (units, blocks) = (units.to_vec(), blocks.to_vec());
    Instance { partitions: 1, issue: 1, units, code, paths, blocks, misses: None }
}

fn is(why: &str, of: &Instance, worst: u32, upper: u64) {
    let launch = Arc::new(launch_of(of));
    assert_eq!(Runs::extremes(of, 1 << 14).map(|found| found.1), Some(worst), "{why}");
    assert_eq!(bounds::upper(&launch), upper, "{why}");
    claims_are_judged(&launch, worst);
}

#[test]
fn no_condition_can_be_dropped() {
    let plain = [(1, false); 3];
    for (why, warps, worst, upper) in CASES {
        is(why, &instance(warps, &vec![0; warps.len()], &plain), worst, upper);
    }
    let blocks = instance(&["011 |011", "021 -11", "011 |012 011"], &[0, 1, 0], &plain);
    is("another block, and barriers", &blocks, 8, 9);
    let two = instance(&["011 -11", "021 -11"], &[0, 0], &plain);
    is("two issue in a cycle", &Instance { issue: 2, ..two }, 4, 4);
    let places = instance(&["021 111", "021 111"], &[0, 0], &[(2, false), (1, false)]);
    is("a unit of two places", &places, 4, 4);
    let apart = instance(&["121 011", "121 011"], &[0, 0], &[(1, true), (1, false)]);
    is("partitions that share a unit", &Instance { partitions: 2, ..apart }, 3, 3);
}

/// One warp has a long way after all others, so that the bound is its own; they hold units, with short stalls.
fn drawn(rng: &mut Seeded) -> Instance {
    let mut below = |bound: u32| rng.below(bound);
    let units: Vec<(u32, bool)> = (0..2 + below(2)).map(|_| (1, below(5) == 0)).collect();
    let segments = 1 + below(6) / 5;
    let warps = 2 + below(4) as usize / 3;
    let (longest, stalls, most) = (2 + below(5), 1 + below(4), 2 + below(3));
    let (mut code, mut paths) = (Vec::new(), Vec::new());
    for warp in 0..warps {
        let first = code.len();
        let places: Vec<u32> = (0..segments).flat_map(|_| 0..1 + below(most)).collect();
        for place in places {
            let unit = (below(9) > 0).then(|| below(units.len() as u32) as usize);
            let hold = if unit.is_some() { 1 + below(longest) } else { 1 };
            let barrier = place == 0 && code.len() > first;
            let (sets, waits) = (Vec::new(), Vec::new());
            code.push(Op { unit, hold, stall: 1 + below(stalls), sets, waits, barrier });
        }
        let last = code.len() - 1;
        if warp == 0 {
            let lasts = 6 + below(10);
            code[last].sets.push((0, lasts, lasts, None));
        }
        paths.push((first..code.len()).collect());
    }
    Instance { partitions: 1, issue: 1, units, code, paths, blocks: vec![0; warps], misses: None }
}

#[test]
fn no_run_is_beyond_where_one_warp_goes_on_for_long() {
    let mut rng = Seeded::new(63, 0);
    let (mut tried, mut met) = (0, 0);
    for _ in 0..6_000 {
        let of = drawn(&mut rng);
        let Some((_, most)) = Runs::extremes(&of, 400) else { continue };
        let launch = launch_of(&of);
        let upper = bounds::upper(&launch);
        assert!(u64::from(most) <= upper, "{most} of {upper}: {of:?}");
        assert_eq!(prove(&launch, u64::from(most) - 1, 0), None, "{most}: {of:?}");
        tried += 1;
        met += u32::from(u64::from(most) == upper);
    }
    assert!(tried > 4_000 && met > 1_000, "{tried} {met}");
    println!("{tried} tried, {met} on the bound");
}
