//! The panel of the chain lab, in a wasm of its own: the verdict, the chain to walk along, and what if.

mod assumed;
mod badge;
mod changes;
mod details;
mod drawing;
mod exports;
pub mod form;
mod picture;
mod stage;
mod summary;
mod tables;

use std::sync::Arc;

use js_sys::Array;
use leptos::prelude::*;

use crate::draw::Theme;
use crate::page::chain::{only_given, seen};
use crate::page::trial::ToldOfTrial;
use crate::report::chain::WholeReport;
use crate::ui::late_panel::{self, Page};
use assumed::Assumed;
use changes::Changes;
use details::Details;
use exports::Exports;
use picture::Picture;
use stage::Stage;
use summary::Summary;
use tables::Tables;

/// Its own style, which the page need not load before.
const STYLE: &str = concat!(
    include_str!("../../../www/lab.css"),
    include_str!("../../../www/items.css"),
    include_str!("../../../www/chain.css")
);

/// The panel in the page, until it is dropped.
pub type Mounted = late_panel::Mounted<Panel>;

/// Everything the parts of the panel share.
#[derive(Clone, Copy)]
pub struct Panel {
    /// The report, as far as it is known.
    pub(super) seen: RwSignal<Option<Arc<WholeReport>>>,
    /// The run it is of.
    pub(super) shown: RwSignal<u32>,
    /// How the document and its run stand, the document itself, and the page around the panel.
    pub(super) told: RwSignal<ToldOfTrial>,
    page: Page,
}

impl late_panel::Panel for Panel {
    fn new(page: Page) -> Self {
        Self {
            seen: RwSignal::new(None),
            shown: RwSignal::new(0),
            told: RwSignal::new(ToldOfTrial::default()),
            page,
        }
    }

    fn view(self) -> AnyView {
        view! { <Chain panel=self/> }.into_any()
    }

    fn told(self) -> RwSignal<ToldOfTrial> {
        self.told
    }

    fn hear(self, job: u32, lines: &Array) {
        let last = lines.length().checked_sub(1).and_then(|last| lines.get(last).as_string());
        if let Some(report) = last.and_then(|line| seen(&line)) {
            self.shown.set(job);
            self.seen.set(Some(Arc::new(report)));
        }
    }
}

impl Panel {
    /// Has the page do something: `run`, `stop`, `reveal`, `edit` the document to a text, take a `view` (JSON with
    /// `sel`) into its links, or `ask` for another document (JSON with `document` and `what`).
    pub(super) fn act(&self, what: &str, text: Option<&str>) {
        self.page.act(what, None, text);
    }

    /// Whether the answer is hidden until someone has guessed it.
    pub(super) fn hidden(&self) -> Signal<bool> {
        let told = self.told;
        Memo::new(move |_| told.with(|told| told.page.hide)).into()
    }

    /// Something made of the report; nothing before there is one.
    pub(super) fn with<T>(&self, what: impl FnOnce(&WholeReport) -> T) -> Option<T> {
        self.seen.with(|seen| seen.as_deref().map(what))
    }
}

#[component]
fn Chain(panel: Panel) -> impl IntoView {
    provide_context(Memo::new(move |_| {
        panel.told.with(|told| if told.page.dark { Theme::Dark } else { Theme::Light })
    }));
    let hidden = panel.hidden();
    let report = Memo::new_with_compare(
        move |_| {
            let seen = panel.seen.get()?;
            Some(if hidden.get() { Arc::new(only_given(&seen)) } else { seen })
        },
        |old, new| match (old, new) {
            (Some(Some(old)), Some(Some(new))) => !Arc::ptr_eq(old, new),
            _ => true,
        },
    );
    let stage = Stage::new(panel, report);
    let any = Memo::new(move |_| report.with(Option::is_some));
    view! {
        <style>{STYLE}</style>
        <Summary stage/>
        <Assumed panel/>
        <Show when=move || any.get()>
            <Picture stage/>
            <Show when=move || !hidden.get()>
                <Details stage/>
                <Changes stage/>
                <Tables stage/>
                <Exports stage/>
                <Assumptions stage/>
            </Show>
        </Show>
    }
}

/// What the numbers take for granted.
#[component]
fn Assumptions(stage: Stage) -> impl IntoView {
    let known = Memo::new(move |_| stage.with(|report| report.assumptions.clone()).unwrap_or_default());
    let line = |text: String| view! { <li>{text}</li> };
    move || {
        let texts = known.get();
        (!texts.is_empty()).then(|| {
            view! {
                <details class="more" data-testid="chain-assumptions">
                    <summary>"What these numbers take for granted"</summary>
                    <ol>{texts.into_iter().map(line).collect_view()}</ol>
                </details>
            }
        })
    }
}
