//! Damaged files: each gives a sound result or problems with places, never a panic or a hang.

use warpspan::base::Seeded;
use warpspan::base::problem::MOST_PROBLEMS;
use warpspan::blocks::{Action, Repeat, Workload};
use warpspan::import::examiner::align::{self, Known, Measured};
use warpspan::import::examiner::log;
use warpspan::import::examiner::{Nested, Options};
use warpspan::import::json;

use super::{CONFIGURATIONS, LOGS, device, read_with};

/// Whether every index of a workload is in range and every repeat is limited.
fn is_sound(workload: &Workload) -> bool {
    let setup = &workload.setup;
    let nulls = |process: u32| {
        let null = |stream: &&warpspan::blocks::Stream| {
            stream.process == process && stream.kind == warpspan::blocks::StreamKind::Null
        };
        setup.streams.iter().filter(null).count()
    };
    setup.kernels.iter().all(|kernel| kernel.blocks > 0 && kernel.threads > 0)
        && setup.kernels.iter().all(|kernel| kernel.mask.below(setup.device.sms).next().is_some())
        && setup.streams.iter().all(|stream| nulls(stream.process) <= 1)
        && workload.programs.iter().all(|program| repeat_is_sound(workload, program.process, &program.repeat))
}

fn repeat_is_sound(workload: &Workload, process: u32, repeat: &Repeat) -> bool {
    let setup = &workload.setup;
    let there = |stream: usize| setup.streams.get(stream).is_some_and(|stream| stream.process == process);
    let sound = |action: &Action| match action {
        Action::Launch { stream, kernel } => there(*stream) && *kernel < setup.kernels.len(),
        Action::Copy { stream, copy, .. } => there(*stream) && *copy < setup.copies.len(),
        Action::WaitStream(stream) => there(*stream),
        Action::Repeat(inner) => !inner.lockstep && repeat_is_sound(workload, process, inner),
        Action::Sleep(_) | Action::WaitDevice => true,
    };
    (repeat.rounds.is_some() || repeat.time.is_some()) && repeat.body.iter().all(sound)
}

/// Reads a configuration both ways; whether it was refused.
fn configuration(text: &str) -> bool {
    let mut refused = false;
    for nested in [Nested::InOrder, Nested::SideBySide] {
        match read_with(text, &device(), &Options { nested, ..Options::default() }) {
            Ok(imported) => assert!(is_sound(&imported.workload), "{text}"),
            Err(problems) => {
                assert!((1..=MOST_PROBLEMS).contains(&problems.len()), "{text}");
                for problem in &problems {
                    assert!(!problem.place.is_empty() && problem.to_string().len() < 2_000, "{problem}");
                    assert!(!problem.to_string().contains(char::is_control), "{problem}");
                }
                refused = true;
            }
        }
    }
    refused
}

fn is_sound_run(measured: &Measured) -> bool {
    let (setup, trace) = (&measured.setup, &measured.trace);
    let mut next = 0;
    let kernels = trace.kernels.iter().enumerate().all(|(i, run)| {
        let blocks = run.blocks.clone();
        let contiguous = blocks.start == next;
        next = blocks.end;
        contiguous
            && run.op.0 as usize == i
            && run.kernel < setup.kernels.len()
            && run.stream < setup.streams.len()
            && run.start <= run.dispatched
            && run.dispatched <= run.end
            && run.launched <= run.queued
            && run.end <= trace.end
            && trace.blocks[blocks].iter().all(|block| run.start <= block.start && block.end <= run.end)
    });
    kernels
        && next == trace.blocks.len()
        && measured.returned.len() == trace.kernels.len()
        && measured.synchronised.len() == trace.kernels.len()
        && measured.origins.len() == trace.kernels.len()
        && setup.device.sms > 0
}

/// Reads a log and brings it together with itself; whether it was refused.
fn log(text: &str) -> bool {
    match log::read("file", text) {
        Ok(log) => {
            for warning in &log.warnings {
                assert!(!warning.text.contains(char::is_control), "{warning:?}");
            }
            let known = Known { presets: &[device()], ..Known::default() };
            assert!(is_sound_run(&align::setup(&[log.clone(), log], &known)), "{text}");
            false
        }
        Err(problem) => {
            assert!(
                !problem.place.is_empty() && !problem.to_string().contains(char::is_control),
                "{problem}"
            );
            true
        }
    }
}

const THROWN: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "-",
    "0",
    "1e9",
    "1e400",
    "null",
    "true",
    "[]",
    "{}",
    "\"x\"",
    "nan",
    ".5",
    "9",
    "\\",
    "\n",
    "99999999999999999999",
    "-1",
    "é",
];

/// A text with some bytes gone, moved or thrown in.
fn scratched(text: &str, rng: &mut Seeded) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(3) {
        let length = bytes.len().max(1) as u32;
        let (i, j) = (rng.below(length) as usize, rng.below(length) as usize);
        let end = (i + rng.below(60) as usize).min(bytes.len());
        match rng.below(4) {
            0 => drop(bytes.drain(i.min(end)..end)),
            1 => {
                let thrown = THROWN[rng.below(THROWN.len() as u32) as usize];
                bytes.splice(i..i, thrown.bytes());
            }
            2 => {
                let piece = bytes[i.min(end)..end].to_vec();
                bytes.splice(j.min(bytes.len())..j.min(bytes.len()), piece);
            }
            _ => bytes.truncate(bytes.len() - rng.below(length.min(30)) as usize),
        }
        if bytes.is_empty() {
            bytes.push(b' ');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn scratched_anywhere() {
    let mut rng = Seeded::new(21, 0);
    for text in CONFIGURATIONS {
        for _ in 0..200 {
            configuration(&scratched(text, &mut rng));
        }
    }
    for (_, text) in LOGS {
        for _ in 0..300 {
            log(&scratched(text, &mut rng));
        }
    }
}

/// Valid JSON with values that are not what they should be.
#[test]
fn values_of_other_kinds_anywhere() {
    let mut rng = Seeded::new(22, 0);
    let values =
        ["0", "-1", "1e300", "3", "null", "true", "[]", "[0, 1]", "{}", "\"\"", "\"5\"", "\"~0x3\"", "[{}]"];
    let values = values.map(|text| json::parse(text).unwrap_or_default());
    let (mut all, mut refused) = (0, 0);
    let logs = LOGS.iter().map(|(_, text)| *text);
    for text in CONFIGURATIONS.into_iter().chain(logs) {
        let Ok(tree) = json::parse_loose(text) else { continue };
        let leaves = leaves(&tree, &mut Vec::new());
        for _ in 0..150 {
            let mut tree = tree.clone();
            for _ in 0..=rng.below(2) {
                let leaf = &leaves[rng.below(leaves.len() as u32) as usize];
                if let Some(value) = tree.pointer_mut(leaf) {
                    *value = values[rng.below(values.len() as u32) as usize].clone();
                }
            }
            let text = json::line(&tree);
            all += 1;
            refused += usize::from(configuration(&text));
            log(&text);
        }
    }
    assert!(refused > all / 10 && refused < all, "{refused} of {all}");
}

/// The pointers of all values of a tree.
fn leaves(tree: &serde_json::Value, path: &mut Vec<String>) -> Vec<String> {
    let mut all =
        vec![path.iter().map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1"))).collect()];
    let mut within = |step: String, value| {
        path.push(step);
        all.extend(leaves(value, path));
        path.pop();
    };
    match tree {
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, value)| within(i.to_string(), value));
        }
        serde_json::Value::Object(map) => map.iter().for_each(|(key, value)| within(key.clone(), value)),
        _ => {}
    }
    all
}

#[test]
fn logs_cut_off_anywhere_keep_their_whole_kernels() {
    for (name, text) in LOGS {
        let mut kernels = 0;
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)).step_by(3) {
            if let Ok(log) = log::read(name, &text[..end]) {
                assert!(log.kernels.len() >= kernels, "{}", &text[..end]);
                kernels = log.kernels.len();
            }
            log(&text[..end]);
        }
    }
}

/// Long texts of every bad shape are dealt with in time that grows with their length alone.
#[test]
fn huge_texts() {
    let many = 20_000;
    let times = |entry: &str| format!("{{\"PID\": 1, \"times\": [{}", entry.repeat(many));
    for text in [
        times("{"),
        times("{\"a\": [,"),
        times("{},"),
        times("\"x\","),
        times("[,"),
        times("{\"block_times\": [1, 2], \"thread_count\": 1},\n"),
        times("{\"kernel_name\": nan}, "),
        times("nan "),
        format!("{{{}", "\"a\": {,},".repeat(many)),
        format!("{{\"PID\": 1,{}", "\"times\": [,".repeat(many)),
        format!("{{{}\"PID\": 1}}", "\"PID\": 1,".repeat(many)),
        format!("{{{}", "\"".repeat(many)),
    ] {
        log(&text);
    }
    let benchmark =
        r#"{"filename": "timer_spin", "thread_count": 1, "block_count": 1, "additional_info": 1, "odd": 1},"#;
    configuration(&format!("{{\"benchmarks\": [{}{{}}]}}", benchmark.repeat(5_000)));
    let list = format!("[{}1]", "1,".repeat(many));
    configuration(&format!("{{\"benchmarks\": {list}}}"));
}
