//! Runs of blocks as one SVG document: all of them or the part in a window, with their legend.

use crate::draw::blocks::{Key, Look, Panel, draw};
use kit::export::svg::svg;

/// More than a screen needs: a document is drawn once.
const MOST_MARKS: usize = 40_000;

/// The picture as a document, in the light theme, without cursor.
pub fn blocks_svg(panels: &[Panel<'_>], look: &Look, title: &str, link: &str) -> String {
    let look = Look { key: Key::Drawn, seen: None, cursor: None, most_marks: MOST_MARKS, ..look.clone() };
    svg(&draw(panels, &look), title, link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::blocks::{BlocksTimeline, Measure, kernel_classes, sample};

    #[test]
    fn blocks_keep_their_labels_as_text() {
        let (mut setup, trace) = sample::tx2();
        setup.kernels[0].label = "<K&1>".to_owned();
        let timeline =
            BlocksTimeline::new(&setup, &trace, &kernel_classes(&[(&setup, &trace)])[0], Measure::Threads);
        let panel = Panel { title: "", setup: &setup, trace: &trace, timeline: &timeline };
        let text = blocks_svg(&[panel], &Look::new(900.0, 500.0, 0.0, 12e6), "Four kernels", "#v=1");
        for wanted in [
            ">&lt;K&amp;1&gt;:0</text>",
            ">K2:6</text>",
            ">SM 1</text>",
            "<title>Four kernels</title>",
            ">an arrow up is a launch, one down a deadline</text>",
        ] {
            assert!(text.contains(wanted), "{wanted}");
        }
    }
}
