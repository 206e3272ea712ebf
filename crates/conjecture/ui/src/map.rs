//! The map: a table with a button for each cell, one of which the keyboard can reach; arrows move on from there.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use ui_kit::live::{live, memo};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::Panel;
use conjecture_lab::page::experiment::{Kind, Look};
use conjecture_lab::report::Parameter;

/// Rows a page is long.
const PAGE: usize = 10;

/// What rows and columns are called and stand for.
#[derive(Clone, PartialEq, Default)]
struct Axes {
    rows: Option<Parameter>,
    columns: Option<Parameter>,
    width: usize,
    count: usize,
}

/// The map.
#[component]
pub(super) fn Map(panel: Panel) -> impl IntoView {
    let axes = memo(move |_| {
        let of = |judged: &conjecture_lab::page::Judged| {
            let (rows, columns) = judged.axes();
            let own = |axis: Option<(usize, &Parameter)>| axis.map(|(_, parameter)| parameter.clone());
            let (width, count) = (judged.width(), judged.report.cells.len());
            Axes { rows: own(rows), columns: own(columns), width, count }
        };
        panel.with(of).unwrap_or_default()
    });
    let on_key = move |event: KeyboardEvent| {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let (width, count) = axes.with_untracked(|axes| (axes.width, axes.count));
        let at = panel.place.get_untracked().unwrap_or(0);
        let (row, column) = (at / width, at % width);
        let start = row * width;
        let to = match event.key().as_str() {
            "ArrowLeft" if at > start => at - 1,
            "ArrowRight" if at + 1 < start + width => at + 1,
            "ArrowUp" if at >= width => at - width,
            "ArrowDown" if at + width < count => at + width,
            "Home" => start,
            "End" => start + width - 1,
            "PageUp" => row.saturating_sub(PAGE) * width + column,
            "PageDown" => (row + PAGE).min((count / width).saturating_sub(1)) * width + column,
            "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" => at,
            _ => return,
        };
        event.prevent_default();
        panel.choose(to);
        focus(to);
    };
    let table = move || {
        let Axes { rows, columns, width, count } = axes.get();
        let row_name = rows.as_ref().map(|axis| axis.name.clone()).unwrap_or_default();
        let column_name = columns.as_ref().map(|axis| axis.name.clone()).unwrap_or_default();
        let named = |name: &str| (!name.is_empty()).then(|| format!("{name} = "));
        let heads = columns.map(|axis| axis.values).unwrap_or_default();
        let heads = heads
            .into_iter()
            .map(|value| {
                view! {
                    <th scope="col"><span class="hidden">{named(&column_name)}</span>{value}</th>
                }
            })
            .collect_view();
        let values = rows.map(|axis| axis.values);
        let lines = (0..count / width.max(1)).map(|row| {
            let value = values.as_ref().and_then(|values| values.get(row)).copied();
            view! {
                <tr>
                    <th scope="row"><span class="hidden">{named(&row_name)}</span>{value.map_or("spare".to_owned(), |value| value.to_string())}</th>
                    {(0..width).map(|column| view! { <td>{button(panel, row * width + column)}</td> }).collect_view()}
                </tr>
            }
        }).collect_view();
        let label = match (row_name.as_str(), column_name.as_str()) {
            ("", "") => "Verdict".to_owned(),
            ("", column) => format!("Verdicts by {column}"),
            (row, column) => format!("Verdicts by {row} and {column}"),
        };
        view! {
            <table class="heat" aria-label=label data-testid="heat" data-keys="own" on:keydown=on_key>
                <thead>
                    <tr>
                        <td class="corner" aria-hidden="true">
                            {(!row_name.is_empty()).then(|| view! { <span>{row_name.clone()}" ↓"</span> })}
                            {(!column_name.is_empty()).then(|| view! { <span>{column_name.clone()}" →"</span> })}
                        </td>
                        {heads}
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        }
    };
    view! {
        <div class="figure-plot heat-box">{table}</div>
    }
}

/// A cell: colour, sign and number; what it says in words is its name.
fn button(panel: Panel, cell: usize) -> AnyView {
    let look = memo(move |_| panel.with(|judged| Look::of(judged, cell)).flatten().unwrap_or_default());
    let busy = move || panel.told.with(|told| told.running && told.done as usize == cell);
    let at = memo(move |_| panel.place.get() == Some(cell));
    // Before any is chosen, the first is where the keyboard comes in.
    let entry = memo(move |_| panel.place.get().unwrap_or(0) == cell);
    let reached = move || if entry.get() { "0" } else { "-1" };
    let class = move || look.with(|look| format!("{} d{}", look.kind.name(), look.strength));
    view! {
        <button id=format!("cell-{cell}") class=class class:busy=busy tabindex=reached data-testid=format!("cell-{cell}")
            aria-label=live(move || look.with(|look| look.words.clone())) aria-pressed=live(move || if at.get() { "true" } else { "false" })
            on:click=move |_| panel.choose(cell)>
            <span class="sign" aria-hidden="true">{live(move || look.with(|look| look.kind.sign()))}</span>
            <span aria-hidden="true">{live(move || look.with(|look| look.number.clone()))}</span>
        </button>
    }
    .into_any()
}

fn focus(cell: usize) {
    let found = document().get_element_by_id(&format!("cell-{cell}"));
    if let Some(button) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = button.focus();
    }
}

/// What colours and signs mean; of kinds that are there.
#[component]
pub(super) fn Legend(panel: Panel) -> impl IntoView {
    let kinds = memo(move |_| {
        panel
            .with(|judged| {
                let there = |kind: &Kind| judged.report.cells.iter().any(|cell| Kind::of(cell) == *kind);
                Kind::ALL.into_iter().filter(there).collect::<Vec<_>>()
            })
            .unwrap_or_default()
    });
    let item = |kind: Kind| {
        let strength = if kind == Kind::Slack { 2 } else { 4 };
        view! {
            <li><span class=format!("key {} d{strength}", kind.name()) aria-hidden="true">{kind.sign()}</span>{kind.label()}</li>
        }
    };
    view! {
        <ul class="legend" data-testid="conjecture-legend">
            {live(move || kinds.get().into_iter().map(item).collect_view())}
            <li class="hint">"Number: margin in cycles (negative: refuted)"</li>
        </ul>
    }
}
