//! Runs one test on the page: always ends its browser, and keeps a picture of what went wrong.

use std::fs;
use std::path::Path;

use tokio::runtime::Builder;
use tokio::task::{JoinHandle, LocalSet};

use crate::patience::PATIENCE;
use crate::skip::reason;
use crate::{Adapter, Browser, Look, Outcome, Page, skip};

/// Opens the page with a part from `#` on, which may be empty, and tests it once its first picture is there.
pub fn on_page<F: AsyncFnOnce(Page) -> Outcome + 'static>(fragment: &str, test: F) -> Outcome {
    let fragment = fragment.to_owned();
    in_browser(Look::default(), async move |page| {
        page.go(&fragment).await?;
        page.wait_for("makespan").await?;
        if fragment.starts_with("#example=") {
            page.arrived().await?;
        }
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
    let name = test_name.replace("::", "-");
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    LocalSet::new().block_on(&runtime, async {
        let page = Page::start(look, adapter).await?;
        // A task of its own: a test that panics ends its task only, and the browser is closed below.
        let task = tokio::task::spawn_local(test(page.clone()));
        let outcome = match ended(task, &page).await {
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

/// What came of a test. One that has not asked its page anything for twice as long as anything is waited for hangs.
async fn ended(mut task: JoinHandle<Outcome>, page: &Page) -> Outcome {
    loop {
        let before = page.life.count();
        match tokio::time::timeout(2 * PATIENCE, &mut task).await {
            Ok(Ok(outcome)) => return outcome,
            Ok(Err(panic)) => return Err(panic.to_string()),
            Err(_) if page.life.count() != before => {}
            Err(_) => {
                task.abort();
                let (minutes, last) = (2 * PATIENCE.as_secs() / 60, page.life.last());
                return Err(format!("no sign of life for {minutes} minutes; the last was: {last}"));
            }
        }
    }
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
