//! The lives of waves, made of a report alone: a row for each wave from its begin to its end, shared out by cause.
//!
//! The order within a row is that of causes and not of time, which a report does not tell.

use serde_json::Value;

use super::{AXIS, MARGIN, SIZE, gutter, of_cause};
use kit::draw::Scale;
use kit::draw::list::{Align, DrawList, Ink};
use waves::Cause;

/// Height of a row.
const ROW: f64 = 12.0;

/// The picture, so wide; none of a report without waves. With it the part that has no words: left, top, right, bottom.
pub fn lives(report: &Value, width: f64) -> Option<(DrawList, (f64, f64, f64, f64))> {
    let waves = report["waves"].as_array().filter(|waves| !waves.is_empty())?;
    let engine = |wave: &Value| wave["se"].as_u64().unwrap_or(0);
    let clock = |wave: &Value, key: &str| wave[key].as_i64().unwrap_or(0);
    let begin = |of: u64| {
        let own = waves.iter().filter(|wave| engine(wave) == of);
        own.map(|wave| clock(wave, "begin")).min().unwrap_or(0)
    };
    let since = |wave: &Value, key: &str| clock(wave, key).saturating_sub(begin(engine(wave))) as f64;
    let end = waves.iter().map(|wave| since(wave, "end")).fold(1.0, f64::max);
    let gutter = gutter(width);
    let scale = Scale { from: 0.0, to: end, left: gutter, right: (width - MARGIN).max(gutter + 1.0) };
    let mut list = DrawList::new(width, AXIS + ROW * waves.len() as f64 + 2.0);
    list.rect((0.0, 0.0), (list.width, list.height), Ink::Ground);
    for (at, wave) in waves.iter().enumerate() {
        let y = AXIS + ROW * at as f64;
        let mut from = since(wave, "begin");
        for cause in Cause::ALL {
            let to = from + wave["causes"][cause.name()].as_f64().unwrap_or(0.0);
            let (left, right) = (scale.pixel(from), scale.pixel(to));
            if right > left {
                list.rect((left, y + 1.0), (right - left, ROW - 2.0), of_cause(cause));
            }
            from = to;
        }
        let label = format!("wave {at}, SIMD {}", wave["simd"]);
        list.text((scale.left - 8.0, y + ROW / 2.0), label, Ink::Muted, SIZE - 1.0, Align::End);
    }
    let number = base::people::grouped(end as u128);
    list.text((scale.right, AXIS / 2.0), number, Ink::Muted, SIZE, Align::End);
    list.text((scale.left - 8.0, AXIS / 2.0), "cycle", Ink::Muted, SIZE, Align::End);
    let part = (scale.left, AXIS, scale.right, list.height);
    Some((list, part))
}
