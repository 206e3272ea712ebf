//! The scenario document: one text that drives the page, the worker, the share link and the command line.
//!
//! A text becomes a JSON tree, the tree a validated [`Scenario`]; whatever is wrong on the way comes back as
//! a list of problems with their places, all at once. Nothing here reads a file, a clock or the DOM.

#[cfg(feature = "chain")]
mod amalthea;
#[cfg(feature = "blocks")]
mod blocks;
pub mod builtin;
pub mod certificate;
#[cfg(feature = "chain")]
mod chain;
#[cfg(feature = "bench")]
mod conjecture;
mod examiner;
pub mod link;
mod memory;
mod method;
mod ptx;
#[cfg(feature = "bench")]
mod refutation;
#[cfg(feature = "tasks")]
mod tasks;
#[cfg(not(all(feature = "bench", feature = "blocks", feature = "tasks", feature = "chain")))]
mod unread;
pub mod version;
mod warps;

#[cfg(feature = "chain")]
pub use amalthea::document_of_amalthea;
#[cfg(feature = "blocks")]
pub use blocks::{BlocksScenario, MOST_BLOCKS_EVER, Reference as BlocksReference};
#[cfg(feature = "chain")]
#[cfg(feature = "search")]
pub use chain::Changed;
#[cfg(feature = "chain")]
pub use chain::{ChainScenario, Source as ChainSource};
#[cfg(feature = "bench")]
pub use conjecture::ConjectureScenario;
pub use examiner::{document_of_config, document_of_logs, in_file, logs_in, with_logs};
pub use method::{Anneal, Beam, Exact, MEBIBYTES, MOST_CHAINS, MOST_ROUNDS, Method, WIDEST_BEAM};
pub use ptx::{document_of_ptx, document_of_ptx_in};
#[cfg(feature = "bench")]
pub use refutation::document_of_refutation;
pub use warps::{Reference, WarpsScenario};

#[cfg(feature = "tasks")]
pub use tasks::{Asked as TasksAsked, Experiment, TasksScenario};
#[cfg(not(feature = "blocks"))]
use unread as blocks;
#[cfg(not(feature = "chain"))]
use unread as chain;
#[cfg(not(feature = "bench"))]
use unread as conjecture;
#[cfg(not(feature = "tasks"))]
use unread as tasks;
#[cfg(not(feature = "chain"))]
pub use unread::Unread as ChainScenario;
#[cfg(not(feature = "bench"))]
pub use unread::Unread as ConjectureScenario;
#[cfg(not(feature = "blocks"))]
pub use unread::Unread as BlocksScenario;
#[cfg(not(feature = "tasks"))]
pub use unread::Unread as TasksScenario;

use crate::base::Problem;
use crate::import::reader::Reader;
use crate::import::{Kind, json};
use serde_json::Value;

/// A scenario that makes sense.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Its title; the report repeats it.
    pub title: String,
    /// What its author wants the reader to know.
    pub notes: String,
    /// What is asked.
    pub question: Question,
}

/// The question of a scenario: one lab's own.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// How long a set of warps takes on one multiprocessor.
    Warps(Box<WarpsScenario>),
    /// Whether a claim about that holds, over ranges of parameters.
    Conjecture(Box<ConjectureScenario>),
    /// How blocks of kernels come to multiprocessors, and when kernels complete.
    Blocks(Box<BlocksScenario>),
    /// Whether recurring tasks meet their deadlines.
    Tasks(Box<TasksScenario>),
    /// Whether host tasks that wait for a GPU meet theirs, from the instructions of its kernels on.
    Chain(Box<ChainScenario>),
}

impl Question {
    /// The question of the warps lab, if it is one.
    pub fn warps(&self) -> Option<&WarpsScenario> {
        match self {
            Question::Warps(warps) => Some(warps),
            Question::Conjecture(_) | Question::Blocks(_) | Question::Tasks(_) | Question::Chain(_) => None,
        }
    }
}

/// The questions a document may name: those of the labs, and whether a conjecture holds.
pub const QUESTIONS: [&str; 5] = ["warps", "conjecture", "blocks", "tasks", "chain"];
const ONE_OF: &str = "one of \"warps\", \"conjecture\", \"blocks\", \"tasks\" and \"chain\"";

/// Reads a scenario, or says everything that is wrong with it.
pub fn read(text: &str) -> Result<Scenario, Vec<Problem>> {
    from_tree(&tree(text)?)
}

/// The JSON tree of a document, made for it where the text is PTX, an AMALTHEA model, an examiner's configuration or
/// one of its logs alone; formats that are recognised but not read yet say so.
pub fn tree(text: &str) -> Result<Value, Vec<Problem>> {
    let kind = crate::import::sniff(text);
    if let Some(problem) = kind.not_yet() {
        return Err(vec![problem]);
    }
    match kind {
        Kind::Empty => {
            Err(vec![Problem::at("document", "nothing in it", "a scenario, {\"warpspan\": 1, ...}")])
        }
        // Problems of the text itself are placed in it, not in the document that would be made of it.
        Kind::Ptx => crate::import::ptx::read(text).map(|_| document_of_ptx(text)),
        #[cfg(feature = "chain")]
        Kind::Amalthea => document_of_amalthea(text),
        Kind::ExaminerConfig => {
            json::parse_loose(text).map(|tree| document_of_config(&tree)).map_err(|p| vec![p])
        }
        Kind::ExaminerLog => Ok(document_of_logs(&[("log.json".to_owned(), text.to_owned())])),
        _ => json::parse(text).map_err(|problem| vec![problem]),
    }
}

/// Reads a scenario out of a JSON tree.
pub fn from_tree(tree: &Value) -> Result<Scenario, Vec<Problem>> {
    let tree = &version::upgraded(tree)?;
    let mut reader = Reader::default();
    let scenario = whole(&mut reader, tree);
    match (scenario, reader.into_problems()) {
        (Some(scenario), problems) if problems.is_empty() => Ok(scenario),
        (_, problems) => Err(problems),
    }
}

fn whole(reader: &mut Reader, tree: &Value) -> Option<Scenario> {
    let fields = reader.object("", tree)?;
    reader.only(&fields, &["warpspan", "title", "notes", "warps", "conjecture", "blocks", "tasks", "chain"]);
    let title = reader.optional(&fields, "title", Reader::text).unwrap_or_default();
    let notes = reader.optional(&fields, "notes", Reader::prose).unwrap_or_default();
    let found: Vec<&str> = QUESTIONS.into_iter().filter(|question| fields.get(question).is_some()).collect();
    let question = match found[..] {
        ["warps"] => {
            reader.required(&fields, "warps", "an object", warps::read).map(|w| Question::Warps(Box::new(w)))
        }
        ["conjecture"] => reader
            .required(&fields, "conjecture", "an object", conjecture::read)
            .map(|asked| Question::Conjecture(Box::new(asked))),
        ["blocks"] => reader
            .required(&fields, "blocks", "an object", blocks::read)
            .map(|asked| Question::Blocks(Box::new(asked))),
        ["tasks"] => reader
            .required(&fields, "tasks", "a list of tasks", tasks::read)
            .map(|asked| Question::Tasks(Box::new(asked))),
        ["chain"] => reader
            .required(&fields, "chain", "an object", chain::read)
            .map(|asked| Question::Chain(Box::new(asked))),
        [] => {
            reader.problem("document", "no question in it", ONE_OF);
            None
        }
        _ => {
            let found = crate::base::people::listed(&found);
            reader.problem("document", format!("{found} together"), format!("exactly {ONE_OF}"));
            None
        }
    };
    Some(Scenario { title, notes, question: question? })
}

#[cfg(test)]
mod tests;
