//! The lab of thread traces, from its documents to what the page shows: reports, comparisons, exports, pictures.
//!
//! Nothing here reads a clock or opens a file.

pub mod captures;
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

pub use report::{Detail, Report, report};
pub use waves::{Account, Capture, Cause};

/// The lab as programs link it.
pub struct Waves;

impl Lab for Waves {
    fn key(&self) -> &'static str {
        "waves"
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        scenario::read(reader, path, value).map(|asked| Box::new(asked) as Box<dyn Question>)
    }
}

/// The lab by itself, to be read.
pub static LABS: &Labs = &[&Waves];

/// The lab by itself, to be read and run.
pub static LINKED: Linked = Linked { labs: LABS, engines: &[job::start] };
