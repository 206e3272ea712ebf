//! The room of lessons: what there is, how far one is, and how to bring one's own.

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

use super::lesson::progress;
use base::{Problem, people};
use classroom::lesson;
use classroom::lesson::Lesson;
use classroom::lesson::builtin::BUILTINS;
use kit::import::gzip;
use kit::page::Ask;
use kit::page::rooms::ToldOfRoom;
use kit::scenario::link::LessonSource;
use ui_kit::mounted::{Content, Page};
use ui_kit::styles::wear;

use super::lesson::ROOMS_LESSONS;
use ui_kit::{errors, save};

/// The room.
#[derive(Clone, Copy)]
pub struct Lessons {
    page: Page,
}

impl Lessons {
    /// The room in a page.
    pub fn new(page: Page) -> Self {
        Self { page }
    }
}

impl Content for Lessons {
    type Told = ToldOfRoom;
    type Entry = ();

    fn view(self) -> AnyView {
        view! { <List page=self.page/> }.into_any()
    }

    /// The list is the same wherever the page stands.
    fn tell(self, _told: ToldOfRoom) {}
}

/// The lessons that come with the page, topic by topic, each with its name.
fn topics() -> Vec<(String, Vec<(&'static str, Lesson)>)> {
    let mut topics: Vec<(String, Vec<(&'static str, Lesson)>)> = Vec::new();
    for builtin in BUILTINS {
        let Ok(lesson) = lesson::read(builtin.text) else { continue };
        match topics.iter_mut().find(|(topic, _)| *topic == lesson.topic) {
            Some((_, lessons)) => lessons.push((builtin.name, lesson)),
            None => topics.push((lesson.topic.clone(), vec![(builtin.name, lesson)])),
        }
    }
    topics
}

#[component]
fn List(page: Page) -> impl IntoView {
    wear(&[ROOMS_LESSONS]);
    let topic = |(topic, lessons): (String, Vec<(&'static str, Lesson)>)| {
        view! {
            <section class="lesson-topic">
                <h2>{topic}</h2>
                <ul class="lesson-list">
                    {lessons.into_iter().map(|(name, lesson)| view! { <Card name lesson/> }).collect_view()}
                </ul>
            </section>
        }
    };
    view! {
        <div class="lessons">
            <h1>"Lessons"</h1>
            <p class="lesson-lead">"Short tours on top of the real labs. Each step shows something, asks you to do something, and notices when you have. Nothing can break: leave whenever you like, and what is on the page stays."</p>
            {topics().into_iter().map(topic).collect_view()}
            <Own page/>
        </div>
    }
}

#[component]
fn Card(name: &'static str, lesson: Lesson) -> impl IntoView {
    let done = progress::done(&progress::name(&LessonSource::Named(name.to_owned())));
    let checked = |at: usize| lesson.steps[at].check.is_some();
    let to_do = (0..lesson.steps.len()).filter(|&at| checked(at)).count();
    let known = done.iter().filter(|&&at| at < lesson.steps.len() && checked(at)).count();
    let next = (0..lesson.steps.len()).find(|&at| checked(at) && !done.contains(&at)).unwrap_or(0);
    let (begun, over) = (known > 0, known >= to_do);
    let link = match next {
        0 => format!("#lesson={name}"),
        at => format!("#lesson={name}/{}", at + 1),
    };
    let word = match (begun, over) {
        (_, true) => "Again",
        (true, false) => "Go on",
        (false, false) => "Begin",
    };
    let link = if over { format!("#lesson={name}") } else { link };
    let share = 100.0 * known as f64 / to_do.max(1) as f64;
    view! {
        <li class="lesson-item" data-testid=format!("card-{name}")>
            <h3><a href=format!("#lesson={name}")>{lesson.title.clone()}</a></h3>
            <p>{lesson.summary.clone()}</p>
            <p class="lesson-facts">
                {format!("{}, {}", people::counted(lesson.steps.len(), "step"), people::counted(lesson.minutes as usize, "minute"))}
                {begun.then(|| view! { <span class="lesson-known">{format!("{known} of {to_do} done")}</span> })}
            </p>
            {begun.then(|| view! { <div class="lesson-bar" aria-hidden="true"><span style=format!("width: {share:.0}%")></span></div> })}
            <a class="lesson-begin" href=link data-testid=format!("begin-{name}") aria-label=format!("{word}: {}", lesson.title)>{word}</a>
        </li>
    }
}

/// One's own lessons.
#[component]
fn Own(page: Page) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let trouble = RwSignal::new(Vec::<Problem>::new());
    let opened = move |_| {
        let Some(file) = input.get_untracked().and_then(|input| input.files()?.get(0)) else { return };
        spawn_local(async move {
            let unreadable = || Problem::at(file.name(), "cannot be read", "a file that can be read");
            let text = match JsFuture::from(file.array_buffer()).await {
                Ok(buffer) => gzip::text_of(&js_sys::Uint8Array::new(&buffer).to_vec()),
                Err(_) => Err(unreadable()),
            };
            let read = text.map_err(|problem| vec![problem]);
            match read.and_then(|text| lesson::read(&text).map(|_| text)) {
                Ok(text) => page.ask(Ask::Lesson { source: LessonSource::Own(text), at: 0 }),
                Err(problems) => trouble.set(problems),
            }
            if let Some(input) = input.get_untracked() {
                input.set_value(""); // the same file again is a change too
            }
        });
    };
    let example = BUILTINS.first();
    view! {
        <section class="lesson-topic" aria-labelledby="own-lessons">
            <h2 id="own-lessons">"Your own"</h2>
            <p>"A lesson is a JSON file. Open one here, drop it anywhere on the page, or paste its text; it stays in this browser. A link copied from one of its steps carries the whole lesson."</p>
            <p>"A file beside the page has a short address: " <code>"#lesson=lessons/my.json"</code> " for " <code>"lessons/my.json"</code> ". " <code>"docs/lessons.md"</code> " in Warpspan's source says how to write one, and " <code>"warpspan lesson FILE"</code> " tries every step of it."</p>
            <div class="row">
                <input type="file" accept=".json,.gz,application/json" class="hidden" tabindex="-1" aria-hidden="true" data-testid="lesson-file"
                    node_ref=input on:change=opened/>
                <button data-testid="open-lesson" on:click=move |_| if let Some(input) = input.get_untracked() { input.click() }>"Open a lesson file"</button>
                {example.map(|example| view! {
                    <button data-testid="save-lesson" on:click=move |_| save::save(&format!("{}.json", example.name), "application/json", example.text)>"Save a lesson to start from"</button>
                })}
            </div>
            <Show when=move || trouble.with(|trouble| !trouble.is_empty())>
                <div class="trouble" role="alert" data-testid="lesson-file-trouble">
                    <h3>"This file cannot be opened as a lesson"</h3>
                    <ul>{move || errors::items(trouble.get())}</ul>
                </div>
            </Show>
        </section>
    }
}
