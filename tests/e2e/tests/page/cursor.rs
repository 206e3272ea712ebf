//! The cursor: one cycle through all rows and through the source, by pointer and by keys.

use fantoccini::key::Key;
use warpspan::draw::gantt::{AXIS, Frame};
use warpspan_e2e::{Held, Look, Outcome, Page, in_browser, key, key_escape, on_page, patiently, same};

use crate::order::shown;
use crate::scenario_panel::show;

const CANVAS: &str = "[data-testid=plot] canvas";

/// How many lines of the source in sight are marked.
const RUNNING: &str = "document.querySelectorAll('[data-testid=source-lines] .running').length";

/// The window's point of a cycle at a height of the picture, while all cycles are shown.
async fn point(page: &Page, end: u32, cycle: u32, y: f64) -> Result<(f64, f64), String> {
    let [left, top, width, _] = page.place(CANVAS).await?;
    let frame = Frame {
        width,
        row: 20.0,
        t0: 0.0,
        t1: end.into(),
        selected: None,
        waited: None,
        range: None,
        lit: warpspan::draw::gantt::Lit::Nothing,
        differs: Default::default(),
    };
    Ok((left + frame.scale().pixel(f64::from(cycle) - 0.5), top + y))
}

/// On the strip where the cycle numbers stand.
async fn on_axis(page: &Page, cycle: u32) -> Result<(f64, f64), String> {
    point(page, 8, cycle, AXIS / 2.0).await
}

/// Waits until the cursor stands at a cycle, from the axis to the last row.
async fn at_cycle(page: &Page, cycle: u32) -> Outcome {
    page.expect("cursor", &cycle.to_string()).await?;
    // What is said of a cycle may take room from the picture, which is painted anew in the next frames.
    patiently(&format!("the line at cycle {cycle}"), async || {
        let (x, _) = on_axis(page, cycle).await?;
        let [left, _, _, height] = page.rect("[data-testid=cursor]").await?;
        let [_, _, _, whole] = page.rect(CANVAS).await?;
        let is_there = (left - x).abs() < 1.5 && (height - whole).abs() < 1.5;
        let instead = || format!("it is at {left} and {height} high, the cycle at {x}, the picture {whole}");
        Ok(if is_there { Ok(()) } else { Err(instead()) })
    })
    .await
}

async fn no_cursor(page: &Page) -> Outcome {
    page.until("no cursor", "return !document.querySelector('[data-testid=cursor]').checkVisibility()").await
}

#[test]
fn it_follows_the_pointer_and_paints_nothing_anew() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.count_paint().await?;
        page.go("").await?;
        page.wait_for("makespan").await?;
        show(&page, "figure-6").await?;
        no_cursor(&page).await?;
        // The form comes with a program of its own; by then nothing else is to be painted.
        page.wait_for("field-warps-count").await?;
        page.idle().await?;
        page.painted().await?;
        for (cycle, y) in [(2, AXIS + 10.0), (6, AXIS + 40.0), (5, AXIS / 2.0)] {
            page.hover(point(&page, 8, cycle, y).await?).await?;
            at_cycle(&page, cycle).await?;
        }
        same("marks painted", page.painted().await?.marks, 0)?;
        page.hover((2.0, 2.0)).await?;
        no_cursor(&page).await
    })
}

#[test]
fn it_is_put_on_the_axis_and_says_what_all_warps_do() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        // What is said of a cycle may move the picture: each click looks where that is.
        let click = async || {
            let (x, y) = on_axis(&page, 5).await?;
            page.click_at(x, y).await?;
            page.hover((2.0, 2.0)).await
        };
        click().await?;
        at_cycle(&page, 5).await?;
        page.expect_part("details", "Cycle 5: executing ").await?;
        page.expect("selected", "").await?;
        // A click where it is lets go of it; so does Esc, and so does another selection.
        click().await?;
        no_cursor(&page).await?;
        click().await?;
        at_cycle(&page, 5).await?;
        page.press(&key_escape()).await?;
        no_cursor(&page).await?;
        click().await?;
        at_cycle(&page, 5).await?;
        let (x, y) = point(&page, 8, 1, AXIS + 12.0).await?;
        page.click_at(x, y).await?;
        page.hover((2.0, 2.0)).await?;
        page.expect("selected", "1:1").await?;
        no_cursor(&page).await
    })
}

#[test]
fn keys_move_it_from_what_is_selected() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        page.eval("document.querySelector('[data-testid=plot]').focus()", vec![]).await?;
        page.press(&key(Key::Right)).await?;
        page.expect("selected", "1:1").await?;
        let shifted = |pressed: Key| format!("{}{}{}", key(Key::Shift), key(pressed), key(Key::Shift));
        page.press(&shifted(Key::Right)).await?;
        at_cycle(&page, 2).await?;
        page.expect("selected", "").await?;
        page.press(&shifted(Key::Right)).await?;
        at_cycle(&page, 3).await?;
        page.expect_part("details", "Cycle 3: ").await?;
        page.press(&shifted(Key::Left)).await?;
        at_cycle(&page, 2).await
    })
}

#[test]
fn lines_of_the_source_that_execute_are_marked() -> Outcome {
    on_page("", async |page| {
        show(&page, "voronoi-ptx").await?;
        page.eval("document.querySelector('[data-testid=plot]').focus()", vec![]).await?;
        let right = format!("{}{}{}", key(Key::Shift), key(Key::Right), key(Key::Shift));
        page.press(&right).await?;
        // In the first cycle one warp loads.
        page.until("one marked line", &format!("return {RUNNING} === 1")).await?;
        // Later others compute what they have loaded meanwhile.
        page.press(&right.repeat(75)).await?;
        page.until("several marked lines", &format!("return {RUNNING} > 1")).await?;
        page.press(&key_escape()).await?;
        page.until("no marked line", &format!("return {RUNNING} === 0")).await
    })
}

#[test]
fn while_stepping_a_drag_on_the_axis_goes_through_the_steps() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-2").await?;
        let shown = shown("figure-2")?;
        page.put("player-slider", "3").await?;
        page.expect_part("sentence", "Step 3 of 12: ").await?;
        for (moves, cycle) in [2, 6, 4, 7].into_iter().enumerate() {
            let at = on_axis(&page, cycle).await?;
            if moves == 0 {
                page.press_at(at).await?;
            } else {
                page.hover(at).await?;
            }
            // The line, the player, the order and the sentence are there before anybody lets go.
            let step = shown.step_at(cycle);
            at_cycle(&page, cycle).await?;
            page.expect_value("player-slider", &step.to_string()).await?;
            page.expect_part("sentence", &format!("Step {step} of 12: ")).await?;
            page.until(
                &format!("entry {step} read"),
                &format!("return document.querySelector('.order .now').dataset.place === '{}'", step - 1),
            )
            .await?;
        }
        page.let_go().await?;
        page.hover((2.0, 2.0)).await?;
        no_cursor(&page).await?;
        page.expect_value("player-slider", &shown.step_at(7).to_string()).await?;
        // To the left of the rows nothing is placed yet, and at the last cycle everything is.
        let (x, y) = on_axis(&page, 1).await?;
        page.press_at((x, y)).await?;
        let [left, ..] = page.rect(CANVAS).await?;
        page.hover((left + 8.0, y)).await?;
        page.expect_part("sentence", "Nothing is placed yet.").await?;
        page.hover(on_axis(&page, 8).await?).await?;
        page.expect_value("player-slider", "12").await?;
        page.let_go().await?;
        // A click puts the cursor and leaves the player at the end; a drag begins from there.
        let (x, y) = on_axis(&page, 1).await?;
        page.click_at(x, y).await?;
        page.hover((2.0, 2.0)).await?;
        at_cycle(&page, 1).await?;
        page.expect_value("player-slider", "12").await?;
        page.press_at(on_axis(&page, 2).await?).await?;
        page.hover(on_axis(&page, 4).await?).await?;
        page.expect_value("player-slider", &shown.step_at(4).to_string()).await?;
        page.let_go().await?;
        page.hover((2.0, 2.0)).await?;
        no_cursor(&page).await
    })
}

/// An example, its picture, what is said of what is selected, and what that begins with for the cursor and for rows.
const OTHERS: [(&str, &str, &str, &str, &str); 3] = [
    ("code-saxpy", "code", "code-schedule", "Cycle ", " in 1 of 8 warps: "),
    ("waves-layernorm", "waves", "waves-schedule", "Cycle ", " of 16 rows: "),
    ("alexnet-first-steps", "traces", "traces-plot", "At ", "stream 7: "),
];

#[test]
fn in_other_labs_it_is_dragged_along_the_axis_and_a_drag_across_rows_is_about_them() -> Outcome {
    on_page("", async |page| {
        for (example, lab, picture, begins, of_rows) in OTHERS {
            show(&page, example).await?;
            page.wait_for(picture).await?;
            let is = |part: &str| {
                format!("return document.querySelector('.screen .details')?.textContent.includes('{part}')")
            };
            page.until("what can be done", &is(" drag ")).await?;
            // A search that goes on takes away what is selected, and rows are where they are painted.
            page.idle().await?;
            let [left, top, width, high] = page.place(&format!("[data-testid={picture}] canvas")).await?;
            let (from, to) = ((left + width * 0.4, top + 10.0), (left + width * 0.7, top + 12.0));
            page.drag(from, to, Held::Nothing).await?;
            page.until("the moment", &is(begins)).await?;
            // It says so from the press on; by the end of the drag the line is there.
            let place =
                format!("document.querySelector('[data-testid={lab}-cursor]').getBoundingClientRect().left");
            let dragged = format!("return Math.abs({place} - {}) < 4", to.0);
            page.until(&format!("{lab}: the line at {}", to.0), &dragged).await?;
            let line = page.number(&format!("return {place}")).await?;
            let shifted = format!("{}{}{}", key(Key::Shift), key(Key::Left), key(Key::Shift));
            page.press(&shifted).await?;
            page.until("moved to the left", &format!("return {place} < {line}")).await?;
            page.press(&key_escape()).await?;
            page.until("what can be done", &is(" drag ")).await?;
            // From the second row's top into it; in Code after the heading of a partition.
            let rows = (top + high * 0.3, top + high * 0.3 + 20.0);
            let rows = if lab == "code" { (top + 26.0, top + 44.0) } else { rows };
            page.drag((from.0, rows.0), (to.0, rows.1), Held::Nothing).await?;
            page.until("the rows' sums", &is(of_rows)).await?;
            // F brings it as near as it fits.
            page.press("f").await?;
            page.press(&key_escape()).await?;
            page.until("what can be done", &is(" drag ")).await?;
        }
        Ok(())
    })
}
