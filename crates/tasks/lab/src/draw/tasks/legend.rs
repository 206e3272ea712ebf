//! What the areas and lines of the demand chart are, in lines of words above it.

use super::{Mark, SIZE, line, rect};
use crate::timeline::tasks::Demand;
use kit::draw::list::{Align, Hatch, Ink};
use kit::draw::words;
use kit::draw::words::{fitted, text};
use kit::timeline::Class;

const LINE: f64 = 20.0;
const SWATCH: f64 = 13.0;
const LEFT: f64 = 12.0;
const APART: f64 = 16.0;
/// Names are cut to this.
const LONGEST: f64 = 150.0;

/// What stands before the words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sample {
    /// The colour and hatch of a task.
    Task(Class),
    /// A line of this colour and width.
    Line(Ink, f64),
    /// Dashes of this colour.
    Dashes(Ink),
    /// A stretch of this colour.
    Stretch(Ink),
}

/// Something in the legend: where it begins, from the left and by line, and what it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    x: f64,
    line: usize,
    sample: Sample,
    words: String,
}

/// All of it, in lines as wide as the picture.
pub(super) fn items(demand: &Demand, width: f64, pinned: bool) -> Vec<Item> {
    let mut all: Vec<(Sample, String)> = vec![(Sample::Line(SUM, 2.0), "Demand of all tasks".to_owned())];
    if pinned {
        all.push((Sample::Dashes(PINNED), "Demand of the pinned set".to_owned()));
    }
    if !demand.differing.is_empty() {
        all.push((Sample::Line(EQUATION, 2.0), "By the published test, where it differs".to_owned()));
    }
    all.push((Sample::Line(TIME, 2.0), "Time there is".to_owned()));
    if !demand.over.is_empty() {
        all.push((Sample::Stretch(Ink::WrongVeil), "More demand than time".to_owned()));
    }
    let tasks = demand.layers.iter().rev();
    all.extend(tasks.map(|layer| (Sample::Task(layer.class), fitted(&layer.name, LONGEST, SIZE))));
    let (mut x, mut line) = (LEFT, 0);
    let place = |(sample, words): (Sample, String)| {
        let wide = SWATCH + 5.0 + words::width(&words, SIZE);
        if x > LEFT && x + wide > width - 8.0 {
            (x, line) = (LEFT, line + 1);
        }
        let item = Item { x, line, sample, words };
        x += wide + APART;
        item
    };
    all.into_iter().map(place).collect()
}

/// The sum of exact demand.
pub(super) const SUM: Ink = Ink::Accent;
/// The sum of the set that was pinned.
pub(super) const PINNED: Ink = Ink::Pinned;
/// The sum by equation (1).
pub(super) const EQUATION: Ink = Ink::Proof;
/// As much demand as time.
pub(super) const TIME: Ink = Ink::Muted;

/// How high it is.
pub(super) fn height(items: &[Item]) -> f64 {
    items.last().map_or(0.0, |last| (last.line + 1) as f64 * LINE + 6.0)
}

/// Draws it.
pub(super) fn draw(items: &[Item], out: &mut Vec<Mark>) {
    for item in items {
        let (x, y) = (item.x, 4.0 + (item.line as f64 + 0.5) * LINE);
        let top = y - SWATCH / 2.0;
        match item.sample {
            Sample::Task(class) => {
                out.push(rect((x, top), (SWATCH, SWATCH), Ink::OnClass));
                let (w, h, hatch) = (SWATCH - 2.0, SWATCH - 2.0, Hatch::Class(class));
                out.push(Mark::Rect { x: x + 1.0, y: top + 1.0, w, h, ink: Ink::Class(class), hatch });
            }
            Sample::Line(ink, width) => out.push(line((x, y), (x + SWATCH, y), ink, width)),
            Sample::Dashes(ink) => {
                out.extend([0.0, 8.0].map(|from| rect((x + from, y - 1.5), (5.0, 3.0), ink)));
            }
            Sample::Stretch(ink) => out.push(rect((x, top), (SWATCH, SWATCH), ink)),
        }
        out.push(text((x + SWATCH + 5.0, y), item.words.clone(), Ink::Text, SIZE, Align::Start));
    }
}
