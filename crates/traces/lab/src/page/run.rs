//! A recorded run on the page: rows of bars, and what can be asked of them without asking the worker.

use std::ops::Range;

use super::longest::Longest;
use super::packed::{Lane, Packed, Row, cause};
use traces::Cause;

/// The run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Run {
    /// When the last thing recorded ended.
    pub end: f64,
    /// When the first operation began.
    pub begins: f64,
    /// Names of kernels and calls.
    pub names: Vec<String>,
    /// Names of devices.
    pub devices: Vec<String>,
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
    starts: Vec<f64>,
    ends: Vec<f64>,
    texts: Vec<u32>,
    ids: Vec<u32>,
    kinds: Vec<u8>,
    /// By bar: the latest end of those of its row up to it.
    until: Vec<f64>,
    /// By bar: how much of the time before its start the bars of its row cover.
    covered: Vec<f64>,
    /// By operation: its bar.
    bars: Vec<u32>,
    /// By call: its first bar.
    calls: Vec<u32>,
    longest: Longest,
}

/// A bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// The row.
    pub row: usize,
    /// Its place among all bars.
    pub place: usize,
    /// When it begins.
    pub start: f64,
    /// When it ends.
    pub end: f64,
    /// What it is about: an operation or a call; of idle time, the operation that ended it.
    pub id: u32,
    /// Its kind, as [`Packed::kinds`] says.
    pub kind: u8,
}

/// How a device spent a stretch of time.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spent {
    /// The device, by its place.
    pub device: u32,
    /// Time in which something ran.
    pub busy: f64,
    /// Time in which nothing ran, by cause.
    pub causes: [f64; 10],
    /// Time before its first operation and after its last.
    pub outside: f64,
}

impl Run {
    /// As it crossed.
    pub fn new(packed: Packed) -> Self {
        let times =
            |bytes: &[u8]| bytes.chunks_exact(8).map(|b| f64::from_le_bytes(array(b))).collect::<Vec<f64>>();
        let numbers =
            |bytes: &[u8]| bytes.chunks_exact(4).map(|b| u32::from_le_bytes(array(b))).collect::<Vec<u32>>();
        let (starts, ends) = (times(&packed.starts), times(&packed.ends));
        let ids = numbers(&packed.ids);
        let (mut until, mut covered) = (Vec::with_capacity(starts.len()), Vec::with_capacity(starts.len()));
        let (mut bars, mut calls) = (Vec::new(), Vec::new());
        for row in &packed.rows {
            let (mut last, mut sum) = (f64::MIN, 0.0);
            for bar in range(row) {
                covered.push(sum);
                sum += (ends[bar] - starts[bar].max(last)).max(0.0);
                last = last.max(ends[bar]);
                until.push(last);
                match row.lane {
                    Lane::Stream => note(&mut bars, ids[bar], bar),
                    Lane::Thread if calls.get(ids[bar] as usize).is_none_or(|&first| first == NOWHERE) => {
                        note(&mut calls, ids[bar], bar);
                    }
                    _ => {}
                }
            }
        }
        let Packed { end, begins, names, devices, rows, .. } = packed;
        let (texts, kinds) = (numbers(&packed.texts), packed.kinds.into_vec());
        let longest = Longest::of(starts.len(), |bar| ends[bar] - starts[bar]);
        Self {
            end,
            begins,
            names,
            devices,
            rows,
            starts,
            ends,
            texts,
            ids,
            kinds,
            until,
            covered,
            bars,
            calls,
            longest,
        }
    }

    /// What ran in streams, as it was and with all operations at other times, given by their places.
    #[must_use]
    pub fn moved(&self, times: &[(f64, f64)]) -> Self {
        let mut packed = Packed { end: 0.0, begins: self.begins, ..Packed::default() };
        packed.names.clone_from(&self.names);
        packed.devices.clone_from(&self.devices);
        for row in self.rows.iter().filter(|row| row.lane == Lane::Stream) {
            let recorded = |bar: usize| (self.starts[bar], self.ends[bar]);
            let changed = |bar: usize| times.get(self.ids[bar] as usize).copied().unwrap_or(recorded(bar));
            self.pack(&mut packed, Row { lane: Lane::Was, ..row.clone() }, recorded);
            self.pack(&mut packed, Row { label: "as changed".to_owned(), ..row.clone() }, changed);
        }
        packed.end = packed.end.max(self.end);
        Self::new(packed)
    }

    /// Packs the bars of a row as a row of another run, where they have other times.
    fn pack(&self, packed: &mut Packed, row: Row, times: impl Fn(usize) -> (f64, f64)) {
        let mut all: Vec<(f64, f64, usize)> =
            range(&row).map(|bar| (times(bar).0, times(bar).1, bar)).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let first = packed.kinds.len() as u32;
        for (start, end, bar) in all {
            packed.push((start, end), self.texts[bar], self.kinds[bar], self.ids[bar]);
        }
        packed.rows.push(Row { first, ..row });
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// How many bars there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// A bar.
    pub fn bar(&self, row: usize, place: usize) -> Bar {
        let (start, end) = (self.starts[place], self.ends[place]);
        Bar { row, place, start, end, id: self.ids[place], kind: self.kinds[place] }
    }

    /// The bars of a row that meet a stretch of time, and perhaps some before it.
    pub fn within(&self, row: usize, from: f64, to: f64) -> Range<usize> {
        let own = range(&self.rows[row]);
        let first = own.start + self.until[own.clone()].partition_point(|&until| until < from);
        let last = own.start + self.starts[own].partition_point(|&start| start <= to);
        first..last.max(first)
    }

    /// How much of a row's time before some point its bars cover.
    pub(super) fn covered(&self, row: usize, time: f64) -> f64 {
        let own = range(&self.rows[row]);
        let begun = own.start + self.starts[own.clone()].partition_point(|&start| start < time);
        self.covered_by(&own, begun, time)
    }

    /// The same where it is known which is the first bar that begins then or later.
    pub(super) fn covered_by(&self, own: &Range<usize>, begun: usize, time: f64) -> f64 {
        if begun == own.start {
            return 0.0;
        }
        let last = begun - 1;
        let since =
            if last > own.start { self.until[last - 1].max(self.starts[last]) } else { self.starts[last] };
        let all = self.covered[last] + (self.ends[last] - since).max(0.0);
        // All of these began before that time, so what of them lies beyond it is one stretch.
        all - (self.until[last] - time).max(0.0)
    }

    /// Which share of a stretch of time the bars of a row cover.
    pub fn share(&self, row: usize, from: f64, to: f64) -> f64 {
        if to > from {
            ((self.covered(row, to) - self.covered(row, from)) / (to - from)).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    /// The longest bar of a row in a stretch of time.
    pub fn longest(&self, row: usize, from: f64, to: f64) -> Option<Bar> {
        self.longest_of(self.within(row, from, to)).map(|place| self.bar(row, place))
    }

    /// The longest of some bars.
    pub(super) fn longest_of(&self, bars: Range<usize>) -> Option<usize> {
        self.longest.within(bars, |bar| self.ends[bar] - self.starts[bar])
    }

    /// The kind of a bar.
    pub(super) fn kind(&self, place: usize) -> u8 {
        self.kinds[place]
    }

    /// When bars begin, and until when those up to each last.
    pub(super) fn edges(&self, own: &Range<usize>) -> (&[f64], &[f64]) {
        (&self.starts[own.clone()], &self.until[own.clone()])
    }

    /// What a bar is called; nothing for idle time that nobody is to blame for.
    pub fn text(&self, bar: &Bar) -> &str {
        self.names.get(self.texts[bar.place] as usize).map_or("", String::as_str)
    }

    /// The name of a bar, by its place.
    pub fn text_at(&self, place: usize) -> u32 {
        self.texts[place]
    }

    /// The place of an operation's bar.
    pub fn operation_at(&self, id: u32) -> Option<usize> {
        self.bars.get(id as usize).map(|&place| place as usize).filter(|&place| place < self.starts.len())
    }

    /// The bar of an operation.
    pub fn operation(&self, id: u32) -> Option<Bar> {
        self.placed(self.operation_at(id)?, Lane::Stream)
    }

    /// The first stretch of a call.
    pub fn call(&self, id: u32) -> Option<Bar> {
        let place = *self.calls.get(id as usize).filter(|&&place| place != NOWHERE)?;
        self.placed(place as usize, Lane::Thread)
    }

    fn placed(&self, place: usize, lane: Lane) -> Option<Bar> {
        let row = self.rows.iter().position(|row| row.lane == lane && range(row).contains(&place))?;
        Some(self.bar(row, place))
    }

    /// The bar of a row at a time, or the one that is nearest within some tolerance.
    pub fn hit(&self, row: usize, time: f64, tolerance: f64) -> Option<Bar> {
        let bars = self.within(row, time - tolerance, time + tolerance);
        let away = |place: &usize| (self.starts[*place] - time).max(time - self.ends[*place]).max(0.0);
        let near = bars.filter(|place| away(place) <= tolerance);
        // Of several, the one that began last: it lies on top.
        let best = near.reduce(|best, place| if away(&place) <= away(&best) { place } else { best })?;
        Some(self.bar(row, best))
    }

    /// How every device spent a stretch of time.
    pub fn spent(&self, from: f64, to: f64) -> Vec<Spent> {
        let idle = (0..).zip(&self.rows).filter(|(_, row)| row.lane == Lane::Idle);
        idle.map(|(at, row)| {
            let device = row.device.unwrap_or(0);
            let mut spent = Spent { device, ..Spent::default() };
            for bar in self.within(at, from, to) {
                let part = (self.ends[bar].min(to) - self.starts[bar].max(from)).max(0.0);
                spent.causes[cause(self.kinds[bar]) as usize] += part;
            }
            let (start, end) = self.alive(device);
            let alive = (end.min(to) - start.max(from)).max(0.0);
            spent.outside = (to - from - alive).max(0.0);
            spent.busy = (alive - spent.causes.iter().sum::<f64>()).max(0.0);
            spent
        })
        .collect()
    }

    /// From the first operation of a device to its last.
    fn alive(&self, device: u32) -> (f64, f64) {
        let own = self
            .rows
            .iter()
            .filter(|row| row.lane == Lane::Stream && row.device == Some(device) && row.count > 0);
        own.fold((f64::MAX, f64::MIN), |(start, end), row| {
            let bars = range(row);
            (start.min(self.starts[bars.start]), end.max(self.until[bars.end - 1]))
        })
    }

    /// The bars of streams and threads whose names hold some text: their rows and places.
    fn called(&self, text: &str) -> impl Iterator<Item = (usize, usize)> {
        let wanted = text.trim().to_lowercase();
        let fits: Vec<bool> = self.names.iter().map(|name| name.to_lowercase().contains(&wanted)).collect();
        // While nothing is written, no bar is looked at.
        let sought = !wanted.is_empty();
        let rows = self.rows.iter().enumerate();
        let all = rows.filter(move |(_, own)| sought && matches!(own.lane, Lane::Stream | Lane::Thread));
        all.flat_map(|(row, own)| range(own).map(move |place| (row, place)))
            .filter(move |&(_, place)| fits.get(self.texts[place] as usize) == Some(&true))
    }

    /// The next bar whose name holds some text, after a time or before it.
    pub fn find(&self, text: &str, from: f64, forward: bool) -> Option<Bar> {
        let (mut best, mut edge) = (None::<Bar>, None::<Bar>);
        for (row, place) in self.called(text) {
            let start = self.starts[place];
            let nearer = |one: &Option<Bar>| one.is_none_or(|one| (start < one.start) == forward);
            if (start > from) == forward && start != from && nearer(&best) {
                best = Some(self.bar(row, place));
            }
            if nearer(&edge) {
                edge = Some(self.bar(row, place));
            }
        }
        best.or(edge)
    }

    /// The next stretch of idle time by a cause, or by any, that is at least so long; after a time or before it.
    pub fn gap(&self, only: Option<Cause>, least: f64, from: f64, forward: bool) -> Option<Bar> {
        let idle = self.rows.iter().enumerate().filter(|(_, row)| row.lane == Lane::Idle);
        let all = idle.flat_map(|(at, row)| range(row).map(move |place| self.bar(at, place)));
        let fits =
            all.filter(|bar| only.is_none_or(|only| cause(bar.kind) == only) && bar.end - bar.start >= least);
        let beyond = fits.filter(|bar| if forward { bar.start > from } else { bar.start < from });
        beyond.reduce(|best, bar| if (bar.start < best.start) == forward { bar } else { best })
    }
}

/// No bar.
const NOWHERE: u32 = u32::MAX;

/// Notes the place of something by its number.
fn note(places: &mut Vec<u32>, id: u32, place: usize) {
    let id = id as usize;
    if places.len() <= id {
        places.resize(id + 1, NOWHERE);
    }
    places[id] = place as u32;
}

/// The bars of a row.
pub fn range(row: &Row) -> Range<usize> {
    row.first as usize..row.first as usize + row.count as usize
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().unwrap_or([0; N])
}
