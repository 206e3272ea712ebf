//! The schedule as a table: the twin of the canvas for screen readers, and for looking things up.

use std::sync::Arc;

use leptos::prelude::*;

use super::keys;
use super::rows::{Grid, Rows};
use super::state::App;
use crate::page::Shown;

/// Rows in sight.
const SEEN: usize = 10;

/// The table, folded away until someone wants it.
#[component]
pub fn Table(app: App) -> impl IntoView {
    let rows = Memo::new(move |_| app.player.with(|p| p.step));
    view! {
        <details class="more" data-testid="table">
            <summary>{move || format!("The schedule as a table, {} rows", crate::base::people::grouped(rows.get() as u128))}</summary>
            {move || app.shown.get().map(|shown| table(app, shown, rows))}
        </details>
    }
}

fn table(app: App, shown: Arc<Shown>, rows: Memo<usize>) -> impl IntoView {
    let place = {
        let shown = Arc::clone(&shown);
        Memo::new(move |_| {
            app.selected.get().and_then(|selected| shown.positions.iter().position(|&p| p == selected))
        })
    };
    let choose = {
        let shown = Arc::clone(&shown);
        Callback::new(move |row: usize| {
            if let Some(&selected) = shown.positions.get(row) {
                keys::choose(app, selected);
            }
        })
    };
    // The number of rows may already be that of the next schedule.
    let most = shown.positions.len();
    let rows = Rows {
        label: "Instructions in the order in which they are placed",
        id: "table-body",
        heads: &["Step", "Warp", "Instruction", "Unit", "Cycle", "Waited"],
        seen: SEEN,
        count: Signal::derive(move || rows.get().min(most)),
        place: place.into(),
        selected: place.into(),
        over: RwSignal::new(None),
        go: choose,
        open: choose,
        cells: Callback::new(move |row| cells(&shown, row).into_any()),
    };
    view! { <Grid rows/> }
}

fn cells(shown: &Shown, position: usize) -> impl IntoView + use<> {
    let selected = shown.positions[position];
    let waited = shown.waited(selected).map_or("—".to_owned(), |(from, to)| {
        if from == to { format!("in {from}") } else { format!("{from} to {to}") }
    });
    let cells = [
        (position + 1).to_string(),
        (selected.0 + 1).to_string(),
        (selected.1 + 1).to_string(),
        shown.warps.kernel.units()[selected.1 as usize].letter().to_string(),
        shown.cycle(selected).to_string(),
        waited,
    ];
    cells.map(|cell| view! { <span role="gridcell">{cell}</span> }).collect_view()
}
