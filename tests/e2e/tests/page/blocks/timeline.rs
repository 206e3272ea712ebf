//! The timeline: what a click, a drag, the wheel, fingers and keys do; the table beneath.

use fantoccini::key::Key;
use serde_json::Value;
use warpspan_e2e::{Held, Outcome, Page, key, key_escape, on_page, same, that};

use super::{CANVAS, line, on_row, open, point, run};
use crate::links::copied_view;
use warpspan::draw::blocks::Kind;

const S: u64 = 1_000_000_000;
/// The kernels of the legend, each with how it looks.
const COLOURS: &str = "return [...document.querySelectorAll('[data-testid=blocks-legend] .kernel')]
    .map((kernel) => kernel.textContent + kernel.querySelector('.swatch').style.background).join(' ')";

/// The time in sight in seconds, as the link tells it.
async fn window(page: &Page) -> Result<(f64, f64), String> {
    let view = settled(page).await?;
    view.t0
        .zip(view.t1)
        .map(|(t0, t1)| (t0 / 1e9, t1 / 1e9))
        .ok_or_else(|| "everything is in sight".to_owned())
}

/// The view in the link, once the last change has reached it.
async fn settled(page: &Page) -> Result<warpspan::scenario::link::View, String> {
    page.quiet().await?;
    copied_view(page).await
}

async fn focus(page: &Page) -> Outcome {
    page.eval("document.querySelector('[data-testid=blocks-plot]').focus()", vec![]).await.map(drop)
}

#[test]
fn a_click_says_where_when_and_why() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        let runs = run("paredes-example")?;
        let (x, y) = point(&page, &runs, 1, 5 * S).await?;
        page.click_at(x, y).await?;
        page.expect_part("blocks-details", &line(&runs, 2, 0)).await?;
        page.expect_part("blocks-details", "K3 was held back: 0 to 4 s, K2 is before it in the queue (X1).")
            .await?;
        page.expect("blocks-selected", "K3:0").await?;
        let (x, y) = point(&page, &runs, 0, 2 * S).await?;
        page.click_at(x, y).await?;
        page.expect_part("blocks-details", "K1 block 0, SM 0, 0 to 4 s, 512 threads, in stream 1.").await?;
        page.press(&key_escape()).await?;
        page.expect("blocks-selected", "").await?;
        page.expect_part("blocks-details", "Select a block").await
    })
}

#[test]
fn a_launch_is_dragged_and_all_that_follows_from_it_is_shown() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        let runs = run("paredes-example")?;
        let launch = on_row(&page, &runs, Kind::Moments(0), S / 20).await?;
        // A press that does not move selects, as everywhere.
        page.click_at(launch.0, launch.1).await?;
        page.expect("blocks-selected", "K1").await?;
        let before = page.string(COLOURS).await?;
        let to = on_row(&page, &runs, Kind::Moments(0), 3 * S).await?;
        // However long its moves take, a drag is one undo.
        page.hold_clock(true).await?;
        page.drag(launch, to, Held::Nothing).await?;
        // K1 comes after K2 and K3 now, and waits for them.
        page.expect_part("blocks-details", "K1, launched at 2.9").await?;
        page.expect_part("blocks-details", "6 to 10 s").await?;
        same("colours", page.string(COLOURS).await?.as_str(), before.as_str())?;
        let written =
            "return document.querySelector('[data-testid=json]').value.match(/.release.: (\\d+)/)[1]";
        page.click("as-json").await?;
        let released = page.string(written).await?;
        let released: f64 = released.parse().map_err(|_| released.clone())?;
        that((2.9e9..3.0e9).contains(&released), || format!("released at {released}"))?;
        page.click("as-form").await?;
        page.click("undo").await?;
        page.expect_part("blocks-details", "K1, launched at 0 s").await?;
        same("colours after Undo", page.string(COLOURS).await?, before)
    })
}

#[test]
fn the_pointer_names_what_is_under_it() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        let runs = run("paredes-example")?;
        let (x, y) = point(&page, &runs, 0, 2 * S).await?;
        page.hover((x, y)).await?;
        page.expect("blocks-tip", &line(&runs, 0, 0)).await?;
        page.hover((2.0, 2.0)).await?;
        page.gone("blocks-tip").await
    })
}

#[test]
fn arrows_move_the_selection() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        focus(&page).await?;
        for (pressed, selected) in [
            (Key::Right, "K1:0"),
            (Key::Right, "K2:0"),
            (Key::Right, "K2:2"),
            (Key::Up, "K2:3"),
            (Key::Up, "K2:3"),
            (Key::Down, "K2:2"),
            (Key::Left, "K2:0"),
        ] {
            page.press(&key(pressed)).await?;
            page.expect("blocks-selected", selected).await?;
        }
        page.press(&key_escape()).await?;
        page.expect("blocks-selected", "").await
    })
}

#[test]
fn keys_zoom_pan_and_centre() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.blur().await?;
        page.press("w").await?;
        let (t0, t1) = window(&page).await?;
        that((t1 - t0 - 12.0 * 0.7).abs() < 0.01, || format!("W: {t0} to {t1}"))?;
        page.press("a").await?;
        let panned = window(&page).await?;
        that(panned.0 < t0 && (panned.1 - panned.0 - (t1 - t0)).abs() < 0.01, || format!("A: {panned:?}"))?;
        page.press("d").await?;
        let back = window(&page).await?;
        that((back.0 - t0).abs() < 0.01, || format!("D: {back:?}"))?;
        page.press("++-").await?;
        let closer = window(&page).await?;
        that((closer.1 - closer.0 - 12.0 * 0.49).abs() < 0.01, || format!("two in, one out: {closer:?}"))?;
        page.press("0").await?;
        same("0", window(&page).await.is_err(), true)?;
        page.press("/").await?;
        page.press(&format!("K2:6{}", key(Key::Enter))).await?;
        page.expect("blocks-selected", "K2:6").await?;
        page.blur().await?;
        page.press("wwwf").await?;
        let (t0, t1) = window(&page).await?;
        that(((t0 + t1) / 2.0 - 7.0).abs() < 0.01, || format!("the middle of 4 to 10: {t0} to {t1}"))?;
        page.press("/").await?;
        page.press(&format!("{}K9:1{}", warpspan_e2e::with_control("a"), key(Key::Enter))).await?;
        page.expect_part("blocks-find-count", "0").await?;
        page.expect("blocks-selected", "K2:6").await
    })
}

#[test]
fn dragging_gives_totals_and_with_shift_pans() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        let runs = run("paredes-example")?;
        let (from, to) = (point(&page, &runs, 1, 2 * S).await?, point(&page, &runs, 1, 3 * S).await?);
        page.drag(from, to, Held::Nothing).await?;
        page.expect_part("blocks-details", "8 blocks; SMs busy for").await?;
        page.expect_part("blocks-details", "100 % of their time; 100 % of all threads taken over time.")
            .await?;
        let rows = "return [...document.querySelectorAll('[data-testid=blocks-sums] tbody tr')]
            .map((row) => [...row.children].map((cell) => cell.textContent).join(' ')).join('; ')";
        let rows = page.string(rows).await?;
        that(
            rows.starts_with("K2 6 ") && rows.contains("; K1 2 ") && rows.contains("; All kernels 8 "),
            || rows.clone(),
        )?;
        // A press on a head sorts, by keys too; a line lights its blocks until it is pressed again.
        let head = "document.querySelector('[data-testid=blocks-sums] th[aria-sort] button')";
        page.eval(&format!("{head}.click()"), vec![]).await?;
        let first = "return document.querySelector('[data-testid=blocks-sums] tbody th').textContent";
        page.until("the names to be sorted", &format!("{}.trim() === 'K1'", first)).await?;
        let sorted = "return document.querySelector('[data-testid=blocks-sums] th').ariaSort ?? document.querySelector('[data-testid=blocks-sums] th').getAttribute('aria-sort')";
        same("what is said of the head", page.string(sorted).await?.as_str(), "ascending")?;
        page.eval(&format!("{head}.focus()"), vec![]).await?;
        page.press(&key(Key::Enter)).await?;
        page.until("the other way round", &format!("{}.trim() === 'K2'", first)).await?;
        let line = "document.querySelector('[data-testid=blocks-sums] tbody tr button')";
        page.eval(&format!("{line}.click()"), vec![]).await?;
        page.until("the line to be lit", &format!("return {line}.ariaPressed === 'true'")).await?;
        page.eval(&format!("{line}.click()"), vec![]).await?;
        page.until("the line to be dark", &format!("return {line}.ariaPressed === 'false'")).await?;
        page.press(&key_escape()).await?;
        page.expect_part("blocks-details", "Select a block").await?;
        page.blur().await?;
        page.press("ww").await?;
        let before = window(&page).await?;
        let [left, top, width, _] = page.place(CANVAS).await?;
        let (x, y) = (left + width / 2.0, top + 60.0);
        page.drag((x, y), (x + 100.0, y), Held::Shift).await?;
        let after = window(&page).await?;
        let per_second = (width - 72.0) / (before.1 - before.0);
        that((before.0 - after.0 - 100.0 / per_second).abs() < 0.02, || {
            format!("{before:?}, then {after:?}")
        })?;
        page.expect_part("blocks-details", "Select a block").await
    })
}

#[test]
fn the_wheel_zooms_with_ctrl_and_fingers_pan_and_pinch() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        let runs = run("paredes-example")?;
        let at = point(&page, &runs, 1, 3 * S).await?;
        page.wheel(at, -200.0, Held::Control).await?;
        let (t0, t1) = window(&page).await?;
        let share = (3.0 - t0) / (t1 - t0);
        that((share - 0.25).abs() < 0.01 && t1 - t0 < 9.0, || format!("{t0} to {t1}"))?;
        page.fingers().await?;
        let (x, y) = at;
        page.touch(&[&[(x, y)], &[(x - 30.0, y)], &[(x - 100.0, y)]]).await?;
        let panned = window(&page).await?;
        that(panned.0 > t0 + 0.3, || format!("{t0} to {t1}, then {panned:?}"))?;
        let fingers = |apart: f64| [(x - apart, y), (x + apart, y)];
        page.touch(&[&fingers(60.0), &fingers(100.0), &fingers(120.0)]).await?;
        let pinched = window(&page).await?;
        let width = |(t0, t1): (f64, f64)| t1 - t0;
        that((width(panned) / width(pinched) - 2.0).abs() < 0.1, || format!("{panned:?}, then {pinched:?}"))
    })
}

#[test]
fn heights_stand_for_threads_or_shared_memory() -> Outcome {
    on_page("", async |page| {
        open(&page, "shared-memory").await?;
        page.expect_part("blocks-legend", "threads high").await?;
        page.click("measure-shared").await?;
        page.expect_part("blocks-legend", "of shared memory high").await?;
        same("rows in the link", settled(&page).await?.rows.as_deref(), Some("shared-memory"))
    })
}

#[test]
fn the_table_says_the_same_as_the_picture() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.eval("document.querySelector('[data-testid=blocks-lines]').open = true", vec![]).await?;
        let rows = "return [...document.querySelectorAll('[data-testid=blocks-table] .body [role=row]')]
            .map((row) => [...row.children].map((cell) => cell.textContent).join(', '))";
        page.until(
            "rows",
            "return document.querySelectorAll('[data-testid=blocks-table] .body [role=row]').length === 16",
        )
        .await?;
        let runs = run("paredes-example")?;
        let told = page.eval(rows, vec![]).await?;
        same("row 8", &told[7], &Value::from(line(&runs, 1, 5)))?;
        let table = page.wait_for("blocks-table").await?;
        table.send_keys(&key(Key::Down).repeat(3)).await.map_err(|error| error.to_string())?;
        page.expect("blocks-selected", "K2:0").await?;
        page.press(&key(Key::End)).await?;
        page.expect("blocks-selected", "K4:4").await?;
        page.click("sort-by-start").await?;
        page.until("K3:1 among the last", "return document.querySelector('[data-testid=blocks-table] .body [role=row]:last-child').textContent.includes('K4 block 4')").await
    })
}
