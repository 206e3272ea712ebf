//! 64 warps of 1,000 instructions follow the pan frame by frame, near and far: each frame paints once, and no more
//! than can be told apart. How long a frame takes is measured by `cargo xtask bench`.

use warpspan_e2e::{Look, Outcome, Page, Painted, in_browser, that};

use crate::scenario_panel::show;

/// Instructions of the example, each of which a picture that knows no density would paint.
const CELLS: u64 = 64 * 1_000;

/// Pans there and back for so many frames, a step each, and tells what was painted.
pub async fn pan(page: &Page, frames: u32) -> Result<Painted, String> {
    page.painted().await?;
    let script = "const [frames, done] = arguments;
        const press = (code) => document.body.dispatchEvent(new KeyboardEvent('keydown', {code, bubbles: true, cancelable: true}));
        const step = (left) => {
            if (left === 0) return requestAnimationFrame(done);
            press(left % 20 < 10 ? 'KeyD' : 'KeyA');
            requestAnimationFrame(() => step(left - 1));
        };
        requestAnimationFrame(() => step(frames))";
    page.eval_async(script, vec![frames.into()]).await?;
    page.painted().await
}

/// That each of some frames was painted once, with a bounded number of marks.
pub fn smooth(what: &str, painted: Painted, frames: u32, most: u64) -> Outcome {
    println!("{what}: {painted:?} in {frames} frames");
    let frames = u64::from(frames);
    that(painted.frames <= frames + 1 && painted.frames * 2 >= frames, || {
        format!("{what}: {painted:?} in {frames} frames")
    })?;
    that(painted.most < most, || format!("{what}: {painted:?}, expected fewer than {most} marks at once"))
}

#[test]
fn panning_paints_each_frame_once_near_and_far() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.count_paint().await?;
        page.go("").await?;
        page.wait_for("makespan").await?;
        show(&page, "large").await?;
        page.blur().await?;
        // All but a little, where density is drawn; then about 200 cycles, where every cell is.
        for zooms in [1, 12] {
            page.press(&"w".repeat(zooms)).await?;
            smooth(&format!("{zooms} times closer"), pan(&page, 60).await?, 60, CELLS / 4)?;
        }
        Ok(())
    })
}

#[test]
fn playing_a_long_construction_paints_each_frame_once() -> Outcome {
    in_browser(Look::default(), async |page| {
        page.count_paint().await?;
        page.go("").await?;
        page.wait_for("makespan").await?;
        show(&page, "large").await?;
        page.blur().await?;
        page.press(" ").await?;
        page.until("it to play", "return document.querySelector('[data-testid=player-slider]').value > 0")
            .await?;
        page.painted().await?;
        page.frames(60).await?;
        let painted = page.painted().await?;
        println!("playing: {painted:?}");
        that((1..=64).contains(&painted.frames), || format!("playing: {painted:?} in 60 frames"))?;
        that(painted.most < CELLS / 4, || format!("playing: {painted:?}"))
    })
}
