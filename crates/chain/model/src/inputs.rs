//! The one place where what a document says becomes numbers that carry what they rest on.
//!
//! Every figure of a chain begins here or in a proof about strings; whatever is made of it rests on at least as much.
//! Where tasks meet (on a core, at the GPU, at a copy engine) what one of them rests on counts for those it may hold
//! up, too. In doubt a number rests on more: an entry that touches all of a task may hide work, waiting or shared
//! things anywhere.

use super::assumptions::{Safe, Touched};
use super::model::{Chain, Ranked, SegmentKind, Work};
use super::provenance::{Assumptions, Reason, Sides};
use super::units::Cycles;
use super::valued::{Bracket, Proof, Valued};
use base::Nanos;
use base::people::grouped;

/// A chain with what each of its numbers rests on.
#[derive(Debug, Clone)]
pub struct Inputs<'a> {
    chain: &'a Chain,
    everything: Sides,
    gpu: Sides,
    copies: Sides,
    kernels: Vec<Sides>,
    cores: Vec<Sides>,
    clocks: Vec<Sides>,
    tasks: Vec<OfTask>,
}

/// What the numbers of a task rest on.
#[derive(Debug, Clone, Default)]
struct OfTask {
    whole: Sides,
    activation: Sides,
    deadline: Sides,
    /// Who goes first: priority, preemption.
    rank: Sides,
    wait: Sides,
    allocation: Sides,
    segments: Vec<Sides>,
}

impl OfTask {
    fn target(&mut self, touched: Touched) -> &mut Sides {
        match touched {
            Touched::Activation(_) => &mut self.activation,
            Touched::Deadline(_) => &mut self.deadline,
            Touched::Priority(_) | Touched::Preemptive(_) => &mut self.rank,
            Touched::Wait(_) => &mut self.wait,
            Touched::Allocation(_) => &mut self.allocation,
            Touched::Segment(_, place) => self.segments.get_mut(place).unwrap_or(&mut self.whole),
            _ => &mut self.whole,
        }
    }
}

impl<'a> Inputs<'a> {
    /// What the numbers of a chain rest on.
    pub fn new(chain: &'a Chain) -> Self {
        let of_task =
            |segments: usize| OfTask { segments: vec![Sides::NOTHING; segments], ..OfTask::default() };
        let mut inputs = Self {
            chain,
            everything: Sides::NOTHING,
            gpu: Sides::NOTHING,
            copies: Sides::NOTHING,
            kernels: vec![Sides::NOTHING; chain.kernels.len()],
            cores: vec![Sides::NOTHING; chain.cores.len()],
            clocks: vec![Sides::NOTHING; chain.cores.len()],
            tasks: chain.tasks.iter().map(|task| of_task(task.segments.len())).collect(),
        };
        for (place, assumption) in chain.assumed.iter().enumerate() {
            let one = Assumptions::on(Reason::Assumed(place));
            let sides = match assumption.safe {
                Safe::Neither => Sides { lower: one.clone(), upper: one },
                Safe::Upper => Sides { lower: one, upper: Assumptions::NOTHING },
                Safe::Lower => Sides { lower: Assumptions::NOTHING, upper: one },
            };
            for &touched in &assumption.touches {
                inputs.target(touched).add(&sides);
            }
        }
        inputs
    }

    /// Where an assumption goes; what the chain does not have is everything.
    fn target(&mut self, touched: Touched) -> &mut Sides {
        let found = match touched {
            Touched::Everything => None,
            Touched::Kernel(kernel) => self.kernels.get_mut(kernel),
            Touched::Core(core) => self.cores.get_mut(core),
            Touched::CoreClock(core) => self.clocks.get_mut(core),
            Touched::Copies => Some(&mut self.copies),
            Touched::Gpu => Some(&mut self.gpu),
            Touched::Task(task)
            | Touched::Activation(task)
            | Touched::Deadline(task)
            | Touched::Priority(task)
            | Touched::Preemptive(task)
            | Touched::Wait(task)
            | Touched::Allocation(task)
            | Touched::Segment(task, _) => self.tasks.get_mut(task).map(|of| of.target(touched)),
        };
        found.unwrap_or(&mut self.everything)
    }

    /// The chain.
    pub fn chain(&self) -> &'a Chain {
        self.chain
    }

    /// What everything about a kernel on the GPU rests on.
    pub fn kernel(&self, kernel: usize) -> Sides {
        self.everything.clone().and(&self.gpu).and(&self.kernels[kernel])
    }

    /// The cycles of a block, where the document gives them.
    pub fn cycles(&self, kernel: usize) -> Option<Bracket<Cycles>> {
        let Work::Cycles(cycles) = self.chain.kernels[kernel].work else { return None };
        Some(Bracket::said(cycles, cycles, &self.kernel(kernel), "as the document says"))
    }

    /// The time of a segment by itself: on its core, or on a copy engine. None for a kernel and for another task.
    pub fn segment(&self, task: usize, place: usize) -> Option<Bracket<Nanos>> {
        let host = &self.chain.tasks[task];
        let of = &self.tasks[task];
        let mut on = self.everything.clone().and(&of.whole).and(&of.segments[place]);
        Some(match host.segments[place].kind {
            SegmentKind::Cpu(nanos) => Bracket::said(nanos, nanos, &on, "as the document says"),
            SegmentKind::Ticks(ticks) => {
                on.add(&self.clocks[host.core]);
                // Another core may have another clock.
                on.add(&of.allocation);
                let clock = self.chain.cores[host.core].clock;
                let why = format!("{} ticks at {clock}, rounded to the safe side", grouped(ticks.0.into()));
                let said = |nanos: Option<Nanos>, rests: &Assumptions| {
                    Some(Valued::new(nanos?, Proof::Given, rests.clone(), why.clone()))
                };
                Bracket::of(said(clock.down(ticks), &on.lower), said(clock.up(ticks), &on.upper))
            }
            SegmentKind::Copy { duration, least, .. } => {
                on.add(&self.copies);
                Bracket::said(least, duration, &on, "as the document says, or by its bytes")
            }
            SegmentKind::Activate(_) => {
                // It takes no time, but the core: where the job does not have that already, one instant on it.
                let has_core =
                    host.segments[..place].iter().rev().take_while(|segment| segment.kind.is_on_core());
                let computes = |kind: SegmentKind| match kind {
                    SegmentKind::Cpu(nanos) => nanos > Nanos::ZERO,
                    SegmentKind::Ticks(ticks) => ticks.0 > 0,
                    _ => false,
                };
                let instant = Nanos(u64::from(!has_core.into_iter().any(|segment| computes(segment.kind))));
                Bracket::between((Nanos::ZERO, "it takes no time"), (instant, "it takes its core"), &on)
            }
            SegmentKind::Launch(_) | SegmentKind::Await(_) => return None,
        })
    }

    /// What waiting for another task rests on, besides what that one takes.
    pub fn waiting_for_task(&self, task: usize, place: usize) -> Sides {
        let of = &self.tasks[task];
        self.everything.clone().and(&of.whole).and(&of.segments[place])
    }

    /// What waiting at a copy engine rests on, besides the times of copies: any task may copy something that is not
    /// told, and which engine a copy goes to is taken from its segment.
    pub fn waiting_to_copy(&self) -> Sides {
        self.waiting_with(|kind| matches!(kind, SegmentKind::Copy { .. })).and(&self.copies)
    }

    /// What waiting at the GPU rests on, besides the times of kernels: any task may launch something that is not told,
    /// and which kernel it launches is taken from its segment.
    pub fn waiting(&self) -> Sides {
        self.waiting_with(|kind| matches!(kind, SegmentKind::Launch(_))).and(&self.gpu)
    }

    fn waiting_with(&self, counts: impl Fn(SegmentKind) -> bool) -> Sides {
        let mut on = self.everything.clone();
        for (host, of) in self.chain.tasks.iter().zip(&self.tasks) {
            on.add(&of.whole);
            let those = host.segments.iter().zip(&of.segments).filter(|(segment, _)| counts(segment.kind));
            those.for_each(|(_, sides)| on.add(sides));
        }
        on
    }

    /// What the response of a task rests on besides the times of segments, with fixed priorities. Below it, when tasks
    /// are activated counts only where some are not preempted.
    pub fn response(&self, task: usize) -> Sides {
        let host = &self.chain.tasks[task];
        let mut on = self.everything.clone().and(&self.cores[host.core]);
        // Who is not preempted below holds up as often as it can run, by its own response.
        let blocked = self
            .chain
            .tasks
            .iter()
            .any(|other| other.core == host.core && !other.preemptive && other.priority > host.priority);
        for (other, of) in self.chain.tasks.iter().zip(&self.tasks) {
            // It may be on this core, too.
            on.add(&of.allocation);
            if other.core != host.core {
                continue;
            }
            on.add(&of.whole);
            on.add(&of.rank);
            if blocked || other.priority <= host.priority {
                on.add(&of.activation);
                on.add(&of.wait);
            }
            // Where no priorities are written, deadlines make them.
            if other.ranked == Ranked::ByDeadline {
                on.add(&of.deadline);
            }
        }
        on
    }

    /// What every number by demand on a core rests on, besides the times of segments.
    pub fn demand(&self, core: usize) -> Sides {
        let mut on = self.everything.clone().and(&self.cores[core]);
        for (other, of) in self.chain.tasks.iter().zip(&self.tasks) {
            on.add(&of.allocation);
            if other.core == core {
                for part in [&of.whole, &of.rank, &of.activation, &of.wait, &of.deadline] {
                    on.add(part);
                }
            }
        }
        on
    }

    /// What a run of the whole chain rests on.
    pub fn run(&self) -> Sides {
        let mut on = self.everything.clone().and(&self.copies).and(&self.gpu);
        for part in self.kernels.iter().chain(&self.cores).chain(&self.clocks) {
            on.add(part);
        }
        for of in &self.tasks {
            let parts = [&of.whole, &of.activation, &of.deadline, &of.rank, &of.wait, &of.allocation];
            for part in parts.into_iter().chain(&of.segments) {
                on.add(part);
            }
        }
        on
    }

    /// How late a task that time activates may be: what is said of it.
    pub fn jitter(&self, task: usize) -> Valued<Nanos> {
        let on = self.everything.clone().and(&self.tasks[task].activation);
        Valued::new(self.chain.tasks[task].jitter, Proof::Given, on.upper, "as the document says")
    }

    /// What a deadline rests on.
    pub fn deadline(&self, task: usize) -> Assumptions {
        let of = &self.tasks[task];
        // Both sides count: a deadline is compared with either.
        of.deadline.lower.clone().and(&of.deadline.upper)
    }
}
