//! What an edit, an opened document, a finished run and a cancellation mean, as a state machine: what happened goes in,
//! what to do comes out.
//!
//! A question is a document without its title and notes. Four rules hold for all that runs, is searched or is shown:
//!
//! - It answers a question, and documents that ask the same keep it, whatever they are called.
//! - A run's answer is shown only while its question is on the page.
//! - A search whose question goes because another document was opened is laid aside. It goes on when the question comes
//!   back. An edit to another question ends it: what it found is of use, that it goes on is not. So what the last few
//!   exact searches have proven is remembered, and stands again when their question comes back.
//! - Nothing begins while someone types.
//!
//! The browser's side, which has the texts, the searches and the clock, is in `src/ui/session.rs`.

use std::sync::Arc;

use serde_json::Value;

use crate::base::Problem;
use crate::job::{Weight, weight};
use crate::scenario::programs::Unwalked;
use crate::scenario::{Method, Scenario, WarpsScenario};

/// What a document asks, whatever it is called.
#[derive(Debug, Clone, PartialEq)]
pub struct Question(Arc<Value>);

impl Question {
    /// What a text asks that stands for a tree; one that does not is its own question.
    pub fn of(text: &str, tree: Option<&Value>) -> Self {
        let mut asked = tree.filter(|tree| tree.is_object()).cloned();
        if let Some(map) = asked.as_mut().and_then(Value::as_object_mut) {
            map.shift_remove("title");
            map.shift_remove("notes");
        }
        Self(Arc::new(asked.unwrap_or_else(|| Value::from(text))))
    }
}

/// What is to be done for a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// Nothing: there are mistakes in it.
    Nothing,
    /// One run of so much work, which ends in a schedule.
    Schedule(Weight),
    /// A search by chains, which the page itself deals out.
    Chains,
    /// The exact search.
    Exact,
    /// A run that a part of the page shows.
    Part,
}

impl Asks {
    /// What is to be done for what was read.
    pub fn of(read: &Result<Scenario, Vec<Problem>>) -> Self {
        let Ok(scenario) = read else { return Self::Nothing };
        match scenario.asked::<WarpsScenario>() {
            // The page hears of it again, once its program can be read.
            None if scenario.asked::<Unwalked>().is_some() => Self::Nothing,
            None => Self::Part,
            Some(warps) if warps.anneals() => Self::Chains,
            Some(warps) if matches!(warps.method, Method::Exact(_)) => Self::Exact,
            Some(_) => Self::Schedule(weight(scenario)),
        }
    }
}

/// The document on the page.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// What it asks.
    pub question: Question,
    /// What is to be done for it.
    pub asks: Asks,
}

/// Whose a search or a result is, seen from the document on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kin {
    /// The document's own: there is something to show or to go on with.
    Own,
    /// It is about the same thing, and stands beside what the document asks for.
    Beside,
    /// Another document's.
    Other,
}

/// What a search is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// It runs.
    Runs,
    /// It could go on.
    Paused,
    /// It has ended.
    Ended,
}

/// How a search stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Whose it is.
    pub kin: Kin,
    /// What it is doing.
    pub pace: Pace,
}

/// How everything stands that the page itself keeps.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Known {
    /// Whether something was opened that is not on the screen yet, or nothing is.
    pub opened: bool,
    /// Whether a run is under way.
    pub running: bool,
    /// The chains.
    pub chains: Option<Standing>,
    /// The exact search.
    pub exact: Option<Standing>,
    /// Whose an ended exact search is that is remembered, if it is about the document.
    pub remembered: Option<Kin>,
    /// What a part of the page shows.
    pub trial: Option<Standing>,
    /// Whether that took so long that nobody wants it again with every edit.
    pub long: bool,
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A document has come.
    Came {
        /// Which one.
        document: Document,
        /// Whether someone types it and may type on.
        typing: bool,
    },
    /// Whoever typed has paused.
    Settled,
    /// Something has come to the screen.
    Shown {
        /// Whether it answers the document on the page.
        answer: bool,
    },
    /// A run has ended.
    Finished {
        /// What it answers.
        question: Question,
        /// Whether it has a result.
        result: bool,
    },
    /// A worker takes a document for none.
    Refused {
        /// What that asks.
        question: Question,
        /// Whether it was opened from outside.
        outside: bool,
    },
    /// Someone wants all that runs here to stop.
    Cancelled,
    /// Someone wants the document run again.
    Again,
    /// Someone wants the worst case of what the document is about.
    Sought,
}

/// What the browser's side has to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Say [`Event::Settled`] in a moment, unless something else comes.
    Settle,
    /// Have the document run.
    Start(Weight),
    /// Ask the run to stop and to tell what it has.
    StopRun,
    /// Forget the run.
    DropRun,
    /// Show what the run has come to.
    Show,
    /// Say that the run has stopped without a result.
    SayStopped,
    /// Show what is shown under the document's name, and as it was opened.
    ShowAgain,
    /// Begin the document's chains.
    StartChains,
    /// Give the chains the document, which asks for them or for more of them, and show what they have found.
    KeepChains,
    /// Lay the chains aside.
    RestChains,
    /// Let the chains go on.
    ResumeChains,
    /// Stop the chains; what they found stays.
    StopChains,
    /// Begin the exact search.
    StartExact,
    /// Give the exact search the document, and show what it has found if the document asks for just that.
    KeepExact,
    /// Lay the exact search aside.
    RestExact,
    /// Let the exact search go on.
    ResumeExact,
    /// Stop the exact search; what it has proven stays.
    StopExact,
    /// Stop the exact search and forget it.
    DropExact,
    /// Take the remembered exact search about the document in the place of the present one.
    RecallExact,
    /// Have a worker run the document for a part of the page.
    StartTrial,
    /// Give what the part shows the document.
    KeepTrial,
    /// Stop the run of the part; what was told stays.
    LeaveTrial,
    /// Have a worker say whether the document is one.
    Check,
    /// Put back what was on the page before, and tell what is wrong.
    PutBack,
    /// Say what is wrong with the document.
    Mark,
}

/// What the page is about, and what for.
#[derive(Debug, Default)]
pub struct Session {
    document: Option<Document>,
    /// What the run under way answers, or the last one did.
    run: Option<Question>,
    /// What is on the screen answers this.
    shown: Option<Question>,
    /// Whether someone types.
    settling: bool,
    /// Whether the chains were laid aside while they ran.
    chains_rest: bool,
    /// Likewise, of the exact search.
    exact_rests: bool,
}

impl Session {
    /// Something happened while everything stands like this.
    pub fn hear(&mut self, event: Event, known: &Known) -> Vec<Action> {
        match event {
            Event::Came { document, typing } => {
                let same = self.asks_for(&document.question);
                self.document = Some(document);
                if typing && (self.settling || !same) {
                    self.settling = true;
                    return vec![Action::Settle];
                }
                self.settling = false;
                self.arrive(known)
            }
            Event::Settled if self.settling => {
                self.settling = false;
                self.arrive(known)
            }
            Event::Settled => Vec::new(),
            Event::Shown { answer } => {
                let question = self.document.as_ref().map(|document| document.question.clone());
                self.shown = question.filter(|_| answer);
                Vec::new()
            }
            Event::Finished { question, result } => {
                if !self.asks_for(&question) {
                    return Vec::new();
                }
                vec![if result { Action::Show } else { Action::SayStopped }]
            }
            Event::Refused { question, .. } if !self.asks_for(&question) => Vec::new(),
            Event::Refused { outside: true, .. } => vec![Action::PutBack],
            Event::Refused { outside: false, .. } => vec![Action::Mark],
            Event::Cancelled => self.cancelled(known),
            Event::Again => self.again(known),
            Event::Sought => vec![self.noted(Action::StartExact)],
        }
    }

    /// What the document on the page asks.
    pub fn question(&self) -> Option<Question> {
        self.document.as_ref().map(|document| document.question.clone())
    }

    /// Whether the document on the page asks this.
    pub fn asks_for(&self, question: &Question) -> bool {
        self.document.as_ref().is_some_and(|document| document.question == *question)
    }

    /// Whether the chains are laid aside and will go on.
    pub fn chains_rest(&self) -> bool {
        self.chains_rest
    }

    /// Whether the exact search is laid aside and will go on.
    pub fn exact_rests(&self) -> bool {
        self.exact_rests
    }

    /// The document stands as it is.
    fn arrive(&mut self, known: &Known) -> Vec<Action> {
        let Some(Document { question, asks }) = self.document.clone() else { return Vec::new() };
        let shown = self.shown.as_ref() == Some(&question);
        let answers = known.running && self.run.as_ref() == Some(&question);
        let own = |search: Option<Standing>| search.is_some_and(|search| search.kin == Kin::Own);
        let mut todo = Vec::new();
        self.searches(asks, known, &mut todo);
        let recalled = todo.contains(&Action::RecallExact) && known.remembered == Some(Kin::Own);
        if asks == Asks::Nothing {
            return todo; // what runs may be wanted again
        }
        todo.extend((known.running && !answers).then_some(Action::DropRun));
        let next = match asks {
            Asks::Part if own(known.trial) => Some(Action::KeepTrial),
            Asks::Schedule(_) if shown => Some(Action::ShowAgain),
            Asks::Part | Asks::Schedule(_) if answers => None,
            Asks::Part if known.opened || !known.long => Some(Action::StartTrial),
            Asks::Part => Some(Action::Check),
            Asks::Schedule(weight) => Some(Action::Start(weight)),
            Asks::Chains if own(known.chains) => None,
            Asks::Exact if own(known.exact) || recalled => None,
            Asks::Chains if known.opened => Some(Action::StartChains),
            Asks::Exact if known.opened => Some(Action::StartExact),
            // A search that is edited waits to be started.
            Asks::Chains | Asks::Exact | Asks::Nothing => shown.then_some(Action::ShowAgain),
        };
        todo.extend(next.map(|action| self.noted(action)));
        todo
    }

    /// What becomes of the searches there are.
    fn searches(&mut self, asks: Asks, known: &Known, todo: &mut Vec<Action>) {
        let runs = |search: Standing| search.pace == Pace::Runs;
        if asks != Asks::Nothing && known.trial.is_some_and(|trial| runs(trial) && trial.kin != Kin::Own) {
            todo.push(Action::LeaveTrial);
        }
        if let Some(chains) = known.chains {
            if chains.kin != Kin::Other {
                todo.push(Action::KeepChains);
                todo.extend(std::mem::take(&mut self.chains_rest).then_some(Action::ResumeChains));
            } else if known.opened || asks == Asks::Part {
                if runs(chains) {
                    self.chains_rest = true;
                    todo.push(Action::RestChains);
                }
            } else if chains.pace != Pace::Ended && !self.chains_rest {
                todo.push(Action::StopChains);
            }
        }
        if asks == Asks::Nothing {
            return; // nobody knows what it will be about
        }
        let mut goes = true;
        if let Some(exact) = known.exact {
            if exact.kin != Kin::Other {
                todo.push(Action::KeepExact);
                todo.extend(std::mem::take(&mut self.exact_rests).then_some(Action::ResumeExact));
                goes = false;
            } else if known.opened || asks == Asks::Part || self.exact_rests {
                if runs(exact) {
                    self.exact_rests = true;
                    todo.push(Action::RestExact);
                }
                goes = exact.pace == Pace::Ended && !self.exact_rests;
            } else {
                todo.push(Action::DropExact);
            }
        }
        if goes && known.remembered.is_some() {
            todo.extend([Action::RecallExact, Action::KeepExact]);
        }
    }

    /// Notes what begins for the document on the page.
    fn noted(&mut self, action: Action) -> Action {
        match action {
            Action::StartChains => self.chains_rest = false,
            Action::StartExact => self.exact_rests = false,
            Action::Start(_) | Action::StartTrial => self.run = self.question(),
            _ => {}
        }
        action
    }

    fn cancelled(&mut self, known: &Known) -> Vec<Action> {
        let here = |search: Option<Standing>, rests: bool| {
            !rests && search.is_some_and(|search| search.pace != Pace::Ended)
        };
        let mut todo = Vec::new();
        todo.extend(known.running.then_some(Action::StopRun));
        todo.extend(here(known.chains, self.chains_rest).then_some(Action::StopChains));
        todo.extend(here(known.exact, self.exact_rests).then_some(Action::StopExact));
        todo
    }

    fn again(&mut self, known: &Known) -> Vec<Action> {
        let start = match self.document.as_ref().map(|document| document.asks) {
            None | Some(Asks::Nothing) => return Vec::new(),
            Some(Asks::Schedule(weight)) => Action::Start(weight),
            Some(Asks::Chains) => Action::StartChains,
            Some(Asks::Exact) => Action::StartExact,
            Some(Asks::Part) => Action::StartTrial,
        };
        let mut todo: Vec<Action> = known.running.then_some(Action::DropRun).into_iter().collect();
        todo.push(self.noted(start));
        todo
    }
}

#[cfg(test)]
mod tests;
