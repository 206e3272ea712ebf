//! The experiment of the tasks lab and the table on the GPU: with a processor that stands in for one, and without.

use serde_json::{Value, json};
use warpspan_e2e::{Browser, Look, Outcome, Page, in_browser, on_page, same, that, with_software_gpu};

use crate::reach::{fits, too_small};

/// Random tasks that are measured at once.
const SMALL: &str = r#"{"warpspan": 1, "title": "Small tasks", "tasks": {"experiment": {"sizes": [3, 6, 10], "most": 60, "fan": 3, "seed": 1}}}"#;
/// A set of two tasks.
const SET: &str = r#"{"warpspan": 1, "title": "Two tasks", "tasks": [
    {"name": "A", "period": 50, "vertices": [{"name": "a", "e": 2, "d": 5}, {"name": "b", "e": 3, "d": 8}], "edges": [["a", "b", 10]]},
    {"name": "B", "period": 40, "vertices": [{"name": "c", "e": 4, "d": 9}]}]}"#;

/// Opens a document and waits for the last row of the experiment.
async fn measured(page: &Page) -> Outcome {
    page.drop_files(&[("small.json", SMALL)]).await?;
    page.expect_part("experiment-2", "✓ equal").await
}

#[test]
fn every_size_is_measured_and_the_front_is_what_the_table_holds() -> Outcome {
    on_page("", async |page| {
        measured(&page).await?;
        for place in 0..3 {
            page.expect_part(&format!("experiment-{place}"), "✓ equal").await?;
        }
        page.expect_part("experiment-2", "148 ms").await?; // published, for 10 vertices
        page.expect_part("experiment-legend", "front, processor, here").await?;
        page.expect_part("experiment-drawn", "at most 3 edges to a vertex, seed 1").await?;
        let csv = page.download("experiment-csv").await?.text;
        same("lines", csv.lines().count(), 4)?;
        that(csv.lines().skip(1).all(|line| line.contains(",true,")), || csv.clone())
    })
}

#[test]
fn chart_and_report_are_saved() -> Outcome {
    on_page("", async |page| {
        measured(&page).await?;
        let saved = page.download("experiment-svg").await?;
        same("its name", saved.name.as_str(), "small-tasks.svg")?;
        for wanted in ["<metadata>http", "B: front, processor, here</text>", "Vertices of the task</text>"] {
            that(saved.text.contains(wanted), || format!("{wanted} in {}", saved.text))?;
        }
        let [_, _, width, _] = page.rect("[data-testid=experiment-plot] canvas").await?;
        let (wide, high) = page.download("experiment-png").await?.size.ok_or("no picture")?;
        that(wide == (width * 2.0).round() as u64 && high > 640, || format!("{wide} x {high} of {width}"))?;
        let saved = page.download("experiment-report").await?;
        same("its name", saved.name.as_str(), "small-tasks.report.json")?;
        let found: Value = serde_json::from_str(&saved.text).map_err(|error| error.to_string())?;
        same("sizes", found["experiment"].as_array().map(Vec::len), Some(3))?;
        same("its lines", saved.text.trim_end().lines().count(), 1)
    })
}

#[test]
fn the_gpu_fills_the_same_table() -> Outcome {
    with_software_gpu(async |page| {
        measured(&page).await?;
        page.click("gpu-start").await?;
        page.expect_part("gpu-details", "10 vertices").await?;
        page.until("the GPU to be done", "return document.querySelector('[data-testid=gpu-stop]').hidden")
            .await?;
        page.expect_part("gpu-details", "cells, with and without workgroup memory").await?;
        page.expect_part("gpu-adapter", "swiftshader").await?;
        for place in 0..3 {
            let row = page.text(&format!("experiment-{place}")).await?;
            same(&row, row.matches("✓ equal").count(), 2)?;
        }
        page.expect_part("experiment-legend", "GPU with workgroup memory, here").await
    })
}

#[test]
fn the_table_of_a_set_is_filled_on_the_gpu_too() -> Outcome {
    with_software_gpu(async |page| {
        page.drop_files(&[("set.json", SET)]).await?;
        page.wait_for("gpu-check").await?;
        page.eval("document.querySelector('[data-testid=gpu-check]').open = true", vec![]).await?;
        page.click("gpu-start").await?;
        page.expect_part("gpu-said", "equal in all").await
    })
}

#[test]
fn without_a_gpu_the_page_says_what_to_do_and_goes_on() -> Outcome {
    on_page("", async |page| {
        measured(&page).await?;
        page.click("gpu-start").await?;
        let what = match page.browser {
            Browser::Chromium => "finds no GPU",
            // In 153 it is for Windows and Apple silicon only.
            Browser::Firefox => "has no WebGPU",
        };
        page.expect_part("gpu-failed", what).await?;
        page.expect_part("experiment-0", "✓ equal").await
    })
}

#[test]
fn the_experiment_fits_a_phone() -> Outcome {
    in_browser(Look { width: 390, height: 844, ..Look::default() }, async |page| {
        page.go("").await?;
        page.wait_for("makespan").await?;
        measured(&page).await?;
        fits(&page, "the experiment").await?;
        same("small", too_small(&page).await?, json!([]))
    })
}
