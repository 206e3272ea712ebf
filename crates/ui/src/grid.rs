//! A long table of which only the rows in sight exist; arrows move the chosen row.

use leptos::prelude::*;

/// Height of a row in pixels; the style sheet says the same.
const ROW: f64 = 28.0;
/// Rows in sight beneath the header, which stays while they scroll.
const SEEN: usize = 10;
/// More rows than there are.
const TO_THE_END: isize = isize::MAX / 2;
/// Rows kept above and below.
const SPARE: usize = 4;

/// The texts of a row.
pub type Cells = Vec<String>;

/// The table. Rows have ids made of `id` and their place.
#[component]
pub fn Grid<C, S>(
    /// Its name, for tests and for the ids of its rows.
    id: &'static str,
    /// What a screen reader calls it.
    label: &'static str,
    /// The heads of its columns.
    columns: &'static [&'static str],
    /// How many rows there are.
    rows: Memo<usize>,
    /// The chosen row.
    place: Memo<Option<usize>>,
    /// The texts of a row; none for one that is gone.
    cells: C,
    /// Called with the row that is chosen.
    choose: S,
) -> impl IntoView
where
    C: Fn(usize) -> Option<Cells> + Send + Sync + 'static,
    S: Fn(usize) + Clone + Send + Sync + 'static,
{
    let top = RwSignal::new(0.0);
    let grid = NodeRef::<leptos::html::Div>::new();
    Effect::new(move |_| {
        let (Some(place), Some(grid)) = (place.get(), grid.get()) else { return };
        let (above, below) = (place as f64 * ROW, (place + 1) as f64 * ROW - SEEN as f64 * ROW);
        if f64::from(grid.scroll_top()) > above {
            grid.set_scroll_top(above as i32);
        } else if f64::from(grid.scroll_top()) < below {
            grid.set_scroll_top(below as i32);
        }
    });
    let chosen = choose.clone();
    // Whoever is asked to choose a row may answer after the next key has come.
    let here = StoredValue::new(None);
    Effect::new(move |_| here.set_value(place.get()));
    let move_by = move |by: isize| {
        let last = rows.get_untracked().saturating_sub(1);
        let next = match here.get_value() {
            Some(here) => usize::saturating_add_signed(here, by).min(last),
            None if by == TO_THE_END => last,
            None => 0,
        };
        here.set_value(Some(next));
        chosen(next);
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
    let line = move |i: usize| {
        cells(i).map(|cells| {
            let choose = choose.clone();
            view! {
                <div role="row" class="line" id=format!("{id}-{i}") aria-rowindex=i + 2
                    aria-selected=move || if place.get() == Some(i) { "true" } else { "false" }
                    on:click=move |_| choose(i)>
                    {cells.into_iter().map(|cell| view! { <span role="gridcell">{cell}</span> }).collect_view()}
                </div>
            }
        })
    };
    let lines = move || {
        let last = (first.get() + SEEN + 2 * SPARE).min(rows.get());
        (first.get()..last).map(&line).collect_view()
    };
    view! {
        <div class=format!("grid {id}") role="grid" tabindex="0" aria-label=label
            aria-rowcount=move || rows.get() + 1 aria-colcount=columns.len() data-keys="own" node_ref=grid data-testid=format!("{id}-body")
            aria-activedescendant=move || place.get().map(|place| format!("{id}-{place}"))
            on:scroll=move |_| if let Some(grid) = grid.get_untracked() { top.set(f64::from(grid.scroll_top())) }
            on:keydown=on_key>
            <div role="row" class="line head" aria-rowindex="1">
                {columns.iter().map(|&name| view! { <span role="columnheader">{name}</span> }).collect_view()}
            </div>
            <div class="body" role="rowgroup">
                <div class="space" role="presentation" style=move || format!("height: {}px", rows.get() as f64 * ROW)>
                    <div class="seen" role="presentation" style=move || format!("transform: translateY({}px)", first.get() as f64 * ROW)>{lines}</div>
                </div>
            </div>
        </div>
    }
}
