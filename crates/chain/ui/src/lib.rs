//! The panel of the chain lab: the verdict, the chain to walk along, and what if.

#![cfg(target_arch = "wasm32")]

mod assumed;
mod badge;
mod changes;
mod details;
mod drawing;
mod exports;
mod form;
mod picture;
mod stage;
mod summary;
mod tables;

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use assumed::Assumed;
use chain_lab::page::chain::{only_given, seen};
use chain_lab::report::chain::WholeReport;
use changes::Changes;
use details::Details;
use form::ChainForm;
use kit::draw::Theme;
use kit::page::told::ToldOfTrial;
use picture::Picture;
use stage::Stage;
use summary::{Brief, Summary};
use tables::Tables;
use ui_kit::mounted::{Content, Form, Host, Mounted, News, Page, Shows, put};
use ui_kit::styles::{self, Sheet, wear};

/// Its own style, which the page need not load before.
const CHAIN: Sheet = Sheet { name: "chain", text: include_str!("../../../../www/chain.css") };

/// The panel, in its place on the page.
pub fn panel(host: Host) -> Box<dyn Shows> {
    Mounted::put(host, Panel::new)
}

/// The form of its documents, likewise.
pub fn form(host: Host) -> Box<dyn Shows> {
    Form::put(host, |doc| view! { <ChainForm doc/> }.into_any())
}

/// Everything the parts of the panel share.
#[derive(Clone, Copy)]
struct Panel {
    /// The report, as far as it is known.
    seen: RwSignal<Option<Arc<WholeReport>>>,
    /// The run it is of.
    shown: RwSignal<u32>,
    /// How the document and its run stand, the document itself, and the page around the panel.
    told: RwSignal<ToldOfTrial>,
    /// The page around it.
    page: Page,
}

impl Content for Panel {
    type Told = ToldOfTrial;
    type Entry = String;

    fn view(self) -> AnyView {
        view! { <Chain panel=self/> }.into_any()
    }

    fn hear(self, told: &ToldOfTrial, news: &News<'_, String>) {
        if let Some(report) = news.last().and_then(|line| seen(&line)) {
            self.shown.set(told.job);
            self.seen.set(Some(Arc::new(report)));
        }
    }

    fn tell(self, told: ToldOfTrial) {
        put(self.told, told);
    }
}

impl Panel {
    /// A panel that knows nothing yet.
    fn new(page: Page) -> Self {
        Self {
            seen: RwSignal::new(None),
            shown: RwSignal::new(0),
            told: RwSignal::new(ToldOfTrial::default()),
            page,
        }
    }

    /// Whether the answer is hidden until someone has guessed it.
    fn hidden(&self) -> Signal<bool> {
        ui_kit::guess::hidden(self.told)
    }

    /// Something made of the report; nothing before there is one.
    fn with<T>(&self, what: impl FnOnce(&WholeReport) -> T) -> Option<T> {
        self.seen.with(|seen| seen.as_deref().map(what))
    }
}

#[component]
fn Chain(panel: Panel) -> impl IntoView {
    wear(&[styles::LAB, styles::ITEMS, CHAIN]);
    provide_context(memo(move |_| {
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
    let any = memo(move |_| report.with(Option::is_some));
    view! {
        <div class="screen">
            <Brief stage/>
            <Show when=move || any.get()><Picture stage/></Show>
        </div>
        <section class="results">
            <Summary stage/>
            <Assumed panel/>
            <Show when=move || any.get() && !hidden.get()>
                <Show when=move || !stage.beneath.get()><Details stage/></Show>
                <details class="section" data-testid="chain-what-if">
                    <summary>"What if something were different?"</summary>
                    <Changes stage/>
                </details>
                <details class="section" data-testid="chain-all">
                    <summary>"All kernels and tasks as tables"</summary>
                    <Tables stage/>
                </details>
                <Assumptions stage/>
            </Show>
        </section>
    }
}

/// What the numbers take for granted.
#[component]
fn Assumptions(stage: Stage) -> impl IntoView {
    let known = memo(move |_| stage.with(|report| report.assumptions.clone()).unwrap_or_default());
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
