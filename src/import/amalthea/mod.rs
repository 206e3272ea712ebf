//! AMALTHEA models of Eclipse APP4MC (`.amxmi`), versions 0.7 to 3.x and their ITEA predecessors.
//!
//! Text becomes a [`Model`] of plain data in one pass: [`xml`] hands out one element at a time, and only what later
//! steps use is kept. Elements are told apart by their names and `xsi:type`, never by their namespace, as the same
//! names mean the same in all versions. What is not read is counted by its path and listed, never dropped in
//! silence; what is wrong is told with line and column. [`flatten`] makes steps of what a task does, [`pattern`]
//! finds what runs on a GPU and what is copied for it, and [`questions`] lists what a model does not say. Times are
//! whole picoseconds, sizes bits: nothing is rounded in silence. Nothing here reads a file or a clock.

mod activation;
pub mod flatten;
mod graph;
mod hardware;
mod host;
mod mapping;
pub mod measures;
pub mod model;
pub mod notes;
mod offload;
pub mod pattern;
mod placing;
pub mod plan;
pub mod platform;
pub mod quantities;
pub mod questions;
pub mod refs;
mod software;
mod stimuli;
pub mod ticks;
mod words;
pub mod xml;

pub use model::Model;
pub use notes::{Note, PassedOver, Place};
pub use plan::{Plan, plan};
pub use questions::Asked;

use xml::{Cursor, Element};

use crate::base::Problem;
use crate::base::problem::quoted;

/// Reads a model, or says everything that is wrong with it, by line and column.
pub fn read(text: &str) -> Result<Model, Vec<Problem>> {
    if text.len() > super::LONGEST {
        return Err(vec![super::too_long()]);
    }
    let mut cursor = Cursor::new(text.strip_prefix('\u{feff}').unwrap_or(text));
    let mut model = Model::default();
    if let Err(problem) = roots(&mut cursor, &mut model) {
        // What was found before the text broke off is worth knowing too.
        cursor.notes.problem(problem);
    }
    model.passed_over = cursor.passed_over();
    (model.notes, model.more_notes) = cursor.notes.take();
    let problems = cursor.notes.into_problems();
    if problems.is_empty() { Ok(model) } else { Err(problems) }
}

fn roots(cursor: &mut Cursor<'_>, model: &mut Model) -> Result<(), Problem> {
    let mut found = false;
    while let Some(root) = cursor.child()? {
        if found {
            let what = format!("a second root, <{}>", root.name);
            return Err(cursor.problem_at(root.place, what, "one root"));
        }
        found = true;
        version(model, &root);
        self::root(cursor, model, &root)?;
    }
    if found { Ok(()) } else { Err(Problem::at("line 1, column 1", "no element", "<am:Amalthea>")) }
}

/// The root: a whole model, several of them in one, or one part of a model that is split into files.
fn root(cursor: &mut Cursor<'_>, model: &mut Model, root: &Element) -> Result<(), Problem> {
    match root.name.as_str() {
        "Amalthea" | "AMALTHEA" => {
            while let Some(child) = cursor.child()? {
                part(cursor, model, &child)?;
            }
            Ok(())
        }
        "XMI" => {
            while let Some(child) = cursor.child()? {
                version(model, &child);
                self::root(cursor, model, &child)?;
            }
            Ok(())
        }
        name if name.ends_with("Model") || name == "CommonElements" => part(cursor, model, root),
        name => {
            let what = format!("the root is <{}>", quoted(name).trim_matches('"'));
            Err(cursor.problem_at(root.place, what, "<am:Amalthea>, <central:AMALTHEA> or one of its parts"))
        }
    }
}

/// One part of a model.
fn part(cursor: &mut Cursor<'_>, model: &mut Model, element: &Element) -> Result<(), Problem> {
    match element.name.to_ascii_lowercase().as_str() {
        "swmodel" => software::read(cursor, model),
        "hwmodel" => hardware::read(cursor, model),
        "osmodel" => mapping::read_os(cursor, model),
        "stimulimodel" => stimuli::read(cursor, model),
        "mappingmodel" => mapping::read_mapping(cursor, model),
        "constraintsmodel" => mapping::read_constraints(cursor, model),
        // Their children are listed one by one, which tells more than the part alone.
        "commonelements"
        | "eventmodel"
        | "componentsmodel"
        | "measurementmodel"
        | "configmodel"
        | "propertyconstraintsmodel" => cursor.finish(),
        _ => cursor.pass_over(element),
    }
}

/// The version that a namespace says.
fn version(model: &mut Model, element: &Element) {
    let of = |address: &str| {
        let rest =
            address.split_once("/amalthea/").or_else(|| address.split_once("amalthea.itea2.org/model/"))?.1;
        let version = rest.split('/').next().unwrap_or_default();
        (version.starts_with(|c: char| c.is_ascii_digit()) && version.len() <= 20).then(|| version.to_owned())
    };
    if let Some(version) = element.namespaces().find_map(of) {
        model.version = version;
    }
}
