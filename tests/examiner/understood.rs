//! Configurations whose meaning is easily mistaken: what runs at a time, how many blocks there are, who waits.

use serde_json::{Value, json};
use warpspan::blocks::{StreamKind, simulate};
use warpspan::import::examiner::Options;
use warpspan::import::examiner::config::Imported;

use super::{device, read, read_with, told};

fn configuration(benchmarks: &[Value]) -> String {
    json!({"name": "x", "max_iterations": 1, "max_time": 0, "benchmarks": benchmarks}).to_string()
}

fn spin(label: &str, nanos: u64) -> Value {
    json!({"filename": "timer_spin", "label": label, "thread_count": 32, "block_count": 1, "additional_info": nanos})
}

/// Start and end of each launch, by label.
fn runs(imported: &Imported) -> Vec<(&str, u64, u64)> {
    let setup = &imported.workload.setup;
    let trace = simulate(&imported.workload).trace;
    trace
        .kernels
        .iter()
        .map(|run| (setup.kernels[run.kernel].label.as_str(), run.start.0, run.end.0))
        .collect()
}

#[test]
fn benchmarks_of_a_task_host_run_at_a_time_round_by_round() {
    let host = |rounds: u32, processes: bool| {
        let within = json!({"name": "within", "max_iterations": 1, "max_time": 0, "use_processes": processes,
            "benchmarks": [spin("A", 1_000), spin("B", 400)]});
        let host = json!({"filename": "task_host", "label": "H", "max_iterations": rounds, "additional_info": within});
        read(&configuration(&[host]))
    };
    assert_eq!(runs(&host(1, false)), [("A", 0, 1_000), ("B", 0, 400)]);
    // The next round begins when all have ended the one before.
    let twice = host(2, false);
    assert_eq!(runs(&twice), [("A", 0, 1_000), ("B", 0, 400), ("A", 1_000, 2_000), ("B", 1_000, 1_400)]);
    let processes: Vec<u32> =
        host(1, true).workload.setup.streams.iter().map(|stream| stream.process).collect();
    assert_eq!(processes, [1, 2], "each a process of its own");
}

#[test]
fn benchmarks_that_make_their_grid_from_their_data() {
    let mandelbrot = json!({"filename": "mandelbrot", "label": "M", "thread_count": 256, "block_count": 256,
        "data_size": 1_000_000, "additional_info": ""});
    let imported = read(&configuration(&[mandelbrot]));
    let kernel = &imported.workload.setup.kernels[0];
    assert_eq!((kernel.blocks, kernel.threads), (3_907, 256), "1,000 x 1,000 points");
    assert!(
        told(&imported.warnings)
            .contains("has 3,907 blocks by the size of its data; block_count is not used")
    );

    let matrix = |skip: bool| {
        json!({"filename": "matrix_multiply", "label": "X", "thread_count": [16, 16], "block_count": 1, "data_size": 0,
            "additional_info": {"matrix_width": 2_048, "skip_copy": skip}})
    };
    let imported = read(&configuration(&[matrix(false)]));
    let setup = &imported.workload.setup;
    assert_eq!((setup.kernels[0].blocks, setup.kernels[0].threads), (16_384, 256), "128 x 128 blocks");
    let bytes: Vec<u64> = setup.copies.iter().map(|copy| copy.bytes).collect();
    assert_eq!(bytes, [16 << 20; 3], "two matrices in, one out");
    let trace = simulate(&imported.workload).trace;
    assert!(
        trace.copies[1].end <= trace.kernels[0].launched && trace.kernels[0].end <= trace.copies[2].issued
    );
    assert_eq!(read(&configuration(&[matrix(true)])).workload.setup.copies.len(), 0);
}

#[test]
fn a_spin_without_a_duration_takes_ten_milliseconds() {
    for info in [Value::Null, json!("")] {
        let mut one = spin("A", 1);
        one["additional_info"] = info;
        let imported = read(&configuration(&[one]));
        assert_eq!(runs(&imported), [("A", 0, 10_000_000)]);
        assert!(told(&imported.warnings).contains("no duration is given: 10 ms a block"));
    }
}

#[test]
fn a_synchronous_copy_within_the_device_does_not_keep_its_program() {
    let issued = |direction: &str| {
        let copy = json!({"type": "memcpy", "label": "c", "parameters":
            {"async": false, "size": 1_000, "direction": direction}});
        let kernel = json!({"type": "kernel", "label": "K", "parameters": {"duration": 10}});
        let one = json!({"filename": "stream_action", "label": "A", "thread_count": 32, "block_count": 1,
            "additional_info": {"actions": [copy, kernel]}});
        let imported = read(&configuration(&[one]));
        simulate(&imported.workload).trace.kernels[0].launched.0
    };
    assert_eq!([issued("deviceToDevice"), issued("hostToDevice")], [0, 1_000]);
}

#[test]
fn priorities_that_a_jetson_tx2_lacks_make_blocking_streams() {
    let mut one = spin("A", 1_000);
    one["stream_priority"] = json!(-3);
    let kind = |name: &str| {
        let mut device = device();
        name.clone_into(&mut device.name);
        let text = configuration(std::slice::from_ref(&one));
        let imported = read_with(&text, &device, &Options::default())
            .unwrap_or_else(|problems| unreachable!("{problems:?}"));
        let stream = &imported.workload.setup.streams[0];
        assert!(told(&imported.warnings).contains("blocking stream of the default priority"), "{name}");
        (stream.kind, stream.priority)
    };
    assert_eq!(kind("Jetson TX2"), (StreamKind::Blocking, 0));
    assert_eq!(kind("another"), (StreamKind::NonBlocking, -3));
}

#[test]
fn what_the_examiner_refuses_is_told() {
    let shared = json!({"filename": "sharedmem_timer_spin", "label": "S", "thread_count": 32, "block_count": 1,
        "additional_info": {"duration": 1, "shared_memory_size": 4_097}});
    let mut own = spin("A", 1);
    own["max_iterations"] = json!(3);
    let text = json!({"name": "x", "max_iterations": 1, "max_time": 0, "sync_every_iteration": true,
        "benchmarks": [shared, own]});
    let told = told(&read(&text.to_string()).warnings);
    assert!(told.contains("0, 4096, 8192 and 10240 integers"), "{told}");
    assert!(told.contains("benchmarks[1].max_iterations: the examiner refuses"), "{told}");
}

#[test]
fn the_hip_plugin_framework_is_named() {
    let text = r#"{"name": "x", "max_iterations": 1, "plugins": [{"filename": "./bin/x.so"}]}"#;
    let problems = read_with(text, &device(), &Options::default()).map_or_else(|found| found, |_| Vec::new());
    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "plugins: a configuration of the HIP plugin framework, another program, expected \"benchmarks\", as the CUDA scheduling examiner has them"
        ]
    );
}
