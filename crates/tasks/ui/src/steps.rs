//! All steps of the demand as a table: the twin of the chart for screen readers, and for looking things up.

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use super::stage::Stage;
use base::people;
use tasks_lab::page::tasks::cells;
use ui_kit::rows::{Grid, Rows};

/// Lines in sight.
const SEEN: usize = 10;

/// The table, folded away until someone wants it.
#[component]
pub(super) fn Steps(stage: Stage) -> impl IntoView {
    let opened = RwSignal::new(false);
    let count = memo(move |_| stage.with(|demand| demand.rows.len()).unwrap_or(0));
    let heading =
        move || format!("Where the demand grows, as a table: {}", people::counted(count.get(), "interval"));
    let place = memo(move |_| {
        let at = stage.panel.at.get()?;
        stage.with(|demand| demand.rows.binary_search(&at).ok()).flatten()
    });
    let choose = Callback::new(move |row: usize| {
        if let Some(t) = stage.now(|demand| demand.rows.get(row).copied()).flatten() {
            stage.choose(t);
        }
    });
    let line = Callback::new(move |row: usize| {
        let cell = |text: String| view! { <span role="gridcell">{text}</span> };
        let line = stage.with(|demand| cells(demand, row)).flatten();
        line.map(|line| line.map(cell).collect_view()).into_any()
    });
    let rows = Rows {
        label: "Steps of the demand",
        id: "tasks-steps",
        heads: &["Interval", "Demand", "By the published test", "Room left", "By task"],
        seen: SEEN,
        count: count.into(),
        place: place.into(),
        selected: place.into(),
        over: RwSignal::new(None),
        go: choose,
        open: choose,
        cells: line,
    };
    view! {
        <details class="more tasks-steps" data-testid="tasks-table" prop:open=opened
            on:toggle=move |event| opened.set(event_target::<web_sys::Element>(&event).has_attribute("open"))>
            <summary>{heading}</summary>
            <Show when=move || opened.get()><Grid rows/></Show>
        </details>
    }
}
