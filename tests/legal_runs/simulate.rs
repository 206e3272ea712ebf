//! Legal runs, event by event, from the rules as the reference lists them (docs/blocks.md), with the noise of real
//! machines: calls and wake-ups take microseconds, blocks assigned together start microseconds apart.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use warpspan::base::Seeded;

use super::model::{Kind, Launch, Op, Run, Setup, US};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Host(usize),
    Arrives(usize),
    BlockEnds(usize, usize),
    CopyEnds(usize),
    Turn,
}

/// Something in a stream.
struct Item {
    stream: usize,
    /// Index of the launch, or how long the copy takes.
    launch: Result<usize, u64>,
    arrived: bool,
    queued: bool,
    done: bool,
    left: usize,
}

/// How long a process keeps the device while others wait.
const QUANTUM: u64 = 2_000_000;

struct Machine<'a> {
    setup: &'a Setup,
    rng: Seeded,
    events: BinaryHeap<Reverse<(u64, usize, Event)>>,
    count: usize,
    items: Vec<Item>,
    streams: Vec<VecDeque<usize>>,
    /// Queues of the execution engine by process and priority.
    queues: BTreeMap<(usize, i32), VecDeque<usize>>,
    copies: VecDeque<usize>,
    copying: bool,
    /// Threads, shared memory and blocks in use, by process and multiprocessor.
    used: Vec<Vec<[u32; 3]>>,
    running: Vec<usize>,
    holder: usize,
    since: u64,
    hosts: Vec<Host>,
    run: Run,
}

#[derive(Default)]
struct Host {
    at: usize,
    round: u32,
    began: u64,
    /// Launches of this round after which nobody waited yet.
    fresh: Vec<usize>,
    waits: Option<Wait>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wait {
    Stream(usize),
    Item(usize),
}

pub fn simulate(setup: &Setup, rng: Seeded) -> Run {
    let processes = setup.streams.iter().map(|stream| stream.process).max().unwrap_or(0) + 1;
    let mut machine = Machine {
        setup,
        rng,
        events: BinaryHeap::new(),
        count: 0,
        items: Vec::new(),
        streams: vec![VecDeque::new(); setup.streams.len()],
        queues: BTreeMap::new(),
        copies: VecDeque::new(),
        copying: false,
        used: vec![vec![[0; 3]; usize::from(setup.gpu.sms)]; processes],
        running: vec![0; processes],
        holder: 0,
        since: 0,
        hosts: setup.programs.iter().map(|_| Host::default()).collect(),
        run: Run { launches: Vec::new(), rounds: vec![Vec::new(); setup.programs.len()] },
    };
    for (i, program) in setup.programs.iter().enumerate() {
        machine.at(100 * US + program.release, Event::Host(i));
    }
    while let Some(Reverse((now, _, event))) = machine.events.pop() {
        machine.happens(now, event);
        machine.settle(now);
    }
    machine.run
}

impl Machine<'_> {
    fn at(&mut self, time: u64, event: Event) {
        self.count += 1;
        self.events.push(Reverse((time, self.count, event)));
    }

    fn micros(&mut self, from: u32, to: u32) -> u64 {
        u64::from(from * 1_000 + self.rng.below((to - from) * 1_000))
    }

    fn happens(&mut self, now: u64, event: Event) {
        match event {
            Event::Host(program) => self.host(now, program),
            Event::Arrives(item) => self.items[item].arrived = true,
            Event::BlockEnds(item, block) => {
                let Ok(launch) = self.items[item].launch else { return };
                let kernel = &self.run.launches[launch].kernel;
                let need = [kernel.threads, kernel.shared, 1];
                let sm = usize::from(self.run.launches[launch].blocks[block].2);
                let process = self.setup.streams[self.items[item].stream].process;
                for (used, need) in self.used[process][sm].iter_mut().zip(need) {
                    *used -= need;
                }
                self.running[process] -= 1;
                self.items[item].left -= 1;
                if self.items[item].left == 0 {
                    self.ends(now, item);
                }
            }
            Event::CopyEnds(item) => {
                self.copying = false;
                self.ends(now, item);
            }
            Event::Turn => {}
        }
    }

    /// An operation has ended and leaves its stream; programs that wait are woken.
    fn ends(&mut self, now: u64, item: usize) {
        self.items[item].done = true;
        let stream = self.items[item].stream;
        self.streams[stream].pop_front();
        for program in 0..self.hosts.len() {
            let over = match self.hosts[program].waits {
                Some(Wait::Stream(waits)) => waits == stream && self.streams[stream].is_empty(),
                Some(Wait::Item(waits)) => waits == item,
                None => false,
            };
            if over {
                self.hosts[program].waits = None;
                let wakes = now + self.micros(10, 50);
                self.at(wakes, Event::Host(program));
            }
        }
    }

    /// A program does its next thing.
    fn host(&mut self, now: u64, program: usize) {
        let own = &self.setup.programs[program];
        let host = &mut self.hosts[program];
        if host.at == 0 {
            host.began = now;
            host.fresh.clear();
        }
        // Coming back from waiting: whoever waited knows that its stream is idle.
        if host.at > 0
            && let Op::Sync(stream) = own.ops[host.at - 1]
        {
            for launch in std::mem::take(&mut host.fresh) {
                if self.run.launches[launch].stream == stream {
                    self.run.launches[launch].idle = Some(now);
                }
            }
        }
        let Some(op) = own.ops.get(host.at).cloned() else {
            self.run.rounds[program].push([host.began, now + 2 * US]);
            host.round += 1;
            host.at = 0;
            if host.round < own.rounds {
                let next = now + self.micros(20, 60);
                self.at(next, Event::Host(program));
            }
            return;
        };
        host.at += 1;
        match op {
            Op::Sleep(time) => {
                let late = self.micros(50, 90);
                self.at(now + time + late, Event::Host(program));
            }
            Op::Sync(stream) => {
                if self.streams[stream].is_empty() {
                    let returns = now + self.micros(2, 5);
                    self.at(returns, Event::Host(program));
                } else {
                    self.hosts[program].waits = Some(Wait::Stream(stream));
                }
            }
            Op::Launch { stream, kernel } => {
                let launch = self.run.launches.len();
                let round = self.hosts[program].round;
                let unseen = self.is_behind_unseen(program, stream);
                self.hosts[program].fresh.push(launch);
                let left = kernel.blocks as usize;
                let returned = self.issue(now, stream, Ok(launch), left);
                self.run.launches.push(Launch {
                    program,
                    round,
                    stream,
                    kernel,
                    called: now,
                    returned,
                    idle: None,
                    blocks: Vec::new(),
                    queued: 0,
                    unseen,
                });
                self.at(returned, Event::Host(program));
            }
            Op::Copy { stream, duration, wait } => {
                let item = self.items.len();
                let returned = self.issue(now, stream, Err(duration), 1);
                if wait {
                    self.hosts[program].waits = Some(Wait::Item(item));
                } else {
                    self.at(returned, Event::Host(program));
                }
            }
        }
    }

    /// Whether anything that is in no log is in a stream whose operations this one has to wait for.
    fn is_behind_unseen(&self, program: usize, stream: usize) -> bool {
        let minds = self.setup.streams[stream].kind;
        let process = self.setup.programs[program].process;
        self.setup.programs.iter().filter(|other| other.process == process).flat_map(|other| &other.ops).any(
            |op| {
                let Op::Copy { stream: other, .. } = op else { return false };
                let kind = self.setup.streams[*other].kind;
                *other == stream
                    || minds == Kind::Null && kind == Kind::Blocking
                    || minds == Kind::Blocking && kind == Kind::Null
            },
        )
    }

    /// Puts something into a stream; when the call returns.
    fn issue(&mut self, now: u64, stream: usize, launch: Result<usize, u64>, left: usize) -> u64 {
        let item = self.items.len();
        self.items.push(Item { stream, launch, arrived: false, queued: false, done: false, left });
        self.streams[stream].push_back(item);
        let (arrives, rest) = (now + self.micros(3, 8), self.micros(1, 8));
        self.at(arrives, Event::Arrives(item));
        arrives + rest
    }

    /// Whether an operation at the head of its stream may go on, null streams considered.
    fn is_let_in(&self, item: usize) -> bool {
        let stream = &self.setup.streams[self.items[item].stream];
        let holds = |kind: Kind| match stream.kind {
            Kind::Null => kind == Kind::Blocking,
            Kind::Blocking => kind == Kind::Null,
            Kind::NonBlocking => false,
        };
        !self.items[..item].iter().any(|other| {
            let of = &self.setup.streams[other.stream];
            !other.done && of.process == stream.process && holds(of.kind)
        })
    }

    fn settle(&mut self, now: u64) {
        for stream in 0..self.streams.len() {
            let Some(&item) = self.streams[stream].front() else { continue };
            if !self.items[item].arrived || self.items[item].queued || !self.is_let_in(item) {
                continue;
            }
            self.items[item].queued = true;
            match self.items[item].launch {
                Ok(launch) => {
                    self.run.launches[launch].queued = now;
                    let of = &self.setup.streams[stream];
                    self.queues.entry((of.process, of.priority)).or_default().push_back(item);
                }
                Err(_) => self.copies.push_back(item),
            }
        }
        if !self.copying
            && let Some(item) = self.copies.pop_front()
        {
            self.copying = true;
            let duration = self.items[item].launch.err().unwrap_or(0);
            self.at(now + duration, Event::CopyEnds(item));
        }
        self.turn(now);
        while self.assign(now) {}
    }

    fn wants(&self, process: usize) -> bool {
        self.queues.iter().any(|((of, _), queue)| *of == process && !queue.is_empty())
    }

    /// Gives the device to the next process: when the one that has it is done, or has had its time and drained.
    fn turn(&mut self, now: u64) {
        let others =
            (0..self.running.len()).filter(|&other| other != self.holder && self.wants(other)).count();
        if others == 0 || self.running[self.holder] > 0 {
            return;
        }
        if !self.wants(self.holder) || now >= self.since + QUANTUM {
            let next = (1..=self.running.len()).map(|by| (self.holder + by) % self.running.len());
            self.holder = next.into_iter().find(|&next| self.wants(next)).unwrap_or(self.holder);
            self.since = now;
            self.at(now + QUANTUM, Event::Turn);
        }
    }

    /// Assigns one block, if one can be.
    fn assign(&mut self, now: u64) -> bool {
        let holder = self.holder;
        let others = (0..self.running.len()).any(|other| other != holder && self.wants(other));
        if others && now >= self.since + QUANTUM && self.running[holder] > 0 {
            return false;
        }
        let Some((&key, queue)) =
            self.queues.iter().find(|((of, _), queue)| *of == holder && !queue.is_empty())
        else {
            return false;
        };
        let item = queue[0];
        let Ok(launch) = self.items[item].launch else { return false };
        let kernel = self.run.launches[launch].kernel.clone();
        let gpu = self.setup.gpu;
        let need = [kernel.threads, kernel.shared, 1];
        let fits: Vec<usize> = (0..usize::from(gpu.sms))
            .filter(|&sm| kernel.mask >> sm & 1 == 1)
            .filter(|&sm| {
                let used = self.used[holder][sm];
                let limits = [gpu.threads, gpu.shared, gpu.blocks];
                (0..3).all(|i| used[i] + need[i] <= limits[i])
            })
            .collect();
        if fits.is_empty() {
            return false;
        }
        let sm = fits[self.rng.below(fits.len() as u32) as usize];
        for (used, need) in self.used[holder][sm].iter_mut().zip(need) {
            *used += need;
        }
        self.running[holder] += 1;
        let start = now + self.micros(0, 12);
        let end = start + kernel.duration + self.micros(0, 30);
        let block = self.run.launches[launch].blocks.len();
        self.run.launches[launch].blocks.push((start, end, sm as u16));
        self.at(end, Event::BlockEnds(item, block));
        if block + 1 == kernel.blocks as usize
            && let Some(queue) = self.queues.get_mut(&key)
        {
            queue.pop_front();
        }
        true
    }
}
