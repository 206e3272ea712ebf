//! A worker that holds what is in sight, and is asked about it. What it holds is never given back while it lives, so
//! something else gets another worker.

use std::marker::PhantomData;

use js_sys::{Array, Object, Reflect};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker};

use base::stamp;
use kit::page::holder::FILES;

/// Where the worker starts.
const LOADER: &str = "worker-loader.js";

/// The worker; it ends when this is dropped. `T` is what it is asked, under a key of its lab.
pub struct Holder<T> {
    worker: Worker,
    key: &'static str,
    asked: PhantomData<T>,
    _hear: Closure<dyn FnMut(MessageEvent)>,
    _fail: Closure<dyn FnMut(ErrorEvent)>,
}

impl<T: Serialize + 'static> Holder<T> {
    /// Starts one, and asks it a first thing with files; `heard` hears what it says, `failed` that it died, and why.
    pub fn open<F: DeserializeOwned>(
        key: &'static str,
        first: T,
        files: &Array,
        heard: impl Fn(F) + 'static,
        failed: impl Fn(String) + 'static,
    ) -> Option<Self> {
        let worker = Worker::new(&format!("{LOADER}?build={}", stamp::build())).ok()?;
        let (files, started) = (files.clone(), worker.clone());
        let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            match serde_wasm_bindgen::from_value(event.data()) {
                Ok(message) => heard(message),
                // It says that it is up, as it does to everybody.
                Err(_) => post(&started, key, &first, &files),
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
        Some(Self { worker, key, asked: PhantomData, _hear: hear, _fail: fail })
    }

    /// Asks something.
    pub fn ask(&self, message: &T) {
        post(&self.worker, self.key, message, &Array::new());
    }
}

impl<T> Drop for Holder<T> {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

fn post<T: Serialize>(worker: &Worker, key: &str, message: &T, files: &Array) {
    let whole = Object::new();
    // Plain data: turning it into a JavaScript value cannot fail.
    let message = serde_wasm_bindgen::to_value(message).unwrap_or_default();
    let _ = Reflect::set(&whole, &key.into(), &message);
    let _ = Reflect::set(&whole, &FILES.into(), files);
    let _ = worker.post_message(&whole);
}
