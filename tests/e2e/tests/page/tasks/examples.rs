//! The way into the lab and back, and every example with its verdict.

use warpspan::scenario::builtin::BUILTINS;
use warpspan_e2e::{Outcome, Page, on_page, same, that};

use super::{checked, open};
use crate::scenario_panel::show;

const HEADING: &str =
    "return document.querySelector('h1').textContent === 'Tasks: Do recurring tasks meet their deadlines?'";

/// What the first example says.
async fn is_controller(page: &Page) -> Outcome {
    page.until("the heading of the lab", HEADING).await?;
    checked(page).await?;
    page.expect("title", "A controller with branches").await?;
    page.expect("tasks-verdict", "EDF meets every deadline.").await?;
    page.expect_part("tasks-equation", "accepts the set").await?;
    for (tile, value) in [
        ("exact", "accepted"),
        ("equation", "accepted"),
        ("utilisation", "73.5 %"),
        ("t-max", "883.02"),
        ("tightest", "1"),
    ] {
        page.expect(&format!("tile-{tile}"), value).await?;
    }
    Ok(())
}

#[test]
fn a_key_and_the_tab_lead_to_the_first_example_and_back_returns() -> Outcome {
    on_page("", async |page| {
        page.blur().await?;
        page.press("4").await?;
        is_controller(&page).await?;
        // The address follows after a moment; Back leads to what is in it by then.
        page.until("an address", "return location.hash.length > 1").await?;
        page.eval("history.back()", vec![]).await?;
        page.expect("makespan", "154 cycles").await?;
        page.click("lab-tasks").await?;
        is_controller(&page).await?;
        page.press("3").await?;
        page.wait_for("blocks-plot").await?;
        page.press("4").await?;
        is_controller(&page).await?;
        page.press("1").await?;
        page.expect("makespan", "154 cycles").await
    })
}

#[test]
fn undo_leads_back_to_the_lab_of_the_document() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-controller").await?;
        page.click("undo").await?;
        page.expect("makespan", "154 cycles").await?;
        let current = "return document.querySelector('[data-testid=lab-warps]').ariaCurrent === 'page'";
        page.until("the lab of warps", current).await?;
        page.click("redo").await?;
        is_controller(&page).await
    })
}

#[test]
fn every_example_has_its_verdict() -> Outcome {
    on_page("", async |page| {
        for (name, exact, equation) in [
            ("tasks-controller", "accepted", "accepted"),
            ("tasks-overload", "rejected", "rejected"),
            ("tasks-figure-2", "accepted", "accepted"),
            ("tasks-splice", "rejected", "rejected"),
            ("tasks-equation-rejects", "accepted", "rejected"),
        ] {
            open(&page, name).await?;
            page.expect("tile-exact", exact).await?;
            page.expect("tile-equation", equation).await?;
            page.wait_for("tasks-witness").await?;
            same(&format!("violation of {name}"), page.has("tile-violation").await?, exact == "rejected")?;
        }
        let said = page.complaints().await?;
        that(said.is_empty(), || format!("the console: {said:?}"))
    })
}

#[test]
fn all_examples_of_the_group_are_known_here() -> Outcome {
    let names: Vec<&str> = BUILTINS.iter().filter(|e| e.group == "Tasks").map(|e| e.name).collect();
    let known = ["controller", "overload", "figure-2", "splice", "equation-rejects", "experiment"];
    same("examples", names, known.map(|name| format!("tasks-{name}")).iter().map(String::as_str).collect())
}

#[test]
fn the_overloaded_one_says_where_it_fails() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-overload").await?;
        page.expect(
            "tasks-verdict",
            "EDF cannot meet every deadline: in an interval of 110 there can be 115 to execute.",
        )
        .await?;
        page.expect("tile-violation", "115 in 110").await?;
        page.expect_part("tasks-witness-told", "EDF misses ").await?;
        page.expect("tasks-worst", "First violation").await?;
        page.click("tasks-worst").await?;
        page.expect("tasks-selected", "t:110").await?;
        page.expect_part("tasks-details", "Interval of 110: 115 to execute, 5 too little").await?;
        page.expect_part("tasks-growth-told", "must shrink").await
    })
}

#[test]
fn the_one_that_only_the_equation_rejects_says_so() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-equation-rejects").await?;
        page.expect("tasks-verdict", "EDF meets every deadline.").await?;
        page.expect_part("tasks-equation", "rejects the set all the same").await?;
        page.expect_part("tasks-equation", "in an interval of 120 there can be 130").await?;
        same("a violation", page.has("tile-violation").await?, false)
    })
}

#[test]
fn the_experiment_fills_its_table_row_by_row() -> Outcome {
    on_page("", async |page| {
        show(&page, "tasks-experiment").await?;
        page.wait_for("experiment").await?;
        page.click("as-json").await?;
        let text = page.value("json").await?;
        let watch = "window.grown = []; const count = () => {
                const rows = document.querySelectorAll('[data-testid=experiment-table] tbody tr').length;
                if (window.grown.at(-1) !== rows) window.grown.push(rows);
            };
            new MutationObserver(count).observe(document.body, {subtree: true, childList: true}); count()";
        page.eval(watch, vec![]).await?;
        page.put("json", &text.replace("[10, 20, 30, 40, 50]", "[10, 20]")).await?;
        page.expect_part("tasks-told", "Computed in ").await?;
        for (row, vertices) in [("experiment-0", "10"), ("experiment-1", "20")] {
            page.expect_part(row, "✓ equal").await?;
            that(page.text(row).await?.starts_with(vertices), || row.to_owned())?;
        }
        let grown = page.string("return window.grown.join(' ')").await?;
        that(grown.ends_with("1 2"), || format!("rows over time: {grown}"))?;
        page.expect_part("experiment-1", "956 ms").await?; // published
        let said = page.complaints().await?;
        that(said.is_empty(), || format!("the console: {said:?}"))
    })
}
