//! All blocks and copies as a table: the twin of the canvas for screen readers, and for looking things up.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use super::stage::Stage;
use base::people;
use blocks_lab::page::blocks::{Lines, Sort};
use ui_kit::rows::{Grid, Rows};

/// Lines in sight.
const SEEN: usize = 10;

/// The table, folded away until someone wants it.
#[component]
pub(super) fn Table(stage: Stage) -> impl IntoView {
    let sort = RwSignal::new(Sort::default());
    let opened = RwSignal::new(false);
    let lines: Memo<Option<Arc<Lines>>> = memo(move |_| {
        let (sort, which) = (sort.get(), stage.played.get());
        stage.with(|runs| Arc::new(Lines::new(runs, which, sort)))
    });
    let of = move |what: fn(&Lines) -> usize| lines.with(|lines| lines.as_deref().map_or(0, what));
    let heading = move || {
        let title = stage.with(|runs| match runs.runs.len() {
            0 | 1 => "All blocks as a table".to_owned(),
            _ => format!("All blocks of the {} run as a table", stage.played.get().name()),
        });
        let (all, shown) = (of(Lines::all), of(Lines::count));
        let more = if shown < all { format!(" of {}", people::grouped(all as u128)) } else { String::new() };
        format!("{}, {}{more}", title.unwrap_or_default(), people::counted(shown, "line"))
    };
    let place = memo(move |_| {
        let chosen = stage.selected.get()?;
        lines.with(|lines| lines.as_ref()?.line_of(chosen))
    });
    let choose = Callback::new(move |line: usize| {
        let chosen = lines.with_untracked(|lines| lines.as_ref()?.at(line));
        if let Some(chosen) = chosen {
            stage.choose(chosen);
        }
    });
    let cells = Callback::new(move |line: usize| {
        let cells = lines.with(|lines| {
            let chosen = lines.as_ref()?.at(line)?;
            stage.with(|runs| runs.cells(chosen)).flatten()
        });
        let cell = |text: String| view! { <span role="gridcell">{text}</span> };
        cells.map(|cells| cells.map(cell).collect_view()).into_any()
    });
    let rows = Rows {
        label: "Blocks and copies",
        id: "blocks-table",
        heads: &["Block", "Where", "When", "What it takes"],
        seen: SEEN,
        count: Signal::derive(move || of(Lines::count)),
        place: place.into(),
        selected: place.into(),
        over: RwSignal::new(None),
        go: choose,
        open: choose,
        cells,
    };
    let choice = move |(sorted, name): (Sort, &'static str)| {
        let pressed = move || if sort.get() == sorted { "true" } else { "false" };
        view! { <button aria-pressed=pressed data-testid=format!("sort-{}", name.replace(' ', "-")) on:click=move |_| sort.set(sorted)>{name}</button> }
    };
    view! {
        <details class="more blocks-lines" data-testid="blocks-lines" prop:open=opened
            on:toggle=move |event| opened.set(event_target::<web_sys::Element>(&event).has_attribute("open"))>
            <summary>{heading}</summary>
            <Show when=move || opened.get()>
                <div class="switch" role="group" aria-label="Order of the lines">{Sort::ALL.map(choice).collect_view()}</div>
                <Grid rows/>
            </Show>
        </details>
    }
}
