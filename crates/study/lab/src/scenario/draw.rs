//! What a study draws: kinds of charts over its axes and measures.

use base::people;
use base::problem::quoted;
use kit::import::reader::{Fields, Reader, shown};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Axis, Measure};

/// The most drawings of a study.
const MOST_DRAWINGS: usize = 20;

/// One drawing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawing {
    /// The kind.
    pub kind: Kind,
    /// An axis; of a scatter plot a measure.
    pub x: String,
    /// Measures, each with a line of its own; of a heat map the other axis.
    pub y: Vec<String>,
    /// Of a heat map the measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub z: Option<String>,
    /// An axis: one line, cloud or row of boxes for each of its values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What stands above it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// A kind of drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Means with their intervals over an axis.
    Line,
    /// Means over two axes, as colours.
    Heat,
    /// One measure over another, a dot for each cell.
    Scatter,
    /// Boxes over an axis.
    Box,
}

const KINDS: [(&str, Kind); 4] =
    [("line", Kind::Line), ("heat", Kind::Heat), ("scatter", Kind::Scatter), ("box", Kind::Box)];

/// Reads the list of drawings.
pub(super) fn read(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    axes: Option<&[Axis]>,
    measures: Option<&[Measure]>,
) -> Option<Vec<Drawing>> {
    let items = reader.list(path, value)?;
    if items.len() > MOST_DRAWINGS {
        reader.problem(path, people::counted(items.len(), "drawing"), format!("at most {MOST_DRAWINGS}"));
        return None;
    }
    let axes: Option<Vec<&str>> = axes.map(|axes| axes.iter().map(|axis| axis.name.as_str()).collect());
    let measures: Option<Vec<&str>> = measures.map(|all| all.iter().map(|one| one.name.as_str()).collect());
    let names = Names { axes, measures };
    let drawn: Vec<Option<Drawing>> = items
        .iter()
        .enumerate()
        .map(|(i, item)| names.drawing(reader, &format!("{path}[{i}]"), item))
        .collect();
    drawn.into_iter().collect()
}

/// What drawings may speak of; none where that could not be read.
struct Names<'a> {
    axes: Option<Vec<&'a str>>,
    measures: Option<Vec<&'a str>>,
}

impl Names<'_> {
    fn drawing(&self, reader: &mut Reader, path: &str, value: &Value) -> Option<Drawing> {
        let fields = reader.object(path, value)?;
        let expected = "\"line\", \"heat\", \"scatter\" or \"box\"";
        let kind = reader.required(&fields, "kind", expected, |reader, path, value| {
            let found = value.as_str().and_then(|name| KINDS.into_iter().find(|(known, _)| *known == name));
            if found.is_none() {
                reader.problem(path, shown(value), expected);
            }
            found.map(|(_, kind)| kind)
        })?;
        let known: &[&str] = match kind {
            Kind::Heat => &["kind", "x", "y", "z", "title"],
            Kind::Line | Kind::Scatter | Kind::Box => &["kind", "x", "y", "by", "title"],
        };
        reader.only(&fields, known);
        let title = reader.optional(&fields, "title", Reader::text);
        let x = match kind {
            Kind::Scatter => self.measure(reader, &fields, "x"),
            _ => self.axis(reader, &fields, "x"),
        };
        let y = match (kind, fields.get("y")) {
            (Kind::Heat, _) => {
                let axis = self.axis(reader, &fields, "y");
                if axis.is_some() && axis == x {
                    reader.problem(fields.path_of("y"), "the axis of x again", "another axis");
                }
                axis.map(|axis| vec![axis])
            }
            (Kind::Line, Some(Value::Array(items))) if !items.is_empty() => {
                let place = |i: usize| format!("{}[{i}]", fields.path_of("y"));
                let items = items.iter().enumerate();
                items
                    .map(|(i, item)| one_of(reader, &place(i), item, "measure", self.measures.as_deref()))
                    .collect()
            }
            _ => self.measure(reader, &fields, "y").map(|measure| vec![measure]),
        };
        let z = if kind == Kind::Heat { Some(self.measure(reader, &fields, "z")?) } else { None };
        let by = match fields.get("by") {
            Some(_) if kind != Kind::Heat => Some(self.axis(reader, &fields, "by")?),
            _ => None,
        };
        Some(Drawing { kind, x: x?, y: y?, z, by, title })
    }

    fn axis(&self, reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<String> {
        reader.required(fields, key, "the name of an axis", |reader, path, value| {
            one_of(reader, path, value, "axis", self.axes.as_deref())
        })
    }

    fn measure(&self, reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<String> {
        reader.required(fields, key, "the name of a measure", |reader, path, value| {
            one_of(reader, path, value, "measure", self.measures.as_deref())
        })
    }
}

fn one_of(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    what: &str,
    known: Option<&[&str]>,
) -> Option<String> {
    let name = reader.text(path, value)?;
    let known = known?;
    if !known.contains(&name.as_str()) {
        let names: Vec<String> = known.iter().map(|name| quoted(name)).collect();
        let expected = if names.is_empty() {
            format!("an {what}, of which there is none")
        } else {
            format!("one of {}", names.join(", "))
        };
        reader.problem(path, quoted(&name), expected);
        return None;
    }
    Some(name)
}
