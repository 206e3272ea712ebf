//! The panel of the blocks lab: what ran when and where, why, and what the analysis says.

#![cfg(target_arch = "wasm32")]

mod analysis;
mod check;
mod exports;
mod figure;
mod form;
mod guesses;
mod heads;
mod keys;
mod moment;
mod player;
mod sms;
mod stage;
mod summary;
mod sums;
mod table;
mod tools;

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use analysis::Analysis;
use blocks_lab::page::blocks::Seen;
use blocks_lab::page::blocks::compared::changes;
use check::Check;
use figure::{Beneath, Figure};
use form::BlocksForm;
use guesses::Guesses;
use kit::import::json;
use kit::page::Ask;
use kit::page::told::ToldOfTrial;
use serde_json::Value;
use stage::Stage;
use summary::{Brief, Summary};
use ui_kit::mounted::{Content, Form, Host, Mounted, News, Page, Shows, put};
use ui_kit::pin::{self, Changes, Kept};
use ui_kit::styles::{self, Sheet, wear};

/// Its own style, which the page need not load before.
const BLOCKS_FIGURE: Sheet =
    Sheet { name: "blocks-figure", text: include_str!("../../../../www/blocks-figure.css") };

/// What someone wants to see: a block, or a whole kernel, at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Focus {
    /// Whether it was measured, not simulated.
    measured: bool,
    /// The launch, by its place in the report.
    launch: usize,
    /// The block, where it is one.
    block: Option<u32>,
    /// When, in nanoseconds.
    time: u64,
}

/// The panel, in its place on the page.
pub fn panel(host: Host) -> Box<dyn Shows> {
    Mounted::put(host, Panel::new)
}

/// The form of its documents, likewise.
pub fn form(host: Host) -> Box<dyn Shows> {
    Form::put(host, |doc| view! { <BlocksForm doc/> }.into_any())
}

/// Everything the parts of the panel share.
#[derive(Clone, Copy)]
struct Panel {
    /// The result on the screen.
    seen: RwSignal<Option<Arc<Seen>>>,
    /// The document it is of.
    text: RwSignal<String>,
    /// What was pinned, to be compared.
    kept: Kept<Seen>,
    /// The run it is of.
    shown: RwSignal<u32>,
    /// How the document and its run stand, and the page around the panel.
    told: RwSignal<ToldOfTrial>,
    /// What the figure is to show: whoever lists something sets it, and the figure selects it.
    focus: RwSignal<Option<Focus>>,
    /// The page around it.
    page: Page,
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
            self.text.set(told.document.clone().unwrap_or_default());
            self.seen.set(Some(Arc::new(seen)));
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
            text: RwSignal::default(),
            kept: RwSignal::new(None),
            shown: RwSignal::new(0),
            told: RwSignal::new(ToldOfTrial::default()),
            focus: RwSignal::new(None),
            page,
        }
    }

    /// Whether the answer is hidden until someone has guessed it.
    fn hidden(&self) -> Signal<bool> {
        ui_kit::guess::hidden(self.told)
    }

    /// The document; none while its answer is hidden.
    fn document(&self) -> Option<Value> {
        let told = self.told.with_untracked(|told| told.document.clone().filter(|_| !told.page.hide))?;
        json::parse(&told).ok()
    }

    /// Changes the document.
    fn edit(&self, field: &str, change: impl FnOnce(&Value) -> Value) {
        if let Some(tree) = self.document() {
            self.page.ask(Ask::Edit { text: json::pretty(&change(&tree)), edited: field.into() });
        }
    }

    /// Something made of the result; nothing before there is one.
    fn with<T>(&self, what: impl FnOnce(&Seen) -> T) -> Option<T> {
        self.seen.with(|seen| seen.as_deref().map(what))
    }
}

#[component]
fn Blocks(panel: Panel) -> impl IntoView {
    wear(&[styles::LAB, styles::ITEMS, BLOCKS_FIGURE]);
    let any = memo(move |_| panel.seen.with(Option::is_some));
    let hidden = panel.hidden();
    let stage = Stage::new(panel);
    provide_context(memo(move |_| stage.theme()));
    let moment = moment::known(stage);
    pin::recall(panel.kept, Signal::derive(move || panel.told.with(|told| told.pinned.clone())), Seen::new);
    let changes = Signal::derive(move || stage.with(changes).flatten().filter(|_| !hidden.get()));
    view! {
        <div class="screen">
            <Brief panel/>
            <Guesses panel/>
            <Show when=move || any.get() && !hidden.get()><Figure stage moment/></Show>
        </div>
        <section class="results">
            <Summary panel/>
            <Show when=move || any.get() && !hidden.get()>
                <Changes id="blocks-" changes/>
                <Beneath stage moment/>
                <Check panel/>
                <Analysis panel/>
                <Assumptions panel/>
            </Show>
        </section>
    }
}

/// What the simulation takes for granted.
#[component]
fn Assumptions(panel: Panel) -> impl IntoView {
    let known = memo(move |_| {
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
