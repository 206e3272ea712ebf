//! Walking along the picture: by mouse, with keys, and by links.

use fantoccini::key::Key;
use warpspan::scenario::link::View;
use warpspan_e2e::{Look, Outcome, Page, in_browser, key, key_escape, on_page, same, that};

use super::{SMALL, computed, focus, is_at, open, stand, to};
use crate::keyboard::{focused, tab_to};
use crate::links::copied_view;

async fn has_focus(page: &Page, id: &str) -> Outcome {
    let script = format!("return document.activeElement.dataset.testid === '{id}'");
    page.until(&format!("the focus at {id}"), &script).await
}

#[test]
fn arrow_keys_walk_from_instructions_to_the_deadline() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        focus(&page, "station-kernel-0-code").await?;
        is_at(&page, "station-kernel-0-code").await?;
        for id in ["kernel-0-warps", "kernel-0-block", "kernel-0-gpu", "task-0-task", "task-0-deadline"] {
            page.press(&key(Key::Right)).await?;
            has_focus(&page, &format!("station-{id}")).await?;
            is_at(&page, &format!("station-{id}")).await?;
        }
        page.press(&key(Key::Right)).await?;
        has_focus(&page, "station-task-0-deadline").await?;
        page.press(&key(Key::Down)).await?;
        has_focus(&page, "station-task-1-deadline").await?;
        page.press(&key(Key::Home)).await?;
        has_focus(&page, "station-kernel-1-code").await?;
        page.press(&key(Key::Up)).await?;
        has_focus(&page, "station-kernel-0-code").await?;
        page.press(&key(Key::End)).await?;
        has_focus(&page, "station-task-0-deadline").await
    })
}

#[test]
fn tab_comes_to_the_picture_once_and_enter_goes_into_the_details() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        stand(&page, "station-kernel-0-block").await?;
        page.blur().await?;
        tab_to(&page, "station-kernel-0-block").await?;
        page.press(&key(Key::Enter)).await?;
        has_focus(&page, "chain-details-title").await?;
        page.expect("chain-details-title", "A block of blur").await?;
        page.press(&key_escape()).await?;
        has_focus(&page, "station-kernel-0-block").await?;
        page.press(&key(Key::Tab)).await?;
        let next = focused(&page).await?;
        that(!next.starts_with("station-"), || format!("Tab goes on to {next}"))
    })
}

#[test]
fn every_station_says_what_it_is() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        for (id, title, part) in [
            ("kernel-0-code", "The instructions of blur", "chain-string"),
            ("kernel-0-warps", "The warps of blur on one multiprocessor", "chain-limits"),
            ("kernel-0-block", "A block of blur", "chain-conversion"),
            ("kernel-0-gpu", "blur on the GPU", "chain-alone"),
            ("task-0-task", "look on the host", "chain-segments"),
            ("task-0-deadline", "The deadline of look", "chain-room"),
        ] {
            stand(&page, &format!("station-{id}")).await?;
            page.expect("chain-details-title", title).await?;
            page.wait_for(part).await?;
        }
        // The core of this example has a clock of its own, and so has the GPU.
        stand(&page, "station-kernel-0-block").await?;
        page.expect_part("chain-conversion", "÷ 1 GHz, rounded up").await
    })
}

#[test]
fn what_there_is_to_say_stands_beneath_the_picture_where_there_is_room() -> Outcome {
    on_page("", async |page| {
        page.look(Look { width: 1440, height: 900, ..Look::default() }).await?;
        open(&page, SMALL).await?;
        stand(&page, "station-kernel-0-warps").await?;
        let seen = "const [details, plot] = ['chain-details', 'chain-drawing'].map(
                (id) => document.querySelector(`[data-testid=${id}]`).getBoundingClientRect());
            return details.top >= plot.bottom && details.bottom <= innerHeight && details.height > 150";
        page.until("the details on the first screen", seen).await?;
        page.look(Look { width: 390, height: 844, ..Look::default() }).await?;
        page.until("the details beneath the first screen", "const {height} =
            document.querySelector('[data-testid=chain-details]').getBoundingClientRect(); return height > 150")
            .await
    })
}

#[test]
fn a_station_comes_back_from_its_link() -> Outcome {
    let view = View { sel: Some("kernel:edges:warps".to_owned()), ..View::default() };
    let fragment = to(SMALL, &view)?;
    in_browser(Look::default(), async move |page| {
        page.go(&fragment).await?;
        computed(&page).await?;
        is_at(&page, "station-kernel-1-warps").await?;
        stand(&page, "station-task-1-deadline").await?;
        page.until(
            "the station in the address",
            "return location.hash.includes('&sel=task:steer:deadline&')",
        )
        .await?;
        same("the link", copied_view(&page).await?.sel.as_deref(), Some("task:steer:deadline"))?;
        let fragment = page.fragment().await?;
        page.go(&fragment).await?;
        computed(&page).await?;
        is_at(&page, "station-task-1-deadline").await
    })
}

#[test]
fn a_station_that_is_not_there_is_left_out() -> Outcome {
    let view = View { sel: Some("kernel:nobody:warps".to_owned()), ..View::default() };
    let fragment = to(SMALL, &view)?;
    in_browser(Look::default(), async move |page| {
        page.go(&fragment).await?;
        computed(&page).await?;
        same("stations looked at", page.count(".station[aria-pressed=true]").await?, 1)
    })
}

#[test]
fn a_segment_leads_to_its_kernel() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        stand(&page, "station-task-1-task").await?;
        page.expect_part("chain-segment-1", "Kernel edges").await?;
        page.click_in("chain-segment-1", "Kernel edges").await?;
        is_at(&page, "station-kernel-1-gpu").await
    })
}
