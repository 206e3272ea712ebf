//! The page by keyboard alone: a whole journey, the dialog of shortcuts, keys that can be switched off.

use fantoccini::key::Key;
use serde_json::json;
use warpspan_e2e::{Look, Outcome, Page, in_browser, key, key_escape, on_page, same, that, with_control};

use crate::scenario_panel::place;

/// Presses Tab until the element with that `data-testid` has the focus, and arrows within its toolbar.
pub async fn tab_to(page: &Page, id: &str) -> Outcome {
    page.reveal(id).await?;
    for _ in 0..160 {
        page.press(&key(Key::Tab)).await?;
        let at = focused(page).await?;
        if at == id || beside(page, id).await? && arrow_to(page, id).await? {
            return Ok(());
        }
        if at == "BODY" {
            page.round_again().await?;
        }
    }
    Err(format!("{id} is not reached by Tab"))
}

/// Whether an element is a control of the toolbar that has the focus.
async fn beside(page: &Page, id: &str) -> Result<bool, String> {
    let script = "const bar = (e) => e?.closest('[role=toolbar], .finds, .menu-items');
        const own = bar(document.activeElement);
        return own?.role === 'toolbar' && own === bar(document.querySelector(`[data-testid='${arguments[0]}']`))";
    Ok(page.eval(script, vec![json!(id)]).await? == json!(true))
}

/// Presses the right arrow until an element of the toolbar has the focus; whether it comes before the first one again.
async fn arrow_to(page: &Page, id: &str) -> Result<bool, String> {
    page.eval("window.arrowedFrom = document.activeElement", vec![]).await?;
    loop {
        page.press(&key(Key::Right)).await?;
        if focused(page).await? == id {
            return Ok(true);
        }
        if page.eval("return window.arrowedFrom === document.activeElement", vec![]).await? == json!(true) {
            return Ok(false);
        }
    }
}

/// The `data-testid` of what has the focus, else its name of tag.
pub async fn focused(page: &Page) -> Result<String, String> {
    page.string("const e = document.activeElement; return e.dataset.testid ?? e.tagName").await
}

/// Waits until the page stands in the place of its beginning: until then the keyboard reaches nothing of it.
async fn begun(page: &Page) -> Outcome {
    page.until("the page in the place of its beginning", "return !document.getElementById('first')").await
}

#[test]
fn a_whole_journey() -> Outcome {
    on_page("", async |page| {
        tab_to(&page, "example").await?;
        let down = place("figure-7")?.parse().map_err(|_| "no place")?;
        page.press(&key(Key::Down).repeat(down)).await?;
        page.expect("title", "Three warps of LCCL, most pending first").await?;
        tab_to(&page, "field-warps-count").await?;
        page.press(&format!("{}4", with_control("a"))).await?;
        page.expect("makespan", "10 cycles").await?;
        tab_to(&page, "rows-units").await?;
        page.press(" ").await?;
        page.until(
            "rows of units",
            "return document.querySelector('[data-testid=rows-units]').ariaPressed === 'true'",
        )
        .await?;
        tab_to(&page, "plot").await?;
        page.press(&key(Key::Right).repeat(2)).await?;
        page.expect("selected", "1:2").await?;
        tab_to(&page, "player-back").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("sentence", "Step 15 of 16").await?;
        tab_to(&page, "player-slider").await?;
        page.press(&key(Key::Home)).await?;
        page.expect_part("sentence", "Nothing is placed yet.").await?;
        page.press(&key(Key::Right).repeat(3)).await?;
        page.expect_part("sentence", "Step 3 of 16").await?;
        page.press("3").await?;
        page.until(
            "the lab of blocks",
            "return document.querySelector('h1').textContent.startsWith('Blocks')",
        )
        .await?;
        page.press("1").await?;
        page.expect("makespan", "10 cycles").await?;
        tab_to(&page, "theme").await?;
        page.press(&key(Key::Down).repeat(2)).await?;
        page.until("a dark page", "return document.documentElement.dataset.theme === 'dark'").await
    })
}

#[test]
fn a_whole_journey_in_blocks() -> Outcome {
    on_page("", async |page| {
        page.catch_downloads().await?;
        page.press("3").await?;
        crate::blocks::drawn(&page, "paredes-example").await?;
        tab_to(&page, "example").await?;
        page.press(&key(Key::Down)).await?;
        crate::blocks::drawn(&page, "paredes-scenario-1").await?;
        page.press(&key(Key::Up)).await?;
        crate::blocks::drawn(&page, "paredes-example").await?;
        tab_to(&page, "blocks-run").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("blocks-told", "Computed in ").await?;
        // The player goes to the end of the new run once its events are known.
        crate::blocks::drawn(&page, "paredes-example").await?;
        tab_to(&page, "blocks-csv").await?;
        page.press(&key(Key::Enter)).await?;
        let saved = page.caught().await?;
        same("the file", saved.name.as_str(), "four-kernels-on-the-jetson-tx2.csv")?;
        tab_to(&page, "blocks-plot").await?;
        page.press(&key(Key::Right)).await?;
        page.until(
            "a block",
            "return document.querySelector('[data-testid=blocks-selected]').textContent !== ''",
        )
        .await?;
        tab_to(&page, "blocks-back").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("blocks-sentence", "Event 27 of 28").await?;
        tab_to(&page, "blocks-slider").await?;
        page.press(&key(Key::Home)).await?;
        page.expect_part("blocks-sentence", "Nothing has happened yet.").await?;
        page.press(&key(Key::Right)).await?;
        page.expect_part("blocks-sentence", "Event 1 of 28").await?;
        tab_to(&page, "worst-0-open").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("title", "launched K2, K3, K4, K1").await
    })
}

#[test]
fn a_whole_journey_in_tasks() -> Outcome {
    on_page("", async |page| {
        page.press("4").await?;
        crate::tasks::checked(&page).await?;
        page.expect("tile-exact", "accepted").await?;
        tab_to(&page, "example").await?;
        page.press(&key(Key::Down)).await?;
        page.expect("tile-exact", "rejected").await?;
        tab_to(&page, "tasks-run").await?;
        page.press(&key(Key::Enter)).await?;
        crate::tasks::checked(&page).await?;
        tab_to(&page, "tasks-worst").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect("tasks-selected", "t:110").await?;
        tab_to(&page, "tasks-plot").await?;
        page.press(&key(Key::Right)).await?;
        page.expect_part("tasks-witness-told", "In the interval of 125").await?;
        for (id, name) in [
            ("tasks-csv", "one-branch-too-long.csv"),
            ("tasks-witness-csv", "one-branch-too-long-witness.csv"),
        ] {
            page.catch_downloads().await?;
            tab_to(&page, id).await?;
            page.press(&key(Key::Enter)).await?;
            same("the file", page.caught().await?.name.as_str(), name)?;
        }
        tab_to(&page, "field-tasks-0-vertices-2-e").await?;
        page.press(&format!("{}25", with_control("a"))).await?;
        page.expect("tile-exact", "accepted").await
    })
}

#[test]
fn an_export_by_keyboard() -> Outcome {
    on_page("", async |page| {
        page.catch_downloads().await?;
        tab_to(&page, "csv").await?;
        page.press(&key(Key::Enter)).await?;
        let saved = page.caught().await?;
        same("the name", saved.name.as_str(), "voronoi-16-warps-round-robin.csv")
    })
}

#[test]
fn the_dialog_keeps_the_focus_and_gives_it_back() -> Outcome {
    on_page("", async |page| {
        tab_to(&page, "plot").await?;
        page.press("?").await?;
        page.until("the dialog", "return document.querySelector('[data-testid=help-dialog]').open").await?;
        let watch = "window.strayed = [];
            document.addEventListener('focusin', (event) => {
                if (!event.target.closest('dialog')) window.strayed.push(event.target.outerHTML);
            })";
        page.eval(watch, vec![]).await?;
        page.press(&key(Key::Tab).repeat(7)).await?;
        same("focus outside", page.eval("return window.strayed", vec![]).await?, json!([]))?;
        page.press(&key_escape()).await?;
        page.until("no dialog", "return !document.querySelector('[data-testid=help-dialog]').open").await?;
        same("the focus", focused(&page).await?.as_str(), "plot")?;
        tab_to(&page, "help").await?;
        page.press(&key(Key::Enter)).await?;
        page.until("the dialog", "return document.querySelector('[data-testid=help-dialog]').open").await?;
        page.press(&key(Key::Enter)).await?;
        page.until("no dialog", "return !document.querySelector('[data-testid=help-dialog]').open").await?;
        same("the focus", focused(&page).await?.as_str(), "help")
    })
}

#[test]
fn single_keys_can_be_switched_off() -> Outcome {
    on_page("", async |page| {
        page.press("?").await?;
        // What is told of the keys is loaded with the dialog, and moves what stands beneath it.
        page.wait_for_css("dialog[open] .shortcuts").await?;
        page.click_css("dialog[open] input[type=checkbox]").await?;
        page.press(&key_escape()).await?;
        page.blur().await?;
        page.press("2.").await?;
        // Whoever had gone to another lab would be there by now.
        page.quiet().await?;
        page.expect("makespan", "154 cycles").await?;
        page.expect_part("sentence", "All 400 instructions").await?;
        page.press("?").await?;
        page.until("the dialog", "return document.querySelector('[data-testid=help-dialog]').open").await
    })
}

#[test]
fn keys_typed_into_a_field_are_its_own() -> Outcome {
    on_page("", async |page| {
        page.fill("field-title", "was 2 and ? / +.").await?;
        page.expect("title", "was 2 and ? / +.").await?;
        page.expect_part("sentence", "All 400 instructions").await?;
        that(!page.has("help-dialog").await? || page.count("dialog[open]").await? == 0, || {
            "a dialog".to_owned()
        })
    })
}

#[test]
fn the_first_tab_offers_to_skip_to_the_picture_and_the_next_to_the_lab() -> Outcome {
    const LINK: &str = "const e = document.activeElement; const r = e.getBoundingClientRect();
        return e.className === 'skip' && r.left >= 0 && r.top >= 0 && r.width > 24";
    on_page("", async |page| {
        page.press(&key(Key::Tab).repeat(2)).await?;
        page.until("a link in sight", LINK).await?;
        page.press(&key(Key::Enter)).await?;
        page.until("the focus in the lab", "return document.activeElement.id === 'main'").await?;
        same("the address", page.fragment().await?.as_str(), "")?;
        for (example, picture) in [
            ("figure-2", "plot"),
            ("paredes-example", "blocks-plot"),
            ("tasks-controller", "tasks-plot"),
            ("chain-teaching", "station-"),
        ] {
            page.go(&format!("#example={example}")).await?;
            page.wait_for_css(&format!("main [data-testid^={picture}]")).await?;
            begun(&page).await?;
            page.press(&key(Key::Tab)).await?;
            page.until("a link in sight", LINK).await?;
            page.press(&key(Key::Enter)).await?;
            let at = focused(&page).await?;
            that(at.starts_with(picture), || format!("{at} has the keyboard, expected {picture}"))?;
        }
        Ok(())
    })
}

/// Fewer presses of Tab than this lead from the top of the page to the picture.
const FEW: usize = 15;
/// Documents of each lab, and what is there once their picture is.
const PICTURES: [(&str, &str); 10] = [
    ("voronoi-16", "makespan"),
    ("voronoi-anneal", "search-stop"),
    ("voronoi-exact", "makespan"),
    ("code-saxpy", "code-schedule"),
    ("paredes-example", "blocks-plot"),
    ("tasks-controller", "tasks-plot"),
    ("chain-teaching", "station-task-0-deadline"),
    ("loss-in-every-step", "traces-plot"),
    ("waves-layernorm", "waves-schedule"),
    ("latency-hiding", "study-plot"),
];

#[test]
fn few_presses_of_tab_lead_to_the_picture_of_every_lab() -> Outcome {
    const AT_PICTURE: &str =
        "return document.activeElement.matches('main :is([role=application], .station)')";
    in_browser(Look { width: 1440, height: 900, ..Look::default() }, async |page| {
        for (example, there) in PICTURES {
            page.go(&format!("#example={example}")).await?;
            page.wait_for(there).await?;
            begun(&page).await?;
            // With the form folded away, as whoever follows a link finds it.
            if page
                .eval("return document.querySelector('[data-testid=fold]').ariaExpanded === 'true'", vec![])
                .await?
                == json!(true)
            {
                page.click("fold").await?;
                // Whoever folds the form from within it gets the keyboard back in the next frame.
                page.frames(2).await?;
            }
            page.eval("document.activeElement?.blur(); getSelection().collapse(document.body, 0)", vec![])
                .await?;
            let mut passed = Vec::new();
            while page.eval(AT_PICTURE, vec![]).await? != json!(true) {
                that(passed.len() + 1 < FEW, || format!("{example}: no picture after {passed:?}"))?;
                page.press(&key(Key::Tab)).await?;
                passed.push(focused(&page).await?);
            }
        }
        Ok(())
    })
}

#[test]
fn few_presses_lead_past_a_form_that_is_open() -> Outcome {
    const AT_PICTURE: &str =
        "return document.activeElement.matches('main :is([role=application], .station)')";
    in_browser(Look { width: 1440, height: 900, ..Look::default() }, async |page| {
        for (example, there) in PICTURES {
            page.go(&format!("#example={example}")).await?;
            page.wait_for(there).await?;
            begun(&page).await?;
            if page
                .eval("return document.querySelector('[data-testid=fold]').ariaExpanded === 'true'", vec![])
                .await?
                == json!(false)
            {
                page.click("fold").await?;
                // Whoever unfolds the form is taken there in the next frame.
                page.frames(2).await?;
            }
            page.until("the form", "return !!document.querySelector('#side input')").await?;
            page.eval("document.activeElement?.blur(); getSelection().collapse(document.body, 0)", vec![])
                .await?;
            let mut passed = Vec::new();
            while focused(&page).await? != "past-form" {
                that(passed.len() + 1 < FEW, || format!("{example}: no way past the form after {passed:?}"))?;
                page.press(&key(Key::Tab)).await?;
                passed.push(focused(&page).await?);
            }
            page.press(&key(Key::Enter)).await?;
            page.until("the keyboard at the picture", AT_PICTURE).await?;
        }
        Ok(())
    })
}

#[test]
fn keys_that_change_what_is_there_leave_the_focus_somewhere() -> Outcome {
    in_browser(Look { width: 1440, height: 900, ..Look::default() }, async |page| {
        let at = async |what: &str, script: &str| page.until(what, &format!("return {script}")).await;
        page.go("#example=figure-2").await?;
        page.wait_for("makespan").await?;
        tab_to(&page, "plot").await?;
        // The search gives the keyboard back to where it came from.
        page.press("/").await?;
        at("the search", "document.activeElement.id === 'find'").await?;
        page.press(&key_escape()).await?;
        at("the picture again", "document.activeElement.dataset.testid === 'plot'").await?;
        // So does the form, which is folded away first.
        page.press("e").await?;
        at("no form", "!document.querySelector('.panel')?.offsetParent").await?;
        at("the picture as before", "document.activeElement.dataset.testid === 'plot'").await?;
        page.press("e").await?;
        at("the form", "!!document.activeElement.closest('#side')").await?;
        page.press("e").await?;
        at("the picture after the form", "document.activeElement.dataset.testid === 'plot'").await?;
        // Another lab begins at its name.
        page.press("3").await?;
        page.wait_for("blocks-plot").await?;
        at("the name of the lab", "document.activeElement.id === 'lab-name'").await?;
        same(
            "it",
            page.string("return document.activeElement.textContent.slice(0, 6)").await?.as_str(),
            "Blocks",
        )?;
        page.press("/").await?;
        at("its search", "document.activeElement.id === 'blocks-find'").await?;
        page.press(&key_escape()).await?;
        at("where that began", "document.activeElement.id === 'lab-name'").await
    })
}

#[test]
fn the_doors_of_the_welcome_are_stops_of_their_own() -> Outcome {
    on_page("", async |page| {
        tab_to(&page, "door-learn").await?;
        for next in ["door-own", "door-refuted"] {
            page.press(&key(Key::Tab)).await?;
            same("the next stop", focused(&page).await?.as_str(), next)?;
        }
        Ok(())
    })
}

#[test]
fn a_toolbar_is_one_stop_and_arrows_walk_in_it() -> Outcome {
    on_page("#example=voronoi-16", async |page| {
        let is_at = async |what: &str, id: &str| same(what, focused(&page).await?.as_str(), id);
        page.expect("makespan", "154 cycles").await?;
        tab_to(&page, "lab-warps").await?;
        page.press(&key(Key::Right)).await?;
        is_at("right of the present lab", "lab-code").await?;
        page.press(&key(Key::Left).repeat(2)).await?;
        is_at("left of the first one", "lab-studies").await?;
        page.press(&key(Key::Home)).await?;
        is_at("the first one", "lab-warps").await?;
        page.press(&key(Key::End)).await?;
        is_at("the last one", "lab-studies").await?;
        page.press(&key(Key::Tab)).await?;
        is_at("the next stop", "room-lessons").await?;
        let back = format!("{}{}{}", char::from(Key::Shift), char::from(Key::Tab), char::from(Key::Null));
        page.press(&back).await?;
        is_at("back at where the page is", "lab-warps").await?;
        tab_to(&page, "zoom-in").await?;
        let outline = "return getComputedStyle(document.activeElement).outlineStyle !== 'none'";
        same("an outline", page.eval(outline, vec![]).await?, json!(true))?;
        page.press(&key(Key::Enter)).await?;
        page.press(&key(Key::Tab)).await?;
        is_at("what one types into is a stop of its own", "find").await?;
        page.press(&back).await?;
        is_at("where it was left", "zoom-in").await?;
        page.press(&key(Key::End)).await?;
        page.press(&key(Key::Enter)).await?;
        page.press(&key(Key::Tab)).await?;
        is_at("into the menu that is open", "png").await?;
        // Who clicks goes on from there.
        page.click("rows-units").await?;
        page.press(&key(Key::Right)).await?;
        is_at("right of what was clicked", "zoom-out").await?;
        tab_to(&page, "theme").await?;
        page.press(&key(Key::Down).repeat(2)).await?;
        page.until("a dark page", "return document.documentElement.dataset.theme === 'dark'").await?;
        page.press(&key(Key::Right)).await?;
        is_at("beside a list", "projector").await
    })
}
