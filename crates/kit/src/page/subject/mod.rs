//! What a document may be about, one row each: all that the page knows of a lab by name.
//!
//! Programs that do not link a lab take its documents as they are written.

mod rows;

use serde_json::Value;

use super::Part;
use crate::import::reader::Reader;
use crate::lab::{Lab, Question};

pub use rows::Subject;
pub(crate) use rows::examples;

/// What the page says of a subject, and how it treats its documents.
#[derive(Debug)]
pub struct Row {
    /// Its key in the document.
    pub key: &'static str,
    /// What stands under that key.
    pub holds: &'static str,
    /// What the navigation and the gallery call it.
    pub name: &'static str,
    /// The lab whose place it shares; none where it has one of its own.
    pub within: Option<Subject>,
    /// What is asked there.
    pub asks: &'static str,
    /// What tests find its panel by.
    pub panel: &'static str,
    /// What tests find its form by.
    pub form: &'static str,
    /// What a screen reader calls its panel.
    pub region: &'static str,
    /// What is said to be missing where its panel cannot be loaded.
    pub shows: &'static str,
    /// Whether its panel is told the document, as it edits or reads it.
    pub is_told: bool,
    /// Edits are judged as they are made, unless that took more work than this, in units of [`base::Control`]: about
    /// two seconds of a processor of 2025. Work and no clock, so that the page does the same everywhere.
    pub long: u64,
}

impl Subject {
    /// What a document asks about, if it says so and asks one thing.
    pub fn of(tree: &Value) -> Option<Self> {
        let is_of = |subject: &&Self| tree.get(subject.key()).is_some_and(|asked| subject.claims(asked));
        let mut found = Self::ALL.iter().filter(is_of);
        found.next().filter(|_| found.next().is_none()).copied()
    }

    /// Those with a place of their own: the labs of the page, in the order of its navigation.
    pub fn labs() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|subject| subject.row().within.is_none())
    }

    /// The lab in whose place it is shown.
    pub fn lab(self) -> Self {
        self.row().within.unwrap_or(self)
    }

    /// Its key in the document.
    pub fn key(self) -> &'static str {
        self.row().key
    }

    /// What the page calls it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The part of the page that shows it: workers read its documents and tell it of them line by line. None where
    /// the page does so itself.
    pub fn panel(self) -> Option<Part> {
        (self != Self::Warps).then_some(Part::Panel(self))
    }

    /// The part that is its form.
    pub fn form(self) -> Part {
        Part::Form(self)
    }
}

/// A question left as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AsWritten;

/// A subject as the lab of a program that knows it by name only: whoever answers its questions says what is wrong with
/// them.
impl Lab for Subject {
    fn key(&self) -> &'static str {
        self.row().key
    }

    /// Warps and machine code have one key.
    fn claims(&self, value: &Value) -> bool {
        let is_code = value.get("code").is_some() || value.get("sass").is_some();
        match self {
            Self::Warps => !is_code,
            Self::Code => is_code,
            _ => true,
        }
    }

    fn holds(&self) -> &'static str {
        self.row().holds
    }

    /// Takes an object or a list. Only texts that are longer than any may be are told here: the page shows a document
    /// before it has an answer.
    fn read(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Box<dyn Question>> {
        if !value.is_array() {
            reader.object(path, value)?;
        }
        reader.bounded(path, value).then(|| Box::new(AsWritten) as Box<dyn Question>)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_are_told_apart() {
        for (at, subject) in Subject::ALL.iter().enumerate() {
            let (row, classes) = (subject.row(), (subject.panel().map(Part::class), subject.form().class()));
            assert_eq!(classes, ((*subject != Subject::Warps).then_some("part"), "form"), "{subject:?}");
            for other in &Subject::ALL[..at] {
                let other = other.row();
                let shared = (row.key, other.key) == ("warps", "warps");
                assert!(shared || row.key != other.key, "{subject:?}");
                let same = [(row.name, other.name), (row.panel, other.panel), (row.form, other.form)];
                assert!(same.iter().all(|(own, other)| own != other), "{subject:?}");
            }
            assert_eq!(subject.lab().lab(), subject.lab(), "a place is in no other");
        }
        assert_eq!(Subject::labs().count(), Subject::ALL.len() - 1);
    }

    #[test]
    fn a_document_is_about_one_thing() {
        assert_eq!(Subject::of(&json!({"warpspan": 1, "blocks": {}})), Some(Subject::Blocks));
        assert_eq!(Subject::of(&json!({"warps": {"kernel": "LC"}})), Some(Subject::Warps));
        for code in [json!({"sass": ""}), json!({"code": []})] {
            assert_eq!(Subject::of(&json!({ "warps": code })), Some(Subject::Code));
        }
        assert_eq!(Subject::of(&json!({"warps": {}, "blocks": {}})), None);
        assert_eq!(Subject::of(&json!({"title": "x"})), None);
    }
}
