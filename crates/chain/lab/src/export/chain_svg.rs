//! The picture of a chain as an SVG document.

use crate::draw::chain::{Layout, Missing, draw};
use crate::report::chain::WholeReport;
use kit::export::svg::svg;

/// The picture as a document, in the light theme.
pub fn chain_svg(report: &WholeReport, width: f64, title: &str, link: &str) -> String {
    svg(&draw(report, &Layout::new(report, width), Missing::Unknown), title, link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    #[test]
    fn its_words_are_text() {
        let text = chain_svg(&sample::open(), 1_000.0, "A <chain>", "#v=1");
        for wanted in
            [">154 cycles</text>", ">÷ 1.3 GHz</text>", "<title>A &lt;chain&gt;</title>", ">weakest</text>"]
        {
            assert!(text.contains(wanted), "{wanted}");
        }
    }
}
