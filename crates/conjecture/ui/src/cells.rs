//! The verdicts as a table: everything the report says of each cell.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::Panel;
use base::people;
use conjecture_lab::page::experiment::{Kind, margin, worst_case};
use ui_kit::rows::{Grid, Rows};

const HEADS: [&str; 8] =
    ["Case", "Warps", "Claimed", "Allowed", "Worst case", "Verdict", "Spare", "Proven by"];

/// The table, folded away until someone wants it.
#[component]
pub(super) fn Cells(panel: Panel) -> impl IntoView {
    let count = memo(move |_| panel.with(|judged| judged.report.cells.len()).unwrap_or_default());
    let line = move |row: usize| {
        panel
            .with(|judged| {
                let cell = judged.report.cells.get(row)?;
                let text = |n: Option<String>| n.unwrap_or_default();
                Some([
                    judged.place(cell),
                    text(cell.warps.map(|n| n.to_string())),
                    text(cell.claimed.clone()),
                    text(cell.allowed.map(|n| n.to_string())),
                    worst_case(cell),
                    format!("{} {}", Kind::of(cell).sign(), cell.verdict),
                    margin(cell),
                    text(cell.proven_by().map(str::to_owned).or(cell.why.clone())),
                ])
            })
            .flatten()
            .unwrap_or_default()
    };
    let rows = Rows {
        label: "Verdicts",
        id: "verdicts",
        heads: &HEADS,
        seen: 10,
        count: count.into(),
        place: panel.place.into(),
        selected: panel.place.into(),
        over: RwSignal::new(None),
        go: Callback::new(move |row| panel.choose(row)),
        open: Callback::new(move |row| panel.choose(row)),
        cells: Callback::new(move |row| {
            (0..HEADS.len())
                .map(
                    |column| view! { <span role="gridcell">{live(move || line(row)[column].clone())}</span> },
                )
                .collect_view()
                .into_any()
        }),
    };
    view! {
        <details class="more verdicts" data-testid="verdicts-table">
            <summary>{live(move || format!("The verdicts as a table, times in cycles, {}", people::counted(count.get(), "row")))}</summary>
            <Grid rows/>
        </details>
    }
}
