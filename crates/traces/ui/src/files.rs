//! Files of the visitor: which are recordings, and which are at hand for a document that names them.

use std::cell::RefCell;

use js_sys::{Array, Uint8Array};
use leptos::prelude::*;
use serde_json::{Value, json};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use traces_lab::scenario::Named;
use traces_read::Format;
use traces_read::source::Source;

/// Bytes at the beginning of a file by which it is told.
const HEAD: f64 = 2_097_152.0;

thread_local! {
    /// What was opened last, and how often anything was.
    static HELD: RefCell<(Vec<File>, Option<ArcRwSignal<u32>>)> = const { RefCell::new((Vec::new(), None)) };
}

/// Counts how often files were opened; read by whoever waits for some.
pub(crate) fn opened() -> ArcRwSignal<u32> {
    HELD.with_borrow_mut(|(_, count)| count.get_or_insert_with(|| ArcRwSignal::new(0)).clone())
}

/// Keeps files for whoever shows the document that names them.
pub(crate) fn hold(files: Vec<File>) {
    HELD.with_borrow_mut(|held| held.0 = files);
    opened().update(|count| *count += 1);
}

/// The files that a document names, if all are at hand.
pub(crate) fn at_hand(named: &[Named]) -> Option<Array> {
    HELD.with_borrow(|(held, _)| {
        let find = |one: &Named| {
            held.iter().find(|file| {
                file.name() == one.name && one.bytes.is_none_or(|bytes| file.size() == bytes as f64)
            })
        };
        named.iter().map(find).collect::<Option<Vec<_>>>().map(|files| files.into_iter().collect())
    })
}

/// Which of some files are recordings, by their places, and the document that shows those together.
pub async fn document_of(files: &Array) -> (Vec<u32>, Option<Value>) {
    let mut told = Vec::new();
    for (place, file) in (0..).zip(files.iter()) {
        let Ok(file) = file.dyn_into::<File>() else { continue };
        told.extend(format_of(&file).await.map(|format| (place, file, format)));
    }
    // The examiner's logs are of a recorded run only beside another recording of it.
    let is_log = |format: &Format| matches!(format, Format::Examiner { .. });
    if told.iter().all(|(.., format)| is_log(format)) {
        told.clear();
    }
    told.sort_by_key(|(place, _, format)| (is_log(format), *place));
    let (which, found): (Vec<u32>, Vec<File>) =
        told.into_iter().map(|(place, file, _)| (place, file)).unzip();
    let document = (!found.is_empty()).then(|| {
        let title = match &found[..] {
            [one] => one.name(),
            several => format!("{} and {} more", several[0].name(), several.len() - 1),
        };
        let named = |file: &File| json!({"name": file.name(), "bytes": file.size() as u64});
        let names: Vec<Value> = found.iter().map(named).collect();
        json!({"warpspan": 1, "title": title, "trace": {"files": names}})
    });
    if document.is_some() {
        hold(found);
    }
    (which, document)
}

async fn format_of(file: &File) -> Option<Format> {
    let head = file.slice_with_f64_and_f64(0.0, HEAD.min(file.size())).ok()?;
    let bytes = JsFuture::from(head.array_buffer()).await.ok()?;
    traces_read::sniff_any(&mut Head { bytes: Uint8Array::new(&bytes).to_vec() })
}

/// The beginning of a file.
struct Head {
    bytes: Vec<u8>,
}

impl Source for Head {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, base::Problem> {
        (&self.bytes[..]).read_at(offset, into)
    }
}
