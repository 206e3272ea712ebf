//! A worker that reads a capture, and what it has said so far: whoever begins to listen hears all of it.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use base::Problem;
use ui_kit::dropped::Found;
use ui_kit::holder::Holder;
use waves_lab::page::seam::{CAPTURE, FromHolder, ToHolder};

/// What is heard of the worker: what it says, or that it died, and why.
pub(crate) type Heard = Result<FromHolder, String>;

#[derive(Default)]
struct Ear {
    /// What was said before anybody listened.
    kept: Vec<Heard>,
    /// Who listens.
    listens: Option<Rc<dyn Fn(Heard)>>,
    /// Who waits until it is known whether the capture can be read.
    waits: Option<Function>,
}

/// The worker; it ends when this is dropped.
pub(crate) struct Reading {
    holder: Option<Holder<ToHolder>>,
    ear: Rc<RefCell<Ear>>,
}

impl Reading {
    /// Starts one that reads the capture of a document, from these files.
    pub(crate) fn start(text: &str, files: Vec<Found>) -> Self {
        let ear = Rc::<RefCell<Ear>>::default();
        let (paths, files): (Vec<String>, Vec<_>) = files.into_iter().unzip();
        let files: Array = files.iter().collect();
        let first = ToHolder::Open { text: text.to_owned(), paths };
        let (own, other) = (Rc::clone(&ear), Rc::clone(&ear));
        let heard = move |message: FromHolder| hear(&own, Ok(message));
        let holder = Holder::open(CAPTURE, first, &files, heard, move |why| hear(&other, Err(why)));
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

    /// Waits until the capture is read, or cannot be.
    pub(crate) async fn over(&self) -> Result<(), Vec<Problem>> {
        if self.outcome().is_none() {
            let promise = Promise::new(&mut |done, _| self.ear.borrow_mut().waits = Some(done));
            let _ = JsFuture::from(promise).await;
        }
        self.outcome().unwrap_or(Ok(()))
    }

    fn outcome(&self) -> Option<Result<(), Vec<Problem>>> {
        self.ear.borrow().kept.iter().find_map(|heard| match heard {
            Ok(FromHolder::Drawn(_)) => Some(Ok(())),
            Ok(FromHolder::Refused(problems)) => Some(Err(problems.clone())),
            Ok(_) => None,
            Err(why) => {
                Some(Err(vec![Problem::at("capture", format!("the reading ended: {why}"), "a smaller one")]))
            }
        })
    }
}

/// Hands on what was heard, or keeps it.
fn hear(ear: &RefCell<Ear>, heard: Heard) {
    let is_over = !matches!(heard, Ok(FromHolder::Progress { .. }));
    let listens = ear.borrow().listens.clone();
    match listens {
        Some(listens) => listens(heard),
        None => ear.borrow_mut().kept.push(heard),
    }
    let waits = if is_over { ear.borrow_mut().waits.take() } else { None };
    if let Some(waits) = waits {
        // Whoever waits is told; that cannot fail.
        let _ = waits.call0(&JsValue::NULL);
    }
}
