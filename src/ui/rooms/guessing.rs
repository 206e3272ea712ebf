//! The questions about a schedule of warps whose makespan is hidden. The other labs ask their own.

use js_sys::{Array, Function};
use leptos::prelude::*;
use web_sys::HtmlElement;

use super::{Act, Room};
use crate::page::guess::{Answer, Question};
use crate::page::rooms::ToldOfGuess;
use crate::ui::guess::Guess;

/// The questions in the page, until they are dropped.
pub struct Mounted(Room<ToldOfGuess>);

impl Mounted {
    /// Puts them into an element; `act` is called with what someone wants done.
    pub fn new(host: HtmlElement, act: Function) -> Self {
        Self(Room::new(host, act, |told, _, _, act| view! { <Panel told act/> }))
    }

    /// Shows how the page stands.
    pub fn show(&self, heard: &Array, told: ToldOfGuess) {
        self.0.show(heard, told);
    }
}

#[component]
fn Panel(told: RwSignal<ToldOfGuess>, act: Act) -> impl IntoView {
    let questions = Memo::new(move |_| told.with(questions));
    let hidden = Memo::new(move |_| told.with(|told| told.page.hide));
    let reveal = Callback::new(move |()| act.ask("reveal", None, None));
    view! { <Guess questions hidden=hidden.into() guesses=RwSignal::default() reveal/> }
}

fn questions(told: &ToldOfGuess) -> Vec<Question> {
    let ([count, kernel, machine, method], Some(right)) = (told.given.as_slice(), told.right) else {
        return Vec::new();
    };
    vec![Question {
        given: format!("{count} warps execute {kernel} on {machine}; {method}"),
        ..Question::new("How many cycles does this schedule take?", Answer::Number(right.into(), "cycles"))
    }]
}
