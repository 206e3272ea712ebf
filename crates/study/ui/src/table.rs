//! The points of the picture as a table: for those who do not see it, and for those who want the numbers.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::stage::Stage;
use base::people;
use study_lab::draw::Spot;
use study_lab::page::{Dot, says};
use ui_kit::rows::{Grid, Rows};

const HEADS: [&str; 7] = ["Point", "Of", "Cells", "Mean", "95 % interval", "Median", "Least to most"];

/// The table, folded away until someone wants it.
#[component]
pub(super) fn Points(stage: Stage) -> impl IntoView {
    let count = memo(move |_| stage.chart.with(|chart| chart.as_ref().map_or(0, |chart| chart.count())));
    let spot_of = move |row: usize| {
        stage.chart.with_untracked(|chart| {
            let mut left = row;
            for (series, own) in chart.as_ref()?.series.iter().enumerate() {
                if left < own.dots.len() {
                    return Some(Spot { series, dot: left });
                }
                left -= own.dots.len();
            }
            None
        })
    };
    let place = memo(move |_| {
        let spot = stage.selected.get()?;
        stage.chart.with(|chart| {
            let before = chart.as_ref()?.series.iter().take(spot.series).map(|series| series.dots.len());
            Some(before.sum::<usize>() + spot.dot)
        })
    });
    let line = move |row: usize| {
        stage.chart.with(|chart| {
            let (series, dot) = chart.as_ref()?.dots().nth(row)?;
            let chart = chart.as_ref()?;
            let planned = stage.planned.get()?;
            let measure = planned.plan.names().nth(dot.measure).unwrap_or_default();
            let name = chart.series.get(series).map(|series| series.name.clone()).unwrap_or_default();
            let of = if name.is_empty() || dot.place.contains(&name) { measure.to_owned() } else { name };
            Some(cells(dot, of))
        })
    };
    let go = Callback::new(move |row| stage.selected.set(spot_of(row)));
    let rows = Rows {
        label: "Points of the picture",
        id: "points",
        heads: &HEADS,
        seen: 10,
        count: count.into(),
        place: place.into(),
        selected: place.into(),
        over: RwSignal::new(None),
        go,
        open: Callback::new(move |row| {
            // The first click selects, the second opens, as in the picture.
            let spot = spot_of(row);
            match spot.filter(|_| stage.selected.get_untracked() == spot) {
                Some(spot) => stage.open(spot),
                None => stage.selected.set(spot),
            }
        }),
        cells: Callback::new(move |row| {
            (0..HEADS.len())
                .map(|column| view! { <span role="gridcell">{live(move || line(row).map(|cells| cells[column].clone()))}</span> })
                .collect_view()
                .into_any()
        }),
    };
    view! {
        <details class="more study-table" data-testid="study-table">
            <summary>{live(move || format!("The picture as a table, {}", people::counted(count.get(), "row")))}</summary>
            <Grid rows/>
        </details>
    }
}

fn cells(dot: &Dot, of: String) -> [String; 7] {
    let said = |value: f64| says::value(value, dot.share);
    let interval = dot.interval.map(|[low, high]| format!("{} to {}", said(low), said(high)));
    let [least, _, median, _, most] = dot.five;
    let range = if dot.share { String::new() } else { format!("{} to {}", said(least), said(most)) };
    let median = if dot.share { String::new() } else { said(median) };
    let count = people::grouped(dot.count.into());
    [dot.place.clone(), of, count, said(dot.value), interval.unwrap_or_default(), median, range]
}
