//! The bound over all launch orders against its inequalities written out, block by block and time by time.

use super::super::bound::{latest_completion, latest_start};
use super::super::task::Task;
use super::{random, task};
use base::{Nanos, Seeded};

/// The blocks that are put down before the last one of a kernel, the longest first, its own as short as they may be.
fn before(tasks: &[Task], which: usize, places: usize) -> Vec<u64> {
    let others = tasks.iter().enumerate().filter(|(other, _)| *other != which);
    let mut blocks: Vec<u64> = others.flat_map(|(_, task)| vec![task.time.0; task.blocks as usize]).collect();
    let (longest, own) = (blocks.iter().copied().max().unwrap_or(0), &tasks[which]);
    let own_blocks = (own.blocks as usize).saturating_sub(1);
    for number in 0..own_blocks {
        let in_whole_waves = number < own_blocks / places * places;
        blocks.push(if in_whole_waves { own.time.0 } else { own.time.0.min(longest) });
    }
    blocks.retain(|time| *time > 0);
    blocks.sort_unstable_by(|a, b| b.cmp(a));
    blocks
}

fn literal(tasks: &[Task], which: usize, places: usize) -> u64 {
    let blocks = before(tasks, which, places);
    let keeps = |start: u64| {
        (1..=places).all(|k| {
            let cut = blocks.iter().take(k * blocks.len() / places).map(|time| (*time).min(start));
            k as u64 * start <= cut.sum()
        })
    };
    let latest = (0..=blocks.iter().sum()).rev().find(|start| keeps(*start)).unwrap_or(0);
    let divides_all = |divisor: &u64| blocks.iter().all(|time| time % divisor == 0);
    let divisor = (1..=blocks.first().copied().unwrap_or(1)).rev().find(divides_all).unwrap_or(1);
    latest / divisor * divisor
}

#[test]
fn the_search_finds_what_the_inequalities_say() {
    let mut rng = Seeded::new(23, 0);
    for round in 0..3_000 {
        let count = 1 + rng.below(4);
        let mut tasks = random(&mut rng, count, 9, 6);
        for task in &mut tasks {
            match rng.below(8) {
                0 => task.blocks = 0,
                1 => task.time = Nanos::ZERO,
                2 => task.time = Nanos(10 * task.time.0),
                _ => {}
            }
        }
        let scale = 1 + u64::from(rng.below(3));
        tasks.iter_mut().for_each(|task| task.time = Nanos(scale * task.time.0));
        let places = 1 + rng.below(5);
        for which in 0..tasks.len() {
            let expected = literal(&tasks, which, places as usize);
            assert_eq!(
                latest_start(&tasks, which, places).0,
                expected,
                "{round}: {tasks:?}, {which}, {places}"
            );
        }
    }
}

#[test]
fn with_more_places_than_are_looked_at_one_by_one_all_of_them_count() {
    // 100 places, 150 blocks of 2: some of them take two.
    let tasks = [task(2, 150), task(3, 1)];
    assert_eq!(latest_completion(&tasks, 1, 100), Nanos(2 + 3));
    assert_eq!(latest_completion(&tasks, 1, 0), Nanos::NEVER);
}
