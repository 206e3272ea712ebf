//! Opening a model of another tool: what reads it is loaded when somebody opens one, and makes a document of it.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;

use super::examples::asked;
use super::lazy::export;
use super::state::{App, Trouble};
use crate::base::Problem;
use crate::scenario::link::View;

/// Opens an AMALTHEA model; the scenario on the page stays if it cannot be read, or if something else was
/// opened before that was known. `beside` is what else is to be told once it is there.
pub fn open(app: App, text: &str, source: &str, beside: Vec<Trouble>) {
    let (text, source) = (text.to_owned(), source.to_owned());
    let wanted = asked(app);
    spawn_local(async move {
        let document = document(&text).await;
        if !wanted() {
            return;
        }
        match document {
            Ok(document) => {
                let done = format!("Made of {source}; Undo brings back what was there");
                app.open(document, View::default(), &done, &source);
                app.trouble.set(beside);
            }
            Err(problems) => app.trouble.update(|troubles| troubles.push(Trouble::new(&source, problems))),
        }
    });
}

async fn document(text: &str) -> Result<String, Vec<Problem>> {
    let unloaded = || {
        let expected = "a connection to where the page is from; opening it again tries once more";
        vec![Problem::at("document", "what reads models could not be loaded", expected)]
    };
    let read = export("document_of_model").await.map_err(|_| unloaded())?;
    match read.call1(&JsValue::NULL, &text.into()) {
        Ok(document) => document.as_string().ok_or_else(unloaded),
        Err(problems) => Err(serde_wasm_bindgen::from_value(problems).unwrap_or_else(|_| unloaded())),
    }
}
