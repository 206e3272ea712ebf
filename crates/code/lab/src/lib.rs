//! The lab of machine code: documents whose `warps` have `code` or `sass`, their jobs and reports.
//!
//! Layers point downwards: scenario, job, report. Nothing here knows the DOM, reads a file or a clock.

mod job;
pub mod report;
pub mod scenario;

use serde_json::Value;

use base::Problem;
use kit::import::reader::Reader;
use kit::lab::{Lab, Labs, Linked, Question};

pub use code_read::looks_like;
pub use scenario::{CodeScenario, document_of_listing};

/// The lab as programs link it.
pub struct Code;

impl Lab for Code {
    fn key(&self) -> &'static str {
        "warps"
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        scenario::read(reader, path, value).map(|asked| Box::new(asked) as Box<dyn Question>)
    }
}

/// The lab by itself, to be read.
pub static LABS: &Labs = &[&Code];

/// The lab by itself, to be read and run.
pub static LINKED: Linked = Linked { labs: LABS, engines: &[job::start] };

/// Whether a document is one of this lab: its `warps` have `code` or `sass`.
pub fn is_asked(tree: &Value) -> bool {
    let warps = tree.get("warps");
    warps.is_some_and(|warps| warps.get("code").is_some() || warps.get("sass").is_some())
}

/// The document of a listing, or what is wrong with it: the first function, with stated defaults.
pub fn document(text: &str) -> Result<Value, Vec<Problem>> {
    code_read::read(text).map(|listing| document_of_listing(text, &listing))
}
