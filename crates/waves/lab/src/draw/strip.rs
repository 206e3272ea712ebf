//! All of a capture in a strip: how much of its waves issues, from the bottom, and to what most of the rest goes.

use super::{MARGIN, gutter, of_cause};
use crate::page::packed::KINDS;
use crate::page::run::Run;
use crate::page::{STEPS, Shown};
use kit::draw::Scale;
use kit::draw::list::{Align, DrawList, Ink};
use kit::draw::overview::HEIGHT;

/// The width of a column.
const COLUMN: f64 = 2.0;

/// Draws it.
pub fn strip(run: &Run, width: f64) -> DrawList {
    let mut list = DrawList::new(width, HEIGHT);
    let scale = whole(run, width);
    list.rect((0.0, 0.0), (width, HEIGHT), Ink::Ground);
    let step = (HEIGHT - 4.0) / f64::from(STEPS);
    let mut x = scale.left;
    while x < scale.right {
        let to = (x + COLUMN).min(scale.right);
        let shown = together(run, scale.value(x), scale.value(to));
        let mut put = |ink: Ink, from: u8, steps: u8| {
            let top = HEIGHT - 2.0 - step * f64::from(steps);
            list.rect((x, top), (to - x, step * f64::from(steps - from)), ink);
        };
        if shown.issues > 0 {
            put(Ink::Class(0), 0, shown.issues);
        }
        if let Some(cause) = shown.wait() {
            put(of_cause(cause), shown.issues, shown.lives);
        }
        x = to;
    }
    list.text((scale.left - 8.0, HEIGHT / 2.0), "all", Ink::Muted, 11.0, Align::End);
    list
}

/// What all rows show together in a stretch of time.
fn together(run: &Run, from: f64, to: f64) -> Shown {
    let mut cycles = [0.0; KINDS];
    for row in 0..run.rows.len() {
        let own = run.spent(row, from, to);
        cycles.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
    }
    Shown::of(&cycles, (to - from) * run.rows.len().max(1) as f64)
}

/// The axis of the strip.
pub fn whole(run: &Run, width: f64) -> Scale {
    let gutter = gutter(width);
    Scale { from: 0.0, to: run.end.max(1.0), left: gutter, right: (width - MARGIN).max(gutter + 1.0) }
}
