//! Files that somebody opens or drops, with the folders that they are in: what is dropped may be folders themselves.

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

/// More files are not looked at.
const MOST: usize = 20_000;

/// A file, and what it is called with the folders before it.
pub type Found = (String, File);

/// All files among files and entries of a file system.
pub async fn files(dropped: &Array) -> Vec<Found> {
    let mut found = Vec::new();
    let mut entries: Vec<(String, JsValue)> = Vec::new();
    for one in dropped.iter() {
        match one.dyn_into::<File>() {
            Ok(file) => found.push((path_of(&file), file)),
            Err(entry) => entries.push((String::new(), entry)),
        }
    }
    entries.reverse();
    while let Some((folder, entry)) = entries.pop() {
        if found.len() >= MOST {
            break;
        }
        let path = folder + &text(&entry, "name");
        if truth(&entry, "isFile") {
            let file = asked(&entry, "file").await.and_then(|file| file.dyn_into::<File>().ok());
            found.extend(file.map(|file| (path, file)));
        } else if truth(&entry, "isDirectory") {
            let inside = inside(&entry).await;
            entries.extend(inside.into_iter().rev().map(|entry| (format!("{path}/"), entry)));
        }
    }
    found
}

/// What a file is called: with its folders, where a folder was chosen.
fn path_of(file: &File) -> String {
    match text(file, "webkitRelativePath") {
        path if path.is_empty() => file.name(),
        path => path,
    }
}

/// What is in a folder; browsers tell it piece by piece.
async fn inside(folder: &JsValue) -> Vec<JsValue> {
    let mut all = Vec::new();
    let reader = method(folder, "createReader").and_then(|create| create.call0(folder).ok());
    let Some(reader) = reader else { return all };
    while let Some(piece) = asked(&reader, "readEntries").await {
        let piece = Array::from(&piece);
        if piece.length() == 0 || all.len() > MOST {
            break;
        }
        all.extend(piece.iter());
    }
    all
}

/// What a method answers that is told whom to call.
async fn asked(of: &JsValue, name: &str) -> Option<JsValue> {
    let method = method(of, name)?;
    let promise = Promise::new(&mut |done, failed| {
        let _ = method.call2(of, &done, &failed);
    });
    JsFuture::from(promise).await.ok()
}

fn method(of: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(of, &name.into()).ok()?.dyn_into().ok()
}

fn text(of: &JsValue, name: &str) -> String {
    Reflect::get(of, &name.into()).ok().and_then(|text| text.as_string()).unwrap_or_default()
}

fn truth(of: &JsValue, name: &str) -> bool {
    Reflect::get(of, &name.into()).is_ok_and(|value| value.is_truthy())
}
