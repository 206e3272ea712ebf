//! Guessing before looking: the questions while the answer is hidden, and afterwards what the guesses were worth.
//! The same in every lab; what is asked is the lab's affair.

use crate::live::{live, memo};
use leptos::prelude::*;

use crate::keys;
use crate::mounted::Page;
use kit::page::Ask;
use kit::page::guess::{Answer, Judged, Next, Question, asked, carried, score};
use kit::page::told::ToldOfTrial;

/// Whether the answer is hidden, of what a lab is told.
pub fn hidden(told: RwSignal<ToldOfTrial>) -> Signal<bool> {
    memo(move |_| told.with(|told| told.page.hide)).into()
}

/// Which run of which document a lab is asked about, of what it is told.
pub fn about(told: RwSignal<ToldOfTrial>) -> Signal<String> {
    memo(move |_| told.with(|told| format!("{} {}", told.job, told.document.as_deref().unwrap_or_default())))
        .into()
}

/// The questions, or what came of them. `guesses` has a text for each question; a lab may read it.
#[component]
pub fn Guess(
    /// What is asked about: guesses about something else are forgotten, and those about a result that a search makes
    /// better are not.
    about: Signal<String>,
    /// What is asked.
    questions: Memo<Vec<Question>>,
    /// Whether the answer is hidden.
    hidden: Signal<bool>,
    /// What was answered, question by question.
    guesses: RwSignal<Vec<String>>,
    /// Shows the answer.
    reveal: Callback<()>,
) -> impl IntoView {
    Effect::new(move |before: Option<(String, Vec<Question>)>| {
        let (about, present) = (about.get(), questions.get());
        let own = before.filter(|(before, _)| *before == about).map(|(_, asked)| asked).unwrap_or_default();
        let kept = carried(&own, &guesses.get_untracked(), &present);
        if kept != guesses.get_untracked() {
            guesses.set(kept);
        }
        (about, present)
    });
    let any = memo(move |_| guesses.with(|guesses| guesses.iter().any(|guess| !guess.is_empty())));
    let shown = memo(move |_| asked(&questions.get(), &guesses.get()));
    // Another question in the same place is put anew; a better answer to the same one is not.
    let said = memo(move |_| {
        questions
            .with(|all| all.iter().map(|own| format!("{}\n{}\n", own.asks, own.given)).collect::<String>())
    });
    // What is typed must not build anew what it is typed into.
    let stage = memo(move |_| match (hidden.get(), any.get()) {
        (true, _) => Stage::Asking,
        (false, true) => Stage::Judged,
        (false, false) => Stage::Nothing,
    });
    move || {
        match stage.get() {
        Stage::Asking => view! {
            <section class="guess" aria-labelledby="guess-title" data-testid="guess">
                <h3 id="guess-title" tabindex="-1">"The answer is hidden. What do you expect?"</h3>
                <ol>{live(move || said.with(|_| shown.get()).into_iter().map(|place| view! { <Asked questions place guesses/> }).collect_view())}</ol>
                <div class="row">
                    <button class="primary" data-testid="reveal" on:click=move |_| {
                        reveal.run(());
                        // The button is gone by then.
                        request_animation_frame(|| keys::focus("guess-title"));
                    }>"Reveal the answer"</button>
                </div>
            </section>
        }
        .into_any(),
        Stage::Judged => view! { <Worth questions guesses/> }.into_any(),
        Stage::Nothing => ().into_any(),
    }
    }
}

/// The same for a lab that reads no guesses; whoever has guessed asks the page for the answer.
#[component]
pub fn Guesses(
    /// What is asked.
    questions: Memo<Vec<Question>>,
    /// What the lab is told.
    told: RwSignal<ToldOfTrial>,
    /// The page around the lab.
    page: Page,
) -> impl IntoView {
    let reveal = Callback::new(move |()| page.ask(Ask::Reveal));
    view! { <Guess about=about(told) questions hidden=hidden(told) guesses=RwSignal::default() reveal/> }
}

/// How far the guessing is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Asking,
    Judged,
    Nothing,
}

/// One question. What was guessed in turn stands fast and is judged at once.
#[component]
fn Asked(questions: Memo<Vec<Question>>, place: usize, guesses: RwSignal<Vec<String>>) -> impl IntoView {
    let question = questions.with_untracked(|questions| questions.get(place).cloned())?;
    let set = move |guess: String| {
        guesses.update(|guesses| {
            if let Some(slot) = guesses.get_mut(place) {
                *slot = guess;
            }
        });
    };
    let own = move || guesses.with(|guesses| guesses.get(place).cloned().unwrap_or_default());
    let judged = {
        let question = question.clone();
        move || (question.next == Next::InTurn).then(|| question.judge(&own())).flatten()
    };
    let settled = memo(move |_| judged());
    let wrong = {
        let question = question.clone();
        memo(move |_| Some(own()).filter(|own| !own.is_empty() && question.judge(own).is_none()))
    };
    let given =
        (!question.given.is_empty()).then(|| view! { <span class="hint">{question.given.clone()}</span> });
    let asks = question.asks.clone();
    let field = match question.answer.clone() {
        Answer::Number(_, unit) | Answer::Estimate(_, unit, _) => view! {
            <label class="guess-number">
                <span class="asks">{asks}</span>
                {given}
                <span class="row">
                    <input type="text" inputmode="decimal" autocomplete="off" data-testid=format!("guess-{place}") prop:value=live(own)
                        on:input=move |event| set(event_target_value(&event))/>
                    <span>{unit}</span>
                </span>
                {live(move || wrong.get().map(|typed| view! { <span class="wrong" role="alert">{no_number(&typed)}</span> }))}
            </label>
        }
        .into_any(),
        Answer::Choice(options, _) => {
            let name = asks.clone();
            view! {
                <span class="asks">{asks}</span>
                {given}
                {live(move || match settled.get() {
                    Some(judged) => view! { <Verdict judged/> }.into_any(),
                    None => view! {
                        <span class="switch" role="group" aria-label=name.clone()>
                            {options.iter().map(|option| {
                                let (own_name, option) = (option.clone(), option.clone());
                                let pressed = move || if own() == own_name { "true" } else { "false" };
                                view! {
                                    <button aria-pressed=pressed data-testid=format!("guess-{place}-{option}")
                                        on:click={let option = option.clone(); move |_| set(option.clone())}>{option.clone()}</button>
                                }
                            }).collect_view()}
                        </span>
                    }.into_any(),
                })}
            }
            .into_any()
        }
    };
    Some(view! { <li>{field}</li> })
}

/// What is said of a guess that cannot be judged.
fn no_number(guess: &str) -> String {
    format!("“{guess}” is no number.")
}

/// Right or wrong, by sign and word.
#[component]
fn Verdict(judged: Judged) -> impl IntoView {
    let (sign, word, class) = match judged {
        Judged { right: true, .. } => ("✓", "Right: ", "guess-right"),
        Judged { close: true, .. } => ("≈", "Close: ", "guess-right"),
        _ => ("✗", "Not so: ", "guess-wrong"),
    };
    view! { <span class=class role="status"><span aria-hidden="true">{sign}" "</span>{word}{judged.said}</span> }
}

/// What the guesses were worth.
#[component]
fn Worth(questions: Memo<Vec<Question>>, guesses: RwSignal<Vec<String>>) -> impl IntoView {
    let line = |(question, guess): (&Question, &String)| {
        let judged = match question.judge(guess) {
            Some(judged) => view! { <Verdict judged/> }.into_any(),
            None if guess.is_empty() => return None,
            None => view! { <span class="guess-wrong">{no_number(guess)}</span> }.into_any(),
        };
        Some(view! { <li><span class="asks">{question.asks.clone()}</span>{judged}</li> })
    };
    view! {
        <section class="guess" aria-labelledby="guess-title" data-testid="guessed">
            <h3 id="guess-title" tabindex="-1">{live(move || questions.with(|questions| guesses.with(|guesses| score(questions, guesses).unwrap_or_else(|| "No guess to judge.".to_owned()))))}</h3>
            <ol>{live(move || questions.with(|questions| guesses.with(|guesses| questions.iter().zip(guesses).filter_map(line).collect_view())))}</ol>
            <div class="row">
                <button data-testid="forget-guesses" on:click=move |_| guesses.update(|guesses| guesses.iter_mut().for_each(String::clear))>"Close"</button>
            </div>
        </section>
    }
}
