//! Random programs of an adversary: threads that launch, copy, record events, wait for them, and synchronise.

use base::Seeded;

/// Something that a thread of the host does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Launches a kernel that takes so long.
    Kernel(usize, i64),
    /// Copies: to the device or to the host.
    Copy(usize, bool, i64),
    /// Records an event of a number into a stream.
    Record(usize, usize),
    /// Lets a stream wait for an event.
    Wait(usize, usize),
    /// Waits for a stream.
    AwaitStream(usize),
    /// Waits for the device.
    AwaitDevice,
    /// Waits for an event.
    AwaitEvent(usize),
}

/// A call: what it does, after which pause, how long it takes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub action: Action,
    pub pause: i64,
    pub takes: i64,
    /// Whether it waits, where it is of a kind that does.
    pub waits: bool,
    /// Whether what it puts into its stream heeds what that stream was told to wait for.
    pub heeds: bool,
}

/// What a stream waits for beside its own, as CUDA's flags say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    Blocking,
    Free,
    Null,
}

/// How long the machine takes after each kind of cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lags {
    pub launch: i64,
    pub stream: i64,
    pub event: i64,
    pub null: i64,
    pub copy: i64,
    pub back: i64,
}

/// Programs from this number on are mostly about events: few of them, recorded again and again, which streams and threads
/// wait for whoever recorded them, and before anybody has.
pub const OF_EVENTS: u64 = 1_000_000;
/// How many events such a program has.
const EVENTS: u32 = 4;

/// A program, and the machine it runs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub threads: Vec<Vec<Step>>,
    pub streams: Vec<Sort>,
    pub lags: Lags,
    /// Of each thread the time that it begins.
    pub begins: Vec<i64>,
    /// Whether all threads have the same events; else each has its own.
    pub shares: bool,
}

impl Program {
    /// An event as a thread means it: whose it is, and its number.
    pub fn event(&self, thread: usize, event: usize) -> (usize, usize) {
        (if self.shares { 0 } else { thread }, event)
    }
}

/// Draws a time.
fn time(draw: &mut Seeded, from: i64, to: i64) -> i64 {
    from + i64::from(draw.below(u32::try_from(to - from).unwrap()))
}

fn one_in(draw: &mut Seeded, n: u32) -> bool {
    draw.below(n) == 0
}

/// The program of a number.
pub fn program(number: u64) -> Program {
    let mut draw = Seeded::new(number, 41);
    let draw = &mut draw;
    let lags = Lags {
        launch: time(draw, 2_500, 9_000),
        stream: time(draw, 700, 1_800),
        event: time(draw, 900, 4_000),
        null: time(draw, 900, 3_000),
        copy: time(draw, 500, 2_000),
        back: time(draw, 500, 4_000),
    };
    let mut streams = vec![Sort::Free; 2 + draw.below(3) as usize];
    if one_in(draw, 2) {
        streams[0] = Sort::Null;
        streams[1] = Sort::Blocking;
    }
    let count = if one_in(draw, 3) { 2 } else { 1 };
    // A call of a kind takes as long whenever it need not wait.
    let own = [0; 5].map(|_: i64| time(draw, 600, 3_000));
    let shares = number >= OF_EVENTS;
    let threads = (0..count).map(|_| steps(draw, streams.len(), own, shares)).collect();
    let begins = (0..count).map(|_| time(draw, 0, 20_000)).collect();
    Program { threads, streams, lags, begins, shares }
}

fn steps(draw: &mut Seeded, streams: usize, own: [i64; 5], of_events: bool) -> Vec<Step> {
    let quick = one_in(draw, 2);
    let mut recorded = 0;
    let mut steps = Vec::new();
    for _ in 0..8 + draw.below(22) {
        let stream = draw.below(u32::try_from(streams).unwrap()) as usize;
        let length = if one_in(draw, 3) { time(draw, 20_000, 90_000) } else { time(draw, 800, 15_000) };
        let (action, takes) = if of_events {
            event(draw, (stream, length), own)
        } else {
            match draw.below(16) {
                0..=7 => (Action::Kernel(stream, length), own[0]),
                8 | 9 => (Action::Copy(stream, one_in(draw, 2), length), own[1]),
                10 => {
                    recorded += 1;
                    (Action::Record(stream, recorded - 1), own[2])
                }
                11 | 12 if recorded > 0 => {
                    (Action::Wait(stream, draw.below(u32::try_from(recorded).unwrap()) as usize), own[2])
                }
                13 => (Action::AwaitStream(stream), own[3]),
                14 => (Action::AwaitDevice, own[4]),
                15 if recorded > 0 => (Action::AwaitEvent(recorded - 1), own[3]),
                _ => (Action::Kernel(stream, length), own[0]),
            }
        };
        let pause = if one_in(draw, 5) { time(draw, 5_000, 60_000) } else { time(draw, 100, 1_500) };
        let pause = if quick { pause.min(800) } else { pause };
        steps.push(Step { action, pause, takes, waits: true, heeds: true });
    }
    steps
}

/// A step of a program that is mostly about events.
fn event(draw: &mut Seeded, (stream, length): (usize, i64), own: [i64; 5]) -> (Action, i64) {
    let event = draw.below(EVENTS) as usize;
    match draw.below(16) {
        0..=4 => (Action::Kernel(stream, length), own[0]),
        5 => (Action::Copy(stream, one_in(draw, 2), length), own[1]),
        6..=8 => (Action::Record(stream, event), own[2]),
        9..=12 => (Action::Wait(stream, event), own[2]),
        13 => (Action::AwaitStream(stream), own[3]),
        14 => (Action::AwaitDevice, own[4]),
        _ => (Action::AwaitEvent(event), own[3]),
    }
}
