//! What scripts rely on: one report or one complaint per file, in order, and the exit status.

#![cfg(not(target_arch = "wasm32"))]

#[path = "cli/code.rs"]
mod code;
mod common;
#[path = "cli/exercises.rs"]
mod exercises;
#[path = "cli/shipped.rs"]
mod shipped;
#[path = "cli/study.rs"]
mod study;
#[path = "cli/through.rs"]
mod through;

use common::{Answer, Scratch, document, killed_once, run, text, warpspan, warpspan_with};
use expect_test::{Expect, expect};
use serde_json::Value;
use warpspan::page::Subject;
use warpspan::scenario::builtin::BUILTINS;

const SOUND: &str = r#""kernel": "LCL", "count": 2, "machine": {"L": 1, "C": 1}"#;

fn titled(title: &str) -> Scratch {
    Scratch::new(document(SOUND).replace("\"t\"", &format!("\"{title}\"")).as_bytes())
}

fn titles(answer: &Answer) -> Vec<String> {
    let line = |line| {
        let report: Value = serde_json::from_str(line).expect("every line is a report");
        text(&report, "scenario").to_owned()
    };
    answer.out.lines().map(line).collect()
}

/// A document that must be refused, and every line said about it.
fn refused(document: &str, expected: Expect) {
    let answer = run(document);
    assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{document}");
    expected.assert_eq(&answer.err);
}

/// A call that must fail without touching a document.
fn misused(words: &[&str], expected: Expect) {
    let answer = warpspan(words);
    assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{words:?}");
    expected.assert_eq(&answer.err);
}

#[test]
fn every_example_runs_from_its_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/www/scenarios/");
    // Those of studies are summed up where `warpspan study` is tested.
    for example in BUILTINS.iter().filter(|example| example.group != "Studies") {
        let path = format!("{folder}{}.json", example.name);
        let cut = common::shortened(example.text).map(|text| Scratch::new(text.as_bytes()));
        let file = cut.as_ref().map_or(path.as_str(), Scratch::path);
        let answer = warpspan(&["run", file]);
        // What a kernel's PTX or machine code leaves open is told, and nothing else.
        let warned = answer.err.lines().all(|line| line.starts_with(&format!("{file}: warning: ")));
        assert!(answer.status == 0 && warned, "{}: {}", example.name, answer.err);
        assert!(
            answer.err.is_empty() || ["\"ptx\"", "\"sass\""].iter().any(|key| example.text.contains(key)),
            "{}: {}",
            example.name,
            answer.err
        );
        let report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
        common::sound(&report);
        for reference in report["references"].as_array().into_iter().flatten() {
            let published = reference.get("agrees").is_none_or(|agrees| *agrees == Value::Bool(true));
            assert!(published, "{}: {reference}", example.name);
        }
    }
}

#[test]
fn several_files_one_report_each_in_order() {
    let files = [titled("one"), titled("two"), titled("three")];
    let answer = warpspan(&["run", files[0].path(), files[1].path(), files[2].path()]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    assert_eq!(titles(&answer), ["one", "two", "three"]);
}

#[test]
fn a_bad_file_does_not_keep_the_good_ones_back() {
    let (first, bad, last) = (titled("first"), Scratch::new(b"{}"), titled("last"));
    let answer = warpspan(&["run", first.path(), bad.path(), "-", last.path()]);
    assert_eq!(answer.status, 2);
    assert_eq!(titles(&answer), ["first", "last"]);
    let problems: Vec<&str> = answer.err.lines().collect();
    assert_eq!(
        problems,
        [
            &format!("{}: warpspan: missing, expected the document version, \"warpspan\": 1", bad.path()),
            "-: document: nothing in it, expected a scenario, {\"warpspan\": 1, ...}",
        ]
    );
}

#[test]
fn a_dash_is_standard_input() {
    let answer = warpspan_with(&["run", "-"], document(SOUND).as_bytes());
    assert_eq!((answer.status, titles(&answer)), (0, vec!["t".to_owned()]));
}

#[test]
fn a_byte_order_mark_and_spaces_do_no_harm() {
    let answer = run(&format!("\u{feff}\r\n  {}\r\n\r\n", document(SOUND)));
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
}

#[test]
fn a_file_may_be_packed_with_gzip() {
    let text = document(SOUND);
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    packed.extend(miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 9));
    packed.extend(crc32fast::hash(text.as_bytes()).to_le_bytes());
    packed.extend((text.len() as u32).to_le_bytes());
    let answer = warpspan_with(&["run", "-"], &packed);
    assert_eq!((answer.status, answer.err.as_str(), titles(&answer)), (0, "", vec!["t".to_owned()]));
}

#[test]
fn several_problems_of_one_file_come_together() {
    let answer = run(
        r#"{"warpspan": 1, "titel": "x", "warps": {"kernel": "LXL", "count": 65, "machine": {"L": -1}}}"#,
    );
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    let mut keys: Vec<&str> = Subject::ALL.iter().map(|subject| subject.key()).collect();
    keys.dedup();
    let known = format!("expected one of warpspan, title, notes, {}\n", keys.join(", "));
    let (first, others) = answer.err.split_once(&known).expect("the first line names every key");
    assert_eq!(first, "-: titel: unknown key, close to \"title\", ");
    expect![[r#"
            -: warps.kernel: "X" at character 2, expected a letter L, C, S or D, a count or a group in parentheses
            -: warps.count: 65, expected a whole number, 1 to 64
            -: warps.machine.L: -1, expected a whole number, 0 to 1024
        "#]]
    .assert_eq(others);
}

#[test]
fn at_most_fifty_lines() {
    let order = vec!["9"; 200].join(",");
    let answer = run(&document(&format!(r#"{SOUND}, "method": {{"order": [{order}]}}"#)));
    assert_eq!((answer.status, answer.out.as_str(), answer.err.lines().count()), (2, "", 50));
    expect!["-: document: 151 more problems, expected a document with fewer"]
        .assert_eq(answer.err.lines().last().unwrap_or_default());
}

#[test]
fn files_that_cannot_be_read() {
    for path in ["no/such/file.json", env!("CARGO_MANIFEST_DIR")] {
        for command in ["run", "link"] {
            let answer = warpspan(&[command, path]);
            assert_eq!((answer.status, answer.out.as_str(), answer.err.lines().count()), (2, "", 1));
            assert!(answer.err.starts_with(&format!("{path}: document: ")), "{}", answer.err);
            // A folder may hold a model in several files, or a thread trace.
            let expected =
                if path == env!("CARGO_MANIFEST_DIR") { "names end in .amxmi" } else { "can be read" };
            assert!(answer.err.contains(expected), "{}", answer.err);
        }
    }
    let latin = Scratch::new(b"{\"warpspan\": 1, \"title\": \"caf\xe9\"}");
    let answer = warpspan(&["run", latin.path()]);
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    assert_eq!(
        answer.err,
        format!("{}: document: not UTF-8 text at byte 29, expected UTF-8 or UTF-16 text\n", latin.path())
    );
}

#[test]
fn other_formats_are_named() {
    refused(
        r#"{"name": "x", "max_iterations": 1, "benchmarks": []}"#,
        expect![[r#"
            -: benchmarks: an empty list, expected at least one benchmark
        "#]],
    );
    refused(
        r#"{"name": "x", "max_iterations": 1, "benchmarks": [{"filename": 5}]}"#,
        expect![[r#"
            -: benchmarks[0].filename: 5, expected a text in quotes
        "#]],
    );
    refused(
        "<?xml version=\"1.0\"?>\n<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/1.0\"/>",
        expect![[r#"
            -: swModel: no task, expected at least one task or interrupt routine
        "#]],
    );
}

#[test]
fn an_amalthea_model_is_a_chain() {
    for name in ["teaching", "driver-assistance"] {
        let path = format!("{}/www/models/{name}.amxmi", env!("CARGO_MANIFEST_DIR"));
        let answer = warpspan(&["run", &path]);
        assert_eq!((answer.status, answer.err.as_str()), (0, ""), "{name}");
        let report: Value = serde_json::from_str(&answer.out).expect("a report is JSON");
        assert_eq!(text(&report, "lab"), "chain");
    }
}

#[test]
fn a_folder_is_a_model_and_what_was_not_read_is_in_the_report() {
    let folder =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("model-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the tests' folder can be written");
    let whole = include_str!("../www/models/driver-assistance.amxmi");
    let (software, rest) = whole.split_once("</swModel>").expect("it has software");
    let root = &whole[..whole.find("<commonElements>").expect("it has tags")];
    let write = |name: &str, text: String| std::fs::write(folder.join(name), text).expect("a file");
    write("1.amxmi", format!("{software}</swModel></am:Amalthea>"));
    write("2.amxmi", format!("{root}{rest}"));
    write("notes.txt", "no model".to_owned());
    let answer = warpspan(&["run", folder.to_str().expect("a plain path")]);
    let path = format!("{}/www/models/driver-assistance.amxmi", env!("CARGO_MANIFEST_DIR"));
    let alone = warpspan(&["run", &path]);
    let report = |answer: &Answer| -> Value { serde_json::from_str(&answer.out).expect("a report is JSON") };
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    assert_eq!(report(&answer)["tasks"], report(&alone)["tasks"]);
    let warning = report(&answer)["warnings"][0].as_str().unwrap_or_default().to_owned();
    assert!(warning.contains("of 1.amxmi and 2.amxmi") && warning.contains("Not read: "), "{warning}");
    write("1.amxmi", format!("{software}</swModel>"));
    let broken = warpspan(&["run", folder.to_str().expect("a plain path")]);
    assert!(broken.err.contains(": 1.amxmi, line "), "{}", broken.err);
    let _ = std::fs::remove_dir_all(&folder); // a folder left behind harms nobody
}

#[test]
fn what_later_versions_will_do_is_named() {
    refused(
        r#"{"warpspan": 1, "tasks": []}"#,
        expect![[r#"
        -: tasks: 0 tasks, expected 1 to 100 tasks
    "#]],
    );
    refused(
        r#"{"warpspan": 2, "warps": {}}"#,
        expect![[r#"
        -: warpspan: version 2, made by a newer Warpspan; this one understands up to 1, expected a version from 1 to 1
    "#]],
    );
    misused(
        &["convert", "a.json", "--to", "svg"],
        expect![[r#"
        a.json: document: No such file or directory (os error 2), expected a file that can be read
    "#]],
    );
}

#[test]
fn a_scenario_travels_in_a_link_and_back() {
    for example in BUILTINS {
        let file = Scratch::new(example.text.as_bytes());
        let link = warpspan(&["link", file.path()]);
        // What is taken for granted of PTX is told whenever it is read.
        let plain =
            link.err.lines().all(|line| example.text.contains("\"ptx\"") && line.contains(": warning: "));
        assert!(link.status == 0 && plain, "{}: {}", example.name, link.err);
        // What was measured is as long as it is; it travels all the same.
        let most = if example.name == "alexnet-first-steps" { 16_000 } else { 2_000 };
        assert!(link.out.starts_with("#v=1&s=") && link.out.len() <= most, "{}", link.out);
        let whole = format!("https://example.org/{}", link.out.trim());
        for text in [link.out.trim(), link.out.trim().trim_start_matches('#'), &whole] {
            let opened = warpspan(&["open", text]);
            assert_eq!((opened.status, opened.err.as_str()), (0, ""), "{text}");
            let tree = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
            assert_eq!(tree(&opened.out), tree(example.text));
        }
    }
}

#[test]
fn what_cannot_be_run_cannot_be_linked_either() {
    let file = Scratch::new(br#"{"warpspan": 1, "tasks": []}"#);
    let answer = warpspan(&["link", file.path()]);
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    assert!(answer.err.contains("expected 1 to 100 tasks"), "{}", answer.err);
}

#[test]
fn a_link_in_a_file_runs_like_its_scenario() {
    let file = titled("travelled");
    let link = warpspan(&["link", file.path()]);
    let answer = run(&link.out);
    assert_eq!((answer.status, titles(&answer)), (0, vec!["travelled".to_owned()]));
}

/// PTX without a scenario around it is asked with what the report's first note says.
#[test]
fn ptx_alone_runs_with_stated_defaults() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ptx/");
    let answer = warpspan(&["run", &format!("{folder}vector-add.ptx"), &format!("{folder}figure-11.ptx")]);
    assert_eq!(answer.status, 0);
    expect![[r#"
        figure-11.ptx: warning: The loop Loop at line 14 was gone round once; its trip count is not known.
        figure-11.ptx: warning: The path ends at line 27, before it would go round a loop.
        figure-11.ptx: warning: What is proven here is proven of the kernel string, not of the kernel: it rests on what was assumed.
        figure-11.ptx: warning: The path meets 25 of the 26 instructions of the kernel.
    "#]].assert_eq(&answer.err.replace(folder, ""));
    let reports: Vec<Value> =
        answer.out.lines().map(|line| serde_json::from_str(line).expect("a report is JSON")).collect();
    reports.iter().for_each(common::sound);
    assert_eq!(titles(&answer), ["_Z6vecAddPKfS0_Pfi, from PTX", "(fragment), from PTX"]);
    assert_eq!(reports[0]["count"], 16);
    assert_eq!(reports[0]["ptx"]["entry"], "_Z6vecAddPKfS0_Pfi");
    assert_eq!(reports[1]["ptx"]["counts"], serde_json::json!({"L": 7, "C": 18, "S": 0, "D": 0, "none": 0}));
    expect![["The text was PTX alone. It is asked with 16 warps, round-robin, on the path that takes no conditional branch; the machine is cc-5.2, the preset that its target names."]]
    .assert_eq(reports[0]["notes"][0].as_str().expect("a note"));
    let link = warpspan(&["link", &format!("{folder}vector-add.ptx")]);
    assert_eq!((link.status, run(&link.out).status), (0, 0));
    refused(
        ".entry k()\n{\n  add.f32 %f1 %f2;\n}",
        expect![[r#"
        -: line 3 column 15: "%f2", expected "," or ";"
    "#]],
    );
}

#[test]
fn only_scenarios_travel() {
    let bad = Scratch::new(br#"{"warpspan": 1, "warps": {"kernel": "Q", "count": 1, "machine": {"L": 1}}}"#);
    let answer = warpspan(&["link", bad.path()]);
    assert_eq!((answer.status, answer.out.as_str()), (2, ""));
    assert!(answer.err.starts_with(&format!("{}: warps.kernel: ", bad.path())), "{}", answer.err);
    misused(
        &["open", "#v=1&s=abc"],
        expect![[r#"
        #v=1&s=abc: link: no checksum at its end: it was cut off, expected the whole link, up to &c= and 8 digits
    "#]],
    );
    misused(
        &["open", "https://example.org/"],
        expect![[r#"
        https://example.org/: link: begins with "https://example.org/", expected v=1 first
    "#]],
    );
}

#[test]
fn wrong_calls_point_to_the_help() {
    misused(
        &[],
        expect![[r#"
            warpspan: no command: expected run, study, certify, check, lesson, exercises, grade, link, open, convert, diff, reproduce or schema
            Try warpspan --help.
        "#]],
    );
    misused(
        &["run"],
        expect![[r#"
        warpspan: run: no file; expected one or more, or - for standard input
        Try warpspan --help.
    "#]],
    );
    misused(
        &["dance"],
        expect![[r#"
            warpspan: unknown command "dance": expected run, study, certify, check, lesson, exercises, grade, link, open, convert, diff, reproduce or schema
            Try warpspan --help.
        "#]],
    );
    misused(
        &["link", "a", "b"],
        expect![[r#"
        warpspan: link: 2 files; expected one
        Try warpspan --help.
    "#]],
    );
    misused(
        &["run", "--fast", "a.json"],
        expect![[r#"
        warpspan: invalid option '--fast'
        Try warpspan --help.
    "#]],
    );
}

#[test]
fn help_and_version_go_to_standard_output() {
    let help = warpspan(&["--help"]);
    assert_eq!((help.status, help.err.as_str()), (0, ""));
    for word in
        ["run", "certify", "link", "open", "check", "lesson", "exercises", "grade", "convert", "Exit status"]
    {
        assert!(help.out.contains(word), "{word}");
    }
    let version = warpspan(&["--version"]);
    assert_eq!(
        (version.status, version.out.as_str()),
        (0, concat!("warpspan ", env!("CARGO_PKG_VERSION"), "\n"))
    );
}

/// A key of a newer link may hold anything; on a terminal it must stay harmless and on its line.
#[test]
fn unknown_keys_of_a_link_are_told_and_quoted() {
    let link = warpspan(&["link", titled("t").path()]).out;
    let body = link.trim().trim_start_matches('#').rsplit_once("&c=").expect("a checksum").0;
    let body = format!("{body}&zoom=3&a\x1b[2J\nb=1");
    let answer = warpspan(&["open", &format!("#{body}&c={:08x}", crc32fast::hash(body.as_bytes()))]);
    assert_eq!(answer.status, 0);
    expect![[r#"
        link: key "zoom" is unknown and was left out
        link: key "a\u{1b}[2J\nb" is unknown and was left out
    "#]]
    .assert_eq(&answer.err);
}

/// A full disk behind standard output is told; behind standard error there is nobody to tell.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_no_crash() {
    use std::process::{Command, Stdio};
    let full = || Stdio::from(std::fs::File::create("/dev/full").expect("Linux has it"));
    let program = || Command::new(env!("CARGO_BIN_EXE_warpspan"));
    let (good, bad) = (titled("t"), Scratch::new(b"{}"));
    let told = program().args(["run", good.path()]).stdout(full()).output().expect("it starts");
    assert_eq!(told.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&told.stderr).starts_with("warpspan: standard output: "));
    let untold = program().args(["run", bad.path()]).stderr(full()).output().expect("it starts");
    assert_eq!((untold.status.code(), untold.stdout), (Some(2), Vec::new()));
}

#[test]
fn the_schema_is_a_document_of_its_own() {
    let answer = warpspan(&["schema"]);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let schema: Value = serde_json::from_str(&answer.out).expect("JSON");
    assert_eq!(schema["properties"]["warpspan"]["enum"], serde_json::json!([1]));
    let warps = schema["$defs"]["warps"]["anyOf"].as_array().expect("several kinds of kernels");
    for key in ["kernel", "code", "sass"] {
        let of = |kind: &&Value| kind["properties"][key].is_object();
        assert_eq!(warps.iter().filter(of).count(), 1, "{key}");
    }
}
