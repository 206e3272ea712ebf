//! The card of the lesson that goes on, in the column beside the picture: a step, what is to be done, and whether it is.

mod answer;
pub(super) mod beside;
mod controls;
mod desk;
pub(super) mod progress;
pub(super) mod words;

use leptos::html;
use leptos::prelude::*;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;
use wasm_bindgen::JsCast;

use answer::Answer;
use base::{Problem, people};
use controls::Controls;
pub use desk::Desk;
use kit::page::rooms::ToldOfLesson;
use kit::page::{Ask, Subject};
use ui_kit::errors;
use ui_kit::menu::Menu;
use ui_kit::mounted::{Content, News, put};
use ui_kit::styles::{Sheet, wear};
use words::{Paragraph, sign};

/// Its own style, which the page need not load before.
pub(super) const ROOMS_LESSONS: Sheet =
    Sheet { name: "rooms-lessons", text: include_str!("../../../../www/rooms-lessons.css") };

impl Content for Desk {
    type Told = ToldOfLesson;
    type Entry = String;

    fn view(self) -> AnyView {
        view! { <Panel desk=self/> }.into_any()
    }

    fn hear(self, _told: &ToldOfLesson, news: &News<'_, String>) {
        self.line.set(news.last());
    }

    fn tell(self, told: ToldOfLesson) {
        put(self.told, told);
    }
}

#[component]
fn Panel(desk: Desk) -> impl IntoView {
    wear(&[ROOMS_LESSONS]);
    let title = NodeRef::<html::H2>::new();
    desk.follow(title);
    view! {
        {live(move || match desk.shown.get() {
            None => view! { <p class="lesson-card" role="status">"Loading the lesson…"</p> }.into_any(),
            Some(Err(problems)) => view! { <Damaged desk problems/> }.into_any(),
            Some(Ok(())) => view! { <StepPanel desk title/> }.into_any(),
        })}
    }
}

/// A lesson that cannot be gone through, and why.
#[component]
fn Damaged(desk: Desk, problems: Vec<Problem>) -> impl IntoView {
    view! {
        <section class="lesson-card trouble" role="alert" data-testid="lesson-trouble">
            <h2>"This lesson cannot be opened"</h2>
            <p>{format!("{}. The scenario on the page is unchanged.", people::counted(problems.len(), "problem"))}</p>
            <ul>{errors::items(problems)}</ul>
            <div class="row">
                <button data-testid="to-lessons" on:click=move |_| desk.leave()>"All lessons"</button>
                <button data-testid="lesson-close" on:click=move |_| desk.page.ask(Ask::CloseLesson)>"Close"</button>
            </div>
        </section>
    }
}

/// The step; beside a lab that it is not about, the way back to it.
#[component]
fn StepPanel(desk: Desk, title: NodeRef<html::H2>) -> impl IntoView {
    let away = memo(move |_| desk.away());
    view! {
        {live(move || match away.get() {
            Some(lab) => view! { <Away desk lab/> }.into_any(),
            None => view! { <Card desk title/> }.into_any(),
        })}
    }
}

/// The lesson waits in its lab.
#[component]
fn Away(desk: Desk, lab: Subject) -> impl IntoView {
    view! {
        <div class="lesson-card lesson-away" role="group" aria-label="Lesson" data-testid="lesson-away">
            <p class="lesson-name" title=live(move || desk.titled())>{live(move || desk.titled())}</p>
            <div class="row">
                <button class="primary" data-testid="lesson-return" title=format!("In {}, as you left it", lab.name())
                    on:click=move |_| desk.page.ask(Ask::Lab(lab))>{live(move || format!("Back to step {}", desk.at() + 1))}</button>
                <button data-testid="lesson-leave" title="What is on the page stays"
                    on:click=move |_| desk.page.ask(Ask::CloseLesson)>"Leave"</button>
            </div>
        </div>
    }
}

#[component]
fn Card(desk: Desk, title: NodeRef<html::H2>) -> impl IntoView {
    let folded = move || desk.folded.get();
    // A step begins with its picture in sight, wherever the one before ended.
    Effect::new(move |before: Option<usize>| {
        let at = desk.at();
        if before.is_some_and(|before| before != at) {
            request_animation_frame(|| window().scroll_to_with_x_and_y(0.0, 0.0));
        }
        at
    });
    view! {
        <div class="lesson-card" class:folded=folded data-testid="lesson-card">
            <div class="lesson-top">
                <p class="lesson-name" data-testid="lesson-title">{live(move || desk.titled())}</p>
                <Menu label="More" id="lesson-menu">
                    <button data-testid="lesson-fold" aria-expanded=live(move || (!folded()).to_string())
                        on:click=move |_| desk.folded.update(|folded| *folded = !*folded)>
                        {live(move || if folded() { "Show the text" } else { "Hide the text" })}
                    </button>
                    <button data-testid="lesson-link" on:click=move |_| desk.copy_link()>"Copy a link to this step"</button>
                    <button data-testid="lesson-close" title="What is on the page stays"
                        on:click=move |_| desk.page.ask(Ask::CloseLesson)>"Leave the lesson"</button>
                </Menu>
                <p class="lesson-at" data-testid="lesson-at">{live(move || desk.numbered())}</p>
                <Dots desk/>
            </div>
            // It may scroll, so those who have no pointer must reach it.
            <div class="lesson-body" role="group" aria-labelledby="lesson-step" tabindex="0">
                <h2 id="lesson-step" tabindex="-1" node_ref=title data-testid="lesson-step">{live(move || desk.step(|step| step.title.clone()))}</h2>
                <Show when=move || !folded()>
                    {live(move || {
                        let text = desk.step(|step| step.text.clone());
                        text.into_iter().map(|text| view! { <Paragraph text/> }).collect_view()
                    })}
                </Show>
                <Asked desk/>
            </div>
            <Controls desk/>
            <Steps desk/>
        </div>
    }
}

/// What is to be done, and whether it is.
#[component]
fn Asked(desk: Desk) -> impl IntoView {
    let checked = memo(move |_| desk.step(|step| step.check.is_some()));
    let filled = |text: String| (!text.is_empty()).then_some(text);
    let task = memo(move |_| desk.step(|step| step.task.clone()));
    let after = memo(move |_| desk.step(|step| step.after.clone()));
    let hint = memo(move |_| desk.step(|step| step.hint.clone()));
    // What is said of an answer, and what follows, is seen where the card scrolls.
    Effect::new(move |before: Option<(bool, bool, bool)>| {
        let now = (desk.answered.with(Option::is_some), desk.is_done(), desk.hinted.get());
        desk.answered.track();
        if before.is_some_and(|before| before != now || now.0) {
            request_animation_frame(reveal);
        }
        now
    });
    view! {
        {live(move || filled(task.get()).map(|text| view! { <div class="lesson-task" data-testid="lesson-task"><Paragraph text/></div> }))}
        <Show when=move || checked.get() && desk.question().is_some()><Answer desk/></Show>
        <Show when=move || checked.get()>
            <Show when=move || desk.is_done()>
                {live(move || filled(after.get()).map(|text| view! { <div class="lesson-after" data-testid="lesson-after"><Paragraph text/></div> }))}
            </Show>
            <Show when=move || desk.hinted.get()>
                {live(move || filled(hint.get()).map(|text| view! { <div class="lesson-hint" data-testid="lesson-hint"><Paragraph text/></div> }))}
            </Show>
        </Show>
    }
}

/// Scrolls the card, and nothing else, to the last thing that is said in it.
fn reveal() {
    let found = |selector: &str| document().query_selector_all(selector).ok();
    let last = found(".lesson-after, .lesson-hint, .lesson-verdict:not(:empty)");
    let last = last.and_then(|all| all.item(all.length().checked_sub(1)?));
    let body = document().query_selector(".lesson-body").ok().flatten();
    let (Some(last), Some(body)) = (last, body) else { return };
    let end = last.unchecked_ref::<web_sys::Element>().get_bounding_client_rect().bottom();
    let hidden = end - body.get_bounding_client_rect().bottom();
    if hidden > 0.0 {
        body.set_scroll_top(body.scroll_top() + hidden.ceil() as i32 + 8);
    }
}

/// Whether it is done, what helps, and the steps before and after.
#[component]
fn Steps(desk: Desk) -> impl IntoView {
    let checked = memo(move |_| desk.step(|step| step.check.is_some()));
    let helped = memo(move |_| desk.step(|step| !step.hint.is_empty()));
    let ready = move || desk.is_done() || !checked.get();
    let said = move || match (desk.is_done(), desk.is_there()) {
        (true, _) => ("done", "Done"),
        (false, true) => ("open", "Not done yet"),
        (false, false) => ("open", "One moment…"),
    };
    view! {
        <div class="lesson-steps">
            <Show when=move || checked.get()>
                <p class="lesson-state" class:done=live(move || desk.is_done()) role="status" aria-live="polite" data-testid="lesson-state">
                    {live(move || sign(said().0))}
                    <span>{live(move || said().1)}</span>
                </p>
                <Show when=move || helped.get()>
                    <button class="quiet" data-testid="lesson-hint-button" aria-expanded=live(move || desk.hinted.get().to_string())
                        on:click=move |_| desk.hinted.update(|hinted| *hinted = !*hinted)>"Hint"</button>
                </Show>
                <button class="quiet" data-testid="lesson-show" title="Does it for you" on:click=move |_| desk.show_me()>"Show me"</button>
                <button class="quiet" data-testid="lesson-again" title="Starts this step again" on:click=move |_| desk.again()>"Again"</button>
            </Show>
            <div class="lesson-onward">
                <button data-testid="lesson-back" disabled=live(move || desk.at() == 0) on:click=move |_| desk.back()>"Back"</button>
                <button class:primary=ready data-testid="lesson-next" on:click=move |_| desk.onward()>
                    {live(move || if desk.at() + 1 < desk.steps() { "Next" } else { "Finish" })}
                </button>
            </div>
        </div>
    }
}

/// One button for each step.
#[component]
fn Dots(desk: Desk) -> impl IntoView {
    let dot = move |(at, title): (usize, String)| {
        let done = move || desk.was_done(at);
        let label = move || format!("Step {}: {title}{}", at + 1, if done() { ", done" } else { "" });
        let current = move || if desk.at() == at { "step" } else { "false" };
        view! {
            <li><button class="dot" class:done=done aria-current=current aria-label=label.clone() title=label
                on:click=move |_| desk.go(at)><span aria-hidden="true"></span></button></li>
        }
    };
    let titles = memo(move |_| desk.titles());
    view! {
        <ol class="lesson-dots" aria-label="Steps">
            {live(move || titles.get().into_iter().enumerate().map(dot).collect_view())}
        </ol>
    }
}
