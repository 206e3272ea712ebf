//! Each part of the chain opens its lab with the state filled in, and undo or Back brings the chain back.

use warpspan::page::chain::details::part_of;
use warpspan::timeline::chain::Walk;
use warpspan_e2e::{Outcome, on_page, same, that};

use super::{SMALL, computed, document, open, report, stand};

#[test]
fn warps_open_in_their_lab_and_back_returns() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        stand(&page, "station-kernel-0-warps").await?;
        page.expect("chain-open", "Open in Warps").await?;
        // The address follows after a moment, with the station; Back leads to what is in it by then.
        page.quiet().await?;
        page.until("an address", "return location.hash.length > 1 && !!(window.before = location.hash)")
            .await?;
        page.click("chain-open").await?;
        page.wait_for("makespan").await?;
        page.until("another address", "return location.hash !== window.before").await?;
        let found = document(&page).await?;
        let report = report(SMALL)?;
        let wanted = &report.parts.iter().find(|part| part.id == "warps:blur").ok_or("no part")?.document;
        same("its document", &found, wanted)?;
        page.eval("history.back()", vec![]).await?;
        computed(&page).await?;
        page.expect("title", "From three instructions to a deadline").await
    })
}

#[test]
fn the_gpu_and_a_core_open_in_theirs_and_undo_returns() -> Outcome {
    on_page("", async |page| {
        for (station, button, there) in [
            ("station-kernel-0-gpu", "Open in Blocks", "blocks-plot"),
            ("station-task-0-task", "Open in Tasks", "tasks-verdict"),
        ] {
            open(&page, SMALL).await?;
            stand(&page, station).await?;
            page.expect("chain-open", button).await?;
            page.click("chain-open").await?;
            page.wait_for(there).await?;
            page.click("undo").await?;
            computed(&page).await?;
        }
        Ok(())
    })
}

#[test]
fn every_part_of_every_station_is_a_valid_document() -> Outcome {
    let report = report(SMALL)?;
    for part in &report.parts {
        let read = warpspan::scenario::from_tree(&part.document);
        that(read.is_ok(), || format!("{}: {read:?}", part.id))?;
    }
    let nodes = Walk::new(&report).nodes();
    that(nodes.iter().all(|node| part_of(&report, *node).is_some()), || "a station opens nothing".to_owned())
}

#[test]
fn a_change_is_opened_as_a_document_of_its_own() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        page.wait_for("chain-changes").await?;
        page.expect_part("change-present", "As it is").await?;
        let report = report(SMALL)?;
        let change = report.sensitivity.iter().find(|change| change.part.is_some()).ok_or("no change")?;
        let id = format!("change-{}", change.id.replace([':', ' '], "-"));
        page.expect_part(&id, &change.what).await?;
        page.click(&format!("{id}-open")).await?;
        page.until("another title", "return document.querySelector('[data-testid=title]').textContent !== 'From three instructions to a deadline'").await?;
        computed(&page).await?;
        page.click("undo").await?;
        page.expect("title", "From three instructions to a deadline").await?;
        computed(&page).await
    })
}
