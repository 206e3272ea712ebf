//! Small pictures of documents: each is run once it comes into view, one at a time, and drawn by its lab's own drawing.
//!
//! A picture shows shapes, not words. What is searched for is drawn as it begins: a picture is there in a moment or not
//! at all.

pub(crate) mod small;

pub use kit::page::paper::{HIGH, WIDE};
pub use small::picture;

use std::collections::VecDeque;

use serde_json::{Value, json};

use kit::draw::DrawList;
use kit::import::json as text;
use kit::page::Subject;
use kit::page::told::Heard;

/// Examples whose reports are so long, or take so long, that they have no picture.
pub const WITHOUT: [&str; 5] =
    ["large", "many-blocks", "tasks-experiment", "chain-exclusive", "chain-camera"];

/// A picture, or how far it is.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Stage {
    /// Nobody has come to see it.
    #[default]
    Unseen,
    /// It waits for its turn, or is made.
    Awaited,
    /// It is there.
    Drawn(DrawList),
    /// There is none.
    Without,
}

/// What there is to ask the page for: to run a document as the job of this number.
pub type Start = (u32, String);

/// Pictures by the numbers of their documents.
#[derive(Debug, Clone, Default)]
pub struct Pictures {
    /// The documents, and their pictures.
    all: Vec<(Value, Stage)>,
    waiting: VecDeque<usize>,
    /// The job that runs, and for which of them.
    running: Option<(u32, usize)>,
    /// Jobs so far.
    jobs: u32,
}

impl Pictures {
    /// The pictures of these documents; null has none.
    pub fn of(documents: impl IntoIterator<Item = Value>) -> Self {
        let stage = |document: &Value| if document.is_null() { Stage::Without } else { Stage::Unseen };
        let all = documents.into_iter().map(|document| (stage(&document), document));
        Self { all: all.map(|(stage, document)| (document, stage)).collect(), ..Self::default() }
    }

    /// How far a picture is.
    pub fn stage(&self, at: usize) -> &Stage {
        self.all.get(at).map_or(&Stage::Without, |(_, stage)| stage)
    }

    /// A picture has come into view.
    pub fn seen(&mut self, at: usize) -> Option<Start> {
        let (_, stage) = self.all.get_mut(at)?;
        if *stage == Stage::Unseen {
            *stage = Stage::Awaited;
            self.waiting.push_back(at);
        }
        self.next()
    }

    /// Hears how a job stands: when it is over, the next one has its turn.
    pub fn heard(&mut self, job: u32, heard: &Heard) -> Option<Start> {
        let (_, at) = self.running.filter(|(running, _)| *running == job)?;
        let line = match heard {
            Heard::Progress { .. } => return None,
            Heard::Report(line) => line.as_deref(),
            Heard::Refused(_) | Heard::Crashed(_) => None,
        };
        let (document, stage) = &mut self.all[at];
        let drawn = line.and_then(|line| picture(&as_it_begins(document), line));
        *stage = drawn.map_or(Stage::Without, Stage::Drawn);
        self.running = None;
        self.next()
    }

    fn next(&mut self) -> Option<Start> {
        if self.running.is_some() {
            return None;
        }
        let at = self.waiting.pop_front()?;
        self.jobs += 1;
        self.running = Some((self.jobs, at));
        Some((self.jobs, text::line(&as_it_begins(&self.all[at].0))))
    }
}

/// The samples of a study that its picture is made of.
const SAMPLES: u64 = 3;

/// A document whose run is over in a moment: a search among orders of warps gives way to the first of them, and a study
/// has few samples.
fn as_it_begins(document: &Value) -> Value {
    const SEARCHES: [&str; 3] = ["anneal", "beam", "exact"];
    let mut begins = document.clone();
    if let Some(samples) = begins.pointer_mut("/study/samples")
        && samples.as_u64().is_some_and(|samples| samples > SAMPLES)
    {
        *samples = SAMPLES.into();
    }
    let is_code = Subject::of(document) == Some(Subject::Code);
    if let Some(method) = begins.pointer_mut("/warps/method")
        && SEARCHES.iter().any(|search| method.get(search).is_some())
    {
        *method =
            if is_code { json!({"policy": "loose-round-robin"}) } else { json!({"initial": "round-robin"}) };
    }
    begins
}

#[cfg(test)]
mod tests;
