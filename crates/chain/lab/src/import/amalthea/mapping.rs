//! Which scheduler a task has, which units that scheduler gives, where labels are, and which deadlines there are.

use super::measures::time_down;
use super::meta::{self, Fate, Within};
use super::model::{Allocation, Deadline, Model, Placement, Scheduler};
use super::quantities::Decimal;
use super::refs::Ref;
use super::software::custom_property;
use super::ticks::number;
use super::xml::{Cursor, Element};
use base::Problem;

/// References of an element: in attributes, or as elements with an address.
struct Links<'e> {
    element: &'e Element,
    inner: Vec<(String, Ref)>,
    priority: Option<i64>,
}

impl Links<'_> {
    fn all(&self, names: &[&str]) -> Vec<Ref> {
        let of = |name: &&str| Ref::all_of(self.element, name);
        let inner = self.inner.iter().filter(|(name, _)| names.contains(&name.as_str()));
        names.iter().flat_map(of).chain(inner.map(|(_, link)| link.clone())).collect()
    }

    fn one(&self, names: &[&str]) -> Option<Ref> {
        self.all(names).into_iter().next()
    }
}

fn links<'e>(cursor: &mut Cursor<'_>, element: &'e Element) -> Result<Links<'e>, Problem> {
    let mut links = Links { element, inner: Vec::new(), priority: None };
    while let Some(child) = cursor.child()? {
        if let Some(link) = Ref::of(&child, "href") {
            links.inner.push((child.name.clone(), link));
            cursor.leave()?;
            continue;
        }
        match child.name.as_str() {
            "schedulingParameters" | "parameterExtensions" if child.get("key").is_some() => {
                if let Some((key, value)) = custom_property(cursor, &child)?
                    && key.to_lowercase().contains("priority")
                {
                    links.priority = whole(cursor, &child, &value);
                }
            }
            "schedulingParameters" => {
                if let Some(text) = child.get("priority").map(str::to_owned) {
                    links.priority = whole(cursor, &child, &text);
                }
                cursor.leave()?;
            }
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(links)
}

/// A whole number in a text, which may be negative; a problem where it is none.
pub fn whole(cursor: &mut Cursor<'_>, element: &Element, text: &str) -> Option<i64> {
    let number: Option<i64> = text.trim().parse().ok();
    let of_decimal = || Decimal::parse(text)?.up().and_then(|number| i64::try_from(number).ok());
    let number = number.or_else(of_decimal);
    if number.is_none() {
        cursor.doubt(element.place, format!("{} is no whole number and is left out", super::quoted(text)));
    }
    number
}

/// Reads the children of `mappingModel`.
pub fn read_mapping(cursor: &mut Cursor<'_>, model: &mut Model) -> Result<(), Problem> {
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            // The oldest version tells them apart by their types.
            "taskAllocation" | "isrAllocation" | "processAllocation" | "executableAllocation" => {
                let links = links(cursor, &child)?;
                model.allocations.push(Allocation {
                    place: child.place,
                    task: links.one(&["task", "isr", "process"]),
                    scheduler: links.one(&["scheduler", "controller"]),
                    affinity: links.all(&["affinity", "coreAffinity"]),
                    priority: links.priority,
                });
            }
            "schedulerAllocation" | "coreAllocation" => {
                let links = links(cursor, &child)?;
                let mut units = links.all(&["responsibility", "core", "cores"]);
                if units.is_empty() {
                    units = links.all(&["executingPU", "executingCore"]);
                }
                given(cursor, model, &child, links.one(&["scheduler"]), units);
            }
            "memoryMapping" | "mapping" => {
                let links = links(cursor, &child)?;
                let label = links.one(&["abstractElement", "label"]);
                let placed = label.zip(links.one(&["memory", "mem"]));
                model.placements.extend(placed.map(|(label, memory)| Placement { label, memory }));
            }
            "customProperties" => cursor.pass_over(&child)?,
            name => {
                if meta::fate(Within::Mapping, name) != Some(Fate::Nothing) {
                    cursor
                        .doubt(child.place, format!("<{name}> is not read; it may say where something runs"));
                }
                cursor.pass_over(&child)?;
            }
        }
    }
    Ok(())
}

fn given(cursor: &mut Cursor<'_>, model: &mut Model, at: &Element, scheduler: Option<Ref>, units: Vec<Ref>) {
    let Some(scheduler) = scheduler else {
        return cursor.doubt(at.place, "an allocation without a scheduler is left out");
    };
    // Models may map before they tell of schedulers.
    let index = model.schedulers.find(&scheduler).or_else(|| {
        let new = Scheduler { name: scheduler.name(), ..Scheduler::default() };
        model.schedulers.add(Some(&scheduler.raw), &scheduler.name(), new);
        model.schedulers.find(&scheduler)
    });
    if let Some(scheduler) = index.and_then(|index| model.schedulers.get_mut(index)) {
        scheduler.units.extend(units);
    }
}

/// Reads the children of `constraintsModel`: required response times of tasks.
pub fn read_constraints(cursor: &mut Cursor<'_>, model: &mut Model) -> Result<(), Problem> {
    while let Some(child) = cursor.child()? {
        let is_of_task = child.name == "requirements" && child.kind == "ProcessRequirement";
        if !is_of_task {
            cursor.pass_over(&child)?;
            continue;
        }
        let mut task = Ref::of(&child, "process");
        let mut within = None;
        while let Some(inner) = cursor.child()? {
            match (inner.name.as_str(), inner.get("metric")) {
                ("process", _) => {
                    task = Ref::of(&inner, "href");
                    cursor.leave()?;
                }
                ("limit", Some("ResponseTime")) if inner.get("limitType") != Some("LowerLimit") => {
                    within = limit(cursor)?.or(within);
                }
                _ => cursor.pass_over(&inner)?,
            }
        }
        if let Some((task, within)) = task.zip(within) {
            model.deadlines.push(Deadline { place: child.place, task, within });
        }
    }
    Ok(())
}

fn limit(cursor: &mut Cursor<'_>) -> Result<Option<u64>, Problem> {
    let mut within = None;
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "limitValue" => within = time_down(cursor, &child)?,
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(within)
}

/// A number of an attribute that may be missing.
pub fn counted(cursor: &mut Cursor<'_>, element: &Element, name: &str) -> Option<u64> {
    let text = element.get(name)?.to_owned();
    number(cursor, element, name, &text).and_then(Decimal::up)
}
