//! All improvements as a table: the twin of the chart.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::Chart;
use base::people;
use ui_kit::grid::{Cells, Grid};
use warps_lab::timeline::Convergence;
use warps_lab::timeline::convergence::{Axis, Corner, ImprovementId, Narrowing, height};

/// What the rows are made of.
type Rows = Arc<(Arc<Convergence>, Vec<ImprovementId>, Vec<Corner>)>;

#[component]
pub(super) fn Improvements(chart: Chart) -> impl IntoView {
    let rows: Memo<Option<Rows>> = Memo::new_with_compare(
        move |_| {
            let data = chart.data.get()?;
            let (ids, envelope) = (data.ids().collect(), data.envelope(Axis::Seconds));
            Some(Arc::new((data, ids, envelope)))
        },
        |_, _| true,
    );
    let count = memo(move |_| {
        rows.with(|rows| rows.as_ref().map_or(0, |rows| rows.1.len() + narrowings(&rows.0).len()))
    });
    let place = memo(move |_| {
        let selected = chart.selected.get()?;
        rows.with(|rows| rows.as_ref()?.1.iter().position(|&id| id == selected))
    });
    let cells = move |i: usize| rows.with(|rows| cells(rows.as_ref()?, i));
    let choose = move |i: usize| {
        let id = rows.with_untracked(|rows| rows.as_ref()?.1.get(i).copied());
        if let Some(id) = id {
            chart.change(|view, data| view.point_at(data, id));
            chart.selected.set(Some(id));
        }
    };
    view! {
        <details class="more improvements" data-testid="improvements">
            <summary>{live(move || format!("The chart as a table, {}", people::counted(count.get(), "row")))}</summary>
            <Grid id="improvements-rows" label="Improvements, chain by chain, then what is proven"
                columns=&["Chain", "Start", "Iteration", "Time", "Makespan", "Largest of all", "Proven at most"] rows=count place cells choose/>
        </details>
    }
}

fn cells(
    (data, ids, envelope): &(Arc<Convergence>, Vec<ImprovementId>, Vec<Corner>),
    i: usize,
) -> Option<Cells> {
    let Some(&id) = ids.get(i) else {
        let step = narrowings(data).get(i - ids.len())?;
        let chains = height(envelope, step.seconds).unwrap_or(0);
        return Some(vec![
            "–".to_owned(),
            "search".to_owned(),
            String::new(),
            people::duration(step.seconds),
            people::grouped(step.lower.into()),
            people::grouped(step.lower.max(chains).into()),
            people::grouped(step.upper.into()),
        ]);
    };
    let (chain, improvement) = data.improvement(id)?;
    let largest = height(envelope, improvement.seconds).unwrap_or(improvement.makespan);
    Some(vec![
        (id.0 + 1).to_string(),
        chain.kind.label().to_owned(),
        people::grouped(improvement.iteration.into()),
        people::duration(improvement.seconds),
        people::grouped(improvement.makespan.into()),
        people::grouped(largest.into()),
        String::new(),
    ])
}

fn narrowings(data: &Convergence) -> &[Narrowing] {
    data.bracket.as_ref().map_or(&[], |bracket| &bracket.steps)
}
