//! What a document is about, as far as the page itself reads it: which lab shows it, and which part of the page.

use serde_json::Value;

/// What a document asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Warps on one multiprocessor: the page reads it and draws it itself.
    Warps,
    /// A claim about those.
    Conjecture,
    /// Blocks on the whole GPU.
    Blocks,
    /// Recurring tasks.
    Tasks,
    /// Instructions, kernels and host tasks, joined.
    Chain,
}

/// A part of the page that has wasm of its own: workers read its documents and tell it of them line by line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The module it is in.
    pub module: &'static str,
    /// What the module calls the function that makes its panel.
    pub panel: &'static str,
    /// And its form.
    pub form: &'static str,
    /// What a screen reader calls it.
    pub label: &'static str,
    /// What is said to be missing where it cannot be loaded.
    pub shows: &'static str,
}

impl Subject {
    /// What a document asks about, if it says so and asks one thing.
    pub fn of(tree: &Value) -> Option<Self> {
        let asked = |subject: &Subject| tree.get(subject.key()).is_some();
        let mut found =
            [Self::Warps, Self::Conjecture, Self::Blocks, Self::Tasks, Self::Chain].into_iter().filter(asked);
        found.next().filter(|_| found.next().is_none())
    }

    /// Its key in the document.
    pub fn key(self) -> &'static str {
        match self {
            Subject::Warps => "warps",
            Subject::Conjecture => "conjecture",
            Subject::Blocks => "blocks",
            Subject::Tasks => "tasks",
            Subject::Chain => "chain",
        }
    }

    /// The part of the page that shows it; none where the page does so itself.
    pub fn part(self) -> Option<Part> {
        match self {
            Subject::Warps => None,
            Subject::Conjecture => Some(Part {
                module: "chart",
                panel: "bench",
                form: "form",
                label: "Conjecture",
                shows: " a conjecture and its verdicts.",
            }),
            Subject::Blocks => Some(Part {
                module: "lab",
                panel: "blocks",
                form: "blocks_form",
                label: "Blocks",
                shows: " the blocks of kernels on their multiprocessors.",
            }),
            Subject::Tasks => Some(Part {
                module: "tasks",
                panel: "tasks",
                form: "tasks_form",
                label: "Tasks",
                shows: " the demand of recurring tasks.",
            }),
            Subject::Chain => Some(Part {
                module: "chains",
                panel: "chain",
                form: "chain_form",
                label: "Chain",
                shows: " the way from instructions to deadlines.",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_document_is_about_one_thing() {
        assert_eq!(Subject::of(&json!({"warpspan": 1, "blocks": {}})), Some(Subject::Blocks));
        assert_eq!(Subject::of(&json!({"warps": {}, "blocks": {}})), None);
        assert_eq!(Subject::of(&json!({"title": "x"})), None);
        assert_eq!(Subject::Warps.part(), None);
    }
}
