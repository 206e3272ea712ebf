//! What the search field finds: operations and calls by name and by terms, idle time where terms ask for it.

use super::packed::{Lane, cause};
use super::run::range;
use super::{Bar, Run, says};
use kit::draw::nanos::in_words;
use kit::page::hits::Listed;
use kit::page::terms::{Answer, Kind, Query, Terms};

/// What the search understands.
pub const TERMS: Terms = Terms {
    plain: "Part of a kernel's, copy's or call's name",
    keys: &[
        ("kind", Kind::Text),
        ("stream", Kind::Text),
        ("gpu", Kind::Number),
        ("start", Kind::Time),
        ("time", Kind::Time),
        ("idle", Kind::Time),
        ("for", Kind::Text),
    ],
    bare: None,
    example: "gemm stream:7 start:2ms..5ms time>20us, or idle>50us for:host",
};

impl Run {
    /// What one of those is called where they are listed.
    pub fn listed(&self, place: u32) -> Option<Listed> {
        let bar = self.at(place)?;
        let name = match self.rows.get(bar.row)?.lane {
            Lane::Idle => says::name_of(cause(bar.kind)),
            _ => self.text(&bar),
        };
        let [length, start] = [bar.end - bar.start, bar.start].map(|time| in_words(time as i64));
        let lane = &self.rows.get(bar.row)?.label;
        Some([name.to_owned(), format!("{lane}, from {start}"), length])
    }

    /// What a search finds: the places of bars, by when they begin.
    pub fn seek(&self, query: &Query) -> Vec<u32> {
        let named: Vec<bool> = self.names.iter().map(|name| query.names(name)).collect();
        let idle = query.asks("idle") || query.asks("for");
        let mut all: Vec<(f64, u32)> = Vec::new();
        for (row, own) in self.rows.iter().enumerate() {
            let kind_of = |kind: u8| match (own.lane, kind) {
                (Lane::Idle, _) => "idle",
                (Lane::Thread, 2) => "call launches",
                (Lane::Thread, 1) => "call waits",
                (Lane::Thread, _) => "call",
                (_, 0) => "kernel",
                (_, 1) => "copy",
                _ => "set",
            };
            if own.lane == Lane::Was || (own.lane == Lane::Idle) != idle {
                continue;
            }
            let stream = own.label.strip_prefix("stream ").unwrap_or_default();
            for place in range(own) {
                let bar = self.bar(row, place);
                let answer = |key: &'static str| match (key, own.lane) {
                    ("kind", _) => kind_of(bar.kind).into(),
                    ("stream", Lane::Stream) => Answer::from(stream),
                    ("gpu", Lane::Stream | Lane::Idle) => {
                        own.device.map_or(Answer::None, |device| Answer::Number(f64::from(device)))
                    }
                    ("start", _) => Answer::Number(bar.start),
                    ("time", Lane::Stream | Lane::Thread) | ("idle", Lane::Idle) => {
                        Answer::Number(bar.end - bar.start)
                    }
                    ("for", Lane::Idle) => says::name_of(cause(bar.kind)).into(),
                    _ => Answer::None,
                };
                let is_named = named.get(self.text_at(place) as usize).copied();
                if is_named.unwrap_or(query.plain.is_empty()) && query.holds(&answer) {
                    all.push((bar.start, place as u32));
                }
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        all.into_iter().map(|(_, place)| place).collect()
    }

    /// The bar at a place among all.
    pub fn at(&self, place: u32) -> Option<Bar> {
        let place = place as usize;
        let row = self.rows.iter().position(|row| range(row).contains(&place))?;
        Some(self.bar(row, place))
    }
}
