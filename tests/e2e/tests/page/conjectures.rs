//! Conjectures: the map of verdicts, the schedule that refutes one, the form, mistakes, a run that is stopped.

use fantoccini::key::Key;
use serde_json::json;
use warpspan::report::ConjectureReport;
use warpspan::scenario::{builtin::BUILTINS, link};
use warpspan_e2e::{Look, Outcome, Page, in_browser, key, key_escape, on_page, same, that};

use crate::files::{file, open};
use crate::keyboard::{focused, tab_to};
use crate::reach::{fits, too_small};
use crate::scenario_panel::show;

/// Cells that take far longer than anyone waits for.
const ENDLESS: &str = r#"{"warpspan": 1, "title": "Endless", "conjecture": {
    "claim": {"formula": "W * I"}, "kernel": "5L 9C 2L 9C", "machine": {"L": 1, "C": 4, "issue": 4},
    "ranges": {"W": [1, 40]}, "limit": {"work": 1000000, "memory": 1024}}}"#;
const WRONG: &str = r#"{"warpspan": 1, "title": "Wrong", "conjecture": {
    "claim": {"formula": "3*w + 2"}, "kernel": "LC", "machine": {"L": 1, "C": 1}, "ranges": {"W": [1, 3]}}}"#;
const SMALL: &str = r#"{"warpspan": 1, "title": "Small", "conjecture": {
    "claim": {"formula": "3*W + 2"}, "kernel": "LC", "machine": {"L": 1, "C": 1}, "ranges": {"W": [1, 3]}}}"#;

/// Opens Raravi's formula and waits until all of it is judged.
async fn raravi(page: &Page) -> Outcome {
    show(page, "raravi-formula").await?;
    page.expect_part("conjecture-told", "Computed in ").await
}

#[test]
fn a_published_formula_is_refuted_cell_by_cell() -> Outcome {
    on_page("", async |page| {
        raravi(&page).await?;
        page.expect("formula", "3*W + 2 + 2*W*(rep - 1)").await?;
        for (cell, said) in [(0, "=0"), (1, "✗−1"), (12, "✗−1"), (4, "=0")] {
            page.expect(&format!("cell-{cell}"), said).await?;
        }
        let colours = "const of = (cell) => getComputedStyle(document.querySelector(`[data-testid=cell-${cell}]`)).backgroundColor;
            return new Set([of(0), of(1), 'rgba(0, 0, 0, 0)']).size";
        same("colours", page.eval(colours, vec![]).await?, json!(3))?;
        page.click("cell-12").await?;
        page.expect_part("conjecture-details", "n = 64, rep = 1: refuted. The claim says at most 14.")
            .await?;
        page.expect_part("conjecture-details", "The worst case of 4 warps is 15 cycles").await
    })
}

#[test]
fn a_refutation_is_one_click_from_its_schedule_and_undo_comes_back() -> Outcome {
    on_page("", async |page| {
        raravi(&page).await?;
        page.click("cell-12").await?;
        page.click("conjecture-open").await?;
        page.expect("makespan", "15 cycles").await?;
        page.expect_part("title", "15 cycles instead of 14: n = 64, rep = 1").await?;
        page.click("undo").await?;
        page.expect_part("conjecture-told", "Computed in ").await?;
        let pressed = "return document.querySelector('[data-testid=cell-12]').ariaPressed === 'true'";
        page.until("the same cell", pressed).await
    })
}

#[test]
fn by_keyboard_alone() -> Outcome {
    let fragment = BUILTINS.iter().find(|example| example.name == "raravi-formula").and_then(|example| {
        let tree = warpspan::import::json::parse(example.text).ok()?;
        link::write(&tree, &link::View::default()).ok()
    });
    let Some(fragment) = fragment else { return Err("no link".to_owned()) };
    in_browser(Look::default(), async move |page| {
        page.go(&format!("#{fragment}")).await?;
        page.expect_part("conjecture-told", "Computed in ").await?;
        tab_to(&page, "conjecture-run").await?;
        page.press(&key(Key::Tab).repeat(2)).await?;
        let first = focused(&page).await?;
        that(first.starts_with("cell-"), || format!("{first} after the button and the menu"))?;
        page.press(&key(Key::Tab)).await?;
        let next = focused(&page).await?;
        that(!next.starts_with("cell-"), || format!("{next} is a second stop in the map"))?;
        page.press(&format!("{}{}{}", char::from(Key::Shift), char::from(Key::Tab), char::from(Key::Null)))
            .await?;
        page.press(&key(Key::Up).repeat(6)).await?;
        page.press(&key(Key::Home)).await?;
        same("the first cell", focused(&page).await?.as_str(), "cell-0")?;
        page.press(&key(Key::Down).repeat(3)).await?;
        same("three rows below", focused(&page).await?.as_str(), "cell-12")?;
        page.press(&key(Key::End)).await?;
        same("the end of the row", focused(&page).await?.as_str(), "cell-15")?;
        page.press(&key(Key::Home)).await?;
        page.expect_part("conjecture-details", "n = 64, rep = 1: refuted.").await?;
        tab_to(&page, "conjecture-open").await?;
        page.press(&key(Key::Enter)).await?;
        page.expect("makespan", "15 cycles").await
    })
}

#[test]
fn verdicts_are_saved_as_table_picture_and_report() -> Outcome {
    on_page("", async |page| {
        raravi(&page).await?;
        let example = BUILTINS.iter().find(|example| example.name == "raravi-formula").ok_or("no example")?;
        let scenario = warpspan::scenario::read(example.text).map_err(|_| "not valid")?;
        let Some(report) = warpspan::job::run(scenario).into::<ConjectureReport>() else {
            return Err("another lab".to_owned());
        };
        let saved = page.download("conjecture-csv").await?;
        same("the table", saved.text, warpspan::export::csv::conjecture_csv(&report))?;
        same("its name", saved.name.as_str(), "raravi-s-formula-verdicts.csv")?;
        let saved = page.download("conjecture-report").await?;
        that(saved.text.contains(r#""lab":"conjecture""#) && saved.text.contains("\"witness\":{"), || {
            saved.text
        })?;
        let saved = page.download("conjecture-svg").await?;
        let side = |name: &str| {
            let after = saved.text.split_once(name)?.1;
            after.split_once('"')?.0.parse::<f64>().ok()
        };
        let size = side("width=\"").zip(side("height=\"")).ok_or("no picture")?;
        that(saved.text.contains("✗ −1") && saved.text.contains("<metadata>http"), || {
            saved.text.clone()
        })?;
        let saved = page.download("conjecture-png").await?;
        same("its name", saved.name.as_str(), "raravi-s-formula-verdicts.png")?;
        same("its size", saved.size, Some(((2.0 * size.0).round() as u64, (2.0 * size.1).round() as u64)))
    })
}

#[test]
fn the_form_changes_claim_and_ranges() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("small.json", SMALL)]).await?;
        page.expect_part("conjecture-told", "Of 3 cells: confirmed in 3").await?;
        page.fill("range-0-to", "5").await?;
        page.expect_part("conjecture-told", "Of 5 cells: ").await?;
        page.click("range-add").await?;
        page.fill("range-1-parameter", "cap_C").await?;
        page.fill("range-1-to", "2").await?;
        page.expect_part("conjecture-told", "Of 10 cells: ").await?;
        page.choose("claim", "raravi").await?;
        page.expect_part("conjecture-told", "Of 12 cells: ").await?;
        same("fields of a kernel", page.has("field-conjecture-kernel").await?, false)?;
        page.click("as-published").await?;
        page.expect_value("field-conjecture-kernel", "C rep(LLC) L").await?;
        page.choose("claim", "").await?;
        page.expect_value("field-conjecture-claim-formula", "3*W + 2 + 2*W*(rep - 1)").await?;
        page.expect_part("conjecture-told", "Of 12 cells: ").await
    })
}

#[test]
fn a_mistake_in_a_formula_is_shown_at_its_field_with_its_column() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("small.json", SMALL)]).await?;
        page.expect_part("conjecture-told", "Of 3 cells: ").await?;
        page.fill("field-conjecture-claim-formula", "3*w + 2").await?;
        page.expect_part("problems", "\"w\" at character 3").await?;
        let field = "const field = document.querySelector('[data-testid=field-conjecture-claim-formula]');
            return field.ariaInvalid === 'true' && field.closest('.field').textContent.includes('at character 3')";
        page.until("the mistake at its field", field).await?;
        page.expect_part("conjecture-told", "these verdicts are of the one before").await?;
        page.expect("cell-0", "✓+3").await?;
        page.fill("field-conjecture-claim-formula", "2*W + 2").await?;
        page.expect_part("conjecture-told", "Of 3 cells: ").await?;
        same("problems", page.text("problems").await?.as_str(), "")
    })
}

#[test]
fn a_file_with_a_mistake_is_named_and_changes_nothing() -> Outcome {
    on_page("", async |page| {
        open(&page, &file("wrong.json", WRONG.as_bytes())?).await?;
        for part in ["wrong.json", "conjecture.claim.formula", "\"w\" at character 3"] {
            page.expect_part("trouble", part).await?;
        }
        page.expect("makespan", "154 cycles").await?;
        page.expect_value("field-warps-kernel", "5L 9C 2L 9C").await
    })
}

#[test]
fn what_is_judged_when_a_run_is_stopped_stays() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("endless.json", ENDLESS)]).await?;
        page.expect_part("cell-1", "✓").await?;
        page.expect("conjecture-run", "Stop").await?;
        page.blur().await?;
        page.press(&key_escape()).await?;
        page.expect_part("conjecture-told", "Stopped. Of 40 cells: ").await?;
        page.expect_part("cell-1", "✓").await?;
        page.expect("cell-39", "?").await?;
        page.expect("conjecture-run", "Run").await
    })
}

#[test]
fn a_formula_is_tested_with_the_kernel_on_the_page() -> Outcome {
    on_page("", async |page| {
        show(&page, "figure-2").await?;
        page.click("proof-test").await?;
        page.expect_part("title", "A formula over many cases: ").await?;
        page.expect_part("conjecture-told", "Of 4 cells: confirmed in 4").await
    })
}

#[test]
fn a_link_holds_a_conjecture() -> Outcome {
    on_page("", async |page| {
        raravi(&page).await?;
        page.until("an address", "return location.hash.length > 100").await?;
        let fragment = page.fragment().await?;
        page.go(&fragment).await?;
        page.expect_part("conjecture-told", "Of 24 cells: ").await
    })
}

#[test]
fn the_panel_fits_every_window() -> Outcome {
    in_browser(Look::default(), async |page| {
        for width in [1440, 1024, 390] {
            page.look(Look { width, ..Look::default() }).await?;
            page.go("").await?;
            page.wait_for("makespan").await?;
            raravi(&page).await?;
            page.eval("document.querySelectorAll('details').forEach((e) => { e.open = true; })", vec![])
                .await?;
            fits(&page, &format!("at {width}")).await?;
            same(&format!("small at {width}"), too_small(&page).await?, json!([]))?;
        }
        Ok(())
    })
}
