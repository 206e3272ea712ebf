//! The room of examples: cards with pictures, what is looked for, and addresses that people can write.

use serde_json::json;
use warpspan_e2e::{Look, Outcome, Page, in_browser, on_page, same};

use crate::reach::{fits, too_small};

/// The examples that are seen, by their names.
async fn seen(page: &Page) -> Result<serde_json::Value, String> {
    let script = "return [...document.querySelectorAll('.card:not([hidden])')].map((e) => e.dataset.testid)";
    page.eval(script, vec![]).await
}

#[test]
fn examples_are_looked_for_and_opened() -> Outcome {
    on_page("", async |page| {
        page.click("room-examples").await?;
        page.wait_for("example-voronoi-16").await?;
        page.until("a picture", "return document.querySelectorAll('.thumb.drawn').length > 0").await?;
        page.click("chip-blocks").await?;
        page.click("chip-P").await?;
        page.expect("gallery-listed", "5 examples").await?;
        page.until("the address", "return location.hash === '#examples=blocks/P'").await?;
        page.click("chip-P").await?;
        page.fill("gallery-search", "overlap").await?;
        same("what is found", seen(&page).await?, json!(["example-copies"]))?;
        page.eval("document.querySelector('[data-testid=example-copies] a').click()", vec![]).await?;
        page.expect("title", "Copies overlap with kernels").await
    })
}

#[test]
fn an_example_has_a_short_address() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.go("#example=head-of-line").await?;
        page.expect("title", "A large block at the head of the queue").await?;
        page.visit("#example=nothing").await?;
        page.expect_part("trouble", "there is none called \"nothing\"").await?;
        page.visit("#example=teaching").await?;
        page.expect_part("title", "AMALTHEA").await
    })
}

#[test]
fn everybody_reaches_the_examples() -> Outcome {
    in_browser(Look::default(), async |page| {
        for width in [1440, 390, 320] {
            page.look(Look { width, ..Look::default() }).await?;
            page.go("#examples").await?;
            page.wait_for("example-voronoi-16").await?;
            fits(&page, &format!("examples at {width}")).await?;
            same(&format!("small at {width}"), too_small(&page).await?, json!([]))?;
        }
        Ok(())
    })
}
