//! The worker that holds the run in sight. Another run gets another worker, as nothing is given back while one lives.

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker};

use base::stamp;
use traces_lab::page::seam::{FILES, FromHolder, RECORDING, ToHolder};

/// Where the worker starts.
const LOADER: &str = "worker-loader.js";

/// The worker; it ends when this is dropped.
pub(crate) struct Holder {
    worker: Worker,
    _hear: Closure<dyn FnMut(MessageEvent)>,
    _fail: Closure<dyn FnMut(ErrorEvent)>,
}

impl Holder {
    /// Starts one that opens a document's run; `heard` hears what it says, `failed` that it died, and why.
    pub(crate) fn open(
        text: &str,
        files: &Array,
        heard: impl Fn(FromHolder) + 'static,
        failed: impl Fn(String) + 'static,
    ) -> Option<Self> {
        let worker = Worker::new(&format!("{LOADER}?build={}", stamp::build())).ok()?;
        let (text, files, started) = (text.to_owned(), files.clone(), worker.clone());
        let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            match serde_wasm_bindgen::from_value(event.data()) {
                Ok(message) => heard(message),
                // It says that it is up, as it does to everybody.
                Err(_) => post(&started, &ToHolder::Open { text: text.clone() }, &files),
            }
        });
        let fail = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
            event.prevent_default();
            let said = Reflect::get(&event, &"message".into()).ok().and_then(|said| said.as_string());
            failed(
                said.filter(|said| !said.is_empty())
                    .unwrap_or_else(|| "its script could not be loaded".to_owned()),
            );
        });
        worker.set_onmessage(Some(hear.as_ref().unchecked_ref()));
        worker.set_onerror(Some(fail.as_ref().unchecked_ref()));
        Some(Self { worker, _hear: hear, _fail: fail })
    }

    /// Asks something about the run.
    pub(crate) fn ask(&self, message: &ToHolder) {
        post(&self.worker, message, &Array::new());
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

fn post(worker: &Worker, message: &ToHolder, files: &Array) {
    let whole = Object::new();
    // Plain data: turning it into a JavaScript value cannot fail.
    let message = serde_wasm_bindgen::to_value(message).unwrap_or_default();
    let _ = Reflect::set(&whole, &RECORDING.into(), &message);
    let _ = Reflect::set(&whole, &FILES.into(), files);
    let _ = worker.post_message(&whole);
}
