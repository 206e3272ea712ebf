//! A run of blocks as the CUDA scheduling examiner would have logged it: one file for each stream.
//!
//! Keys, their order and the layout are those of the examiner's own files. What it measures on the CPU is taken
//! from when operations were issued and ended; when it would have finished waiting for a kernel is not known and
//! written as 0, as it does itself where it does not wait.
//!
//! Logs say nothing of copies, and hold no stream without kernels. Where a process issues anything but kernels, the
//! name of the benchmark says so: readers then know that a kernel may have waited for more than the logs tell.
//!
//! Readers of such logs take a kernel to end one nanosecond after its last block, and take events of one nanosecond in
//! the order of the files. Measured kernels are never so close, simulated ones are. So where the next kernel of a
//! stream starts in the very nanosecond in which blocks end, those are written [`GAP`] shorter; and where blocks of
//! several kernels start in one nanosecond, they are written [`STEP`] apart, in the order in which they were assigned.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use base::Nanos;
use blocks::{BlockRun, CopyRun, KernelRun, Setup, Trace};

/// How much sooner blocks are written to end, where the next operation of their stream starts when they do.
const GAP: Nanos = Nanos(2);

/// How far apart starts of several kernels in one nanosecond are written.
const STEP: u64 = 10;

/// The benchmark's name where its process issues kernels and nothing else.
const KERNELS_ONLY: &str = "\"Warpspan\"";
/// And where it issues more, or nobody knows.
const AND_MORE: &str = "\"Warpspan (kernels and more)\"";

/// Where a run comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It was simulated: all that was issued is known.
    Simulated,
    /// It was measured: only kernels are known.
    Measured,
}

/// The logs of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logs {
    /// One for each stream with kernels, in the order of streams.
    pub files: Vec<LogFile>,
    /// Labels of streams in which something but no kernel was issued.
    pub left_out: Vec<String>,
}

/// A log file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The logs of a run.
pub fn examiner_logs(setup: &Setup, trace: &Trace, scenario: &str, origin: Origin) -> Logs {
    let starts = starts(setup, trace);
    let mut rounds: Vec<BTreeMap<u32, Round<'_>>> = vec![BTreeMap::new(); setup.streams.len()];
    for run in &trace.kernels {
        if let Some(own) = rounds.get_mut(run.stream) {
            own.entry(run.round).or_default().kernels.push(run);
        }
    }
    for run in &trace.copies {
        if let Some(own) = rounds.get_mut(run.stream) {
            own.entry(run.round).or_default().copies.push(run);
        }
    }
    let has_processes = setup.streams.iter().any(|stream| stream.process != setup.streams[0].process);
    let copies = |process| {
        trace.copies.iter().any(|run| setup.streams.get(run.stream).is_some_and(|of| of.process == process))
    };
    let mut files = Vec::with_capacity(rounds.len());
    let mut left_out = Vec::new();
    let all = setup.streams.iter().zip(&rounds).enumerate();
    for (number, (stream, rounds)) in all.filter(|(_, (_, rounds))| !rounds.is_empty()) {
        if rounds.values().all(|round| round.kernels.is_empty()) {
            left_out.push(stream.label.clone());
            continue;
        }
        let release = rounds.values().next().map_or(Nanos::ZERO, |round| round.times()[0]);
        let mut text = String::from("{\n");
        let mut head = |key: &str, value: &dyn fmt::Display| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\"{key}\": {value},");
        };
        head("scenario_name", &quoted(scenario));
        let more = origin == Origin::Measured || copies(stream.process);
        head("benchmark_name", &if more { AND_MORE } else { KERNELS_ONLY });
        head("label", &quoted(&stream.label));
        head("max_resident_threads", &setup.device.threads());
        head("data_size", &0);
        head(
            "release_time",
            &format_args!("{}.{:06}", release.0 / 1_000_000_000, release.0 % 1_000_000_000 / 1_000),
        );
        head("PID", &(u64::from(stream.process) + 1));
        if !has_processes {
            head("TID", &(number + 1));
        }
        text.push_str("\"times\": [{}");
        for round in rounds.values() {
            let _ = round.write(setup, trace, &starts, &mut text);
        }
        text.push_str("\n]}\n");
        files.push(LogFile { name: file_name(number, &stream.label), text });
    }
    Logs { files, left_out }
}

/// When each block is written to start: those of one nanosecond by the order in which their kernels were assigned.
fn starts(setup: &Setup, trace: &Trace) -> Vec<Nanos> {
    let mut starts: Vec<Nanos> = trace.blocks.iter().map(|block| block.start).collect();
    let mut order: Vec<usize> = (0..trace.kernels.len()).collect();
    let priority = |run: &KernelRun| setup.streams.get(run.stream).map_or(0, |stream| stream.priority);
    base::sort::sort_by_key(&mut order, |&at| {
        (priority(&trace.kernels[at]), trace.kernels[at].queued, trace.kernels[at].op)
    });
    // Kernels so far with a start at each instant.
    let mut before = BTreeMap::<Nanos, u64>::new();
    for run in order.into_iter().map(|at| &trace.kernels[at]) {
        let mut own: Vec<usize> = run.blocks.clone().filter(|&at| at < starts.len()).collect();
        base::sort::sort_by_key(&mut own, |&at| trace.blocks[at].start);
        for group in own.chunk_by(|&a, &b| trace.blocks[a].start == trace.blocks[b].start) {
            let at = trace.blocks[group[0]].start;
            let rank = before.entry(at).or_default();
            for &block in group {
                // Blocks that take hardly any time still end no sooner than they start.
                starts[block] = (at + Nanos(STEP.saturating_mul(*rank))).min(trace.blocks[block].end);
            }
            *rank += 1;
        }
    }
    starts
}

/// What a stream did in a round.
#[derive(Debug, Clone, Default)]
struct Round<'a> {
    kernels: Vec<&'a KernelRun>,
    copies: Vec<&'a CopyRun>,
}

impl Round<'_> {
    /// Start and end of copying in, of executing, of copying out. Copies between launches belong to executing.
    fn times(&self) -> [Nanos; 6] {
        let first_launch = self.kernels.iter().map(|run| run.op).min();
        let last_launch = self.kernels.iter().map(|run| run.op).max();
        let is_before = |run: &&&CopyRun| first_launch.is_none_or(|first| run.op < first);
        let is_after = |run: &&&CopyRun| last_launch.is_some_and(|last| run.op > last);
        let begin =
            self.kernels.iter().map(|run| run.launched).chain(self.copies.iter().map(|run| run.issued));
        let begin = begin.min().unwrap_or_default();
        let end_in = self.copies.iter().filter(is_before).map(|run| run.end).max().unwrap_or(begin);
        let start = self.kernels.iter().map(|run| run.launched).min().unwrap_or(end_in);
        let ended = |run: &&&CopyRun| !is_before(run) && !is_after(run);
        let between = self.copies.iter().filter(ended).map(|run| run.end);
        let end = self.kernels.iter().map(|run| run.end).chain(between).max().unwrap_or(start).max(start);
        let start_out = self.copies.iter().filter(is_after).map(|run| run.issued).min().unwrap_or(end);
        let end_out = self.copies.iter().filter(is_after).map(|run| run.end).max().unwrap_or(start_out);
        [begin, end_in, start, end, start_out, end_out.max(start_out)]
    }

    /// When the first block of the next kernel of the round starts.
    fn followed_at(&self, run: &KernelRun) -> Option<Nanos> {
        let later = self.kernels.iter().filter(|other| other.op > run.op);
        later.min_by_key(|other| other.op).map(|other| other.start)
    }

    fn write(&self, setup: &Setup, trace: &Trace, starts: &[Nanos], out: &mut String) -> fmt::Result {
        let [begin, end_in, start, end, start_out, end_out] = self.times().map(Seconds);
        write!(out, ",\n{{\"copy_in_times\": [{begin},{end_in}], \"execute_times\": [{start},{end}], ")?;
        write!(out, "\"copy_out_times\": [{start_out},{end_out}], \"cpu_times\": [{begin},{end_out}]}}")?;
        for run in &self.kernels {
            let Some(kernel) = setup.kernels.get(run.kernel) else { continue };
            let blocks = trace.blocks.get(run.blocks.clone()).unwrap_or_default();
            let starts = starts.get(run.blocks.clone()).unwrap_or_default();
            let followed = self.followed_at(run);
            let ended = |block: &BlockRun, start: Nanos| match block.end {
                end if end == run.end && followed == Some(end) => start.max(end - GAP),
                end => end,
            };
            let times = blocks
                .iter()
                .zip(starts)
                .map(|(block, &start)| format!("{},{}", Seconds(start), Seconds(ended(block, start))));
            let sms = blocks.iter().map(|block| block.sm.to_string());
            let launched = Seconds(run.launched);
            write!(
                out,
                ",\n{{\"kernel_name\": {}, \"block_count\": {}, \"thread_count\": {}, \"shared_memory\": {}, \"cuda_launch_times\": [{launched}, {launched}, {}], \"block_times\": [{}], \"block_smids\": [{}], \"cpu_core\": 0}}",
                quoted(&kernel.label),
                kernel.blocks,
                kernel.threads,
                kernel.shared_memory,
                Seconds(Nanos::ZERO),
                times.collect::<Vec<_>>().join(","),
                sms.collect::<Vec<_>>().join(","),
            )?;
        }
        Ok(())
    }
}

/// Seconds with nine decimals: exact.
struct Seconds(Nanos);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:09}", self.0.0 / 1_000_000_000, self.0.0 % 1_000_000_000)
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A name that any file system takes.
fn file_name(number: usize, label: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let label: String = label.chars().take(60).map(plain).collect();
    format!("{}-{}.json", number + 1, label.trim_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::examiner::log;
    use crate::timeline::blocks::sample::{rich, sliced, tx2};
    use base::Seeded;
    use blocks::{random, simulate};
    use expect_test::expect;

    #[test]
    fn a_stream_is_a_file_as_the_examiner_writes_it() {
        let (setup, trace) = tx2();
        let logs = examiner_logs(&setup, &trace, "Say \"TX2\"", Origin::Simulated).files;
        let names: Vec<&str> = logs.iter().map(|log| log.name.as_str()).collect();
        assert_eq!(names, ["1-Stream_1.json", "2-Stream_2.json", "3-Stream_3.json", "4-Stream_4.json"]);
        expect![[r#"
            {
            "scenario_name": "Say \"TX2\"",
            "benchmark_name": "Warpspan",
            "label": "Stream 1",
            "max_resident_threads": 4096,
            "data_size": 0,
            "release_time": 0.000000,
            "PID": 1,
            "TID": 1,
            "times": [{},
            {"copy_in_times": [0.000000000,0.000000000], "execute_times": [0.000000000,0.004000000], "copy_out_times": [0.004000000,0.004000000], "cpu_times": [0.000000000,0.004000000]},
            {"kernel_name": "K1", "block_count": 2, "thread_count": 512, "shared_memory": 0, "cuda_launch_times": [0.000000000, 0.000000000, 0.000000000], "block_times": [0.000000000,0.004000000,0.000000000,0.004000000], "block_smids": [0,1], "cpu_core": 0}
            ]}
        "#]]
        .assert_eq(&logs[0].text);
    }

    #[test]
    fn every_file_is_json_with_all_blocks_of_its_stream() {
        for (setup, trace) in [rich(), sliced()] {
            let mut blocks = 0;
            for log in examiner_logs(&setup, &trace, "", Origin::Simulated).files {
                let Ok(json) = serde_json::from_str::<serde_json::Value>(&log.text) else {
                    unreachable!("JSON")
                };
                let times = json["times"].as_array().map(Vec::as_slice).unwrap_or_default();
                assert_eq!(times[0], serde_json::json!({}));
                assert_eq!(json.get("TID").is_some(), trace.slices.is_empty());
                for entry in times {
                    let length = |key: &str| entry[key].as_array().map_or(0, Vec::len);
                    assert_eq!(length("block_times"), 2 * length("block_smids"));
                    blocks += length("block_smids");
                }
            }
            assert_eq!(blocks, trace.blocks.len());
        }
    }

    #[test]
    fn copies_before_and_after_the_launches_have_times_of_their_own() {
        let (setup, trace) = rich();
        let log = &examiner_logs(&setup, &trace, "", Origin::Simulated).files[0].text;
        assert!(
            log.contains("\"copy_in_times\": [0.000010000,0.000173000], \"execute_times\": [0.000180000,"),
            "{log}"
        );
        assert!(log.contains("\"release_time\": 0.000010"), "{log}");
    }

    #[test]
    fn no_two_kernels_start_in_one_nanosecond() {
        // By hand: A fills the device; C, then B wait for it, in this order, and both start when it ends.
        let (setup, mut trace) = tx2();
        let run = |trace: &mut Trace, at: usize, queued: u64| {
            let run = &mut trace.kernels[at];
            (run.queued, run.start) = (Nanos(queued), Nanos(5_000_000));
            for block in &mut trace.blocks[run.blocks.clone()] {
                (block.start, block.end) = (Nanos(5_000_000), Nanos(6_000_000));
            }
        };
        run(&mut trace, 1, 2_000_000);
        run(&mut trace, 2, 1_000_000);
        let starts = starts(&setup, &trace);
        let own = |at: usize| starts[trace.kernels[at].blocks.start];
        assert_eq!((own(2), own(1)), (Nanos(5_000_000), Nanos(5_000_010)));
    }

    #[test]
    fn a_stream_without_kernels_has_no_log() {
        let (setup, mut trace) = rich();
        let stream = trace.copies[0].stream;
        trace.kernels.retain(|run| run.stream != stream);
        let logs = examiner_logs(&setup, &trace, "", Origin::Simulated);
        assert_eq!(logs.left_out, [setup.streams[stream].label.clone()]);
        assert!(logs.files.iter().all(|log| log.text.contains("kernel_name")));
        let more = logs.files.iter().filter(|log| log.text.contains("Warpspan (kernels and more)")).count();
        assert!(more > 0, "its process copies");
    }

    #[test]
    fn labels_become_names_of_files() {
        assert_eq!(file_name(0, "../a b/ü"), "1-_a_b__.json");
        assert_eq!(file_name(4, ""), "5-.json");
    }

    /// A block as the log has it: start, end, SM.
    type Place = (Nanos, Nanos, Option<u16>);

    #[test]
    fn what_is_written_is_read_again() {
        for seed in 0..100 {
            let mut workload = random::workload(&mut Seeded::new(seed, 4));
            for (i, stream) in workload.setup.streams.iter_mut().enumerate() {
                stream.label = i.to_string();
            }
            let trace = simulate(&workload).trace;
            let starts = starts(&workload.setup, &trace);
            for file in examiner_logs(&workload.setup, &trace, "round trip", Origin::Simulated).files {
                let Ok(log) = log::read(&file.name, &file.text) else { unreachable!("{}", file.text) };
                let own = trace.kernels.iter().filter(|run| run.stream.to_string() == log.label);
                let mut own: Vec<&KernelRun> = own.collect();
                own.sort_by_key(|run| (run.round, run.op));
                assert!(log.warnings.is_empty() != own.is_empty(), "{:?}", log.warnings);
                assert_eq!(log.kernels.len(), own.len());
                for (read, run) in log.kernels.iter().zip(own) {
                    let kernel = &workload.setup.kernels[run.kernel];
                    assert_eq!((read.blocks, read.threads), (kernel.blocks, kernel.threads));
                    assert_eq!(
                        (read.shared_memory, read.launched),
                        (kernel.shared_memory, Some(run.launched))
                    );
                    let blocks = &trace.blocks[run.blocks.clone()];
                    let starts = &starts[run.blocks.clone()];
                    let expected =
                        blocks.iter().zip(starts).map(|(block, &start)| (start, block.end, Some(block.sm)));
                    // What the next kernel of the stream follows at once is written a little shorter.
                    let whole = |start: Nanos, read: Nanos, block: &BlockRun| {
                        let cut = block.end == run.end && read == start.max(block.end - GAP);
                        if cut { block.end } else { read }
                    };
                    let found = read
                        .runs
                        .iter()
                        .zip(blocks)
                        .map(|(read, block)| (read.start, whole(read.start, read.end, block), read.sm));
                    assert_eq!(found.collect::<Vec<Place>>(), expected.collect::<Vec<Place>>());
                    assert_eq!(read.runs.len(), blocks.len());
                }
            }
        }
    }
}
