//! The document as a form sees it: a tree that is read and written, and what is wrong with it. Forms live in more
//! than one wasm, so this is all they know of the page.

use leptos::prelude::*;
use serde_json::Value;

use base::Problem;
use kit::import::json;

/// The document.
#[derive(Clone, Copy)]
pub struct Doc {
    /// The text as a JSON tree.
    pub tree: Memo<Result<Value, Problem>>,
    /// What is wrong with it.
    pub problems: Signal<Vec<Problem>>,
    /// Takes another text, and the field that was edited.
    pub write: Callback<(String, String)>,
}

impl Doc {
    /// Changes the document through its tree; nothing happens while the text is no JSON.
    pub fn edit_tree(&self, field: &str, change: impl FnOnce(&Value) -> Value) {
        if let Ok(tree) = self.tree.get_untracked() {
            self.write.run((json::pretty(&change(&tree)), field.to_owned()));
        }
    }
}
