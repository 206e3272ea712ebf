//! The lane of a unit: every hold by itself where there is room, with the number of the wave; else how much of each
//! column the unit is held.

use super::columns::{COLUMN, Columns, stretches};
use super::rows::CLOSE;
use super::{SIZE, of_unit};
use crate::page::held::Lane;
use crate::page::run::Run;
use crate::page::{Held, STEPS};
use kit::draw::list::{Align, DrawList, Ink};
use kit::draw::{Scale, words};

/// Draws the holds of a lane.
pub(super) fn lane(
    list: &mut DrawList,
    run: &Run,
    lane: usize,
    scale: &Scale,
    (top, high): (f64, f64),
    columns: &mut Columns,
) {
    let (y, h) = (top + 1.0, high - 2.0);
    let ink = of_unit(run.lanes.all[lane].unit());
    list.rect((scale.left, top + high - 1.0), (scale.right - scale.left, 1.0), Ink::Grid);
    let most = ((scale.right - scale.left) * CLOSE).max(1.0) as usize;
    let holds: Vec<Held> = run.lanes.within(lane, scale.from, scale.to).take(most + 1).collect();
    if holds.len() > most {
        let work = |wide, which, put: &mut Vec<_>| run.lanes.columns(lane, wide, which, put);
        let step = h / f64::from(STEPS);
        for (shown, left, right) in stretches(run.rows.len() + lane, work, scale, COLUMN, columns) {
            let high = step * f64::from(shown.issues);
            list.rect((left, y + h - high), (right - left, high), ink);
        }
        return;
    }
    for (at, held) in holds.iter().enumerate() {
        let (left, right) = (scale.pixel(held.from).max(scale.left), scale.pixel(held.to).min(scale.right));
        if right < scale.left || left > scale.right {
            continue;
        }
        // Of several that issue in one slot each has a part of the height.
        let beside = |other: &&Held| other.from == held.from;
        let before = holds[..at].iter().rev().take_while(beside).count();
        let count = before + holds[at..].iter().take_while(beside).count();
        let part = h / count as f64;
        let wide = (right - left - f64::from(right - left > 4.0)).max(1.0);
        list.rect((left, y + part * before as f64), (wide, part), ink);
        let name = held.by.and_then(|by| run.wave(by)).filter(|_| count == 1 && h >= 9.0);
        if let Some(name) = name.map(|wave| wave.to_string()) {
            let size = (SIZE - 1.0).min(h);
            if words::width(&name, size) + 4.0 <= wide {
                list.text((left + wide / 2.0, y + h / 2.0), name, Ink::OnClass, size, Align::Middle);
            }
        }
    }
}

/// What it is called: shortened where there is little room.
pub(super) fn label(lane: &Lane, room: f64, size: f64) -> String {
    let name = lane.unit().name();
    let fits = words::width(name, size) <= room - 12.0;
    if fits { name.to_owned() } else { name.replace("memory", "mem") }
}
