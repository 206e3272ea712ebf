//! Exercises: a student's name, the questions drawn for it, and the file of answers to hand in.
//!
//! Whether an answer is right is not said here: whoever set them grades the file. What was typed is kept in this browser.

use std::sync::Arc;

use js_sys::{decode_uri_component, encode_uri_component};
use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::live::live;

use super::lesson::beside;
use super::lesson::words::{Paragraph, inline};
use base::{Problem, people};
use classroom::exercises::builtin::{self, BUILTINS};
use classroom::exercises::{Answers, Exercises, Given};
use classroom::lesson::question::Kind;
use kit::import::json;
use kit::page::told::{Looked, ToOpen};
use kit::page::{Ask, Room};
use ui_kit::mounted::Page;
use ui_kit::{errors, kept, save};

/// Under which the browser keeps a student's answers.
const KEPT: &str = "warpspan-exercises";
/// What stands in an address before the name of a student.
const STUDENT: &str = "&student=";

/// The sets that there are, in a line.
#[component]
pub(super) fn Sets() -> impl IntoView {
    let set = |(name, text): &(&'static str, &'static str)| {
        let set = classroom::exercises::read(text).ok()?;
        let count = people::counted(set.exercises.len(), "exercise");
        Some(
            view! { <a href=format!("#lessons={name}") data-testid=format!("exercises-{name}")>{set.title.clone()}", "{count}</a>" " },
        )
    };
    view! {
        <p class="lesson-sets">
            "To hand in: " {BUILTINS.iter().filter_map(set).collect_view()}
        </p>
    }
}

/// What the room's address asks for: the name or the file of a set, and who is to have it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Asked {
    name: String,
    student: String,
}

impl Asked {
    /// Read from an address; none where it asks for no set.
    pub(super) fn of(at: &str) -> Option<Self> {
        let (name, student) = at.split_once(STUDENT).unwrap_or((at, ""));
        let student = decode_uri_component(student).ok()?.into();
        (!name.is_empty()).then(|| Self { name: name.to_owned(), student })
    }

    fn at(&self) -> String {
        format!("{}{STUDENT}{}", self.name, encode_uri_component(&self.student))
    }
}

/// A set for one student, or what is wrong with it.
#[component]
pub(super) fn Set(asked: Asked, page: Page) -> impl IntoView {
    let fetched = RwSignal::new(None::<Result<String, Vec<Problem>>>);
    let name = asked.name.clone();
    match builtin::named(&name) {
        Some(text) => fetched.set(Some(Ok(text.to_owned()))),
        None => spawn_local(async move {
            let text = beside::text(
                &name,
                "the name of a set, or of a file beside the page such as exercises/my.json",
            );
            let text = text.await;
            let _ = fetched.try_set(Some(text)); // unless the room was left
        }),
    }
    move || {
        let set = match fetched.get()? {
            Ok(text) => classroom::exercises::read(&text),
            Err(problems) => Err(problems),
        };
        Some(match set {
            Ok(set) => view! { <Known set asked=asked.clone() page/> }.into_any(),
            Err(problems) => view! {
                <div class="trouble" role="alert" data-testid="exercises-trouble">
                    <h3>"These exercises cannot be opened"</h3>
                    <ul>{errors::items(problems)}</ul>
                    <a href="#lessons">"All lessons"</a>
                </div>
            }
            .into_any(),
        })
    }
}

#[component]
fn Known(set: Exercises, asked: Asked, page: Page) -> impl IntoView {
    let points = people::counted(set.points() as usize, "point");
    let student = asked.student.clone();
    let given = (!student.trim().is_empty()).then(|| set.given(&student));
    let list = given.map(|given| match given {
        Ok(given) => view! { <List set=set.name.clone() student given page/> }.into_any(),
        Err(problems) => view! { <ul class="trouble">{errors::items(problems)}</ul> }.into_any(),
    });
    let name = RwSignal::new(asked.student.clone());
    let take = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let student = name.get_untracked().split_whitespace().collect::<Vec<_>>().join(" ");
        page.ask(Ask::Room(Room::Lessons, Asked { student, ..asked.clone() }.at()));
    };
    view! {
        <div class="lessons exercises" data-testid="exercises">
            <h1>{set.title.clone()}</h1>
            <p class="lesson-lead">{set.summary.clone()}" "{points}"."</p>
            <form class="row" on:submit=take>
                <label class="field">
                    <span>"Your name or number, as your teacher knows it"</span>
                    <input type="text" autocomplete="off" maxlength="200" data-testid="exercises-student"
                        prop:value=live(move || name.get()) on:input=move |event| name.set(event_target_value(&event))/>
                </label>
                <button type="submit" data-testid="exercises-take" disabled=live(move || name.with(|name| name.trim().is_empty()))>"Draw my numbers"</button>
                <a href="#lessons">"All lessons"</a>
            </form>
            {list}
        </div>
    }
}

#[component]
fn List(set: String, student: String, given: Vec<Given>, page: Page) -> impl IntoView {
    let kept = read(&set, &student);
    let names: Vec<String> = given.iter().map(|own| own.name.clone()).collect();
    let answers: Vec<RwSignal<String>> =
        names.iter().map(|name| RwSignal::new(kept.to(name).unwrap_or_default().to_owned())).collect();
    let handed_in = {
        let (answers, names, set, student) = (answers.clone(), names, set.clone(), student.clone());
        Arc::new(move || Answers {
            exercises: set.clone(),
            student: student.clone(),
            given: names
                .iter()
                .zip(&answers)
                .map(|(name, answer)| (name.clone(), answer.get().trim().to_owned()))
                .filter(|(_, answer)| !answer.is_empty())
                .collect(),
        })
    };
    Effect::new({
        let handed_in = Arc::clone(&handed_in);
        move |_| keep(&handed_in())
    });
    let left = {
        let (answers, count) = (answers.clone(), given.len());
        move || {
            let done =
                answers.iter().filter(|answer| answer.with(|answer| !answer.trim().is_empty())).count();
            format!("{done} of {count} answered.")
        }
    };
    let file = format!("{set}-{student}-answers");
    let hand_in = move |_| {
        save::save(&save::file_name(&file, "json"), "application/json", &untrack(|| handed_in()).document());
    };
    let one = |((at, own), answer)| view! { <One at own answer page/> };
    view! {
        <ol class="exercise-list">{given.into_iter().enumerate().zip(answers).map(one).collect_view()}</ol>
        <div class="row">
            <button class="primary" data-testid="exercises-save" on:click=hand_in>"Save the file to hand in"</button>
            <span aria-live="polite">{left}</span>
        </div>
        <p class="hint">"What you type stays in this browser until you hand the file in. Your teacher grades it with " <code>"warpspan grade"</code> "."</p>
    }
}

#[component]
fn One(at: usize, own: Given, answer: RwSignal<String>, page: Page) -> impl IntoView {
    let id = format!("exercise-{}", own.name);
    let what = format!("Exercise {}: {}", at + 1, own.title);
    let opened = ToOpen {
        document: json::pretty(&own.document),
        view: Looked::of(&own.view),
        hide: own.hide,
        what: what.clone(),
    };
    let open = move |_| page.ask(Ask::Open(opened.clone()));
    let field = match own.question.kind {
        Kind::Choice(choices, _) => {
            view! { <Choices name=own.name.clone() choices answer ask=id.clone()/> }.into_any()
        }
        Kind::Number(_, _, unit) => {
            view! { <Field name=own.name.clone() mode="decimal" unit answer ask=id.clone()/> }.into_any()
        }
        Kind::Text(_) => {
            view! { <Field name=own.name.clone() mode="text" unit=String::new() answer ask=id.clone()/> }
                .into_any()
        }
    };
    view! {
        <li class="exercise" data-testid=id.clone()>
            <h2>{what}<small>" "{people::counted(own.points as usize, "point")}</small></h2>
            {own.text.into_iter().map(|text| view! { <Paragraph text/> }).collect_view()}
            <p id=id.clone() class="lesson-ask">{inline(&own.question.ask)}</p>
            {field}
            <button class="quiet" data-testid=format!("open-{}", own.name) on:click=open>"Open its scenario, the answer hidden"</button>
        </li>
    }
}

#[component]
fn Field(
    name: String,
    mode: &'static str,
    unit: String,
    answer: RwSignal<String>,
    ask: String,
) -> impl IntoView {
    view! {
        <div class="row">
            <input type="text" inputmode=mode autocomplete="off" maxlength="200" class="lesson-field" aria-labelledby=ask data-testid=format!("answer-{name}")
                prop:value=live(move || answer.get()) on:input=move |event| answer.set(event_target_value(&event))/>
            {(!unit.is_empty()).then(|| view! { <span class="unit">{unit}</span> })}
        </div>
    }
}

#[component]
fn Choices(name: String, choices: Vec<String>, answer: RwSignal<String>, ask: String) -> impl IntoView {
    let one = move |choice: String| {
        let (own, value) = (choice.clone(), choice.clone());
        view! {
            <label class="choice">
                <input type="radio" name=format!("choice-{name}") value=choice.clone() prop:checked=live(move || answer.with(|answer| *answer == own))
                    on:change=move |_| answer.set(value.clone())/>
                <span>{inline(&choice)}</span>
            </label>
        }
    };
    view! { <fieldset class="choices" aria-labelledby=ask>{choices.into_iter().map(one).collect_view()}</fieldset> }
}

/// What a student has answered before in this browser.
fn read(set: &str, student: &str) -> Answers {
    let nothing = || Answers { exercises: set.to_owned(), student: student.to_owned(), given: Vec::new() };
    let stored = kept::recall(&key(&nothing()));
    let known = stored.and_then(|text| Answers::read(&text).ok()).filter(|known| known.exercises == set);
    known.unwrap_or_else(nothing)
}

/// Keeps them; where nothing can be kept, the page forgets when it is closed.
fn keep(answers: &Answers) {
    kept::remember(&key(answers), &answers.document());
}

fn key(answers: &Answers) -> String {
    format!("{KEPT}/{}/{}", answers.exercises, answers.seed())
}
