//! The bars of a row: each by itself where there is room, else as how much of each column they cover.

use super::{COLUMN, Drawer, inset, of_bar};
use crate::page::columns::Shown;
use crate::page::packed::Lane;
use crate::page::run::Run;
use kit::draw::list::{Align, DrawList, Hatch, Ink, Mark};
use kit::draw::{Scale, words};
use kit::timeline::columns::{Columns, level, meeting, width};

/// More bars in sight than this for each pixel are drawn as columns.
const CLOSE: f64 = 0.25;
/// Bars narrower than this have no room for a name.
const NAMED: f64 = 28.0;
const SIZE: f64 = 11.0;

/// Columns beside each other that show the same, from one to before another.
pub(super) type Stretch = (Shown, i64, i64);

/// Draws the bars of a row.
pub(super) fn bars(
    list: &mut DrawList,
    run: &Run,
    row: usize,
    scale: &Scale,
    place: (f64, f64),
    drawer: &mut Drawer,
) {
    let inside = run.within(row, scale.from, scale.to);
    if inside.len() as f64 > ((scale.right - scale.left) * CLOSE).max(1.0) {
        found(run, row, scale, &mut drawer.columns, &mut drawer.stretches);
        return dense(list, run.rows[row].lane, scale, place, &drawer.stretches);
    }
    let (lane, (top, high)) = (run.rows[row].lane, place);
    let (y, h) = inset(lane, place);
    let edges =
        |start: f64, end: f64| (scale.pixel(start).max(scale.left), scale.pixel(end).min(scale.right));
    // Names come after all bars, so that a canvas seldom changes its colour.
    for place in inside.clone() {
        let bar = run.bar(row, place);
        let (left, right) = edges(bar.start, bar.end);
        if right < scale.left || left > scale.right {
            continue;
        }
        let (ink, hatch) = of_bar(lane, bar.kind);
        list.marks.push(Mark::Rect { x: left, y, w: shown(left, right), h, ink, hatch });
    }
    for place in inside {
        let bar = run.bar(row, place);
        let (left, right) = edges(bar.start, bar.end);
        if shown(left, right) > NAMED {
            let ink = match of_bar(lane, bar.kind).0 {
                Ink::Class(_) => Ink::OnClass,
                _ => Ink::Text,
            };
            let text = words::fitted(run.text(&bar), shown(left, right) - 8.0, SIZE);
            if !text.is_empty() {
                list.text((left + 4.0, top + high / 2.0), text, ink, SIZE, Align::Start);
            }
        }
    }
}

/// How wide a bar is drawn: with a gap before its neighbour, where there is room for it.
fn shown(left: f64, right: f64) -> f64 {
    (right - left - f64::from(right - left > 4.0)).max(1.0)
}

/// The columns in sight, those beside each other that show the same as one.
fn found(run: &Run, row: usize, scale: &Scale, columns: &mut Columns<Shown>, found: &mut Vec<Stretch>) {
    found.clear();
    let level = level(COLUMN / scale.per_unit());
    let which = meeting(level, scale.from, scale.to);
    let work = |which, put: &mut Vec<Shown>| run.columns(row, width(level), which, |shown| put.push(shown));
    for (&shown, column) in columns.of(row, level, which.clone(), work).iter().zip(which) {
        match found.last_mut() {
            Some((last, _, end)) if *last == shown && *end == column => *end = column + 1,
            _ if shown == Shown::NONE => {}
            _ => found.push((shown, column, column + 1)),
        }
    }
}

/// Draws columns in the colour of what is longest in them, one colour after the other.
fn dense(list: &mut DrawList, lane: Lane, scale: &Scale, place: (f64, f64), found: &[Stretch]) {
    let wide = width(level(COLUMN / scale.per_unit()));
    let pixel = |column: i64| scale.pixel(column as f64 * wide).clamp(scale.left, scale.right);
    let (y, h) = inset(lane, place);
    let mut next = found.iter().map(|one| one.0).min();
    while let Some(shown) = next {
        let (ink, hatch, part) = of_column(lane, shown);
        for (_, from, to) in found.iter().filter(|one| one.0 == shown) {
            let (x, right) = (pixel(*from), pixel(*to));
            list.marks.push(Mark::Rect { x, y: y + h * (1.0 - part), w: right - x, h: h * part, ink, hatch });
        }
        next = found.iter().map(|one| one.0).filter(|&one| one > shown).min();
    }
}

/// The colour and hatch of a column, and how much of the row's height it takes.
fn of_column(lane: Lane, shown: Shown) -> (Ink, Hatch, f64) {
    let (kind, quarters) = shown.parts().unwrap_or_default();
    let (ink, hatch) = of_bar(lane, kind);
    let hatch = if quarters >= 4 { hatch } else { Hatch::None };
    // Idle time has as many colours as causes: how much of it there is shows in the height.
    match ink {
        ink if lane == Lane::Idle => (ink, hatch, f64::from(quarters) / 4.0),
        Ink::Class(class) => (Ink::Density(class, quarters), hatch, 1.0),
        ink => (ink, hatch, 1.0),
    }
}
