//! The form of a chain: edits change the verdict, mistakes are told at their fields, and what was assumed is set.

use serde_json::{Value, json};
use warpspan_e2e::{Outcome, Page, on_page, same};

use super::{ASSUMED, LISTED, SMALL, computed, document, expect_in, open};

async fn is_invalid(page: &Page, id: &str, wanted: bool) -> Outcome {
    let script = format!("return document.querySelector('[data-testid={id}]').ariaInvalid === '{wanted}'");
    page.until(&format!("{id} marked: {wanted}"), &script).await
}

#[test]
fn a_deadline_that_cannot_be_met_is_missed() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        // Two nanoseconds: less than the task computes.
        page.fill("field-chain-tasks-0-deadline", "0.002").await?;
        page.expect_part("chain-verdict", "can be missed").await?;
        computed(&page).await?;
        expect_in(&page, "/chain/tasks/0/deadline", &json!(2)).await?;
        page.click("undo").await?;
        expect_in(&page, "/chain/tasks/0/deadline", &json!(30)).await
    })
}

#[test]
fn a_wrong_number_is_told_at_its_field() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        page.fill("field-chain-kernels-0-threads", "many").await?;
        is_invalid(&page, "field-chain-kernels-0-threads", true).await?;
        page.expect_part("notes-chain-kernels-0-blocks", "Threads of one: \"many\". Expected a whole number")
            .await?;
        page.expect_part("chain-told", "mistakes").await?;
        page.fill("field-chain-kernels-0-threads", "64").await?;
        is_invalid(&page, "field-chain-kernels-0-threads", false).await?;
        computed(&page).await?;
        page.fill("field-chain-clock", "fast").await?;
        is_invalid(&page, "field-chain-clock", true).await?;
        page.expect_part("notes-chain-clock", "a clock in MHz").await
    })
}

#[test]
fn a_kernel_is_added_renamed_and_launched() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        page.click("chain-kernel-add").await?;
        page.wait_for("field-chain-kernels-2-name").await?;
        page.wait_for("station-kernel-2-gpu").await?;
        page.put("field-chain-kernels-0-name", "smooth").await?;
        expect_in(&page, "/chain/tasks/0/segments/2/launch", &json!("smooth")).await?;
        page.click("as-form").await?;
        page.click("task-0-add-launch").await?;
        page.wait_for("field-chain-tasks-0-segments-4-launch").await?;
        page.choose("field-chain-tasks-0-segments-4-launch", "kernel 3").await?;
        expect_in(&page, "/chain/tasks/0/segments/4/launch", &json!("kernel 3")).await?;
        computed(&page).await
    })
}

#[test]
fn segments_move_and_go() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        page.click("task-0-segment-0-down").await?;
        expect_in(&page, "/chain/tasks/0/segments/1/ticks", &json!(4)).await?;
        page.click("as-form").await?;
        page.click("task-0-segment-1-remove").await?;
        expect_in(&page, "/chain/tasks/0/segments/0/copy", &json!("in")).await?;
        let found = document(&page).await?;
        same("segments", found["chain"]["tasks"][0]["segments"].as_array().map(Vec::len), Some(3))?;
        computed(&page).await
    })
}

#[test]
fn a_source_takes_the_place_of_another() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        page.choose("chain-kernel-0-source", "cycles").await?;
        page.wait_for("field-chain-kernels-0-cycles").await?;
        page.fill("field-chain-kernels-0-cycles", "7").await?;
        expect_in(&page, "/chain/kernels/0/cycles", &json!(7)).await?;
        expect_in(&page, "/chain/kernels/0/kernel", &Value::Null).await?;
        computed(&page).await
    })
}

#[test]
fn what_is_assumed_is_set_or_said_to_be_right() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("model.json", ASSUMED)]).await?;
        computed(&page).await?;
        page.expect_part("assumed-told", "2 values are not in the source").await?;
        page.expect_value("assumed-0", "2").await?;
        page.put("assumed-0", "8").await?;
        expect_in(&page, "/chain/kernels/0/blocks", &json!(8)).await?;
        page.expect_part("assumed-told", "1 value is not in the source").await?;
        page.expect_part("assumed-0-line", "Threads of blur").await?;
        page.click("assumed-0-right").await?;
        page.gone("chain-assumed").await?;
        expect_in(&page, "/chain/assumed", &Value::Null).await?;
        computed(&page).await
    })
}

#[test]
fn rounds_of_a_loop_that_nobody_counts_are_given() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("listing.json", LISTED)]).await?;
        computed(&page).await?;
        let once = "The loop at 0x0010 of sum goes round once: nobody says how often.";
        page.expect("chain-once", once).await?;
        page.click("station-kernel-0-warps").await?;
        page.expect("chain-kernel-once", once).await?;
        page.gone("chain-partial").await?;
        page.expect_part("chain-sides", "if as assumed").await?;
        page.put("field-chain-kernels-0-loops-0x10", "16").await?;
        expect_in(&page, "/chain/kernels/0/loops/0x10", &json!(16)).await?;
        page.gone("chain-once").await?;
        page.click("as-form").await?;
        page.put("field-chain-kernels-0-loops-0x10", "often").await?;
        page.expect_part("notes-chain-kernels-0-loops", "Rounds at 0x10: \"often\". Expected a whole number")
            .await?;
        is_invalid(&page, "field-chain-kernels-0-loops-0x10", true).await?;
        page.put("field-chain-kernels-0-loops-0x10", "").await?;
        expect_in(&page, "/chain/kernels/0/loops", &Value::Null).await?;
        page.click("as-form").await?;
        page.fill("field-chain-kernels-0-loops", "8").await?;
        expect_in(&page, "/chain/kernels/0/loops", &json!(8)).await?;
        computed(&page).await
    })
}

/// A listing that was cut is told beside the verdict and in the details of its kernel.
#[test]
fn a_listing_that_was_cut_is_told_beside_the_verdict() -> Outcome {
    on_page("", async |page| {
        let end = LISTED.find(" /*0030*/ EXIT").ok_or("an EXIT")?;
        let rest = LISTED[end..].find("\"}],").ok_or("an end")?;
        let cut = format!("{}{}", &LISTED[..end], &LISTED[end + rest..]);
        page.drop_files(&[("cut.json", &cut)]).await?;
        computed(&page).await?;
        page.expect("chain-verdict", "All deadlines are met, under an unproven assumption.").await?;
        let partial = "Nothing is proven of the whole of sum (text ends without EXIT).";
        page.expect("chain-partial", partial).await?;
        page.click("station-kernel-0-code").await?;
        page.expect_part("chain-kernel-told", "no EXIT or RET has ended the way").await
    })
}
