//! In a real browser: what happens when workers, quick ones and those of searches, are slow, crash or do not
//! exist; and that wasm finds what native code finds.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::panic, clippy::unwrap_used)] // a test that fails ends with a panic

use std::cell::RefCell;
use std::rc::Rc;

use base::{StopReason, stamp};
use kit::job::Weight;
use warpspan_workers::crew::Crew;
use warpspan_workers::pool::Heard;
use warpspan_workers::runs::Runs;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::*;

wasm_bindgen_test_configure!(run_in_browser);

/// A worker script made of a text; `BUILD` stands for this build's id.
fn script(text: &str) -> String {
    let text = text.replace("BUILD", &format!("\"{}\"", stamp::build()));
    let parts = js_sys::Array::of1(&text.into());
    let blob = web_sys::Blob::new_with_str_sequence(&parts).unwrap_throw();
    web_sys::Url::create_object_url_with_blob(&blob).unwrap_throw()
}

/// Runs whose workers of both kinds, at most so many of each, execute a script.
fn runs(script: String, workers: usize) -> Runs {
    let crew = |script: String| Crew::new(workers, move || web_sys::Worker::new(&script));
    Runs::of(crew(script.clone()), crew(script))
}

const BOTH: [Weight; 2] = [Weight::Quick, Weight::Search];

/// What the owner of a job heard.
type Log = Rc<RefCell<Vec<Heard>>>;

fn submit(runs: &Runs, weight: Weight, text: &str) -> (u32, Log) {
    let log = Log::default();
    let heard = Rc::clone(&log);
    let job = runs.submit(weight, text.to_owned(), move |_, what| heard.borrow_mut().push(what));
    (job, log)
}

async fn wait(ms: i32) {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        let window = web_sys::window().unwrap_throw();
        window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms).unwrap_throw();
    });
    JsFuture::from(promise).await.unwrap_throw();
}

/// Waits until a log ends with something other than progress; some minutes, which only end a hang.
async fn end_of(log: &Log) -> Heard {
    for _ in 0..30_000 {
        let over = |heard: &&Heard| !matches!(heard, Heard::Progress(_) | Heard::Worked(_));
        if let Some(heard) = log.borrow().iter().find(over) {
            return heard.clone();
        }
        wait(10).await;
    }
    panic!("nothing was heard: {:?}", log.borrow());
}

const OBEDIENT: &str = r#"
postMessage({ready: {build: BUILD}});
onmessage = ({data}) => {
  if (data.start) postMessage({done: {job: data.start.job, reason: "done", report: "ran " + data.start.text, work: 1}});
};"#;

#[wasm_bindgen_test]
async fn more_jobs_than_workers_all_end() {
    let runs = runs(script(OBEDIENT), 2);
    let logs: Vec<_> = (0..14).map(|i| submit(&runs, BOTH[i % 2], &format!("{i}")).1).collect();
    for (i, log) in logs.iter().enumerate() {
        assert_eq!(end_of(log).await, Heard::Done(StopReason::Done, Some(format!("ran {i}"))));
    }
}

#[wasm_bindgen_test]
async fn each_job_runs_in_workers_of_its_kind() {
    let crew = |kind: &str| {
        let script = script(&OBEDIENT.replace("ran ", kind));
        Crew::new(1, move || web_sys::Worker::new(&script))
    };
    let runs = Runs::of(crew("quick "), crew("searched "));
    for (weight, report) in BOTH.into_iter().zip(["quick x", "searched x"]) {
        let (_, log) = submit(&runs, weight, "x");
        assert_eq!(end_of(&log).await, Heard::Done(StopReason::Done, Some(report.to_owned())));
    }
}

#[wasm_bindgen_test]
async fn a_crash_is_heard_and_the_next_job_runs() {
    let crashing = OBEDIENT.replace(
        "if (data.start)",
        "if (data.start?.text === 'boom') throw new Error('boom'); if (data.start)",
    );
    let runs = runs(script(&crashing), 1);
    for weight in BOTH {
        let (_, log) = submit(&runs, weight, "boom");
        assert!(matches!(end_of(&log).await, Heard::Crashed(why) if why.contains("boom")));
        let (_, log) = submit(&runs, weight, "fine");
        assert_eq!(end_of(&log).await, Heard::Done(StopReason::Done, Some("ran fine".to_owned())));
    }
}

#[wasm_bindgen_test]
async fn workers_that_are_not_there_are_given_up_on() {
    // No file of the page is served here, neither those of quick workers nor those of searches.
    let runs = Runs::new();
    for weight in BOTH {
        let (_, log) = submit(&runs, weight, "x");
        assert!(matches!(end_of(&log).await, Heard::Crashed(_)));
    }
}

#[wasm_bindgen_test]
async fn a_worker_that_hangs_is_cancelled_and_replaced() {
    let hanging = r#"
postMessage({ready: {build: BUILD}});
onmessage = ({data}) => { if (data.start.text === "hang") for (;;); else postMessage({done: {job: data.start.job, reason: "done", report: null, work: 1}}); };"#;
    let runs = runs(script(hanging), 1);
    for weight in BOTH {
        let (job, log) = submit(&runs, weight, "hang");
        wait(150).await;
        runs.cancel(job);
        assert_eq!(end_of(&log).await, Heard::Done(StopReason::Cancelled, None));
        let (_, log) = submit(&runs, weight, "next");
        assert_eq!(end_of(&log).await, Heard::Done(StopReason::Done, None));
    }
}

#[wasm_bindgen_test]
async fn a_message_nobody_understands_is_a_crash() {
    let babbling = "postMessage({ready: {build: BUILD}}); onmessage = () => postMessage({what: 1});";
    let runs = runs(script(babbling), 1);
    for weight in BOTH {
        let (_, log) = submit(&runs, weight, "x");
        assert!(matches!(end_of(&log).await, Heard::Crashed(why) if why.contains("nobody understands")));
    }
}

#[wasm_bindgen_test]
fn the_same_seed_gives_the_same_order_as_natively() {
    let text = r#"{"warpspan":1,"warps":{"kernel":"3L 2C","count":3,"machine":{"L":1,"C":1},"method":{"initial":"random","seed":7}}}"#;
    let scenario = warps_lab::LINKED.read(text).unwrap();
    let Some(report) = warps_lab::LINKED.run(&scenario).into::<warps_lab::report::WarpsReport>() else {
        unreachable!("about warps")
    };
    // Its twin in tests/vectors.rs holds the same numbers.
    assert_eq!(report.order, [1, 2, 1, 2, 2, 1, 3, 3, 1, 2, 3, 1, 2, 3, 3]);
}
