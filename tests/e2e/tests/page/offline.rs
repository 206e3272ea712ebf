//! The page without its server, in a folder of its own, from its zip; and how a newer build takes over.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use serde_json::{Value, json};
use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::link::{self, View};
use warpspan_e2e::{
    Browser, Look, Outcome, Page, Site, build_id, built, files_in, in_browser, patiently, same, temporary,
    that, write,
};

use crate::scenario_panel::show;

/// The id of a build to come.
const NEWER: &str = "0123456789abcdef";
/// Milliseconds of the longest timer after which the page would keep itself, and some more.
const LONGEST_TIMER: u32 = 3_000;

/// The built page in a folder of its own.
async fn on_site<F: AsyncFnOnce(Page, Site) -> Outcome>(page: &Page, test: F) -> Outcome {
    let site = Site::of(&built()?)?;
    let page = page.at(&site.url());
    test(page, site).await
}

/// Opens the page and waits until it is kept.
async fn keep(page: &Page, fragment: &str) -> Outcome {
    page.go(fragment).await?;
    page.wait_for("makespan").await?;
    page.until("a worker that answers for the page", "return !!navigator.serviceWorker.controller").await?;
    page.until("that it is said", "return !!document.querySelector('[data-testid=offline-ready]')").await
}

async fn reload(page: &Page) -> Outcome {
    // As a visitor does it: what drivers do passes by the worker in one of the browsers.
    page.eval("window.isOld = true; location.reload()", vec![]).await?;
    comes_back(page, "window.isOld").await
}

/// Waits for the page that comes after one in which something holds.
async fn comes_back(page: &Page, old: &str) -> Outcome {
    let new = format!("return !{old} && !!document.querySelector('[data-testid=makespan]')");
    // Between two pages there is none to ask.
    patiently("the page to come back", async || {
        let found = page.eval(&new, vec![]).await;
        Ok(if found == Ok(Value::Bool(true)) { Ok(()) } else { Err(format!("{found:?}")) })
    })
    .await
}

/// The status and the beginning of what a file's address gives.
async fn fetched(page: &Page, name: &str) -> Result<(u64, String), String> {
    let script = "const [name, done] = arguments;
        fetch(name).then(async (found) => done([found.status, (await found.text()).slice(0, 100)]),
            (error) => done([0, String(error)]))";
    let found = page.eval_async(script, vec![json!(name)]).await?;
    Ok((found[0].as_u64().unwrap_or_default(), found[1].as_str().unwrap_or_default().to_owned()))
}

/// The stores of the page, by the builds they are of, the oldest first.
async fn stores(page: &Page) -> Result<Vec<String>, String> {
    let script = "const done = arguments[0]; caches.keys().then(done)";
    let found = page.eval_async(script, vec![]).await?;
    let names = found.as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok(names.filter_map(|name| name.rsplit(':').next()).map(str::to_owned).collect())
}

fn to(name: &str, view: &View) -> Result<String, String> {
    let example = BUILTINS.iter().find(|example| example.name == name).ok_or("no such example")?;
    let tree: Value = serde_json::from_str(example.text).map_err(|error| error.to_string())?;
    Ok(format!("#{}", link::write(&tree, view).map_err(|problem| problem.to_string())?))
}

#[test]
fn after_a_visit_the_page_needs_no_server() -> Outcome {
    in_browser(Look::default(), async |page| {
        on_site(&page, async |page, mut site| {
            keep(&page, "").await?;
            same("stores", stores(&page).await?, vec![build_id()?])?;
            let (status, text) = fetched(&page, "missing.js").await?;
            same("a missing file", (status, text.contains('<')), (404, false))?;
            site.stop();
            reload(&page).await?;
            page.expect("makespan", "154 cycles").await?;
            // What this browser has not loaded before: programs of labs and of searches.
            crate::blocks::open(&page, "paredes-example").await?;
            show(&page, "voronoi-anneal").await?;
            crate::search::beyond(&page, 1000).await?;
            let (status, text) = fetched(&page, "missing.js").await?;
            same("a missing file, without a server", (status, text.contains('<')), (404, false))?;
            let (status, text) = fetched(&page, "index.html").await?;
            same("the page by its name", (status, text.starts_with("<!")), (200, true))
        })
        .await
    })
}

#[test]
fn a_link_opens_without_a_server() -> Outcome {
    in_browser(Look::default(), async |page| {
        on_site(&page, async |page, mut site| {
            keep(&page, "").await?;
            site.stop();
            page.go(&to("figure-5", &View::default())?).await?;
            page.expect("makespan", "9 cycles").await
        })
        .await
    })
}

#[test]
fn a_newer_build_waits_for_the_visitor() -> Outcome {
    in_browser(Look::default(), async |page| {
        on_site(&page, async |page, site| {
            let link = to("figure-5", &View::default())?;
            keep(&page, &link).await?;
            let worker = site.folder().join("service-worker.js");
            let text = fs::read_to_string(&worker).map_err(|error| error.to_string())?;
            let build = build_id()?;
            let line = |id: &str| format!("const BUILD = \"{id}\";");
            same("the id in the worker", text.matches(&line(&build)).count(), 1)?;
            fs::write(&worker, text.replace(&line(&build), &line(NEWER)))
                .map_err(|error| error.to_string())?;

            reload(&page).await?;
            page.eval("window.stays = true", vec![]).await?;
            page.expect_part("update", "A new version is ready.").await?;
            page.click("update-later").await?;
            page.gone("update").await?;
            page.quiet_up_to(LONGEST_TIMER).await?;
            same("still the same page", page.eval("return window.stays", vec![]).await?, json!(true))?;

            reload(&page).await?;
            page.wait_for("update").await?;
            let other = another_window(&page, &link).await?;
            let address = page.fragment().await?;
            page.click("update-now").await?;
            comes_back(&page, "window.stays").await?;
            page.eval("window.stays = true", vec![]).await?;
            same("the address", page.fragment().await?, address)?;
            page.expect("makespan", "9 cycles").await?;
            page.quiet_up_to(LONGEST_TIMER).await?;
            same("loaded once", page.eval("return window.stays", vec![]).await?, json!(true))?;
            same("notices", page.count("[data-testid=update]").await?, 0)?;
            // A page of the older build is open: what it may need is still there.
            same("stores", stores(&page).await?, vec![build, NEWER.to_owned()])?;
            page.client.switch_to_window(other).await.map_err(|error| error.to_string())?;
            same("the other window", page.eval("return window.stays", vec![]).await?, json!(true))?;
            if page.browser == Browser::Firefox {
                return Ok(()); // parts that this older page has not loaded yet do not come any more there
            }
            crate::blocks::open(&page, "paredes-example").await
        })
        .await
    })
}

/// Opens the page in a second window and goes back to the first.
async fn another_window(page: &Page, link: &str) -> Result<fantoccini::wd::WindowHandle, String> {
    let said = |error: fantoccini::error::CmdError| error.to_string();
    let first = page.client.window().await.map_err(said)?;
    let other = page.client.new_window(true).await.map_err(said)?.handle;
    page.client.switch_to_window(other.clone()).await.map_err(said)?;
    page.go(link).await?;
    page.wait_for("makespan").await?;
    page.eval("window.stays = true", vec![]).await?;
    page.client.switch_to_window(first).await.map_err(said)?;
    page.eval("window.stays = true", vec![]).await?;
    Ok(other)
}

#[test]
fn pages_in_frames_and_of_those_who_save_data_keep_nothing() -> Outcome {
    in_browser(Look::default(), async |page| {
        on_site(&page, async |page, _site| {
            let embedded = to("figure-5", &View { embed: true, ..View::default() })?;
            page.go(&embedded).await?;
            page.expect("makespan", "9 cycles").await?;
            page.quiet_up_to(LONGEST_TIMER).await?;
            same("stores in a frame", stores(&page).await?, vec![])?;
            page.before_load("Object.defineProperty(navigator, 'connection', {value: {saveData: true}})")
                .await?;
            page.go("").await?;
            page.wait_for("makespan").await?;
            page.until(
                "the script that keeps",
                "return !!document.querySelector('script[src^=\"offline.js\"]')",
            )
            .await?;
            page.quiet_up_to(LONGEST_TIMER).await?;
            same("stores of a saver", stores(&page).await?, vec![])
        })
        .await
    })
}

#[test]
fn the_zip_is_the_page() -> Outcome {
    in_browser(Look::default(), async |page| {
        let dist = built()?;
        let folder = temporary()?;
        let files = unpack(&dist.with_file_name("warpspan-page.zip"), &folder)?;
        let site = Site::serve(folder)?;
        let in_dist = files_in(&dist)?;
        same("files, with a README", files, in_dist.len() + 1)?;
        for name in in_dist {
            let packed = fs::read(site.folder().join(&name)).ok();
            that(packed == fs::read(dist.join(&name)).ok(), || format!("{name} differs"))?;
        }
        let page = page.at(&site.url());
        page.go("").await?;
        page.expect("makespan", "154 cycles").await?;
        let said = page.complaints().await?;
        same("complaints", said.iter().filter(|line| !line.contains("preload")).count(), 0)
    })
}

/// Unpacks the files of the one folder in a zip; how many there are.
fn unpack(zip: &Path, folder: &Path) -> Result<usize, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", zip.display());
    let file = File::open(zip).map_err(|error| told(&error))?;
    let mut archive = zip::ZipArchive::new(file).map_err(|error| told(&error))?;
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).map_err(|error| told(&error))?;
        let name = entry
            .name()
            .map_err(|error| told(&error))?
            .strip_prefix("warpspan/")
            .ok_or("a file beside the folder")?
            .to_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(|error| told(&error))?;
        write(&folder.join(name), &bytes)?;
    }
    Ok(archive.len())
}
