//! The schedule: selected, zoomed and panned by mouse and keys; its rows, its player and its table.

use fantoccini::key::Key;
use serde_json::Value;
use warpspan::draw::gantt::{self, Frame};
use warpspan::timeline::{Lanes, Timeline, Track};
use warpspan_e2e::{Held, Outcome, Page, key, key_escape, on_page, same, that};

use crate::links::copied_view;
use crate::scenario_panel::show;

const CANVAS: &str = "[data-testid=plot] canvas";

/// How high the lanes of units are beneath the warps, as a share of their rows.
const LANE: f64 = 0.7;

/// A picture of so many rows over so many cycles, of which the last rows are lanes.
struct Shape(usize, usize, u32);

/// Three warps and two units of figure 6; its units alone; the sixteen warps that the page begins with, and units.
const FIGURE: Shape = Shape(3, 2, 8);
const UNITS: Shape = Shape(2, 0, 8);
const FIRST: Shape = Shape(16, 5, 154);

impl Shape {
    /// The rows as they stand in a place of that height, and the frame around them.
    fn laid_out(&self, width: f64, height: f64) -> (Timeline, Frame) {
        let Self(rows, lanes, end) = *self;
        let tracks = vec![Track::default(); rows + lanes];
        let lanes = (lanes > 0).then_some(Lanes { first: rows, share: LANE });
        let picture = Timeline { tracks, end: end.into(), lanes, ..Timeline::default() };
        let row = gantt::row_to_fit_all(&picture, height);
        let frame = Frame { row, ..Frame::whole(&picture, width) };
        (picture, frame)
    }
}

/// The window's point in the middle of a row's cycle, while all cycles are shown.
async fn point(page: &Page, shape: Shape, row: usize, cycle: u32) -> Result<(f64, f64), String> {
    // What has changed is measured and painted by then.
    page.frames(2).await?;
    let [left, top, width, height] = page.place(CANVAS).await?;
    let (picture, frame) = shape.laid_out(width, height);
    let (y, high) = frame.row_at(&picture, row);
    Ok((left + frame.scale().pixel(f64::from(cycle) - 0.5), top + y + high / 2.0))
}

/// The window's point in the middle of the picture.
async fn centre(page: &Page) -> Result<(f64, f64), String> {
    page.frames(2).await?;
    let [left, top, width, height] = page.place(CANVAS).await?;
    Ok((left + width / 2.0, top + height / 2.0))
}

/// The cycles in sight, as the link tells them.
async fn window(page: &Page) -> Result<(f64, f64), String> {
    let view = copied_view(page).await?;
    view.t0.zip(view.t1).ok_or_else(|| "everything is in sight".to_owned())
}

/// Gives the schedule the focus.
async fn focus(page: &Page) -> Outcome {
    page.eval("document.querySelector('[data-testid=plot]').focus()", vec![]).await.map(drop)
}

#[test]
fn a_click_says_where_when_and_why() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        let (x, y) = point(&page, FIGURE, 2, 6).await?;
        page.click_at(x, y).await?;
        let why = "warp 3, instruction 2 of 4, C (CUDA core), cycle 6; could not run in 4 to 5: the CUDA core is busy";
        page.expect_part("details", why).await?;
        page.expect("selected", "3:2").await?;
        let (x, y) = point(&page, FIGURE, 0, 8).await?;
        page.click_at(x, y).await?;
        page.expect("selected", "").await
    })
}

#[test]
fn an_idle_cell_travels_in_links() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        let (x, y) = point(&page, FIGURE, 0, 8).await?;
        page.click_at(x, y).await?;
        page.expect_part("details", "Cycle 8: warp 1").await?;
        same("what travels", copied_view(&page).await?.sel.as_deref(), Some("1@8"))?;
        page.until("it in the address", "return location.hash.includes('sel=1@8')").await?;
        let link = page.fragment().await?;
        page.press(&key_escape()).await?;
        page.expect_part("details", "Select a cell").await?;
        page.go(&link).await?;
        page.expect_part("details", "Cycle 8: warp 1").await
    })
}

#[test]
fn arrows_move_the_selection() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        focus(&page).await?;
        for (pressed, selected) in [
            (Key::Right, "1:1"),
            (Key::Right, "1:2"),
            (Key::Down, "2:1"),
            (Key::Down, "3:1"),
            (Key::Right, "3:2"),
            (Key::Up, "2:4"),
            (Key::Left, "2:3"),
        ] {
            page.press(&key(pressed)).await?;
            page.expect("selected", selected).await?;
        }
        page.press(&key_escape()).await?;
        page.expect("selected", "").await
    })
}

#[test]
fn arrows_go_on_from_an_idle_cell() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        // Warp 3 waits in cycle 5; its second instruction runs in cycle 6.
        let (x, y) = point(&page, FIGURE, 2, 5).await?;
        page.click_at(x, y).await?;
        page.expect_part("details", "Cycle 5: warp 3").await?;
        focus(&page).await?;
        page.press(&key(Key::Right)).await?;
        page.expect("selected", "3:2").await
    })
}

#[test]
fn a_click_stops_what_is_played_and_is_answered() -> Outcome {
    on_page("", async |page| {
        // 400 steps take a minute.
        show(&page, "voronoi-pending").await?;
        page.put("player-slider", "6").await?;
        page.expect_part("sentence", "Step 6 of 400").await?;
        page.click("player-play").await?;
        let (x, y) = point(&page, FIRST, 0, 1).await?;
        page.click_at(x, y).await?;
        page.expect_part("details", "warp 1, instruction 1 of 25").await?;
        let stands = "return document.querySelector('[data-testid=player-play]').ariaLabel === 'Play the construction'";
        page.until("it to stand still", stands).await?;
        // It goes on from there, and says so.
        page.click("player-forward").await?;
        page.expect_part("sentence", "is read").await
    })
}

#[test]
fn keys_zoom_and_pan() -> Outcome {
    on_page("", async |page| {
        page.press("w").await?;
        let (t0, t1) = window(&page).await?;
        that((t1 - t0 - 154.0 * 0.7).abs() < 0.1, || format!("W: {t0} to {t1}"))?;
        page.press("a").await?;
        let panned = window(&page).await?;
        that(panned.0 < t0 && (panned.1 - panned.0 - (t1 - t0)).abs() < 0.1, || format!("A: {panned:?}"))?;
        page.press("d").await?;
        let back = window(&page).await?;
        that((back.0 - t0).abs() < 0.1, || format!("D: {back:?}"))?;
        page.press("++-").await?;
        let closer = window(&page).await?;
        that((closer.1 - closer.0 - 154.0 * 0.49).abs() < 0.1, || format!("two in, one out: {closer:?}"))?;
        page.press("ss").await?;
        same("S twice", window(&page).await.is_err(), true)?;
        page.press("www0").await?;
        same("0", window(&page).await.is_err(), true)
    })
}

#[test]
fn the_selection_is_found_and_brought_to_the_middle() -> Outcome {
    on_page("", async |page| {
        page.press("/").await?;
        page.press(&format!("16:12{}", key(Key::Enter))).await?;
        page.expect("selected", "16:12").await?;
        page.blur().await?;
        page.press("wwwwf").await?;
        let view = copied_view(&page).await?;
        let (t0, t1) = view.t0.zip(view.t1).ok_or("no window")?;
        let details = page.text("details").await?;
        let cycle =
            details.split("cycle ").nth(1).and_then(|rest| rest.split(';').next()).unwrap_or_default();
        let cycle: f64 = cycle.parse().map_err(|_| details.clone())?;
        that(((t0 + t1) / 2.0 - cycle + 0.5).abs() < 0.1, || format!("{cycle} in {t0} to {t1}"))?;
        page.press("/").await?;
        page.press(&format!("{}99:1{}", warpspan_e2e::with_control("a"), key(Key::Enter))).await?;
        page.expect_part("status", "Not found here: 99:1. ").await
    })
}

#[test]
fn dragging_gives_the_totals_of_the_cycles() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        let (from, to) = (point(&page, FIGURE, 1, 2).await?, point(&page, FIGURE, 1, 3).await?);
        page.drag(from, to, Held::Nothing).await?;
        page.expect_part(
            "details",
            "cycles 2 to 3, 2 cycles: 2 L load/store (100 % busy), 2 C CUDA core (100 % busy)",
        )
        .await?;
        // A table says the same by unit; it goes with the stretch.
        page.wait_for("sums").await?;
        let counts = "return [...document.querySelectorAll('[data-testid=sums] table:first-child tbody tr:not(.all) td:nth-child(2)')].map((cell) => cell.textContent).join(' ')";
        page.until("the table of the stretch", &format!("{} === '2 2'", counts)).await?;
        page.press(&key_escape()).await?;
        page.gone("sums").await?;
        page.expect_part("details", "Select a cell").await
    })
}

#[test]
fn on_the_way_a_stretch_adds_up_what_is_placed() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        let drawn = crate::order::shown("figure-6")?;
        for steps in [5, 9] {
            page.put("player-slider", &steps.to_string()).await?;
            let (from, to) = (point(&page, FIGURE, 1, 2).await?, point(&page, FIGURE, 1, 3).await?);
            page.drag(from, to, Held::Nothing).await?;
            let said = drawn.totals((2, 3), None, steps, None);
            that(said.contains("placed so far"), || said.clone())?;
            page.expect_part("details", &said).await?;
            let runs = drawn.sums((2, 3), None, steps);
            let counts: Vec<String> = runs
                .iter()
                .take(1)
                .flat_map(|table| &table.lines)
                .map(|line| line.cells[0].text.clone())
                .collect();
            let cells = "[...document.querySelectorAll('[data-testid=sums] table:first-child tbody tr:not(.all) td:nth-child(2)')]";
            let text = format!(
                "return {cells}.map((cell) => cell.textContent).join(' ') === '{}'",
                counts.join(" ")
            );
            page.until("the table of what is placed", &text).await?;
        }
        Ok(())
    })
}

#[test]
fn dragging_with_shift_pans() -> Outcome {
    on_page("", async |page| {
        page.press("ww").await?;
        let before = window(&page).await?;
        let [_, _, width, _] = page.place(CANVAS).await?;
        let (x, y) = centre(&page).await?;
        page.drag((x, y), (x + 100.0, y), Held::Shift).await?;
        let after = window(&page).await?;
        let per_cycle = (width - 72.0) / (before.1 - before.0);
        that((before.0 - after.0 - 100.0 / per_cycle).abs() < 0.2, || format!("{before:?}, then {after:?}"))?;
        page.expect_part("details", "Select a cell").await
    })
}

#[test]
fn fingers_pan_and_pinch() -> Outcome {
    on_page("", async |page| {
        page.fingers().await?;
        page.press("ww").await?;
        let before = window(&page).await?;
        let (x, y) = centre(&page).await?;
        page.touch(&[&[(x, y)], &[(x - 30.0, y)], &[(x - 100.0, y)]]).await?;
        page.frames(2).await?;
        let panned = window(&page).await?;
        that(panned.0 > before.0 + 5.0, || format!("{before:?}, then {panned:?}"))?;
        let fingers = |apart: f64| [(x - apart, y), (x + apart, y)];
        page.touch(&[&fingers(60.0), &fingers(100.0), &fingers(120.0)]).await?;
        page.frames(2).await?;
        let pinched = window(&page).await?;
        let width = |(t0, t1): (f64, f64)| t1 - t0;
        that((width(panned) / width(pinched) - 2.0).abs() < 0.1, || format!("{panned:?}, then {pinched:?}"))
    })
}

#[test]
fn the_wheel_with_ctrl_zooms_at_the_pointer() -> Outcome {
    on_page("", async |page| {
        let at = point(&page, FIRST, 3, 40).await?;
        let zoom = "return visualViewport.scale * devicePixelRatio";
        let before = page.number(zoom).await?;
        page.wheel(at, -200.0, Held::Control).await?;
        // The strip of the whole comes with the wheel's turn, which frames bring to the page, and goes with it.
        page.wait_for("overview").await?;
        let (t0, t1) = window(&page).await?;
        let share = (39.5 - t0) / (t1 - t0);
        that((share - 39.5 / 154.0).abs() < 0.01 && t1 - t0 < 120.0, || format!("{t0} to {t1}"))?;
        same("the browser's own zoom", page.number(zoom).await?, before)?;
        page.wheel(at, 2_000.0, Held::Control).await?;
        page.gone("overview").await?;
        same("far out", window(&page).await.is_err(), true)
    })
}

#[test]
fn the_wheel_alone_scrolls_the_page() -> Outcome {
    on_page("", async |page| {
        let at = point(&page, FIRST, 3, 40).await?;
        page.eval("scrollTo(0, 0)", vec![]).await?;
        page.wheel(at, 120.0, Held::Nothing).await?;
        page.until("the page to scroll", "return scrollY > 0").await?;
        same("the window", window(&page).await.is_err(), true)
    })
}

#[test]
fn rows_are_warps_or_units() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        // Rows are as high as there is room, up to a limit.
        let there = |shape: Shape| {
            let (picture, frame) = shape.laid_out(1_000.0, 10_000.0);
            let high = frame.height(&picture);
            format!("return document.querySelector('{CANVAS}').clientHeight === {high}")
        };
        page.until("three warps and two units", &there(FIGURE)).await?;
        page.click("rows-units").await?;
        page.until("another picture", &there(UNITS)).await?;
        let (x, y) = point(&page, UNITS, 1, 6).await?;
        page.click_at(x, y).await?;
        page.expect("selected", "3:2").await
    })
}

#[test]
fn the_player_names_warp_cycle_and_reason() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-7").await?;
        page.put("player-slider", "7").await?;
        page.expect("sentence", "Step 7 of 12: warp 3 is read. Its instruction 2 of 4 is C and could run from cycle 4; it could not run in 4: the CUDA core is busy. It goes into cycle 5.").await?;
        page.press(&key(Key::Home)).await?;
        page.expect_part("sentence", "Nothing is placed yet.").await?;
        page.press(".").await?;
        page.expect("sentence", "Step 1 of 12: warp 1 is read. Its instruction 1 of 4 is L and could run from cycle 1, which has room.").await?;
        page.press("..,").await?;
        page.expect_part("sentence", "Step 2 of 12: warp 2 is read.").await?;
        page.expect_value("player-slider", "2").await?;
        page.press(&key(Key::End)).await?;
        page.expect_part("sentence", "All 12 instructions are placed.").await
    })
}

#[test]
fn playing_goes_on_by_itself_until_it_is_paused() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-7").await?;
        page.blur().await?;
        page.press(" ").await?;
        let says = |label: &str| {
            format!("return document.querySelector('[data-testid=player-play]').ariaLabel === '{label}'")
        };
        page.until("it to play", &says("Pause")).await?;
        page.until("two steps", "return document.querySelector('[data-testid=player-slider]').value >= 2")
            .await?;
        page.press(" ").await?;
        page.until("a pause", &says("Play the construction")).await?;
        let stopped = page.value("player-slider").await?;
        page.quiet().await?;
        page.frames(30).await?;
        same("the step while it pauses", page.value("player-slider").await?, stopped)?;
        page.choose("player-speed", "4").await?;
        page.click("player-play").await?;
        page.expect_part("sentence", "All 12 instructions are placed.").await?;
        page.until("the end", &says("Play the construction")).await?;
        page.expect_value("player-speed", "4").await
    })
}

#[test]
fn the_table_says_the_same_as_the_picture() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-6").await?;
        page.eval("document.querySelector('[data-testid=table]').open = true", vec![]).await?;
        page.wait_for("table-rows").await?;
        let rows = "return [...document.querySelectorAll('.body [role=row]')]
            .map((row) => [...row.children].map((cell) => cell.textContent).join(' '))";
        let rows = page.eval(rows, vec![]).await?;
        same("rows", rows.as_array().map_or(0, Vec::len), 12)?;
        same("row 10", &rows[9], &Value::from("10 3 2 C 6 4 to 5"))?;
        let body = page.wait_for("table-rows").await?;
        body.send_keys(&format!("{0}{0}", key(Key::Down))).await.map_err(|error| error.to_string())?;
        page.expect("selected", "1:2").await?;
        page.press(&key(Key::End)).await?;
        page.expect("selected", "3:4").await?;
        same("selected rows", page.count(".body [aria-selected=true]").await?, 1)?;
        let told = "const e = document.querySelector('[aria-activedescendant]');
            const row = document.getElementById(e.getAttribute('aria-activedescendant'));
            return `${e.role} ${e === document.activeElement} ${row.ariaSelected}`";
        same("role, focus and row of the selection", page.string(told).await?.as_str(), "grid true true")
    })
}

#[test]
fn of_a_long_table_only_what_is_in_sight_exists() -> Outcome {
    on_page("", async |page| {
        show(&page, "large").await?;
        page.eval("document.querySelector('[data-testid=table]').open = true", vec![]).await?;
        let rows = async || page.count(".body [role=row]").await;
        page.wait_for("table-rows").await?;
        that(rows().await? < 40, || "far more rows than can be seen".to_owned())?;
        page.wait_for("table-rows")
            .await?
            .send_keys(&(key(Key::Down) + &key(Key::End)))
            .await
            .map_err(|error| error.to_string())?;
        page.until(
            "the last row",
            "return document.querySelector('.body [role=row]:last-child').firstChild.textContent === '64000'",
        )
        .await?;
        that(rows().await? < 40, || "rows out of sight stay".to_owned())?;
        let told = "return document.querySelector('[role=grid]').getAttribute('aria-rowcount')";
        same("rows told", page.string(told).await?.as_str(), "64001")
    })
}
