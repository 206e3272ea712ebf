//! The controls of a step: sliders and choices that change the document on the page, whose picture follows.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::desk::Desk;
use classroom::lesson::controls::{Choice, Control, Kind, Slider};

/// The controls of the present step; nothing where it has none.
#[component]
pub(super) fn Controls(desk: Desk) -> impl IntoView {
    let controls = memo(move |_| desk.step(|step| step.controls.clone()));
    let each = move |(at, control): (usize, Control)| {
        let own = control.clone();
        let off = memo(move |_| !desk.is_there() || desk.with_document(|document| !own.fits(document)));
        let Control { label, kind } = control;
        match kind {
            Kind::Slider(slider) => view! { <Sliding desk at label slider off/> }.into_any(),
            Kind::Choices(choices) => view! { <Choosing desk at label choices off/> }.into_any(),
        }
    };
    view! {
        <Show when=move || controls.with(|controls| !controls.is_empty())>
            <div class="lesson-controls" data-testid="lesson-controls">
                {live(move || controls.get().into_iter().enumerate().map(each).collect_view())}
            </div>
        </Show>
    }
}

/// A slider: moving it is one undo.
#[component]
fn Sliding(desk: Desk, at: usize, label: String, slider: Slider, off: Memo<bool>) -> impl IntoView {
    let (least, most, by) = (slider.least, slider.most, slider.by);
    let slider = StoredValue::new(slider);
    let value =
        memo(move |_| slider.with_value(|slider| desk.with_document(|document| slider.value(document))));
    let said = memo(move |_| slider.with_value(|slider| slider.said(value.get())));
    let moved = move |event| {
        if let Ok(to) = event_target_value(&event).parse() {
            desk.turn(at, |document| slider.with_value(|slider| slider.moved(document, to)));
        }
    };
    let id = format!("lesson-control-{at}");
    view! {
        <div class="lesson-slider">
            <label for=id.clone()>{label}</label>
            <input type="range" id=id.clone() data-testid=id min=least max=most step=by disabled=live(move || off.get())
                aria-valuetext=live(move || said.get()) prop:value=live(move || value.get().unwrap_or(least).to_string()) on:input=moved/>
            <output data-testid=format!("lesson-value-{at}")>{live(move || said.get())}</output>
        </div>
    }
}

/// A row of buttons of which the one that is so is pressed.
#[component]
fn Choosing(desk: Desk, at: usize, label: String, choices: Vec<Choice>, off: Memo<bool>) -> impl IntoView {
    let id = format!("lesson-control-{at}");
    let one = |(number, choice): (usize, Choice)| {
        let label = choice.label.clone();
        let choice = StoredValue::new(choice);
        let holds =
            memo(move |_| choice.with_value(|choice| desk.with_document(|document| choice.holds(document))));
        view! {
            <button type="button" data-testid=format!("lesson-choice-{at}-{number}") disabled=live(move || off.get())
                aria-pressed=live(move || holds.get().to_string())
                on:click=move |_| desk.turn(at, |document| choice.with_value(|choice| choice.chosen(document)))>{label}</button>
        }
    };
    view! {
        <div class="lesson-choosing">
            <span id=id.clone()>{label}</span>
            <div class="switch" role="group" aria-labelledby=id>{choices.into_iter().enumerate().map(one).collect_view()}</div>
        </div>
    }
}
