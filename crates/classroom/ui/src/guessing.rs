//! The questions about a schedule of warps whose makespan is hidden. The other labs ask their own.

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::show::Show;

use base::people;
use kit::page::Ask;
use kit::page::guess::{Answer, Question};
use kit::page::rooms::{Given, ToldOfGuess};
use ui_kit::guess::Guess;
use ui_kit::mounted::{Content, Page, put};

use super::predict::Predict;

/// An estimate that is off by no more of it is close.
const CLOSE: f64 = 0.05;

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
        let questions = memo(move |_| told.with(questions));
        // Another makespan is that of another schedule.
        let about = memo(move |_| told.with(|told| format!("{:?}", told.given)));
        let hidden = memo(move |_| told.with(|told| told.page.hide));
        let entries = memo(move |_| {
            told.with(|told| told.given.as_ref().map(|given| given.entries.clone())).unwrap_or_default()
        });
        let reveal = Callback::new(move |()| page.ask(Ask::Reveal));
        view! {
            <Guess about=about.into() questions hidden=hidden.into() guesses=RwSignal::default() reveal/>
            <Show when=move || hidden.get() && entries.with(|entries| !entries.is_empty())>
                <Predict entries/>
            </Show>
        }
        .into_any()
    }

    fn tell(self, told: ToldOfGuess) {
        put(self.told, told);
    }
}

fn questions(told: &ToldOfGuess) -> Vec<Question> {
    let Some(Given { warps, kernel, machine, method, makespan, entries }) = &told.given else {
        return Vec::new();
    };
    let right = f64::from(*makespan);
    let answer = match entries.is_empty() {
        true => Answer::Estimate(right, "cycles", CLOSE),
        false => Answer::Number(right, "cycles"),
    };
    let asks = match entries.is_empty() {
        true => "About how many cycles does this schedule take?",
        false => "How many cycles does this schedule take?",
    };
    vec![Question {
        given: format!(
            "{} {} {kernel}; units take {machine}; {method}",
            people::counted(*warps, "warp"),
            if *warps == 1 { "executes" } else { "execute" }
        ),
        ..Question::new(asks, answer)
    }]
}
