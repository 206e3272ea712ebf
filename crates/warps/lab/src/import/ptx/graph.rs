//! The control flow of a function: basic blocks, edges and the nest of loops.
//!
//! A loop is a set of blocks that can all reach each other; its header is the block it is entered at, the first
//! in the text where there are several. Without the edges to its header, the loops inside it are found the same
//! way (Steensgaard 1993). Every graph has such a nest, also an irreducible one.

use super::components::Components;
use super::tree::Function;
use base::sort;

/// Loops may stand inside each other this deep.
pub const DEEPEST_LOOP: usize = 16;

/// Why control goes along an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// To what comes next in the text.
    Next,
    /// A branch taken.
    Taken,
}

/// A way out of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Why control goes there.
    pub turn: Turn,
    /// The block it leads to; none for the end of the function.
    pub to: Option<usize>,
}

/// Instructions that are always executed one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its first instruction.
    pub start: usize,
    /// One past its last instruction.
    pub end: usize,
    /// Where it goes, falling through first.
    pub edges: Vec<Edge>,
}

/// A loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The block it begins with.
    pub header: usize,
    /// The loop around it.
    pub parent: Option<usize>,
    /// 1 for a loop inside of no other.
    pub depth: usize,
    /// Blocks of the loop that lead back to its header.
    pub latches: Vec<usize>,
}

/// Blocks and loops of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// In the order of the text; the first is where the function begins.
    pub blocks: Vec<Block>,
    /// Outer loops before inner ones.
    pub loops: Vec<Loop>,
    /// The innermost loop around each block.
    pub inner: Vec<Option<usize>>,
    /// Whether loops stand too deep inside each other to be told apart.
    pub too_deep: bool,
}

/// How an instruction ends a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Branch,
    Leave,
}

/// Whether and how an instruction ends a block.
pub(super) fn ending(root: &str) -> Option<Ending> {
    match root {
        "bra" | "brx" => Some(Ending::Branch),
        "ret" | "exit" | "trap" => Some(Ending::Leave),
        _ => None,
    }
}

impl Graph {
    /// The graph of a function.
    pub fn of(function: &Function<'_>) -> Self {
        let blocks = blocks(function);
        let mut graph = Self { inner: vec![None; blocks.len()], blocks, loops: Vec::new(), too_deep: false };
        graph.find_loops();
        graph
    }

    /// The loop around `block` at `depth`, 1 for the outermost.
    pub(super) fn loop_at(&self, block: usize, depth: usize) -> Option<usize> {
        self.around(block).find(|&found| self.loops[found].depth == depth)
    }

    /// The loops around a block, the innermost first.
    pub(super) fn around(&self, block: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.inner[block], |&found| self.loops[found].parent)
    }

    /// How many loops stand around a block.
    pub(super) fn depth(&self, block: usize) -> usize {
        self.inner[block].map_or(0, |found| self.loops[found].depth)
    }

    /// The loop an edge from one block to another goes round, if it leads back to a header.
    pub fn back(&self, from: usize, to: usize) -> Option<usize> {
        let headed = self.inner[to].filter(|&found| self.loops[found].header == to)?;
        self.around(from).find(|&found| found == headed)
    }

    fn find_loops(&mut self) {
        let count = self.blocks.len();
        let to = |block: usize| self.blocks[block].edges.iter().filter_map(|edge| edge.to);
        let mut from: Vec<Vec<usize>> = vec![Vec::new(); count];
        for block in 0..count {
            to(block).for_each(|next| from[next].push(block));
        }
        let mut components = Components::new(count);
        // Blocks with the same number may share a loop; 0 is for headers already split off.
        let mut region = vec![1usize; count];
        let mut regions = 1;
        let mut reached = vec![false; count];
        let mut work = vec![(vec![0], None)];
        while let Some((blocks, parent)) = work.pop() {
            let Some(&first) = blocks.first() else { continue };
            let own = region[first];
            let groups = components
                .find(&blocks, |block, next| next.extend(to(block).filter(|&to| region[to] == own)));
            if parent.is_none() {
                groups.iter().flatten().for_each(|&block| reached[block] = true);
            }
            let depth = parent.map_or(0, |found: usize| self.loops[found].depth) + 1;
            for mut group in groups {
                if group.len() == 1 && to(group[0]).all(|next| next != group[0]) {
                    continue;
                }
                if depth > DEEPEST_LOOP {
                    self.too_deep = true;
                    continue;
                }
                regions += 1;
                for &block in &group {
                    region[block] = regions;
                    self.inner[block] = Some(self.loops.len());
                }
                let outside = |&before: &usize| reached[before] && region[before] != regions;
                let entered = |block: &usize| *block == 0 || from[*block].iter().any(outside);
                let header = group.iter().copied().filter(entered).min().unwrap_or(group[0]);
                let mut latches = from[header].clone();
                latches.retain(|&before| region[before] == regions);
                latches.dedup();
                self.loops.push(Loop { header, parent, depth, latches });
                region[header] = 0;
                group.retain(|&block| block != header);
                work.push((group, Some(self.loops.len() - 1)));
            }
        }
    }
}

fn blocks(function: &Function<'_>) -> Vec<Block> {
    let count = function.instructions.len();
    let mut starts = vec![0];
    for (index, targets) in &function.jumps {
        starts.extend(targets);
        starts.push(index + 1);
    }
    let leave = |index: &usize| ending(function.instructions[*index].root()) == Some(Ending::Leave);
    starts.extend((0..count).filter(leave).map(|index| index + 1));
    starts.retain(|&start| start < count);
    sort::sort(&mut starts);
    starts.dedup();
    if starts.is_empty() {
        return vec![Block { start: 0, end: 0, edges: vec![Edge { turn: Turn::Next, to: None }] }];
    }
    let block_at = |index: usize| starts.binary_search(&index).ok();
    let ends = starts.iter().skip(1).copied().chain([count]);
    starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| {
            let last = &function.instructions[end - 1];
            let mut edges = Vec::new();
            let ending = ending(last.root());
            if ending.is_none() || last.guard.is_some() {
                edges.push(Edge { turn: Turn::Next, to: block_at(end) });
            }
            match ending {
                Some(Ending::Branch) => {
                    let targets = function.targets(end - 1).iter();
                    edges.extend(targets.map(|&target| Edge { turn: Turn::Taken, to: block_at(target) }));
                }
                Some(Ending::Leave) => edges.push(Edge { turn: Turn::Taken, to: None }),
                None => {}
            }
            Block { start, end, edges }
        })
        .collect()
}
