//! AMALTHEA models of Eclipse APP4MC (`.amxmi`), versions 0.7 to 3.x and their ITEA predecessors.
//!
//! Text becomes a [`Model`] of plain data in one pass: [`xml`] hands out one element at a time, and only what later
//! steps use is kept. Elements are told apart by their names and `xsi:type`, never by their namespace, as the same
//! names mean the same in all versions. What is not read is counted by its path and listed, never dropped in
//! silence; what is wrong is told with line and column. [`flatten`] makes steps of what a task does, [`pattern`]
//! finds what runs on a GPU and what is copied for it, and [`questions`] lists what a model does not say. Times are
//! whole picoseconds, sizes bits: nothing is rounded in silence. Nothing here reads a file or a clock.

pub mod act;
mod activation;
mod cost;
pub mod flatten;
mod graph;
mod hardware;
mod host;
mod items;
mod links;
pub mod mapped;
mod mapping;
pub mod measures;
pub mod meta;
pub mod model;
pub mod notes;
mod offload;
pub mod pattern;
mod placing;
pub mod platform;
pub mod quantities;
pub mod questions;
pub mod refs;
mod software;
mod stimuli;
mod straight;
mod system;
pub mod ticks;
mod timing;
mod waits;
mod whole;
mod words;
mod work;
pub mod xml;

pub use mapped::{Mapped, mapped};
pub use model::Model;
pub use notes::{Note, Notes, PassedOver, Place};
pub use questions::Asked;

use xml::{Cursor, Element};

use base::Problem;
use base::problem::{named, quoted};
use kit::import::several;

/// Reads a model, or says everything that is wrong with it, by line and column. A text of several files is one model.
pub fn read(text: &str) -> Result<Model, Vec<Problem>> {
    if text.len() > kit::import::LONGEST {
        return Err(vec![kit::import::too_long()]);
    }
    let files = several::parts(text).map_err(|problem| vec![problem])?;
    let is_one = files.len() == 1;
    let (mut model, mut notes, mut passed) = (Model::default(), Notes::default(), Vec::new());
    let mut elements = 0;
    for (number, (name, text)) in (1_u16..).zip(&files) {
        if !is_one {
            model.files.push(named(name));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut cursor = Cursor::new(text, if is_one { 0 } else { number });
        cursor.elements = elements;
        let read = cursor.only_characters().and_then(|()| match is_one {
            true => Ok(()),
            false => no_positions(&cursor, text),
        });
        if let Err(problem) = read.and_then(|()| roots(&mut cursor, &mut model)) {
            // What was found before the text broke off is worth knowing too.
            cursor.notes.problem(problem);
        }
        elements = cursor.elements;
        passed.append(&mut cursor.passed_over());
        notes.absorb(cursor.notes);
    }
    model.passed_over = passed;
    (model.notes, model.more_notes) = notes.take();
    (model.doubts, model.more_doubts) = notes.take_doubts();
    let problems = notes.into_problems();
    if problems.is_empty() { Ok(model) } else { Err(problems) }
}

/// References that count elements say which file they mean by its address; names and identifiers do without.
fn no_positions(cursor: &Cursor<'_>, text: &str) -> Result<(), Problem> {
    let Some(at) = ["=\"//@", "#//@", " //@"].iter().filter_map(|form| text.find(form)).min() else {
        return Ok(());
    };
    let what = format!("the reference {}", quoted(text[at..].split('"').next().unwrap_or_default()));
    let expected = "a name or an identifier, as the model has several files";
    Err(cursor.problem_at(cursor.place_of(at), what, expected))
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
    if found { Ok(()) } else { Err(cursor.problem_at(cursor.place_of(0), "no element", "<am:Amalthea>")) }
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
            Err(cursor.problem_at(
                root.place,
                what,
                "<am:Amalthea>, <central:AMALTHEA> or one of its parts, as AMALTHEA models have",
            ))
        }
    }
}

/// One part of a model.
fn part(cursor: &mut Cursor<'_>, model: &mut Model, element: &Element) -> Result<(), Problem> {
    match element.name.to_ascii_lowercase().as_str() {
        "swmodel" => software::read(cursor, model),
        "hwmodel" => hardware::read(cursor, model),
        "osmodel" => system::read(cursor, model),
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
        _ => {
            if !items::passed(cursor, element)?.is_empty() {
                let what = format!("<{}> has items, which are part of no task", element.name);
                cursor.doubt(element.place, what);
            }
            Ok(())
        }
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
