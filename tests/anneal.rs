//! Annealing through the real program: what every report of it must say, and that it says the same for any
//! number of threads.
//!
//! Each schedule is built once more here from its order, entry by entry, in the plainest way there is.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::{Scratch, document, numbers, sound, text, warpspan, warpspan_with};
use expect_test::{Expect, expect};
use serde_json::Value;
use warpspan::base::Seeded;
use warpspan::warps::anneal::Neighbourhood;

const VORONOI: &str = r#""kernel": "5L 9C 2L 9C", "count": 16, "machine": {"L": 1, "C": 4}"#;
const ALL_STARTS: &str = r#"["round-robin", "fixed-priority", "most-pending", "random"]"#;

/// Runs annealing scenarios in one call, each given as the fields beside the method and those of `anneal`.
fn annealed<S: AsRef<str>>(scenarios: &[(S, S)], more: &[&str]) -> Vec<Value> {
    let files = scenarios.iter().map(|(fields, anneal)| {
        let method = format!(r#"{}, "method": {{"anneal": {{{}}}}}"#, fields.as_ref(), anneal.as_ref());
        Scratch::new(document(&method).as_bytes())
    });
    let files: Vec<Scratch> = files.collect();
    let words: Vec<&str> =
        ["run"].iter().chain(more).copied().chain(files.iter().map(Scratch::path)).collect();
    let answer = warpspan(&words);
    // No terminal, no progress: standard error stays empty.
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let reports = answer.out.lines().map(|line| serde_json::from_str(line).expect("a report is JSON"));
    let reports: Vec<Value> = reports.collect();
    assert_eq!(reports.len(), scenarios.len());
    reports.iter().for_each(consistent);
    reports
}

fn one(fields: &str, anneal: &str) -> Value {
    annealed(&[(fields, anneal)], &[]).remove(0)
}

fn chains(report: &Value) -> &[Value] {
    report["chains"].as_array().expect("annealing has chains")
}

/// Iteration, seconds and makespan of a chain's improvements.
fn improvements(chain: &Value) -> Vec<(u64, f64, u32)> {
    serde_json::from_value(chain["improvements"].clone()).expect("triples of numbers")
}

/// Iteration and makespan only, of all chains: what may not depend on the machine.
fn found(report: &Value) -> Vec<Vec<(u64, u32)>> {
    let timeless = |chain| improvements(chain).into_iter().map(|(at, _, makespan)| (at, makespan)).collect();
    chains(report).iter().map(timeless).collect()
}

/// What must hold of every report of an annealing.
fn consistent(report: &Value) {
    sound(report);
    assert_eq!(numbers(report, "cycles"), built(report), "the order makes the schedule");
    let mut longest = 0;
    for chain in chains(report) {
        let improvements = improvements(chain);
        let (best, iterations) = (chain["best"].as_u64(), chain["iterations"].as_u64());
        let (first, last) = (improvements[0], improvements[improvements.len() - 1]);
        assert_eq!((first.0, first.1), (0, 0.0), "the start comes first");
        assert!(Some(last.0) <= iterations && Some(u64::from(last.2)) == best, "{chain}");
        assert!(Some(last.1) <= chain["seconds"].as_f64(), "{chain}");
        for pair in improvements.windows(2) {
            assert!(pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1 && pair[0].2 < pair[1].2, "{pair:?}");
        }
        longest = longest.max(last.2);
    }
    assert_eq!(report["makespan"], longest);
    assert_eq!(report["lower"], longest);
}

/// The cycle of each entry of a report's order: the earliest after the warp's previous one with room.
fn built(report: &Value) -> Vec<u32> {
    let letters = letters(text(report, "kernel"));
    let room = |key: &str| report["machine"][key].as_u64().map_or(usize::MAX, |n| n as usize);
    let mut rows: Vec<Vec<u32>> = vec![Vec::new(); report["count"].as_u64().expect("a number") as usize];
    let mut served: Vec<String> = Vec::new(); // the letters of each cycle
    let place = |warp: u32| {
        let row = &mut rows[warp as usize - 1];
        let letter = letters[row.len()];
        let mut cycle = row.last().map_or(0, |&last| last as usize);
        let full = |now: &String| {
            now.len() >= room("issue") || now.matches(letter).count() >= room(&letter.to_string())
        };
        while served.get(cycle).is_some_and(full) {
            cycle += 1;
        }
        served.resize(served.len().max(cycle + 1), String::new());
        served[cycle].push(letter);
        row.push(cycle as u32 + 1);
        cycle as u32 + 1
    };
    numbers(report, "order").into_iter().map(place).collect()
}

/// A kernel in run-length form, letter by letter.
fn letters(kernel: &str) -> Vec<char> {
    let runs = kernel.split(' ').map(|run| run.split_at(run.len() - 1));
    runs.flat_map(|(n, unit)| unit.repeat(n.parse().unwrap_or(1)).chars().collect::<Vec<_>>()).collect()
}

#[test]
fn chains_begin_with_the_published_starts() {
    let anneal = format!(r#""iterations": 200, "starts": {ALL_STARTS}"#);
    let limited = VORONOI.replace(r#""C": 4"#, r#""C": 4, "issue": 4"#);
    let reports = annealed(&[(VORONOI, &anneal), (&limited, &anneal)], &[]);
    for (report, starts) in reports.iter().zip([[154, 128, 139], [163, 129, 150]]) {
        let found = found(report);
        assert_eq!([found[0][0], found[1][0], found[2][0]], starts.map(|makespan| (0, makespan)));
        let names: Vec<&str> = chains(report).iter().map(|chain| text(chain, "start")).collect();
        assert_eq!(names, ["round-robin", "fixed-priority", "most-pending", "random"]);
        assert!(chains(report).iter().all(|chain| chain["iterations"] == 200));
        assert_eq!(report["method"], "annealing, 4 chains, swap");
    }
}

#[test]
fn the_usual_chains_are_two_of_each_start() {
    let report = one(VORONOI, r#""iterations": 50"#);
    let names: Vec<&str> = chains(&report).iter().map(|chain| text(chain, "start")).collect();
    let twice = ["round-robin", "fixed-priority", "most-pending", "random"].map(|name| [name; 2]);
    assert_eq!(names, twice.concat());
    // Two chains of one start draw different numbers.
    let found = found(&report);
    assert_ne!(found[6][0], found[7][0]);
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let starts = r#"["random", "round-robin", "random", "most-pending", "fixed-priority"]"#;
    let anneal = format!(r#""iterations": 400, "rounds": 2, "neighbourhood": "auto", "starts": {starts}"#);
    let runs = ["1", "2", "5"].map(|n| annealed(&[(VORONOI, &anneal)], &["--threads", n]).remove(0));
    for run in &runs[1..] {
        assert_eq!(found(run), found(&runs[0]));
        for key in ["order", "cycles", "makespan", "lower", "method"] {
            assert_eq!(run[key], runs[0][key]);
        }
    }
}

#[test]
fn every_neighbourhood_keeps_the_rules() {
    let machine =
        r#""kernel": "2L 3C S 2C L D", "count": 9, "machine": {"L": 1, "C": 2, "S": 1, "D": 1, "issue": 3}"#;
    let scenarios = Neighbourhood::all().map(|how| {
        let how = how.name();
        (
            machine.to_owned(),
            format!(r#""iterations": 300, "t0": 0.5, "neighbourhood": "{how}", "starts": {ALL_STARTS}"#),
        )
    });
    let reports = annealed(&scenarios.collect::<Vec<_>>(), &[]);
    for (report, how) in reports.iter().zip(Neighbourhood::all()) {
        assert_eq!(text(report, "method"), format!("annealing, 4 chains, {}", how.name()));
    }
    // All but perhaps one find something that their starts did not have.
    let idle = |report: &&Value| found(report).iter().all(|chain| chain.len() == 1);
    assert!(reports.iter().filter(idle).count() <= 1);
}

/// A further round goes on where the one before ended; a further chain leaves the others as they are.
#[test]
fn more_rounds_and_more_chains_only_add() {
    let anneal = |rounds, starts| format!(r#""iterations": 500, "rounds": {rounds}, "starts": {starts}"#);
    let scenarios = [
        (1, r#"["random", "random"]"#),
        (2, r#"["random", "random"]"#),
        (1, r#"["random", "random", "random"]"#),
    ];
    let reports =
        annealed(&scenarios.map(|(rounds, starts)| (VORONOI.to_owned(), anneal(rounds, starts))), &[]);
    let [once, twice, wider] = [found(&reports[0]), found(&reports[1]), found(&reports[2])];
    assert!(chains(&reports[1]).iter().all(|chain| chain["iterations"] == 1_000));
    for (short, long) in once.iter().zip(&twice) {
        let first_round: Vec<_> = long.iter().copied().filter(|&(at, _)| at <= 500).collect();
        assert_eq!(*short, first_round);
    }
    assert!(twice.iter().flatten().any(|&(at, _)| at > 500), "the second round finds something too");
    assert_eq!(once, wider[..2]);
}

#[test]
fn the_seed_decides() {
    let with = |seed| format!(r#""iterations": 300, "seed": {seed}, "starts": ["random"]"#);
    let scenarios = [1, 1, 2, u64::MAX].map(|seed| (VORONOI.to_owned(), with(seed)));
    let found: Vec<_> = annealed(&scenarios, &[]).iter().map(found).collect();
    assert_eq!(found[0], found[1]);
    assert!(found[0] != found[2] && found[2] != found[3]);
}

/// Without a clock nobody notes how long a slice took; what it found must be told all the same.
#[test]
fn a_job_without_a_clock_tells_every_improvement() {
    let anneal = r#""method": {"anneal": {"iterations": 300, "starts": ["random", "random"]}}"#;
    let scenario = warpspan::scenario::read(&document(&format!("{VORONOI}, {anneal}"))).expect("it is right");
    let alone: Value = serde_json::from_str(&warpspan::job::run(scenario).line()).expect("JSON");
    consistent(&alone);
    assert_eq!(found(&alone), found(&one(VORONOI, r#""iterations": 300, "starts": ["random", "random"]"#)));
}

/// Nothing can be exchanged, so there is nothing to wait for, however many iterations are asked for.
#[test]
fn a_lone_warp_is_done_at_once() {
    let report = one(
        r#""kernel": "3L 2C", "count": 1, "machine": {"L": 1, "C": 1}"#,
        r#""iterations": 1000000000000, "rounds": 1000, "neighbourhood": "auto""#,
    );
    assert_eq!(report["makespan"], 5);
    assert_eq!(found(&report), vec![vec![(0, 5)]; 8]);
    assert_eq!(chains(&report)[0]["iterations"], 1_000_000_000_000_000_u64);
}

#[test]
fn the_edges_of_machines_and_kernels() {
    let anneal = |how| format!(r#""iterations": 150, "neighbourhood": "{how}", "starts": {ALL_STARTS}"#);
    let cases = [
        r#""kernel": "LC", "count": 5, "machine": {"L": 2, "C": 2, "issue": 1}"#,
        r#""kernel": "LC", "count": 5, "machine": {"L": 1024, "C": 1024}"#,
        r#""kernel": "LC", "count": 5, "machine": {"L": 1024, "C": 1024, "issue": 1024}"#,
        r#""kernel": "L", "count": 2, "machine": {"L": 1}"#,
        r#""kernel": "S", "count": 64, "machine": {"S": 1, "D": 1024}"#,
        r#""kernel": "254L C", "count": 3, "machine": {"L": 1, "C": 1}"#,
        r#""kernel": "255L C", "count": 3, "machine": {"L": 1, "C": 1}"#,
        r#""kernel": "L C S D", "count": 17, "machine": {"preset": "cc-3.0"}"#,
    ];
    let scenarios =
        cases.iter().flat_map(|case| ["swap", "auto"].map(|how| ((*case).to_owned(), anneal(how))));
    let reports = annealed(&scenarios.collect::<Vec<_>>(), &[]);
    let makespans: Vec<u64> = reports.iter().filter_map(|report| report["makespan"].as_u64()).collect();
    // One slot for all: every cycle issues one instruction. Room for all: nobody waits.
    assert_eq!(makespans[..6], [10, 10, 2, 2, 2, 2]);
}

#[test]
fn long_and_wide_kernels() {
    let anneal = r#""iterations": 8, "neighbourhood": "auto", "starts": ["most-pending"]"#;
    one(r#""kernel": "40(5LC 2S)", "count": 64, "machine": {"L": 1, "C": 4, "S": 1, "issue": 2}"#, anneal);
}

#[test]
fn random_scenarios_keep_the_rules() {
    let mut rng = Seeded::new(2013, 0);
    let names: Vec<&str> = Neighbourhood::all().map(Neighbourhood::name).collect();
    let scenarios: Vec<(String, String)> = (0..60).map(|_| random(&mut rng, &names)).collect();
    annealed(&scenarios, &[]);
}

/// A small scenario over some of the letters.
fn random(rng: &mut Seeded, names: &[&str]) -> (String, String) {
    let letters = &["L", "C", "S", "D"][..1 + rng.below(4) as usize];
    let any = |rng: &mut Seeded| letters[rng.below(letters.len() as u32) as usize];
    let kernel: String = (0..=rng.below(5)).map(|_| format!("{}{}", 1 + rng.below(4), any(rng))).collect();
    let units: Vec<String> =
        letters.iter().map(|unit| format!(r#""{unit}": {}"#, 1 + rng.below(4))).collect();
    let issue = if rng.below(2) == 0 { "null".to_owned() } else { (1 + rng.below(5)).to_string() };
    let fields = format!(
        r#""kernel": "{kernel}", "count": {}, "machine": {{{}, "issue": {issue}}}"#,
        1 + rng.below(20),
        units.join(", ")
    );
    let anneal = format!(
        r#""iterations": {}, "rounds": {}, "t0": {}, "seed": {}, "neighbourhood": "{}", "starts": {ALL_STARTS}"#,
        1 + rng.below(120),
        1 + rng.below(2),
        ["0", "0.03", "0.3", "40"][rng.below(4) as usize],
        rng.below(1_000),
        names[rng.below(names.len() as u32) as usize]
    );
    (fields, anneal)
}

fn misused(words: &[&str], expected: Expect) {
    let answer = warpspan_with(words, b"");
    assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{words:?}");
    expected.assert_eq(&answer.err);
}

#[test]
fn wrong_numbers_of_threads() {
    misused(
        &["run", "--threads", "0", "-"],
        expect![[r#"
        warpspan: --threads "0": expected a number, 1 to 1024
        Try warpspan --help.
    "#]],
    );
    misused(
        &["run", "--threads", "1025", "-"],
        expect![[r#"
        warpspan: --threads "1025": expected a number, 1 to 1024
        Try warpspan --help.
    "#]],
    );
    misused(
        &["run", "--threads=many", "-"],
        expect![[r#"
        warpspan: --threads "many": expected a number, 1 to 1024
        Try warpspan --help.
    "#]],
    );
    misused(
        &["run", "-", "--threads"],
        expect![[r#"
        warpspan: missing argument for option '--threads'
        Try warpspan --help.
    "#]],
    );
    misused(
        &["link", "-", "--threads", "2"],
        expect![[r#"
        warpspan: invalid option '--threads'
        Try warpspan --help.
    "#]],
    );
    misused(
        &["--threads", "2", "open", "#v=1"],
        expect![[r#"
        warpspan: --threads is for run, study and reproduce
        Try warpspan --help.
    "#]],
    );
}
