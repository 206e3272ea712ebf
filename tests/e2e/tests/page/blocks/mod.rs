//! Runs of blocks: the timeline by mouse and keys, the player, links, files, and 100,000 blocks at once.

mod files;
mod links;
mod player;
mod reach;
mod speed;
mod timeline;

use std::sync::Arc;

use serde_json::Value;
use warpspan::draw::blocks::{Kind, Layout, Look, Selected};
use warpspan::page::blocks::{Chosen, Runs, Seen, Which};
use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::link::{self, View};
use warpspan::timeline::blocks::Measure;
use warpspan_e2e::{Outcome, Page};

pub const CANVAS: &str = "[data-testid=blocks-plot] canvas";

/// Opens a built-in example of blocks and waits until its run is on the screen.
pub async fn open(page: &Page, name: &str) -> Outcome {
    crate::scenario_panel::show(page, name).await?;
    // The picture of the run before may look the same from here.
    page.expect_part("blocks-told", "Computed in ").await?;
    drawn(page, name).await
}

/// Waits until the run of an example is on the screen, with its player.
pub async fn drawn(page: &Page, name: &str) -> Outcome {
    let runs = run(name)?;
    let first = runs.first();
    let blocks = runs.pictured(first).map_or(0, |known| known.trace.blocks.len());
    let blocks = format!("{}: {}", first.title(), warpspan::base::people::counted(blocks, "block"));
    let said = format!(
        "const e = document.querySelector('[data-testid=blocks-plot]'); return !!e?.ariaLabel.includes('{blocks} on')"
    );
    page.until(&format!("a picture of {blocks}"), &said).await?;
    // A slider keeps the events of the run before until those of this one are known, which has marks then.
    let events = "return document.querySelector('[data-testid=blocks-slider]').max > 0
        && !!document.querySelector('[data-testid=blocks-figure] .events .begins')";
    page.until("events", events).await
}

/// The run of a built-in example, as the page has it.
pub fn run(name: &str) -> Result<Runs, String> {
    let example = BUILTINS.iter().find(|example| example.name == name).ok_or("no such example")?;
    let scenario = warpspan::scenario::read(example.text).map_err(|_| "not valid")?;
    let seen = Seen::new(&warpspan::job::run(scenario).line()).ok_or("no run of blocks")?;
    Ok(Runs::new(Arc::new(seen), Measure::Threads))
}

/// A link to a built-in example, from `#` on.
pub fn to(name: &str, view: &View) -> Result<String, String> {
    let example = BUILTINS.iter().find(|example| example.name == name).ok_or("no such example")?;
    let scenario: Value = serde_json::from_str(example.text).map_err(|error| error.to_string())?;
    Ok(format!("#{}", link::write(&scenario, view).map_err(|problem| problem.to_string())?))
}

/// The window's point at a time of an SM's lowest block, while everything is in sight.
pub async fn point(page: &Page, runs: &Runs, sm: usize, nanos: u64) -> Result<(f64, f64), String> {
    let [left, top, ..] = page.place(CANVAS).await?;
    let (width, height) = page.room("[data-testid=blocks-plot]").await?;
    let look = Look::new(width, height, 0.0, runs.end.0 as f64);
    let layout = Layout::new(&runs.panels(), &look);
    let row = layout.rows.iter().find(|row| row.kind == Kind::Sm(sm)).ok_or("no such SM")?;
    let (y, h) = row.inside();
    Ok((left + look.scale().pixel(nanos as f64), top + y + h * 0.9))
}

/// The window's point at a time on the strip where the numbers of the axis stand, while everything is in sight.
pub async fn axis(page: &Page, runs: &Runs, nanos: u64) -> Result<(f64, f64), String> {
    on_row(page, runs, Kind::Axis, nanos).await
}

/// The same on a row of any kind.
pub async fn on_row(page: &Page, runs: &Runs, kind: Kind, nanos: u64) -> Result<(f64, f64), String> {
    let [left, top, ..] = page.place(CANVAS).await?;
    let (width, height) = page.room("[data-testid=blocks-plot]").await?;
    let look = Look::new(width, height, 0.0, runs.end.0 as f64);
    let layout = Layout::new(&runs.panels(), &look);
    let row = layout.rows.iter().find(|row| row.kind == kind).ok_or("no such row")?;
    Ok((left + look.scale().pixel(nanos as f64), top + row.y + row.h / 2.0))
}

/// A block as the page says it.
pub fn line(runs: &Runs, launch: usize, block: u32) -> String {
    let what = Selected::Block { run: launch, block };
    runs.line(Chosen { which: Which::Simulated, what }).unwrap_or_default()
}
