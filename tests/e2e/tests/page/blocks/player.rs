//! The player: events both ways, queues and what is free at an instant, and why the rest waits.

use fantoccini::key::Key;
use serde_json::{Value, json};
use warpspan::base::Nanos;
use warpspan::page::blocks::{Played, Which};
use warpspan::scenario::builtin::BUILTINS;
use warpspan_e2e::{Look, Outcome, in_browser, key, on_page, same, that};

use super::{CANVAS, axis, drawn, open, point, run};
use crate::links::copied_view;

#[test]
fn stepping_shows_queues_and_what_is_free() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.expect_part("blocks-sentence", "The whole run").await?;
        same("queues at the end", page.has("blocks-queues").await?, false)?;
        page.click("blocks-home").await?;
        page.expect_part("blocks-sentence", "Nothing has happened yet.").await?;
        page.click("blocks-forward").await?;
        page.expect_part("blocks-sentence", "Event 1 of ").await?;
        page.expect_part("blocks-sentence", "(G1)").await?;
        page.expect_part("blocks-streams", "K1").await?;
        page.blur().await?;
        page.press("..,").await?;
        page.expect_part("blocks-sentence", "Event 2 of ").await?;
        page.expect_value("blocks-slider", "2").await?;
        page.press(&key(Key::End)).await?;
        page.expect_part("blocks-sentence", "The whole run").await?;
        page.press(&key(Key::Home)).await?;
        page.expect_part("blocks-sentence", "Nothing has happened yet.").await?;
        let row = "return document.querySelector('[data-testid=blocks-sms] tbody tr').textContent";
        let before = page.string(row).await?;
        that(before.contains("2,048"), || before.clone())?;
        let runs = run("paredes-example")?;
        let begun = Played::new(&runs, Which::Simulated).map_or(0, |played| played.step_at(Nanos(0)));
        page.press(&".".repeat(begun)).await?;
        page.until("fewer threads free", "return document.querySelector('[data-testid=blocks-sms] tbody tr').textContent.includes('0 of 2,048')").await?;
        page.expect_part("blocks-waits", "waits: ").await?;
        page.expect_part("blocks-execution", "left").await
    })
}

#[test]
fn the_heads_of_the_queues_stand_beside_the_picture_and_nothing_moves_from_step_to_step() -> Outcome {
    const PLACES: &str = "const of = (id) => { const r = document.querySelector(`[data-testid=${id}]`).getBoundingClientRect();
        return [r.left, r.top, r.width, r.height].map(Math.round); };
        return JSON.stringify(['blocks-plot', 'blocks-heads', 'blocks-slider'].map(of));";
    const SEEN: &str = "const heads = document.querySelector('[data-testid=blocks-heads]').getBoundingClientRect();
        const plot = document.querySelector('[data-testid=blocks-plot]').getBoundingClientRect();
        const top = document.querySelector('.header').getBoundingClientRect().bottom;
        return heads.bottom <= innerHeight && plot.width * plot.height >= 0.6 * innerWidth * (innerHeight - top);";
    in_browser(Look::default(), async |page| {
        page.come_first().await?;
        page.go("#example=paredes-example").await?;
        drawn(&page, "paredes-example").await?;
        let runs = run("paredes-example")?;
        let played = Played::new(&runs, Which::Simulated).ok_or("no run")?;
        for (width, height) in [(1440, 900), (1280, 720)] {
            page.look(Look { width, height, ..Look::default() }).await?;
            page.click("blocks-home").await?;
            page.blur().await?;
            page.press(".").await?;
            page.idle().await?;
            let before = page.string(PLACES).await?;
            page.until("picture and queues on a screen", SEEN).await?;
            for step in 2..played.total() {
                page.press(".").await?;
                page.expect_value("blocks-slider", &step.to_string()).await?;
                same("places", page.string(PLACES).await?.as_str(), before.as_str())?;
            }
        }
        page.click("blocks-home").await?;
        let begun = played.step_at(Nanos(0));
        page.blur().await?;
        page.press(&".".repeat(begun)).await?;
        page.expect_part("blocks-heads", "too few threads free (R2)").await?;
        page.expect_part("blocks-heads", "K3 is before it in the queue (X1)").await
    })
}

#[test]
fn playing_goes_on_by_itself_until_it_is_paused() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.blur().await?;
        page.press(" ").await?;
        let says = |label: &str| {
            format!("return document.querySelector('[data-testid=blocks-play]').ariaLabel === '{label}'")
        };
        page.until("it to play", &says("Pause")).await?;
        page.until("two steps", "return document.querySelector('[data-testid=blocks-slider]').value >= 2")
            .await?;
        page.press(" ").await?;
        page.until("a pause", &says("Play the run")).await?;
        let stopped = page.value("blocks-slider").await?;
        page.quiet().await?;
        page.frames(30).await?;
        same("the event while it pauses", page.value("blocks-slider").await?, stopped)?;
        page.choose("blocks-speed", "4").await?;
        page.click("blocks-play").await?;
        page.expect_part("blocks-sentence", "The whole run").await?;
        page.until("the end", &says("Play the run")).await
    })
}

#[test]
fn a_drag_on_the_axis_goes_through_the_events() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.expect_part("blocks-sentence", "The whole run").await?;
        let runs = run("paredes-example")?;
        let played = Played::new(&runs, Which::Simulated).ok_or("no run")?;
        for (moves, nanos) in [2_500_000_000, 7_200_000_000, 4_300_000_000].into_iter().enumerate() {
            let (x, y) = axis(&page, &runs, nanos).await?;
            if moves == 0 {
                page.press_at((x, y)).await?;
            } else {
                page.hover((x, y)).await?;
            }
            // Queues and sentence are there before anybody lets go.
            let step = played.step_at(Nanos(nanos));
            page.expect_value("blocks-slider", &step.to_string()).await?;
            page.expect_part(
                "blocks-sentence",
                &format!("Event {step} of {}, {}. ", played.total(), played.at(step)),
            )
            .await?;
            page.wait_for("blocks-queues").await?;
        }
        page.let_go().await?;
        page.expect_value("blocks-slider", &played.step_at(Nanos(4_300_000_000)).to_string()).await?;
        // No stretch was selected.
        page.expect_part("blocks-details", "Select a block").await
    })
}

#[test]
fn a_double_click_or_enter_takes_the_player_there() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        let runs = run("paredes-example")?;
        let (x, y) = point(&page, &runs, 0, 5_000_000_000).await?;
        page.click_at(x, y).await?;
        page.expect("blocks-selected", "K2:6").await?;
        page.eval("document.querySelector('[data-testid=blocks-plot]').focus()", vec![]).await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("blocks-sentence", ", 4 s. ").await?;
        let script = "const e = document.querySelector(arguments[0]), r = e.getBoundingClientRect();
            e.dispatchEvent(new MouseEvent('dblclick', {clientX: arguments[1], clientY: r.top + 50, bubbles: true}))";
        let (x, _) = point(&page, &runs, 0, 7_000_000_000).await?;
        page.eval(script, vec![json!(CANVAS), json!(x)]).await?;
        page.expect_part("blocks-sentence", ", 6 s. ").await
    })
}

#[test]
fn copies_have_queues_and_engines() -> Outcome {
    on_page("", async |page| {
        open(&page, "copies").await?;
        page.put("blocks-slider", "9").await?;
        page.expect_part("blocks-engines", "copy in").await?;
        page.expect_part("blocks-engines", "engine 0").await?;
        page.expect_part("blocks-waits", "(C2)").await
    })
}

#[test]
fn processes_say_who_has_the_device() -> Outcome {
    on_page("", async |page| {
        open(&page, "processes").await?;
        page.put("blocks-slider", "9").await?;
        page.expect_part("blocks-device", "has the device").await?;
        page.expect_part("blocks-execution", "process 1").await
    })
}

#[test]
fn a_measured_run_says_which_rules_it_breaks() -> Outcome {
    on_page("", async |page| {
        open(&page, "measured-run").await?;
        page.click("blocks-home").await?;
        page.blur().await?;
        for _ in 0..30 {
            page.press(".").await?;
            if page.text("blocks-sentence").await?.contains("This breaks X1") {
                return page.expect_part("blocks-sentence", "Block 0 of K3 starts.").await;
            }
        }
        Err("no event breaks X1".to_owned())
    })
}

#[test]
fn of_two_runs_the_player_takes_either_at_the_same_instant() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("both.json", &both()?)]).await?;
        let there = "const e = document.querySelector('[data-testid=blocks-plot]');
            return !!e?.ariaLabel.includes('Simulated: 2 blocks on') && e.ariaLabel.includes('Measured: 8 blocks on')";
        page.until("two runs", there).await?;
        page.until("events", "return document.querySelector('[data-testid=blocks-slider]').max > 0").await?;
        page.click("blocks-back").await?;
        page.expect_part("blocks-sentence", "60 ms.").await?;
        page.click("play-measured").await?;
        page.expect_part("blocks-sentence", "Event 21 of 26, 50 ms.").await?;
        page.expect_part("blocks-lines", "All blocks of the measured run").await?;
        page.quiet().await?;
        same("rows in the link", copied_view(&page).await?.rows.as_deref(), Some("measured"))
    })
}

/// The measured run with something to simulate beside it.
fn both() -> Result<String, String> {
    let example = BUILTINS.iter().find(|example| example.name == "measured-run").ok_or("no example")?;
    let mut document: Value = serde_json::from_str(example.text).map_err(|error| error.to_string())?;
    document["blocks"]["streams"] =
        json!([{"operations": [{"kernel": "K", "blocks": 2, "threads": 1024, "duration": 60_000_000}]}]);
    Ok(document.to_string())
}
