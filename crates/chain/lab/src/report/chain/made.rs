//! The report of a chain, made of what was found.

use super::told::{Told, kind};
use super::{
    Change, CoreLink, Evidence, Gpu, Grid, GridSm, KernelLink, Limit, Residency, SegmentLink, SourceLine,
    TaskLink, WholeReport, parts, warnings,
};
use crate::scenario::{ChainPtx, ChainScenario, ChainSource, Changed};
use base::Nanos;
use base::people;
use blocks::resources::Resource;
use chain;
use chain::grid::{Assignment, OnGpu};
use chain::solve::{OfKernel, OfTask, Solved};
use chain::{Chain, Kernel, Scheduler, SegmentKind, Sharing, Wait, Work};
use warps::Unit as Letter;
use warps_lab::import::ptx::NOT_WHAT_RUNS;

/// What every chain takes for granted.
const ASSUMPTIONS: [&str; 6] = [
    "A block waits only while no multiprocessor has room for it; dispatching takes no time.",
    "A block leaves its multiprocessor when its last warp ends.",
    "A task waits for every copy and kernel before it goes on, and its activations run one after the other.",
    "Launching takes no time on the core besides the segments that are written.",
    "Cores preempt at no cost; tasks are sporadic and share nothing but cores, GPU and copy engines.",
    "Copies have the engine to themselves one after the other, in the order in which they are issued.",
];
/// What is taken for granted of kernels that are strings.
const SAME_STRING: &str = "All warps of a kernel run the same instruction string; every instruction takes one cycle after normalisation.";
const WORK_CONSERVING: &str =
    "A multiprocessor is work-conserving: no warp waits while its unit and an issue slot are free.";
/// What is taken for granted of kernels that are cycles.
const AS_SAID: &str = "A block takes the cycles that its author says.";

/// What this one takes for granted: of each kind of kernel that is in it, and of all.
fn assumptions(asked: &ChainScenario) -> Vec<String> {
    let chain = &asked.chain;
    let is = |kind: fn(&Work) -> bool| chain.kernels.iter().any(|kernel| kind(&kernel.work));
    let code = is(|work| matches!(work, Work::Code(_)));
    let cycles = is(|work| matches!(work, Work::Cycles(_)));
    let strings = is(|work| matches!(work, Work::Instructions(_))) || !code && !cycles;
    let several = [strings, code, cycles].into_iter().filter(|&is| is).count() > 1;
    let mut all = Vec::new();
    let mut of = |there: bool, kind: &str, texts: Vec<String>| {
        let texts = texts.into_iter().filter(|_| there);
        all.extend(texts.map(|text| if several { format!("Kernels given as {kind}: {text}") } else { text }));
    };
    let mut own = vec![SAME_STRING.to_owned()];
    match &chain.memory {
        None => own.push("Every load and store hits the cache.".to_owned()),
        Some(memory) => own.extend(memory.assumptions()),
    }
    own.push(WORK_CONSERVING.to_owned());
    if asked.sources.iter().flatten().any(|source| matches!(source, ChainSource::Ptx(_))) {
        own.push(NOT_WHAT_RUNS.to_owned());
    }
    of(strings, "strings or PTX", own);
    of(code, "machine code", code_lab::report::ASSUMPTIONS.map(str::to_owned).to_vec());
    of(cycles, "cycles", vec![AS_SAID.to_owned()]);
    all.extend(ASSUMPTIONS.map(str::to_owned));
    all
}

/// The report of a chain as far as it is known, with what is known of changes.
pub fn whole_report(
    title: &str,
    asked: &ChainScenario,
    solved: &Solved,
    changes: &[(Changed, Solved)],
) -> WholeReport {
    let chain = &asked.chain;
    let told = Told::new(chain);
    let kernels = chain.kernels.iter().zip(&asked.sources).zip(&solved.kernels);
    let listed = asked.rounds_assumed().into_iter().zip(asked.rests());
    let mut report = WholeReport {
        scenario: title.to_owned(),
        lab: "chain".to_owned(),
        verdict: told.verdict(&solved.verdict),
        gpu: gpu(chain),
        kernels: kernels
            .zip(listed)
            .map(|(((kernel, source), found), (once, rests))| KernelLink {
                once,
                rests,
                ..kernel_link(&told, kernel, source.as_ref(), found)
            })
            .collect(),
        cores: (0..chain.cores.len()).map(|core| core_link(chain, core, solved)).collect(),
        tasks: (0..chain.tasks.len()).map(|task| task_link(&told, task, &solved.tasks[task])).collect(),
        sensitivity: changes.iter().map(|(changed, solved)| change(changed, solved)).collect(),
        parts: parts::parts(title, asked, solved, changes.iter().map(|(changed, _)| changed)),
        assumed: told.assumed(&solved.verdict),
        assumptions: assumptions(asked),
        warnings: warnings::all(asked, solved),
        ..WholeReport::default()
    };
    let has = |id: &str| report.parts.iter().any(|part| part.id == id);
    let here = |id: String| has(&id).then_some(id);
    let of_kernels: Vec<_> =
        report.kernels.iter().map(|k| (here(format!("warps:{}", k.name)), here("blocks".into()))).collect();
    let of_cores: Vec<_> = report.cores.iter().map(|core| here(format!("tasks:{}", core.name))).collect();
    for (link, (part, gpu_part)) in report.kernels.iter_mut().zip(of_kernels) {
        (link.part, link.gpu_part) = (part, gpu_part);
    }
    for (link, part) in report.cores.iter_mut().zip(of_cores) {
        link.part = part;
    }
    report
}

fn gpu(chain: &Chain) -> Gpu {
    let machine = &chain.sm.machine;
    let units = Letter::ALL.into_iter().filter(|&unit| machine.capacity[unit] > 0);
    let units: Vec<String> =
        units.map(|unit| format!("{} {}", machine.capacity[unit], unit.lettered())).collect();
    let issue = match machine.issue {
        Some(issue) => format!(", {} at most in all", people::counted(issue as usize, "warp")),
        None => String::new(),
    };
    let (sharing, means) = match chain.sharing {
        Sharing::Shared => (
            "shared",
            "kernels of several tasks may run at once; that their blocks do not slow each other down is assumed, not proven",
        ),
        Sharing::Exclusive => {
            ("exclusive", "kernels run one after the other, so nothing disturbs one on the GPU")
        }
    };
    Gpu {
        name: chain.device.name.clone(),
        sms: chain.device.sms.into(),
        clock: chain.clock.hertz(),
        machine: format!("warps served in a cycle: {}{issue}", units.join(", ")),
        memory: chain.memory.as_ref().map(|memory| memory.assumptions().join(" ")),
        sharing: sharing.to_owned(),
        sharing_means: means.to_owned(),
        order: chain.order.as_ref().map(|order| names(chain, order)),
    }
}

fn names(chain: &Chain, order: &[usize]) -> Vec<String> {
    order.iter().map(|&kernel| chain.kernels[kernel].name.clone()).collect()
}

fn kernel_link(
    told: &Told<'_>,
    kernel: &Kernel,
    source: Option<&ChainSource>,
    found: &OfKernel,
) -> KernelLink {
    let chain = told.chain;
    let string = match &kernel.work {
        Work::Instructions(of) => Some(&of.normalised),
        Work::Cycles(_) | Work::Code(_) => None,
    };
    let place = chain.kernels.iter().position(|other| other.name == kernel.name);
    let launches = |task: &&chain::Host| {
        task.segments.iter().any(|segment| matches!(segment.kind, SegmentKind::Launch(k) if Some(k) == place))
    };
    KernelLink {
        name: kernel.name.clone(),
        source: match (&kernel.work, source) {
            (Work::Cycles(_), _) => "cycles",
            (Work::Instructions(_), None) => "string",
            (Work::Instructions(_), Some(_)) => "ptx",
            (Work::Code(_), Some(ChainSource::Code(code))) if code.made.is_some() => "sass",
            (Work::Code(_), _) => "code",
        }
        .to_owned(),
        string: string.map(ToString::to_string),
        instructions: match &kernel.work {
            Work::Instructions(of) => of.normalised.len() as u64,
            Work::Code(code) => code.block.length(0) as u64,
            Work::Cycles(_) => 0,
        },
        lines: match source {
            Some(ChainSource::Ptx(source)) => lines(source),
            _ => Vec::new(),
        },
        once: String::new(),
        rests: Vec::new(),
        blocks: kernel.grid.blocks.into(),
        threads: kernel.grid.threads.into(),
        warps: found.occupancy.warps,
        residency: residency(found),
        makespan: told.cycles(&found.makespan),
        block: told.nanos(&found.block),
        grids: found.grids.iter().map(|of| grid(told, of)).collect(),
        alone: told.nanos(&found.alone),
        completion: told.nanos(&found.completion.time),
        order: names(chain, &found.completion.order),
        task: chain.tasks.iter().find(launches).map(|task| task.name.clone()),
        part: None,
        gpu_part: None,
    }
}

/// The lines of the walk with the text of their source.
fn lines(source: &ChainPtx) -> Vec<SourceLine> {
    let text: Vec<&str> = source.text.lines().collect();
    let line = |line: &warps_lab::import::ptx::Line| SourceLine {
        line: line.line.into(),
        text: text
            .get((line.line as usize).saturating_sub(1))
            .map_or(line.opcode.clone(), |text| text.trim().to_owned()),
        unit: line.row.unit.map(Letter::letter),
        times: line.times.into(),
    };
    source.walk.lines.iter().map(line).collect()
}

fn residency(found: &OfKernel) -> Residency {
    let name = |resource: Resource| match resource {
        Resource::Threads => "threads",
        Resource::SharedMemory => "shared_memory",
        Resource::Registers => "registers",
        Resource::Blocks => "blocks",
    };
    let occupancy = &found.occupancy;
    let most = occupancy.most();
    Residency {
        blocks: most,
        warps: most.saturating_mul(occupancy.warps),
        limited_by: if occupancy.blocks < occupancy.room { "grid" } else { name(occupancy.limit) }.to_owned(),
        limits: occupancy
            .limits
            .iter()
            .map(|&(resource, blocks)| Limit { name: name(resource).to_owned(), blocks })
            .chain([Limit { name: "grid".to_owned(), blocks: Some(occupancy.blocks) }])
            .collect(),
    }
}

fn grid(told: &Told<'_>, of: &OnGpu) -> Grid {
    let (assignment, means) = match of.assignment {
        Assignment::Known => (
            "known",
            "each block runs on the multiprocessor that the document names, and none starts before those ahead of it",
        ),
        Assignment::RoundRobin => ("round-robin", "blocks go to the multiprocessors in turn"),
        Assignment::Rules => {
            ("rules", "a block goes where most threads are free, and all blocks take equally long")
        }
        Assignment::Worst => ("worst", "a block goes to any multiprocessor with room, the worst for all"),
    };
    Grid {
        assignment: assignment.to_owned(),
        means: means.to_owned(),
        sms: of
            .sms
            .iter()
            .map(|sm| GridSm {
                sm: sm.sm,
                blocks: sm.blocks,
                warps: sm.warps,
                waves: sm.waves,
                makespan: told.cycles(&sm.makespan),
            })
            .collect(),
        makespan: told.cycles(&of.makespan),
    }
}

fn core_link(chain: &Chain, core: usize, solved: &Solved) -> CoreLink {
    let of = &chain.cores[core];
    let asked = |task: usize| {
        let load = &solved.tasks[task].load;
        let value = |side: Option<&chain::Valued<Nanos>>| side.map_or(0.0, |figure| figure.value.0 as f64);
        let spins = chain.tasks[task].wait == Wait::Spin;
        let waiting = if spins { value(load.gpu.upper()) } else { 0.0 };
        (value(load.cpu.upper()) + waiting) / chain.tasks[task].period.0 as f64
    };
    let on = (0..chain.tasks.len()).filter(|&task| chain.tasks[task].core == core);
    let edf = solved.cores[core].as_ref();
    CoreLink {
        name: of.name.clone(),
        clock: of.clock.hertz(),
        scheduler: match of.scheduler {
            Scheduler::FixedPriority => "fixed-priority",
            Scheduler::Edf => "edf",
        }
        .to_owned(),
        // The empty sum of floats is a negative nought.
        utilisation: on.map(asked).fold(0.0, |sum, share| sum + share),
        edf: edf.and_then(|found| found.meets),
        edf_kind: edf.map_or(Evidence::Simulated, |found| kind(found.kind)),
        edf_because: edf.map_or("no task runs on it".to_owned(), |found| {
            Told::new(chain).provided(&found.because, &found.rests)
        }),
        edf_violation: edf.and_then(|found| found.violation),
        part: None,
    }
}

fn task_link(told: &Told<'_>, task: usize, found: &OfTask) -> TaskLink {
    let chain = told.chain;
    let host = &chain.tasks[task];
    let segments = host.segments.iter().zip(&found.load.segments);
    TaskLink {
        name: host.name.clone(),
        core: chain.cores[host.core].name.clone(),
        priority: host.priority.into(),
        period: host.period.0,
        deadline: host.deadline.0,
        suspends: host.wait == Wait::Suspend,
        segments: segments.map(|(segment, time)| segment_link(told, segment, time)).collect(),
        cpu: told.nanos(&found.load.cpu),
        gpu: told.nanos(&found.load.gpu),
        response: told.nanos(&found.response),
        response_by: found.by.clone(),
        meets: found.verdict.meets,
        kind: kind(found.verdict.kind),
        because: told.because(&found.verdict),
        piles_up: found.piles_up,
    }
}

fn segment_link(told: &Told<'_>, segment: &chain::Segment, time: &chain::Bracket<Nanos>) -> SegmentLink {
    let (does, name, amount) = match segment.kind {
        SegmentKind::Cpu(_) => ("cpu", "computes".to_owned(), String::new()),
        SegmentKind::Ticks(ticks) => {
            ("cpu", "computes".to_owned(), format!("{} ticks", people::grouped(ticks.0.into())))
        }
        SegmentKind::Copy { direction, bytes, .. } => {
            let way = if direction == blocks::Direction::In { "copy in" } else { "copy out" };
            let amount = bytes.map(|bytes| format!("{} bytes", people::grouped(bytes.into())));
            ("copy", way.to_owned(), amount.unwrap_or_default())
        }
        SegmentKind::Launch(kernel) => ("kernel", told.chain.kernels[kernel].name.clone(), String::new()),
        SegmentKind::Activate(task) => ("activate", told.chain.tasks[task].name.clone(), String::new()),
        SegmentKind::Await(task) => ("await", told.chain.tasks[task].name.clone(), String::new()),
    };
    let label = if segment.label.is_empty() { name } else { segment.label.clone() };
    SegmentLink { does: does.to_owned(), label, amount, time: told.nanos(time) }
}

fn change(changed: &Changed, solved: &Solved) -> Change {
    let response = |task: &OfTask| task.response.upper().map(|figure| figure.value.0);
    Change {
        id: changed.id.clone(),
        what: changed.what.clone(),
        verdict: Told::new(&changed.asked.chain).verdict(&solved.verdict),
        responses: solved.tasks.iter().map(response).collect(),
        part: Some(format!("chain:{}", changed.id)),
    }
}
