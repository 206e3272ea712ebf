//! What is selected, and what it has to do with.

use super::{AXIS, Look, inset};
use crate::page::packed::Lane;
use crate::page::run::{Bar, Run};
use kit::draw::Scale;
use kit::draw::list::{DrawList, Ink, Mark};

/// Draws that.
pub(super) fn marked(list: &mut DrawList, run: &Run, look: &Look, scale: &Scale, top: &dyn Fn(usize) -> f64) {
    let clip = |x: f64| x.clamp(scale.left, scale.right);
    let high = look.row_height(run);
    if let Some(range) = look.range {
        let (above, below) = range.rows.map_or((AXIS, look.height), |(first, last)| {
            (top(first).max(AXIS), (top(last) + high).clamp(AXIS, look.height))
        });
        list.veil(scale, (range.from, range.to), (above, below));
    }
    let frame = |list: &mut DrawList, bar: &Bar, ink: Ink| {
        let (left, right) = (scale.pixel(bar.start), scale.pixel(bar.end));
        if right >= scale.left && left <= scale.right {
            let (left, right) = (clip(left), clip(right));
            let (y, h) = inset(run.rows[bar.row].lane, (top(bar.row), high));
            list.marks.push(Mark::Frame {
                x: left - 1.0,
                y: y - 1.0,
                w: (right - left).max(1.0) + 2.0,
                h: h + 2.0,
                ink,
                line: 2.0,
            });
        }
    };
    let Some(bar) = &look.selected else { return };
    let middle = |row: usize| top(row) + high / 2.0;
    if let Some(earliest) = look.earliest.filter(|&time| time < bar.start) {
        let (left, right) = (clip(scale.pixel(earliest)), clip(scale.pixel(bar.start)));
        if right > left {
            list.rect((left, middle(bar.row) - 2.0), (right - left, 4.0), Ink::Veil);
            list.line((left, top(bar.row) + 2.0), (left, top(bar.row) + high - 2.0), Ink::Accent);
        }
    }
    if let Some(witness) = &look.witness {
        frame(list, witness, Ink::Proof);
        let thread = run.rows[witness.row].lane == Lane::Thread;
        let (from, to) =
            (scale.pixel(if thread { witness.start } else { witness.end }), scale.pixel(bar.start));
        if from.max(to) >= scale.left && from.min(to) <= scale.right {
            let (from, to) = (clip(from), clip(to));
            list.marks.push(Mark::Line {
                from: (from, middle(witness.row)),
                to: (to, middle(bar.row)),
                ink: Ink::Proof,
                line: 1.5,
            });
        }
    }
    frame(list, bar, Ink::Accent);
}
