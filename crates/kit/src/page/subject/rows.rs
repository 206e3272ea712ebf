//! The labs by name: what a document may be about, a row for each, and the examples of each.
//!
//! Invariant: this is the only file on the page's side that a new lab needs, beside the list of what is linked.

use serde::{Deserialize, Serialize};

use super::Row;

/// What a document asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// Warps on one multiprocessor: the page reads it and draws it itself.
    Warps,
    /// The same of machine code, in documents with the same key.
    Code,
    /// A claim about those.
    Conjecture,
    /// Blocks on the whole GPU.
    Blocks,
    /// Recurring tasks.
    Tasks,
    /// Instructions, kernels and host tasks, joined.
    Chain,
    /// A recorded run.
    Trace,
    /// A thread trace.
    Waves,
    /// A grid of any of these.
    Study,
}

impl Subject {
    /// All of them, in the order in which errors and the navigation name them.
    pub const ALL: &'static [Self] = &[
        Self::Warps,
        Self::Code,
        Self::Conjecture,
        Self::Blocks,
        Self::Tasks,
        Self::Chain,
        Self::Trace,
        Self::Waves,
        Self::Study,
    ];

    /// What the page says of it.
    pub fn row(self) -> &'static Row {
        match self {
            Self::Warps => &Row {
                key: "warps",
                holds: "an object",
                name: "Warps",
                within: None,
                asks: "How long can warps take on one multiprocessor?",
                panel: "warps",
                form: "warps-form",
                region: "Warps",
                shows: "a schedule of warps.",
                is_told: false,
                long: 200_000_000, // about 10 ns each
            },
            Self::Code => &Row {
                key: "warps",
                holds: "an object",
                name: "Code",
                within: None,
                asks: "How long can machine code take on one multiprocessor?",
                panel: "code",
                form: "code-form",
                region: "Machine code",
                shows: "a schedule of machine code.",
                is_told: true,
                long: 200_000_000,
            },
            Self::Conjecture => &Row {
                key: "conjecture",
                holds: "an object",
                name: "Formulas",
                within: Some(Self::Warps),
                asks: "Does a formula hold for every kernel?",
                panel: "conjecture",
                form: "conjecture-form",
                region: "Conjecture",
                shows: "a conjecture and its verdicts.",
                is_told: false,
                long: 200_000_000,
            },
            Self::Blocks => &Row {
                key: "blocks",
                holds: "an object",
                name: "Blocks",
                within: None,
                asks: "When and where does each block of the kernels run?",
                panel: "blocks",
                form: "blocks-form",
                region: "Blocks",
                shows: "the blocks of kernels on their multiprocessors.",
                is_told: true,
                long: 20_000_000, // about 100 ns each
            },
            Self::Tasks => &Row {
                key: "tasks",
                holds: "a list of tasks",
                name: "Tasks",
                within: None,
                asks: "Do recurring tasks meet their deadlines?",
                panel: "tasks",
                form: "tasks-form",
                region: "Tasks",
                shows: "the demand of recurring tasks.",
                is_told: true,
                long: 6_000_000, // about 300 ns each
            },
            Self::Chain => &Row {
                key: "chain",
                holds: "an object",
                name: "Chain",
                within: None,
                asks: "Does the whole chain meet its deadlines?",
                panel: "chain",
                form: "chain-form",
                region: "Chain",
                shows: "the way from instructions to deadlines.",
                is_told: true,
                long: 200_000_000,
            },
            Self::Trace => &Row {
                key: "trace",
                holds: "an object",
                name: "Traces",
                within: None,
                asks: "Why did each kernel start when it did?",
                panel: "traces",
                form: "traces-form",
                region: "Recorded run",
                shows: "a recorded run, and why its operations started when they did.",
                is_told: true,
                long: 200_000_000,
            },
            Self::Waves => &Row {
                key: "waves",
                holds: "an object",
                name: "Waves",
                within: None,
                asks: "What did each instruction of each wave wait for?",
                panel: "waves",
                form: "waves-form",
                region: "Thread trace",
                shows: "a thread trace, and what its waves waited for.",
                is_told: true,
                long: 200_000_000,
            },
            Self::Study => &Row {
                key: "study",
                holds: "an object",
                name: "Studies",
                within: None,
                asks: "How does the answer change with the numbers?",
                panel: "study",
                form: "study-form",
                region: "Study",
                shows: "a study and its points.",
                is_told: true,
                long: u64::MAX, // it is only tried, which takes no longer than it takes
            },
        }
    }

    /// What else people call what it is about, as they look for examples. Not in the row, which the first screen loads.
    pub fn also(self) -> &'static str {
        match self {
            Self::Warps => {
                "wavefront multiprocessor scheduler wcet makespan latency hiding occupancy kernel cuda"
            }
            Self::Code => {
                "sass assembly machine code disassembly control codes scoreboard stall latency compiler explorer"
            }
            Self::Conjecture => "conjecture formula claim bound theorem refuted counterexample",
            Self::Blocks => {
                "thread block sm stream concurrent kernels launch queue fifo tail wave timeline gpu"
            }
            Self::Tasks => {
                "real-time edf deadline schedulability demand bound dag period utilisation utilization webgpu"
            }
            Self::Chain => {
                "end-to-end pipeline camera sensor host cpu latency response time deadline amalthea app4mc"
            }
            Self::Trace => {
                "profiler nsight nsys pytorch kineto rocprof rocm timeline idle gap launch latency"
            }
            Self::Waves => {
                "amd att sqtt thread trace rocprofv3 rocm wavefront instruction stall waitcnt latency instinct radeon"
            }
            Self::Study => "sweep curve experiment plot parameter evaluation acceptance ratio heat map",
        }
    }
}

/// The built-in examples, under the headings of their list: name of the file below `www`, what the list calls it, how hard
/// it is, and the letter of the paper it is from. Those of a lab stand under its name first.
macro_rules! examples {
    ($make:ident) => {
        $make! {
            "Warps" {
                "voronoi-16" "Voronoi, round-robin" Beginner "B",
                "voronoi-fixed" "Voronoi, fixed priority" Beginner "B",
                "voronoi-pending" "Voronoi, most pending first" Beginner "B",
                "voronoi-issue-4" "Voronoi, four issue slots" Intermediate "B",
                "voronoi-ptx" "Voronoi from PTX" Intermediate "B",
                "all-units" "All four units, Jetson TX2" Intermediate "",
                "large" "64 warps × 1,000 instructions" Advanced "",
            }
            "Warps: searches for the worst case" {
                "voronoi-exact" "Voronoi, exact" Advanced "B",
                "voronoi-exact-issue-4" "Voronoi with four issue slots, exact" Advanced "B",
                "voronoi-anneal" "Voronoi, the published annealing" Advanced "B",
                "voronoi-gang" "Voronoi, four issue slots, annealed" Advanced "B",
                "voronoi-beam" "Voronoi, four issue slots, a beam" Advanced "B",
                "sub-blocks" "Finishing times, fair sub-blocks" Advanced "R",
            }
            "Warps: loads that take their time" {
                "memory-misses" "LCL, at most two misses" Intermediate "",
                "memory-voronoi" "Voronoi, every load misses" Advanced "B",
            }
            "Warps: published figures" {
                "figure-2" "LCL, warps in a given order" Beginner "B",
                "given-schedule" "LCL, a schedule checked" Beginner "B",
                "figure-5" "LCL, a warp moved to the end" Beginner "B",
                "figure-6" "LCCL, fixed priority" Beginner "B",
                "figure-7" "LCCL, most pending first" Beginner "B",
                "raravi-figure-3a" "64 threads, warp after warp" Intermediate "R",
                "raravi-figure-3b" "64 threads in turn" Intermediate "R",
                "raravi-figure-4" "64 threads, sub-block twice" Intermediate "R",
                "raravi-figure-5" "64 threads, sub-block thrice" Intermediate "R",
            }
            "Code" {
                "code-saxpy" "saxpy on Turing" Beginner "",
                "code-scan" "A scan with barriers on Ampere" Intermediate "",
                "code-mandelbrot" "A loop that the text does not decide" Intermediate "",
                "code-barrier" "Written out, with a barrier" Beginner "",
            }
            "Formulas" {
                "raravi-formula" "Raravi's formula" Advanced "R",
                "raravi-drawn" "Raravi's formula, as drawn" Advanced "R",
                "extrapolation" "Extrapolating from small groups" Advanced "B",
            }
            "Blocks" {
                "paredes-example" "Four kernels, an example by hand" Intermediate "P",
                "paredes-measured" "Four kernels, measured on a Jetson TX2" Intermediate "P",
                "paredes-scenario-1" "Four kernels in order 2, 3, 4, 1" Intermediate "P",
                "paredes-scenario-2" "Four kernels in order 2, 4, 1, 3" Intermediate "P",
                "paredes-scenario-3" "Four kernels in order 2, 1, 3, 4" Intermediate "P",
                "head-of-line" "Head-of-line blocking" Beginner "A",
                "priorities" "Priorities do not preempt" Beginner "A",
                "shared-memory" "Shared memory as the bottleneck" Beginner "A",
                "null-stream" "The null stream" Intermediate "A",
                "copies" "Copies beside kernels" Beginner "A",
                "processes" "Two processes take turns" Intermediate "A",
                "masks" "Kernels kept apart by masks" Intermediate "",
                "measured-run" "Made-up logs that break a rule" Advanced "A",
                "many-blocks" "100,000 blocks on a Titan V" Advanced "",
            }
            "Tasks" {
                "tasks-controller" "A controller with branches" Beginner "",
                "tasks-overload" "One branch too long" Intermediate "",
                "tasks-figure-2" "A task that branches" Beginner "N",
                "tasks-splice" "Where the published test counts too much" Advanced "N",
                "tasks-equation-rejects" "Rejected by the published test, schedulable" Advanced "N",
                "tasks-experiment" "Random tasks, measured" Advanced "N",
            }
            "Chain" {
                "chain-teaching" "From three instructions to a deadline" Beginner "",
                "chain-exclusive" "One kernel after the other" Intermediate "",
                "chain-camera" "A camera, a GPU and four deadlines" Advanced "",
                "chain-machine-code" "saxpy as machine code, with a deadline" Intermediate "",
            }
            "Traces" {
                "loss-in-every-step" "Training that asks for the loss in every step" Beginner "",
                "copies-wait-for-the-host" "Copies that wait for the host" Intermediate "",
                "alexnet-first-steps" "The first steps of AlexNet, measured" Beginner "",
            }
            "Waves" {
                "waves-rmsnorm" "RMSNorm, four waves on a SIMD" Intermediate "M",
                "waves-layernorm" "LayerNorm, one wave on a SIMD" Beginner "M",
                "waves-hgemm" "A matrix product by split K" Intermediate "M",
            }
            "Studies" {
                "latency-hiding" "Latency hiding over warps" Beginner "B",
                "bound-over-exact" "Bound over exact by kernel length" Advanced "B",
                "formula-below-truth" "Raravi's formula below the truth" Intermediate "R",
                "equation-rejects" "Sets only the published test rejects" Advanced "N",
                "chain-acceptance" "Chains over utilisation" Advanced "",
                "worst-launch-order" "The worst launch order" Intermediate "P",
            }
        }
    };
}
pub(crate) use examples;
