//! Blocks through the real program: published completion times, worst launch orders, the steps of the worked example,
//! the errata of the closed form, and what is said where the analysis does not apply.

#![cfg(not(target_arch = "wasm32"))]

mod common;

use common::{Scratch, text, warpspan};
use expect_test::{Expect, expect};
use serde_json::{Value, json};
use warpspan::base::Nanos;

const SECOND: u64 = 1_000_000_000;
/// The published kernels: seconds and blocks.
const KERNELS: [(u64, u32); 4] = [(4, 2), (6, 7), (6, 2), (5, 5)];

/// The reports of some documents, run in one call.
fn reports(documents: &[Value]) -> Vec<Value> {
    let files: Vec<Scratch> =
        documents.iter().map(|tree| Scratch::new(tree.to_string().as_bytes())).collect();
    let words: Vec<&str> = ["run"].into_iter().chain(files.iter().map(Scratch::path)).collect();
    let answer = warpspan(&words);
    assert_eq!((answer.status, answer.err.as_str()), (0, ""));
    let reports: Vec<Value> =
        answer.out.lines().map(|line| serde_json::from_str(line).expect("a report is JSON")).collect();
    assert_eq!(reports.len(), documents.len());
    reports
}

fn report(document: Value) -> Value {
    reports(&[document]).remove(0)
}

/// The published kernels launched in an order, counted from 1.
fn published(order: [usize; 4]) -> Value {
    let stream = |number: usize| {
        let (time, blocks) = KERNELS[number - 1];
        let (time, period) = (time * SECOND, 15 * SECOND);
        let kernel = json!({"kernel": format!("K{number}"), "blocks": blocks, "threads": 512, "duration": time,
            "period": period});
        json!({"operations": [kernel]})
    };
    json!({"warpspan": 1, "blocks": {"streams": order.map(stream)}})
}

/// Kernels of so many nanoseconds and blocks, on a device with so many places.
fn small(places: u32, kernels: &[(u64, u32)]) -> Value {
    let stream = |(i, &(time, blocks)): (usize, &(u64, u32))| json!({"operations": [{"kernel": format!("K{}", i + 1), "blocks": blocks, "threads": 1, "duration": time}]});
    let streams: Vec<Value> = kernels.iter().enumerate().map(stream).collect();
    json!({"warpspan": 1, "blocks": {"device": {"sms": 1, "threads": places}, "streams": streams}})
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().unwrap_or_else(|| unreachable!("{key}: {}", value[key]))
}

fn seconds(list: &[Value], key: &str) -> Vec<u64> {
    let whole = |item: &Value| {
        let nanos = item[key].as_u64().unwrap_or_else(|| unreachable!("{key}: {item}"));
        assert!(nanos.is_multiple_of(SECOND), "{item}");
        nanos / SECOND
    };
    list.iter().map(whole).collect()
}

#[test]
fn the_published_launch_orders() {
    let published_times = [
        ([1, 2, 3, 4], [4, 10, 12, 11]),
        ([2, 3, 4, 1], [6, 12, 11, 10]),
        ([2, 4, 1, 3], [6, 11, 10, 12]),
        ([2, 1, 3, 4], [6, 8, 12, 11]),
    ];
    let reports = reports(&published_times.map(|(order, _)| published(order)));
    for ((order, times), report) in published_times.iter().zip(&reports) {
        assert_eq!(seconds(list(report, "kernels"), "end"), times, "simulated in order {order:?}");
        assert_eq!(seconds(list(report, "response"), "completion"), times, "analysed in order {order:?}");
        // Whatever the order of the document, the worst cases are the same: 10, 12, 12 and 11 s.
        let worst = seconds(list(&report["worst_order"], "kernels"), "completion");
        assert_eq!(worst, order.map(|number| [10, 12, 12, 11][number - 1]), "worst, in order {order:?}");
        assert_eq!(report["worst_order"]["exact"], json!(true));
    }
}

#[test]
fn a_worst_order_run_as_a_document_is_as_late_as_told() {
    let told = report(published([1, 2, 3, 4]));
    let orders: Vec<[usize; 4]> = list(&told["worst_order"], "kernels")
        .iter()
        .map(|worst| serde_json::from_value(worst["places"].clone()).expect("four places"))
        .collect();
    let reports =
        reports(&orders.iter().map(|order| published(order.map(|place| place + 1))).collect::<Vec<_>>());
    for (worst, report) in list(&told["worst_order"], "kernels").iter().zip(&reports) {
        let kernels = list(report, "kernels");
        let ends: Vec<Value> = kernels.iter().map(|kernel| kernel["end"].clone()).collect();
        assert_eq!(Value::from(ends), worst["completions"]);
        let own = kernels.iter().find(|kernel| kernel["label"] == worst["label"]);
        assert_eq!(own.map(|kernel| &kernel["end"]), Some(&worst["completion"]));
        assert_eq!(worst["upper"], worst["completion"]);
    }
}

#[test]
fn the_steps_of_the_worked_example() {
    let report = report(published([1, 2, 3, 4]));
    let time = |value: &Value| Nanos(value.as_u64().unwrap_or_default()).to_string();
    let line = |step: &Value| {
        let pairs: Vec<String> =
            list(step, "later").iter().map(|pair| format!("({}, {})", time(&pair[0]), pair[1])).collect();
        let done = if step["completion"].is_null() { "-".to_owned() } else { time(&step["completion"]) };
        format!(
            "K{} {} >= {} {}: f={done}, t_a={}, g_f={}, h={{{}}}",
            step["kernel"].as_u64().unwrap_or_default() + 1,
            step["free"],
            step["wanted"],
            step["enough"],
            time(&step["next_at"]),
            step["next_free"],
            pairs.join(", ")
        )
    };
    let steps: Vec<String> = list(&report["analysis"]["order"], "steps").iter().map(line).collect();
    expect![[r#"
        K1 8 >= 2 true: f=4 s, t_a=0 s, g_f=6, h={(4 s, 2)}
        K2 6 >= 7 false: f=-, t_a=4 s, g_f=2, h={(6 s, 6)}
        K2 2 >= 1 true: f=10 s, t_a=4 s, g_f=1, h={(6 s, 6), (10 s, 1)}
        K3 1 >= 2 false: f=-, t_a=6 s, g_f=6, h={(10 s, 2)}
        K3 6 >= 1 true: f=12 s, t_a=6 s, g_f=5, h={(10 s, 2), (12 s, 1)}
        K4 5 >= 5 true: f=11 s, t_a=6 s, g_f=0, h={(10 s, 2), (11 s, 5), (12 s, 1)}"#]]
    .assert_eq(&steps.join("\n"));
}

#[test]
fn utilisation_of_the_published_kernels() {
    let report = report(published([1, 2, 3, 4]));
    assert_eq!(
        report["analysis"]["utilisation"],
        json!({"total": 2969.6, "share": 0.725, "without_period": 0})
    );
    let deadlines: Vec<&Value> = list(&report, "response").iter().map(|done| &done["meets"]).collect();
    assert_eq!(deadlines, [&json!(true); 4], "the period is the deadline where there is no other");
}

/// Printed and corrected completions, and what is wrong.
fn formula(document: Value, expected: Expect) {
    let report = report(document);
    let ends: Vec<&Value> = list(&report, "kernels").iter().map(|kernel| &kernel["end"]).collect();
    let lines = list(&report["analysis"]["order"], "closed_form");
    let corrected: Vec<&Value> = lines.iter().map(|line| &line["corrected"][2]).collect();
    assert_eq!(corrected, ends, "the corrected form is what the simulation does");
    let told: Vec<String> = lines
        .iter()
        .map(|line| {
            let erratum = line["erratum"].as_str().unwrap_or("sound");
            format!("printed {} corrected {}: {erratum}", line["printed"][2], line["corrected"][2])
        })
        .collect();
    expected.assert_eq(&told.join("\n"));
}

#[test]
fn the_printed_form_where_whole_waves_do_not_fit() {
    formula(small(3, &[(9, 6)]), expect!["printed 27.0 corrected 18: whole-waves"]);
}

#[test]
fn the_printed_form_where_a_kernel_takes_exactly_what_is_free() {
    formula(
        small(3, &[(5, 3), (5, 6)]),
        expect![[r#"
            printed 7.5 corrected 5: exact-fit
            printed 17.5 corrected 15: inherited"#]],
    );
}

#[test]
fn the_printed_form_where_it_is_right() {
    formula(
        small(4, &[(5, 3), (5, 2)]),
        expect![[r#"
            printed 5.0 corrected 5: sound
            printed 10.0 corrected 10: sound"#]],
    );
}

#[test]
fn kernels_of_different_times_have_no_closed_form() {
    let report = report(published([1, 2, 3, 4]));
    assert_eq!(report["analysis"]["order"]["closed_form"], Value::Null);
}

#[test]
fn where_an_assumption_fails_the_simulation_stands_alone() {
    let mut late = published([1, 2, 3, 4]);
    late["blocks"]["streams"][2]["release"] = json!(SECOND);
    let report = report(late);
    assert_eq!((&report["response"], &report["worst_order"]), (&Value::Null, &Value::Null));
    let fails: Vec<String> = list(&report["analysis"], "assumptions")
        .iter()
        .filter(|assumption| assumption["holds"] == json!(false))
        .map(|assumption| format!("{} {}", text(assumption, "sentence"), text(assumption, "why")))
        .collect();
    assert_eq!(fails, ["Every kernel is launched once, at time 0. launched later: K3"]);
    let tasks = list(&report["analysis"], "tasks");
    assert_eq!(tasks.len(), 4);
    assert!(tasks.iter().all(|task| task["simulated"].is_u64() && task["utilisation"].is_f64()));
}

#[test]
fn an_order_that_is_found_and_not_proven_says_so() {
    // Times without a common divisor leave the bound above what orders reach, and these are too many to try.
    let kernels: Vec<(u64, u32)> =
        (0..40_u32).map(|i| (1_000 + u64::from(i * i * 37 % 997), 3 + i * 7 % 11)).collect();
    let report = report(small(7, &kernels));
    let worst = list(&report["worst_order"], "kernels");
    assert_eq!(report["worst_order"]["exact"], json!(false));
    for worst in worst {
        assert!(worst["completion"].as_u64() <= worst["upper"].as_u64(), "{worst}");
        assert_eq!(worst["proof"].is_null(), worst["completion"] != worst["upper"], "{worst}");
        assert_eq!(list(worst, "order").len(), 40);
    }
}

#[test]
fn published_times_of_every_example_agree() {
    use warpspan::scenario::builtin::BUILTINS;
    let examples = BUILTINS.iter().filter(|example| example.group == "Blocks");
    let trees: Vec<Value> =
        examples.map(|example| serde_json::from_str(example.text).expect("JSON")).collect();
    let reports = reports(&trees);
    let references: Vec<&Value> =
        reports.iter().filter(|r| r["references"].is_array()).flat_map(|r| list(r, "references")).collect();
    assert_eq!(references.len(), 16);
    for reference in references {
        assert_eq!(reference["agrees"], json!(true), "{reference}");
        assert_eq!(reference["analysed"], reference["published"], "{reference}");
    }
}

#[test]
fn a_reference_that_differs_is_told() {
    let mut wrong = published([1, 2, 3, 4]);
    wrong["blocks"]["references"] = json!([
        {"kernel": "K1", "completion": 5 * SECOND, "source": "nobody"},
        {"kernel": "K9", "completion": 5},
    ]);
    let report = report(wrong);
    let references = list(&report, "references");
    assert_eq!(
        references[0],
        json!({"kernel": "K1", "published": 5 * SECOND, "source": "nobody", "simulated": 4 * SECOND,
            "analysed": 4 * SECOND, "agrees": false})
    );
    assert_eq!((&references[1]["simulated"], &references[1]["agrees"]), (&Value::Null, &json!(false)));
}

#[test]
fn the_measured_example_breaks_a_rule() {
    let tree = serde_json::from_str(include_str!("../www/scenarios/measured-run.json")).expect("JSON");
    let report = report(tree);
    let measured = &report["measured"];
    assert_eq!(list(measured, "kernels").len(), 3);
    let check = &measured["check"];
    assert_eq!(check["conforms"], json!(false));
    let found: Vec<String> = list(check, "violations")
        .iter()
        .map(|of| {
            format!("{} {}:{} {}", text(of, "rule"), text(of, "kernel"), of["block"], text(of, "found"))
        })
        .collect();
    expect![[r#"
        X1 K3:0 block 0 of K3 starts at 29.99 ms, while K2, queued before it, has blocks to start
        R2 K3:0 block 0 of K3 starts on SM 1, which has 0 threads free"#]]
    .assert_eq(&found.join("\n"));
    let times = list(check, "violations").iter().map(|of| of["time"].as_u64());
    assert!(times.clone().is_sorted() && times.into_iter().all(|time| time.is_some()));
}

fn one_stream(device: Value, operations: Value) -> Value {
    json!({"warpspan": 1, "blocks": {"device": device, "streams": [{"label": "a", "operations": operations}]}})
}

fn warned(report: &Value, what: &str) -> bool {
    list(report, "warnings").iter().any(|warning| warning.as_str().is_some_and(|text| text.contains(what)))
}

#[test]
fn a_run_that_is_cut_says_so_and_names_what_limits_it() {
    let tx2 = json!({"preset": "jetson-tx2"});
    let kernel = json!({"kernel": "K", "threads": 32, "blocks": 3, "duration": 1});
    let mut document = one_stream(tx2, json!([kernel, kernel]));
    document["blocks"]["most_blocks"] = json!(5);
    let report = report(document.clone());
    assert_eq!((&report["stop"], list(&report, "kernels").len()), (&json!("too-many-blocks"), 1));
    assert!(warned(&report, "more than 5 blocks") && warned(&report, "20,000,000 at the most"), "{report}");
    // The same on standard error where the answer is no report.
    let file = Scratch::new(document.to_string().as_bytes());
    for form in ["csv", "perfetto", "examiner-log", "svg"] {
        let answer = warpspan(&["convert", file.path(), "--to", form]);
        assert!(
            answer.status == 0 && answer.err.contains("the run is cut: one more launch"),
            "{form}: {}",
            answer.err
        );
    }
}

#[test]
fn times_that_add_up_to_too_much_are_a_mistake_of_the_document() {
    let spin = json!({"filename": "timer_spin", "label": "K", "thread_count": 1024, "block_count": 100,
        "additional_info": 5_000_000_000_000_000_000_u64});
    let document =
        json!({"name": "x", "max_iterations": 1, "max_time": 0, "cuda_device": 0, "benchmarks": [spin]});
    let file = Scratch::new(document.to_string().as_bytes());
    let answer = warpspan(&["run", file.path()]);
    assert_eq!(answer.status, 2);
    assert!(answer.err.contains("kernel \"K\" alone takes 25 x 5000000000 s"), "{}", answer.err);
}

#[test]
fn whole_warps_take_the_registers_of_whole_warps() {
    let device =
        |allocate| json!({"name": "d", "sms": 1, "threads": 2048, "registers": 32768, "allocate": allocate});
    let kernel = json!([{"kernel": "K", "threads": 333, "registers": 32, "blocks": 3, "duration": 5}]);
    let ends = reports(&[one_stream(device("threads"), kernel.clone()), one_stream(device("warps"), kernel)]);
    // 3 x 333 x 32 registers are there, 3 x 352 x 32 are not.
    let ends: Vec<&Value> = ends.iter().map(|report| &report["end"]).collect();
    assert_eq!(ends, [&json!(5), &json!(10)]);
}

#[test]
fn null_streams_of_one_process_have_one_priority_and_that_is_said() {
    let stream = |label: &str, more: Value| {
        let mut stream = json!({"label": label, "operations": [{"sleep": 1}]});
        if let (Some(stream), Some(more)) = (stream.as_object_mut(), more.as_object()) {
            stream.extend(more.clone());
        }
        stream
    };
    let streams = [
        stream("n1", json!({"kind": "null"})),
        stream("n2", json!({"kind": "null", "priority": -5})),
        stream("other", json!({"kind": "null", "priority": -5, "process": 1})),
    ];
    let report = report(json!({"warpspan": 1, "blocks": {"streams": streams}}));
    let told: Vec<&Value> = list(&report, "warnings").iter().collect();
    assert_eq!(
        told,
        [&json!(
            "blocks.streams[1].priority: process 0 has one null stream, with the priority of its first program, 0: -5 changes nothing"
        )]
    );
}
