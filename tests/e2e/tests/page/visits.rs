//! Searches while someone is elsewhere: they rest, and go on from where they were.

use warpspan_e2e::{Look, Outcome, in_browser, key_escape, on_page, same, that};

use crate::keyboard::focused;
use crate::proof;
use crate::search::{begin, beyond, done};

#[test]
fn a_search_outlives_visits_elsewhere_and_another_title() -> Outcome {
    in_browser(Look::default(), async |page| {
        begin(&page).await?;
        beyond(&page, 100_000).await?;
        let before = done(&page).await?;
        page.click("lab-blocks").await?;
        crate::blocks::drawn(&page, "paredes-example").await?;
        page.idle().await?; // it rests meanwhile
        page.click("lab-warps").await?;
        page.expect("search-pause", "Pause").await?;
        that(done(&page).await? >= before, || "the chains began again".to_owned())?;
        beyond(&page, before).await?;

        let before = done(&page).await?;
        page.fill("field-title", "Another title").await?;
        page.expect("title", "Another title").await?;
        that(done(&page).await? >= before, || "the chains began again".to_owned())?;
        // Esc in a field leaves it for the picture, and stops nothing.
        page.press(&key_escape()).await?;
        same("the focus", focused(&page).await?.as_str(), "plot")?;
        page.expect("search-pause", "Pause").await?;

        page.click("room-lessons").await?;
        page.wait_for("card-orders").await?;
        page.click("lab-warps").await?;
        page.expect("search-pause", "Pause").await?;
        that(done(&page).await? >= before, || "the chains began again".to_owned())?;

        page.click("search-pause").await?;
        page.expect_part("search-told", "Paused: ").await?;
        page.idle().await?;
        let told = page.text("search-told").await?;
        page.click("lab-blocks").await?;
        page.wait_for("blocks-plot").await?;
        page.click("lab-warps").await?;
        page.expect("search-told", &told).await?;
        page.expect("search-resume", "Resume").await
    })
}

#[test]
fn a_proof_pauses_goes_on_and_outlives_a_visit_elsewhere() -> Outcome {
    on_page("", async |page| {
        page.go(&proof::to(&proof::endless())?).await?;
        page.click("proof-run").await?;
        page.wait_for("proof-bounds").await?;
        page.click("proof-pause").await?;
        page.expect_part("proof-told", "Paused after ").await?;
        page.idle().await?;
        // What the worker has told just before it heard of the pause has come by then.
        page.frames(30).await?;
        let known = (page.text("proof-bounds").await?, page.text("proof-told").await?);
        page.click("lab-blocks").await?;
        crate::blocks::drawn(&page, "paredes-example").await?;
        page.click("lab-warps").await?;
        page.expect("proof-resume", "Resume").await?;
        same("what is known", (page.text("proof-bounds").await?, page.text("proof-told").await?), known)?;
        page.click("proof-resume").await?;
        page.expect_part("proof-told", "Searching, cycle ").await?;

        // One that runs goes on after the visit.
        page.click("lab-blocks").await?;
        crate::blocks::drawn(&page, "paredes-example").await?;
        page.idle().await?;
        page.click("lab-warps").await?;
        page.expect("proof-pause", "Pause").await?;
        page.wait_for("proof-bounds").await?;
        page.click("proof-stop").await?;
        page.expect_part("proof-told", "Stopped after ").await
    })
}
