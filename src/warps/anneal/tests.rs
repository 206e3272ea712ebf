//! The evaluator against the plain construction, chains against themselves, and published results.

use super::engine::Engine;
use super::neighbourhood::{Change, Proposal};
use super::*;
use crate::warps::{PerUnit, Schedule, construct};

fn kernel(text: &str) -> Kernel {
    match Kernel::parse(text) {
        Ok(kernel) => kernel,
        Err(error) => unreachable!("{text}: {}", error.what),
    }
}

fn machine(capacity: [u32; 4], issue: Option<u32>) -> Machine {
    Machine { capacity: PerUnit(capacity), issue }
}

fn voronoi() -> Kernel {
    kernel("5L 9C 2L 9C")
}

/// The makespan of an order by building its schedule.
fn built(kernel: &Kernel, machine: &Machine, order: &[u8], warps: usize) -> Option<u32> {
    let ids = order.iter().map(|&warp| u16::from(warp)).collect();
    let order = Order::new(ids, warps, kernel.len()).ok()?;
    construct(kernel, machine, &order, warps).map(|schedule: Schedule| schedule.makespan())
}

/// Random changes, taken or taken back at random, each compared with the plain construction.
fn agrees_with_construction(kernel: &Kernel, machine: &Machine, warps: usize, start: StartKind, rounds: u32) {
    let mut rng = Seeded::new(99, u64::from(rounds));
    let mut order: Vec<u8> = start
        .order(kernel, machine, &Fairness::WorkConserving, warps)
        .ids()
        .iter()
        .map(|&warp| warp as u8)
        .collect();
    if start == StartKind::Random {
        rng.shuffle(&mut order);
    }
    let Some(mut engine) = Engine::new(kernel, machine, &order, warps) else { unreachable!("it fits") };
    assert_eq!(Some(engine.makespan()), built(kernel, machine, &order, warps));
    let mut fresh = Vec::new();
    for round in 0..rounds {
        let how = Neighbourhood::MOVES[rng.below(8) as usize];
        let change = Proposal {
            order: &order,
            warps,
            units: kernel.units(),
            gang: 5,
            before: &|warp, place| engine.before(warp, place),
            fresh: &mut fresh,
        }
        .draw(how, &mut rng);
        let Some(change) = change else { continue };
        let mut changed = order.clone();
        let makespan = match change {
            Change::Swap(a, b) => {
                changed.swap(a, b);
                engine.swap(a, b)
            }
            Change::Replace(from) => {
                changed[from..from + fresh.len()].copy_from_slice(&fresh);
                engine.replace(from, &fresh)
            }
        };
        let expected = built(kernel, machine, &changed, warps);
        assert_eq!(Some(makespan), expected, "{how:?} in round {round}: {change:?} of {order:?}");
        if rng.below(2) == 0 {
            engine.accept(makespan);
            order = changed;
        } else {
            match change {
                Change::Swap(a, b) => engine.undo_swap(a, b),
                Change::Replace(from) => engine.undo_replace(from, &order[from..from + fresh.len()]),
            }
        }
    }
    assert_eq!(Some(engine.makespan()), built(kernel, machine, &order, warps));
}

#[test]
fn the_evaluator_agrees_with_the_construction_on_random_scenarios() {
    let mut rng = Seeded::new(2026, 0);
    for _ in 0..400 {
        let most = if rng.below(4) == 0 { 20 } else { 6 };
        let warps = 2 + rng.below(most) as usize;
        let letters = &["L", "C", "S", "D"][..1 + rng.below(4) as usize];
        let text: String = (0..1 + rng.below(8))
            .map(|_| format!("{}{}", 1 + rng.below(5), letters[rng.below(letters.len() as u32) as usize]))
            .collect();
        let capacity = std::array::from_fn(|_| 1 + rng.below(4));
        let issue = (rng.below(2) == 0).then(|| 1 + rng.below(6));
        let start = StartKind::ALL[rng.below(4) as usize];
        agrees_with_construction(&kernel(&text), &machine(capacity, issue), warps, start, 60);
    }
}

#[test]
fn every_shape_of_the_evaluator_agrees() {
    let four = "3L 4C 2S D 5C L";
    let cases = [
        ("5L 9C 2L 9C", 16, None),    // two kinds of unit, bytes
        (four, 16, Some(3)),          // four kinds
        (four, 60, Some(4)),          // up to 64 warps
        ("70(LCC CLC)", 12, None),    // more than 255 instructions
        ("70(LCC CLS)", 60, Some(4)), // and up to 64 warps
        ("L 2C S", 256, None),        // up to 256 warps
    ];
    for (text, warps, issue) in cases {
        for start in StartKind::ALL {
            agrees_with_construction(&kernel(text), &machine([1, 4, 1, 1], issue), warps, start, 25);
        }
    }
}

#[test]
fn schedules_too_long_to_keep_every_state_agree_too() {
    let long = kernel("370(2LC)"); // 284,160 entries: sorted lists, and not every state kept
    agrees_with_construction(&long, &machine([1, 1, 0, 0], None), 256, StartKind::Random, 6);
}

fn settings(iterations: u64, neighbourhood: Neighbourhood) -> Settings {
    Settings { iterations, rounds: 1, t0: 0.3, seed: 1, neighbourhood }
}

fn chain(settings: Settings, start: StartKind, number: u64) -> Chain {
    let made = Chain::new(
        &voronoi(),
        &machine([1, 4, 0, 0], None),
        &Fairness::WorkConserving,
        16,
        settings,
        start,
        number,
    );
    match made {
        Some(chain) => chain,
        None => unreachable!("it fits"),
    }
}

#[test]
fn a_chain_taken_apart_is_the_same_chain() {
    for neighbourhood in Neighbourhood::all() {
        let settings = Settings { rounds: 2, ..settings(3_000, neighbourhood) };
        let mut whole = chain(settings, StartKind::Random, 3);
        assert_eq!(whole.advance(u64::MAX), 6_000);
        assert!(whole.is_over());
        let mut piece = chain(settings, StartKind::Random, 3);
        let mut improvements = piece.take_improvements();
        while !piece.is_over() {
            piece.advance(701);
            improvements.extend(piece.take_improvements());
            let (kernel, machine) = (voronoi(), machine([1, 4, 0, 0], None));
            match Chain::at(&kernel, &machine, &Fairness::WorkConserving, 16, settings, 3, piece.checkpoint())
            {
                Some(resumed) => piece = resumed,
                None => unreachable!("its own checkpoint"),
            }
        }
        assert_eq!(piece.checkpoint(), whole.checkpoint(), "{neighbourhood:?}");
        assert_eq!(improvements, whole.take_improvements());
        assert!(improvements.windows(2).all(|w| w[0].makespan < w[1].makespan));
    }
}

#[test]
fn what_a_chain_says_is_what_its_order_takes() {
    for (number, start) in StartKind::ALL.into_iter().enumerate() {
        for neighbourhood in [Neighbourhood::Swap, Neighbourhood::Auto] {
            let mut chain = chain(settings(20_000, neighbourhood), start, number as u64);
            let first = chain.best();
            chain.advance(u64::MAX);
            let taken = built(&voronoi(), &machine([1, 4, 0, 0], None), chain.best_order(), 16);
            assert_eq!(taken, Some(chain.best()));
            assert!(chain.best() >= first);
        }
    }
}

#[test]
fn starts_are_the_published_ones() {
    let best = |start| chain(settings(1, Neighbourhood::Swap), start, 0).best();
    assert_eq!(best(StartKind::RoundRobin), 154);
    assert_eq!(best(StartKind::FixedPriority), 128);
    assert_eq!(best(StartKind::MostPending), 139);
}

#[test]
fn cold_chains_never_go_down_and_hot_ones_do() {
    let at = |t0| {
        let mut chain =
            chain(Settings { t0, ..settings(5_000, Neighbourhood::Swap) }, StartKind::RoundRobin, 0);
        let mut down = false;
        while !chain.is_over() {
            let before = chain.engine.makespan();
            chain.advance(1);
            down |= chain.engine.makespan() < before;
        }
        down
    };
    assert!(!at(0.0));
    assert!(at(0.3));
}

#[test]
fn a_lone_warp_and_a_lone_instruction_are_no_trouble() {
    let units = machine([1, 1, 0, 0], None);
    for (text, warps) in [("LC", 1), ("L", 2), ("L", 1), ("C", 3)] {
        for neighbourhood in Neighbourhood::all() {
            let made = Chain::new(
                &kernel(text),
                &units,
                &Fairness::WorkConserving,
                warps,
                settings(300, neighbourhood),
                StartKind::Random,
                0,
            );
            let Some(mut chain) = made else { unreachable!("it fits") };
            assert_eq!(chain.advance(u64::MAX), 300);
        }
    }
}

#[test]
fn a_chain_past_its_end_does_nothing_more() {
    let mut long = chain(settings(100, Neighbourhood::Swap), StartKind::RoundRobin, 0);
    long.advance(u64::MAX);
    let short = settings(10, Neighbourhood::Swap);
    match Chain::at(
        &voronoi(),
        &machine([1, 4, 0, 0], None),
        &Fairness::WorkConserving,
        16,
        short,
        0,
        long.checkpoint(),
    ) {
        Some(mut chain) => assert_eq!((chain.advance(5), chain.iteration()), (0, 100)),
        None => unreachable!("its own checkpoint"),
    }
}

#[test]
fn a_foreign_checkpoint_is_refused() {
    let mut at = chain(settings(10, Neighbourhood::Swap), StartKind::RoundRobin, 0).checkpoint();
    at.order[0] = 15;
    let units = machine([1, 4, 0, 0], None);
    let made = Chain::at(
        &voronoi(),
        &units,
        &Fairness::WorkConserving,
        16,
        settings(10, Neighbourhood::Swap),
        0,
        at,
    );
    assert!(made.is_none());
}
