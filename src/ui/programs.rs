//! PTX, which the program of the labs reads: it is loaded with the first document that holds some.

use std::rc::Rc;

use js_sys::Function;
use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::live::{effect, memo};
use wasm_bindgen::JsValue;

use super::lazy::export;
use super::state::App;
use crate::base::Problem;
use crate::import::json;
use crate::page::opened::Trouble;
use crate::page::program;
use crate::scenario::programs::{self, Unwalked};

impl App {
    /// Finds somebody to walk through programs once a document holds one.
    pub(super) fn follow_programs(&self) {
        let app = *self;
        let waits = memo(move |_| {
            app.read.with(|read| read.as_ref().is_ok_and(|read| read.asked::<Unwalked>().is_some()))
        });
        effect(move || {
            if waits.get() {
                spawn_local(async move { app.meet_walker(export("walk").await.ok()) });
            }
        });
    }

    /// Reads the document with whoever walks through programs.
    fn meet_walker(&self, walk: Option<Function>) {
        let Some(walk) = walk else {
            return self.trouble.update(|all| all.push(Trouble::new("the program", vec![unloaded()])));
        };
        programs::ask(Rc::new(move |asked| walk.call1(&JsValue::NULL, &asked.into()).ok()?.as_string()));
        self.walks.set(true);
        // What was opened from outside and is no document gives way to what was there before.
        let wrong = self.read.with_untracked(|read| read.as_ref().err().cloned());
        let outside = self.asked.with_untracked(|asked| asked.as_ref().is_some_and(|o| !o.source.is_empty()));
        if let Some(problems) = wrong.filter(|_| outside) {
            self.put_back(problems);
        }
    }

    /// The document on the page as the workers of quick jobs read it: with the string that its program stands for.
    pub(super) fn walked(&self) -> String {
        let walked = self.of_warps(|warps| {
            let warps = warps.filter(|warps| warps.ptx.is_some())?;
            let tree = self.tree.get_untracked().ok()?;
            Some(json::pretty(&program::with_string(&tree, &warps.written.to_string())))
        });
        walked.unwrap_or_else(|| self.text.get_untracked())
    }
}

fn unloaded() -> Problem {
    let expected = "a connection to where the page is from; opening it again tries once more";
    Problem::at("document", "what reads PTX could not be loaded", expected)
}
