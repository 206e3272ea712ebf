//! A timeline as rows of cells: labels on the left, an axis above, density where cells are too narrow.

use std::collections::BTreeMap;

use base::people;
use kit::draw::list::{Align, DrawList, Hatch, Ink, Mark};
use kit::draw::scale::{Scale, tick_step};
use kit::timeline::{Class, Span, Timeline, Track};

/// Room for row labels.
pub const GUTTER: f64 = 64.0;
/// Room for the axis.
pub const AXIS: f64 = 26.0;
/// Room at the right edge.
const MARGIN: f64 = 8.0;
/// Cells narrower than this are drawn as density.
const DENSE: f64 = 3.0;
/// Width of a density column.
const COLUMN: f64 = 3.0;

/// What part of a timeline is shown, and what stands out.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Width of the whole picture.
    pub width: f64,
    /// Height of a row.
    pub row: f64,
    /// Left edge of the window on the axis.
    pub t0: f64,
    /// Right edge.
    pub t1: f64,
    /// The selected thing.
    pub selected: Option<(u32, u32)>,
    /// A stretch of the selected thing's row it waited through.
    pub waited: Option<(f64, f64)>,
    /// A selected range of the axis.
    pub range: Option<(f64, f64)>,
}

/// The height of a row that shows `rows` rows well.
pub fn row_height(rows: usize) -> f64 {
    (520.0 / rows.max(1) as f64).clamp(9.0, 26.0).floor()
}

/// The height of a row where so many rows have this room; rows that would be too low get more than there is.
pub fn row_to_fit(rows: usize, height: f64) -> f64 {
    ((height - AXIS - 4.0) / rows.max(1) as f64).floor().clamp(9.0, 44.0)
}

impl Frame {
    /// All of a timeline, with nothing that stands out.
    pub fn whole(timeline: &Timeline, width: f64) -> Self {
        Self {
            width,
            row: row_height(timeline.tracks.len()),
            t0: 0.0,
            t1: timeline.end,
            selected: None,
            waited: None,
            range: None,
        }
    }

    /// The horizontal scale.
    pub fn scale(&self) -> Scale {
        Scale { from: self.t0, to: self.t1, left: GUTTER, right: (self.width - MARGIN).max(GUTTER + 1.0) }
    }

    /// The height of a picture of `rows` rows.
    pub fn height(&self, rows: usize) -> f64 {
        AXIS + self.row * rows as f64 + 4.0
    }

    /// The row and axis value at a pixel.
    pub fn hit(&self, rows: usize, x: f64, y: f64) -> Option<(usize, f64)> {
        let scale = self.scale();
        let row = ((y - AXIS) / self.row).floor();
        let inside = x >= scale.left && x <= scale.right && row >= 0.0 && row < rows as f64;
        inside.then(|| (row as usize, scale.value(x)))
    }
}

/// Draws a timeline.
pub fn draw(timeline: &Timeline, frame: &Frame) -> DrawList {
    let rows = timeline.tracks.len();
    let mut list = DrawList::new(frame.width, frame.height(rows));
    list.rect((0.0, 0.0), (list.width, list.height), Ink::Ground);
    let scale = frame.scale();
    bands(&mut list, timeline, frame, &scale);
    axis(&mut list, timeline, &scale);
    if scale.per_unit() < DENSE {
        density(&mut list, timeline, frame, &scale);
    } else {
        cells(&mut list, timeline, frame, &scale);
    }
    highlights(&mut list, timeline, frame, &scale);
    list
}

/// Every other row tinted, with its label where there is room for one.
fn bands(list: &mut DrawList, timeline: &Timeline, frame: &Frame, scale: &Scale) {
    let every = (12.0 / frame.row).ceil().max(1.0) as usize;
    for (i, track) in timeline.tracks.iter().enumerate() {
        let y = AXIS + i as f64 * frame.row;
        if let Some((_, heading)) = timeline.headings.iter().find(|(row, _)| *row == i) {
            list.line((scale.left, y), (scale.right, y), Ink::Grid);
            list.text((scale.left, y + frame.row / 2.0), heading.clone(), Ink::Text, 13.0, Align::Start);
            continue;
        }
        if i % 2 == 1 {
            list.rect((scale.left, y), (scale.right - scale.left, frame.row), Ink::Band);
        }
        if i % every == 0 {
            list.text((GUTTER - 8.0, y + frame.row / 2.0), track.label.clone(), Ink::Muted, 12.0, Align::End);
        }
    }
}

/// Ticks at the middle of their cycle: cycle `c` lasts from `c - 1` to `c`.
fn axis(list: &mut DrawList, timeline: &Timeline, scale: &Scale) {
    let step = tick_step(scale.per_unit(), 44.0);
    let bottom = list.height - 4.0;
    let mut tick = (scale.from / step).ceil().max(0.0) * step;
    while tick <= scale.to.min(timeline.end) {
        let value = tick.max(1.0); // the first cycle is 1
        let x = scale.pixel(value - 0.5);
        if (value == tick || tick == 0.0) && x >= scale.left && x <= scale.right {
            let clear = x > scale.left + 14.0 || scale.per_unit() > 12.0;
            list.line((x, AXIS - 5.0), (x, bottom), Ink::Grid);
            if clear || tick == 0.0 {
                list.text(
                    (x, AXIS / 2.0 - 2.0),
                    people::grouped(value as u128),
                    Ink::Muted,
                    12.0,
                    Align::Middle,
                );
            }
        }
        tick += step;
    }
    list.text((GUTTER - 8.0, AXIS / 2.0 - 2.0), timeline.axis, Ink::Muted, 12.0, Align::End);
    list.line((scale.left, AXIS), (scale.right, AXIS), Ink::Grid);
}

fn cells(list: &mut DrawList, timeline: &Timeline, frame: &Frame, scale: &Scale) {
    let width = scale.per_unit();
    let gap = if width >= 5.0 { 1.0 } else { 0.0 };
    let inset = if frame.row >= 14.0 { 2.0 } else { 1.0 };
    // Class by class, so that a canvas changes its colour as rarely as possible.
    for &(class, _) in &timeline.legend {
        let hatch = if width >= 5.0 { Hatch::Class(class) } else { Hatch::None };
        for (y, span) in visible(timeline, frame).filter(|(_, span)| span.class == class) {
            let (x, w) = clipped(span.start, span.end, scale);
            let h = frame.row - 2.0 * inset;
            list.marks.push(Mark::Rect {
                x,
                y: y + inset,
                w: (w - gap).max(0.5),
                h,
                ink: Ink::Class(class),
                hatch,
            });
        }
    }
    if width >= 13.0 && frame.row >= 14.0 {
        for (y, span) in visible(timeline, frame) {
            let x = scale.pixel((span.start + span.end) / 2.0);
            if x > scale.left + 4.0 && x < scale.right - 4.0 {
                list.text(
                    (x - 0.5, y + frame.row / 2.0),
                    span.mark.text(),
                    Ink::OnClass,
                    12.0,
                    Align::Middle,
                );
            }
        }
    }
}

fn visible<'a>(timeline: &'a Timeline, frame: &'a Frame) -> impl Iterator<Item = (f64, &'a Span)> {
    timeline.tracks.iter().enumerate().flat_map(move |(i, track)| {
        let y = AXIS + i as f64 * frame.row;
        track.within(frame.t0, frame.t1).iter().map(move |span| (y, span))
    })
}

/// Left edge and width in pixels of a stretch, cut to the plot.
fn clipped(start: f64, end: f64, scale: &Scale) -> (f64, f64) {
    let x0 = scale.pixel(start).clamp(scale.left, scale.right);
    let x1 = scale.pixel(end).clamp(scale.left, scale.right);
    (x0, x1 - x0)
}

/// A stretch of a row in one colour: top, start, end.
type Run = (f64, f64, f64);

/// One rectangle per run of columns in which the same class rules to the same degree.
fn density(list: &mut DrawList, timeline: &Timeline, frame: &Frame, scale: &Scale) {
    // Colour by colour, so that a canvas changes its colour as rarely as possible.
    let mut runs: BTreeMap<(Class, u8), Vec<Run>> = BTreeMap::new();
    // Columns stand still on the axis, so that panning moves the picture and does not make it flicker.
    let span = COLUMN / scale.per_unit();
    let first = (scale.from / span).floor() as i64;
    let last = (scale.to / span).ceil() as i64;
    for (i, track) in timeline.tracks.iter().enumerate() {
        let y = AXIS + i as f64 * frame.row;
        let mut open: Option<((Class, u8), f64, f64)> = None;
        for column in first..=last {
            let (t0, t1) = (column as f64 * span, (column + 1) as f64 * span);
            // The column after the last one closes the run that is open.
            let ruler = if column < last { ruling(track, t0, t1) } else { None };
            match (&mut open, ruler) {
                (Some((same, _, end)), Some(ruler)) if *same == ruler => *end = t1,
                _ => {
                    if let Some((ruler, start, end)) = open.take() {
                        runs.entry(ruler).or_default().push((y, start, end));
                    }
                    open = ruler.map(|ruler| (ruler, t0, t1));
                }
            }
        }
    }
    for ((class, level), runs) in runs {
        for (y, start, end) in runs {
            let (x, w) = clipped(start, end, scale);
            if w > 0.0 {
                list.rect((x, y + 1.0), (w, frame.row - 2.0), Ink::Density(class, level));
            }
        }
    }
}

/// The class with the largest share of a stretch, and in quarters how much of the stretch is busy at all.
fn ruling(track: &Track, t0: f64, t1: f64) -> Option<(Class, u8)> {
    let mut share = [0.0f64; 8];
    for span in track.within(t0, t1) {
        share[usize::from(span.class) % 8] += span.end.min(t1) - span.start.max(t0);
    }
    let busy: f64 = share.iter().sum::<f64>() / (t1 - t0);
    let (class, _) = (0u8..8).zip(share).max_by(|a, b| a.1.total_cmp(&b.1))?;
    (busy > 0.0).then(|| (class, (busy * 4.0).ceil().clamp(1.0, 4.0) as u8))
}

fn highlights(list: &mut DrawList, timeline: &Timeline, frame: &Frame, scale: &Scale) {
    let bottom = list.height - 4.0;
    if let Some((from, to)) = frame.range {
        let (x, w) = clipped(from, to, scale);
        list.rect((x, AXIS), (w, bottom - AXIS), Ink::Veil);
        for edge in [x, x + w] {
            list.line((edge, AXIS), (edge, bottom), Ink::Accent);
        }
    }
    let Some((row, span)) = frame.selected.and_then(|id| timeline.find(id)) else { return };
    let y = AXIS + row as f64 * frame.row;
    if let Some((from, to)) = frame.waited {
        let (x, w) = clipped(from, to, scale);
        let middle = y + frame.row / 2.0;
        if w > 0.0 {
            list.rect((x, y + 1.0), (w, frame.row - 2.0), Ink::Veil);
            list.marks.push(Mark::Line {
                from: (x, middle),
                to: (x + w, middle),
                ink: Ink::Accent,
                line: 1.5,
            });
        }
    }
    let (x, w) = clipped(span.start, span.end, scale);
    if span.end > frame.t0 && span.start < frame.t1 {
        let (x, w) = (x - 1.0, w.max(3.0) + 1.0);
        list.marks.push(Mark::Frame { x, y, w, h: frame.row, ink: Ink::Accent, line: 2.0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::{Rows, warps_timeline};
    use warps::Kernel;

    fn picture(t0: f64, t1: f64) -> (Timeline, Frame) {
        let Ok(kernel) = Kernel::parse("LCL") else { unreachable!("parses") };
        let rows = [vec![1, 2, 5], vec![2, 3, 6], vec![3, 4, 7], vec![4, 5, 8]];
        let timeline = warps_timeline(&kernel, &rows, None, 8, Rows::Warps);
        (
            timeline,
            Frame { width: 500.0, row: 20.0, t0, t1, selected: Some((1, 1)), waited: None, range: None },
        )
    }

    fn class_rects(list: &DrawList) -> Vec<(f64, f64)> {
        let rect = |mark: &Mark| match mark {
            Mark::Rect { x, w, ink: Ink::Class(_) | Ink::Density(..), .. } => Some((*x, *w)),
            _ => None,
        };
        list.marks.iter().filter_map(rect).collect()
    }

    #[test]
    fn every_visible_instruction_is_one_cell_inside_the_plot() {
        let (timeline, frame) = picture(0.0, 8.0);
        assert_eq!(class_rects(&draw(&timeline, &frame)).len(), 12);
        let (timeline, frame) = picture(2.5, 4.5);
        let cells = class_rects(&draw(&timeline, &frame));
        assert_eq!(cells.len(), 6); // cycles 3, 4 and 5, two instructions each
        let scale = frame.scale();
        assert!(cells.iter().all(|&(x, w)| x >= scale.left - 1e-9 && x + w <= scale.right + 1e-9));
    }

    #[test]
    fn a_click_finds_the_cell_that_was_drawn_there() {
        let (timeline, frame) = picture(0.0, 8.0);
        for (row, track) in timeline.tracks.iter().enumerate() {
            for span in &track.spans {
                let x = frame.scale().pixel(span.start + 0.5);
                let y = AXIS + (row as f64 + 0.5) * frame.row;
                let (hit, t) = frame.hit(4, x, y).unwrap_or((9, 0.0));
                assert_eq!(timeline.tracks[hit].at(t).map(|s| s.id), Some(span.id));
            }
        }
        assert_eq!(frame.hit(4, 10.0, 50.0), None);
    }

    #[test]
    fn far_out_the_number_of_marks_follows_the_pixels_not_the_instructions() {
        let Ok(kernel) = Kernel::parse("5000(LC)") else { unreachable!("parses") };
        let row: Vec<u32> = (1..=10_000).map(|i| i * 3).collect();
        let timeline = warps_timeline(&kernel, &[row.clone(), row], None, 30_000, Rows::Warps);
        let frame = Frame {
            width: 800.0,
            row: 20.0,
            t0: 0.0,
            t1: 30_000.0,
            selected: None,
            waited: None,
            range: None,
        };
        assert!(draw(&timeline, &frame).marks.len() < 700);
    }
}
