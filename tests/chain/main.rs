//! Chains from instructions to deadlines: computed by hand, and held against brute force.

#![cfg(not(target_arch = "wasm32"))]

mod adversary;
mod assumed;
mod by_hand;
mod document;
mod grids;
mod kept;
mod responses;

use serde_json::{Value, json};
use warpspan::base::Control;
use warpspan::chain::Chain;
use warpspan::chain::makespan::{Makespans, makespan};
use warpspan::chain::solve::{Solved, needs, solve};
use warpspan::report::chain::{Bracket, Evidence, WholeReport};
use warpspan::scenario::{self, ChainScenario};

/// The report of a chain.
fn report(chain: Value) -> WholeReport {
    let tree = json!({"warpspan": 1, "title": "t", "chain": chain});
    let scenario = scenario::from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    warpspan::job::run(scenario).into().unwrap_or_else(|| unreachable!("a chain"))
}

/// A chain and all that is known of it.
fn solved(chain: Value) -> (Chain, Solved) {
    let tree = json!({"warpspan": 1, "chain": chain});
    let scenario = scenario::from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
    let Some(asked) = scenario.asked::<ChainScenario>().cloned() else { unreachable!("it is a chain") };
    let chain = asked.chain;
    let mut makespans = Makespans::new(chain.multiprocessor());
    for need in needs(&chain) {
        let mut seeking = makespan(need, makespans.sm(), chain.effort);
        while seeking.step(&mut Control::unlimited()) {}
        seeking.note(&mut makespans);
    }
    let solved = solve(&chain, &makespans);
    (chain, solved)
}

/// `3 exact`, `2 lower to 5 upper`, `? to 5 upper`.
fn shown(bracket: &Bracket) -> String {
    let kind = |kind: Evidence| format!("{kind:?}").to_lowercase();
    let side = |figure: &Option<warpspan::report::chain::Figure>| {
        figure.as_ref().map_or("?".to_owned(), |figure| format!("{} {}", figure.value, kind(figure.kind)))
    };
    let (lower, upper) = (side(&bracket.lower), side(&bracket.upper));
    if lower == upper { lower } else { format!("{lower} to {upper}") }
}
