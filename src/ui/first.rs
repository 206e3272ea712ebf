//! The beginning of the page that stands in `index.html`: seen from the first moment, gone when there is more to see.

use leptos::prelude::*;
use ui_kit::live::effect;

use super::state::{App, Run};

/// Where nothing comes of it, the page shows that after this time: long enough for slow machines, where a page that
/// shows itself too soon moves when its first result comes.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

/// Waits until the page has something to show in its place: the first result, what is wrong, or a search, which says how
/// it goes on and can be stopped before it has found anything.
pub fn replace(app: App) {
    effect(move || {
        let result = app.shown.with(Option::is_some) || app.trial.with(Option::is_some);
        let sought = app.search.with(Option::is_some);
        let told = app.run.with(|run| !matches!(run, Run::Idle | Run::Running(_, None)));
        let away = app.room.with(Option::is_some);
        if result || sought || told || away || app.trouble.with(|trouble| !trouble.is_empty()) {
            remove();
        }
    });
    set_timeout(remove, PATIENCE);
}

fn remove() {
    if let Some(first) = document().get_element_by_id("first") {
        first.remove();
    }
}
