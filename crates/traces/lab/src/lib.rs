//! The lab of recorded runs, from its documents to what the page shows.

pub mod diff;
pub mod draw;
pub mod export;
pub mod job;
pub mod page;
pub mod paper;
pub mod report;
pub mod scenario;

use serde_json::Value;

use kit::import::reader::Reader;
use kit::lab::{Lab, Labs, Linked, Question};

pub use report::{Report, report};
pub use traces::Cause;

/// The lab as programs link it.
pub struct Traces;

impl Lab for Traces {
    fn key(&self) -> &'static str {
        "trace"
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        scenario::read(reader, path, value).map(|asked| Box::new(asked) as Box<dyn Question>)
    }
}

/// The lab by itself, to be read.
pub static LABS: &Labs = &[&Traces];

/// The lab by itself, to be read and run.
pub static LINKED: Linked = Linked { labs: LABS, engines: &[job::start] };

#[cfg(test)]
mod made;
