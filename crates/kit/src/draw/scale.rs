//! A linear scale between an axis and pixels, and round ticks for it.

/// Maps `from..to` of an axis onto `left..right` in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// Axis value at `left`.
    pub from: f64,
    /// Axis value at `right`.
    pub to: f64,
    /// First pixel.
    pub left: f64,
    /// Last pixel.
    pub right: f64,
}

impl Scale {
    /// The pixel of a value.
    pub fn pixel(&self, value: f64) -> f64 {
        self.left + (value - self.from) * self.per_unit()
    }

    /// The value at a pixel.
    pub fn value(&self, pixel: f64) -> f64 {
        self.from + (pixel - self.left) / self.per_unit()
    }

    /// Pixels per unit of the axis.
    pub fn per_unit(&self) -> f64 {
        (self.right - self.left) / (self.to - self.from)
    }
}

/// The smallest of 1, 2, 5, 10, 20, 50... whose ticks are at least `gap` pixels apart.
pub fn tick_step(per_unit: f64, gap: f64) -> f64 {
    let mut step = 1.0;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle().take(60) {
        if step * per_unit >= gap {
            break;
        }
        step *= factor;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let scale = Scale { from: 10.0, to: 30.0, left: 100.0, right: 500.0 };
        assert_eq!(scale.pixel(10.0), 100.0);
        assert_eq!(scale.pixel(30.0), 500.0);
        assert_eq!(scale.value(scale.pixel(17.5)), 17.5);
        assert_eq!(scale.per_unit(), 20.0);
    }

    #[test]
    fn ticks_are_round_and_far_enough_apart() {
        assert_eq!(tick_step(100.0, 40.0), 1.0);
        assert_eq!(tick_step(10.0, 40.0), 5.0);
        assert_eq!(tick_step(3.0, 40.0), 20.0);
        assert_eq!(tick_step(0.01, 40.0), 5_000.0);
        assert!(tick_step(0.0, 40.0).is_finite());
    }
}
