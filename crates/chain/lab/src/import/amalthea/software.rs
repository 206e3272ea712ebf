//! Tasks, runnables and labels, in the forms of all versions.

use super::items::{inner, item, passed};
use super::mapping::{counted, whole};
use super::measures::{size, time_down};
use super::model::{Act, Item, Label, Model, Runnable, Task};
use super::refs::Ref;
use super::xml::{Cursor, Element};
use base::Problem;

/// Reads the children of `swModel`.
pub fn read(cursor: &mut Cursor<'_>, model: &mut Model) -> Result<(), Problem> {
    while let Some(child) = cursor.child()? {
        let (name, free) = match child.name.as_str() {
            "tasks" | "isrs" => {
                let task = task(cursor, &child)?;
                let name = task.name.clone();
                (name.clone(), model.tasks.add(child.id.as_deref(), &name, task))
            }
            "runnables" => {
                let Body { items, custom, .. } = body(cursor, &child)?;
                let name = child.get("name").unwrap_or_default().to_owned();
                let runnable = Runnable { name: name.clone(), place: child.place, items, custom };
                (name.clone(), model.runnables.add(child.id.as_deref(), &name, runnable))
            }
            "labels" | "modeLabels" | "channels" => {
                let label = label(cursor, &child)?;
                let name = label.name.clone();
                (name.clone(), model.labels.add(child.id.as_deref(), &name, label))
            }
            // Whoever names an event in the same way means the same; nothing else is said of it here.
            "events" => {
                cursor.leave()?;
                continue;
            }
            name => {
                // Prototypes are no tasks yet; that nobody runs their runnables is told elsewhere.
                let is_known = name == "processPrototypes";
                if !passed(cursor, &child)?.is_empty() && !is_known {
                    let what = format!("<{name}> has items, which are part of no task");
                    cursor.doubt(child.place, what);
                }
                continue;
            }
        };
        if name.is_empty() {
            cursor.note(child.place, format!("one of the {} has no name", child.name));
        } else if !free {
            let what = format!("{name} is there twice among the {}; the first one is meant", child.name);
            cursor.doubt(child.place, what);
        }
    }
    Ok(())
}

fn task(cursor: &mut Cursor<'_>, element: &Element) -> Result<Task, Problem> {
    let mut stimuli = Ref::all_of(element, "stimuli");
    let mut priority =
        element.get("priority").map(str::to_owned).and_then(|text| whole(cursor, element, &text));
    let group = counted(cursor, element, "osekTaskGroup").unwrap_or_default();
    let jobs = counted(cursor, element, "multipleTaskActivationLimit").unwrap_or_default();
    let body = body(cursor, element)?;
    stimuli.extend(body.stimuli);
    if let Some((_, text)) = body.custom.iter().find(|(key, _)| key == "priority")
        && priority.is_none()
    {
        priority = text.trim().parse().ok();
    }
    Ok(Task {
        name: element.get("name").unwrap_or_default().to_owned(),
        place: element.place,
        is_interrupt: element.name == "isrs",
        stimuli,
        priority,
        preemption: element.get("preemption").unwrap_or_default().to_owned(),
        within: body.within.filter(|&within| within > 0),
        group,
        jobs,
        items: body.items,
        custom: body.custom,
    })
}

/// What a task or a runnable does, and what else is in it.
#[derive(Default)]
struct Body {
    items: Vec<Item>,
    custom: Vec<(String, String)>,
    /// Stimuli that are given as elements.
    stimuli: Vec<Ref>,
    /// The response time that the oldest versions require here, in picoseconds.
    within: Option<u64>,
}

fn body(cursor: &mut Cursor<'_>, element: &Element) -> Result<Body, Problem> {
    let mut body = Body::default();
    if let Some(size) = element.get("size") {
        let text = format!("the size {} of {} is not used", super::quoted(size), element.name);
        cursor.note(element.place, text);
    }
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "callGraph" | "activityGraph" => inner(cursor, &mut body.items)?,
            "runnableItems" | "graphEntries" | "items" => body.items.push(item(cursor, &child)?),
            "customProperties" => body.custom.extend(custom_property(cursor, &child)?),
            "deadline" if element.name != "runnables" => body.within = time_down(cursor, &child)?,
            "stimuli" => {
                body.stimuli.extend(Ref::of(&child, "href"));
                cursor.leave()?;
            }
            "executionCondition" => {
                // It is done under a condition, and so not every time.
                body.items.push(Item { place: child.place, is_counted: true, act: Act::Nothing });
                cursor.leave()?;
            }
            name => {
                let items = passed(cursor, &child)?;
                if !items.is_empty() {
                    let act = Act::Unknown { kind: name.to_owned(), items };
                    body.items.push(Item { place: child.place, is_counted: false, act });
                }
            }
        }
    }
    Ok(body)
}

/// A key and its value as a text.
pub fn custom_property(
    cursor: &mut Cursor<'_>,
    element: &Element,
) -> Result<Option<(String, String)>, Problem> {
    let key = element.get("key").unwrap_or_default().to_owned();
    let mut value = element.get("value").map(str::to_owned);
    while let Some(child) = cursor.child()? {
        if child.name == "value" && value.is_none() {
            value = child.get("value").map(str::to_owned);
        }
        cursor.leave()?;
    }
    Ok(value.filter(|_| !key.is_empty()).map(|value| (key, value)))
}

fn label(cursor: &mut Cursor<'_>, element: &Element) -> Result<Label, Problem> {
    let mut bits = None;
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "size" => bits = size(cursor, &child)?,
            _ => cursor.pass_over(&child)?,
        }
    }
    let name = element.get("name").unwrap_or_default().to_owned();
    Ok(Label { name, place: element.place, bits })
}
