//! Inside a Web Worker: hears [`ToWorker`], steps one job at a time, says [`FromWorker`].
//!
//! Between slices the worker returns to its event loop, so a cancellation is heard within a slice or two. A job in a
//! pause is not stepped; it keeps the worker, and all that it has found.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::anneal::ChainState;
use super::protocol::{FromWorker, ToWorker};
use super::{Job, Step, Weight, weight};
use crate::base::control::Pacer;
use crate::base::{Control, Problem, StopReason, stamp};
use kit::lab::Linked;

/// How long a slice aims to take.
const SLICE_MS: f64 = 20.0;
/// Progress is told at most this often.
const PROGRESS_MS: f64 = 100.0;

/// A job under way.
struct Running {
    id: u32,
    work: Work,
    pacer: Pacer,
    started: f64,
    told: f64,
    spent: u64,
    rest: Rest,
}

/// Whether a job is in a pause.
#[derive(Clone, Copy, PartialEq)]
enum Rest {
    /// It is not.
    No,
    /// Since then, and the next slice is on its way.
    Asked(f64),
    /// Since then, and no slice comes by itself.
    Asleep(f64),
}

/// What there is to do.
pub enum Work {
    /// A scenario.
    Whole(Box<dyn Job>),
    /// A chain, for so many milliseconds.
    Chain(Box<dyn Advance>, f64),
}

/// A chain of an annealing that is advanced for a while.
pub trait Advance {
    /// Goes on until the slice is over; whether there is more to do.
    fn step(&mut self, control: &mut Control) -> bool;

    /// Hears how long the last step took, in seconds.
    fn took(&mut self, seconds: f64);

    /// Where it is.
    fn state(&self) -> ChainState;
}

/// What a program can do beside running scenarios: the work a message asks for; none where it asks for something else.
pub type More = fn(&ToWorker) -> Option<Result<Work, Vec<Problem>>>;

/// What the program of a worker can do.
#[derive(Clone, Copy)]
pub struct Skills {
    /// The scenarios that it reads and runs.
    pub linked: &'static Linked,
    /// What else it does.
    pub more: More,
    /// Who hears messages that are about no job; whether this was one.
    pub other: fn(&JsValue) -> bool,
}

type Shared = Rc<RefCell<Option<Running>>>;

impl Running {
    /// How long the present pause has been.
    fn rested(&self) -> f64 {
        match self.rest {
            Rest::No => 0.0,
            Rest::Asked(since) | Rest::Asleep(since) => now() - since,
        }
    }
}

/// Sets up the worker and tells the page it is ready.
pub fn start(skills: Skills) {
    console_error_panic_hook::set_once();
    let running: Shared = Rc::default();
    let slices = slice_channel(&running);
    let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        if (skills.other)(&data) {
            return;
        }
        match serde_wasm_bindgen::from_value::<ToWorker>(data) {
            Ok(message) => handle(skills, message, &running, &slices),
            Err(error) => web_sys::console::error_1(&format!("worker: {error}").into()),
        }
    });
    scope().set_onmessage(Some(hear.as_ref().unchecked_ref()));
    hear.forget(); // the worker lives as long as its page keeps it
    say(&FromWorker::Ready { build: stamp::build().to_owned() });
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

fn handle(skills: Skills, message: ToWorker, running: &Shared, slices: &web_sys::MessagePort) {
    let id = message.job();
    // Searches tell of their first slice; what is quick would flicker.
    let mut silent = PROGRESS_MS;
    let work = match (skills.more)(&message) {
        Some(work) => work,
        None => match message {
            ToWorker::Start { text, .. } => skills.linked.read(&text).map(|scenario| {
                if weight(&scenario) == Weight::Search {
                    silent = 0.0;
                }
                Work::Whole(skills.linked.start(&scenario))
            }),
            ToWorker::Check { text, .. } => {
                return say_last(&match skills.linked.read(&text) {
                    Ok(_) => FromWorker::Done { job: id, reason: StopReason::Done, report: None, work: 0 },
                    Err(problems) => FromWorker::Refused { job: id, problems },
                });
            }
            ToWorker::Pause { .. } => return pause(running, id),
            ToWorker::Resume { .. } => return resume(running, id, slices),
            ToWorker::Cancel { .. } => {
                if let Some(stopped) = running.borrow_mut().take_if(|running| running.id == id) {
                    cancelled(stopped);
                }
                return;
            }
            // The page gives these to programs that can.
            ToWorker::Certify { .. } | ToWorker::Chain { .. } | ToWorker::Study { .. } => return,
        },
    };
    match work {
        Ok(work) => {
            let started = now();
            let told = started - PROGRESS_MS + silent;
            let pacer = Pacer::new(SLICE_MS);
            *running.borrow_mut() =
                Some(Running { id, work, pacer, started, told, spent: 0, rest: Rest::No });
            knock(slices);
        }
        Err(problems) => say_last(&FromWorker::Refused { job: id, problems }),
    }
}

/// Does nothing for a job until it is to go on.
fn pause(running: &Shared, id: u32) {
    if let Some(current) = running.borrow_mut().as_mut().filter(|current| current.id == id)
        && current.rest == Rest::No
    {
        current.rest = Rest::Asked(now());
    }
}

/// Lets a job go on; its pause is no part of the time it took.
fn resume(running: &Shared, id: u32, slices: &web_sys::MessagePort) {
    if let Some(current) = running.borrow_mut().as_mut().filter(|current| current.id == id) {
        current.started += current.rested();
        if let Rest::Asleep(_) = std::mem::replace(&mut current.rest, Rest::No) {
            knock(slices);
        }
    }
}

fn cancelled(mut stopped: Running) {
    let ended = now() - stopped.rested();
    match &mut stopped.work {
        Work::Whole(job) => {
            let report = job.stop(StopReason::Cancelled).map(|mut report| {
                report.took((ended - stopped.started) / 1000.0);
                report.line()
            });
            let work = stopped.spent;
            say_last(&FromWorker::Done { job: stopped.id, reason: StopReason::Cancelled, report, work });
        }
        Work::Chain(run, _) => {
            say_last(&FromWorker::Chain { job: stopped.id, state: run.state(), over: true });
        }
    }
}

/// Runs one slice of the current job; whether there is more to do.
fn run_slice(running: &Shared) -> bool {
    let mut slot = running.borrow_mut();
    let Some(current) = slot.as_mut() else { return false };
    if let Rest::Asked(since) | Rest::Asleep(since) = current.rest {
        current.rest = Rest::Asleep(since);
        return false;
    }
    let more = match &mut current.work {
        Work::Whole(job) => {
            let (step, seconds) = timed(&mut current.pacer, &mut current.spent, |control| job.step(control));
            job.took(seconds);
            match step {
                Step::More(progress) => {
                    if is_due(&mut current.told) {
                        say(&FromWorker::Progress { job: current.id, progress, work: current.spent });
                        if let Some(line) = job.news() {
                            say(&FromWorker::News { job: current.id, line });
                        }
                    }
                    true
                }
                Step::Done(mut report) => {
                    report.took((now() - current.started) / 1000.0);
                    let (report, work) = (Some(report.line()), current.spent);
                    say_last(&FromWorker::Done { job: current.id, reason: StopReason::Done, report, work });
                    false
                }
            }
        }
        Work::Chain(run, milliseconds) => {
            let (more, seconds) = timed(&mut current.pacer, &mut current.spent, |control| run.step(control));
            run.took(seconds);
            let over = !more || now() - current.started >= *milliseconds;
            if over {
                say_last(&FromWorker::Chain { job: current.id, state: run.state(), over });
            } else if is_due(&mut current.told) {
                say(&FromWorker::Chain { job: current.id, state: run.state(), over });
            }
            !over
        }
    };
    if !more {
        *slot = None;
    }
    more
}

/// Does a slice of work and counts it; what it led to, and the seconds it took.
fn timed<T>(pacer: &mut Pacer, spent: &mut u64, work: impl FnOnce(&mut Control) -> T) -> (T, f64) {
    let before = now();
    let mut control = pacer.next();
    let outcome = work(&mut control);
    let ms = now() - before;
    *spent = spent.saturating_add(control.spent());
    pacer.took(ms);
    (outcome, ms / 1000.0)
}

/// Whether it is time to tell of progress again.
fn is_due(told: &mut f64) -> bool {
    let now = now();
    let due = now - *told >= PROGRESS_MS;
    if due {
        *told = now;
    }
    due
}

/// Says the last of a job, and what memory is held now.
fn say_last(message: &FromWorker) {
    say(message);
    say(&FromWorker::Idle { bytes: held() });
}

/// The bytes of this program's memory.
fn held() -> u64 {
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let buffer: js_sys::ArrayBuffer = memory.buffer().unchecked_into();
    buffer.byte_length().into()
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
