//! A random walk over the page: clicks, keys, edits and navigations in all labs, for a counted number of actions.
//!
//! The same seed takes the same steps, as far as the page offers the same at each; searches go on beside it. Told are errors
//! on the console, requests that failed or went elsewhere, workers and memory. Errors and such requests end it badly, with
//! the actions before the first of them.

use std::collections::VecDeque;

use serde_json::{Value, json};
use warpspan::base::Seeded;
use warpspan::import::json as documents;
use warpspan::scenario::builtin::BUILTINS;
use warpspan::scenario::link::{self, View};
use warpspan_e2e::{Outcome, Page, key_escape, with_control};

/// Actions where nothing else is said; `WARPSPAN_SOAK` says it where no argument reaches this.
const ACTIONS: u64 = 200;
/// So many actions from one line of the table to the next.
const EVERY: u64 = 50;
/// So many of the last actions are told with an error.
const REMEMBERED: usize = 12;

/// Notes what goes wrong, before the page's own scripts. Windows and dialogs of the browser's own would end the walk.
const NOTE: &str = "if (!window.soak) {
    const wrong = [], Real = window.Worker;
    let workers = 0, requests = 0;
    window.Worker = class extends Real {
        constructor(...how) { super(...how); workers += 1; this.there = true; }
        terminate() { workers -= this.there ? 1 : 0; this.there = false; super.terminate(); }
    };
    window.addEventListener('error', (event) => {
        const source = event.target?.src ?? event.target?.href;
        wrong.push(source ? `not loaded: ${source}` : `error: ${event.message}`);
    }, true);
    window.addEventListener('unhandledrejection', (event) => wrong.push(`rejected: ${event.reason}`));
    document.addEventListener('securitypolicyviolation', (event) => wrong.push(`refused: ${event.blockedURI}`));
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
            requests += 1;
            if (entry.responseStatus >= 400) wrong.push(`status ${entry.responseStatus}: ${entry.name}`);
            const to = new URL(entry.name, location.href);
            if (to.protocol.startsWith('http') && to.origin !== location.origin) wrong.push(`elsewhere: ${entry.name}`);
        }
    }).observe({type: 'resource', buffered: true});
    for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = () => null;
    window.soak = {
        told: () => [wrong.splice(0), workers, requests, performance.memory?.usedJSHeapSize ?? 0],
        shown: (selector) => [...document.querySelectorAll(selector)].filter((e) => !e.disabled
            && e.checkVisibility() && !e.closest('[inert]')),
    };
}";

/// What can be clicked.
const CLICKABLE: &str = "button, summary, input[type=checkbox], input[type=radio], [role=tab], [role=option], a[href^='#'], tr[tabindex]";
/// What is typed into fields: what fits some of them, and what fits none.
const TYPED: [&str; 16] = [
    "",
    "0",
    "1",
    "3",
    "64",
    "65",
    "-1",
    "1e9",
    "18446744073709551616",
    "LCL",
    "5L 9C 2L 9C",
    "2 3 4",
    "n*(W-1)",
    "<b>x</b>",
    "{\"warpspan\": 1}",
    "\u{202e}é",
];
/// What is pressed.
const KEYS: [&str; 18] = [
    " ", "w", "a", "s", "d", "+", "-", "?", "0", "1", "\u{e012}", "\u{e013}", "\u{e014}", "\u{e015}",
    "\u{e011}", "\u{e010}", "\u{e004}", "\u{e007}",
];

/// How far the walk goes, and which way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk {
    actions: u64,
    seed: u64,
}

impl Walk {
    /// What was asked for, or the usual.
    pub(super) fn of(actions: Option<u64>, seed: Option<u64>) -> Self {
        let told = || std::env::var("WARPSPAN_SOAK").ok()?.parse().ok();
        Self { actions: actions.or_else(told).unwrap_or(ACTIONS), seed: seed.unwrap_or(1) }
    }
}

/// What the page has told of itself since the walk began.
#[derive(Debug, Default)]
struct Told {
    wrong: Vec<String>,
    workers: u64,
    most_workers: u64,
    requests: u64,
    heap: u64,
    most_heap: u64,
}

pub(super) async fn soak(page: &Page, walk: Walk) -> Outcome {
    let Walk { actions, seed } = walk;
    println!("\nA random walk of {actions} actions, seed {seed}");
    println!("{:>8} {:>8} {:>9} {:>10} {:>7}", "actions", "workers", "requests", "heap, MiB", "wrong");
    page.before_load(NOTE).await?;
    page.go("").await?;
    page.wait_for("makespan").await?;
    let mut rng = Seeded::new(seed, 17);
    let mut told = Told::default();
    let mut last: VecDeque<String> = VecDeque::new();
    for number in 1..=actions {
        let done = act(page, &mut rng).await.unwrap_or_else(|why| format!("could not: {why}"));
        last.push_back(format!("{number}. {done}"));
        if last.len() > REMEMBERED {
            last.pop_front();
        }
        let before = told.wrong.len();
        page.frames(1).await?;
        look(page, &mut told).await?;
        if told.wrong.len() > before {
            let actions: Vec<String> = last.iter().cloned().collect();
            println!("  {}\n    after {}", told.wrong[before..].join("\n  "), actions.join("\n          "));
        }
        if number % EVERY == 0 || number == actions {
            let heap = told.heap >> 20;
            println!(
                "{number:>8} {:>8} {:>9} {heap:>10} {:>7}",
                told.workers,
                told.requests,
                told.wrong.len()
            );
        }
    }
    println!("At most {} workers and {} MiB at a time.", told.most_workers, told.most_heap >> 20);
    // What came last may have been started by what came before: workers are given time to end by work, not by a clock.
    page.go("").await?;
    page.wait_for("makespan").await?;
    look(page, &mut told).await?;
    match told.wrong.len() {
        0 => Ok(()),
        count => Err(format!("{count} things went wrong on the walk with seed {seed}: {}", told.wrong[0])),
    }
}

/// Asks the page what it noted, and the browser what stands on the console.
async fn look(page: &Page, told: &mut Told) -> Outcome {
    let found = page.eval("return window.soak?.told() ?? null", vec![]).await?;
    let wrong = found[0].as_array().into_iter().flatten();
    told.wrong.extend(wrong.filter_map(|line| line.as_str().map(str::to_owned)));
    told.wrong.extend(page.complaints().await?.into_iter().map(|line| format!("console: {line}")));
    let number = |at: usize| found[at].as_u64().unwrap_or_default();
    (told.workers, told.requests, told.heap) = (number(1), number(2), number(3));
    told.most_workers = told.most_workers.max(told.workers);
    told.most_heap = told.most_heap.max(told.heap);
    Ok(())
}

/// Does something at random, and says what it was.
async fn act(page: &Page, rng: &mut Seeded) -> Result<String, String> {
    match rng.below(20) {
        0..=7 => click(page, rng).await,
        8..=11 => press(page, rng).await,
        12..=14 => edit(page, rng).await,
        15 => choose(page, rng).await,
        16 => wheel(page, rng).await,
        17 => travel(page, rng).await,
        _ => open(page, rng).await,
    }
}

async fn click(page: &Page, rng: &mut Seeded) -> Result<String, String> {
    let script = "const [selector, n] = arguments;
        const all = soak.shown(selector);
        const one = all[n % all.length];
        one?.click();
        return one ? (one.dataset.testid ?? one.textContent.trim().slice(0, 40)) : 'nothing'";
    said("click", page.eval(script, vec![json!(CLICKABLE), json!(rng.below(1 << 30))]).await?)
}

async fn press(page: &Page, rng: &mut Seeded) -> Result<String, String> {
    let key = match rng.below(8) {
        0 => key_escape(),
        1 => with_control("z"),
        _ => KEYS[rng.below(KEYS.len() as u32) as usize].to_owned(),
    };
    let times = 1 + rng.below(4) as usize;
    if rng.below(2) == 0 {
        page.blur().await?;
    }
    page.press(&key.repeat(times)).await?;
    Ok(format!("press {key:?} {times} times"))
}

async fn edit(page: &Page, rng: &mut Seeded) -> Result<String, String> {
    let script = "const [text, n] = arguments;
        const all = soak.shown('input:not([type=checkbox], [type=radio], [type=file]), textarea');
        const one = all[n % all.length];
        if (!one) return 'nothing';
        one.focus();
        one.value = one.type === 'range' ? n % 1000 : text;
        for (const kind of ['input', 'change']) one.dispatchEvent(new Event(kind, {bubbles: true}));
        return `${one.dataset.testid ?? one.ariaLabel} = ${text}`";
    let text = TYPED[rng.below(TYPED.len() as u32) as usize];
    said("edit", page.eval(script, vec![json!(text), json!(rng.below(1 << 30))]).await?)
}

async fn choose(page: &Page, rng: &mut Seeded) -> Result<String, String> {
    let script = "const [n, m] = arguments;
        const all = soak.shown('select');
        const one = all[n % all.length];
        if (!one?.options.length) return 'nothing';
        one.selectedIndex = m % one.options.length;
        one.dispatchEvent(new Event('change', {bubbles: true}));
        return `${one.dataset.testid ?? one.ariaLabel} = ${one.value}`";
    said("choose", page.eval(script, vec![json!(rng.below(1 << 30)), json!(rng.below(1 << 30))]).await?)
}

async fn wheel(page: &Page, rng: &mut Seeded) -> Result<String, String> {
    let script = "const [n, by] = arguments;
        const all = soak.shown('canvas');
        const one = all[n % all.length];
        if (!one) return 'nothing';
        const box = one.getBoundingClientRect();
        const at = {clientX: box.x + n % box.width, clientY: box.y + n % box.height, deltaY: by, bubbles: true, cancelable: true};
        one.dispatchEvent(new WheelEvent('wheel', {...at, ctrlKey: n % 2 === 0}));
        return `${one.dataset.testid ?? 'a canvas'} by ${by}`";
    let by = i64::from(rng.below(2_000)) - 1_000;
    said("wheel", page.eval(script, vec![json!(rng.below(1 << 20)), json!(by)]).await?)
}

/// Back or forward; the walk does not leave the page, which opened with its first entry.
async fn travel(page: &Page, rng: &mut Seeded) -> Result<String, String> {
    let (what, by) = if rng.below(3) == 0 { ("forward", 1) } else { ("back", -1) };
    page.eval("history.go(arguments[0])", vec![json!(by)]).await?;
    page.until(
        "the page",
        "return document.readyState === 'complete' && !!window.soak || location.protocol === 'about:'",
    )
    .await?;
    if page.string("return location.protocol").await? == "about:" {
        page.go("").await?;
    }
    Ok(what.to_owned())
}

/// Opens an example by its link, as a visitor with a link does: anew, or in the page that is open.
async fn open(page: &Page, rng: &mut Seeded) -> Result<String, String> {
    let example = &BUILTINS[rng.below(BUILTINS.len() as u32) as usize];
    let tree = documents::parse(example.text).map_err(|problem| problem.to_string())?;
    let link = link::write(&tree, &View::default()).map_err(|problem| problem.to_string())?;
    let fragment = format!("#{link}");
    if rng.below(4) == 0 {
        page.go(&fragment).await?
    } else {
        page.visit(&fragment).await?
    }
    page.until("the page", "return document.readyState === 'complete' && !!window.soak").await?;
    Ok(format!("open {}", example.name))
}

fn said(did: &str, found: Value) -> Result<String, String> {
    Ok(format!("{did} {}", found.as_str().unwrap_or("nothing")))
}
