//! The lab of warps on one multiprocessor, from its documents to what the page shows.
//!
//! Layers point downwards: import, scenario, report, job, timeline, draw, export, page. Nothing here knows the DOM.

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

use base::Problem;
use kit::import::Format;
use kit::import::reader::Reader;
use kit::lab::{Lab, Labs, Linked, Question};
use kit::page::Subject;
use scenario::{memory, programs};

/// The lab as programs link it.
pub struct Warps;

impl Lab for Warps {
    fn key(&self) -> &'static str {
        "warps"
    }

    /// Machine code has the same key.
    fn claims(&self, value: &Value) -> bool {
        Subject::Warps.claims(value)
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        scenario::warps::read((&memory::Checked, &programs::Here), reader, path, value)
            .map(|asked| Box::new(asked) as Box<dyn Question>)
    }

    fn sniff(&self, text: &str) -> Option<Format> {
        import::ptx::looks_like(text).then_some(Format::Ptx)
    }

    fn document(&self, kind: Format, text: &str) -> Option<Result<Value, Vec<Problem>>> {
        // Problems of the text itself are placed in it, not in the document that would be made of it.
        (kind == Format::Ptx).then(|| import::ptx::read(text).map(|_| scenario::document_of_ptx(text)))
    }
}

/// The lab for programs that run its quick jobs alone. What is said about loads is taken as it is written: workers that
/// link the whole lab run such scenarios, and say what is wrong with them. PTX is read by another program, which this one
/// asks.
pub struct QuickWarps;

impl Lab for QuickWarps {
    fn key(&self) -> &'static str {
        Warps.key()
    }

    fn claims(&self, value: &Value) -> bool {
        Warps.claims(value)
    }

    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        if programs::is_unwalked(value) {
            return reader.bounded(path, value).then(|| Box::new(programs::Unwalked) as Box<dyn Question>);
        }
        let asked = scenario::warps::read((&memory::AsWritten, &programs::Elsewhere), reader, path, value);
        asked.map(|asked| Box::new(asked) as Box<dyn Question>)
    }

    /// What may be PTX; whoever reads that knows.
    fn sniff(&self, text: &str) -> Option<Format> {
        (text.contains(';') && !text.starts_with(['{', '['])).then_some(Format::Ptx)
    }
}

/// The lab by itself, to be read by programs that run its quick jobs alone.
pub static QUICK: &Labs = &[&QuickWarps];

/// The lab by itself, to be read.
pub static LABS: &Labs = &[&Warps];

/// The lab by itself, to be read and run: whoever names this links its engine.
pub static LINKED: Linked = Linked { labs: LABS, engines: &[job::start] };
