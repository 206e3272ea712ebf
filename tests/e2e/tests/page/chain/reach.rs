//! Everybody reaches the chain lab: on narrow screens, by touch, by names, in both themes and in forced colours.

use serde_json::json;
use warpspan::scenario::link::View;
use warpspan_e2e::{Colours, Look, Outcome, Screen, System, in_browser, on_page, same, that};

use super::{ASSUMED, SMALL, computed, is_at, open, to};
use crate::reach::{fits, nameless, too_small};

#[test]
fn nothing_sticks_out_and_everything_is_large_enough() -> Outcome {
    in_browser(Look::default(), async |page| {
        for sel in ["kernel:blur:warps", "kernel:blur:gpu", "task:look:task"] {
            page.go(&to(SMALL, &View { sel: Some(sel.to_owned()), ..View::default() })?).await?;
            computed(&page).await?;
            for system in [System::Light, System::Dark] {
                for width in [1440, 1024, 390, 320] {
                    page.look(Look { width, height: 900, system }).await?;
                    page.eval(
                        "document.querySelectorAll('details').forEach((e) => { e.open = true; })",
                        vec![],
                    )
                    .await?;
                    let at = format!("{sel} at {width} pixels, {}", system.name());
                    fits(&page, &at).await?;
                    same(&format!("small, {at}"), too_small(&page).await?, json!([]))?;
                    same(&format!("without a name, {at}"), nameless(&page).await?, vec![])?;
                }
            }
        }
        Ok(())
    })
}

#[test]
fn stations_stand_one_below_the_other_on_a_phone_and_answer_to_touch() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.look(Look { width: 390, height: 844, ..Look::default() }).await?;
        page.fingers().await?;
        page.go(&to(SMALL, &View::default())?).await?;
        computed(&page).await?;
        let [x0, y0, ..] = page.rect("[data-testid=station-kernel-0-code] rect").await?;
        let [x1, y1, ..] = page.rect("[data-testid=station-kernel-0-warps] rect").await?;
        that((x0 - x1).abs() < 1.0 && y1 > y0 + 80.0, || format!("{x0} {y0}, then {x1} {y1}"))?;
        let [left, top, width, height] = page.place("[data-testid=station-kernel-0-block] rect").await?;
        page.touch(&[&[(left + width / 2.0, top + height / 2.0)]]).await?;
        is_at(&page, "station-kernel-0-block").await?;
        page.look(Look { width: 1440, height: 900, ..Look::default() }).await?;
        let wide = "return document.querySelector('[data-testid=station-kernel-0-warps] rect').getBoundingClientRect().left
            > document.querySelector('[data-testid=station-kernel-0-code] rect').getBoundingClientRect().right";
        page.until("stations side by side", wide).await
    })
}

#[test]
fn no_test_id_is_there_twice() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("model.json", ASSUMED)]).await?;
        computed(&page).await?;
        for station in ["kernel-0-warps", "kernel-0-gpu", "task-0-task", "task-0-deadline"] {
            super::stand(&page, &format!("station-{station}")).await?;
            let script =
                "const ids = [...document.querySelectorAll('[data-testid]')].map((e) => e.dataset.testid);
                return ids.filter((id, at) => ids.indexOf(id) !== at)";
            same("twice", page.eval(script, vec![]).await?, json!([]))?;
        }
        Ok(())
    })
}

#[test]
fn the_picture_can_be_read_in_forced_colours() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        for (theme, system) in [("dark", System::Light), ("light", System::Dark)] {
            page.choose("theme", theme).await?;
            page.look_on(Look { system, ..Look::default() }, Screen::Plain, Colours::Forced).await?;
            let apart = "const light = (selector) => {
                    const fill = getComputedStyle(document.querySelector(selector)).fill;
                    const [r, g, b] = fill.match(/[\\d.]+/g).map(Number);
                    return r + g + b;
                };
                return Math.abs(light('.chain-drawing g > rect') - light('.chain-drawing text'))";
            let apart = page.number(apart).await?;
            that(apart > 500.0, || format!("text and ground are {apart} of 765 apart in a {theme} theme"))?;
        }
        Ok(())
    })
}
