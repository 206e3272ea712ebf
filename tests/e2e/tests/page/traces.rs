//! Recorded runs: opened by dropping a file, seen, explained, changed, and shared without the file.

use fantoccini::key::Key;
use warpspan_e2e::{Held, Look, Outcome, Page, in_browser, key, on_page, patiently, same, that};

use crate::speed::{pan, smooth};

const EXAMPLE: &str = include_str!("../../../../www/scenarios/loss-in-every-step.json");

/// Opens the first example.
async fn example(page: &Page) -> Outcome {
    page.go("#example=loss-in-every-step").await?;
    page.wait_for("traces-leads").await.map(drop)
}

/// The address, once the document in it has something in a place: it follows the page after a moment.
async fn link_with(page: &Page, place: &str) -> Result<String, String> {
    patiently("the address to follow", async || {
        let link = page.fragment().await?;
        let there =
            warpspan::scenario::link::open(&link).is_ok_and(|open| open.scenario.pointer(place).is_some());
        Ok(if there { Ok(link) } else { Err(link) })
    })
    .await
}

/// The recording of the example as a profiler writes it.
fn recording() -> Result<String, String> {
    let tree: serde_json::Value = serde_json::from_str(EXAMPLE).map_err(|error| error.to_string())?;
    Ok(tree["trace"]["recorded"].to_string())
}

#[test]
fn an_example_shows_where_the_time_went() -> Outcome {
    on_page("", async |page| {
        example(&page).await?;
        page.expect("tile-traces-end", "572 µs").await?;
        page.expect("tile-traces-idle", "21.7 %").await?;
        page.expect("tile-traces-mostly", "launched late").await?;
        page.expect_part("cause-launch", "73.5 µs").await?;
        page.expect_part("cause-host-wait", "9.00 µs").await?;
        page.expect_part("traces-leads", "cudaStreamSynchronize").await
    })
}

#[test]
fn a_gap_says_why_and_leads_to_who_is_to_blame() -> Outcome {
    on_page("", async |page| {
        example(&page).await?;
        page.click_in("cause-host-wait", "host waited for the GPU").await?;
        page.expect_part("traces-details", "Nothing ran for").await?;
        page.expect_part("traces-details", "host waited for the GPU").await?;
        page.click_in("traces-details", "Memcpy HtoD, operation 11").await?;
        page.expect_part("traces-why", "after the host had begun to launch it").await?;
        page.expect_part("traces-details", "What if it").await
    })
}

#[test]
fn a_change_is_replayed_and_is_in_the_link() -> Outcome {
    on_page("", async |page| {
        example(&page).await?;
        page.expect_part("traces-try-0", "Try").await?;
        page.click("traces-try-0").await?;
        page.expect_part("traces-told", "88.0 µs sooner").await?;
        page.click("traces-changed").await?;
        let link = link_with(&page, "/trace/changes/0").await?;
        page.go(&link).await?;
        page.expect_part("traces-told", "88.0 µs sooner").await?;
        page.expect("traces-try-0", "Tried").await?;
        page.click("traces-try-0").await?;
        page.gone("traces-changed").await
    })
}

#[test]
fn a_pasted_recording_is_read_as_a_file() -> Outcome {
    on_page("", async |page| {
        let text = recording()?;
        page.paste("body", &text).await?;
        page.expect_part("cause-launch", "73.5 µs").await?;
        page.expect("title", "pasted.json").await?;
        let link = link_with(&page, "/trace/files/0").await?;
        that(link.len() < 300, || format!("the file is in the link: {link}"))
    })
}

#[test]
fn a_dropped_recording_stays_here_and_is_asked_for_again() -> Outcome {
    on_page("", async |page| {
        let text = recording()?;
        page.drop_files(&[("step.json", &text)]).await?;
        page.expect_part("cause-launch", "73.5 µs").await?;
        page.expect("title", "step.json").await?;
        let link = link_with(&page, "/trace/files/0").await?;
        that(link.len() < 300, || format!("the file is in the link: {link}"))?;
        page.click("share").await?;
        page.expect_part("share-length", "stays on this computer").await?;
        page.go(&link).await?;
        page.expect_part("traces-waits", "Open step.json here").await?;
        page.drop_files(&[("step.json", &text)]).await?;
        page.expect_part("cause-launch", "73.5 µs").await
    })
}

#[test]
fn names_are_found_and_keys_go_from_one_to_the_next() -> Outcome {
    on_page("", async |page| {
        example(&page).await?;
        page.fill("traces-find", "backward").await?;
        page.expect("traces-find-count", "4").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect("traces-find-count", "1 of 4").await?;
        page.click("traces-find-back").await?;
        page.expect("traces-find-count", "4 of 4").await?;
        page.click("traces-find-next").await?;
        page.expect_part("traces-details", "backward").await?;
        page.eval("document.querySelector('.traces-plot').focus()", vec![]).await?;
        page.press(&key(Key::Right)).await?;
        page.expect_part("traces-details", "adam").await?;
        page.press(&key(Key::Left)).await?;
        page.expect_part("traces-details", "backward").await
    })
}

#[test]
fn a_stretch_of_time_has_its_sums() -> Outcome {
    on_page("", async |page| {
        example(&page).await?;
        // Where it is is known once nothing moves any more.
        page.idle().await?;
        let [left, top, wide, high] = page.rect(".traces-plot").await?;
        let (from, to) = ((left + wide * 0.3, top + high * 0.5), (left + wide * 0.6, top + high * 0.5));
        page.drag(from, to, Held::Nothing).await?;
        page.expect_part("traces-range", "GPU 0: busy").await?;
        page.expect_part("traces-range", "launched late").await?;
        page.wait_for("traces-sums").await?;
        // They are as high as they are long, up to a share of the window.
        let high = "const sums = document.querySelector('[data-testid=traces-sums]');
            const high = sums.getBoundingClientRect().height;
            return high <= innerHeight * 0.4 + 1 && (sums.scrollHeight <= sums.clientHeight + 1 || high > innerHeight * 0.3)";
        page.until("room for the tables", high).await?;
        let line = "document.querySelector('[data-testid=traces-sums] tbody tr button')";
        page.eval(&format!("{line}.click()"), vec![]).await?;
        page.until("the line to be lit", &format!("return {line}.ariaPressed === 'true'")).await?;
        page.click("traces-blocks-0").await?;
        page.wait_for("blocks-plot").await?;
        page.expect_part("title", "of a recorded run").await
    })
}

#[test]
fn a_damaged_recording_is_told_and_what_was_sound_is_shown() -> Outcome {
    on_page("", async |page| {
        let text = recording()?;
        let cut = &text[..text.len() / 2];
        page.drop_files(&[("cut.json", cut)]).await?;
        page.expect_part("traces-left-out", "cut off after byte").await?;
        page.drop_files(&[("bad.sqlite", "SQLite format 3\u{0} and nothing more")]).await?;
        page.expect_part("traces-refused", "bad.sqlite").await?;
        same("its errors", page.complaints().await?, Vec::<String>::new())
    })
}

#[test]
fn files_of_one_run_are_opened_together_and_asked_for_one_by_one() -> Outcome {
    on_page("", async |page| {
        let (one, other) = (recording()?, recording()?.replace("adam", "sgd"));
        page.drop_files(&[("rank0.json", &one), ("rank1.json", &other)]).await?;
        page.expect("title", "rank0.json and 1 more").await?;
        // Each has a GPU of its own, and idles as long as it does alone.
        page.expect_part("cause-launch", "73.5 µs").await?;
        for gpu in ["GPU 0 · 1", "GPU 0 · 2"] {
            page.expect_part("traces-causes", gpu).await?;
        }
        page.fill("traces-find", "sgd").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("traces-details", "sgd").await?;
        let link = patiently("the selection in the address", async || {
            let link = page.fragment().await?;
            let there = link.split('&').any(|part| part.starts_with("sel"));
            Ok(if there { Ok(link) } else { Err(link) })
        })
        .await?;
        page.go(&link).await?;
        page.expect_part("traces-waits", "Open rank0.json and rank1.json here").await?;
        page.drop_files(&[("rank1.json", &other)]).await?;
        page.expect_part("traces-waits", "Open rank0.json here").await?;
        page.drop_files(&[("rank0.json", &one)]).await?;
        page.expect_part("cause-launch", "73.5 µs").await?;
        // The link's selection is seen, as the document is the one that it was made of.
        page.expect_part("traces-details", "sgd").await?;
        same("its errors", page.complaints().await?, Vec::<String>::new())
    })
}

#[test]
fn changes_of_a_link_are_made_once_its_file_is_there() -> Outcome {
    on_page("", async |page| {
        let text = recording()?;
        page.drop_files(&[("step.json", &text)]).await?;
        page.expect_part("traces-try-0", "Try").await?;
        page.click("traces-try-0").await?;
        page.expect_part("traces-told", "88.0 µs sooner").await?;
        let link = link_with(&page, "/trace/changes/0").await?;
        page.go(&link).await?;
        page.expect_part("traces-waits", "Open step.json here").await?;
        page.drop_files(&[("step.json", &text)]).await?;
        page.expect_part("traces-told", "88.0 µs sooner").await?;
        page.expect("traces-try-0", "Tried").await
    })
}

#[test]
fn a_long_recording_is_panned_frame_by_frame_with_few_marks() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.count_paint().await?;
        page.go("").await?;
        page.wait_for("makespan").await?;
        page.drop_recording("long.json", 20_000).await?;
        page.expect_part("cause-launch", "launched late").await?;
        page.wait_for("traces-leads").await?;
        // What is painted from here on is painted for the keys.
        page.idle().await?;
        page.blur().await?;
        for zooms in [1, 6, 12] {
            page.press(&"w".repeat(zooms)).await?;
            smooth(&format!("{zooms} times closer"), pan(&page, 60).await?, 60, 20_000)?;
        }
        Ok(())
    })
}
