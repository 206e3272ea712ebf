//! Opening, dropping, pasting and saving files; copying text.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList};

use super::models;
use super::route;
use super::state::{App, Trouble};
use crate::import::{self, Format};
use crate::page::linked::LINKED;
use crate::scenario::link::{LessonSource, View};
use crate::scenario::{document_of_logs, document_of_ptx, document_of_ptx_in, logs_in, with_logs};

/// Opens all files of a list; the last good one is shown, all bad ones are named. Logs are opened together, after
/// everything else: they may be of the configuration that was opened with them. So are models, which are one model.
pub fn open_all(app: App, files: Option<FileList>) {
    let Some(list) = files else { return };
    let files: Vec<File> = (0..list.length()).filter_map(|i| list.get(i)).collect();
    spawn_local(async move {
        let mut troubles = Vec::new();
        let (mut logs, mut models) = (Vec::new(), Vec::new());
        for file in files {
            let name = file.name();
            let bytes = JsFuture::from(file.array_buffer()).await;
            let text = match bytes {
                Ok(buffer) => import::gzip::text_of(&js_sys::Uint8Array::new(&buffer).to_vec()),
                Err(_) => {
                    Err(crate::base::Problem::at("document", "cannot be read", "a file that can be read"))
                }
            };
            match text {
                Ok(text) if LINKED.sniff(&text) == Format::Amalthea => models.push((name, text)),
                Ok(text) => match logs_in(&name, &text) {
                    Some(found) => logs.extend(found),
                    None => open_text(app, &text, &name),
                },
                Err(problem) => app.trouble.set(vec![Trouble { source: name, problems: vec![problem] }]),
            }
            troubles.append(&mut app.trouble.get_untracked());
        }
        open_logs(app, &logs);
        app.trouble.set(troubles);
        if let Some((name, _)) = models.first() {
            let source = if models.len() == 1 { name.clone() } else { format!("{} files", models.len()) };
            models::open(app, &import::several::joined(&models), &source);
        }
    });
}

/// Opens the logs of a run, beside the configuration on the page if they are of its run.
fn open_logs(app: App, logs: &[(String, String)]) {
    if logs.is_empty() {
        return;
    }
    let beside = app.tree.get_untracked().ok().and_then(|tree| with_logs(&tree, logs));
    let document = beside.unwrap_or_else(|| document_of_logs(logs));
    let source = match logs {
        [(name, _)] => name.clone(),
        _ => format!("{} logs", logs.len()),
    };
    let done = format!("Opened {source}; Undo brings back what was there");
    app.open(import::json::pretty(&document), View::default(), &done, &source);
}

/// Opens a text by its content; the scenario on the page stays if it is not a good one.
pub fn open_text(app: App, text: &str, source: &str) {
    app.trouble.set(Vec::new());
    match LINKED.sniff(text) {
        Format::Link => return route::open(app, text, source),
        Format::Lesson => return app.begin_lesson(LessonSource::Own(text.to_owned()), 0),
        Format::Amalthea => return models::open(app, text, source),
        _ => {}
    }
    if let Some(logs) = logs_in(source, text) {
        return open_logs(app, &logs);
    }
    match LINKED.read(text) {
        Ok(_) => app.open(
            document_of(app, text),
            View::default(),
            &format!("Opened {source}; Undo brings back what was there"),
            source,
        ),
        Err(problems) => app.trouble.set(vec![Trouble { source: source.to_owned(), problems }]),
    }
}

/// The document of a text that can be read. PTX alone takes the place of the kernel on the page, and where there
/// is no valid scenario a document is made around it.
fn document_of(app: App, text: &str) -> String {
    match LINKED.sniff(text) {
        Format::Ptx => {}
        // The document stands around what was opened.
        Format::ExaminerConfig => {
            let document = LINKED.tree(text).map(|tree| import::json::pretty(&tree));
            return document.unwrap_or_else(|_| text.to_owned());
        }
        _ => return text.to_owned(),
    }
    let sound = app.read.with_untracked(Result::is_ok);
    import::json::pretty(&match app.tree.get_untracked() {
        Ok(present) if sound => document_of_ptx_in(&present, text),
        _ => document_of_ptx(text),
    })
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
