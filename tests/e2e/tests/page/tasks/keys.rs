//! The editor of graphs by keyboard alone.

use fantoccini::key::Key;
use serde_json::json;
use warpspan_e2e::{Outcome, Page, key, key_escape, on_page, same, that};

use super::{checked, document, expect_in, focus, open};
use crate::keyboard::{focused, tab_to};

async fn is_at(page: &Page, id: &str) -> Outcome {
    page.until(
        &format!("the focus at {id}"),
        &format!("return document.activeElement.dataset.testid === '{id}'"),
    )
    .await
}

/// Presses Tab, and waits until the keyboard is elsewhere; gives where.
async fn tab(page: &Page) -> Result<String, String> {
    let before = focused(page).await?;
    page.press(&key(Key::Tab)).await?;
    let elsewhere =
        format!("const e = document.activeElement; return (e.dataset.testid ?? e.tagName) !== '{before}'");
    page.until(&format!("the focus to leave {before}"), &elsewhere).await?;
    focused(page).await
}

/// Opens the controller, and brings the keyboard to its first vertex.
async fn begin(page: &Page) -> Outcome {
    open(page, "tasks-controller").await?;
    document(page).await?;
    focus(page, "graph-fit").await?;
    page.press(&key(Key::Tab)).await?;
    is_at(page, "vertex-0").await
}

#[test]
fn tab_comes_to_the_first_vertex_and_walks_on() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-controller").await?;
        page.wait_for("vertex-0").await?;
        tab_to(&page, "vertex-0").await?;
        let mut walked = vec![focused(&page).await?];
        for _ in 0..7 {
            walked.push(tab(&page).await?);
        }
        let mut all = walked.clone();
        all.sort_unstable();
        all.dedup();
        same("different places", all.len(), 8)?;
        that(walked.iter().all(|id| id.starts_with("vertex-") || id.starts_with("edge-")), || {
            format!("{walked:?}")
        })?;
        let after = tab(&page).await?;
        that(!after.starts_with("vertex-") && !after.starts_with("edge-"), || format!("caught at {after}"))
    })
}

#[test]
fn enter_changes_and_arrows_move() -> Outcome {
    on_page("", async |page| {
        begin(&page).await?;
        page.press(&key(Key::Enter)).await?;
        is_at(&page, "graph-write-e").await?;
        page.press("5\n").await?;
        page.gone("graph-writing").await?;
        is_at(&page, "vertex-0").await?;
        expect_in(&page, "/tasks/0/vertices/0/e", &json!(5)).await?;
        page.expect("tile-exact", "accepted").await?;
        page.expect("tile-tightest", "0").await?;
        page.press(&key(Key::Enter)).await?;
        is_at(&page, "graph-write-e").await?;
        page.press("77").await?;
        page.press(&key_escape()).await?;
        page.gone("graph-writing").await?;
        is_at(&page, "vertex-0").await?;
        expect_in(&page, "/tasks/0/vertices/0/e", &json!(5)).await?;
        page.press(&key(Key::Down)).await?;
        page.until("a place", "return document.querySelector('[data-testid=json]').value.includes('\"y\"')")
            .await?;
        same("the interval", page.text("tasks-selected").await?.as_str(), "")?;
        // While the document is being run, Esc stops that.
        checked(&page).await?;
        page.press(&key_escape()).await?;
        is_at(&page, "graph-help").await
    })
}

#[test]
fn n_adds_c_connects_and_delete_removes() -> Outcome {
    on_page("", async |page| {
        begin(&page).await?;
        page.press("n").await?;
        is_at(&page, "vertex-4").await?;
        // After sense, and before the sink: still one source and one sink.
        page.wait_for("edge-5").await?;
        checked(&page).await?;
        page.press("c").await?;
        page.expect_part("graph-help", "Choose where the edge leads").await?;
        page.press(&key_escape()).await?;
        page.expect_part("graph-help", "Keys: Tab walks").await?;
        page.press("c").await?;
        for _ in 0..4 {
            if focused(&page).await? == "vertex-2" {
                break;
            }
            tab(&page).await?;
        }
        is_at(&page, "vertex-2").await?;
        page.press(&key(Key::Enter)).await?;
        is_at(&page, "edge-6").await?;
        checked(&page).await?;
        page.press(&key(Key::Delete)).await?;
        page.gone("edge-6").await?;
        // The keyboard goes to what is near, and then elsewhere.
        page.quiet().await?;
        focus(&page, "vertex-4").await?;
        page.press(&key(Key::Delete)).await?;
        page.gone("vertex-4").await?;
        page.gone("edge-4").await?;
        checked(&page).await?;
        page.expect("tile-tightest", "1").await?;
        let near = "return document.activeElement.dataset.testid?.startsWith('vertex-')";
        page.until("the focus at a vertex", near).await
    })
}

#[test]
fn letters_and_arrows_of_the_editor_do_not_reach_the_chart() -> Outcome {
    on_page("", async |page| {
        begin(&page).await?;
        page.press("+0-").await?;
        page.press(&key(Key::Right)).await?;
        page.quiet().await?;
        let fragment = page.fragment().await?;
        that(!fragment.contains("&t1=") && !fragment.contains("&sel="), || fragment.clone())
    })
}
