//! The part of an axis that is shown: zoomed and panned, never beyond the ends.

/// From `t0` to `t1` of an axis that runs from 0 to `end`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// Left edge.
    pub t0: f64,
    /// Right edge.
    pub t1: f64,
    /// The end of the axis.
    pub end: f64,
}

/// A stretch of an axis that is selected, in all rows of a picture or in some.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// The first and the last of its rows; none where it is in all.
    pub rows: Option<(usize, usize)>,
}

impl Stretch {
    /// In all rows.
    pub fn new(from: f64, to: f64) -> Self {
        Self { from: from.min(to), to: from.max(to), rows: None }
    }

    /// Whether it is in a row.
    pub fn holds(&self, row: usize) -> bool {
        self.rows.is_none_or(|(first, last)| (first..=last).contains(&row))
    }
}

/// The first and the last of rows that lie between two heights; each row comes with its top and its height.
pub fn rows_between(
    rows: impl Iterator<Item = (usize, f64, f64)>,
    (top, bottom): (f64, f64),
) -> Option<(usize, usize)> {
    let met = rows.filter(|(_, own, high)| *own < bottom && own + high > top).map(|(row, ..)| row);
    met.fold(None, |met: Option<(usize, usize)>, row| {
        Some(met.map_or((row, row), |(first, last)| (first.min(row), last.max(row))))
    })
}

/// The narrowest window.
const NARROWEST: f64 = 4.0;

impl Window {
    /// All of the axis.
    pub fn whole(end: f64) -> Self {
        Self { t0: 0.0, t1: end.max(1.0), end: end.max(1.0) }
    }

    /// A window as a link gives it, brought within the axis.
    pub fn given(t0: f64, t1: f64, end: f64) -> Self {
        if t1 > t0 { Self { t0, t1, end: end.max(1.0) }.clamped() } else { Self::whole(end) }
    }

    /// The same window on an axis that ends elsewhere; all of it where it was all of it.
    #[must_use]
    pub fn on_axis(&self, end: f64) -> Self {
        if self.is_whole() { Self::whole(end) } else { Self::given(self.t0, self.t1, end) }
    }

    /// A stretch fills it, with a little beside it.
    #[must_use]
    pub fn fitting(&self, from: f64, to: f64) -> Self {
        let beside = ((to - from) * 0.05).max(0.5);
        Self::given(from - beside, to + beside, self.end)
    }

    /// Its width.
    pub fn width(&self) -> f64 {
        self.t1 - self.t0
    }

    /// Whether it shows everything.
    pub fn is_whole(&self) -> bool {
        self.t0 <= 0.0 && self.t1 >= self.end
    }

    /// Narrower (`factor` under 1) or wider, with the axis value `at` staying where it is.
    #[must_use]
    pub fn zoomed(&self, factor: f64, at: f64) -> Self {
        let width = (self.width() * factor).clamp(NARROWEST.min(self.end), self.end);
        let share = ((at - self.t0) / self.width()).clamp(0.0, 1.0);
        let t0 = at.clamp(self.t0, self.t1) - share * width;
        Self { t0, t1: t0 + width, ..*self }.clamped()
    }

    /// The same about what is looked at if that is in sight, else about the middle.
    #[must_use]
    pub fn zoomed_about(&self, factor: f64, about: Option<f64>) -> Self {
        let seen = about.filter(|at| (self.t0..=self.t1).contains(at));
        self.zoomed(factor, seen.unwrap_or((self.t0 + self.t1) / 2.0))
    }

    /// Moved along the axis.
    #[must_use]
    pub fn panned(&self, by: f64) -> Self {
        Self { t0: self.t0 + by, t1: self.t1 + by, ..*self }.clamped()
    }

    /// Moved so that `at` is in the middle.
    #[must_use]
    pub fn centred(&self, at: f64) -> Self {
        self.panned(at - (self.t0 + self.t1) / 2.0)
    }

    /// Moved just so far that the stretch from `from` to `to` can be seen.
    #[must_use]
    pub fn revealing(&self, from: f64, to: f64) -> Self {
        if from < self.t0 {
            self.panned(from - self.t0)
        } else if to > self.t1 {
            self.panned(to - self.t1)
        } else {
            *self
        }
    }

    fn clamped(&self) -> Self {
        let width = self.width().clamp(NARROWEST.min(self.end), self.end);
        let t0 = self.t0.clamp(0.0, self.end - width);
        Self { t0, t1: t0 + width, end: self.end }
    }
}

/// The whole cycles that a stretch of an axis touches, one at least, as edges from 0 to the end.
pub fn whole_cycles(end: f64, from: f64, to: f64) -> (f64, f64) {
    let end = end.max(1.0);
    let first = from.min(to).clamp(0.0, end - 1.0).floor();
    (first, from.max(to).clamp(first + 1.0, end).ceil())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_touches_whole_cycles() {
        assert_eq!(whole_cycles(10.0, 2.5, 4.0), (2.0, 4.0));
        assert_eq!(whole_cycles(10.0, 4.2, 2.0), (2.0, 5.0));
        assert_eq!([whole_cycles(10.0, 3.0, 3.0), whole_cycles(10.0, 10.0, 10.0)], [(3.0, 4.0), (9.0, 10.0)]);
        assert_eq!(whole_cycles(0.0, 0.0, 0.0), (0.0, 1.0));
    }

    #[test]
    fn what_is_out_of_sight_is_not_zoomed_about() {
        let window = Window::given(20.0, 60.0, 100.0);
        assert_eq!(window.zoomed_about(0.5, Some(30.0)), window.zoomed(0.5, 30.0));
        for out in [None, Some(19.9), Some(60.1), Some(f64::NAN)] {
            assert_eq!(window.zoomed_about(0.5, out), window.zoomed(0.5, 40.0));
        }
    }

    #[test]
    fn zooming_keeps_the_pointer_where_it_is() {
        let window = Window::whole(100.0).zoomed(0.5, 20.0);
        assert_eq!((window.t0, window.t1), (10.0, 60.0));
        assert_eq!((20.0 - window.t0) / window.width(), 0.2);
    }

    #[test]
    fn nothing_leaves_the_axis() {
        let window = Window::whole(100.0).zoomed(0.1, 100.0);
        assert_eq!((window.t0, window.t1), (90.0, 100.0));
        assert_eq!(window.panned(50.0), window);
        assert_eq!(window.panned(-500.0).t0, 0.0);
        assert!(window.zoomed(100.0, 95.0).is_whole());
        assert!(Window::whole(100.0).zoomed(1e-9, 50.0).width() >= 4.0);
        assert!(Window::given(5.0, 1.0, 10.0).is_whole());
        assert_eq!(Window::given(-5.0, 5.0, 10.0).t0, 0.0);
        assert_eq!(Window::whole(2.0).zoomed(0.5, 1.0).width(), 2.0);
    }

    #[test]
    fn revealing_moves_no_further_than_needed() {
        let window = Window { t0: 10.0, t1: 20.0, end: 100.0 };
        assert_eq!(window.revealing(12.0, 13.0), window);
        assert_eq!(window.revealing(25.0, 26.0).t1, 26.0);
        assert_eq!(window.revealing(3.0, 4.0).t0, 3.0);
        assert_eq!(window.centred(50.0).t0, 45.0);
    }
}
