//! Drawing one: the picture of the lab without its words, fitted into a frame of one size.

use std::sync::Arc;

use serde_json::Value;

use blocks_lab::draw::blocks;
use blocks_lab::page::blocks::Runs;
use blocks_lab::timeline::blocks::Measure;
use chain_lab::draw::chain;
use code_lab::draw as code;
use code_lab::page::Seen;
use conjecture_lab::page::bench::Judged;
use kit::draw::{DrawList, Hatch, Ink, Mark};
use kit::import::json;
use kit::page::Subject;
use study_lab::draw as studies;
use tasks_lab::draw::tasks;
use tasks_lab::timeline::tasks::Demand;
use traces_lab::draw as traces;
use warps_lab::draw::gantt;
use warps_lab::page::Shown;
use warps_lab::timeline::Rows;

/// How wide a picture is.
pub const WIDE: f64 = 320.0;
/// How high.
pub const HIGH: f64 = 132.0;
/// How wide a lab's own picture is before it is fitted: about what a screen shows.
const FULL: f64 = 960.0;
/// No picture has more marks: a wall of them would take long to paint, and nobody could tell them apart.
const MOST: usize = 6_000;

/// A part of a picture: left, top, right, bottom.
type Part = (f64, f64, f64, f64);

/// The picture of a document and the line of its report; none where there is nothing to draw.
pub fn picture(document: &Value, line: &str) -> Option<DrawList> {
    let lab = json::parse(line).ok()?.get("lab").and_then(Value::as_str).map(str::to_owned)?;
    let (list, part) = match lab.as_str() {
        "warps" if is_code(document) => of_code(line),
        "warps" => of_warps(document, line),
        "blocks" => of_blocks(line),
        "tasks" => of_tasks(line),
        "chain" => of_chain(line),
        "traces" => of_trace(document),
        "waves" => waves_lab::draw::lives(&json::parse(line).ok()?, FULL),
        "conjecture" => of_conjecture(line),
        "study" => of_study(document, line),
        _ => None,
    }?;
    Some(fitted(&list, part)).filter(|list| (2..=MOST).contains(&list.marks.len()))
}

/// Machine code has the key of warps, and says that its lab is theirs.
fn is_code(document: &Value) -> bool {
    Subject::of(document) == Some(Subject::Code)
}

fn of_code(line: &str) -> Option<(DrawList, Part)> {
    let seen = Seen::new(line)?;
    let look = code::Look::whole(&seen.timeline, FULL);
    let list = code::draw(&seen.report, &seen.timeline, &look);
    let scale = look.scale();
    let part = (scale.left, code::AXIS, scale.right, list.height);
    Some((list, part))
}

fn of_warps(document: &Value, line: &str) -> Option<(DrawList, Part)> {
    let shown = Shown::new(&json::line(document), line)?;
    let timeline = shown.whole_picture(Rows::Warps);
    let frame = gantt::Frame::whole(&timeline, FULL);
    let list = gantt::draw(&timeline, &frame);
    let scale = frame.scale();
    let part = (scale.left, gantt::AXIS, scale.right, list.height);
    Some((list, part))
}

fn of_blocks(line: &str) -> Option<(DrawList, Part)> {
    let seen = Arc::new(blocks_lab::page::blocks::Seen::new(line)?);
    let runs = Runs::new(seen, Measure::Threads);
    let end = runs.runs.iter().map(|run| run.timeline.end).fold(1.0, f64::max);
    let look = blocks::Look { most_marks: MOST / 2, ..blocks::Look::new(FULL, FULL * HIGH / WIDE, 0.0, end) };
    let list = blocks::draw(&runs.panels(), &look);
    let scale = look.scale();
    let part = (scale.left, 0.0, scale.right, list.height);
    Some((list, part))
}

fn of_tasks(line: &str) -> Option<(DrawList, Part)> {
    let seen = tasks_lab::page::tasks::Seen::new(line)?;
    let report = seen.set()?;
    let demand = Demand::new(report);
    let look = tasks::Look::new(FULL, FULL * HIGH / WIDE + 80.0, 0.0, (report.horizon as f64).max(1.0));
    let layout = tasks::Layout::new(&demand, &look);
    let part = (layout.x.left, layout.top(), layout.x.right, layout.bottom() + 2.0);
    Some((tasks::draw(&demand, &look), part))
}

fn of_chain(line: &str) -> Option<(DrawList, Part)> {
    let report = chain_lab::page::chain::seen(line)?;
    let list = chain::draw(&report, &chain::Layout::new(&report, FULL), chain::Missing::Unknown);
    let part = (0.0, 0.0, list.width, list.height);
    Some((list, part))
}

fn of_trace(document: &Value) -> Option<(DrawList, Part)> {
    let run = traces_lab::page::run_in(document)?;
    let look = traces::Look::whole(&run, FULL);
    let scale = look.scale();
    let part = (scale.left, traces::AXIS, scale.right, look.height);
    Some((traces::draw(&run, &look), part))
}

fn of_conjecture(line: &str) -> Option<(DrawList, Part)> {
    let list = Judged::new(line)?.picture();
    let cells = list.marks.iter().filter_map(|mark| match mark {
        Mark::Rect { x, y, w, h, ink: Ink::Class(_) | Ink::Density(..), .. } => Some((*x, *y, x + w, y + h)),
        _ => None,
    });
    let part = cells.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3)))?;
    Some((list, part))
}

fn of_study(document: &Value, line: &str) -> Option<(DrawList, Part)> {
    let chart = study_lab::page::small::chart(document, line)?;
    let look = studies::Look { width: FULL, height: FULL * HIGH / WIDE + 80.0, ..studies::Look::default() };
    let layout = studies::Layout::new(&chart, &look);
    let part = (layout.x.left, layout.top(), layout.x.right, layout.bottom() + 2.0);
    Some((studies::draw(&chart, &look), part))
}

/// A part of a picture without its words, stretched over the frame.
fn fitted(list: &DrawList, (left, top, right, bottom): Part) -> DrawList {
    let (sx, sy) = (WIDE / (right - left).max(1.0), HIGH / (bottom - top).max(1.0));
    let x = |value: f64| ((value - left) * sx).clamp(0.0, WIDE);
    let y = |value: f64| ((value - top) * sy).clamp(0.0, HIGH);
    let fit = |mark: &Mark| match mark {
        Mark::Rect { x: x0, y: y0, w, h, ink, hatch: _ } => {
            let (from, to) = ((x(*x0), y(*y0)), (x(x0 + w), y(y0 + h)));
            let (w, h) = (to.0 - from.0, to.1 - from.1);
            let seen = w > 0.0 && h > 0.0;
            seen.then_some(Mark::Rect { x: from.0, y: from.1, w, h, ink: *ink, hatch: Hatch::None })
        }
        Mark::Frame { x: x0, y: y0, w, h, ink, line } => {
            let (from, to) = ((x(*x0), y(*y0)), (x(x0 + w), y(y0 + h)));
            let (w, h) = (to.0 - from.0, to.1 - from.1);
            Some(Mark::Frame { x: from.0, y: from.1, w, h, ink: *ink, line: *line })
        }
        Mark::Line { from, to, ink, line } => {
            let (from, to) = ((x(from.0), y(from.1)), (x(to.0), y(to.1)));
            (from != to).then_some(Mark::Line { from, to, ink: *ink, line: *line })
        }
        Mark::Text { .. } => None,
    };
    let marks = list.marks.iter().filter_map(fit).collect();
    DrawList { width: WIDE, height: HIGH, marks }
}
