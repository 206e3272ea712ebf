//! What a document is about, as far as the page itself reads it: which lab shows it, and which part of the page.

use serde_json::Value;

use super::Part;

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
    /// A recorded run.
    Trace,
}

impl Subject {
    /// What a document asks about, if it says so and asks one thing.
    pub fn of(tree: &Value) -> Option<Self> {
        let asked = |subject: &Subject| tree.get(subject.key()).is_some();
        let mut found = [Self::Warps, Self::Conjecture, Self::Blocks, Self::Tasks, Self::Chain, Self::Trace]
            .into_iter()
            .filter(asked);
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
            Subject::Trace => "trace",
        }
    }

    /// The part of the page that shows it: workers read its documents and tell it of them line by line. None where
    /// the page does so itself.
    pub fn panel(self) -> Option<Part> {
        match self {
            Subject::Warps => None,
            Subject::Conjecture => Some(Part::Conjecture),
            Subject::Blocks => Some(Part::Blocks),
            Subject::Tasks => Some(Part::Tasks),
            Subject::Chain => Some(Part::Chain),
            Subject::Trace => Some(Part::Traces),
        }
    }

    /// The part that is its form.
    pub fn form(self) -> Part {
        match self {
            Subject::Warps => Part::WarpsForm,
            Subject::Conjecture => Part::ConjectureForm,
            Subject::Blocks => Part::BlocksForm,
            Subject::Tasks => Part::TasksForm,
            Subject::Chain => Part::ChainForm,
            Subject::Trace => Part::TracesForm,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_of_documents() {
        for subject in [
            Subject::Warps,
            Subject::Conjecture,
            Subject::Blocks,
            Subject::Tasks,
            Subject::Chain,
            Subject::Trace,
        ] {
            let classes = (subject.panel().map(Part::class), subject.form().class());
            let expected = (subject != Subject::Warps).then_some("part");
            assert_eq!(classes, (expected, "form"), "{subject:?}");
        }
    }

    #[test]
    fn a_document_is_about_one_thing() {
        assert_eq!(Subject::of(&json!({"warpspan": 1, "blocks": {}})), Some(Subject::Blocks));
        assert_eq!(Subject::of(&json!({"warps": {}, "blocks": {}})), None);
        assert_eq!(Subject::of(&json!({"title": "x"})), None);
        assert_eq!((Subject::Warps.panel(), Subject::Warps.form()), (None, Part::WarpsForm));
    }
}
