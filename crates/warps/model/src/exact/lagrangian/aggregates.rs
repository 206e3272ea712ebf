//! Aggregates by class of phase: how many warps are in each class, and in some classes the instructions left in them.
//! Each is a cell.
//!
//! A class is a set of phases of one unit. Of a state are kept `m_c`, the warps in the phases of class `c`, and
//! for tracked classes `r_c`, the instructions they still execute in the phases they are in. In a cycle `x_c`
//! of them execute, and `y_c <= x_c` leave their phase. By the same count as in module `aggregate::table`, with `l` the
//! longest phase of the class: `y + 2 (x-y) + (m-x) <= r <= y + l (m-y)`; if all phases of a class have one
//! instruction, `y = x`. A warp that leaves enters the phase that follows somewhere in the string, or ends: an
//! *exit* is a kind of such a step, told apart by both classes and, where tracked, the length of the phase.
//!
//! Where a class has only one kind of exit, and not to the end, it is certain where a warp that leaves it goes. If the
//! partition says so, it goes there at once, and such exits cost nothing: whoever sets prices gives them the price 0
//! ([`ClassAggregates::is_certain`]). The step between cells stays the same.

use std::collections::BTreeMap;

use super::super::instance::Instance;
use super::super::select::{Selector, Waiting};

/// The most classes.
pub const CLASSES: usize = 12;
/// The most tuples of warps per class.
const MOST_TUPLES: u32 = 8_000_000;
/// The most choices listed, over all cells.
const MOST_CHOICES: usize = 7_000_000;
/// The most vectors of warps between two phases.
const MOST_HANDS: usize = 400;
/// The most kinds of exits.
const MOST_EXITS: usize = 200;
/// No cell.
pub const NONE: u32 = u32::MAX;

/// A way to leave a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// The class left.
    pub from: usize,
    /// The class entered; `None` at the end of the string.
    pub to: Option<usize>,
    /// Instructions of the phase entered, if its class is tracked.
    pub length: u32,
}

/// What a cycle may do in a cell.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The cell without those who leave.
    pub cell: u32,
    /// Who leaves, as an index of hands.
    pub hand: u16,
    /// Who executes, as an index of executions.
    pub execution: u16,
}

/// Which phases make up which class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    /// For each phase its class.
    pub class_of: Vec<usize>,
    /// For each class whether instructions left are kept.
    pub tracked: Vec<bool>,
    /// Whether a warp goes at once where it is certain to go.
    pub at_once: bool,
}

/// All cells up to some number of warps, ordered by how many.
#[derive(Debug, Clone)]
pub struct ClassAggregates {
    /// What they are made of.
    pub partition: Partition,
    /// For each class the unit.
    pub unit: Vec<usize>,
    longest: Vec<u32>,
    /// All ways to leave a phase, and the way each phase is left.
    pub exits: Vec<Exit>,
    pub exit_of: Vec<usize>,
    /// Where the cells of each number of warps begin.
    pub levels: Vec<usize>,
    /// `m` and `r` of each cell.
    pub content: Vec<[u16; 2 * CLASSES]>,
    /// For each tuple of `m`, by ascending sum and then in lexicographic order, its first cell.
    first: Vec<u32>,
    /// `tuples[s][k]`: tuples of `k` numbers with the sum `s`, and so of `k - 1` numbers with a sum up to `s`.
    tuples: Vec<Vec<u32>>,
    /// For each class the exit of all that leave it, if it is certain.
    certain: Vec<Option<usize>>,
    /// Where each cell's choices begin.
    pub from: Vec<u32>,
    pub choices: Vec<Choice>,
    /// Who may leave in a cycle, by class; first nobody, then each after those it becomes when one arrives.
    pub hands: Vec<[u8; CLASSES]>,
    /// Who may execute in a cycle, by class.
    pub executions: Vec<[u8; CLASSES]>,
    /// Where each of both stands.
    hand_of: Places,
    execution_of: Places,
    /// For each exit and cell the cell with the warp that arrived.
    pub arrivals: Vec<Vec<u32>>,
}

/// Where entries of a list stand in it.
type Places = BTreeMap<[u8; CLASSES], usize>;

/// How many cells a partition has.
pub fn count(instance: &Instance, partition: &Partition, warps: usize) -> u64 {
    let longest = longest_of(instance, partition);
    let mut sums = vec![0u64; warps + 1];
    sums[0] = 1;
    for (&tracked, &longest) in partition.tracked.iter().zip(&longest) {
        let width = if tracked { u64::from(longest) - 1 } else { 0 };
        let mut next = vec![0u64; warps + 1];
        for (m, &sum) in sums.iter().enumerate() {
            for more in 0..=warps - m {
                next[m + more] = next[m + more].saturating_add(sum.saturating_mul(width * more as u64 + 1));
            }
        }
        sums = next;
    }
    sums.iter().fold(0, |all, &sum| all.saturating_add(sum))
}

fn longest_of(instance: &Instance, partition: &Partition) -> Vec<u32> {
    let mut longest = vec![1; partition.tracked.len()];
    for (phase, &class) in instance.phases.iter().zip(&partition.class_of) {
        longest[class] = phase.length.max(longest[class]);
    }
    longest
}

impl ClassAggregates {
    /// Those of a partition; `None` where it would take too much.
    pub fn new(instance: &Instance, partition: Partition, warps: usize) -> Option<Self> {
        let mut cells = Self::bare(instance, partition, warps)?;
        cells.list(instance)?;
        Some(cells)
    }

    /// The same without what a cycle may do.
    pub fn bare(instance: &Instance, partition: Partition, warps: usize) -> Option<Self> {
        let classes = partition.tracked.len();
        let tuples = tuples_of(classes + 1, warps);
        let all = tuples[warps][classes + 1];
        if all > MOST_TUPLES {
            return None;
        }
        let mut unit = vec![0; classes];
        for (phase, &class) in instance.phases.iter().zip(&partition.class_of) {
            unit[class] = phase.unit;
        }
        let longest = longest_of(instance, &partition);
        let (mut exits, mut exit_of) = (Vec::new(), Vec::new());
        for (q, &from) in partition.class_of.iter().enumerate() {
            let to = partition.class_of.get(q + 1).copied();
            let length =
                to.map_or(0, |to| if partition.tracked[to] { instance.phases[q + 1].length } else { 0 });
            let exit = Exit { from, to, length };
            exit_of.push(exits.iter().position(|&e| e == exit).unwrap_or(exits.len()));
            if exit_of[q] == exits.len() {
                exits.push(exit);
            }
        }
        if exits.len() > MOST_EXITS {
            return None;
        }
        let certain = |class: usize| {
            let mut own = (0..exits.len()).filter(|&exit| exits[exit].from == class);
            own.next().filter(|&exit| partition.at_once && exits[exit].to.is_some() && own.next().is_none())
        };
        let mut cells = Self {
            certain: (0..classes).map(certain).collect(),
            unit,
            longest,
            exits,
            exit_of,
            levels: Vec::new(),
            content: Vec::new(),
            first: vec![NONE; all as usize],
            tuples,
            from: vec![0],
            choices: Vec::new(),
            hands: vec![[0; CLASSES]],
            executions: Vec::new(),
            hand_of: Places::from([([0; CLASSES], 0)]),
            execution_of: Places::new(),
            arrivals: Vec::new(),
            partition,
        };
        for level in 0..=warps {
            cells.levels.push(cells.content.len());
            cells.add_tuples(0, level as u16, &mut [0; 2 * CLASSES]);
        }
        cells.levels.push(cells.content.len());
        cells.arrive();
        Some(cells)
    }

    /// The same with what finding a cell needs, and nothing else.
    pub fn slim(&self) -> Self {
        Self {
            partition: self.partition.clone(),
            unit: self.unit.clone(),
            longest: self.longest.clone(),
            exits: self.exits.clone(),
            exit_of: self.exit_of.clone(),
            levels: self.levels.clone(),
            content: Vec::new(),
            first: self.first.clone(),
            tuples: self.tuples.clone(),
            certain: self.certain.clone(),
            from: Vec::new(),
            choices: Vec::new(),
            hands: Vec::new(),
            executions: Vec::new(),
            hand_of: Places::new(),
            execution_of: Places::new(),
            arrivals: Vec::new(),
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let cells = self.content.len() * (4 * CLASSES + 4 + 4 * self.exits.len());
        (cells + self.choices.len() * 8 + self.first.len() * 4) as u64
    }

    fn add_tuples(&mut self, class: usize, left: u16, content: &mut [u16; 2 * CLASSES]) {
        let classes = self.unit.len();
        if class + 1 == classes {
            content[class] = left;
            let at = self.tuple(content);
            self.first[at] = self.content.len() as u32;
            self.add_rests(0, content);
            return;
        }
        for m in 0..=left {
            content[class] = m;
            self.add_tuples(class + 1, left - m, content);
        }
    }

    fn add_rests(&mut self, class: usize, content: &mut [u16; 2 * CLASSES]) {
        if class == self.unit.len() {
            self.content.push(*content);
            return;
        }
        let m = content[class];
        let most = if self.partition.tracked[class] { m * self.longest[class] as u16 } else { m };
        for r in m..=most {
            content[CLASSES + class] = r;
            self.add_rests(class + 1, content);
        }
    }

    fn tuple(&self, content: &[u16; 2 * CLASSES]) -> usize {
        let classes = self.unit.len();
        let mut left: usize = content[..classes].iter().map(|&m| usize::from(m)).sum();
        let mut at = left.checked_sub(1).map_or(0, |less| self.tuples[less][classes + 1]);
        for (class, &warps) in content[..classes].iter().enumerate() {
            let before = self.tuples[left][classes - class];
            left -= usize::from(warps);
            at += before - self.tuples[left][classes - class];
        }
        at as usize
    }

    /// Is it certain of all that leave a class that they leave by this exit, and go where it leads at once?
    pub fn is_certain(&self, exit: usize) -> bool {
        self.certain[self.exits[exit].from].is_some()
    }

    /// The cell with a content; in classes that are not tracked, `r` is `m`. `NONE` if there is none.
    pub fn find(&self, content: &[u16; 2 * CLASSES]) -> u32 {
        let sum: u16 = content[..self.unit.len()].iter().sum();
        if usize::from(sum) >= self.tuples.len() {
            return NONE;
        }
        let mut at = 0;
        for class in (0..self.unit.len()).filter(|&class| self.partition.tracked[class]) {
            let (m, r) = (u32::from(content[class]), u32::from(content[CLASSES + class]));
            if r < m || r > m * self.longest[class] {
                return NONE;
            }
            at = at * (m * (self.longest[class] - 1) + 1) + (r - m);
        }
        self.first[self.tuple(content)] + at
    }

    /// Lists what a cycle may do in each cell; `None` if that is too much.
    fn list(&mut self, instance: &Instance) -> Option<()> {
        for cell in 0..self.content.len() {
            let lists = self.each_choice(instance, cell, None)?;
            self.choices.extend(lists.into_iter().map(|(choice, _)| choice));
            if self.choices.len() > MOST_CHOICES || self.hands.len() > MOST_HANDS {
                return None;
            }
            self.from.push(self.choices.len() as u32);
        }
        Some(())
    }

    /// What a cycle may do in a cell, and whether one more warp executes that waits for `beside`.
    pub fn each_choice(
        &mut self,
        instance: &Instance,
        cell: usize,
        beside: Option<usize>,
    ) -> Option<Vec<(Choice, bool)>> {
        let (mut selector, classes) = (Selector::default(), self.unit.len());
        let content = self.content[cell];
        let present: Vec<usize> = (0..classes).filter(|&class| content[class] > 0).collect();
        let wait =
            |&class: &usize| Waiting { unit: self.unit[class], block: 0, warps: u32::from(content[class]) };
        let more = beside.map(|unit| Waiting { unit, block: 0, warps: 1 });
        let waiting: Vec<Waiting> = present.iter().map(wait).chain(more).collect();
        let mut lists: Vec<([u8; CLASSES], [u8; CLASSES], bool)> = Vec::new();
        let mut found = Vec::new();
        if !waiting.is_empty() {
            selector.each(instance, &waiting, &mut |chosen| {
                let mut x = [0; CLASSES];
                present.iter().zip(chosen).for_each(|(&class, &n)| x[class] = n as u8);
                let executes = more.is_some() && chosen.last() == Some(&1);
                self.leave(&content, &x, 0, &mut [0; CLASSES], &mut found);
                lists.extend(found.drain(..).map(|(x, y)| (x, y, executes)));
                true
            });
        }
        let mut choices = Vec::new();
        for (x, mut y, executes) in lists {
            let mut rest = content;
            for class in 0..classes {
                rest[class] -= u16::from(y[class]);
                let less = if self.partition.tracked[class] { x[class] } else { y[class] };
                rest[CLASSES + class] -= u16::from(less);
            }
            for (leaving, certain) in y.iter_mut().zip(&self.certain) {
                let exit = certain.map(|exit| self.exits[exit]);
                if let Some(Exit { to: Some(to), length, .. }) = exit {
                    let goes = u16::from(std::mem::take(leaving));
                    rest[to] += goes;
                    rest[CLASSES + to] += goes * length.max(1) as u16;
                }
            }
            let target = self.find(&rest);
            if target != NONE {
                let hand = u16::try_from(self.hand(y)).ok()?;
                let execution = place(&mut self.executions, &mut self.execution_of, x);
                let execution = u16::try_from(execution).ok()?;
                choices.push((Choice { cell: target, hand, execution }, executes));
            }
        }
        Some(choices)
    }

    /// Every choice of who leaves among those who execute.
    fn leave(
        &self,
        content: &[u16; 2 * CLASSES],
        x: &[u8; CLASSES],
        class: usize,
        y: &mut [u8; CLASSES],
        lists: &mut Vec<([u8; CLASSES], [u8; CLASSES])>,
    ) {
        if class == self.unit.len() {
            lists.push((*x, *y));
            return;
        }
        let (m, r) = (u32::from(content[class]), u32::from(content[CLASSES + class]));
        let (executes, longest) = (u32::from(x[class]), self.longest[class]);
        for leaves in 0..=executes {
            let possible = if longest == 1 {
                leaves == executes
            } else {
                !self.partition.tracked[class]
                    || leaves + 2 * (executes - leaves) + (m - executes) <= r
                        && r <= leaves + longest * (m - leaves)
            };
            if possible {
                y[class] = leaves as u8;
                self.leave(content, x, class + 1, y, lists);
            }
        }
        y[class] = 0;
    }

    /// The index of a hand; those it becomes as its warps arrive come before it.
    fn hand(&mut self, y: [u8; CLASSES]) -> usize {
        if let Some(&known) = self.hand_of.get(&y) {
            return known;
        }
        if let Some(class) = y.iter().position(|&n| n > 0) {
            let mut less = y;
            less[class] -= 1;
            self.hand(less);
        }
        place(&mut self.hands, &mut self.hand_of, y)
    }

    fn arrive(&mut self) {
        for exit in self.exits.clone() {
            let enter = |content: &[u16; 2 * CLASSES]| {
                let mut next = *content;
                if let Some(to) = exit.to {
                    next[to] += 1;
                    next[CLASSES + to] += exit.length.max(1) as u16;
                }
                self.find(&next)
            };
            let row = self.content.iter().map(enter).collect();
            self.arrivals.push(row);
        }
    }
}

/// `[s][k]`: how many tuples of `k` numbers have the sum `s`.
fn tuples_of(classes: usize, warps: usize) -> Vec<Vec<u32>> {
    let mut tuples: Vec<Vec<u32>> = (0..=warps).map(|s| vec![u32::from(s == 0)]).collect();
    for s in 0..=warps {
        for k in 1..=classes {
            let less = if s > 0 { tuples[s - 1][k] } else { 0 };
            let none = tuples[s][k - 1];
            tuples[s].push(none.saturating_add(less));
        }
    }
    tuples
}

fn place(list: &mut Vec<[u8; CLASSES]>, known: &mut Places, entry: [u8; CLASSES]) -> usize {
    *known.entry(entry).or_insert_with(|| {
        list.push(entry);
        list.len() - 1
    })
}
