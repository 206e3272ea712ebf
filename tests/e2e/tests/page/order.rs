//! The order beneath the picture: its entries are dragged to other places, with the schedule at every move.

use fantoccini::key::Key;
use serde_json::json;
use warpspan::page::Shown;
use warpspan::scenario::builtin::BUILTINS;
use warpspan_e2e::{Held, Outcome, Page, key, key_escape, on_page, patiently, same, that, with_control};

use crate::scenario_panel::show;

/// The result of a built-in example, as the page has it.
pub fn shown(name: &str) -> Result<Shown, String> {
    let example = BUILTINS.iter().find(|example| example.name == name).ok_or("no such example")?;
    let scenario = warpspan::scenario::read(example.text).map_err(|_| "not valid")?;
    let line = warpspan::job::run(scenario).line();
    Shown::new(example.text, &line).ok_or_else(|| "no schedule".to_owned())
}

/// The middle of an entry in the strip.
async fn entry(page: &Page, place: usize) -> Result<(f64, f64), String> {
    let [x, y, w, h] = page.rect(&format!(".order [data-place=\"{place}\"]")).await?;
    Ok((x + w / 2.0, y + h / 2.0))
}

/// An order as the form writes it.
fn written(shown: &Shown) -> String {
    let warps: Vec<String> = shown.order.ids().iter().map(|warp| (warp + 1).to_string()).collect();
    warps.join(" ")
}

const UNDOABLE: &str = "return !document.querySelector('[data-testid=undo]').disabled";

#[test]
fn an_entry_is_tried_while_it_is_dragged_and_kept_when_it_is_let_go() -> Outcome {
    on_page("#example=figure-2", async |page| {
        page.reveal("field-warps-method-order").await?;
        let before = shown("figure-2")?;
        let order = written(&before);
        page.expect_value("field-warps-method-order", &order).await?;
        let undoable = page.eval(UNDOABLE, vec![]).await?;
        page.put("player-slider", "4").await?;
        page.expect_part("sentence", "Step 4 of 12: ").await?;
        page.place("[data-testid=order]").await?;
        // Dragged to two places and left as it was.
        page.press_at(entry(&page, 0).await?).await?;
        for place in [5, 8] {
            page.hover(entry(&page, place).await?).await?;
            let tried = before.reordered(0, place).ok_or("no such place")?;
            page.expect("sentence", &tried.sentence(&before)).await?;
            page.until(
                "the entry at its place",
                &format!("return document.querySelector('.order .held').dataset.place === '{place}'"),
            )
            .await?;
        }
        same(
            "the document while it is dragged",
            page.value("field-warps-method-order").await?,
            order.clone(),
        )?;
        page.press(&key_escape()).await?;
        page.expect_part("sentence", "Step 4 of 12: ").await?;
        page.let_go().await?;
        same("the document after Esc", page.value("field-warps-method-order").await?, order.clone())?;
        same("something to undo", &page.eval(UNDOABLE, vec![]).await?, &undoable)?;
        // Let go of elsewhere: one undo, and the player stands where it stood.
        page.press_at(entry(&page, 0).await?).await?;
        for place in [3, 9] {
            page.hover(entry(&page, place).await?).await?;
        }
        page.let_go().await?;
        let kept = before.reordered(0, 9).ok_or("no such place")?.shown;
        page.expect_value("field-warps-method-order", &written(&kept)).await?;
        let cycles = kept.schedule.makespan();
        page.expect("makespan", &format!("{cycles} cycles")).await?;
        page.expect_part("sentence", "Step 4 of 12: ").await?;
        page.blur().await?;
        page.press(&with_control("z")).await?;
        page.expect_value("field-warps-method-order", &order).await?;
        page.expect("makespan", "8 cycles").await?;
        same("something more to undo", &page.eval(UNDOABLE, vec![]).await?, &undoable)
    })
}

#[test]
fn the_order_of_a_policy_becomes_ones_own() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        let before = shown("figure-6")?;
        page.put("player-slider", "5").await?;
        page.expect_part("sentence", "Step 5 of ").await?;
        page.place("[data-testid=order]").await?;
        page.drag(entry(&page, 6).await?, entry(&page, 1).await?, Held::Nothing).await?;
        page.expect_value("method", "order").await?;
        let kept = before.reordered(6, 1).ok_or("no such place")?.shown;
        page.expect_value("field-warps-method-order", &written(&kept)).await?;
        page.expect_part("sentence", "Step 5 of ").await?;
        let ids = "return [...document.querySelectorAll('.order [data-place]')].map((e) => e.textContent).join(' ')";
        let strip = page.string(ids).await?;
        that(written(&kept).starts_with(&strip) && !strip.is_empty(), || format!("the strip says {strip}"))
    })
}

#[test]
fn an_order_of_ones_own_goes_along_with_the_number_of_warps() -> Outcome {
    on_page("#example=figure-2", async |page| {
        page.reveal("field-warps-method-order").await?;
        let order = written(&shown("figure-2")?);
        page.expect_value("field-warps-method-order", &order).await?;
        let count = page.value("field-warps-count").await?;
        let warps: u64 = count.parse().map_err(|_| format!("{count} warps"))?;
        let each = order.split(' ').filter(|entry| *entry == "1").count();
        // One more comes after all others, and the picture is that of the document.
        page.put("field-warps-count-slider", &(warps + 1).to_string()).await?;
        let last = format!(" {}", warps + 1).repeat(each);
        page.expect_value("field-warps-method-order", &format!("{order}{last}")).await?;
        page.until("the picture goes on", "return !document.querySelector('.stale, .problems:not(:empty)')")
            .await?;
        // Without all but the first, and back: who stays keeps its places, and who comes back has them again.
        page.put("field-warps-count-slider", "1").await?;
        page.expect_value("field-warps-method-order", vec!["1"; each].join(" ").as_str()).await?;
        page.put("field-warps-count-slider", &count).await?;
        page.expect_value("field-warps-method-order", &order).await?;
        page.until("it goes on", "return !document.querySelector('.stale, .problems:not(:empty)')").await
    })
}

#[test]
fn a_schedule_of_ones_own_goes_along_with_the_number_of_warps() -> Outcome {
    on_page("#example=given-schedule", async |page| {
        page.reveal("field-warps-method-schedule").await?;
        let count = page.value("field-warps-count").await?;
        let warps: usize = count.parse().map_err(|_| format!("{count} warps"))?;
        page.until(
            "the schedule",
            "return !!document.querySelector('[data-testid=field-warps-method-schedule]').value",
        )
        .await?;
        let given = page.value("field-warps-method-schedule").await?;
        same("its rows", given.lines().count(), warps)?;
        // One more warp comes after all others, who keep their cycles.
        page.put("field-warps-count-slider", &(warps + 1).to_string()).await?;
        let more = format!(
            "const rows = document.querySelector('[data-testid=field-warps-method-schedule]').value.split('\\n');
            return rows.length === {} && rows.slice(0, -1).join('\\n') === arguments[0]",
            warps + 1
        );
        patiently("one row more", async || {
            let there = page.eval(&more, vec![json!(given)]).await?;
            Ok(if there == json!(true) { Ok(()) } else { Err("not yet".to_owned()) })
        })
        .await?;
        let goes_on = "return !document.querySelector('.stale, .problems:not(:empty)')";
        page.until("the picture goes on", goes_on).await?;
        // Without all but the first, and back: what was given is there again.
        page.put("field-warps-count-slider", "1").await?;
        let one = "return document.querySelector('[data-testid=field-warps-method-schedule]').value.split('\\n').length === 1";
        page.until("one row", one).await?;
        page.until("the picture of one", goes_on).await?;
        page.put("field-warps-count-slider", &count).await?;
        page.expect_value("field-warps-method-schedule", &given).await?;
        page.until("it goes on", goes_on).await
    })
}

#[test]
fn dragging_the_last_row_changes_how_many_warps_there_are() -> Outcome {
    on_page("", async |page| {
        show(&page, "voronoi-16").await?;
        page.expect("makespan", "154 cycles").await?;
        page.frames(2).await?;
        // All of a drag is done without a pause.
        page.hold_clock(true).await?;
        let warps = "return document.querySelector('[data-testid=grip]').getAttribute('aria-valuenow')";
        same("warps", page.string(warps).await?, "16".to_owned())?;
        let [left, top, width, height] = page.place("[data-testid=grip]").await?;
        let at = (left + width / 2.0, top + height / 2.0);
        let [_, first, _, _] = page.rect("[data-testid=plot]").await?;
        let high = (top - first) / 16.0;
        that(high > 8.0, || format!("a row is {high} pixels high"))?;
        page.drag(at, (at.0, at.1 - 5.0 * high), Held::Nothing).await?;
        // The handle says how many warps are drawn: by then they are those of the document.
        page.gone("stale").await?;
        page.until("fewer warps", "const now = Number(document.querySelector('[data-testid=grip]').getAttribute('aria-valuenow')); return now < 16 && now > 8").await?;
        page.expect_value("field-warps-count", &page.string(warps).await?).await?;
        // One drag is one undo; and so by keys.
        page.click("undo").await?;
        page.expect("makespan", "154 cycles").await?;
        page.eval("document.querySelector('[data-testid=grip]').focus()", vec![]).await?;
        page.press(&key(Key::Up)).await?;
        page.expect_value("field-warps-count", "17").await?;
        page.gone("stale").await?;
        page.press(&key(Key::Down)).await?;
        page.expect("makespan", "154 cycles").await?;
        // Where an order is given it has its number of warps.
        show(&page, "given-schedule").await?;
        page.until("no handle", "return !document.querySelector('[data-testid=grip]').checkVisibility()")
            .await
    })
}
