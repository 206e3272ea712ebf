//! What processing units do, in the forms of all versions: ticks, instructions, needs by category.

use super::model::{Act, Item, Measure, Work};
use super::notes::Place;
use super::refs::Ref;
use super::ticks::{self, Spread};
use super::xml::{Cursor, Element};
use base::Problem;

/// Whether items of a type are work.
pub fn is_work(kind: &str) -> bool {
    matches!(
        kind,
        "Ticks" | "RunnableInstructions" | "ExecutionNeed" | "InstructionsConstant" | "InstructionsDeviation"
    )
}

/// Reads work of any form: several needs are several works, one after another.
pub fn work(cursor: &mut Cursor<'_>, element: &Element) -> Result<Act, Problem> {
    let instructions = |category: &str| Measure::Instructions(category.to_owned());
    if element.kind.starts_with("Instructions") {
        let default = Some(ticks::read(cursor, element)?);
        return Ok(Act::Work(Work { measure: instructions(""), default, extended: Vec::new() }));
    }
    if element.kind == "ExecutionNeed" {
        return needs(cursor, element.place);
    }
    let measure = if element.kind == "Ticks" { Measure::Ticks } else { instructions("") };
    let mut work = Work { measure, default: None, extended: Vec::new() };
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "default" => work.default = Some(ticks::read(cursor, &child)?),
            "extended" => work.extended.extend(extended(cursor, &child)?),
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(Act::Work(work))
}

/// A definition or a unit, and what work takes there.
fn extended(cursor: &mut Cursor<'_>, element: &Element) -> Result<Option<(Ref, Spread)>, Problem> {
    let mut key = Ref::of(element, "key");
    let mut value = None;
    while let Some(inner) = cursor.child()? {
        match inner.name.as_str() {
            "key" => {
                key = Ref::of(&inner, "href").or(key);
                cursor.leave()?;
            }
            "value" => value = Some(ticks::read(cursor, &inner)?),
            _ => cursor.pass_over(&inner)?,
        }
    }
    Ok(key.zip(value))
}

/// Needs by category: of any unit, or of a definition.
fn needs(cursor: &mut Cursor<'_>, place: Place) -> Result<Act, Problem> {
    let mut all: Vec<Work> = Vec::new();
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "default" | "needs" => {
                let measure = Measure::Instructions(child.get("key").unwrap_or_default().to_owned());
                let default = value_of(cursor)?;
                match all.iter_mut().find(|work| work.measure == measure) {
                    Some(work) if work.default.is_none() => work.default = default,
                    _ => all.push(Work { measure, default, extended: Vec::new() }),
                }
            }
            "extended" => {
                let key = Ref::of(&child, "key");
                while let Some(inner) = cursor.child()? {
                    need_of(cursor, &inner, key.as_ref(), &mut all)?;
                }
            }
            _ => cursor.pass_over(&child)?,
        }
    }
    let item = |work| Item { place, is_counted: false, act: Act::Work(work) };
    Ok(Act::Group { items: all.into_iter().map(item).collect(), is_ordered: true })
}

/// A need of a definition: its category stands beside it, or around it.
fn need_of(
    cursor: &mut Cursor<'_>,
    element: &Element,
    of: Option<&Ref>,
    all: &mut Vec<Work>,
) -> Result<(), Problem> {
    match element.name.as_str() {
        "value" if !element.kind.is_empty() => {
            let value = ticks::read(cursor, element)?;
            if all.is_empty() {
                all.push(Work {
                    measure: Measure::Instructions(String::new()),
                    default: None,
                    extended: Vec::new(),
                });
            }
            if let (Some(of), Some(work)) = (of, all.first_mut()) {
                work.extended.push((of.clone(), value));
            }
            Ok(())
        }
        "value" if element.get("key").is_none() => {
            // A map in a map: its entries are the needs.
            while let Some(inner) = cursor.child()? {
                need_of(cursor, &inner, of, all)?;
            }
            Ok(())
        }
        "needs" | "value" | "entries" => {
            let category = element.get("key").unwrap_or_default().to_owned();
            let value = value_of(cursor)?;
            let (Some(of), Some(value)) = (of, value) else {
                cursor.doubt(element.place, "a need of a unit that cannot be told is left out");
                return Ok(());
            };
            let measure = Measure::Instructions(category);
            match all.iter_mut().find(|work| work.measure == measure) {
                Some(work) => work.extended.push((of.clone(), value)),
                None => all.push(Work { measure, default: None, extended: vec![(of.clone(), value)] }),
            }
            Ok(())
        }
        _ => {
            cursor.doubt(element.place, format!("<{}> within a need is not read", element.name));
            cursor.leave()
        }
    }
}

fn value_of(cursor: &mut Cursor<'_>) -> Result<Option<Spread>, Problem> {
    let mut value = None;
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "value" => value = Some(ticks::read(cursor, &child)?),
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(value)
}
