//! What differs between two schedules, as a strip beneath the figure and on its axis: how many instructions,
//! and where the scarcest unit has room in one and in the other.

use super::gantt::{Frame, GUTTER};
use kit::draw::{Align, DrawList, Ink, Scale};
use kit::timeline::Class;

/// Height of the tallest bar.
const BARS: f64 = 36.0;
/// Height of a lane.
const LANE: f64 = 14.0;
/// Stretches narrower than this are drawn together.
const NARROWEST: f64 = 3.0;

/// What the strip shows. Cycles ascend.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    /// Cycles in which something differs, and how many instructions do.
    pub counts: Vec<(u32, usize)>,
    /// Lanes beneath: a name, the class of a unit and the cycles in which it has room.
    pub lanes: Vec<(&'static str, Class, Vec<u32>)>,
}

/// Draws a strip on the axis of a figure.
pub fn draw(strip: &Strip, frame: &Frame) -> DrawList {
    let height = BARS + LANE * strip.lanes.len() as f64 + 8.0;
    let mut list = DrawList::new(frame.width, height);
    list.rect((0.0, 0.0), (list.width, height), Ink::Ground);
    let scale = frame.scale();
    // Stretches of whole cycles stand still on the axis while it is panned.
    let cycles = (NARROWEST / scale.per_unit()).ceil().max(1.0) as u32;
    let label = |list: &mut DrawList, y: f64, text: &str| {
        list.text((GUTTER - 8.0, y), text, Ink::Muted, 11.0, Align::End);
    };
    label(&mut list, 4.0 + BARS / 2.0, "differ");
    bars(&mut list, &strip.counts, cycles, &scale);
    for (i, (name, class, room)) in strip.lanes.iter().enumerate() {
        let y = 4.0 + BARS + i as f64 * LANE;
        label(&mut list, y + LANE / 2.0, name);
        list.rect((scale.left, y + 3.0), (scale.right - scale.left, LANE - 5.0), Ink::Band);
        for stretch in visible(room, &scale, |&cycle| cycle).chunk_by(|&a, &b| together(a, b, cycles)) {
            if let Some((x, w)) = place(stretch[0], cycles, &scale) {
                list.rect((x, y + 3.0), (w, LANE - 5.0), Ink::Class(*class));
            }
        }
    }
    if let Some(range) = frame.range {
        let [x0, x1] = [range.from, range.to].map(|t| scale.pixel(t).clamp(scale.left, scale.right));
        list.rect((x0, 0.0), (x1 - x0, height), Ink::Veil);
        for x in [x0, x1] {
            list.line((x, 0.0), (x, height), Ink::Accent);
        }
    }
    list
}

fn bars(list: &mut DrawList, counts: &[(u32, usize)], cycles: u32, scale: &Scale) {
    let bottom = 4.0 + BARS;
    list.line((scale.left, bottom), (scale.right, bottom), Ink::Grid);
    // Of all cycles, so that bars keep their height while the window moves.
    let most = counts.iter().map(|&(_, count)| count).max().unwrap_or(1) as f64;
    let seen = visible(counts, scale, |&(cycle, _)| cycle);
    for stretch in seen.chunk_by(|a, b| together(a.0, b.0, cycles)) {
        let count = stretch.iter().map(|&(_, count)| count).max().unwrap_or(0) as f64;
        let height = (BARS * count / most).max(2.0);
        if let Some((x, w)) = place(stretch[0].0, cycles, scale) {
            list.rect((x, bottom - height), (w, height), Ink::Muted);
        }
    }
}

/// What lies in the window.
fn visible<'a, T>(all: &'a [T], scale: &Scale, cycle: impl Fn(&T) -> u32) -> &'a [T] {
    let first = all.partition_point(|item| f64::from(cycle(item)) <= scale.from);
    let last = all.partition_point(|item| f64::from(cycle(item)) - 1.0 < scale.to);
    &all[first..last.max(first)]
}

/// Whether two cycles are drawn as one.
fn together(a: u32, b: u32, cycles: u32) -> bool {
    (a - 1) / cycles == (b - 1) / cycles
}

/// Left edge and width of the stretch a cycle is drawn with; none where nothing of it can be seen.
fn place(cycle: u32, cycles: u32, scale: &Scale) -> Option<(f64, f64)> {
    let start = (cycle - 1) / cycles * cycles;
    let [x0, x1] = [f64::from(start), f64::from(start) + f64::from(cycles)]
        .map(|t| scale.pixel(t).clamp(scale.left, scale.right));
    let gap = if scale.per_unit() >= 5.0 { 1.0 } else { 0.0 };
    (x1 > x0).then(|| (x0, (x1 - x0 - gap).max(0.5)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::draw::Mark;

    fn frame(t0: f64, t1: f64) -> Frame {
        Frame {
            width: 472.0,
            row: 0.0,
            t0,
            t1,
            selected: None,
            waited: None,
            range: None,
            lit: crate::draw::gantt::Lit::Nothing,
            differs: crate::draw::gantt::Differs::default(),
        }
    }

    fn rects(strip: &Strip, frame: &Frame, wanted: Ink) -> Vec<(f64, f64, f64)> {
        let rect = |mark: &Mark| match mark {
            Mark::Rect { x, w, h, ink, .. } if *ink == wanted => Some((*x, *w, *h)),
            _ => None,
        };
        draw(strip, frame).marks.iter().filter_map(rect).collect()
    }

    #[test]
    fn a_bar_stands_where_the_figure_has_its_cycle() {
        let strip = Strip { counts: vec![(2, 1), (7, 4)], lanes: vec![("idle here", 1, vec![3])] };
        // 400 pixels for 10 cycles.
        assert_eq!(
            rects(&strip, &frame(0.0, 10.0), Ink::Muted),
            [(64.0 + 40.0, 39.0, 9.0), (64.0 + 240.0, 39.0, 36.0)]
        );
        assert_eq!(rects(&strip, &frame(0.0, 10.0), Ink::Class(1)), [(64.0 + 80.0, 39.0, 9.0)]);
        assert_eq!(rects(&strip, &frame(2.0, 6.0), Ink::Muted), []);
        let scale = frame(0.0, 10.0).scale();
        assert_eq!(scale.pixel(1.0), 64.0 + 40.0);
    }

    #[test]
    fn far_out_the_number_of_marks_follows_the_pixels() {
        let strip = Strip {
            counts: (1..=100_000).map(|cycle| (cycle, 1 + cycle as usize % 3)).collect(),
            lanes: vec![("idle here", 0, (1..=100_000).collect())],
        };
        assert!(draw(&strip, &frame(0.0, 100_000.0)).marks.len() < 300);
        assert!(rects(&strip, &frame(10.0, 14.0), Ink::Muted).len() == 4);
    }
}
