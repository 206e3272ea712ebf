//! The runs of a result, ready to be drawn, and what the things in them are called.

use std::sync::{Arc, OnceLock};

use super::beside::differing;
use super::totals::Totals;
use super::{ByKernel, Clock, Seen};
use crate::draw::blocks::{Panel, Selected};
use crate::report::ViolationReport;
use crate::report::blocks::{KernelReport, Pictured};
use crate::timeline::blocks::{BlocksTimeline, Measure, Piece, kernel_classes};
use base::Nanos;
use blocks::names::Names;
use kit::draw::overview::{Profile, Stretch};

/// The height the picture should have on the page.
pub const HEIGHT: f64 = 460.0;

/// Which run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Which {
    /// What was simulated.
    #[default]
    Simulated,
    /// What was measured.
    Measured,
    /// What was pinned, to be compared.
    Pinned,
}

impl Which {
    /// All of them, top first.
    pub const ALL: [Self; 3] = [Self::Simulated, Self::Measured, Self::Pinned];

    /// Its name in links and as a heading.
    pub fn name(self) -> &'static str {
        match self {
            Which::Simulated => "simulated",
            Which::Measured => "measured",
            Which::Pinned => "pinned",
        }
    }

    /// What stands above it, where there are two.
    pub fn title(self) -> &'static str {
        match self {
            Which::Simulated => "Simulated",
            Which::Measured => "Measured",
            Which::Pinned => "Pinned",
        }
    }
}

/// A run of a result.
#[derive(Debug, Clone)]
pub struct OneRun {
    /// Which.
    pub which: Which,
    /// Ready to be drawn.
    pub timeline: BlocksTimeline,
    /// What its launches are called, in the order of the trace.
    pub kernels: Vec<String>,
    /// What its copies are called.
    pub copies: Vec<String>,
    totals: OnceLock<Totals>,
    by_kernel: OnceLock<ByKernel>,
}

/// All runs of a result in one measure.
#[derive(Debug, Clone)]
pub struct Runs {
    seen: Arc<Seen>,
    pinned: Option<Arc<Seen>>,
    /// What heights stand for.
    pub measure: Measure,
    /// The runs, top first.
    pub runs: Vec<OneRun>,
    /// When the last of them ends.
    pub end: Nanos,
}

impl Runs {
    /// Makes them ready, with heights that stand for a measure.
    pub fn new(seen: Arc<Seen>, measure: Measure) -> Self {
        Self::beside(seen, None, measure)
    }

    /// The same with one that was pinned beneath them, on the same axis.
    pub fn beside(seen: Arc<Seen>, pinned: Option<Arc<Seen>>, measure: Measure) -> Self {
        let known: Vec<(Which, &Pictured)> = Which::ALL
            .into_iter()
            .filter_map(|which| Some((which, of(&seen, pinned.as_deref(), which)?)))
            .collect();
        let told: Vec<_> = known.iter().map(|(_, run)| (&run.setup, &run.trace)).collect();
        let classes = kernel_classes(&told);
        let one = |(&(which, run), classes): (&(Which, &Pictured), &Vec<_>)| {
            let (setup, trace) = (&run.setup, &run.trace);
            let names = Names::new(setup, trace);
            OneRun {
                which,
                timeline: BlocksTimeline::new(setup, trace, classes, measure),
                kernels: (0..trace.kernels.len()).map(|launch| names.kernel(launch)).collect(),
                copies: (0..trace.copies.len()).map(|copy| names.copy(copy)).collect(),
                totals: OnceLock::new(),
                by_kernel: OnceLock::new(),
            }
        };
        let mut runs: Vec<OneRun> = known.iter().zip(&classes).map(one).collect();
        if let [first, .., last] = runs.as_mut_slice()
            && let [(_, here), .., (Which::Pinned, there)] = known.as_slice()
        {
            [first.timeline.differs, last.timeline.differs] = differing((first, here), (last, there));
        }
        let end = known.iter().map(|(_, run)| run.trace.end).max().unwrap_or_default();
        Self { seen, pinned, measure, runs, end }
    }

    /// The result they are of.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    /// A run, where there is such.
    pub fn run(&self, which: Which) -> Option<&OneRun> {
        self.runs.iter().find(|run| run.which == which)
    }

    /// What happened in a run.
    pub fn pictured(&self, which: Which) -> Option<&Pictured> {
        of(&self.seen, self.pinned.as_deref(), which)
    }

    /// What was pinned.
    pub fn pinned(&self) -> Option<&Seen> {
        self.pinned.as_deref()
    }

    /// Its place in the picture, from the top.
    pub fn place(&self, which: Which) -> Option<usize> {
        self.runs.iter().position(|run| run.which == which)
    }

    /// What of the measured run breaks a rule, as pictures mark it.
    pub fn wrong(&self) -> Vec<(usize, Selected)> {
        const MOST: usize = 300;
        let (Some(place), Some(measured)) = (self.place(Which::Measured), &self.seen.report.measured) else {
            return Vec::new();
        };
        let of = |found: &ViolationReport| {
            let run = found.launch?;
            Some((place, found.block.map_or(Selected::Launch(run), |block| Selected::Block { run, block })))
        };
        measured.check.violations.iter().take(MOST).filter_map(of).collect()
    }

    /// The run to begin with.
    pub fn first(&self) -> Which {
        self.runs.first().map_or(Which::Simulated, |run| run.which)
    }

    /// What the report says of a launch.
    pub fn reported(&self, which: Which, run: usize) -> Option<&KernelReport> {
        let report = &self.seen.report;
        match which {
            Which::Simulated => report.kernels.get(run),
            Which::Measured => report.measured.as_ref()?.kernels.get(run),
            Which::Pinned => {
                let report = &self.pinned()?.report;
                let measured = report.measured.as_ref().filter(|_| report.stop.is_none());
                measured.map_or(&report.kernels, |run| &run.kernels).get(run)
            }
        }
    }

    /// The picture's parts.
    pub fn panels(&self) -> Vec<Panel<'_>> {
        let panel = |run: &'_ OneRun| {
            let (setup, trace) = self.pictured(run.which).map(|known| (&known.setup, &known.trace))?;
            Some((run.which.title(), setup, trace))
        };
        self.runs
            .iter()
            .filter_map(|run| {
                let (title, setup, trace) = panel(run)?;
                Some(Panel { title, setup, trace, timeline: &run.timeline })
            })
            .collect()
    }

    /// How much of the measure is in use when, run by run, in the colours of the kernels.
    pub fn profiles(&self) -> Vec<Profile> {
        let profile = |run: &OneRun| {
            let pieces = run.timeline.sms.iter().flat_map(|sm| sm.pieces.all());
            let stretch = |piece: &Piece| Stretch {
                from: piece.start,
                to: piece.end,
                class: run.timeline.classes.get(piece.run as usize).copied().unwrap_or(0),
                weight: f64::from(piece.high - piece.low),
            };
            Profile::of(self.end.0 as f64, pieces.map(stretch))
        };
        self.runs.iter().map(profile).collect()
    }

    /// The unit of all times.
    pub fn clock(&self) -> Clock {
        Clock::of(self.end)
    }

    /// Sums over stretches of time.
    pub fn totals(&self, which: Which) -> Option<&Totals> {
        let (run, known) = (self.run(which)?, self.pictured(which)?);
        Some(run.totals.get_or_init(|| Totals::new(&known.trace, &run.timeline)))
    }

    /// The same kernel by kernel.
    pub fn by_kernel(&self, which: Which) -> Option<&ByKernel> {
        let (run, known) = (self.run(which)?, self.pictured(which)?);
        let Pictured { setup, trace } = known;
        let sums = || ByKernel::new(setup, trace, &run.timeline.classes, &run.kernels, self.measure);
        Some(run.by_kernel.get_or_init(sums))
    }
}

/// What happened in a run: of what was pinned that of its simulation, or else what was measured.
fn of<'a>(seen: &'a Seen, pinned: Option<&'a Seen>, which: Which) -> Option<&'a Pictured> {
    match which {
        Which::Pinned => pinned.and_then(|seen| seen.simulated.as_ref().or(seen.measured.as_ref())),
        own => seen.run(own),
    }
}
