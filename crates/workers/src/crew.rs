//! The browser's side of a worker pool: real workers, the clock, and the owners of jobs.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use base::stamp;
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, MessageEvent, Worker};

use crate::browser::{after, now, window};
use crate::pool::{Action, Heard, PATIENCE_MS, Pool};
use crate::protocol::{FromWorker, ToWorker};

/// Hears of a job, by its id.
pub type Owner = Rc<dyn Fn(u32, Heard)>;
type Closures = (Closure<dyn FnMut(MessageEvent)>, Closure<dyn FnMut(ErrorEvent)>);

/// Starts a worker that will say `Ready`.
type Start = Rc<dyn Fn() -> Result<Worker, JsValue>>;

/// Workers of one kind and their jobs; cheap to copy.
#[derive(Clone)]
pub struct Crew {
    inner: Rc<RefCell<Inner>>,
}

struct Inner {
    pool: Pool,
    start: Start,
    /// One entry for each slot of the pool.
    workers: Vec<Option<(Worker, Closures)>>,
    owners: Vec<(u32, Owner)>,
    /// Whether the pool is looked at again after a while.
    watched: bool,
}

impl Crew {
    /// At most so many workers, each started in this way; none is started yet.
    pub fn new(workers: usize, start: impl Fn() -> Result<Worker, JsValue> + 'static) -> Self {
        let workers = workers.max(1);
        Self {
            inner: Rc::new(RefCell::new(Inner {
                pool: Pool::new(workers, stamp::build()),
                start: Rc::new(start),
                workers: std::iter::repeat_with(|| None).take(workers).collect(),
                owners: Vec::new(),
                watched: false,
            })),
        }
    }

    /// Takes the message that starts a job, under an id of its own; `owner` hears of the job.
    pub fn submit(&self, work: ToWorker, owner: Owner) {
        self.inner.borrow_mut().owners.push((work.job(), owner));
        let actions = self.inner.borrow_mut().pool.submit(work);
        perform(&self.inner, actions);
    }

    /// Stops a job, if this crew has it.
    pub fn cancel(&self, job: u32) {
        let actions = self.inner.borrow_mut().pool.cancel(job, now());
        perform(&self.inner, actions);
        watch(&self.inner);
    }

    /// Has nothing done for a job until it is to go on, if this crew has it.
    pub fn pause(&self, job: u32) {
        let actions = self.inner.borrow_mut().pool.pause(job);
        perform(&self.inner, actions);
    }

    /// Lets a job go on after a pause.
    pub fn resume(&self, job: u32) {
        let actions = self.inner.borrow_mut().pool.resume(job);
        perform(&self.inner, actions);
    }

    /// Starts the first worker.
    pub fn warm_up(&self) {
        let actions = self.inner.borrow_mut().pool.warm_up();
        perform(&self.inner, actions);
    }
}

fn perform(inner: &Rc<RefCell<Inner>>, actions: Vec<Action>) {
    for action in actions {
        match action {
            Action::Spawn(slot, generation) => spawn(inner, slot, generation),
            Action::Terminate(slot) => {
                let gone = inner.borrow_mut().workers.get_mut(slot).and_then(Option::take);
                if let Some((worker, closures)) = gone {
                    worker.set_onmessage(None);
                    worker.set_onerror(None);
                    worker.terminate();
                    // One of these closures may be running right now.
                    after(Duration::ZERO, move || drop(closures));
                }
            }
            Action::Post(slot, message) => {
                let value = serde_wasm_bindgen::to_value(&message).unwrap_throw();
                if let Some((worker, _)) = &inner.borrow().workers[slot] {
                    worker.post_message(&value).unwrap_throw();
                }
            }
            Action::Tell(job, heard) => {
                let over = !matches!(
                    heard,
                    Heard::Progress(_) | Heard::News(_) | Heard::Worked(_) | Heard::Chain(_, false)
                );
                let at = inner.borrow().owners.iter().position(|(id, _)| *id == job);
                let Some(at) = at else { continue };
                let owner = Rc::clone(&inner.borrow().owners[at].1);
                if over {
                    inner.borrow_mut().owners.remove(at);
                }
                owner(job, heard);
            }
            Action::Mismatch(build) => mismatch(inner, &build),
        }
    }
}

fn spawn(inner: &Rc<RefCell<Inner>>, slot: usize, generation: u32) {
    let start = Rc::clone(&inner.borrow().start);
    let worker = match start() {
        Ok(worker) => worker,
        Err(error) => {
            let actions = inner.borrow_mut().pool.died(
                slot,
                generation,
                &format!("no worker can be started: {error:?}"),
            );
            return perform(inner, actions);
        }
    };
    let weak = Rc::downgrade(inner);
    let hear = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let Some(inner) = weak.upgrade() else { return };
        let actions = match serde_wasm_bindgen::from_value::<FromWorker>(event.data()) {
            Ok(message) => inner.borrow_mut().pool.hear(slot, generation, message),
            Err(error) => inner.borrow_mut().pool.died(
                slot,
                generation,
                &format!("a message nobody understands: {error}"),
            ),
        };
        perform(&inner, actions);
        if !inner.borrow().watched {
            watch(&inner);
        }
    });
    let weak = Rc::downgrade(inner);
    let fail = Closure::<dyn FnMut(ErrorEvent)>::new(move |event: ErrorEvent| {
        event.prevent_default();
        let Some(inner) = weak.upgrade() else { return };
        let said = js_sys::Reflect::get(&event, &"message".into()).ok().and_then(|m| m.as_string());
        let why =
            said.filter(|m| !m.is_empty()).unwrap_or_else(|| "its script could not be loaded".to_owned());
        let actions = inner.borrow_mut().pool.died(slot, generation, &why);
        perform(&inner, actions);
    });
    worker.set_onmessage(Some(hear.as_ref().unchecked_ref()));
    worker.set_onerror(Some(fail.as_ref().unchecked_ref()));
    let mut inner = inner.borrow_mut();
    if inner.workers.len() <= slot {
        inner.workers.resize_with(slot + 1, || None);
    }
    inner.workers[slot] = Some((worker, (hear, fail)));
}

/// Looks again once a worker's time to stop is over, for as long as one is waited for.
fn watch(inner: &Rc<RefCell<Inner>>) {
    if !inner.borrow().pool.needs_ticks() {
        return;
    }
    inner.borrow_mut().watched = true;
    let inner = Rc::clone(inner);
    after(Duration::from_millis(PATIENCE_MS as u64 + 1), move || {
        inner.borrow_mut().watched = false;
        let actions = inner.borrow_mut().pool.tick(now());
        perform(&inner, actions);
        watch(&inner);
    });
}

/// An old worker met a new page, or the other way round: load both anew, but not again and again.
fn mismatch(inner: &Rc<RefCell<Inner>>, build: &str) {
    const TRIED: &str = "warpspan-reloaded-for";
    let storage = window().session_storage().ok().flatten();
    let tried = storage.as_ref().and_then(|s| s.get_item(TRIED).ok().flatten());
    if tried.as_deref() == Some(stamp::build()) {
        let page = stamp::build();
        let why =
            format!("the page is of build {page}, its worker of build {build}; reload without the cache");
        web_sys::console::error_1(&format!("Warpspan: {why}").into());
        let actions = inner.borrow_mut().pool.give_up(&why);
        return perform(inner, actions);
    }
    if let Some(storage) = storage {
        // Without storage the next visit tries again, which does no harm.
        let _ = storage.set_item(TRIED, stamp::build());
    }
    let _ = window().location().reload();
}
