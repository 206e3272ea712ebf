//! The timeline as files, and handed to Perfetto in another tab.

use serde_json::Value;
use warpspan::export::{blocks_csv, examiner_log, perfetto};
use warpspan::page::blocks::{Runs, Which};
use warpspan_e2e::{Outcome, Page, on_page, same, that};

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
        let logs =
            made(&runs, |r| examiner_log::examiner_logs(&r.setup, &r.trace, "Copies overlap with kernels"))?;
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

/// Stands in for the tab that Perfetto is in: answers, and keeps what it is sent.
const TAB: &str = "window.sent = null;
    const frame = document.createElement('iframe');
    frame.srcdoc = `<script>onmessage = (event) => {
        if (event.data === 'PING') setTimeout(() => event.source.postMessage('PONG', '*'), 300);
        else parent.sent = {...event.data.perfetto, text: new TextDecoder().decode(event.data.perfetto.buffer)};
    }</script>`;
    document.body.append(frame);
    window.open = (url) => { window.opened = url; return frame.contentWindow; }";

#[test]
fn perfetto_is_asked_and_then_sent_the_run() -> Outcome {
    on_page("", async |page| {
        open(&page, "paredes-example").await?;
        page.eval(TAB, vec![]).await?;
        page.click("blocks-perfetto").await?;
        page.until("the trace in the other tab", "return !!window.sent").await?;
        let sent = |page: &Page, key: &str| {
            let (page, script) = (page.clone(), format!("return window.sent.{key}"));
            async move { page.string(&script).await }
        };
        let runs = run("paredes-example")?;
        same(
            "the trace",
            sent(&page, "text").await?,
            made(&runs, |r| perfetto::perfetto(&r.setup, &r.trace))?,
        )?;
        same("its title", sent(&page, "title").await?.as_str(), "Four kernels on the Jetson TX2")?;
        same("its name", sent(&page, "fileName").await?.as_str(), "four-kernels-on-the-jetson-tx2.json")?;
        same("where", page.string("return window.opened").await?.as_str(), "https://ui.perfetto.dev")?;
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
