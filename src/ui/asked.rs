//! What the page does when one of its parts asks for something.

use js_sys::Array;
use leptos::prelude::*;
use ui_kit::mounted::put;
use wasm_bindgen::JsValue;

use super::certificate::certify;
use super::keys;
use super::state::App;
use crate::draw::gantt::{Differs, Lit};
use crate::job::Weight;
use crate::page::adopt::adopted;
use crate::page::parts::{self, Adopted, JobNews};
use crate::page::rooms::ToOpen;
use crate::page::trial::InOrder;
use crate::page::{Ask, Edited, Lesson, pool, trial};
use crate::scenario::link::{LessonSource, View};

/// The jobs of a part: they run beside whatever is on the page, and end with the place the part is in.
#[derive(Clone, Copy)]
pub(super) struct Jobs {
    /// What was heard of them, as [`JobNews`]: the list grows.
    pub(super) heard: RwSignal<Array, LocalStorage>,
    /// The part's number of each, and the page's.
    running: StoredValue<Vec<(u32, u32)>>,
    /// The page's number of the one that writes a certificate.
    certificate: RwSignal<Option<u32>>,
}

impl Jobs {
    /// None so far.
    pub(super) fn new() -> Self {
        Self {
            heard: RwSignal::new_local(Array::new()),
            running: StoredValue::default(),
            certificate: RwSignal::new(None),
        }
    }

    fn start(self, app: App, number: u32, text: String) {
        let owner = move |_, heard: pool::Heard| {
            let what = match heard {
                pool::Heard::Progress(progress) => {
                    parts::Heard::Progress { done: progress.done, total: progress.total }
                }
                pool::Heard::Done(_, line) => parts::Heard::Report(line),
                pool::Heard::Refused(problems) => parts::Heard::Refused(problems),
                pool::Heard::Crashed(why) => parts::Heard::Crashed(why),
                // The whole report says it again.
                pool::Heard::News(_) | pool::Heard::Chain(..) | pool::Heard::Worked(_) => return,
            };
            // Plain data: turning them into JavaScript values cannot fail.
            let entry: JsValue = serde_wasm_bindgen::to_value(&JobNews { number, what }).unwrap_or_default();
            // The room may have been left.
            let _ = self.heard.try_update(|heard| heard.push(&entry));
        };
        let job = app.runs.with_value(|runs| runs.submit(Weight::Search, text, owner));
        self.running.update_value(|running| running.push((number, job)));
    }

    /// Stops the job of a number, or all of them.
    pub(super) fn cancel(self, app: App, which: Option<u32>) {
        if let Some(job) = which.is_none().then(|| self.certificate.try_get_untracked().flatten()).flatten() {
            app.runs.with_value(|runs| runs.cancel(job));
        }
        let _ = self.running.try_update_value(|running| {
            running.retain(|&(number, job)| {
                let ends = which.is_none_or(|which| which == number);
                if ends {
                    app.runs.with_value(|runs| runs.cancel(job));
                }
                !ends
            });
        });
    }
}

impl App {
    /// Does what a part asks for; `jobs` are those of its place.
    pub(super) fn answer(&self, ask: Ask, jobs: Jobs) {
        match ask {
            Ask::Run => self.run_again(),
            Ask::Stop => self.cancel(),
            Ask::Reveal => self.hide.set(false),
            Ask::Notice(said) => self.notice.set(said),
            Ask::Open(asked) => self.open_for_part(asked),
            Ask::Reorder(order) => self.open_in_order(&order),
            Ask::Edit { text, edited } => self.edit(text, edited),
            Ask::Adopt(what) => self.adopt(what),
            Ask::View(looked) => {
                if looked.pin.is_some() {
                    put(self.part_pin, None);
                }
                self.part_view.set(looked.view());
            }
            Ask::Mended(found) => self.mended(found),
            Ask::Choose(warp, instruction) => keys::choose(*self, (warp, instruction)),
            Ask::Light(instructions) => put(self.lit, Lit::instructions(instructions)),
            Ask::Sought(instructions) => put(self.sought, Lit::instructions(instructions)),
            Ask::Differ { here, beneath, alone } => {
                let alone = [alone.0.into(), alone.1.into()];
                put(self.differs, Differs { here: here.into(), beneath: beneath.into(), alone });
            }
            Ask::Cycle(cycle) => {
                put(self.ranged, None);
                self.range.set(Some((cycle, cycle)));
                let cycle = f64::from(cycle);
                self.window.update(|window| *window = window.revealing(cycle - 1.0, cycle));
            }
            Ask::Cell(cell) => self.change_trial(|trial| trial.chosen = Some(cell)),
            Ask::Select(improvement) => self.choose(improvement),
            Ask::Job { number, text } => jobs.start(*self, number, text),
            Ask::Cancel(number) => jobs.cancel(*self, Some(number)),
            Ask::Certify { text, title } => certify(*self, jobs.certificate, text, title),
            Ask::Lesson { source, at } => self.begin_lesson(source, at),
            Ask::Step(at) => {
                self.lesson.update(|lesson| *lesson = lesson.take().map(|lesson| lesson.gone_to(at)));
            }
            Ask::CloseLesson => {
                self.lesson.set(None);
                self.hide.set(false);
                window().scroll_to_with_x_and_y(0.0, 0.0);
                focus_later("main");
            }
            Ask::Lab(lab) => self.visit(lab),
            Ask::Sheet => self.sheet.set(true),
            Ask::CloseSheet => self.close_sheet(),
            Ask::Room(room, at) => self.enter(room, &at),
        }
    }

    /// Opens a document with what it is called and how it is to be looked at.
    fn open_for_part(&self, asked: ToOpen) {
        self.leave_document();
        let view = View { hide: asked.hide, ..asked.view.view() };
        self.replace(asked.document, view, &asked.what);
    }

    /// Writes something of what is on the screen into the document.
    fn adopt(&self, what: Adopted) {
        let shown = self.shown.get_untracked();
        self.edit_tree(Edited::Once, |tree| self.of_warps(|own| adopted(tree, own, shown.as_deref(), what)));
    }

    /// Opens the document that was run with what it launches in another order.
    fn open_in_order(&self, order: &InOrder) {
        let text = self.trial.with_untracked(|trial| trial::in_order(trial.as_ref()?.text(), order));
        match text {
            Some(text) => {
                window().scroll_to_with_x_and_y(0.0, 0.0); // to the picture that changes
                self.replace(
                    text,
                    View::default(),
                    "In the other launch order; Undo brings the first one back",
                );
            }
            None => {
                self.notice.set("This document has no list that could be put into that order.".to_owned());
            }
        }
    }

    /// Begins a lesson at a step, from 0.
    pub(super) fn begin_lesson(&self, source: LessonSource, at: usize) {
        self.lesson.set(Some(Lesson::begun(source, at)));
        self.new_entry.set(true);
        self.room.set(None);
    }

    /// Takes the sheet to print away.
    pub fn close_sheet(&self) {
        self.sheet.set(false);
        // Back to what opened it, where that is to be seen.
        request_animation_frame(|| {
            ui_kit::keys::focus("teach");
            if ui_kit::keys::has_none() {
                ui_kit::keys::focus("main");
            }
        });
    }
}

/// Gives the focus to what will be there.
fn focus_later(id: &'static str) {
    request_animation_frame(move || ui_kit::keys::focus(id));
}
