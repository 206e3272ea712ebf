//! The labs as places one goes to and comes back to, each with its own document.

use leptos::prelude::*;

use super::examples;
use super::state::App;
use crate::import::json;
use crate::page::{Room, Subject};
use crate::scenario::builtin::{self, Listed};
use crate::scenario::link::View;

/// The labs of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lab {
    /// Warps on one multiprocessor.
    Warps,
    /// Blocks on the whole GPU.
    Blocks,
    /// Recurring tasks.
    Tasks,
    /// All of them joined.
    Chain,
    /// Recorded runs.
    Traces,
}

impl Lab {
    /// All of them, in the order of the navigation.
    pub const ALL: [Self; 5] = [Self::Warps, Self::Blocks, Self::Tasks, Self::Chain, Self::Traces];

    /// The lab that shows what a document is about.
    pub fn of(subject: Subject) -> Self {
        match subject {
            Subject::Warps | Subject::Conjecture => Lab::Warps,
            Subject::Blocks => Lab::Blocks,
            Subject::Tasks => Lab::Tasks,
            Subject::Chain => Lab::Chain,
            Subject::Trace => Lab::Traces,
        }
    }

    /// The lab of a document; that of warps for what is none.
    pub(super) fn of_text(text: &str) -> Self {
        let subject = json::parse(text).ok().as_ref().and_then(Subject::of);
        Self::of(subject.unwrap_or(Subject::Warps))
    }

    /// What the page calls it.
    pub fn name(self) -> &'static str {
        match self {
            Lab::Warps => "Warps",
            Lab::Blocks => "Blocks",
            Lab::Tasks => "Tasks",
            Lab::Chain => "Chain",
            Lab::Traces => "Traces",
        }
    }

    /// What it shows to those who have not been there: the first example under its name.
    fn first_example(self) -> Option<&'static Listed> {
        builtin::LISTED.iter().find(|example| example.group == self.name())
    }
}

impl App {
    /// Shows the lab of the document, however it came about: opened, undone, or typed.
    pub(super) fn follow_document(&self) {
        let app = *self;
        Effect::new(move |_| {
            let lab = Lab::of(app.subject.get());
            if app.lab.get_untracked() != lab {
                app.lab.set(lab);
            }
        });
    }

    /// Enters a room, and goes to something in it.
    pub fn enter(&self, room: Room, at: &str) {
        self.sheet.set(false);
        if self.room.get_untracked() != Some(room) {
            self.new_entry.set(true);
            self.room.set(Some(room));
        }
        if self.room_at.with_untracked(|known| known != at) {
            self.room_at.set(at.to_owned());
        }
    }

    /// Goes to a lab: to the document that was there last, or to its first example.
    pub fn visit(&self, lab: Lab) {
        self.sheet.set(false);
        if self.room.get_untracked().is_some() {
            self.new_entry.set(true);
            self.room.set(None);
        }
        let present = Lab::of(self.subject.get_untracked());
        if lab == present {
            return self.lab.set(lab);
        }
        let text = self.text.get_untracked();
        let back = self.left.try_update_value(|left| {
            let at = left.iter().position(|(of, _)| *of == lab);
            let back = at.map(|at| left.swap_remove(at).1);
            left.retain(|(of, _)| *of != present);
            left.push((present, text));
            back
        });
        match (back.flatten(), lab.first_example()) {
            (Some(text), _) => self.replace(text, View::default(), lab.name()),
            (None, Some(example)) => examples::show(*self, example, || ()),
            (None, None) => {}
        }
    }
}
