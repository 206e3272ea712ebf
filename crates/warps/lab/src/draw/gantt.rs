//! A timeline as rows of cells: labels on the left, an axis above, density where cells are too narrow.

mod differs;
mod frame;
mod lit;
pub mod small;
mod waits;

use std::collections::BTreeMap;

use base::people;
use kit::draw::list::{Align, DrawList, Hatch, Ink, Mark};
use kit::draw::scale::{Scale, tick_step};
use kit::draw::words::{fitted, width};
use kit::timeline::{Class, Span, Timeline, Track};

pub use differs::Differs;
pub use frame::{Frame, Target, row_height, row_to_fit, row_to_fit_all};
pub use lit::Lit;

/// Room for row labels.
pub const GUTTER: f64 = 64.0;
/// Room for the axis.
pub const AXIS: f64 = 26.0;
/// Room at the right edge.
const MARGIN: f64 = 8.0;
/// Cells narrower than this are drawn as density.
const DENSE: f64 = 3.0;
/// Where they are narrower than this, waits are not to be seen either.
const SPARSE: f64 = 1.0;
/// The degree of density of what steps back while other things stand out.
const BACK: u8 = 1;
/// No less of a column is a degree of density.
const LEAST_DEGREE: f64 = 0.01;
/// Width of a density column.
const COLUMN: f64 = 4.0;
/// So far from the middle of the last warp's name other names are hidden by it.
const HANDLE: f64 = 17.0;
/// Width of a digit on the axis.
const DIGIT: f64 = 7.0;
/// Rows at least as high as this have room for letters.
const TALL: f64 = 14.0;
/// How large headings are.
const HEADING: f64 = 13.0;
/// In cells so high and so wide, letters are larger.
const HIGH: f64 = 45.0;

/// Draws a timeline.
pub fn draw(timeline: &Timeline, frame: &Frame) -> DrawList {
    let mut list = DrawList::new(frame.width, frame.height(timeline));
    list.rect((0.0, 0.0), (list.width, list.height), Ink::Ground);
    let scale = frame.scale();
    bands(&mut list, timeline, frame, &scale);
    differs::draw(&mut list, timeline, frame, &scale, false);
    axis(&mut list, timeline, &scale);
    if scale.per_unit() < DENSE {
        if scale.per_unit() >= SPARSE {
            waits::draw(&mut list, timeline, frame, &scale);
        }
        density(&mut list, timeline, frame, &scale);
    } else {
        waits::draw(&mut list, timeline, frame, &scale);
        cells(&mut list, timeline, frame, &scale);
    }
    differs::draw(&mut list, timeline, frame, &scale, true);
    highlights(&mut list, timeline, frame, &scale);
    headings(&mut list, timeline, frame, &scale);
    list
}

/// The same where a cell is asked about that is not selected: an idle one, or one of another schedule.
pub fn draw_chosen(timeline: &Timeline, frame: &Frame, chosen: Option<Target>) -> DrawList {
    let mut list = draw(timeline, frame);
    let stretch = |target: Target| {
        let track = timeline.tracks.get(target.row())?;
        Some(match target {
            Target::Idle { cycle, .. } => (f64::from(cycle) - 1.0, f64::from(cycle)),
            Target::Span { id, .. } => {
                let span = track.spans.iter().find(|span| span.id == id)?;
                (span.start, span.end)
            }
        })
    };
    if let Some((target, stretch)) = chosen.and_then(|target| Some((target, stretch(target)?))) {
        outline(&mut list, frame.row_at(timeline, target.row()), stretch, frame);
    }
    list
}

/// Every other row tinted, with its label where there is room for one.
fn bands(list: &mut DrawList, timeline: &Timeline, frame: &Frame, scale: &Scale) {
    // The name of the last warp stands there in any case, and is a handle.
    let last = timeline.warps().checked_sub(1).filter(|_| timeline.headings.is_empty());
    let handle = last.map(|last| (last, middle(frame.row_at(timeline, last))));
    for (i, track) in timeline.tracks.iter().enumerate() {
        let (y, h) = frame.row_at(timeline, i);
        if timeline.headings.iter().any(|(row, _)| *row == i) {
            continue;
        }
        let beneath = handle.is_some_and(|(last, at)| i != last && (at - middle((y, h))).abs() < HANDLE);
        let stands = handle.is_some_and(|(last, _)| i == last);
        // Lanes begin anew.
        let i = timeline.lanes.map_or(i, |lanes| i.checked_sub(lanes.first).unwrap_or(i));
        let every = (12.0 / h).ceil().max(1.0) as usize;
        if i % 2 == 1 {
            list.rect((scale.left, y), (scale.right - scale.left, h), Ink::Band);
        }
        if stands || i.is_multiple_of(every) && !beneath {
            list.text((GUTTER - 8.0, y + h / 2.0), track.label.clone(), Ink::Muted, 12.0, Align::End);
        }
    }
}

/// Headings stand on a ground of their own, so that no line of the axis goes through them.
fn headings(list: &mut DrawList, timeline: &Timeline, frame: &Frame, scale: &Scale) {
    for (row, heading) in &timeline.headings {
        let (y, h) = frame.row_at(timeline, *row);
        let room = scale.right - scale.left;
        let heading = fitted(heading, room - 8.0, HEADING);
        let wide = (width(&heading, HEADING) + 8.0).min(room);
        list.line((scale.left, y), (scale.right, y), Ink::Grid);
        list.rect((scale.left, y + 1.0), (wide, h - 1.0), Ink::Ground);
        list.text((scale.left, y + h / 2.0), heading, Ink::Text, HEADING, Align::Start);
    }
}

fn middle((top, height): (f64, f64)) -> f64 {
    top + height / 2.0
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
                let text = people::grouped(value as u128);
                // The last one must not run out of the picture.
                let cut = x + DIGIT * text.len() as f64 / 2.0 > list.width;
                let (x, align) = if cut { (list.width, Align::End) } else { (x, Align::Middle) };
                list.text((x, AXIS / 2.0 - 2.0), text, Ink::Muted, 12.0, align);
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
    // Class by class, so that a canvas changes its colour as rarely as possible.
    for &(class, _) in &timeline.legend {
        let hatch = if width >= 5.0 { Hatch::Class(class) } else { Hatch::None };
        for ((y, h), span) in visible(timeline, frame).filter(|(_, span)| span.class == class) {
            let (x, w) = clipped(span.start, span.end, scale);
            let inset = if h >= TALL { 2.0 } else { 1.0 };
            let (y, h, w) = (y + inset, h - 2.0 * inset, (w - gap).max(0.5));
            let (ink, hatch) = if frame.lights(span.id) {
                (Ink::Class(class), hatch)
            } else {
                (Ink::Density(class, BACK), Hatch::None)
            };
            list.marks.push(Mark::Rect { x, y, w, h, ink, hatch });
        }
    }
    if width >= 13.0 {
        for ((y, h), span) in visible(timeline, frame).filter(|((_, h), _)| *h >= TALL) {
            let x = scale.pixel((span.start + span.end) / 2.0);
            if x > scale.left + 4.0 && x < scale.right - 4.0 {
                let size = if h >= HIGH && width >= HIGH { 16.0 } else { 12.0 };
                list.text((x - 0.5, y + h / 2.0), span.mark.text(), Ink::OnClass, size, Align::Middle);
            }
        }
    }
}

/// Spans in sight, with top and height of their rows.
fn visible<'a>(timeline: &'a Timeline, frame: &'a Frame) -> impl Iterator<Item = ((f64, f64), &'a Span)> {
    timeline.tracks.iter().enumerate().flat_map(move |(i, track)| {
        let place = frame.row_at(timeline, i);
        track.within(frame.t0, frame.t1).iter().map(move |span| (place, span))
    })
}

/// Left edge and width in pixels of a stretch, cut to the plot.
fn clipped(start: f64, end: f64, scale: &Scale) -> (f64, f64) {
    let x0 = scale.pixel(start).clamp(scale.left, scale.right);
    let x1 = scale.pixel(end).clamp(scale.left, scale.right);
    (x0, x1 - x0)
}

/// A stretch of a row in one colour: the row's top and height, start, end.
type Run = ((f64, f64), f64, f64);

/// How much of a column must be busy for each degree: a quarter, and less where rows are hardly ever busy, so that it
/// is seen when they are.
fn degree(tracks: &[Track], end: f64) -> f64 {
    let busy: f64 = tracks.iter().flat_map(|track| &track.spans).map(|span| span.end - span.start).sum();
    (busy / (end * tracks.len() as f64).max(1.0) / 2.0).clamp(LEAST_DEGREE, 0.25)
}

/// One rectangle per run of columns in which the same class rules to the same degree.
fn density(list: &mut DrawList, timeline: &Timeline, frame: &Frame, scale: &Scale) {
    // Colour by colour, so that a canvas changes its colour as rarely as possible.
    let mut runs: BTreeMap<(Class, u8), Vec<Run>> = BTreeMap::new();
    // Columns stand still on the axis, so that panning moves the picture and does not make it flicker.
    let span = COLUMN / scale.per_unit();
    let first = (scale.from / span).floor() as i64;
    let last = (scale.to / span).ceil() as i64;
    let (rows, lanes) =
        timeline.tracks.split_at(timeline.lanes.map_or(timeline.tracks.len(), |lanes| lanes.first));
    let degrees = [rows, lanes].map(|tracks| degree(tracks, timeline.end));
    for (i, track) in timeline.tracks.iter().enumerate() {
        let place = frame.row_at(timeline, i);
        let mut open: Option<((Class, u8), f64, f64)> = None;
        for column in first..=last {
            let (t0, t1) = (column as f64 * span, (column + 1) as f64 * span);
            // The column after the last one closes the run that is open.
            let ruler = if column < last {
                ruling(track, (t0, t1), degrees[usize::from(i >= rows.len())], frame)
            } else {
                None
            };
            match (&mut open, ruler) {
                (Some((same, _, end)), Some(ruler)) if *same == ruler => *end = t1,
                _ => {
                    if let Some((ruler, start, end)) = open.take() {
                        runs.entry(ruler).or_default().push((place, start, end));
                    }
                    open = ruler.map(|ruler| (ruler, t0, t1));
                }
            }
        }
    }
    for ((class, level), runs) in runs {
        for ((y, h), start, end) in runs {
            let (x, w) = clipped(start, end, scale);
            if w > 0.0 {
                list.rect((x, y + 1.0), (w, h - 2.0), Ink::Density(class, level));
            }
        }
    }
}

/// The class with the largest share of a stretch, and in degrees, of four, how much of the stretch is busy at all. Where
/// some things stand out, a stretch with one of them does, and no other.
fn ruling(track: &Track, (t0, t1): (f64, f64), degree: f64, frame: &Frame) -> Option<(Class, u8)> {
    let lit = track.within(t0, t1).iter().find(|span| frame.lights(span.id)).map(|span| span.class);
    let (share, busy) = shares(track, bin(track, (t0, t1)));
    let (class, _) = (0u8..8).zip(share).max_by(|a, b| a.1.total_cmp(&b.1))?;
    let level = (busy / degree).ceil().clamp(1.0, 4.0) as u8;
    (busy > 0.0).then(|| match lit {
        _ if frame.lit.is_nothing() => (class, level),
        Some(class) => (class, 4),
        None => (class, BACK),
    })
}

/// What a column tells of: itself, and where it holds several spans its neighbours, too, so that what goes on evenly
/// looks even.
fn bin(track: &Track, (t0, t1): (f64, f64)) -> (f64, f64) {
    match track.within(t0, t1).len() {
        0 | 1 => (t0, t1),
        _ => ((2.0 * t0 - t1).max(0.0), 2.0 * t1 - t0),
    }
}

/// How much of a stretch each class takes, and how much of it is busy at all.
fn shares(track: &Track, (t0, t1): (f64, f64)) -> ([f64; 8], f64) {
    let mut share = [0.0f64; 8];
    for span in track.within(t0, t1) {
        share[usize::from(span.class) % 8] += (span.end.min(t1) - span.start.max(t0)) / (t1 - t0);
    }
    (share, share.iter().sum())
}

/// What a column shows in words, where cells are too narrow to be seen.
pub fn averaged(timeline: &Timeline, frame: &Frame, target: Target) -> Option<String> {
    let (scale, track) = (frame.scale(), timeline.tracks.get(target.row())?);
    if scale.per_unit() >= DENSE {
        return None;
    }
    let span = COLUMN / scale.per_unit();
    let at = match target {
        Target::Idle { cycle, .. } => f64::from(cycle) - 0.5,
        Target::Span { .. } => f64::from(target.cycles(timeline)?.0) - 0.5,
    };
    let t0 = (at / span).floor() * span;
    let (t0, t1) = bin(track, (t0, t0 + span));
    let (share, busy) = shares(track, (t0, t1.min(timeline.end)));
    let cycle = |t: f64| people::grouped(t as u128);
    let mut said = format!("Cycles {} to {}: {} busy", cycle(t0 + 1.0), cycle(t1), people::percent(busy));
    for (class, name) in &timeline.legend {
        let own = share[usize::from(*class) % 8];
        if own > 0.0 {
            said += &[", ", name, " ", &people::percent(own)].concat();
        }
    }
    Some(said + ".")
}

fn highlights(list: &mut DrawList, timeline: &Timeline, frame: &Frame, scale: &Scale) {
    let bottom = list.height - 4.0;
    if let Some(range) = frame.range {
        let (x, w) = clipped(range.from, range.to, scale);
        let (top, bottom) = range.rows.map_or((AXIS, bottom), |(first, last)| {
            let (of_last, high) = frame.row_at(timeline, last);
            (frame.row_at(timeline, first).0, of_last + high)
        });
        list.rect((x, top), (w, bottom - top), Ink::Veil);
        for edge in [x, x + w] {
            list.line((edge, top), (edge, bottom), Ink::Accent);
        }
    }
    let Some(id) = frame.selected else { return };
    for (i, (row, span)) in timeline.find_all(id).enumerate() {
        let (y, h) = frame.row_at(timeline, row);
        // It waited in the first row in which it is shown.
        if let Some((from, to)) = frame.waited.filter(|_| i == 0) {
            let (x, w) = clipped(from, to, scale);
            let middle = y + h / 2.0;
            if w > 0.0 {
                list.rect((x, y + 1.0), (w, h - 2.0), Ink::Veil);
                list.marks.push(Mark::Line {
                    from: (x, middle),
                    to: (x + w, middle),
                    ink: Ink::Accent,
                    line: 1.5,
                });
            }
        }
        outline(list, (y, h), (span.start, span.end), frame);
    }
}

/// A frame around a stretch of a row with that top and height, where it is in sight.
fn outline(list: &mut DrawList, (y, h): (f64, f64), (start, end): (f64, f64), frame: &Frame) {
    if end > frame.t0 && start < frame.t1 {
        let (x, w) = clipped(start, end, &frame.scale());
        let (x, w) = (x - 1.0, w.max(3.0) + 1.0);
        list.marks.push(Mark::Frame { x, y, w, h, ink: Ink::Accent, line: 2.0 });
    }
}

#[cfg(test)]
mod tests;
