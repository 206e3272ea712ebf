//! The document as a form sees it: a tree that is read and written, and what is wrong with it. This is all that forms
//! know of the page.

use leptos::prelude::*;
use serde_json::Value;

use base::Problem;
use kit::import::json;
use kit::page::parts::Adopted;

/// The document.
#[derive(Clone, Copy)]
pub struct Doc {
    /// The text as a JSON tree.
    pub tree: Memo<Result<Value, Problem>>,
    /// What is wrong with it.
    pub problems: Signal<Vec<Problem>>,
    /// How many of what the document asks about take how long at worst, where that is known.
    pub worst: Signal<Vec<(u32, u32)>>,
    /// Takes another text, and the field that was edited.
    pub write: Callback<(String, String)>,
    /// Has the page write something of what is on the screen into the document.
    pub adopt: Callback<Adopted>,
}

impl Doc {
    /// Changes the document through its tree; nothing happens while the text is no JSON.
    pub fn edit_tree(&self, field: &str, change: impl FnOnce(&Value) -> Value) {
        if let Ok(tree) = self.tree.get_untracked() {
            self.write.run((json::pretty(&change(&tree)), field.to_owned()));
        }
    }
}
