//! A study, small: it has no sheet.

use serde_json::Value;

use crate::draw::{Layout, Look, draw};
use crate::page::small::chart;
use kit::page::paper::{FULL, HIGH, Paper, Sheet, Small, WIDE};

/// There is none.
pub fn sheet(_: &Paper) -> Option<Sheet> {
    None
}

/// The small picture of a document and its report.
pub fn small(document: &Value, line: &str) -> Option<Small> {
    let chart = chart(document, line)?;
    let look = Look { width: FULL, height: FULL * HIGH / WIDE + 80.0, ..Look::default() };
    let layout = Layout::new(&chart, &look);
    let part = (layout.x.left, layout.top(), layout.x.right, layout.bottom() + 2.0);
    Some((draw(&chart, &look), part))
}
