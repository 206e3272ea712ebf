//! What nobody knows behind a decision that nothing decides: whatever one of its ways writes.
//!
//! The walk takes one way; another one that comes to the same place may have written other values by then. From a decision
//! on it is kept where its other way may come to. Once the walk is at such a place, all that either of them may have
//! written until there is unknown, and so on until they have no further place in common. Rounds of loops around a decision
//! are those of both ways: each way is looked at within one of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::constants::Constants;
use crate::flow::{Place, is_call, reached, target};
use crate::listing::Listing;

/// Decisions that are not over yet.
#[derive(Debug, Default)]
pub struct Uncertain {
    pending: Vec<Pending>,
    /// When each line was executed last.
    executed: BTreeMap<Place, usize>,
    now: usize,
    /// Nothing is certain any more: another way may be anywhere.
    anywhere: bool,
    known: BTreeMap<Key, Rc<BTreeSet<Place>>>,
    /// Lines in all of these.
    lines: usize,
}

/// The most decisions that are followed at once, and the most lines in what their ways may come to.
const MOST_PENDING: usize = 128;
const MOST_REACHED: usize = 1_000_000;

type Key = (Place, Place, Option<usize>, BTreeSet<Place>);

#[derive(Debug, Clone)]
struct Pending {
    /// How many calls deep it is.
    depth: usize,
    branch: Place,
    /// Where the other way begins; none where it returns.
    other: Option<Place>,
    own: Option<usize>,
    /// Where both have met.
    cuts: BTreeSet<Place>,
    /// Where the other way may come to without passing those.
    reach: Rc<BTreeSet<Place>>,
    /// What was executed since may differ.
    since: usize,
    /// The next round of this loop, from its head to its last line, is where both meet, and nothing else.
    round: Option<(usize, usize)>,
}

impl Uncertain {
    /// Notes a decision at `branch` that could have gone to `other`, or returned.
    pub fn decided(
        &mut self,
        listing: &Listing,
        depth: usize,
        branch: Place,
        other: Option<Place>,
        own: Option<usize>,
    ) {
        if self.anywhere {
            return;
        }
        let reach = match other {
            Some(other) => self.reached(listing, branch, other, own, &BTreeSet::new()),
            None => Rc::default(),
        };
        let cuts = BTreeSet::new();
        self.add(Pending { depth, branch, other, own, cuts, reach, since: self.now, round: None });
    }

    /// Notes that another way begins the next round of a loop without what stands behind `branch`.
    pub fn goes_round(&mut self, depth: usize, branch: Place, (head, end): (usize, usize)) {
        let other = (branch.0, head);
        let reach = Rc::new(BTreeSet::from([other]));
        let (cuts, round) = (BTreeSet::new(), Some((head, end)));
        self.add(Pending {
            depth,
            branch,
            other: Some(other),
            own: None,
            cuts,
            reach,
            since: self.now,
            round,
        });
    }

    /// Notes that another way may be anywhere from now on.
    pub fn lost(&mut self) {
        self.anywhere = true;
    }

    fn add(&mut self, own: Pending) {
        let key = |one: &Pending| (one.depth, one.branch, one.other, one.own, one.round);
        let same = |one: &&mut Pending| key(one) == key(&own) && one.cuts == own.cuts;
        match self.pending.iter_mut().find(same) {
            Some(known) => known.since = known.since.min(own.since),
            None => self.pending.push(own),
        }
        // What is too much to be followed is not certain.
        self.anywhere |= self.pending.len() > MOST_PENDING;
    }

    fn reached(
        &mut self,
        listing: &Listing,
        branch: Place,
        from: Place,
        own: Option<usize>,
        cuts: &BTreeSet<Place>,
    ) -> Rc<BTreeSet<Place>> {
        let key = (branch, from, own, cuts.clone());
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let found = Rc::new(reached(listing, from, cuts, branch, own));
        self.lines += found.len();
        self.anywhere |= self.lines > MOST_REACHED;
        self.known.insert(key, Rc::clone(&found));
        found
    }

    /// Before a line is executed: forgets what other ways that come to it may have written otherwise.
    pub fn arrive(&mut self, listing: &Listing, depth: usize, at: Place, constants: &mut Constants) {
        self.now += 1;
        if self.anywhere {
            constants.clear();
            return;
        }
        let mut met = Vec::new();
        let mut kept = Vec::with_capacity(self.pending.len());
        for mut own in std::mem::take(&mut self.pending) {
            let past = |(head, end): (usize, usize)| own.branch.0 == at.0 && !(head..=end).contains(&at.1);
            if own.depth == depth && own.round.is_some_and(past) {
                continue;
            }
            if own.depth != depth || !own.reach.contains(&at) {
                kept.push(own);
                continue;
            }
            self.forget_since(listing, own.since, constants);
            let Some(other) = own.other.filter(|_| own.round.is_none()) else { continue };
            own.cuts.insert(at);
            own.reach = self.reached(listing, own.branch, other, own.own, &own.cuts);
            forget(listing, own.reach.iter(), constants);
            // They can meet again only where the walk can come to before it decides anew.
            let passed = BTreeSet::from([own.branch]);
            let ahead = self.reached(listing, own.branch, at, None, &passed);
            if !ahead.is_disjoint(&own.reach) {
                own.since = self.now;
                met.push(own);
            }
        }
        self.pending = kept;
        for own in met {
            self.add(own);
        }
        self.executed.insert(at, self.now);
    }

    /// After a return to so many calls: what else a function may have done until it returned.
    pub fn back(&mut self, listing: &Listing, depth: usize, constants: &mut Constants) {
        let all = std::mem::take(&mut self.pending);
        let (inner, outer): (Vec<_>, Vec<_>) = all.into_iter().partition(|own| own.depth > depth);
        self.pending = outer;
        for own in inner {
            let returns = |&(function, line): &Place| listing.functions[function].lines[line].base() == "RET";
            if own.other.is_none() || own.reach.iter().any(returns) {
                self.forget_since(listing, own.since, constants);
                forget(listing, own.reach.iter(), constants);
            }
        }
    }

    /// Before a function is called, from so many calls deep: another way may call it as well, with other values.
    pub fn calls(&mut self, listing: &Listing, depth: usize, to: Place, constants: &mut Constants) {
        let come = self.pending.iter().filter(|own| own.depth <= depth && own.reach.contains(&to));
        for own in come {
            self.forget_since(listing, own.since, constants);
            forget(listing, own.reach.iter(), constants);
        }
    }

    fn forget_since(&self, listing: &Listing, since: usize, constants: &mut Constants) {
        let executed = self.executed.iter().filter(|&(_, &when)| when > since).map(|(at, _)| at);
        forget(listing, executed, constants);
    }
}

/// All that these lines may write is unknown.
fn forget<'a>(listing: &Listing, places: impl Iterator<Item = &'a Place>, constants: &mut Constants) {
    for &(function, line) in places {
        let line = &listing.functions[function].lines[line];
        if is_call(line) && target(listing, function, line).is_none() {
            constants.clear();
        }
        constants.forget(line);
    }
}
