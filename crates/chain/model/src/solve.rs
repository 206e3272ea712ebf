//! The whole chain, from the makespans that are known to the verdict.
//!
//! Whatever is known of makespans, every bracket holds: it only narrows as more of them are found.

use super::edf;
use super::gpu_wait::{Alone, Completion, Gpu, launched};
use super::grid::{OnGpu, Pace};
use super::holistic::{FixPoint, fix_point};
use super::host::{self, Load};
use super::inputs::Inputs;
use super::machine_code::Upper;
use super::makespan::{Makespans, Need};
use super::model::{Chain, Scheduler, Sharing, Work};
use super::occupancy::{Occupancy, sms};
use super::piles::Piles;
use super::provenance::{Assumptions, Reason};
use super::response::Response;
use super::simulate::{Observed, simulate};
use super::units::Cycles;
use super::valued::{Bracket, Evidence, Proof, Valued};
use super::waves;
use base::Nanos;

/// All that is known of a chain.
#[derive(Debug, Clone)]
pub struct Solved {
    /// Kernel by kernel.
    pub kernels: Vec<OfKernel>,
    /// Core by core: EDF by demand, where it has tasks.
    pub cores: Vec<Option<edf::Verdict>>,
    /// Task by task.
    pub tasks: Vec<OfTask>,
    /// All together.
    pub verdict: Whole,
}

/// What is known of a kernel.
#[derive(Debug, Clone)]
pub struct OfKernel {
    /// What fills a multiprocessor.
    pub occupancy: Occupancy,
    /// The warps resident on one.
    pub makespan: Bracket<Cycles>,
    /// A block.
    pub block: Bracket<Nanos>,
    /// The grid, for each assignment.
    pub grids: Vec<OnGpu>,
    /// Alone on the GPU.
    pub alone: Bracket<Nanos>,
    /// Among others.
    pub completion: Completion,
}

/// What is known of a host task.
#[derive(Debug, Clone)]
pub struct OfTask {
    /// What it asks for.
    pub load: Load,
    /// From activation to the end.
    pub response: Bracket<Nanos>,
    /// How the upper side was found.
    pub by: String,
    /// Whether it meets its deadline.
    pub verdict: Whole,
    /// Whether it misses it because its activations pile up.
    pub piles_up: bool,
}

/// A verdict, what it is worth, and what makes it worth no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole {
    /// None: open.
    pub meets: Option<bool>,
    /// What that is worth.
    pub kind: Evidence,
    /// Why.
    pub because: String,
    /// A name of a kernel, a task or a core.
    pub weakest: Option<String>,
    /// What it rests on.
    pub rests: Assumptions,
}

/// Of machine code with no more blocks at once all fewer are sought, too.
const MOST_SOUGHT: u64 = 16;

/// The makespans a chain rests on, the most important first.
pub fn needs(chain: &Chain) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    let mut turns: Vec<Need> = Vec::new();
    for kernel in &chain.kernels {
        if matches!(kernel.work, Work::Cycles(_)) {
            continue;
        }
        let occupancy = Occupancy::of(chain, kernel);
        let sms = sms(&chain.device);
        let mut counts = vec![occupancy.resident(occupancy.blocks.div_ceil(sms))];
        if let Some(assignment) = &kernel.assignment {
            let of = |sm: u16| assignment.iter().filter(|&&at| at == sm).count() as u64;
            counts.push(
                (0..chain.device.sms).map(of).map(|blocks| occupancy.resident(blocks)).max().unwrap_or(0),
            );
        }
        let need = |blocks: u64| match &kernel.work {
            Work::Instructions(of) => {
                Some(Need::String(of.normalised.clone(), blocks.saturating_mul(occupancy.warps)))
            }
            Work::Code(code) => Some(Need::Code(code.clone(), blocks)),
            Work::Cycles(_) => None,
        };
        needs.extend(need(occupancy.most()));
        turns.extend(counts.into_iter().filter_map(need));
        if matches!(kernel.work, Work::Code(_)) && occupancy.most() <= MOST_SOUGHT {
            // What is proven of so many counts only beside what is proven of fewer.
            turns.extend((1..occupancy.most()).rev().filter_map(need));
        }
    }
    needs.append(&mut turns);
    let mut found: Vec<Need> = Vec::new();
    for need in needs {
        let (Need::String(_, number) | Need::Code(_, number)) = need;
        if number > 0 && !found.contains(&need) {
            found.push(need);
        }
    }
    found
}

/// Everything that follows from the makespans that are known.
pub fn solve(chain: &Chain, makespans: &Makespans) -> Solved {
    let inputs = Inputs::new(chain);
    makespans.orders().ask_anew();
    let mut alone = Alone { occupancy: Vec::new(), block: Vec::new(), kernel: Vec::new() };
    alone.occupancy = chain.kernels.iter().map(|kernel| Occupancy::of(chain, kernel)).collect();
    let mut grids: Vec<Vec<OnGpu>> = Vec::new();
    let mut residents = Vec::new();
    let company = company(chain);
    for (kernel, occupancy) in alone.occupancy.iter().enumerate() {
        let pace = Pace::new(&inputs, makespans, kernel, occupancy);
        let known = pace.known();
        let worst = pace.worst();
        let by_itself = known.as_ref().unwrap_or(&worst).makespan.clone();
        let resident = pace.together(occupancy.most());
        let mut block = block(&pace, known.as_ref().unwrap_or(&worst)).timed(chain.clock);
        if chain.sharing == Sharing::Shared && company {
            // The published rules give every block the time of its kernel, whoever is beside it.
            let most = known.as_ref().unwrap_or(&worst).sms.iter().map(|sm| sm.blocks).max();
            let mut on = Assumptions::on(Reason::Neighbours);
            if most > Some(occupancy.room) && !matches!(pace.kernel.work, Work::Cycles(_)) {
                on.add(&Assumptions::on(Reason::Replaced));
            }
            let upper = resident.timed(chain.clock).upper().cloned().map(|upper| {
                let name = upper.blame.clone();
                upper.resting(&on, name.as_deref())
            });
            block = Bracket::of(block.lower().cloned(), upper);
        }
        alone.block.push(block);
        alone.kernel.push(by_itself.timed(chain.clock));
        grids.push(known.into_iter().chain([pace.round_robin(), pace.rules(chain), worst]).collect());
        residents.push(resident);
    }
    let mut gpu = Gpu::new(&inputs, &alone, makespans.orders());
    let mut kernels = Vec::new();
    for (kernel, (grids, makespan)) in grids.into_iter().zip(residents).enumerate() {
        let owners: Vec<usize> = (0..chain.tasks.len())
            .filter(|&task| super::gpu_wait::kernels_of(chain, task).contains(&kernel))
            .collect();
        let mut completion = gpu.completion(owners.first().copied(), kernel);
        for &owner in owners.iter().skip(1) {
            let other = gpu.completion(Some(owner), kernel);
            if other.time.upper().map(|f| f.value) > completion.time.upper().map(|f| f.value) {
                completion.order = other.order;
            }
            completion.time = completion.time.later(other.time);
        }
        kernels.push(OfKernel {
            occupancy: alone.occupancy[kernel].clone(),
            makespan,
            block: alone.block[kernel].clone(),
            grids,
            alone: alone.kernel[kernel].clone(),
            completion,
        });
    }
    let loads: Vec<Load> =
        (0..chain.tasks.len()).map(|task| host::load(&inputs, task, gpu.waits(task))).collect();
    let (cores, tasks) = hosts(&inputs, loads);
    let verdict = whole(chain, &cores, &tasks);
    Solved { kernels, cores, tasks, verdict }
}

/// Whether kernels of several tasks may be on the GPU at once.
fn company(chain: &Chain) -> bool {
    if chain.tasks.is_empty() || chain.order.is_some() {
        return chain.kernels.len() > 1;
    }
    let with = (0..chain.tasks.len()).filter(|&task| !super::gpu_wait::kernels_of(chain, task).is_empty());
    with.count() > 1 && !launched(chain).is_empty()
}

/// How long one block can take, with its kernel alone on the GPU.
fn block(pace: &Pace<'_>, grid: &OnGpu) -> Bracket<Cycles> {
    let (occupancy, most) = (pace.occupancy, grid.sms.iter().map(|sm| sm.blocks).max().unwrap_or(0));
    let why = "its own cycles, and those in which all other blocks on its multiprocessor can block it";
    match &pace.kernel.work {
        Work::Cycles(_) => pace.together(1),
        _ if most <= occupancy.room => pace.together(occupancy.resident(most)),
        Work::Code(code) => {
            let all = pace.on_one(most);
            let Upper { cycles, added_up } = code.one_of(most, occupancy.room);
            let why = format!("{why}, as {}", occupancy.no_room(Some(most)));
            let own = Valued::new(cycles, Proof::Upper, pace.on.upper.clone(), why);
            let own = if added_up { all.upper().cloned() } else { Some(own) };
            // It is over when its grid is.
            let whole = grid.makespan.upper().cloned().map(|whole| {
                let why = format!("it is over when its kernel is: {}", whole.why);
                whole.because(why).at_most(Proof::Upper)
            });
            let upper = own.into_iter().chain(whole).min_by_key(|figure| figure.value);
            Bracket::of(all.lower().cloned(), upper).blaming(&pace.kernel.name)
        }
        Work::Instructions(of) => {
            let room = pace.together(occupancy.room);
            let lower = room.lower().cloned().map(|figure| figure.at_most(Proof::Lower));
            let sm = pace.makespans.sm();
            let rest = waves::rest_at_most(&of.normalised, sm, most.saturating_mul(occupancy.warps));
            let upper = rest.map(|rest| Valued::new(rest, Proof::Upper, pace.on.upper.clone(), why));
            Bracket::of(lower, upper).blaming(&pace.kernel.name)
        }
    }
}

/// The host: core by core, then task by task.
fn hosts(inputs: &Inputs<'_>, loads: Vec<Load>) -> (Vec<Option<edf::Verdict>>, Vec<OfTask>) {
    let chain = inputs.chain();
    let seen = simulate(chain, &loads);
    let FixPoint { loads, responses, holistic } = fix_point(inputs, loads);
    let demand = |core: usize| {
        let on: Vec<usize> = (0..chain.tasks.len()).filter(|&task| chain.tasks[task].core == core).collect();
        (!on.is_empty()).then(|| edf::verdict(inputs, &loads, &holistic, &on))
    };
    let cores: Vec<Option<edf::Verdict>> = (0..chain.cores.len()).map(demand).collect();
    let piles = Piles::new(chain, &loads, &responses);
    let tasks = loads.into_iter().zip(responses).zip(seen).enumerate();
    let tasks = tasks
        .map(|(task, ((load, response), seen))| {
            let Response { upper, by, .. } = response;
            let response = Bracket::of(reached(inputs, &load, seen), upper);
            let mut verdict = of_task(inputs, task, &response, cores[chain.tasks[task].core].as_ref(), &by);
            let late = response.lower().filter(|_| verdict.meets == Some(false));
            let why = late.and_then(|late| piles.why(task, &load, late.value));
            if let Some(why) = &why {
                verdict.because = format!("{}; {why}", verdict.because);
            }
            OfTask { load, response, by, verdict, piles_up: why.is_some() }
        })
        .collect();
    (cores, tasks)
}

/// What a response time reaches: alone, or in the run that was followed. A proven one counts, as far as there is one.
fn reached(inputs: &Inputs<'_>, load: &Load, seen: Option<Observed>) -> Option<Valued<Nanos>> {
    let alone = Valued::sum([load.cpu.lower(), load.gpu.lower()], "nobody else is there")?;
    let on = inputs.run().lower;
    let Some(seen) = seen.filter(|seen| seen.response > alone.value.0) else { return Some(alone) };
    if alone.is_proven() && !on.is_proven() {
        return Some(alone);
    }
    let why = match seen.shifted {
        0 => "it takes as long in a run that begins with all tasks together".to_owned(),
        by => format!(
            "it takes as long in a run in which tasks of its core begin {} later than others",
            Nanos(by)
        ),
    };
    let blame = alone.blame.clone();
    let run = alone.map(|_| Nanos(seen.response)).because(why).at_most(Proof::Lower);
    Some(run.resting(&on, blame.as_deref()))
}

fn of_task(
    inputs: &Inputs<'_>,
    task: usize,
    response: &Bracket<Nanos>,
    core: Option<&edf::Verdict>,
    by: &str,
) -> Whole {
    let chain = inputs.chain();
    let host = &chain.tasks[task];
    let deadline = host.deadline;
    // A verdict compares with the deadline, so it rests on that, too.
    let judged = |figure: &Valued<Nanos>, meets: bool, because: String| {
        let figure = figure.clone().resting(&inputs.deadline(task), Some(&host.name));
        let weakest = figure.blame.clone().or_else(|| Some(host.name.clone()));
        Whole { meets: Some(meets), kind: figure.kind(), because, weakest, rests: figure.rests().clone() }
    };
    if let Some(upper) = response.upper().filter(|upper| upper.value <= deadline) {
        let because = match chain.cores[host.core].scheduler {
            Scheduler::FixedPriority => format!("it takes {} at most, and has {deadline}", upper.value),
            Scheduler::Edf => format!("EDF meets every deadline of {}", chain.cores[host.core].name),
        };
        return judged(upper, true, because);
    }
    if let Some(lower) = response.lower().filter(|lower| lower.value > deadline) {
        let because = format!("it takes {} at least: {}; it has {deadline}", lower.value, lower.why);
        return judged(lower, false, because);
    }
    let because = match (response.upper(), core) {
        (_, Some(core)) if core.meets == Some(false) => {
            format!("some task of its core misses its deadline: {}", core.because)
        }
        (Some(upper), _) => {
            format!("it may take {}, and has {deadline}; that it does is not proven", upper.value)
        }
        (None, _) => by.to_owned(),
    };
    Whole::open(because, Some(host.name.clone()))
}

impl Whole {
    /// Nothing is decided.
    fn open(because: String, weakest: Option<String>) -> Self {
        Self { meets: None, kind: Evidence::Simulated, because, weakest, rests: Assumptions::NOTHING }
    }
}

/// All tasks together: the weakest link. What is missed by proof comes first.
fn whole(chain: &Chain, cores: &[Option<edf::Verdict>], tasks: &[OfTask]) -> Whole {
    if tasks.is_empty() {
        let because = "nobody has a deadline: there are no host tasks".to_owned();
        return Whole { kind: Evidence::Exact, ..Whole::open(because, None) };
    }
    let name = |task: usize| chain.tasks[task].name.as_str();
    let missed = tasks.iter().enumerate().filter(|(_, task)| task.verdict.meets == Some(false));
    let missed = missed.min_by_key(|(_, task)| task.verdict.kind).map(|(task, of)| {
        let because = format!("{} can miss its deadline: {}", name(task), of.verdict.because);
        Whole { because, weakest: Some(name(task).to_owned()), ..of.verdict.clone() }
    });
    let late = cores.iter().enumerate().filter_map(|(core, found)| {
        let found = found.as_ref().filter(|found| found.meets == Some(false))?;
        let core = chain.cores[core].name.clone();
        let because = format!("a deadline on {core} can be missed: {}", found.because);
        let (kind, rests) = (found.kind, found.rests.clone());
        Some(Whole { meets: Some(false), kind, because, weakest: Some(core), rests })
    });
    if let Some(first) = missed.into_iter().chain(late).min_by_key(|whole| whole.kind == Evidence::Simulated)
    {
        return first;
    }
    if let Some((task, of)) = tasks.iter().enumerate().find(|(_, task)| task.verdict.meets.is_none()) {
        let because = format!("{} is open: {}", name(task), of.verdict.because);
        return Whole::open(because, Some(name(task).to_owned()));
    }
    let worst = tasks.iter().rev().max_by_key(|task| task.verdict.kind);
    let (kind, weakest) =
        worst.map_or((Evidence::Exact, None), |task| (task.verdict.kind, task.verdict.weakest.clone()));
    let because = match kind {
        Evidence::Simulated => "every task meets its deadline under an assumption that nobody has proven",
        _ => "every task meets its deadline",
    };
    let rests = tasks.iter().fold(Assumptions::NOTHING, |all, task| all.and(&task.verdict.rests));
    Whole { meets: Some(true), kind, because: because.to_owned(), weakest, rests }
}
