//! The picture of a schedule of machine code: warps of each partition, units beneath, over one axis of cycles.
//!
//! What an instruction waits for differs in shape and in colour, as in pictures of strings: a line at half the height for
//! a scoreboard, a low bar for a unit, dots for an issue slot, a hollow bar for a barrier, a hairline for a stall.

mod dim;

use crate::page::Seen;
use crate::report::{CodeReport, Kind};
use crate::timeline::{Bar, Lane, Row, Timeline, Wait};
use kit::draw::list::{Align, DrawList, Hatch, Ink, Mark};
use kit::draw::scale::tick_step;
use kit::draw::{Scale, overview, words};
use kit::page::Stretch;
use kit::page::window::rows_between;
use kit::timeline::WaitKind;

pub use dim::dim;

/// Room for names at the left.
const GUTTER: f64 = 96.0;
/// So many pixels beside a bar are on it, too, unless a wait is there that is hard to hit itself.
const NEAR: f64 = 3.0;
/// Room at the right.
const MARGIN: f64 = 10.0;
/// Height of the axis.
pub const AXIS: f64 = 22.0;
/// Height of a heading.
const HEADING: f64 = 18.0;
/// Least and greatest height of the row of a warp.
const ROWS: (f64, f64) = (16.0, 96.0);
/// How high the row of a unit is, as a share of that.
const UNIT: f64 = 0.65;
/// What is narrower is marked at its tips.
const THIN: f64 = 3.0;
/// How high a tip is, where there is room.
const TIP: f64 = 4.0;
/// Cycles narrower than this are drawn as how much of a column is covered.
const DENSE: f64 = 2.0;
/// The width of such a column.
const COLUMN: f64 = 2.0;
/// Size of text.
const SIZE: f64 = 11.0;

/// How the picture is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Its width.
    pub width: f64,
    /// Its height, axis included.
    pub height: f64,
    /// Rows above those in sight, in pixels.
    pub down: f64,
    /// Left edge of the window.
    pub t0: f64,
    /// Right edge.
    pub t1: f64,
    /// The entry of the schedule that is selected.
    pub selected: Option<u32>,
    /// The line of code whose instructions are lit.
    pub line: Option<usize>,
    /// The stretch that is selected.
    pub range: Option<Stretch>,
}

impl Look {
    /// All of a schedule, so wide.
    pub fn whole(timeline: &Timeline, width: f64) -> Self {
        let mut look = Self {
            width,
            height: 0.0,
            down: 0.0,
            t0: 0.0,
            t1: f64::from(timeline.end.max(1)),
            selected: None,
            line: None,
            range: None,
        };
        look.height = AXIS + heights(timeline, 22.0).sum::<f64>() + 1.0;
        look
    }

    /// Its axis.
    pub fn scale(&self) -> Scale {
        let gutter = GUTTER.min(self.width * 0.3);
        Scale { from: self.t0, to: self.t1, left: gutter, right: (self.width - MARGIN).max(gutter + 1.0) }
    }

    /// Whether an entry of the schedule is selected, or its line is lit.
    fn lights(&self, report: &CodeReport, entry: u32) -> bool {
        self.selected == Some(entry) || self.line == Some(report.schedule[entry as usize].1 as usize)
    }

    /// How high the row of a warp is: as there is room for all rows.
    fn high(&self, timeline: &Timeline) -> f64 {
        let headings = timeline.rows.iter().filter(|row| row.lane == Lane::Heading).count() as f64;
        let parts: f64 = timeline.rows.iter().map(|row| share(row.lane)).sum();
        ((self.height - AXIS - headings * HEADING - 1.0) / parts.max(1.0)).floor().clamp(ROWS.0, ROWS.1)
    }

    /// Tops of all rows, and the bottom of the last, before anything is scrolled.
    pub fn tops(&self, timeline: &Timeline) -> Vec<f64> {
        let mut top = 0.0;
        let mut tops = vec![top];
        for own in heights(timeline, self.high(timeline)) {
            top += own;
            tops.push(top);
        }
        tops
    }

    /// The row at a height.
    pub fn row(&self, timeline: &Timeline, y: f64) -> Option<usize> {
        let at = y - AXIS + self.down;
        let row = self.tops(timeline).partition_point(|top| *top <= at).checked_sub(1)?;
        (y >= AXIS && row < timeline.rows.len()).then_some(row)
    }

    /// The first and the last row of warps and units between two heights.
    pub fn rows_between(&self, timeline: &Timeline, between: (f64, f64)) -> Option<(usize, usize)> {
        let (tops, by) = (self.tops(timeline), AXIS - self.down);
        let own = |row: usize| (row, tops[row] + by, tops[row + 1] - tops[row]);
        let rows = (0..timeline.rows.len()).filter(|&row| timeline.rows[row].lane != Lane::Heading);
        rows_between(rows.map(own), between)
    }

    /// What is at a place: an entry of the schedule, and which of its waits.
    pub fn hit(&self, timeline: &Timeline, (x, y): (f64, f64)) -> Option<(u32, Option<u32>)> {
        let scale = self.scale();
        let row = &timeline.rows[self.row(timeline, y).filter(|_| x >= scale.left)?];
        let (t, near) = (scale.value(x), NEAR / scale.per_unit());
        let bars = row.bars_within(t - near, t + near);
        let apart = |bar: &Bar| (f64::from(bar.from) - t).max(t - f64::from(bar.to)).max(0.0);
        let nearest = bars.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        let wait = row.waits_within(t, t + f64::EPSILON).first().filter(|wait| f64::from(wait.from) <= t);
        // A long wait can be hit elsewhere, a thin bar cannot.
        let long = |wait: &Wait| f64::from(wait.to - wait.from) > 4.0 * near;
        match (nearest, wait) {
            (Some(bar), wait) if apart(bar) == 0.0 || wait.is_none_or(long) => Some((bar.entry, None)),
            (_, Some(wait)) => Some((wait.entry, Some(wait.part))),
            _ => None,
        }
    }
}

fn share(lane: Lane) -> f64 {
    match lane {
        Lane::Heading => 0.0,
        Lane::Warp(_) => 1.0,
        Lane::Unit => UNIT,
    }
}

fn heights(timeline: &Timeline, high: f64) -> impl Iterator<Item = f64> {
    timeline.rows.iter().map(move |row| match row.lane {
        Lane::Heading => HEADING,
        lane => (high * share(lane)).round(),
    })
}

/// The colour of a wait.
pub fn ink_of(kind: Kind) -> Ink {
    Ink::Wait(match kind {
        Kind::Scoreboard => WaitKind::Data,
        Kind::Unit => WaitKind::Unit,
        Kind::Slot => WaitKind::Slot,
        Kind::Barrier => WaitKind::Free,
        Kind::Stall | Kind::Nothing => WaitKind::Done,
    })
}

/// Draws the rows in sight.
pub fn draw(report: &CodeReport, timeline: &Timeline, look: &Look) -> DrawList {
    let mut list = DrawList::new(look.width, look.height);
    let (scale, tops) = (look.scale(), look.tops(timeline));
    list.rect((0.0, 0.0), (look.width, look.height), Ink::Ground);
    let place = |row: usize| (AXIS + tops[row] - look.down, tops[row + 1] - tops[row]);
    let seen: Vec<usize> = (0..timeline.rows.len())
        .filter(|&row| {
            let (top, high) = place(row);
            top + high > AXIS && top < look.height
        })
        .collect();
    let bottom = (AXIS + tops.last().copied().unwrap_or(0.0) - look.down).min(look.height);
    for &row in seen.iter().filter(|&&row| matches!(timeline.rows[row].lane, Lane::Warp(_))) {
        let (top, high) = place(row);
        list.rect((scale.left, top + 1.0), (scale.right - scale.left, high - 2.0), Ink::Band);
    }
    let step = tick_step(scale.per_unit(), 60.0);
    let ticks = std::iter::successors(Some((look.t0 / step).ceil() * step), |tick| Some(tick + step));
    let ticks: Vec<f64> = ticks.take_while(|tick| *tick <= look.t1).collect();
    for tick in &ticks {
        let x = scale.pixel(*tick).round();
        list.line((x, AXIS - 4.0), (x, bottom), Ink::Grid);
    }
    for &row in &seen {
        one(&mut list, (report, timeline), &timeline.rows[row], &scale, place(row), look);
    }
    if let Some(range) = look.range {
        let (top, end) = range.rows.map_or((AXIS, bottom), |(first, last)| {
            let (top, (of_last, high)) = (place(first).0, place(last));
            (top.max(AXIS), (of_last + high).min(bottom))
        });
        list.veil(&scale, (range.from, range.to), (top, end.max(top)));
    }
    // Over what was scrolled under the axis.
    list.rect((0.0, 0.0), (look.width, AXIS - 1.0), Ink::Ground);
    for tick in ticks {
        let (x, number) = (scale.pixel(tick).round(), format!("{tick:.0}"));
        if x + words::width(&number, SIZE) / 2.0 <= look.width {
            list.text((x, AXIS / 2.0), number, Ink::Muted, SIZE, Align::Middle);
        }
    }
    list.text((scale.left - 8.0, AXIS / 2.0), "cycle", Ink::Muted, SIZE, Align::End);
    for row in seen {
        let (top, high) = place(row);
        name(&mut list, &timeline.rows[row], &scale, (top, high));
    }
    list
}

fn name(list: &mut DrawList, row: &Row, scale: &Scale, (top, high): (f64, f64)) {
    let y = top + high / 2.0;
    // Nothing of it reaches into the axis.
    if y - SIZE / 2.0 < AXIS {
        return;
    }
    match row.lane {
        Lane::Heading => list.text((4.0, y + 1.0), row.label.clone(), Ink::Muted, SIZE, Align::Start),
        Lane::Warp(_) | Lane::Unit => {
            let size = SIZE.min(high - 1.0);
            let label = words::fitted(&row.label, scale.left - 12.0, size);
            let ink = if row.lane == Lane::Unit { Ink::Muted } else { Ink::Text };
            list.text((scale.left - 8.0, y), label, ink, size, Align::End);
        }
    }
}

/// Bars, waits and what is lit in a row.
fn one(
    list: &mut DrawList,
    (report, timeline): (&CodeReport, &Timeline),
    row: &Row,
    scale: &Scale,
    (top, high): (f64, f64),
    look: &Look,
) {
    let line_of = |bar: &Bar| report.schedule[bar.entry as usize].1 as usize;
    for wait in row.waits_within(scale.from, scale.to) {
        waits(list, wait, (top, high), scale);
        // What is lit has waited there.
        let (x, w) = clipped(f64::from(wait.from), f64::from(wait.to), scale);
        if look.lights(report, wait.entry) && w >= 1.0 {
            list.rect((x, top + high - 2.0), (w, 2.0), Ink::Accent);
        }
    }
    let (y, h) = (top + 2.0, (high - 4.0).max(2.0));
    let bars = row.bars_within(scale.from, scale.to);
    if scale.per_unit() < DENSE {
        return dense(list, (report, timeline), bars, scale, (y, h), look);
    }
    for bar in bars {
        let (x, w) = clipped(f64::from(bar.from), f64::from(bar.to), scale);
        let class = timeline.class(line_of(bar));
        list.marks.push(Mark::Rect {
            x,
            y,
            w: (w - 1.0).max(1.0),
            h,
            ink: Ink::Class(class),
            hatch: Hatch::None,
        });
    }
    for bar in bars.iter().filter(|bar| look.lights(report, bar.entry)) {
        let (x, w) = clipped(f64::from(bar.from), f64::from(bar.to), scale);
        let line = if look.selected == Some(bar.entry) { 3.0 } else { 2.0 };
        let (x, w) = (x - 1.0, (w - 1.0).max(1.0) + 2.0);
        if w < THIN + 2.0 {
            tips(list, (x, w), (y, h));
            continue;
        }
        list.marks.push(Mark::Frame { x, y: y - 1.0, w, h: h + 2.0, ink: Ink::Accent, line });
    }
}

/// Above and beneath what is thin: a frame would lie over its neighbours, and they would seem to move.
fn tips(list: &mut DrawList, (x, w): (f64, f64), (y, h): (f64, f64)) {
    let high = TIP.min(h / 3.0);
    list.rect((x, y - 2.0), (w, high), Ink::Accent);
    list.rect((x, y + h + 2.0 - high), (w, high), Ink::Accent);
}

/// Columns that show how much of them is covered, in the colour of the last unit there.
fn dense(
    list: &mut DrawList,
    (report, timeline): (&CodeReport, &Timeline),
    bars: &[Bar],
    scale: &Scale,
    (y, h): (f64, f64),
    look: &Look,
) {
    let mut at = 0;
    while at < bars.len() {
        let column = ((scale.pixel(f64::from(bars[at].from)).max(scale.left) - scale.left) / COLUMN).floor();
        let (left, right) = (scale.left + column * COLUMN, scale.left + (column + 1.0) * COLUMN);
        let (mut covered, mut lit, mut class, first) = (0.0, false, 0, at);
        let mut end = right;
        while at < bars.len() && (at == first || scale.pixel(f64::from(bars[at].from)) < right) {
            let line = report.schedule[bars[at].entry as usize].1 as usize;
            covered += scale.per_unit() * f64::from(bars[at].to - bars[at].from);
            end = end.max(scale.pixel(f64::from(bars[at].to)).min(scale.right));
            lit |= look.lights(report, bars[at].entry);
            class = timeline.class(line);
            at += 1;
        }
        // One alone is seen as well as many.
        let level = (covered / (end - left) * 4.0).ceil().clamp(3.0, 4.0) as u8;
        let level = if at == first + 1 { 4 } else { level };
        list.rect((left, y), (end.min(scale.right) - left, h), Ink::Density(class, level));
        if lit {
            tips(list, (left, (end - left).min(3.0)), (y, h));
        }
    }
}

fn clipped(from: f64, to: f64, scale: &Scale) -> (f64, f64) {
    let (left, right) = (scale.pixel(from).max(scale.left), scale.pixel(to).min(scale.right));
    (left, (right - left).max(0.0))
}

fn waits(list: &mut DrawList, wait: &Wait, (top, high): (f64, f64), scale: &Scale) {
    let (x, w) = clipped(f64::from(wait.from), f64::from(wait.to), scale);
    if w < 1.0 {
        return; // marks follow the pixels
    }
    let (middle, ink) = (top + high / 2.0, ink_of(wait.kind));
    let w = (w - 1.0).max(1.0);
    // In high rows marks are as easy to see.
    let more = (high / 28.0).clamp(1.0, 2.5);
    match wait.kind {
        Kind::Stall | Kind::Nothing => list.rect((x, (middle - 0.5).round()), (w, 1.0), ink),
        Kind::Scoreboard => list.rect((x, (middle - more).round()), (w, (2.0 * more).round()), ink),
        Kind::Unit => {
            let h = (3.0 * more).round();
            list.rect((x, top + high - 3.0 - h), (w, h), ink);
        }
        Kind::Barrier => {
            let h = (high / 2.0).floor();
            list.marks.push(Mark::Frame { x: x + 0.5, y: middle - h / 2.0, w, h, ink, line: 1.0 });
        }
        Kind::Slot => {
            let step = (6.0 / scale.per_unit()).ceil().max(1.0);
            let mut cycle = (f64::from(wait.from) / step).floor() * step;
            while cycle < f64::from(wait.to) {
                let dot = scale.pixel(cycle + 0.5);
                if cycle >= f64::from(wait.from) && dot >= scale.left && dot <= scale.right {
                    list.rect((dot - 1.5, middle - 1.5), (3.0, 3.0), ink);
                }
                cycle += step;
            }
        }
    }
}

/// The axis of the strip of the whole.
pub fn whole(end: f64, width: f64) -> Scale {
    Look { t0: 0.0, t1: end.max(1.0), ..Look::whole(&Timeline::default(), width) }.scale()
}

/// Draws what was pinned beneath another schedule, on the same axis: each as it is looked at.
pub fn beneath(list: &mut DrawList, pinned: &Seen, look: &Look) {
    let dy = list.height;
    let mut own = draw(&pinned.report, &pinned.timeline, look);
    // Over what of the rows above reaches down here.
    own.rect((0.0, 0.0), (look.scale().left, AXIS - 1.0), Ink::Ground);
    own.line((0.0, 0.5), (look.width, 0.5), Ink::Grid);
    own.text((4.0, AXIS / 2.0), "Pinned", Ink::Text, SIZE, Align::Start);
    list.height += own.height;
    list.marks.extend(own.marks.into_iter().map(|mark| mark.moved(dy)));
}

/// How much is issued when, by unit, in a low strip.
pub fn strip(report: &CodeReport, timeline: &Timeline, end: f64, width: f64) -> DrawList {
    let of = |&(_, at, issued, _): &(usize, u32, u32, u32)| overview::Stretch {
        from: f64::from(issued.saturating_sub(1)),
        to: f64::from(issued),
        class: timeline.class(at as usize),
        weight: 1.0,
    };
    let profile = overview::Profile::of(end.max(1.0), report.schedule.iter().map(of));
    overview::draw(&[profile], width, &whole(end, width))
}
