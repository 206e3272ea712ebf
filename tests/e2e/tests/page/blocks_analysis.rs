//! The blocks lab beside its figure: published numbers, the analysis, the check of measured runs, the form.

use fantoccini::key::Key;
use serde_json::json;
use warpspan_e2e::{Look, Outcome, Page, in_browser, key, on_page, same, that};

use crate::files::file;
use crate::keyboard::{focused, tab_to};
use crate::reach::{fits, too_small};
use crate::scenario_panel::show;

/// Two kernels of equal time, the first of which takes exactly what is free.
const EQUAL: &str = r#"{"warpspan": 1, "title": "Equal times", "blocks": {"device": {"sms": 1, "threads": 3}, "streams": [
    {"label": "a", "operations": [{"kernel": "A", "threads": 1, "blocks": 3, "duration": 5000000}]},
    {"label": "b", "operations": [{"kernel": "B", "threads": 1, "blocks": 6, "duration": 5000000}]}]}}"#;
/// A log of one block.
const LOG: &str = r#"{"scenario_name": "Another", "benchmark_name": "Timer Spin", "label": "K4", "max_resident_threads": 4096,
    "release_time": 0.0, "PID": 100, "TID": 4, "times": [{}, {"kernel_name": "K4", "block_count": 1, "thread_count": 32,
    "shared_memory": 0, "cuda_launch_times": [0.3, 0.30001, 0.4], "block_times": [0.31, 0.39], "block_smids": [0], "cpu_core": 1}]}"#;

/// Shows an example and waits until it has been run.
async fn run(page: &Page, name: &str) -> Outcome {
    show(page, name).await?;
    page.expect_part("blocks-told", "in ").await?;
    page.wait_for("tile-end").await.map(drop)
}

#[test]
fn the_worked_example_stands_beside_what_was_published() -> Outcome {
    on_page("", async |page| {
        run(&page, "paredes-example").await?;
        page.expect("tile-end", "12 s").await?;
        page.expect("tile-deadlines", "all met").await?;
        for (place, time) in ["4 s", "10 s", "12 s", "11 s"].into_iter().enumerate() {
            let row = format!("K{}{time}{time}{time}✓ agrees", place + 1);
            page.expect(&format!("reference-{place}"), &row).await?;
        }
        for (place, latest) in ["K110 s", "K212 s", "K312 s", "K411 s"].into_iter().enumerate() {
            page.expect_part(&format!("worst-{place}"), latest).await?;
        }
        page.expect_part("worst-said", "proven").await?;
        page.expect_part("utilisation", "72.5 % of the device").await
    })
}

#[test]
fn the_steps_unfold_as_in_the_worked_example() -> Outcome {
    on_page("", async |page| {
        run(&page, "paredes-example").await?;
        page.click("steps-open").await?;
        page.expect("step-1", "2K26 ≥ 7? no6—4 s2{(6 s, 6)}").await?;
        page.expect("step-2", "3K22 ≥ 1? yes110 s4 s1{(6 s, 6), (10 s, 1)}").await?;
        page.expect("step-5", "6K45 ≥ 5? yes511 s6 s0{(10 s, 2), (11 s, 5), (12 s, 1)}").await
    })
}

#[test]
fn a_worst_order_opens_as_a_document_and_undo_comes_back() -> Outcome {
    on_page("", async |page| {
        run(&page, "paredes-example").await?;
        page.click("worst-0-open").await?;
        page.expect("title", "Four kernels on the Jetson TX2, launched K2, K3, K4, K1").await?;
        page.expect_part("kernel-3", "K1").await?;
        page.expect_part("kernel-3", "10 s").await?;
        page.expect_part("worst-3", "the present one").await?;
        page.click("undo").await?;
        page.expect("title", "Four kernels on the Jetson TX2").await?;
        page.expect_part("kernel-0", "K1").await
    })
}

#[test]
fn the_printed_formula_is_told_where_it_is_wrong() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("equal.json", EQUAL)]).await?;
        page.expect("title", "Equal times").await?;
        page.expect_part("formula-0", "7.5 ms").await?;
        page.expect_part("formula-0", "exactly the places that are free").await?;
        page.expect_part("formula-1", "17.5 ms").await?;
        page.expect_part("formula-1", "Wrong since an earlier kernel").await
    })
}

#[test]
fn where_the_analysis_does_not_apply_it_says_why() -> Outcome {
    on_page("", async |page| {
        run(&page, "priorities").await?;
        page.expect_part("analysis-fails", "All kernels have the same priority. Here:").await?;
        that(!page.has("worst").await?, || "worst orders without their assumptions".to_owned())?;
        page.expect_part("kernels", "Simulation").await
    })
}

#[test]
fn an_edit_in_the_form_changes_the_result() -> Outcome {
    on_page("", async |page| {
        run(&page, "paredes-example").await?;
        let duration = "field-blocks-streams-0-operations-0-duration";
        page.expect_value(duration, "4000").await?;
        // What is written into a field without a pause is one undo: for the page no time passes from one to the next.
        page.hold_clock(true).await?;
        page.fill(duration, "1.5").await?;
        page.expect_part("kernel-0", "1.5 ms").await?;
        page.fill(duration, "1 s").await?;
        page.expect_part("kernel-0", "1 s").await?;
        page.expect_value(duration, "1 s").await?;
        page.click("undo").await?;
        page.expect_value(duration, "4000").await?;
        page.expect_part("kernel-0", "4 s").await
    })
}

#[test]
fn a_wrong_value_is_told_beneath_it_and_the_picture_stays() -> Outcome {
    on_page("", async |page| {
        run(&page, "paredes-example").await?;
        let threads = "field-blocks-streams-0-operations-0-threads";
        page.fill(threads, "many").await?;
        page.expect_part("notes-blocks-streams-0-operations-0-kernel", "Threads: \"many\". Expected").await?;
        page.expect_part("blocks-told", "mistakes").await?;
        page.expect("tile-end", "12 s").await?;
        page.fill("field-blocks-streams-0-operations-0-duration", "soon").await?;
        page.expect_part("notes-blocks-streams-0-operations-0-kernel", "Expected a time in ms").await?;
        page.click("undo").await?;
        page.click("undo").await?;
        page.expect_part("blocks-told", " in ").await?;
        page.expect("notes-blocks-streams-0-operations-0-kernel", "").await
    })
}

#[test]
fn streams_and_operations_come_go_and_move() -> Outcome {
    on_page("", async |page| {
        run(&page, "paredes-example").await?;
        page.click("stream-add").await?;
        page.expect_value("field-blocks-streams-4-label", "stream 5").await?;
        page.expect("tile-kernels", "5").await?;
        for kind in ["kernel", "copy", "sleep", "wait"] {
            page.click(&format!("stream-4-add-{kind}")).await?;
        }
        page.expect("tile-copies", "1").await?;
        page.expect_value("field-blocks-streams-4-operations-1-kernel", "K6").await?;
        page.click("stream-4-operation-1-down").await?;
        page.expect_value("field-blocks-streams-4-operations-2-kernel", "K6").await?;
        page.click("stream-4-remove").await?;
        page.expect("tile-kernels", "4").await?;
        page.click("stream-0-down").await?;
        page.expect_part("kernel-0", "K2").await?;
        page.expect_part("stream-1", "stream 1").await
    })
}

#[test]
fn the_form_by_keyboard_alone() -> Outcome {
    on_page("", async |page| {
        run(&page, "paredes-example").await?;
        tab_to(&page, "stream-0-down").await?;
        page.press(&key(Key::Enter)).await?;
        page.until(
            "the keyboard stays with the stream",
            "return document.activeElement.dataset.testid === 'stream-1-down'",
        )
        .await?;
        page.press(&key(Key::Enter)).await?;
        page.until("and goes on with it", "return document.activeElement.dataset.testid === 'stream-2-down'")
            .await?;
        page.expect_part("stream-2", "stream 1").await?;
        tab_to(&page, "stream-add").await?;
        page.press(&key(Key::Enter)).await?;
        page.until(
            "the new stream's label",
            "return document.activeElement.dataset.testid === 'field-blocks-streams-4-label'",
        )
        .await?;
        same("where it is", focused(&page).await?.as_str(), "field-blocks-streams-4-label")
    })
}

#[test]
fn the_device_is_a_preset_or_written_out() -> Outcome {
    on_page("", async |page| {
        run(&page, "paredes-example").await?;
        page.choose("device", "titan-v").await?;
        page.expect_part("device-limits", "80 multiprocessors").await?;
        page.expect("tile-end", "6 s").await?;
        page.choose("device", "").await?;
        page.expect_value("field-blocks-device-sms", "80").await?;
        page.fill("field-blocks-device-sms", "1").await?;
        page.expect_part("tile-end", "s").await?;
        page.choose("field-blocks-placement", "highest-first").await?;
        page.expect_part("blocks-told", " in ").await
    })
}

#[test]
fn a_measured_run_lists_its_violations() -> Outcome {
    on_page("", async |page| {
        run(&page, "measured-run").await?;
        page.expect_part("check-verdict", "Breaks the rules").await?;
        page.expect_part("violation-0", "X1").await?;
        page.expect_part("violation-0", "K3: 0").await?;
        page.click("violation-0-show").await?;
        let marked = "return document.querySelector('[data-testid=violation-0]').getAttribute('aria-current') === 'true'";
        page.until("the violation is marked", marked).await?;
        page.expect_part("blocks-details", "K3").await?;
        // More logs, and one fewer.
        let log = file("more.json", LOG.as_bytes())?;
        page.wait_for("log-files").await?.send_keys(&log).await.map_err(|error| error.to_string())?;
        page.expect("log-said", "1 log added.").await?;
        page.expect("tile-kernels", "4").await?;
        page.click("log-0-remove").await?;
        page.expect("tile-kernels", "3").await
    })
}

#[test]
fn nothing_is_small_and_nothing_sticks_out() -> Outcome {
    in_browser(Look::default(), async |page| {
        for name in ["paredes-example", "measured-run"] {
            for width in [1440, 1024, 390, 320] {
                page.look(Look { width, ..Look::default() }).await?;
                page.go("").await?;
                run(&page, name).await?;
                page.eval("document.querySelectorAll('details').forEach((e) => { e.open = true; })", vec![])
                    .await?;
                same(&format!("small at {width}"), too_small(&page).await?, json!([]))?;
                fits(&page, &format!("{name} at {width}")).await?;
            }
        }
        same("complaints", page.complaints().await?, vec![])
    })
}
