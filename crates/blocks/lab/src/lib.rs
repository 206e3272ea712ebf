//! The lab of blocks on the whole GPU, from its documents to what the page shows.

pub mod draw;
pub mod export;
pub mod import;
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
pub struct Blocks;

impl Lab for Blocks {
    fn key(&self) -> &'static str {
        "blocks"
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        scenario::blocks::read(reader, path, value).map(|asked| Box::new(asked) as Box<dyn Question>)
    }
}

/// The lab by itself, to be read.
pub static LABS: &Labs = &[&Blocks];

/// The lab by itself, to be read and run: whoever names this links its engine.
pub static LINKED: Linked = Linked { labs: LABS, engines: &[job::start] };
