//! Claims about worst cases, from their documents to what the page shows.

pub mod export;
pub mod job;
pub mod page;
pub mod paper;
pub mod report;
pub mod scenario;

use serde_json::Value;

use kit::import::reader::Reader;
use kit::lab::{Lab, Labs, Linked, Question};

/// The lab as programs link it.
pub struct Conjectures;

impl Lab for Conjectures {
    fn key(&self) -> &'static str {
        "conjecture"
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        scenario::read(reader, path, value).map(|asked| Box::new(asked) as Box<dyn Question>)
    }
}

/// The lab by itself, to be read.
pub static LABS: &Labs = &[&Conjectures];

/// The lab by itself, to be read and run: whoever names this links its engine.
pub static LINKED: Linked = Linked { labs: LABS, engines: &[job::start] };
