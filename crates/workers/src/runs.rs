//! Where the page's jobs run: quick ones in its own wasm, searches in wasm compiled for speed.
//!
//! Quick workers cost a visitor no second download: they are given the module the page runs on, compiled
//! already. The searches' wasm is no part of the first screen: it is fetched with the first search, or ahead
//! of it while the page has nothing else to do.

use std::cell::Cell;
use std::rc::Rc;

use base::stamp;
use kit::job::Weight;
use study_lab::Asked;
use warps_lab::page::search::Stretch;
use wasm_bindgen::prelude::*;
use web_sys::{Worker, WorkerOptions, WorkerType};

use crate::browser::{document, when_idle, window};
use crate::crew::Crew;
use crate::pool::Heard;
use crate::protocol::ToWorker;

/// At most this many workers of a kind, however many processors there are.
const MOST_WORKERS: usize = 16;
/// How long a chain runs before the worker looks for the one that is furthest behind.
const STRETCH_MS: f64 = 400.0;
/// Where a quick worker starts; beside the page, wherever the page is.
const QUICK: &str = "quick-worker.js";
/// Where a search worker starts, and what it loads then.
const SEARCH: [&str; 3] = ["worker-loader.js", "worker.js", "worker_bg.wasm"];

/// Workers and jobs of the page.
pub struct Runs {
    quick: Crew,
    search: Crew,
    next_job: Cell<u32>,
}

impl Default for Runs {
    fn default() -> Self {
        Self::new()
    }
}

impl Runs {
    /// As many workers of a kind as the machine has processors; none is started yet.
    pub fn new() -> Self {
        let most = Self::width();
        Self::of(Crew::new(most, quick_worker), search_crew(most))
    }

    /// Runs over these workers.
    pub fn of(quick: Crew, search: Crew) -> Self {
        Self { quick, search, next_job: Cell::new(1) }
    }

    /// Takes a job; `owner` hears of it.
    pub fn submit(&self, weight: Weight, text: String, owner: impl Fn(u32, Heard) + 'static) -> u32 {
        let job = self.next_job();
        let crew = match weight {
            Weight::Quick => &self.quick,
            Weight::Search => &self.search,
        };
        crew.submit(ToWorker::Start { job, text }, Rc::new(owner));
        job
    }

    /// Has the certificate of a document's result written; `owner` hears of it.
    pub fn certify(&self, text: String, owner: impl Fn(u32, Heard) + 'static) -> u32 {
        let job = self.next_job();
        self.search.submit(ToWorker::Certify { job, text }, Rc::new(owner));
        job
    }

    /// Has a worker say what a study comes to before it runs; `owner` hears of it.
    pub fn plan(&self, text: String, owner: impl Fn(u32, Heard) + 'static) -> u32 {
        let job = self.next_job();
        self.search.submit(ToWorker::Study { job, text, asked: Asked::Plan }, Rc::new(owner));
        job
    }

    /// Has a text checked that only searches can read; `owner` hears what is wrong with it, or that it is done.
    pub fn check(&self, text: String, owner: impl Fn(u32, Heard) + 'static) {
        self.search.submit(ToWorker::Check { job: self.next_job(), text }, Rc::new(owner));
    }

    /// Has a chain advanced under this id; `owner` hears of it.
    pub fn advance(&self, job: u32, stretch: Stretch, owner: impl Fn(u32, Heard) + 'static) {
        let Stretch { text, chain, from, until } = stretch;
        let work = ToWorker::Chain { job, text, chain, from, until, milliseconds: STRETCH_MS };
        self.search.submit(work, Rc::new(owner));
    }

    /// How many searches run at a time.
    pub fn width() -> usize {
        let processors = window().navigator().hardware_concurrency();
        (processors as usize).clamp(1, MOST_WORKERS)
    }

    /// An id no other job has.
    pub fn next_job(&self) -> u32 {
        self.next_job.replace(self.next_job.get() + 1)
    }

    /// Stops a job.
    pub fn cancel(&self, job: u32) {
        self.quick.cancel(job);
        self.search.cancel(job);
    }

    /// Has nothing done for a search until it is to go on.
    pub fn pause(&self, job: u32) {
        self.search.pause(job);
    }

    /// Lets a search go on after a pause.
    pub fn resume(&self, job: u32) {
        self.search.resume(job);
    }

    /// Starts the first quick worker before there is work for it.
    pub fn warm_up(&self) {
        self.quick.warm_up();
    }
}

/// At most so many workers that run searches, and none of them yet.
pub fn search_crew(most: usize) -> Crew {
    Crew::new(most, || Worker::new(&of_this_build(SEARCH[0])))
}

/// Starts a worker that runs the page's own wasm.
fn quick_worker() -> Result<Worker, JsValue> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let glue = IMPORT_META.with(ImportMeta::url);
    let address = format!("{}&glue={}", of_this_build(QUICK), js_sys::encode_uri_component(&glue));
    let worker = Worker::new_with_options(&address, &options)?;
    if worker.post_message(&wasm_bindgen::module()).is_err() {
        worker.post_message(&JsValue::NULL)?; // it fetches the module then
    }
    Ok(worker)
}

#[wasm_bindgen]
extern "C" {
    /// What the script around this wasm knows of itself.
    type ImportMeta;
    /// Its address, which no name tells: it has a hash in it.
    #[wasm_bindgen(method, getter)]
    fn url(this: &ImportMeta) -> String;
    #[wasm_bindgen(thread_local_v2, js_namespace = import, js_name = meta)]
    static IMPORT_META: ImportMeta;
}

/// The address of a file whose name has no hash in it: an old cached one shall not meet a new page.
pub fn of_this_build(file: &str) -> String {
    format!("{file}?build={}", stamp::build())
}

/// Has what searches need fetched when the page is idle, unless the visitor asked to save data.
pub fn prefetch_search() {
    if saves_data() {
        return;
    }
    when_idle(|| {
        for file in SEARCH {
            if let Ok(link) = document().create_element("link") {
                let _ = link.set_attribute("rel", "prefetch");
                let _ = link.set_attribute("href", &of_this_build(file));
                let _ = document().body().map(|body| body.append_child(&link));
            }
        }
    });
}

/// Whether what nobody has asked for yet may be fetched.
pub fn may_fetch_ahead() -> bool {
    !saves_data()
}

fn saves_data() -> bool {
    let connection = js_sys::Reflect::get(&window().navigator(), &"connection".into());
    let saves = connection.and_then(|connection| js_sys::Reflect::get(&connection, &"saveData".into()));
    saves.is_ok_and(|saves| saves.is_truthy())
}
