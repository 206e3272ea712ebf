//! Everybody reaches the timeline: by keyboard alone, on narrow screens, in both themes.

use serde_json::json;
use warpspan::scenario::link::View;
use warpspan_e2e::{Look, Outcome, System, in_browser, on_page, same, that};

use super::{drawn, open, to};
use crate::keyboard::{focused, tab_to};
use crate::reach::{fits, nameless, too_small};

#[test]
fn nothing_sticks_out_and_everything_is_large_enough() -> Outcome {
    let fragment = to("copies", &View { step: Some(9), ..View::default() })?;
    in_browser(Look::default(), async move |page| {
        page.go(&fragment).await?;
        drawn(&page, "copies").await?;
        page.wait_for("blocks-sms").await?;
        for system in [System::Light, System::Dark] {
            for width in [1440, 1024, 390, 320] {
                page.look(Look { width, height: 900, system }).await?;
                page.eval("document.querySelectorAll('details').forEach((e) => { e.open = true; })", vec![])
                    .await?;
                fits(&page, &format!("{width} pixels, {}", system.name())).await?;
                same(&format!("small at {width}"), too_small(&page).await?, json!([]))?;
                same(&format!("without a name at {width}"), nameless(&page).await?, vec![])?;
            }
        }
        Ok(())
    })
}

#[test]
fn by_keyboard_alone() -> Outcome {
    let fragment = to("paredes-example", &View::default())?;
    in_browser(Look::default(), async move |page| {
        page.go(&fragment).await?;
        drawn(&page, "paredes-example").await?;
        tab_to(&page, "measure-shared").await?;
        page.press(" ").await?;
        page.expect_part("blocks-legend", "of shared memory high").await?;
        tab_to(&page, "blocks-plot").await?;
        page.press("wd").await?;
        tab_to(&page, "blocks-back").await?;
        page.press("\n\n").await?;
        page.expect_part("blocks-sentence", "Event ").await?;
        // Typing into a field steers nothing.
        page.eval("document.getElementById('blocks-find').focus()", vec![]).await?;
        let before = page.text("blocks-sentence").await?;
        page.press("..,,wasd").await?;
        same("the event", page.text("blocks-sentence").await?, before)?;
        same("the focus", focused(&page).await?.as_str(), "blocks-find")
    })
}

#[test]
fn single_keys_can_be_switched_off() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.blur().await?;
        page.press("?").await?;
        // What is told of the keys is loaded with the dialog, and moves what stands beneath it.
        page.wait_for_css("dialog[open] .shortcuts").await?;
        page.click_css("dialog[open] input[type=checkbox]").await?;
        page.press(&warpspan_e2e::key_escape()).await?;
        page.blur().await?;
        page.press(",,").await?;
        page.expect_part("blocks-sentence", "The whole run").await?;
        // The address would follow by now.
        page.quiet().await?;
        that(!page.fragment().await?.contains("step="), || "a key acted".to_owned())
    })
}
