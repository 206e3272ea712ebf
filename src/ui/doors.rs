//! The doors to the rooms beside the labs: what is told to their wasm, and what it asks the page for.
//!
//! What a room can ask for is listed in `src/ui/rooms/mod.rs`, which is the other side of every door.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::keys;
use super::lazy::Place;
use super::results::machine_text;
use super::route;
use super::state::{App, Run};
use super::trial::{told_of_page, view_of};
use crate::draw::Theme;
use crate::import::json;
use crate::job::Weight;
use crate::page::pool::Heard;
use crate::page::trial::Looked;
use crate::page::{Lesson, Room, Subject, edit};
use crate::report::Report;
use crate::scenario::link::LessonSource;

/// The module all rooms are in.
const MODULE: &str = "rooms";

/// What was heard of the jobs of a room: `[number, kind, text]` each.
type HeardOfJobs = RwSignal<js_sys::Array, LocalStorage>;

/// What is told to a room beside how the page is: names and values.
type Told = Vec<(&'static str, JsValue)>;

/// Where a room, the panel of a lesson, a sheet or a guess is: whatever the module has of that name.
#[component]
pub fn Door(
    app: App,
    /// Its name, in the module and for tests.
    mount: &'static str,
    /// What a screen reader calls it.
    label: &'static str,
    /// What it is told; whatever that depends on is told again when it changes.
    told: fn(App) -> Told,
    /// The lines of the report on the screen come first, or what was heard of the room's own jobs.
    hears: Hears,
) -> impl IntoView {
    let host = NodeRef::<leptos::html::Div>::new();
    let heard: HeardOfJobs = RwSignal::new_local(js_sys::Array::new());
    let jobs = StoredValue::new(Vec::<(u32, u32)>::new());
    let act = Closure::<dyn Fn(String, Option<u32>, Option<String>)>::new(
        move |what: String, number: Option<u32>, text: Option<String>| {
            let text = text.unwrap_or_default();
            match (what.as_str(), number) {
                ("job", Some(number)) => {
                    let job = app.submit_for_room(number, text, heard);
                    jobs.update_value(|jobs| jobs.push((number, job)));
                }
                ("cancel", Some(number)) => cancel(app, jobs, Some(number)),
                _ => app.act_for_room(&what, number, text),
            }
        },
    );
    on_cleanup(move || cancel(app, jobs, None));
    let theme = expect_context::<Memo<Theme>>();
    let place = Place::new(MODULE, mount, act.into_js_value().unchecked_into());
    Effect::new(move |_| {
        let Some(host) = host.get() else { return };
        let message = js_sys::Object::new();
        let page = serde_wasm_bindgen::to_value(&told_of_page(app, theme.get())).unwrap_or_default();
        for (name, value) in told(app).into_iter().chain([("page", page)]) {
            // A plain object takes any key.
            let _ = js_sys::Reflect::set(&message, &name.into(), &value);
        }
        let data = match hears {
            Hears::Jobs => heard.get(),
            Hears::Report => app.report_lines().iter().map(|line| JsValue::from_str(line)).collect(),
        };
        place.show(&host, data.into(), message.into(), &|| format!(" {}.", label.to_lowercase()));
    });
    view! { <div class=mount role="region" aria-label=label data-testid=mount node_ref=host></div> }
}

/// The questions while the answer is hidden, and what the guesses were worth; until the scenario is another one.
#[component]
pub fn GuessDoor(app: App) -> impl IntoView {
    Effect::new(move |_| {
        if app.hide.get() {
            app.guessing.set(true);
        }
    });
    view! {
        <Show when=move || app.guessing.get()>
            <Door app mount="guessing" label="Guess" told=told_of_guess hears=Hears::Jobs/>
        </Show>
    }
}

/// What a room hears of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hears {
    /// The jobs it has run.
    Jobs,
    /// The report on the screen.
    Report,
}

/// What is told to a room instead of a lab.
pub fn told_of_room(app: App) -> Told {
    vec![("at", app.room_at.get().into()), ("base", route::page().unwrap_or_default().into())]
}

/// What is told to the sheet to print.
pub fn told_of_sheet(app: App) -> Told {
    vec![("at", app.text.get().into()), ("base", route::address(app).unwrap_or_default().into())]
}

/// What is told to the panel of a lesson.
pub fn told_of_lesson(app: App) -> Told {
    let Some(lesson) = app.lesson.get() else { return Told::new() };
    app.read.track();
    let (name, own) = match lesson.source {
        LessonSource::Named(name) => (name, None),
        LessonSource::Own(text) => (String::new(), Some(text)),
    };
    let stale = app.reported().is_none_or(|reported| app.text.with(|text| *text != reported));
    vec![
        ("name", name.into()),
        ("own", own.into()),
        ("at", (lesson.at as u32).into()),
        ("entered", lesson.entered.into()),
        ("document", app.text.get().into()),
        ("wrong", app.read.with(Result::is_err).into()),
        ("running", (matches!(app.run.get(), Run::Running(..)) || app.is_running()).into()),
        ("stale", stale.into()),
        ("view", serde_wasm_bindgen::to_value(&Looked::of(&app.view())).unwrap_or_default()),
        ("hidden", app.hide.get().into()),
    ]
}

/// What is told to the questions about a schedule whose makespan is hidden, or was.
pub fn told_of_guess(app: App) -> Told {
    app.shown.with(|shown| match shown {
        Some(shown) if app.subject.get() == Subject::Warps => {
            let report = &shown.report;
            let given =
                [report.count.to_string(), report.kernel.clone(), machine_text(shown), report.method.clone()];
            let given: js_sys::Array = given.iter().map(|part| JsValue::from_str(part)).collect();
            vec![("given", given.into()), ("right", report.makespan.into())]
        }
        _ => Told::new(),
    })
}

/// Stops the job of a number, or all of them.
fn cancel(app: App, jobs: StoredValue<Vec<(u32, u32)>>, which: Option<u32>) {
    let _ = jobs.try_update_value(|jobs| {
        jobs.retain(|&(number, job)| {
            let ends = which.is_none_or(|which| which == number);
            if ends {
                app.runs.with_value(|runs| runs.cancel(job));
            }
            !ends
        });
    });
}

impl App {
    /// Runs a document for a room, beside whatever is on the page.
    fn submit_for_room(&self, number: u32, text: String, heard: HeardOfJobs) -> u32 {
        let owner = move |_, told: Heard| {
            let (kind, text) = match told {
                Heard::News(line) => ("news", line),
                Heard::Done(_, line) => ("done", line.unwrap_or_default()),
                Heard::Refused(problems) => {
                    let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
                    ("refused", lines.join("\n"))
                }
                Heard::Crashed(why) => ("crashed", why),
                Heard::Progress(progress) => ("progress", format!("{} {}", progress.done, progress.total)),
                Heard::Chain(..) | Heard::Worked(_) => return,
            };
            // The room may have been left.
            let _ = heard.try_update(|heard| {
                let entry = js_sys::Array::of3(&number.into(), &kind.into(), &text.into());
                heard.push(&entry);
            });
        };
        self.runs.with_value(|runs| runs.submit(Weight::Search, text, owner))
    }

    /// What rooms, lessons and sheets ask for.
    fn act_for_room(&self, what: &str, number: Option<u32>, text: String) {
        match what {
            "open" => self.open_for_room(&text),
            "lesson" => self.begin_lesson(LessonSource::Named(text), number),
            "own-lesson" => self.begin_lesson(LessonSource::Own(text), number),
            "step" => self.lesson.update(|lesson| {
                *lesson = lesson.take().map(|lesson| lesson.gone_to(number.unwrap_or(0) as usize));
            }),
            "close" if self.sheet.get_untracked() => self.close_sheet(),
            "close" => {
                self.lesson.set(None);
                self.hide.set(false);
                focus_later("main");
            }
            "at" => self.room_at.set(text),
            "room" => {
                if let Some(room) = Room::ALL.into_iter().find(|room| room.key() == text) {
                    self.enter(room, "");
                }
            }
            "run" => self.run_again(),
            "reveal" => self.hide.set(false),
            "notice" => self.notice.set(text),
            _ => {}
        }
    }

    /// Takes the sheet to print away.
    pub fn close_sheet(&self) {
        self.sheet.set(false);
        focus_later("main");
    }

    /// Begins a lesson at a step, from 0.
    pub(super) fn begin_lesson(&self, source: LessonSource, at: Option<u32>) {
        self.lesson.set(Some(Lesson::begun(source, at.unwrap_or(0) as usize)));
        self.new_entry.set(true);
        self.room.set(None);
    }

    /// Opens a document with what it is called and how it is to be looked at.
    pub(super) fn open_for_room(&self, text: &str) {
        let Ok(asked) = json::parse(text) else { return };
        let own = |key: &str| edit::get(&asked, &[key])?.as_str().map(str::to_owned);
        let mut view = edit::get(&asked, &["view"]).map(view_of).unwrap_or_default();
        view.hide = edit::get(&asked, &["hide"]).is_some_and(|hide| hide == true);
        let what = own("what").unwrap_or_default();
        if let Some(document) = own("document") {
            self.replace(document, view, &what);
        }
    }

    /// The report on the screen, line by line: the last one is whole.
    fn report_lines(&self) -> Vec<String> {
        if self.asks_part() {
            return self
                .trial
                .with(|trial| trial.as_ref().map(|trial| trial.lines.clone()))
                .unwrap_or_default();
        }
        self.shown.with(|shown| {
            let report = shown.as_ref().map(|shown| Report::Warps(Box::new(shown.report.clone())).line());
            report.into_iter().collect()
        })
    }

    /// The document the report on the screen is of.
    fn reported(&self) -> Option<String> {
        if self.asks_part() {
            return self.trial.with(|trial| trial.as_ref().map(|trial| trial.text.clone()));
        }
        self.shown.with(|shown| shown.as_ref().map(|shown| shown.text.clone()))
    }
}

/// Gives the focus to what will be there.
fn focus_later(id: &'static str) {
    request_animation_frame(move || keys::focus(id));
}
