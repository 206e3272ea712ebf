//! What a visitor sees first: a running example, soon, and without much to load.

use serde_json::{Value, json};
use warpspan_e2e::{Colours, Look, Outcome, Screen, in_browser, on_page, patiently, same, that};

/// Compressed bytes of everything the first screen loads.
const LARGEST_TRANSFER: u64 = 427 << 10;
/// What searches need: fetched when the first screen is there, and no part of it.
const OF_SEARCHES: [&str; 3] = ["worker-loader.js", "worker.js", "worker_bg.wasm"];
/// What comes after the first screen: that, and what keeps the page for visits without a network.
const AFTER_IT: [&str; 4] = [OF_SEARCHES[0], OF_SEARCHES[1], OF_SEARCHES[2], "offline.js"];
/// Files that the first makespan needs, the page itself and its program among them.
const MOST_FILES: usize = 6;

/// Notes in `seenWith` what had been fetched when the first result was there.
const WHEN_SEEN: &str = "new MutationObserver((_, observer) => {
        if (!document.querySelector('[data-testid=makespan]')) return;
        observer.disconnect();
        window.seenWith = performance.getEntriesByType('resource').map((entry) => entry.name);
    }).observe(document, {childList: true, subtree: true})";

#[test]
fn a_running_example_without_a_click() -> Outcome {
    on_page("", async |page| {
        page.expect("title", "16 warps run one program: load, compute, load, compute").await?;
        page.expect("makespan", "154 cycles").await?;
        page.expect("verdict", "A lower bound on the worst case, not a proof of it.").await?;
        page.expect_part("bounds", "154 to ").await?;
        // It would have been written by now.
        page.quiet().await?;
        same("the address", page.fragment().await?.as_str(), "")
    })
}

#[test]
fn the_schedule_is_painted() -> Outcome {
    on_page("", async |page| {
        let colors = "const c = document.querySelector('[data-testid=plot] canvas');
            const data = new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer);
            return new Set(data).size > 8";
        page.until("colours on the canvas", colors).await?;
        let sharp = "const c = document.querySelector('[data-testid=plot] canvas');
            return c.width === Math.round(c.clientWidth * devicePixelRatio)";
        // The picture follows the size of its place a frame later.
        page.until("one pixel for a pixel", sharp).await
    })
}

#[test]
fn a_dense_screen_gets_a_dense_picture_of_any_width() -> Outcome {
    on_page("", async |page| {
        let dense = "const c = document.querySelector('[data-testid=plot] canvas');
            return c.clientWidth > 0 && c.width === 2 * c.clientWidth && c.height === 2 * c.clientHeight
                && c.clientWidth === c.parentElement.clientWidth";
        for width in [1300, 700] {
            let look = Look { width, height: 900, ..Look::default() };
            page.look_on(look, Screen::Dense, Colours::Own).await?;
            page.until(&format!("four pixels for a pixel at {width}"), dense).await?;
        }
        Ok(())
    })
}

#[test]
fn it_may_lie_in_any_folder() -> Outcome {
    on_page("", async |page| {
        let script = "const done = arguments[0];
            fetch(location.href).then((answer) => answer.text()).then((text) => done(
                [...text.matchAll(/(?:href|src|from|import)[=( ]*[\"']([/][^\"']*)/g)].map((found) => found[1])))";
        same("addresses from the root", page.eval_async(script, vec![]).await?, json!([]))
    })
}

#[test]
fn nothing_complains() -> Outcome {
    on_page("", async |page| {
        let said = page.complaints().await?;
        let about_us: Vec<_> = said.iter().filter(|line| !line.contains("preload")).collect();
        that(about_us.is_empty(), || format!("on the console: {about_us:?}"))
    })
}

#[test]
fn the_makespan_waits_for_few_files() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.before_load(WHEN_SEEN).await?;
        page.go("").await?;
        page.until("the makespan", "return window.seenWith !== undefined").await?;
        let files = page.eval("return window.seenWith", vec![]).await?;
        let count = files.as_array().map_or(usize::MAX, Vec::len);
        that((1..=MOST_FILES).contains(&count), || format!("{count} files before the makespan: {files}"))
    })
}

#[test]
fn the_first_screen_is_light() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.before_load(WHEN_SEEN).await?;
        page.go("").await?;
        // Whatever else it fetches by itself.
        page.wait_for("makespan").await?;
        page.idle().await?;
        // What came over the wire: the server packs as real hosts do.
        let script = "const [after, done] = arguments;
            const here = (name) => new URL(name, location).href;
            const later = new Set(after.map(here).filter((name) => !window.seenWith.includes(name)));
            const entries = ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind));
            const sizes = new Map(entries.map((entry) => [entry.name.split(/[?#]/)[0], entry.encodedBodySize]));
            done([...sizes].filter(([name]) => !later.has(name)))";
        let files = page.eval_async(script, vec![json!(AFTER_IT)]).await?;
        let names = files.as_array().into_iter().flatten().filter_map(|file| file[0].as_str());
        let of_workers = |name: &&str| name.ends_with(".wasm") || name.ends_with("/quick-worker.js");
        same("wasm and the start of a worker", names.filter(of_workers).count(), 2)?;
        let sizes = files.as_array().into_iter().flatten();
        let total: u64 = sizes.filter_map(|file| file[1].as_u64()).sum();
        println!("{total} bytes compressed: {files}");
        that(total > 100_000, || format!("these cannot be all files: {files}"))?;
        that(!files.to_string().contains("labs"), || format!("the labs are for later: {files}"))?;
        let limit = if std::env::var_os("WARPSPAN_PAGE_NOT_OPTIMISED").is_some() {
            println!("the page was built without wasm-opt: twice as much is allowed");
            2 * LARGEST_TRANSFER
        } else {
            LARGEST_TRANSFER
        };
        that(total < limit, || format!("{total} bytes compressed: {files}"))
    })
}

#[test]
fn what_searches_need_is_fetched_when_the_first_result_is_there() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.before_load(WHEN_SEEN).await?;
        page.go("").await?;
        let script = "const fetched = (name) => performance.getEntriesByType('resource')
                .find((entry) => new URL(entry.name).pathname.endsWith(`/${name}`));
            return arguments[0].map(fetched).every((entry) => ['link', 'other'].includes(entry?.initiatorType)
                && !window.seenWith.includes(entry.name))";
        patiently("what searches need to be fetched ahead", async || {
            let found = page.eval(script, vec![json!(OF_SEARCHES)]).await?;
            Ok(if found == json!(true) { Ok(()) } else { Err("nothing of it, or too soon".to_owned()) })
        })
        .await
    })
}

#[test]
fn who_saves_data_fetches_nothing_ahead() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.before_load("Object.defineProperty(navigator, 'connection', {value: {saveData: true}})").await?;
        page.go("").await?;
        page.expect("makespan", "154 cycles").await?;
        page.quiet_up_to(3_000).await?;
        same("links that fetch ahead", page.count("link[rel=prefetch]").await?, 0)
    })
}

#[test]
fn the_search_worker_has_no_front_end_in_it() -> Outcome {
    on_page("", async |page| {
        let script = "const done = arguments[0];
            const words = async (name) => {
                const bytes = await (await fetch(name)).arrayBuffer();
                const text = new TextDecoder('latin1').decode(bytes);
                return ['leptos', 'tachys', 'warpspan'].filter((word) => text.includes(word));
            };
            words('worker_bg.wasm').then(done)";
        let found: Value = page.eval_async(script, vec![]).await?;
        // The last word is there: the search sees what is in the file.
        same("words in the worker", found, json!(["warpspan"]))
    })
}

/// Notes texts and places of what stands in the document, as `[selector, text, left, top, width]`.
const PARTS: &str = "window.placesIn = (root) =>
        ['.brand', '.tabs', '.share', '.theme select', '.welcome h2', '.welcome p', '.doors b', '.brief h2', '.brief .label']
        .flatMap((selector) => [...root.querySelectorAll(selector)].map((found) => {
            const box = found.getBoundingClientRect();
            const text = found.matches('select') ? '' : found.textContent.trim();
            return [selector, text, ...[box.left, box.top, box.width].map(Math.round)];
        }));
    addEventListener('DOMContentLoaded', () => {
        const first = document.getElementById('first');
        if (first) window.stoodThere = placesIn(first);
    });";

#[test]
fn what_stands_in_the_document_is_what_comes() -> Outcome {
    for width in [1440, 1024, 390] {
        in_browser(Look { width, ..Look::default() }, async |page| {
            page.before_load(PARTS).await?;
            page.go("").await?;
            page.wait_for("makespan").await?;
            same("what stood there", page.count("#first").await?, 0)?;
            let before = page.eval("return window.stoodThere", vec![]).await?;
            that(before.as_array().is_some_and(|parts| parts.len() == 15), || format!("only {before}"))?;
            same("texts and places", page.eval("return placesIn(document.body)", vec![]).await?, before)
        })?;
    }
    Ok(())
}

#[test]
fn nothing_moves_while_the_page_begins() -> Outcome {
    in_browser(Look::default(), async |page| {
        let script = "window.moved = 0;
            new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) window.moved += entry.value;
            }).observe({type: 'layout-shift', buffered: true})";
        page.before_load(script).await?;
        page.go("").await?;
        page.wait_for("makespan").await?;
        page.idle().await?;
        let moved = page.number("return window.moved").await?;
        that(moved < 0.02, || format!("layout shifts add up to {moved}"))
    })
}
