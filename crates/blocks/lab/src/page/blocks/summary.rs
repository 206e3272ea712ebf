//! What came of a run in a few numbers, and how it stands.

use super::Seen;
use crate::report::analysis::Published;
use crate::report::blocks::{BlocksReport, KernelReport};
use base::{Nanos, people};
use kit::page::tile::{Tile, Tone};
use kit::page::told::ToldOfTrial;

/// The numbers of a result.
pub fn tiles(seen: &Seen) -> Vec<Tile> {
    let report = &seen.report;
    let measured = report.measured.as_ref();
    let (end, kernels) = match (&report.stop, measured) {
        (None, Some(measured)) => (measured.end, &measured.kernels),
        _ => (report.end, &report.kernels),
    };
    let simulated = report.stop.is_some();
    let mut tiles = vec![
        tile("end", "Ends at", Nanos(end).to_string(), stopped(report).to_owned()),
        tile(
            "kernels",
            if kernels.len() == 1 { "Launch" } else { "Launches" },
            people::grouped(kernels.len() as u128),
            {
                let blocks = kernels.iter().map(|kernel| kernel.blocks.len()).sum();
                let streams = if simulated {
                    report.streams.len()
                } else {
                    measured.map_or(0, |run| run.streams.len())
                };
                format!("{} in {}", people::counted(blocks, "block"), people::counted(streams, "stream"))
            },
        ),
        tile(
            "busy",
            "GPU busy",
            people::percent(busy(report, kernels, end)),
            "of all its threads, until the end".to_owned(),
        ),
    ];
    if !report.copies.is_empty() {
        tiles.push(copies(report));
    }
    tiles.extend(deadlines(kernels));
    tiles.extend(measured.map(|run| match (run.check.violations.len(), run.check.conforms) {
        (0, true) => Tile {
            tone: Tone::Good,
            ..tile(
                "rules",
                "The measured run",
                match run.check.verdict.as_str() {
                    "conforms-as-far-as-recorded" => "keeps the rules, as far as recorded".to_owned(),
                    _ => "keeps the rules".to_owned(),
                },
                checked(run.check.kernels, run.check.blocks),
            )
        },
        (0, false) => Tile {
            tone: Tone::Bad,
            ..tile(
                "rules",
                "The measured run",
                "contradicts itself".to_owned(),
                "no rule is seen broken".to_owned(),
            )
        },
        (broken, _) => Tile {
            tone: Tone::Bad,
            ..tile("rules", "The measured run", people::counted(broken, "violation"), {
                let mut rules: Vec<&str> =
                    run.check.violations.iter().map(|found| found.rule.as_str()).collect();
                base::sort::sort(&mut rules);
                rules.dedup();
                format!("of {} {}", if rules.len() == 1 { "rule" } else { "rules" }, people::listed(&rules))
            })
        },
    }));
    tiles
}

fn tile(id: &'static str, label: &'static str, value: String, hint: String) -> Tile {
    Tile { id, label, value, hint, tone: Tone::Plain }
}

fn checked(kernels: usize, blocks: usize) -> String {
    format!(
        "{} and {} checked",
        people::plural(kernels, "launch", "launches"),
        people::counted(blocks, "block")
    )
}

/// What the time of the end is of.
fn stopped(report: &BlocksReport) -> &'static str {
    match report.stop.as_deref() {
        None => "measured",
        Some("done") => "simulated",
        Some("too-many-blocks") => "cut off: too many blocks",
        Some(_) => "stopped there",
    }
}

/// The share of all threads of the device, over all of the time, that blocks had.
pub fn busy(report: &BlocksReport, kernels: &[KernelReport], end: u64) -> f64 {
    let device = match (&report.stop, &report.measured) {
        (None, Some(measured)) => &measured.device,
        _ => &report.device,
    };
    let turns = Turns::of(report);
    let mut work = 0_u128;
    for kernel in kernels {
        let process = report.streams.get(kernel.stream_number).map_or(0, |stream| stream.process);
        let time: u128 = kernel
            .blocks
            .iter()
            .map(|&(_, start, end)| u128::from(turns.of_process(process, start, end)))
            .sum();
        work += time * u128::from(kernel.threads);
    }
    let all = u128::from(device.threads) * u128::from(device.sms) * u128::from(end);
    if all == 0 { 0.0 } else { work as f64 / all as f64 }
}

/// Who had the device when: blocks stand still while their process does not.
struct Turns {
    of: Vec<(u32, Vec<Turn>)>,
}

/// A turn of a process, and the time of all its turns before it.
#[derive(Clone, Copy)]
struct Turn {
    start: u64,
    end: u64,
    before: u64,
}

impl Turns {
    fn of(report: &BlocksReport) -> Self {
        let mut turns = Self { of: Vec::new() };
        for &(process, start, end) in &report.slices {
            let place = turns.of.iter().position(|(known, _)| *known == process).unwrap_or_else(|| {
                turns.of.push((process, Vec::new()));
                turns.of.len() - 1
            });
            let own = &mut turns.of[place].1;
            let before = own.last().map_or(0, |turn| turn.before + turn.end.saturating_sub(turn.start));
            own.push(Turn { start, end, before });
        }
        turns
    }

    /// How long within this stretch the process had the device.
    fn of_process(&self, process: u32, start: u64, end: u64) -> u64 {
        let until = |turns: &[Turn], time: u64| {
            let next = turns.partition_point(|turn| turn.start <= time);
            let last = next.checked_sub(1).map(|place| turns[place]);
            last.map_or(0, |turn| turn.before + time.min(turn.end).saturating_sub(turn.start))
        };
        match self.of.iter().find(|(known, _)| *known == process) {
            Some((_, turns)) => until(turns, end).saturating_sub(until(turns, start)),
            None => end.saturating_sub(start),
        }
    }
}

fn copies(report: &BlocksReport) -> Tile {
    let bytes: u64 = report.copies.iter().map(|copy| copy.bytes).sum();
    let engines = u128::from(report.device.copy_engines.max(1));
    let taken: u128 = report.copies.iter().map(|copy| u128::from(copy.end.saturating_sub(copy.start))).sum();
    let share = taken as f64 / (engines * u128::from(report.end)).max(1) as f64;
    let label = if report.copies.len() == 1 { "Copy" } else { "Copies" };
    let hint = format!("{} bytes, engines busy {}", people::grouped(bytes.into()), people::percent(share));
    tile("copies", label, people::grouped(report.copies.len() as u128), hint)
}

/// How many launches with a deadline missed it; none where none has one.
fn deadlines(kernels: &[KernelReport]) -> Option<Tile> {
    let with: Vec<&KernelReport> = kernels.iter().filter(|kernel| kernel.deadline.is_some()).collect();
    let missed: Vec<&&KernelReport> = with.iter().filter(|kernel| misses(kernel)).collect();
    let (label, id) = ("Deadlines", "deadlines");
    Some(match (with.len(), missed.len()) {
        (0, _) => return None,
        (all, 0) => Tile {
            tone: Tone::Good,
            ..tile(id, label, "all met".to_owned(), people::plural(all, "launch", "launches"))
        },
        (all, late) => {
            let mut names: Vec<&str> = missed.iter().map(|kernel| kernel.label.as_str()).collect();
            names.dedup();
            let names = if names.len() > 3 {
                format!("{}, …", names[..3].join(", "))
            } else {
                people::listed(&names)
            };
            Tile {
                tone: Tone::Bad,
                ..tile(
                    id,
                    label,
                    format!("{} of {} missed", people::grouped(late as u128), people::grouped(all as u128)),
                    names,
                )
            }
        }
    })
}

/// Whether a launch is complete only after its deadline.
pub fn misses(kernel: &KernelReport) -> bool {
    kernel.deadline.is_some_and(|deadline| kernel.end.saturating_sub(kernel.launched) > deadline)
}

/// How the document was understood, where its author should know; what is about the logs stands with their check.
pub fn warnings(report: &BlocksReport) -> Vec<String> {
    let of_logs = report.measured.as_ref().map_or(&[][..], |measured| &measured.check.warnings);
    report.warnings.iter().filter(|warning| !of_logs.contains(warning)).cloned().collect()
}

/// How the run stands, in a sentence.
pub fn state(told: &ToldOfTrial, seen: Option<&Seen>) -> String {
    if told.running {
        return match (told.done, told.total) {
            (_, 0) => "Starting…".to_owned(),
            (done, total) if done < total => {
                format!(
                    "{} of {} simulated",
                    people::grouped(done.into()),
                    people::counted(whole(total), "block")
                )
            }
            _ => "Simulated; looking for the worst launch order…".to_owned(),
        };
    }
    if let Some(said) = told.instead(seen.is_some()) {
        return said.to_owned();
    }
    let Some(seen) = seen else { return String::new() };
    let took = people::duration(seen.report.seconds);
    if told.stopped {
        format!("Stopped after {took}; this is what was known by then.")
    } else {
        format!("Computed in {took}.")
    }
}

fn whole(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// How the published completion times compare with ours, in a sentence.
pub fn references(published: &[Published]) -> String {
    let mut sources: Vec<&str> =
        published.iter().map(|of| of.source.as_str()).filter(|of| !of.is_empty()).collect();
    sources.dedup();
    let from = if sources.is_empty() { String::new() } else { format!(" ({})", people::listed(&sources)) };
    let all = people::counted(published.len(), "published completion time");
    match published.iter().filter(|of| !of.agrees).count() {
        0 => format!("✓ {all}{from}: ours agree"),
        differ => format!("✗ {all}{from}: {} from ours", people::plural(differ, "differs", "differ")),
    }
}

/// A published completion time beside ours, in words: kernel, published, simulated, analysed, verdict.
pub fn reference(published: &Published) -> [String; 5] {
    let time = |nanos: Option<u64>| nanos.map_or_else(|| "—".to_owned(), |nanos| Nanos(nanos).to_string());
    [
        published.kernel.clone(),
        time(Some(published.published)),
        time(published.simulated),
        time(published.analysed),
        if published.agrees { "agrees" } else { "differs" }.to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::tests::{example, seen};

    fn told(seen: &Seen) -> String {
        let lines: Vec<String> = tiles(seen)
            .iter()
            .map(|tile| format!("{}: {} ({})", tile.label, tile.value, tile.hint))
            .collect();
        lines.join("\n")
    }

    #[test]
    fn the_worked_example_in_a_few_numbers() {
        expect_test::expect![[r#"
            Ends at: 12 s (simulated)
            Launches: 4 (16 blocks in 4 streams)
            GPU busy: 90.6 % (of all its threads, until the end)
            Deadlines: all met (4 launches)"#]]
        .assert_eq(&told(&example("paredes-example")));
    }

    #[test]
    fn turns_of_processes_count_only_while_they_last() {
        let seen = example("processes");
        let busy = busy(&seen.report, &seen.report.kernels, seen.report.end);
        assert!((0.5..=1.0).contains(&busy), "{busy}");
        let turn = |start, end, before| Turn { start, end, before };
        let alone = Turns { of: vec![(1, vec![turn(0, 10, 0), turn(20, 30, 10)])] };
        assert_eq!(alone.of_process(1, 5, 25), 10);
        assert_eq!(alone.of_process(1, 12, 18), 0);
        assert_eq!(alone.of_process(2, 5, 25), 20);
    }

    #[test]
    fn missed_deadlines_are_named() {
        let seen = seen(
            r#"{"warpspan": 1, "blocks": {"streams": [
                {"operations": [{"kernel": "A", "threads": 1, "duration": 50, "deadline": 10}, {"copy": "in", "duration": 50, "bytes": 7}]},
                {"operations": [{"kernel": "B", "threads": 1, "duration": 50, "deadline": 50}]}]}}"#,
        );
        let tiles = tiles(&seen);
        let of = |id: &str| {
            tiles
                .iter()
                .find(|tile| tile.id == id)
                .map(|tile| (tile.value.as_str(), tile.hint.as_str(), tile.tone))
        };
        assert_eq!(of("deadlines"), Some(("1 of 2 missed", "A", Tone::Bad)));
        assert_eq!(of("copies"), Some(("1", "7 bytes, engines busy 50 %", Tone::Plain)));
        assert_eq!(of("rules"), None);
    }

    #[test]
    fn what_is_about_the_logs_stands_with_their_check() {
        let mut seen = example("measured-run");
        assert!(!seen.report.warnings.is_empty());
        assert!(warnings(&seen.report).is_empty());
        seen.report.warnings.push("other".to_owned());
        assert_eq!(warnings(&seen.report), ["other"]);
    }

    #[test]
    fn how_a_run_stands() {
        let seen = example("priorities");
        let told = ToldOfTrial { job: 1, ..ToldOfTrial::default() };
        assert!(state(&told, Some(&seen)).starts_with("Computed in "));
        let running = ToldOfTrial { running: true, done: 3, total: 10, ..told.clone() };
        assert_eq!(state(&running, Some(&seen)), "3 of 10 blocks simulated");
        let orders = ToldOfTrial { done: 10, ..running };
        assert_eq!(state(&orders, None), "Simulated; looking for the worst launch order…");
        let stopped = ToldOfTrial { stopped: true, ..told.clone() };
        assert_eq!(state(&stopped, None), "Stopped before anything was known.");
        let wrong = ToldOfTrial { wrong: true, stale: true, ..told };
        assert_eq!(state(&wrong, Some(&seen)), "The document has mistakes in it; this is of the one before.");
    }

    #[test]
    fn published_times_stand_beside_ours() {
        let seen = example("paredes-example");
        let first = seen.report.references.first().map(reference);
        let Some([kernel, published, simulated, _, verdict]) = first else {
            unreachable!("it has references")
        };
        assert_eq!([kernel, published, simulated, verdict], ["K1", "4 s", "4 s", "agrees"]);
        let mut all = seen.report.references.clone();
        assert_eq!(
            references(&all),
            "✓ 4 published completion times (Paredes 2019, section 3.6): ours agree"
        );
        all[1].agrees = false;
        assert_eq!(
            references(&all),
            "✗ 4 published completion times (Paredes 2019, section 3.6): 1 differs from ours"
        );
    }
}
