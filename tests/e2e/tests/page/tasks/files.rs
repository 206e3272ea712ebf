//! Files of the tasks lab: bad ones change nothing; tables, pictures and reports hold what is on the screen.

use serde_json::Value;
use warpspan::export::perfetto::witness_perfetto;
use warpspan::export::tasks_csv::{demand_csv, witness_csv};
use warpspan::page::tasks::again::witnesses;
use warpspan::page::tasks::{Demand, Witnessed};
use warpspan_e2e::{Outcome, on_page, same, that};

use super::{CANVAS, open, report};

/// A task whose second vertex leads back to its first.
const CYCLE: &str = r#"{"warpspan": 1, "title": "Round", "tasks": [{"name": "T", "period": 50,
    "vertices": [{"name": "a", "e": 2, "d": 5}, {"name": "b", "e": 3, "d": 8}],
    "edges": [["a", "b", 10], ["b", "a", 10]]}]}"#;

#[test]
fn a_file_with_a_cycle_is_named_and_changes_nothing() -> Outcome {
    on_page("", async |page| {
        page.drop_files(&[("round.json", CYCLE)]).await?;
        for part in ["round.json", "tasks[0].edges", "cycle", "The scenario on the page is unchanged."] {
            page.expect_part("trouble", part).await?;
        }
        page.expect("makespan", "154 cycles").await?;
        page.click_in("trouble", "Dismiss").await?;
        page.gone("trouble").await?;
        open(&page, "tasks-controller").await?;
        page.drop_files(&[("round.json", CYCLE)]).await?;
        page.expect_part("trouble", "tasks[0].edges").await?;
        page.expect("title", "A controller with branches").await?;
        page.expect("tile-exact", "accepted").await?;
        page.expect_value("field-tasks-0-vertices-2-e", "25").await
    })
}

#[test]
fn steps_and_jobs_are_saved_as_tables() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-overload").await?;
        let report = report("tasks-overload")?;
        let saved = page.download("tasks-csv").await?;
        same(
            "its name",
            (saved.name.as_str(), saved.kind.as_str()),
            ("one-branch-too-long.csv", "text/csv"),
        )?;
        same("the table", saved.text.clone(), demand_csv(&Demand::new(&report)))?;
        that(saved.text.starts_with("interval,control,vision,log,sum_exact,sum_by_equation\r\n"), || {
            saved.text
        })?;
        let saved = page.download("tasks-witness-csv").await?;
        same("its name", saved.name.as_str(), "one-branch-too-long-witness.csv")?;
        let own = witnesses(&report, 110).ok_or("no witness")?;
        same("the jobs", saved.text, witness_csv(&Witnessed::new(&own)))?;
        page.click("tasks-worst").await?;
        page.click("tasks-next").await?;
        page.expect_part("tasks-witness-told", "In the interval of 125").await?;
        let saved = page.download("tasks-witness-csv").await?;
        let other = witnesses(&report, 125).ok_or("no witness")?;
        same("the jobs of another interval", saved.text, witness_csv(&Witnessed::new(&other)))
    })
}

#[test]
fn the_chart_is_saved_with_real_text_and_its_link() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-overload").await?;
        page.choose("theme", "dark").await?;
        let saved = page.download("tasks-svg").await?;
        same("its kind", saved.kind.as_str(), "image/svg+xml")?;
        for wanted in ["<metadata>http", "One branch too long", "control</text>", "#ffffff"] {
            that(saved.text.contains(wanted), || format!("{wanted} in {}", saved.text))?;
        }
        let [_, _, width, _] = page.rect(CANVAS).await?;
        let saved = page.download("tasks-png").await?;
        let (wide, high) = saved.size.ok_or("no picture")?;
        that(wide == (width * 2.0).round() as u64 && high > 600, || format!("{wide} x {high} of {width}"))
    })
}

#[test]
fn the_report_is_saved_as_one_line() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-overload").await?;
        let saved = page.download("tasks-report").await?;
        same("its name", saved.name.as_str(), "one-branch-too-long.report.json")?;
        let found: Value = serde_json::from_str(&saved.text).map_err(|error| error.to_string())?;
        same("its lab", &found["lab"], &Value::from("tasks"))?;
        same("the verdict in it", &found["schedulable"], &Value::from(false))?;
        same("the violation in it", &found["first_violation"]["t"], &Value::from(110))?;
        same("its lines", saved.text.trim_end().lines().count(), 1)
    })
}

#[test]
fn the_witness_is_saved_as_a_picture_and_as_a_trace() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-overload").await?;
        page.choose("theme", "dark").await?;
        let saved = page.download("tasks-witness-svg").await?;
        same("its name", saved.name.as_str(), "one-branch-too-long-witness.svg")?;
        for wanted in ["<metadata>http", "Processor</text>", "Interval of 110</text>", "#ffffff"] {
            that(saved.text.contains(wanted), || format!("{wanted} in {}", saved.text))?;
        }
        page.frames(2).await?; // by now it is as high as what is painted on it
        let [_, _, width, height] = page.rect("[data-testid=tasks-witness-plot] canvas").await?;
        let saved = page.download("tasks-witness-png").await?;
        let twice = |side: f64| (side * 2.0).round() as u64;
        same("its size", saved.size, Some((twice(width), twice(height))))?;
        let saved = page.download("tasks-witness-trace").await?;
        same("its name", saved.name.as_str(), "one-branch-too-long-witness.trace.json")?;
        same("the trace", saved.text, trace()?)
    })
}

/// The trace of the example's witness.
fn trace() -> Result<String, String> {
    let own = witnesses(&report("tasks-overload")?, 110).ok_or("no witness")?;
    Ok(witness_perfetto(&Witnessed::new(&own), "One branch too long"))
}

#[test]
fn perfetto_is_asked_and_then_sent_the_witness() -> Outcome {
    on_page("", async |page| {
        open(&page, "tasks-overload").await?;
        page.stand_in_for_perfetto().await?;
        page.click("tasks-witness-perfetto").await?;
        let [title, name, text] = page.handed_over().await?;
        same("its title", title.as_str(), "One branch too long witness")?;
        same("its name", name.as_str(), "one-branch-too-long-witness.json")?;
        same("the trace", text, trace()?)?;
        page.expect_part("status", "shown in Perfetto").await?;
        page.eval("window.open = () => null", vec![]).await?;
        page.click("tasks-witness-perfetto").await?;
        page.expect_part("status", "allow pop-ups").await
    })
}
