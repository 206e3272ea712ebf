//! Another drawing than the document's, chosen on the page: always one that makes sense.

use super::Plan;
use crate::scenario::{Drawing, Kind};

/// The kinds, and what the page calls them.
pub const KINDS: [(Kind, &str, &str); 4] = [
    (Kind::Line, "line", "Curves"),
    (Kind::Box, "box", "Boxes"),
    (Kind::Scatter, "scatter", "Dots"),
    (Kind::Heat, "heat", "Heat map"),
];

/// The kind of a name.
pub fn kind(name: &str) -> Option<Kind> {
    KINDS.into_iter().find(|(_, known, _)| *known == name).map(|(kind, ..)| kind)
}

/// The name of a kind.
pub fn name(kind: Kind) -> &'static str {
    KINDS.into_iter().find(|(known, ..)| *known == kind).map_or("line", |(_, name, _)| name)
}

/// What part of a drawing is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The kind.
    Kind,
    /// What is to the right.
    X,
    /// What is upwards.
    Y,
    /// What is told apart by colour, or the measure of a heat map.
    By,
}

/// The drawing with another part. What does not fit to it any more gives way to the first thing that does.
pub fn with(plan: &Plan, drawing: &Drawing, part: Part, chosen: &str) -> Drawing {
    let mut next = Drawing { title: None, ..drawing.clone() };
    match part {
        Part::Kind => next.kind = kind(chosen).unwrap_or(next.kind),
        Part::X => next.x = chosen.to_owned(),
        Part::Y => next.y = vec![chosen.to_owned()],
        Part::By if next.kind == Kind::Heat => next.z = Some(chosen.to_owned()),
        Part::By => next.by = Some(chosen.to_owned()).filter(|name| !name.is_empty()),
    }
    let measure = |name: &str| plan.measure(name).is_some();
    let axis = |name: &str| plan.axis(name).is_some();
    let measures: Vec<&str> = plan.names().collect();
    let axes: Vec<&str> = plan.axes.iter().map(|axis| axis.name.as_str()).collect();
    let first = |all: &[&str], other: &str| {
        all.iter()
            .find(|name| **name != other)
            .or(all.first())
            .map(|name| (*name).to_owned())
            .unwrap_or_default()
    };
    let drawn = next.y.iter().find(|name| measure(name)).cloned().or(next.z.clone());
    let drawn = drawn.filter(|name| measure(name)).unwrap_or_else(|| first(&measures, ""));
    match next.kind {
        Kind::Line | Kind::Box => {
            if !axis(&next.x) {
                next.x = first(&axes, "");
            }
            next.y.retain(|name| measure(name));
            if next.y.is_empty() || next.kind == Kind::Box {
                next.y = vec![drawn];
            }
            next.z = None;
            next.by = next.by.filter(|name| axis(name) && *name != next.x);
        }
        Kind::Scatter => {
            if !measure(&next.x) {
                next.x = first(&measures, &drawn);
            }
            (next.y, next.z) = (vec![drawn], None);
            next.by = next.by.filter(|name| axis(name));
        }
        Kind::Heat => {
            if !axis(&next.x) {
                next.x = first(&axes, "");
            }
            next.z = Some(next.z.filter(|name| measure(name)).unwrap_or(drawn));
            let y = next.y.first().filter(|name| axis(name) && **name != next.x).cloned();
            let other = axes.iter().find(|name| **name != next.x).map(|name| (*name).to_owned());
            // With one axis alone the map has one row.
            next.y = vec![y.or(other).unwrap_or_default()];
            next.by = None;
        }
    }
    next
}

/// What may be chosen for a part.
pub fn choices(plan: &Plan, drawing: &Drawing, part: Part) -> Vec<(String, String)> {
    let both = |name: &str| (name.to_owned(), name.to_owned());
    let axes = || plan.axes.iter().map(|axis| both(&axis.name));
    let measures = || plan.names().map(both);
    let several = (drawing.y.len() > 1).then(|| (drawing.y.join("\n"), drawing.y.join(", ")));
    match (part, drawing.kind) {
        (Part::Kind, _) => {
            KINDS.iter().map(|(_, name, label)| ((*name).to_owned(), (*label).to_owned())).collect()
        }
        (Part::X, Kind::Scatter) => measures().collect(),
        (Part::X, _) => axes().collect(),
        (Part::Y, Kind::Heat) => axes().filter(|(name, _)| *name != drawing.x).collect(),
        (Part::Y, _) => several.into_iter().chain(measures()).collect(),
        (Part::By, Kind::Heat) => measures().collect(),
        (Part::By, kind) => {
            let free = axes().filter(|(name, _)| kind == Kind::Scatter || *name != drawing.x);
            std::iter::once((String::new(), "nothing".to_owned())).chain(free).collect()
        }
    }
}

/// What is chosen for a part now.
pub fn chosen(drawing: &Drawing, part: Part) -> String {
    match part {
        Part::Kind => name(drawing.kind).to_owned(),
        Part::X => drawing.x.clone(),
        Part::Y => drawing.y.join("\n"),
        Part::By if drawing.kind == Kind::Heat => drawing.z.clone().unwrap_or_default(),
        Part::By => drawing.by.clone().unwrap_or_default(),
    }
}
