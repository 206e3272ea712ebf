//! What a visitor feels, in milliseconds: until the first result, from frame to frame, from a click to its answer.
//!
//! Tests count what is done for these; here it is timed, and nothing fails.

use serde_json::{Value, json};
use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::link::{self, View};
use warpspan_e2e::{Outcome, Page};

/// Frames of which the median is told.
const FRAMES: u32 = 120;

pub(super) async fn felt(page: &Page) -> Outcome {
    println!("\nWhat a visitor feels, in milliseconds (medians)");
    first_result(page).await?;
    first_result_slow(page).await?;
    choose(page, "large").await?;
    for zooms in [1, 12] {
        page.press(&"w".repeat(zooms)).await?;
        row(&format!("a frame of panning, large, {zooms} closer"), pan(page).await?);
    }
    page.press(" ").await?;
    row("a frame of playing, large", frames(page, "").await?);
    page.press(" ").await?;
    row("100,000 blocks, from choice to picture", blocks(page).await?);
    page.blur().await?;
    row("a frame of panning, 100,000 blocks", pan(page).await?);
    page.put("blocks-slider", "480").await?;
    row("a step through 100,000 blocks", answer(page, "[data-testid=blocks-forward]").await?);
    brackets(page).await?;
    interactions(page).await?;
    choose(page, "voronoi-anneal").await?;
    page.wait_for("chart-plot").await?;
    row("a frame while eight chains run", frames(page, "").await?);
    row("a click while eight chains run", answer(page, "[aria-pressed=false][data-testid^=rows-]").await?);
    page.eval("document.querySelector('[data-testid=search-stop]')?.click()", vec![]).await.map(drop)
}

fn row(what: &str, milliseconds: f64) {
    println!("{what:<48} {milliseconds:>8.1}");
}

async fn first_result(page: &Page) -> Outcome {
    let note = "new MutationObserver((_, observer) => {
            if (!document.querySelector('[data-testid=makespan]')) return;
            observer.disconnect();
            requestAnimationFrame(() => { window.seenAfter = performance.now(); });
        }).observe(document, {childList: true, subtree: true})";
    page.before_load(note).await?;
    page.go("").await?;
    page.until("the first result", "return window.seenAfter !== undefined").await?;
    row("the first result", page.number("return window.seenAfter").await?);
    Ok(())
}

/// Notes how long each task of the page takes that is long enough to be felt, and when.
const TASKS: &str = "window.longTasks = [];
    new PerformanceObserver((list) => {
        for (const {startTime, duration} of list.getEntries()) window.longTasks.push([startTime, duration]);
    }).observe({type: 'longtask', buffered: true})";
/// So many times slower, with a phone's network: what Lighthouse calls its slow profile.
const SLOWER: u32 = 4;

/// The same on a slow machine, and its total blocking time: what is beyond 50 ms in every task.
async fn first_result_slow(page: &Page) -> Outcome {
    page.before_load(TASKS).await?;
    page.slow_down(SLOWER).await?;
    page.go("").await?;
    page.until("the first result", "return window.seenAfter !== undefined").await?;
    let quiet =
        "return performance.now() - Math.max(0, ...window.longTasks.map(([at, took]) => at + took)) > 5000";
    page.until("five seconds without a long task", quiet).await?;
    row(&format!("the first result, {SLOWER} times slower"), page.number("return window.seenAfter").await?);
    let blocking = "return window.longTasks.reduce((sum, [, took]) => sum + took - 50, 0)";
    row("its total blocking time", page.number(blocking).await?);
    let last = "return Math.max(0, ...window.longTasks.map(([at, took]) => at + took))";
    row("until its last long task", page.number(last).await?);
    let tasks = page.eval("return window.longTasks.map((task) => task.map(Math.round))", vec![]).await?;
    println!("    long tasks, [start, duration]: {tasks}");
    page.slow_down(1).await
}

/// Opens an example of the warps lab, and waits for its schedule.
async fn choose(page: &Page, name: &str) -> Outcome {
    page.visit(&format!("#example={name}")).await?;
    page.wait_for("makespan").await?;
    page.blur().await
}

/// The median time between frames, with a script before each; it knows the number of the frame as `n`.
async fn frames(page: &Page, before_each: &str) -> Result<f64, String> {
    let script = format!(
        "const [count, done] = arguments;
        const press = (code) => document.body.dispatchEvent(new KeyboardEvent('keydown', {{code, bubbles: true, cancelable: true}}));
        const times = [];
        let last = performance.now();
        const frame = (now, n = times.length) => {{
            times.push(now - last);
            last = now;
            if (n === count) return done(times.slice(2).sort((a, b) => a - b)[count >> 1]);
            {before_each};
            requestAnimationFrame((now) => frame(now));
        }};
        requestAnimationFrame((now) => frame(now))"
    );
    number(page.eval_async(&script, vec![FRAMES.into()]).await?)
}

async fn pan(page: &Page) -> Result<f64, String> {
    frames(page, "press(n % 20 < 10 ? 'KeyD' : 'KeyA')").await
}

/// The median time from a click to the task after the next frame, by which its answer is painted.
async fn answer(page: &Page, selector: &str) -> Result<f64, String> {
    let script = "const [selector, done] = arguments;
        const times = [];
        const ask = () => {
            if (times.length === 21) return done(times.sort((a, b) => a - b)[10]);
            const begun = performance.now();
            document.querySelector(selector).click();
            requestAnimationFrame(() => setTimeout(() => { times.push(performance.now() - begun); setTimeout(ask, 20); }));
        };
        ask()";
    number(page.eval_async(script, vec![json!(selector)]).await?)
}

async fn blocks(page: &Page) -> Result<f64, String> {
    page.visit("#example=paredes-example").await?;
    page.wait_for("blocks-plot").await?;
    let script = "const [done] = arguments;
        const begun = performance.now();
        location.hash = '#example=many-blocks';
        const look = () => {
            const plot = document.querySelector('[data-testid=blocks-plot]');
            if (!plot?.ariaLabel.includes('100,000 blocks')) return requestAnimationFrame(look);
            requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
        };
        look()";
    number(page.eval_async(script, vec![]).await?)
}

/// From when a link to machine code is opened to its first bracket, the lab being there.
async fn brackets(page: &Page) -> Outcome {
    for (name, large) in [("code-saxpy", false), ("code-mandelbrot", false), ("code-mandelbrot", true)] {
        page.visit("#example=code-barrier").await?;
        page.expect_part("tile-worst", "cycles").await?;
        page.idle().await?;
        let example = BUILTINS.iter().find(|example| example.name == name).ok_or("no such example")?;
        let mut document: Value = serde_json::from_str(example.text).map_err(|error| error.to_string())?;
        if large {
            document["warps"]["count"] = json!(48);
            document["warps"]["loops"] = json!({"0xc0": 160});
        }
        let link = link::write(&document, &View::default()).map_err(|problem| problem.to_string())?;
        let script = "const [link, done] = arguments;
            const bracket = () => document.querySelector('[data-testid=tile-worst]')?.textContent;
            const before = bracket();
            const begun = performance.now();
            location.hash = link;
            const look = () => {
                if ([undefined, before].includes(bracket())) return requestAnimationFrame(look);
                done(performance.now() - begun);
            };
            look()";
        let took = number(page.eval_async(script, vec![json!(link)]).await?)?;
        let what = if large { "48 warps of 2,000 instructions" } else { name };
        row(&format!("the first bracket, {what}"), took);
    }
    Ok(())
}

/// From keys and clicks to the next paint, as the browser itself tells, while the worst case of 64 warps of 1,000
/// instructions is searched for.
async fn interactions(page: &Page) -> Outcome {
    choose(page, "large").await?;
    page.click("proof-run").await?;
    page.wait_for("proof-stop").await?;
    let observe = "window.felt = new Map();
        new PerformanceObserver((list) => {
            for (const {interactionId, duration} of list.getEntries()) {
                if (interactionId) felt.set(interactionId, Math.max(duration, felt.get(interactionId) ?? 0));
            }
        }).observe({type: 'event', durationThreshold: 16})";
    page.eval(observe, vec![]).await?;
    let mut asked = 0;
    for round in 0..8 {
        for keys in ["d", "a", "w", "s", ".", ","] {
            page.press(keys).await?;
        }
        page.click(if round % 2 == 0 { "rows-units" } else { "rows-warps" }).await?;
        page.blur().await?;
        asked += 7;
    }
    page.frames(10).await?;
    let slowest = page.number("return Math.max(0, ...felt.values())").await?;
    row(&format!("the slowest of {asked} interactions during a search"), slowest);
    let all = "return [...felt.values()].sort((a, b) => b - a).slice(0, 10)";
    println!("    the ten slowest; faster than 16 ms is not told: {}", page.eval(all, vec![]).await?);
    page.click("proof-stop").await
}

fn number(value: Value) -> Result<f64, String> {
    value.as_f64().ok_or_else(|| format!("{value}, expected a number"))
}
