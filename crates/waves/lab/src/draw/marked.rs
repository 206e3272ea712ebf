//! What is lit, what is selected, and the line from a wait to its witness.

use super::rows::inset;
use super::{AXIS, Look, Place, Placed};
use crate::page::Held;
use crate::page::packed::Kind;
use crate::page::run::{Bar, Run};
use kit::draw::Scale;
use kit::draw::list::{DrawList, Ink, Mark};

/// More lit bars than this for each pixel of a row are drawn as columns.
const CLOSE: f64 = 0.25;
/// The width of such a column.
const COLUMN: f64 = 3.0;

/// Draws that, over everything as it stands.
pub(super) fn marked(list: &mut DrawList, run: &Run, look: &Look, scale: &Scale, places: &[Placed]) {
    let rows = || {
        let row = |own: &Placed| match own.what {
            Place::Row(row) => Some((row, (own.top, own.high))),
            Place::Engine(_) | Place::Lane(_) => None,
        };
        places.iter().filter_map(row)
    };
    let mut tops = vec![(0.0, 0.0); run.rows.len()];
    rows().for_each(|(row, place)| tops[row] = place);
    if let Some(line) = look.line {
        for (row, place) in rows().filter(|(_, (top, high))| top + high > AXIS && *top < look.height) {
            lit(list, run, (line, row), scale, place);
        }
    }
    let clip = |x: f64| x.clamp(scale.left, scale.right);
    let frame = |list: &mut DrawList, bar: &Bar, ink: Ink| {
        let (left, right) = (scale.pixel(bar.start), scale.pixel(bar.end));
        if right >= scale.left && left <= scale.right {
            let (y, h) = inset(tops[bar.row]);
            let (left, right) = (clip(left), clip(right));
            let (x, w) = (left - 1.0, (right - left).max(1.0) + 2.0);
            list.marks.push(Mark::Frame { x, y: y - 1.0, w, h: h + 2.0, ink, line: 2.0 });
        }
    };
    let waits = look.waits.filter(|bar| matches!(bar.kind, Kind::Wait(_)));
    if let Some((bar, witness)) = waits.and_then(|bar| Some((bar, run.witness(bar.place)?))) {
        frame(list, &witness, Ink::Proof);
        let middle = |row: usize| (tops[row].0 + tops[row].1 / 2.0).max(AXIS);
        // From the end of what was waited for to the end of the wait, or to where the line leaves the picture.
        let (from, to) = (scale.pixel(witness.end), scale.pixel(bar.end));
        if from.max(to) >= scale.left && from.min(to) <= scale.right {
            list.marks.push(Mark::Line {
                from: (clip(from), middle(witness.row)),
                to: (clip(to), middle(bar.row)),
                ink: Ink::Proof,
                line: 1.5,
            });
        }
    }
    if let Some(bar) = &look.selected {
        frame(list, bar, Ink::Accent);
        for own in places {
            let Place::Lane(lane) = own.what else { continue };
            // Where it holds its unit, too.
            let is = |held: &Held| held.by == Some(bar.place);
            if let Some(held) = run.lanes.within(lane, bar.start, bar.end).find(is) {
                let (left, right) = (clip(scale.pixel(held.from)), clip(scale.pixel(held.to)));
                if right > scale.left && left < scale.right {
                    let (x, w) = (left - 1.0, (right - left).max(1.0) + 2.0);
                    let (y, h, ink) = (own.top, own.high, Ink::Accent);
                    list.marks.push(Mark::Frame { x, y, w, h, ink, line: 2.0 });
                }
            }
        }
    }
}

/// A line beneath and above every stretch of a line of code in a row.
fn lit(list: &mut DrawList, run: &Run, (line, row): (usize, usize), scale: &Scale, (top, high): (f64, f64)) {
    let mut put = |from: f64, to: f64| {
        let (left, right) = (scale.pixel(from).max(scale.left), scale.pixel(to).min(scale.right));
        if right >= scale.left && left <= scale.right {
            let w = (right - left).max(2.0);
            list.rect((left, top), (w, 2.0), Ink::Accent);
            list.rect((left, top + high - 2.0), (w, 2.0), Ink::Accent);
        }
    };
    let all = run.lit(line, row, scale.from, scale.to);
    if all.len() as f64 <= (scale.right - scale.left) * CLOSE {
        for &place in all {
            let bar = run.bar(row, place as usize);
            put(bar.start, bar.end);
        }
        return;
    }
    // As many as columns, at most: of each the first, then those beyond it.
    let wide = COLUMN / scale.per_unit();
    let mut at = 0;
    while let Some(&place) = all.get(at) {
        let bar = run.bar(row, place as usize);
        put(bar.start, bar.end);
        let edge = bar.end.max(bar.start + wide);
        at += 1 + all[at + 1..].partition_point(|&place| run.bar(row, place as usize).start < edge);
    }
}
