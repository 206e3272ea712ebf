//! 100,000 blocks are there soon, and follow the pan frame by frame.

use serde_json::{Value, json};
use warpspan_e2e::{Outcome, Page, on_page, that};

use super::{drawn, open};
use crate::scenario_panel::place;

/// From the choice of the example to its picture in milliseconds, on a machine that does other things as well.
const LONGEST_WAIT: f64 = 2_000.0;
/// Half of all frames come sooner than this many milliseconds after the one before; on a machine with nothing else
/// to do it is half of that.
const LONGEST_MEDIAN: f64 = 34.0;

#[test]
fn a_hundred_thousand_blocks_are_there_soon() -> Outcome {
    on_page("", async |page| {
        // The lab itself has been loaded before, as by a visitor who looks around.
        open(&page, "paredes-example").await?;
        let script = "const [place, done] = arguments;
            const e = document.querySelector('[data-testid=example]');
            const start = performance.now();
            e.value = place;
            e.dispatchEvent(new Event('change', {bubbles: true}));
            const look = () => {
                const plot = document.querySelector('[data-testid=blocks-plot]');
                if (!plot?.ariaLabel.includes('100,000 blocks')) return requestAnimationFrame(look);
                // Painted in the next frame, and on the screen after it.
                requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
            };
            look()";
        let took = page.eval_async(script, vec![json!(place("many-blocks")?)]).await?;
        let took = took.as_f64().unwrap_or(f64::INFINITY);
        println!("100,000 blocks: {took:.0} ms");
        that(took < LONGEST_WAIT, || format!("{took:.0} ms"))
    })
}

/// Pans there and back for two seconds, a step each frame, and gives the median of milliseconds between frames.
async fn pan(page: &Page) -> Result<f64, String> {
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
    let times: Vec<f64> = times.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    times.get(times.len() / 2).copied().ok_or_else(|| "no frames".to_owned())
}

#[test]
fn panning_is_smooth_near_and_far() -> Outcome {
    on_page("", async |page| {
        open(&page, "many-blocks").await?;
        page.blur().await?;
        // All but a little, where density is drawn; then some hundred microseconds, where every block is.
        for zooms in [1, 8] {
            page.press(&"w".repeat(zooms)).await?;
            let median = pan(&page).await?;
            println!("{zooms} times closer: median {median:.1} ms");
            that(median < LONGEST_MEDIAN, || format!("half of the frames take more than {median:.1} ms"))?;
        }
        Ok(())
    })
}

#[test]
fn stepping_through_many_blocks_is_quick() -> Outcome {
    on_page("", async |page| {
        open(&page, "many-blocks").await?;
        drawn(&page, "many-blocks").await?;
        page.put("blocks-slider", "480").await?;
        page.expect_part("blocks-sentence", "Event 480 of ").await?;
        let script = "const done = arguments[0];
            const times = [];
            const step = () => {
                if (times.length > 20) return done(times.sort((a, b) => a - b)[10]);
                const start = performance.now();
                document.querySelector('[data-testid=blocks-forward]').click();
                requestAnimationFrame(() => requestAnimationFrame(() => { times.push(performance.now() - start); step(); }));
            };
            step()";
        let median = page.eval_async(script, vec![]).await?.as_f64().unwrap_or(f64::INFINITY);
        println!("a step: median {median:.1} ms to the screen");
        that(median < 200.0, || format!("half of the steps take more than {median:.1} ms"))
    })
}
