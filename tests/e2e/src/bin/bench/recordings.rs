//! Recorded runs: until they are read and explained, and from frame to frame while they are panned.

use std::time::Instant;

use serde_json::Value;
use warpspan_e2e::{Outcome, Page};

/// Operations of the recording that is made where no file is given.
const OPERATIONS: u32 = 500_000;
/// Frames of a pan.
const FRAMES: u32 = 300;

/// Opens files, or a recording that is made in the page, and pans it.
pub(super) async fn recordings(page: &Page, files: &[String]) -> Outcome {
    page.go("").await?;
    page.wait_for("makespan").await?;
    let what = if files.is_empty() { format!("{OPERATIONS} operations, made") } else { files.join(", ") };
    println!("\nA recorded run: {what}");
    let note = "window.begun = undefined;
        for (const kind of ['drop', 'change']) addEventListener(kind, () => { window.begun = performance.now(); }, true);
        const seen = new MutationObserver(() => {
            const there = (id) => document.querySelector(`[data-testid=${id}]`);
            window.drawn ??= there('traces-plot') ? performance.now() : undefined;
            window.told ??= there('traces-causes') ? performance.now() : undefined;
            window.led ??= there('traces-leads') ? performance.now() : undefined;
        });
        seen.observe(document, {childList: true, subtree: true})";
    page.eval(note, vec![]).await?;
    let begun = Instant::now();
    if files.is_empty() {
        page.drop_recording("made.json", OPERATIONS).await?;
        println!("{:<48} {:>8.1}", "it was made within", begun.elapsed().as_secs_f64() * 1e3);
    } else {
        page.choose_files(files).await?;
    }
    page.until("the changes worth most", "return window.led !== undefined").await?;
    for (what, moment) in [("drawn", "drawn"), ("idle time told", "told"), ("changes told", "led")] {
        let took = page.number(&format!("return window.{moment} - window.begun")).await?;
        println!("{what:<48} {took:>8.1}");
    }
    page.blur().await?;
    for closer in [0, 1, 8, 12, 16] {
        page.press("0").await?;
        page.press(&"w".repeat(closer)).await?;
        page.frames(60).await?;
        for (how, step) in [("keys", KEYS), ("a drag", DRAG)] {
            told(&format!("{closer} times closer, by {how}"), &pan(page, step).await?);
        }
    }
    Ok(())
}

/// A step by the keys: a seventh of the window there, and back.
const KEYS: &str = "document.body.dispatchEvent(new KeyboardEvent('keydown', {code: n % 20 < 10 ? 'KeyD' : 'KeyA', bubbles: true, cancelable: true}))";
/// A step of a drag: 12 pixels there, and back.
const DRAG: &str = "const plot = document.querySelector('.traces-plot canvas'), box = plot.getBoundingClientRect();
    const to = (type, x) => plot.dispatchEvent(new PointerEvent(type, {pointerId: 1, pointerType: 'mouse', button: 0, shiftKey: true, clientX: box.x + x, clientY: box.y + 60, bubbles: true, cancelable: true}));
    if (n === 0) { plot.setPointerCapture = () => {}; to('pointerdown', 500); }
    to('pointermove', 500 + 12 * (n % 60 < 30 ? n % 30 : 30 - n % 30));
    if (n + 1 === count) to('pointerup', 500)";

/// The time from frame to frame, sorted.
async fn pan(page: &Page, step: &str) -> Result<Vec<f64>, String> {
    let script = format!(
        "const [count, done] = arguments;
        const times = [];
        let last;
        const frame = (now, n) => {{
            if (last !== undefined) times.push(now - last);
            last = now;
            if (n === count) return done(times.slice(2).sort((a, b) => a - b));
            {{ {step} }}
            requestAnimationFrame((now) => frame(now, n + 1));
        }};
        requestAnimationFrame((now) => frame(now, 0))"
    );
    let found = page.eval_async(&script, vec![FRAMES.into()]).await?;
    Ok(found.as_array().into_iter().flatten().filter_map(Value::as_f64).collect())
}

fn told(what: &str, times: &[f64]) {
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or(f64::NAN);
    let most = times.last().copied().unwrap_or(f64::NAN);
    println!("{what:<48} median {:>6.1}  p99 {:>6.1}  most {most:>6.1}", at(50), at(99));
}
