//! The bars of a row: each by itself where there is room, else what each column shows.

use super::columns::{COLUMN, Columns, stretches};
use super::{hatch_of, of_cause, of_unit};
use crate::page::packed::Kind;
use crate::page::run::Run;
use crate::page::{STEPS, Shown, UnitKind};
use kit::draw::Scale;
use kit::draw::list::{DrawList, Hatch, Ink, Mark};
use waves::Cause;

/// More bars in sight than this for each pixel are drawn as columns.
pub(super) const CLOSE: f64 = 0.3;

/// Draws the bars of a row.
pub(super) fn bars(
    list: &mut DrawList,
    run: &Run,
    row: usize,
    scale: &Scale,
    place: (f64, f64),
    columns: &mut Columns,
) {
    let inside = run.within(row, scale.from, scale.to);
    if inside.len() as f64 > ((scale.right - scale.left) * CLOSE).max(1.0) {
        return dense(list, run, row, scale, place, columns);
    }
    let edges =
        |start: f64, end: f64| (scale.pixel(start).max(scale.left), scale.pixel(end).min(scale.right));
    for place_of in inside {
        let bar = run.bar(row, place_of);
        let (left, right) = edges(bar.start, bar.end);
        if right < scale.left || left > scale.right {
            continue;
        }
        let wide = (right - left - f64::from(right - left > 4.0)).max(1.0);
        match bar.kind {
            Kind::Issue(unit) => {
                let (y, h) = inset(place);
                list.marks.push(Mark::Rect {
                    x: left,
                    y,
                    w: wide,
                    h,
                    ink: of_unit(unit),
                    hatch: Hatch::None,
                });
            }
            Kind::Wait(cause) => wait(list, cause, (left, wide), place),
        }
    }
}

/// Where the bars of a row are within it.
pub(super) fn inset((top, high): (f64, f64)) -> (f64, f64) {
    let by = (high * 0.12).round().max(2.0);
    (top + by, high - 2.0 * by)
}

/// What is waited for differs in shape, too: lines for what is on its way, hollow bars at barriers, low bars for units.
fn wait(list: &mut DrawList, cause: Cause, (x, w): (f64, f64), (top, high): (f64, f64)) {
    let (middle, ink, hatch) = (top + high / 2.0, of_cause(cause), hatch_of(cause));
    let mut put = |y: f64, h: f64| list.marks.push(Mark::Rect { x, y: y.round(), w, h, ink, hatch });
    match cause {
        Cause::Data => put(middle - 2.0, 4.0),
        Cause::MemoryPath => put(middle - 4.0, 8.0),
        Cause::Barrier => {
            let h = (high * 0.4).round();
            let mark =
                Mark::Frame { x: x + 0.5, y: middle - h / 2.0, w: (w - 1.0).max(0.5), h, ink, line: 1.0 };
            list.marks.push(mark);
        }
        Cause::Unit | Cause::Chosen => put(top + high * 0.6, (high * 0.25).round().max(3.0)),
        Cause::Unexplained => put(middle - high * 0.2, (high * 0.4).round()),
        Cause::Fetch | Cause::Dependency => put(middle - 3.0, 6.0),
        Cause::Told | Cause::Start | Cause::End | Cause::Issue => put(middle, 1.0),
    }
}

/// Draws columns: what issues stands at the bottom, what waits above it.
fn dense(
    list: &mut DrawList,
    run: &Run,
    row: usize,
    scale: &Scale,
    place: (f64, f64),
    columns: &mut Columns,
) {
    let (y, h) = inset(place);
    let step = h / f64::from(STEPS);
    let work = |wide, which, put: &mut Vec<_>| run.columns(row, wide, which, put);
    let found = stretches(row, work, scale, COLUMN, columns);
    // One colour after the other, as a canvas changes it seldom then.
    let mut put = |ink: Ink, hatch: Hatch, part: &dyn Fn(Shown) -> Option<(u8, u8)>| {
        for (shown, left, right) in &found {
            let Some((from, to)) = part(*shown) else { continue };
            let (top, bottom) = (y + h - step * f64::from(to), y + h - step * f64::from(from));
            list.marks.push(Mark::Rect { x: *left, y: top, w: right - left, h: bottom - top, ink, hatch });
        }
    };
    for unit in UnitKind::ALL {
        put(of_unit(unit), Hatch::None, &|shown| (shown.unit() == Some(unit)).then_some((0, shown.issues)));
    }
    for cause in Cause::ALL {
        put(of_cause(cause), hatch_of(cause), &|shown| {
            (shown.wait() == Some(cause)).then_some((shown.issues, shown.lives))
        });
    }
}
