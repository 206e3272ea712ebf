//! The runs of studies and the workers that compute them. They live as long as the page: panels come and go.
//!
//! One study runs at a time: another one that is begun lays it aside, and it goes on where it was when asked to.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::*;

use base::StopReason;
use study_lab::Asked;
use study_lab::page::{Plan, Run, State};
use workers::crew::Crew;
use workers::pool::Heard;
use workers::protocol::ToWorker;
use workers::runs::{Runs, search_crew};

/// So many studies are remembered.
const KEPT: usize = 4;
/// Panels hear of rows no more often than this, and the less often the more cells there are.
const AGAIN_MS: u64 = 80;
/// One more millisecond for so many cells.
const CELLS_PER_MS: u64 = 2_000;

/// A study and how far it is.
struct Kept {
    /// What it asks, whatever it is called.
    key: String,
    /// Its document.
    text: String,
    run: Run,
    /// Since when it runs, on the page's clock.
    since: Option<f64>,
}

struct Store {
    crew: Crew,
    next: u32,
    kept: Vec<Kept>,
    /// Grows with what there is to see; of the panel on the screen.
    seen: Option<RwSignal<u32>>,
    /// Whether that is about to be told.
    telling: bool,
}

thread_local! {
    static STORE: RefCell<Store> = RefCell::new(Store {
        crew: search_crew(Runs::width()),
        next: 0,
        kept: Vec::new(),
        seen: None,
        telling: false,
    });
}

/// How many workers compute a study.
pub(crate) fn width() -> u64 {
    Runs::width() as u64
}

/// Has a signal grow whenever there is more to see.
pub(crate) fn watch(seen: RwSignal<u32>) {
    STORE.with_borrow_mut(|store| store.seen = Some(seen));
}

/// A study is on the screen: what is known of it stands, and another one that runs is laid aside.
pub(crate) fn open(key: &str, text: &str, plan: &Plan) {
    let others: Vec<String> = STORE.with_borrow_mut(|store| {
        let at = store.kept.iter().position(|kept| kept.key == key);
        let known = at.map(|at| store.kept.remove(at));
        let fresh = || {
            Run::new(plan.clone()).map(|run| Kept {
                key: key.to_owned(),
                text: text.to_owned(),
                run,
                since: None,
            })
        };
        if let Some(mut kept) = known.or_else(fresh) {
            kept.text = text.to_owned();
            store.kept.push(kept);
        }
        let runs = |kept: &&Kept| kept.key != key && kept.run.state == State::Runs;
        store.kept.iter().filter(runs).map(|kept| kept.key.clone()).collect()
    });
    for other in others {
        pause(&other);
    }
    let gone = STORE.with_borrow_mut(|store| (store.kept.len() > KEPT).then(|| store.kept.remove(0)));
    cancel(gone.map(|kept| kept.run.jobs()).unwrap_or_default());
    tell();
}

/// Something of a study's run; none if the page does not hold it.
pub(crate) fn with<T>(key: &str, what: impl FnOnce(&Run) -> T) -> Option<T> {
    STORE.with_borrow(|store| store.kept.iter().find(|kept| kept.key == key).map(|kept| what(&kept.run)))
}

/// How many seconds a study has been running.
pub(crate) fn seconds(key: &str) -> f64 {
    STORE.with_borrow(|store| {
        let kept = store.kept.iter().find(|kept| kept.key == key);
        kept.map_or(0.0, |kept| (kept.run.spent + kept.since.map_or(0.0, |since| now() - since)) / 1_000.0)
    })
}

/// Begins a study, or goes on with it.
pub(crate) fn start(key: &str) {
    let jobs = STORE.with_borrow_mut(|store| {
        let Store { kept, next, .. } = store;
        let kept = kept.iter_mut().find(|kept| kept.key == key)?;
        kept.since = Some(now());
        let resumed = if kept.run.state == State::Paused { kept.run.jobs() } else { Vec::new() };
        let fresh = kept.run.begin(|| {
            *next += 1;
            *next
        });
        Some((kept.text.clone(), fresh, resumed))
    });
    let Some((text, fresh, resumed)) = jobs else { return };
    for job in resumed {
        crew(|crew| crew.resume(job));
    }
    for (job, asked) in fresh {
        submit(key, &text, job, asked);
    }
    tell();
}

/// Forgets the rows of a study, and begins it again.
pub(crate) fn again(key: &str) {
    let known = STORE.with_borrow_mut(|store| {
        let kept = store.kept.iter_mut().find(|kept| kept.key == key)?;
        let jobs = kept.run.jobs();
        kept.run = Run::new(kept.run.known.plan.clone())?;
        Some(jobs)
    });
    cancel(known.unwrap_or_default());
    start(key);
}

/// Lays a study aside: its workers keep what they have.
pub(crate) fn pause(key: &str) {
    let jobs = halt(key, State::Paused);
    for job in jobs {
        crew(|crew| crew.pause(job));
    }
}

/// Stops a study; the rows that are there stay.
pub(crate) fn stop(key: &str) {
    cancel(halt(key, State::Stopped));
}

fn halt(key: &str, state: State) -> Vec<u32> {
    let jobs = STORE.with_borrow_mut(|store| {
        let kept = store.kept.iter_mut().find(|kept| kept.key == key)?;
        if let Some(since) = kept.since.take() {
            kept.run.spent += now() - since;
        }
        kept.run.state = state;
        Some(kept.run.jobs())
    });
    tell();
    jobs.unwrap_or_default()
}

/// Has the document of a cell written; `then` hears it, or why there is none.
pub(crate) fn document(text: &str, cell: u64, then: impl Fn(Result<String, String>) + 'static) {
    let job = STORE.with_borrow_mut(|store| {
        store.next += 1;
        store.next
    });
    let work = ToWorker::Study { job, text: text.to_owned(), asked: Asked::Document { cell } };
    let owner = move |_, heard| match heard {
        Heard::Done(StopReason::Done, Some(document)) => then(Ok(document)),
        Heard::Refused(problems) => then(Err(problems.first().map(ToString::to_string).unwrap_or_default())),
        Heard::Crashed(why) => then(Err(why)),
        _ => {}
    };
    crew(|crew| crew.submit(work, Rc::new(owner)));
}

fn cancel(jobs: Vec<u32>) {
    for job in jobs {
        crew(|crew| crew.cancel(job));
    }
}

/// Something done with the workers. They are handed out, as they may call back at once.
fn crew(what: impl FnOnce(&Crew)) {
    let crew = STORE.with_borrow(|store| store.crew.clone());
    what(&crew);
}

fn submit(key: &str, text: &str, job: u32, asked: Asked) {
    let work = ToWorker::Study { job, text: text.to_owned(), asked };
    let key = key.to_owned();
    crew(|crew| crew.submit(work, Rc::new(move |job, heard| hear(&key, job, heard))));
}

fn hear(key: &str, job: u32, heard: Heard) {
    let next = STORE.with_borrow_mut(|store| {
        let Store { kept, next, .. } = store;
        let Kept { run, since, text, .. } = kept.iter_mut().find(|kept| kept.key == key)?;
        match heard {
            Heard::News(rows) => run.rows(job, &rows),
            Heard::Done(_, rows) => {
                run.rows(job, &rows.unwrap_or_default());
                run.over(job);
            }
            Heard::Crashed(why) => run.died(job, &why),
            Heard::Refused(problems) => {
                run.failed(job, problems.first().map(ToString::to_string).unwrap_or_default());
            }
            Heard::Progress(_) | Heard::Worked(_) | Heard::Chain(..) => return None,
        }
        if run.state == State::Runs {
            // What a dead worker had, or one that was stopped just before.
            let again = run.begin(|| {
                *next += 1;
                *next
            });
            return Some((text.clone(), again));
        }
        if let Some(since) = since.take() {
            run.spent += now() - since;
        }
        Some((String::new(), Vec::new()))
    });
    let Some((text, again)) = next else { return };
    for (job, asked) in again {
        submit(key, &text, job, asked);
    }
    tell();
}

/// Tells the panel on the screen, in a moment and once for all that comes until then.
fn tell() {
    let wait = STORE.with_borrow_mut(|store| {
        let cells = store.kept.iter().map(|kept| kept.run.known.plan.cells).max().unwrap_or_default();
        (!std::mem::replace(&mut store.telling, true)).then_some(AGAIN_MS + cells / CELLS_PER_MS)
    });
    let Some(wait) = wait else { return };
    set_timeout(
        || {
            let seen = STORE.with_borrow_mut(|store| {
                store.telling = false;
                store.seen
            });
            // Gone where another lab is on the screen.
            let _ = seen.and_then(|seen| seen.try_update(|count| *count = count.wrapping_add(1)));
        },
        Duration::from_millis(wait),
    );
}

fn now() -> f64 {
    js_sys::Date::now()
}
