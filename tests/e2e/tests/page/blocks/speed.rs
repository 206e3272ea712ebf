//! 100,000 blocks are drawn by density and follow the pan frame by frame. How long that takes is measured by
//! `cargo xtask bench`.

use warpspan_e2e::{Look, Outcome, Page, in_browser, same, that};

use super::{drawn, open};
use crate::scenario_panel::show;
use crate::speed::{pan, smooth};

/// Marks that a picture which knows no density would paint at least.
const BLOCKS: u64 = 100_000;

async fn begin(page: &Page) -> Outcome {
    page.count_paint().await?;
    page.go("").await?;
    page.wait_for("makespan").await?;
    // The lab itself has been loaded before, as by a visitor who looks around.
    open(page, "paredes-example").await?;
    page.idle().await
}

#[test]
fn a_hundred_thousand_blocks_take_one_job_and_few_marks() -> Outcome {
    in_browser(Look::default(), async |page| {
        begin(&page).await?;
        page.painted().await?;
        let given = page.number("return atWork.given()").await?;
        show(&page, "many-blocks").await?;
        drawn(&page, "many-blocks").await?;
        page.idle().await?;
        same("jobs given to workers", page.number("return atWork.given()").await? - given, 1.0)?;
        let painted = page.painted().await?;
        println!("{painted:?}");
        that(painted.most < BLOCKS / 10, || format!("{painted:?} for {BLOCKS} blocks"))
    })
}

#[test]
fn panning_paints_each_frame_once_near_and_far() -> Outcome {
    in_browser(Look::default(), async |page| {
        begin(&page).await?;
        open(&page, "many-blocks").await?;
        page.blur().await?;
        // All but a little, where density is drawn; then some hundred microseconds, where every block is.
        for zooms in [1, 8] {
            page.press(&"w".repeat(zooms)).await?;
            smooth(&format!("{zooms} times closer"), pan(&page, 60).await?, 60, BLOCKS / 10)?;
        }
        Ok(())
    })
}

#[test]
fn a_step_through_many_blocks_is_painted_in_the_next_frame() -> Outcome {
    in_browser(Look::default(), async |page| {
        begin(&page).await?;
        open(&page, "many-blocks").await?;
        drawn(&page, "many-blocks").await?;
        page.put("blocks-slider", "480").await?;
        page.expect_part("blocks-sentence", "Event 480 of ").await?;
        // What a task after a frame sees has been painted.
        let script = "const done = arguments[0];
            const said = [];
            const step = () => {
                if (said.length === 20) return done(said);
                document.querySelector('[data-testid=blocks-forward]').click();
                const {port1, port2} = new MessageChannel();
                port1.onmessage = () => {
                    port1.close();
                    said.push(document.querySelector('[data-testid=blocks-sentence]').textContent);
                    step();
                };
                requestAnimationFrame(() => port2.postMessage(0));
            };
            step()";
        // What is said of the first step takes its room from the picture first.
        page.quiet().await?;
        page.painted().await?;
        let said = page.eval_async(script, vec![]).await?;
        let painted = page.painted().await?;
        println!("{painted:?}");
        let said = said.as_array().cloned().unwrap_or_default();
        for (event, sentence) in (481..).zip(&said) {
            let begins = format!("Event {event} of ");
            that(sentence.as_str().is_some_and(|text| text.contains(&begins)), || {
                format!("{sentence}, expected {begins}")
            })?;
        }
        same("steps", said.len(), 20)?;
        that(painted.frames <= 21 && painted.most < BLOCKS / 10, || format!("{painted:?}"))
    })
}
