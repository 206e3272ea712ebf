//! The operating system: schedulers, semaphores, and what takes time in no task.

use super::meta::{self, Fate, Within};
use super::model::{Model, Overhead, Scheduler, Semaphore};
use super::refs::Ref;
use super::xml::{Cursor, Element};
use base::Problem;

/// Modes of the protection of data that protect nothing by themselves.
const NO_PROTECTION: [&str; 4] =
    ["noProtection", "handeledByModelElements", "handledByModelElements", "_undefined_"];

/// Reads the children of `osModel`, at any depth.
pub fn read(cursor: &mut Cursor<'_>, model: &mut Model) -> Result<(), Problem> {
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "operatingSystems" | "osInstances" => read(cursor, model)?,
            // ITEA models have "scheduler".
            "taskSchedulers" | "interruptControllers" | "schedulers" | "scheduler" => {
                scheduler(cursor, model, &child)?
            }
            "semaphores" => semaphore(cursor, model, &child)?,
            "osDataConsistency" => {
                let mode = child.get("mode").unwrap_or_default().to_owned();
                if !mode.is_empty() && !NO_PROTECTION.contains(&mode.as_str()) {
                    let what = format!("protection of data by the operating system, {mode:.100}");
                    overhead(model, &child, what, "it may hold tasks up, and copies data in no task's time");
                }
                cursor.leave()?;
            }
            name => other(cursor, model, &child, &format!("<{name}> of the operating system"))?,
        }
    }
    Ok(())
}

/// What is not read: an overhead, unless the meta model has nothing in it.
fn other(cursor: &mut Cursor<'_>, model: &mut Model, element: &Element, what: &str) -> Result<(), Problem> {
    let is_nothing = meta::fate(Within::System, &element.name) == Some(Fate::Nothing);
    if !is_nothing
        && !matches!(element.name.as_str(), "customProperties" | "tags" | "vendor" | "osName" | "version")
    {
        overhead(model, element, what.to_owned(), "it is no part of any task, and its time is not counted");
    }
    cursor.pass_over(element)
}

fn overhead(model: &mut Model, element: &Element, what: String, why: &str) {
    let is_time = element.name != "osDataConsistency";
    model.overheads.push(Overhead { place: element.place, what, why: why.to_owned(), is_time });
}

fn scheduler(cursor: &mut Cursor<'_>, model: &mut Model, element: &Element) -> Result<(), Problem> {
    let name = element.get("name").unwrap_or_default().to_owned();
    // Later versions name a definition instead of containing the algorithm.
    let definition = Ref::of(element, "definition").map(|definition| definition.name());
    let mut scheduler =
        Scheduler { name: name.clone(), algorithm: definition.unwrap_or_default(), ..Scheduler::default() };
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "schedulingAlgorithm" => {
                scheduler.algorithm.clone_from(&child.kind);
                cursor.leave()?;
            }
            "definition" => {
                scheduler.algorithm =
                    Ref::of(&child, "href").map(|definition| definition.name()).unwrap_or_default();
                cursor.leave()?;
            }
            "parentAssociation" => {
                scheduler.has_parent = true;
                cursor.leave()?;
            }
            // Before 0.9 a scheduler runs on hardware of its own, with a delay, or as instructions.
            "schedulingUnit" if !takes_time(cursor, &child)? => {}
            "schedulingParameters" | "parameterExtensions" => cursor.pass_over(&child)?,
            "schedulingUnit" => overhead(
                model,
                &child,
                format!("what the scheduler {name} takes itself"),
                "it is no part of any task, and its time is not counted",
            ),
            kind => other(cursor, model, &child, &format!("<{kind}> of the scheduler {name}"))?,
        }
    }
    if !model.schedulers.add(element.id.as_deref(), &name, scheduler) {
        cursor.doubt(element.place, format!("another scheduler is called {name}; the first one is meant"));
    }
    Ok(())
}

/// Whether a scheduling unit takes time: a delay, or instructions. Its children are gone through.
fn takes_time(cursor: &mut Cursor<'_>, _: &Element) -> Result<bool, Problem> {
    let mut takes = false;
    while let Some(child) = cursor.child()? {
        let is_none = child.get("value").is_none_or(|value| value.trim_matches(['0', '.']).is_empty());
        takes |= match child.name.as_str() {
            "delay" => !is_none,
            _ => true,
        };
        cursor.leave()?;
    }
    Ok(takes)
}

fn semaphore(cursor: &mut Cursor<'_>, model: &mut Model, element: &Element) -> Result<(), Problem> {
    let name = element.get("name").unwrap_or_default().to_owned();
    let number = |key: &str| element.get(key).and_then(|text| text.trim().parse::<i64>().ok());
    let is_taken = number("initialValue").unwrap_or(0) >= number("maxValue").unwrap_or(1).max(1);
    let semaphore = Semaphore { name: name.clone(), place: element.place, is_taken };
    cursor.finish()?;
    if !model.semaphores.add(element.id.as_deref(), &name, semaphore) {
        cursor.doubt(element.place, format!("another semaphore is called {name}; the first one is meant"));
    }
    Ok(())
}
