//! Which kernel looks how, stream by stream.

use std::collections::BTreeSet;

use super::bands::amount;
use super::layout::{Kind, Layout};
use super::words::{self, fitted, text};
use super::{Layers, Look, Panel, rect};
use kit::draw::list::{Align, Hatch, Ink, Mark};
use kit::timeline::Class;

/// A stream and the kernels launched in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamLegend {
    /// The stream's name.
    pub stream: String,
    /// Colour and hatch, and name, in the order of the first launches.
    pub kernels: Vec<(Class, String)>,
}

/// The legend of a run: the streams in which anything was launched.
pub fn legend(panel: &Panel<'_>) -> Vec<StreamLegend> {
    let mut seen = BTreeSet::new();
    let mut all: Vec<StreamLegend> = Vec::new();
    let label = |stream: &blocks::Stream| StreamLegend { stream: stream.label.clone(), kernels: Vec::new() };
    all.extend(panel.setup.streams.iter().map(label));
    for (run, &class) in panel.trace.kernels.iter().zip(&panel.timeline.classes) {
        let Some(kernel) = panel.setup.kernels.get(run.kernel) else { continue };
        if let Some(stream) = all.get_mut(run.stream).filter(|_| seen.insert((run.stream, &kernel.label))) {
            stream.kernels.push((class, kernel.label.clone()));
        }
    }
    all.retain(|stream| !stream.kernels.is_empty());
    all
}

/// What the height of a band stands for.
pub fn caption(panel: &Panel<'_>) -> String {
    let timeline = panel.timeline;
    let (limit, name) = (timeline.measure.limit(panel.setup), timeline.measure.name());
    let amount = amount(timeline.measure, limit.into());
    match timeline.measure {
        crate::timeline::blocks::Measure::Threads => format!("a band is {amount} {name} high"),
        crate::timeline::blocks::Measure::SharedMemory => format!("a band is {amount} of {name} high"),
    }
}

/// What the arrows beneath the axis stand for; empty where there are none.
pub fn arrows(panels: &[Panel<'_>]) -> &'static str {
    let points = || panels.iter().flat_map(|panel| &panel.timeline.points);
    match (points().any(|of| !of.starts.is_empty()), points().any(|of| !of.deadlines.is_empty())) {
        (true, true) => "an arrow up is a launch, one down a deadline",
        (true, false) => "an arrow up is a launch",
        (false, true) => "an arrow down is a deadline",
        (false, false) => "",
    }
}

/// Height of a line.
const LINE: f64 = 20.0;
/// Lines at the most.
const MOST_LINES: usize = 6;
const SIZE: f64 = 12.0;
const SWATCH: f64 = 13.0;
/// Names are cut to this.
const LONGEST: f64 = 160.0;

/// What the frame of a block means that is compared with another run.
pub const CHANGED: &str = "another start or SM than pinned";

/// What stands before the words.
#[derive(Clone, Copy)]
enum Sample {
    /// Colour and hatch of a kernel.
    Class(Class),
    /// The frame of what differs.
    Changed,
}

/// Something in the legend: where it begins, from the left and by line, and what it is.
struct Item {
    x: f64,
    line: usize,
    sample: Option<Sample>,
    words: String,
}

/// All of it in lines: of the first run, and of others what the first has not.
fn items(panels: &[Panel<'_>], width: f64) -> Vec<Item> {
    let mut all: Vec<StreamLegend> = Vec::new();
    for stream in panels.iter().flat_map(legend) {
        if !all.contains(&stream) {
            all.push(stream);
        }
    }
    let mut items: Vec<Item> = Vec::new();
    let (mut x, mut line) = (LEFT, 0);
    let mut add = |sample: Option<Sample>, words: String, before: f64| {
        let swatch = if sample.is_some() { SWATCH + 5.0 } else { 0.0 };
        let wide = swatch + words::width(&words, SIZE);
        if x > LEFT && x + before + wide > width - 8.0 {
            (x, line) = (LEFT, line + 1);
        } else if x > LEFT {
            x += before;
        }
        items.push(Item { x, line, sample, words });
        x += wide;
    };
    for stream in all {
        add(None, fitted(&stream.stream, LONGEST, SIZE), 22.0);
        for (class, kernel) in stream.kernels {
            add(Some(Sample::Class(class)), fitted(&kernel, LONGEST, SIZE), 10.0);
        }
    }
    if panels.iter().any(|panel| panel.timeline.differs.contains(&true)) {
        add(Some(Sample::Changed), CHANGED.to_owned(), 22.0);
    }
    if let Some(panel) = panels.first() {
        add(None, caption(panel), 22.0);
    }
    let arrows = arrows(panels);
    if !arrows.is_empty() {
        add(None, arrows.to_owned(), 22.0);
    }
    let hidden = items.iter().filter(|item| item.line >= MOST_LINES).count();
    items.retain(|item| item.line < MOST_LINES);
    if let Some(last) = items.last_mut().filter(|_| hidden > 0) {
        (last.sample, last.words) = (None, format!("and {} more", hidden + 1));
    }
    items
}

const LEFT: f64 = 12.0;

/// How high the legend is.
pub(super) fn height(panels: &[Panel<'_>], width: f64) -> f64 {
    items(panels, width).last().map_or(0.0, |last| (last.line + 1) as f64 * LINE + 8.0)
}

/// Draws it, where the picture carries it.
pub(super) fn draw(layers: &mut Layers, panels: &[Panel<'_>], layout: &Layout, look: &Look) {
    for row in layout.rows.iter().filter(|row| row.is_seen(look)) {
        match row.kind {
            Kind::Legend => {
                for item in items(panels, layout.width) {
                    entry(layers, &item, row.y + (item.line as f64 + 0.5) * LINE);
                }
            }
            Kind::Title => {
                let Some(panel) = panels.get(row.panel) else { continue };
                let title = fitted(panel.title, layout.width - 24.0, 13.0);
                layers.words.push(text(
                    (LEFT, row.y + row.h / 2.0 + 2.0),
                    title,
                    Ink::Text,
                    13.0,
                    Align::Start,
                ));
            }
            _ => {}
        }
    }
}

fn entry(layers: &mut Layers, item: &Item, y: f64) {
    let (mut x, mut ink) = (item.x, Ink::Muted);
    if let Some(sample) = item.sample {
        let top = y - SWATCH / 2.0;
        layers.things.push(rect((x, top), (SWATCH, SWATCH), Ink::OnClass));
        let (w, h) = (SWATCH - 2.0, SWATCH - 2.0);
        let (fill, hatch) = match sample {
            Sample::Class(class) => (Ink::Class(class), Hatch::Class(class)),
            Sample::Changed => (Ink::Changed, Hatch::None),
        };
        layers.things.push(Mark::Rect { x: x + 1.0, y: top + 1.0, w, h, ink: fill, hatch });
        if let Sample::Changed = sample {
            layers.things.push(rect((x + 4.0, top + 4.0), (SWATCH - 8.0, SWATCH - 8.0), Ink::Band));
        }
        (x, ink) = (x + SWATCH + 5.0, Ink::Text);
    }
    layers.words.push(text((x, y), item.words.clone(), ink, SIZE, Align::Start));
}
