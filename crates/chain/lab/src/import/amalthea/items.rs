//! What tasks and runnables do, in the forms of all versions.
//!
//! A call graph of call sequences (`graphEntries`, `calls`), the items of a runnable (`runnableItems`) and an
//! activity graph (`items`) hold the same things under other names; which one it is says `xsi:type`. Invariant: no item
//! is skipped. What [`meta`](super::meta) does not know becomes [`Act::Unknown`], with what is in it.

use super::mapping::counted;
use super::meta::{self, Fate, Within};
use super::model::{Act, Branch, By, Item, Turns, Waiting, Way};
use super::refs::Ref;
use super::software::custom_property;
use super::ticks::{self, number};
use super::work::{is_work, work};
use super::xml::{Cursor, Element};
use base::Problem;

/// Keys of custom properties that say how often a loop turns.
const TURNS: [&str; 4] = ["loopBound", "iterations", "turns", "maxIterations"];

/// Whether an element is an item, by its name.
fn is_item(name: &str) -> bool {
    matches!(name, "items" | "calls" | "graphEntries" | "runnableItems")
}

/// Items in the element that is open.
pub fn inner(cursor: &mut Cursor<'_>, items: &mut Vec<Item>) -> Result<(), Problem> {
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            name if is_item(name) => items.push(item(cursor, &child)?),
            // Local labels and custom properties are no items.
            "localLabels" | "customProperties" => cursor.pass_over(&child)?,
            _ => items.push(unknown(cursor, &child)?),
        }
    }
    Ok(())
}

/// What else stands in an item, whatever its type.
#[derive(Default)]
struct Rest {
    /// The references in elements, by the names of these.
    links: Vec<(String, Ref)>,
    /// The events of a mask.
    events: Vec<Ref>,
    /// How often a call is made or a label accessed.
    turns: Option<Turns>,
    is_counted: bool,
    has_instructions: bool,
}

/// Reads one item, whatever its type.
pub fn item(cursor: &mut Cursor<'_>, element: &Element) -> Result<Item, Problem> {
    let mut is_counted = false;
    let act = match element.kind.as_str() {
        "CallSequence" | "Group" | "DeviationRunnableItemGroup" => {
            let mut items = Vec::new();
            inner(cursor, &mut items)?;
            Act::Group { items, is_ordered: element.get("ordered") != Some("false") }
        }
        "ModeSwitch"
        | "Switch"
        | "RunnableModeSwitch"
        | "ProbabilitySwitch"
        // So it was called until 0.8.
        | "ProbabiltitySwitch"
        | "RunnableProbabilitySwitch" => Act::Switch(branches(cursor, element)?),
        "WhileLoop" => repeated(cursor)?,
        kind if is_work(kind) => work(cursor, element)?,
        kind if meta::fate(Within::Item, kind).is_none() => return unknown(cursor, element),
        kind => {
            let rest = rest(cursor, element)?;
            is_counted = rest.is_counted;
            simple(cursor, element, kind, rest)
        }
    };
    Ok(Item { place: element.place, is_counted, act })
}

/// An item without items of its own.
fn simple(cursor: &mut Cursor<'_>, element: &Element, kind: &str, rest: Rest) -> Act {
    let link = |names: &[&str]| {
        let inner = rest.links.iter().find(|(name, _)| names.contains(&name.as_str()));
        inner.map(|(_, link)| link.clone()).or_else(|| names.iter().find_map(|name| Ref::of(element, name)))
    };
    let call = |names: &[&str], by: By| {
        let act = Act::Call { runnable: link(names), by };
        match rest.turns {
            None | Some(Turns::AtMost(1)) => act,
            Some(turns) => {
                let items = vec![Item { place: element.place, is_counted: false, act }];
                Act::Loop { items, turns }
            }
        }
    };
    match kind {
        "TaskRunnableCall" | "RunnableCall" => call(&["runnable"], By::Caller),
        "SynchronousServerCall" | "ServerCall" => call(&["serverRunnable"], By::Server),
        "AsynchronousServerCall" => call(&["serverRunnable"], By::Beside),
        "InterProcessTrigger" | "InterProcessActivation" => Act::Trigger(link(&["stimulus", "stimuli"])),
        "WaitEvent" => Act::Wait {
            events: rest.events,
            is_any: element.get("maskType") == Some("OR"),
            waiting: match element.get("waitingBehaviour") {
                Some("active") => Waiting::Active,
                Some("passive") => Waiting::Passive,
                _ => Waiting::Unsaid,
            },
        },
        "SetEvent" => Act::Set { events: rest.events, task: link(&["process"]) },
        "ClearEvent" => Act::Clear(rest.events),
        "SemaphoreAccess" => Act::Semaphore(link(&["semaphore"])),
        "TerminateProcess" => Act::End,
        "EnforcedMigration" => Act::Migrate,
        "SchedulePoint" => Act::Yield,
        kind if meta::fate(Within::Item, kind) == Some(Fate::Nothing) => Act::Nothing,
        _ => {
            let way = match (kind, element.get("access")) {
                ("SenderReceiverRead" | "ChannelReceive" | "ChannelRead", _) | (_, Some("read")) => Way::Read,
                ("SenderReceiverWrite" | "ChannelSend" | "ChannelWrite", _) | (_, Some("write")) => {
                    Way::Write
                }
                _ => Way::Unsaid,
            };
            let elements = counted(cursor, element, "elements").unwrap_or(1);
            let times = match rest.turns {
                Some(Turns::AtMost(times) | Turns::About(times)) => times,
                _ => elements,
            };
            let has_instructions = rest.has_instructions;
            Act::Access {
                label: link(&["data", "label", "channel"]),
                way,
                times: times.max(1),
                has_instructions,
            }
        }
    }
}

fn rest(cursor: &mut Cursor<'_>, element: &Element) -> Result<Rest, Problem> {
    let mut rest = Rest::default();
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "eventMask" => {
                rest.events.extend(Ref::all_of(&child, "events"));
                while let Some(event) = cursor.child()? {
                    rest.events.extend(Ref::of(&event, "href"));
                    cursor.leave()?;
                }
            }
            "statistic" => rest.turns = statistic(cursor)?,
            "counter" => {
                rest.is_counted = true;
                cursor.leave()?;
            }
            "transmissionPolicy" => {
                let instructions = child.get("chunkProcessingInstructions").unwrap_or("0").to_owned();
                let instructions = number(cursor, &child, "chunkProcessingInstructions", &instructions);
                rest.has_instructions = instructions.is_none_or(|number| number.up() != Some(0));
                cursor.leave()?;
            }
            _ => match Ref::of(&child, "href") {
                Some(link) => {
                    rest.links.push((child.name.clone(), link));
                    cursor.leave()?;
                }
                None if is_item(&child.name) => {
                    let what = format!("items within {} are not read", element.kind);
                    cursor.doubt(child.place, what);
                    cursor.leave()?;
                }
                None => cursor.pass_over(&child)?,
            },
        }
    }
    Ok(rest)
}

/// How often a call is made or a label is accessed.
fn statistic(cursor: &mut Cursor<'_>) -> Result<Option<Turns>, Problem> {
    let mut turns = None;
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "value" | "statistic" => {
                let most = ticks::read(cursor, &child)?.most;
                // A single value says the mean.
                let is_most = child.kind.starts_with("MinAvgMax");
                turns = most.map(|most| if is_most { Turns::AtMost(most) } else { Turns::About(most) });
            }
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(turns)
}

fn branches(cursor: &mut Cursor<'_>, element: &Element) -> Result<Vec<Branch>, Problem> {
    let by_chance = element.kind.contains("Probab");
    let mut branches = Vec::new();
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "entries" | "defaultEntry" => {
                let chance = child.get("probability").unwrap_or("0").to_owned();
                let chance = number(cursor, &child, "probability", &chance);
                let is_possible =
                    by_chance && chance.is_some_and(|chance| chance.up().is_some_and(|up| up > 0));
                let mut items = Vec::new();
                branch(cursor, &mut items)?;
                branches.push(Branch { items, is_possible });
            }
            "valueProvider" => cursor.leave()?,
            "customProperties" => cursor.pass_over(&child)?,
            _ => branches.push(Branch { items: vec![unknown(cursor, &child)?], is_possible: false }),
        }
    }
    Ok(branches)
}

/// The items of a branch. Its condition is not needed, as the worst branch is taken.
fn branch(cursor: &mut Cursor<'_>, items: &mut Vec<Item>) -> Result<(), Problem> {
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            name if is_item(name) => items.push(item(cursor, &child)?),
            "condition" | "values" => cursor.leave()?,
            "localLabels" | "customProperties" => cursor.pass_over(&child)?,
            _ => items.push(unknown(cursor, &child)?),
        }
    }
    Ok(())
}

fn repeated(cursor: &mut Cursor<'_>) -> Result<Act, Problem> {
    let (mut items, mut turns) = (Vec::new(), Turns::Unsaid);
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            name if is_item(name) => items.push(item(cursor, &child)?),
            "customProperties" => {
                let property = custom_property(cursor, &child)?;
                let said = property.filter(|(key, _)| TURNS.contains(&key.as_str()));
                let said = said.and_then(|(_, value)| value.trim().parse().ok());
                turns = said.map_or(turns, Turns::AtMost);
            }
            "condition" => cursor.leave()?,
            _ => items.push(unknown(cursor, &child)?),
        }
    }
    Ok(Act::Loop { items, turns })
}

/// Something of a type that is not known: all items that are in it, at any depth.
fn unknown(cursor: &mut Cursor<'_>, element: &Element) -> Result<Item, Problem> {
    let kind = if element.kind.is_empty() { &element.name } else { &element.kind };
    let mut items = Vec::new();
    within(cursor, &mut items)?;
    Ok(Item { place: element.place, is_counted: false, act: Act::Unknown { kind: kind.clone(), items } })
}

/// Passes over an element of which nothing is known, but for the items that are in it.
pub fn passed(cursor: &mut Cursor<'_>, element: &Element) -> Result<Vec<Item>, Problem> {
    cursor.count(element);
    let mut items = Vec::new();
    within(cursor, &mut items)?;
    Ok(items)
}

/// Items that are somewhere in the open element; elements nest no deeper than [`super::xml::DEEPEST`].
fn within(cursor: &mut Cursor<'_>, items: &mut Vec<Item>) -> Result<(), Problem> {
    while let Some(child) = cursor.child()? {
        if is_item(&child.name) {
            items.push(item(cursor, &child)?);
        } else {
            within(cursor, items)?;
        }
    }
    Ok(())
}
