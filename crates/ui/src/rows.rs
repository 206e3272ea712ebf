//! Many rows of which only those in sight exist, with one place for the keyboard: arrows move it row by row.

use crate::follow::follow_size;
use crate::live::{effect, live, memo};
use leptos::prelude::*;

/// Height of a row in pixels; the style sheet says the same.
const ROW: f64 = 28.0;
/// More rows than there are.
const TO_THE_END: isize = isize::MAX / 2;
/// Rows kept above and below those in sight.
const SPARE: usize = 4;

/// What a list of rows is and does.
#[derive(Clone, Copy)]
pub struct Rows {
    /// What the list is, for those who do not see it.
    pub label: &'static str,
    /// Names the list, and its rows by number.
    pub id: &'static str,
    /// Names of the columns.
    pub heads: &'static [&'static str],
    /// Rows in sight beneath the header, which stays while they scroll: the most of them, where the style gives less room.
    pub seen: usize,
    /// How many rows there are.
    pub count: Signal<usize>,
    /// The row the keyboard is at; it is kept in sight.
    pub place: Signal<Option<usize>>,
    /// The row that is selected.
    pub selected: Signal<Option<usize>>,
    /// The row under the pointer.
    pub over: RwSignal<Option<usize>>,
    /// Takes the keyboard to a row.
    pub go: Callback<usize>,
    /// A click on a row, or Enter.
    pub open: Callback<usize>,
    /// The cells of a row.
    pub cells: Callback<usize, AnyView>,
}

/// Scrolls the rows of this name back to the first one.
pub fn to_top(id: &str) {
    if let Ok(Some(grid)) = document().query_selector(&format!("[role=grid][data-testid={id}]")) {
        grid.set_scroll_top(0);
    }
}

/// The rows.
#[component]
pub fn Grid(
    /// What is in it.
    rows: Rows,
    /// A style of its own.
    #[prop(optional)]
    style: String,
) -> impl IntoView {
    let Rows { label, id, heads, seen, count, place, selected, over, go, open, cells } = rows;
    let top = RwSignal::new(0.0);
    let grid = NodeRef::<leptos::html::Div>::new();
    effect(move || {
        // The element may be an older one that is used again, scrolled as it was.
        if let Some(grid) = grid.get() {
            top.set(f64::from(grid.scroll_top()));
        }
    });
    // What is said of a selected row may take its room: it is kept in sight then, too.
    let high = RwSignal::new(0);
    follow_size(
        move || grid.get().map(Into::into),
        move |grid: &web_sys::Element| {
            if high.try_get_untracked().is_some_and(|known| known != grid.client_height()) {
                high.set(grid.client_height());
            }
        },
    );
    effect(move || {
        high.track();
        let (Some(place), Some(grid)) = (place.get(), grid.get()) else { return };
        // As many as were asked for, or as there is room for.
        let room = (f64::from(grid.client_height()) - ROW).min(seen as f64 * ROW).max(ROW);
        let (above, below) = (place as f64 * ROW, (place + 1) as f64 * ROW - room);
        if f64::from(grid.scroll_top()) > above {
            grid.set_scroll_top(above as i32);
        } else if f64::from(grid.scroll_top()) < below {
            grid.set_scroll_top(below as i32);
        }
    });
    // Whoever is asked to go to a row may answer after the next key has come.
    let here = StoredValue::new(None);
    effect(move || here.set_value(place.get()));
    let move_by = move |by: isize| {
        let last = count.get_untracked().saturating_sub(1);
        let next = match here.get_value() {
            Some(here) => usize::saturating_add_signed(here, by).min(last),
            None if by == TO_THE_END => last,
            None => 0,
        };
        here.set_value(Some(next));
        go.run(next);
    };
    let on_key = move |event: leptos::ev::KeyboardEvent| {
        match event.key().as_str() {
            "ArrowDown" => move_by(1),
            "ArrowUp" => move_by(-1),
            "PageDown" => move_by(seen.cast_signed()),
            "PageUp" => move_by(-seen.cast_signed()),
            "Home" => move_by(-TO_THE_END),
            "End" => move_by(TO_THE_END),
            "Enter" => {
                if let Some(here) = here.get_value() {
                    open.run(here);
                }
            }
            _ => return,
        }
        event.prevent_default();
    };
    let first = memo(move |_| ((top.get() / ROW) as usize).saturating_sub(SPARE));
    let name = move |row: usize| format!("{id}-{row}");
    let line = move |row: usize| {
        view! {
            <div role="row" class="line" id=name(row) aria-rowindex=row + 2
                class:at=live(move || place.get() == Some(row))
                aria-selected=live(move || if selected.get() == Some(row) { "true" } else { "false" })
                on:pointerenter=move |_| over.set(Some(row)) on:click=move |_| open.run(row)>{cells.run(row)}</div>
        }
    };
    let lines = move || {
        let last = (first.get() + seen + 2 * SPARE).min(count.get());
        (first.get()..last).map(line).collect_view()
    };
    view! {
        <div class="grid" role="grid" tabindex="0" aria-label=label style=style
            aria-rowcount=live(move || count.get() + 1) aria-colcount=heads.len() data-keys="own" node_ref=grid data-testid=id
            aria-activedescendant=live(move || place.get().map(name))
            on:scroll=move |_| if let Some(grid) = grid.get_untracked() { top.set(f64::from(grid.scroll_top())) }
            on:pointerleave=move |_| over.set(None) on:keydown=on_key>
            <div role="row" class="line head" aria-rowindex="1">
                {heads.iter().map(|name| view! { <span role="columnheader">{*name}</span> }).collect_view()}
            </div>
            <div class="body" role="rowgroup">
                <div class="space" role="presentation" style=live(move || format!("height: {}px", count.get() as f64 * ROW))>
                    <div class="seen" role="presentation" style=live(move || format!("transform: translateY({}px)", first.get() as f64 * ROW))>{lines}</div>
                </div>
            </div>
        </div>
    }
}
