//! Which steps were done, remembered where the browser allows it.

use std::collections::BTreeSet;

use base::crc32;
use kit::import::json;
use kit::scenario::link::LessonSource;
use ui_kit::kept;

const KEY: &str = "warpspan-lessons";

/// The name under which a lesson is remembered.
pub(crate) fn name(source: &LessonSource) -> String {
    match source {
        LessonSource::Named(name) => name.clone(),
        LessonSource::Own(text) => format!("own {:08x}", crc32(text.as_bytes())),
    }
}

fn all() -> serde_json::Map<String, serde_json::Value> {
    match kept::recall(KEY).map(|text| json::parse(&text)) {
        Some(Ok(serde_json::Value::Object(map))) => map,
        _ => Default::default(),
    }
}

/// The steps of a lesson that were done, from 0.
pub(crate) fn done(name: &str) -> BTreeSet<usize> {
    let steps = all().get(name).and_then(|steps| steps.as_array().cloned()).unwrap_or_default();
    steps.iter().filter_map(|step| usize::try_from(step.as_u64()?).ok()).collect()
}

/// Remembers them; where nothing can be kept, the page forgets when it is closed.
pub(super) fn remember(name: &str, steps: &BTreeSet<usize>) {
    let mut all = all();
    all.insert(name.to_owned(), steps.iter().copied().collect());
    kept::remember(KEY, &json::line(&all));
}
