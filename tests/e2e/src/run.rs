//! Runs one test on the page: always ends its browser, and keeps a picture of what went wrong.

use std::fs;
use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::task::LocalSet;

use crate::skip::reason;
use crate::{Adapter, Browser, Look, Outcome, Page, skip};

/// Browsers at a time: each is busy with more than one process.
const MOST_BROWSERS: usize = 2;
/// No test takes longer.
const LONGEST: Duration = Duration::from_secs(60);

/// Opens the page with a part from `#` on, which may be empty, and tests it once its first picture is there.
pub fn on_page<F: AsyncFnOnce(Page) -> Outcome + 'static>(fragment: &str, test: F) -> Outcome {
    let fragment = fragment.to_owned();
    in_browser(Look::default(), async move |page| {
        page.go(&fragment).await?;
        page.wait_for("makespan").await?;
        test(page).await
    })
}

/// The same as [`on_page`], in a browser whose processor stands in for a GPU.
pub fn with_software_gpu<F: AsyncFnOnce(Page) -> Outcome + 'static>(test: F) -> Outcome {
    run(Look::default(), Adapter::Software, async move |page| {
        page.go("").await?;
        page.wait_for("makespan").await?;
        test(page).await
    })
}

/// Starts a browser that looks a certain way; the test opens the page itself.
pub fn in_browser<F: AsyncFnOnce(Page) -> Outcome + 'static>(look: Look, test: F) -> Outcome {
    run(look, Adapter::Missing, test)
}

fn run<F: AsyncFnOnce(Page) -> Outcome + 'static>(look: Look, adapter: Adapter, test: F) -> Outcome {
    let test_name = std::thread::current().name().unwrap_or("test").to_owned();
    if let Some(why) = reason(Browser::chosen()?, &test_name, adapter) {
        return skip(why);
    }
    let _turn = Turn::wait();
    let name = test_name.replace("::", "-");
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    LocalSet::new().block_on(&runtime, async {
        let page = Page::start(look, adapter).await?;
        // A task of its own: a test that panics ends its task only, and the browser is closed below.
        let task = tokio::task::spawn_local(test(page.clone()));
        let outcome = match tokio::time::timeout(LONGEST, task).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => Err(panic.to_string()),
            Err(_) => Err(format!("not done after {} s", LONGEST.as_secs())),
        };
        let outcome = match outcome {
            Ok(()) => no_panic(&page).await,
            failed => failed,
        };
        match outcome {
            Ok(()) => page.give_back().await,
            Err(why) => {
                let why = format!("{why}\n{}", evidence(&page, &name).await);
                page.close().await.and(Err(why))
            }
        }
    })
}

/// That the page's code has not panicked, even where the test saw nothing of it.
async fn no_panic(page: &Page) -> Outcome {
    let complaints = page.complaints().await?;
    match complaints.iter().find(|line| line.contains("panicked at")) {
        Some(line) => Err(line.clone()),
        None => Ok(()),
    }
}

/// Saves a picture of the page and tells where, with what the console says.
async fn evidence(page: &Page, name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/e2e");
    let file = folder.join(format!("{name}.png"));
    let saved = match page.screenshot().await {
        Ok(png) => fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&file, png))
            .map_err(|error| error.to_string()),
        Err(why) => Err(why),
    };
    let picture = match saved {
        Ok(()) => format!("picture: target/e2e/{name}.png"),
        Err(why) => format!("no picture: {why}"),
    };
    let console = page.complaints().await.unwrap_or_default();
    format!("{picture}\nconsole: {console:?}")
}

static BROWSERS: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// The right to have a browser, given back when dropped.
struct Turn;

impl Turn {
    fn wait() -> Self {
        let (count, freed) = &BROWSERS;
        let count = count.lock().unwrap_or_else(PoisonError::into_inner);
        let mut count =
            freed.wait_while(count, |n| *n >= MOST_BROWSERS).unwrap_or_else(PoisonError::into_inner);
        *count += 1;
        Self
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (count, freed) = &BROWSERS;
        *count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        freed.notify_one();
    }
}
