//! Configurations and logs in the examiner's own formats, with the clock of the device set apart and drifting.

use serde_json::{Value, json};
use warpspan::base::Seeded;
use warpspan::report::{CheckReport, check_report};
use warpspan::scenario::{self, BlocksScenario};

use super::model::{Launch, Run, Setup};

/// How the clock of the device differs: nanoseconds apart at 0, and nanoseconds a second.
#[derive(Debug, Clone, Copy, Default)]
pub struct Skew {
    apart: i64,
    drift: i64,
}

impl Skew {
    /// None for some runs, else 20 to 90 µs apart either way, and up to 50 µs a second of drift.
    pub fn drawn(rng: &mut Seeded) -> Self {
        if rng.below(3) == 0 {
            return Self::default();
        }
        let sign = if rng.below(2) == 0 { 1 } else { -1 };
        let apart = sign * i64::from(20_000 + rng.below(70_000));
        Self { apart, drift: i64::from(rng.below(100_000)) - 50_000 }
    }

    fn device(self, host: u64) -> u64 {
        let drift = i128::from(self.drift) * i128::from(host) / 1_000_000_000;
        let at = i128::from(host) + i128::from(self.apart) + drift;
        u64::try_from(at).unwrap_or(0)
    }
}

/// The host's clock says so much when a run begins.
const BEGINS: u64 = 1_000_000_000;

fn seconds(nanos: u64) -> f64 {
    (BEGINS + nanos) as f64 / 1e9
}

/// The configuration of a run.
pub fn configuration(setup: &Setup) -> Value {
    let benchmarks: Vec<&Value> = setup.programs.iter().map(|program| &program.written).collect();
    json!({"name": "generated", "max_iterations": 1, "max_time": 0, "cuda_device": 0,
        "use_processes": setup.own_processes, "benchmarks": benchmarks})
}

fn kernel(setup: &Setup, launch: &Launch, skew: Skew) -> Value {
    let waits = setup.programs[launch.program].benchmark.starts_with("Timer Spin");
    let idle = launch.idle.filter(|_| waits).map_or(0.0, seconds);
    let device = |at: u64| seconds(skew.device(at));
    let times: Vec<f64> = launch.blocks.iter().flat_map(|block| [device(block.0), device(block.1)]).collect();
    let sms: Vec<u16> = launch.blocks.iter().map(|block| block.2).collect();
    let kernel = &launch.kernel;
    json!({"kernel_name": kernel.name, "block_count": launch.blocks.len(), "thread_count": kernel.threads,
        "shared_memory": kernel.shared, "cuda_launch_times": [seconds(launch.called), seconds(launch.returned), idle],
        "block_times": times, "block_smids": sms, "cpu_core": 0})
}

/// The logs of a run, one for each program.
pub fn logs(setup: &Setup, run: &Run, skew: Skew) -> Vec<Value> {
    let log = |(i, program): (usize, &super::model::Program)| {
        let mut times = vec![json!({})];
        for (round, &[from, to]) in (0_u32..).zip(&run.rounds[i]) {
            let (from, to) = (seconds(from), seconds(to));
            times.push(
                json!({"copy_in_times": [from, from], "execute_times": [from, to], "copy_out_times": [to, to],
                "cpu_times": [from, to]}),
            );
            let own = run.launches.iter().filter(|launch| launch.program == i && launch.round == round);
            times.extend(own.map(|launch| kernel(setup, launch, skew)));
        }
        let mut log = json!({"scenario_name": "generated", "benchmark_name": program.benchmark, "label": program.label,
            "max_resident_threads": setup.gpu.threads * u32::from(setup.gpu.sms), "data_size": 0,
            "release_time": program.release as f64 / 1e9, "PID": 100 + program.process, "times": times});
        if !setup.own_processes {
            log["TID"] = json!(200 + i);
        }
        log
    };
    setup.programs.iter().enumerate().map(log).collect()
}

/// What the check says of logs, with their configuration or without.
pub fn checked(setup: &Setup, logs: &[Value], configuration: Option<&Value>) -> CheckReport {
    let mut tree = json!({"warpspan": 1, "title": "generated",
        "blocks": {"device": {"preset": setup.gpu.preset}, "measured": logs}});
    if let Some(configuration) = configuration {
        tree["blocks"]["examiner"] = configuration.clone();
    }
    let read = scenario::from_tree(&tree);
    let read = read.unwrap_or_else(|problems| unreachable!("{problems:#?} {tree}"));
    let Some(asked) = read.asked::<BlocksScenario>() else { unreachable!("blocks") };
    check_report("generated", asked).unwrap_or_else(|| unreachable!("logs"))
}
