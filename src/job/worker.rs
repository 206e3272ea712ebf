//! Inside a Web Worker: hears [`ToWorker`], steps one job at a time, says [`FromWorker`].
//!
//! Between slices the worker returns to its event loop, so a cancellation is heard within a slice or two.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::protocol::{FromWorker, ToWorker};
use super::{Job, Step};
use crate::base::control::Pacer;
use crate::base::{BUILD, StopReason};
use crate::{job, scenario};

/// How long a slice aims to take.
const SLICE_MS: f64 = 20.0;
/// Progress is told at most this often.
const PROGRESS_MS: f64 = 100.0;

/// A job under way.
struct Running {
    id: u32,
    job: Box<dyn Job>,
    pacer: Pacer,
    started: f64,
    told: f64,
}

type Shared = Rc<RefCell<Option<Running>>>;

/// Sets up the worker and tells the page it is ready.
pub fn start() {
    console_error_panic_hook::set_once();
    let running: Shared = Rc::default();
    let slices = slice_channel(&running);
    let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        match serde_wasm_bindgen::from_value::<ToWorker>(event.data()) {
            Ok(message) => handle(message, &running, &slices),
            Err(error) => web_sys::console::error_1(&format!("worker: {error}").into()),
        }
    });
    scope().set_onmessage(Some(hear.as_ref().unchecked_ref()));
    hear.forget(); // the worker lives as long as its page keeps it
    say(&FromWorker::Ready { build: BUILD.to_owned() });
}

/// A port whose messages each run one slice; unlike timers they are not delayed.
fn slice_channel(running: &Shared) -> web_sys::MessagePort {
    // A channel is always to be had in a worker.
    let channel = web_sys::MessageChannel::new().unwrap_throw();
    let (inside, outside) = (channel.port1(), channel.port2());
    let running = Rc::clone(running);
    let again = outside.clone();
    let slice = Closure::<dyn FnMut()>::new(move || {
        if run_slice(&running) {
            knock(&again);
        }
    });
    inside.set_onmessage(Some(slice.as_ref().unchecked_ref()));
    slice.forget();
    outside
}

fn knock(port: &web_sys::MessagePort) {
    port.post_message(&JsValue::NULL).unwrap_throw();
}

fn handle(message: ToWorker, running: &Shared, slices: &web_sys::MessagePort) {
    match message {
        ToWorker::Start { job: id, text } => match scenario::read(&text) {
            Ok(scenario) => {
                let now = now();
                let job = job::start(scenario);
                *running.borrow_mut() =
                    Some(Running { id, job, pacer: Pacer::new(SLICE_MS), started: now, told: now });
                knock(slices);
            }
            Err(problems) => say(&FromWorker::Refused { job: id, problems }),
        },
        ToWorker::Cancel { job: id } => {
            let stopped = running.borrow_mut().take_if(|running| running.id == id);
            if let Some(mut stopped) = stopped {
                let report = stopped.job.stop(StopReason::Cancelled).map(|mut report| {
                    report.took((now() - stopped.started) / 1000.0);
                    report.line()
                });
                say(&FromWorker::Done { job: id, reason: StopReason::Cancelled, report });
            }
        }
    }
}

/// Runs one slice of the current job; whether there is more to do.
fn run_slice(running: &Shared) -> bool {
    let mut slot = running.borrow_mut();
    let Some(current) = slot.as_mut() else { return false };
    let before = now();
    match current.job.step(&mut current.pacer.next()) {
        Step::More(progress) => {
            let after = now();
            current.pacer.took(after - before);
            if after - current.told >= PROGRESS_MS {
                current.told = after;
                say(&FromWorker::Progress { job: current.id, progress });
            }
            true
        }
        Step::Done(mut report) => {
            report.took((now() - current.started) / 1000.0);
            say(&FromWorker::Done { job: current.id, reason: StopReason::Done, report: Some(report.line()) });
            *slot = None;
            false
        }
    }
}

fn say(message: &FromWorker) {
    // Plain data: turning it into a JavaScript value cannot fail.
    let value = serde_wasm_bindgen::to_value(message).unwrap_throw();
    scope().post_message(&value).unwrap_throw();
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Milliseconds on the worker's clock.
fn now() -> f64 {
    scope().performance().map_or(0.0, |performance| performance.now())
}
