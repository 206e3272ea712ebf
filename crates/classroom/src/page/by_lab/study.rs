//! A study, small: it has no sheet.

use serde_json::Value;

use crate::page::pictures::small::{Cut, FULL, HIGH, WIDE};
use labs::study_lab::draw::{Layout, Look, draw};
use labs::study_lab::page::small::chart;

/// The small picture of a document and its report.
pub(super) fn small(document: &Value, line: &str) -> Option<Cut> {
    let chart = chart(document, line)?;
    let look = Look { width: FULL, height: FULL * HIGH / WIDE + 80.0, ..Look::default() };
    let layout = Layout::new(&chart, &look);
    let part = (layout.x.left, layout.top(), layout.x.right, layout.bottom() + 2.0);
    Some((draw(&chart, &look), part))
}
