//! What the documents say is true: examples run, refused ones are refused as printed, tables are complete.
//!
//! A fenced block of `json` with `warpspan` in it is a scenario that runs. `json refused` is one that does
//! not, and the next `text` block is what is said. `json report` is the report of the first scenario.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use std::fs;
use std::path::Path;

use common::{run, sound, warpspan_with};
use serde_json::Value;
use warpspan::base::people;
use warpspan::blocks::presets::{self, Origin};
use warpspan::import::ptx::caveats::CAVEATS;
use warpspan::import::ptx::classes::TABLE;
use warpspan::scenario::{Anneal, Beam, Exact};
use warpspan::warps::anneal::{Neighbourhood, Settings};
use warpspan::warps::presets::PRESETS;
use warpspan::warps::{Kernel, PerUnit};

/// A fenced block of a document.
struct Block {
    document: String,
    line: usize,
    info: String,
    text: String,
}

impl Block {
    fn at(&self) -> String {
        format!("{}:{}", self.document, self.line)
    }
}

fn document(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_else(|error| unreachable!("{path}: {error}"))
}

fn blocks(path: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (line, text) in (1..).zip(document(path).lines()) {
        match text.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                open = true;
                let info = info.trim().to_owned();
                blocks.push(Block { document: path.to_owned(), line, info, text: String::new() });
            }
            None if open => {
                let block = blocks.last_mut().expect("a block is open");
                block.text += text;
                block.text += "\n";
            }
            None => {}
        }
    }
    blocks
}

/// The blocks of all documents that may show scenarios.
fn all_blocks() -> Vec<Block> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    for entry in fs::read_dir(root.join("docs")).expect("there are documents").flatten() {
        paths.push(format!("docs/{}", entry.file_name().to_string_lossy()));
    }
    paths.retain(|path| path.ends_with(".md") && root.join(path).exists());
    paths.sort();
    paths.iter().flat_map(|path| blocks(path)).collect()
}

#[test]
fn scenarios_run() {
    let blocks = all_blocks();
    let scenarios = blocks.iter().filter(|block| block.info == "json" && block.text.contains("\"warpspan\""));
    let mut found = 0;
    for block in scenarios {
        let answer = run(&block.text);
        // What is taken for granted of PTX is told whenever it is read.
        let plain = answer.err.lines().all(|line| block.text.contains("ptx") && line.contains(": warning: "));
        assert!(answer.status == 0 && plain, "{}: {}", block.at(), answer.err);
        sound(&serde_json::from_str(&answer.out).expect("a report is JSON"));
        found += 1;
    }
    assert!(found >= 5, "{found} scenarios were found");
}

/// The text of a problem as it is printed, without the file it is in.
fn bare(err: &str) -> String {
    err.lines().map(|line| line.trim_start_matches("-: ").to_owned() + "\n").collect()
}

#[test]
fn lessons_can_be_done_and_refused_ones_are_refused_as_printed() {
    let blocks = blocks("docs/lessons.md");
    let (mut done, mut refused) = (0, 0);
    for (i, block) in blocks.iter().enumerate().filter(|(_, block)| block.info.starts_with("json lesson")) {
        let answer = warpspan_with(&["lesson", "-"], block.text.as_bytes());
        if block.info == "json lesson" {
            assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{}\n{}", block.at(), answer.out);
            done += 1;
        } else {
            assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{}", block.at());
            let next = blocks.get(i + 1).filter(|next| next.info == "text").expect("a text block follows");
            assert_eq!(next.text, bare(&answer.err), "{}", next.at());
            refused += 1;
        }
    }
    assert!(done >= 2 && refused >= 1, "{done} lessons, {refused} refused");
}

/// The tables of the document are those of the code: fields in their order, and every built-in lesson.
#[test]
fn every_field_of_a_lesson_is_described() {
    let refused = |text: &str| bare(&warpspan_with(&["lesson", "-"], text.as_bytes()).err);
    let known = |said: &str| -> Vec<String> {
        let list = said.split_once("expected one of ").expect("a list").1;
        list.lines().next().unwrap_or_default().split(", ").map(str::to_owned).collect()
    };
    let path = "docs/lessons.md";
    let lesson = refused(r#"{"x": 1, "lesson": 1, "title": "x", "steps": []}"#);
    assert_eq!(first_cells(path, "## The lesson")[1..], known(&lesson));
    let step = refused(
        r#"{"lesson": 1, "title": "x", "steps": [{"x": 1, "title": "x", "text": "x", "example": "figure-2"}]}"#,
    );
    assert_eq!(first_cells(path, "## A step")[1..], known(&step));
    let names: Vec<String> =
        warpspan::lesson::builtin::BUILTINS.iter().map(|lesson| lesson.name.to_owned()).collect();
    assert_eq!(first_cells(path, "## Lessons that come with Warpspan")[1..], names);
}

/// The set in the document has a sheet for everybody, and the answers in it are graded.
#[test]
fn exercises_are_given_and_answers_graded() {
    let blocks = blocks("docs/exercises.md");
    let of = |info: &str| blocks.iter().find(|block| block.info == info).expect("there is one");
    let set = of("json exercises");
    let sheet = warpspan_with(&["exercises", "-", "--student", "Ada"], set.text.as_bytes());
    assert_eq!((sheet.status, sheet.err.as_str()), (0, ""), "{}", set.at());
    assert!(sheet.out.contains("How many cycles do they take?"), "{}", sheet.out);
    let answers = of("json answers");
    let graded = warpspan_with(&["grade", "warps-and-blocks", "-"], answers.text.as_bytes());
    assert_eq!((graded.status, graded.err.as_str()), (0, ""), "{}", answers.at());
}

/// `cargo run` needs to be told which of the programs is meant.
#[test]
fn the_commands_of_the_readme_run_the_command_line() {
    assert!(document("README.md").contains("cargo run --release -- run"));
    assert!(document("Cargo.toml").contains("default-run = \"warpspan\""));
}

#[test]
fn refused_scenarios_are_refused_as_printed() {
    let blocks = all_blocks();
    let mut found = 0;
    for (i, block) in blocks.iter().enumerate().filter(|(_, block)| block.info == "json refused") {
        let answer = run(&block.text);
        assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{}", block.at());
        let said: String =
            answer.err.lines().map(|line| line.trim_start_matches("-: ").to_owned() + "\n").collect();
        let next = blocks.get(i + 1).filter(|next| next.info == "text").expect("a text block follows");
        assert_eq!(next.text, said, "{}", next.at());
        found += 1;
    }
    assert!(found >= 3, "{found} refused scenarios were found");
}

#[test]
fn the_report_is_the_one_printed() {
    let blocks = blocks("docs/scenario.md");
    let of = |info: &str| blocks.iter().find(|block| block.info == info).expect("it is there");
    let answer = run(&of("json").text);
    let mut report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
    report["seconds"] = Value::from(0);
    let printed: Value = serde_json::from_str(&of("json report").text).expect("the example is JSON");
    assert_eq!(printed, report, "it should read\n{report}");
}

/// The first cells of the rows of the first table below a heading, without backticks.
fn first_cells(path: &str, heading: &str) -> Vec<String> {
    let text = document(path);
    let section = text.split_once(&format!("\n{heading}\n")).expect("the heading is there").1;
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows =
        section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let rows = rows.filter_map(|row| row.strip_prefix("| "));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    cells.flat_map(|cell| cell.split(", ")).map(|cell| cell.replace('`', "")).collect()
}

#[test]
fn every_field_of_a_report_is_described() {
    let warps = r#""kernel": "L", "count": 1, "machine": {"L": 1}"#;
    let report_of = |warps: &str, method: &str| -> serde_json::Map<String, Value> {
        let answer = run(&format!(r#"{{"warpspan": 1, "warps": {{{warps}, "method": {method}}}}}"#));
        serde_json::from_str(&answer.out).expect("an object")
    };
    let report = |method: &str| report_of(warps, method);
    let described = first_cells("docs/scenario.md", "## Report");
    let annealed = report(r#"{"anneal": {"iterations": 1}}"#);
    let fair = |method| report_of(&format!(r#"{warps}, "fairness": "sub-block", "sub_blocks": []"#), method);
    let exact = fair(r#"{"exact": {}}"#);
    let start = r#"{"initial": "round-robin"}"#;
    let loads = report_of(&format!(r#"{warps}, "memory": {{"mode": "held", "miss": 2}}"#), start);
    let reports = [&exact, &annealed, &report(start), &report(r#"{"beam": {}}"#), &loads];
    for report in reports {
        let fields: Vec<&String> = described.iter().filter(|key| report.contains_key(*key)).collect();
        assert_eq!(fields, report.keys().collect::<Vec<_>>(), "in this order");
    }
    let missing = |key: &&String| !reports.iter().any(|report| report.contains_key(*key));
    assert_eq!(described.iter().skip(1).filter(missing).collect::<Vec<_>>(), [""; 0]);
    let only = |report: &serde_json::Map<String, Value>| -> Vec<String> {
        report.keys().filter(|key| !reports[2].contains_key(*key)).cloned().collect()
    };
    assert_eq!(only(&annealed), ["chains"]);
    assert_eq!(only(reports[3]), ["stop"]);
    assert_eq!(only(&loads), ["memory"]);
    assert_eq!(only(&exact), ["sub_blocks", "states", "bracket", "shortest", "starts", "stop"]);
    let described = first_cells("docs/scenario.md", "### The best case");
    let fields: Vec<&String> = exact["shortest"].as_object().expect("an object").keys().collect();
    assert_eq!(described.iter().skip(1).collect::<Vec<_>>(), fields, "in this order");
    let described = first_cells("docs/scenario.md", "### Chains");
    let fields: Vec<&String> = annealed["chains"][0].as_object().expect("an object").keys().collect();
    assert_eq!(described.iter().skip(1).collect::<Vec<_>>(), fields, "in this order");
}

/// What each neighbourhood does, as the code has it; the page about annealing says when each helps.
#[test]
fn every_field_about_tasks_is_described() {
    let keys = |text: &str| -> Vec<String> {
        let answer: Value = serde_json::from_str(&run(text).out).expect("a report is JSON");
        answer.as_object().expect("an object").keys().cloned().collect()
    };
    let scenarios = blocks("docs/tasks.md");
    let of = |word: &str| scenarios.iter().find(|block| block.info == "json" && block.text.contains(word));
    let set = of("vertices").expect("a set");
    assert_eq!(first_cells("docs/tasks.md", "## Report")[1..], keys(&set.text));
    let experiment = of("experiment").expect("an experiment");
    let row = &serde_json::from_str::<Value>(&run(&experiment.text).out).expect("JSON")["experiment"][0];
    let described = first_cells("docs/tasks.md", "## Experiments").join(", ");
    for key in row.as_object().expect("a row").keys().filter(|key| !["task", "pairs"].contains(&key.as_str()))
    {
        assert!(described.split(", ").any(|known| known == key), "{key}: {described}");
    }
}

#[test]
fn the_tables_of_neighbourhoods_are_complete() {
    let all = || Neighbourhood::all();
    let table: String =
        all().map(|how| format!("| `\"{}\"` | {} |\n", how.name(), how.explained())).collect();
    assert!(
        document("docs/scenario.md").contains(&table),
        "docs/scenario.md should have these rows:\n{table}"
    );
    let names: Vec<&str> = all().map(Neighbourhood::name).collect();
    assert_eq!(first_cells("docs/annealing.md", "## Neighbourhoods")[1..], names, "in this order");
}

/// The fields of the other searches with their defaults.
#[test]
fn every_field_of_beams_and_the_exact_search_is_described() {
    let (beam, exact) = (Beam::default(), Exact::default());
    let limit = exact.time_limit.map_or("none".to_owned(), |limit| limit.to_string());
    let searches = [
        ("beam", "### Beams", vec![people::grouped(beam.width.into()), beam.guided.to_string()]),
        (
            "exact",
            "### The exact search",
            vec![limit, exact.memory_limit.to_string(), exact.shortest.to_string()],
        ),
    ];
    for (name, heading, defaults) in searches {
        let warps = r#""kernel": "L", "count": 1, "machine": {"L": 1}"#;
        let method = format!(r#"{{"{name}": {{"x": 1}}}}"#);
        let answer = run(&format!(r#"{{"warpspan": 1, "warps": {{{warps}, "method": {method}}}}}"#));
        let known = answer.err.rsplit_once("one of ").expect("the keys are listed").1.trim();
        let described = first_cells("docs/scenario.md", heading);
        assert_eq!(described[1..], known.split(", ").collect::<Vec<_>>(), "in this order");
        let text = document("docs/scenario.md");
        let section = text.split_once(&format!("{heading}\n")).expect("the heading is there").1;
        for (field, default) in described[1..].iter().zip(defaults) {
            let row =
                section.lines().find(|line| line.starts_with(&format!("| `{field}` |"))).expect("a row");
            assert_eq!(row.split(" | ").nth(2), Some(&*default), "{row}");
        }
    }
}

/// The fields of `anneal` with their defaults: an empty object is the same as one with all of them.
#[test]
fn every_field_of_annealing_is_described() {
    let described = first_cells("docs/scenario.md", "### Annealing");
    let answer = run(
        r#"{"warpspan": 1, "warps": {"kernel": "L", "count": 1, "machine": {"L": 1}, "method": {"anneal": {"x": 1}}}}"#,
    );
    let known = answer.err.rsplit_once("one of ").expect("the keys are listed").1.trim();
    assert_eq!(described[1..], known.split(", ").collect::<Vec<_>>(), "in this order");
    let usual = Anneal::default();
    let Settings { iterations, rounds, t0, seed, neighbourhood } = usual.settings;
    let defaults = [
        people::grouped(iterations.into()),
        rounds.to_string(),
        t0.to_string(),
        seed.to_string(),
        format!("`\"{}\"`", neighbourhood.name()),
    ];
    for (field, default) in described[1..].iter().zip(defaults) {
        let text = document("docs/scenario.md");
        let section = text.split_once("### Annealing\n").expect("the heading is there").1;
        let row = section.lines().find(|line| line.starts_with(&format!("| `{field}` |"))).expect("a row");
        assert_eq!(row.split(" | ").nth(2), Some(&*default), "{row}");
    }
}

#[test]
fn every_key_of_a_link_is_described() {
    use warpspan::scenario::link::{LessonSource, View, write};
    let text = || Some("x".to_owned());
    let view = View {
        step: Some(1),
        t0: Some(0.5),
        t1: Some(1.5),
        sel: text(),
        theme: text(),
        embed: true,
        rows: text(),
        hide: true,
        projector: true,
        find: true,
        lesson: Some(LessonSource::Named("x".to_owned())),
        at: Some(1),
        pin: Some("{}".to_owned()),
    };
    let own = View { lesson: Some(LessonSource::Own("{}".to_owned())), ..view.clone() };
    let described = first_cells("docs/scenario.md", "## Share link");
    for (view, other) in [(view, "l"), (own, "lesson")] {
        let link = write(&Value::Null, &view).expect("it fits");
        let keys: Vec<&str> = link.split('&').filter_map(|pair| pair.split('=').next()).collect();
        let described: Vec<_> = described[1..].iter().filter(|key| **key != other).collect();
        assert_eq!(described, keys.iter().collect::<Vec<_>>(), "in this order");
    }
}

/// The table of presets, as the presets themselves have it.
#[test]
fn the_table_of_presets_is_complete() {
    let joined = |PerUnit(numbers): PerUnit<u32>, between: &str| numbers.map(|n| n.to_string()).join(between);
    let rows = PRESETS.iter().map(|preset| {
        let units = preset.units();
        let normalised = units.normalise();
        let kernel = Kernel::parse("LCSD").and_then(|kernel| kernel.repeated(&normalised.repeat));
        let issue = units.issue.map_or("none".to_owned(), |issue| issue.to_string());
        format!(
            "| `{}` | {} | {} | {issue} | {} | `{}` |\n",
            preset.name,
            preset.chip,
            joined(units.units, " | "),
            joined(normalised.machine.capacity, " "),
            kernel.expect("a short kernel stays short")
        )
    });
    let table: String = rows.collect();
    assert!(document("docs/presets.md").contains(&table), "docs/presets.md should have these rows:\n{table}");
}

/// The tables of devices, as the presets have them.
#[test]
fn the_tables_of_devices_are_complete() {
    let text = document("docs/devices.md");
    let version = |(major, minor): (u8, u8)| format!("{major}.{minor}");
    let devices = presets::ALL.iter().map(|preset| {
        let device = preset.device();
        let (engines, origin) = preset.copy_engines;
        format!(
            "| `{}` | {} | {} | {} | {} | {engines}{} |\n",
            preset.name,
            preset.label,
            version(preset.capability),
            device.sms,
            people::grouped(device.threads().into()),
            if origin == Origin::Assumed { ", assumed" } else { "" }
        )
    });
    let table: String = devices.collect();
    assert!(text.contains(&table), "docs/devices.md should have these rows:\n{table}");
    let limits = presets::LIMITS.iter().map(|limits| {
        format!(
            "| {} | {} | {} | {} | {} KiB | {} | {} |\n",
            version(limits.capability),
            limits.architecture,
            people::grouped(limits.threads.into()),
            limits.blocks,
            limits.shared_memory_kib,
            people::grouped(limits.registers.into()),
            limits.sms_per_tpc
        )
    });
    let table: String = limits.collect();
    assert!(text.contains(&table), "docs/devices.md should have these rows:\n{table}");
    for preset in presets::ALL.iter().filter(|preset| preset.copy_engines.1 == Origin::Assumed) {
        let assumed = text.split_once("why assumed").expect("the table is there").1;
        assert!(assumed.contains(&format!("`{}`", preset.name)), "why {} is assumed", preset.name);
    }
}

/// The table of opcodes, as the code has it.
#[test]
fn the_table_of_opcodes_is_complete() {
    let rows = TABLE.iter().map(|row| {
        let opcodes: Vec<String> = row.opcodes.split(' ').map(|opcode| format!("`{opcode}`")).collect();
        let opcodes = if row.opcodes.is_empty() { "any other".to_owned() } else { opcodes.join(" ") };
        let unit = row.unit.map_or("none".to_owned(), |unit| format!("`{}`", unit.letter()));
        let note = if row.note.is_empty() { String::new() } else { format!("; noted: {}", row.note) };
        format!("| {opcodes} | {} | {unit} | {}{note} |\n", row.when.words(), row.why)
    });
    let table: String = rows.collect();
    assert!(document("docs/ptx.md").contains(&table), "docs/ptx.md should have these rows:\n{table}");
}

#[test]
fn the_table_of_caveats_is_complete() {
    let row = |caveat: &warpspan::import::ptx::caveats::Caveat| {
        let side = format!("{:?}", caveat.side).to_lowercase();
        format!("| {} | {} | {side} |\n", caveat.which, caveat.note)
    };
    let table: String = CAVEATS.iter().map(row).collect();
    assert!(document("docs/ptx.md").contains(&table), "docs/ptx.md should have these rows:\n{table}");
}

#[test]
fn every_field_about_ptx_is_described() {
    let answer = run(r#"{"warpspan": 1, "warps": {"ptx": "hello;", "count": 1, "machine": {"C": 1}}}"#);
    let report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
    let fields: Vec<&String> = report["ptx"].as_object().expect("an object").keys().collect();
    let described = first_cells("docs/ptx.md", "## In the report");
    assert_eq!(described.iter().skip(1).collect::<Vec<_>>(), fields, "in this order");
}
