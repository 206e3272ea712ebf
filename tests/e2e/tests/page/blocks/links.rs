//! Links: the same instant, window, selection and heights come back on a fresh page.

use warpspan::scenario::link::View;
use warpspan_e2e::{Look, Outcome, in_browser, on_page, same, that};

use super::{drawn, open, run, to};
use crate::links::{copied, copied_view};

#[test]
fn a_link_brings_back_an_instant() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.press("/").await?;
        page.press("K2:5\n").await?;
        page.expect("blocks-selected", "K2:5").await?;
        page.click("blocks-in").await?;
        page.click("measure-shared").await?;
        page.click("measure-threads").await?;
        page.put("blocks-slider", "13").await?;
        page.expect_part("blocks-sentence", "Event 13 of ").await?;
        let (sentence, details) = (page.text("blocks-sentence").await?, page.text("blocks-details").await?);
        page.quiet().await?;
        let view = copied_view(&page).await?;
        same("step and selection", (view.step, view.sel.as_deref()), (Some(13), Some("K2:5")))?;
        that(view.t0.zip(view.t1).is_some() && view.rows.is_none(), || format!("{view:?}"))?;
        let fragment = page.fragment().await?;
        that(fragment.contains("&step=13&") && fragment.contains("&sel=K2:5&"), || fragment.clone())?;

        page.go(&fragment).await?;
        drawn(&page, "paredes-example").await?;
        page.expect("blocks-sentence", &sentence).await?;
        page.expect("blocks-details", &details).await?;
        page.expect("blocks-selected", "K2:5").await?;
        page.quiet().await?;
        same("the view again", copied_view(&page).await?, view)?;
        same("the address again", page.fragment().await?, fragment)
    })
}

#[test]
fn another_example_begins_anew() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.put("blocks-slider", "5").await?;
        page.click("measure-shared").await?;
        open(&page, "priorities").await?;
        page.expect_part("blocks-sentence", "The whole run").await?;
        page.quiet().await?;
        // An example as it opens is shared by its name.
        let link = copied(&page).await?;
        same("the link", link.split_once('#').map(|(_, part)| part), Some("example=priorities"))
    })
}

#[test]
fn an_edit_keeps_window_and_selection() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.press("/").await?;
        page.press("K2:5\n").await?;
        page.click("blocks-in").await?;
        page.click("as-json").await?;
        let text = page.value("json").await?;
        page.put("json", &text.replace("4000000000", "3000000000")).await?;
        // Not as it was before the edit.
        page.idle().await?;
        page.until("K1 of 3 s", "return document.querySelector('[data-testid=blocks-details]').textContent.includes('K2 block 5')").await?;
        let view = copied_view(&page).await?;
        that(view.sel.as_deref() == Some("K2:5") && view.t0.is_some(), || format!("{view:?}"))
    })
}

#[test]
fn what_a_link_asks_for_in_vain_is_left_out() -> Outcome {
    let view = View {
        step: Some(99_999),
        sel: Some("nothing:7".to_owned()),
        t0: Some(5.0),
        t1: Some(1.0),
        ..View::default()
    };
    let fragment = to("head-of-line", &view)?;
    in_browser(Look::default(), async move |page| {
        page.go(&fragment).await?;
        drawn(&page, "head-of-line").await?;
        let runs = run("head-of-line")?;
        that(runs.end.0 > 0, || "an empty run".to_owned())?;
        page.expect_part("blocks-sentence", "The whole run").await?;
        page.expect("blocks-selected", "").await
    })
}
