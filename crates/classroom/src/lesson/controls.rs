//! What a step offers to change in the document: sliders for numbers, and choices that set values. A value that the
//! document has stays as it is until somebody moves a control, also where a slider does not reach it.

use serde_json::Value;

use super::values::Path;

/// A control, beside the text of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Control {
    /// What it is called.
    pub label: String,
    /// What it changes.
    pub kind: Kind,
}

/// What a control changes.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A whole number.
    Slider(Slider),
    /// Values that belong together.
    Choices(Vec<Choice>),
}

/// A whole number of the document.
#[derive(Debug, Clone, PartialEq)]
pub struct Slider {
    /// Where it is.
    pub place: Path,
    /// The smallest that can be set.
    pub least: u64,
    /// The largest.
    pub most: u64,
    /// From one to the next.
    pub by: u64,
    /// What it counts; empty where its name says so.
    pub unit: String,
}

/// Values of the document that are set together.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What it is called.
    pub label: String,
    /// The values, by their places; `null` takes a key away.
    pub set: Vec<(Path, Value)>,
}

impl Control {
    /// Whether a document has what this control changes, or a place for it.
    pub fn fits(&self, document: &Value) -> bool {
        match &self.kind {
            Kind::Slider(slider) => slider.place.leads_into(document),
            Kind::Choices(choices) => {
                choices.iter().flat_map(|choice| &choice.set).all(|(place, _)| place.leads_into(document))
            }
        }
    }
}

impl Slider {
    /// The number in a document; none where there is none.
    pub fn value(&self, document: &Value) -> Option<u64> {
        self.place.find(document, None)?.as_u64()
    }

    /// The document with another number.
    pub fn moved(&self, document: &Value, to: u64) -> Value {
        let mut tree = document.clone();
        self.place.put(&mut tree, to.clamp(self.least, self.most).into());
        tree
    }

    /// A number with what it counts.
    pub fn said(&self, value: Option<u64>) -> String {
        match value {
            Some(value) if self.unit.is_empty() => value.to_string(),
            Some(value) => format!("{value} {}", self.unit),
            None => "not set".to_owned(),
        }
    }
}

impl Choice {
    /// Whether a document has all of its values.
    pub fn holds(&self, document: &Value) -> bool {
        self.set.iter().all(|(place, value)| match place.find(document, None) {
            Some(found) => found == *value,
            None => value.is_null(),
        })
    }

    /// The document with its values.
    pub fn chosen(&self, document: &Value) -> Value {
        let mut tree = document.clone();
        for (place, value) in &self.set {
            place.put(&mut tree, value.clone());
        }
        tree
    }
}
