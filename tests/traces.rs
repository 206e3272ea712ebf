//! Exports of profilers through the program: what scripts rely on.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use base64::Engine;
use serde_json::{Value, json};

/// Two kernels of one stream, a copy that the host waits for, and a kernel launched after that.
fn recorded() -> Value {
    let call = |name: &str, at: f64, takes: f64, correlation: u64| {
        json!({"ph": "X", "cat": "cuda_runtime", "name": name, "pid": 7, "tid": 8, "ts": at, "dur": takes,
            "args": {"correlation": correlation}})
    };
    let ran = |cat: &str, name: &str, at: f64, takes: f64, correlation: u64| {
        json!({"ph": "X", "cat": cat, "name": name, "pid": 0, "tid": 7, "ts": at, "dur": takes,
            "args": {"correlation": correlation, "device": 0, "stream": 7, "context": 1, "bytes": 4096,
                "grid": [80, 1, 1], "block": [256, 1, 1], "registers per thread": 32, "shared memory": 0}})
    };
    json!({
        "deviceProperties": [{"id": 0, "name": "A made-up GPU", "numSms": 40, "maxThreadsPerMultiprocessor": 1024,
            "warpSize": 32, "regsPerMultiprocessor": 65536, "sharedMemPerMultiprocessor": 65536,
            "computeMajor": 7, "computeMinor": 5}],
        "traceEvents": [
            call("cudaLaunchKernel", 100.0, 5.0, 1),
            call("cudaLaunchKernel", 106.0, 4.0, 2),
            call("cudaMemcpyAsync", 111.0, 3.0, 3),
            call("cudaStreamSynchronize", 115.0, 60.0, 4),
            call("cudaLaunchKernel", 190.0, 5.0, 5),
            ran("kernel", "first", 108.0, 30.0, 1),
            ran("kernel", "second", 139.5, 20.0, 2),
            ran("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 161.0, 10.0, 3),
            ran("kernel", "third", 198.0, 12.25, 5),
        ]
    })
}

fn run(arguments: &[&str], text: &str) -> (i32, String, String) {
    called(&[&["run"], arguments].concat(), &[text])
}

/// Calls the program with files of these texts at the end.
fn called(arguments: &[&str], texts: &[&str]) -> (i32, String, String) {
    with_files(arguments, texts, texts.len())
}

/// Calls the program with the first of the files at the end; the others lie beside it.
fn first_of(arguments: &[&str], texts: &[&str]) -> (i32, String, String) {
    with_files(arguments, texts, 1)
}

fn with_files(arguments: &[&str], texts: &[&str], named: usize) -> (i32, String, String) {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("warpspan-traces-{}-{call}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let names = (0..texts.len()).map(|place| folder.join(format!("run{place}.json")));
    let files: Vec<_> = names.collect();
    for (file, text) in files.iter().zip(texts) {
        std::fs::write(file, text).expect("a file");
    }
    let ran = Command::new(env!("CARGO_BIN_EXE_warpspan")).args(arguments).args(&files[..named]).output();
    let ran = ran.expect("the program");
    std::fs::remove_dir_all(&folder).expect("to clean up");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (ran.status.code().unwrap_or(-1), text(ran.stdout), text(ran.stderr))
}

#[test]
fn standard_input_is_read_as_a_file() {
    let text: String =
        include_str!("../crates/traces/read/tests/fixtures/nsight.b64").split_whitespace().collect();
    let packed = base64::engine::general_purpose::STANDARD.decode(text).expect("base64");
    let sqlite = miniz_oxide::inflate::decompress_to_vec(&packed[10..]).expect("a file of Nsight");
    for (bytes, source) in [(recorded().to_string().into_bytes(), "kineto"), (sqlite, "nsight")] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_warpspan"))
            .args(["run", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        child.stdin.take().expect("its input").write_all(&bytes).expect("to write");
        let ran = child.wait_with_output().expect("its end");
        let report: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
        assert_eq!(
            (ran.status.code(), &report["lab"], &report["source"]),
            (Some(0), &json!("traces"), &json!(source))
        );
    }
}

#[test]
fn an_account_adds_up_and_names_what_is_to_blame() {
    let (status, out, err) = run(&[], &recorded().to_string());
    assert_eq!((status, err.as_str()), (0, ""));
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&report["lab"], &report["source"]), (&json!("traces"), &json!("kineto")));
    assert_eq!((&report["operations"], &report["calls"]), (&json!(4), &json!(5)));
    let device = &report["devices"][0];
    let number = |value: &Value| value.as_u64().expect("a number");
    assert_eq!((number(&device["start"]), number(&device["end"])), (0, 102_250));
    assert_eq!(number(&device["busy"]), 72_250);
    assert_eq!(number(&device["idle"]), 30_000);
    assert_eq!(number(&device["only_copies"]), 10_000);
    let causes = device["causes"].as_object().expect("causes");
    assert_eq!(causes.values().map(number).sum::<u64>(), 30_000);
    // Until the synchronisation returned, until the launch began and returned, and what came after.
    assert_eq!((number(&causes["host-wait"]), number(&causes["launch"])), (4_000, 20_000));
    assert!(report["ops"].is_null());
    let leads = report["leads"].as_array().expect("leads");
    assert!(leads.iter().any(|lead| lead["change"] == "no-wait"), "{leads:?}");
}

#[test]
fn every_operation_is_told_on_request() {
    let (status, out, _) = run(&["--operations"], &recorded().to_string());
    assert_eq!(status, 0);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let ops = report["ops"].as_array().expect("operations");
    let told = |at: usize, key: &str| ops[at][key].clone();
    assert_eq!(told(1, "name"), "second");
    assert_eq!((told(1, "cause"), told(1, "earliest")), (json!("stream"), json!(30_000)));
    assert_eq!(told(1, "witness")["name"], "first");
    assert_eq!(
        (told(3, "cause"), told(3, "witness")["name"].clone()),
        (json!("launch"), json!("cudaLaunchKernel"))
    );
    assert_eq!(told(0, "occupancy")["blocks"], 4);
}

#[test]
fn what_is_cut_off_says_so_and_gives_the_rest() {
    let whole = recorded().to_string();
    let (status, out, _) = run(&[], &whole[..whole.len() - 200]);
    assert_eq!(status, 0);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["operations"], 3);
    assert!(report["left_out"].to_string().contains("cut off after byte"), "{}", report["left_out"]);
}

#[test]
fn operations_are_for_run() {
    let ran = Command::new(env!("CARGO_BIN_EXE_warpspan")).args(["link", "--operations", "x"]).output();
    assert_eq!(ran.expect("the program").status.code(), Some(2));
}

#[test]
fn late_launches_say_what_came_before() {
    let (_, out, _) = run(&["--operations"], &recorded().to_string());
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let before = &report["ops"][3]["before"];
    assert_eq!(
        (&before["did"], &before["took"], &before["of"]),
        (&json!("unrecorded"), &json!(15_000), &json!(19_000))
    );
    assert_eq!(before["after"]["name"], "cudaStreamSynchronize");
    assert_eq!(before["after"]["operation"], report["ops"][2]["id"]);
    assert!(report["ops"][1]["before"].is_null());
    assert_eq!(report["devices"][0]["late"], json!({"waited": 15_000, "called": 5_000, "unrecorded": 0}));
}

#[test]
fn a_recorded_run_becomes_a_table_and_trace_events() {
    let text = recorded().to_string();
    let (status, out, err) = called(&["convert", "--to", "csv"], &[&text]);
    assert_eq!((status, err.as_str(), out.lines().count()), (0, "", 5));
    assert!(
        out.lines().nth(2).is_some_and(|line| line.contains(",second,31500,51500,30000,stream,first,")),
        "{out}"
    );
    let (status, out, _) = called(&["convert", "--to", "perfetto"], &[&text]);
    let file: Value = serde_json::from_str(&out).expect("JSON");
    let events = file["traceEvents"].as_array().expect("events");
    let causes: Vec<&Value> =
        events.iter().map(|event| &event["args"]["cause"]).filter(|cause| !cause.is_null()).collect();
    assert_eq!(
        (status, causes),
        (
            0,
            vec!["launch", "stream", "stream", "launch"]
                .into_iter()
                .map(Value::from)
                .collect::<Vec<_>>()
                .iter()
                .collect()
        )
    );
    let (status, out, err) = called(&["convert", "--to", "svg"], &[&text]);
    assert!((status, out.as_str()) == (2, "") && err.contains("expected perfetto or csv"), "{err}");
}

#[test]
fn two_recorded_runs_are_held_against_each_other() {
    let before = recorded();
    let mut after = before.clone();
    // The third kernel takes 10 of 102.25 microseconds more.
    after["traceEvents"][8]["dur"] = json!(22.25);
    let [before, after] = [before.to_string(), after.to_string()];
    let (status, out, err) = called(&["diff"], &[&before, &after]);
    assert_eq!((status, err.as_str()), (0, ""));
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["whole"], json!({"before": 102_250, "after": 112_250, "more": 10_000}));
    assert_eq!(
        (&report["operations"][0]["name"], &report["operations"][0]["more"]),
        (&json!("third"), &json!(10_000))
    );
    assert_eq!((&report["devices"][0]["idle"]["more"], &report["slower"]), (&json!(0), &Value::Null));
    for (threshold, expected) in [("5%", 1), ("9.7", 1), ("9.8", 0), ("10%", 0)] {
        assert_eq!(
            called(&["diff", "--threshold", threshold], &[&before, &after]).0,
            expected,
            "{threshold}"
        );
        assert_eq!(called(&["diff", "--threshold", threshold], &[&after, &before]).0, 0);
    }
    let (status, out, err) = called(&["diff"], &[&before, "{}"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("run1.json: file: no profiler's export") && err.contains("expected"), "{err}");
}

#[test]
fn a_build_server_is_told_by_the_exit_status_alone() {
    let before = recorded();
    let mut after = before.clone();
    after["traceEvents"][8]["dur"] = json!(22.25);
    let [before, after] = [before.to_string(), after.to_string()];
    let (status, out, err) = called(&["diff", "--threshold", "5%"], &[&before, &after]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    // Slower by 9.78 percent: told, no mistake, and 1.
    assert_eq!((status, err.as_str(), &report["slower"]), (1, "", &json!(true)));
    assert_eq!(called(&["diff", "--threshold", "0%"], &[&before, &before]).0, 0);
    for wrong in ["-1%", "soon", "", "%", "1e9"] {
        let (status, out, err) = called(&["diff", "--threshold", wrong], &[&before, &after]);
        assert!((status, out.as_str()) == (2, "") && err.contains("--threshold"), "{wrong}: {err}");
    }
}

/// A log of the scheduling examiner with one kernel of two blocks, at the time of the recording.
fn log() -> String {
    r#"{"scenario_name": "One", "benchmark_name": "Timer Spin", "label": "Kernel 1", "max_resident_threads": 4096,
"data_size": 0, "release_time": 0.0, "PID": 1, "TID": 2, "times": [{}, {"kernel_name": "GPUSpin", "block_count": 2,
"thread_count": 512, "shared_memory": 0, "cuda_launch_times": [0.000100, 0.000105, 0.000190],
"block_times": [0.000110, 0.000180, 0.000111, 0.000181], "block_smids": [0, 1], "cpu_core": 3}]}"#
        .to_owned()
}

#[test]
fn several_files_of_one_run_are_one_report() {
    let rank = recorded().to_string();
    let (status, out, err) = called(&["run", "--together", "--operations"], &[&rank, &rank, &log(), &log()]);
    assert_eq!((status, err.as_str(), out.lines().count()), (0, "", 1));
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (&report["source"], &report["operations"], &report["calls"]),
        (&json!("kineto"), &json!(10), &json!(14))
    );
    // A device of each rank, and one of all logs.
    let devices = report["devices"].as_array().expect("devices");
    assert_eq!(devices.len(), 3);
    let alone: Value = serde_json::from_str(&run(&[], &rank).1).expect("JSON");
    for device in &devices[..2] {
        for key in ["busy", "idle", "causes", "only_copies"] {
            assert_eq!(device[key], alone["devices"][0][key], "{key}");
        }
    }
    assert_eq!((&devices[2]["busy"], &devices[2]["operations"]), (&json!(71_000), &json!(2)));
    let ids: std::collections::BTreeSet<u64> =
        report["ops"].as_array().expect("operations").iter().filter_map(|own| own["id"].as_u64()).collect();
    assert_eq!(ids.len(), 10);
    // Without the word, each has its own; and what is no recording is refused with its name.
    assert_eq!(called(&["run"], &[&rank, &rank]).1.lines().count(), 2);
    let (status, out, err) = called(&["run", "--together"], &[&rank, "{}"]);
    assert!(
        (status, out.as_str()) == (2, "") && err.contains("run1.json: file: no profiler's export"),
        "{err}"
    );
    for wrong in
        [["convert", "--to", "csv", "--together"].as_slice(), &["run", "--together", "--threads", "2"]]
    {
        assert_eq!(called(wrong, &[&rank]).0, 2, "{wrong:?}");
    }
}

#[test]
fn a_document_that_names_files_is_converted_and_compared() {
    let document = json!({"warpspan": 1, "trace": {"files": ["run1.json", "run2.json"]}}).to_string();
    let rank = recorded().to_string();
    // The document is the first of the files, and named before the others, which it names.
    let texts = [document.as_str(), &rank, &rank];
    let (status, out, err) = first_of(&["convert", "--to", "csv"], &texts);
    assert_eq!((status, err.as_str(), out.lines().count()), (0, "", 9));
    let (status, out, _) = first_of(&["run"], &texts);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, &report["operations"]), (0, &json!(8)));
    let within = json!({"warpspan": 1, "trace": {"recorded": recorded()}}).to_string();
    let (status, out, err) = called(&["diff"], &[&within, &rank]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, err.as_str(), &report["whole"]["more"]), (0, "", &json!(0)));
}
