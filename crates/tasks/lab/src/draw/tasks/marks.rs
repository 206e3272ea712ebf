//! What stands out in the demand chart: the first violation, the tightest interval, t_max, the range that is being
//! selected, and the cursors.

use super::layout::Layout;
use super::{Look, Mark, SIZE, line, rect};
use crate::timeline::tasks::Demand;
use base::people;
use kit::draw::list::{Align, Ink};
use kit::draw::words::{text, width};

/// Rows of words above the plot.
const ROWS: usize = 2;
const ROW: f64 = 16.0;

/// Draws all of them.
pub(super) fn draw(demand: &Demand, layout: &Layout, look: &Look, out: &mut Vec<Mark>) {
    let mut taken = [f64::NEG_INFINITY; ROWS];
    let mut named = named(demand);
    base::sort::sort_by(&mut named, |a, b| a.0.total_cmp(&b.0));
    for (t, words, ink) in named {
        let x = layout.x.pixel(t);
        if !(layout.x.left - 0.5..=layout.x.right + 0.5).contains(&x) {
            continue;
        }
        let x = x.round();
        let wide = width(&words, SIZE);
        // To the right of its line where there is room, else to its left.
        let (from, align) = if x + 4.0 + wide <= layout.width - 4.0 {
            (x + 4.0, Align::Start)
        } else {
            (x - 4.0 - wide, Align::End)
        };
        let row = taken.iter().position(|&until| until <= from);
        let top = layout.top() - row.map_or(0.0, |row| (row + 1) as f64 * ROW);
        out.push(line((x, top), (x, layout.bottom()), ink, 1.0));
        if let Some(row) = row {
            taken[row] = from + wide + 8.0;
            let at = if align == Align::Start { from } else { x - 4.0 };
            out.push(text((at, top + ROW / 2.0 - 1.0), words, ink, SIZE, align));
        }
    }
    if let Some((from, to)) = look.range {
        let at = |t: f64| layout.x.pixel(t).clamp(layout.x.left, layout.x.right).round();
        let (x0, x1) = (at(from.min(to)), at(from.max(to)));
        out.push(rect((x0, layout.top()), (x1 - x0, layout.bottom() - layout.top()), Ink::Veil));
        out.extend([x0, x1].map(|x| line((x, layout.top()), (x, layout.bottom()), Ink::Accent, 1.0)));
    }
    for (t, ink, thick) in [(look.pointed, Ink::Muted, 1.0), (look.at, Ink::Accent, 2.0)] {
        let Some((t, x)) = t.and_then(|t| Some((t, layout.place(t)?.round()))) else { continue };
        out.push(line((x, layout.top()), (x, layout.bottom()), ink, thick));
        let demands = [demand.at_by_equation(t), Some(demand.at(t))];
        for y in demands.into_iter().flatten().map(|demand| layout.level(demand).round()) {
            out.push(rect((x - 4.0, y - 4.0), (8.0, 8.0), Ink::Ground));
            out.push(rect((x - 3.0, y - 3.0), (6.0, 6.0), ink));
        }
    }
}

/// Where lines with words stand.
fn named(demand: &Demand) -> Vec<(f64, String, Ink)> {
    let mut out = Vec::new();
    let at = |t: u64| people::grouped(t.into());
    if let Some(first) = demand.first {
        out.push((first.t as f64, format!("First violation at {}", at(first.t)), Ink::Wrong));
    }
    let tightest = demand.tightest.filter(|tightest| demand.first.is_none_or(|first| first.t != tightest.t));
    if let Some(tightest) = tightest {
        out.push((tightest.t as f64, format!("Least slack at {}", at(tightest.t)), Ink::Text));
    }
    if let Some(t_max) = demand.t_max {
        out.push((t_max, format!("Check up to {}", people::hundredths(t_max)), Ink::Proof));
    }
    out
}
