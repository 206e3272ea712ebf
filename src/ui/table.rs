//! The schedule as a table: the twin of the canvas for screen readers, and for looking things up.
//!
//! Only the rows in sight exist; arrows move the selection row by row.

use std::sync::Arc;

use leptos::prelude::*;

use super::keys;
use super::state::App;
use crate::page::Shown;

/// Height of a row in pixels; the style sheet says the same.
const ROW: f64 = 28.0;
/// Rows in sight beneath the header, which stays while they scroll.
const SEEN: usize = 10;
/// More rows than there are.
const TO_THE_END: isize = isize::MAX / 2;
/// Rows kept above and below.
const SPARE: usize = 4;

/// The table, folded away until someone wants it.
#[component]
pub fn Table(app: App) -> impl IntoView {
    let rows = Memo::new(move |_| app.player.with(|p| p.step));
    view! {
        <details class="more" data-testid="table">
            <summary>{move || format!("The schedule as a table, {} rows", crate::base::people::grouped(rows.get() as u128))}</summary>
            {move || app.shown.get().map(|shown| view! { <Grid app shown rows/> })}
        </details>
    }
}

#[component]
fn Grid(app: App, shown: Arc<Shown>, rows: Memo<usize>) -> impl IntoView {
    let top = RwSignal::new(0.0);
    let grid = NodeRef::<leptos::html::Div>::new();
    let place = {
        let shown = Arc::clone(&shown);
        Memo::new(move |_| {
            app.selected.get().and_then(|selected| shown.positions.iter().position(|&p| p == selected))
        })
    };
    Effect::new(move |_| {
        let (Some(place), Some(grid)) = (place.get(), grid.get()) else { return };
        let (above, below) = (place as f64 * ROW, (place + 1) as f64 * ROW - SEEN as f64 * ROW);
        if f64::from(grid.scroll_top()) > above {
            grid.set_scroll_top(above as i32);
        } else if f64::from(grid.scroll_top()) < below {
            grid.set_scroll_top(below as i32);
        }
    });
    let move_by = {
        let shown = Arc::clone(&shown);
        move |by: isize| {
            let last = rows.get_untracked().saturating_sub(1);
            let next = match place.get_untracked() {
                Some(place) => place.saturating_add_signed(by).min(last),
                None if by == TO_THE_END => last,
                None => 0,
            };
            if let Some(&selected) = shown.positions.get(next) {
                keys::choose(app, selected);
            }
        }
    };
    let on_key = move |event: leptos::ev::KeyboardEvent| {
        let by = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => -1,
            "PageDown" => SEEN.cast_signed(),
            "PageUp" => -SEEN.cast_signed(),
            "Home" => -TO_THE_END,
            "End" => TO_THE_END,
            _ => return,
        };
        event.prevent_default();
        move_by(by);
    };
    let first = Memo::new(move |_| ((top.get() / ROW) as usize).saturating_sub(SPARE));
    let lines = move || {
        // The number of rows may already be that of the next schedule.
        let last = (first.get() + SEEN + 2 * SPARE).min(rows.get()).min(shown.positions.len());
        (first.get()..last).map(|i| line(app, &shown, i, place)).collect_view()
    };
    view! {
        <div class="grid" role="grid" tabindex="0" aria-label="Instructions in the order in which they are placed"
            aria-rowcount=move || rows.get() + 1 aria-colcount="6" data-keys="own" node_ref=grid data-testid="table-body"
            aria-activedescendant=move || place.get().map(|place| format!("line-{place}"))
            on:scroll=move |_| if let Some(grid) = grid.get_untracked() { top.set(f64::from(grid.scroll_top())) }
            on:keydown=on_key>
            <div role="row" class="line head" aria-rowindex="1">
                {["Step", "Warp", "Instruction", "Unit", "Cycle", "Waited"].map(|name| view! { <span role="columnheader">{name}</span> }).collect_view()}
            </div>
            <div class="body" role="rowgroup">
                <div class="space" role="presentation" style=move || format!("height: {}px", rows.get() as f64 * ROW)>
                    <div class="seen" role="presentation" style=move || format!("transform: translateY({}px)", first.get() as f64 * ROW)>{lines}</div>
                </div>
            </div>
        </div>
    }
}

fn line(app: App, shown: &Shown, position: usize, place: Memo<Option<usize>>) -> impl IntoView + use<> {
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
    view! {
        <div role="row" class="line" id=format!("line-{position}") aria-rowindex=position + 2
            aria-selected=move || if place.get() == Some(position) { "true" } else { "false" }
            on:click=move |_| keys::choose(app, selected)>
            {cells.map(|cell| view! { <span role="gridcell">{cell}</span> }).collect_view()}
        </div>
    }
}
