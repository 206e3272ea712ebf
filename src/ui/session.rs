//! What happens on the page, told to the state machine of `src/page/session.rs`, and what that says carried out.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;

use super::search::refused;
use super::state::{App, Run};
use crate::base::{Problem, StopReason, people};
use crate::job::Weight;
use crate::page::opened::Trouble;
use crate::page::pool::Heard;
use crate::page::search::Phase;
use crate::page::session::{Action, Asks, Document, Event, Kin, Known, Pace, Question, Session, Standing};
use crate::page::shown::selection_text;
use crate::page::{Search, Shown, Trial};
use crate::scenario::WarpsScenario;
use crate::scenario::link::View;
use workers::runs;

/// So long after a key was pressed nobody types any more.
const SETTLE: Duration = Duration::from_millis(250);

impl App {
    /// The text has changed: what that means is done.
    pub fn run_if_new(&self) {
        let typing = self.typed.try_update_value(std::mem::take).unwrap_or(false);
        let text = self.text.get_untracked();
        let tree = self.tree.get_untracked().ok();
        let document = Document {
            question: Question::of(&text, tree.as_ref()),
            asks: self.read.with_untracked(Asks::of),
        };
        self.happened(Event::Came { document, typing });
    }

    /// Runs the scenario if it is valid, whatever is shown.
    pub fn run_again(&self) {
        self.happened(Event::Again);
    }

    /// Stops whatever runs here.
    pub fn cancel(&self) {
        self.happened(Event::Cancelled);
    }

    /// Whether something runs that Esc would stop.
    pub fn is_running(&self) -> bool {
        let (chains_rest, exact_rests) =
            self.session.with_value(|session| (session.chains_rest(), session.exact_rests()));
        let chains = self.search.with_untracked(|search| search.as_ref().map(pace_of));
        matches!(self.run.get_untracked(), Run::Running(..))
            || !chains_rest && chains.is_some_and(|pace| pace != Pace::Ended)
            || !exact_rests && self.is_proving()
    }

    /// Tells the state machine, and does what it says.
    pub(super) fn happened(&self, event: Event) {
        let known = self.known();
        let todo = self.session.try_update_value(|session: &mut Session| session.hear(event, &known));
        for action in todo.unwrap_or_default() {
            self.act(action);
        }
    }

    /// How everything stands.
    fn known(&self) -> Known {
        let kin = |own: bool| if own { Kin::Own } else { Kin::Other };
        let chains = self.of_warps(|warps| {
            self.search.with_untracked(|search| {
                let search = search.as_ref()?;
                let own = warps.is_some_and(|warps| search.takes(warps));
                Some(Standing { kin: kin(own), pace: pace_of(search) })
            })
        });
        let exact = self.of_warps(|warps| {
            self.proof.with_untracked(|proof| {
                let proof = proof.as_ref()?;
                let kin = match warps {
                    Some(warps) if proof.is_of(warps) => Kin::Own,
                    Some(warps) if proof.is_about(warps) => Kin::Beside,
                    _ => Kin::Other,
                };
                let pace = match (proof.runs(), proof.job()) {
                    (true, _) => Pace::Runs,
                    (false, Some(_)) => Pace::Paused,
                    (false, None) => Pace::Ended,
                };
                Some(Standing { kin, pace })
            })
        });
        let remembered = self.of_warps(|warps| {
            let warps = warps?;
            let own = self.proofs.with_value(|proofs| proofs.about(warps).map(|proof| proof.is_of(warps)))?;
            Some(if own { Kin::Own } else { Kin::Beside })
        });
        let trial = self.tree.with_untracked(|tree| {
            self.trial.with_untracked(|trial| {
                let trial = trial.as_ref()?;
                let own = tree.as_ref().is_ok_and(|tree| trial.is_about(tree));
                let pace = if trial.runs() { Pace::Runs } else { Pace::Ended };
                Some(Standing { kin: kin(own), pace })
            })
        });
        let nothing = self.shown.with_untracked(Option::is_none) && trial.is_none();
        Known {
            opened: nothing || self.asked.with_untracked(Option::is_some),
            running: matches!(self.run.get_untracked(), Run::Running(..)),
            chains,
            exact,
            remembered,
            trial,
            long: self.trial.with_untracked(|trial| trial.as_ref().is_some_and(Trial::is_long)),
        }
    }

    /// Asks something of what the document asks about warps, if it does.
    pub(super) fn of_warps<T>(&self, ask: impl FnOnce(Option<&WarpsScenario>) -> T) -> T {
        self.read.with_untracked(|read| ask(read.as_ref().ok().and_then(|read| read.asked())))
    }

    fn act(&self, action: Action) {
        match action {
            Action::Settle => self.settle_later(),
            Action::Start(weight) => self.start(weight),
            Action::StopRun => self.stop_run(),
            Action::DropRun => {
                self.stop_run();
                self.run.set(Run::Idle);
            }
            Action::ShowAgain => self.show_again(),
            Action::StartChains => self.begin_search(),
            Action::KeepChains => self.keep_search(),
            Action::RestChains => self.halt(Phase::Paused),
            Action::ResumeChains => self.resume_search(),
            Action::StopChains => self.stop_search(),
            Action::StartExact => self.begin_proof(),
            Action::KeepExact => self.keep_proof(),
            Action::RestExact => self.pause_proof(),
            Action::ResumeExact => self.resume_proof(),
            Action::StopExact => self.stop_proof(),
            Action::DropExact => {
                self.stop_proof();
                self.remember_proof();
            }
            Action::RecallExact => self.recall_proof(),
            Action::StartTrial => self.begin_trial(),
            Action::KeepTrial => self.keep_trial(),
            Action::LeaveTrial => self.leave_trial(),
            Action::Check => self.check(),
            // Whoever tells of a result or a refusal does these, having both at hand.
            Action::Show | Action::SayStopped | Action::PutBack | Action::Mark => {}
        }
    }

    fn settle_later(&self) {
        let app = *self;
        if let Some(earlier) = self.settling.get_value() {
            earlier.clear();
        }
        let timer = set_timeout_with_handle(move || app.happened(Event::Settled), SETTLE);
        self.settling.set_value(timer.ok());
    }

    fn start(&self, weight: Weight) {
        let app = *self;
        let text = match weight {
            Weight::Quick => self.walked(),
            Weight::Search => self.text.get_untracked(),
        };
        let Some(question) = self.question() else { return };
        let owner = move |job, heard| app.heard(job, &question, heard);
        let job = self.runs.with_value(|runs| runs.submit(weight, text, owner));
        self.run.set(Run::Running(job, None));
    }

    fn stop_run(&self) {
        if let Run::Running(job, _) = self.run.get_untracked() {
            self.runs.with_value(|runs| runs.cancel(job));
        }
    }

    /// What the document on the page asks.
    pub(super) fn question(&self) -> Option<Question> {
        self.session.with_value(Session::question)
    }

    fn heard(&self, job: u32, question: &Question, heard: Heard) {
        if !matches!(self.run.get_untracked(), Run::Running(current, _) if current == job) {
            return; // an older run, overtaken by this one
        }
        match heard {
            Heard::Progress(progress) => self.run.set(Run::Running(job, Some(progress))),
            Heard::Worked(_) => {}
            Heard::Done(StopReason::Done | StopReason::Cancelled, report) => {
                self.run.set(Run::Idle);
                let result = report.is_some();
                match (self.follows(Event::Finished { question: question.clone(), result }), report) {
                    (Some(Action::Show), Some(report)) => self.show_report(&report),
                    (Some(_), _) => self.run.set(Run::Stopped),
                    (None, _) => {}
                }
            }
            Heard::Done(..) | Heard::Chain(..) | Heard::News(_) => self.run.set(Run::Stopped),
            Heard::Refused(problems) => {
                self.run.set(Run::Idle);
                self.turn_down(question, problems);
            }
            Heard::Crashed(why) => self.run.set(Run::Crashed(why)),
        }
    }

    /// Tells the state machine of what one thing at the most follows from, which whoever asks does.
    fn follows(&self, event: Event) -> Option<Action> {
        let known = self.known();
        self.session.try_update_value(|session: &mut Session| session.hear(event, &known))?.pop()
    }

    fn show_report(&self, report: &str) {
        let text = self.text.get_untracked();
        let read = self.read.with_untracked(|read| read.as_ref().ok().cloned());
        match read.and_then(|read| Shown::made(&text, read, report)) {
            Some(shown) => self.show(Arc::new(shown)),
            None => self.run.set(Run::Crashed("the worker's report does not fit the scenario".to_owned())),
        }
    }

    /// Shows what is shown under the document's name, in the view that was asked for if one was.
    fn show_again(&self) {
        let text = self.text.get_untracked();
        let opened = self.asked.with_untracked(Option::is_some);
        let Some(shown) = self.shown.get_untracked().filter(|shown| opened || shown.text != text) else {
            return;
        };
        let retold =
            self.read.with_untracked(|read| read.as_ref().ok().map(|read| shown.retold(&text, read)));
        if let Some(retold) = retold {
            self.show(Arc::new(retold));
        }
    }

    /// Puts a result on the screen: what was opened in the view asked for, what was edited in the present one.
    pub(super) fn show(&self, shown: Arc<Shown>) {
        let answer = self.text.with_untracked(|text| *text == shown.text);
        let before = self.shown.get_untracked();
        let first = before.is_none();
        let makespan = people::counted(shown.report.makespan as usize, "cycle");
        // Effects run after this task: changes made together are seen together.
        match self.asked.try_update(|asked| asked.take_if(|_| answer)).flatten() {
            Some(opened) => {
                self.look(&shown, &opened.view);
                // What is to be found out is not told.
                let secret = opened.view.hide || self.lesson.with_untracked(Option::is_some);
                let takes = if secret { String::new() } else { format!(". Makespan {makespan}") };
                self.heard.set(format!("{}{takes}", opened.what));
            }
            None => {
                // A new title does not move the picture; a new schedule starts from the whole of it, but for another
                // order of the same.
                if before
                    .as_ref()
                    .is_none_or(|before| before.schedule != shown.schedule || before.order != shown.order)
                {
                    let sel = self.selected.get_untracked().map(selection_text);
                    let rows = Some(self.rows.get_untracked().name().to_owned());
                    let goes_on = before.is_some_and(|before| shown.is_reordered(&before));
                    let (player, window) = (self.player.get_untracked(), self.window.get_untracked());
                    let step = (goes_on && !player.is_at_end()).then_some(player.step as u64);
                    let edges = (goes_on && !window.is_whole()).then_some((window.t0, window.t1));
                    let (t0, t1) = edges.unzip();
                    self.look(&shown, &View { sel, rows, step, t0, t1, ..View::default() });
                }
                if !first && !self.hide.get_untracked() {
                    self.heard.set(format!("Makespan {makespan}"));
                }
            }
        }
        if first {
            runs::prefetch_search();
        }
        self.shown.set(Some(shown));
        self.session.update_value(|session| {
            session.hear(Event::Shown { answer }, &Known::default());
        });
    }

    /// A worker refused a text. Where it was opened from outside, what was there before comes back.
    pub(super) fn turn_down(&self, question: &Question, problems: Vec<Problem>) {
        let outside = self.asked.with_untracked(|asked| asked.as_ref().is_some_and(|o| !o.source.is_empty()));
        match self.follows(Event::Refused { question: question.clone(), outside }) {
            Some(Action::PutBack) => self.put_back(problems),
            Some(_) => self.mark(problems),
            None => {}
        }
    }

    /// What was there before comes back, and what is wrong is told.
    pub(super) fn put_back(&self, problems: Vec<Problem>) {
        let present = self.text.get_untracked();
        let before = self.history.try_update(|history| history.undo(present)).flatten();
        let Some(before) = before else { return self.mark(problems) };
        let opened = self.asked.try_update(Option::take).flatten();
        let source = opened.map(|opened| opened.source).unwrap_or_default();
        self.text.set(before);
        self.trouble.update(|troubles| troubles.push(Trouble::new(&source, problems)));
    }

    fn mark(&self, problems: Vec<Problem>) {
        self.asked.set(None);
        if self.folded.get_untracked() {
            self.notice.set(refused(&problems)); // else they stand beneath the form
        }
        self.refused.set(Some((self.text.get_untracked(), problems)));
    }
}

/// What chains are doing.
fn pace_of(search: &Search) -> Pace {
    match search.phase() {
        Phase::Running => Pace::Runs,
        Phase::Paused => Pace::Paused,
        Phase::Stopped | Phase::Over => Pace::Ended,
    }
}
