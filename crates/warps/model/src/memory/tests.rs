//! What the parts say of each other, on small questions; `tests/memory.rs` holds them against trying everything.

use super::bounds::Bounds;
use super::breadth_first::{BreadthFirst, Ranking, Width};
use super::construct::construct;
use super::exact::Search;
use super::misses::{Method, MissSearch, loads};
use super::{Misses, Problem};
use crate::{Kernel, Machine, Memory, Mode, Order, PerUnit, Start};
use base::Seeded;

fn with<T>(
    text: &str,
    machine: Machine,
    memory: &Memory,
    warps: usize,
    then: impl FnOnce(&Problem) -> T,
) -> T {
    let Ok(kernel) = Kernel::parse(text) else { unreachable!("{text}") };
    then(&Problem { kernel: &kernel, machine: &machine, memory, warps })
}

fn memory(mode: Mode, miss: u32, misses: Misses) -> Memory {
    Memory { mode, hit: 1, miss, misses, missing: None }
}

const ONE_EACH: Machine = Machine { capacity: PerUnit([1, 1, 1, 1]), issue: None };

#[test]
fn a_lone_warp_takes_its_own_time() {
    for (misses, takes) in [(Misses::None, 4), (Misses::All, 18), (Misses::AtMost(1), 11)] {
        with("LCLC", ONE_EACH, &memory(Mode::Held, 8, misses), 1, |problem| {
            let bound = Bounds::new(problem).map(|bounds| bounds.whole(problem));
            assert_eq!(bound, Some(takes), "{misses:?}");
        });
    }
}

/// Beams and floors only spare work: going through all states from nothing comes to the same.
#[test]
fn all_states_alone_find_the_same() {
    let mut rng = Seeded::new(12, 0);
    for round in 0..300 {
        let text: String = (0..=rng.below(4)).map(|_| ['L', 'L', 'C'][rng.below(3) as usize]).collect();
        let mode = if round % 2 == 0 { Mode::Held } else { Mode::Pipelined };
        let misses = [Misses::All, Misses::AtMost(1), Misses::AtMost(3)][rng.below(3) as usize];
        let memory = memory(mode, 2 + rng.below(3), misses);
        with(&text, ONE_EACH, &memory, 1 + rng.below(3) as usize, |problem| {
            let Some(mut all) = BreadthFirst::new(problem, Width::All, 0, 1 << 26) else {
                unreachable!("{text}")
            };
            while all.step(100) {}
            let Some(mut search) = Search::new(problem, 1 << 26) else { unreachable!("{text}") };
            while search.step(problem, 100) {}
            assert_eq!(all.best(), search.best().0.makespan(), "{text} {memory:?}");
            assert_eq!((all.upper(), search.upper().0), (all.best(), all.best()), "{text} {memory:?}");
        });
    }
}

#[test]
fn without_room_the_bracket_stays_open_and_holds() {
    with("LCLC", ONE_EACH, &memory(Mode::Held, 4, Misses::AtMost(3)), 5, |problem| {
        let Some(mut all) = BreadthFirst::new(problem, Width::All, 0, 2_000) else { unreachable!("served") };
        while all.step(1_000) {}
        assert!(all.is_out_of_memory() && all.upper() >= all.best());
        let Some(mut beam) = BreadthFirst::new(problem, Width::Best(3, Ranking::Work), 0, 1 << 20) else {
            unreachable!("served")
        };
        while beam.step(1_000) {}
        assert!(beam.best() <= all.upper() && beam.witness(problem).is_some());
    });
}

/// Trying all placements finds the worst of all; placing one by one no more than that.
#[test]
fn placements_are_the_worst_or_say_that_they_are_not() {
    let memory = memory(Mode::Pipelined, 4, Misses::AtMost(2));
    for seed in 0..50 {
        with("LCLL", ONE_EACH, &memory, 3, |problem| {
            let order = Start::Random(seed).order(problem.kernel, problem.machine, 3);
            let play = |missed: &[(u16, u16)]| construct(problem, &order, missed);
            let takes = |missed: &[(u16, u16)]| play(missed).map_or(0, |made| made.makespan());
            let all = loads(problem);
            let pairs = all.iter().flat_map(|&a| all.iter().map(move |&b| (a.min(b), a.max(b))));
            let two = pairs.filter(|(a, b)| a != b).map(|(a, b)| takes(&[a, b])).max().unwrap_or(0);
            let one = all.iter().map(|&load| takes(&[load])).max().unwrap_or(0);
            let worst = two.max(one).max(takes(&[]));
            let Some(mut search) = MissSearch::new(problem, play) else { unreachable!("fits") };
            assert_eq!(search.how(), Method::AllTried);
            while search.step(play) {}
            assert_eq!(search.best().0.makespan(), worst, "{order:?}");
            let Some(mut search) = MissSearch::one_by_one(problem, play) else { unreachable!("fits") };
            while search.step(play) {}
            assert!(search.best().0.makespan() <= worst && search.best().1.len() <= 2);
        });
    }
}

#[test]
fn an_order_that_does_not_fit_makes_nothing() {
    let memory = memory(Mode::Held, 4, Misses::All);
    with("LC", ONE_EACH, &memory, 2, |problem| {
        let Ok(order) = Order::new(vec![0, 1, 0, 1, 2, 2], 3, 2) else { unreachable!("an order") };
        assert_eq!(construct(problem, &order, &[]), None);
    });
    let no_core = Machine { capacity: PerUnit([1, 0, 0, 0]), issue: None };
    with("LC", no_core, &memory, 2, |problem| {
        let order = Start::RoundRobin.order(problem.kernel, &ONE_EACH, 2);
        assert_eq!(construct(problem, &order, &[]), None);
        assert!(Bounds::new(problem).is_none() && Search::new(problem, 1 << 20).is_none());
    });
}
