//! A long table of texts with one choice: a click and the arrow keys choose a row.

use leptos::prelude::*;

use crate::rows::{self, Rows};

/// Rows in sight beneath the header, which stays while they scroll.
const SEEN: usize = 10;

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
    S: Fn(usize) + Send + Sync + 'static,
{
    let choose = Callback::new(choose);
    let cells = Callback::new(move |row| {
        let texts = cells(row).unwrap_or_default();
        texts.into_iter().map(|text| view! { <span role="gridcell">{text}</span> }).collect_view().into_any()
    });
    let rows = Rows {
        label,
        id,
        heads: columns,
        seen: SEEN,
        count: rows.into(),
        place: place.into(),
        selected: place.into(),
        over: RwSignal::new(None),
        go: choose,
        open: choose,
        cells,
    };
    view! { <rows::Grid rows/> }
}
