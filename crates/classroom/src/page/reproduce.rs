//! The room of reproductions as plain state: which items wait, run and are done, and what is shown of them.
//!
//! Someone asks for items, or comes to see them; jobs are started a few at a time, light items first. What was computed
//! stays. Invariant: an item is in the queue, or has a job, or neither; never both.

mod chosen;

pub use chosen::{Chosen, Tab};

use std::collections::VecDeque;

use crate::reproduce::{Item, Outcome, Paper, Totals, Verdict, refused};
use base::people;
use kit::page::told::Heard;

/// At most this many jobs at a time: more would only wait in the page's pool, where nobody could stop them soon.
const AT_ONCE: usize = 2;

/// Where an item is.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// Nobody has asked for it.
    Idle,
    /// It waits for its turn.
    Queued,
    /// It is computed, as the job of this number.
    Running(u32),
    /// It has been computed.
    Done(Outcome),
}

/// What the room has to ask the page for.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Run a document as the job of this number.
    Start(u32, String),
    /// Stop that job.
    Cancel(u32),
}

/// The items of all papers, and where each is.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    papers: Vec<Paper>,
    /// For each item, paper after paper.
    stages: Vec<Stage>,
    queue: VecDeque<usize>,
    /// The number of the next job.
    next: u32,
    /// Whether all were asked for, and this was not stopped.
    all: bool,
}

impl Board {
    /// Nothing has been asked for.
    pub fn new(papers: Vec<Paper>) -> Self {
        let items = papers.iter().map(|paper| paper.items.len()).sum();
        Self { papers, stages: vec![Stage::Idle; items], queue: VecDeque::new(), next: 1, all: false }
    }

    /// The papers.
    pub fn papers(&self) -> &[Paper] {
        &self.papers
    }

    /// All items, paper after paper.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.papers.iter().flat_map(|paper| &paper.items)
    }

    /// Where an item is.
    pub fn stage(&self, id: &str) -> Option<&Stage> {
        self.place(id).map(|at| &self.stages[at])
    }

    /// What came of an item, once it is done.
    pub fn outcome(&self, id: &str) -> Option<&Outcome> {
        match self.stage(id) {
            Some(Stage::Done(outcome)) => Some(outcome),
            _ => None,
        }
    }

    /// Someone asks for an item: it is next, also if it has been computed before.
    pub fn ask(&mut self, id: &str) -> Vec<Action> {
        let Some(at) = self.place(id) else { return Vec::new() };
        if !matches!(self.stages[at], Stage::Running(_)) {
            self.queue.retain(|queued| *queued != at);
            self.stages[at] = Stage::Queued;
            self.queue.push_front(at);
        }
        self.go_on()
    }

    /// An item has come into view: it is computed if that takes no time.
    pub fn seen(&mut self, id: &str) -> Vec<Action> {
        let Some(at) = self.place(id) else { return Vec::new() };
        if self.stages[at] == Stage::Idle && self.items().nth(at).is_some_and(Item::is_light) {
            self.stages[at] = Stage::Queued;
            self.queue.push_back(at);
        }
        self.go_on()
    }

    /// Someone asks for everything that has not been computed: light items first, then the heavier the later.
    pub fn ask_all(&mut self) -> Vec<Action> {
        let seconds: Vec<f64> = self.items().map(|item| item.seconds).collect();
        let mut waiting: Vec<usize> = (0..self.stages.len())
            .filter(|at| matches!(self.stages[*at], Stage::Idle | Stage::Queued))
            .collect();
        base::sort::sort_by(&mut waiting, |one, other| seconds[*one].total_cmp(&seconds[*other]));
        for at in &waiting {
            self.stages[*at] = Stage::Queued;
        }
        self.queue = waiting.into();
        self.all = true;
        self.go_on()
    }

    /// Nothing more is started, and what runs is stopped; what a stopped job still says is not heard.
    pub fn stop(&mut self) -> Vec<Action> {
        self.all = false;
        for at in std::mem::take(&mut self.queue) {
            self.stages[at] = Stage::Idle;
        }
        let running = self.running();
        for (at, _) in &running {
            self.stages[*at] = Stage::Idle;
        }
        running.into_iter().map(|(_, job)| Action::Cancel(job)).collect()
    }

    /// Hears how a job stands: when it is over, others have their turn.
    pub fn heard(&mut self, job: u32, heard: &Heard) -> Vec<Action> {
        let Some((at, _)) = self.running().into_iter().find(|(_, running)| *running == job) else {
            return Vec::new();
        };
        let Some(item) = self.items().nth(at) else { return Vec::new() };
        self.stages[at] = match heard {
            Heard::Progress { .. } => return Vec::new(),
            Heard::Report(None) => Stage::Idle,
            Heard::Report(Some(line)) => Stage::Done(Outcome::of_line(item, line)),
            Heard::Refused(problems) => Stage::Done(Outcome::of_line(item, &refused(problems))),
            Heard::Crashed(why) => {
                Stage::Done(Outcome::without_report(item, &format!("the worker died: {why}")))
            }
        };
        let actions = self.go_on();
        self.all &= self.is_busy();
        actions
    }

    /// Whether anything waits or runs.
    pub fn is_busy(&self) -> bool {
        self.stages.iter().any(|stage| matches!(stage, Stage::Queued | Stage::Running(_)))
    }

    /// Whether everything was asked for and is under way.
    pub fn runs_all(&self) -> bool {
        self.all
    }

    /// How many items are done, and how many there are.
    pub fn done(&self) -> (usize, usize) {
        (self.outcomes().count(), self.stages.len())
    }

    /// What has been run so far, for the line above the list.
    pub fn summary(&self) -> String {
        let (done, all) = self.done();
        let values: usize = self.items().map(|item| item.comparisons.len()).sum();
        let (items, values_in_all) = (people::counted(all, "item"), people::counted(values, "value"));
        let totals = Totals::of(self.outcomes());
        let records = match totals.unexpected {
            0 => "we computed what we had recorded each time".to_owned(),
            n => format!("{} other than we had recorded", people::plural(n, "came out", "came out")),
        };
        match done {
            0 => format!(
                "{items}, {values_in_all}. Items are run as they come into view; longer ones when they are asked for."
            ),
            done if done < all => {
                format!(
                    "{done} of {items} run: {} of {values_in_all}, {} refuted; {records}.",
                    totals.values, totals.refuted
                )
            }
            _ => {
                let (refuted, are) = (totals.refuted, if totals.refuted == 1 { "is" } else { "are" });
                let published = people::counted(refuted, "published value");
                format!("All {items} run, {values_in_all}: {published} {are} refuted; {records}.")
            }
        }
    }

    /// The values that are known to be refuted: each by its item and its place in that.
    pub fn refuted(&self) -> impl Iterator<Item = (&Item, usize)> {
        self.items().flat_map(|item| {
            let refuted = |at: &usize| item.comparisons[*at].expect == Verdict::Refuted;
            (0..item.comparisons.len()).filter(refuted).map(move |at| (item, at))
        })
    }

    /// Whether an item is listed.
    pub fn is_listed(&self, item: &Item, chosen: &Chosen) -> bool {
        let paper = match &chosen.tab {
            Tab::Refuted => self.refuted().any(|(refuted, _)| refuted.id == item.id),
            Tab::Paper(letter) => *letter == item.paper,
            Tab::All => true,
        };
        paper && chosen.show.is_none_or(|verdict| self.has(item, verdict))
    }

    /// How many items are listed.
    pub fn listed(&self, chosen: &Chosen) -> usize {
        self.items().filter(|item| self.is_listed(item, chosen)).count()
    }

    /// Whether a value of an item compares like this; before it is computed, whether one is known to.
    fn has(&self, item: &Item, verdict: Verdict) -> bool {
        match self.outcome(&item.id) {
            Some(outcome) => outcome.values.iter().any(|row| row.verdict == Some(verdict)),
            None => item.comparisons.iter().any(|comparison| comparison.expect == verdict),
        }
    }

    fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.stages.iter().filter_map(|stage| match stage {
            Stage::Done(outcome) => Some(outcome),
            _ => None,
        })
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.items().position(|item| item.id == id)
    }

    /// The items that have a job, and its number.
    fn running(&self) -> Vec<(usize, u32)> {
        let job = |(at, stage): (usize, &Stage)| match stage {
            Stage::Running(job) => Some((at, *job)),
            _ => None,
        };
        self.stages.iter().enumerate().filter_map(job).collect()
    }

    /// Starts what waits, as many as may run.
    fn go_on(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        let free = AT_ONCE.saturating_sub(self.running().len());
        for _ in 0..free {
            let Some(at) = self.queue.pop_front() else { break };
            let Some(text) = self.items().nth(at).map(Item::text) else { break };
            self.stages[at] = Stage::Running(self.next);
            actions.push(Action::Start(self.next, text));
            self.next += 1;
        }
        actions
    }
}

#[cfg(test)]
mod tests;
