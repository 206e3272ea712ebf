//! The panel of the lab of recorded runs: what ran when, why then, and what would change the run.

#![cfg(target_arch = "wasm32")]

mod details;
mod exports;
mod files;
mod form;
mod keys;
mod picture;
mod stage;
mod summary;
mod tables;
mod tools;

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

pub use files::document_of;
use form::TracesForm;
use kit::draw::Theme;
use kit::page::told::ToldOfTrial;
use stage::Stage;
use ui_kit::mounted::{Content, Form, Host, Mounted, News, Page, Shows, put};
use ui_kit::styles::{self, Sheet, wear};

/// Its own style, which the page need not load before.
const TRACES: Sheet = Sheet { name: "traces", text: include_str!("../../../../www/traces.css") };

/// The panel, in its place on the page.
pub fn panel(host: Host) -> Box<dyn Shows> {
    Mounted::put(host, Panel::new)
}

/// The form of its documents, likewise.
pub fn form(host: Host) -> Box<dyn Shows> {
    Form::put(host, |doc| view! { <TracesForm doc/> }.into_any())
}

/// Everything the parts of the panel share.
#[derive(Clone, Copy)]
struct Panel {
    /// How the document stands, and the page around the panel.
    told: RwSignal<ToldOfTrial>,
    /// The page around it.
    page: Page,
}

impl Content for Panel {
    type Told = ToldOfTrial;
    type Entry = String;

    fn view(self) -> AnyView {
        view! { <Traces panel=self/> }.into_any()
    }

    /// The report is that of the worker which holds the run; the page's own says no more.
    fn hear(self, _told: &ToldOfTrial, _news: &News<'_, String>) {}

    fn tell(self, told: ToldOfTrial) {
        put(self.told, told);
    }
}

impl Panel {
    /// A panel that knows nothing yet.
    fn new(page: Page) -> Self {
        Self { told: RwSignal::new(ToldOfTrial::default()), page }
    }

    /// Whether the answer is hidden until someone has guessed it.
    fn hidden(&self) -> Signal<bool> {
        ui_kit::guess::hidden(self.told)
    }
}

#[component]
fn Traces(panel: Panel) -> impl IntoView {
    wear(&[styles::LAB, styles::ITEMS, TRACES]);
    provide_context(memo(move |_| {
        panel.told.with(|told| if told.page.dark { Theme::Dark } else { Theme::Light })
    }));
    let stage = Stage::new(panel);
    keys::listen(stage);
    let hidden = panel.hidden();
    let any = memo(move |_| stage.run.with(Option::is_some));
    view! {
        <div class="screen">
            <summary::Brief stage/>
            <Show when=move || any.get() fallback=move || view! { <summary::Instead stage/> }>
                <Show when=move || !hidden.get()>
                    <section class="figure traces-figure" aria-label="Recorded run" data-testid="traces-figure">
                        <tools::Tools stage/>
                        <picture::Strip stage/>
                        <picture::Plot stage/>
                        <details::Details stage/>
                    </section>
                </Show>
            </Show>
        </div>
        <section class="results">
            <Show when=move || any.get() && !hidden.get()>
                <summary::Noted stage/>
                <tables::Causes stage/>
                <tables::Leads stage/>
                <tables::Names stage/>
                <tables::Critical stage/>
                <tables::Queue stage/>
                <tables::LeftOut stage/>
            </Show>
        </section>
    }
}
