//! How often loops go round: counted by where they begin, and what of the rounds that are given says nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::{Loop, MOST_EXECUTED, Trips, Walking};
use crate::flow::{self, Place};
use crate::listing::Listing;
use base::Problem;
use base::people;
use base::problem::quoted;

/// Rounds of a loop since it was entered.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rounds {
    /// How many are over.
    pub over: u32,
    /// Whether its count has ended it: whoever comes back then enters it anew.
    pub ended: bool,
}

/// The same with addresses of lines alone: in place of labels, and of control words.
pub(super) fn resolved(listing: &Listing, function: usize, trips: &Trips) -> Result<Trips, Problem> {
    let own = &listing.functions[function];
    let line = |&address: &u64| flow::at(own, address).map_or(address, |line| own.lines[line].address);
    let mut each: BTreeMap<u64, u32> =
        trips.each.iter().map(|(address, &rounds)| (line(address), rounds)).collect();
    for (label, &rounds) in &trips.labels {
        let all = std::iter::once(own).chain(&listing.functions);
        let address = all.flat_map(|own| own.labels.iter().map(move |label| (own, label)));
        let mut address = address.filter(|(_, known)| known.0 == *label);
        let Some(address) = address.find_map(|(own, known)| Some(own.lines.get(known.1)?.address)) else {
            let expected = "the address a loop begins at, such as \"0xc0\", or a label of the text";
            return Err(Problem::at("loops", quoted(label), expected));
        };
        // An address says more than a label.
        each.entry(address).or_insert(rounds);
    }
    Ok(Trips { all: trips.all, each, labels: BTreeMap::new() })
}

/// So many numbers of rounds are tried where those that were given are too many.
const MOST_TRIES: u32 = 12;

/// That the way has too many instructions, with a number of rounds that would do.
pub(super) fn too_many(listing: &Listing, function: usize, trips: &Trips) -> Problem {
    let most = people::grouped(MOST_EXECUTED as u128);
    let expected = match fitting(listing, function, trips) {
        Some(rounds) => {
            let rounds = people::plural(rounds as usize, "round", "rounds");
            format!("at most {most}, as with no loop above {rounds}")
        }
        None => format!("at most {most}: what the text itself decides is more"),
    };
    Problem::at("loops", format!("more than {most} instructions are executed"), expected)
}

/// A number of rounds that no loop may exceed for the way to be short enough: near the most of them, as ways mostly grow
/// by the same number with each round. None where one round of each is too much.
fn fitting(listing: &Listing, function: usize, trips: &Trips) -> Option<u32> {
    let steps = |most: u32| {
        let least = |rounds: &u32| (*rounds).min(most);
        let each = trips.each.iter().map(|(address, rounds)| (*address, least(rounds))).collect();
        let trips = Trips { all: trips.all.as_ref().map(least), each, labels: BTreeMap::new() };
        let mut walking = Walking::new(listing, function, &trips);
        walking.go().then_some(walking.steps.len())
    };
    let given = trips.each.values().chain(&trips.all).copied().max()?;
    let (mut fits, mut more, mut straight) = ((1, steps(1)?), given, true);
    for _ in 0..MOST_TRIES {
        if more - fits.0 <= 1 {
            break;
        }
        let mut next = fits.0 + (more - fits.0) / 2;
        if straight {
            // As far as rounds like the next one lead.
            let Some(longer) = steps(fits.0 + 1) else { break };
            let further = (MOST_EXECUTED - fits.1) / longer.saturating_sub(fits.1).max(1);
            let further = u32::try_from(further).unwrap_or(u32::MAX);
            next = fits.0.saturating_add(further).clamp(fits.0 + 1, more - 1);
        }
        match steps(next) {
            Some(steps) => (fits, straight) = ((next, steps), true),
            None => (more, straight) = (next, false),
        }
    }
    Some(fits.0)
}

impl Walking<'_> {
    /// Whether a loop that nothing decides is left in this round, by its count.
    pub(super) fn leaves(&mut self, head: Place) -> bool {
        let (trips, given) = self.trips_of(head);
        self.round(head, Some((trips, given)));
        let leaves = self.rounds(head).over >= trips;
        if leaves {
            self.ends_by_count(head);
        }
        leaves
    }

    /// How often a loop goes round, and whether somebody said so.
    pub(super) fn trips_of(&self, (function, head): Place) -> (u32, bool) {
        let address = self.listing.functions[function].lines[head].address;
        let trips = self.trips.each.get(&address).copied().or(self.trips.all);
        (trips.unwrap_or(1).max(1), trips.is_some())
    }

    /// Notes a loop that begins at a place.
    pub(super) fn round(&mut self, (function, place): (usize, usize), trips: Option<(u32, bool)>) {
        let address = self.listing.functions[function].lines[place].address;
        let found = self.loops.entry((function, address)).or_insert(Loop {
            function,
            address,
            trips: None,
            known: true,
            left: false,
            rounds: (1, 1),
        });
        if let Some((trips, known)) = trips {
            found.trips = Some(trips);
            found.known &= known;
        }
    }

    pub(super) fn rounds(&self, head: Place) -> Rounds {
        self.rounds.get(&(self.calls.len(), head)).copied().unwrap_or_default()
    }

    pub(super) fn ends_by_count(&mut self, head: Place) {
        self.rounds.insert((self.calls.len(), head), Rounds { over: 0, ended: true });
        self.counted.insert(head);
    }

    /// Counts a round where the way goes back to where a loop begins; whoever enters a loop from above begins anew.
    pub(super) fn counts(&mut self, depth: usize, next: Place) {
        let (from, ends) = (self.at, &self.ends);
        if from.0 != next.0 {
            return;
        }
        let enters = |head: Place| {
            let end = ends.get(&head).copied().unwrap_or(head.1);
            head.0 == next.0 && from.1 < head.1 && (head.1..=end).contains(&next.1)
        };
        self.rounds.retain(|&(own, head), _| own != depth || !enters(head));
        if next.1 <= from.1 {
            self.end(next);
            let rounds = self.rounds.entry((depth, next)).or_default();
            let over = if rounds.ended { 0 } else { rounds.over + 1 };
            *rounds = Rounds { over, ended: false };
        }
    }

    /// The last branch back to where a loop begins.
    pub(super) fn end(&mut self, head: Place) -> usize {
        *self.ends.entry(head).or_insert_with(|| flow::last_back(self.listing, head))
    }

    /// Whether a branch back is one of several to the same place, and not the one that ends the round.
    pub(super) fn is_continue(&mut self, head: usize) -> bool {
        if self.round_ends.contains(&self.at) {
            return false;
        }
        *self.continues.entry(self.at).or_insert_with(|| flow::comes_back(self.listing, self.at, head))
    }

    /// A branch back that was not taken in a loop that nothing else leaves open: the last one of the loop.
    pub(super) fn open_round(&self) -> Option<Place> {
        self.passed.iter().rev().find(|(_, head)| !self.counted.contains(head)).map(|&(place, _)| place)
    }

    /// The loop that a branch from here leaves.
    pub(super) fn left_by(&mut self, to: Option<usize>) -> Option<Place> {
        *self.leaves.entry(self.at).or_insert_with(|| flow::left_by(self.listing, self.at, to))
    }

    /// Rounds that are given for what is no loop.
    pub(super) fn check(&self) -> Result<(), Problem> {
        let begins: BTreeSet<u64> = self.loops.keys().map(|&(_, address)| address).collect();
        let unmet = |address: &&u64| !begins.contains(address) && !self.is_head(**address);
        let Some(wrong) = self.trips.each.keys().find(unmet) else { return Ok(()) };
        let names: Vec<String> = begins.iter().map(|address| format!("{address:#06x}")).collect();
        let expected =
            if names.is_empty() { "no trip count: it has no loop".to_owned() } else { names.join(", ") };
        Err(Problem::at("loops", format!("no loop begins at {wrong:#06x}"), expected))
    }

    /// Whether a branch of a function on the way leads back to an address, even if the way does not come by.
    pub(super) fn is_head(&self, address: u64) -> bool {
        self.order.iter().any(|&function| {
            let lines = &self.listing.functions[function].lines;
            let place = lines.binary_search_by_key(&address, |line| line.address);
            place.is_ok_and(|place| flow::is_head(self.listing, (function, place)))
        })
    }

    /// Whether its count has ended the loop that begins at an address.
    pub(super) fn is_counted(&self, function: usize, address: u64) -> bool {
        let lines = &self.listing.functions[function].lines;
        self.counted.iter().any(|&(own, line)| own == function && lines[line].address == address)
    }

    /// What is to be said of rounds that were given in vain.
    pub(super) fn idle(&self) -> Vec<String> {
        let mut told = Vec::new();
        for (&address, rounds) in &self.trips.each {
            let own: Vec<&Loop> = self.loops.values().filter(|own| own.address == address).collect();
            let counted = own.iter().any(|own| self.is_counted(own.function, address));
            let rounds = people::counted(*rounds as usize, "round");
            if own.is_empty() {
                told.push(format!("The {rounds} given for {address:#06x} change nothing: the way does not come by the branch back to it."));
            } else if own.iter().all(|own| own.trips.is_none()) {
                told.push(format!("The {rounds} given for the loop at {address:#06x} change nothing: the text decides how often it goes round."));
            } else if !counted {
                told.push(format!(
                    "The loop at {address:#06x} was left before the {rounds} given were over."
                ));
            }
        }
        if self.trips.all.is_some() && self.loops.values().all(|own| own.trips.is_none()) {
            told.push(match self.loops.is_empty() {
                true => "The rounds given for all loops change nothing: there is no loop on the way.".to_owned(),
                false => "The rounds given for all loops change nothing: the text decides how often each goes round.".to_owned(),
            });
        }
        told
    }
}
