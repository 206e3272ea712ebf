//! The device: asked for with its larger limits, and watched, so that what it refuses and its loss are told.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Object, Promise};
use tasks_lab::gpu::{Limits, Unavailable};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::bindings::{Adapter, Gpu, Queue, RawDevice, field, object, said, text};

/// What is asked of the device beyond what every device has.
const WANTED: [&str; 4] = [
    "maxStorageBufferBindingSize",
    "maxBufferSize",
    "maxComputeInvocationsPerWorkgroup",
    "maxComputeWorkgroupSizeX",
];
/// Kinds of errors that are watched for.
const ERRORS: [&str; 3] = ["out-of-memory", "validation", "internal"];

thread_local! {
    /// Whether the browser has said that there is no adapter. It writes a warning to the console each time it says so,
    /// and its answer stays the same for as long as the page is open: it is asked once.
    static NO_ADAPTER: Cell<bool> = const { Cell::new(false) };
}

/// A device, given back when dropped.
pub struct Device {
    /// The device as the browser has it.
    pub raw: RawDevice,
    /// Where its work is handed in.
    pub queue: Queue,
    /// What it allows.
    pub limits: Limits,
    /// What the browser says of it.
    pub name: String,
    /// Whether it is a processor that stands in for one.
    pub software: bool,
    lost: Rc<RefCell<Option<String>>>,
}

impl Device {
    /// The browser's device, or why there is none.
    pub async fn open() -> Result<Self, Unavailable> {
        let window = web_sys::window().ok_or(Unavailable::NoWebGpu)?;
        let gpu = field(&window.navigator(), "gpu");
        if !gpu.is_object() {
            return Err(if window.is_secure_context() {
                Unavailable::NoWebGpu
            } else {
                Unavailable::Insecure
            });
        }
        let gpu: Gpu = gpu.unchecked_into();
        if NO_ADAPTER.get() {
            return Err(Unavailable::NoAdapter);
        }
        let fast = object([("powerPreference", "high-performance".into())]);
        let adapter = settled(gpu.request_adapter(&fast)).await.unwrap_or_default();
        if !adapter.is_object() {
            NO_ADAPTER.set(true);
            return Err(Unavailable::NoAdapter);
        }
        let adapter: Adapter = adapter.unchecked_into();
        let (allowed, wanted) = (adapter.limits(), Object::new());
        for name in WANTED {
            let _ = js_sys::Reflect::set(&wanted, &name.into(), &field(&allowed, name));
        }
        let raw = settled(adapter.request_device(&object([("requiredLimits", wanted.into())]))).await;
        let raw: RawDevice = raw.map_err(|why| Unavailable::NoDevice(said(&why)))?.unchecked_into();
        let lost: Rc<RefCell<Option<String>>> = Rc::default();
        let (promise, told) = (raw.lost(), Rc::clone(&lost));
        spawn_local(async move {
            if let Ok(info) = JsFuture::from(promise).await {
                let why = text(&info, "message").unwrap_or_else(|| "nothing about it.".to_owned());
                told.replace(Some(why));
            }
        });
        let (name, software) = describe(&adapter);
        Ok(Self { queue: raw.queue(), raw, limits: limits(&allowed), name, software, lost })
    }

    /// That the device is still there.
    pub fn check(&self) -> Result<(), Unavailable> {
        match &*self.lost.borrow() {
            Some(why) => Err(Unavailable::Lost(why.clone())),
            None => Ok(()),
        }
    }

    /// Does something of which nothing may be refused.
    pub async fn watched<T>(
        &self,
        what: impl AsyncFnOnce() -> Result<T, Unavailable>,
    ) -> Result<T, Unavailable> {
        ERRORS.iter().for_each(|kind| self.raw.push_error_scope(kind));
        let done = what().await;
        let mut refused = None;
        for scope in ERRORS.map(|_| self.raw.pop_error_scope()) {
            let error = JsFuture::from(scope).await.unwrap_or_default();
            if error.is_object() {
                refused = refused.or_else(|| Some(said(&error)));
            }
        }
        self.check()?;
        match refused {
            Some(why) => Err(Unavailable::Refused(why)),
            None => done,
        }
    }

    /// Hands work in, and waits until it is done; the milliseconds that took.
    pub async fn run(&self, commands: &Array) -> Result<f64, Unavailable> {
        let before = now();
        self.queue.submit(commands);
        let done = JsFuture::from(self.queue.work_done()).await;
        let ms = now() - before;
        self.check()?;
        done.map(|_| ms).map_err(|why| Unavailable::Refused(said(&why)))
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        self.raw.destroy();
    }
}

/// What a promise comes to.
pub async fn settled(promise: Result<Promise, JsValue>) -> Result<JsValue, JsValue> {
    JsFuture::from(promise?).await
}

/// Milliseconds since the page began.
pub fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}

/// Lets the page do what it has to do meanwhile.
pub async fn breathe() {
    let promise = Promise::new(&mut |resolve, _| {
        if let Some(window) = web_sys::window() {
            // A timer of no time is always to be had.
            let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, 0);
        }
    });
    let _ = JsFuture::from(promise).await;
}

fn limits(allowed: &JsValue) -> Limits {
    let common = Limits::default();
    let bytes = |name, otherwise: u64| field(allowed, name).as_f64().map_or(otherwise, |found| found as u64);
    let number = |name, otherwise: u32| field(allowed, name).as_f64().map_or(otherwise, |found| found as u32);
    Limits {
        binding: bytes("maxStorageBufferBindingSize", common.binding),
        buffer: bytes("maxBufferSize", common.buffer),
        threads: number("maxComputeInvocationsPerWorkgroup", common.threads),
        across: number("maxComputeWorkgroupSizeX", common.across),
        groups: number("maxComputeWorkgroupsPerDimension", common.groups),
    }
}

/// What the browser says of an adapter, which may be little, and whether it is a processor.
fn describe(adapter: &Adapter) -> (String, bool) {
    let info = adapter.info();
    let parts = ["vendor", "architecture", "device", "description"].map(|name| text(&info, name));
    let mut said: Vec<String> = Vec::new();
    for part in parts.into_iter().flatten() {
        if !said.contains(&part) {
            said.push(part);
        }
    }
    let fallback = [field(&info, "isFallbackAdapter"), field(adapter, "isFallbackAdapter")];
    let software = fallback.iter().any(JsValue::is_truthy) || said.iter().any(|part| part == "swiftshader");
    (
        if said.is_empty() { "a GPU the browser says nothing about".to_owned() } else { said.join(", ") },
        software,
    )
}
