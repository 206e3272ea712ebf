//! The room of reproductions: published values beside computed ones, in the built page.

use serde_json::json;
use warpspan_e2e::{Look, Outcome, Page, System, in_browser, same, that};

use crate::reach::{fits, nameless, too_small};

/// The words on the badges of an item.
fn badges(item: &str) -> String {
    format!(
        "[...document.querySelectorAll('[data-testid=item-{item}] [data-testid=badge]')].map((e) => e.innerText)"
    )
}

/// Waits until every value of an item has a verdict.
async fn computed(page: &Page, item: &str, values: usize) -> Outcome {
    page.until(
        &format!("{values} verdicts of {item}"),
        &format!("return {}.length === {values}", badges(item)),
    )
    .await
}

/// Opens the room, and tests it once it is there.
fn in_room<F: AsyncFnOnce(Page) -> Outcome + 'static>(fragment: &'static str, test: F) -> Outcome {
    in_browser(Look::default(), async move |page| {
        page.go(fragment).await?;
        page.wait_for("reproduce-all").await?;
        test(page).await
    })
}

#[test]
fn an_item_in_the_address_is_shown_run_and_opened() -> Outcome {
    in_room("#reproduce=b-fig-2", async |page| {
        computed(&page, "b-fig-2", 6).await?;
        let all = format!("return {}.every((word) => word.includes('agree'))", badges("b-fig-2"));
        page.until("agreement", &all).await?;
        let here = "const item = document.querySelector('article.here');
            const {top} = item.getBoundingClientRect();
            return item.id === 'item-b-fig-2' && top > -2 && top < innerHeight && item.contains(document.activeElement)";
        page.until("the item on the screen, with the focus", here).await?;
        page.eval("document.querySelector('#item-b-fig-2 [data-testid=reproduce-open]').click()", vec![])
            .await?;
        page.expect("makespan", "8 cycles").await
    })
}

#[test]
fn what_is_refuted_says_why_and_what_comes_into_view_runs() -> Outcome {
    in_room("#reproduce", async |page| {
        computed(&page, "b-equation-1", 3).await?;
        page.choose("reproduce-paper", "R").await?;
        page.choose("reproduce-verdict", "refuted").await?;
        page.expect("reproduce-listed", "3 items listed").await?;
        computed(&page, "r-bound", 8).await?;
        page.expect_part("item-r-bound", "at most two warps issue in a cycle").await?;
        let refuted = format!(
            "return {}.filter((word) => word.includes('✗') && word.includes('refuted')).length === 5",
            badges("r-bound")
        );
        page.until("five of them refuted", &refuted).await
    })
}

#[test]
fn all_of_them_run_until_someone_stops() -> Outcome {
    in_room("#reproduce", async |page| {
        page.click("reproduce-all").await?;
        page.expect_part("reproduce-summary", "computed").await?;
        page.click("reproduce-stop").await?;
        page.until("an end", "return !document.querySelector('[data-testid=reproduce-all]').hidden").await?;
        let stages = "return [...document.querySelectorAll('[data-testid=reproduce-stage]')]
            .filter((e) => /waiting|running/.test(e.textContent)).length";
        same("items that still wait", page.number(stages).await?, 0.0)?;
        page.expect_part("item-b-fig-12", "not run yet").await
    })
}

#[test]
fn everybody_reaches_the_list() -> Outcome {
    in_browser(Look::default(), async |page| {
        for (width, system) in [(1440, System::Light), (390, System::Dark), (320, System::Light)] {
            page.look(Look { width, system, ..Look::default() }).await?;
            page.go("#reproduce=p-fig-3-7").await?;
            computed(&page, "p-fig-3-7", 12).await?;
            fits(&page, &format!("{width} wide")).await?;
            same(&format!("small at {width}"), too_small(&page).await?, json!([]))?;
            same(&format!("without a name at {width}"), nameless(&page).await?, vec![])?;
        }
        let seen = page.complaints().await?;
        that(seen.is_empty(), || format!("{seen:?}"))
    })
}
