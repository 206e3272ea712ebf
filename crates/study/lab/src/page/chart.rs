//! What a drawing of a study shows: its axes, and a dot for each point or cell with what is known of it.
//!
//! Cells that a drawing does not tell apart, as it has no axis for that, are taken together. Intervals are those of the
//! report: Student's for means, Wilson's for shares, of 95 %.

use study::statistics;

use super::known::Column;
use super::{Known, Plan};
use crate::scenario::{Drawing, Kind};

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// How.
    pub kind: Kind,
    /// What stands above.
    pub title: String,
    /// To the right.
    pub across: Axis,
    /// Upwards.
    pub up: Axis,
    /// Lines, clouds or rows of boxes.
    pub series: Vec<Series>,
    /// What colours stand for, of a heat map.
    pub tone: Option<Tone>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    /// What it is called.
    pub name: String,
    /// The words of its places; none where it is one of numbers.
    pub words: Option<Vec<String>>,
    /// The numbers that the study has along it, whichever of its cells are computed.
    pub numbers: Vec<f64>,
    /// Whether its numbers are shares.
    pub share: bool,
}

/// What the colours of a heat map stand for.
#[derive(Debug, Clone, PartialEq)]
pub struct Tone {
    /// The measure.
    pub name: String,
    /// The least and the most of it.
    pub range: (f64, f64),
    /// Whether these are shares.
    pub share: bool,
}

/// What is told apart by colour and shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What it is; empty where there is only one.
    pub name: String,
    /// From left to right.
    pub dots: Vec<Dot>,
}

/// A point, or of a cloud a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Dot {
    /// To the right.
    pub x: f64,
    /// Upwards.
    pub y: f64,
    /// The measure: its mean, or the share for which it holds.
    pub value: f64,
    /// The interval of 95 % for that; none of a single cell.
    pub interval: Option<[f64; 2]>,
    /// The least, the quartiles, the most.
    pub five: [f64; 5],
    /// How many cells it stands for.
    pub count: u64,
    /// The measure.
    pub measure: usize,
    /// Whether it is a share.
    pub share: bool,
    /// The cells: the first, and the worst: of numbers the one with the largest, of truths one for which it does not hold.
    pub first: u64,
    /// See there.
    pub worst: u64,
    /// Where it stands, in words.
    pub place: String,
}

/// The cells of a dot while they are collected.
#[derive(Debug, Clone, Default)]
struct Heap {
    values: Vec<f64>,
    first: Option<u64>,
    worst: Option<(f64, u64)>,
}

impl Heap {
    fn add(&mut self, cell: u64, value: f64, truth: bool) {
        self.values.push(value);
        self.first = self.first.or(Some(cell));
        let badness = if truth { -value } else { value };
        if self.worst.is_none_or(|(known, _)| badness > known) {
            self.worst = Some((badness, cell));
        }
    }

    fn dot(&self, measure: usize, share: bool, place: String) -> Option<Dot> {
        let (first, (_, worst)) = (self.first?, self.worst?);
        let numbers = statistics::numbers(&self.values)?;
        let (value, interval) = if share {
            let holds = self.values.iter().filter(|value| **value > 0.5).count() as u64;
            let share = statistics::share(holds, self.values.len() as u64)?;
            (share.share, (share.count > 1).then_some(share.interval))
        } else {
            (numbers.mean, numbers.interval)
        };
        let five = [numbers.least, numbers.quartile_1, numbers.median, numbers.quartile_3, numbers.most];
        let (x, y, count) = (0.0, value, numbers.count);
        Some(Dot { x, y, value, interval, five, count, measure, share, first, worst, place })
    }
}

impl Chart {
    /// What a drawing shows of what is known.
    pub fn new(known: &Known, drawing: &Drawing) -> Self {
        match drawing.kind {
            Kind::Line | Kind::Box => over(known, drawing),
            Kind::Scatter => cloud(known, drawing),
            Kind::Heat => heat(known, drawing),
        }
    }

    /// How many dots there are.
    pub fn count(&self) -> usize {
        self.series.iter().map(|series| series.dots.len()).sum()
    }

    /// All dots with the number of their series.
    pub fn dots(&self) -> impl Iterator<Item = (usize, &Dot)> {
        self.series.iter().enumerate().flat_map(|(at, series)| series.dots.iter().map(move |dot| (at, dot)))
    }
}

/// What is to the right where a drawing has an axis there.
fn along(plan: &Plan, axis: Option<usize>, name: &str) -> Axis {
    let Some(axis) = axis.and_then(|at| plan.axes.get(at)) else {
        let words = Some(vec!["all cells".to_owned()]);
        return Axis { name: name.to_owned(), words, ..Axis::default() };
    };
    let numbers = axis.numbers();
    let words = numbers.is_none().then(|| (0..axis.values.len()).map(|at| axis.word(at)).collect());
    Axis { name: axis.name.clone(), words, numbers: numbers.unwrap_or_default(), share: false }
}

/// Where a value of an axis stands.
fn place_of(plan: &Plan, axis: Option<usize>, at: usize, words: bool) -> f64 {
    let number = || plan.axes.get(axis?)?.values.get(at)?.as_f64();
    if words { at as f64 } else { number().unwrap_or(at as f64) }
}

fn title(drawing: &Drawing, otherwise: String) -> String {
    drawing.title.clone().unwrap_or(otherwise)
}

/// Measures over an axis: lines or boxes.
fn over(known: &Known, drawing: &Drawing) -> Chart {
    let plan = &known.plan;
    let (x, by) = (plan.axis(&drawing.x), drawing.by.as_deref().and_then(|name| plan.axis(name)));
    let across = along(plan, x, &drawing.x);
    let size =
        |axis: Option<usize>| axis.and_then(|at| plan.axes.get(at)).map_or(1, |axis| axis.values.len());
    let (columns, rows) = (size(x), size(by));
    let measures: Vec<usize> = drawing.y.iter().filter_map(|name| plan.measure(name)).collect();
    let mut series = Vec::new();
    let mut share = !measures.is_empty();
    for measure in &measures {
        let Some(column) = known.column(*measure) else { continue };
        let truth = column.is_truth();
        share &= truth;
        let heaps = heaps(known, column, truth, (x, columns), (by, rows));
        for row in 0..rows {
            let named = by.and_then(|at| plan.axes.get(at));
            let own = measures.len() > 1;
            let name = match (own, named) {
                (true, Some(axis)) => format!("{}, {}", measure_name(plan, *measure), axis.entry(row)),
                (true, None) => measure_name(plan, *measure).to_owned(),
                (false, Some(axis)) => axis.entry(row),
                (false, None) => String::new(),
            };
            let dots = (0..columns).filter_map(|at| {
                let place = [(x, at), (by, row)].into_iter().filter_map(|(axis, at)| {
                    let axis = plan.axes.get(axis?)?;
                    Some(format!("{} = {}", axis.name, axis.word(at)))
                });
                let place = place.collect::<Vec<_>>().join(", ");
                let dot = heaps[row * columns + at].dot(*measure, truth, place)?;
                Some(Dot { x: place_of(plan, x, at, across.words.is_some()), ..dot })
            });
            let mut dots: Vec<Dot> = dots.collect();
            dots.sort_by(|a, b| a.x.total_cmp(&b.x));
            series.push(Series { name, dots });
        }
    }
    let names: Vec<&str> = measures.iter().map(|at| measure_name(plan, *at)).collect();
    let name = match (names.as_slice(), share) {
        ([one], true) => format!("share of cells with {one}"),
        ([one], false) => (*one).to_owned(),
        (_, true) => "share of cells".to_owned(),
        (names, false) => names.join(", "),
    };
    let said = format!("{} over {}", base::people::listed(&names), across.name);
    let up = Axis { name, share, ..Axis::default() };
    // Of truths there are no quartiles: shares have their intervals instead.
    let kind = if share { Kind::Line } else { drawing.kind };
    Chart { kind, title: title(drawing, said), across, up, series, tone: None }
}

/// What a measure came to for each pair of values of two axes.
fn heaps(
    known: &Known,
    column: &Column,
    truth: bool,
    (x, columns): (Option<usize>, usize),
    (by, rows): (Option<usize>, usize),
) -> Vec<Heap> {
    let mut heaps = vec![Heap::default(); columns * rows];
    for cell in 0..known.plan.cells {
        let Some(value) = column.value(cell) else { continue };
        let Some(place) = known.grid.place(cell) else { continue };
        let at = |axis: Option<usize>| axis.and_then(|axis| place.at.get(axis)).copied().unwrap_or(0);
        if let Some(heap) = heaps.get_mut(at(by) * columns + at(x)) {
            heap.add(cell, value, truth);
        }
    }
    heaps
}

/// A cloud: one measure over another, a dot for each cell.
fn cloud(known: &Known, drawing: &Drawing) -> Chart {
    let plan = &known.plan;
    let by = drawing.by.as_deref().and_then(|name| plan.axis(name));
    let y = drawing.y.first().and_then(|name| plan.measure(name));
    let both = plan.measure(&drawing.x).zip(y);
    let columns = both.and_then(|(x, y)| known.column(x).zip(known.column(y)));
    let rows = by.and_then(|at| plan.axes.get(at)).map_or(1, |axis| axis.values.len());
    let word = |row| by.and_then(|at| plan.axes.get(at)).map_or(String::new(), |axis| axis.entry(row));
    let mut series: Vec<Series> = (0..rows).map(|row| Series { name: word(row), dots: Vec::new() }).collect();
    if let (Some((x, y)), Some((_, measure))) = (columns, both) {
        for cell in 0..plan.cells {
            let (Some(right), Some(value)) = (x.value(cell), y.value(cell)) else { continue };
            let Some(place) = known.grid.place(cell) else { continue };
            let row = by.and_then(|axis| place.at.get(axis)).copied().unwrap_or(0);
            let mut words = plan.place(&place);
            if plan.samples > 1 {
                words += &format!(", sample {}", place.sample);
            }
            let dot = Dot {
                x: right,
                y: value,
                value,
                interval: None,
                five: [value; 5],
                count: 1,
                measure,
                share: false,
                first: cell,
                worst: cell,
                place: words.trim_start_matches(", ").to_owned(),
            };
            if let Some(series) = series.get_mut(row) {
                series.dots.push(dot);
            }
        }
    }
    let name = |at: Option<usize>| at.map(|at| measure_name(plan, at).to_owned()).unwrap_or_default();
    let (across, up) = (name(both.map(|(x, _)| x)), name(both.map(|(_, y)| y)));
    Chart {
        kind: Kind::Scatter,
        title: title(drawing, format!("{up} over {across}, cell by cell")),
        across: Axis { name: across, ..Axis::default() },
        up: Axis { name: up, ..Axis::default() },
        series,
        tone: None,
    }
}

/// A heat map: one measure over two axes.
fn heat(known: &Known, drawing: &Drawing) -> Chart {
    let plan = &known.plan;
    let (x, y) = (plan.axis(&drawing.x), drawing.y.first().and_then(|name| plan.axis(name)));
    let measure = drawing.z.as_deref().and_then(|name| plan.measure(name)).unwrap_or_default();
    let worded = |axis: Option<usize>| {
        let named = axis.and_then(|at| plan.axes.get(at));
        let words = named.map(|axis| (0..axis.values.len()).map(|at| axis.word(at)).collect());
        Axis {
            name: named.map(|axis| axis.name.clone()).unwrap_or_default(),
            words: words.or_else(|| Some(vec!["all cells".to_owned()])),
            ..Axis::default()
        }
    };
    let (across, up) = (worded(x), worded(y));
    let sizes = [&across, &up].map(|axis| axis.words.as_ref().map_or(1, Vec::len));
    let name = measure_name(plan, measure).to_owned();
    let (mut dots, mut share) = (Vec::new(), false);
    if let Some(column) = known.column(measure) {
        share = column.is_truth();
        let heaps = heaps(known, column, share, (x, sizes[0]), (y, sizes[1]));
        dots = (0..heaps.len())
            .filter_map(|at| {
                let (right, above) = (at % sizes[0], at / sizes[0]);
                let word = |axis: &Axis, at: usize| {
                    axis.words
                        .as_ref()
                        .and_then(|words| words.get(at))
                        .map(|word| format!("{} = {word}", axis.name))
                };
                let place = [word(&across, right), word(&up, above)];
                let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
                let dot = heaps[at].dot(measure, share, place)?;
                Some(Dot { x: right as f64, y: above as f64, ..dot })
            })
            .collect();
    }
    let range = if share {
        (0.0, 1.0)
    } else {
        let low = dots.iter().map(|dot| dot.value).fold(f64::INFINITY, f64::min);
        let high = dots.iter().map(|dot| dot.value).fold(f64::NEG_INFINITY, f64::max);
        if low <= high { (low, high) } else { (0.0, 1.0) }
    };
    let said = if share { format!("share of cells with {name}") } else { name.clone() };
    let title = title(drawing, format!("{name} over {} and {}", across.name, up.name));
    let tone = Some(Tone { name: said, range, share });
    Chart { kind: Kind::Heat, title, across, up, series: vec![Series { name: String::new(), dots }], tone }
}

fn measure_name(plan: &Plan, measure: usize) -> &str {
    plan.names().nth(measure).unwrap_or_default()
}
