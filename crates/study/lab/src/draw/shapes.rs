//! The colour and the shape of each series: six of both, so that none is told by its colour alone.

use kit::draw::list::{Hatch, Ink, Mark};

use crate::scenario::Kind;

/// Half the width of a shape.
const HALF: f64 = 3.5;

/// The colour of a series.
pub(super) fn ink(series: usize) -> Ink {
    Ink::Class((series % 6) as u8)
}

/// The same, paler: 1 to 3.
pub(super) fn pale(series: usize, strength: u8) -> Ink {
    Ink::Density((series % 6) as u8, strength)
}

/// The shape of a series at a place.
pub fn shape(series: usize, (x, y): (f64, f64), out: &mut Vec<Mark>) {
    let ink = ink(series);
    let mut line = |from: (f64, f64), to: (f64, f64)| {
        out.push(Mark::Line { from: (x + from.0, y + from.1), to: (x + to.0, y + to.1), ink, line: 2.0 });
    };
    let h = HALF;
    match series % 6 {
        0 => {
            let (w, hatch) = (2.0 * h, Hatch::None);
            out.push(Mark::Rect { x: x - h, y: y - h, w, h: w, ink, hatch });
        }
        1 => {
            line((-h - 0.5, 0.0), (h + 0.5, 0.0));
            line((0.0, -h - 0.5), (0.0, h + 0.5));
        }
        2 => {
            line((0.0, -h - 1.0), (h + 1.0, h));
            line((h + 1.0, h), (-h - 1.0, h));
            line((-h - 1.0, h), (0.0, -h - 1.0));
        }
        3 => {
            line((-h, -h), (h, h));
            line((-h, h), (h, -h));
        }
        4 => {
            let ends = [(0.0, -h - 1.0), (h + 1.0, 0.0), (0.0, h + 1.0), (-h - 1.0, 0.0)];
            for at in 0..4 {
                line(ends[at], ends[(at + 1) % 4]);
            }
        }
        _ => out.push(Mark::Frame { x: x - h, y: y - h, w: 2.0 * h, h: 2.0 * h, ink, line: 2.0 }),
    }
}

/// What a legend shows of a series, from a place to the right.
pub(super) fn sample(kind: Kind, series: usize, (x, y): (f64, f64), out: &mut Vec<Mark>) {
    match kind {
        Kind::Line => {
            out.push(Mark::Line { from: (x, y), to: (x + 20.0, y), ink: ink(series), line: 2.0 });
            shape(series, (x + 10.0, y), out);
        }
        Kind::Box => {
            let hatch = Hatch::Class((series % 6) as u8);
            out.push(Mark::Rect { x: x + 2.0, y: y - 6.0, w: 16.0, h: 12.0, ink: ink(series), hatch });
        }
        Kind::Scatter | Kind::Heat => shape(series, (x + 10.0, y), out),
    }
}
