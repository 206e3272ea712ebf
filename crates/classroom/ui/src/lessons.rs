//! The room of lessons: what there is, in the order to take it in, how far one is, and how to bring one's own.

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::live::{live, memo};
use ui_kit::show::Show;
use wasm_bindgen_futures::JsFuture;

use super::exercises::{Asked, Set, Sets};
use super::lesson::{ROOMS_LESSONS, progress};
use super::thumbs::{CARDS, Thumb, Thumbs};
use base::{Problem, people};
use classroom::lesson;
use classroom::lesson::Lesson;
use classroom::lesson::builtin::{BUILTINS, Builtin};
use classroom::level::Level;
use kit::import::gzip;
use kit::page::Ask;
use kit::page::parts::JobNews;
use kit::page::rooms::ToldOfRoom;
use kit::scenario::link::LessonSource;
use ui_kit::mounted::{Content, News, Page, put};
use ui_kit::styles::wear;
use ui_kit::{errors, save};

/// The room.
#[derive(Clone, Copy)]
pub struct Lessons {
    told: RwSignal<ToldOfRoom>,
    lessons: StoredValue<Vec<Known>>,
    thumbs: Thumbs,
    page: Page,
}

/// A lesson that comes with the page, and how far one is.
#[derive(Clone)]
struct Known {
    name: &'static str,
    lesson: Lesson,
    /// How much one should know before, where its author says so.
    level: Option<&'static str>,
    /// Steps that ask for something, and how many of them are done.
    to_do: usize,
    done: usize,
    /// The first that is not.
    next: usize,
}

impl Known {
    fn of(builtin: &Builtin) -> Option<Self> {
        let lesson = lesson::read(builtin.text).ok()?;
        let done = progress::done(&progress::name(&LessonSource::Named(builtin.name.to_owned())));
        let asks: Vec<usize> =
            (0..lesson.steps.len()).filter(|&at| lesson.steps[at].check.is_some()).collect();
        Some(Self {
            name: builtin.name,
            level: lesson.level.map(Level::name),
            to_do: asks.len(),
            done: asks.iter().filter(|at| done.contains(at)).count(),
            next: asks.iter().copied().find(|at| !done.contains(at)).unwrap_or(0),
            lesson,
        })
    }

    fn is_over(&self) -> bool {
        self.done >= self.to_do
    }

    /// Where one goes on.
    fn link(&self) -> String {
        match self.next {
            0 => format!("#lesson={}", self.name),
            at => format!("#lesson={}/{}", self.name, at + 1),
        }
    }

    /// What the link to it says.
    fn word(&self) -> &'static str {
        match (self.done > 0, self.is_over()) {
            (_, true) => "Again",
            (true, false) => "Go on",
            (false, false) => "Begin",
        }
    }
}

impl Lessons {
    /// The room in a page.
    pub fn new(page: Page) -> Self {
        let told = RwSignal::new(ToldOfRoom::default());
        let lessons: Vec<Known> = BUILTINS.iter().filter_map(Known::of).collect();
        let first = lessons.iter().map(|known| known.lesson.document(0).unwrap_or_default());
        let thumbs = Thumbs::new(first, page, told);
        Self { told, lessons: StoredValue::new(lessons), thumbs, page }
    }
}

impl Content for Lessons {
    type Told = ToldOfRoom;
    type Entry = JobNews;

    fn view(self) -> AnyView {
        wear(&[CARDS, ROOMS_LESSONS]);
        let asked = memo(move |_| self.told.with(|told| Asked::of(&told.at)));
        let page = self.page;
        (move || match asked.get() {
            Some(asked) => view! { <Set asked page/> }.into_any(),
            None => view! { <List room=self/> }.into_any(),
        })
        .into_any()
    }

    fn hear(self, _told: &ToldOfRoom, news: &News<'_, JobNews>) {
        for news in news.all() {
            self.thumbs.heard(&news);
        }
    }

    fn tell(self, told: ToldOfRoom) {
        put(self.told, told);
    }
}

#[component]
fn List(room: Lessons) -> impl IntoView {
    let Lessons { lessons, thumbs, page, .. } = room;
    let all = lessons.get_value();
    let begun = all.iter().any(|known| known.done > 0);
    let next = all.iter().find(|known| !known.is_over()).cloned();
    let next = next.map(|known| view! { <Next known begun/> });
    let cards =
        all.into_iter().enumerate().map(|(at, known)| view! { <Card at known thumbs/> }).collect_view();
    view! {
        <div class="lessons">
            <h1>"Lessons"</h1>
            <p class="lesson-lead">"Short tours on top of the real labs, the easiest first. Each step asks for something and notices when it is done; nothing can break."</p>
            {next}
            <Sets/>
            <ol class="cards">{cards}</ol>
            <Own page/>
        </div>
    }
}

/// The one to take next.
#[component]
fn Next(known: Known, begun: bool) -> impl IntoView {
    let word = if begun { "Go on here" } else { "Start here" };
    view! {
        <p class="lesson-next">
            <a class="lesson-start" href=known.link() data-testid="start-here">{word}</a>
            <span><b>{known.lesson.title.clone()}</b>". "{known.lesson.summary.clone()}</span>
        </p>
    }
}

#[component]
fn Card(at: usize, known: Known, thumbs: Thumbs) -> impl IntoView {
    let (link, word) = (known.link(), known.word());
    let Known { name, lesson, level, to_do, done, .. } = known;
    let begun = done > 0;
    let share = 100.0 * done as f64 / to_do.max(1) as f64;
    let minutes = format!("{} min", lesson.minutes);
    let steps = people::counted(lesson.steps.len(), "step");
    let facts = [Some(lesson.topic.clone()), level.map(str::to_owned), Some(minutes), Some(steps)];
    let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    view! {
        <li class="card" data-testid=format!("card-{name}")>
            <Thumb thumbs at lab=""/>
            <div class="card-text">
                <h2><a href=format!("#lesson={name}")><span class="lesson-number">{at + 1}</span>" "{lesson.title.clone()}</a></h2>
                <p class="card-says">{lesson.summary.clone()}</p>
                <p class="card-facts">{facts}</p>
                <p class="lesson-onto">
                    <a class="lesson-begin" href=link data-testid=format!("begin-{name}") aria-label=format!("{word}: {}", lesson.title)>{word}</a>
                    {begun.then(|| view! { <span class="lesson-known">{format!("{done} of {to_do} done")}</span> })}
                </p>
                {begun.then(|| view! { <div class="lesson-bar" aria-hidden="true"><span style=format!("width: {share:.0}%")></span></div> })}
            </div>
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
        <section class="lesson-own" aria-labelledby="own-lessons">
            <h2 id="own-lessons">"Your own"</h2>
            <p>"A lesson is a JSON file. Open one here, drop it anywhere on the page, or paste its text; it stays in this browser. A link copied from one of its steps carries the whole lesson."</p>
            <details>
                <summary>"Write one"</summary>
                <p>"A file beside the page has a short address: " <code>"#lesson=lessons/my.json"</code> " for " <code>"lessons/my.json"</code> ". " <code>"docs/lessons.md"</code> " in Warpspan's source says how to write one, and " <code>"warpspan lesson FILE"</code> " tries every step of it."</p>
            </details>
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
                    <ul>{live(move || errors::items(trouble.get()))}</ul>
                </div>
            </Show>
        </section>
    }
}
