//! The tasks lab in a browser: its examples, the chart, the editor of graphs, the form, links and files.

mod chart;
mod editor;
mod examples;
mod files;
mod form;
mod keys;
mod links;
mod reach;

use serde_json::Value;
use warpspan::draw::tasks::{Layout, Look};
use warpspan::import::json as strict;
use warpspan::page::tasks::{Demand, Seen};
use warpspan::report::tasks::TasksReport;
use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::link::{self, View};
use warpspan_e2e::{Outcome, Page, patiently};

pub const CANVAS: &str = "[data-testid=tasks-plot] canvas";

/// Opens a built-in example of a set and waits for its verdict.
pub async fn open(page: &Page, name: &str) -> Outcome {
    crate::scenario_panel::show(page, name).await?;
    checked(page).await
}

/// Waits until the verdict on the screen is that of the document.
pub async fn checked(page: &Page) -> Outcome {
    page.wait_for("tasks-verdict").await?;
    page.expect_part("tasks-told", "Computed in ").await
}

/// The text of a built-in example.
pub fn text(name: &str) -> Result<&'static str, String> {
    let found = BUILTINS.iter().find(|example| example.name == name);
    found.map(|example| example.text).ok_or(format!("no example {name}"))
}

/// The report of a built-in example, as the page has it.
pub fn report(name: &str) -> Result<TasksReport, String> {
    let scenario = warpspan::scenario::read(text(name)?).map_err(|_| "not valid")?;
    let seen = Seen::new(&warpspan::job::run(scenario).line()).ok_or("no report of tasks")?;
    seen.set().cloned().ok_or_else(|| "no set".to_owned())
}

/// A link to a built-in example, from `#` on.
pub fn to(name: &str, view: &View) -> Result<String, String> {
    let scenario: Value = serde_json::from_str(text(name)?).map_err(|error| error.to_string())?;
    Ok(format!("#{}", link::write(&scenario, view).map_err(|problem| problem.to_string())?))
}

/// The document as the page has it now, under JSON.
pub async fn document(page: &Page) -> Result<Value, String> {
    if !page.has("json").await? {
        page.click("as-json").await?;
        page.wait_for("json").await?;
    }
    let text = page.value("json").await?;
    strict::parse(&text).map_err(|problem| problem.to_string())
}

/// Waits until something in the document is what it should be.
pub async fn expect_in(page: &Page, pointer: &str, wanted: &Value) -> Outcome {
    patiently(&format!("{pointer} to be {wanted}"), async || {
        let found = document(page).await?.pointer(pointer).cloned().unwrap_or_default();
        Ok(if found == *wanted { Ok(()) } else { Err(found.to_string()) })
    })
    .await
}

/// The window's point of an interval half way up the chart, while everything is in sight.
pub async fn point(page: &Page, demand: &Demand, t: u64) -> Result<(f64, f64), String> {
    // What has changed is measured and painted by then.
    page.frames(2).await?;
    let [left, top, ..] = page.place(CANVAS).await?;
    let (width, high) = page.room("[data-testid=tasks-plot]").await?;
    let layout = Layout::new(demand, &Look::new(width, high, 0.0, demand.horizon as f64));
    Ok((left + layout.x.pixel(t as f64), top + (layout.top() + layout.bottom()) / 2.0))
}

/// The middle of a part of the graph, in the window.
pub async fn middle(page: &Page, id: &str, part: &str) -> Result<(f64, f64), String> {
    page.wait_for(id).await?;
    // The drawing fits its place by then.
    page.frames(2).await?;
    page.place("[data-testid=graph-plot]").await?;
    let [left, top, width, height] = page.rect(&format!("[data-testid={id}] {part}")).await?;
    Ok((left + width / 2.0, top + height / 2.0))
}

/// Takes the keyboard to an element.
pub async fn focus(page: &Page, id: &str) -> Outcome {
    page.wait_for(id).await?;
    page.eval(&format!("document.querySelector('[data-testid={id}]').focus()"), vec![]).await.map(drop)
}
