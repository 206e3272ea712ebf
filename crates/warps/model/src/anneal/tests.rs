//! The evaluator against the plain construction, chains against themselves, and published results.

use super::engine::{Engine, RETRY, Taken, by_cycle, by_entry};
use super::evaluator::Evaluator;
use super::neighbourhood::{Change, Proposal};
use super::*;
use crate::{PerUnit, Schedule, construct};

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

/// The evaluator of chains, asked as each of those it chooses from.
#[derive(Debug)]
struct Chosen(Engine);

impl Evaluator for Chosen {
    fn makespan(&self) -> u32 {
        self.0.makespan()
    }

    fn warp(&self, place: usize) -> u8 {
        self.0.order()[place]
    }

    fn before(&self, warp: usize, place: usize) -> usize {
        self.0.before(warp, place)
    }

    fn swap(&mut self, a: usize, b: usize) -> Option<u32> {
        Some(self.0.swap(a, b))
    }

    fn undo_swap(&mut self, a: usize, b: usize) {
        self.0.undo_swap(a, b);
    }

    fn replace(&mut self, from: usize, warps: &[u8]) -> Option<u32> {
        let before = &self.0.order()[from..from + warps.len()];
        Some(self.0.replace(from, before, warps))
    }

    fn undo_replace(&mut self, from: usize, warps: &[u8]) {
        self.0.undo_replace(from, warps);
    }

    fn accept(&mut self, makespan: u32) {
        self.0.accept(makespan);
    }

    fn strained(&mut self) -> bool {
        false
    }
}

/// One that takes such a scenario and its first order.
type Made = fn(&Kernel, &Machine, &[u8], usize) -> Taken;

const CHOSEN: Made = |kernel, machine, order, warps| {
    Engine::new(kernel, machine, order, warps).map(|engine| Box::new(Chosen(engine)) as Box<dyn Evaluator>)
};

/// Random changes, taken or taken back at random, each compared with the plain construction. How many
/// changes there were, and how many the evaluator could not judge; nothing where it does not take the order.
fn agrees_with_construction(
    made: Made,
    kernel: &Kernel,
    machine: &Machine,
    warps: usize,
    start: StartKind,
    rounds: u32,
) -> Option<(u32, u32)> {
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
    let mut engine = made(kernel, machine, &order, warps)?;
    assert_eq!(Some(engine.makespan()), built(kernel, machine, &order, warps));
    let mut fresh = Vec::new();
    let (mut changes, mut given_up) = (0, 0);
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
        changes += 1;
        given_up += u32::from(makespan.is_none());
        if let Some(makespan) = makespan {
            let expected = built(kernel, machine, &changed, warps);
            assert_eq!(Some(makespan), expected, "{how:?} in round {round}: {change:?} of {order:?}");
            if rng.below(2) == 0 {
                engine.accept(makespan);
                order = changed;
                continue;
            }
        }
        match change {
            Change::Swap(a, b) => engine.undo_swap(a, b),
            Change::Replace(from) => engine.undo_replace(from, &order[from..from + fresh.len()]),
        }
    }
    assert_eq!(Some(engine.makespan()), built(kernel, machine, &order, warps));
    Some((changes, given_up))
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
        let (kernel, machine) = (kernel(&text), machine(capacity, issue));
        for made in [CHOSEN, by_cycle] {
            assert!(agrees_with_construction(made, &kernel, &machine, warps, start, 60).is_some());
        }
    }
}

#[test]
fn placing_entries_agrees_wherever_it_does_not_give_up() {
    let mut rng = Seeded::new(2027, 0);
    let (mut taken, mut changes, mut given_up) = (0, 0, 0);
    for _ in 0..300 {
        let warps = 2 + rng.below(15) as usize;
        let text: String = (0..1 + rng.below(6))
            .map(|_| format!("{}{}", 1 + rng.below(12), ["L", "C"][rng.below(2) as usize]))
            .collect();
        let capacity = std::array::from_fn(|_| 1 + rng.below(5));
        let issue = (rng.below(2) == 0).then(|| 1 + rng.below(6));
        let start = StartKind::ALL[rng.below(6) as usize];
        let (kernel, machine) = (kernel(&text), machine(capacity, issue));
        let found = agrees_with_construction(by_entry, &kernel, &machine, warps, start, 60);
        taken += u32::from(found.is_some());
        changes += found.map_or(0, |(changes, _)| changes);
        given_up += found.map_or(0, |(_, given_up)| given_up);
    }
    // Most scenarios suit it, and some changes ask for more cycles at once than it has.
    assert!(taken > 150 && given_up > 0 && given_up < changes / 4, "{taken}, {given_up} of {changes}");
}

#[test]
fn an_evaluator_that_gave_up_is_tried_again() {
    let (kernel, machine) = (kernel("5L 9C 2L 9C 5L"), machine([1, 4, 0, 0], None));
    let serial: Vec<u8> = (0..16).flat_map(|warp| [warp; 30]).collect();
    assert!(by_entry(&kernel, &machine, &serial, 16).is_none(), "its warps are too far from each other");
    let turns: Vec<u8> = (0..480).map(|place| (place % 16) as u8).collect();
    let Some(mut engine) = Engine::new(&kernel, &machine, &turns, 16) else { unreachable!("it fits") };
    assert!(engine.places_entries());
    for (before, order) in [(&turns, &serial), (&serial, &turns)] {
        let makespan = engine.replace(0, before, order);
        engine.accept(makespan);
        assert_eq!(Some(makespan), built(&kernel, &machine, order, 16));
        assert!(!engine.places_entries());
    }
    for place in 0..RETRY {
        let place = place as usize % 479;
        engine.swap(place, place + 1);
        engine.undo_swap(place, place + 1);
    }
    assert!(engine.places_entries());
    assert_eq!(Some(engine.makespan()), built(&kernel, &machine, &turns, 16));
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
            let machine = machine([1, 4, 1, 1], issue);
            assert!(agrees_with_construction(by_cycle, &kernel(text), &machine, warps, start, 25).is_some());
        }
    }
}

#[test]
fn schedules_too_long_to_keep_every_state_agree_too() {
    let long = kernel("370(2LC)"); // 284,160 entries: sorted lists, and not every state kept
    let machine = machine([1, 1, 0, 0], None);
    assert!(agrees_with_construction(CHOSEN, &long, &machine, 256, StartKind::Random, 6).is_some());
}

fn settings(iterations: u64, neighbourhood: Neighbourhood) -> Settings {
    Settings { iterations, rounds: 1, t0: 0.3, seed: 1, neighbourhood }
}

fn chain(settings: Settings, start: StartKind, number: u64) -> AnnealingChain {
    let made = AnnealingChain::new(
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
            match AnnealingChain::at(
                &kernel,
                &machine,
                &Fairness::WorkConserving,
                16,
                settings,
                3,
                piece.checkpoint(),
            ) {
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
            let made = AnnealingChain::new(
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
    match AnnealingChain::at(
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
    let made = AnnealingChain::at(
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
