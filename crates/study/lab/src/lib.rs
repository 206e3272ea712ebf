//! Studies: one document that describes a grid of scenarios and what to measure of each.
//!
//! A study's base may be of any lab that the program links, but no study: the lab is handed those it may use, and is
//! not among them. Nothing here reads a clock, a file or the DOM, and no cell's result depends on who computes it.

pub mod number;
pub mod path;

pub mod cell;
pub mod generate;
pub mod measure;
pub mod scenario;

pub mod estimate;
pub mod job;
pub mod report;
pub mod share;
pub mod table;

pub mod draw;
pub mod page;
pub mod paper;

use serde_json::Value;

use kit::import::reader::Reader;
use kit::job::Job;
use kit::lab::{Lab, Linked, Question};
use kit::scenario::Scenario;

pub use cell::{Cell, CellRun};
pub use estimate::Estimate;
pub use job::{Share, StudyJob};
pub use report::StudyReport;
pub use scenario::{Axis, Drawing, Measure, Study};
pub use share::Asked;

/// The lab as programs link it, with the labs and engines of its bases.
pub struct Studies(pub &'static Linked);

impl Lab for Studies {
    fn key(&self) -> &'static str {
        "study"
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        scenario::read(self.0, reader, path, value).map(|study| Box::new(study) as Box<dyn Question>)
    }
}

/// The job of a scenario of this lab.
pub fn start(scenario: &Scenario) -> Option<Box<dyn Job>> {
    let study = scenario.asked::<Study>()?;
    Some(Box::new(StudyJob::new(&scenario.title, study, Share::ALL)))
}
