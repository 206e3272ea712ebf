//! The panel of studies: what there is to compute, the points as they come, pictures of them, and the way from each to
//! its scenario.
//!
//! A study that takes longer than about a second runs only when asked. Its run is kept by the program (`runner`), not by the panel: whoever visits another lab
//! finds it as far as it has come by then.

#![cfg(target_arch = "wasm32")]

mod brief;
mod form;
mod keys;
mod made;
mod picture;
mod runner;
mod stage;
mod table;
mod tools;

use leptos::prelude::*;
use ui_kit::live::memo;

use form::StudyForm;
use kit::draw::Theme;
use kit::page::told::ToldOfTrial;
pub use made::Made;
use stage::Stage;
use ui_kit::mounted::{Content, Form, Host, Mounted, News, Page, Shows, put};
use ui_kit::outcome::Notes;
use ui_kit::styles::{self, Sheet, wear};

/// Its own style, which the page need not load before.
const STUDY: Sheet = Sheet { name: "study", text: include_str!("../../../../www/study.css") };

/// The panel, in its place on the page.
pub fn panel(host: Host) -> Box<dyn Shows> {
    Mounted::put(host, Panel::new)
}

/// The form of its documents, likewise.
pub fn form(host: Host) -> Box<dyn Shows> {
    Form::put(host, |doc| view! { <StudyForm doc/> }.into_any())
}

/// The panel.
#[derive(Clone, Copy)]
struct Panel {
    told: RwSignal<ToldOfTrial>,
    stage: Stage,
}

impl Content for Panel {
    type Told = ToldOfTrial;
    type Entry = String;

    fn view(self) -> AnyView {
        view! { <Studies panel=self/> }.into_any()
    }

    fn hear(self, told: &ToldOfTrial, news: &News<'_, String>) {
        if let Some(line) = news.last() {
            self.stage.planned(told.job, &line);
        }
    }

    fn tell(self, told: ToldOfTrial) {
        self.stage.follow(&told);
        put(self.told, told);
    }
}

impl Panel {
    /// A panel that knows nothing yet.
    fn new(page: Page) -> Self {
        Self { told: RwSignal::new(ToldOfTrial::default()), stage: Stage::new(page) }
    }
}

#[component]
fn Studies(panel: Panel) -> impl IntoView {
    wear(&[styles::LAB, styles::ITEMS, STUDY]);
    let Panel { told, stage } = panel;
    keys::listen(stage);
    provide_context(memo(move |_| told.with(|told| if told.page.dark { Theme::Dark } else { Theme::Light })));
    view! {
        <div class="screen">
            <brief::Brief stage told/>
            <section class="figure study-figure" aria-label="Picture of the study" data-testid="study-figure">
                <tools::Tools stage told/>
                <picture::Plot stage told/>
                <picture::Details stage/>
            </section>
        </div>
        <section class="results">
            <Notes told hidden=Signal::derive(|| false)/>
            <brief::Problems stage/>
            <brief::Measures stage/>
            <table::Points stage/>
        </section>
    }
}
