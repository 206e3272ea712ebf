//! Where vertices stand if nobody has put them anywhere: in layers from left to right, as in a drawing by hand.
//!
//! 1. Edges that lead back are left out.
//! 2. A vertex stands in the layer after the last that leads to it.
//! 3. Long edges run through a place of their own in every layer between; of very many, the longest go straight.
//! 4. Layers are put in an order with few crossings.
//! 5. Everything moves up and down towards what it is joined to.
//!
//! The same graph always looks the same. Whatever someone has put somewhere stands there.

use super::order::Layers;
use super::{Graph, Point};

/// Places of long edges, at the most.
const MOST_BENDS: usize = 12_000;
/// Times that everything moves towards what it is joined to.
const PULLS: usize = 8;

/// How much room things take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sizes {
    /// The width of a vertex.
    pub wide: f64,
    /// Its height.
    pub high: f64,
    /// The room between two layers.
    pub between: f64,
    /// The room between two vertices of one layer.
    pub apart: f64,
    /// The height of a long edge in a layer it crosses.
    pub lane: f64,
}

/// Where everything stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layout {
    /// The middles of the vertices.
    pub at: Vec<Point>,
    /// For each edge the places it runs through, from left to right.
    pub bends: Vec<Vec<Point>>,
}

impl Layout {
    /// The same with a vertex moved by so much; its edges go straight.
    pub fn with_moved(&self, vertex: usize, by: Point, joins: &[(usize, usize)]) -> Self {
        let mut moved = self.clone();
        if let Some(at) = moved.at.get_mut(vertex) {
            *at = (at.0 + by.0, at.1 + by.1);
        }
        for (bends, &(from, to)) in moved.bends.iter_mut().zip(joins) {
            if from == vertex || to == vertex {
                bends.clear();
            }
        }
        moved
    }
}

/// The layout of a task: by itself where nobody has put things, and then beside what someone has put there.
pub fn placed(graph: &Graph, sizes: Sizes) -> Layout {
    let joins = graph.joins();
    let mut layout = layered(graph.vertices.len(), &joins, sizes);
    if graph.vertices.iter().all(|vertex| vertex.at.is_none()) {
        return layout;
    }
    let mut taken: Vec<Point> = graph.vertices.iter().filter_map(|vertex| vertex.at).collect();
    for (place, vertex) in layout.at.iter_mut().zip(&graph.vertices) {
        if let Some(at) = vertex.at {
            *place = at;
            continue;
        }
        let (wide, high) = (sizes.wide + sizes.between / 4.0, sizes.high + sizes.apart / 4.0);
        let hits = |place: Point| {
            taken.iter().find(|at| (at.0 - place.0).abs() < wide && (at.1 - place.1).abs() < high).copied()
        };
        // Each time it moves below something that stands still, so this ends.
        while let Some(at) = hits(*place) {
            place.1 = at.1 + high;
        }
        taken.push(*place);
    }
    for (bends, (from, to)) in layout.bends.iter_mut().zip(joins) {
        if graph.vertices[from].at.is_some() || graph.vertices[to].at.is_some() {
            bends.clear();
        }
    }
    layout
}

/// The layout of a graph of so many vertices.
pub fn layered(count: usize, edges: &[(usize, usize)], sizes: Sizes) -> Layout {
    let forward = forward(count, edges);
    let mut layer = layers_of(count, edges, &forward);
    // Shorter edges first: if places run out, the longest go without.
    let mut by_length: Vec<usize> = (0..edges.len()).filter(|&edge| forward[edge]).collect();
    let length = |edge: usize, layer: &[usize]| layer[edges[edge].1] - layer[edges[edge].0];
    base::sort::sort_by_key(&mut by_length, |&edge| length(edge, &layer));
    let mut through: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
    let mut drawn = vec![false; edges.len()];
    for edge in by_length {
        let (from, to) = (layer[edges[edge].0], layer[edges[edge].1]);
        if layer.len() + (to - from) > count + MOST_BENDS {
            break;
        }
        drawn[edge] = true;
        for between in from + 1..to {
            through[edge].push(layer.len());
            layer.push(between);
        }
    }
    let mut layers = Layers::new(&layer);
    for (edge, &(from, to)) in edges.iter().enumerate().filter(|(edge, _)| drawn[*edge]) {
        let mut last = from;
        for next in through[edge].iter().copied().chain([to]) {
            layers.join(last, next);
            last = next;
        }
    }
    layers.sort();
    let heights = |item: usize| if item < count { sizes.high + sizes.apart } else { sizes.lane };
    let y = heights_of(&layers, count, &heights);
    // Pulls let the whole drift: its middle stays where it is, whatever is added.
    let (low, high) = y.iter().take(count).fold((f64::MAX, f64::MIN), |(a, b), &y| (a.min(y), b.max(y)));
    let middle = if count > 0 { (low + high) / 2.0 } else { 0.0 };
    let at = |item: usize| (layer[item] as f64 * (sizes.wide + sizes.between), (y[item] - middle).round());
    Layout {
        at: (0..count).map(at).collect(),
        bends: through.into_iter().map(|items| items.into_iter().map(at).collect()).collect(),
    }
}

/// Which edges lead on, not back to where one came from.
fn forward(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut entered = vec![false; count];
    for (edge, &(from, to)) in edges.iter().enumerate() {
        leaving[from].push(edge);
        entered[to] = true;
    }
    let mut forward = vec![true; edges.len()];
    let (mut open, mut done) = (vec![false; count], vec![false; count]);
    let sources = (0..count).filter(|&v| !entered[v]).chain(0..count);
    for start in sources.collect::<Vec<_>>() {
        let mut stack = vec![(start, 0)];
        while let Some((v, next)) = stack.pop() {
            if next == 0 && std::mem::replace(&mut open[v], true) {
                continue; // it was here before
            }
            match leaving[v].get(next) {
                None => done[v] = true,
                Some(&edge) => {
                    stack.push((v, next + 1));
                    let to = edges[edge].1;
                    if open[to] && !done[to] {
                        forward[edge] = false;
                    } else if !open[to] {
                        stack.push((to, 0));
                    }
                }
            }
        }
    }
    forward
}

/// The layer of every vertex: after all that lead to it; a source stands right before what it leads to.
fn layers_of(count: usize, edges: &[(usize, usize)], forward: &[bool]) -> Vec<usize> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut waiting = vec![0usize; count];
    for (&(from, to), _) in edges.iter().zip(forward).filter(|(_, forward)| **forward) {
        leaving[from].push(to);
        waiting[to] += 1;
    }
    let sources: Vec<usize> = (0..count).filter(|&v| waiting[v] == 0).collect();
    let mut layer = vec![0; count];
    let mut ready = sources.clone();
    while let Some(v) = ready.pop() {
        for &to in &leaving[v] {
            layer[to] = layer[to].max(layer[v] + 1);
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push(to);
            }
        }
    }
    for v in sources {
        layer[v] = leaving[v].iter().map(|&to| layer[to]).min().map_or(0, |first| first - 1);
    }
    layer
}

/// How high everything stands: as near as can be to the middle of what it is joined to.
fn heights_of(layers: &Layers, count: usize, height: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let mut y = vec![0.0; layers.before.len()];
    for row in &layers.rows {
        let mut top = -row.iter().map(|&item| height(item)).sum::<f64>() / 2.0;
        for &item in row {
            y[item] = top + height(item) / 2.0;
            top += height(item);
        }
    }
    let rows = layers.rows.len();
    for pull in 0..PULLS {
        for step in 0..rows {
            let row = &layers.rows[if pull % 2 == 0 { step } else { rows - 1 - step }];
            let wanted = |&item: &usize| {
                let both = pull + 2 >= PULLS;
                let before = layers.before[item].iter().filter(|_| both || pull % 2 == 0);
                let near = before.chain(layers.after[item].iter().filter(|_| both || pull % 2 == 1));
                let (sum, many) = near.fold((0.0, 0.0), |(sum, many), &n| (sum + y[n], many + 1.0));
                if many == 0.0 { y[item] } else { sum / many }
            };
            let wanted: Vec<f64> = row.iter().map(wanted).collect();
            let put = stacked(row, &wanted, count, height);
            row.iter().zip(put).for_each(|(&item, put)| y[item] = put);
        }
    }
    y
}

/// Items one below the other, each as near as can be to where it is wanted: the least sum of squares, by pooling
/// neighbours that want past each other. Long edges want it more, which keeps them straight.
fn stacked(row: &[usize], wanted: &[f64], count: usize, height: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let mut below = 0.0;
    let mut offsets = Vec::with_capacity(row.len());
    let mut pools: Vec<(f64, f64, usize)> = Vec::new(); // sum, weight, members
    for (place, (&item, wanted)) in row.iter().zip(wanted).enumerate() {
        if place > 0 {
            below += (height(row[place - 1]) + height(item)) / 2.0;
        }
        offsets.push(below);
        let weight = if item < count { 1.0 } else { 3.0 };
        pools.push(((wanted - below) * weight, weight, 1));
        while let [.., before, last] = pools[..]
            && before.0 / before.1 > last.0 / last.1
        {
            pools.pop();
            pools.pop();
            pools.push((before.0 + last.0, before.1 + last.1, before.2 + last.2));
        }
    }
    let level = pools.into_iter().flat_map(|(sum, weight, many)| std::iter::repeat_n(sum / weight, many));
    level.zip(offsets).map(|(level, offset)| level + offset).collect()
}

#[cfg(test)]
mod tests;
