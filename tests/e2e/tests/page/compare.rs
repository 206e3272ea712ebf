//! A schedule is kept and another one compared with it: the sentence, the table, the range, the file.

use fantoccini::key::Key;
use warpspan_e2e::{Look, Outcome, Page, in_browser, key, key_escape, on_page, same, that};

use crate::scenario_panel::show;

/// Keeps round-robin, then shows fixed priority on the same kernel, warps and machine.
async fn kept_and_other(page: &Page) -> Outcome {
    page.click("keep").await?;
    page.expect("kept", "Pinned: 154 cycles").await?;
    same("a comparison with itself", page.has("compare").await?, false)?;
    show(page, "voronoi-fixed").await?;
    page.expect_part("compare-told", "the pinned one takes 154 cycles, this one 128, 26 fewer.").await
}

/// The cells of the first row of the table.
const FIRST_ROW: &str =
    "return [...document.querySelector('#differences-0').children].map((c) => c.textContent)";

#[test]
fn another_method_is_compared_with_what_was_kept() -> Outcome {
    on_page("", async |page| {
        kept_and_other(&page).await?;
        page.expect_part("compare-told", " of 400 instructions run in another cycle").await?;
        page.expect_part("compare-idle", "L, the scarcest unit, has room in").await?;
        let row = page.eval(FIRST_ROW, vec![]).await?;
        let texts = row.to_string();
        that(texts.contains("of warp ") && texts.contains("(instruction "), || texts.clone())?;
        page.click("let-go").await?;
        page.gone("compare").await?;
        page.gone("kept").await?;
        let focused = page.string("return document.activeElement.id").await?;
        same("the focus", focused.as_str(), "keep")
    })
}

#[test]
fn a_row_selects_its_cycle_in_the_figure() -> Outcome {
    on_page("", async |page| {
        kept_and_other(&page).await?;
        let grid = page.wait_for("differences").await?;
        grid.send_keys(&key(Key::Down)).await.map_err(|error| error.to_string())?;
        let row = page.eval(FIRST_ROW, vec![]).await?;
        let cycle = row[0].as_str().unwrap_or_default().to_owned();
        page.expect_part("compare-row", &format!("Cycle {cycle}. Only in the pinned one: ")).await?;
        page.expect_part("details", &format!("cycles {cycle} to {cycle}, 1 cycle")).await?;
        grid.send_keys(&key(Key::End)).await.map_err(|error| error.to_string())?;
        page.expect_part("compare-row", "Cycle 154, after the end of this one.").await?;
        page.press(&key_escape()).await?;
        page.expect_part("compare-row", "Choose a cycle").await
    })
}

#[test]
fn a_click_on_the_strip_chooses_a_cycle() -> Outcome {
    on_page("", async |page| {
        kept_and_other(&page).await?;
        // It is as high as what is painted on it in the next frame.
        page.frames(2).await?;
        let [left, top, width, height] = page.place("[data-testid=compare-strip]").await?;
        let figure = page.rect("[data-testid=plot] canvas").await?;
        same("the strip's edges", (left, width), (figure[0], figure[2]))?;
        page.click_at(left + width / 2.0, top + height / 4.0).await?;
        page.expect_part("compare-row", "Only in this one: ").await
    })
}

#[test]
fn the_kept_one_comes_back_with_its_document() -> Outcome {
    on_page("", async |page| {
        kept_and_other(&page).await?;
        page.click("swap").await?;
        page.expect("makespan", "154 cycles").await?;
        page.expect("kept", "Pinned: 128 cycles").await?;
        page.expect("title", "Voronoi, 16 warps, round-robin").await?;
        page.expect_part("compare-told", "the pinned one takes 128 cycles, this one 154, 26 more.").await?;
        page.click("undo").await?;
        page.expect("makespan", "128 cycles").await
    })
}

#[test]
fn other_kernels_are_not_compared() -> Outcome {
    on_page("", async |page| {
        page.click("keep").await?;
        show(&page, "figure-6").await?;
        page.expect_part("compare-told", "The schedules cannot be compared, their kernels differ").await?;
        same("a table", page.has("differences").await?, false)
    })
}

#[test]
fn the_differences_are_saved_as_a_table() -> Outcome {
    on_page("", async |page| {
        kept_and_other(&page).await?;
        let saved = page.download("compare-csv").await?;
        let mut lines = saved.text.split("\r\n");
        same("the header", lines.next(), Some("cycle,only_in,warp,instruction,unit,own_warp"))?;
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let of = |side: &str| lines.iter().filter(|line| line.contains(side)).count();
        same("instructions of both", of(",kept,"), of(",shown,"))?;
        that(!lines.is_empty(), || "no differences".to_owned())
    })
}

#[test]
fn a_comparison_fits_on_a_phone() -> Outcome {
    in_browser(Look { width: 390, height: 844, ..Look::default() }, async |page| {
        page.go("").await?;
        page.expect("makespan", "154 cycles").await?;
        kept_and_other(&page).await?;
        let wide = "const root = document.documentElement; return root.scrollWidth - root.clientWidth";
        same("pixels that stick out", page.number(wide).await?, 0.0)?;
        let small = "return [...document.querySelectorAll('[data-testid=compare] button, [data-testid=swap], [data-testid=let-go]')]
            .map((e) => e.getBoundingClientRect()).filter((r) => r.width < 24 || r.height < 24).length";
        same("small buttons", page.number(small).await?, 0.0)
    })
}

#[test]
fn schedules_of_more_warps_and_fewer_are_compared() -> Outcome {
    on_page("", async |page| {
        page.click("keep").await?;
        page.fill("field-warps-count", "20").await?;
        page.expect("title", "Voronoi, 20 warps, round-robin (changed)").await?;
        page.expect_part("compare-told", " 4 warps are only in this one.").await?;
        page.expect("alone", "only in one").await?;
        page.fill("field-warps-count", "12").await?;
        page.expect_part("compare-told", " 4 warps are only in the pinned one.").await
    })
}
