//! Documents that workers read and parts of the page show: begin, stop, and hear what is told.

use std::cell::Cell;

use leptos::prelude::*;

use super::state::{App, Run};
use crate::base::StopReason;
use crate::job::Weight;
use crate::page::pool::Heard;
use crate::page::session::{Asks, Question};
use crate::page::{Subject, Trial};

impl App {
    /// Whether the document is one that a part of the page shows.
    pub(super) fn asks_part(&self) -> bool {
        self.read.with_untracked(|read| Asks::of(read) == Asks::Part)
    }

    /// Gives what the part shows the document, which asks the same.
    pub(super) fn keep_trial(&self) {
        let text = self.text.get_untracked();
        let tree = self.tree.get_untracked().ok();
        self.change_trial(|trial| {
            trial.keep(text, tree.as_ref());
            self.look_at(trial);
        });
        self.settle();
    }

    /// Has a worker say whether the document is one.
    pub(super) fn check(&self) {
        let (app, text) = (*self, self.text.get_untracked());
        let Some(question) = self.question() else { return };
        let owner = move |_, heard| {
            if let Heard::Refused(problems) = heard {
                app.turn_down(&question, problems);
            }
        };
        self.runs.with_value(|runs| runs.check(text, owner));
    }

    fn runs_now(&self, job: u32) -> bool {
        matches!(self.run.get_untracked(), Run::Running(current, _) if current == job)
    }

    /// Stops judging, if anything is judged; what is known stays.
    pub(super) fn leave_trial(&self) {
        let job = self
            .trial
            .with_untracked(|trial| trial.as_ref().filter(|trial| trial.runs()).map(|trial| trial.job));
        if let Some(job) = job {
            if self.runs_now(job) {
                self.runs.with_value(|runs| runs.cancel(job));
                self.run.set(Run::Idle);
            }
            self.change_trial(|trial| trial.ended(StopReason::Cancelled, None));
        }
    }

    /// Has the document run. What is on the screen stays until there is something new.
    pub(super) fn begin_trial(&self) {
        self.leave_trial();
        let (app, text) = (*self, self.text.get_untracked());
        let (sent, tree) = (text.clone(), self.tree.get_untracked().ok());
        let Some(question) = self.question() else { return };
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
                let chosen = app.trial.with_untracked(|t| t.as_ref().filter(|t| t.text() == sent)?.chosen);
                // It may be called otherwise by now.
                let same = app.session.with_value(|session| session.asks_for(&question));
                let text = if same { app.text.get_untracked() } else { sent.clone() };
                let tree = if same { app.tree.get_untracked().ok() } else { tree.clone() };
                let mut trial = Trial::new(&text, tree.as_ref(), job);
                app.look_at(&mut trial);
                trial.chosen = chosen;
                app.trial.set(Some(trial));
            }
            app.trial.update_untracked(|trial| {
                if let Some(trial) = trial.as_mut().filter(|trial| trial.job == job) {
                    trial.worked(spent.get());
                }
            });
            app.heard_trial(job, &question, heard);
        };
        let job = self.runs.with_value(|runs| match self.subject.get_untracked() {
            // Of a study its panel is told what there is to compute; that it has computed when someone asks.
            Subject::Study => runs.plan(text, owner),
            _ => runs.submit(Weight::Search, text, owner),
        });
        self.run.set(Run::Running(job, None));
    }

    fn heard_trial(&self, job: u32, question: &Question, heard: Heard) {
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
                self.turn_down(question, problems);
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

    pub(super) fn change_trial(&self, change: impl FnOnce(&mut Trial)) {
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
            self.heard.set(opened.what);
        }
    }
}
