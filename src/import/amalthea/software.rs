//! Tasks, runnables and labels, and what tasks and runnables do, in the forms of all versions.
//!
//! A call graph of call sequences (`graphEntries`, `calls`), the items of a runnable (`runnableItems`) and an
//! activity graph (`items`) hold the same things under other names; which one it is says `xsi:type`.

use super::mapping::{counted, whole};
use super::measures::size;
use super::model::{Act, Item, Label, Measure, Model, Runnable, Task, Way, Work};
use super::refs::Ref;
use super::ticks::{self, Spread};
use super::xml::{Cursor, Element};
use crate::base::Problem;

/// Keys of custom properties that say how often a loop turns.
const TURNS: [&str; 4] = ["loopBound", "iterations", "turns", "maxIterations"];

/// Types of items that take no time of their own and wait for nothing that is read.
const OTHER: [&str; 13] = [
    "SchedulePoint",
    "TerminateProcess",
    "EnforcedMigration",
    "SemaphoreAccess",
    "CustomEventTrigger",
    "ClearEvent",
    "SetEvent",
    "WaitEvent",
    "GetResultServerCall",
    "LocalModeLabelAssignment",
    "LabelAggregation",
    "OsEventAccess",
    "RunnableParameterAccess",
];

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
                let (items, custom, _) = body(cursor, &child)?;
                let name = child.get("name").unwrap_or_default().to_owned();
                let runnable = Runnable { name: name.clone(), place: child.place, items, custom };
                (name.clone(), model.runnables.add(child.id.as_deref(), &name, runnable))
            }
            "labels" | "modeLabels" | "channels" => {
                let label = label(cursor, &child)?;
                let name = label.name.clone();
                (name.clone(), model.labels.add(child.id.as_deref(), &name, label))
            }
            _ => {
                cursor.pass_over(&child)?;
                continue;
            }
        };
        if name.is_empty() {
            cursor.note(child.place, format!("one of the {} has no name", child.name));
        } else if !free {
            let what = format!("{name} is there twice among the {}; the first one is meant", child.name);
            cursor.note(child.place, what);
        }
    }
    Ok(())
}

fn task(cursor: &mut Cursor<'_>, element: &Element) -> Result<Task, Problem> {
    let mut stimuli = Ref::all_of(element, "stimuli");
    let mut priority =
        element.get("priority").map(str::to_owned).and_then(|text| whole(cursor, element, &text));
    let (items, custom, links) = body(cursor, element)?;
    stimuli.extend(links);
    if let Some((_, text)) = custom.iter().find(|(key, _)| key == "priority")
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
        items,
        custom,
    })
}

/// What a task or a runnable does, its custom properties, and stimuli that are given as elements.
type Body = (Vec<Item>, Vec<(String, String)>, Vec<Ref>);

fn body(cursor: &mut Cursor<'_>, element: &Element) -> Result<Body, Problem> {
    let (mut items, mut custom, mut stimuli) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(size) = element.get("size") {
        let text = format!("the size {} of {} is not used", super::quoted(size), element.name);
        cursor.note(element.place, text);
    }
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "callGraph" | "activityGraph" => inner(cursor, &mut items)?,
            "runnableItems" | "graphEntries" | "items" => items.extend(item(cursor, &child)?),
            "customProperties" => custom.extend(custom_property(cursor, &child)?),
            "stimuli" => {
                stimuli.extend(Ref::of(&child, "href"));
                cursor.leave()?;
            }
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok((items, custom, stimuli))
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

/// Items in the element that is open.
fn inner(cursor: &mut Cursor<'_>, items: &mut Vec<Item>) -> Result<(), Problem> {
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "items" | "calls" | "graphEntries" | "runnableItems" => items.extend(item(cursor, &child)?),
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(())
}

/// Reads one item, whatever its type; nothing for a type that is not known.
fn item(cursor: &mut Cursor<'_>, element: &Element) -> Result<Option<Item>, Problem> {
    let act = match element.kind.as_str() {
        "CallSequence" | "Group" | "DeviationRunnableItemGroup" => {
            let mut items = Vec::new();
            inner(cursor, &mut items)?;
            Act::Group(items)
        }
        "TaskRunnableCall" | "RunnableCall" => {
            Act::Call { runnable: link(cursor, element, &["runnable"])?, is_asynchronous: false }
        }
        "SynchronousServerCall" | "ServerCall" => {
            Act::Call { runnable: link(cursor, element, &["serverRunnable"])?, is_asynchronous: false }
        }
        "AsynchronousServerCall" => {
            Act::Call { runnable: link(cursor, element, &["serverRunnable"])?, is_asynchronous: true }
        }
        "InterProcessTrigger" | "InterProcessActivation" => {
            Act::Trigger(link(cursor, element, &["stimulus", "stimuli"])?)
        }
        "LabelAccess"
        | "ModeLabelAccess"
        | "ChannelSend"
        | "ChannelReceive"
        | "SenderReceiverRead"
        | "SenderReceiverWrite"
        | "ChannelWrite"
        | "ChannelRead" => access(cursor, element)?,
        "ModeSwitch"
        | "Switch"
        | "RunnableModeSwitch"
        | "ProbabilitySwitch"
        | "RunnableProbabilitySwitch" => Act::Switch(branches(cursor)?),
        "WhileLoop" => repeated(cursor)?,
        kind if is_work(kind) => Act::Work(work(cursor, element)?),
        kind if OTHER.contains(&kind) => {
            cursor.leave()?;
            Act::Other(kind.to_owned())
        }
        _ => {
            cursor.pass_over(element)?;
            return Ok(None);
        }
    };
    Ok(Some(Item { place: element.place, act }))
}

/// A reference in one of several attributes, or in an element of that name; other elements are passed over.
fn link(cursor: &mut Cursor<'_>, element: &Element, names: &[&str]) -> Result<Option<Ref>, Problem> {
    let mut found = names.iter().find_map(|name| Ref::of(element, name));
    while let Some(child) = cursor.child()? {
        match Ref::of(&child, "href").filter(|_| names.contains(&child.name.as_str())) {
            Some(link) => {
                found = Some(link);
                cursor.leave()?;
            }
            None => cursor.pass_over(&child)?,
        }
    }
    Ok(found)
}

fn access(cursor: &mut Cursor<'_>, element: &Element) -> Result<Act, Problem> {
    let way = match (element.kind.as_str(), element.get("access")) {
        ("SenderReceiverRead" | "ChannelReceive" | "ChannelRead", _) | (_, Some("read")) => Way::Read,
        ("SenderReceiverWrite" | "ChannelSend" | "ChannelWrite", _) | (_, Some("write")) => Way::Write,
        _ => Way::Unsaid,
    };
    let mut label = ["data", "label", "channel"].iter().find_map(|name| Ref::of(element, name));
    let mut times = counted(cursor, element, "elements").unwrap_or(1);
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "data" | "label" | "channel" => {
                label = Ref::of(&child, "href").or(label);
                cursor.leave()?;
            }
            "statistic" => times = statistic(cursor)?.unwrap_or(times),
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(Act::Access { label, way, times: times.max(1) })
}

/// How often a label is accessed at most.
fn statistic(cursor: &mut Cursor<'_>) -> Result<Option<u64>, Problem> {
    let mut times = None;
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "value" => times = ticks::read(cursor, &child)?.most,
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(times)
}

fn branches(cursor: &mut Cursor<'_>) -> Result<Vec<Vec<Item>>, Problem> {
    let mut branches = Vec::new();
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "entries" | "defaultEntry" => {
                let mut items = Vec::new();
                branch(cursor, &mut items)?;
                branches.push(items);
            }
            _ => cursor.leave_or_pass_over(&child, child.name == "valueProvider")?,
        }
    }
    Ok(branches)
}

/// The items of a branch. Its condition is not needed, as the worst branch is taken.
fn branch(cursor: &mut Cursor<'_>, items: &mut Vec<Item>) -> Result<(), Problem> {
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "items" | "calls" | "runnableItems" | "graphEntries" => items.extend(item(cursor, &child)?),
            name => cursor.leave_or_pass_over(&child, matches!(name, "condition" | "values"))?,
        }
    }
    Ok(())
}

fn repeated(cursor: &mut Cursor<'_>) -> Result<Act, Problem> {
    let (mut items, mut turns) = (Vec::new(), None);
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "items" => items.extend(item(cursor, &child)?),
            "customProperties" => {
                let property = custom_property(cursor, &child)?;
                let said = property.filter(|(key, _)| TURNS.contains(&key.as_str()));
                turns = said.and_then(|(_, value)| value.trim().parse().ok()).or(turns);
            }
            name => cursor.leave_or_pass_over(&child, name == "condition")?,
        }
    }
    Ok(Act::Loop { items, turns })
}

fn is_work(kind: &str) -> bool {
    matches!(
        kind,
        "Ticks" | "RunnableInstructions" | "ExecutionNeed" | "InstructionsConstant" | "InstructionsDeviation"
    )
}

fn work(cursor: &mut Cursor<'_>, element: &Element) -> Result<Work, Problem> {
    let instructions = || Measure::Instructions(String::new());
    if element.kind.starts_with("Instructions") {
        let default = Some(ticks::read(cursor, element)?);
        return Ok(Work { measure: instructions(), default, extended: Vec::new() });
    }
    let measure = if element.kind == "Ticks" { Measure::Ticks } else { instructions() };
    let mut work = Work { measure, default: None, extended: Vec::new() };
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "default" if element.kind != "ExecutionNeed" => work.default = Some(ticks::read(cursor, &child)?),
            // Needs by category: of any unit, or of a definition.
            "default" | "needs" => {
                if let Some(key) = child.get("key") {
                    if work.default.is_some() {
                        cursor.note(child.place, "of several needs the last one is taken");
                    }
                    work.measure = Measure::Instructions(key.to_owned());
                }
                work.default = value_of(cursor)?;
            }
            "extended" => {
                let mut key = Ref::of(&child, "key");
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
                work.extended.extend(key.zip(value));
            }
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(work)
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
