//! Everybody reaches the tasks lab: on narrow screens, by touch, by names, in both themes.

use serde_json::json;
use warpspan::scenario::link::View;
use warpspan_e2e::{Colours, Look, Outcome, Page, Screen, System, in_browser, on_page, same, that};

use super::{checked, document, expect_in, middle, point, report, to};
use crate::reach::{fits, nameless, too_small};

/// Elements with a place in the tab order whose focus cannot be seen.
const DIM: &str = "return [...document.querySelectorAll('[data-testid=tasks] :is(button, select, input, summary, [tabindex=\"0\"])')]
    .filter((e) => !e.disabled && e.checkVisibility({visibilityProperty: true}) && !e.closest('svg'))
    .filter((e) => { e.focus({focusVisible: true}); const s = getComputedStyle(e);
        return document.activeElement === e && (s.outlineStyle === 'none' || parseFloat(s.outlineWidth) < 2); })
    .map((e) => e.outerHTML.slice(0, 120))";

/// Opens an example in a window of this size and brings fingers to it.
async fn on_phone(page: &Page, name: &str) -> Outcome {
    page.look(Look { width: 390, height: 844, ..Look::default() }).await?;
    page.fingers().await?;
    page.go(&to(name, &View::default())?).await?;
    checked(page).await
}

async fn tap(page: &Page, id: &str) -> Outcome {
    page.wait_for(id).await?;
    page.frames(2).await?;
    let [left, top, width, height] = page.place(&format!("[data-testid={id}]")).await?;
    page.touch(&[&[(left + width / 2.0, top + height / 2.0)]]).await
}

#[test]
fn nothing_sticks_out_and_everything_is_large_enough() -> Outcome {
    in_browser(Look::default(), async |page| {
        for name in ["tasks-overload", "tasks-equation-rejects"] {
            page.go(&to(name, &View { sel: Some("t:120".to_owned()), ..View::default() })?).await?;
            checked(&page).await?;
            page.wait_for("tasks-witness").await?;
            for system in [System::Light, System::Dark] {
                for width in [1440, 1024, 390, 320] {
                    page.look(Look { width, height: 900, system }).await?;
                    page.eval(
                        "document.querySelectorAll('details').forEach((e) => { e.open = true; })",
                        vec![],
                    )
                    .await?;
                    let at = format!("{name} at {width} pixels, {}", system.name());
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
fn what_has_the_focus_can_be_seen() -> Outcome {
    let fragment = to("tasks-overload", &View::default())?;
    in_browser(Look::default(), async move |page| {
        page.go(&fragment).await?;
        checked(&page).await?;
        same("without an outline", page.eval(DIM, vec![]).await?, json!([]))
    })
}

#[test]
fn the_graph_can_be_read_in_forced_colours() -> Outcome {
    on_page("", async |page| {
        super::open(&page, "tasks-overload").await?;
        page.wait_for_css(".graph-drawing .on .body").await?;
        // Black on white by the system, while the page's own theme is dark; and the other way round.
        for (theme, system) in [("dark", System::Light), ("light", System::Dark)] {
            page.choose("theme", theme).await?;
            page.look_on(Look { system, ..Look::default() }, Screen::Plain, Colours::Forced).await?;
            let apart = "const light = (selector) => {
                    const fill = getComputedStyle(document.querySelector(selector)).fill;
                    const [r, g, b] = fill.match(/[\\d.]+/g).map(Number);
                    return r + g + b;
                };
                return Math.abs(light('.graph-drawing .on .body') - light('.graph-drawing .on text'))";
            let apart = page.number(apart).await?;
            that(apart > 600.0, || format!("text and ground are {apart} of 765 apart in a {theme} theme"))?;
        }
        Ok(())
    })
}

#[test]
fn no_test_id_is_there_twice() -> Outcome {
    let fragment = to("tasks-overload", &View::default())?;
    in_browser(Look::default(), async move |page| {
        page.go(&fragment).await?;
        checked(&page).await?;
        page.wait_for("task-0").await?;
        let script =
            "const ids = [...document.querySelectorAll('[data-testid]')].map((e) => e.dataset.testid);
            return ids.filter((id, at) => ids.indexOf(id) !== at)";
        same("twice", page.eval(script, vec![]).await?, json!([]))
    })
}

#[test]
fn buttons_of_the_editor_work_by_touch() -> Outcome {
    in_browser(Look::default(), async |page| {
        on_phone(&page, "tasks-controller").await?;
        page.wait_for("vertex-3").await?;
        let at = middle(&page, "vertex-0", ".body").await?;
        page.touch(&[&[at]]).await?;
        page.until(
            "vertex 0 selected",
            "return document.querySelector('[data-testid=vertex-0]').ariaPressed === 'true'",
        )
        .await?;
        tap(&page, "graph-add").await?;
        page.wait_for("vertex-4").await?;
        page.wait_for("edge-5").await?;
        checked(&page).await?;
        tap(&page, "graph-connect").await?;
        page.expect_part("graph-help", "Choose where the edge leads").await?;
        let at = middle(&page, "vertex-2", ".body").await?;
        page.touch(&[&[at]]).await?;
        page.wait_for("edge-6").await?;
        checked(&page).await?;
        tap(&page, "graph-remove").await?;
        page.gone("edge-6").await?;
        fits(&page, "after edits on a phone").await
    })
}

#[test]
fn fingers_move_a_vertex_and_select_in_the_chart() -> Outcome {
    in_browser(Look::default(), async |page| {
        on_phone(&page, "tasks-controller").await?;
        let (x, y) = middle(&page, "vertex-2", ".body").await?;
        page.touch(&[&[(x, y)], &[(x + 10.0, y + 10.0)], &[(x + 20.0, y + 25.0)]]).await?;
        let after = middle(&page, "vertex-2", ".body").await?;
        that((after.1 - y).abs() > 5.0, || format!("{x}, {y}, then {after:?}"))?;
        let demand = warpspan::page::tasks::Demand::new(&report("tasks-controller")?);
        let at = point(&page, &demand, 400).await?;
        page.touch(&[&[at]]).await?;
        page.until(
            "an interval",
            "return document.querySelector('[data-testid=tasks-selected]').textContent.startsWith('t:')",
        )
        .await?;
        page.eval("document.querySelectorAll('details').forEach((e) => { e.open = true; })", vec![]).await?;
        let document = document(&page).await?;
        that(document["tasks"][0]["vertices"][2]["x"].is_number(), || document.to_string())?;
        expect_in(&page, "/tasks/0/vertices/2/name", &json!("recover")).await
    })
}
