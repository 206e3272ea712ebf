//! The labs as places one goes to and comes back to, each with its own document.

use leptos::prelude::*;
use ui_kit::live::effect;

use super::examples;
use super::state::App;
use crate::import::json;
use crate::page::{Room, Subject};
use crate::scenario::builtin::{self, Listed};
use crate::scenario::link::View;

/// The lab of a document; that of warps for what is none.
pub(super) fn lab_of(text: &str) -> Subject {
    let subject = json::parse(text).ok().as_ref().and_then(Subject::of);
    subject.unwrap_or(Subject::Warps).lab()
}

/// What a lab shows to those who have not been there: the first example under its name.
fn first_example(lab: Subject) -> Option<&'static Listed> {
    builtin::LISTED.iter().find(|example| example.group == lab.name())
}

impl App {
    /// Shows the lab of the document, however it came about: opened, undone, or typed.
    pub(super) fn follow_document(&self) {
        let app = *self;
        effect(move || {
            let lab = app.subject.get().lab();
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

    /// Remembers the document of the lab on the screen, for those who come back to it.
    pub(super) fn leave_document(&self) {
        let (lab, text) = (self.subject.get_untracked().lab(), self.text.get_untracked());
        self.left.update_value(|left| {
            left.retain(|(of, _)| *of != lab);
            left.push((lab, text));
        });
    }

    /// Goes to a lab: to the document that was there last, or to its first example.
    pub fn visit(&self, lab: Subject) {
        set_timeout(move || super::lab::arrive(lab), std::time::Duration::ZERO);
        self.sheet.set(false);
        if self.room.get_untracked().is_some() {
            self.new_entry.set(true);
            self.room.set(None);
        }
        let present = self.subject.get_untracked().lab();
        if lab == present {
            // The example of another lab may still be on its way.
            drop(examples::asked(*self));
            return self.lab.set(lab);
        }
        self.leave_document();
        let back = self.left.try_update_value(|left| {
            let at = left.iter().position(|(of, _)| *of == lab);
            at.map(|at| left.swap_remove(at).1)
        });
        match (back.flatten(), first_example(lab)) {
            (Some(text), _) => self.replace(text, View::default(), lab.name()),
            (None, Some(example)) => examples::show(*self, example, || ()),
            (None, None) => {}
        }
    }
}
