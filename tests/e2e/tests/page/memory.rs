//! Loads that take longer than a cycle: the example, the form, and what is wrong with it.

use serde_json::{Value, json};
use warpspan_e2e::{Look, Outcome, in_browser, on_page, same, that};

use crate::scenario_panel::show;

/// How far the page is from fitting its window.
const STICKS_OUT: &str = "return Math.max(0, document.documentElement.scrollWidth - innerWidth)";

#[test]
fn misses_are_placed_where_it_takes_longest_and_drawn_as_long_as_they_take() -> Outcome {
    on_page("", async |page| {
        show(&page, "memory-misses").await?;
        page.expect("makespan", "9 cycles").await?;
        // Without any miss the same order takes 7 cycles, and one load a cycle is what everybody else has.
        page.choose("memory-misses", "none").await?;
        page.expect("makespan", "7 cycles").await?;
        page.click("memory").await?;
        page.expect("makespan", "7 cycles").await?;
        page.click("undo").await?;
        page.click("undo").await?;
        page.expect("makespan", "9 cycles").await
    })
}

#[test]
fn a_wrong_number_is_told_at_its_field_and_the_picture_stands() -> Outcome {
    on_page("", async |page| {
        show(&page, "memory-misses").await?;
        page.expect("makespan", "9 cycles").await?;
        page.fill("field-warps-memory-miss", "0").await?;
        page.expect_part("problems", "Cycles of a miss").await?;
        page.expect("makespan", "9 cycles").await?;
        page.fill("field-warps-memory-miss", "3").await?;
        page.until(
            "a longer schedule",
            "return parseInt(document.querySelector('[data-testid=makespan]').textContent) > 9",
        )
        .await
    })
}

#[test]
fn the_worst_case_is_that_of_the_command_line() -> Outcome {
    on_page("", async |page| {
        show(&page, "memory-misses").await?;
        page.click("as-json").await?;
        let mut document: Value =
            serde_json::from_str(&page.value("json").await?).map_err(|error| error.to_string())?;
        document["warps"]["method"] = json!({"exact": {}});
        document["title"] = json!("Two misses, exact");
        let scenario = warpspan::scenario::from_tree(&document).map_err(|found| format!("{found:?}"))?;
        let report: Value =
            serde_json::from_str(&warpspan::job::run(scenario).line()).map_err(|error| error.to_string())?;
        that(report["exact"] == json!(true), || "natively it is not proven".to_owned())?;
        page.put("json", &document.to_string()).await?;
        page.click("proof-run").await?;
        page.expect("title", "Two misses, exact").await?;
        page.expect("makespan", &format!("{} cycles", report["makespan"])).await?;
        page.expect_part("bounds", "proven").await
    })
}

#[test]
fn the_form_fits_a_phone() -> Outcome {
    in_browser(Look { width: 390, height: 844, ..Look::default() }, async |page| {
        page.go("").await?;
        show(&page, "memory-voronoi").await?;
        page.wait_for("makespan").await?;
        same("pixels that stick out", page.eval(STICKS_OUT, vec![]).await?, json!(0))
    })
}
