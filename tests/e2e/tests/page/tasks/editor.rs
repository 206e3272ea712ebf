//! The editor of graphs by mouse: vertices are moved, joined, changed and taken away; what is no task is refused.

use serde_json::{Value, json};
use warpspan_e2e::{Held, Outcome, Page, on_page, same, that, with_control};

use super::{checked, document, expect_in, middle, open};

/// Opens the controller with its text beside it.
async fn begin(page: &Page) -> Result<Value, String> {
    open(page, "tasks-controller").await?;
    page.wait_for("vertex-3").await?;
    // Places are measured once nothing moves any more.
    page.idle().await?;
    document(page).await
}

/// That the document is no task now, that it is said where, and that the result is still that of before.
async fn is_refused(page: &Page, words: &str) -> Outcome {
    page.expect_part("problems", words).await?;
    page.expect("tasks-told", "The document has mistakes in it; this is of the one before.").await?;
    page.expect("tile-exact", "accepted").await?;
    page.click("as-form").await?;
    page.expect_part("notes-tasks-0-edges", words).await
}

/// Double-clicks what is to be changed, and waits until the keyboard is in the field that is changed first.
async fn change(page: &Page, (x, y): (f64, f64), field: &str) -> Outcome {
    page.double_click_at(x, y).await?;
    let there = format!("return document.activeElement.dataset.testid === '{field}'");
    page.until(&format!("the keyboard in {field}"), &there).await
}

async fn undo(page: &Page) -> Outcome {
    page.blur().await?;
    page.press(&with_control("z")).await
}

#[test]
fn a_vertex_is_dragged_and_undo_takes_it_back_as_one_step() -> Outcome {
    on_page("", async |page| {
        let before = begin(&page).await?;
        let (x, y) = middle(&page, "vertex-2", ".body").await?;
        let apart = beside(&page).await?;
        page.drag((x, y), (x + 40.0, y + 30.0), Held::Nothing).await?;
        page.until(
            "a place in the document",
            "return document.querySelector('[data-testid=json]').value.includes('\"x\"')",
        )
        .await?;
        let moved = document(&page).await?;
        let vertex = &moved["tasks"][0]["vertices"][2];
        that(vertex["x"].is_number() && vertex["y"].is_number(), || vertex.to_string())?;
        page.idle().await?;
        let (to_x, to_y) = beside(&page).await?;
        that((to_x - apart.0 - 40.0).abs() < 2.0 && (to_y - apart.1 - 30.0).abs() < 2.0, || {
            format!("at {to_x}, {to_y}, from {apart:?}")
        })?;
        page.expect("tile-exact", "accepted").await?;
        undo(&page).await?;
        expect_in(&page, "", &before).await?;
        let (back_x, back_y) = beside(&page).await?;
        that((back_x - apart.0).abs() < 2.0 && (back_y - apart.1).abs() < 2.0, || {
            format!("back at {back_x}, {back_y}, from {apart:?}")
        })
    })
}

#[test]
fn a_vertex_that_is_dragged_out_takes_the_window_along() -> Outcome {
    on_page("", async |page| {
        begin(&page).await?;
        // There is a way from the chart to the graph.
        page.click("tasks-to-graph").await?;
        let [left, top, wide, _] = page.rect("[data-testid=graph-plot]").await?;
        that((0.0..700.0).contains(&top), || format!("the graph is at {top}"))?;
        let (x, y) = middle(&page, "vertex-2", ".body").await?;
        page.press_at((x, y)).await?;
        for by in [2.0, 6.0, 10.0] {
            page.hover((left + wide + by, y)).await?;
        }
        let inside = "const box = (s) => document.querySelector(s).getBoundingClientRect();
            const [vertex, plot] = [box('[data-testid=vertex-2] .body'), box('[data-testid=graph-plot]')];
            return vertex.left < plot.right && vertex.right > plot.left";
        page.until("the vertex to be in sight", inside).await?;
        page.let_go().await?;
        let all = "const box = (s) => document.querySelector(s).getBoundingClientRect();
            const plot = box('[data-testid=graph-plot]');
            return [...document.querySelectorAll('.graph-drawing .vertex .body')].map((e) => e.getBoundingClientRect())
                .every((body) => body.left >= plot.left && body.right <= plot.right)";
        page.until("all to fit again", all).await
    })
}

/// How far the vertex that is dragged is from one that is not: the window may move to keep both in sight.
async fn beside(page: &Page) -> Result<(f64, f64), String> {
    let (moved, left) = (middle(page, "vertex-2", ".body").await?, middle(page, "vertex-0", ".body").await?);
    Ok((moved.0 - left.0, moved.1 - left.1))
}

#[test]
fn two_vertices_are_joined_from_the_handle() -> Outcome {
    on_page("", async |page| {
        begin(&page).await?;
        let (from, to) =
            (middle(&page, "vertex-1", ".handle").await?, middle(&page, "vertex-2", ".body").await?);
        page.drag(from, to, Held::Nothing).await?;
        page.wait_for("edge-4").await?;
        expect_in(&page, "/tasks/0/edges/4", &json!(["follow", "recover", 30])).await?;
        checked(&page).await?;
        page.expect_part("status", "follow leads to recover").await?;
        // The layout has moved them.
        let (from, to) =
            (middle(&page, "vertex-1", ".handle").await?, middle(&page, "vertex-2", ".body").await?);
        page.drag(from, to, Held::Nothing).await?;
        page.expect_part("status", "follow leads to recover already").await?;
        same("edges", document(&page).await?["tasks"][0]["edges"].as_array().map(Vec::len), Some(5))
    })
}

#[test]
fn a_double_click_changes_numbers_and_the_verdict_with_them() -> Outcome {
    on_page("", async |page| {
        begin(&page).await?;
        let vertex = middle(&page, "vertex-2", ".body").await?;
        change(&page, vertex, "graph-write-e").await?;
        page.fill("graph-write-e", "28").await?;
        page.click("graph-write-done").await?;
        page.gone("graph-writing").await?;
        page.expect_part("tasks-verdict", "in an interval of 110 there can be 115 to execute").await?;
        expect_in(&page, "/tasks/0/vertices/2/e", &json!(28)).await?;
        page.expect_part("vertex-2", "e 28").await?;
        let edge = middle(&page, "edge-1", ".p").await?;
        change(&page, edge, "graph-write-p").await?;
        page.fill("graph-write-p", "500").await?;
        page.press("\n").await?;
        expect_in(&page, "/tasks/0/edges/1/2", &json!(500)).await?;
        page.gone("graph-writing").await?;
        undo(&page).await?;
        expect_in(&page, "/tasks/0/edges/1/2", &json!(15)).await
    })
}

#[test]
fn what_is_written_and_cancelled_changes_nothing() -> Outcome {
    on_page("", async |page| {
        let before = begin(&page).await?;
        let vertex = middle(&page, "vertex-2", ".body").await?;
        change(&page, vertex, "graph-write-e").await?;
        page.fill("graph-write-name", "follow").await?;
        page.press("\n").await?;
        page.expect_part("graph-writing", "A vertex needs a name of its own.").await?;
        page.fill("graph-write-e", "99").await?;
        page.click("graph-write-cancel").await?;
        page.gone("graph-writing").await?;
        expect_in(&page, "", &before).await
    })
}

#[test]
fn a_double_click_on_the_ground_adds_and_delete_removes() -> Outcome {
    on_page("", async |page| {
        begin(&page).await?;
        let (x, y) = middle(&page, "vertex-1", ".body").await?;
        page.click_at(x, y).await?;
        page.press(&warpspan_e2e::key(fantoccini::key::Key::Delete)).await?;
        page.gone("vertex-3").await?;
        expect_in(&page, "/tasks/0/edges", &json!([["sense", "recover", 15], ["recover", "actuate", 40]]))
            .await?;
        page.expect_part("status", "Removed follow").await?;
        checked(&page).await?;
        let (x, y) = middle(&page, "vertex-0", ".body").await?;
        page.double_click_at(x, y - 100.0).await?;
        page.wait_for("vertex-3").await?;
        // A vertex alone is a second source and a second sink.
        is_refused(&page, "source").await?;
        undo(&page).await?;
        page.gone("vertex-3").await?;
        checked(&page).await
    })
}

#[test]
fn a_cycle_is_refused_where_it_is_and_the_old_result_stands() -> Outcome {
    on_page("", async |page| {
        begin(&page).await?;
        let (from, to) =
            (middle(&page, "vertex-3", ".handle").await?, middle(&page, "vertex-0", ".body").await?);
        page.drag(from, to, Held::Nothing).await?;
        page.wait_for("edge-4").await?;
        is_refused(&page, "cycle").await?;
        undo(&page).await?;
        page.gone("edge-4").await?;
        checked(&page).await?;
        page.expect("notes-tasks-0-edges", "").await
    })
}

#[test]
fn a_second_sink_is_refused_too() -> Outcome {
    on_page("", async |page| {
        begin(&page).await?;
        let (x, y) = middle(&page, "edge-2", ".p").await?;
        page.click_at(x, y).await?;
        page.click("graph-remove").await?;
        page.gone("edge-3").await?;
        is_refused(&page, "sink").await
    })
}
