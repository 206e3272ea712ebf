//! A witness as rows: the jobs of each task from triggering to deadline, and what the processor executes beneath.

use super::{Look, MARGIN, Mark, SIZE, line, number, rect};
use crate::timeline::tasks::Witnessed;
use kit::draw::list::{Align, DrawList, Hatch, Ink};
use kit::draw::scale::{Scale, tick_step};
use kit::draw::words;
use kit::draw::words::{fitted, text};

/// Height of a lane, of the processor's row, and of the room between rows.
const LANE: f64 = 24.0;
const PROCESSOR: f64 = 30.0;
const BETWEEN: f64 = 8.0;
const TOP: f64 = 22.0;
const AXIS: f64 = 26.0;
/// What the last row is called.
const NAME: &str = "Processor";
/// In sets of more tasks, those without a job have no row.
const FEW: usize = 6;
/// Spans narrower than this have neither outline nor words, and share their pixels.
const NARROW: f64 = 3.0;

/// A row: where it is, and which task it is of; none for the processor's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The task.
    pub task: Option<usize>,
    /// Top edge.
    pub y: f64,
    /// Height.
    pub h: f64,
}

/// The picture's measures, in pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct WitnessLayout {
    /// Width of the picture.
    pub width: f64,
    /// Height of the picture; it follows from the rows.
    pub height: f64,
    /// From time to pixels.
    pub x: Scale,
    /// The rows from top to bottom.
    pub rows: Vec<Row>,
}

impl WitnessLayout {
    /// The measures of a picture; of the look only width and window matter.
    pub fn new(shown: &Witnessed, look: &Look) -> Self {
        let width = if look.width.is_finite() { look.width.clamp(120.0, 32_768.0) } else { 120.0 };
        let is_few = shown.rows.len() <= FEW;
        let seen = || shown.rows.iter().enumerate().filter(move |(_, row)| is_few || !row.jobs.is_empty());
        let names = seen().map(|(_, row)| row.name.as_str()).chain([NAME]);
        let widest = names.map(|name| words::width(name, SIZE)).fold(0.0, f64::max);
        let left = (widest + 20.0).min(width * 0.3).max(56.0).round();
        let mut y = TOP;
        let mut place = |task: Option<usize>, h: f64| {
            let row = Row { task, y, h };
            y += h + BETWEEN;
            row
        };
        let of_task =
            |(task, row): (usize, &crate::timeline::tasks::Row)| (Some(task), row.lanes as f64 * LANE);
        let rows: Vec<Row> =
            seen().map(of_task).chain([(None, PROCESSOR)]).map(|(task, h)| place(task, h)).collect();
        let from = if look.t0.is_finite() { look.t0.max(0.0) } else { 0.0 };
        let to = if look.t1.is_finite() { look.t1.max(from + 1e-3) } else { from + 1.0 };
        let x = Scale { from, to, left, right: (width - MARGIN).max(left + 1.0) };
        Self { width, height: y + AXIS, x, rows }
    }

    /// Where a job is drawn: left edge, top edge, width and height of its span.
    pub fn span(&self, shown: &Witnessed, job: usize) -> Option<(f64, f64, f64, f64)> {
        let job = shown.jobs.get(job)?;
        let row = self.rows.iter().find(|row| row.task == Some(job.load.task))?;
        let (x, w) = self.stretch(job.load.time, job.end())?;
        Some((x, row.y + job.lane as f64 * LANE, w, LANE))
    }

    /// Left edge and width of a stretch of time, cut to the window; none outside of it.
    fn stretch(&self, from: u64, to: u64) -> Option<(f64, f64)> {
        let x0 = self.x.pixel(from as f64).max(self.x.left);
        let x1 = self.x.pixel(to as f64).min(self.x.right);
        (x1 >= x0).then(|| (x0.round(), (x1.round() - x0.round()).max(1.0)))
    }

    /// The job at a place.
    pub fn hit(&self, shown: &Witnessed, x: f64, y: f64) -> Option<usize> {
        if !(self.x.left..=self.x.right + 1.0).contains(&x) {
            return None;
        }
        let row = self.rows.iter().find(|row| y >= row.y && y < row.y + row.h)?;
        let Some(task) = row.task else {
            let t = self.x.value(x);
            let next = shown.slices.partition_point(|slice| slice.end as f64 <= t);
            return shown.slices.get(next).filter(|slice| slice.start as f64 <= t).map(|slice| slice.job);
        };
        let in_span = |&job: &usize| {
            self.span(shown, job).is_some_and(|(left, top, w, h)| {
                (left - 1.0..=left + w + 1.0).contains(&x) && (top..top + h).contains(&y)
            })
        };
        // Of two that touch, the one that is triggered last.
        shown.rows.get(task)?.jobs.clone().rev().find(in_span)
    }
}

/// Draws the rows; `look.at` is a job that stands out, by its place.
pub fn draw_witness(shown: &Witnessed, look: &Look) -> DrawList {
    let layout = WitnessLayout::new(shown, look);
    let mut list = DrawList::new(layout.width, layout.height);
    list.rect((0.0, 0.0), (layout.width, layout.height), Ink::Ground);
    let out = &mut list.marks;
    ground(shown, &layout, out);
    for place in &layout.rows {
        let Some(row) = place.task.and_then(|task| shown.rows.get(task)) else { continue };
        name(&row.name, place, &layout, out);
        jobs(shown, row, &layout, out);
    }
    processor(shown, &layout, out);
    let chosen = look.at.and_then(|job| layout.span(shown, usize::try_from(job).ok()?));
    if let Some((x, y, w, h)) = chosen {
        out.push(Mark::Frame { x, y, w, h: h - 2.0, ink: Ink::Accent, line: 2.0 });
    }
    list
}

/// Bands, the interval, the axis.
fn ground(shown: &Witnessed, layout: &WitnessLayout, out: &mut Vec<Mark>) {
    let (left, right) = (layout.x.left, layout.x.right);
    for row in &layout.rows {
        out.push(rect((left, row.y), (right - left + 1.0, row.h), Ink::Band));
    }
    let bottom = layout.height - AXIS;
    let gap = words::width(&number(layout.x.to), SIZE) + 18.0;
    let step = tick_step(layout.x.per_unit(), gap);
    let first = (layout.x.from / step).ceil();
    let ticks = (0..400).map(|i| (first + f64::from(i)) * step).take_while(|&value| value <= layout.x.to);
    for value in ticks {
        let x = layout.x.pixel(value).round();
        out.push(line((x, TOP), (x, bottom), Ink::Grid, 1.0));
        out.push(text((x, bottom + 12.0), number(value), Ink::Muted, SIZE, Align::Middle));
    }
    if let Some((x, w)) = layout.stretch(0, shown.t) {
        out.push(rect((x, TOP - 4.0), (w, bottom - TOP + 4.0), Ink::Veil));
        let said = fitted(&format!("Interval of {}", number(shown.t as f64)), right - x - 4.0, SIZE);
        out.push(text((x + 2.0, TOP - 12.0), said, Ink::Text, SIZE, Align::Start));
    }
    let end = layout.x.pixel(shown.t as f64).round();
    if (left..=right).contains(&end) {
        out.push(line((end, TOP - 4.0), (end, bottom), Ink::Accent, 1.0));
    }
}

fn name(name: &str, row: &Row, layout: &WitnessLayout, out: &mut Vec<Mark>) {
    let said = fitted(name, layout.x.left - 14.0, SIZE);
    out.push(text((layout.x.left - 8.0, row.y + row.h / 2.0), said, Ink::Muted, SIZE, Align::End));
}

/// The jobs of a task: what they need as a bar, within an outline from triggering to deadline.
fn jobs(shown: &Witnessed, row: &crate::timeline::tasks::Row, layout: &WitnessLayout, out: &mut Vec<Mark>) {
    let mut drawn = vec![f64::NEG_INFINITY; row.lanes];
    for job in row.jobs.clone() {
        let Some((x, y, w, h)) = layout.span(shown, job) else { continue };
        let job = &shown.jobs[job];
        let is_narrow = w < NARROW;
        if is_narrow && x < drawn[job.lane] + 1.0 {
            continue; // its pixel is taken
        }
        drawn[job.lane] = x + w;
        let bar = layout
            .stretch(job.load.time, job.load.time.saturating_add(job.load.e))
            .filter(|_| job.load.e > 0);
        let (class, hatch) = (row.class, Hatch::Class(row.class));
        if let Some((x, w)) = bar {
            let (y, h) = (y + 5.0, h - 12.0);
            out.push(if job.counted {
                Mark::Rect {
                    x,
                    y,
                    w,
                    h,
                    ink: Ink::Class(class),
                    hatch: if is_narrow { Hatch::None } else { hatch },
                }
            } else {
                rect((x, y), (w, h), Ink::Density(class, 1))
            });
        }
        if is_narrow {
            continue;
        }
        let (edge, wide) = match (job.is_late(), job.counted) {
            (true, _) => (Ink::Wrong, 2.0),
            (false, true) => (Ink::Text, 1.0),
            (false, false) => (Ink::Muted, 1.0),
        };
        let until = layout.stretch(job.load.time, job.load.deadline);
        if let Some((x, w)) = until {
            out.push(Mark::Frame { x, y: y + 2.0, w, h: h - 6.0, ink: edge, line: wide });
        }
        let said = fitted(&job.vertex, w - 8.0, SIZE - 1.0);
        let in_bar = bar.is_some_and(|(_, w)| words::width(&said, SIZE - 1.0) + 8.0 <= w);
        let ink = if in_bar && job.counted { Ink::OnClass } else { Ink::Text };
        let from = if in_bar { x + 4.0 } else { bar.map_or(x, |(x, w)| x + w) + 3.0 };
        let wide = words::width(&said, SIZE - 1.0);
        if !said.is_empty() && from + wide <= x + w {
            if in_bar && job.counted {
                // Without the hatch, across which words are hard to read.
                out.push(rect((from - 2.0, y + 5.0), (wide + 4.0, h - 12.0), Ink::Class(class)));
            }
            out.push(text((from, y + h / 2.0 - 1.0), said, ink, SIZE - 1.0, Align::Start));
        }
    }
}

/// What the processor executes, and where a deadline is missed.
fn processor(shown: &Witnessed, layout: &WitnessLayout, out: &mut Vec<Mark>) {
    let Some(row) = layout.rows.iter().find(|row| row.task.is_none()) else { return };
    name(NAME, row, layout, out);
    let mut until = f64::NEG_INFINITY;
    for slice in &shown.slices {
        let Some((x, w)) = layout.stretch(slice.start, slice.end) else { continue };
        if x + w <= until {
            continue;
        }
        until = x + w;
        let Some(job) = shown.jobs.get(slice.job) else { continue };
        let class = crate::timeline::tasks::class(job.load.task);
        let (y, h, hatch) = (row.y + 4.0, row.h - 8.0, Hatch::Class(class));
        let gap = if w >= NARROW { 1.0 } else { 0.0 };
        out.push(Mark::Rect {
            x,
            y,
            w: w - gap,
            h,
            ink: Ink::Class(class),
            hatch: if gap > 0.0 { hatch } else { Hatch::None },
        });
    }
    let mut last = f64::NEG_INFINITY;
    for job in shown.late() {
        let x = layout.x.pixel(shown.jobs[job].load.deadline as f64).round();
        if !(layout.x.left..=layout.x.right).contains(&x) || (x - last).abs() < 2.0 {
            continue;
        }
        out.push(line((x, row.y - 2.0), (x, row.y + row.h + 2.0), Ink::Wrong, 2.0));
        if x - last > 40.0 {
            let (wide, y) = (words::width("late", SIZE - 1.0), row.y + row.h / 2.0);
            out.push(rect((x - 6.0 - wide, y - 8.0), (wide + 5.0, 16.0), Ink::Ground));
            out.push(text((x - 4.0, y), "late", Ink::Text, SIZE - 1.0, Align::End));
        }
        last = x;
    }
}
