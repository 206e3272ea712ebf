//! The panel of the blocks lab: what ran when and where, why, and what the analysis says.

mod analysis;
mod check;
mod exports;
mod figure;
mod form;
mod guesses;
mod keys;
mod moment;
mod player;
mod sms;
mod stage;
mod summary;
mod table;
mod tools;

use std::sync::Arc;

use leptos::prelude::*;

use crate::page::blocks::Seen;
use crate::page::trial::ToldOfTrial;
use crate::ui::labs::mounted::{Content, News, Page, put};
use crate::ui::labs::styles::{Sheet, wear};
use analysis::Analysis;
use check::Check;
use figure::Figure;
pub use form::BlocksForm;
use guesses::Guesses;
use summary::Summary;

/// What someone wants to see: a block, or a whole kernel, at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Focus {
    /// Whether it was measured, not simulated.
    pub(super) measured: bool,
    /// The launch, by its place in the report.
    pub(super) launch: usize,
    /// The block, where it is one.
    pub(super) block: Option<u32>,
    /// When, in nanoseconds.
    pub(super) time: u64,
}

/// Everything the parts of the panel share.
#[derive(Clone, Copy)]
pub struct Panel {
    /// The result on the screen.
    pub(super) seen: RwSignal<Option<Arc<Seen>>>,
    /// The run it is of.
    pub(super) shown: RwSignal<u32>,
    /// How the document and its run stand, and the page around the panel.
    pub(super) told: RwSignal<ToldOfTrial>,
    /// What the figure is to show: whoever lists something sets it, and the figure selects it.
    pub(super) focus: RwSignal<Option<Focus>>,
    /// The page around it.
    pub(super) page: Page,
}

impl Content for Panel {
    type Told = ToldOfTrial;
    type Entry = String;

    fn view(self) -> AnyView {
        view! { <Blocks panel=self/> }.into_any()
    }

    fn hear(self, told: &ToldOfTrial, news: &News<'_, String>) {
        if let Some(seen) = news.last().and_then(|line| Seen::new(&line)) {
            self.shown.set(told.job);
            self.seen.set(Some(Arc::new(seen)));
        }
    }

    fn tell(self, told: ToldOfTrial) {
        put(self.told, told);
    }
}

impl Panel {
    /// A panel that knows nothing yet.
    pub fn new(page: Page) -> Self {
        Self {
            seen: RwSignal::new(None),
            shown: RwSignal::new(0),
            told: RwSignal::new(ToldOfTrial::default()),
            focus: RwSignal::new(None),
            page,
        }
    }

    /// Whether the answer is hidden until someone has guessed it.
    pub(super) fn hidden(&self) -> Signal<bool> {
        let told = self.told;
        Memo::new(move |_| told.with(|told| told.page.hide)).into()
    }

    /// Something made of the result; nothing before there is one.
    pub(super) fn with<T>(&self, what: impl FnOnce(&Seen) -> T) -> Option<T> {
        self.seen.with(|seen| seen.as_deref().map(what))
    }
}

#[component]
fn Blocks(panel: Panel) -> impl IntoView {
    wear(&[Sheet::Lab, Sheet::Items, Sheet::BlocksFigure]);
    let any = Memo::new(move |_| panel.seen.with(Option::is_some));
    let hidden = panel.hidden();
    view! {
        <Summary panel/>
        <Guesses panel/>
        <Show when=move || any.get() && !hidden.get()>
            <Figure panel/>
            <Check panel/>
            <Analysis panel/>
            <Assumptions panel/>
        </Show>
    }
}

/// What the simulation takes for granted.
#[component]
fn Assumptions(panel: Panel) -> impl IntoView {
    let known = Memo::new(move |_| {
        panel.with(|seen| seen.report.stop.is_some().then(|| seen.report.assumptions.clone())).flatten()
    });
    let line = |text: String| view! { <li>{text}</li> };
    move || {
        known.get().map(|texts| {
            view! {
                <details class="more">
                    <summary>"What the simulation takes for granted"</summary>
                    <ol>{texts.into_iter().map(line).collect_view()}</ol>
                </details>
            }
        })
    }
}
