//! Documents that workers read and parts of the page show: begin, stop, hear what is told, and hand it over.

use std::cell::Cell;

use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::crew::now;
use super::lazy::Place;
use super::search::refused;
use super::state::{App, Run, Trouble};
use crate::base::{Problem, StopReason};
use crate::draw::Theme;
use crate::import::json;
use crate::job::Weight;
use crate::page::pool::Heard;
use crate::page::trial::ToldOfPage;
use crate::page::{History, Part, Subject, Trial, edit, trial};
use crate::scenario::Question;
use crate::scenario::link::View;

impl App {
    /// Whether the document is one that a part of the page shows.
    pub(super) fn asks_part(&self) -> bool {
        self.read.with_untracked(|read| {
            read.as_ref().is_ok_and(|scenario| !matches!(scenario.question, Question::Warps(_)))
        })
    }

    /// What an edit means for the document that is run; true if the new text is taken care of.
    pub(super) fn edited_trial(&self) -> bool {
        let text = self.text.get_untracked();
        if self.read.with_untracked(Result::is_err) {
            return self.subject.get_untracked() != Subject::Warps;
        }
        if !self.asks_part() {
            self.leave_trial(); // what is judged stays, for whoever comes back to it
            return false;
        }
        self.stop_search();
        self.stop_proof();
        let same = self.tree.with_untracked(|tree| {
            let tree = tree.as_ref().ok()?;
            self.trial.with_untracked(|trial| Some(trial.as_ref()?.is_about(tree)))
        });
        let same = same.unwrap_or(false);
        let long = self.trial.with_untracked(|trial| trial.as_ref().is_some_and(Trial::is_long));
        let opened = self.asked.with_untracked(Option::is_some);
        if same {
            if self.trial.with_untracked(|trial| trial.as_ref().is_none_or(|trial| !self.runs_now(trial.job)))
            {
                self.halt_run();
                self.run.set(Run::Idle); // another document's, of which nothing was heard yet
            }
            self.change_trial(|trial| {
                trial.text = text;
                self.look_at(trial);
            });
            self.settle();
        } else if opened || !long {
            self.run_again();
        } else {
            self.halt_run();
            let (app, sent) = (*self, text.clone());
            let owner = move |_, heard| {
                if let Heard::Refused(problems) = heard {
                    app.turn_down(&sent, problems);
                }
            };
            self.runs.with_value(|runs| runs.check(text, owner));
        }
        true
    }

    fn runs_now(&self, job: u32) -> bool {
        matches!(self.run.get_untracked(), Run::Running(current, _) if current == job)
    }

    /// Stops judging, if anything is judged; what is known stays.
    fn leave_trial(&self) {
        let job = self
            .trial
            .with_untracked(|trial| trial.as_ref().filter(|trial| trial.runs()).map(|trial| trial.job));
        if let Some(job) = job {
            if self.runs_now(job) {
                self.halt_run();
                self.run.set(Run::Idle);
            }
            self.change_trial(|trial| trial.ended(StopReason::Cancelled, None));
        }
    }

    /// Has the document run. What is on the screen stays until there is something new.
    pub(super) fn begin_trial(&self) {
        self.leave_trial();
        let (app, text) = (*self, self.text.get_untracked());
        let sent = text.clone();
        let spent = Cell::new(0);
        let owner = move |job, heard| {
            if !app.runs_now(job) {
                return; // overtaken by another run
            }
            if let Heard::Worked(work) = heard {
                return spent.set(work);
            }
            let news = matches!(heard, Heard::News(_) | Heard::Done(_, Some(_)) | Heard::Progress(_));
            if news && app.trial.with_untracked(|trial| trial.as_ref().is_none_or(|trial| trial.job != job)) {
                let chosen = app.trial.with_untracked(|t| t.as_ref().filter(|t| t.text == sent)?.chosen);
                let mut trial = Trial::new(&sent, job);
                app.look_at(&mut trial);
                trial.chosen = chosen;
                app.trial.set(Some(trial));
            }
            app.trial.update_untracked(|trial| {
                if let Some(trial) = trial.as_mut().filter(|trial| trial.job == job) {
                    trial.worked(spent.get());
                }
            });
            app.heard_trial(job, &sent, heard);
        };
        let job = self.runs.with_value(|runs| runs.submit(Weight::Search, text, owner));
        self.run.set(Run::Running(job, None));
    }

    fn heard_trial(&self, job: u32, text: &str, heard: Heard) {
        match heard {
            Heard::Progress(progress) => {
                self.change_trial_of(job, |trial| trial.progressed(&progress));
                self.run.set(Run::Running(job, Some(progress)));
            }
            Heard::News(line) => {
                self.change_trial_of(job, |trial| trial.lines.push(line));
                self.settle();
            }
            Heard::Done(reason, line) => {
                self.run.set(Run::Idle);
                self.change_trial_of(job, |trial| trial.ended(reason, line));
                self.settle();
            }
            Heard::Refused(problems) => {
                self.run.set(Run::Idle);
                self.turn_down(text, problems);
            }
            Heard::Crashed(why) => {
                self.change_trial_of(job, |trial| trial.ended(StopReason::Cancelled, None));
                self.run.set(Run::Crashed(why));
            }
            Heard::Chain(..) | Heard::Worked(_) => {}
        }
    }

    /// Changes what is shown if it is of this job: one that is stopped before it has told anything says nothing of
    /// what was there before it.
    fn change_trial_of(&self, job: u32, change: impl FnOnce(&mut Trial)) {
        if self.trial.with_untracked(|trial| trial.as_ref().is_some_and(|trial| trial.job == job)) {
            self.change_trial(change);
        }
    }

    fn change_trial(&self, change: impl FnOnce(&mut Trial)) {
        self.trial.update(|trial| {
            if let Some(trial) = trial {
                change(trial);
            }
        });
    }

    /// What was opened is to be looked at in the view it was opened with.
    fn look_at(&self, trial: &mut Trial) {
        self.asked.with_untracked(|asked| {
            if let Some(opened) = asked {
                trial.look(&opened.view);
            }
        });
    }

    /// What was opened is on the screen.
    fn settle(&self) {
        if let Some(opened) = self.asked.try_update(Option::take).flatten() {
            self.notice.set(opened.what);
        }
    }

    /// A worker refused a text. Where it was opened from outside, what was there before comes back.
    pub(super) fn turn_down(&self, text: &str, problems: Vec<Problem>) {
        if self.text.with_untracked(|present| present != text) {
            return;
        }
        let opened = self.asked.try_update(Option::take).flatten();
        let source = opened.map(|opened| opened.source).unwrap_or_default();
        let present = text.to_owned();
        let before = if source.is_empty() {
            None
        } else {
            self.history.try_update(|history| History::undo(history, present)).flatten()
        };
        match before {
            Some(before) => {
                self.text.set(before);
                self.trouble.set(vec![Trouble { source, problems }]);
            }
            None => {
                self.notice.set(refused(&problems));
                self.refused.set(Some((text.to_owned(), problems)));
            }
        }
    }

    /// What the panel asks for, and for which cell.
    fn act(&self, what: &str, cell: Option<u32>, text: Option<String>) {
        match (what, text) {
            ("run", _) => self.run_again(),
            ("stop", _) => self.cancel(),
            ("open", Some(text)) => self.replace(text, Default::default(), "The schedule that proves it"),
            ("ask", Some(asked)) => self.open_for_room(&asked),
            ("order", Some(asked)) => self.open_in_order(&asked),
            ("edit", Some(text)) => self.edit(text, &format!("part {}", now())), // an undo of its own
            ("view", Some(text)) => {
                self.part_view.set(json::parse(&text).as_ref().map(view_of).unwrap_or_default());
            }
            ("notice", Some(text)) => self.notice.set(text),
            ("reveal", _) => self.hide.set(false),
            _ => self.change_trial(|trial| trial.chosen = cell.map(|cell| cell as usize)),
        }
    }

    /// Opens the document that was run with what it launches in another order.
    fn open_in_order(&self, asked: &str) {
        let text = self.trial.with_untracked(|trial| trial::in_order(&trial.as_ref()?.text, asked));
        match text {
            Some(text) => self.replace(
                text,
                View::default(),
                "In the other launch order; Undo brings the first one back",
            ),
            None => {
                self.notice.set("This document has no list that could be put into that order.".to_owned())
            }
        }
    }
}

/// What parts need to know of the page around them.
pub(super) fn told_of_page(app: App, theme: Theme) -> ToldOfPage {
    ToldOfPage {
        dark: theme == Theme::Dark,
        keys: app.keys.get(),
        embed: app.embed.get(),
        hide: app.hide.get(),
    }
}

/// How a part of the page looks at its document, as it tells.
pub(super) fn view_of(told: &serde_json::Value) -> View {
    let own = |key: &str| Some(edit::get(told, &[key])?.as_str()?.to_owned());
    let number = |key: &str| edit::get(told, &[key])?.as_f64();
    View {
        step: edit::get(told, &["step"]).and_then(serde_json::Value::as_u64),
        t0: number("t0"),
        t1: number("t1"),
        sel: own("sel"),
        rows: own("rows"),
        ..View::default()
    }
}

/// Where the panel of a document is that has a part of the page for itself.
#[component]
pub fn PartPanel(app: App, part: Part) -> impl IntoView {
    let host = NodeRef::<leptos::html::Div>::new();
    let act = Closure::<dyn Fn(String, Option<u32>, Option<String>)>::new(move |what: String, cell, text| {
        app.act(&what, cell, text);
    });
    let theme = expect_context::<Memo<Theme>>();
    let place = Place::new(part.module, part.panel, act.into_js_value().unchecked_into());
    // The lines as JavaScript has them: each is handed over once.
    let lines = StoredValue::new_local((0, js_sys::Array::new()));
    Effect::new(move |_| {
        let Some(host) = host.get() else { return };
        let wrong = app.read.with(Result::is_err);
        let told = app.trial.with(|trial| {
            let trial = trial.as_ref()?;
            lines.update_value(|(job, known)| {
                if *job != trial.job {
                    (*job, *known) = (trial.job, js_sys::Array::new());
                }
                for line in trial.lines.iter().skip(known.length() as usize) {
                    known.push(&line.into());
                }
            });
            let text = app.text.get();
            Some(app.tree.with(|tree| trial.told(&text, tree.as_ref().ok())))
        });
        let mut told = told.unwrap_or_default();
        told.wrong = wrong;
        told.document = matches!(app.subject.get(), Subject::Tasks | Subject::Chain).then(|| app.text.get());
        told.page = told_of_page(app, theme.get());
        if let Run::Running(job, _) = app.run.get()
            && job != told.job
        {
            (told.running, told.done, told.total) = (true, 0, 0); // nothing was heard of it yet
        }
        let known = lines.with_value(|(_, known)| known.clone());
        let told = serde_wasm_bindgen::to_value(&told).unwrap_or_default();
        place.show(&host, known.into(), told, &|| part.shows.to_owned());
    });
    view! { <div class="results" role="region" aria-label=part.label data-testid=part.panel node_ref=host></div> }
}

/// Where a form is that comes with a part of the page.
#[component]
pub fn LateForm(app: App, module: &'static str, form: &'static str) -> impl IntoView {
    let host = NodeRef::<leptos::html::Div>::new();
    let act =
        Closure::<dyn Fn(String, String)>::new(move |field: String, text: String| app.edit(text, &field));
    let place = Place::new(module, form, act.into_js_value().unchecked_into());
    Effect::new(move |_| {
        let Some(host) = host.get() else { return };
        let problems = serde_wasm_bindgen::to_value(&app.problems()).unwrap_or_default();
        place.show(&host, app.text.get().into(), problems, &|| " a part of the form. JSON works.".to_owned());
    });
    view! { <div class="form" node_ref=host></div> }
}
