//! Times of an experiment against the size of its tasks: one line for each way to compute, on a logarithmic scale.
//!
//! Every line ends in a letter, so that lines differ without colour; the legend beside the picture tells what they are.

use kit::draw::{Align, DrawList, Ink};
use kit::timeline::Class;

/// Room for the names of times, to the left.
const LEFT: f64 = 56.0;
/// Room for letters, to the right.
const RIGHT: f64 = 26.0;
/// Room above.
const TOP: f64 = 12.0;
/// Room for sizes, beneath.
const BOTTOM: f64 = 40.0;
/// Letters are at least so far apart.
const APART: f64 = 15.0;
/// Height of a line of the legend, and side of the colour before it.
const LINE: f64 = 18.0;
const SWATCH: f64 = 12.0;
/// Half the side of a point.
const POINT: f64 = 3.0;

/// The times of one way to compute.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What stands at its end.
    pub letter: char,
    /// What it is.
    pub name: &'static str,
    /// Its colour; none for what others have published.
    pub class: Option<Class>,
    /// Vertices and milliseconds, by vertices.
    pub points: Vec<(u64, f64)>,
}

impl Series {
    /// The colour of its line.
    pub fn ink(&self) -> Ink {
        self.class.map_or(Ink::Muted, Ink::Class)
    }
}

/// The picture, at a width and a height.
pub fn draw(series: &[Series], width: f64, height: f64) -> DrawList {
    let mut list = DrawList::new(width, height);
    list.rect((0.0, 0.0), (width, height), Ink::Ground);
    let points = || series.iter().flat_map(|series| &series.points).filter(|point| point.1 > 0.0);
    let Some((low, high)) = decades(points().map(|point| point.1)) else { return list };
    let mut sizes: Vec<u64> = points().map(|point| point.0).collect();
    base::sort::sort(&mut sizes);
    sizes.dedup();
    let (first, last) = (sizes[0] as f64, sizes[sizes.len() - 1] as f64);
    let (right, bottom) = (width - RIGHT, height - BOTTOM);
    let x = |size: u64| LEFT + 12.0 + (size as f64 - first) * (right - LEFT - 24.0) / (last - first).max(1.0);
    let y = |ms: f64| bottom - (ms.log10() - f64::from(low)) * (bottom - TOP) / f64::from(high - low);
    for decade in low..=high {
        let at = y(10f64.powi(decade));
        list.line((LEFT, at), (right, at), Ink::Grid);
        list.text((LEFT - 6.0, at), time(decade), Ink::Muted, 12.0, Align::End);
    }
    let step = sizes.len().div_ceil(((right - LEFT) / 34.0).max(1.0) as usize).max(1);
    for &size in sizes.iter().step_by(step) {
        list.line((x(size), bottom), (x(size), bottom + 4.0), Ink::Muted);
        list.text((x(size), bottom + 13.0), size.to_string(), Ink::Muted, 12.0, Align::Middle);
    }
    list.text(((LEFT + right) / 2.0, height - 8.0), "Vertices of the task", Ink::Muted, 12.0, Align::Middle);
    for series in series {
        let drawn: Vec<(f64, f64)> =
            series.points.iter().filter(|point| point.1 > 0.0).map(|&(n, ms)| (x(n), y(ms))).collect();
        for pair in drawn.windows(2) {
            let line = if series.class.is_some() { 2.0 } else { 1.0 };
            list.marks.push(kit::draw::Mark::Line { from: pair[0], to: pair[1], ink: series.ink(), line });
        }
        for &(x, y) in &drawn {
            list.rect((x - POINT, y - POINT), (2.0 * POINT, 2.0 * POINT), series.ink());
        }
    }
    for (letter, from, at) in letters(series, x, y, bottom) {
        list.text((from + 8.0, at), letter.to_string(), Ink::Text, 12.0, Align::Start);
    }
    list
}

/// The picture with its legend beneath: for files, which stand alone.
pub fn with_legend(series: &[Series], width: f64, height: f64) -> DrawList {
    let mut list = draw(series, width, height);
    list.height = height + series.len() as f64 * LINE + 8.0;
    list.rect((0.0, height), (width, list.height - height), Ink::Ground);
    for (place, series) in series.iter().enumerate() {
        let y = height + (place as f64 + 0.5) * LINE;
        list.rect((LEFT, y - SWATCH / 2.0), (SWATCH, SWATCH), series.ink());
        list.text(
            (LEFT + SWATCH + 8.0, y),
            format!("{}: {}", series.letter, series.name),
            Ink::Text,
            12.0,
            Align::Start,
        );
    }
    list
}

/// The powers of ten around all times; none where there is no time.
fn decades(times: impl Iterator<Item = f64>) -> Option<(i32, i32)> {
    let logs = times.map(f64::log10);
    let (least, most) =
        logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
    if least > most {
        return None;
    }
    let (low, high) = (least.floor() as i32, most.ceil() as i32);
    Some((low, high.max(low + 1)))
}

/// A power of ten of milliseconds, for people.
fn time(decade: i32) -> String {
    let (unit, by) = match decade {
        3.. => ("s", 3),
        0..3 => ("ms", 0),
        -3..0 => ("µs", -3),
        _ => ("ns", -6),
    };
    format!("{} {unit}", 10f64.powi(decade - by))
}

/// The letter of each line, where its last point is, moved apart where they would cover one another.
fn letters(
    series: &[Series],
    x: impl Fn(u64) -> f64,
    y: impl Fn(f64) -> f64,
    bottom: f64,
) -> Vec<(char, f64, f64)> {
    let ends = series.iter().filter_map(|series| {
        let &(n, ms) = series.points.iter().rev().find(|point| point.1 > 0.0)?;
        Some((series.letter, x(n), y(ms)))
    });
    let mut ends: Vec<(char, f64, f64)> = ends.collect();
    base::sort::sort_by(&mut ends, |a, b| a.2.total_cmp(&b.2));
    let mut above = f64::NEG_INFINITY;
    for end in &mut ends {
        end.2 = end.2.max(above + APART);
        above = end.2;
    }
    let mut below = bottom + APART / 2.0;
    for end in ends.iter_mut().rev() {
        end.2 = end.2.min(below);
        below = end.2 - APART;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::draw::Mark;

    fn one(letter: char, points: &[(u64, f64)]) -> Series {
        Series { letter, name: "a way", class: Some(0), points: points.to_vec() }
    }

    fn texts(list: &DrawList) -> Vec<(String, f64, f64)> {
        let text = |mark: &Mark| match mark {
            Mark::Text { text, x, y, .. } => Some((text.clone(), *x, *y)),
            _ => None,
        };
        list.marks.iter().filter_map(text).collect()
    }

    #[test]
    fn powers_of_ten_are_named_and_lines_end_in_letters() {
        let list = draw(
            &[one('A', &[(10, 0.05), (50, 2_000.0)]), one('B', &[(10, 0.05), (50, 1_999.0)])],
            390.0,
            300.0,
        );
        let texts = texts(&list);
        for name in ["10 µs", "100 µs", "1 ms", "1 s", "10 s", "50"] {
            assert!(texts.iter().any(|(text, ..)| text == name), "{name} in {texts:?}");
        }
        let letter = |wanted: &str| texts.iter().find(|(text, ..)| text == wanted).map(|(_, x, y)| (*x, *y));
        let (Some(a), Some(b)) = (letter("A"), letter("B")) else { unreachable!("{texts:?}") };
        assert!(a.0 == b.0 && (b.1 - a.1).abs() >= APART && a.0 < 390.0 - 8.0);
    }

    #[test]
    fn nothing_measured_is_an_empty_picture() {
        assert_eq!(draw(&[one('A', &[(10, 0.0)])], 300.0, 200.0).marks.len(), 1);
        assert_eq!(draw(&[], 300.0, 200.0).marks.len(), 1);
        assert!(draw(&[one('A', &[(10, 1.0)])], 300.0, 200.0).marks.len() > 5);
    }

    #[test]
    fn everything_stands_in_the_picture() {
        let many: Vec<Series> =
            ('A'..='H').map(|letter| one(letter, &[(2, 1e-6), (500, 1e-6), (1_000, 1e5)])).collect();
        for mark in draw(&many, 330.0, 300.0).marks {
            let (x, y) = match mark {
                Mark::Text { x, y, .. } | Mark::Rect { x, y, .. } | Mark::Frame { x, y, .. } => (x, y),
                Mark::Line { to, .. } => to,
            };
            assert!((0.0..=330.0).contains(&x) && (0.0..=300.0).contains(&y), "{x}, {y}");
        }
    }

    #[test]
    fn files_say_what_the_letters_are() {
        let list = with_legend(&[one('A', &[(3, 1.0)]), one('B', &[(3, 2.0)])], 400.0, 200.0);
        let found = texts(&list);
        let line = |said: &str| found.iter().find(|(text, _, _)| text == said).map(|(_, _, y)| *y);
        assert_eq!((line("A: a way"), line("B: a way")), (Some(209.0), Some(227.0)));
        assert_eq!(list.height, 244.0);
    }
}
