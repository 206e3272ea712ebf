//! Workers that die, that are of another build, that never answer: the page says so and goes on.
//!
//! These are the quick workers, and those of searches without the page; `search.rs` has one die beneath a chain.

use serde_json::{Value, json};
use warpspan::job::Progress;
use warpspan::job::protocol::{FromWorker, ToWorker};
use warpspan::page::pool::PATIENCE_MS;
use warpspan::scenario::builtin::BUILTINS;
use warpspan_e2e::{
    Look, Outcome, Page, Site, build_id, built, in_browser, key_escape, on_page, patiently, same, write,
};

use crate::scenario_panel::{place, show};

/// Stands between page and worker: tests see the workers in `workers` and what they are told in `told`.
const BETWEEN: &str = "
    const Real = window.Worker;
    window.workers = [];
    window.told = [];
    window.Worker = class extends Real {
        constructor(...args) { super(...args); window.workers.push(this); }
        postMessage(message) {
            if (message instanceof WebAssembly.Module) return super.postMessage(message);
            window.told.push(message);
            if (window.swallow) return;
            super.postMessage(message);
        }
    };";

/// Opens the page with the tests between it and its workers.
async fn open(page: &Page) -> Outcome {
    page.before_load(BETWEEN).await?;
    page.go("").await?;
    page.expect("makespan", "154 cycles").await
}

/// A message as it is posted.
fn posted(message: &FromWorker) -> Result<Value, String> {
    serde_json::to_value(message).map_err(|error| error.to_string())
}

/// Jobs the page has started so far, once there are so many.
async fn started(page: &Page, jobs: usize) -> Result<Vec<u32>, String> {
    patiently(&format!("{jobs} jobs to be started"), async || {
        let told = page.eval("return window.told", vec![]).await?;
        let told: Vec<ToWorker> = serde_json::from_value(told).map_err(|error| error.to_string())?;
        let started = told.iter().filter_map(|message| match message {
            ToWorker::Start { job, .. } => Some(*job),
            _ => None,
        });
        let found: Vec<u32> = started.collect();
        Ok(if found.len() >= jobs { Ok(found) } else { Err(format!("{} are", found.len())) })
    })
    .await
}

#[test]
fn a_crash_is_told_and_the_next_run_works() -> Outcome {
    in_browser(Look::default(), async |page| {
        open(&page).await?;
        page.eval("window.swallow = true", vec![]).await?;
        page.choose("example", &place("figure-5")?).await?;
        started(&page, 2).await?;
        let crash = "window.swallow = false;
            const event = new ErrorEvent('error', {message: 'out of memory', cancelable: true});
            window.workers.at(-1).dispatchEvent(event)";
        page.eval(crash, vec![]).await?;
        page.expect_part("crash", "out of memory").await?;
        page.expect("makespan", "154 cycles").await?;
        page.click_in("crash", "Run again").await?;
        page.expect("makespan", "9 cycles").await?;
        page.gone("crash").await?;
        same("workers started", page.number("return window.workers.length").await?, 2.0)
    })
}

/// The page in a copy of its own, in which the first workers, as many as told, are made from this script instead.
/// A script from anywhere else than the page's own server is none that it may run.
async fn with_stand_in<F: AsyncFnOnce(Page) -> Outcome>(
    page: Page,
    first: u32,
    code: &str,
    test: F,
) -> Outcome {
    let site = Site::of(&built()?)?;
    write(&site.folder().join("stand-in.js"), code.as_bytes())?;
    let script = format!(
        "const Real = window.Worker;
        window.Worker = class extends Real {{
            constructor(url, options) {{
                const made = Number(sessionStorage.made ?? 0);
                sessionStorage.made = made + 1;
                super(made < {first} ? `stand-in.js?${{url.split('?')[1]}}` : url, options);
            }}
        }};"
    );
    page.before_load(&script).await?;
    let page = page.at(&site.url());
    page.go("").await?;
    test(page).await
}

#[test]
fn a_real_error_inside_a_worker_is_heard() -> Outcome {
    in_browser(Look::default(), async |page| {
        let ready = posted(&FromWorker::Ready { build: build_id()? })?;
        let code = format!(
            "onmessage = ({{data}}) => {{ if (data.start) throw new Error('the tower fell') }};
            postMessage({ready})"
        );
        with_stand_in(page, 1, &code, async |page| {
            page.expect_part("crash", "the tower fell").await?;
            page.click_in("crash", "Run again").await?;
            page.expect("makespan", "154 cycles").await
        })
        .await
    })
}

#[test]
fn a_worker_of_another_build_leads_to_one_reload() -> Outcome {
    in_browser(Look::default(), async |page| {
        let ready = posted(&FromWorker::Ready { build: "ancient".to_owned() })?;
        with_stand_in(page, u32::MAX, &format!("postMessage({ready})"), async |page| {
            let mut said: Vec<String> = Vec::new();
            patiently("the console to tell of the other build", async || {
                said.extend(page.complaints().await?);
                let told = said.iter().any(|line| line.contains("its worker of build ancient"));
                Ok(if told { Ok(()) } else { Err(format!("{said:?}")) })
            })
            .await?;
            page.quiet().await?;
            same("workers started", page.number("return Number(sessionStorage.made)").await?, 2.0)
        })
        .await
    })
}

#[test]
fn a_worker_that_cannot_be_loaded_is_told() -> Outcome {
    in_browser(Look::default(), async |page| {
        let script = "const Real = window.Worker;
            window.Worker = class extends Real { constructor() { super('nowhere.js'); } };";
        page.before_load(script).await?;
        page.go("").await?;
        page.expect_part("crash", "could not be loaded").await
    })
}

#[test]
fn a_quick_worker_whose_script_cannot_be_loaded_is_told() -> Outcome {
    in_browser(Look::default(), async |page| {
        let script = "const Real = window.Worker;
            window.Worker = class extends Real {
                constructor(url, options) { super(url.replace(/glue=.*/, 'glue=.%2Fnowhere.js'), options); }
            };";
        page.before_load(script).await?;
        page.go("").await?;
        page.expect_part("crash", "nowhere.js").await
    })
}

#[test]
fn a_quick_worker_fetches_the_wasm_it_is_not_given() -> Outcome {
    in_browser(Look::default(), async |page| {
        let script = "const Real = window.Worker;
            window.refused = 0;
            window.Worker = class extends Real {
                postMessage(message) {
                    if (message instanceof WebAssembly.Module) {
                        window.refused += 1;
                        throw new DOMException('not here', 'DataCloneError');
                    }
                    super.postMessage(message);
                }
            };";
        page.before_load(script).await?;
        page.go("").await?;
        page.expect("makespan", "154 cycles").await?;
        same("modules refused", page.number("return window.refused").await?, 1.0)
    })
}

#[test]
fn a_search_worker_is_of_the_same_build_and_finds_the_same() -> Outcome {
    on_page("", async |page| {
        let text = BUILTINS[0].text;
        let start = ToWorker::Start { job: 7, text: text.to_owned() };
        let start = serde_json::to_value(start).map_err(|error| error.to_string())?;
        let script = "const [start, done] = arguments;
            const worker = new Worker('worker-loader.js');
            const heard = [];
            worker.onerror = (event) => done(event.message);
            worker.onmessage = ({data}) => {
                heard.push(data);
                if (heard.length === 1) return worker.postMessage(start);
                worker.terminate();
                done(heard);
            }";
        let heard = page.eval_async(script, vec![start]).await?;
        let heard: Vec<FromWorker> =
            serde_json::from_value(heard.clone()).map_err(|error| format!("{error}: {heard}"))?;
        let ready = FromWorker::Ready { build: build_id()? };
        same("the first message", heard.first(), Some(&ready))?;
        let Some(FromWorker::Done { job: 7, report: Some(found), .. }) = heard.get(1) else {
            return Err(format!("heard {heard:?}"));
        };
        let scenario = warpspan::scenario::read(text).map_err(|problems| format!("{problems:?}"))?;
        let native = warpspan::job::run(scenario).line();
        let without_time = |line: &str| -> Result<Value, String> {
            let mut report: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            report.as_object_mut().map(|fields| fields.remove("seconds"));
            Ok(report)
        };
        same("the report", without_time(found)?, without_time(&native)?)
    })
}

#[test]
fn a_worker_that_never_answers_is_stopped_at_once() -> Outcome {
    in_browser(Look::default(), async |page| {
        open(&page).await?;
        page.eval("window.swallow = true", vec![]).await?;
        page.choose("example", &place("figure-5")?).await?;
        let job = started(&page, 2).await?[1];
        let progress = posted(&FromWorker::Progress {
            job,
            progress: Progress { done: 1, total: 4, best: None, bracket: None },
            work: 1,
        })?;
        let say = "window.workers.at(-1).dispatchEvent(new MessageEvent('message', {data: arguments[0]}))";
        page.eval(say, vec![progress]).await?;
        page.expect_part("running", "1 of 4 steps").await?;
        // The worker is asked first; then the one timer of its patience goes off, and it is ended.
        let watch = "window.after = [];
            const later = window.setTimeout;
            window.setTimeout = (what, delay, ...rest) => { window.after.push(delay); return later(what, delay, ...rest); };
            const worker = window.workers.at(-1), end = worker.terminate;
            worker.terminate = () => { window.after.push('ended'); end.call(worker); }";
        page.eval(watch, vec![]).await?;
        page.blur().await?;
        page.press(&key_escape()).await?;
        page.wait_for("stopped").await?;
        page.gone("running").await?;
        let asked =
            page.eval("return window.told.filter((message) => message.cancel).length", vec![]).await?;
        same("times the worker was asked to stop", asked, json!(1))?;
        let after = page.eval("return window.after", vec![]).await?;
        let waited = json!(PATIENCE_MS as u64 + 1);
        let order: Vec<&Value> = after
            .as_array()
            .into_iter()
            .flatten()
            .filter(|what| **what == waited || **what == "ended")
            .collect();
        same("what came after it", order, vec![&waited, &json!("ended")])?;
        page.eval("window.swallow = false", vec![]).await?;
        page.click_in("stopped", "Run again").await?;
        page.expect("makespan", "9 cycles").await
    })
}

#[test]
fn the_last_of_many_changes_wins() -> Outcome {
    in_browser(Look::default(), async |page| {
        open(&page).await?;
        let script = "const list = document.querySelector('[data-testid=example]');
            for (const value of arguments[0]) {
                list.value = value; list.dispatchEvent(new Event('change', {bubbles: true}));
            }";
        let names = ["large", "voronoi-fixed", "large", "voronoi-pending", "large", "figure-2"];
        let places = names.into_iter().map(place).collect::<Result<Vec<_>, _>>()?;
        page.eval(script, vec![json!(places)]).await?;
        page.expect("title", "Four warps of LCL").await?;
        page.idle().await?;
        page.expect("title", "Four warps of LCL").await?;
        page.expect("makespan", "8 cycles").await?;
        show(&page, "voronoi-pending").await?;
        page.expect("makespan", "139 cycles").await
    })
}
