//! Inside a worker of searches: holds a thread trace for a part of the page, and answers what it asks about it.
//!
//! A worker that holds a capture lives as long as that is looked at: another one gets another worker, so nothing of a
//! capture is ever given back.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::File;

use super::held::{self, OnPage, PROGRESS_MS, now, say};
use crate::base::Problem;
use waves::{Account, Capture};
use waves_lab::job::shipped;
use waves_lab::page::Desk;
use waves_lab::page::desk::summed;
use waves_lab::page::seam::{CAPTURE, Doing, FromHolder, ToHolder};
use waves_lab::scenario::{Given, WavesScenario};
use waves_read::Files;

/// The largest file that is read.
const LARGEST: f64 = 536_870_912.0;

thread_local! {
    static HELD: RefCell<Option<Desk<'static>>> = const { RefCell::new(None) };
}

/// Hears a message if it is about a thread trace; whether it was.
pub fn hear(data: &JsValue) -> bool {
    let Some((message, files)) = held::message::<ToHolder>(data, CAPTURE) else { return false };
    match message {
        ToHolder::Open { text, paths } => open(&text, &paths, &files),
        ToHolder::Other { text, paths } => sum_up(&text, &paths, &files),
        ToHolder::SumUp => HELD.with_borrow(|held| {
            if let Some(held) = held {
                say(&held.summed());
            }
        }),
        ToHolder::Stretch { place } => HELD.with_borrow(|held| {
            if let Some(said) = held.as_ref().and_then(|held| held.said(place)) {
                say(&FromHolder::Stretch { place, said: Box::new(said) });
            }
        }),
        ToHolder::Write(form) => HELD.with_borrow(|held| {
            if let Some(held) = held {
                say(&held.written(form));
            }
        }),
    }
    true
}

fn open(text: &str, paths: &[String], files: &Array) {
    match opened(text, paths, files) {
        Ok((title, capture)) => {
            let capture: &'static Capture = Box::leak(Box::new(capture));
            let account: &'static Account<'static> = Box::leak(Box::new(Account::of(capture)));
            let desk = Desk::new(account, &title);
            say(&FromHolder::Drawn(Box::new(desk.drawn())));
            say(&FromHolder::Reported(desk.report()));
            HELD.set(Some(desk));
        }
        Err(problems) => say(&FromHolder::Refused(problems)),
    }
}

/// Reads a capture that is not to be seen.
fn sum_up(text: &str, paths: &[String], files: &Array) {
    match opened(text, paths, files) {
        Ok((_, capture)) => say(&summed(&Account::of(&capture))),
        Err(problems) => say(&FromHolder::Refused(problems)),
    }
}

/// The title of a document, and its capture.
fn opened(text: &str, paths: &[String], files: &Array) -> Result<(String, Capture), Vec<Problem>> {
    let scenario = waves_lab::LINKED.read(text)?;
    let asked = scenario.asked::<WavesScenario>().cloned();
    let asked = asked.ok_or_else(|| vec![Problem::at("document", "no thread trace", "\"waves\"")])?;
    let capture = match shipped(&asked.given) {
        Some(capture) => capture?,
        None => read(&asked.given, paths, files)?,
    };
    say(&FromHolder::Does(Doing::Accounts));
    Ok((scenario.title, capture))
}

fn read(given: &Given, paths: &[String], files: &Array) -> Result<Capture, Vec<Problem>> {
    let mut told = 0.0;
    let mut progress = |now_at: &waves_read::Progress<'_>| {
        if now() - told >= PROGRESS_MS {
            told = now();
            say(&FromHolder::Does(Doing::reads(now_at)));
        }
        true
    };
    let mut all = BTreeMap::new();
    for (path, file) in paths.iter().zip(files.iter()) {
        let Ok(file) = file.dyn_into::<File>() else { continue };
        let file = OnPage::new(file).map_err(|problem| vec![problem])?;
        all.insert(path.clone(), file);
    }
    match given {
        Given::Folder { .. } => waves_read::folder::read(&mut OfVisitor(all), &mut progress),
        Given::File { .. } | Given::Shipped(_) => {
            let file = all.into_values().next();
            let file =
                file.ok_or_else(|| vec![Problem::at("file", "it is not there", "the file of the capture")])?;
            if file.file.size() > LARGEST {
                let what = format!("{} bytes", file.file.size());
                return Err(vec![Problem::at("file", what, "512 MiB at most; a folder may have more")]);
            }
            waves_read::read_packed(&file.all().map_err(|problem| vec![problem])?, &mut progress)
        }
    }
}

/// Files of a folder, read one by one.
struct OfVisitor(BTreeMap<String, OnPage>);

impl Files for OfVisitor {
    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }

    fn bytes(&mut self, name: &str) -> Result<Cow<'_, [u8]>, String> {
        let file = self.0.get(name).ok_or_else(|| "it is not there".to_owned())?;
        file.all().map(Cow::Owned).map_err(|problem| problem.what)
    }
}
