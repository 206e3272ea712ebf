//! The axis in exact decimals of one unit, the lines of the grid, and the names of rows.

use super::layout::{Kind, Layout, Row};
use super::words::{self, fitted, text};
use super::{GUTTER, Layers, Look, line, rect};
use kit::draw::list::{Align, Ink, Mark};
use kit::draw::nanos::{Ticks, ticks};
use kit::draw::scale::Scale;

/// Names of rows.
pub(super) const NAME: f64 = 12.0;
/// Draws bands, grid, axis, and what rows are called.
pub(super) fn draw(layers: &mut Layers, layout: &Layout, scale: &Scale, look: &Look) {
    let ticks = ticks(scale);
    for row in layout.rows.iter().filter(|row| row.is_seen(look)) {
        if matches!(row.kind, Kind::Processes | Kind::Engine(_) | Kind::Sm(_) | Kind::InUse) {
            let (y, h) = row.inside();
            layers.ground.push(rect((scale.left, y), (scale.right - scale.left + 1.0, h + 1.0), Ink::Band));
        }
    }
    let last = layout.rows.iter().rposition(|row| row.kind == Kind::Axis);
    for (i, row) in layout.rows.iter().enumerate() {
        match row.kind {
            Kind::Axis => {
                grid(layers, layout, row, &ticks, scale);
                layers.ground.push(line((scale.left, row.y), (scale.right, row.y), Ink::Muted, 1.0));
                if Some(i) == last {
                    numbers(layers, row, &ticks, scale);
                }
            }
            Kind::TopAxis => numbers(layers, row, &ticks, scale),
            _ => {}
        }
    }
}

/// The row of an axis at a height of the picture, the one that stays at the top included.
pub(super) fn row_at(layout: &Layout, look: &Look, y: f64) -> Option<Row> {
    let over = stuck_row(layout, look).filter(|row| (row.y..row.y + row.h).contains(&y));
    over.or_else(|| layout.at(y).filter(|row| matches!(row.kind, Kind::Axis | Kind::TopAxis)).copied())
}

/// The row of numbers that lies over the others, where neither axis is in sight.
fn stuck_row(layout: &Layout, look: &Look) -> Option<Row> {
    let (top, bottom) = look.seen?;
    let last = layout.rows.iter().rfind(|row| row.kind == Kind::Axis)?;
    let upper = layout.rows.iter().find(|row| row.kind == Kind::TopAxis);
    let whole = |row: &Row| row.y >= top && row.y + row.h <= bottom;
    let out_of_sight = !std::iter::once(last).chain(upper).any(whole);
    out_of_sight.then_some(Row { panel: 0, kind: Kind::TopAxis, y: top, h: super::layout::AXIS })
}

/// The numbers at the top of what can be seen, where neither axis is in sight: they lie over the rows.
pub(super) fn stuck(over: &mut Vec<Mark>, layout: &Layout, scale: &Scale, look: &Look) {
    let Some(row) = stuck_row(layout, look) else { return };
    let top = row.y;
    let mut layers = Layers::default();
    numbers(&mut layers, &row, &ticks(scale), scale);
    over.push(rect((0.0, top), (layout.width, row.h), Ink::Ground));
    over.push(line((scale.left, top + row.h), (scale.right, top + row.h), Ink::Grid, 1.0));
    over.append(&mut layers.words);
}

/// Lines through the bands of a run.
fn grid(layers: &mut Layers, layout: &Layout, axis: &Row, ticks: &Ticks, scale: &Scale) {
    let Some((top, bottom)) = layout.grid(axis.panel) else { return };
    for &(nanos, _) in &ticks.at {
        let x = scale.pixel(nanos as f64).round();
        layers.ground.push(line((x, top), (x, axis.y + 4.0), Ink::Grid, 1.0));
        layers.ground.push(line((x, axis.y + axis.h), (x, bottom), Ink::Grid, 1.0));
    }
}

fn numbers(layers: &mut Layers, row: &Row, ticks: &Ticks, scale: &Scale) {
    let y = row.y + row.h / 2.0 + 2.0;
    layers.words.push(text((GUTTER - 16.0, y), ticks.unit, Ink::Muted, NAME, Align::End));
    for (nanos, number) in &ticks.at {
        let x = scale.pixel(*nanos as f64).round();
        let half = words::width(number, NAME) / 2.0;
        if x - half >= GUTTER - 14.0 && x + half <= scale.right + super::MARGIN {
            layers.words.push(text((x, y), number.clone(), Ink::Muted, NAME, Align::Middle));
        }
    }
}

/// The name of a row in the room at the left, where it is high enough for one.
pub(super) fn name(layers: &mut Layers, row: &Row, label: &str) {
    let (y, h) = row.inside();
    if h >= 9.0 {
        let room = GUTTER - 10.0;
        let size = [NAME, NAME - 1.0, NAME - 2.0].into_iter().find(|&size| words::width(label, size) <= room);
        let size = size.unwrap_or(NAME - 1.0);
        let label = fitted(label, room, size);
        layers.words.push(text((GUTTER - 8.0, y + h / 2.0), label, Ink::Muted, size, Align::End));
    }
}
