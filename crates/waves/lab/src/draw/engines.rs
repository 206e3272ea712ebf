//! How many waves are on a shader engine: a step for each column, of the compute units that were traced in front.

use super::SIZE;
use crate::page::engines::Engine;
use base::people;
use kit::draw::list::{DrawList, Ink};
use kit::draw::{Scale, words};
use kit::timeline::columns::{level, meeting, width};

/// The width of a column.
const COLUMN: f64 = 2.0;

/// Draws them.
pub(super) fn engine(list: &mut DrawList, engine: &Engine, scale: &Scale, (top, high): (f64, f64)) {
    let (bottom, high) = (top + high - 2.0, high - 5.0);
    let level = level(COLUMN / scale.per_unit());
    let wide = width(level);
    let step = high / f64::from(engine.most.max(1));
    let mut put = |ink: Ink, of: &dyn Fn((f64, f64)) -> f64| {
        let mut last: Option<(f64, f64, f64)> = None;
        let mut flush = |stretch: Option<(f64, f64, f64)>| {
            if let Some((left, right, h)) = stretch.filter(|(_, _, h)| *h > 0.0) {
                list.rect((left, bottom - h), (right - left, h), ink);
            }
        };
        for column in meeting(level, scale.from, scale.to) {
            let (from, to) = (column as f64 * wide, (column + 1) as f64 * wide);
            let edge = |time: f64| scale.pixel(time).clamp(scale.left, scale.right);
            // Halves of pixels: equal columns are one mark.
            let h = (of(engine.mean(from, to)) * step * 2.0).round() / 2.0;
            match &mut last {
                Some((_, right, own)) if *own == h => *right = edge(to),
                _ => flush(last.replace((edge(from), edge(to), h))),
            }
        }
        flush(last);
    };
    put(Ink::Grid, &|mean| mean.0);
    put(Ink::Muted, &|mean| mean.1);
    list.rect((scale.left, bottom), (scale.right - scale.left, 1.0), Ink::Grid);
}

/// What it is called: with its number, and the most waves that it has at once, traced or not.
pub(super) fn label(engine: &Engine, room: f64) -> String {
    let (number, most) = (engine.se, engine.most);
    let waves = people::counted(most as usize, "wave");
    let fits = |named: &String| words::width(named, SIZE) <= room - 12.0;
    let all = [format!("SE {number}: ≤ {waves} at once"), format!("SE {number}: ≤ {most} at once")];
    all.into_iter().find(fits).unwrap_or_else(|| format!("≤ {most} at once"))
}
