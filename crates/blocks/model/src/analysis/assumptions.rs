//! What the analysis assumes, and whether a workload is like that.
//!
//! Where all assumptions hold, Algorithm 2 says exactly what a simulation by the rules does:
//! 1. All kernels are issued at time 0, each at the head of a stream of its own, and nothing else is issued. So all of
//!    them enter execution queues at 0 (G1, G2), held back neither by the null stream (N1, N2) nor by copies.
//! 2. They share one process and one priority, so there is one queue, in launch order (A1, A2, P1). Kernels leave it
//!    from its head once their last block is assigned (G3, X1): all blocks start in launch order, kernel after kernel.
//! 3. A block starts when, and only when, fewer than `g_max` blocks run ([`super::machines`]) (R1 to R3, M1). So the
//!    next block starts at the earliest time at which a place is free, and never before the one ahead of it.
//! 4. A block keeps its place for as long as its kernel's blocks take, C. So a place that starts a block at `t`
//!    is free from `t + C` on; what ends at an instant ends before blocks start at it.
//!
//! By 3 and 4, the times at which places are free develop as in Algorithm 2, block by block: the least of them is
//! `t_a`, its number `g_f`, and the others are `h`.

use super::super::fits::misfit;
use super::super::workload::{Durations, Kernel, Setup, Stream, StreamKind, Workload};
use super::launches::{Issued, Launch, issued};
use super::machines::{ParallelMachines, parallel_machines, per_sm};
use super::task::Task;
use base::people;

/// One assumption and whether it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// A few words for it, the same for every workload.
    pub name: &'static str,
    /// What is assumed, in a sentence.
    pub sentence: &'static str,
    /// Whether it holds.
    pub holds: Holds,
}

/// Whether an assumption holds for a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holds {
    /// It does.
    Yes,
    /// It does not, for this reason.
    No(String),
}

/// A workload that can be analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The kernels in launch order.
    pub tasks: Vec<Task>,
    /// What each of them is in the setup.
    pub launches: Vec<Launch>,
    /// The places of the device.
    pub places: ParallelMachines,
}

/// Whether a workload can be analysed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examined {
    /// All assumptions, always the same ones in the same order.
    pub assumptions: Vec<Assumption>,
    /// What is analysed, if all of them hold.
    pub case: Option<Case>,
}

/// Every assumption: a name and a sentence.
pub const ASSUMED: [(&str, &str); 9] = [
    ("released together", "Every kernel is launched once, at time 0."),
    ("streams of their own", "No two kernels are in the same stream."),
    ("one process", "All kernels belong to the same process."),
    ("one priority", "All kernels have the same priority."),
    ("null stream", "No kernel has to wait for the null stream, or in it for other streams."),
    ("no copies", "Nothing is copied, and no memory is set."),
    ("equal blocks", "All blocks of a kernel take equally long."),
    ("same multiprocessors", "All kernels may use the same multiprocessors."),
    ("one size", "A multiprocessor takes the same number of blocks, whichever kernels they are of."),
];

/// Examines a workload: every assumption, and the kernels as tasks if all hold.
pub fn examine(workload: &Workload) -> Examined {
    let issued = issued(workload);
    let look = Look { setup: &workload.setup, issued: &issued };
    let verdicts = [
        look.released_together(),
        look.streams_of_their_own(),
        look.one_process(),
        look.one_priority(),
        look.null_stream(),
        look.no_copies(),
        look.equal_blocks(),
        look.same_multiprocessors(),
        look.one_size(),
    ];
    let case = if verdicts.iter().all(Option::is_none) { look.case() } else { None };
    let assumption = |((name, sentence), verdict): ((&'static str, &'static str), Option<String>)| {
        Assumption { name, sentence, holds: verdict.map_or(Holds::Yes, Holds::No) }
    };
    Examined { assumptions: ASSUMED.into_iter().zip(verdicts).map(assumption).collect(), case }
}

/// A workload and what its programs issue. Each question is answered with why not, or nothing if it is so.
struct Look<'a> {
    setup: &'a Setup,
    issued: &'a Issued,
}

impl<'a> Look<'a> {
    fn launches(&self) -> impl Iterator<Item = &'a Launch> + Clone {
        self.issued.at_once.iter().chain(&self.issued.late)
    }

    fn kernels(&self) -> impl Iterator<Item = &'a Kernel> + Clone {
        let setup = self.setup;
        self.launches().filter_map(|launch| setup.kernels.get(launch.kernel))
    }

    /// The streams that hold kernels.
    fn streams(&self) -> impl Iterator<Item = (&'a Launch, &'a Stream)> + Clone {
        let setup = self.setup;
        self.launches().filter_map(|launch| setup.streams.get(launch.stream).map(|stream| (launch, stream)))
    }

    fn names<'b>(&self, launches: impl Iterator<Item = &'b Launch>) -> String {
        some(launches.filter_map(|launch| self.setup.kernels.get(launch.kernel)).map(|kernel| &*kernel.label))
    }

    fn released_together(&self) -> Option<String> {
        let Issued { at_once, late, barred, again, .. } = self.issued;
        match () {
            () if at_once.is_empty() && late.is_empty() => Some("no kernel is launched".into()),
            () if !barred.is_empty() => Some(format!(
                "perhaps not launched, as those that end all others are over before: {}",
                self.names(barred.iter())
            )),
            () if !late.is_empty() => Some(format!("launched later: {}", self.names(late.iter()))),
            () if !again.is_empty() => {
                Some(format!("launched again and again: {}", self.names(again.iter())))
            }
            () => None,
        }
    }

    fn streams_of_their_own(&self) -> Option<String> {
        let mut by_stream: Vec<&Launch> = self.launches().collect();
        base::sort::sort_by_key(&mut by_stream, |launch| launch.stream);
        let shared = by_stream.chunk_by(|a, b| a.stream == b.stream).find(|chunk| chunk.len() > 1)?;
        let stream = self.setup.streams.get(shared[0].stream).map_or("", |stream| &stream.label);
        Some(format!("in stream {stream}: {}", self.names(shared.iter().copied())))
    }

    fn one_process(&self) -> Option<String> {
        let first = self.streams().next()?.1.process;
        let other = self.streams().find(|(_, stream)| stream.process != first)?.1.process;
        Some(format!("there are kernels of processes {first} and {other}"))
    }

    fn one_priority(&self) -> Option<String> {
        let mut priorities: Vec<i32> = self.streams().map(|(_, stream)| stream.priority).collect();
        base::sort::sort(&mut priorities);
        priorities.dedup();
        (priorities.len() > 1)
            .then(|| format!("there are kernels of priorities {}", people::listed(&priorities)))
    }

    fn null_stream(&self) -> Option<String> {
        let of = |kind: StreamKind| self.streams().filter(move |(_, stream)| stream.kind == kind);
        let waits = |process: u32| of(StreamKind::Blocking).any(|(_, stream)| stream.process == process);
        let mut null =
            of(StreamKind::Null).filter(|(_, stream)| waits(stream.process)).map(|(launch, _)| launch);
        let first = null.next()?;
        Some(format!("in the null stream: {}", self.names([first].into_iter().chain(null))))
    }

    fn no_copies(&self) -> Option<String> {
        let copies = &self.issued.copies;
        let labels = copies.iter().filter_map(|&copy| self.setup.copies.get(copy)).map(|copy| &*copy.label);
        (!copies.is_empty()).then(|| format!("copies: {}", some(labels)))
    }

    fn equal_blocks(&self) -> Option<String> {
        let differs = |kernel: &&Kernel| match &kernel.duration {
            Durations::Same(_) => false,
            Durations::Each(each) => {
                each.len() < kernel.blocks as usize || each.iter().any(|time| *time != each[0])
            }
        };
        let mut kernels = self.kernels().filter(differs).map(|kernel| &*kernel.label).peekable();
        kernels.peek()?;
        Some(format!("blocks take differently long: {}", some(kernels)))
    }

    fn same_multiprocessors(&self) -> Option<String> {
        let sms = self.setup.device.sms;
        let mask = |kernel: &Kernel| kernel.mask.below(sms).collect::<Vec<u16>>();
        let first = self.kernels().next()?;
        let used = mask(first);
        let other = self.kernels().find(|kernel| kernel.mask != first.mask && mask(kernel) != used)?;
        Some(format!("{} and {} may use different ones", first.label, other.label))
    }

    fn one_size(&self) -> Option<String> {
        let device = &self.setup.device;
        if let Some((kernel, misfit)) =
            self.kernels().find_map(|k| misfit(k, device).map(|misfit| (k, misfit)))
        {
            return Some(format!("{} can never run: {misfit}", kernel.label));
        }
        let (least, most) = per_sm(self.kernels(), device)?;
        (least < most).then(|| format!("it takes {least} to {most} blocks, depending on the kernels"))
    }

    fn case(&self) -> Option<Case> {
        let (per_sm, _) = per_sm(self.kernels(), &self.setup.device)?;
        let places = parallel_machines(self.kernels(), &self.setup.device, per_sm)?;
        let tasks = self.kernels().map(Task::of).collect();
        Some(Case { tasks, launches: self.launches().copied().collect(), places })
    }
}

/// The first few of some names.
fn some<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    let first: Vec<&str> = names.by_ref().take(5).collect();
    match names.count() {
        0 => people::listed(&first),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
