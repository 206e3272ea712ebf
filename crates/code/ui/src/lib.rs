//! The panel of the lab of machine code: the listing beside the schedule, why every instruction waited, the tables.

#![cfg(target_arch = "wasm32")]

mod brief;
mod form;
mod keys;
mod occupancy;
mod picture;
mod source;
mod stage;
mod tables;
mod tools;

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use code_lab::page::Seen;
use code_lab::page::compared::changes;
use form::CodeForm;
use kit::draw::Theme;
use kit::page::told::ToldOfTrial;
use stage::Stage;
use ui_kit::mounted::{Content, Form, Host, Mounted, News, Page, Shows, put};
use ui_kit::overview::OverviewOfPart;
use ui_kit::pin::{self, Changes};
use ui_kit::styles::{self, Sheet, wear};

/// Its own style, which the page need not load before.
const CODE: Sheet = Sheet { name: "code", text: include_str!("../../../../www/code.css") };

/// The panel, in its place on the page.
pub fn panel(host: Host) -> Box<dyn Shows> {
    Mounted::put(host, Panel::new)
}

/// The form of its documents, likewise.
pub fn form(host: Host) -> Box<dyn Shows> {
    Form::put(host, |doc| view! { <CodeForm doc/> }.into_any())
}

/// The panel.
#[derive(Clone, Copy)]
struct Panel {
    stage: Stage,
}

impl Content for Panel {
    type Told = ToldOfTrial;
    type Entry = String;

    fn view(self) -> AnyView {
        view! { <Code stage=self.stage/> }.into_any()
    }

    fn hear(self, told: &ToldOfTrial, news: &News<'_, String>) {
        if let Some(seen) = news.last().and_then(|line| Seen::new(&line)) {
            self.stage.text.set(told.document.clone().unwrap_or_default());
            self.stage.show(Arc::new(seen));
            put(self.stage.job, told.job);
        }
    }

    fn tell(self, told: ToldOfTrial) {
        put(self.stage.told, told);
    }
}

impl Panel {
    /// A panel that knows nothing yet.
    fn new(page: Page) -> Self {
        Self { stage: Stage::new(page) }
    }
}

#[component]
fn Code(stage: Stage) -> impl IntoView {
    wear(&[styles::LAB, styles::ITEMS, CODE, occupancy::OCCUPANCY]);
    provide_context(memo(move |_| {
        stage.told.with(|told| if told.page.dark { Theme::Dark } else { Theme::Light })
    }));
    stage.listen();
    keys::listen(stage);
    pin::recall(stage.kept, Signal::derive(move || stage.told.with(|told| told.pinned.clone())), Seen::new);
    let hidden = stage.hidden();
    let any = memo(move |_| stage.seen.with(Option::is_some) && !hidden.get());
    let changes = Signal::derive(move || {
        let pinned = stage.pinned()?;
        stage.with(|seen| changes(&pinned, seen))
    });
    let there = memo(move |_| stage.seen.with(Option::is_some));
    view! {
        <div class="screen">
            <brief::Brief stage/>
            <Show when=move || there.get()>
                <section class="figure code-figure" aria-label="Machine code and its schedule" data-testid="code-figure">
                    <tools::Tools stage/>
                    <div class="code-studio" style=move || source::widths(stage) data-testid="code-plot">
                        <source::Source stage/>
                        <picture::Plot stage/>
                    </div>
                    <OverviewOfPart of=picture::Whole(stage) id="code-strip"/>
                    <picture::Details stage/>
                </section>
            </Show>
        </div>
        <section class="results">
            <Show when=move || any.get()>
                <Changes id="code-" changes/>
                <brief::Beneath stage/>
                <tables::Loops stage/>
                <tables::Policies stage/>
                <occupancy::Occupancy stage/>
                <tables::Latencies stage/>
                <tables::Units stage/>
                <tables::Texts stage/>
            </Show>
        </section>
    }
}
