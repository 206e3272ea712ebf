//! Comparing what is shown with what was kept: the buttons for it, and the two beneath each other. What they differ in
//! is a part of the page.

use std::sync::Arc;

use leptos::prelude::*;
use ui_kit::live::memo;
use ui_kit::pin::Pin;
use ui_kit::show::Show;

use super::lazy::Place;
use super::state::App;
use crate::base::people;
use crate::job::{Weight, weight};
use crate::page::linked::LINKED;
use crate::page::pool::Heard;
use crate::page::results::Ran;
use crate::page::{Part, Shown};

impl App {
    /// Keeps what is shown, to be compared with what is shown later.
    fn keep(&self) {
        let Some(shown) = self.shown.get_untracked() else { return };
        self.notice.set(format!(
            "Pinned: {}. What is shown from now on is compared with it",
            people::counted(shown.report.makespan as usize, "cycle")
        ));
        self.kept.set(Some(shown));
    }

    /// Shows what was kept, with its document, and keeps what was shown.
    fn swap_kept(&self) {
        let (Some(kept), before) = (self.kept.get_untracked(), self.shown.get_untracked()) else { return };
        self.cancel(); // what runs would soon replace it
        self.chosen.set(None);
        self.edit(kept.text.clone(), "kept".into());
        self.show(kept);
        self.kept.set(before);
    }

    /// Pins what a link has pinned, once it is there; only what is no search.
    pub(super) fn recall_kept(&self, text: String) {
        let quick = LINKED.read(&text).is_ok_and(|scenario| weight(&scenario) == Weight::Quick);
        if !quick {
            return self.notice.set("What the link has pinned is no schedule of warps".to_owned());
        }
        let (app, document) = (*self, text.clone());
        let owner = move |_, heard| {
            if let Heard::Done(_, Some(report)) = heard {
                app.kept.set(Shown::quick(&document, &report).map(Arc::new));
            }
        };
        self.runs.with_value(|runs| runs.submit(Weight::Quick, text, owner));
    }

    /// Runs what a link has pinned for the panel of another lab.
    pub(super) fn recall_for_panel(&self, text: String) {
        let (app, document) = (*self, text.clone());
        let owner = move |_, heard| {
            if let Heard::Done(_, Some(line)) = heard {
                app.part_pin.set(Some(Ran { text: document.clone(), line }));
            }
        };
        self.runs.with_value(|runs| runs.submit(Weight::Search, text, owner));
    }

    fn let_go(&self) {
        self.kept.set(None);
        self.notice.set("Unpinned; nothing is compared".to_owned());
    }
}

/// A schedule that is drawn beneath the one that is shown, on the same axis.
#[derive(Clone)]
pub(super) struct Beside {
    pub(super) shown: Arc<Shown>,
    /// Whether somebody pinned it; else a search has found it.
    pub(super) pinned: bool,
}

/// Another schedule is another one even where it looks the same.
impl PartialEq for Beside {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shown, &other.shown) && self.pinned == other.pinned
    }
}

impl Beside {
    /// What it is called in the picture.
    pub(super) fn label(&self) -> String {
        let report = &self.shown.report;
        let takes = people::counted(report.makespan as usize, "cycle");
        match self.pinned {
            true => format!("Pinned: {takes}"),
            false if report.exact => format!("The worst case, proven: {takes}"),
            false => format!("The longest found: {takes}"),
        }
    }
}

/// What was pinned; else the longest schedule that a search beside the document has found.
pub(super) fn beside(app: App) -> Memo<Option<Beside>> {
    let found = app.found_elsewhere();
    memo(move |_| {
        let here = app.shown.get()?;
        let differs = |there: &Shown| here.order != there.order || here.schedule != there.schedule;
        // What is pinned and shown leaves its place to what was found.
        match app.kept.get().filter(|kept| differs(kept)) {
            Some(shown) => Some(Beside { shown, pinned: true }),
            None => found.get(),
        }
        .filter(|beside| differs(&beside.shown))
    })
}

/// The buttons; part of the figure's toolbar.
#[component]
pub fn Keep(app: App) -> impl IntoView {
    let kept = move || {
        app.kept.with(|kept| {
            kept.as_ref()
                .map(|kept| format!("Pinned: {}", people::counted(kept.report.makespan as usize, "cycle")))
        })
    };
    let [pin, swap, end] =
        [App::keep, App::swap_kept, App::let_go].map(|act| Callback::new(move |()| act(&app)));
    view! { <Pin id="" kept=Signal::derive(kept) pin swap end/> }
}

/// What they differ in; nothing while nothing is kept or what is kept is shown.
#[component]
pub fn Compare(app: App) -> impl IntoView {
    let any = memo(move |_| {
        app.shown.get().zip(app.kept.get()).is_some_and(|(here, kept)| {
            here.order != kept.order || here.schedule != kept.schedule || here.text != kept.text
        })
    });
    view! {
        <Show when=move || any.get()><Place app part=Part::Compare/></Show>
    }
}
