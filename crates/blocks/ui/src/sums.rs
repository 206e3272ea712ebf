//! What a selected stretch adds up to, kernel by kernel.

use leptos::prelude::*;
use ui_kit::live::live;
use ui_kit::swatch::Swatch;

use super::stage::Stage;
use blocks_lab::page::blocks::{SumLine, SumTable};

/// One table for each run; nothing while no stretch is selected.
#[component]
pub(super) fn Sums(stage: Stage) -> impl IntoView {
    let tables = Memo::new(move |_| {
        let (from, to) = stage.range.get()?;
        stage.with(|runs| runs.range_by_kernel(from, to))
    });
    let there = move || {
        let tables = tables.get()?;
        let some = tables.iter().any(|table| !table.lines.is_empty());
        some.then(|| tables.into_iter().filter(|table| !table.lines.is_empty()).map(one).collect_view())
    };
    view! {
        {live(move || there().map(|tables| view! {
            <div class="sums" role="region" tabindex="0" aria-label="The stretch by kernel" data-keys="own" data-testid="blocks-sums">{tables}</div>
        }))}
    }
}

fn one(SumTable { title, heads, lines }: SumTable) -> impl IntoView {
    let [kernel, rest @ ..] = heads;
    let name = if title.is_empty() { kernel.to_owned() } else { title };
    let line = |SumLine { name, class, cells }: SumLine| {
        let all = class.is_none();
        view! {
            <tr class:all=all>
                <th scope="row">{class.map(|class| view! { <Swatch class/> })}{name}</th>
                {cells.map(|cell| view! { <td>{cell}</td> })}
            </tr>
        }
    };
    view! {
        <table>
            <thead><tr><th scope="col">{name}</th>{rest.map(|head| view! { <th scope="col">{head}</th> })}</tr></thead>
            <tbody>{lines.into_iter().map(line).collect_view()}</tbody>
        </table>
    }
}
