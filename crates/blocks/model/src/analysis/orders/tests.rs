//! The worst launch orders, held against trying all of them.

use super::super::bound;
use super::super::tests::{block_by_block, published, random, task};
use super::*;
use base::Seeded;

/// Every order of `0..count`.
fn orders(count: usize) -> Vec<Vec<usize>> {
    match count.checked_sub(1) {
        None => vec![Vec::new()],
        Some(last) => {
            let insert = |order: Vec<usize>| {
                (0..=last).map(move |at| {
                    let mut order = order.clone();
                    order.insert(at, last);
                    order
                })
            };
            orders(last).into_iter().flat_map(insert).collect()
        }
    }
}

/// The latest completion of each kernel over all orders, block by block.
fn all_orders(tasks: &[Task], places: u32) -> Vec<Nanos> {
    let mut latest = vec![Nanos::ZERO; tasks.len()];
    for order in orders(tasks.len()) {
        let completions = block_by_block(order.iter().map(|&which| &tasks[which]), places);
        for (which, completion) in order.into_iter().zip(completions) {
            latest[which] = latest[which].max(completion);
        }
    }
    latest
}

fn worst_of(tasks: &[Task], places: u32) -> Vec<Worst> {
    worst(tasks, places, Effort::default()).expect("there are few")
}

/// What every answer promises.
fn sound(tasks: &[Task], places: u32, found: &[Worst]) {
    for (which, worst) in found.iter().enumerate() {
        let again = block_by_block(worst.order.iter().map(|&which| &tasks[which]), places);
        assert_eq!(again, worst.completions);
        let at = worst.order.iter().position(|&other| other == which).expect("it is in its order");
        assert_eq!(again[at], worst.completion);
        let mut sorted = worst.order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..tasks.len()).collect::<Vec<_>>());
        assert_eq!(worst.proof == Proven::NotProven, worst.completion < worst.upper);
    }
}

#[test]
fn the_worst_order_is_the_worst_of_all() {
    let mut rng = Seeded::new(24, 0);
    for round in 0..300 {
        let count = 1 + rng.below(5);
        let tasks = random(&mut rng, count, 9, 10);
        let places = 1 + rng.below(9);
        let found = worst_of(&tasks, places);
        sound(&tasks, places, &found);
        let completions: Vec<Nanos> = found.iter().map(|worst| worst.completion).collect();
        assert_eq!(completions, all_orders(&tasks, places), "round {round}: {tasks:?} on {places}");
        assert!(found.iter().all(|worst| worst.proof != Proven::NotProven));
    }
}

#[test]
fn six_and_seven_kernels_too() {
    let mut rng = Seeded::new(25, 0);
    for (count, time, blocks) in [(6, 1_000, 12), (6, 5, 30), (7, 1_000, 6)] {
        let tasks = random(&mut rng, count, time, blocks);
        let found = worst_of(&tasks, 5);
        sound(&tasks, 5, &found);
        let completions: Vec<Nanos> = found.iter().map(|worst| worst.completion).collect();
        assert_eq!(completions, all_orders(&tasks, 5));
    }
}

#[test]
fn the_bound_holds_over_all_orders_and_is_often_met() {
    let mut rng = Seeded::new(26, 0);
    let (mut met, mut of) = (0, 0);
    for _ in 0..500 {
        let count = 1 + rng.below(5);
        let tasks = random(&mut rng, count, 6, 12);
        let places = 1 + rng.below(6);
        for (which, latest) in all_orders(&tasks, places).into_iter().enumerate() {
            let upper = bound::latest_completion(&tasks, which, places);
            assert!(latest <= upper, "{tasks:?} on {places}: {latest} > {upper}");
            met += u32::from(latest == upper);
            of += 1;
        }
    }
    assert!(2 * met > of, "{met} of {of}");
}

#[test]
fn a_kernel_is_latest_when_it_is_last() {
    let mut rng = Seeded::new(27, 0);
    for _ in 0..500 {
        let mut tasks = random(&mut rng, 6, 9, 9);
        let (places, at) = (1 + rng.below(7), rng.below(6) as usize);
        let before = block_by_block(&tasks, places)[at];
        let moved = tasks.remove(at);
        tasks.push(moved);
        assert!(block_by_block(&tasks, places)[5] >= before);
    }
}

#[test]
fn slices_change_nothing() {
    let mut rng = Seeded::new(28, 0);
    let tasks = random(&mut rng, 7, 1_000, 10);
    let whole = worst_of(&tasks, 6);
    let mut search = Search::new(tasks, 6, Effort::default()).expect("there are few");
    let mut progress = 0.0;
    while search.step(&mut Control::slice(997)) == Progress::More {
        assert!(search.progress() >= progress);
        progress = search.progress();
    }
    assert_eq!(search.worst(), whole);
    assert_eq!(search.progress(), 1.0);
}

#[test]
fn what_is_known_early_is_sound() {
    let mut rng = Seeded::new(29, 0);
    let tasks = random(&mut rng, 14, 1_000, 10);
    let mut search = Search::new(tasks.clone(), 8, Effort { changes: 30_000, states: 5_000 }).expect("few");
    sound(&tasks, 8, &search.worst());
    while search.step(&mut Control::slice(20_000)) == Progress::More {
        sound(&tasks, 8, &search.worst());
    }
    let end = search.worst();
    sound(&tasks, 8, &end);
    let close = |worst: &Worst| worst.upper.0 - worst.completion.0 < worst.upper.0 / 8;
    assert!(end.iter().all(close), "{end:?}");
    assert!(end.iter().any(|worst| worst.proof == Proven::NotProven));
}

#[test]
fn more_kernels_than_can_be_tried_get_a_bracket() {
    let mut rng = Seeded::new(30, 0);
    let tasks = random(&mut rng, 60, 1_000, 4);
    let found = worst(&tasks, 16, Effort { changes: 100_000, states: 1_000 }).expect("not too many");
    sound(&tasks, 16, &found);
    assert!(worst(&vec![task(1, 1); MOST_KERNELS + 1], 1, Effort::default()).is_none());
    assert_eq!(worst(&[], 1, Effort::default()), Some(Vec::new()));
}

#[test]
fn kernels_that_are_alike_share_a_search() {
    let tasks = [task(3, 2), task(5, 3), task(3, 2), task(3, 2), task(5, 3)];
    let found = worst_of(&tasks, 4);
    sound(&tasks, 4, &found);
    assert_eq!(found.iter().map(|worst| worst.completion).collect::<Vec<_>>(), all_orders(&tasks, 4));
}

#[test]
fn deadlines_over_all_orders() {
    let mut tasks = published();
    let found = worst_of(&tasks, 8);
    let mut kept = |deadline: Option<u64>| {
        tasks[0].deadline = deadline.map(Nanos);
        found[0].deadline(&tasks[0])
    };
    assert_eq!([None, Some(10), Some(9)].map(&mut kept), [Kept::NoDeadline, Kept::Always, Kept::NotAlways]);
    let open = Worst { upper: Nanos(12), proof: Proven::NotProven, ..found[0].clone() };
    tasks[0].deadline = Some(Nanos(11));
    assert_eq!(open.deadline(&tasks[0]), Kept::Open);
}
