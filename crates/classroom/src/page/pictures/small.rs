//! Drawing one: the picture of the lab without its words, fitted into a frame of one size.

use serde_json::Value;

use kit::draw::{DrawList, Hatch, Mark};
use kit::page::Subject;
use kit::page::paper::{Cut, HIGH, MOST_MARKS, WIDE};

/// The picture of a document and the line of its report; none where there is nothing to draw.
pub fn picture(document: &Value, line: &str) -> Option<DrawList> {
    let (list, part) = labs::small(Subject::of(document)?, document, line)?;
    Some(fitted(&list, part)).filter(|list| (2..=MOST_MARKS).contains(&list.marks.len()))
}

/// A part of a picture without its words, stretched over the frame.
fn fitted(list: &DrawList, (left, top, right, bottom): Cut) -> DrawList {
    let (sx, sy) = (WIDE / (right - left).max(1.0), HIGH / (bottom - top).max(1.0));
    let x = |value: f64| ((value - left) * sx).clamp(0.0, WIDE);
    let y = |value: f64| ((value - top) * sy).clamp(0.0, HIGH);
    let fit = |mark: &Mark| match mark {
        Mark::Rect { x: x0, y: y0, w, h, ink, hatch: _ } => {
            let (from, to) = ((x(*x0), y(*y0)), (x(x0 + w), y(y0 + h)));
            let (w, h) = (to.0 - from.0, to.1 - from.1);
            let seen = w > 0.0 && h > 0.0;
            seen.then_some(Mark::Rect { x: from.0, y: from.1, w, h, ink: *ink, hatch: Hatch::None })
        }
        Mark::Frame { x: x0, y: y0, w, h, ink, line } => {
            let (from, to) = ((x(*x0), y(*y0)), (x(x0 + w), y(y0 + h)));
            let (w, h) = (to.0 - from.0, to.1 - from.1);
            Some(Mark::Frame { x: from.0, y: from.1, w, h, ink: *ink, line: *line })
        }
        Mark::Line { from, to, ink, line } => {
            let (from, to) = ((x(from.0), y(from.1)), (x(to.0), y(to.1)));
            (from != to).then_some(Mark::Line { from, to, ink: *ink, line: *line })
        }
        Mark::Text { .. } => None,
    };
    let marks = list.marks.iter().filter_map(fit).collect();
    DrawList { width: WIDE, height: HIGH, marks }
}
