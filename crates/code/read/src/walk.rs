//! What a warp executes: a walk through a function, over loops, calls and branches.
//!
//! A branch whose predicate the text decides goes where it leads. Every other one takes its way by a rule that the walk
//! states: a loop goes round as often as was said, or once, which then stands among what was assumed; a branch forward is
//! not taken.
//!
//! Invariant: nothing about the way is decided here without standing in [`Walk::loops`] or [`Walk::assumed`].

use std::collections::{BTreeMap, BTreeSet};

use crate::constants::Constants;
use crate::flow::{self, Place};
use crate::listing::{Line, Listing};
use crate::uncertain::Uncertain;
use base::Problem;
use base::problem::quoted;

/// The most instructions of a walk.
pub const MOST_EXECUTED: usize = 100_000;

/// How often loops go round.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trips {
    /// All loops that are not named and that the text does not decide.
    pub all: Option<u32>,
    /// Loops by the address they begin at.
    pub each: BTreeMap<u64, u32>,
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
}

/// Walks through a function of a listing.
pub fn walk(listing: &Listing, function: usize, trips: &Trips) -> Result<Walk, Problem> {
    let mut walking = Walking::new(listing, function, trips);
    walking.go()?;
    let begins: BTreeSet<u64> = walking.loops.keys().map(|&(_, address)| address).collect();
    if let Some(wrong) = trips.each.keys().find(|address| !begins.contains(address)) {
        let names: Vec<String> = begins.iter().map(|address| format!("{address:#06x}")).collect();
        let expected =
            if names.is_empty() { "no trip count: it has no loop".to_owned() } else { names.join(", ") };
        let what = format!("no loop begins at {wrong:#06x}");
        return Err(Problem::at("loops", what, expected));
    }
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
    loops: BTreeMap<(usize, u64), Loop>,
    /// How often a branch has decided a loop since it was entered.
    rounds: BTreeMap<(usize, usize), u32>,
    assumed: BTreeSet<(usize, u64, &'static str)>,
    /// Where branches lead, and which loop a branch forward leaves, as far as they were come by.
    targets: BTreeMap<(usize, usize), Option<(usize, usize)>>,
    leaves: BTreeMap<(usize, usize), Option<(usize, usize)>>,
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
            loops: BTreeMap::new(),
            rounds: BTreeMap::new(),
            assumed: BTreeSet::new(),
            targets: BTreeMap::new(),
            leaves: BTreeMap::new(),
        }
    }

    fn go(&mut self) -> Result<(), Problem> {
        loop {
            let (function, place) = self.at;
            let Some(line) = self.listing.functions[function].lines.get(place) else {
                self.note("the text ends there");
                return Ok(());
            };
            if !self.order.contains(&function) {
                self.order.push(function);
            }
            if self.steps.len() == MOST_EXECUTED {
                let expected = format!("at most {MOST_EXECUTED}: fewer rounds");
                return Err(Problem::at("loops", "more instructions on the way", expected));
            }
            self.steps.push(self.at);
            let depth = self.calls.len();
            self.uncertain.arrive(self.listing, depth, self.at, &mut self.constants);
            let Some(next) = self.next(line) else { return Ok(()) };
            self.constants.execute(line);
            if self.calls.len() < depth {
                self.uncertain.back(self.listing, self.calls.len(), &mut self.constants);
            }
            self.at = next;
        }
    }

    /// Where it goes on after a line; none at the end.
    fn next(&mut self, line: &Line) -> Option<(usize, usize)> {
        let (function, place) = self.at;
        let on = Some((function, place + 1));
        let guard = self.constants.guard(line);
        match line.base() {
            "EXIT" => match guard {
                Some(true) => None,
                Some(false) => on,
                None => {
                    self.note("threads that leave there are not followed, the warp goes on");
                    on
                }
            },
            "BRA" | "JMP" => self.branch(line, guard),
            "BRX" | "BRXU" | "JMX" | "JMXU" => match guard {
                Some(true) => {
                    self.note("where the branch there leads is not in the text: the way ends there");
                    None
                }
                Some(false) => on,
                None => {
                    self.note("where the branch there leads is not in the text: it is not taken");
                    self.uncertain.lost();
                    on
                }
            },
            "CALL" | "CAL" | "JCAL" if guard != Some(false) => match self.target(line) {
                Some(_) if self.calls.len() >= 64 => {
                    self.note("calls nested more than 64 deep are left out");
                    on
                }
                Some(to) => {
                    if guard.is_none() {
                        self.note("the call there is taken, for some thread of the warp");
                        self.either(on, None);
                    }
                    self.calls.push((function, place + 1));
                    Some(to)
                }
                None => {
                    self.note("what is called there is not in the text and left out");
                    self.constants.clear();
                    on
                }
            },
            "RET" => match guard {
                Some(true) => self.calls.pop(),
                Some(false) => on,
                None => {
                    self.note("threads that return there are not followed, the warp goes on");
                    self.either(None, None);
                    on
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
                    self.note("the branch there is not taken");
                    match self.joins.iter().rfind(|join| join.0 == line.base()) {
                        Some(&(_, to)) => self.either(Some((function, to)), None),
                        None => self.uncertain.lost(),
                    }
                    on
                }
            },
            _ => on,
        }
    }

    fn branch(&mut self, line: &Line, guard: Option<bool>) -> Option<(usize, usize)> {
        let (function, place) = self.at;
        let on = Some((function, place + 1));
        let Some(to) = self.target(line) else {
            self.note("where the branch there leads is not in the text: it is not taken");
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
                self.note("a branch to itself never ends: the way ends there");
                None
            }
            Some(taken) => {
                if back {
                    self.round(to, None);
                }
                if taken { Some(to) } else { on }
            }
            None if back => {
                let address = self.listing.functions[function].lines[to.1].address;
                let trips = self.trips.each.get(&address).copied().or(self.trips.all);
                let rounds = self.rounds.entry((function, place)).or_insert(0);
                *rounds += 1;
                let again = *rounds < trips.unwrap_or(1).max(1);
                if !again {
                    *rounds = 0;
                }
                self.round(to, Some((trips.unwrap_or(1).max(1), trips.is_some())));
                match again {
                    true => self.either(on, None),
                    false => self.either(Some(to), Some(to.1)),
                }
                if again { Some(to) } else { on }
            }
            None => self.forward(to),
        }
    }

    /// A branch forward whose predicate is not known: out of a loop that only ends so after its last round, else not.
    fn forward(&mut self, to: (usize, usize)) -> Option<(usize, usize)> {
        let (function, place) = self.at;
        let lines = &self.listing.functions[function].lines;
        let on = Some((function, place + 1));
        let ends = match self.leaves.get(&self.at) {
            Some(&known) => known,
            None => {
                let found = self.left_by(to);
                self.leaves.insert(self.at, found);
                found
            }
        };
        let Some(head) = ends.filter(|_| to.0 == function) else {
            self.note("the branch there is not taken");
            self.either(Some(to), None);
            return on;
        };
        let address = lines[head.1].address;
        let trips = self.trips.each.get(&address).copied().or(self.trips.all);
        let rounds = self.rounds.entry((function, place)).or_insert(0);
        let leaves = *rounds >= trips.unwrap_or(1);
        *rounds = if leaves { 0 } else { *rounds + 1 };
        self.round(head, Some((trips.unwrap_or(1), trips.is_some())));
        match leaves {
            true => self.either(on, Some(head.1)),
            false => self.either(Some(to), None),
        }
        if leaves { Some(to) } else { on }
    }

    /// Notes that nobody knows whether it goes on here or at another place, or returns. Ways that go round the loop that
    /// begins at `own` are ways of it.
    fn either(&mut self, other: Option<Place>, own: Option<usize>) {
        self.uncertain.decided(self.listing, self.calls.len(), self.at, other, own);
    }

    /// The head of the loop around here that ends in a branch back without a condition, before the place `to`.
    fn left_by(&self, to: (usize, usize)) -> Option<(usize, usize)> {
        let (function, place) = self.at;
        let lines = &self.listing.functions[function].lines;
        let behind = (place + 1..to.1.min(lines.len())).rev();
        let always = behind
            .map(|end| &lines[end])
            .filter(|line| line.base() == "BRA" && !line.is_guarded() && line.operands.len() == 1);
        let mut heads = always.filter_map(|line| flow::target(self.listing, function, line));
        heads.find(|head| head.0 == function && head.1 <= place)
    }

    /// Notes a loop that begins at a place.
    fn round(&mut self, (function, place): (usize, usize), trips: Option<(u32, bool)>) {
        let address = self.listing.functions[function].lines[place].address;
        let found = self.loops.entry((function, address)).or_insert(Loop {
            function,
            address,
            trips: None,
            known: true,
        });
        if let Some((trips, known)) = trips {
            found.trips = Some(trips);
            found.known &= known;
        }
    }

    fn note(&mut self, what: &'static str) {
        let (function, place) = self.at;
        let lines = &self.listing.functions[function].lines;
        let address = lines.get(place).or(lines.last()).map_or(0, |line| line.address);
        self.assumed.insert((function, address, what));
    }

    fn target(&mut self, line: &Line) -> Option<(usize, usize)> {
        if let Some(&known) = self.targets.get(&self.at) {
            return known;
        }
        let found = flow::target(self.listing, self.at.0, line);
        self.targets.insert(self.at, found);
        found
    }

    fn done(mut self) -> Walk {
        let mut lines = Vec::new();
        for &function in &self.order {
            self.first_line.insert(function, lines.len() as u32);
            lines.extend((0..self.listing.functions[function].lines.len()).map(|line| (function, line)));
        }
        let first = &self.first_line;
        let steps = self.steps.iter().map(|(function, line)| first[function] + *line as u32).collect();
        let several = self.order.len() > 1;
        let place = |function: usize, address: u64| match several {
            true => format!("{address:#06x} of {}", quoted(&self.listing.functions[function].name)),
            false => format!("{address:#06x}"),
        };
        let mut assumed: Vec<String> = self
            .loops
            .values()
            .filter(|own| own.trips.is_some() && !own.known)
            .map(|own| {
                let at = place(own.function, own.address);
                format!("The loop at {at} was gone round once; its trip count is not known.")
            })
            .collect();
        assumed.extend(
            self.assumed
                .iter()
                .map(|&(function, address, what)| format!("At {}: {what}.", place(function, address))),
        );
        Walk { lines, steps, loops: self.loops.into_values().collect(), assumed }
    }
}
