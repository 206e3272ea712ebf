//! Nothing overlaps, edges lead on, and few of them cross.

use super::*;
use base::seeded::Seeded;

const SIZES: Sizes = Sizes { wide: 100.0, high: 48.0, between: 70.0, apart: 28.0, lane: 20.0 };

fn random(count: u32, edges: usize, seed: u64) -> Vec<(usize, usize)> {
    let mut rng = Seeded::new(seed, 0);
    let mut all = std::collections::BTreeSet::new();
    while all.len() < edges {
        let (a, b) = (rng.below(count) as usize, rng.below(count) as usize);
        if a != b {
            all.insert((a.min(b), a.max(b)));
        }
    }
    all.into_iter().collect()
}

fn overlaps(at: &[Point], wide: f64, high: f64) -> Vec<(usize, usize)> {
    let pairs = (0..at.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
    pairs.filter(|&(a, b)| (at[a].0 - at[b].0).abs() < wide && (at[a].1 - at[b].1).abs() < high).collect()
}

#[test]
fn nothing_overlaps_and_edges_lead_to_the_right() {
    for (count, many) in [(1, 0), (2, 1), (7, 0), (12, 30), (60, 120), (200, 900)] {
        let edges = random(count, many, 3);
        let layout = layered(count as usize, &edges, SIZES);
        assert_eq!(overlaps(&layout.at, SIZES.wide, SIZES.high), [], "{count}");
        for (&(from, to), bends) in edges.iter().zip(&layout.bends) {
            let way = [&[layout.at[from]], &bends[..], &[layout.at[to]]].concat();
            assert!(way.windows(2).all(|pair| pair[0].0 < pair[1].0), "{way:?}");
        }
        assert_eq!(layered(count as usize, &edges, SIZES), layout);
    }
}

#[test]
fn long_edges_go_round_what_stands_between() {
    // a to d directly, and through b and c.
    let layout = layered(4, &[(0, 1), (1, 2), (2, 3), (0, 3)], SIZES);
    assert_eq!(layout.bends[3].len(), 2);
    for (bend, vertex) in layout.bends[3].iter().zip([1, 2]) {
        assert_eq!(bend.0, layout.at[vertex].0);
        assert!((bend.1 - layout.at[vertex].1).abs() >= SIZES.high / 2.0);
    }
}

#[test]
fn a_planar_graph_is_drawn_without_crossings() {
    // Two branches with a branch each, listed so that the first order is a bad one.
    let edges =
        [(0, 2), (0, 1), (1, 4), (2, 3), (1, 6), (2, 5), (3, 7), (5, 7), (4, 8), (6, 8), (8, 9), (7, 9)];
    let layout = layered(10, &edges, SIZES);
    let cross = |a: usize, b: usize| {
        let ((a, c), (b, d)) = (edges[a], edges[b]);
        let same = layout.at[a].0 == layout.at[b].0 && layout.at[c].0 == layout.at[d].0;
        same && (layout.at[a].1 - layout.at[b].1) * (layout.at[c].1 - layout.at[d].1) < 0.0
    };
    let crossed = (0..edges.len()).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|&(a, b)| cross(a, b));
    assert_eq!(crossed.count(), 0);
    assert_eq!(layout.at[0].1, layout.at[9].1, "what is alone stands in the middle");
}

#[test]
fn cycles_and_loops_are_drawn_all_the_same() {
    let layout = layered(3, &[(0, 1), (1, 2), (2, 0), (1, 1)], SIZES);
    assert!(layout.at[0].0 < layout.at[1].0 && layout.at[1].0 < layout.at[2].0);
    assert_eq!(layered(2, &[(0, 1), (1, 0)], SIZES).at.len(), 2);
}

#[test]
fn what_someone_has_put_somewhere_stands_there() {
    let names = ["a", "b", "c", "d"];
    let node = |name: &str| super::super::Node { name: name.to_owned(), ..Default::default() };
    let link = |(from, to)| super::super::Link { from, to, ..Default::default() };
    let mut graph = Graph {
        vertices: names.map(node).to_vec(),
        edges: [(0, 1), (1, 2), (2, 3), (0, 3)].map(link).to_vec(),
        ..Graph::default()
    };
    let free = placed(&graph, SIZES);
    graph.vertices[1].at = Some(free.at[0]);
    let beside = placed(&graph, SIZES);
    assert_eq!(beside.at[1], free.at[0]);
    assert_eq!((overlaps(&beside.at, SIZES.wide, SIZES.high), beside.at[3]), (vec![], free.at[3]));
    graph.vertices[0].at = Some((0.0, 0.0));
    assert_eq!(placed(&graph, SIZES).bends[3], []);
}

#[test]
fn the_largest_graphs_stay_within_bounds() {
    let chain: Vec<(usize, usize)> = (1..500).map(|v| (v - 1, v)).collect();
    let edges = [chain, random(500, 2_000, 5)].concat();
    let layout = layered(500, &edges, SIZES);
    assert!(layout.bends.iter().map(Vec::len).sum::<usize>() <= MOST_BENDS);
    assert_eq!(overlaps(&layout.at, SIZES.wide, SIZES.high), []);
}
