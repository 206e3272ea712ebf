//! The page without a network: once there is something to see, a script has the page kept for later visits.

use leptos::leptos_dom::helpers::request_idle_callback_with_handle;
use leptos::prelude::*;
use ui_kit::live::{effect, memo};

use super::state::App;
use workers::runs::of_this_build;

/// Where a browser does not tell when it is idle, it has had time for the picture after that.
const SETTLE: std::time::Duration = std::time::Duration::from_secs(2);

/// Waits for the first picture and an idle moment. Not for pages in a frame: those are visitors' of another page.
pub fn keep(app: App) {
    let seen = memo(move |_| {
        !app.embed.get() && (app.shown.with(Option::is_some) || app.trial.with(Option::is_some))
    });
    let begun = StoredValue::new(false);
    effect(move || {
        if !seen.get() || begun.get_value() {
            return;
        }
        begun.set_value(true);
        if request_idle_callback_with_handle(load).is_err() {
            set_timeout(load, SETTLE);
        }
    });
}

fn load() {
    let Ok(script) = document().create_element("script") else { return };
    let _ = script.set_attribute("type", "module");
    let _ = script.set_attribute("src", &of_this_build("offline.js"));
    let _ = document().body().map(|body| body.append_child(&script));
}
