//! Cores, copy engines and a GPU, followed from event to event as `docs/chain.md` describes them.
//!
//! It shares nothing with the bounds but the document. Everything that is left open is a choice of the [`Plan`]: when
//! tasks are activated, how long each piece takes, who is first of those that come at the same instant or have
//! the same priority. A task that activates another one needs its core for that, but no time.

use std::collections::VecDeque;

/// What runs where.
#[derive(Debug, Clone)]
pub struct System {
    /// Whether each core goes by deadlines.
    pub edf: Vec<bool>,
    pub tasks: Vec<Task>,
    /// Time of a block, and blocks.
    pub kernels: Vec<(u64, u64)>,
    /// Blocks that the GPU holds.
    pub places: u64,
    /// Whether one kernel is on the GPU at a time.
    pub exclusive: bool,
    pub engines: usize,
}

#[derive(Debug, Clone)]
pub struct Task {
    pub core: usize,
    pub period: u64,
    pub deadline: u64,
    pub priority: u64,
    pub spins: bool,
    pub preemptive: bool,
    /// How late activations may be.
    pub jitter: u64,
    /// Whether another task activates it, and time does not.
    pub activated: bool,
    pub pieces: Vec<Piece>,
}

impl Task {
    /// Whether it does something to another task, or another to it.
    pub fn is_linked(&self) -> bool {
        self.activated
            || self.pieces.iter().any(|piece| matches!(piece, Piece::Activate(_) | Piece::Await(_)))
    }
}

/// What a task does, and how long it takes at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    Cpu(u64),
    In(u64),
    Out(u64),
    Launch(usize),
    Activate(usize),
    Await(usize),
}

/// Jobs of a task for which a plan has numbers of their own; then they come again.
pub const JOBS: usize = 6;

/// All choices of a run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// First activations.
    pub offsets: Vec<u64>,
    /// What is added to the period before each of the next ones.
    pub gaps: Vec<[u64; JOBS]>,
    /// How late each activation is, within the task's jitter.
    pub late: Vec<[u64; JOBS]>,
    /// How much shorter each piece of each job is than it may be.
    pub shorter: Vec<Vec<u64>>,
    /// The place of each task among those that come together.
    pub rank: Vec<usize>,
}

#[derive(Debug, Clone, Default)]
struct Now {
    /// The place of the next activation by time.
    next: Option<u64>,
    places: usize,
    /// Activations that are late.
    coming: Vec<u64>,
    activated: usize,
    over: usize,
    pending: VecDeque<u64>,
    job: Option<Job>,
    /// The task whose job it awaits, and how many jobs of it have to be over.
    awaits: Option<(usize, usize)>,
}

#[derive(Debug, Clone)]
struct Job {
    activated: u64,
    number: usize,
    piece: usize,
    /// Of computing; nothing of waiting.
    left: u64,
    waits: bool,
}

struct OnGpu {
    task: usize,
    takes: u64,
    waiting: u64,
    running: Vec<u64>,
}

struct Run<'a> {
    system: &'a System,
    plan: &'a Plan,
    tasks: Vec<Now>,
    engines: Vec<VecDeque<(usize, u64)>>,
    gpu: VecDeque<OnGpu>,
    /// Who has each core, and whether nobody may take it away.
    cores: Vec<Option<(usize, bool)>>,
    worst: Vec<u64>,
}

/// The longest response of each task among jobs that end before `until`.
pub fn run(system: &System, plan: &Plan, until: u64) -> Vec<u64> {
    let by_time = |t: usize| (!system.tasks[t].activated).then_some(plan.offsets[t]);
    let task = |t: usize| Now { next: by_time(t), ..Now::default() };
    let mut run = Run {
        system,
        plan,
        tasks: (0..system.tasks.len()).map(task).collect(),
        engines: vec![VecDeque::new(); 2],
        gpu: VecDeque::new(),
        cores: vec![None; system.edf.len()],
        worst: vec![0; system.tasks.len()],
    };
    let mut now = 0;
    while now < until {
        loop {
            run.settle(now);
            run.start_blocks();
            run.choose();
            // Who has just got a core may activate somebody at once.
            if !(0..run.cores.len())
                .any(|core| run.cores[core].is_some_and(|(t, _)| run.activates(t).is_some()))
            {
                break;
            }
        }
        now += run.advance(now);
    }
    run.worst
}

impl Run<'_> {
    /// All that takes no time.
    fn settle(&mut self, now: u64) {
        let mut changed = true;
        while changed {
            changed = false;
            for at in 0..self.plan.rank.len() {
                let t = self.plan.rank[at];
                let (host, task) = (&self.system.tasks[t], &mut self.tasks[t]);
                if let Some(place) = task.next.filter(|&next| next <= now) {
                    task.coming.push(place + self.plan.late[t][task.places % JOBS].min(host.jitter));
                    task.next = Some(place + host.period + self.plan.gaps[t][task.places % JOBS]);
                    task.places += 1;
                    changed = true;
                }
                if let Some(at) = task.coming.iter().position(|&at| at <= now) {
                    task.coming.swap_remove(at);
                    task.pending.push_back(now);
                    task.activated += 1;
                    changed = true;
                }
                if task.job.is_none()
                    && let Some(activated) = task.pending.pop_front()
                {
                    let number = task.activated - task.pending.len() - 1;
                    task.job = Some(Job { activated, number, piece: 0, left: 0, waits: false });
                    self.begin(t);
                    changed = true;
                } else if self.tasks[t].job.as_ref().is_some_and(|job| job.left == 0 && !job.waits) {
                    if let Some(other) = self.activates(t) {
                        if self.cores[host.core].is_none_or(|(who, _)| who != t) {
                            continue;
                        }
                        self.tasks[other].pending.push_back(now);
                        self.tasks[other].activated += 1;
                    }
                    let Some(job) = &mut self.tasks[t].job else { continue };
                    job.piece += 1;
                    changed = true;
                    if job.piece == host.pieces.len() {
                        self.worst[t] = self.worst[t].max(now - job.activated);
                        self.tasks[t].job = None;
                        self.leave(t);
                        self.tasks[t].over += 1;
                        self.tell(t);
                    } else {
                        self.begin(t);
                    }
                }
            }
        }
    }

    /// Whom a task is about to activate.
    fn activates(&self, t: usize) -> Option<usize> {
        match self.system.tasks[t].pieces[self.tasks[t].job.as_ref()?.piece] {
            Piece::Activate(other) => Some(other),
            _ => None,
        }
    }

    /// A job is over: who awaited it goes on.
    fn tell(&mut self, t: usize) {
        let over = self.tasks[t].over;
        for waiting in 0..self.tasks.len() {
            if self.tasks[waiting].awaits.is_some_and(|(of, jobs)| of == t && jobs <= over) {
                self.tasks[waiting].awaits = None;
                self.over(waiting);
            }
        }
    }

    /// The next piece of a job.
    fn begin(&mut self, t: usize) {
        let host = &self.system.tasks[t];
        let awaited = |of: usize| (of, self.tasks[of].activated, self.tasks[of].over);
        let awaited = self.tasks[t].job.as_ref().and_then(|job| match host.pieces[job.piece] {
            Piece::Await(of) => Some(awaited(of)),
            _ => None,
        });
        self.tasks[t].awaits = awaited.filter(|(_, jobs, over)| over < jobs).map(|(of, jobs, _)| (of, jobs));
        let waits_for_task = self.tasks[t].awaits.is_some();
        let Some(job) = &mut self.tasks[t].job else { return };
        let shorter = self.plan.shorter[t][(job.number % JOBS) * host.pieces.len() + job.piece];
        let takes = |most: u64| most.saturating_sub(shorter).max(1);
        job.waits = true;
        match host.pieces[job.piece] {
            Piece::Cpu(most) => (job.left, job.waits) = (takes(most), false),
            Piece::In(most) => self.engines[0].push_back((t, takes(most))),
            Piece::Out(most) => self.engines[self.system.engines - 1].push_back((t, takes(most))),
            Piece::Activate(_) => (job.left, job.waits) = (0, false),
            Piece::Await(_) => (job.left, job.waits) = (0, waits_for_task),
            Piece::Launch(kernel) => {
                let (time, blocks) = self.system.kernels[kernel];
                self.gpu.push_back(OnGpu {
                    task: t,
                    takes: takes(time),
                    waiting: blocks,
                    running: Vec::new(),
                });
            }
        }
        let gives_away = !host.spins && self.tasks[t].job.as_ref().is_some_and(|job| job.waits);
        if gives_away {
            self.leave(t);
        }
    }

    /// A task has its core no longer.
    fn leave(&mut self, t: usize) {
        let core = &mut self.cores[self.system.tasks[t].core];
        if core.is_some_and(|(who, _)| who == t) {
            *core = None;
        }
    }

    /// Blocks start in the order of launches wherever there is a place.
    fn start_blocks(&mut self) {
        let mut free = self.system.places - self.gpu.iter().map(|k| k.running.len() as u64).sum::<u64>();
        for (place, kernel) in self.gpu.iter_mut().enumerate() {
            if self.system.exclusive && place > 0 {
                break;
            }
            let starts = kernel.waiting.min(free);
            kernel.running.extend((0..starts).map(|_| kernel.takes));
            kernel.waiting -= starts;
            free -= starts;
            if kernel.waiting > 0 {
                break;
            }
        }
    }

    /// Who has each core.
    fn choose(&mut self) {
        for core in 0..self.cores.len() {
            if self.cores[core].is_some_and(|(_, stays)| stays) {
                continue;
            }
            let ready = self.plan.rank.iter().copied().filter(|&t| {
                let host = &self.system.tasks[t];
                host.core == core && self.tasks[t].job.as_ref().is_some_and(|job| !job.waits || host.spins)
            });
            let urgency = |t: &usize| {
                let host = &self.system.tasks[*t];
                let due = self.tasks[*t].job.as_ref().map_or(0, |job| job.activated + host.deadline);
                if self.system.edf[core] { due } else { host.priority }
            };
            // The first of equals, by rank.
            self.cores[core] = ready.min_by_key(urgency).map(|t| (t, !self.system.tasks[t].preemptive));
        }
    }

    /// Time passes until something happens.
    fn advance(&mut self, now: u64) -> u64 {
        let places = self.tasks.iter().flat_map(|task| task.next.iter().chain(&task.coming));
        let mut step = places.map(|&at| at - now).min().unwrap_or(1);
        for &(t, _) in self.cores.iter().flatten() {
            if let Some(job) = self.tasks[t].job.as_ref().filter(|job| !job.waits) {
                step = step.min(job.left);
            }
        }
        let copies = self.engines.iter().filter_map(|engine| engine.front().map(|&(_, left)| left));
        let blocks = self.gpu.iter().flat_map(|kernel| kernel.running.iter().copied());
        step = copies.chain(blocks).fold(step, u64::min);
        for core in 0..self.cores.len() {
            if let Some((t, _)) = self.cores[core]
                && let Some(job) = self.tasks[t].job.as_mut().filter(|job| !job.waits)
            {
                job.left -= step;
            }
        }
        for engine in 0..self.engines.len() {
            if let Some((t, left)) = self.engines[engine].front_mut() {
                *left -= step;
                if *left == 0 {
                    let t = *t;
                    self.engines[engine].pop_front();
                    self.over(t);
                }
            }
        }
        for kernel in &mut self.gpu {
            kernel.running.iter_mut().for_each(|left| *left -= step);
            kernel.running.retain(|&left| left > 0);
        }
        while let Some(place) = self.gpu.iter().position(|k| k.waiting == 0 && k.running.is_empty()) {
            if let Some(kernel) = self.gpu.remove(place) {
                self.over(kernel.task);
            }
        }
        step
    }

    /// What a task waited for is over.
    fn over(&mut self, t: usize) {
        if let Some(job) = &mut self.tasks[t].job {
            job.waits = false;
        }
    }
}
