//! The scenario document: one text that drives the page, the worker, the share link and the command line.
//!
//! A text becomes a JSON tree, the tree a validated [`Scenario`]; whatever is wrong on the way comes back as
//! a list of problems with their places, all at once. Nothing here reads a file, a clock or the DOM.

pub mod builtin;
mod examiner;
pub mod link;
pub mod version;

pub use examiner::{document_of_config, document_of_logs, in_file, logs_in, with_logs};

use std::any::Any;
use std::fmt;

use serde_json::Value;

use crate::import::reader::Reader;
use crate::import::{Format, json, sniff};
use crate::lab::{Labs, Question, keys};
use base::{Problem, people};

/// A scenario that makes sense.
pub struct Scenario {
    /// Its title; the report repeats it.
    pub title: String,
    /// What its author wants the reader to know.
    pub notes: String,
    /// What is asked: one lab's own.
    pub question: Box<dyn Question>,
}

impl Scenario {
    /// What is asked, if it is a question of this kind.
    pub fn asked<Q: Question>(&self) -> Option<&Q> {
        (&*self.question as &dyn Any).downcast_ref()
    }
}

impl fmt::Debug for Scenario {
    /// Its title alone: what programs link to show questions would be more than what they link to read them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scenario").field("title", &self.title).finish_non_exhaustive()
    }
}

impl Clone for Scenario {
    fn clone(&self) -> Self {
        Self { title: self.title.clone(), notes: self.notes.clone(), question: (*self.question).again() }
    }
}

impl PartialEq for Scenario {
    fn eq(&self, other: &Self) -> bool {
        self.title == other.title && self.notes == other.notes && (*self.question).same(&*other.question)
    }
}

/// Reads a scenario, or says everything that is wrong with it.
pub fn read(labs: &Labs, text: &str) -> Result<Scenario, Vec<Problem>> {
    from_tree(labs, &tree(labs, text)?)
}

/// The JSON tree of a document, made for it where the text is in a format of a lab, an examiner's configuration or
/// one of its logs alone; formats that are recognised but not read say so.
pub fn tree(labs: &Labs, text: &str) -> Result<Value, Vec<Problem>> {
    let kind = sniff(labs, text);
    if let Some(made) = labs.iter().find_map(|lab| lab.document(kind, text)) {
        return made;
    }
    if let Some(problem) = kind.unread() {
        return Err(vec![problem]);
    }
    match kind {
        Format::Empty => {
            Err(vec![Problem::at("document", "nothing in it", "a scenario, {\"warpspan\": 1, ...}")])
        }
        Format::ExaminerConfig => {
            json::parse_loose(text).map(|tree| document_of_config(&tree)).map_err(|p| vec![p])
        }
        Format::ExaminerLog => Ok(document_of_logs(&[("log.json".to_owned(), text.to_owned())])),
        _ => json::parse(text).map_err(|problem| vec![problem]),
    }
}

/// Reads a scenario out of a JSON tree.
pub fn from_tree(labs: &Labs, tree: &Value) -> Result<Scenario, Vec<Problem>> {
    let tree = &version::upgraded(tree)?;
    let mut reader = Reader::default();
    let scenario = whole(labs, &mut reader, tree);
    match (scenario, reader.into_problems()) {
        (Some(scenario), problems) if problems.is_empty() => Ok(scenario),
        (_, problems) => Err(problems),
    }
}

/// Reads a scenario of the present version with a reader of the caller's.
pub fn whole(labs: &Labs, reader: &mut Reader, tree: &Value) -> Option<Scenario> {
    let fields = reader.object("", tree)?;
    let known: Vec<&str> = ["warpspan", "title", "notes"].into_iter().chain(keys(labs)).collect();
    reader.only(&fields, &known);
    let title = reader.optional(&fields, "title", Reader::text).unwrap_or_default();
    let notes = reader.optional(&fields, "notes", Reader::prose).unwrap_or_default();
    let found: Vec<_> =
        labs.iter().filter(|lab| fields.get(lab.key()).is_some_and(|value| lab.claims(value))).collect();
    let question = match found[..] {
        [lab] => reader
            .required(&fields, lab.key(), lab.holds(), |reader, path, value| lab.read(reader, path, value)),
        [] => {
            reader.problem("document", "no question in it", one_of(labs));
            None
        }
        _ => {
            let keys: Vec<&str> = found.iter().map(|lab| lab.key()).collect();
            let found = people::listed(&keys);
            reader.problem("document", format!("{found} together"), format!("exactly {}", one_of(labs)));
            None
        }
    };
    Some(Scenario { title, notes, question: question? })
}

/// `one of "warps" and "blocks"`.
fn one_of(labs: &Labs) -> String {
    let quoted: Vec<String> = keys(labs).iter().map(|key| format!("\"{key}\"")).collect();
    format!("one of {}", people::listed(&quoted))
}
