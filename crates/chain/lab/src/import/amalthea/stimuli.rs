//! What activates tasks, in the names of all versions.

use super::measures::{period, time, time_down, times};
use super::model::{Arrival, Condition, Model, Stimulus};
use super::quantities::Decimal;
use super::ticks::number;
use super::xml::{Cursor, Element};
use base::Problem;

/// Reads the children of `stimuliModel`.
pub fn read(cursor: &mut Cursor<'_>, model: &mut Model) -> Result<(), Problem> {
    while let Some(child) = cursor.child()? {
        if child.name == "stimuli" {
            let stimulus = stimulus(cursor, &child)?;
            let name = stimulus.name.clone();
            if !model.stimuli.add(child.id.as_deref(), &name, stimulus) {
                let what = format!("another stimulus is called {name}; the first one is meant");
                cursor.doubt(child.place, what);
            }
        } else {
            cursor.pass_over(&child)?;
        }
    }
    Ok(())
}

/// What the elements of a stimulus say, whatever its type; times in picoseconds.
#[derive(Debug, Default)]
struct Said {
    recurrence: Option<u64>,
    offset: Option<u64>,
    /// How far it varies; nothing inside where there is no bound.
    jitter: Option<Option<u64>>,
    next: Option<u64>,
    count: Option<u64>,
    distance: Option<u64>,
    stamps: Vec<u64>,
    conditions: Vec<Condition>,
}

impl Said {
    /// A distance that jitter may shorten; nothing where it may be none.
    fn closer(&self, distance: Option<u64>) -> Option<u64> {
        let jitter = self.jitter.unwrap_or(Some(0))?;
        distance?.checked_sub(jitter).filter(|&distance| distance > 0)
    }
}

fn stimulus(cursor: &mut Cursor<'_>, element: &Element) -> Result<Stimulus, Problem> {
    let mut said = said(cursor, element)?;
    let arrival = arrival(cursor, element, &said);
    let name = element.get("name").unwrap_or_default().to_owned();
    let conditions = std::mem::take(&mut said.conditions);
    Ok(Stimulus { name, place: element.place, arrival, conditions })
}

fn said(cursor: &mut Cursor<'_>, element: &Element) -> Result<Said, Problem> {
    let mut said = Said::default();
    if element.get("clock").is_some() {
        said.conditions.push(Condition::Clock);
    }
    if let Some(text) = element.get("occurrenceCount").map(str::to_owned) {
        said.count = number(cursor, element, "occurrenceCount", &text).and_then(Decimal::up);
    }
    while let Some(child) = cursor.child()? {
        match child.name.as_str() {
            "recurrence" | "period" => said.recurrence = period(cursor, &child)?,
            "offset" | "occurrence" | "activation" => said.offset = time(cursor, &child)?,
            "jitter" | "stimulusDeviation" => said.jitter = Some(times(cursor, &child)?.width()),
            "nextOccurrence" => {
                said.next = times(cursor, &child)?.least.and_then(|least| u64::try_from(least).ok());
            }
            "minDistance" | "occurrenceMinDistance" => said.distance = time_down(cursor, &child)?,
            "counter" | "enablingModeValueList" | "disablingModeValueList" | "executionCondition" => {
                said.conditions.push(Condition::Fewer(child.name.clone()));
                cursor.leave()?;
            }
            "clock" => {
                said.conditions.push(Condition::Clock);
                cursor.leave()?;
            }
            "setModeValueList" => cursor.leave()?,
            "occurrenceTimes" | "triggerTimes" => {
                if child.get("value").is_some() {
                    said.stamps.extend(time(cursor, &child)?);
                    continue;
                }
                while let Some(stamp) = cursor.child()? {
                    said.stamps.extend(time(cursor, &stamp)?);
                }
            }
            "entries" | "arrivalCurveEntries" => curve(cursor, &child, &mut said)?,
            _ => cursor.pass_over(&child)?,
        }
    }
    Ok(said)
}

/// An entry of an arrival curve: the time that two occurrences are apart at least.
fn curve(cursor: &mut Cursor<'_>, entry: &Element, said: &mut Said) -> Result<(), Problem> {
    let count = entry.get("numberOfOccurrences").or(entry.get("numberOfEvents"));
    let is_of_two = count == Some("2");
    while let Some(child) = cursor.child()? {
        if child.name == "lowerTimeBorder" && is_of_two {
            said.next = time_down(cursor, &child)?;
        } else {
            cursor.pass_over(&child)?;
        }
    }
    Ok(())
}

fn arrival(cursor: &mut Cursor<'_>, element: &Element, said: &Said) -> Arrival {
    let offset = said.offset.unwrap_or_default();
    match element.kind.as_str() {
        "PeriodicStimulus" | "Periodic" => {
            Arrival::Periodic { period: said.recurrence, offset, jitter: said.jitter.unwrap_or(Some(0)) }
        }
        "SingleStimulus" | "Single" => Arrival::Single { at: offset },
        "RelativePeriodicStimulus" | "ArrivalCurveStimulus" | "ArrivalCurve" => {
            Arrival::Sporadic { gap: said.next.or(said.distance) }
        }
        "SporadicStimulus" | "Sporadic" => {
            Arrival::Sporadic { gap: said.closer(said.distance.or(said.recurrence)) }
        }
        "PeriodicBurstStimulus" => Arrival::Burst {
            period: said.recurrence,
            count: said.count.unwrap_or(1).max(1),
            gap: said.distance,
        },
        "PeriodicSyntheticStimulus" | "SyntheticStimulus" | "Synthetic" => synthetic(said),
        "InterProcessStimulus" | "InterProcess" | "InterProcessActivation" => Arrival::Triggered,
        kind => {
            let name = element.get("name").unwrap_or_default();
            let kind = if kind.is_empty() { "no type" } else { kind };
            let what = format!("the stimulus {name} is of {kind}; when it comes is not read");
            cursor.note(element.place, what);
            Arrival::Other(kind.to_owned())
        }
    }
}

/// Points in time within a period.
fn synthetic(said: &Said) -> Arrival {
    let mut stamps = said.stamps.clone();
    base::sort::sort(&mut stamps);
    match (said.recurrence, &stamps[..]) {
        (period, [] | [_]) => {
            let first = stamps.first().copied().unwrap_or_default();
            let offset = said.offset.unwrap_or_default().saturating_add(first);
            Arrival::Periodic { period, offset, jitter: said.jitter.unwrap_or(Some(0)) }
        }
        (period, [first, .., last]) => {
            let wrapped = period.map(|period| first.saturating_add(period).saturating_sub(*last));
            let between = stamps.windows(2).map(|pair| pair[1] - pair[0]);
            let gap = said.closer(between.chain(wrapped).min());
            Arrival::Burst { period, count: stamps.len() as u64, gap }
        }
    }
}
