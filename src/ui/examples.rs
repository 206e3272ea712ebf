//! Showing an example: all but the first lie beside the page and are fetched when somebody chooses them.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

use super::files;
use super::state::App;
use crate::base::Problem;
use crate::base::problem::quoted;
use crate::page::guess::UNTOLD;
use crate::page::opened::Trouble;
use crate::scenario::builtin::{FIRST, LISTED, Listed, MODELS};
use crate::scenario::link::View;

/// Shows an example, unless another document is on the page by the time it is there; says so where it cannot be had.
pub fn show(app: App, example: &'static Listed, failed: impl FnOnce() + 'static) {
    bring(app, example, true, false, failed);
}

/// The same, with its answer hidden or not; where an address has asked for it, that is a step of the browser's history
/// already.
fn bring(app: App, example: &'static Listed, step: bool, hide: bool, failed: impl FnOnce() + 'static) {
    let put = move |text| {
        let what = if hide { UNTOLD } else { example.label };
        app.replace(text, View { hide, ..View::default() }, what);
        app.new_entry.set(step);
    };
    if example.is(FIRST) {
        return put(FIRST.to_owned());
    }
    let wanted = asked(app);
    spawn_local(async move {
        let fetched = fetched(&example.file()).await;
        if !wanted() {
            return;
        }
        match fetched {
            Some(text) => put(text),
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
            Some(text) => files::open_text(app, &text, label),
            None => {
                not_there(app, label);
                failed();
            }
        }
    });
}

/// Shows the example or the model of a file's name, as `#example=NAME` asks for it; says so where there is none.
pub fn open_named(app: App, name: &str, hide: bool) {
    if let Some(example) = LISTED.iter().find(|example| example.name == name) {
        if app.text.with_untracked(|text| !example.is(text)) {
            bring(app, example, false, hide, || ());
        } else if hide {
            app.hide.set(true);
        }
    } else if let Some(model) = MODELS.into_iter().find(|(file, _)| stem(file) == name) {
        show_model(app, model, || ());
    } else {
        let found = format!("there is none called {}", quoted(name));
        let problems = vec![Problem::at("example", found, "the name of one in the list of examples")];
        app.trouble.set(vec![Trouble::new("the link in the address", problems)]);
    }
}

/// The name of a file without folder and extension.
fn stem(file: &str) -> &str {
    let name = file.rsplit_once('/').map_or(file, |(_, name)| name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
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
