//! The lab of chains from instructions to deadlines, from its documents to what the page shows.

pub mod draw;
pub mod export;
pub mod import;
pub mod job;
pub mod page;
pub mod paper;
pub mod report;
pub mod scenario;
pub mod timeline;
mod words;

use serde_json::Value;

use base::Problem;
use kit::import::Format;
use kit::import::reader::Reader;
use kit::lab::{Lab, Labs, Linked, Question};

/// The lab as programs link it.
pub struct Chains;

impl Lab for Chains {
    fn key(&self) -> &'static str {
        "chain"
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        scenario::chain::read(reader, path, value).map(|asked| Box::new(asked) as Box<dyn Question>)
    }

    fn document(&self, kind: Format, text: &str) -> Option<Result<Value, Vec<Problem>>> {
        (kind == Format::Amalthea).then(|| scenario::document_of_amalthea(text))
    }
}

/// The lab by itself, to be read.
pub static LABS: &Labs = &[&Chains];

/// The lab by itself, to be read and run: whoever names this links its engine.
pub static LINKED: Linked = Linked { labs: LABS, engines: &[job::start] };
