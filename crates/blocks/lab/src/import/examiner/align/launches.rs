//! Which stream and which kernel each launch of the logs is.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::import::examiner::log::{Log, LoggedKernel};
use crate::import::examiner::notes::Notes;
use base::Nanos;
use blocks::{Action, Durations, Kernel, Mask, Setup, Stream, StreamKind, Workload};

/// A launch that can be shown.
pub(super) struct Launch<'a> {
    /// The log it is from.
    pub log: usize,
    pub logged: &'a LoggedKernel,
    pub kernel: usize,
    pub stream: usize,
    /// Where the configuration launches it: one place, or all that it may be; none where that is not known.
    pub sites: Rc<[Site]>,
    /// When it started and ended.
    pub span: [Nanos; 2],
    /// When it was launched; when it started, where that was not written.
    pub launched: Nanos,
}

/// The streams and kernels of all logs, and the launches in the order in which they were made.
pub(super) fn launches<'a>(
    setup: Setup,
    logs: &'a [Log],
    configuration: Option<&Workload>,
    notes: &mut Notes,
) -> (Setup, Vec<Launch<'a>>) {
    let mut found = Found { setup, streams: Vec::new(), used: Vec::new(), configuration };
    let mut pids: Vec<Option<u64>> = Vec::new();
    let mut all = Vec::new();
    for (i, log) in logs.iter().enumerate() {
        let process = pids.iter().position(|pid| *pid == log.pid).unwrap_or(pids.len());
        if process == pids.len() {
            pids.push(log.pid);
        }
        let process = u32::try_from(process).unwrap_or(u32::MAX);
        if log.kernels.iter().all(|kernel| kernel.span.is_none()) {
            continue;
        }
        let sites = found.sites(log, notes);
        let stream = found.stream(i, log, process, &sites);
        let mut own = Own::of(log);
        let mut by_name: BTreeMap<Option<&str>, Rc<[Site]>> = BTreeMap::new();
        for logged in &log.kernels {
            let Some(span) = logged.span else { continue };
            let kernel = found.kernel(&mut own, logged, &sites);
            let launched = logged.launched.unwrap_or(span[0]);
            let known = by_name.entry(logged.name.as_deref());
            let sites = Rc::clone(known.or_insert_with(|| of_kernel(configuration, logged, &sites).into()));
            all.push(Launch { log: i, logged, kernel, stream, sites, span, launched });
        }
    }
    if configuration.is_none() && !found.setup.streams.is_empty() {
        let what = "logs do not tell priorities: every stream is taken to have the default one, and to mind the null \
                    stream of its process";
        notes.add("", what);
    }
    // Stable: launches at the same time stay in the order of the logs and of their entries.
    base::sort::sort_by_key(&mut all, |launch| launch.launched);
    (found.setup, all)
}

/// A place in a configuration where a kernel is launched: stream and kernel.
pub(super) type Site = (usize, usize);

/// Those of a log's places at which a kernel of it may be launched: by its name, else all.
fn of_kernel(configuration: Option<&Workload>, logged: &LoggedKernel, sites: &[Site]) -> Vec<Site> {
    let Some(workload) = configuration else { return Vec::new() };
    let label = |site: &Site| workload.setup.kernels.get(site.1).map(|kernel| &kernel.label);
    let named: Vec<Site> = sites
        .iter()
        .copied()
        .filter(|site| label(site).is_some() && label(site) == logged.name.as_ref())
        .collect();
    if named.is_empty() { sites.to_vec() } else { named }
}

struct Found<'c> {
    setup: Setup,
    /// What each stream of the setup stands for.
    streams: Vec<Origin>,
    /// Programs of the configuration that were found already.
    used: Vec<usize>,
    configuration: Option<&'c Workload>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// This stream of the configuration.
    Configured(usize),
    /// The null stream of this process.
    Null(u32),
    /// This log.
    Log(usize),
}

impl Found<'_> {
    /// Where the configuration launches the kernels of a log: its program by the label, else kernels by theirs.
    fn sites(&mut self, log: &Log, notes: &mut Notes) -> Vec<Site> {
        let Some(workload) = self.configuration else { return Vec::new() };
        let mut programs = workload.programs.iter().enumerate();
        let found = programs.find(|(i, program)| program.label == log.label && !self.used.contains(i));
        let mut sites = Vec::new();
        if let Some((i, program)) = found {
            self.used.push(i);
            collect(&program.repeat.body, &mut sites);
            let mut streams = BTreeSet::new();
            streams_of(&program.repeat.body, &mut streams);
            self.add_shared(workload, log, &streams, &mut sites);
        }
        if sites.is_empty() {
            for program in &workload.programs {
                collect(&program.repeat.body, &mut sites);
            }
            let names: Vec<&str> = log.kernels.iter().filter_map(|kernel| kernel.name.as_deref()).collect();
            sites.retain(|&(_, kernel)| {
                let kernel = workload.setup.kernels.get(kernel);
                kernel
                    .is_some_and(|kernel| kernel.label == log.label || names.contains(&kernel.label.as_str()))
            });
        }
        if sites.is_empty() {
            notes.add(&log.name, format!("the configuration has no benchmark {:?} with kernels", log.label));
        }
        sites
    }

    /// One log may hold what several programs issue in a stream that they share: kernels that the program of the
    /// log's name does not launch itself are looked for in the others.
    fn add_shared(&self, workload: &Workload, log: &Log, streams: &BTreeSet<usize>, sites: &mut Vec<Site>) {
        let label =
            |&(_, kernel): &Site| workload.setup.kernels.get(kernel).map(|kernel| kernel.label.as_str());
        let missing = |name: &str| !sites.iter().any(|site| label(site) == Some(name));
        let names: Vec<&str> = log.kernels.iter().filter_map(|kernel| kernel.name.as_deref()).collect();
        let missing: Vec<&str> = names.into_iter().filter(|name| missing(name)).collect();
        let mut others = Vec::new();
        for program in &workload.programs {
            collect(&program.repeat.body, &mut others);
        }
        others.retain(|site| {
            streams.contains(&site.0)
                && !sites.contains(site)
                && label(site).is_some_and(|label| missing.contains(&label))
        });
        sites.extend(others);
    }

    fn stream(&mut self, index: usize, log: &Log, process: u32, sites: &[Site]) -> usize {
        let configured = sites.first().and_then(|&(stream, _)| {
            let workload = self.configuration?;
            Some((Origin::Configured(stream), workload.setup.streams.get(stream)?.clone()))
        });
        let (origin, stream) = configured.unwrap_or_else(|| {
            let stream = |label: &str, kind| Stream { label: label.to_owned(), priority: 0, kind, process };
            if log.benchmark.to_ascii_lowercase().contains("default stream") {
                (Origin::Null(process), stream("null stream", StreamKind::Null))
            } else {
                (Origin::Log(index), stream(&log.label, StreamKind::Blocking))
            }
        });
        // One process has one null stream, wherever it is known from.
        let same = |(i, other): (usize, &Origin)| {
            let both_null = stream.kind == StreamKind::Null
                && self
                    .setup
                    .streams
                    .get(i)
                    .is_some_and(|other| other.kind == StreamKind::Null && other.process == process);
            (*other == origin && self.setup.streams.get(i).is_some_and(|other| other.process == process)
                || both_null)
                .then_some(i)
        };
        if let Some(there) = self.streams.iter().enumerate().find_map(same) {
            return there;
        }
        self.streams.push(origin);
        self.setup.streams.push(Stream { process, ..stream });
        self.streams.len() - 1
    }

    /// The kernel of a launch. It takes as long as its longest block.
    fn kernel(&mut self, own: &mut Own<'_>, logged: &LoggedKernel, sites: &[Site]) -> usize {
        let longest = logged.runs.iter().map(|run| run.end.since(run.start)).max();
        let longest = longest.or(logged.span.map(|[start, end]| end.since(start))).unwrap_or_default();
        let configured = self.configured(logged, sites);
        let label = configured.map_or(own.label(logged), |kernel| kernel.label.as_str());
        let shape = (label.to_owned(), logged.blocks, logged.threads, logged.shared_memory);
        if let Some(&there) = own.kernels.get(&shape) {
            if let Some(kernel) = self.setup.kernels.get_mut(there) {
                kernel.duration = Durations::Same(kernel.duration.longest().max(longest));
            }
            return there;
        }
        let kernel = Kernel {
            label: label.to_owned(),
            blocks: logged.blocks,
            threads: logged.threads,
            shared_memory: logged.shared_memory,
            registers: configured.map_or(0, |kernel| kernel.registers),
            duration: Durations::Same(longest),
            mask: configured.map_or(Mask::ALL, |kernel| kernel.mask),
            deadline: configured.and_then(|kernel| kernel.deadline),
            period: configured.and_then(|kernel| kernel.period),
        };
        own.kernels.insert(shape, self.setup.kernels.len());
        self.setup.kernels.push(kernel);
        self.setup.kernels.len() - 1
    }

    /// The kernel of the configuration: by its name, else the only one of the program.
    fn configured(&self, logged: &LoggedKernel, sites: &[Site]) -> Option<&Kernel> {
        let workload = self.configuration?;
        let mut kernels = sites.iter().filter_map(|&(_, kernel)| workload.setup.kernels.get(kernel));
        let named = kernels.clone().find(|kernel| Some(&kernel.label) == logged.name.as_ref());
        match (named, sites) {
            (None, [_]) => kernels.next(),
            _ => named,
        }
    }
}

/// All launches of a program's actions.
fn collect(actions: &[Action], sites: &mut Vec<Site>) {
    for action in actions {
        match action {
            Action::Launch { stream, kernel } => sites.push((*stream, *kernel)),
            Action::Repeat(repeat) => collect(&repeat.body, sites),
            _ => {}
        }
    }
}

/// All streams that a program's actions name.
fn streams_of(actions: &[Action], streams: &mut BTreeSet<usize>) {
    for action in actions {
        match action {
            Action::Launch { stream, .. } | Action::Copy { stream, .. } | Action::WaitStream(stream) => {
                streams.insert(*stream);
            }
            Action::Repeat(repeat) => streams_of(&repeat.body, streams),
            Action::Sleep(_) | Action::WaitDevice => {}
        }
    }
}

/// The kernels of one log.
struct Own<'a> {
    log: &'a Log,
    /// Whether kernels have names that tell them apart.
    several: bool,
    /// Those found so far, by label, blocks, threads and shared memory.
    kernels: BTreeMap<(String, u32, u32, u32), usize>,
}

impl<'a> Own<'a> {
    fn of(log: &'a Log) -> Self {
        let benchmark = log.benchmark.to_ascii_lowercase();
        let launches_several =
            ["multi-kernel", "sequential action"].iter().any(|name| benchmark.contains(name));
        let differ = log.kernels.windows(2).any(|pair| pair[0].name != pair[1].name);
        Self { log, several: launches_several || differ, kernels: BTreeMap::new() }
    }

    /// What a kernel is called: its own name where the benchmark launches several, else the label of the benchmark,
    /// because then the kernels of all benchmarks have the same name.
    fn label(&self, logged: &'a LoggedKernel) -> &'a str {
        match &logged.name {
            Some(name) if self.several => name,
            _ => &self.log.label,
        }
    }
}
