//! Studies: what there is to compute is told before anything runs, points come as they are computed, each leads to its
//! scenario, and what is saved is what the command line prints.

use fantoccini::key::Key;
use serde_json::{Value, json};
use warpspan_e2e::{Look, Outcome, Page, in_browser, key, on_page, same, that};

use crate::reach::{fits, too_small};

/// A small study with random kernels.
const SMALL: &str = r#"{"warpspan": 1, "title": "Small", "study": {
    "base": {"warps": {"kernel": {"generate": "kernel", "length": [2, 6]}, "count": 1, "machine": {"L": 1, "C": 1}}},
    "axes": [{"path": "warps.count", "name": "warps", "from": 1, "to": 6},
        {"path": "warps.machine.C", "name": "cores", "values": [1, 2]}],
    "samples": 4, "seed": 7, "measures": {"makespan": "makespan", "short": "makespan < 20"},
    "draw": [{"kind": "line", "x": "warps", "y": "makespan", "by": "cores"}]}}"#;
/// Cells that take far longer than anyone waits for.
const ENDLESS: &str = r#"{"warpspan": 1, "title": "Endless", "study": {
    "base": {"conjecture": {"claim": {"formula": "W * I"}, "kernel": "5L 9C 2L 9C", "machine": {"L": 1, "C": 4, "issue": 4},
        "ranges": {"W": 1}, "limit": {"work": 1000000, "memory": 256}}},
    "axes": [{"path": "conjecture.ranges.W", "name": "W", "from": 1, "to": 40}],
    "measures": {"worst": "cells[0].lower"}}}"#;
const WRONG: &str = r#"{"warpspan": 1, "title": "Wrong", "study": {
    "base": {"warps": {"kernel": "LCL", "count": 1, "machine": {"L": 1, "C": 1}}},
    "axes": [{"path": "warps.counts", "values": [1, 2]}, {"path": "warps.machine.L", "from": 3, "to": 1}],
    "measures": {"gap": "upper / (lower"}}}"#;

/// Drops a small study, which runs to its end by itself.
async fn run(page: &Page, text: &str) -> Outcome {
    page.drop_files(&[("study.json", text)]).await?;
    page.expect_part("study-told", "computed in").await
}

/// The rows that the command line prints, in the order of the grid.
fn rows(text: &str) -> Result<String, String> {
    let study = warpspan::study::read(text).map_err(|problems| format!("{problems:?}"))?;
    Ok((0..study.cells()).filter_map(|cell| Some(study.evaluate(cell)? + "\n")).collect())
}

/// A place of the picture, from 0 to 1.
async fn place(page: &Page, x: f64, y: f64) -> Result<(f64, f64), String> {
    let [left, top, wide, high] = page.rect(".study-plot").await?;
    Ok((left + wide * x, top + high * y))
}

/// Moves the pointer over the picture until it says something of a dot; where that was.
async fn dot(page: &Page) -> Result<(f64, f64), String> {
    for across in 1..40 {
        for down in 1..20 {
            let at = place(page, f64::from(across) / 40.0, f64::from(down) / 20.0).await?;
            page.hover(at).await?;
            if page.has("tip").await? {
                return Ok(at);
            }
        }
    }
    Err("no dot in the picture".to_owned())
}

#[test]
fn a_study_says_what_it_takes_and_runs_when_asked() -> Outcome {
    on_page("", async |page| {
        page.go("#example=equation-rejects").await?;
        page.expect_part("study-estimate", "1,100 cells: 11 of utilisation × 100 samples").await?;
        page.idle().await?;
        same("rows before anyone asks", page.text("study-run").await?.as_str(), "Run")?;
        page.click("study-run").await?;
        page.expect("study-next", "Pause").await?;
        page.press(&key(Key::Escape)).await?;
        page.expect_part("study-told", "Stopped at ").await
    })
}

#[test]
fn a_small_study_begins_by_itself() -> Outcome {
    on_page("", async |page| {
        page.go("#example=latency-hiding").await?;
        page.expect_part("study-told", "320 cells, computed in").await?;
        same("buttons that begin it", page.count("[data-testid=study-run]").await?, 0)?;
        page.expect("study-next", "Run again").await?;
        page.eval("document.querySelector('[data-testid=study-table]').open = true", vec![]).await?;
        page.expect_part("points", "warps = 1, scheduler = round-robin").await?;
        page.expect_part("points", "72").await?;
        page.choose("study-drawing", "1").await?;
        page.expect_part("points", "each").await?;
        same("its errors", page.complaints().await?, Vec::<String>::new())
    })
}

#[test]
fn rows_are_those_of_the_command_line() -> Outcome {
    on_page("", async |page| {
        run(&page, SMALL).await?;
        same("the rows", page.download("study-ndjson").await?.text, rows(SMALL)?)?;
        let table = page.download("study-csv").await?;
        same("its name", table.name.as_str(), "small.csv")?;
        let first = table.text.lines().next().unwrap_or_default().to_owned();
        same("its columns", first.as_str(), "warps,cores,sample,seed,makespan,short,problem")?;
        same("its lines", table.text.lines().count(), 49)?;
        let picture = page.download("study-svg").await?;
        for part in ["warps →", "makespan", "cores", "<metadata>http"] {
            that(picture.text.contains(part), || format!("{part} is not in {}", picture.text))?;
        }
        same("its size", page.download("study-png").await?.size, Some((1920, 1200)))
    })
}

#[test]
fn a_point_says_its_values_and_opens_its_scenario() -> Outcome {
    on_page("", async |page| {
        run(&page, SMALL).await?;
        let at = dot(&page).await?;
        let said = page.text("tip").await?;
        for part in ["warps = ", "cores = ", "makespan ", "on average of 4 cells", "95 % interval"] {
            that(said.contains(part), || format!("{part} is not in {said}"))?;
        }
        page.click_at(at.0, at.1).await?;
        page.expect_part("title", "sample ").await?;
        page.wait_for("makespan").await?;
        page.click("lab-studies").await?;
        page.expect_part("study-told", "48 cells, computed in").await
    })
}

#[test]
fn the_keyboard_reaches_every_point() -> Outcome {
    on_page("", async |page| {
        run(&page, SMALL).await?;
        page.eval("document.querySelector('.study-plot').focus()", vec![]).await?;
        page.press(&key(Key::Right)).await?;
        page.expect_part("study-details", "warps = 1, cores = 1").await?;
        page.press(&key(Key::Right).repeat(2)).await?;
        page.press(&key(Key::Down)).await?;
        page.expect_part("study-details", "warps = 3, cores = 2").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("title", "warps = 3, cores = 2, sample ").await
    })
}

#[test]
fn escape_stops_a_study_and_keeps_its_rows() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("endless.json", ENDLESS)]).await?;
        page.click("study-run").await?;
        let some = "return /^[1-9]\\d* of 40 cells/.test(document.querySelector('[data-testid=study-told]')?.textContent)";
        page.until("some rows", some).await?;
        page.press(&key(Key::Escape)).await?;
        page.expect_part("study-told", "Stopped at ").await?;
        // A cell that was over just then still counts.
        page.idle().await?;
        let told = page.text("study-told").await?;
        that(!told.contains(" 0 of 40"), || format!("rows are gone: {told}"))?;
        page.expect("study-next", "Resume").await?;
        // There is nothing more to stop, and the rows stay.
        page.press(&key(Key::Escape)).await?;
        page.expect("study-told", &told).await?;
        page.click("study-next").await?;
        page.expect("study-next", "Pause").await?;
        page.press(&key(Key::Escape)).await?;
        page.expect("study-next", "Resume").await
    })
}

#[test]
fn a_pause_and_a_visit_elsewhere_lose_nothing() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("endless.json", ENDLESS)]).await?;
        page.click("study-run").await?;
        let some = "return /^[1-9]\\d* of 40 cells/.test(document.querySelector('[data-testid=study-told]')?.textContent)";
        page.until("some rows", some).await?;
        page.click("study-next").await?;
        page.expect_part("study-told", "Paused at ").await?;
        // A cell that was over just then still counts.
        page.idle().await?;
        page.frames(30).await?;
        page.idle().await?;
        let before = page.text("study-told").await?;
        page.click("lab-blocks").await?;
        page.wait_for("blocks-plot").await?;
        page.click("lab-studies").await?;
        page.expect("study-told", &before).await?;
        page.expect("study-next", "Resume").await?;
        page.click("study-next").await?;
        page.expect("study-next", "Pause").await?;
        page.click("study-stop").await?;
        page.expect_part("study-told", "Stopped at ").await?;
        page.expect("study-next", "Resume").await
    })
}

#[test]
fn all_that_is_wrong_is_told_before_anything_runs() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("wrong.json", WRONG)]).await?;
        for part in ["study.axes[0].path", "study.axes[1].to", "study.measures.gap"] {
            page.expect_part("trouble", part).await?;
        }
        page.expect("makespan", "154 cycles").await?;
        page.drop_files(&[("small.json", SMALL)]).await?;
        page.expect_part("study-told", "48 cells, computed in").await?;
        page.fill("study-measure-0", "makespan +").await?;
        page.expect_part("study-told", "mistakes").await?;
        let field = "const field = document.querySelector('[data-testid=study-measure-0]');
            return field.ariaInvalid === 'true' && field.closest('div').parentElement.textContent.includes('Expected')";
        page.until("the mistake at its field", field).await?;
        page.fill("study-measure-0", "makespan + 1").await?;
        page.expect_part("study-told", "48 cells, computed in").await
    })
}

#[test]
fn the_form_adds_axes_and_measures() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("small.json", SMALL)]).await?;
        page.expect_part("study-told", "48 cells").await?;
        page.choose("study-axis-add", "warps.machine.L").await?;
        page.expect_part("study-told", "384 cells").await?;
        page.choose("study-axis-2-how", "values").await?;
        page.put("study-axis-2-values", "1, 2, 3").await?;
        page.expect_part("study-told", "144 cells").await?;
        page.choose("study-measure-add", "upper").await?;
        page.expect_value("study-measure-2", "upper").await?;
        page.fill("field-study-samples", "1").await?;
        page.expect_part("study-told", "36 cells").await
    })
}

#[test]
fn a_study_is_made_of_what_is_on_the_page() -> Outcome {
    on_page("", async |page| {
        page.wait_for("makespan").await?;
        page.click("lab-tasks").await?;
        page.wait_for("tasks-plot").await?;
        page.eval("document.querySelector('[data-testid=make-study]').open = true", vec![]).await?;
        page.wait_for("made-choice").await?;
        page.click("made-choice").await?;
        page.expect_part("title", "over the utilisation").await?;
        page.expect_part("study-estimate", "500 cells").await?;
        page.idle().await?;
        same("not begun", page.text("study-run").await?.as_str(), "Run")
    })
}

#[test]
fn a_link_holds_a_study() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("small.json", SMALL)]).await?;
        page.expect_part("study-told", "48 cells").await?;
        page.until("an address", "return location.hash.length > 100").await?;
        let fragment = page.fragment().await?;
        let open = warpspan::scenario::link::open(&fragment).map_err(|problem| problem.to_string())?;
        let wanted: Value = serde_json::from_str(SMALL).map_err(|error| error.to_string())?;
        same("what it holds", &open.scenario["study"], &wanted["study"])?;
        page.go(&fragment).await?;
        page.expect_part("study-told", "48 cells, computed in").await
    })
}

#[test]
fn the_panel_fits_every_window() -> Outcome {
    in_browser(Look::default(), async |page| {
        for width in [1440, 1024, 390] {
            page.look(Look { width, ..Look::default() }).await?;
            page.go("").await?;
            page.wait_for("makespan").await?;
            run(&page, SMALL).await?;
            page.eval("document.querySelectorAll('details').forEach((e) => { e.open = true; })", vec![])
                .await?;
            fits(&page, &format!("at {width}")).await?;
            same(&format!("small at {width}"), too_small(&page).await?, json!([]))?;
        }
        Ok(())
    })
}
