//! What somebody opens: files, or a text that was dropped or pasted. Content decides what each is, never its name.
//!
//! Invariant: one thing is shown in the end, and whatever is not part of it is named, with the reason. PTX goes into the
//! scenario it came with, logs go beside their configuration, and models are one model.

use serde_json::Value;

use crate::OPENED;
use base::Problem;
use base::problem::quoted;
use kit::import::{Format, gzip, json, several, sniff};
use kit::page::opened::{Opened, Outcome, Trouble};
use kit::scenario::{self, document_of_logs, in_file, logs_in, with_logs};
use warps_lab::scenario::{document_of_ptx_in, kernel_in};

/// What files are opened as: recordings among them have become a document already.
#[derive(Default)]
pub struct Opening {
    /// The document on the page, or the one opened before in its place.
    present: Option<Value>,
    /// What is to be shown, and what it was read from.
    shown: Option<(Opened, String)>,
    troubles: Vec<Trouble>,
    /// What goes together, to be opened once all files are known.
    logs: Vec<(String, String)>,
    models: Vec<(String, String)>,
    documents: Vec<(Format, String, String)>,
}

/// Opens a text from elsewhere.
pub fn text(present: Option<&str>, source: &str, text: &str) -> Outcome {
    let mut opening = Opening::beside(present);
    match (sniff(OPENED, text), logs_in(source, text)) {
        (_, Some(logs)) => opening.logs(source, &logs),
        (kind, None) => opening.one(kind, source, text),
    }
    opening.outcome()
}

impl Opening {
    /// Beside the document on the page.
    pub fn beside(present: Option<&str>) -> Self {
        Self { present: present.and_then(|text| json::parse(text).ok()), ..Self::default() }
    }

    /// The recordings among the files have this document.
    pub fn recordings(&mut self, names: &[String], document: &Value) {
        let source = together(names.len(), names.first().map_or("", String::as_str), "recordings");
        let done = format!("Opened {source}; it stays on this computer");
        self.document(document, source, done, false);
    }

    /// Files of this name hold something that belongs to a lab, and cannot be read.
    pub fn unread(&mut self, name: &str, problems: Vec<Problem>) {
        self.trouble(name, problems);
    }

    /// A file with its bytes; none where they could not be read.
    pub fn file(&mut self, name: &str, bytes: Option<&[u8]>) {
        let unreadable = || Problem::at("document", "cannot be read", "a file that can be read");
        match bytes.ok_or_else(unreadable).and_then(|bytes| gzip::texts_of(name, bytes)) {
            Err(problem) => self.trouble(name, vec![problem]),
            Ok(texts) => {
                for (name, text) in texts {
                    match (sniff(OPENED, &text), logs_in(&name, &text)) {
                        (Format::Amalthea, _) => self.models.push((name, text)),
                        (_, Some(found)) => self.logs.extend(found),
                        (kind, None) => self.documents.push((kind, name, text)),
                    }
                }
            }
        }
    }

    /// There are no more files: what came of all.
    pub fn over(mut self) -> Outcome {
        // Those that go with another one come after it; a lesson brings its own.
        base::sort::sort_by_key(&mut self.documents, |(kind, ..)| match kind {
            Format::Ptx => 1,
            Format::Lesson => 2,
            _ => 0,
        });
        for (kind, name, text) in std::mem::take(&mut self.documents) {
            self.one(kind, &name, &text);
        }
        let (logs, models) = (std::mem::take(&mut self.logs), std::mem::take(&mut self.models));
        if let Some((name, _)) = logs.first() {
            self.logs(&together(logs.len(), name, "logs"), &logs);
        }
        if let Some((name, _)) = models.first() {
            self.one(Format::Amalthea, &together(models.len(), name, "files"), &several::joined(&models));
        }
        self.outcome()
    }

    fn outcome(self) -> Outcome {
        let beside = self.shown.is_some();
        let troubles = self.troubles.into_iter().map(|trouble| Trouble { beside, ..trouble }).collect();
        Outcome { opened: self.shown.map(|(opened, _)| opened), troubles }
    }

    /// Opens a text that is no log.
    fn one(&mut self, kind: Format, source: &str, text: &str) {
        match kind {
            Format::Link => {
                let (text, source) = (text.to_owned(), source.to_owned());
                return self.show(Opened::Link { text, source: source.clone() }, source, false);
            }
            Format::Lesson => {
                return self.show(Opened::Lesson(text.to_owned()), source.to_owned(), false);
            }
            _ => {}
        }
        let present = self.present.take().unwrap_or_default();
        let kernel = kernel_in(&present, text);
        self.present = Some(present);
        if let Some(document) = kernel {
            let done = format!("The kernel is {source} now; Undo brings back what was there");
            return self.document(&document, source.to_owned(), done, false);
        }
        if let Err(problems) = scenario::read(OPENED, text) {
            let config = kind == Format::ExaminerConfig;
            let place = |problem| if config { in_file(problem) } else { problem };
            return self.trouble(source, problems.into_iter().map(place).collect());
        }
        let made = if kind == Format::Amalthea { "Made of" } else { "Opened" };
        let done = format!("{made} {source}; Undo brings back what was there");
        // A document stays as its author wrote it.
        if kind == Format::Scenario {
            self.present = json::parse(text).ok();
            let source = source.to_owned();
            let opened = Opened::Document { text: text.to_owned(), source: source.clone(), done };
            return self.show(opened, source, false);
        }
        // PTX alone takes the place of the kernel of a sound document.
        let sound = self.present.as_ref().filter(|_| kind == Format::Ptx);
        match sound.filter(|present| scenario::from_tree(OPENED, present).is_ok()) {
            Some(present) => {
                let joins = self.shown.is_some() && present.get("warps").is_some();
                self.document(&document_of_ptx_in(present, text), source.to_owned(), done, joins);
            }
            None => match scenario::tree(OPENED, text) {
                Ok(document) => self.document(&document, source.to_owned(), done, false),
                Err(problems) => self.trouble(source, problems),
            },
        }
    }

    /// Opens the logs of a run, beside the configuration that is there if they are of its run.
    fn logs(&mut self, source: &str, logs: &[(String, String)]) {
        let beside = self.present.as_ref().and_then(|present| with_logs(present, logs));
        let joins = beside.is_some();
        let document = beside.unwrap_or_else(|| document_of_logs(logs));
        let done = format!("Opened {source}; Undo brings back what was there");
        self.document(&document, source.to_owned(), done, joins);
    }

    fn document(&mut self, document: &Value, source: String, done: String, joins: bool) {
        self.present = Some(document.clone());
        let opened = Opened::Document { text: json::pretty(document), source: source.clone(), done };
        self.show(opened, source, joins);
    }

    /// Shows something, together with what was opened before it or in its place.
    fn show(&mut self, opened: Opened, source: String, joins: bool) {
        let before = self.shown.replace((opened, source.clone()));
        if let Some((_, before)) = before.filter(|_| !joins) {
            let what = format!("{} was opened in its place", quoted(&source));
            let expected = "one document at a time, or files that belong together";
            self.trouble(&before, vec![Problem::at("document", what, expected)]);
        }
    }

    fn trouble(&mut self, source: &str, problems: Vec<Problem>) {
        self.troubles.push(Trouble::new(source, problems));
    }
}

/// What files are called that are opened as one.
fn together(count: usize, first: &str, what: &str) -> String {
    if count == 1 { first.to_owned() } else { format!("{count} {what}") }
}

#[cfg(test)]
mod tests;
