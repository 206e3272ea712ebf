//! The line of an edge: smooth, level where it meets something, and marked with an arrow at its end.

use std::fmt::Write;

use super::Point;

/// An edge that leads back by more than this goes round below.
const BACK: f64 = 12.0;
/// How far one that leads back swings out.
const SWING: f64 = 90.0;
/// And never further than this.
const FURTHEST: f64 = 400.0;

/// The line of an edge.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wire {
    /// The line, as SVG writes paths.
    pub line: String,
    /// Its arrow.
    pub arrow: String,
    /// Where its number stands.
    pub label: Point,
}

/// Half the width and half the height of what is joined.
pub(super) type Half = (f64, f64);

/// The line from one vertex to another through some places; `arrow` is how long its arrow is.
pub(super) fn wire(from: Point, to: Point, bends: &[Point], half: Half, arrow: f64) -> Wire {
    let (start, tip) = ((from.0 + half.0, from.1), (to.0 - half.0, to.1));
    let end = (tip.0 - arrow * 0.8, tip.1);
    let mut line = format!("M{}", pair(start));
    let label;
    if from == to {
        let (far, up) = (half.0 + SWING / 2.0, half.1 + SWING / 2.0);
        curve(&mut line, (from.0 + far, from.1 - up), (from.0 - far, from.1 - up), end);
        label = (from.0, from.1 - up * 0.75);
    } else if end.0 < start.0 - BACK && bends.is_empty() {
        let level = (start.1 - end.1).abs() < half.1 * 3.0;
        // The further, the more there may be in between.
        let swing = SWING.max(half.1 * 2.5).max((start.0 - end.0) * 0.3).min(FURTHEST);
        let swing = if level { swing } else { 0.0 };
        let out = SWING * 0.8;
        curve(&mut line, (start.0 + out, start.1 + swing), (end.0 - out, end.1 + swing), end);
        label = ((start.0 + end.0) / 2.0, (start.1 + end.1) / 2.0 + swing * 0.75);
    } else {
        let mut last = start;
        for &bend in bends {
            smooth(&mut line, last, (bend.0 - half.0, bend.1));
            last = (bend.0 + half.0, bend.1);
            // Writing to a text cannot fail.
            let _ = write!(line, "H{}", whole(last.0));
        }
        smooth(&mut line, last, end);
        // Not in the middle, where edges cross.
        label = bends.get(bends.len() / 2).copied().unwrap_or_else(|| along(start, end, 0.38));
    }
    let wing = arrow * 0.45;
    let arrow = format!(
        "M{}L{}L{}z",
        pair(tip),
        pair((tip.0 - arrow, tip.1 - wing)),
        pair((tip.0 - arrow, tip.1 + wing))
    );
    Wire { line, arrow, label }
}

/// The line that follows a pointer.
pub fn band(from: Point, to: Point) -> String {
    format!("M{}L{}", pair(from), pair(to))
}

fn smooth(line: &mut String, from: Point, to: Point) {
    let middle = (from.0 + to.0) / 2.0;
    curve(line, (middle, from.1), (middle, to.1), to);
}

/// A place on the smooth line, by the share of its way.
fn along(from: Point, to: Point, share: f64) -> Point {
    let middle = (from.0 + to.0) / 2.0;
    let rest = 1.0 - share;
    let (first, inner, last) = (rest.powi(3), 3.0 * rest * share, share.powi(3));
    let steep = rest * rest * (rest + 3.0 * share);
    (first * from.0 + inner * middle + last * to.0, steep * from.1 + (1.0 - steep) * to.1)
}

fn curve(line: &mut String, first: Point, second: Point, end: Point) {
    let _ = write!(line, "C{} {} {}", pair(first), pair(second), pair(end));
}

fn pair((x, y): Point) -> String {
    format!("{},{}", whole(x), whole(y))
}

/// Whole pixels are fine enough, and short.
fn whole(number: f64) -> i64 {
    number.clamp(-1e9, 1e9).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Half = (50.0, 24.0);

    #[test]
    fn edges_are_level_where_they_meet_something() {
        let straight = wire((0.0, 0.0), (200.0, 40.0), &[], HALF, 10.0);
        assert_eq!(straight.line, "M50,0C96,0 96,40 142,40");
        assert_eq!(straight.arrow, "M150,40L140,36L140,45z");
        let (x, y) = straight.label;
        assert!((50.0..100.0).contains(&x) && (0.0..20.0).contains(&y), "{x} {y}");
        let bent = wire((0.0, 0.0), (400.0, 0.0), &[(200.0, 60.0)], HALF, 10.0);
        assert_eq!(bent.line, "M50,0C100,0 100,60 150,60H250C296,60 296,0 342,0");
        assert_eq!(bent.label, (200.0, 60.0));
    }

    #[test]
    fn edges_that_lead_back_go_round_below() {
        let back = wire((200.0, 0.0), (0.0, 0.0), &[], HALF, 10.0);
        assert!(back.label.1 > HALF.1, "{back:?}");
        let up = wire((0.0, 0.0), (0.0, 0.0), &[], HALF, 10.0);
        assert!(up.label.1 < -HALF.1);
    }

    #[test]
    fn labels_stand_on_their_lines() {
        assert_eq!(along((0.0, 0.0), (10.0, 10.0), 0.5), (5.0, 5.0));
        assert_eq!(
            (along((0.0, 1.0), (9.0, 4.0), 0.0), along((0.0, 1.0), (9.0, 4.0), 1.0)),
            ((0.0, 1.0), (9.0, 4.0))
        );
    }
}
