//! Showing an example: all but the first lie beside the page and are fetched when somebody chooses them.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

use super::models;
use super::state::{App, Trouble};
use crate::base::Problem;
use crate::scenario::builtin::{FIRST, Listed};
use crate::scenario::link::View;

/// Shows an example, unless another document is on the page by the time it is there; says so where it cannot be had.
pub fn show(app: App, example: &'static Listed, failed: impl FnOnce() + 'static) {
    if example.is(FIRST) {
        return app.replace(FIRST.to_owned(), View::default(), example.label);
    }
    let wanted = asked(app);
    spawn_local(async move {
        let fetched = fetched(&example.file()).await;
        if !wanted() {
            return;
        }
        match fetched {
            Some(text) => app.replace(text, View::default(), example.label),
            None => {
                not_there(app, example.label);
                failed();
            }
        }
    });
}

/// Shows the document of a model that comes with the page, unless another document is there by then.
pub fn show_model(app: App, (file, label): (&'static str, &'static str), failed: impl FnOnce() + 'static) {
    let wanted = asked(app);
    spawn_local(async move {
        let fetched = fetched(file).await;
        if !wanted() {
            return;
        }
        match fetched {
            Some(text) => models::open(app, &text, label, Vec::new()),
            None => {
                not_there(app, label);
                failed();
            }
        }
    });
}

/// Notes that something was asked for that takes time. What comes tells whether it is still wanted: nothing
/// was asked for since, and the document is the one that was there.
pub fn asked(app: App) -> impl Fn() -> bool + 'static {
    let number = app.wanted_example.try_update_value(|number| {
        *number += 1;
        *number
    });
    let before = app.text.get_untracked();
    move || number == app.wanted_example.try_get_value() && app.text.with_untracked(|text| *text == before)
}

fn not_there(app: App, label: &str) {
    let expected = "a connection to where the page is from; the scenario on the page stands";
    let problems = vec![Problem::at("example", "cannot be fetched", expected)];
    app.trouble.set(vec![Trouble::new(label, problems)]);
}

/// The text of a file beside the page.
pub async fn fetched(name: &str) -> Option<String> {
    let response = JsFuture::from(window().fetch_with_str(name)).await.ok()?.dyn_into::<Response>().ok()?;
    let body = response.ok().then(|| response.text().ok()).flatten()?;
    JsFuture::from(body).await.ok()?.as_string()
}
