//! The lab of machine code: documents whose `warps` have `code` or `sass`, their jobs, reports and pictures.
//!
//! Layers point downwards: scenario, job, report, timeline, draw, page. Nothing here knows the DOM, reads a file or a clock.

pub mod certificate;
pub mod draw;
pub mod export;
pub mod job;
pub mod page;
pub mod paper;
pub mod report;
pub mod scenario;
pub mod timeline;

use serde_json::Value;

use base::Problem;
use kit::import::Format;
use kit::import::reader::Reader;
use kit::lab::{Lab, Labs, Linked, Question};
use kit::page::Subject;

pub use code_read::looks_like;
pub use job::start;
pub use scenario::{CodeScenario, document_of_listing};

/// The lab as programs link it.
pub struct Code;

impl Lab for Code {
    fn key(&self) -> &'static str {
        "warps"
    }

    fn claims(&self, value: &Value) -> bool {
        Subject::Code.claims(value)
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        scenario::read(reader, path, value).map(|asked| Box::new(asked) as Box<dyn Question>)
    }

    fn sniff(&self, text: &str) -> Option<Format> {
        looks_like(text).then_some(Format::Sass)
    }

    fn document(&self, kind: Format, text: &str) -> Option<Result<Value, Vec<Problem>>> {
        (kind == Format::Sass).then(|| document(text))
    }
}

/// The lab by itself, to be read.
pub static LABS: &Labs = &[&Code];

/// The lab by itself, to be read and run.
pub static LINKED: Linked = Linked { labs: LABS, engines: &[job::start] };

/// The document of a listing, or what is wrong with it: the first function, with stated defaults.
pub fn document(text: &str) -> Result<Value, Vec<Problem>> {
    code_read::read(text).map(|listing| document_of_listing(text, &listing))
}
