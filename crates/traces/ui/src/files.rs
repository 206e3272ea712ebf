//! Files of the visitor: which are recordings, and which are at hand for a document that names them.

use std::cell::RefCell;

use js_sys::{Array, Uint8Array};
use leptos::prelude::*;
use serde_json::{Value, json as tree};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

use kit::import::json;
use traces_lab::scenario::{Named, named};
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

/// Keeps files for whoever shows the document that names them; with or without those that were kept before.
fn hold(files: Vec<File>, beside: bool) {
    HELD.with_borrow_mut(|(held, _)| {
        held.retain(|old| beside && files.iter().all(|new| new.name() != old.name()));
        held.extend(files);
    });
    opened().update(|count| *count += 1);
}

fn is(file: &File, one: &Named) -> bool {
    file.name() == one.name && one.bytes.is_none_or(|bytes| file.size() == bytes as f64)
}

/// The files that a document names; where some are not at hand, their names.
pub(crate) fn at_hand(named: &[Named]) -> Result<Array, Vec<String>> {
    HELD.with_borrow(|(held, _)| {
        let find = |one: &Named| held.iter().find(|file| is(file, one));
        let missing: Vec<String> =
            named.iter().filter(|one| find(one).is_none()).map(|one| one.name.clone()).collect();
        if missing.is_empty() { Ok(named.iter().filter_map(find).collect()) } else { Err(missing) }
    })
}

/// What a document waits for, if it does: all files that it names.
fn waits(present: Option<&str>) -> Vec<Named> {
    let tree = present.and_then(|text| json::parse(text).ok());
    let files = tree.as_ref().and_then(|tree| tree.get("trace")?.get("files"));
    files.map(named).filter(|all| at_hand(all).is_err()).unwrap_or_default()
}

/// Which of some files are recordings, by their places, and the document that shows those together; none where all are
/// what the present document waits for: it goes on with them.
pub async fn document_of(files: &Array, present: Option<&str>) -> (Vec<u32>, Option<Value>) {
    let mut told = Vec::new();
    for (place, file) in (0..).zip(files.iter()) {
        let Ok(file) = file.dyn_into::<File>() else { continue };
        told.extend(format_of(&file).await.map(|format| (place, file, format)));
    }
    let wanted = waits(present);
    if !told.is_empty() && told.iter().all(|(_, file, _)| wanted.iter().any(|one| is(file, one))) {
        let (which, found): (Vec<u32>, Vec<File>) =
            told.into_iter().map(|(place, file, _)| (place, file)).unzip();
        hold(found, true);
        return (which, None);
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
        let named = |file: &File| tree!({"name": file.name(), "bytes": file.size() as u64});
        let names: Vec<Value> = found.iter().map(named).collect();
        tree!({"warpspan": 1, "title": title, "trace": {"files": names}})
    });
    if document.is_some() {
        hold(found, false);
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
