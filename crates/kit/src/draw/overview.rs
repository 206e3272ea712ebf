//! The whole of a picture in a low strip: how much goes on when, and the window that is in sight.
//!
//! Invariant: a strip has a bounded number of marks, however many stretches its profile was made of.

use super::list::{DrawList, Ink, Mark};
use super::scale::Scale;
use crate::page::Window;
use crate::timeline::Class;

/// Height of a strip.
pub const HEIGHT: f64 = 28.0;
/// Columns of a profile.
const COLUMNS: usize = 400;
/// Colours that classes may have.
const CLASSES: usize = 6;
/// The narrowest frame around what is in sight, in pixels.
const NARROWEST: f64 = 6.0;

/// How much of each class goes on in each column of an axis from 0 to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    end: f64,
    columns: Vec<[f64; CLASSES]>,
}

/// Something that goes on from one time to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Where it starts.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// Its colour.
    pub class: Class,
    /// How much it counts.
    pub weight: f64,
}

impl Profile {
    /// The profile of what goes on, in any order, in time linear in how many stretches there are.
    pub fn of(end: f64, stretches: impl IntoIterator<Item = Stretch>) -> Self {
        let end = end.max(f64::MIN_POSITIVE);
        let per_unit = COLUMNS as f64 / end;
        // What changes from column to column, besides what columns have at the ends of a stretch.
        let mut columns = vec![[0.0; CLASSES]; COLUMNS];
        let mut changes = vec![[0.0; CLASSES]; COLUMNS + 1];
        for Stretch { from, to, class, weight } in stretches {
            let class = usize::from(class) % CLASSES;
            let known = !from.is_nan() && !to.is_nan();
            let (from, to) = ((from * per_unit).max(0.0), (to * per_unit).min(COLUMNS as f64));
            if !known || to <= from {
                continue;
            }
            let (first, last) = ((from as usize).min(COLUMNS - 1), (to as usize).min(COLUMNS - 1));
            if first == last {
                columns[first][class] += weight * (to - from);
                continue;
            }
            columns[first][class] += weight * (first as f64 + 1.0 - from);
            columns[last][class] += weight * (to - last as f64);
            changes[first + 1][class] += weight;
            changes[last][class] -= weight;
        }
        let mut now = [0.0; CLASSES];
        for (column, change) in columns.iter_mut().zip(&changes) {
            for class in 0..CLASSES {
                now[class] += change[class];
                column[class] = (column[class] + now[class]).max(0.0);
            }
        }
        Self { end, columns }
    }

    /// The most that goes on in any column.
    fn most(&self) -> f64 {
        self.columns.iter().map(|column| column.iter().sum()).fold(0.0, f64::max)
    }
}

/// Draws profiles one above the other, each as high as what goes on at a time.
pub fn draw(profiles: &[Profile], width: f64, scale: &Scale) -> DrawList {
    let mut list = DrawList::new(width, HEIGHT);
    list.rect((0.0, 0.0), (width, HEIGHT), Ink::Ground);
    list.rect((scale.left, 0.0), (scale.right - scale.left, HEIGHT), Ink::Band);
    let high = HEIGHT / profiles.len().max(1) as f64;
    for (i, profile) in profiles.iter().enumerate() {
        let (bottom, most) = ((i + 1) as f64 * high - 1.0, profile.most());
        let unit = if most > 0.0 { (high - 3.0).max(1.0) / most } else { 0.0 };
        let mut heights = vec![0.0; COLUMNS];
        // Colour by colour, so that a canvas changes its colour as rarely as possible.
        for class in 0..CLASSES {
            for (column, (amounts, below)) in profile.columns.iter().zip(&mut heights).enumerate() {
                let h = amounts[class] * unit;
                if h > 0.01 {
                    let at = |column: usize| scale.pixel(column as f64 * profile.end / COLUMNS as f64);
                    let (x, to) = (at(column), at(column + 1).min(scale.right));
                    list.rect((x, bottom - *below - h), (to - x, h), Ink::Class(class as Class));
                    *below += h;
                }
            }
        }
    }
    list
}

/// Dims what is not in sight, and frames what is.
pub fn frame(list: &mut DrawList, scale: &Scale, window: &Window) {
    let (left, right) = frame_of(scale, window);
    let high = list.height;
    list.rect((scale.left, 0.0), (left - scale.left, high), Ink::Future);
    list.rect((right, 0.0), (scale.right - right, high), Ink::Future);
    list.marks.push(Mark::Frame {
        x: left,
        y: 0.5,
        w: right - left,
        h: high - 1.0,
        ink: Ink::Accent,
        line: 1.5,
    });
}

/// Left and right edge of the frame in pixels.
fn frame_of(scale: &Scale, window: &Window) -> (f64, f64) {
    let (left, right) = (scale.pixel(window.t0), scale.pixel(window.t1));
    let wide = (right - left).max(NARROWEST);
    let left = ((left + right - wide) / 2.0).min(scale.right - wide).max(scale.left);
    (left, (left + wide).min(scale.right))
}

/// How far from the middle of the window a press is that takes hold of it; a press beside it brings its middle there.
pub fn grip(scale: &Scale, window: &Window, x: f64) -> f64 {
    let (left, right) = frame_of(scale, window);
    let middle = (window.t0 + window.t1) / 2.0;
    if (left..=right).contains(&x) { scale.value(x) - middle } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretch(from: f64, to: f64, class: Class) -> Stretch {
        Stretch { from, to, class, weight: 1.0 }
    }

    #[test]
    fn what_goes_on_is_where_it_goes_on_and_none_is_lost() {
        let profile =
            Profile::of(100.0, [stretch(0.0, 50.0, 0), stretch(25.1, 99.9, 1), stretch(7.0, 7.1, 7)]);
        let sum = |class: usize| profile.columns.iter().map(|column| column[class]).sum::<f64>() / 4.0;
        assert!((sum(0) - 50.0).abs() < 1e-9);
        assert!((sum(1) - 74.9).abs() < 1e-9, "class 7 has the colour of class 1, {}", sum(1));
        assert_eq!(profile.columns[0][0], 1.0);
        assert_eq!(profile.columns[399][0], 0.0);
        assert!((profile.columns[28][1] - 0.4).abs() < 1e-9);
        assert!((profile.columns[399][1] - 0.6).abs() < 1e-9);
    }

    #[test]
    fn what_makes_no_sense_is_nothing() {
        let odd =
            [stretch(5.0, 2.0, 0), stretch(f64::NAN, 3.0, 0), stretch(-4.0, -1.0, 0), stretch(12.0, 99.0, 0)];
        assert_eq!(Profile::of(10.0, odd).most(), 0.0);
        assert!(Profile::of(0.0, [stretch(0.0, 1.0, 0)]).most().is_finite());
    }

    #[test]
    fn a_strip_is_bounded_and_within_itself() {
        let many = (0..100_000).map(|i| stretch(f64::from(i), f64::from(i) + 1.5, (i % 6) as Class));
        let scale = Scale { from: 0.0, to: 100_000.0, left: 64.0, right: 892.0 };
        let mut list = draw(&[Profile::of(100_000.0, many)], 900.0, &scale);
        frame(&mut list, &scale, &Window { t0: 10.0, t1: 20.0, end: 100_000.0 });
        assert!(list.marks.len() < 6 * COLUMNS + 6, "{} marks", list.marks.len());
        for mark in &list.marks {
            if let Mark::Rect { x, y, w, h, .. } = mark {
                assert!(
                    *y >= -1e-6 && y + h <= HEIGHT + 1e-6 && x + w <= 900.0 + 1e-6 && *w >= 0.0,
                    "{mark:?}"
                );
            }
        }
    }

    #[test]
    fn a_press_within_the_window_keeps_hold_of_it() {
        let scale = Scale { from: 0.0, to: 100.0, left: 0.0, right: 1_000.0 };
        let window = Window { t0: 20.0, t1: 40.0, end: 100.0 };
        let held = grip(&scale, &window, 250.0);
        assert_eq!(window.centred(scale.value(250.0) - held), window);
        assert_eq!(window.centred(scale.value(350.0) - held).t0, 30.0);
        assert_eq!(grip(&scale, &window, 700.0), 0.0);
        let narrow = Window { t0: 50.0, t1: 50.001, end: 100.0 };
        assert!((grip(&scale, &narrow, 502.0) - 0.1995).abs() < 1e-9, "six pixels wide at least");
    }
}
