//! A run of blocks as the CUDA scheduling examiner would have logged it: one file for each stream.
//!
//! Keys, their order and the layout are those of the examiner's own files. What it measures on the CPU is taken
//! from when operations were issued and ended; when it would have finished waiting for a kernel is not known and
//! written as 0, as it does itself where it does not wait.
//!
//! Logs say nothing of copies between launches. A kernel that waited for one is written with a call that returned
//! when the kernel was at the head of its stream, so that nobody takes it for queued before.
//!
//! Readers of such logs take a kernel to end one nanosecond after its last block. Measured kernels of one stream
//! never follow each other so closely, simulated ones do: where the next one starts in the very nanosecond in which
//! blocks end, those are written [`GAP`] shorter.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use crate::base::Nanos;
use crate::blocks::{BlockRun, CopyRun, KernelRun, Setup, Trace};

/// How much sooner blocks are written to end, where the next operation of their stream starts when they do.
const GAP: Nanos = Nanos(2);

/// A log file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The logs of a run, in the order of its streams; a stream in which nothing was issued has none.
pub fn examiner_logs(setup: &Setup, trace: &Trace, scenario: &str) -> Vec<LogFile> {
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
    let mut logs = Vec::with_capacity(rounds.len());
    let all = setup.streams.iter().zip(&rounds).enumerate();
    for (number, (stream, rounds)) in all.filter(|(_, (_, rounds))| !rounds.is_empty()) {
        let release = rounds.values().next().map_or(Nanos::ZERO, |round| round.times()[0]);
        let mut text = String::from("{\n");
        let mut head = |key: &str, value: &dyn fmt::Display| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "\"{key}\": {value},");
        };
        head("scenario_name", &quoted(scenario));
        head("benchmark_name", &"\"Warpspan\"");
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
            let _ = round.write(setup, trace, &mut text);
        }
        text.push_str("\n]}\n");
        logs.push(LogFile { name: file_name(number, &stream.label), text });
    }
    logs
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

    /// When the call returned that launched a kernel.
    fn returned(&self, run: &KernelRun) -> Nanos {
        let is_waited_for = |copy: &&CopyRun| copy.op < run.op && copy.end > run.launched;
        if self.copies.iter().any(|copy| is_waited_for(&copy)) { run.queued } else { run.launched }
    }

    fn write(&self, setup: &Setup, trace: &Trace, out: &mut String) -> fmt::Result {
        let [begin, end_in, start, end, start_out, end_out] = self.times().map(Seconds);
        write!(out, ",\n{{\"copy_in_times\": [{begin},{end_in}], \"execute_times\": [{start},{end}], ")?;
        write!(out, "\"copy_out_times\": [{start_out},{end_out}], \"cpu_times\": [{begin},{end_out}]}}")?;
        for run in &self.kernels {
            let Some(kernel) = setup.kernels.get(run.kernel) else { continue };
            let blocks = trace.blocks.get(run.blocks.clone()).unwrap_or_default();
            let ended = |block: &BlockRun| match block.end {
                end if end == run.end && self.followed_at(run) == Some(end) => block.start.max(end - GAP),
                end => end,
            };
            let times =
                blocks.iter().map(|block| format!("{},{}", Seconds(block.start), Seconds(ended(block))));
            let sms = blocks.iter().map(|block| block.sm.to_string());
            let (launched, returned) = (Seconds(run.launched), Seconds(self.returned(run)));
            write!(
                out,
                ",\n{{\"kernel_name\": {}, \"block_count\": {}, \"thread_count\": {}, \"shared_memory\": {}, \"cuda_launch_times\": [{launched}, {returned}, {}], \"block_times\": [{}], \"block_smids\": [{}], \"cpu_core\": 0}}",
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
    use crate::base::Seeded;
    use crate::blocks::{random, simulate};
    use crate::import::examiner::log;
    use crate::timeline::blocks::sample::{rich, sliced, tx2};
    use expect_test::expect;

    #[test]
    fn a_stream_is_a_file_as_the_examiner_writes_it() {
        let (setup, trace) = tx2();
        let logs = examiner_logs(&setup, &trace, "Say \"TX2\"");
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
            for log in examiner_logs(&setup, &trace, "") {
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
        let log = &examiner_logs(&setup, &trace, "")[0].text;
        assert!(
            log.contains("\"copy_in_times\": [0.000010000,0.000173000], \"execute_times\": [0.000180000,"),
            "{log}"
        );
        assert!(log.contains("\"release_time\": 0.000010"), "{log}");
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
            for file in examiner_logs(&workload.setup, &trace, "round trip") {
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
                    let expected = blocks.iter().map(|block| (block.start, block.end, Some(block.sm)));
                    // What the next kernel of the stream follows at once is written a little shorter.
                    let whole = |read: Nanos, block: &BlockRun| {
                        let cut = block.end == run.end && read == block.start.max(block.end - GAP);
                        if cut { block.end } else { read }
                    };
                    let found = read
                        .runs
                        .iter()
                        .zip(blocks)
                        .map(|(read, block)| (read.start, whole(read.end, block), read.sm));
                    assert_eq!(found.collect::<Vec<Place>>(), expected.collect::<Vec<Place>>());
                    assert_eq!(read.runs.len(), blocks.len());
                }
            }
        }
    }
}
