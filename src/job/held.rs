//! Inside a worker that holds something for a panel: what it hears and says, and how it reads files of the visitor.

use js_sys::{Array, Object, Reflect, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, File, FileReaderSync};

use crate::base::Problem;
use kit::page::holder::FILES;

/// Progress is told at most this often.
pub(super) const PROGRESS_MS: f64 = 100.0;

/// The message under a key, with its files; none where there is no such message.
pub(super) fn message<T: DeserializeOwned>(data: &JsValue, key: &str) -> Option<(T, Array)> {
    let message = Reflect::get(data, &key.into()).ok()?;
    let message = serde_wasm_bindgen::from_value(message).ok()?;
    let files = Reflect::get(data, &FILES.into()).map(|files| Array::from(&files)).unwrap_or_default();
    Some((message, files))
}

/// Says something to the page.
pub(super) fn say<T: Serialize>(message: &T) {
    // Plain data: turning it into a JavaScript value cannot fail.
    let value = serde_wasm_bindgen::to_value(message).unwrap_throw();
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let columns = Array::new();
    buffers(&value, &columns);
    scope.post_message_with_transfer(&value, &columns).unwrap_throw();
}

/// The memory of all columns of a message, which crosses to the page without a copy.
fn buffers(value: &JsValue, into: &Array) {
    if let Some(column) = value.dyn_ref::<Uint8Array>() {
        into.push(&column.buffer());
    } else if value.is_object() && !Array::is_array(value) {
        Object::values(value.unchecked_ref()).iter().for_each(|own| buffers(&own, into));
    }
}

/// A file of the visitor, which stays on the visitor's machine.
pub(super) struct OnPage {
    pub(super) file: File,
    reader: FileReaderSync,
}

impl OnPage {
    pub(super) fn new(file: File) -> Result<Self, Problem> {
        let reader = FileReaderSync::new().map_err(|_| unread())?;
        Ok(Self { file, reader })
    }

    /// Bytes from one place to before another, as far as there are any.
    pub(super) fn bytes(&self, from: f64, to: f64) -> Result<Uint8Array, Problem> {
        let piece = self.file.slice_with_f64_and_f64(from, to).map_err(|_| unread())?;
        let buffer = self.reader.read_as_array_buffer(&piece).map_err(|_| unread())?;
        Ok(Uint8Array::new(&buffer))
    }

    /// All of it.
    pub(super) fn all(&self) -> Result<Vec<u8>, Problem> {
        Ok(self.bytes(0.0, self.file.size())?.to_vec())
    }
}

fn unread() -> Problem {
    Problem::at("file", "the browser does not read it", "a file that is still where it was")
}

pub(super) fn now() -> f64 {
    js_sys::Date::now()
}
