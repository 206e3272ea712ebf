//! The room of reproductions: published values beside computed ones, in the built page.

use fantoccini::key::Key;
use serde_json::json;
use warpspan_e2e::{Look, Outcome, Page, System, in_browser, key, same, that};

use crate::reach::{fits, nameless, too_small};

/// The words on the badges of an item.
fn badges(item: &str) -> String {
    format!(
        "[...document.querySelectorAll('[data-testid=item-{item}] [data-testid=badge]')].map((e) => e.textContent)"
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
    in_browser(Look { width: 1440, height: 900, ..Look::default() }, async move |page| {
        page.go(fragment).await?;
        page.wait_for("reproduce-all").await?;
        test(page).await
    })
}

/// Waits until a tab is the one that is open.
async fn open(page: &Page, tab: &str) -> Outcome {
    let script = format!(
        "return document.querySelector('[role=tab][aria-selected=true]').id === 'reproduce-tab-{tab}'"
    );
    page.until(&format!("the tab {tab}"), &script).await
}

#[test]
fn an_item_in_the_address_is_shown_run_and_opened() -> Outcome {
    in_room("#reproduce=b-fig-2", async |page| {
        open(&page, "B").await?;
        computed(&page, "b-fig-2", 6).await?;
        let all = format!("return {}.every((word) => word.includes('agree'))", badges("b-fig-2"));
        page.until("agreement", &all).await?;
        let here = "const item = document.querySelector('article.here');
            const {top} = item.getBoundingClientRect();
            return item.id === 'item-b-fig-2' && top > -2 && top < innerHeight && item.contains(document.activeElement)
                && item.querySelector('details').open";
        page.until("the item on the screen, unfolded, with the focus", here).await?;
        page.eval("document.querySelector('#item-b-fig-2 [data-testid=reproduce-open]').click()", vec![])
            .await?;
        page.expect("makespan", "8 cycles").await
    })
}

#[test]
fn what_is_refuted_comes_first_and_says_why() -> Outcome {
    in_room("#reproduce", async |page| {
        open(&page, "refuted").await?;
        same("values that are refuted", page.count(".refuted > li").await?, 27)?;
        let line = "[data-testid^=refuted-r-bound-]";
        page.eval("document.querySelector(arguments[0]).scrollIntoView()", vec![json!(line)]).await?;
        let shown = format!(
            "return [...document.querySelectorAll('{line}')].filter((e) => e.querySelector('.mark')).length >= 5"
        );
        page.until("five of them refuted", &shown).await?;
        let why = page.string(&format!("return document.querySelector('{line} .why').textContent")).await?;
        that(why.contains("at most two warps issue in a cycle"), || why.clone())?;
        page.eval("document.querySelector('[data-testid^=refuted-b-four-warps-0] a.button').click()", vec![])
            .await?;
        page.until("the run that shows it", "return location.hash.startsWith('#v=1')").await
    })
}

#[test]
fn the_room_opens_at_a_glance() -> Outcome {
    in_room("#reproduce", async |page| {
        for (width, height) in [(1440, 900), (390, 844)] {
            page.look(Look { width, height, ..Look::default() }).await?;
            let screens = page.number("return document.documentElement.scrollHeight / innerHeight").await?;
            that(screens <= 3.0, || format!("{screens} screens at {width}"))?;
            fits(&page, &format!("what is refuted at {width}")).await?;
        }
        Ok(())
    })
}

#[test]
fn tabs_and_what_is_shown_stand_in_the_address() -> Outcome {
    in_room("#reproduce", async |page| {
        page.click("reproduce-tab-R").await?;
        open(&page, "R").await?;
        page.choose("reproduce-verdict", "refuted").await?;
        page.expect("reproduce-listed", "4 items").await?;
        page.until("the address", "return location.hash === '#reproduce=R/refuted'").await?;
        page.go("#reproduce=R/refuted").await?;
        page.expect("reproduce-listed", "4 items").await?;
        page.eval("document.getElementById('reproduce-tab-R').focus()", vec![]).await?;
        page.press(&key(Key::Right)).await?;
        open(&page, "P").await?;
        same(
            "what has the focus",
            page.string("return document.activeElement.id").await?.as_str(),
            "reproduce-tab-P",
        )?;
        page.press(&key(Key::Home)).await?;
        open(&page, "refuted").await
    })
}

#[test]
fn all_of_them_run_until_someone_stops() -> Outcome {
    in_room("#reproduce=all", async |page| {
        page.click("reproduce-all").await?;
        page.expect_part("reproduce-summary", "items run: ").await?;
        page.click("reproduce-stop").await?;
        page.until("an end", "return !document.querySelector('[data-testid=reproduce-all]').hidden").await?;
        let stages = "return [...document.querySelectorAll('[data-testid=reproduce-stage]')]
            .filter((e) => /waiting|running/.test(e.textContent)).length === 0";
        // One that comes into sight by itself is run, and soon is.
        page.until("no items that still wait", stages).await?;
        page.eval("document.querySelector('#item-b-fig-12 details').open = true", vec![]).await?;
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
