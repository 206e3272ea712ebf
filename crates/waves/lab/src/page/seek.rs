//! What the search field finds: lines of the code, or stretches of waves where terms ask for more than lines know.

use super::packed::Kind as Shows;
use super::run::range;
use super::{Run, says};
use base::people::{counted, grouped};
use kit::page::hits::Listed;
use kit::page::terms::{Answer, Kind, Query, Terms};

/// What the search understands.
pub const TERMS: Terms = Terms {
    plain: "Part of an instruction",
    keys: &[
        ("wave", Kind::Number),
        ("simd", Kind::Number),
        ("slot", Kind::Number),
        ("cu", Kind::Number),
        ("se", Kind::Number),
        ("cycle", Kind::Number),
        ("wait", Kind::Amount),
        ("for", Kind::Text),
        ("unit", Kind::Text),
    ],
    bare: None,
    example: "s_waitcnt simd:0 wait>100 for:data",
};

/// Something that is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// A line of the code, by its place.
    Line(usize),
    /// A stretch, by its place among all.
    Bar(u32),
}

impl Run {
    /// What one of those is called where they are listed.
    pub fn listed(&self, hit: Hit) -> Option<Listed> {
        let named = |line: usize| {
            let own = self.lines.get(line)?;
            Some((says::short(&own.text), format!("line {}", own.number)))
        };
        match hit {
            Hit::Line(line) => {
                let (what, place) = named(line)?;
                Some([what, place, counted(self.of_line(line).len(), "time")])
            }
            Hit::Bar(place) => {
                let bar = self.placed(place as usize)?;
                let what = match bar.kind {
                    Shows::Wait(cause) => says::name_of(cause),
                    Shows::Issue(unit) => unit.name(),
                };
                let at =
                    bar.line.and_then(named).map_or(String::new(), |(own, line)| format!(": {own}, {line}"));
                let cycles = counted((bar.end - bar.start) as usize, "cycle");
                let place = format!("wave {}, from {}", self.wave(bar.place)?, grouped(bar.start as u128));
                Some([format!("{what}{at}"), place, cycles])
            }
        }
    }

    /// What a search finds: lines as they stand, stretches by when they begin.
    pub fn seek(&self, query: &Query) -> Vec<Hit> {
        let named: Vec<bool> = self.lines.iter().map(|line| query.names(&line.text)).collect();
        if query.is_plain() {
            let lines = (0..self.lines.len()).filter(|line| named[*line]);
            return lines.map(Hit::Line).collect();
        }
        let mut all: Vec<(f64, u32)> = Vec::new();
        let mut wave_of = vec![0; self.len()];
        for (number, wave) in self.waves.iter().enumerate() {
            let own = wave.first as usize..(wave.first + wave.count) as usize;
            wave_of.get_mut(own).into_iter().flatten().for_each(|of| *of = number);
        }
        for (row, own) in self.rows.iter().enumerate() {
            for place in range(own) {
                let bar = self.bar(row, place);
                let is_named = bar.line.map_or(query.plain.is_empty(), |line| named[line]);
                let answer = |key: &'static str| match (key, bar.kind) {
                    ("wave", _) => Answer::Number(wave_of[place] as f64),
                    ("simd", _) => Answer::Number(f64::from(own.simd)),
                    ("slot", _) => Answer::Number(f64::from(own.slot)),
                    ("cu", _) => Answer::Number(f64::from(own.cu)),
                    ("se", _) => Answer::Number(f64::from(own.se)),
                    ("cycle", _) => Answer::Number(bar.start),
                    ("wait", Shows::Wait(_)) => Answer::Number(bar.end - bar.start),
                    ("for", Shows::Wait(cause)) => says::name_of(cause).into(),
                    ("unit", Shows::Issue(unit)) => unit.name().into(),
                    _ => Answer::None,
                };
                if is_named && query.holds(&answer) {
                    all.push((bar.start, place as u32));
                }
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        all.into_iter().map(|(_, place)| Hit::Bar(place)).collect()
    }
}
