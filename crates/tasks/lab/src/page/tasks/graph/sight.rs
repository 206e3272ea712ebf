//! Which part of the drawing is in sight, and how large.

use super::Point;

/// Nothing is drawn larger.
const LARGEST: f64 = 3.0;
/// Nothing is drawn smaller.
const SMALLEST: f64 = 0.02;
/// What is made to fit is not blown up beyond this.
const FITTED: f64 = 1.0;
/// Room around what is made to fit, in pixels; on a narrow screen.
const MARGIN: f64 = 28.0;
const NARROW_MARGIN: f64 = 10.0;
/// Windows narrower than this are those of narrow screens.
const NARROW: f64 = 480.0;
/// A window is never lower than this, so that there is room to write in it, and not higher.
const LOWEST: f64 = 208.0;
const HIGHEST: f64 = 512.0;
/// Drawn smaller than this, only names can be read.
const FAR: f64 = 0.6;
/// Letters of names, in pixels: what they are to have from afar, and what they have at hand.
const READ: f64 = 11.0;
const NEAR: f64 = 13.0;

/// What is in sight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sight {
    /// The place of the drawing in the corner at the top left.
    pub corner: Point,
    /// Pixels for one of its units.
    pub scale: f64,
}

impl Default for Sight {
    fn default() -> Self {
        Self { corner: (0.0, 0.0), scale: 1.0 }
    }
}

impl Sight {
    /// Everything within these bounds, in a window of this size, in its middle.
    pub fn fitted([left, top, right, bottom]: [f64; 4], size: Point) -> Self {
        let (wide, high) = ((right - left).max(1.0), (bottom - top).max(1.0));
        let room = |of: f64| (of - 2.0 * margin(size.0)).max(20.0);
        let scale = (room(size.0) / wide).min(room(size.1) / high).clamp(SMALLEST, FITTED);
        let corner = |middle: f64, size: f64| middle - size / scale / 2.0;
        Self { corner: (corner((left + right) / 2.0, size.0), corner((top + bottom) / 2.0, size.1)), scale }
    }

    /// How high a window of this width has to be for everything within these bounds.
    pub fn height([left, top, right, bottom]: [f64; 4], wide: f64) -> f64 {
        let scale = ((wide - 2.0 * margin(wide)).max(20.0) / (right - left).max(1.0)).clamp(SMALLEST, FITTED);
        ((bottom - top) * scale + 2.0 * MARGIN + MARGIN).clamp(LOWEST, HIGHEST).round()
    }

    /// The size of a name's letters in a box of this width, if only names can be read: as large as there is room for.
    pub fn far(&self, letters: usize, wide: f64) -> Option<f64> {
        let room = (wide - 12.0) / (letters.max(1) as f64 * 0.66);
        (self.scale < FAR).then(|| (READ / self.scale).min(room).clamp(NEAR, 34.0).round())
    }

    /// Whether all within these bounds is in sight.
    pub fn shows(&self, [left, top, right, bottom]: [f64; 4], size: Point) -> bool {
        let ((l, t), (r, b)) = (self.screen((left, top)), self.screen((right, bottom)));
        l >= 0.0 && t >= 0.0 && r <= size.0 && b <= size.1
    }

    /// Where a place of the drawing is on the screen.
    pub fn screen(&self, (x, y): Point) -> Point {
        ((x - self.corner.0) * self.scale, (y - self.corner.1) * self.scale)
    }

    /// What is drawn at a place of the screen.
    pub fn drawn(&self, (x, y): Point) -> Point {
        (x / self.scale + self.corner.0, y / self.scale + self.corner.1)
    }

    /// Moved by so many pixels.
    pub fn panned(&self, by: Point) -> Self {
        Self { corner: (self.corner.0 - by.0 / self.scale, self.corner.1 - by.1 / self.scale), ..*self }
    }

    /// Larger by this factor; what is at a place of the screen stays there.
    pub fn zoomed(&self, factor: f64, at: Point) -> Self {
        let fixed = self.drawn(at);
        let scale = (self.scale * factor).clamp(SMALLEST, LARGEST);
        Self { corner: (fixed.0 - at.0 / scale, fixed.1 - at.1 / scale), scale }
    }

    /// Moved so that a place of the drawing is in sight.
    pub fn revealing(&self, place: Point, size: Point) -> Self {
        let (x, y) = self.screen(place);
        let off = |at: f64, size: f64| {
            let edge = MARGIN.min(size / 2.0);
            at.clamp(edge, (size - edge).max(edge)) - at
        };
        self.panned((off(x, size.0), off(y, size.1)))
    }

    /// Moved along with what is dragged out of the window: its place is at the edge.
    pub fn along(&self, place: Point, size: Point) -> Self {
        let (x, y) = self.screen(place);
        self.panned((x.clamp(0.0, size.0.max(0.0)) - x, y.clamp(0.0, size.1.max(0.0)) - y))
    }

    /// As SVG writes it.
    pub fn transform(&self) -> String {
        let (x, y) = self.screen((0.0, 0.0));
        format!("translate({x:?} {y:?}) scale({:?})", self.scale)
    }
}

fn margin(wide: f64) -> f64 {
    if wide < NARROW { NARROW_MARGIN } else { MARGIN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_in_the_middle() {
        let bounds = [0.0, 0.0, 400.0, 100.0];
        let sight = Sight::fitted(bounds, (220.0, 300.0));
        assert_eq!((sight.scale, sight.screen((200.0, 50.0))), (0.5, (110.0, 150.0)));
        assert!(sight.shows(bounds, (220.0, 300.0)));
        assert!(!sight.panned((100.0, 0.0)).shows(bounds, (220.0, 300.0)));
        assert_eq!(Sight::fitted([0.0; 4], (800.0, 300.0)).scale, FITTED);
    }

    #[test]
    fn windows_are_as_high_as_what_is_in_them() {
        assert_eq!(Sight::height([0.0, 0.0, 400.0, 100.0], 1_000.0), LOWEST);
        assert_eq!(Sight::height([0.0, 0.0, 400.0, 300.0], 1_000.0), 384.0);
        assert_eq!(Sight::height([0.0, 0.0, 944.0, 3_000.0], 1_000.0), HIGHEST);
    }

    #[test]
    fn from_afar_names_are_larger() {
        let sight = |scale: f64| Sight { corner: (0.0, 0.0), scale };
        assert_eq!((sight(1.0).far(3, 91.0), sight(0.4).far(3, 91.0)), (None, Some(28.0)));
        assert_eq!(sight(0.1).far(16, 150.0), Some(13.0));
    }

    #[test]
    fn zooming_leaves_the_pointer_where_it_is() {
        let sight = Sight { corner: (10.0, 20.0), scale: 0.5 };
        let zoomed = sight.zoomed(2.0, (30.0, 40.0));
        assert_eq!((zoomed.scale, zoomed.drawn((30.0, 40.0))), (1.0, sight.drawn((30.0, 40.0))));
        assert_eq!(sight.zoomed(1e9, (0.0, 0.0)).scale, LARGEST);
        assert_eq!(zoomed.transform(), "translate(-40.0 -60.0) scale(1.0)");
    }

    #[test]
    fn what_is_selected_comes_into_sight() {
        let sight = Sight::default();
        assert_eq!(sight.revealing((100.0, 100.0), (200.0, 200.0)), sight);
        let moved = sight.revealing((500.0, 100.0), (200.0, 200.0));
        assert_eq!(moved.screen((500.0, 100.0)), (200.0 - MARGIN, 100.0));
    }

    #[test]
    fn what_is_dragged_out_of_the_window_takes_it_along() {
        let sight = Sight { corner: (10.0, 20.0), scale: 0.5 };
        let size = (200.0, 100.0);
        for place in [(10.0, 20.0), (409.0, 219.0)] {
            assert_eq!(sight.along(place, size), sight, "{place:?} is in sight");
        }
        let along = sight.along((510.0, 0.0), size);
        assert_eq!((along.screen((510.0, 0.0)), along.scale), ((200.0, 0.0), 0.5));
    }
}
