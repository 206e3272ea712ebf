//! The lab of recurring tasks, from its documents to what the page shows.

pub mod draw;
pub mod export;
pub mod gpu;
pub mod job;
pub mod page;
pub mod paper;
pub mod report;
pub mod scenario;
pub mod timeline;

use serde_json::Value;

use kit::import::reader::Reader;
use kit::lab::{Lab, Labs, Linked, Question};

/// The lab as programs link it.
pub struct Tasks;

impl Lab for Tasks {
    fn key(&self) -> &'static str {
        "tasks"
    }

    fn holds(&self) -> &'static str {
        "a list of tasks"
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        scenario::tasks::read(reader, path, value).map(|asked| Box::new(asked) as Box<dyn Question>)
    }
}

/// The lab by itself, to be read.
pub static LABS: &Labs = &[&Tasks];

/// The lab by itself, to be read and run: whoever names this links its engine.
pub static LINKED: Linked = Linked { labs: LABS, engines: &[job::start] };
