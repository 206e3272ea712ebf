//! The room of reproductions as plain state: which items wait, run and are done, and what is shown of them.
//!
//! Someone asks for items, or comes to see them; jobs are started a few at a time, light items first. What was computed
//! stays. Invariant: an item is in the queue, or has a job, or neither; never both.

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

/// What is listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only this paper.
    pub paper: Option<String>,
    /// Only items with a value that compares like this.
    pub verdict: Option<Verdict>,
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
    /// What is listed.
    pub filter: Filter,
}

impl Board {
    /// Nothing has been asked for.
    pub fn new(papers: Vec<Paper>) -> Self {
        let items = papers.iter().map(|paper| paper.items.len()).sum();
        Self {
            papers,
            stages: vec![Stage::Idle; items],
            queue: VecDeque::new(),
            next: 1,
            all: false,
            filter: Filter::default(),
        }
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
        waiting.sort_by(|one, other| seconds[*one].total_cmp(&seconds[*other]));
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

    /// What has been computed so far, for the line above the list.
    pub fn summary(&self) -> String {
        let (done, all) = self.done();
        let values: usize = self.items().map(|item| item.comparisons.len()).sum();
        let listed = format!("{}, {}", people::counted(all, "item"), people::counted(values, "value"));
        match done {
            0 => format!(
                "{listed}. Items are computed as they come into view; longer ones when they are asked for."
            ),
            done if done == all => Totals::of(self.outcomes()).sentence(),
            done => format!("{done} of {listed} computed. {}", Totals::of(self.outcomes()).sentence()),
        }
    }

    /// Whether an item is listed.
    pub fn is_listed(&self, item: &Item) -> bool {
        let paper = self.filter.paper.as_ref().is_none_or(|paper| *paper == item.paper);
        paper && self.filter.verdict.is_none_or(|verdict| self.has(item, verdict))
    }

    /// How many items are listed.
    pub fn listed(&self) -> usize {
        self.items().filter(|item| self.is_listed(item)).count()
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
mod tests {
    use super::*;
    use base::Problem;

    /// Three items of two papers; the second is heavy.
    fn board() -> Board {
        let item = |id: &str, seconds: f64, expect: &str| {
            format!(
                r#"{{"id": "{id}", "place": "p", "title": "t", "says": "s", "scenario": "figure-2", "seconds": {seconds},
                    "values": [{{"what": "w", "published": 8, "ours": "/makespan", "expect": "{expect}", "why": "y"}}]}}"#
            )
        };
        let paper = |letter: &str, items: &[String]| {
            let text = format!(
                r#"{{"paper": "{letter}", "title": "t", "authors": "a", "items": [{}]}}"#,
                items.join(", ")
            );
            crate::reproduce::read(&text).unwrap_or_else(|problems| unreachable!("{problems:?}"))
        };
        Board::new(vec![
            paper("X", &[item("x-1", 0.1, "agree"), item("x-2", 60.0, "refuted")]),
            paper("Y", &[item("y-1", 0.0, "differ")]),
        ])
    }

    fn jobs(actions: &[Action]) -> Vec<u32> {
        actions
            .iter()
            .map(|action| match action {
                Action::Start(job, _) | Action::Cancel(job) => *job,
            })
            .collect()
    }

    fn report(makespan: u32) -> Heard {
        Heard::Report(Some(format!(r#"{{"seconds": 0.1, "makespan": {makespan}}}"#)))
    }

    #[test]
    fn what_is_seen_runs_if_it_is_light() {
        let mut board = board();
        assert_eq!(board.seen("x-2"), []);
        let actions = board.seen("x-1");
        assert_eq!(jobs(&actions), [1]);
        assert!(matches!(&actions[0], Action::Start(1, text) if text.contains("LCL")), "{actions:?}");
        assert_eq!(board.seen("x-1"), [], "once");
        assert_eq!(board.seen("no-such"), []);
        assert_eq!(board.heard(1, &report(8)), []);
        assert_eq!(board.outcome("x-1").map(Outcome::is_as_expected), Some(true));
        assert_eq!(board.seen("x-1"), [], "what is done stays");
        assert_eq!(jobs(&board.ask("x-1")), [2], "unless it is asked for again");
    }

    #[test]
    fn all_run_a_few_at_a_time_and_the_heavy_last() {
        let mut board = board();
        assert_eq!(jobs(&board.ask_all()), [1, 2]);
        assert!(board.runs_all());
        assert_eq!(board.stage("y-1"), Some(&Stage::Running(1)));
        assert_eq!(board.stage("x-1"), Some(&Stage::Running(2)));
        assert_eq!(board.stage("x-2"), Some(&Stage::Queued));
        assert_eq!(jobs(&board.heard(1, &report(8))), [3]);
        assert_eq!(board.stage("x-2"), Some(&Stage::Running(3)));
        board.heard(2, &Heard::Refused(vec![Problem::at("warps", "0", "more")]));
        board.heard(3, &Heard::Crashed("trap".to_owned()));
        assert_eq!((board.done(), board.is_busy(), board.runs_all()), ((3, 3), false, false));
        assert_eq!(
            board.summary(),
            "3 items, 3 values: 1 agree, 2 could not be read. 3 are not as expected."
        );
    }

    #[test]
    fn stopping_leaves_what_is_done() {
        let mut board = board();
        board.ask_all();
        board.heard(1, &report(8));
        assert_eq!(jobs(&board.stop()), [2, 3]);
        assert_eq!(board.heard(2, &Heard::Report(None)), []);
        assert_eq!(board.heard(3, &report(7)), [], "the best it had is no result");
        assert_eq!((board.done(), board.is_busy()), ((1, 3), false));
        assert_eq!(board.stage("x-2"), Some(&Stage::Idle));
        assert!(
            board.summary().starts_with("1 of 3 items, 3 values computed. 1 item, 1 value: "),
            "{}",
            board.summary()
        );
    }

    #[test]
    fn an_item_asked_for_comes_before_the_others() {
        let mut board = board();
        board.ask_all();
        board.ask("x-2");
        assert_eq!(board.stage("x-2"), Some(&Stage::Queued));
        assert_eq!(board.ask("x-1"), [], "it runs already");
        assert_eq!(jobs(&board.heard(2, &report(8))), [3]);
        assert_eq!(board.stage("x-2"), Some(&Stage::Running(3)));
    }

    #[test]
    fn filters_go_by_what_is_known_and_then_by_what_came_out() {
        let mut board = board();
        let listed = |board: &Board| {
            board.items().filter(|item| board.is_listed(item)).map(|item| item.id.clone()).collect::<Vec<_>>()
        };
        assert_eq!(listed(&board), ["x-1", "x-2", "y-1"]);
        board.filter.paper = Some("X".to_owned());
        assert_eq!((listed(&board), board.listed()), (vec!["x-1".to_owned(), "x-2".to_owned()], 2));
        board.filter = Filter { paper: None, verdict: Some(Verdict::Differ) };
        assert_eq!(listed(&board), ["y-1"]);
        board.seen("y-1");
        board.heard(1, &report(8));
        assert_eq!(listed(&board), [""; 0], "it agrees, as it turned out");
    }
}
