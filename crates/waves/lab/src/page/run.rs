//! A capture on the page: rows of bars, and what can be asked of them without asking the worker.

use std::ops::Range;

use super::engines::Engine;
use super::held::Lanes;
use super::layout::{OfWave, Row};
use super::packed::{KINDS, Kind, Line, NONE, Packed, numbers, times};
use waves::Cause;

/// Sums are kept at every so many bars.
const STRIDE: usize = 64;

/// The capture.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Run {
    /// When the last wave ended.
    pub end: f64,
    /// Rows from top to bottom.
    pub rows: Vec<Row>,
    /// Waves, in the order of reports.
    pub waves: Vec<OfWave>,
    /// The code.
    pub lines: Vec<Line>,
    /// Who holds which unit.
    pub lanes: Lanes,
    /// Who is on the shader engines.
    pub engines: Vec<Engine>,
    starts: Vec<f64>,
    ends: Vec<f64>,
    of_line: Vec<u32>,
    witnesses: Vec<u32>,
    kinds: Vec<u8>,
    /// Cycles by kind of all bars before every [`STRIDE`]th.
    sums: Vec<[f64; KINDS]>,
    /// Bars by line, in order; and where those of each line begin.
    lit: Vec<u32>,
    lit_from: Vec<u32>,
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
    /// The place of its line.
    pub line: Option<usize>,
    /// What it shows.
    pub kind: Kind,
}

impl Run {
    /// As it crossed.
    pub fn new(packed: Packed) -> Self {
        let (starts, ends) = (times(&packed.starts), times(&packed.ends));
        let of_line = numbers(&packed.of_line);
        let witnesses = numbers(&packed.witnesses);
        let Packed { end, rows, waves, lines, kinds, lanes, engines, .. } = packed;
        let engines = engines.into_iter().map(|engine| Engine::new(engine, end)).collect();
        let kinds = kinds.into_vec();
        let (lit, lit_from) = by_line(&of_line, lines.len());
        let mut run = Self {
            end,
            rows,
            waves,
            lines,
            lanes: Lanes::new(lanes),
            engines,
            starts,
            ends,
            of_line,
            witnesses,
            kinds,
            lit,
            lit_from,
            sums: Vec::new(),
        };
        let mut sum = [0.0; KINDS];
        for place in 0..run.kinds.len() {
            if place % STRIDE == 0 {
                run.sums.push(sum);
            }
            sum[usize::from(run.kinds[place])] += run.ends[place] - run.starts[place];
        }
        run
    }

    /// A bar.
    pub fn bar(&self, row: usize, place: usize) -> Bar {
        let line = Some(self.of_line[place]).filter(|&line| line != NONE).map(|line| line as usize);
        let kind = Kind::numbered(self.kinds[place]);
        Bar { row, place, start: self.starts[place], end: self.ends[place], line, kind }
    }

    /// A bar by its place among all.
    pub fn placed(&self, place: usize) -> Option<Bar> {
        let row = self.rows.partition_point(|row| range(row).end <= place);
        (row < self.rows.len()).then(|| self.bar(row, place))
    }

    /// The bar in which the witness of another issued.
    pub fn witness(&self, place: usize) -> Option<Bar> {
        let witness = *self.witnesses.get(place).filter(|&&witness| witness != NONE)?;
        self.placed(witness as usize)
    }

    /// The wave of a bar, as reports number them.
    pub fn wave(&self, place: usize) -> Option<usize> {
        let own = |wave: &OfWave| (wave.first..wave.first + wave.count).contains(&(place as u32));
        self.waves.iter().position(own)
    }

    /// How many bars there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The bars of a row that meet a stretch of time.
    pub fn within(&self, row: usize, from: f64, to: f64) -> Range<usize> {
        let own = range(&self.rows[row]);
        let (starts, ends) = self.edges(&own);
        let first = own.start + ends.partition_point(|&end| end <= from);
        let last = own.start + starts.partition_point(|&start| start < to);
        first..last.max(first)
    }

    /// When bars begin and end.
    pub(super) fn edges(&self, own: &Range<usize>) -> (&[f64], &[f64]) {
        (&self.starts[own.clone()], &self.ends[own.clone()])
    }

    /// Adds the cycles by kind that bars have in a stretch of time: all of these bars meet it.
    pub(super) fn add(&self, bars: Range<usize>, from: f64, to: f64, cycles: &mut [f64; KINDS]) {
        let mut one = |place: usize| {
            let length = self.ends[place].min(to) - self.starts[place].max(from);
            cycles[usize::from(self.kinds[place])] += length.max(0.0);
        };
        // The outermost may reach beyond the stretch; of those between, sums are known.
        let (first, last) = ((bars.start + 1).div_ceil(STRIDE), bars.end.saturating_sub(1) / STRIDE);
        if last <= first {
            return bars.for_each(one);
        }
        (bars.start..first * STRIDE).for_each(&mut one);
        (last * STRIDE..bars.end).for_each(&mut one);
        for (kind, sum) in cycles.iter_mut().enumerate() {
            *sum += self.sums[last][kind] - self.sums[first][kind];
        }
    }

    /// Cycles by kind of a row in a stretch of time.
    pub fn spent(&self, row: usize, from: f64, to: f64) -> [f64; KINDS] {
        let mut cycles = [0.0; KINDS];
        self.add(self.within(row, from, to), from, to, &mut cycles);
        cycles
    }

    /// The bar of a row at a time, or the one that is nearest within some tolerance.
    pub fn hit(&self, row: usize, time: f64, tolerance: f64) -> Option<Bar> {
        let away = |place: &usize| (self.starts[*place] - time).max(time - self.ends[*place]).max(0.0);
        let near = self.within(row, time - tolerance, time + tolerance + f64::EPSILON);
        let best = near.reduce(|best, place| if away(&place) < away(&best) { place } else { best })?;
        Some(self.bar(row, best))
    }

    /// The bars of a line, in the order of their places.
    pub fn of_line(&self, line: usize) -> &[u32] {
        let edge = |at: usize| self.lit_from.get(at).map_or(self.lit.len(), |&from| from as usize);
        self.lit.get(edge(line)..edge(line + 1)).unwrap_or_default()
    }

    /// Those of them that are in a row and meet a stretch of time.
    pub fn lit(&self, line: usize, row: usize, from: f64, to: f64) -> &[u32] {
        let (all, bars) = (self.of_line(line), self.within(row, from, to));
        let edge = |place: usize| all.partition_point(|&own| (own as usize) < place);
        &all[edge(bars.start)..edge(bars.end)]
    }

    /// The first bar of a line that waits, and else the first, at a time or later; or else of all.
    pub fn first_of(&self, line: usize, from: f64) -> Option<Bar> {
        let all = self.of_line(line);
        let start = |place: u32| self.starts[place as usize];
        let waits = |place: &u32| matches!(Kind::numbered(self.kinds[*place as usize]), Kind::Wait(_));
        let later = || all.iter().copied().filter(|&place| start(place) >= from);
        let place = later()
            .filter(waits)
            .min_by(|&a, &b| start(a).total_cmp(&start(b)))
            .or_else(|| later().min_by(|&a, &b| start(a).total_cmp(&start(b))))
            .or_else(|| all.first().copied())?;
        self.placed(place as usize)
    }

    /// The next stretch of a kind, or of any that waits, that has at least so many cycles; after a time or before it.
    pub fn wait(&self, only: Option<Cause>, least: f64, from: f64, forward: bool) -> Option<Bar> {
        let fits = |place: &usize| match Kind::numbered(self.kinds[*place]) {
            Kind::Issue(_) => false,
            Kind::Wait(cause) => {
                // Who goes from wait to wait means those of instructions.
                let is_edge = matches!(cause, Cause::Start | Cause::End);
                only.map_or(!is_edge, |only| only == cause)
                    && self.ends[*place] - self.starts[*place] >= least
            }
        };
        let beyond = |place: &usize| (self.starts[*place] > from) == forward && self.starts[*place] != from;
        let nearer = |best: usize, place: usize| {
            if (self.starts[place] < self.starts[best]) == forward { place } else { best }
        };
        let found = (0..self.kinds.len()).filter(beyond).filter(fits).reduce(nearer)?;
        self.placed(found)
    }

    /// The next time that the wave of a bar is at the same line, or the one before: the first of its bars there.
    pub fn again(&self, bar: &Bar, forward: bool) -> Option<Bar> {
        let (all, wave) = (self.of_line(bar.line?), self.waves.get(self.wave(bar.place)?)?);
        let own = |place: &&u32| (wave.first..wave.first + wave.count).contains(*place);
        // Bars beside each other are of one time.
        let begins = |at: &usize| at.checked_sub(1).is_none_or(|before| all[before] + 1 != all[*at]);
        let at = all.partition_point(|&place| (place as usize) <= bar.place);
        let found = if forward {
            (at..all.len()).find(begins)
        } else {
            let own = (0..at).rev().find(begins)?;
            (0..own).rev().find(begins)
        };
        let place = all.get(found?).filter(own)?;
        self.placed(*place as usize)
    }

    /// What a bar is called in a link: its wave and its first cycle.
    pub fn name(&self, bar: &Bar) -> Option<String> {
        Some(format!("wave {} cycle {}", self.wave(bar.place)?, bar.start))
    }

    /// The bar of such a name.
    pub fn named(&self, name: &str) -> Option<Bar> {
        let (wave, cycle) = name.strip_prefix("wave ")?.split_once(" cycle ")?;
        self.at(wave.parse().ok()?, cycle.parse().ok()?)
    }

    /// The bar of a wave at a time.
    pub fn at(&self, wave: usize, time: f64) -> Option<Bar> {
        let own = self.waves.get(wave)?;
        let bars = own.first as usize..(own.first + own.count) as usize;
        let place = bars.start + self.ends[bars.clone()].partition_point(|&end| end <= time);
        bars.contains(&place).then(|| self.bar(own.row as usize, place))
    }
}

/// Bars by line, and where those of each line begin.
fn by_line(of_line: &[u32], lines: usize) -> (Vec<u32>, Vec<u32>) {
    let mut from = vec![0_u32; lines + 1];
    let known = || (0_u32..).zip(of_line).filter(|(_, line)| (**line as usize) < lines);
    known().for_each(|(_, &line)| from[line as usize + 1] += 1);
    for line in 0..lines {
        from[line + 1] += from[line];
    }
    let mut next = from.clone();
    let mut lit = vec![0; from[lines] as usize];
    for (place, &line) in known() {
        let own = &mut next[line as usize];
        lit[*own as usize] = place;
        *own += 1;
    }
    (lit, from)
}

/// The bars of a row.
pub fn range(row: &Row) -> Range<usize> {
    row.first as usize..row.first as usize + row.count as usize
}
