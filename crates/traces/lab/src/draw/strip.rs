//! All of the run in a strip: how busy each device is, and the colour of why it is idle.

use super::{COLUMN, MARGIN, STRIP, gutter, of_bar};
use crate::page::packed::Lane;
use crate::page::run::Run;
use kit::draw::Scale;
use kit::draw::list::{Align, DrawList, Ink};

/// Draws it.
pub fn strip(run: &Run, width: f64) -> DrawList {
    let mut list = DrawList::new(width, STRIP);
    let scale = whole(run, width);
    list.rect((0.0, 0.0), (width, STRIP), Ink::Ground);
    let of = |lane: Lane, device: u32| {
        let fits = move |row: &usize| run.rows[*row].lane == lane && run.rows[*row].device == Some(device);
        (0..run.rows.len()).filter(fits)
    };
    let devices: Vec<u32> =
        (0..run.devices.len() as u32).filter(|&one| of(Lane::Stream, one).next().is_some()).collect();
    let h = STRIP / devices.len().max(1) as f64;
    for (at, &device) in devices.iter().enumerate() {
        let place = (at as f64 * h + 1.0, h - 2.0);
        let streams: Vec<usize> = of(Lane::Stream, device).collect();
        let busy = |from: f64, to: f64| {
            let share = streams.iter().map(|&row| run.share(row, from, to)).fold(0.0, f64::max);
            (share > 0.0).then_some((Ink::Class(0), share))
        };
        let idle = |from: f64, to: f64| {
            let row = of(Lane::Idle, device).next()?;
            let share = run.share(row, from, to);
            let kind = run.longest(row, from, to).map_or(9, |bar| bar.kind);
            (share > 0.0).then_some((of_bar(Lane::Idle, kind).0, share))
        };
        towers(&mut list, &scale, place, Hang::Up, busy);
        towers(&mut list, &scale, place, Hang::Down, idle);
    }
    list.text((scale.left - 8.0, STRIP / 2.0), "whole run", Ink::Muted, 11.0, Align::End);
    list
}

/// From where towers grow.
#[derive(Clone, Copy, PartialEq)]
enum Hang {
    /// From the top of their place.
    Up,
    /// From its bottom.
    Down,
}

/// Columns of a share of their height; those beside each other that look the same are one.
fn towers(
    list: &mut DrawList,
    scale: &Scale,
    (y, h): (f64, f64),
    hang: Hang,
    shown: impl Fn(f64, f64) -> Option<(Ink, f64)>,
) {
    let mut put = |(ink, high, x, to): (Ink, f64, f64, f64)| {
        let top = if hang == Hang::Up { y } else { y + h - high };
        list.rect((x, top), (to - x, high), ink);
    };
    let mut last = None::<(Ink, f64, f64, f64)>;
    let mut x = scale.left;
    while x < scale.right {
        let to = (x + COLUMN).min(scale.right);
        // Half pixels can be told apart, and what is there at all can be seen.
        let now = shown(scale.value(x), scale.value(to))
            .map(|(ink, share)| (ink, ((h * share * 2.0).round() / 2.0).max(0.5)));
        match last {
            Some((ink, high, from, _)) if now == Some((ink, high)) => last = Some((ink, high, from, to)),
            _ => {
                last.into_iter().for_each(&mut put);
                last = now.map(|(ink, high)| (ink, high, x, to));
            }
        }
        x = to;
    }
    last.into_iter().for_each(put);
}

/// The axis of the strip.
pub fn whole(run: &Run, width: f64) -> Scale {
    let gutter = gutter(width);
    Scale { from: 0.0, to: run.end.max(1.0), left: gutter, right: (width - MARGIN).max(gutter + 1.0) }
}
