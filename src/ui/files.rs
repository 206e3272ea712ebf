//! Opening, dropping, pasting and saving files; copying text.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList};

use super::models;
use super::state::{App, Trouble};
use super::{programs, recordings, route};
use crate::base::Problem;
use crate::base::problem::quoted;
use crate::import::{self, Format};
use crate::page::Subject;
use crate::page::linked::LINKED;
use crate::scenario::link::{LessonSource, View};
use crate::scenario::{document_of_kernel_in, document_of_logs, logs_in, with_logs};
use crate::warps::Kernel;

/// A text that is longer is not looked at as a kernel string.
const LONGEST_KERNEL: usize = 10_000;

/// Opens all files of a list together. One document is shown: PTX goes into the scenario it came with, logs beside their
/// configuration, and models are one model. Whatever is not shown in the end is named, and why.
pub fn open_all(app: App, files: Option<FileList>) {
    let Some(list) = files else { return };
    let files: Vec<File> = (0..list.length()).filter_map(|i| list.get(i)).collect();
    spawn_local(async move {
        let (mut told, mut documents) = (Told::default(), Vec::new());
        let files = recordings::open(app, files, &mut told).await;
        let (mut logs, mut models) = (Vec::new(), Vec::new());
        for file in files {
            let name = file.name();
            let bytes = JsFuture::from(file.array_buffer()).await;
            let texts = match bytes {
                Ok(buffer) => import::gzip::texts_of(&name, &js_sys::Uint8Array::new(&buffer).to_vec()),
                Err(_) => Err(Problem::at("document", "cannot be read", "a file that can be read")),
            };
            match texts {
                Ok(texts) => {
                    for (name, text) in texts {
                        match (LINKED.sniff(&text), logs_in(&name, &text)) {
                            (Format::Amalthea, _) => models.push((name, text)),
                            (_, Some(found)) => logs.extend(found),
                            (kind, None) => documents.push((kind, name, text)),
                        }
                    }
                }
                Err(problem) => told.troubles.push(Trouble::new(&name, vec![problem])),
            }
        }
        // Those that go with another one come after it; a lesson brings its own.
        documents.sort_by_key(|(kind, ..)| match kind {
            Format::Ptx => 1,
            Format::Lesson => 2,
            _ => 0,
        });
        for (kind, name, text) in documents {
            let joins =
                kind == Format::Ptx && told.opened.is_some() && app.subject.get_untracked() == Subject::Warps;
            match kind {
                Format::Ptx => {
                    app.trouble.set(Vec::new());
                    programs::open(app, text, name.clone()).await;
                }
                _ => open_text(app, &text, &name),
            }
            let mut wrong = app.trouble.get_untracked();
            if wrong.is_empty() {
                told.opened(&name, joins);
            }
            told.troubles.append(&mut wrong);
        }
        if !logs.is_empty() {
            let joins = open_logs(app, &logs);
            told.opened(&several(&logs, "logs"), joins);
        }
        let source = several(&models, "files");
        if let Some((name, _)) = models.first() {
            let before = told.troubles();
            told.opened(if models.len() == 1 { name } else { &source }, false);
            app.trouble.set(before);
            models::open(app, &import::several::joined(&models), &source, told.troubles());
        } else {
            app.trouble.set(told.troubles());
        }
    });
}

/// What there is to tell of files that were opened together.
#[derive(Default)]
pub(super) struct Told {
    troubles: Vec<Trouble>,
    /// What was opened last.
    opened: Option<String>,
}

impl Told {
    /// Something was opened, together with what was opened before it or in its place.
    pub(super) fn opened(&mut self, name: &str, joins: bool) {
        if let Some(before) = self.opened.replace(name.to_owned()).filter(|_| !joins) {
            let what = format!("{} was opened in its place", quoted(name));
            let problem =
                Problem::at("document", what, "one document at a time, or files that belong together");
            self.troubles.push(Trouble::new(&before, vec![problem]));
        }
    }

    fn troubles(&self) -> Vec<Trouble> {
        let beside = self.opened.is_some();
        self.troubles.iter().cloned().map(|trouble| Trouble { beside, ..trouble }).collect()
    }
}

/// What files are called that are opened as one.
fn several(files: &[(String, String)], what: &str) -> String {
    match files {
        [(name, _)] => name.clone(),
        _ => format!("{} {what}", files.len()),
    }
}

/// Opens the logs of a run, beside the configuration on the page if they are of its run; whether they are.
fn open_logs(app: App, logs: &[(String, String)]) -> bool {
    let beside = app.tree.get_untracked().ok().and_then(|tree| with_logs(&tree, logs));
    let joins = beside.is_some();
    let document = beside.unwrap_or_else(|| document_of_logs(logs));
    let source = several(logs, "logs");
    let done = format!("Opened {source}; Undo brings back what was there");
    app.open(import::json::pretty(&document), View::default(), &done, &source);
    joins
}

/// Opens a text by its content; the scenario on the page stays if it is not a good one.
pub fn open_text(app: App, text: &str, source: &str) {
    app.trouble.set(Vec::new());
    match LINKED.sniff(text) {
        Format::Link => return route::open(app, text, source),
        Format::Lesson => return app.begin_lesson(LessonSource::Own(text.to_owned()), 0),
        Format::Amalthea => return models::open(app, text, source, Vec::new()),
        _ => {}
    }
    if let Some(logs) = logs_in(source, text) {
        open_logs(app, &logs);
        return;
    }
    if text.len() <= LONGEST_KERNEL && Kernel::parse(text).is_ok() {
        let present = app.tree.get_untracked().unwrap_or_default();
        let document = import::json::pretty(&document_of_kernel_in(&present, text.trim()));
        let done = format!("The kernel is {source} now; Undo brings back what was there");
        return app.open(document, View::default(), &done, source);
    }
    if LINKED.sniff(text) == Format::Ptx {
        return spawn_local(programs::open(app, text.to_owned(), source.to_owned()));
    }
    match LINKED.read(text) {
        Ok(_) => app.open(
            document_of(text),
            View::default(),
            &format!("Opened {source}; Undo brings back what was there"),
            source,
        ),
        Err(problems) => app.trouble.set(vec![Trouble::new(source, problems)]),
    }
}

/// The document of a text that can be read: it stands around an examiner's configuration.
fn document_of(text: &str) -> String {
    match LINKED.sniff(text) {
        Format::ExaminerConfig => {
            LINKED.tree(text).map_or_else(|_| text.to_owned(), |tree| import::json::pretty(&tree))
        }
        _ => text.to_owned(),
    }
}

/// Puts a text on the clipboard and says so.
pub fn copy(app: App, text: String, done: String) {
    spawn_local(async move {
        let clipboard = window().navigator().clipboard();
        let copied = if clipboard.is_undefined() {
            false
        } else {
            JsFuture::from(clipboard.write_text(&text)).await.is_ok()
        };
        app.notice.set(if copied {
            done
        } else {
            "The browser does not let the page copy; the address bar holds the link.".to_owned()
        });
    });
}
