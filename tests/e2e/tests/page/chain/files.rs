//! Files of the chain lab: bad ones change nothing; tables, pictures and reports hold what is on the screen.

use serde_json::Value;
use warpspan::export::chain_csv::{kernels_csv, tasks_csv};
use warpspan_e2e::{Outcome, on_page, same, that};

use super::{SMALL, computed, open, report};

/// A task that launches a kernel which is not there.
const NOBODY: &str = r#"{"warpspan": 1, "title": "Nobody", "chain": {
    "kernels": [{"name": "blur", "kernel": "LCL", "threads": 32}],
    "tasks": [{"name": "look", "period": 50, "segments": [{"launch": "edges"}]}]}}"#;

#[test]
fn a_bad_file_is_named_and_changes_nothing() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        page.drop_files(&[("nobody.json", NOBODY)]).await?;
        for part in
            ["nobody.json", "chain.tasks[0].segments[0].launch", "The scenario on the page is unchanged."]
        {
            page.expect_part("trouble", part).await?;
        }
        page.expect("title", "From three instructions to a deadline").await
    })
}

#[test]
fn kernels_and_tasks_are_saved_as_tables() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        let report = report(SMALL)?;
        let saved = page.download("chain-kernels-csv").await?;
        let named = (saved.name.as_str(), saved.kind.as_str());
        same("its name", named, ("from-three-instructions-to-a-deadline.kernels.csv", "text/csv"))?;
        same("the kernels", saved.text, kernels_csv(&report))?;
        let saved = page.download("chain-tasks-csv").await?;
        same("the tasks", saved.text, tasks_csv(&report))
    })
}

#[test]
fn the_picture_is_saved_with_real_text_and_its_link() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        page.choose("theme", "dark").await?;
        let saved = page.download("chain-svg").await?;
        same("its kind", saved.kind.as_str(), "image/svg+xml")?;
        for wanted in ["<metadata>http", "From three instructions", "÷ 1 GHz</text>", "#ffffff"] {
            that(saved.text.contains(wanted), || format!("{wanted} in {}", saved.text))?;
        }
        let saved = page.download("chain-png").await?;
        let (wide, high) = saved.size.ok_or("no picture")?;
        that(wide >= 2_000 && high > 400, || format!("{wide} x {high}"))
    })
}

#[test]
fn the_report_is_saved_as_one_line() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        let saved = page.download("chain-report").await?;
        same("its name", saved.name.as_str(), "from-three-instructions-to-a-deadline.report.json")?;
        let found: Value = serde_json::from_str(&saved.text).map_err(|error| error.to_string())?;
        same("its lab", &found["lab"], &Value::from("chain"))?;
        same("its lines", saved.text.trim_end().lines().count(), 1)
    })
}

#[test]
fn a_chain_is_printed() -> Outcome {
    on_page("", async |page| {
        open(&page, SMALL).await?;
        page.eval("document.querySelector('.teach').open = true", vec![]).await?;
        page.click("make-sheet").await?;
        page.expect_part("paper", "What this takes for granted").await?;
        page.expect_part("paper", "Response").await
    })
}

#[test]
fn a_model_is_chosen_or_pasted_and_says_what_it_does_not_say() -> Outcome {
    on_page("", async |page| {
        let driving = "const list = document.querySelector('[data-testid=example]');
            list.value = [...list.options].find((option) => option.label.startsWith('Driver assistance')).value;
            list.dispatchEvent(new Event('change', {bubbles: true}))";
        page.eval(driving, vec![]).await?;
        computed(&page).await?;
        page.expect_part("chain-verdict", "met").await?;
        page.paste("body", include_str!("../../../../../www/models/teaching.amxmi")).await?;

        computed(&page).await?;
        page.expect_part("chain-assumed", "locks").await?;
        // A model that breaks off says where, and what is on the page stands.
        page.paste("body", "<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/1.0.0\"><swModel>")
            .await?;
        page.expect_part("trouble", "line 1").await?;
        page.wait_for("chain-verdict").await?;
        Ok(())
    })
}
