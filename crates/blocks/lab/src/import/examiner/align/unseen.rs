//! Which launches may have stood behind something that no log tells: copies, setting memory, launches without a log.
//!
//! Logs hold kernels only. A kernel behind a copy in its stream enters the EE queue when the copy is done (G2), and one
//! of a blocking stream waits for all of the null stream (N2). With a configuration it is known what else programs
//! issue, and whether they wait for it before they launch. Without one the name of the benchmark tells what it can
//! do; one that is not known may do anything. Logs that lack kernels hide those.

use std::collections::{BTreeMap, BTreeSet};

use super::launches::{Launch, Site};
use crate::import::examiner::log::Log;
use crate::import::examiner::notes::Notes;
use blocks::{Action, Setup, StreamKind, Workload};

/// For each launch, whether something unseen may have stood before it.
pub(super) fn behind(
    logs: &[Log],
    launches: &[Launch<'_>],
    setup: &Setup,
    configuration: Option<&Workload>,
    notes: &mut Notes,
) -> Vec<bool> {
    // Launches of one log and one name have the same places in the configuration.
    let mut by_name: BTreeMap<(usize, Option<&str>), Known> = BTreeMap::new();
    let keys = || launches.iter().map(|launch| ((launch.log, launch.logged.name.as_deref()), launch));
    let kinds: BTreeMap<(usize, Option<&str>), &Launch<'_>> = keys().collect();
    let issued = configuration.map(|workload| Issued::of(workload, kinds.values().copied()));
    let lacks: Vec<bool> = logs.iter().map(lacks).collect();
    for (key, launch) in kinds {
        by_name.insert(key, Known::of(logs, &lacks, launch, issued.as_ref()));
    }
    let known: Vec<Known> = keys().map(|(key, _)| by_name.get(&key).copied().unwrap_or_default()).collect();
    // What one log hides concerns all streams of its process.
    let mut by_process: BTreeMap<u32, Across> = BTreeMap::new();
    for (launch, known) in launches.iter().zip(&known) {
        let Some(stream) = setup.streams.get(launch.stream) else { continue };
        let across = by_process.entry(stream.process).or_default();
        across.null |= known.null || known.own && stream.kind == StreamKind::Null;
        across.blocking |= known.blocking || known.own && stream.kind == StreamKind::Blocking;
    }
    let mut guessed = BTreeSet::new();
    let found = launches.iter().zip(&known).map(|(launch, known)| {
        let stream = setup.streams.get(launch.stream);
        let across = stream.and_then(|stream| by_process.get(&stream.process)).copied().unwrap_or_default();
        let hidden = known.own
            || match stream.map(|stream| stream.kind) {
                Some(StreamKind::Null) => across.null || across.blocking,
                Some(StreamKind::Blocking) => across.null,
                _ => false,
            };
        if hidden && known.is_guess {
            guessed.insert(launch.log);
        }
        hidden
    });
    let found: Vec<bool> = found.collect();
    for log in guessed.into_iter().filter_map(|log| logs.get(log)) {
        let what = "copies and other work that logs do not tell may stand before these kernels; they count as queued \
                    only when they start (a configuration of the run says more)";
        notes.add(&log.name, what);
    }
    found
}

/// Whether a process has something unseen in its null stream, and in its blocking streams.
#[derive(Debug, Clone, Copy, Default)]
struct Across {
    null: bool,
    blocking: bool,
}

/// What may be unseen because of one launch's log.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// In the launch's own stream, before it.
    own: bool,
    /// In the null stream of its process.
    null: bool,
    /// In blocking streams of its process.
    blocking: bool,
    /// Whether nothing but the benchmark's name tells.
    is_guess: bool,
}

/// Whether a log lacks launches that stood in its stream.
fn lacks(log: &Log) -> bool {
    log.lost || log.kernels.iter().any(|kernel| kernel.span.is_none())
}

impl Known {
    fn of(logs: &[Log], lacks: &[bool], launch: &Launch<'_>, issued: Option<&Issued>) -> Self {
        let Some(log) = logs.get(launch.log) else { return Self::default() };
        let mut known = match issued.filter(|_| !launch.sites.is_empty()) {
            Some(issued) => issued.before(&launch.sites),
            None => Self::by_name(&log.benchmark),
        };
        known.own |= lacks.get(launch.log).copied().unwrap_or_default();
        known
    }

    /// What a benchmark may do, by the name it gives itself.
    fn by_name(benchmark: &str) -> Self {
        let name = benchmark.to_ascii_lowercase();
        let is = |words: &[&str]| words.iter().any(|word| name.contains(word));
        // These launch one kernel a round, and wait for what they copy before and after it.
        if is(&["timer spin", "counter spin", "mandelbrot", "matrix multiply", " walk"]) || name == "warpspan"
        {
            return Self::default();
        }
        let several_streams = !is(&["multi-kernel"]);
        Self { own: true, null: several_streams, blocking: several_streams, is_guess: true }
    }
}

/// What programs issue besides the kernels of logs.
struct Issued {
    /// Places where kernels are launched behind something in the same stream that nobody waited for.
    behind: BTreeSet<Site>,
    /// The process of each stream of the configuration.
    processes: Vec<u32>,
    /// Processes with something unseen in the null stream, and in blocking streams.
    null: BTreeSet<u32>,
    blocking: BTreeSet<u32>,
}

impl Issued {
    fn of<'l>(workload: &Workload, launches: impl Iterator<Item = &'l Launch<'l>>) -> Self {
        let processes = workload.setup.streams.iter().map(|stream| stream.process).collect();
        let mut issued =
            Self { behind: BTreeSet::new(), processes, null: BTreeSet::new(), blocking: BTreeSet::new() };
        let logged: BTreeSet<usize> =
            launches.flat_map(|launch| launch.sites.iter()).map(|&(_, kernel)| kernel).collect();
        for program in &workload.programs {
            let mut open = BTreeSet::new();
            // Twice: what one round leaves stands before the next.
            for _ in 0..2 {
                issued.walk(workload, &logged, &program.repeat.body, &mut open);
            }
        }
        issued
    }

    /// Goes through actions with the streams in which something unseen is open.
    fn walk(
        &mut self,
        workload: &Workload,
        logged: &BTreeSet<usize>,
        actions: &[Action],
        open: &mut BTreeSet<usize>,
    ) {
        for action in actions {
            match action {
                Action::Launch { stream, kernel } => {
                    if open.contains(stream) {
                        self.behind.insert((*stream, *kernel));
                    }
                    if !logged.contains(kernel) {
                        self.unseen(workload, *stream);
                        open.insert(*stream);
                    }
                }
                Action::Copy { stream, wait, .. } => {
                    self.unseen(workload, *stream);
                    if *wait {
                        open.remove(stream);
                    } else {
                        open.insert(*stream);
                    }
                }
                Action::WaitStream(stream) => {
                    open.remove(stream);
                }
                Action::WaitDevice => open.clear(),
                Action::Sleep(_) => {}
                Action::Repeat(repeat) => {
                    for _ in 0..2 {
                        self.walk(workload, logged, &repeat.body, open);
                    }
                }
            }
        }
    }

    fn unseen(&mut self, workload: &Workload, stream: usize) {
        let Some(stream) = workload.setup.streams.get(stream) else { return };
        match stream.kind {
            StreamKind::Null => self.null.insert(stream.process),
            StreamKind::Blocking => self.blocking.insert(stream.process),
            StreamKind::NonBlocking => false,
        };
    }

    fn before(&self, sites: &[Site]) -> Known {
        let process = sites.first().and_then(|&(stream, _)| self.processes.get(stream));
        Known {
            own: sites.iter().any(|site| self.behind.contains(site)),
            null: process.is_some_and(|process| self.null.contains(process)),
            blocking: process.is_some_and(|process| self.blocking.contains(process)),
            is_guess: false,
        }
    }
}
