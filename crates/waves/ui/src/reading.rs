//! A worker that reads a capture, and what it has said so far: whoever begins to listen hears all of it.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use base::Problem;
use ui_kit::dropped::Found;
use ui_kit::holder::Holder;
use waves_lab::page::seam::{CAPTURE, Doing, FromHolder, ToHolder};

/// What is heard of the worker: what it says, or that it died, and why.
pub(crate) type Heard = Result<FromHolder, String>;

/// How the reading of a capture ended.
pub(crate) enum Ended {
    /// It is read.
    Read,
    /// Somebody stopped it.
    Stopped,
    /// It cannot be read, or the worker died.
    Wrong(Vec<Problem>),
}

#[derive(Default)]
struct Ear {
    /// What was said before anybody listened, but for what it does.
    kept: Vec<Heard>,
    /// Who listens.
    listens: Option<Rc<dyn Fn(Heard)>>,
    /// Who is told what it does, until then.
    told: Option<Box<dyn Fn(Doing)>>,
    /// Who waits until it is known whether the capture can be read.
    waits: Option<Function>,
    /// Whether that is not wanted any more.
    stopped: bool,
}

/// The worker; it ends when this is dropped.
pub(crate) struct Reading {
    holder: Option<Holder<ToHolder>>,
    ear: Rc<RefCell<Ear>>,
}

impl Reading {
    /// Starts one that reads the capture of a document, from these files.
    pub(crate) fn start(text: &str, files: Vec<Found>) -> Self {
        Self::asked(files, |paths| ToHolder::Open { text: text.to_owned(), paths })
    }

    /// Starts one that reads it and only sums it up.
    pub(crate) fn other(text: &str, files: Vec<Found>) -> Self {
        Self::asked(files, |paths| ToHolder::Other { text: text.to_owned(), paths })
    }

    fn asked(files: Vec<Found>, first: impl FnOnce(Vec<String>) -> ToHolder) -> Self {
        let ear = Rc::<RefCell<Ear>>::default();
        let (paths, files): (Vec<String>, Vec<_>) = files.into_iter().unzip();
        let files: Array = files.iter().collect();
        let (own, other) = (Rc::clone(&ear), Rc::clone(&ear));
        let heard = move |message: FromHolder| hear(&own, Ok(message));
        let holder = Holder::open(CAPTURE, first(paths), &files, heard, move |why| hear(&other, Err(why)));
        if holder.is_none() {
            hear(&ear, Err("no worker can be started".to_owned()));
        }
        Self { holder, ear }
    }

    /// Asks something about the capture.
    pub(crate) fn ask(&self, message: &ToHolder) {
        if let Some(holder) = &self.holder {
            holder.ask(message);
        }
    }

    /// Hears everything from now on, after all that was said before.
    pub(crate) fn listen(&self, listens: impl Fn(Heard) + 'static) {
        let listens = Rc::new(listens);
        let kept = std::mem::take(&mut self.ear.borrow_mut().kept);
        kept.into_iter().for_each(|heard| listens(heard));
        self.ear.borrow_mut().listens = Some(listens);
    }

    /// Waits until the capture is read, or cannot be, or is not wanted any more; `told` is told what is done meanwhile.
    pub(crate) async fn over(&self, told: impl Fn(Doing) + 'static) -> Ended {
        self.ear.borrow_mut().told = Some(Box::new(told));
        if outcome(&self.ear).is_none() {
            let promise = Promise::new(&mut |done, _| self.ear.borrow_mut().waits = Some(done));
            let _ = JsFuture::from(promise).await;
        }
        self.ear.borrow_mut().told = None;
        outcome(&self.ear).unwrap_or(Ended::Stopped)
    }

    /// What stops it: whoever waits until it is over is told.
    pub(crate) fn stop(&self) -> impl Fn() + Clone + 'static {
        let ear = Rc::clone(&self.ear);
        move || {
            ear.borrow_mut().stopped = true;
            wake(&ear);
        }
    }

    /// The capture summed up, once that is over.
    pub(crate) fn summed(&self) -> Option<String> {
        self.ear.borrow().kept.iter().find_map(|heard| match heard {
            Ok(FromHolder::Summed(text)) => Some(text.clone()),
            _ => None,
        })
    }
}

/// How the reading ended, once it has.
fn outcome(ear: &RefCell<Ear>) -> Option<Ended> {
    let ear = ear.borrow();
    let stopped = ear.stopped.then_some(Ended::Stopped);
    let ended = |heard: &Heard| match heard {
        Ok(FromHolder::Drawn(_) | FromHolder::Summed(_)) => Some(Ended::Read),
        Ok(FromHolder::Refused(problems)) => Some(Ended::Wrong(problems.clone())),
        Ok(_) => None,
        Err(why) => {
            let what = format!("the reading ended: {why}");
            Some(Ended::Wrong(vec![Problem::at("capture", what, "a smaller one")]))
        }
    };
    stopped.or_else(|| ear.kept.iter().find_map(ended))
}

/// Hands on what was heard, or keeps it.
fn hear(ear: &RefCell<Ear>, heard: Heard) {
    let listens = ear.borrow().listens.clone();
    match (listens, heard) {
        (Some(listens), heard) => listens(heard),
        (None, Ok(FromHolder::Does(doing))) => {
            if let Some(told) = &ear.borrow().told {
                told(doing);
            }
            return;
        }
        (None, heard) => ear.borrow_mut().kept.push(heard),
    }
    wake(ear);
}

/// Tells whoever waits for it that the reading has ended, if it has.
fn wake(ear: &RefCell<Ear>) {
    if outcome(ear).is_none() {
        return;
    }
    let waits = ear.borrow_mut().waits.take();
    if let Some(waits) = waits {
        // Whoever waits is told; that cannot fail.
        let _ = waits.call0(&JsValue::NULL);
    }
}
