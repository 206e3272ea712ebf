//! The schedule as a table: the twin of the canvas for screen readers, and for looking things up.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;

use kit::page::Ask;
use kit::page::results::{Ran, ToldOfTable};
use ui_kit::grid::{Cells, Grid};
use ui_kit::mounted::{Content, News, Page, put};
use ui_kit::show::Show;
use warps_lab::page::Shown;

/// The table.
#[derive(Clone, Copy)]
pub struct Table {
    shown: RwSignal<Option<Arc<Shown>>>,
    told: RwSignal<ToldOfTable>,
    page: Page,
}

impl Table {
    /// A table of nothing yet.
    pub fn new(page: Page) -> Self {
        Self { shown: RwSignal::new(None), told: RwSignal::default(), page }
    }
}

impl Content for Table {
    type Told = ToldOfTable;
    type Entry = Ran;

    fn view(self) -> AnyView {
        // The grid outlives a run, and with it the focus.
        view! { <Show when=move || self.shown.with(Option::is_some)><Lines table=self/></Show> }.into_any()
    }

    fn hear(self, _told: &ToldOfTable, news: &News<'_, Ran>) {
        self.shown.set(news.last().and_then(|ran| Shown::new(&ran.text, &ran.line)).map(Arc::new));
    }

    fn tell(self, told: ToldOfTable) {
        put(self.told, told);
    }
}

#[component]
fn Lines(table: Table) -> impl IntoView {
    let Table { shown, told, page } = table;
    // The number of rows may already be that of the next schedule.
    let rows = memo(move |_| told.with(|told| told.placed));
    let place = memo(move |_| {
        let selected = told.with(|told| told.selected)?;
        shown.with(|shown| shown.as_ref()?.positions.iter().position(|&p| p == selected))
    });
    let choose = move |i: usize| {
        let at = shown.with_untracked(|shown| shown.as_ref()?.positions.get(i).copied());
        if let Some((warp, instruction)) = at {
            page.ask(Ask::Choose(warp, instruction));
        }
    };
    let cells = move |i: usize| {
        shown.with(|shown| {
            shown.as_ref().filter(|shown| i < shown.positions.len()).map(|shown| cells(shown, i))
        })
    };
    view! {
        <Grid id="table-rows" label="Instructions in the order in which they are placed"
            columns=&["Step", "Warp", "Instruction", "Unit", "Cycle", "Waited"] rows place cells choose/>
    }
}

fn cells(shown: &Shown, position: usize) -> Cells {
    let selected = shown.positions[position];
    let waited = shown.waited(selected).map_or("—".to_owned(), |(from, to)| {
        if from == to { format!("in {from}") } else { format!("{from} to {to}") }
    });
    vec![
        (position + 1).to_string(),
        (selected.0 + 1).to_string(),
        (selected.1 + 1).to_string(),
        shown.warps.kernel.units()[selected.1 as usize].letter().to_string(),
        shown.cycle(selected).to_string(),
        waited,
    ]
}
