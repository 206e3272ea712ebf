//! A document that a worker reads and a part of the page shows: how far it is, what has been told, how much work it was.

use serde_json::{Value, json};

use super::{Subject, edit};
use crate::base::StopReason;
use crate::import::json as json_text;
use crate::job::Progress;
use crate::scenario::WarpsScenario;
use crate::scenario::link::View;
pub use kit::page::told::{InOrder, Looked, ToldOfPage, ToldOfTrial};

/// Whether the claim holds for so many warps is asked of a scenario with more.
const MOST_WARPS: usize = 6;
/// A string for an experiment is no longer than this.
const LONGEST: usize = 1_000;

/// A document being run, or run.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The document.
    text: String,
    /// Its title and notes.
    called: [String; 2],
    /// What it asks; none where it does not say so.
    asked: Option<(Subject, Value)>,
    /// The job that judges it.
    pub job: u32,
    /// What was told of it, line by line.
    pub lines: Vec<String>,
    /// The cell someone looks at.
    pub chosen: Option<usize>,
    /// How it is to be looked at.
    looked: Looked,
    done: u64,
    total: u64,
    bracket: Option<(u32, u32)>,
    work: u64,
    /// More work than this is long.
    long: u64,
    over: Option<StopReason>,
}

impl Trial {
    /// A job begins to judge this document, which stands in a text.
    pub fn new(text: &str, tree: Option<&Value>, job: u32) -> Self {
        let asked = tree.and_then(asked);
        let subject = asked.as_ref().map(|(subject, _)| *subject);
        Self {
            text: text.to_owned(),
            called: called(tree),
            asked,
            job,
            lines: Vec::new(),
            chosen: None,
            looked: Looked::default(),
            done: 0,
            total: 0,
            bracket: None,
            work: 0,
            long: subject.unwrap_or(Subject::Warps).row().long,
            over: None,
        }
    }

    /// Whether a document asks the same, whatever its title.
    pub fn is_about(&self, tree: &Value) -> bool {
        self.asked.is_some() && self.asked == asked(tree)
    }

    /// The document that it is of.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// It is of this document, too, which asks the same.
    pub fn keep(&mut self, text: String, tree: Option<&Value>) {
        (self.text, self.called) = (text, called(tree));
    }

    /// Asks for it to be looked at in a way.
    pub fn look(&mut self, view: &View) {
        self.looked = Looked { number: self.looked.number + 1, ..Looked::of(view) };
    }

    /// Whether the job is still at it.
    pub fn runs(&self) -> bool {
        self.over.is_none()
    }

    /// Whether every cell has been judged.
    pub fn is_done(&self) -> bool {
        self.over == Some(StopReason::Done)
    }

    /// Whether it takes so long that nobody wants it again with every key that is pressed.
    pub fn is_long(&self) -> bool {
        self.work > self.long
    }

    /// The job told how far it is.
    pub fn progressed(&mut self, progress: &Progress) {
        (self.done, self.total) = (progress.done, progress.total);
        let worst = progress.bracket.as_ref().filter(|line| !line.best_case);
        self.bracket = worst.and_then(|line| Some((line.lower, line.upper?))).or(self.bracket);
    }

    /// The job told how much work it has been.
    pub fn worked(&mut self, work: u64) {
        self.work = work;
    }

    /// The job is over, with a report if it had got that far.
    pub fn ended(&mut self, reason: StopReason, line: Option<String>) {
        self.over = Some(reason);
        self.lines.extend(line);
    }

    /// What the panel is told of it, while the page shows this document. One that is `wrong` gives nothing a name: what
    /// was told before stays, and is called as it was.
    pub fn told(&self, text: &str, tree: Option<&Value>, wrong: bool) -> ToldOfTrial {
        let before = wrong && !self.lines.is_empty();
        let [title, notes] = if before { self.called.clone() } else { called(tree) };
        ToldOfTrial {
            job: self.job,
            title,
            notes,
            wrong,
            running: self.runs(),
            stopped: self.over.is_some_and(|reason| reason != StopReason::Done),
            stale: self.text != text,
            done: self.done,
            total: self.total,
            bracket: self.bracket,
            chosen: self.chosen,
            looked: self.looked.clone(),
            ..ToldOfTrial::default()
        }
    }
}

/// The title and the notes of a document.
fn called(tree: Option<&Value>) -> [String; 2] {
    ["title", "notes"].map(|key| {
        let value = tree.and_then(|tree| edit::get(tree, &[key])?.as_str());
        value.unwrap_or_default().to_owned()
    })
}

/// What a document asks about, and what it asks.
fn asked(tree: &Value) -> Option<(Subject, Value)> {
    let subject = Subject::of(tree)?;
    Some((subject, edit::get(tree, &[subject.key()])?.clone()))
}

/// A document that asks, for one warp and more, how much a proven bound leaves over with the kernel, machine and
/// fairness of another document; `None` for kernels too long for an experiment, and where loads take their time.
pub fn experiment_document(tree: &Value, warps: &WarpsScenario) -> Option<Value> {
    if warps.kernel.len() > LONGEST || warps.memory.is_some() {
        return None;
    }
    let most = warps.count.clamp(2, MOST_WARPS);
    let mut inside = json!({
        "claim": {"named": "blocked-cycles"},
        "kernel": warps.written.to_string(),
        "machine": edit::get(tree, &["warps", "machine"])?,
    });
    for key in ["fairness", "sub_blocks"] {
        if let Some(value) = edit::get(tree, &["warps", key]) {
            inside = edit::set(&inside, &[key], value.clone());
        }
    }
    inside = edit::set(&inside, &["ranges"], json!({"W": [1, most]}));
    let title = match edit::get(tree, &["title"]).and_then(Value::as_str).unwrap_or_default() {
        "" => "A formula over many cases".to_owned(),
        title => format!("A formula over many cases: {title}"),
    };
    Some(json!({"warpspan": 1, "title": title, "conjecture": inside}))
}

/// A blocks document with its streams, or its benchmarks, in another order, under another title and with other notes.
/// Published times are of the order before and are left out. None where there is no such list.
pub fn in_order(text: &str, asked: &InOrder) -> Option<String> {
    let mut tree = json_text::parse(text).ok()?;
    let blocks = tree.get_mut("blocks")?.as_object_mut()?;
    blocks.shift_remove("references");
    let list = match blocks.contains_key("streams") {
        true => blocks.get_mut("streams")?,
        false => blocks.get_mut("examiner")?.get_mut("benchmarks")?,
    };
    let items = list.as_array_mut()?;
    let mut places = asked.places.clone();
    base::sort::sort(&mut places);
    if !places.into_iter().eq(0..items.len()) {
        return None;
    }
    *items = asked.places.iter().map(|&place| items[place].clone()).collect();
    for (key, text) in [("title", &asked.title), ("notes", &asked.notes)] {
        tree = edit::set(&tree, &[key], Value::from(text.as_str()));
    }
    Some(json_text::pretty(&tree))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::json;

    fn progress(done: u64) -> Progress {
        Progress { done, total: 6, best: None, bracket: None }
    }

    #[test]
    fn a_run_from_its_beginning_to_its_end() {
        let mut trial = Trial::new("a", None, 7);
        trial.worked(Subject::Warps.row().long);
        trial.progressed(&progress(2));
        assert!(!trial.is_long());
        let told = trial.told("a", None, false);
        assert_eq!((told.running, told.stale, told.done, told.total), (true, false, 2, 6));
        trial.worked(Subject::Warps.row().long + 1);
        trial.ended(StopReason::Cancelled, Some("line".to_owned()));
        let told = trial.told("b", None, false);
        assert_eq!((told.running, told.stopped, told.stale), (false, true, true));
        let document = |title| json!({"title": title, "conjecture": {"claim": 1}});
        let about = Trial::new("a", Some(&document("a")), 1);
        assert!(about.is_about(&document("b")) && !about.is_about(&json!({"conjecture": {}})));
        assert_eq!((trial.is_long(), trial.is_done(), trial.lines.len()), (true, false, 1));
        let mut tasks = Trial::new("a", Some(&json!({"tasks": {}})), 8);
        tasks.worked(Subject::Tasks.row().long + 1);
        assert!(tasks.is_long(), "what a unit takes differs from lab to lab");
    }

    /// What stands there is called by its own document, not by one with a mistake in it that was opened since.
    #[test]
    fn numbers_keep_the_title_of_what_they_are_of() {
        let document = |title| json!({"title": title, "notes": format!("of {title}"), "warps": {"sass": 1}});
        let (old, new) = (document("old"), document("new"));
        let mut trial = Trial::new("a", Some(&old), 1);
        let names = |trial: &Trial, tree: Option<&Value>, wrong| {
            let told = trial.told("b", tree, wrong);
            assert_eq!(told.wrong, wrong);
            [told.title, told.notes]
        };
        assert_eq!(names(&trial, Some(&new), true), ["new", "of new"], "nothing of the old one is there yet");
        trial.ended(StopReason::Done, Some("line".to_owned()));
        assert_eq!(names(&trial, Some(&new), true), ["old", "of old"]);
        assert_eq!(names(&trial, None, true), ["old", "of old"], "text that is no JSON");
        assert_eq!(names(&trial, Some(&new), false), ["new", "of new"], "it is being computed");
        trial.keep("b".to_owned(), Some(&new));
        assert_eq!(names(&trial, None, true), ["new", "of new"], "only its title was changed");
    }

    #[test]
    fn every_example_of_warps_makes_a_document_of_the_bench() {
        for example in crate::scenario::builtin::BUILTINS {
            let read = (crate::scenario::read(example.text), json::parse(example.text));
            let (Ok(scenario), Ok(tree)) = read else { unreachable!("{}: {:?}", example.name, read.0) };
            let Some(warps) = scenario.asked::<WarpsScenario>() else { continue };
            let Some(document) = experiment_document(&tree, warps) else { continue };
            let read = crate::scenario::read(&json::pretty(&document));
            assert!(read.is_ok(), "{}: {read:?}", example.name);
        }
    }

    #[test]
    fn streams_and_benchmarks_change_places() {
        let asked = InOrder { places: vec![2, 0, 1], title: "t".to_owned(), notes: "n".to_owned() };
        let order = |text: &str| in_order(text, &asked).and_then(|text| json::parse(&text).ok());
        let streams = r#"{"warpspan": 1, "title": "x", "blocks": {"streams": ["a", "b", "c"], "references": [], "free": 1}}"#;
        assert_eq!(
            order(streams),
            Some(
                json!({"warpspan": 1, "title": "t", "blocks": {"streams": ["c", "a", "b"], "free": 1}, "notes": "n"})
            )
        );
        let examiner = r#"{"blocks": {"examiner": {"name": "S", "benchmarks": [1, 2, 3]}}}"#;
        assert_eq!(
            order(examiner).map(|tree| tree["blocks"]["examiner"]["benchmarks"].clone()),
            Some(json!([3, 1, 2]))
        );
        for other in [r#"{"blocks": {"streams": [1, 2]}}"#, r#"{"blocks": {"measured": []}}"#, "{", "{}"] {
            assert_eq!(order(other), None, "{other}");
        }
        assert_eq!(in_order(streams, &InOrder { places: vec![0, 0, 1], ..asked }), None);
    }
}
