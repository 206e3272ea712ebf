//! The demand chart as an SVG document: all of it or the part in a window, with its legend.

use crate::draw::tasks::{Look, draw};
use crate::timeline::tasks::Demand;
use kit::export::svg::svg;

/// The chart as a document, in the light theme, without what is under a pointer.
pub fn tasks_svg(demand: &Demand, look: &Look, title: &str, link: &str) -> String {
    let look = Look { pointed: None, range: None, ..look.clone() };
    svg(&draw(demand, &look), title, link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;

    #[test]
    fn the_chart_has_its_words_as_text() {
        let mut report = sample::fits();
        report.dbf[0].task = "<a & b>".to_owned();
        let text =
            tasks_svg(&Demand::new(&report), &Look::new(900.0, 400.0, 0.0, 40.0), "Three tasks", "#v=1");
        for wanted in [
            ">&lt;a &amp; b&gt;</text>",
            ">Least slack at 4</text>",
            "<title>Three tasks</title>",
            "<metadata>#v=1</metadata>",
            "url(#hatch0)",
        ] {
            assert!(text.contains(wanted), "{wanted}");
        }
    }
}
