//! The timeline as files, and handed to Perfetto in another tab.

use serde_json::Value;
use warpspan::export::{blocks_csv, examiner_log, perfetto};
use warpspan::page::blocks::{Runs, Which};
use warpspan_e2e::{Outcome, on_page, same, that};

use super::{open, run};

/// Something made of what was simulated.
fn made<T>(runs: &Runs, of: impl FnOnce(&warpspan::report::blocks::Pictured) -> T) -> Result<T, String> {
    runs.pictured(Which::Simulated).map(of).ok_or_else(|| "nothing was simulated".to_owned())
}

#[test]
fn the_run_is_saved_as_tables_traces_and_logs() -> Outcome {
    on_page("", async |page| {
        open(&page, "copies").await?;
        let runs = run("copies")?;
        let saved = page.download("blocks-csv").await?;
        same("the table", saved.text, made(&runs, |r| blocks_csv::blocks_csv(&r.setup, &r.trace))?)?;
        same("its name", saved.name.as_str(), "copies-overlap-with-kernels.csv")?;
        let saved = page.download("blocks-trace").await?;
        same("the trace", saved.text, made(&runs, |r| perfetto::perfetto(&r.setup, &r.trace))?)?;
        let saved = page.download("blocks-report").await?;
        that(saved.text.starts_with('{') && saved.text.contains(r#""lab":"blocks""#), || saved.text)?;
        let saved = page.download("blocks-logs").await?;
        same(
            "its kind",
            (saved.kind.as_str(), saved.name.as_str()),
            ("application/zip", "copies-overlap-with-kernels-logs.zip"),
        )?;
        let logs = made(&runs, |r| {
            let (title, origin) = ("Copies overlap with kernels", examiner_log::Origin::Simulated);
            examiner_log::examiner_logs(&r.setup, &r.trace, title, origin).files
        })?;
        that(logs.len() == 2 && logs.iter().all(|log| saved.text.contains(&log.name)), || saved.text)
    })
}

#[test]
fn the_picture_is_saved_with_its_legend_and_its_link() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.choose("theme", "dark").await?;
        let saved = page.download("blocks-svg").await?;
        for wanted in ["<metadata>http", "K2:5</text>", "stream 1", "#ffffff"] {
            that(saved.text.contains(wanted), || format!("{wanted} in {}", saved.text))?;
        }
        let [_, _, width, _] = page.rect(super::CANVAS).await?;
        let saved = page.download("blocks-png").await?;
        let (wide, high) = saved.size.ok_or("no picture")?;
        that(wide == (width * 2.0).round() as u64 && high > 600, || format!("{wide} x {high} of {width}"))
    })
}

#[test]
fn a_picture_that_scrolls_is_saved_with_all_its_rows() -> Outcome {
    on_page("", async |page| {
        open(&page, "many-blocks").await?;
        let plot = "const plot = document.querySelector('[data-testid=blocks-plot]');";
        page.eval(&format!("{plot} plot.scrollTop = plot.scrollHeight / 2"), vec![]).await?;
        page.until("the picture to be scrolled", &format!("{plot} return plot.scrollTop > 100")).await?;
        page.idle().await?;
        let saved = page.download("blocks-svg").await?;
        for sm in 0..80 {
            let name = format!(">SM {sm}</text>");
            that(saved.text.contains(&name), || format!("no {name} in {}", saved.text))?;
        }
        Ok(())
    })
}

#[test]
fn perfetto_is_asked_and_then_sent_the_run() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.stand_in_for_perfetto().await?;
        page.click("blocks-perfetto").await?;
        let [title, name, text] = page.handed_over().await?;
        let runs = run("paredes-example")?;
        same("the trace", text, made(&runs, |r| perfetto::perfetto(&r.setup, &r.trace))?)?;
        same("its title", title.as_str(), "Four kernels on the Jetson TX2")?;
        same("its name", name.as_str(), "four-kernels-on-the-jetson-tx2.json")?;
        page.expect_part("status", "shown in Perfetto").await
    })
}

#[test]
fn a_tab_that_does_not_open_is_told() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.eval("window.open = () => null", vec![]).await?;
        page.click("blocks-perfetto").await?;
        page.expect_part("status", "allow pop-ups").await?;
        same("sent", page.eval("return window.sent ?? null", vec![]).await?, Value::Null)
    })
}
