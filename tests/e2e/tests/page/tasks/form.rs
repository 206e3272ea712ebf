//! The form of a tasks document: numbers, vertices and edges, and what is wrong told at its place.

use serde_json::json;
use warpspan_e2e::{Outcome, Page, on_page, same};

use super::{checked, expect_in, open};

async fn is_invalid(page: &Page, id: &str, wanted: bool) -> Outcome {
    let script = format!("return document.querySelector('[data-testid={id}]').ariaInvalid === '{wanted}'");
    page.until(&format!("{id} marked: {wanted}"), &script).await
}

#[test]
fn a_shorter_deadline_changes_the_verdict() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-controller").await?;
        page.fill("field-tasks-0-vertices-2-d", "20").await?;
        page.expect_part("tasks-verdict", "in an interval of 20 there can be 25 to execute").await?;
        page.expect("tile-exact", "rejected").await?;
        page.expect_part("vertex-2", "d 20").await?;
        page.click("undo").await?;
        page.expect("tile-exact", "accepted").await?;
        page.expect_value("field-tasks-0-vertices-2-d", "40").await
    })
}

#[test]
fn a_vertex_and_its_edges_are_added() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-controller").await?;
        page.click("task-0-vertices-add").await?;
        page.wait_for("field-tasks-0-vertices-4-name").await?;
        page.until(
            "the keyboard in the new row",
            "return document.activeElement.dataset.testid === 'field-tasks-0-vertices-4-name'",
        )
        .await?;
        page.wait_for("vertex-4").await?;
        page.expect_part("notes-tasks-0-edges", "source").await?;
        page.put("field-tasks-0-vertices-4-name", "idle").await?;
        page.fill("field-tasks-0-vertices-4-e", "3").await?;
        // What it says stands above the button, and moves it.
        page.expect_part("notes-tasks-0-edges", "sense and idle").await?;
        for edge in 4..6 {
            page.click("task-0-edges-add").await?;
            page.wait_for(&format!("field-tasks-0-edges-{edge}-0")).await?;
        }
        page.choose("field-tasks-0-edges-4-0", "sense").await?;
        page.choose("field-tasks-0-edges-4-1", "idle").await?;
        page.choose("field-tasks-0-edges-5-0", "idle").await?;
        page.choose("field-tasks-0-edges-5-1", "actuate").await?;
        page.fill("field-tasks-0-edges-5-2", "35").await?;
        checked(&page).await?;
        page.expect("notes-tasks-0-edges", "").await?;
        page.expect("tile-exact", "accepted").await?;
        same("edges in the graph", page.count(".graph-drawing .edge").await?, 6)?;
        expect_in(&page, "/tasks/0/edges/5", &json!(["idle", "actuate", 35])).await?;
        page.click("as-form").await?;
        page.click("task-0-vertices-4-remove").await?;
        page.gone("vertex-4").await?;
        checked(&page).await
    })
}

#[test]
fn a_wrong_number_is_told_at_its_field() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-controller").await?;
        page.fill("field-tasks-0-vertices-2-e", "x").await?;
        is_invalid(&page, "field-tasks-0-vertices-2-e", true).await?;
        page.expect_part("notes-tasks-0-vertices", "recover, e").await?;
        page.expect_part("notes-tasks-0-vertices", "a whole number").await?;
        page.expect("tile-exact", "accepted").await?;
        page.fill("field-tasks-0-vertices-2-e", "24").await?;
        is_invalid(&page, "field-tasks-0-vertices-2-e", false).await?;
        checked(&page).await?;
        page.expect("tile-tightest", "3").await?;
        page.fill("field-tasks-0-period", "0").await?;
        is_invalid(&page, "field-tasks-0-period", true).await?;
        page.expect_part("notes-tasks-0-name", "Period: 0. Expected a whole number, 1 to ").await
    })
}

#[test]
fn a_name_of_a_vertex_is_its_own_and_its_edges_follow() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-controller").await?;
        page.put("field-tasks-0-vertices-2-name", "settle").await?;
        page.expect_value("field-tasks-0-edges-1-1", "settle").await?;
        page.expect_part("vertex-2", "settle").await?;
        checked(&page).await?;
        page.put("field-tasks-0-vertices-2-name", "follow").await?;
        page.until("it to be refused", "return document.body.innerText.includes('A name of its own.')")
            .await?;
        expect_in(&page, "/tasks/0/vertices/2/name", &json!("settle")).await
    })
}
