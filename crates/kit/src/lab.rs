//! A lab as programs link it. A program hands its list of labs to whatever reads documents: a lab that is not on the
//! list cannot be read, as nothing else leads to its reader.

use std::any::Any;

use serde_json::Value;

use crate::import::reader::Reader;
use crate::import::{Format, sniff};
use crate::job::{self, Job};
use crate::report::Report;
use crate::scenario::{self, Scenario};
use base::Problem;

/// The labs that a program links, in the order in which errors name them.
pub type Labs = [&'static dyn Lab];

/// The keys of their questions, each once.
pub fn keys(labs: &Labs) -> Vec<&'static str> {
    let mut keys: Vec<&str> = labs.iter().map(|lab| lab.key()).collect();
    keys.dedup();
    keys
}

/// What begins the job of a scenario, if the scenario is of its lab.
pub type Engine = fn(&Scenario) -> Option<Box<dyn Job>>;

/// What a program links: labs whose documents it reads, and engines for those that it runs.
#[derive(Clone, Copy)]
pub struct Linked {
    /// The labs.
    pub labs: &'static Labs,
    /// What begins their jobs.
    pub engines: &'static [Engine],
}

impl Linked {
    /// Reads a scenario, or says everything that is wrong with it.
    pub fn read(&self, text: &str) -> Result<Scenario, Vec<Problem>> {
        scenario::read(self.labs, text)
    }

    /// Reads a scenario out of a JSON tree.
    pub fn from_tree(&self, tree: &Value) -> Result<Scenario, Vec<Problem>> {
        scenario::from_tree(self.labs, tree)
    }

    /// The JSON tree of a document, made for it where the text is in another format.
    pub fn tree(&self, text: &str) -> Result<Value, Vec<Problem>> {
        scenario::tree(self.labs, text)
    }

    /// Recognises a text by its content.
    pub fn sniff(&self, text: &str) -> Format {
        sniff(self.labs, text)
    }

    /// The job of a scenario. It must be one that an engine here begins: whoever links a lab without its engine asks
    /// its questions elsewhere.
    pub fn start(&self, scenario: &Scenario) -> Box<dyn Job> {
        match self.engines.iter().find_map(|begin| begin(scenario)) {
            Some(job) => job,
            None => unreachable!("questions go where there is an engine for them"),
        }
    }

    /// Runs a scenario to its end, without a clock; likewise.
    pub fn run(&self, scenario: &Scenario) -> Report {
        job::finished(self.start(scenario))
    }
}

/// One lab.
pub trait Lab: Sync {
    /// The key of its question in a document.
    fn key(&self) -> &'static str;

    /// Whether what stands under that key is this lab's. Of labs with one key, which stand beside each other on lists, at
    /// most one says so.
    fn claims(&self, _value: &Value) -> bool {
        true
    }

    /// What stands under that key.
    fn holds(&self) -> &'static str {
        "an object"
    }

    /// Reads what stands there.
    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>>;

    /// Which of its own formats a text is in.
    fn sniff(&self, _text: &str) -> Option<Format> {
        None
    }

    /// The document made of a text in one of its own formats.
    fn document(&self, _kind: Format, _text: &str) -> Option<Result<Value, Vec<Problem>>> {
        None
    }
}

/// A lab for those who are given documents alone, as workers are: texts in its own formats are none of theirs, and what
/// reads those is not linked.
pub struct Written<L>(pub L);

impl<L: Lab> Lab for Written<L> {
    fn key(&self) -> &'static str {
        self.0.key()
    }

    fn claims(&self, value: &Value) -> bool {
        self.0.claims(value)
    }

    fn holds(&self) -> &'static str {
        self.0.holds()
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        self.0.read(reader, path, value)
    }
}

/// What a scenario asks of a lab: plain data, made by the lab's reader.
pub trait Question: Any + Send + Sync {
    /// The same question again.
    fn again(&self) -> Box<dyn Question>;

    /// Whether another one asks the same.
    fn same(&self, other: &dyn Question) -> bool;
}

impl<T: Any + Clone + PartialEq + Send + Sync> Question for T {
    fn again(&self) -> Box<dyn Question> {
        Box::new(self.clone())
    }

    fn same(&self, other: &dyn Question) -> bool {
        (other as &dyn Any).downcast_ref::<T>() == Some(self)
    }
}
