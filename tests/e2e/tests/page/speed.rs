//! 64 warps of 1,000 instructions follow the pan frame by frame, near and far.

use serde_json::Value;
use warpspan_e2e::{Outcome, Page, on_page, that};

use crate::scenario_panel::show;

/// Half of all frames come sooner than this many milliseconds after the one before; on a machine with
/// nothing else to do it is half of that.
const LONGEST_MEDIAN: f64 = 34.0;

/// Pans there and back for two seconds, a step each frame, and gives the milliseconds between frames, sorted.
async fn pan(page: &Page) -> Result<Vec<f64>, String> {
    let script = "const done = arguments[0];
        const press = (code) => document.body.dispatchEvent(new KeyboardEvent('keydown', {code, bubbles: true, cancelable: true}));
        const times = [];
        let before = performance.now();
        const end = before + 2000;
        const frame = (now) => {
            times.push(now - before);
            before = now;
            if (now > end) return done(times.slice(2).sort((a, b) => a - b));
            press(times.length % 20 < 10 ? 'KeyD' : 'KeyA');
            requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame)";
    let times = page.eval_async(script, vec![]).await?;
    Ok(times.as_array().into_iter().flatten().filter_map(Value::as_f64).collect())
}

/// The frames of a pan, measured after zooming in so many times.
async fn smooth(page: &Page, zooms: usize) -> Outcome {
    page.press(&"w".repeat(zooms)).await?;
    let times = pan(page).await?;
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or(f64::INFINITY);
    let (median, late) = (at(0.5), at(0.95));
    println!(
        "{zooms} times closer: {} frames, median {median:.1} ms, 95 of 100 within {late:.1} ms",
        times.len()
    );
    that(median < LONGEST_MEDIAN, || format!("half of the frames take more than {median:.1} ms"))
}

#[test]
fn panning_is_smooth_near_and_far() -> Outcome {
    on_page("", async |page| {
        show(&page, "large").await?;
        page.blur().await?;
        // All but a little, where density is drawn; then about 200 cycles, where every cell is.
        smooth(&page, 1).await?;
        smooth(&page, 12).await
    })
}

#[test]
fn playing_a_long_construction_is_smooth() -> Outcome {
    on_page("", async |page| {
        show(&page, "large").await?;
        page.blur().await?;
        page.press(" ").await?;
        let script = "const done = arguments[0];
            const times = [];
            let before = performance.now();
            const frame = (now) => {
                times.push(now - before);
                before = now;
                if (times.length > 60) return done(times.sort((a, b) => a - b)[30]);
                requestAnimationFrame(frame);
            };
            requestAnimationFrame(frame)";
        let median = page.eval_async(script, vec![]).await?.as_f64().unwrap_or(f64::INFINITY);
        println!("playing: median {median:.1} ms");
        that(median < 2.0 * LONGEST_MEDIAN, || format!("half of the frames take more than {median:.1} ms"))
    })
}
