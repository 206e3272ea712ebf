//! Which part of the drawing is in sight, and how large.

use super::Point;

/// Nothing is drawn larger.
const LARGEST: f64 = 3.0;
/// Nothing is drawn smaller.
const SMALLEST: f64 = 0.02;
/// What is made to fit is not blown up beyond this.
const FITTED: f64 = 1.0;
/// Room around what is made to fit, in pixels.
const MARGIN: f64 = 28.0;

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
        let room = |size: f64| (size - 2.0 * MARGIN).max(20.0);
        let (wide, high) = ((right - left).max(1.0), (bottom - top).max(1.0));
        let scale = (room(size.0) / wide).min(room(size.1) / high).clamp(SMALLEST, FITTED);
        let corner = |middle: f64, size: f64| middle - size / scale / 2.0;
        Self { corner: (corner((left + right) / 2.0, size.0), corner((top + bottom) / 2.0, size.1)), scale }
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

    /// As SVG writes it.
    pub fn transform(&self) -> String {
        let (x, y) = self.screen((0.0, 0.0));
        format!("translate({x:?} {y:?}) scale({:?})", self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_in_the_middle() {
        let bounds = [0.0, 0.0, 400.0, 100.0];
        let sight = Sight::fitted(bounds, (256.0, 300.0));
        assert_eq!((sight.scale, sight.screen((200.0, 50.0))), (0.5, (128.0, 150.0)));
        assert!(sight.shows(bounds, (256.0, 300.0)));
        assert!(!sight.panned((100.0, 0.0)).shows(bounds, (256.0, 300.0)));
        assert_eq!(Sight::fitted([0.0; 4], (800.0, 300.0)).scale, FITTED);
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
}
