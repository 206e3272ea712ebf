//! What two schedules differ in, on one axis with the picture above: a sentence, a strip, and a table.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use kit::draw::Theme;
use kit::page::results::{Ran, ToCompare, ToldOfComparison};
use kit::page::{Ask, Stretch};
use ui_kit::canvas::place_of;
use ui_kit::follow::{Drawing, paint_frames};
use ui_kit::grid::{Cells, Grid};
use ui_kit::mounted::{Content, News, Page, put};
use ui_kit::save;
use warps_lab::draw::gantt::{Differs, Frame, Lit};
use warps_lab::draw::strip::{self, Strip};
use warps_lab::export::csv;
use warps_lab::page::compare::Side;
use warps_lab::page::{Comparison, Shown};

/// What the comparison came to; a sentence where there is nothing to compare.
type Compared = Option<Result<Arc<Comparison>, String>>;

/// What two schedules differ in.
#[derive(Clone, Copy)]
pub struct Compare {
    compared: RwSignal<Compared>,
    /// What the one on the screen is called.
    title: RwSignal<String>,
    told: RwSignal<ToldOfComparison>,
    page: Page,
}

impl Compare {
    /// Nothing to compare yet.
    pub fn new(page: Page) -> Self {
        let (compared, title) = (RwSignal::new(None), RwSignal::default());
        Self { compared, title, told: RwSignal::default(), page }
    }
}

impl Content for Compare {
    type Told = ToldOfComparison;
    type Entry = ToCompare;

    fn view(self) -> AnyView {
        provide_context(memo(
            move |_| {
                if self.told.with(|told| told.page.dark) { Theme::Dark } else { Theme::Light }
            },
        ));
        view! { <Section compare=self/> }.into_any()
    }

    fn hear(self, _told: &ToldOfComparison, news: &News<'_, ToCompare>) {
        let shown = |ran: &Ran| Shown::new(&ran.text, &ran.line);
        let both = news.last().and_then(|both| shown(&both.here).zip(shown(&both.kept)));
        self.title.set(both.as_ref().map(|(here, _)| here.title.clone()).unwrap_or_default());
        let compared = both.map(|(here, kept)| Comparison::of(&here, &kept).map(Arc::new));
        let found = compared.as_ref().and_then(|compared| compared.as_ref().ok());
        let (here, beneath) = found.map(|found| found.differing()).unwrap_or_default();
        let alone = found.map(|found| found.alone.clone()).unwrap_or_default();
        self.page.ask(Ask::Differ { alone, here, beneath });
        self.compared.set(compared);
    }

    fn tell(self, told: ToldOfComparison) {
        put(self.told, told);
    }
}

#[component]
fn Section(compare: Compare) -> impl IntoView {
    let compared = compare.compared;
    let told = move || {
        compared.with(|compared| match compared {
            Some(Ok(comparison)) => comparison.told(),
            Some(Err(why)) => why.clone(),
            None => String::new(),
        })
    };
    let found: Memo<Option<Arc<Comparison>>> =
        Memo::new_with_compare(move |_| compared.get()?.ok(), |_, _| true);
    let differs = memo(move |_| found.with(|found| found.as_ref().is_some_and(|c| !c.cycles.is_empty())));
    let any = memo(move |_| compared.with(Option::is_some));
    view! {
        <Show when=move || any.get()>
            <div class="compare" data-testid="compare">
                <h3>"Compared with the one you pinned"</h3>
                <p data-testid="compare-told">{told}</p>
                <Show when=move || differs.get()>
                    <Differences compare found/>
                </Show>
            </div>
        </Show>
    }
}

#[component]
fn Differences(compare: Compare, found: Memo<Option<Arc<Comparison>>>) -> impl IntoView {
    let Compare { told, page, title, .. } = compare;
    let canvas = NodeRef::<leptos::html::Canvas>::new();
    let rows = memo(move |_| found.with(|found| found.as_ref().map_or(0, |c| c.cycles.len())));
    // The chosen row is the range of its cycle, so that the figure and Esc know it as well.
    let place = memo(move |_| {
        let (from, to) = told.with(|told| told.range)?;
        found.with(|found| found.as_ref()?.cycles.binary_search(&from).ok()).filter(|_| from == to)
    });
    let cells = move |i: usize| found.with(|found| found.as_ref()?.row(i).map(Cells::from));
    let choose = move |i: usize| {
        if let Some(cycle) = found.with_untracked(|found| found.as_ref()?.cycles.get(i).copied()) {
            page.ask(Ask::Cycle(cycle));
        }
    };
    let frame = move || {
        let (width, (t0, t1), range) = told.with(|told| (told.width, told.window, told.range));
        let range = range.map(|(from, to)| Stretch::new(f64::from(from) - 1.0, f64::from(to)));
        Frame {
            width,
            row: 0.0,
            t0,
            t1,
            selected: None,
            waited: None,
            range,
            lit: Lit::Nothing,
            differs: Differs::default(),
        }
    };
    let strip = Memo::new_with_compare(
        move |_| found.with(|found| found.as_ref().map(|comparison| Arc::new(strip_of(comparison)))),
        |_, _| true,
    );
    let drawing: Memo<Option<Drawing>> = Memo::new_with_compare(
        move |_| {
            let (strip, frame) = (strip.get()?, frame());
            (frame.width > 0.0).then(|| Arc::new(move || strip::draw(&strip, &frame)) as Drawing)
        },
        |_, _| true,
    );
    paint_frames(canvas, drawing);
    let click = move |event: leptos::ev::MouseEvent| {
        let cycle = untrack(frame).scale().value(place_of(&event).0).max(0.0) as u32 + 1;
        let nearest = found.with_untracked(|found| found.as_ref()?.nearest(cycle));
        nearest.map(choose);
    };
    let idle = move || found.with(|found| found.as_ref().map(|comparison| comparison.idle_told()));
    let renamed = move || found.with(|found| found.as_ref().and_then(|comparison| comparison.names_told()));
    let chosen = move || {
        place.get().and_then(|i| found.with(|found| found.as_ref()?.row_told(i))).unwrap_or_else(|| {
            "Choose a cycle in the table or on the strip to see what runs in it, here and in the figure."
                .to_owned()
        })
    };
    let save_csv = move |_| {
        if let Some(comparison) = found.get_untracked() {
            let text = csv::differences_csv(comparison.kernel(), &comparison.lines());
            let name = title.with_untracked(|title| save::file_name(title, "differences.csv"));
            save::save(&name, "text/csv", &text);
        }
    };
    view! {
        <canvas class="strip" node_ref=canvas on:click=click role="img" data-testid="compare-strip"
            aria-label="How many instructions differ in each cycle, and where the scarcest unit has room; the table below holds the differences."></canvas>
        <p class="details" aria-live="polite" data-testid="compare-row">{chosen}</p>
        <Grid id="differences" label="Cycles in which something differs"
            columns=&["Cycle", "Only in the pinned one", "Only in this one"] rows place cells choose/>
        <p class="hint" data-testid="compare-idle">{idle}" "{renamed}</p>
        <div class="row">
            <button title="Save the differences as a table" data-testid="compare-csv" on:click=save_csv>"Differences as CSV"</button>
        </div>
    }
}

fn strip_of(comparison: &Comparison) -> Strip {
    let (here, kept) = (&comparison.here, &comparison.kept);
    let lane = |name, side: &Side| (name, side.scarce as u8, side.scarce_idle.clone());
    Strip { counts: comparison.counts(), lanes: vec![lane("idle pinned", kept), lane("idle here", here)] }
}
