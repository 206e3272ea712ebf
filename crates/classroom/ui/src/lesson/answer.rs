//! The question of a step, with a field or choices for its answer.

use leptos::prelude::*;
use ui_kit::live::{live, memo};

use super::desk::Desk;
use super::words::{Paragraph, inline, sign};
use classroom::lesson::question::{Kind, Verdict};

#[component]
pub(super) fn Answer(desk: Desk) -> impl IntoView {
    let kind = memo(move |_| desk.question().map(|question| question.kind));
    let ask = memo(move |_| desk.question().map(|question| question.ask).unwrap_or_default());
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        desk.answer(desk.typed.get_untracked());
    };
    view! {
        <form class="lesson-question" on:submit=submit>
            <div id="lesson-ask" class="lesson-ask">{live(move || view! { <Paragraph text=ask.get()/> })}</div>
            {live(move || match kind.get() {
                Some(Kind::Choice(choices, _)) => view! { <Choices desk choices/> }.into_any(),
                Some(Kind::Number(_, _, unit)) => view! { <Field desk numeric=true unit/> }.into_any(),
                _ => view! { <Field desk numeric=false unit=String::new()/> }.into_any(),
            })}
            <p class="lesson-verdict" role="status" aria-live="polite" data-testid="lesson-verdict">{live(move || said(desk))}</p>
        </form>
    }
}

/// What is said of the answer that was given.
fn said(desk: Desk) -> Option<impl IntoView> {
    let answer = desk.answered.get()?;
    let verdict = desk.verdict(&answer)?;
    let text = match verdict {
        Verdict::Right if desk.is_done() => return None,
        Verdict::Right => "That is right. The step asks for something else, too: see above.".to_owned(),
        Verdict::Wrong if desk.is_done() => return None, // it was answered before
        Verdict::Wrong => format!("{answer} is not right."),
        Verdict::NoNumber => {
            "This is no number. Write digits, with a point if need be: 12 or 4.5.".to_owned()
        }
        Verdict::TooEarly => "One moment: the lab is still at work.".to_owned(),
    };
    Some(view! { {sign(if verdict == Verdict::Right { "done" } else { "wrong" })}<span>{text}</span> })
}

#[component]
fn Field(desk: Desk, numeric: bool, unit: String) -> impl IntoView {
    let mode = if numeric { "decimal" } else { "text" };
    view! {
        <div class="row">
            <input type="text" inputmode=mode autocomplete="off" aria-labelledby="lesson-ask" class="lesson-field" data-testid="lesson-answer"
                prop:value=live(move || desk.typed.get())
                on:input=move |event| desk.typed.set(event_target_value(&event))/>
            {(!unit.is_empty()).then(|| view! { <span class="unit">{unit}</span> })}
            <button type="submit" data-testid="lesson-submit">"Check"</button>
        </div>
    }
}

#[component]
fn Choices(desk: Desk, choices: Vec<String>) -> impl IntoView {
    let one = move |choice: String| {
        let own = choice.clone();
        let chosen = move || desk.typed.with(|typed| *typed == own);
        let value = choice.clone();
        view! {
            <label class="choice">
                <input type="radio" name="lesson-choice" value=choice.clone() prop:checked=chosen
                    on:change=move |_| desk.typed.set(value.clone())/>
                <span>{inline(&choice)}</span>
            </label>
        }
    };
    view! {
        <fieldset class="choices" aria-labelledby="lesson-ask">{choices.into_iter().map(one).collect_view()}</fieldset>
        <div class="row"><button type="submit" data-testid="lesson-submit" disabled=live(move || desk.typed.with(String::is_empty))>"Check"</button></div>
    }
}
