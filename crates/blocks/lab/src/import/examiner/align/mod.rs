//! Logs of one run brought together: one setup, one trace, one clock.
//!
//! Each log is a stream, each process id a process; what logs do not tell (priorities, which streams are null
//! streams, masks) comes from the configuration where there is one. Times are moved so that the first is 0.

mod clock;
mod launches;
mod offset;
mod unseen;

use super::guess;
use super::log::Log;
use super::notes::{Notes, Warning};
use base::Nanos;
use base::people::grouped;
use blocks::{Device, Setup, Trace, Workload};

/// What is known besides the logs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The device; guessed if there is none.
    pub device: Option<&'a Device>,
    /// Devices to choose from for the guess.
    pub presets: &'a [Device],
    /// What the run was configured to be; its benchmarks are found by their labels.
    pub configuration: Option<&'a Workload>,
}

/// A measured run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// Device, streams and kernels.
    pub setup: Setup,
    /// What happened when. Blocks of which it is not known where they ran are left out.
    pub trace: Trace,
    /// For each kernel of the trace, when the launch call had returned.
    pub returned: Vec<Option<Nanos>>,
    /// For each kernel of the trace, when its program had waited for it.
    pub synchronised: Vec<Option<Nanos>>,
    /// For each kernel of the trace, whether something that no log tells may have stood before it in its queue.
    pub behind_unseen: Vec<bool>,
    /// How much of what the logs speak of could be looked at.
    pub recorded: Recorded,
    /// For each kernel of the trace, its log by index and its place in that.
    pub origins: Vec<(usize, String)>,
    /// Why this device; `None` where it was given.
    pub device_guess: Option<String>,
    /// Where the device was guessed: other known devices the logs may as well be from, with other limits.
    pub other_devices: Vec<Device>,
    /// What was taken off all times of the logs, in nanoseconds, so that the first one is 0.
    pub shift: i64,
    /// What was taken off the times of the CPU before that, in nanoseconds, because its clock differs from that of the GPU.
    pub offset: i64,
    /// What is wrong with the logs and what was assumed. Places begin with the name of the log.
    pub warnings: Vec<Warning>,
}

impl Measured {
    /// The device of that name among those that the logs may be from; the one that was taken where none is.
    pub fn device_named(&self, name: &str) -> &Device {
        self.other_devices.iter().find(|device| device.name == name).unwrap_or(&self.setup.device)
    }
}

/// How much of what logs speak of is in the trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recorded {
    /// Launches that the logs speak of, and those in the trace.
    pub kernels: [usize; 2],
    /// Blocks that these have, and those in the trace.
    pub blocks: [usize; 2],
    /// Whether any log is cut off or holds entries that could not be read, so that there were more.
    pub cut: bool,
}

impl Recorded {
    fn of(logs: &[Log], trace: &Trace) -> Self {
        let kernels = || logs.iter().flat_map(|log| &log.kernels);
        let blocks = kernels().map(|kernel| kernel.blocks as usize);
        Self {
            kernels: [kernels().count(), trace.kernels.len()],
            blocks: [blocks.fold(0, usize::saturating_add), trace.blocks.len()],
            cut: logs.iter().any(|log| log.lost),
        }
    }

    /// Whether everything is there.
    pub fn is_whole(&self) -> bool {
        !self.cut && self.kernels[0] == self.kernels[1] && self.blocks[0] == self.blocks[1]
    }
}

/// Logs by the run they are from, runs in the order in which they first come.
///
/// Logs of one run name the same scenario. Where benchmarks were threads they also share a process: threads of two
/// processes are of two runs, or of two task hosts, each of which has a clock of its own.
pub fn groups(logs: Vec<Log>) -> Vec<Vec<Log>> {
    let mut groups: Vec<Vec<Log>> = Vec::new();
    for log in logs {
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| same_run(first, &log))) {
            Some(group) => group.push(log),
            None => groups.push(vec![log]),
        }
    }
    groups
}

fn same_run(one: &Log, other: &Log) -> bool {
    let threads = one.tid.is_some() && other.tid.is_some();
    one.scenario == other.scenario && (!threads || one.pid == other.pid)
}

/// Names logs that cannot both be of the run.
fn name_twins(logs: &[Log], notes: &mut Notes) {
    for (i, log) in logs.iter().enumerate() {
        let twin = |other: &&Log| log.tid.is_some() && (other.pid, other.tid) == (log.pid, log.tid);
        if let Some(twin) = logs.iter().take(i).find(twin) {
            notes.add(&log.name, format!("from the same thread as {}: the same log twice?", twin.name));
        }
    }
}

/// Brings the logs of one run together.
pub fn setup(logs: &[Log], known: &Known<'_>) -> Measured {
    let mut notes = Notes::default();
    for log in logs {
        for warning in &log.warnings {
            notes.add(place(log, &warning.place), warning.text.clone());
        }
    }
    name_twins(logs, &mut notes);
    let Chosen { device, guess: device_guess, others: other_devices } = device(logs, known, &mut notes);
    let setup = Setup { device, streams: Vec::new(), kernels: Vec::new(), copies: Vec::new() };
    let (setup, launches) = launches::launches(setup, logs, known.configuration, &mut notes);
    let clock = clock::Clock::of(logs, &launches, &mut notes);
    if clock.shift != 0 {
        let earlier = grouped(clock.shift.unsigned_abs().into());
        let way = if clock.shift > 0 { "earlier" } else { "later" };
        notes.add("", format!("all times are {earlier} ns {way} than in the logs, so that the first is 0"));
    }
    let behind_unseen = unseen::behind(logs, &launches, &setup, known.configuration, &mut notes);
    let moved = |time: Option<Nanos>| time.map(|time| clock.of_cpu(time));
    let trace = clock::trace(&clock, &launches, setup.streams.len());
    Measured {
        recorded: Recorded::of(logs, &trace),
        trace,
        setup,
        behind_unseen,
        other_devices,
        returned: launches.iter().map(|launch| moved(launch.logged.returned)).collect(),
        synchronised: launches.iter().map(|launch| moved(launch.logged.synchronised)).collect(),
        origins: launches.iter().map(|launch| (launch.log, launch.logged.place.clone())).collect(),
        device_guess,
        shift: clock.shift,
        offset: clock.offset,
        warnings: notes.into_warnings(),
    }
}

/// A place in a log.
fn place(log: &Log, inside: &str) -> String {
    if inside.is_empty() { log.name.clone() } else { format!("{}: {inside}", log.name) }
}

/// The device of a run.
struct Chosen {
    device: Device,
    /// Why this one, where it was guessed.
    guess: Option<String>,
    /// What it may be as well.
    others: Vec<Device>,
}

fn device(logs: &[Log], known: &Known<'_>, notes: &mut Notes) -> Chosen {
    let mut said = logs.iter().filter_map(|log| Some((log, log.max_resident_threads?)));
    if let Some((_, first)) = said.next()
        && let Some((log, other)) = said.find(|(_, threads)| *threads != first)
    {
        let what =
            format!("{other} threads may be resident, but the first log says {first}: another device?");
        notes.add(place(log, "max_resident_threads"), what);
    }
    let Some(device) = known.device else {
        let guess::Guess { device, others, why } = guess::device(logs, known.presets);
        return Chosen { device, guess: Some(why), others };
    };
    let said = logs.iter().find_map(|log| log.max_resident_threads);
    if let Some(said) = said.filter(|&said| u64::from(said) != device.threads()) {
        let (holds, name) = (grouped(device.threads().into()), &device.name);
        let what = format!("{} threads may be resident, but {name} holds {holds}", grouped(said.into()));
        notes.add("max_resident_threads", what);
    }
    Chosen { device: device.clone(), guess: None, others: Vec::new() }
}
