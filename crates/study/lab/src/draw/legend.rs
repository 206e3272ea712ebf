//! The title, and what colours and shapes stand for: lines of entries above the plot.

use kit::draw::list::{Align, Ink, Mark};
use kit::draw::words::{fitted, text, width};

use super::{Layout, SIZE, shapes};
use crate::page::{Chart, says};
use crate::scenario::Kind;

/// Height of a line of entries.
const ROW: f64 = 19.0;
/// Height of the title.
const TITLE: f64 = 26.0;
/// Room before the words of an entry, for its shape.
const SHAPE: f64 = 26.0;
/// Room behind an entry.
const GAP: f64 = 16.0;
/// More entries than these are counted instead.
const MOST: usize = 24;

/// An entry: where it stands, what it says, and which series it is of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    x: f64,
    row: usize,
    said: String,
    series: Option<usize>,
}

/// The entries of a chart.
pub(super) fn items(chart: &Chart, wide: f64, _titled: bool) -> Vec<Item> {
    let named = chart.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty());
    let mut words: Vec<(Option<usize>, String)> =
        named.take(MOST).map(|(at, series)| (Some(at), series.name.clone())).collect();
    let left = chart.series.len().saturating_sub(MOST);
    if left > 0 {
        words.push((None, format!("and {left} more")));
    }
    let several = chart.dots().any(|(_, dot)| dot.count > 1);
    match chart.kind {
        Kind::Line if several => words.push((None, "band: 95 % interval".to_owned())),
        Kind::Box => words.push((None, "box: quartiles and median; whiskers: least and most".to_owned())),
        _ => {}
    }
    let (mut x, mut row, mut items) = (10.0, 0, Vec::new());
    for (series, said) in words {
        let shape = if series.is_some() { SHAPE } else { 0.0 };
        let said = fitted(&said, wide - 20.0 - shape, SIZE);
        let needs = shape + width(&said, SIZE) + GAP;
        if x > 10.0 && x + needs > wide {
            (x, row) = (10.0, row + 1);
        }
        items.push(Item { x, row, said, series });
        x += needs;
    }
    if chart.tone.is_some() {
        items.push(Item { x: 10.0, row: 0, said: String::new(), series: None });
    }
    items
}

/// How high they are, with the title if there is one.
pub(super) fn height(items: &[Item], titled: bool) -> f64 {
    let rows = items.iter().map(|item| item.row + 1).max().unwrap_or(0);
    rows as f64 * ROW + if titled { TITLE } else { 0.0 }
}

/// Draws title and entries.
pub(super) fn draw(chart: &Chart, layout: &Layout, titled: bool, out: &mut Vec<Mark>) {
    let above = if titled { TITLE } else { 0.0 };
    if titled {
        let said = fitted(&chart.title, layout.width - 20.0, 14.0);
        out.push(text((10.0, 14.0), said, Ink::Text, 14.0, Align::Start));
    }
    for item in &layout.legend {
        let y = above + (item.row as f64 + 0.5) * ROW;
        let (x, ink) = match item.series {
            Some(series) => {
                shapes::sample(chart.kind, series, (item.x, y), out);
                (item.x + SHAPE, Ink::Text)
            }
            None => (item.x, Ink::Muted),
        };
        out.push(text((x, y), item.said.clone(), ink, SIZE, Align::Start));
    }
    scale(chart, layout, above + ROW / 2.0, out);
}

/// What the colours of a heat map stand for.
fn scale(chart: &Chart, layout: &Layout, y: f64, out: &mut Vec<Mark>) {
    let Some(tone) = &chart.tone else { return };
    let (low, high) = (says::value(tone.range.0, tone.share), says::value(tone.range.1, tone.share));
    let step = if layout.width < 480.0 { 6.0 } else { 12.0 };
    let needs = width(&low, SIZE) + width(&high, SIZE) + 9.0 * step + 50.0;
    let name = fitted(&tone.name, layout.width - needs, SIZE);
    let mut x = 10.0;
    out.push(text((x, y), name.clone(), Ink::Text, SIZE, Align::Start));
    x += width(&name, SIZE) + 12.0;
    out.push(text((x, y), low.clone(), Ink::Muted, SIZE, Align::Start));
    x += width(&low, SIZE) + 6.0;
    for level in 0..9u8 {
        let ink = Ink::Heat(level);
        out.push(Mark::Rect { x, y: y - 6.0, w: step, h: 12.0, ink, hatch: kit::draw::Hatch::None });
        x += step;
    }
    out.push(text((x + 6.0, y), high, Ink::Muted, SIZE, Align::Start));
}
