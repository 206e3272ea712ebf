//! Processing units, memories and clocks: structures of modules (0.9 and later), or systems of cores (before).
//!
//! Before 0.9 a core is clocked by a prescaler on a quartz, and how many instructions a tick does stands with the
//! core type. From 0.9 on a unit names a frequency domain and a definition, whose features say the same.

use super::measures::{frequency, rate, size};
use super::model::{Access, Clock, Definition, Feature, Memory, Model, Unit, UnitKind};
use super::quantities::Decimal;
use super::refs::Ref;
use super::ticks::{self, number};
use super::xml::{Cursor, Element};
use base::Problem;

/// Reads the children of `hwModel`.
pub fn read(cursor: &mut Cursor<'_>, model: &mut Model) -> Result<(), Problem> {
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "definitions" if child.kind == "MemoryDefinition" => memory_type(cursor, model, &child)?,
            "definitions" if child.kind == "ProcessingUnitDefinition" => definition(cursor, model, &child)?,
            "coreTypes" => definition(cursor, model, &child)?,
            "memoryTypes" => memory_type(cursor, model, &child)?,
            "featureCategories" => features(cursor, model, &child)?,
            "features" => {
                let name = child.get("name").unwrap_or_default().to_owned();
                feature(cursor, model, &child, &name)?;
            }
            "structures" | "system" => within(cursor, model, &child, &mut Vec::new())?,
            "domains" | "quartzes" => clock(cursor, model, &child)?,
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(())
}

/// What a unit is, by a word of the model.
fn kind_of(word: &str) -> Option<UnitKind> {
    match word {
        "CPU" => Some(UnitKind::Cpu),
        "GPU" => Some(UnitKind::Gpu),
        "Accelerator" => Some(UnitKind::Accelerator),
        _ => None,
    }
}

fn definition(cursor: &mut Cursor<'_>, model: &mut Model, element: &Element) -> Result<(), Problem> {
    let name = element.get("name").unwrap_or_default().to_owned();
    let mut definition = Definition {
        name: name.clone(),
        place: element.place,
        kind: element.get("puType").and_then(kind_of),
        per_tick: None,
        features: Ref::all_of(element, "features"),
    };
    if let Some(text) = element.get("instructionsPerCycle").map(str::to_owned) {
        definition.per_tick = number(cursor, element, "instructionsPerCycle", &text);
    }
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "features" => {
                definition.features.extend(Ref::of(&child, "href"));
                cursor.leave()?;
            }
            _ => cursor.pass_over(&child)?,
        }
    }
    if !model.definitions.add(element.id.as_deref(), &name, definition) {
        cursor.doubt(element.place, format!("another kind of unit is called {name}; the first one is meant"));
    }
    Ok(())
}

/// A kind of memory, for its size.
fn memory_type(cursor: &mut Cursor<'_>, model: &mut Model, element: &Element) -> Result<(), Problem> {
    let name = element.get("name").unwrap_or_default().to_owned();
    // The oldest versions say the number of bytes.
    let bytes = element.get("size").and_then(Decimal::parse);
    let mut bits = bytes.and_then(|bytes| bytes.times(8, 1)).map(|(bits, _)| bits);
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "size" => bits = size(cursor, &child)?,
            _ => cursor.pass_over(&child)?,
        }
    }
    let kind =
        Memory { name: name.clone(), place: element.place, bits, within: Vec::new(), definition: None };
    model.memory_types.add(element.id.as_deref(), &name, kind);
    Ok(())
}

fn features(cursor: &mut Cursor<'_>, model: &mut Model, category: &Element) -> Result<(), Problem> {
    let name = category.get("name").unwrap_or_default().to_owned();
    while let Some(child) = cursor.child()? {
        if child.name == "features" {
            feature(cursor, model, &child, &name)?;
        } else {
            cursor.pass_over(&child)?;
        }
    }
    Ok(())
}

fn feature(
    cursor: &mut Cursor<'_>,
    model: &mut Model,
    element: &Element,
    category: &str,
) -> Result<(), Problem> {
    let mut value = element.get("value").and_then(Decimal::parse);
    while let Some(child) = cursor.child()? {
        if child.name == "value" {
            value = child.get("value").and_then(Decimal::parse).or(value);
            cursor.leave()?;
        } else {
            cursor.pass_over(&child)?;
        }
    }
    let own = element.get("name").unwrap_or_default();
    let name = if own == category { own.to_owned() } else { format!("{category}/{own}") };
    let feature = Feature { name: own.to_owned(), category: category.to_owned(), value };
    model.features.add(element.id.as_deref(), &name, feature);
    Ok(())
}

fn clock(cursor: &mut Cursor<'_>, model: &mut Model, element: &Element) -> Result<(), Problem> {
    if !element.kind.is_empty() && element.kind != "FrequencyDomain" {
        return cursor.pass_over(element);
    }
    let name = element.get("name").unwrap_or_default().to_owned();
    // The oldest versions say the number of hertz.
    let mut hertz = element.get("frequency").and_then(Decimal::parse).and_then(Decimal::down);
    let mut is_sure = true;
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "defaultValue" | "frequency" => {
                let said = frequency(cursor, &child)?;
                hertz = said.map(|(hertz, _)| hertz);
                is_sure &= said.is_none_or(|(_, exact)| exact);
            }
            "possibleValues" => {
                is_sure = false;
                cursor.leave()?;
            }
            _ => cursor.pass_over(&child)?,
        }
    }
    if !model.clocks.add(element.id.as_deref(), &name, Clock { name: name.clone(), hertz, is_sure }) {
        cursor.doubt(element.place, format!("another clock is called {name}; the first one is meant"));
    }
    Ok(())
}

/// What is in a structure, a system, a control unit or a microcontroller.
fn within(
    cursor: &mut Cursor<'_>,
    model: &mut Model,
    element: &Element,
    outer: &mut Vec<String>,
) -> Result<(), Problem> {
    outer.push(element.get("name").unwrap_or_default().to_owned());
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "structures" | "ecus" | "microcontrollers" | "components" => {
                within(cursor, model, &child, outer)?
            }
            "modules" if child.kind == "ProcessingUnit" => unit(cursor, model, &child, outer)?,
            "cores" => unit(cursor, model, &child, outer)?,
            "modules" if child.kind == "Memory" => memory(cursor, model, &child, outer)?,
            "memories" => memory(cursor, model, &child, outer)?,
            "quartzes" | "domains" => clock(cursor, model, &child)?,
            _ => cursor.pass_over(&child)?,
        }
    }
    outer.pop();
    Ok(())
}

fn unit(
    cursor: &mut Cursor<'_>,
    model: &mut Model,
    element: &Element,
    outer: &[String],
) -> Result<(), Problem> {
    let name = element.get("name").unwrap_or_default().to_owned();
    let mut unit = Unit {
        name: name.clone(),
        place: element.place,
        definition: Ref::of(element, "definition").or_else(|| Ref::of(element, "coreType")),
        clock: Ref::of(element, "frequencyDomain"),
        ratio: None,
        within: outer.to_vec(),
        reaches: Vec::new(),
    };
    let mut inner = outer.to_vec();
    inner.push(name.clone());
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "prescaler" => {
                unit.clock = Ref::of(&child, "quartz").or(unit.clock);
                let ratio = child.get("clockRatio").map(str::to_owned);
                unit.ratio = ratio.and_then(|text| number(cursor, &child, "clockRatio", &text));
                while let Some(quartz) = cursor.child()? {
                    unit.clock = Ref::of(&quartz, "href").filter(|_| quartz.name == "quartz").or(unit.clock);
                    cursor.leave()?;
                }
            }
            "definition" | "coreType" => {
                unit.definition = Ref::of(&child, "href").or(unit.definition);
                cursor.leave()?;
            }
            "frequencyDomain" => {
                unit.clock = Ref::of(&child, "href").or(unit.clock);
                cursor.leave()?;
            }
            "accessElements" => unit.reaches.push(reach(cursor, &child)?),
            "memories" => memory(cursor, model, &child, &inner)?,
            "quartzes" => clock(cursor, model, &child)?,
            _ => cursor.pass_over(&child)?,
        }
    }
    if !model.units.add(element.id.as_deref(), &name, unit) {
        let what = format!("another unit is called {name}; references by name mean the first one");
        cursor.doubt(element.place, what);
    }
    Ok(())
}

/// How a unit reaches a memory.
fn reach(cursor: &mut Cursor<'_>, element: &Element) -> Result<Access, Problem> {
    let memory = Ref::of(element, "destination");
    let mut access = Access { memory, read: None, write: None, rate: None, path: Vec::new() };
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "destination" => {
                access.memory = Ref::of(&child, "href").or(access.memory);
                cursor.leave()?;
            }
            "readLatency" => access.read = Some(ticks::read(cursor, &child)?),
            "writeLatency" => access.write = Some(ticks::read(cursor, &child)?),
            "readDataRate" | "writeDataRate" | "dataRate" => {
                let new = rate(cursor, &child)?;
                access.rate = access.rate.into_iter().chain(new).min();
            }
            "accessPath" => {
                access.path = Ref::all_of(&child, "pathElements");
                cursor.leave()?;
            }
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(access)
}

fn memory(
    cursor: &mut Cursor<'_>,
    model: &mut Model,
    element: &Element,
    outer: &[String],
) -> Result<(), Problem> {
    let name = element.get("name").unwrap_or_default().to_owned();
    let mut memory = Memory {
        name: name.clone(),
        place: element.place,
        bits: None,
        within: outer.to_vec(),
        definition: Ref::of(element, "definition").or_else(|| Ref::of(element, "type")),
    };
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "size" => memory.bits = size(cursor, &child)?,
            "definition" | "type" => {
                memory.definition = Ref::of(&child, "href").or(memory.definition);
                cursor.leave()?;
            }
            "quartzes" => clock(cursor, model, &child)?,
            _ => cursor.pass_over(&child)?,
        }
    }
    if !model.memories.add(element.id.as_deref(), &name, memory) {
        cursor.doubt(element.place, format!("another memory is called {name}; the first one is meant"));
    }
    Ok(())
}
