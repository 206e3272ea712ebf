//! The tables of the analysis, as rows.

use super::*;
use crate::page::blocks::tests::{example, seen};

fn analysis(seen: &Seen) -> &AnalysisReport {
    match &seen.report.analysis {
        Some(analysis) => analysis,
        None => unreachable!("it was simulated"),
    }
}

fn table(seen: &Seen) -> String {
    let (columns, rows) = kernels(&seen.report, analysis(seen));
    let heads: Vec<&str> = columns.iter().map(|column| column.head().0).collect();
    let lines = rows.iter().map(|row| format!("{}: {}", row.label, row.cells.join(" | ")));
    std::iter::once(heads.join(" | ")).chain(lines).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_measured_run_stands_beside_analysis_and_simulation() {
    expect_test::expect![[r#"
        C | g | b | T | u | Analysis | Simulation | Measured | Deadline
        Kernel 2: 6 s | 7 | 512 | 15 s | 1,433.6 | 6 s | 6 s | 6.000729 s | 15 s, met
        Kernel 3: 6 s | 2 | 512 | 15 s | 409.6 | 12 s | 12 s | 12.000932 s | 15 s, met
        Kernel 4: 5 s | 5 | 512 | 15 s | 853.3 | 11 s | 11 s | 11.0009 s | 15 s, met
        Kernel 1: 4 s | 2 | 512 | 15 s | 273.1 | 10 s | 10 s | 10.0009 s | 15 s, met"#]]
    .assert_eq(&table(&example("paredes-measured")));
}

#[test]
fn the_worked_example_side_by_side() {
    let seen = example("paredes-example");
    expect_test::expect![[r#"
        C | g | b | T | u | Analysis | Simulation | Published | Deadline
        K1: 4 s | 2 | 512 | 15 s | 273.1 | 4 s | 4 s | 4 s | 15 s, met
        K2: 6 s | 7 | 512 | 15 s | 1,433.6 | 10 s | 10 s | 10 s | 15 s, met
        K3: 6 s | 2 | 512 | 15 s | 409.6 | 12 s | 12 s | 12 s | 15 s, met
        K4: 5 s | 5 | 512 | 15 s | 853.3 | 11 s | 11 s | 11 s | 15 s, met"#]]
    .assert_eq(&table(&seen));
    let all = analysis(&seen).utilisation.as_ref().map(|all| utilisation(all, 4_096));
    assert_eq!(
        all.as_deref(),
        Some("Together the kernels keep 2,969.6 of 4,096 threads busy on average: 72.5 % of the device.")
    );
    assert!(failing(analysis(&seen)).is_empty());
}

#[test]
fn steps_read_like_the_worked_example() {
    let seen = example("paredes-example");
    let Some(order) = &analysis(&seen).order else { unreachable!("the assumptions hold") };
    let lines: Vec<String> = order.steps.iter().map(|of| step(analysis(&seen), of).join(" | ")).collect();
    expect_test::expect![[r#"
        K1 | 8 ≥ 2? yes | 2 | 4 s | 0 s | 6 | {(4 s, 2)}
        K2 | 6 ≥ 7? no | 6 | — | 4 s | 2 | {(6 s, 6)}
        K2 | 2 ≥ 1? yes | 1 | 10 s | 4 s | 1 | {(6 s, 6), (10 s, 1)}
        K3 | 1 ≥ 2? no | 1 | — | 6 s | 6 | {(10 s, 2)}
        K3 | 6 ≥ 1? yes | 1 | 12 s | 6 s | 5 | {(10 s, 2), (12 s, 1)}
        K4 | 5 ≥ 5? yes | 5 | 11 s | 6 s | 0 | {(10 s, 2), (11 s, 5), (12 s, 1)}"#]]
    .assert_eq(&lines.join("\n"));
    assert_eq!(places(order), "The device holds 8 blocks at a time.");
}

#[test]
fn worst_orders_open_as_documents() {
    let rows = worst_orders(&example("paredes-example"), "Four kernels, launched K1");
    let told: Vec<String> =
        rows.iter().map(|row| format!("{} {} {}", row.label, row.completion, row.verdict)).collect();
    assert_eq!(
        told,
        ["K1 10 s always met", "K2 12 s always met", "K3 12 s always met", "K4 11 s always met"]
    );
    let Open::With(asked) = &rows[0].open else { unreachable!("{:?}", rows[0].open) };
    assert!(
        asked.places == [1, 2, 3, 0] && asked.title == "Four kernels, launched K2, K3, K4, K1",
        "{asked:?}"
    );
    assert_eq!(rows[3].open, Open::Here);
}

#[test]
fn what_proves_a_worst_case() {
    let worst = |proof: Option<&str>| WorstOrder {
        label: "K".to_owned(),
        completion: 5,
        upper: 7,
        proof: proof.map(str::to_owned),
        order: vec![String::new(); 4],
        places: None,
        completions: Vec::new(),
        meets: None,
    };
    assert_eq!(proof(&worst(Some("all orders"))), "proven by all 24 orders");
    assert_eq!(proof(&worst(Some("bound"))), "proven by a bound on every order");
    assert_eq!(proof(&worst(None)), "the latest found, not proven; at most 7 ns");
    assert_eq!((orders(9).as_str(), orders(20).as_str()), ("362,880", "2.43 × 10¹⁸"));
}

#[test]
fn errata_stand_where_they_bite() {
    let seen = seen(
        r#"{"warpspan": 1, "blocks": {"device": {"sms": 1, "threads": 3}, "streams": [
            {"operations": [{"kernel": "A", "threads": 1, "blocks": 3, "duration": 5}]},
            {"operations": [{"kernel": "B", "threads": 1, "blocks": 6, "duration": 5}]}]}}"#,
    );
    let Some(order) = &analysis(&seen).order else { unreachable!("the assumptions hold") };
    let lines: Vec<String> = order
        .closed_form
        .iter()
        .map(|line| {
            format!("{}: {}", formula(analysis(&seen), line).join(" | "), erratum(line).unwrap_or("sound"))
        })
        .collect();
    expect_test::expect![[r#"
        A | 2.5 ns | 1.5 | 7.5 ns | 0 s | 0 | 5 ns: Erratum: it takes exactly the places that are free (g = g_f), and α is ½ instead of 0.
        B | 12.5 ns | 1.5 | 17.5 ns | 10 ns | 0 | 15 ns: Wrong since an earlier kernel."#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn without_its_assumptions_the_analysis_says_why() {
    let seen = example("priorities");
    let (columns, _) = kernels(&seen.report, analysis(&seen));
    assert!(!columns.contains(&Column::Analysed) && columns.contains(&Column::Simulated));
    let failing = failing(analysis(&seen));
    assert!(!failing.is_empty() && failing.iter().all(|(what, why)| !what.is_empty() && !why.is_empty()));
}
