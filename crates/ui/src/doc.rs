//! The document as a form sees it: a tree that is read and written, and what is wrong with it. This is all that forms
//! know of the page.

use crate::live::memo;
use leptos::prelude::*;
use serde_json::Value;

use base::Problem;
use kit::page::parts::Adopted;
use kit::page::{Ahead, Edited};

/// The document.
#[derive(Clone, Copy)]
pub struct Doc {
    /// The text as a JSON tree.
    pub tree: Memo<Result<Value, Problem>>,
    /// Its tree, where that is known before the text is heard of.
    pub ahead: StoredValue<Ahead>,
    /// What is wrong with it.
    pub problems: Signal<Vec<Problem>>,
    /// How many of what the document asks about take how long at worst, where that is known.
    pub worst: Signal<Vec<(u32, u32)>>,
    /// Takes another text, and where it was edited.
    pub write: Callback<(String, Edited)>,
    /// Has the page write something of what is on the screen into the document.
    pub adopt: Callback<Adopted>,
}

/// The tree of a text, as it was left ahead, else as it is parsed.
pub fn tree_of(text: RwSignal<String>, ahead: StoredValue<Ahead>) -> Memo<Result<Value, Problem>> {
    memo(move |_| {
        text.with(|text| {
            ahead.try_update_value(|ahead| ahead.parse(text)).unwrap_or_else(|| Ahead::default().parse(text))
        })
    })
}

impl Doc {
    /// Changes the document through its tree; nothing happens while the text is no JSON.
    pub fn edit_tree(&self, field: &str, change: impl FnOnce(&Value) -> Value) {
        if let Ok(tree) = self.tree.get_untracked() {
            let (text, parsed) = Ahead::written(change(&tree));
            self.ahead.update_value(|ahead| ahead.leave(&text, parsed));
            self.write.run((text, field.into()));
        }
    }
}
