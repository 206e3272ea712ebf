//! What was pinned in other labs than Warps stands with what comes next, with the numbers of both; links carry it.

use serde_json::json;
use warpspan_e2e::{Outcome, Page, on_page, that};

/// Changes something in the document, under JSON.
async fn change(page: &Page, from: &str, to: &str) -> Outcome {
    if !page.has("json").await? {
        page.click("as-json").await?;
        page.wait_for("json").await?;
    }
    let text = page.value("json").await?;
    that(text.contains(from), || format!("no {from} in the document"))?;
    page.put("json", &text.replacen(from, to, 1)).await
}

/// Opens the address again, as whoever follows the link does.
async fn follow(page: &Page) -> Outcome {
    page.until("the link to carry what is pinned", "return location.hash.includes('&pin=')").await?;
    page.quiet().await?;
    let link = page.fragment().await?;
    page.go("#example=figure-2").await?;
    page.wait_for("makespan").await?;
    page.go(&format!("#{}", link.trim_start_matches('#'))).await
}

#[test]
fn blocks_stand_beneath_those_that_were_pinned() -> Outcome {
    on_page("", async |page| {
        page.go("#example=paredes-example").await?;
        page.wait_for("blocks-plot").await?;
        // Before, there may be more to come, and another result to pin.
        page.expect_part("blocks-told", "ed in ").await?;
        page.click("blocks-keep").await?;
        page.expect_part("blocks-kept", "Pinned: ").await?;
        page.gone("blocks-changes").await?;
        change(&page, "\"duration\": ", "\"duration\": 1").await?;
        page.expect_part("blocks-changes", "Ends at").await?;
        page.expect_part("blocks-changes", "worse").await?;
        page.wait_for("play-pinned").await?;
        page.expect_part("blocks-moved", " not as pinned").await?;
        follow(&page).await?;
        page.expect_part("blocks-changes", "Ends at").await?;
        page.click("blocks-let-go").await?;
        page.gone("blocks-changes").await
    })
}

#[test]
fn the_demand_that_was_pinned_is_compared() -> Outcome {
    on_page("", async |page| {
        page.go("#example=tasks-controller").await?;
        page.expect_part("tasks-told", "Computed in ").await?;
        page.click("tasks-keep").await?;
        page.expect_part("tasks-kept", "Pinned: ").await?;
        change(&page, "\"e\": 1", "\"e\": 2").await?;
        page.expect_part("tasks-changes", "Utilisation").await?;
        page.expect_part("tasks-changes", "worse").await?;
        page.click("tasks-let-go").await?;
        page.gone("tasks-changes").await
    })
}

#[test]
fn machine_code_stands_beneath_what_was_pinned() -> Outcome {
    on_page("", async |page| {
        page.go("#example=code-saxpy").await?;
        page.expect_part("code-told", "computed in").await?;
        page.click("code-keep").await?;
        page.expect_part("code-kept", "Pinned: ").await?;
        page.fill("code-latency-global", "30 40").await?;
        page.press("\n").await?;
        page.expect_part("code-changes", "This schedule takes").await?;
        page.expect_part("code-changes", "better").await?;
        page.click("code-let-go").await?;
        page.gone("code-changes").await
    })
}

#[test]
fn a_link_carries_the_schedule_that_was_pinned_and_cells_are_tinted() -> Outcome {
    on_page("", async |page| {
        page.go("#example=figure-2").await?;
        page.arrived().await?;
        page.click("keep").await?;
        page.click("as-json").await?;
        page.wait_for("json").await?;
        let text = page.value("json").await?;
        let mut tree: serde_json::Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        tree["warps"]["method"] = json!({ "initial": "random", "seed": 3 });
        page.put("json", &tree.to_string()).await?;
        page.wait_for("differs").await?;
        follow(&page).await?;
        page.expect_part("kept", "Pinned: ").await?;
        page.wait_for("differs").await.map(drop)
    })
}
