//! A run of blocks as bands: one per SM, one per copy engine, and what else belongs to the picture.
//!
//! Times are f64 in nanoseconds. Heights are in what the bands measure, threads or bytes of shared memory. What is
//! built once takes time in proportion to the blocks; what a window asks for, in proportion to what it shows.

mod beside;
mod dense;
mod piece;
mod points;
#[cfg(test)]
pub(crate) mod sample;
mod stack;
mod steps;
#[cfg(test)]
mod tests;
mod track;

pub use beside::Way;
pub use dense::{CLASSES, Column, Dense, Level, ROWS};
pub use piece::{Piece, Pieces};
pub use points::{Moment, Point, Points};
pub use steps::Steps;
pub use track::Track;

use std::collections::BTreeMap;

use base::Nanos;
use blocks::device::MOST_SMS;
use blocks::{KernelRun, Setup, StreamKind, Trace};
use kit::timeline::Class;
use stack::Item;

/// What the height of a block stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Measure {
    /// Threads, as the device hands them out.
    #[default]
    Threads,
    /// Bytes of shared memory.
    SharedMemory,
}

impl Measure {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Threads => "threads",
            Measure::SharedMemory => "shared memory",
        }
    }

    /// What an SM has of it.
    pub fn limit(self, setup: &Setup) -> u32 {
        match self {
            Measure::Threads => setup.device.threads_per_sm,
            Measure::SharedMemory => setup.device.shared_memory_per_sm,
        }
    }

    /// What a block of a kernel takes of it.
    pub fn of(self, setup: &Setup, kernel: usize) -> u32 {
        let Some(kernel) = setup.kernels.get(kernel) else { return 0 };
        match self {
            Measure::Threads => setup.device.granted(kernel.threads),
            Measure::SharedMemory => kernel.shared_memory,
        }
    }
}

/// Copy engines with a band of their own.
const MOST_ENGINES: usize = 8;

/// A run, ready to be drawn in any window.
#[derive(Debug, Clone, PartialEq)]
pub struct BlocksTimeline {
    /// What heights stand for.
    pub measure: Measure,
    /// When the last thing ends.
    pub end: f64,
    /// The SMs, with what runs on each. Blocks that name an SM beyond [`MOST_SMS`] are left out.
    pub sms: Vec<Track>,
    /// The copy engines, if anything is copied; `run` of a piece is the place of a copy in the trace.
    pub engines: Vec<Track>,
    /// Which process has the device, if there are several; `run` of a piece is the process.
    pub processes: Option<Track>,
    /// Releases, launches and deadlines of each stream.
    pub points: Vec<Points>,
    /// How much of the measure is in use on the whole device.
    pub in_use: Steps,
    /// How much of it the device has.
    pub capacity: u64,
    /// The colour and hatch of each launch.
    pub classes: Vec<Class>,
    /// Which blocks, by their place in the trace, are elsewhere or begin at another time than in the run that this one
    /// is compared with; empty where it is compared with none.
    pub differs: Vec<bool>,
}

impl BlocksTimeline {
    /// The timeline of a run; `classes` are those of its kernels, from [`kernel_classes`].
    pub fn new(setup: &Setup, trace: &Trace, classes: &[Class], measure: Measure) -> Self {
        let class = |kernel: usize| classes.get(kernel).copied().unwrap_or((kernel % CLASSES) as Class);
        let classes: Vec<Class> = trace.kernels.iter().map(|run| class(run.kernel)).collect();
        let of_run = |run: u32| classes.get(run as usize).copied().unwrap_or(0);
        let limit = measure.limit(setup);
        let stretches = stretches(trace);
        let sms: Vec<Track> = items(setup, trace, measure)
            .into_iter()
            .map(|items| Track::new(items, limit, &stretches, of_run))
            .collect();
        Self {
            measure,
            end: trace.blocks.iter().map(|block| block.end).fold(trace.end, Nanos::max).0 as f64,
            in_use: Steps::sum(sms.iter().flat_map(|sm| sm.pieces.all())),
            capacity: u64::from(limit) * u64::from(setup.device.sms),
            sms,
            engines: engines(setup, trace),
            processes: processes(trace),
            points: points::points(setup, trace),
            classes,
            differs: Vec::new(),
        }
    }

    /// Whether a block is elsewhere, or begins at another time, than in the run that this one is compared with.
    pub fn is_different(&self, trace: &Trace, run: usize, block: u32) -> bool {
        let place = trace.kernels.get(run).map(|launch| launch.blocks.start + block as usize);
        place.and_then(|place| self.differs.get(place)) == Some(&true)
    }

    /// The parts of a block, each with its SM: none for a block that is not there.
    pub fn parts(&self, trace: &Trace, run: usize, block: u32) -> Vec<(u16, Piece)> {
        let place = |run: usize| trace.kernels.get(run)?.blocks.clone().nth(block as usize);
        let Some(found) = place(run).and_then(|place| trace.blocks.get(place)) else { return Vec::new() };
        let Some(track) = self.sms.get(usize::from(found.sm)) else { return Vec::new() };
        let (t0, t1) = (found.start.0 as f64, (found.end.0 as f64).max(found.start.0 as f64 + 1.0));
        let find = |above: Option<u8>| -> Vec<(u16, Piece)> {
            let is_part = |piece: &&Piece| piece.run as usize == run && piece.item == block;
            track.pieces.within(above, t0, t1).filter(is_part).map(|&piece| (found.sm, piece)).collect()
        };
        // As a rule a block is in one piece. Only where it was cut or moved the many shorter ones are looked at.
        let length = found.end.since(found.start).0;
        let octave = (64 - length.leading_zeros()) as u8;
        let whole = find(octave.checked_sub(1));
        let is_whole = |(_, piece): &(u16, Piece)| piece.end - piece.start == length as f64;
        if whole.iter().any(is_whole) { whole } else { find(None) }
    }
}

/// How much of a measure is in use on each SM over time.
pub fn in_use_by_sm(setup: &Setup, trace: &Trace, measure: Measure) -> Vec<Steps> {
    let stretches = stretches(trace);
    let steps = |items: Vec<Item>| {
        let mut pieces = Vec::with_capacity(items.len());
        for Item { context, start, end, height, run, item } in items {
            let piece = Piece { start: start as f64, end: end as f64, low: 0, high: height, run, item };
            match stretches.get(context as usize) {
                Some(own) => stack::cut(piece, own, track::MOST_CUTS, |part| pieces.push(part)),
                None => pieces.push(piece),
            }
        }
        Steps::sum(pieces.iter())
    };
    items(setup, trace, measure).into_iter().map(steps).collect()
}

/// Classes for the kernels of several runs: a kernel looks the same wherever its name is launched, in all of them.
///
/// Names are counted in the order of the streams and of what each stream launches: so no kernel changes its colour when
/// another one is launched sooner or takes longer. What has no name is told apart by its stream.
pub fn kernel_classes(runs: &[(&Setup, &Trace)]) -> Vec<Vec<Class>> {
    let mut known: BTreeMap<(&str, Option<usize>), usize> = BTreeMap::new();
    let mut all = Vec::new();
    for (setup, trace) in runs {
        let mut places = vec![None; setup.kernels.len()];
        for launch in in_document_order(setup, trace) {
            let Some(kernel) = setup.kernels.get(launch.kernel) else { continue };
            let nameless = kernel.label.is_empty().then_some(launch.stream);
            let next = known.len();
            let place = *known.entry((&kernel.label, nameless)).or_insert(next);
            if let Some(own) = places.get_mut(launch.kernel) {
                own.get_or_insert(place);
            }
        }
        // What is never launched is never seen.
        all.push(places.into_iter().map(|place| (place.unwrap_or(0) % CLASSES) as Class).collect());
    }
    all
}

/// The launches stream by stream, as the document lists them. Of a null stream, which several programs may share, by
/// name: which of them comes first is a matter of time.
fn in_document_order<'a>(setup: &'a Setup, trace: &'a Trace) -> Vec<&'a KernelRun> {
    let place = |launch: &&'a KernelRun| {
        let is_null = setup.streams.get(launch.stream).is_some_and(|stream| stream.kind == StreamKind::Null);
        let name = setup.kernels.get(launch.kernel).map_or("", |kernel| kernel.label.as_str());
        (launch.stream, is_null.then_some(name), launch.op)
    };
    let mut all: Vec<&KernelRun> = trace.kernels.iter().collect();
    base::sort::sort_by_key(&mut all, place);
    all
}

/// What runs on each SM.
fn items(setup: &Setup, trace: &Trace, measure: Measure) -> Vec<Vec<Item>> {
    let used = trace.blocks.iter().map(|block| block.sm).filter(|&sm| sm < MOST_SMS).max();
    let sms = usize::from(setup.device.sms).max(used.map_or(0, |sm| usize::from(sm) + 1));
    let mut counts = vec![0; sms];
    for block in &trace.blocks {
        if let Some(count) = counts.get_mut(usize::from(block.sm)) {
            *count += 1;
        }
    }
    let mut all: Vec<Vec<Item>> = counts.into_iter().map(Vec::with_capacity).collect();
    for (run, kernel) in (0u32..).zip(&trace.kernels) {
        let height = measure.of(setup, kernel.kernel);
        let Some(blocks) = trace.blocks.get(kernel.blocks.clone()).filter(|_| height > 0) else { continue };
        let context = setup.streams.get(kernel.stream).map_or(0, |stream| stream.process);
        let context = if trace.slices.is_empty() { 0 } else { context };
        for (item, block) in (0u32..).zip(blocks) {
            if let Some(items) = all.get_mut(usize::from(block.sm)) {
                let (start, end) = (block.start.0, block.end.0.max(block.start.0));
                items.push(Item { context, start, end, height, run, item });
            }
        }
    }
    all
}

/// For each process, when it had the device: ascending and apart. Empty where nobody takes turns.
fn stretches(trace: &Trace) -> Vec<Vec<(f64, f64)>> {
    let most = trace.slices.iter().map(|slice| slice.process).max().filter(|&most| most < 1 << 16);
    let mut all: Vec<Vec<(f64, f64)>> = most.map_or(Vec::new(), |most| vec![Vec::new(); most as usize + 1]);
    for slice in &trace.slices {
        let Some(own) = all.get_mut(slice.process as usize) else { continue };
        let (start, end) = (slice.start.0 as f64, slice.end.0 as f64);
        match own.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => own.push((start, end)),
        }
    }
    all
}

fn engines(setup: &Setup, trace: &Trace) -> Vec<Track> {
    let Some(used) = trace.copies.iter().map(|copy| usize::from(copy.engine)).max() else {
        return Vec::new();
    };
    let count = usize::from(setup.device.copy_engines).max(used + 1).min(MOST_ENGINES);
    let mut all: Vec<Vec<Item>> = vec![Vec::new(); count];
    for (run, copy) in (0u32..).zip(&trace.copies) {
        if let Some(items) = all.get_mut(usize::from(copy.engine)) {
            let (start, end) = (copy.start.0, copy.end.0.max(copy.start.0));
            items.push(Item { context: 0, start, end, height: 1, run, item: 0 });
        }
    }
    all.into_iter().map(|items| Track::new(items, 1, &[], |_| 0)).collect()
}

fn processes(trace: &Trace) -> Option<Track> {
    let item = |slice: &blocks::Slice| {
        let (start, end) = (slice.start.0, slice.end.0.max(slice.start.0));
        Item { context: 0, start, end, height: 1, run: slice.process, item: 0 }
    };
    let items: Vec<Item> = trace.slices.iter().map(item).collect();
    (!items.is_empty()).then(|| Track::new(items, 1, &[], |process| (process % CLASSES as u32) as Class))
}
