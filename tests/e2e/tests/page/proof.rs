//! The search for the worst case on the page: beside any document, as a document of its own, stopped, edited.

use fantoccini::key::Key;
use serde_json::{Value, json};
use warpspan::report::certificate::judge;
use warpspan::scenario::certificate;
use warpspan::scenario::link::{self, View};
use warpspan::warps::certificate::Limits;
use warpspan_e2e::{Look, Outcome, Page, in_browser, key, key_escape, on_page, same, that};

use crate::keyboard::{focused, tab_to};
use crate::reach::{fits, too_small};
use crate::scenario_panel::show;

/// Sixteen warps and as many issue slots.
fn voronoi(warps: u32, method: Value) -> Value {
    json!({
        "warpspan": 1,
        "title": "How long at most",
        "warps": {"kernel": "5L 9C 2L 9C", "count": warps, "machine": {"L": 1, "C": 4}, "method": method}
    })
}

/// A question that keeps any search busy for a while.
pub fn endless() -> Value {
    json!({
        "warpspan": 1,
        "title": "Too large",
        "warps": {
            "kernel": "3L 5C S 2L 4C 2S 3L C D 2L 3C S 4L 2C D 2C 3L S 5C 2L", "count": 48,
            "machine": {"L": 1, "C": 2, "S": 1, "D": 1}, "method": {"initial": "most-pending"}
        }
    })
}

pub fn to(scenario: &Value) -> Result<String, String> {
    let link = link::write(scenario, &View::default()).map_err(|problem| problem.to_string())?;
    Ok(format!("#{link}"))
}

/// A report without what depends on the machine's speed.
fn timeless(line: &str) -> Result<Value, String> {
    let mut report: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    report["seconds"] = Value::Null;
    for step in report["bracket"].as_array_mut().into_iter().flatten() {
        step[0] = Value::Null;
    }
    Ok(report)
}

/// What the library finds without a browser.
fn natively(scenario: &Value) -> Result<Value, String> {
    let scenario =
        warpspan::scenario::read(&scenario.to_string()).map_err(|problems| format!("{problems:?}"))?;
    timeless(&warpspan::job::run(scenario).line())
}

#[test]
fn the_published_bound_falls_beside_the_published_schedule() -> Outcome {
    on_page("", async |page| {
        show(&page, "voronoi-issue-4").await?;
        page.expect("makespan", "163 cycles").await?;
        page.click("proof-run").await?;
        page.expect_part("proof-bounds", "The worst case is 184 cycles, proven.").await?;
        page.expect("bounds", "184 cycles, proven").await?;
        page.expect("verdict", "Not the longest: the search has found a longer one.").await?;
        page.expect("makespan", "163 cycles").await?;
        page.expect_part("chart-details", "the worst case is 184 cycles, proven").await?;
        let csv = page.download("chart-csv").await?.text;
        that(csv.lines().last().is_some_and(|line| line.ends_with(",184,184,184")), || csv.clone())?;

        page.expect_part("proof-told", "Done after ").await?;
        page.click("proof-open").await?;
        page.expect("makespan", "184 cycles").await?;
        page.expect("verdict", "Proven: no schedule takes longer.").await?;
        page.expect("proof-run", "Run again").await?;
        page.click("undo").await?;
        page.expect("makespan", "163 cycles").await?;
        page.expect("bounds", "184 cycles, proven").await
    })
}

#[test]
fn what_is_proven_stands_again_after_an_edit_and_its_undo() -> Outcome {
    on_page("", async |page| {
        page.go(&to(&voronoi(4, json!({"initial": "round-robin"})))?).await?;
        page.expect("title", "How long at most").await?;
        page.click("proof-run").await?;
        page.expect("bounds", "45 cycles, proven").await?;
        // Beneath the slider of warps a dot stands for it, as long as there are such warps.
        let dots = "return document.querySelectorAll('.form .curve .dots[d^=M]').length === 1";
        page.until("a dot beneath the slider", dots).await?;
        page.fill("field-warps-count", "3").await?;
        page.until("the dot of four warps", dots).await?;
        page.expect("proof-run", "Find the worst case").await?;
        page.gone("stale").await?;
        that(!page.text("bounds").await?.contains("45"), || "the proof is of four warps".to_owned())?;
        page.click("undo").await?;
        page.expect("bounds", "45 cycles, proven").await?;
        page.expect_part("proof-told", "Done after ").await?;
        page.expect("proof-run", "Run again").await
    })
}

#[test]
fn a_document_that_asks_for_it_runs_to_the_native_report() -> Outcome {
    on_page("", async |page| {
        for (title, method) in [("Proven", json!({"exact": {}})), ("Found", json!({"beam": {"width": 300}}))]
        {
            let mut scenario = voronoi(6, method);
            scenario["title"] = json!(title);
            page.go(&to(&scenario)?).await?;
            page.expect("title", title).await?;
            page.expect("makespan", "67 cycles").await?;
            if title == "Proven" {
                page.expect_part("proof-told", "Done after ").await?;
            }
            let saved = page.download("report").await?;
            same("the report", timeless(&saved.text)?, natively(&scenario)?)?;
        }
        Ok(())
    })
}

#[test]
fn a_certificate_is_accepted_by_who_has_not_searched() -> Outcome {
    on_page("", async |page| {
        page.go(&to(&voronoi(4, json!({"initial": "round-robin"})))?).await?;
        page.expect("title", "How long at most").await?;
        same("nothing to certify", page.has("certificate").await?, false)?;
        page.click("proof-run").await?;
        page.expect_part("proof-told", "Done after ").await?;
        let saved = page.download("certificate").await?;
        page.expect("status", "Certificate saved: the worst case is 45 cycles").await?;
        same("the file", saved.name.as_str(), "how-long-at-most.certificate.json")?;
        let read = certificate::read(&saved.text).map_err(|problems| format!("{problems:?}"))?;
        let verdict = judge(&read, Limits::default());
        that(verdict.accepted && verdict.exact, || format!("{verdict:?}"))?;

        // A certificate is no scenario; the page says what it is.
        page.catch_downloads().await?;
        page.paste("body", &saved.text).await?;
        page.expect_part("trouble", "this is a certificate, which is checked and not run").await
    })
}

#[test]
fn the_bracket_is_there_at_once_and_only_narrows() -> Outcome {
    on_page("", async |page| {
        page.go(&to(&endless())?).await?;
        page.expect("title", "Too large").await?;
        let script = "const done = arguments[0];
            const seen = [], before = atWork.heard();
            let first = null;
            const read = () => {
                const told = document.querySelector('[data-testid=proof-bounds]')?.textContent ?? '';
                const numbers = told.replaceAll(',', '').match(/is (\\d+) (?:to (\\d+) )?cycles/);
                if (!numbers) return;
                first ??= atWork.heard() - before;
                seen.push([Number(numbers[1]), Number(numbers[2] ?? numbers[1])]);
                if (seen.length === 8) done([first, seen]);
            };
            new MutationObserver(read).observe(document.querySelector('[data-testid=proof]'),
                {childList: true, characterData: true, subtree: true});
            document.querySelector('[data-testid=proof-run]').click()";
        let found = page.eval_async(script, vec![]).await?;
        same("messages up to the first bracket", found[0].as_u64(), Some(1))?;
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        let seen: Vec<(u64, u64)> =
            found[1].as_array().into_iter().flatten().map(|b| (number(&b[0]), number(&b[1]))).collect();
        let narrows = |pair: &[(u64, u64)]| pair[0].0 <= pair[1].0 && pair[1].1 <= pair[0].1;
        that(!seen.is_empty() && seen.windows(2).all(narrows), || format!("{seen:?}"))?;

        // It stops when asked, and what is known stays.
        page.click("proof-stop").await?;
        page.expect_part("proof-told", "Stopped").await?;
        page.idle().await?;
        let last = page.text("proof-bounds").await?;
        that(last.starts_with("The worst case is "), || last.clone())?;
        page.expect_part("proof-told", "What is proven so far holds.").await
    })
}

#[test]
fn another_question_ends_the_search_and_another_title_does_not() -> Outcome {
    on_page("", async |page| {
        page.go(&to(&endless())?).await?;
        page.click("proof-run").await?;
        page.wait_for("proof-bounds").await?;
        page.fill("field-title", "Still too large").await?;
        page.expect("title", "Still too large").await?;
        page.expect("proof-pause", "Pause").await?;
        page.fill("field-warps-count", "3").await?;
        page.expect("proof-run", "Find the worst case").await?;
        page.gone("proof-bounds").await?;

        // The method changes what is on the screen, not what is proven.
        page.click("proof-run").await?;
        page.expect_part("proof-bounds", "proven.").await?;
        // The best case is told with the end.
        page.expect_part("proof-told", "Done after ").await?;
        let proven = page.text("proof-bounds").await?;
        page.choose("method", "round-robin").await?;
        page.expect("proof-bounds", &proven).await?;
        page.choose("method", "exact").await?;
        page.expect("verdict", "Proven: no schedule takes longer.").await?;
        page.fill("field-title", "Small").await?;
        page.expect("title", "Small").await?;

        page.fill("field-warps-kernel", "LX").await?;
        page.expect_part("problems", "Instruction string").await?;
        let disabled = "return document.querySelector('[data-testid=proof-run]').disabled";
        same("nothing to prove", page.eval(disabled, vec![]).await?, json!(true))
    })
}

#[test]
fn a_proof_by_keyboard_alone() -> Outcome {
    on_page("", async |page| {
        page.go(&to(&endless())?).await?;
        page.expect("title", "Too large").await?;
        tab_to(&page, "proof-run").await?;
        page.press(&key(Key::Enter)).await?;
        page.wait_for("proof-bounds").await?;
        same("the focus", focused(&page).await?.as_str(), "proof-pause")?;
        page.press(&key(Key::Enter)).await?;
        page.expect_part("proof-told", "Paused after ").await?;
        same("the focus in a pause", focused(&page).await?.as_str(), "proof-resume")?;
        page.press(&key(Key::Enter)).await?;
        page.expect("proof-pause", "Pause").await?;
        page.blur().await?;
        page.press(&key_escape()).await?;
        page.expect_part("proof-told", "Stopped after ").await
    })
}

#[test]
fn nothing_sticks_out_while_a_search_runs() -> Outcome {
    on_page("", async |page| {
        page.go(&to(&endless())?).await?;
        page.expect("title", "Too large").await?;
        page.click("proof-run").await?;
        page.wait_for("proof-bounds").await?;
        for width in [600, 480, 390, 320] {
            page.look(Look { width, height: 844, ..Look::default() }).await?;
            fits(&page, &format!("at {width}")).await?;
            page.expect("proof-pause", "Pause").await?;
        }
        Ok(())
    })
}

#[test]
fn fairness_and_limits_in_the_form() -> Outcome {
    on_page("", async |page| {
        let scenario = json!({
            "warpspan": 1, "title": "Fair",
            "warps": {"kernel": "C LLC LLC L", "count": 4, "machine": {"L": 1, "C": 2}, "method": {"exact": {}}}
        });
        page.go(&to(&scenario)?).await?;
        page.expect_part("proof-bounds", "proven.").await?;
        // The schedule comes with the end, if not before.
        page.expect_part("proof-told", "Done after ").await?;
        let unfair = page.text("makespan").await?;
        page.click("fairness").await?;
        page.fill("field-warps-sub_blocks", "4").await?;
        page.click("proof-run").await?;
        page.expect("makespan", "22 cycles").await?;
        that(unfair != "22 cycles", || format!("fair or not: {unfair}"))?;
        page.fill("field-warps-method-exact-memory_limit", "0").await?;
        page.expect_part("problems", "MiB: ").await
    })
}

#[test]
fn a_proof_fits_on_a_phone() -> Outcome {
    in_browser(Look { width: 390, height: 844, ..Look::default() }, async |page: Page| {
        page.go(&to(&voronoi(6, json!({"initial": "round-robin"})))?).await?;
        page.expect("title", "How long at most").await?;
        page.click("proof-run").await?;
        page.expect_part("proof-bounds", "67 cycles, proven.").await?;
        page.wait_for("chart-plot").await?;
        page.eval("document.querySelectorAll('details').forEach((e) => { e.open = true; })", vec![]).await?;
        // What was unfolded may be fetched first, and there may be more to be proven.
        page.idle().await?;
        fits(&page, "with a proof").await?;
        same("small targets", too_small(&page).await?, json!([]))
    })
}

#[test]
fn a_link_to_what_was_proven_has_it_proven_again() -> Outcome {
    let four = voronoi(4, json!({"initial": "round-robin"}));
    on_page(&to(&four)?, async |page| {
        page.wait_for("makespan").await?;
        page.click("proof-run").await?;
        page.expect_part("bounds", "proven").await?;
        let proven = page.text("bounds").await?;
        page.until("the address", "return location.hash.includes('&find=1&')").await?;
        let link = page.string("return location.hash").await?;
        page.go(&link).await?;
        page.expect("bounds", &proven).await?;
        // With another question on the page nothing is proven, and nothing that was is said of it.
        page.put("field-warps-count", "many").await?;
        page.until(
            "the old numbers struck out",
            "return [...document.querySelectorAll('.brief.stale .value')].length === 2",
        )
        .await?;
        page.put("field-warps-count", "5").await?;
        page.until("an address that asks for nothing", "return !location.hash.includes('find=1')").await
    })
}

#[test]
fn a_cell_of_the_worst_case_beneath_answers_for_itself() -> Outcome {
    let four = voronoi(4, json!({"initial": "round-robin"}));
    on_page(&to(&four)?, async |page| {
        page.wait_for("makespan").await?;
        page.click("proof-run").await?;
        page.expect_part("bounds", "proven").await?;
        // The schedule beneath comes with the end, if not before.
        page.expect_part("proof-told", "Done after ").await?;
        page.quiet().await?;
        // The last warp of the schedule beneath, in the last cycle of all.
        let [left, top, width, height] = page.rect("[data-testid=plot] canvas").await?;
        let last = page.text("bounds").await?;
        let last = last.split(' ').next().unwrap_or_default().to_owned();
        let rows = (height - 26.0) / 10.0;
        let mut said = String::new();
        for row in 0..10 {
            page.click_at(left + width - 12.0, top + 26.0 + rows * (f64::from(row) + 0.5)).await?;
            page.frames(3).await?;
            said += &page.text("details").await?;
            said.push('\n');
        }
        that(said.contains(&format!("cycle {last}")) && said.contains("instruction 25 of 25"), || {
            said.clone()
        })?;
        page.expect("selected", "").await
    })
}
