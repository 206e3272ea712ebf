//! What can be done at a step: answering, being shown, beginning anew, going on, sharing it.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::Value;
use wasm_bindgen_futures::JsFuture;

use super::Desk;
use classroom::lesson::question::Verdict;
use kit::import::json;
use kit::page::told::Looked;
use kit::page::told::ToOpen;
use kit::page::{Ask, Room, Subject};
use kit::scenario::link;
use kit::scenario::link::{LessonSource, View};

impl Desk {
    /// What an answer is worth, once that can be said.
    pub(in super::super) fn verdict(self, answer: &str) -> Option<Verdict> {
        self.report.track();
        self.visit.with(|visit| {
            let told = self.told.get();
            let question = self.question()?;
            self.standing(&told, None, |standing| Some(question.verdict(answer, &visit.seen(standing))))
        })
    }

    /// Gives an answer; a wrong one brings the hint.
    pub(in super::super) fn answer(self, answer: String) {
        if answer.trim().is_empty() {
            return;
        }
        if untrack(|| self.verdict(&answer)) == Some(Verdict::Wrong) {
            self.hinted.set(true);
        }
        self.answered.set(Some(answer));
    }

    /// Does what the step asks for.
    pub(in super::super) fn show_me(self) {
        let Some(step) = self.step_at(self.now(), Clone::clone) else { return };
        let solution = &step.solution;
        if solution.opens.is_some() || !solution.set.is_empty() || solution.view.is_some() {
            let begun = self.visit.with_untracked(|visit| visit.start.document.clone());
            let view = solution.view.as_ref().unwrap_or(&step.view);
            let asked = ToOpen {
                document: json::pretty(&solution.document(&begun)),
                view: Looked::of(view),
                hide: false,
                what: "Shown; Undo brings back what was there".to_owned(),
            };
            self.page.ask(Ask::Open(asked));
        }
        if step.hide {
            self.page.ask(Ask::Reveal);
        }
        self.tell.set(true);
    }

    /// Changes the document by the control of a number: what is done with one without a pause is one undo.
    pub(in super::super) fn turn(self, control: usize, change: impl FnOnce(&Value) -> Value) {
        let text = json::pretty(&untrack(|| self.with_document(change)));
        let field = format!("lesson {} control {control}", self.now());
        self.page.ask(Ask::Edit { text, edited: field.as_str().into() });
    }

    /// Begins the step anew.
    pub(in super::super) fn again(self) {
        let at = self.now();
        self.done.update(|done| {
            done.remove(&at);
        });
        self.keep();
        self.go(at);
    }

    /// Which step, when someone does something.
    fn now(self) -> usize {
        untrack(move || self.at())
    }

    /// Goes to the step before, if there is one.
    pub(in super::super) fn back(self) {
        self.go(self.now().saturating_sub(1));
    }

    /// Goes to the next step, or back to the list after the last.
    pub(in super::super) fn onward(self) {
        let next = self.now() + 1;
        if next < untrack(move || self.steps()) { self.go(next) } else { self.leave() }
    }

    /// Goes to a step.
    pub(in super::super) fn go(self, at: usize) {
        self.page.ask(Ask::Step(at));
    }

    /// The lab that the step is about, while another one is on the screen: the lesson waits there.
    pub(in super::super) fn away(self) -> Option<Subject> {
        let at = self.at();
        let about = self.lesson.with(|lesson| match lesson {
            Some(Ok(lesson)) => lesson.document(at).as_ref().and_then(Subject::of),
            _ => None,
        })?;
        let here = self.with_document(Subject::of)?.lab();
        // What a step opens takes a moment to come.
        (self.is_there() && here != about.lab()).then(|| about.lab())
    }

    /// Goes back to the list of lessons.
    pub(in super::super) fn leave(self) {
        self.page.ask(Ask::CloseLesson);
        self.page.ask(Ask::Room(Room::Lessons, String::new()));
    }

    /// Puts a link to this step on the clipboard.
    pub(in super::super) fn copy_link(self) {
        let Some(fragment) = self.fragment() else {
            return self.page.notice("This lesson is too large for a link; share its file.");
        };
        let location = window().location();
        let address = location.origin().ok().zip(location.pathname().ok());
        let Some(address) = address.map(|(origin, path)| format!("{origin}{path}")) else { return };
        let page = self.page;
        spawn_local(async move {
            let clipboard = window().navigator().clipboard();
            let copied = !clipboard.is_undefined()
                && JsFuture::from(clipboard.write_text(&format!("{address}#{fragment}"))).await.is_ok();
            page.notice(match copied {
                true => "Link to this step copied",
                false => "The browser does not let the page copy; the address bar holds a link.",
            });
        });
    }

    /// The part of a link to this step after `#`. An own lesson travels with it, packed.
    fn fragment(self) -> Option<String> {
        let at = self.now();
        match self.told.with_untracked(|told| told.source.clone()) {
            LessonSource::Named(name) if at == 0 => Some(format!("lesson={name}")),
            LessonSource::Named(name) => Some(format!("lesson={name}/{}", at + 1)),
            own => {
                let (tree, step) = self.lesson.with_untracked(|lesson| {
                    let lesson = lesson.as_ref()?.as_ref().ok()?;
                    Some((lesson.document(at)?, lesson.steps.get(at)?.clone()))
                })?;
                let view = View { hide: step.hide, lesson: Some(own), at: Some(at as u64 + 1), ..step.view };
                link::write(&tree, &view).ok()
            }
        }
    }
}
