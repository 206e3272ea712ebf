//! How long a host task waits for the GPU: interference of at most one operation of each other task.
//!
//! A task waits for each of its operations before it goes on, and its activations run one after the other. So
//! whenever a task launches a kernel, every other task has at most one operation that is not over.
//!
//! *One after the other.* Kernels run in the order of their launches, each alone. Before the kernel at most one of each
//! other task is not over, and none takes longer than that task's longest: their sum, and its own time. Copies on one
//! engine likewise, in either way of sharing.
//!
//! *Shared.* The blocks of a kernel start in the order of launches (X1), each as soon as a place is free, and those of
//! later launches never before. Say that `p` places are the same for all kernels (module `machines` of the blocks lab),
//! and that every block takes at most the time of its kernel, whatever is beside it. Sort the times at which places
//! are free. Putting a block on the first of them keeps two such lists in order, place by place, and a shorter block
//! leaves the times no later. Now compare, at the launch of the kernel: what is there, with the same kernels launched
//! just now, in the same order, on an empty GPU. Block by block the former have ended (nothing), run (a rest, each on a
//! place of its own), or wait (all of it). None takes longer than in the latter, so the places are free no later, and
//! the kernel's blocks start no later. Fewer kernels make them free no later either. So the worst launch order of one
//! kernel of each other task, all released together, with this kernel last, bounds every sporadic run. Which kernel
//! of a task it is, is tried out; where that is too much, one stands for all that has the most blocks and the longest.
//!
//! The first kernel of an order that is given has all places, and those behind it start beside it: what it takes alone is
//! what it takes there only under the same assumption about neighbours.
//!
//! Where places differ between kernels: once all before it are complete, a kernel has the GPU for itself, and what
//! it has started by then only helps. So it takes no longer than all of them one after the other.

use super::inputs::Inputs;
use super::model::{Chain, SegmentKind, Sharing};
use super::occupancy::{Occupancy, on_device};
use super::orders::{Late, Orders};
use super::provenance::{Assumptions, Reason};
use super::valued::{Bracket, Proof, Valued};
use base::{Nanos, people};
use blocks::analysis::machines::{parallel_machines, per_sm};
use blocks::analysis::response;
use blocks::analysis::task::Task;

/// More choices of one kernel for each other task are not tried.
const MOST_CHOICES: usize = 32;

/// Kernels on the GPU, alone.
#[derive(Debug, Clone)]
pub struct Alone {
    /// How many fill a multiprocessor.
    pub occupancy: Vec<Occupancy>,
    /// How long a block takes.
    pub block: Vec<Bracket<Nanos>>,
    /// From launch to completion.
    pub kernel: Vec<Bracket<Nanos>>,
}

/// A kernel among others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// From launch to completion.
    pub time: Bracket<Nanos>,
    /// A launch order that makes it late.
    pub order: Vec<usize>,
}

/// The GPU and those who wait for it.
#[derive(Debug)]
pub struct Gpu<'a> {
    chain: &'a Chain,
    inputs: &'a Inputs<'a>,
    alone: &'a Alone,
    /// The places of the GPU, if all kernels that are launched find the same.
    places: Option<u32>,
    orders: &'a Orders,
}

impl<'a> Gpu<'a> {
    /// The GPU of a chain.
    pub fn new(inputs: &'a Inputs<'a>, alone: &'a Alone, orders: &'a Orders) -> Self {
        let chain = inputs.chain();
        let launched = launched(chain);
        let on: Vec<_> = launched.iter().map(|&k| on_device(&chain.kernels[k], Nanos::ZERO)).collect();
        let same = per_sm(on.iter(), &chain.device).filter(|(least, most)| least == most);
        let found = same.and_then(|(each, _)| parallel_machines(on.iter(), &chain.device, each));
        Self { chain, inputs, alone, places: found.map(|found| found.all()), orders }
    }

    /// A kernel from launch to completion, launched by a task or by nobody.
    pub fn completion(&mut self, owner: Option<usize>, kernel: usize) -> Completion {
        if let Some(order) = &self.chain.order {
            return self.in_order(&order.clone(), kernel);
        }
        let others = self.others(owner, kernel);
        let alone = self.alone.kernel[kernel].clone();
        let name = Some(self.chain.kernels[kernel].name.as_str());
        if others.is_empty() {
            return Completion { time: alone.resting(&self.inputs.waiting(), name), order: vec![kernel] };
        }
        let mut found = match self.chain.sharing {
            Sharing::Exclusive => self.exclusive(&others, kernel),
            Sharing::Shared => self.shared(&others, kernel),
        };
        found.time = found.time.resting(&self.inputs.waiting(), name);
        found
    }

    /// For each other task, the kernels of which it may have one on the GPU. Without tasks, every kernel is launched by
    /// somebody.
    fn others(&self, owner: Option<usize>, kernel: usize) -> Vec<Vec<usize>> {
        if self.chain.tasks.is_empty() {
            return (0..self.chain.kernels.len())
                .filter(|&other| other != kernel)
                .map(|other| vec![other])
                .collect();
        }
        let of = (0..self.chain.tasks.len()).filter(|&task| Some(task) != owner);
        of.map(|task| kernels_of(self.chain, task)).filter(|kernels| !kernels.is_empty()).collect()
    }

    fn exclusive(&self, others: &[Vec<usize>], kernel: usize) -> Completion {
        let upper = |&k: &usize| self.alone.kernel[k].upper().map(|figure| figure.value);
        // One that is not known is longest of all.
        let longest = |kernels: &Vec<usize>| {
            let unknown = kernels.iter().find(|k| upper(k).is_none());
            unknown.or_else(|| kernels.iter().max_by_key(|k| upper(k))).copied()
        };
        let mut order: Vec<usize> = others.iter().filter_map(longest).collect();
        order.push(kernel);
        let why = format!(
            "one kernel each of {} before it, and its own time",
            people::counted(others.len(), "other")
        );
        let parts = order.iter().map(|&k| self.alone.kernel[k].upper());
        let mut upper = Valued::sum(parts, why.clone());
        // The longest of a task is the longest by its number: what the others rest on counts, too.
        for &other in others.iter().flatten() {
            upper = upper.zip(self.alone.kernel[other].upper()).map(|(mut sum, figure)| {
                sum.note(figure);
                sum
            });
        }
        let lower = if self.chain.tasks.is_empty() {
            Valued::sum(order.iter().map(|&k| self.alone.kernel[k].lower()), why)
        } else {
            // Whether all others can launch at the very same time is not known.
            upper = upper.map(|figure| figure.at_most(Proof::Upper));
            self.alone_lower(kernel)
        };
        Completion { time: Bracket::of(lower, upper), order }
    }

    fn shared(&mut self, others: &[Vec<usize>], kernel: usize) -> Completion {
        let alone = &self.alone.kernel[kernel];
        let lower = self.alone_lower(kernel);
        let name = self.chain.kernels[kernel].name.clone();
        let on = self.beside(others.iter().flatten().copied().chain([kernel]));
        let shown = |upper: Nanos, why: String| {
            let least = alone.upper().map_or(Nanos::ZERO, |figure| figure.value);
            Valued::new(upper.max(least), Proof::Upper, on.clone(), why).blaming(&name)
        };
        let known: Option<Vec<Task>> = (0..self.chain.kernels.len()).map(|k| self.task(k)).collect();
        let (Some(tasks), true) = (known, alone.upper().is_some()) else {
            return Completion { time: Bracket::of(lower, None), order: vec![kernel] };
        };
        let Some(places) = self.places else {
            let mut order: Vec<usize> = others
                .iter()
                .filter_map(|all| all.iter().copied().max_by_key(|&k| self.by_itself(&tasks, k)))
                .collect();
            order.push(kernel);
            let sum = order.iter().try_fold(0u64, |sum, &k| sum.checked_add(self.by_itself(&tasks, k)));
            let why = format!(
                "blocks of different kernels need different room, so all of {} one after the other",
                people::counted(order.len(), "kernel")
            );
            return Completion { time: Bracket::of(lower, sum.map(|sum| shown(Nanos(sum), why))), order };
        };
        let mut latest: Option<(Nanos, Vec<usize>, bool)> = None;
        let mut unknown = false;
        for choice in choices(others) {
            let (set, names) = match &choice {
                Choice::These(these) => {
                    let set: Vec<Task> = these.iter().chain([&kernel]).map(|&k| tasks[k].clone()).collect();
                    (set, these.clone())
                }
                Choice::AnyOf => {
                    let mut set: Vec<Task> = others.iter().map(|all| dominating(&tasks, all)).collect();
                    set.push(tasks[kernel].clone());
                    (set, others.iter().filter_map(|all| all.first().copied()).collect())
                }
            };
            // As long as one of them is not known, nothing is.
            let Some(Late { upper, order, reached: proven }) = self.orders.late(&set, places) else {
                unknown = true;
                continue;
            };
            let named = |place: usize| names.get(place).copied().unwrap_or(kernel);
            if latest.as_ref().is_none_or(|(most, ..)| upper > *most) {
                latest = Some((upper, order.into_iter().map(named).collect(), proven));
            }
        }
        let Some((upper, order, proven)) = latest.filter(|_| !unknown) else {
            return Completion { time: Bracket::of(lower, None), order: vec![kernel] };
        };
        let reached = if proven { "the worst launch order" } else { "a bound on every launch order" };
        let why = format!(
            "{reached} of {} on {}, released together",
            people::counted(order.len(), "kernel"),
            people::counted(places as usize, "place")
        );
        Completion { time: Bracket::of(lower, Some(shown(upper, why))), order }
    }

    /// What the kernel takes alone, which is no more than what it takes among others.
    fn alone_lower(&self, kernel: usize) -> Option<Valued<Nanos>> {
        self.alone.kernel[kernel].lower().cloned().map(|figure| figure.at_most(Proof::Lower))
    }

    /// What the completion of kernels beside each other rests on.
    fn beside(&self, kernels: impl Iterator<Item = usize>) -> Assumptions {
        let mut on = Assumptions::on(Reason::Neighbours);
        for kernel in kernels {
            for figure in [self.alone.kernel[kernel].upper(), self.alone.block[kernel].upper()] {
                on = figure.map_or(on.clone(), |figure| on.and(figure.rests()));
            }
        }
        on
    }

    /// A kernel as the analysis of launch orders sees it; none where its time is not known.
    fn task(&self, kernel: usize) -> Option<Task> {
        let of = &self.chain.kernels[kernel];
        let time = self.alone.block[kernel].upper()?.value;
        Some(Task {
            label: of.name.clone(),
            period: None,
            time,
            blocks: of.grid.blocks,
            threads: of.grid.threads,
            deadline: None,
        })
    }

    /// All its waves on an empty GPU.
    fn by_itself(&self, tasks: &[Task], kernel: usize) -> u64 {
        let occupancy = &self.alone.occupancy[kernel];
        let held = occupancy.room.saturating_mul(super::occupancy::sms(&self.chain.device)).max(1);
        tasks[kernel].time.0.saturating_mul(occupancy.blocks.div_ceil(held))
    }

    /// The order that is given, once.
    fn in_order(&self, order: &[usize], kernel: usize) -> Completion {
        let before: Vec<usize> = order.iter().copied().take_while(|&k| k != kernel).chain([kernel]).collect();
        let names = people::counted(before.len() - 1, "kernel");
        let time = match self.chain.sharing {
            Sharing::Exclusive => {
                let why = format!("{names} before it in the given order, and its own time");
                let lower = before.iter().map(|&k| self.alone.kernel[k].lower());
                let upper = before.iter().map(|&k| self.alone.kernel[k].upper());
                Bracket::of(Valued::sum(lower, why.clone()), Valued::sum(upper, why))
            }
            // Those that are launched after it start beside it.
            Sharing::Shared if before.len() == 1 => {
                let alone = &self.alone.kernel[kernel];
                if order.len() == 1 || self.chain.tasks.len() == 1 {
                    return Completion { time: alone.clone(), order: order.to_vec() };
                }
                let name = self.chain.kernels[kernel].name.as_str();
                let on = self.beside(order.iter().copied());
                let upper = alone.upper().cloned();
                let upper = upper.map(|upper| upper.at_most(Proof::Upper).resting(&on, Some(name)));
                Bracket::of(self.alone_lower(kernel), upper)
            }
            Sharing::Shared => {
                let lower = self.alone_lower(kernel);
                let tasks: Option<Vec<Task>> = before.iter().map(|&k| self.task(k)).collect();
                let upper = tasks.and_then(|tasks| match self.places {
                    Some(places) => response::completions(&tasks, places).last().map(|time| time.0),
                    None => before.iter().try_fold(0u64, |sum, &k| {
                        sum.checked_add(self.task(k)?.time.0.saturating_mul(self.waves(k)))
                    }),
                });
                let how = if self.places.is_some() {
                    ""
                } else {
                    ", one after the other as their blocks need different room"
                };
                let why = format!("{names} before it in the given order{how}");
                let name = &self.chain.kernels[kernel].name;
                let least = self.alone.kernel[kernel].upper().map_or(0, |figure| figure.value.0);
                let on = self.beside(before.iter().copied());
                let shown =
                    |time: u64| Valued::new(Nanos(time.max(least)), Proof::Upper, on, why).blaming(name);
                Bracket::of(lower, upper.map(shown))
            }
        };
        Completion { time, order: order.to_vec() }
    }

    fn waves(&self, kernel: usize) -> u64 {
        let occupancy = &self.alone.occupancy[kernel];
        let held = occupancy.room.saturating_mul(super::occupancy::sms(&self.chain.device)).max(1);
        occupancy.blocks.div_ceil(held)
    }

    /// What a task waits for each of its segments; nothing for those on its core.
    pub fn waits(&mut self, task: usize) -> Vec<Option<Bracket<Nanos>>> {
        let segments = &self.chain.tasks[task].segments;
        let mut waits = Vec::with_capacity(segments.len());
        for (place, segment) in segments.iter().enumerate() {
            waits.push(match segment.kind {
                SegmentKind::Cpu(_) | SegmentKind::Ticks(_) => None,
                // Module `holistic` knows how long another task takes.
                SegmentKind::Activate(_) | SegmentKind::Await(_) => None,
                SegmentKind::Copy { .. } => Some(self.copy(task, place)),
                SegmentKind::Launch(kernel) => {
                    let name = Some(self.chain.kernels[kernel].name.as_str());
                    Some(if self.chain.tasks.len() == 1 {
                        // Whoever waits for each of its kernels, and is alone, launches each onto an empty GPU.
                        self.alone.kernel[kernel].clone().resting(&self.inputs.waiting(), name)
                    } else {
                        let time = self.completion(Some(task), kernel).time;
                        if self.chain.order.is_some() {
                            let order = Assumptions::on(Reason::OneOrder).and(&self.inputs.waiting().upper);
                            let upper = time.upper().cloned().map(|figure| figure.resting(&order, name));
                            Bracket::of(self.alone_lower(kernel), upper)
                        } else {
                            time
                        }
                    })
                }
            });
        }
        waits
    }

    /// A copy behind one of each other task on its engine.
    fn copy(&self, task: usize, place: usize) -> Bracket<Nanos> {
        let engine = self.engine(&self.chain.tasks[task].segments[place].kind);
        let own = self.inputs.segment(task, place).unwrap_or(Bracket::OPEN);
        let others = (0..self.chain.tasks.len()).filter(|&other| other != task);
        let longest: Vec<Valued<Nanos>> =
            others.filter_map(|other| self.longest_copy(other, engine)).collect();
        let on = self.inputs.waiting_to_copy();
        let name = Some(self.chain.tasks[task].name.as_str());
        if longest.is_empty() {
            return own.resting(&on, name);
        }
        let why = format!("behind a copy each of {} on its engine", people::counted(longest.len(), "other"));
        let upper = Valued::sum([own.upper()].into_iter().chain(longest.iter().map(Some)), why);
        let lower = own.lower().cloned().map(|figure| figure.at_most(Proof::Lower));
        Bracket::of(lower, upper.map(|figure| figure.at_most(Proof::Upper))).resting(&on, name)
    }

    /// The longest copy of a task on an engine, which rests on what any of them does; none without one.
    fn longest_copy(&self, task: usize, engine: u16) -> Option<Valued<Nanos>> {
        let segments = self.chain.tasks[task].segments.iter().enumerate();
        let copies = segments.filter(|(_, segment)| {
            matches!(segment.kind, SegmentKind::Copy { .. }) && self.engine(&segment.kind) == engine
        });
        let times = copies.filter_map(|(place, _)| self.inputs.segment(task, place)?.upper().cloned());
        times.reduce(|a, b| {
            let (mut more, less) = if b.value > a.value { (b, a) } else { (a, b) };
            more.note(&less);
            more
        })
    }

    /// The engine of a copy: with two or more, the second takes what goes to the host.
    fn engine(&self, copy: &SegmentKind) -> u16 {
        let out = matches!(copy, SegmentKind::Copy { direction: blocks::Direction::Out, .. });
        u16::from(self.chain.device.copy_engines > 1 && out)
    }
}

/// The kernels a task launches, each once.
pub fn kernels_of(chain: &Chain, task: usize) -> Vec<usize> {
    let mut kernels: Vec<usize> = chain.tasks[task]
        .segments
        .iter()
        .filter_map(|segment| match segment.kind {
            SegmentKind::Launch(kernel) => Some(kernel),
            _ => None,
        })
        .collect();
    base::sort::sort(&mut kernels);
    kernels.dedup();
    kernels
}

/// The kernels that anybody launches; all of them where there are no tasks.
pub fn launched(chain: &Chain) -> Vec<usize> {
    if chain.tasks.is_empty() || chain.order.is_some() {
        return (0..chain.kernels.len()).collect();
    }
    let mut all: Vec<usize> = (0..chain.tasks.len()).flat_map(|task| kernels_of(chain, task)).collect();
    base::sort::sort(&mut all);
    all.dedup();
    all
}

/// Which kernel each of the others has on the GPU.
enum Choice {
    These(Vec<usize>),
    /// One that stands for all of them.
    AnyOf,
}

/// All choices, if they are few.
fn choices(others: &[Vec<usize>]) -> Vec<Choice> {
    let count = others.iter().try_fold(1usize, |product, all| product.checked_mul(all.len()));
    if count.is_none_or(|count| count > MOST_CHOICES) {
        return vec![Choice::AnyOf];
    }
    let mut found = vec![Vec::new()];
    for all in others {
        found = found.iter().flat_map(|so_far| all.iter().map(|&k| [&so_far[..], &[k]].concat())).collect();
    }
    found.into_iter().map(Choice::These).collect()
}

/// A kernel with the most blocks and the longest of all.
fn dominating(tasks: &[Task], all: &[usize]) -> Task {
    let of = all.iter().filter_map(|&k| tasks.get(k));
    Task {
        label: String::new(),
        period: None,
        time: of.clone().map(|task| task.time).max().unwrap_or_default(),
        blocks: of.clone().map(|task| task.blocks).max().unwrap_or_default(),
        threads: of.map(|task| task.threads).max().unwrap_or_default(),
        deadline: None,
    }
}
