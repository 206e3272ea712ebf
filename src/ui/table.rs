//! The schedule as a table: the twin of the canvas for screen readers, and for looking things up.

use std::sync::Arc;

use leptos::prelude::*;

use super::state::App;
use crate::page::Shown;
use crate::ui::keys;
use ui_kit::grid::{Cells, Grid};

/// The table, folded away until someone wants it.
#[component]
pub fn Table(app: App) -> impl IntoView {
    let rows = Memo::new(move |_| app.player.with(|p| p.step));
    view! {
        <details class="more" data-testid="table">
            <summary>{move || format!("The schedule as a table, {} rows", crate::base::people::grouped(rows.get() as u128))}</summary>
            {move || app.shown.get().map(|shown| view! { <Lines app shown rows/> })}
        </details>
    }
}

#[component]
fn Lines(app: App, shown: Arc<Shown>, rows: Memo<usize>) -> impl IntoView {
    let place = {
        let shown = Arc::clone(&shown);
        Memo::new(move |_| {
            app.selected.get().and_then(|selected| shown.positions.iter().position(|&p| p == selected))
        })
    };
    let choose = {
        let shown = Arc::clone(&shown);
        move |i: usize| {
            if let Some(&selected) = shown.positions.get(i) {
                keys::choose(app, selected);
            }
        }
    };
    // The number of rows may already be that of the next schedule.
    let cells = move |i: usize| (i < shown.positions.len()).then(|| cells(&shown, i));
    view! {
        <Grid id="table" label="Instructions in the order in which they are placed"
            columns=&["Step", "Warp", "Instruction", "Unit", "Cycle", "Waited"] rows place cells choose/>
    }
}

fn cells(shown: &Shown, position: usize) -> Cells {
    let selected = shown.positions[position];
    let waited = shown.waited(selected).map_or("—".to_owned(), |(from, to)| {
        if from == to { format!("in {from}") } else { format!("{from} to {to}") }
    });
    vec![
        (position + 1).to_string(),
        (selected.0 + 1).to_string(),
        (selected.1 + 1).to_string(),
        shown.warps.kernel.units()[selected.1 as usize].letter().to_string(),
        shown.cycle(selected).to_string(),
        waited,
    ]
}
