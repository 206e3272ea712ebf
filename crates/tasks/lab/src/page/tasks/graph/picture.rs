//! The graph as it is drawn: boxes, lines, numbers, and what a witness walks through.

use std::collections::HashSet;

use super::layout::{Layout, Sizes};
use super::wire::{Wire, wire};
use super::{Graph, Point};

/// Graphs with more vertices are drawn with dots.
const MOST_BOXES: usize = 60;
/// A name is cut after so many letters.
const LONGEST: usize = 16;
/// So many places of a sequence are told at a vertex.
const MOST_TURNS: usize = 3;
/// An edge that leads back swings out so far beyond what it joins.
const SWUNG: f64 = 20.0;

/// Something that can be selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// A vertex, by its place in the document.
    Vertex(usize),
    /// An edge, likewise.
    Edge(usize),
}

/// One vertex as it is drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shape {
    /// Its middle.
    pub at: Point,
    /// Its name, cut where it is long.
    pub name: String,
    /// What it needs and within how long.
    pub numbers: String,
    /// `source`, `sink` or both, in words.
    pub role: &'static str,
    /// Whether a sequence goes through it, and at which places of the sequence.
    pub turns: Option<String>,
    /// All of it in words.
    pub words: String,
}

/// One edge as it is drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Line {
    /// Its place in the document.
    pub place: usize,
    /// Its line, its arrow, and where its number stands.
    pub wire: Wire,
    /// The least separation.
    pub p: String,
    /// Whether a sequence goes along it.
    pub on: bool,
    /// All of it in words.
    pub words: String,
}

/// A graph as it is drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Picture {
    /// Whether vertices are dots.
    pub dots: bool,
    /// The width and height of a vertex.
    pub size: Point,
    /// Its vertices.
    pub shapes: Vec<Shape>,
    /// Its edges.
    pub lines: Vec<Line>,
    /// Everything in reading order.
    pub order: Vec<Item>,
    /// Left, top, right and bottom of everything.
    pub bounds: [f64; 4],
}

/// How much room the vertices of a graph take.
pub fn sizes(graph: &Graph) -> Sizes {
    if graph.vertices.len() > MOST_BOXES {
        return Sizes { wide: 18.0, high: 18.0, between: 46.0, apart: 12.0, lane: 7.0 };
    }
    let letters = |vertex: &super::Node| {
        let numbers = numbers(vertex).chars().count();
        (cut(&vertex.name).chars().count() + 2).max(numbers)
    };
    let longest = graph.vertices.iter().map(letters).max().unwrap_or_default();
    let wide = (longest as f64 * 7.0 + 28.0).clamp(84.0, 260.0).round();
    Sizes { wide, high: 48.0, between: 76.0, apart: 34.0, lane: 26.0 }
}

fn numbers(vertex: &super::Node) -> String {
    let known = |text: &str| if text.is_empty() { "?".to_owned() } else { cut(text) };
    format!("e {}  d {}", known(&vertex.e), known(&vertex.d))
}

fn cut(text: &str) -> String {
    match text.chars().nth(LONGEST) {
        Some(_) => text.chars().take(LONGEST - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

impl Picture {
    /// The picture of a graph; `walked` are the vertices of a sequence that is shown in it.
    pub fn new(graph: &Graph, layout: &Layout, sizes: Sizes, walked: &[usize]) -> Self {
        let ends = graph.ends();
        let mut turns: Vec<Vec<usize>> = vec![Vec::new(); graph.vertices.len()];
        for (turn, &vertex) in walked.iter().enumerate() {
            if let Some(turns) = turns.get_mut(vertex) {
                turns.push(turn + 1);
            }
        }
        let steps: HashSet<(usize, usize)> = walked.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let shape = |(place, vertex): (usize, &super::Node)| {
            let role = match ends[place] {
                (true, true) => "source and sink",
                (true, false) => "source",
                (false, true) => "sink",
                (false, false) => "",
            };
            let turns = told(&turns[place]);
            let mut words = format!("{}, needs {} within {}", vertex.name, vertex.e, vertex.d);
            if !role.is_empty() {
                words += &format!(", {role}");
            }
            if let Some(turns) = &turns {
                words += &format!(", triggered at place {turns}");
            }
            let at = layout.at.get(place).copied().unwrap_or_default();
            Shape { at, name: cut(&vertex.name), numbers: numbers(vertex), role, turns, words }
        };
        let shapes: Vec<Shape> = graph.vertices.iter().enumerate().map(shape).collect();
        let dots = graph.vertices.len() > MOST_BOXES;
        let (half, arrow) = ((sizes.wide / 2.0, sizes.high / 2.0), if dots { 7.0 } else { 11.0 });
        let line = |(number, link): (usize, &super::Link)| {
            let bends = layout.bends.get(number).map_or(&[][..], Vec::as_slice);
            let wire = wire(shapes[link.from].at, shapes[link.to].at, bends, half, arrow);
            let (from, to) = (&graph.vertices[link.from].name, &graph.vertices[link.to].name);
            let words = format!("from {from} to {to}, at least {} later", link.p);
            Line {
                place: link.place,
                wire,
                p: cut(&link.p),
                on: steps.contains(&(link.from, link.to)),
                words,
            }
        };
        let lines: Vec<Line> = graph.edges.iter().enumerate().map(line).collect();
        let joined = |link: &super::Link| (shapes[link.from].at, shapes[link.to].at);
        let joined: Vec<(Point, Point)> = graph.edges.iter().map(joined).collect();
        let bounds = bounds(&shapes, &lines, &joined, half);
        let order = order(graph, &shapes);
        Self { dots, size: (sizes.wide, sizes.high), shapes, lines, order, bounds }
    }

    /// An edge, by its place in the document.
    pub fn line(&self, place: usize) -> Option<&Line> {
        let found = self.lines.binary_search_by_key(&place, |line| line.place).ok()?;
        self.lines.get(found)
    }

    /// Where something stands: the middle of a vertex, the number of an edge.
    pub fn place(&self, item: Item) -> Option<Point> {
        match item {
            Item::Vertex(vertex) => self.shapes.get(vertex).map(|shape| shape.at),
            Item::Edge(edge) => self.line(edge).map(|line| line.wire.label),
        }
    }

    /// What something is, in words.
    pub fn words(&self, item: Item) -> Option<&str> {
        match item {
            Item::Vertex(vertex) => self.shapes.get(vertex).map(|shape| &*shape.words),
            Item::Edge(edge) => self.line(edge).map(|line| &*line.words),
        }
    }

    /// The vertex at a place, with some room around it.
    pub fn vertex_at(&self, (x, y): Point) -> Option<usize> {
        let (wide, high) = (self.size.0 / 2.0 + 8.0, self.size.1 / 2.0 + 8.0);
        let hit = |shape: &Shape| (shape.at.0 - x).abs() <= wide && (shape.at.1 - y).abs() <= high;
        self.shapes.iter().rposition(hit)
    }
}

/// `1`, `2, 5`, `1, 4, 7 …`.
fn told(turns: &[usize]) -> Option<String> {
    let shown: Vec<String> = turns.iter().take(MOST_TURNS).map(ToString::to_string).collect();
    let more = if turns.len() > MOST_TURNS { " …" } else { "" };
    (!turns.is_empty()).then(|| format!("{}{more}", shown.join(", ")))
}

/// Left, top, right and bottom of everything; `joined` are the middles of what edges join.
fn bounds(shapes: &[Shape], lines: &[Line], joined: &[(Point, Point)], half: Point) -> [f64; 4] {
    let boxes = shapes.iter().map(|shape| (shape.at, half));
    let swung = |&&(from, to): &&(Point, Point)| to.0 <= from.0;
    let swung = joined.iter().filter(swung).flat_map(|&(from, to)| [from, to]);
    let swung = swung.map(|at| (at, (half.0 + SWUNG, half.1)));
    let labels = lines.iter().map(|line| (line.wire.label, (12.0, 12.0)));
    let whole = boxes.chain(swung).chain(labels).fold(None::<[f64; 4]>, |bounds, ((x, y), (wide, high))| {
        let own = [x - wide, y - high, x + wide, y + high];
        let of = |[l, t, r, b]: [f64; 4]| [l.min(own[0]), t.min(own[1]), r.max(own[2]), b.max(own[3])];
        Some(bounds.map_or(own, of))
    });
    whole.unwrap_or([-half.0, -half.1, half.0, half.1])
}

/// Vertices from left to right and from the top, each followed by the edges that leave it.
fn order(graph: &Graph, shapes: &[Shape]) -> Vec<Item> {
    let mut leaving: Vec<Vec<&super::Link>> = vec![Vec::new(); shapes.len()];
    graph.edges.iter().for_each(|edge| leaving[edge.from].push(edge));
    let before = |a: Point, b: Point| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
    let mut vertices: Vec<usize> = (0..shapes.len()).collect();
    base::sort::sort_by(&mut vertices, |&a, &b| before(shapes[a].at, shapes[b].at));
    let mut order = Vec::with_capacity(vertices.len() + graph.edges.len());
    for vertex in vertices {
        order.push(Item::Vertex(vertex));
        let edges = &mut leaving[vertex];
        base::sort::sort_by(edges, |a, b| shapes[a.to].at.1.total_cmp(&shapes[b.to].at.1));
        order.extend(edges.iter().map(|edge| Item::Edge(edge.place)));
    }
    order
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::super::layout::placed;
    use super::*;

    pub(in crate::page::tasks::graph) fn picture(walked: &[usize]) -> Picture {
        let tree = json!({"tasks": [{"vertices": [
            {"name": "last", "e": 1, "d": 4}, {"name": "a", "e": 2, "d": 5}, {"name": "b", "e": 3, "d": 8},
            {"name": "c, with a long name indeed", "e": 6},
        ], "edges": [["a", "b", 10], 7, ["a", "c, with a long name indeed", 11], ["b", "last", 12], ["c, with a long name indeed", "last", 15]]}]});
        let graph = Graph::read(&tree, 0).unwrap_or_default();
        let sizes = sizes(&graph);
        Picture::new(&graph, &placed(&graph, sizes), sizes, walked)
    }

    #[test]
    fn everything_is_told_and_comes_in_reading_order() {
        let picture = picture(&[]);
        let words: Vec<&str> = picture.order.iter().filter_map(|&item| picture.words(item)).collect();
        assert_eq!(
            words,
            [
                "a, needs 2 within 5, source",
                "from a to b, at least 10 later",
                "from a to c, with a long name indeed, at least 11 later",
                "b, needs 3 within 8",
                "from b to last, at least 12 later",
                "c, with a long name indeed, needs 6 within ",
                "from c, with a long name indeed to last, at least 15 later",
                "last, needs 1 within 4, sink",
            ]
        );
        assert_eq!((&*picture.shapes[3].name, &*picture.shapes[3].numbers), ("c, with a long …", "e 6  d ?"));
        assert_eq!(picture.vertex_at(picture.shapes[2].at), Some(2));
        assert_eq!((picture.vertex_at((-500.0, 0.0)), picture.line(1)), (None, None));
    }

    #[test]
    fn a_sequence_is_numbered() {
        let picture = picture(&[1, 2, 0, 1, 3, 0, 1, 2, 0, 1]);
        let turns: Vec<_> =
            picture.shapes.iter().map(|shape| shape.turns.as_deref().unwrap_or("-")).collect();
        assert_eq!(turns, ["3, 6, 9", "1, 4, 7 …", "2, 8", "5"]);
        assert!(picture.lines.iter().all(|line| line.on));
        assert!(!super::tests::picture(&[1]).lines.iter().any(|line| line.on));
    }

    #[test]
    fn large_graphs_are_drawn_with_dots() {
        let graph = Graph { vertices: vec![Default::default(); 61], ..Default::default() };
        let sizes = sizes(&graph);
        assert!(Picture::new(&graph, &placed(&graph, sizes), sizes, &[]).dots);
    }
}
