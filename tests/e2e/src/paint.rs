//! Counts what is painted: how often a canvas is painted anew, and with how many marks.
//!
//! Time on a screen follows from both on any machine: a picture is smooth where each change paints it once and
//! paints no more than there are pixels to tell marks apart.

use serde::Deserialize;

use crate::{Outcome, Page};

/// Counts calls that put ink on a canvas, and frames in which there were any. Before the page's own scripts.
const COUNT: &str = "if (!window.painted) {
    window.painted = {marks: 0, most: 0, frames: 0};
    let frame = null, inFrame = 0;
    const mark = () => {
        const painted = window.painted, now = document.timeline.currentTime; // the same all through a frame
        if (now !== frame) [frame, inFrame, painted.frames] = [now, 0, painted.frames + 1];
        inFrame += 1;
        painted.marks += 1;
        painted.most = Math.max(painted.most, inFrame);
    };
    for (const name of ['fillRect', 'strokeRect', 'fillText', 'stroke', 'fill', 'drawImage', 'putImageData']) {
        const real = CanvasRenderingContext2D.prototype[name];
        CanvasRenderingContext2D.prototype[name] = function (...how) { mark(); return real.apply(this, how); };
    }
}";

/// What was painted since counting began anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Painted {
    /// Marks of ink in all.
    pub marks: u64,
    /// The most marks painted in one frame.
    pub most: u64,
    /// Frames in which anything was painted.
    pub frames: u64,
}

impl Page {
    /// Has every page opened from now on count what it paints.
    pub async fn count_paint(&self) -> Outcome {
        self.before_load(COUNT).await
    }

    /// What was painted since this was last asked.
    pub async fn painted(&self) -> Result<Painted, String> {
        self.frames(2).await?;
        let script = "const found = {...window.painted};
            Object.assign(window.painted, {marks: 0, most: 0, frames: 0});
            return found";
        let found = self.eval(script, vec![]).await?;
        serde_json::from_value(found).map_err(|error| error.to_string())
    }
}
