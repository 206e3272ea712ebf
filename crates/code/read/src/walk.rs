//! What a warp executes: a walk through a function, over loops, calls and branches.
//!
//! A branch whose predicate the text decides goes where it leads. Every other one takes its way by a rule that the walk
//! states: a loop goes round as often as was said, or once, which then stands among what was assumed; a branch forward is
//! not taken.
//!
//! Invariant: nothing about the way is decided here without standing in [`Walk::loops`] or [`Walk::assumed`].

mod rounds;
mod stays;
mod told;

use std::collections::{BTreeMap, BTreeSet};

use crate::constants::Constants;
use crate::flow::{self, Place};
use crate::listing::{Line, Listing};
use crate::uncertain::Uncertain;
use base::Problem;
use rounds::Rounds;

/// The most instructions of a walk.
pub const MOST_EXECUTED: usize = 100_000;

/// The most that a walk is begun anew with another branch as the end of a round.
const MOST_WALKS: usize = 16;

/// How often loops go round.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trips {
    /// All loops that are not named and that the text does not decide.
    pub all: Option<u32>,
    /// Loops by the address they begin at.
    pub each: BTreeMap<u64, u32>,
    /// Loops by the label they begin at.
    pub labels: BTreeMap<String, u32>,
}

/// What a warp executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Walk {
    /// The instructions of the function and of those it calls: which function, and which line of it.
    pub lines: Vec<(usize, usize)>,
    /// What is executed, one after the other, as places in `lines`.
    pub steps: Vec<u32>,
    /// The loops that the walk came by.
    pub loops: Vec<Loop>,
    /// What else was assumed about the way.
    pub assumed: Vec<String>,
    /// Those of these that nothing else here says: neither `loops` nor `cut`.
    pub details: Vec<String>,
    /// How many branches and calls among that a rule decided and not the text.
    pub guessed: usize,
    /// The address of the last line, where the text ends and nothing has ended the way.
    pub cut: Option<u64>,
    /// Rounds that were given, and that say nothing of this way.
    pub idle: Vec<String>,
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The function it is in.
    pub function: usize,
    /// The address it begins at.
    pub address: u64,
    /// How often it goes round each time it is entered; none where the text decides that.
    pub trips: Option<u32>,
    /// Whether somebody said so, or the text.
    pub known: bool,
    /// Whether the way leaves it before a round is over, where the text does not decide how often it goes round.
    pub left: bool,
    /// How often it has gone round each time it was entered: the fewest and the most.
    pub rounds: (u32, u32),
}

/// Walks through a function of a listing.
pub fn walk(listing: &Listing, function: usize, trips: &Trips) -> Result<Walk, Problem> {
    let trips = rounds::resolved(listing, function, trips)?;
    let mut ends = BTreeSet::new();
    let walking = loop {
        let mut walking = Walking::new(listing, function, &trips);
        walking.round_ends = ends.clone();
        if !walking.go() {
            return Err(rounds::too_many(listing, function, &trips));
        }
        match walking.open_round().filter(|_| ends.len() < MOST_WALKS) {
            Some(place) => ends.insert(place),
            None => break walking,
        };
    };
    walking.check()?;
    Ok(walking.done())
}

struct Walking<'a> {
    listing: &'a Listing,
    trips: &'a Trips,
    /// Where it is: the function and its line.
    at: (usize, usize),
    calls: Vec<(usize, usize)>,
    /// Where `SYNC` and `BRK` go, as Maxwell has it.
    joins: Vec<(&'static str, usize)>,
    constants: Constants,
    uncertain: Uncertain,
    first_line: BTreeMap<usize, u32>,
    order: Vec<usize>,
    steps: Vec<(usize, usize)>,
    /// How many calls deep each of them is.
    depths: Vec<usize>,
    loops: BTreeMap<(usize, u64), Loop>,
    /// How many rounds of a loop are over since it was entered: by how many calls deep, and where it begins.
    rounds: BTreeMap<(usize, Place), Rounds>,
    /// The last branch back to where a loop begins.
    ends: BTreeMap<Place, usize>,
    /// Loops that their count has ended.
    counted: BTreeSet<Place>,
    assumed: BTreeSet<(usize, u64, &'static str)>,
    guessed: BTreeSet<Place>,
    cut: Option<u64>,
    /// Where branches lead, and which loop a branch forward leaves, as far as they were come by.
    targets: BTreeMap<(usize, usize), Option<(usize, usize)>>,
    leaves: BTreeMap<Place, Option<Place>>,
    /// Branches back that are not the last ones of their loops.
    continues: BTreeMap<Place, bool>,
    /// Those among them that end a round all the same, since no later one is left open by the text.
    round_ends: BTreeSet<Place>,
    /// Those that were not taken though they could be: where they are, and where their loops begin.
    passed: BTreeSet<(Place, Place)>,
}

impl<'a> Walking<'a> {
    fn new(listing: &'a Listing, function: usize, trips: &'a Trips) -> Self {
        Self {
            listing,
            trips,
            at: (function, 0),
            calls: Vec::new(),
            joins: Vec::new(),
            constants: Constants::default(),
            uncertain: Uncertain::default(),
            first_line: BTreeMap::new(),
            order: Vec::new(),
            steps: Vec::new(),
            depths: Vec::new(),
            loops: BTreeMap::new(),
            rounds: BTreeMap::new(),
            ends: BTreeMap::new(),
            counted: BTreeSet::new(),
            assumed: BTreeSet::new(),
            guessed: BTreeSet::new(),
            cut: None,
            targets: BTreeMap::new(),
            leaves: BTreeMap::new(),
            continues: BTreeMap::new(),
            round_ends: BTreeSet::new(),
            passed: BTreeSet::new(),
        }
    }

    /// Goes to the end of the way; false where that is too far.
    fn go(&mut self) -> bool {
        loop {
            let (function, place) = self.at;
            let Some(line) = self.listing.functions[function].lines.get(place) else {
                self.cut = self.listing.functions[function].lines.last().map(|line| line.address);
                self.note(told::CUT);
                return true;
            };
            if !self.order.contains(&function) {
                self.order.push(function);
            }
            if self.steps.len() == MOST_EXECUTED {
                return false;
            }
            let depth = self.calls.len();
            self.steps.push(self.at);
            self.depths.push(depth);
            self.uncertain.arrive(self.listing, depth, self.at, &mut self.constants);
            let Some(next) = self.next(line) else { return true };
            self.constants.execute(line);
            if self.calls.len() < depth {
                self.uncertain.back(self.listing, self.calls.len(), &mut self.constants);
                self.rounds.retain(|own, _| own.0 < depth);
            } else if self.calls.len() == depth {
                self.counts(depth, next);
            } else {
                self.uncertain.calls(self.listing, depth, next, &mut self.constants);
            }
            self.at = next;
        }
    }

    /// Where it goes on after a line; none at the end.
    fn next(&mut self, line: &Line) -> Option<(usize, usize)> {
        let (function, place) = self.at;
        let on = Some((function, place + 1));
        let guard = self.constants.decides(line);
        match line.base() {
            "EXIT" => match guard {
                Some(true) => None,
                Some(false) => on,
                None => self.leaves_early("threads that leave there are not followed, the warp goes on"),
            },
            "BRA" | "JMP" => self.branch(line, guard),
            "BRX" | "BRXU" | "JMX" | "JMXU" => match guard {
                Some(true) => {
                    self.guess("where the branch there leads is not in the text: the way ends there");
                    None
                }
                Some(false) => on,
                None => {
                    self.guess("where the branch there leads is not in the text: it is not taken");
                    self.uncertain.lost();
                    on
                }
            },
            "CALL" | "CAL" | "JCAL" if guard != Some(false) => match self.target(line) {
                Some(_) if self.calls.len() >= 64 => {
                    self.guess("calls nested more than 64 deep are left out");
                    on
                }
                Some(to) => {
                    if guard.is_none() {
                        self.guess("the call there is taken, for some thread of the warp");
                        self.either(on, None);
                    }
                    self.calls.push((function, place + 1));
                    Some(to)
                }
                None => {
                    self.guess("what is called there is not in the text and left out");
                    self.constants.clear();
                    on
                }
            },
            "RET" => match guard {
                Some(true) => self.calls.pop(),
                Some(false) => on,
                None => {
                    let on =
                        self.leaves_early("threads that return there are not followed, the warp goes on");
                    match on {
                        Some(_) => {
                            self.either(None, None);
                            on
                        }
                        None => {
                            self.either(Some((function, place + 1)), None);
                            self.calls.pop()
                        }
                    }
                }
            },
            "SSY" | "PBK" | "PCNT" => {
                let ends = match line.base() {
                    "SSY" => "SYNC",
                    "PBK" => "BRK",
                    _ => "CONT",
                };
                if let Some((_, to)) = self.target(line) {
                    self.joins.push((ends, to));
                }
                on
            }
            "SYNC" | "BRK" | "CONT" => match guard {
                Some(true) => match self.joins.iter().rposition(|join| join.0 == line.base()) {
                    Some(join) => {
                        let to = self.joins[join].1;
                        self.joins.truncate(join);
                        Some((function, to))
                    }
                    None => on,
                },
                Some(false) => on,
                None => {
                    let join = self.joins.iter().rposition(|join| join.0 == line.base());
                    let Some(join) = join else {
                        self.guess("the branch there is not taken");
                        self.uncertain.lost();
                        return on;
                    };
                    let to = (function, self.joins[join].1);
                    let next = match to.1 <= place {
                        true => self.not_taken(to),
                        false => self.forward(to),
                    };
                    if next == Some(to) && to.1 != place + 1 {
                        self.joins.truncate(join);
                    }
                    next
                }
            },
            _ => on,
        }
    }

    fn branch(&mut self, line: &Line, guard: Option<bool>) -> Option<(usize, usize)> {
        let (function, place) = self.at;
        let on = Some((function, place + 1));
        let Some(to) = self.target(line) else {
            self.guess("where the branch there leads is not in the text: it is not taken");
            self.uncertain.lost();
            return on;
        };
        // `BRA.U !UP0, target` and the like have their condition among the operands.
        let condition = match line.operands.len() {
            0 | 1 => Some(true),
            _ => line.operands[..line.operands.len() - 1]
                .iter()
                .map(|text| self.constants.predicate(text))
                .try_fold(true, |all, one| one.map(|one| all && one)),
        };
        let modifiers: Vec<&str> = line.opcode.split('.').skip(1).collect();
        let diverges = modifiers.contains(&"DIV") || modifiers.contains(&"CONV");
        let taken = match (guard, condition) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) if !diverges => Some(true),
            _ => None,
        };
        let back = to.0 == function && to.1 <= place;
        match taken {
            Some(true) if to == (function, place) => {
                self.guess("a branch to itself never ends: the way ends there");
                None
            }
            Some(taken) => {
                if back {
                    self.round(to, None);
                }
                if taken { Some(to) } else { on }
            }
            None if back && self.is_continue(to.1) => {
                let round = (to.1, self.end(to));
                self.uncertain.goes_round(self.calls.len(), self.at, round);
                self.passed.insert((self.at, to));
                self.not_taken(to)
            }
            None if back => {
                let (trips, given) = self.trips_of(to);
                let rounds = self.rounds(to);
                let again = !rounds.ended && rounds.over + 1 < trips;
                if rounds.ended {
                    self.guess("the branch back there is not taken, the loop has had its rounds");
                }
                self.round(to, Some((trips, given)));
                match again {
                    true => self.either(on, None),
                    false => {
                        self.ends_by_count(to);
                        self.either(Some(to), Some(to.1));
                    }
                }
                if again { Some(to) } else { on }
            }
            None => self.forward(to),
        }
    }

    /// A branch forward whose predicate is not known: out of a loop that only ends so after its last round, else not.
    fn forward(&mut self, to: Place) -> Option<Place> {
        let (function, place) = self.at;
        let Some(head) = self.left_by((to.0 == function).then_some(to.1)).filter(|_| to.0 == function) else {
            return self.not_taken(to);
        };
        let leaves = self.leaves(head);
        match leaves {
            true => self.either(Some((function, place + 1)), Some(head.1)),
            false => self.either(Some(to), None),
        }
        Some(if leaves { to } else { (function, place + 1) })
    }

    /// A branch that nothing decides and that is not taken, which is told.
    fn not_taken(&mut self, to: Place) -> Option<Place> {
        self.guess("the branch there is not taken");
        self.either(Some(to), None);
        Some((self.at.0, self.at.1 + 1))
    }

    /// Threads that leave a function there, if any: all of them after the last round of a loop that only ends so.
    fn leaves_early(&mut self, otherwise: &'static str) -> Option<Place> {
        let (function, place) = self.at;
        let on = Some((function, place + 1));
        let Some(head) = self.left_by(None) else {
            self.note(otherwise);
            return on;
        };
        self.note("all threads leave the loop there together, after its last round");
        if self.leaves(head) { None } else { on }
    }

    /// Notes that nobody knows whether it goes on here or at another place, or returns. Ways that go round the loop that
    /// begins at `own` are ways of it.
    fn either(&mut self, other: Option<Place>, own: Option<usize>) {
        self.uncertain.decided(self.listing, self.calls.len(), self.at, other, own);
    }

    fn note(&mut self, what: &'static str) {
        let (function, place) = self.at;
        let lines = &self.listing.functions[function].lines;
        let address = lines.get(place).or(lines.last()).map_or(0, |line| line.address);
        self.assumed.insert((function, address, what));
    }

    /// The same of a branch or a call that a rule decides.
    fn guess(&mut self, what: &'static str) {
        self.guessed.insert(self.at);
        self.note(what);
    }

    fn target(&mut self, line: &Line) -> Option<(usize, usize)> {
        if let Some(&known) = self.targets.get(&self.at) {
            return known;
        }
        let found = flow::target(self.listing, self.at.0, line);
        self.targets.insert(self.at, found);
        found
    }
}
