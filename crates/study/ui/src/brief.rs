//! What the study is called and how it stands, above the picture; beneath it what is measured, and what went wrong.

use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;

use super::runner;
use super::stage::Stage;
use base::people;
use kit::page::told::ToldOfTrial;
use study_lab::estimate::rough;
use study_lab::page::{Plan, State, plan::word};
use ui_kit::outcome::Title;

/// The line above the picture.
#[component]
pub(super) fn Brief(stage: Stage, told: RwSignal<ToldOfTrial>) -> impl IntoView {
    let begun = memo(move |_| stage.state.get() != State::Ready);
    view! {
        <div class="brief">
            <Title told untitled="Untitled study"/>
            <div class="row lab-run" role="toolbar" aria-label="Study" class:busy=live(move || stage.state.get() == State::Runs)>
                <span class="told" aria-live=live(move || if stage.state.get() == State::Runs { "off" } else { "polite" }) data-testid="study-told">
                    {live(move || said(stage, told))}
                </span>
                <Show when=move || begun.get()><Buttons stage/></Show>
            </div>
        </div>
    }
}

/// How the study stands, in a sentence.
fn said(stage: Stage, told: RwSignal<ToldOfTrial>) -> String {
    if told.with(|told| told.wrong) {
        return "There are mistakes in the document; they stand beneath the form.".to_owned();
    }
    let Some(planned) = stage.planned.get() else { return "Reading the study…".to_owned() };
    if let Some(why) = planned.plan.too_large() {
        return why;
    }
    let known = stage.with(|run| (run.state.clone(), run.known.done(), run.known.failed()));
    let Some((state, done, failed)) = known else { return String::new() };
    let (cells, many) =
        (planned.plan.cells, |n: u64| people::counted(usize::try_from(n).unwrap_or(usize::MAX), "cell"));
    let spent = runner::seconds(&planned.key);
    let so_far = format!("{} of {}", people::grouped(done.into()), many(cells));
    let wrong = if failed > 0 {
        format!(", {} with a problem", people::grouped(failed.into()))
    } else {
        String::new()
    };
    match state {
        State::Ready => planned.plan.size(),
        State::Runs if done == 0 => format!("{so_far}…"),
        State::Runs => {
            let left = spent * (cells - done) as f64 / done as f64;
            format!("{so_far}{wrong}, about {} left", rough(left))
        }
        State::Paused => format!("Paused at {so_far}{wrong}."),
        State::Stopped => format!("Stopped at {so_far}{wrong}."),
        State::Failed(why) => format!("Ended at {so_far}{wrong}: {why}."),
        State::Done => format!("{}{wrong}, computed in {}.", many(cells), people::duration(spent)),
    }
}

/// Pause, resume, stop, run again. The one for what comes next is the first, so that the keyboard stays on it.
#[component]
fn Buttons(stage: Stage) -> impl IntoView {
    let next = memo(move |_| match stage.state.get() {
        State::Runs => "Pause",
        State::Paused => "Resume",
        State::Stopped | State::Failed(_) => "Resume",
        State::Ready | State::Done => "Run again",
    });
    let press = move |_| {
        let Some(key) = stage.key() else { return };
        match next.get_untracked() {
            "Pause" => runner::pause(&key),
            "Run again" => runner::again(&key),
            _ => runner::start(&key),
        }
    };
    let stops = memo(move |_| matches!(stage.state.get(), State::Runs | State::Paused));
    let stop = move |_| {
        if let Some(key) = stage.key() {
            runner::stop(&key);
        }
    };
    let share = move || stage.with(|run| run.known.done() as f64 / run.known.plan.cells.max(1) as f64);
    view! {
        <Show when=move || stops.get()><progress max="1" aria-label="Cells computed" value=share></progress></Show>
        <button class:primary=live(move || next.get() == "Resume") data-testid="study-next" on:click=press>{live(move || next.get())}</button>
        <Show when=move || stops.get()><button data-testid="study-stop" title="Esc" on:click=stop>"Stop"</button></Show>
    }
}

/// The button that begins a study, over the empty picture, with what it means; one that is over at once needs none.
#[component]
pub(super) fn Start(stage: Stage, told: RwSignal<ToldOfTrial>) -> impl IntoView {
    let ready = memo(move |_| {
        let waits = |plan: &Plan| plan.too_large().is_none() && !plan.may_be_quick();
        let waits =
            stage.planned.with(|planned| planned.as_ref().is_some_and(|planned| waits(&planned.plan)));
        waits && stage.state.get() == State::Ready
    });
    let width = runner::width();
    let workers = people::counted(width as usize, "worker");
    let takes = move || {
        stage.planned.with(|planned| {
            let plan = &planned.as_ref()?.plan;
            Some(format!("{}, {} with {workers}.", plan.size(), plan.duration(width)))
        })
    };
    let press = move |_| {
        if let Some(key) = stage.key() {
            runner::start(&key);
        }
    };
    let takes = StoredValue::new_local(takes);
    view! {
        <Show when=move || ready.get()>
            <div class="study-start">
                <button class="primary large" data-testid="study-run" on:click=press disabled=live(move || told.with(|told| told.wrong || told.stale))>"Run"</button>
                <p data-testid="study-estimate">{live(move || takes.with_value(|takes| takes()))}</p>
            </div>
        </Show>
    }
}

/// What is measured, and how.
#[component]
pub(super) fn Measures(stage: Stage) -> impl IntoView {
    let known = memo(move |_| {
        stage.planned.with(|planned| {
            planned.as_ref().map(|planned| {
                let measures = planned.plan.measures.iter().map(|(name, text)| (name.clone(), word(text)));
                let axes = planned.plan.axes.iter().map(|axis| (axis.name.clone(), axis.path.clone()));
                (measures.collect::<Vec<_>>(), axes.collect::<Vec<_>>())
            })
        })
    });
    let list = |items: Vec<(String, String)>| {
        items
            .into_iter()
            .map(|(name, text)| view! { <div><dt>{name}</dt><dd><code>{text}</code></dd></div> })
            .collect_view()
    };
    move || {
        known.get().map(|(measures, axes)| {
            view! {
                <details class="more" data-testid="study-measures">
                    <summary>"What changes, and what is measured"</summary>
                    <dl class="facts">{list(axes)}{list(measures)}</dl>
                </details>
            }
        })
    }
}

/// Problems of cells, each once.
#[component]
pub(super) fn Problems(stage: Stage) -> impl IntoView {
    let known = memo(move |_| {
        let told = stage.with(|run| {
            let told = run.known.problems().map(|(problem, count)| (problem.to_owned(), count));
            told.collect::<Vec<_>>()
        });
        told.unwrap_or_default()
    });
    move || {
        let known = known.get();
        (!known.is_empty()).then(|| {
            let item = |(problem, count): (String, u64)| {
                let cells = people::counted(usize::try_from(count).unwrap_or(usize::MAX), "cell");
                view! { <li>{cells}": "{problem}</li> }
            };
            view! {
                <div class="warnings" data-testid="study-problems">
                    <p class="heading">"Cells without values"</p>
                    <ul>{known.into_iter().map(item).collect_view()}</ul>
                </div>
            }
        })
    }
}
