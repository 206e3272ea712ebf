//! Making a study of the document on the page: a few to choose from, each opened and not begun.

use leptos::prelude::*;
use ui_kit::live::memo;

use kit::import::json;
use kit::page::Ask;
use kit::page::parts::ToldOfForm;
use kit::page::told::ToOpen;
use study_lab::page::made::{Choice, choices};
use ui_kit::mounted::{Content, Page, put};
use ui_kit::styles::wear;

/// The choices.
#[derive(Clone, Copy)]
pub struct Made {
    text: RwSignal<String>,
    page: Page,
}

impl Content for Made {
    type Told = ToldOfForm;
    type Entry = ();

    fn view(self) -> AnyView {
        wear(&[super::STUDY]);
        let choices = memo(move |_| {
            self.text.with(|text| json::parse(text)).map(|tree| choices(&tree)).unwrap_or_default()
        });
        let item = move |choice: Choice| {
            let text = choice.text();
            let open = move |_| {
                let what = "A study of the scenario; Run begins it, Undo brings the scenario back".to_owned();
                self.page.ask(Ask::Open(ToOpen { document: text.clone(), what, ..ToOpen::default() }));
            };
            view! { <li><button data-testid="made-choice" on:click=open><span>{choice.label}</span><span class="hint">{choice.about}</span></button></li> }
        };
        let inside = move || {
            let choices = choices.get();
            if choices.is_empty() {
                return view! { <p class="hint">"There is no number in this document that a study could change."</p> }.into_any();
            }
            view! { <ul class="made-choices" aria-label="Studies of this scenario">{choices.into_iter().map(item).collect_view()}</ul> }
                .into_any()
        };
        inside.into_any()
    }

    fn tell(self, told: ToldOfForm) {
        put(self.text, told.text);
    }
}

impl Made {
    /// Choices of a document that is not known yet.
    pub fn new(page: Page) -> Self {
        Self { text: RwSignal::default(), page }
    }
}
