//! The demand chart: what pointer, wheel, drags and keys do; the witness that follows; the table beneath.

use fantoccini::key::Key;
use serde_json::{Value, json};
use warpspan::draw::tasks::{Layout, Look};
use warpspan::page::tasks::again::{marked, witnesses};
use warpspan::page::tasks::{Demand, Values, Witnessed, cells, jobs_in_words, said_of};
use warpspan_e2e::{Held, Outcome, Page, key, key_escape, on_page, same, that};

use super::{CANVAS, focus, open, point, report};
use crate::links::copied_view;

const NAME: &str = "tasks-controller";

/// The intervals in sight, as the link tells them once the last change has reached it.
async fn window(page: &Page) -> Result<Option<(f64, f64)>, String> {
    page.quiet().await?;
    let view = copied_view(page).await?;
    Ok(view.t0.zip(view.t1))
}

async fn zoomed(page: &Page) -> Result<(f64, f64), String> {
    window(page).await?.ok_or_else(|| "everything is in sight".to_owned())
}

/// What stands in the lines of a list.
async fn lines(page: &Page, id: &str) -> Result<Value, String> {
    let script = "return [...document.querySelectorAll(`[data-testid=${arguments[0]}] .body [role=row]`)]
        .map((row) => [...row.children].map((cell) => cell.textContent))";
    page.eval(script, vec![json!(id)]).await
}

#[test]
fn the_pointer_tells_values_and_a_click_selects() -> Outcome {
    on_page("", async |page| {
        open(&page, NAME).await?;
        let demand = Demand::new(&report(NAME)?);
        for t in [110, 40] {
            let said = Values::at(&demand, t).in_words();
            let (x, y) = point(&page, &demand, t).await?;
            page.hover((x, y)).await?;
            page.expect("tasks-tip", &said).await?;
            page.click_at(x, y).await?;
            page.expect("tasks-selected", &format!("t:{t}")).await?;
            page.expect_part("tasks-details", &said).await?;
        }
        page.hover((2.0, 2.0)).await?;
        page.gone("tasks-tip").await?;
        page.press(&key_escape()).await?;
        page.expect("tasks-selected", "").await?;
        page.expect_part("tasks-details", "Select an interval").await
    })
}

#[test]
fn arrows_go_to_the_neighbouring_steps() -> Outcome {
    on_page("", async |page| {
        open(&page, NAME).await?;
        let demand = Demand::new(&report(NAME)?);
        let next = |t: u64, onward| demand.beside(t, onward).ok_or("no step");
        let after = next(110, true)?;
        focus(&page, "tasks-plot").await?;
        for (pressed, t) in
            [(Key::Right, 110), (Key::Right, after), (Key::Left, 110), (Key::Left, next(110, false)?)]
        {
            page.press(&key(pressed)).await?;
            page.expect("tasks-selected", &format!("t:{t}")).await?;
        }
        page.click("tasks-next").await?;
        page.expect("tasks-selected", "t:110").await?;
        page.click("tasks-before").await?;
        page.expect("tasks-selected", &format!("t:{}", next(110, false)?)).await
    })
}

#[test]
fn wheel_drag_keys_and_buttons_zoom_and_0_shows_all() -> Outcome {
    on_page("", async |page| {
        open(&page, NAME).await?;
        let demand = Demand::new(&report(NAME)?);
        let (from, to) = (point(&page, &demand, 100).await?, point(&page, &demand, 300).await?);
        page.wheel(to, -200.0, Held::Control).await?;
        page.wait_for("tasks-overview").await?;
        let (t0, t1) = zoomed(&page).await?;
        that(t0 > 0.0 && t1 < 883.0 && t0 < 300.0 && t1 > 300.0, || format!("wheel: {t0} to {t1}"))?;
        page.blur().await?;
        page.press("0").await?;
        same("0", window(&page).await?, None)?;
        // A drag selects, and W comes closer to what it selected.
        page.drag(from, to, Held::Nothing).await?;
        page.expect_part("tasks-details", "demand grows by").await?;
        same("a drag", window(&page).await?, None)?;
        page.expect("tasks-selected", "").await?;
        page.blur().await?;
        page.press("w").await?;
        let (t0, t1) = zoomed(&page).await?;
        that((t0 - 90.0).abs() < 3.0 && (t1 - 310.0).abs() < 3.0, || format!("W: {t0} to {t1}"))?;
        let [left, top, width, height] = page.place(CANVAS).await?;
        let (x, y) = (left + width / 2.0, top + height / 2.0);
        page.drag((x, y), (x + 200.0, y), Held::Shift).await?;
        let panned = zoomed(&page).await?;
        that(panned.0 < t0 - 10.0 && (panned.1 - panned.0 - (t1 - t0)).abs() < 0.5, || {
            format!("{panned:?}")
        })?;
        page.click("tasks-all").await?;
        same("All", window(&page).await?, None)?;
        page.blur().await?;
        // Without a stretch it comes closer to the middle.
        page.press(&key_escape()).await?;
        page.press("w").await?;
        let closer = zoomed(&page).await?;
        that((closer.1 - closer.0 - 883.0 * 0.7).abs() < 1.0, || format!("W: {closer:?}"))?;
        page.press("d").await?;
        that(zoomed(&page).await?.0 > closer.0, || "D".to_owned())?;
        page.press("s").await?;
        page.press("0").await?;
        page.press("f").await?;
        let (t0, t1) = zoomed(&page).await?;
        that(t0 <= 110.0 && t1 >= 110.0, || format!("F: {t0} to {t1}"))
    })
}

#[test]
fn a_drag_across_the_chart_sums_up() -> Outcome {
    on_page("", async |page| {
        open(&page, NAME).await?;
        let demand = Demand::new(&report(NAME)?);
        let (from, to) = (point(&page, &demand, 100).await?, point(&page, &demand, 300).await?);
        page.drag(from, to, Held::Nothing).await?;
        page.expect_part("tasks-details", "Intervals of ").await?;
        page.expect_part("tasks-details", " in 110; ").await?;
        page.press(&key_escape()).await?;
        page.expect_part("tasks-details", "Select an interval").await
    })
}

#[test]
fn a_drag_along_the_axis_walks_through_the_intervals() -> Outcome {
    on_page("", async |page| {
        open(&page, NAME).await?;
        let report = report(NAME)?;
        let demand = Demand::new(&report);
        page.frames(2).await?;
        let [left, top, ..] = page.place(CANVAS).await?;
        let (width, high) = page.room("[data-testid=tasks-plot]").await?;
        let layout = Layout::new(&demand, &Look::new(width, high, 0.0, demand.horizon as f64));
        for (moves, t) in [40, 225, 110].into_iter().enumerate() {
            let x = layout.x.pixel(t as f64);
            let at = layout.along(&demand, x).ok_or("no interval there")?;
            let place = (left + x, top + layout.bottom() + 14.0);
            if moves == 0 {
                page.press_at(place).await?;
            } else {
                page.hover(place).await?;
            }
            // Values and witness are there before anybody lets go.
            page.expect("tasks-selected", &format!("t:{at}")).await?;
            page.expect_part("tasks-details", &Values::at(&demand, at).in_words()).await?;
            let found = witnesses(&report, at).ok_or("no witness")?;
            page.expect("tasks-witness-told", &jobs_in_words(&Witnessed::new(&found))).await?;
        }
        page.let_go().await?;
        same("the window", window(&page).await?, None)
    })
}

#[test]
fn the_table_says_the_same_as_the_picture() -> Outcome {
    on_page("", async |page| {
        open(&page, NAME).await?;
        let demand = Demand::new(&report(NAME)?);
        page.eval("document.querySelector('[data-testid=tasks-table]').open = true", vec![]).await?;
        page.wait_for("tasks-steps").await?;
        page.until(
            "rows",
            "return document.querySelectorAll('[data-testid=tasks-steps] .body [role=row]').length > 5",
        )
        .await?;
        let found = lines(&page, "tasks-steps").await?;
        for row in 0..5 {
            let wanted = cells(&demand, row).map(|cells| json!(cells));
            same(&format!("row {row}"), found.get(row).cloned(), wanted)?;
        }
        let step = |row: usize| demand.rows.get(row).map(|t| format!("t:{t}")).ok_or("no row");
        focus(&page, "tasks-steps").await?;
        for (pressed, row) in
            [(Key::Down, 0), (Key::Down, 1), (Key::Up, 0), (Key::End, demand.rows.len() - 1), (Key::Home, 0)]
        {
            page.press(&key(pressed)).await?;
            page.expect("tasks-selected", &step(row)?).await?;
        }
        page.click_css("#tasks-steps-3").await?;
        page.expect("tasks-selected", &step(3)?).await
    })
}

#[test]
fn another_interval_has_another_witness_in_list_and_graph() -> Outcome {
    on_page("", async |page| {
        open(&page, NAME).await?;
        let report = report(NAME)?;
        let demand = Demand::new(&report);
        for t in [110, 40, 225] {
            let (x, y) = point(&page, &demand, t).await?;
            page.click_at(x, y).await?;
            page.expect("tasks-selected", &format!("t:{t}")).await?;
            let found = witnesses(&report, t).ok_or("no witness")?;
            let shown = Witnessed::new(&found);
            page.expect("tasks-witness-told", &jobs_in_words(&shown)).await?;
            let wanted: Vec<_> =
                (0..shown.jobs.len()).filter_map(|job| Some(json!([said_of(&shown, job)?]))).collect();
            same(&format!("jobs in {t}"), lines(&page, "tasks-jobs").await?, Value::from(wanted))?;
            for (task, own) in found.iter().enumerate().take(2) {
                page.click(&format!("task-choose-{task}")).await?;
                page.expect_value("graph-task", &task.to_string()).await?;
                let mut on = marked(&report, own, task);
                on.sort_unstable();
                on.dedup();
                let script = format!(
                    "return JSON.stringify([...document.querySelectorAll('.vertex.on')].map((v) => +v.dataset.vertex).sort()) === '{}'",
                    json!(on)
                );
                page.until(&format!("vertices {on:?} of task {task} on, in {t}"), &script).await?;
                let badges = page.count(".vertex text.turns").await?;
                same("badges", badges, on.len() as u64)?;
            }
        }
        // A job of the list takes the graph to its task.
        page.click_css("#tasks-jobs-0").await?;
        page.expect_value("graph-task", "0").await
    })
}
