//! Files of the visitor: which are captures, and which are at hand for a document that names them.
//!
//! A capture that is opened is read by a worker before anything on the page changes: one that cannot be read changes
//! nothing. The worker that has read it is then the panel's.

use std::cell::RefCell;

use js_sys::Uint8Array;
use leptos::prelude::*;
use serde_json::{Value, json as tree};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, File};

use super::progress::watched;
use super::reading::{Ended, Reading};
use base::Problem;
use kit::import::json;
use ui_kit::dropped::Found;
use waves_lab::scenario::{Given, given};
use waves_read::files::{TELLS, captures, wave_name};

/// Bytes at the beginning of a file by which it is told.
const HEAD: f64 = 65_536.0;
/// Bytes at the end of an archive that name its files.
const TAIL: f64 = 4_194_304.0;

/// What was opened last, the worker that has read it, and how often anything was opened.
#[derive(Default)]
struct Held {
    files: Vec<Found>,
    is: Option<Given>,
    read: Option<Reading>,
    count: Option<ArcRwSignal<u32>>,
}

thread_local! {
    static HELD: RefCell<Held> = RefCell::default();
}

/// Counts how often files were opened; read by whoever waits for some.
pub(crate) fn opened() -> ArcRwSignal<u32> {
    HELD.with_borrow_mut(|held| held.count.get_or_insert_with(|| ArcRwSignal::new(0)).clone())
}

/// Whether what is held is what a document names: sizes may be left out there.
fn is(held: &Given, wanted: &Given) -> bool {
    match (held, wanted) {
        (Given::File { name, bytes }, Given::File { name: other, bytes: size }) => {
            name == other && (size.is_none() || bytes == size)
        }
        (Given::Folder { name, files }, Given::Folder { name: other, files: count }) => {
            name == other && (count.is_none() || files == count)
        }
        _ => false,
    }
}

/// The worker that has read what a document names, or one that begins to; none where the files are not at hand.
pub(crate) fn reading(text: &str, wanted: &Given) -> Option<Reading> {
    if matches!(wanted, Given::Shipped(_)) {
        return Some(Reading::start(text, Vec::new()));
    }
    HELD.with_borrow_mut(|held| {
        let is_it = held.is.as_ref().is_some_and(|own| is(own, wanted));
        is_it.then(|| held.read.take().unwrap_or_else(|| Reading::start(text, held.files.clone())))
    })
}

/// Takes a capture from among files, and has it read; the others are left. With the capture comes the name of what was
/// opened, and the document that shows it, or what is wrong with it; nothing where there is none, where the reading was
/// stopped, or where it is what the present document waits for: that goes on with it.
pub async fn document_of(
    files: Vec<Found>,
    present: Option<&str>,
) -> (Vec<Found>, Option<Result<(String, Value), Wrong>>) {
    let (own, is_it, rest) = match among(files).await {
        Ok(found) => found,
        Err(rest) => return (rest, None),
    };
    let waits = present.and_then(|text| json::parse(text).ok()).and_then(|tree| given(tree.get("waves")?));
    let waits = waits.is_some_and(|wanted| is(&is_it, &wanted));
    let (name, document) = (is_it.name().to_owned(), document(&is_it));
    let text = present.filter(|_| waits).map_or_else(|| json::line(&document), str::to_owned);
    let read = Reading::start(&text, own.clone());
    match watched(&read, &name).await {
        Ended::Read => {}
        Ended::Stopped => return (rest, None),
        Ended::Wrong(problems) => return (rest, Some(Err((name, problems)))),
    }
    HELD.with_borrow_mut(|held| (held.files, held.is, held.read) = (own, Some(is_it), Some(read)));
    opened().update(|count| *count += 1);
    (rest, (!waits).then_some(Ok((name, document))))
}

/// What cannot be read, and what is wrong with it.
pub type Wrong = (String, Vec<Problem>);

/// What comes of files among which another capture is looked for.
pub(crate) enum Other {
    /// What it is called, and what it sums up to.
    Summed(String, String),
    /// There is none.
    None,
    /// The reading was stopped.
    Stopped,
    /// It cannot be read.
    Wrong(Wrong),
}

/// Takes a capture from among files, and sums it up; the page stays as it is.
pub(crate) async fn other(files: Vec<Found>) -> Other {
    let Ok((own, is_it, _)) = among(files).await else { return Other::None };
    let name = is_it.name().to_owned();
    let read = Reading::other(&json::line(&document(&is_it)), own);
    match watched(&read, &name).await {
        Ended::Read => Other::Summed(name, read.summed().unwrap_or_default()),
        Ended::Stopped => Other::Stopped,
        Ended::Wrong(problems) => Other::Wrong((name, problems)),
    }
}

/// The files of a capture, what it is called, and the files beside it; all files again where there is none.
async fn among(files: Vec<Found>) -> Result<(Vec<Found>, Given, Vec<Found>), Vec<Found>> {
    match folder(files) {
        Ok((name, own, rest)) => {
            let files = Some(own.len() as u64);
            Ok((own, Given::Folder { name, files }, rest))
        }
        Err(files) => {
            let (own, rest) = packed(files).await?;
            let bytes = Some(own.1.size() as u64);
            let name = own.1.name();
            Ok((vec![own], Given::File { name, bytes }, rest))
        }
    }
}

fn document(given: &Given) -> Value {
    tree!({"warpspan": 1, "title": given.name(), "waves": written(given)})
}

fn written(given: &Given) -> Value {
    match given {
        Given::Shipped(name) => tree!({ "capture": name }),
        Given::File { name, bytes } => tree!({"file": {"name": name, "bytes": bytes}}),
        Given::Folder { name, files } => tree!({"folder": {"name": name, "files": files}}),
    }
}

/// The files of a capture's folder, and what that is called; all files again where there is none.
fn folder(files: Vec<Found>) -> Result<(String, Vec<Found>, Vec<Found>), Vec<Found>> {
    let file = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    if !files.iter().any(|(path, _)| file(path) == TELLS || wave_name(&file(path)).is_some()) {
        return Err(files);
    }
    let paths: Vec<String> = files.iter().map(|(path, _)| path.clone()).collect();
    let folders = captures(&paths);
    // Where there are several, the reader says so.
    let is_own = |path: &str| {
        folders
            .iter()
            .any(|folder| path.strip_prefix(folder.as_str()).is_some_and(|rest| !rest.contains('/')))
    };
    let (own, rest): (Vec<Found>, Vec<Found>) = files.into_iter().partition(|(path, _)| is_own(path));
    let name = match &folders[..] {
        [one] => one.trim_end_matches('/').rsplit('/').next().filter(|name| !name.is_empty()),
        _ => None,
    };
    Ok((name.unwrap_or("files of a thread trace").to_owned(), own, rest))
}

/// The first file that may hold a capture; all files again where there is none.
async fn packed(mut files: Vec<Found>) -> Result<(Found, Vec<Found>), Vec<Found>> {
    for place in 0..files.len() {
        if may_hold(&files[place].1).await {
            return Ok((files.remove(place), files));
        }
    }
    Err(files)
}

/// Whether a file may hold a capture, by its beginning; of a ZIP archive, by the names at its end.
async fn may_hold(file: &File) -> bool {
    let size = file.size();
    let Some(head) = piece(file, 0.0, HEAD.min(size)).await else { return false };
    if waves_read::zip::is_zip(&head) {
        let tail = piece(file, (size - TAIL).max(0.0), size).await.unwrap_or_default();
        return names_one(&tail);
    }
    waves_read::sniff(&head).is_some()
}

/// Whether the end of a ZIP archive names files of a capture.
fn names_one(tail: &[u8]) -> bool {
    let has = |name: &[u8]| tail.windows(name.len()).any(|part| part == name);
    has(TELLS.as_bytes()) || has(b"_sl0_wv0.json")
}

async fn piece(file: &File, from: f64, to: f64) -> Option<Vec<u8>> {
    let piece: Blob = file.slice_with_f64_and_f64(from, to).ok()?;
    let bytes = JsFuture::from(piece.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&bytes).to_vec())
}
