//! Reading the controls of a step: every value that they can set must leave the step's document sound.

use serde_json::Value;

use super::controls::{Choice, Control, Kind, Slider};
use super::read::{changes, sound, title};
use super::values::Path;
use kit::import::reader::{Fields, Reader, shown};

/// More would hide the text.
const MOST_CONTROLS: usize = 4;
const MOST_CHOICES: usize = 6;
/// The largest number.
const LARGEST: u64 = 1_000_000_000_000;

/// Reads controls of a document.
pub(super) fn controls(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    document: Option<&Value>,
) -> Option<Vec<Control>> {
    let items = reader.list(path, value)?;
    if items.is_empty() || items.len() > MOST_CONTROLS {
        reader.problem(path, shown(value), format!("a list of 1 to {MOST_CONTROLS} controls"));
        return None;
    }
    // What is wrong with the document itself is told where it stands.
    let document = document.filter(|document| kit::scenario::from_tree(labs::LABS, document).is_ok());
    let each = items.iter().enumerate();
    Some(each.filter_map(|(i, item)| control(reader, &format!("{path}[{i}]"), item, document)).collect())
}

fn control(reader: &mut Reader, path: &str, value: &Value, document: Option<&Value>) -> Option<Control> {
    let fields = reader.object(path, value)?;
    let kind = match (fields.get("place").is_some(), fields.get("choices").is_some()) {
        (true, false) => {
            reader.only(&fields, &["label", "place", "least", "most", "by", "unit"]);
            slider(reader, &fields, document).map(Kind::Slider)
        }
        (false, true) => {
            reader.only(&fields, &["label", "choices"]);
            reader
                .optional(&fields, "choices", |reader, path, value| choices(reader, path, value, document))
                .map(Kind::Choices)
        }
        (both, _) => {
            let what = if both { "place and choices" } else { "neither of them" };
            reader.problem(path, what, "a \"place\" with \"least\" and \"most\", or \"choices\"");
            None
        }
    };
    let label = reader.required(&fields, "label", "a text", title);
    Some(Control { label: label?, kind: kind? })
}

fn slider(reader: &mut Reader, fields: &Fields<'_>, document: Option<&Value>) -> Option<Slider> {
    let place = reader.optional(fields, "place", |reader, path, value| {
        let found = value.as_str().filter(|text| !text.is_empty()).and_then(Path::parse);
        let found = found.filter(Path::is_plain);
        if found.is_none() {
            reader.problem(path, shown(value), "a place such as \"/warps/count\"");
        }
        found
    });
    let number = |reader: &mut Reader, path: &str, value: &Value| reader.whole(path, value, 0..=LARGEST);
    let least = reader.required(fields, "least", "the smallest number", number);
    let most = reader.required(fields, "most", "the largest number", number);
    let by = reader.optional(fields, "by", |reader, path, value| reader.whole(path, value, 1..=LARGEST));
    let unit = reader.optional(fields, "unit", title).unwrap_or_default();
    let (least, most, by) = (least?, most?, by.unwrap_or(1));
    if most <= least {
        reader.problem(fields.path_of("most"), most.to_string(), format!("more than {least}, the least"));
        return None;
    }
    if !(most - least).is_multiple_of(by) {
        let steps = format!("a number that leads from {least} to {most} in whole steps");
        reader.problem(fields.path_of("by"), by.to_string(), steps);
    }
    let slider = Slider { place: place?, least, most, by, unit };
    if let Some(document) = document {
        for (key, value) in [("least", least), ("most", most)] {
            sound(reader, &fields.path_of(key), &slider.moved(document, value));
        }
    }
    Some(slider)
}

fn choices(reader: &mut Reader, path: &str, value: &Value, document: Option<&Value>) -> Option<Vec<Choice>> {
    let items = reader.list(path, value)?;
    if !(2..=MOST_CHOICES).contains(&items.len()) {
        reader.problem(path, shown(value), format!("2 to {MOST_CHOICES} choices"));
        return None;
    }
    let each = items.iter().enumerate();
    Some(each.filter_map(|(i, item)| choice(reader, &format!("{path}[{i}]"), item, document)).collect())
}

fn choice(reader: &mut Reader, path: &str, value: &Value, document: Option<&Value>) -> Option<Choice> {
    let fields = reader.object(path, value)?;
    reader.only(&fields, &["label", "set"]);
    let label = reader.required(&fields, "label", "a text", title);
    let set = reader.required(&fields, "set", "values by their places", changes)?;
    let plain = |(place, _): &(Path, Value)| place.is_plain();
    if set.is_empty() || !set.iter().all(plain) {
        reader.problem(fields.path_of("set"), "no single value", "values by places such as \"/warps/count\"");
        return None;
    }
    let choice = Choice { label: label?, set };
    if let Some(document) = document {
        sound(reader, &fields.path_of("set"), &choice.chosen(document));
    }
    Some(choice)
}
