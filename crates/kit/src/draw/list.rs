//! The list of marks.

use super::Scale;
use crate::timeline::{Class, WaitKind};

/// What a colour is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ink {
    /// The ground everything is drawn on.
    Ground,
    /// A band that sets rows apart.
    Band,
    /// Grid lines.
    Grid,
    /// Text.
    Text,
    /// Text of less weight.
    Muted,
    /// The selection.
    Accent,
    /// What is proven.
    Proof,
    /// What breaks a promise: a late job, more demand than time.
    Wrong,
    /// The same as a stretch, see-through.
    WrongVeil,
    /// Behind what differs from something that it is compared with.
    Differs,
    /// A frame on what differs from something that it is compared with.
    Changed,
    /// A line of what was pinned, to be compared.
    Pinned,
    /// A range or a wait, see-through.
    Veil,
    /// Over what is still to come: what is beneath fades into the ground.
    Future,
    /// A span of this class.
    Class(Class),
    /// A span of this class at a quarter, a half, three quarters or all of its strength (1 to 4).
    Density(Class, u8),
    /// A value on a scale from the least (0) to the most (8).
    Heat(u8),
    /// Text on a span.
    OnClass,
    /// A wait of this kind.
    Wait(WaitKind),
}

/// Lines across a span, so that classes differ without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hatch {
    /// None.
    None,
    /// The hatch of a class.
    Class(Class),
}

/// Which point of a text stands at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// Something drawn, in pixels from the top left.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A filled rectangle.
    Rect {
        /// Left edge.
        x: f64,
        /// Top edge.
        y: f64,
        /// Width.
        w: f64,
        /// Height.
        h: f64,
        /// Colour.
        ink: Ink,
        /// Hatch over it.
        hatch: Hatch,
    },
    /// The outline of a rectangle.
    Frame {
        /// Left edge.
        x: f64,
        /// Top edge.
        y: f64,
        /// Width.
        w: f64,
        /// Height.
        h: f64,
        /// Colour.
        ink: Ink,
        /// Line width.
        line: f64,
    },
    /// A straight line.
    Line {
        /// From here.
        from: (f64, f64),
        /// To here.
        to: (f64, f64),
        /// Colour.
        ink: Ink,
        /// Line width.
        line: f64,
    },
    /// Text, vertically centred on its position.
    Text {
        /// Position.
        x: f64,
        /// Middle of the line.
        y: f64,
        /// The text.
        text: String,
        /// Colour.
        ink: Ink,
        /// Size of the font.
        size: f64,
        /// Which end stands at `x`.
        align: Align,
    },
}

impl Mark {
    /// The same, so much further down.
    #[must_use]
    pub fn moved(mut self, by: f64) -> Self {
        match &mut self {
            Self::Rect { y, .. } | Self::Frame { y, .. } | Self::Text { y, .. } => *y += by,
            Self::Line { from, to, .. } => {
                from.1 += by;
                to.1 += by;
            }
        }
        self
    }
}

/// No selected stretch is drawn narrower.
const NARROWEST: f64 = 3.0;

/// A picture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DrawList {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// What is on it, bottom first.
    pub marks: Vec<Mark>,
}

impl DrawList {
    /// An empty picture.
    pub fn new(width: f64, height: f64) -> Self {
        Self { width, height, marks: Vec::new() }
    }

    /// Adds a filled rectangle without a hatch.
    pub fn rect(&mut self, (x, y): (f64, f64), (w, h): (f64, f64), ink: Ink) {
        self.marks.push(Mark::Rect { x, y, w, h, ink, hatch: Hatch::None });
    }

    /// Lays a veil over a stretch of the axis, as far as it is in sight; wide enough to be seen.
    pub fn veil(&mut self, scale: &Scale, (from, to): (f64, f64), (top, bottom): (f64, f64)) {
        let clip = |at: f64| scale.pixel(at).clamp(scale.left, scale.right);
        let (left, right) = (clip(from.min(to)), clip(from.max(to)));
        let seen = from.max(to) >= scale.from && from.min(to) <= scale.to;
        let wide = (right - left).max(if seen { NARROWEST } else { 0.0 });
        let middle = (left + right) / 2.0;
        let left = (middle - wide / 2.0).min(scale.right - wide).max(scale.left);
        self.rect((left, top), (wide, bottom - top), Ink::Veil);
    }

    /// Adds a line one pixel wide.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink) {
        self.marks.push(Mark::Line { from, to, ink, line: 1.0 });
    }

    /// Adds a text.
    pub fn text(&mut self, (x, y): (f64, f64), text: impl Into<String>, ink: Ink, size: f64, align: Align) {
        self.marks.push(Mark::Text { x, y, text: text.into(), ink, size, align });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_seen_however_short_it_is() {
        let scale = Scale { from: 0.0, to: 1000.0, left: 100.0, right: 200.0 };
        let veil = |from: f64, to: f64| {
            let mut list = DrawList::new(300.0, 10.0);
            list.veil(&scale, (from, to), (0.0, 10.0));
            let Some(Mark::Rect { x, w, .. }) = list.marks.first() else { unreachable!("one rectangle") };
            (*x, *w)
        };
        assert_eq!(veil(200.0, 400.0), (120.0, 20.0));
        assert_eq!(veil(501.0, 500.0).1, 3.0);
        // At the edges it is as wide, and within them; what is out of sight is not there.
        assert_eq!((veil(0.0, 1.0), veil(999.0, 1000.0)), ((100.0, 3.0), (197.0, 3.0)));
        assert_eq!((veil(-9.0, -8.0).1, veil(2000.0, 2001.0).1), (0.0, 0.0));
    }
}
