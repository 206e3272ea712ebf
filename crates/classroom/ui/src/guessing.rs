//! The questions about a schedule of warps whose makespan is hidden. The other labs ask their own.

use leptos::prelude::*;

use kit::page::Ask;
use kit::page::guess::{Answer, Question};
use kit::page::rooms::{Given, ToldOfGuess};
use ui_kit::guess::Guess;
use ui_kit::mounted::{Content, Page, put};

/// The questions.
#[derive(Clone, Copy)]
pub struct Guessing {
    told: RwSignal<ToldOfGuess>,
    page: Page,
}

impl Guessing {
    /// None yet.
    pub fn new(page: Page) -> Self {
        Self { told: RwSignal::default(), page }
    }
}

impl Content for Guessing {
    type Told = ToldOfGuess;
    type Entry = ();

    fn view(self) -> AnyView {
        let Self { told, page } = self;
        let questions = Memo::new(move |_| told.with(questions));
        let hidden = Memo::new(move |_| told.with(|told| told.page.hide));
        let reveal = Callback::new(move |()| page.ask(Ask::Reveal));
        view! { <Guess questions hidden=hidden.into() guesses=RwSignal::default() reveal/> }.into_any()
    }

    fn tell(self, told: ToldOfGuess) {
        put(self.told, told);
    }
}

fn questions(told: &ToldOfGuess) -> Vec<Question> {
    let Some(Given { warps, kernel, machine, method, makespan }) = &told.given else { return Vec::new() };
    vec![Question {
        given: format!("{warps} warps execute {kernel} on {machine}; {method}"),
        ..Question::new(
            "How many cycles does this schedule take?",
            Answer::Number((*makespan).into(), "cycles"),
        )
    }]
}
