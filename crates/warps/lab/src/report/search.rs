//! What beams and the exact search add to a report: how narrow the bracket became, and when.

use serde::Serialize;
use serde_json::Value;

use super::WarpsReport;
use crate::scenario::WarpsScenario;
use base::StopReason;
use kit::report::micro;
use warps::Schedule;

/// What a search came to, besides the schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The worst case is at least this.
    pub lower: u32,
    /// The worst case is at most this, and what proves it; none beyond the cheap bound.
    pub upper: Option<(u32, String)>,
    /// States seen; none where they are not counted.
    pub states: Option<u64>,
    /// Seconds, lower and upper bound: first of the start, then of every narrowing.
    pub bracket: Option<Vec<(f64, u32, u32)>>,
    /// The best case, where it was sought.
    pub shortest: Option<ShortestReport>,
    /// What each of the known ways to take turns takes, by its name.
    pub starts: Vec<(String, u32)>,
    /// Why it ended.
    pub stop: StopReason,
}

/// What is known about the best case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShortestReport {
    /// The makespan of the shortest schedule found.
    pub makespan: u32,
    /// No schedule is shorter than this.
    pub lower: u32,
    /// Whether both meet.
    pub exact: bool,
    /// The order that makes the schedule, warps from 1.
    pub order: Vec<u16>,
    /// The cycle of each entry of the order.
    pub cycles: Vec<u32>,
}

impl ShortestReport {
    /// That of a schedule and a bound from below.
    pub fn new(schedule: &Schedule, lower: u32) -> Self {
        let order = schedule.to_order();
        Self {
            makespan: schedule.makespan(),
            lower,
            exact: schedule.makespan() == lower,
            order: order.ids().iter().map(|id| id + 1).collect(),
            cycles: schedule.cycles_of(&order),
        }
    }
}

impl WarpsReport {
    /// Notes what is told of the same result by whoever knows how long loads take.
    pub fn note_told(&mut self, told: &Value) {
        let text = |value: Option<&Value>| Some(value?.as_str()?.to_owned());
        self.upper = told.get("upper").and_then(|upper| u32::try_from(upper.as_u64()?).ok());
        self.upper_by = text(told.get("upper_by"));
        self.exact = self.upper == Some(self.lower);
        if let Some(lines) = told.get("assumptions").and_then(Value::as_array) {
            self.assumptions = lines.iter().filter_map(|line| text(Some(line))).collect();
        }
        if let Some(memory) = &mut self.memory {
            memory.placement = text(told.pointer("/memory/placement"));
        }
    }

    /// Notes what a search came to; the narrower of its bounds and those there were hold.
    pub fn note_search(&mut self, found: Found) {
        self.lower = self.lower.max(found.lower);
        if let Some((upper, by)) = found.upper
            && self.upper.is_none_or(|cheap| upper < cheap || upper == cheap && self.lower == upper)
        {
            (self.upper, self.upper_by) = (Some(upper), Some(by));
        }
        self.exact = self.upper == Some(self.lower);
        self.states = found.states;
        self.bracket = found.bracket.map(|lines| {
            lines.into_iter().map(|(seconds, lower, upper)| (micro(seconds), lower, upper)).collect()
        });
        self.shortest = found.shortest;
        self.starts = (!found.starts.is_empty()).then_some(found.starts);
        self.stop = Some(found.stop);
    }
}

impl Found {
    /// Reads it back from the tree of a report line; `None` where the report is of no search.
    pub fn read(told: &Value, warps: &WarpsScenario) -> Option<Self> {
        let number = |value: &Value| u32::try_from(value.as_u64()?).ok();
        let stop = match told.get("stop")?.as_str()? {
            "done" => StopReason::Done,
            "cancelled" => StopReason::Cancelled,
            "time-limit" => StopReason::TimeLimit,
            "memory-limit" => StopReason::MemoryLimit,
            _ => return None,
        };
        let upper = told.get("upper").and_then(number).zip(told.get("upper_by").and_then(Value::as_str));
        let line =
            |line: &Value| Some((line.get(0)?.as_f64()?, number(line.get(1)?)?, number(line.get(2)?)?));
        let bracket = match told.get("bracket") {
            Some(lines) => Some(lines.as_array()?.iter().map(line).collect::<Option<_>>()?),
            None => None,
        };
        let start = |start: &Value| Some((start.get(0)?.as_str()?.to_owned(), number(start.get(1)?)?));
        let starts = match told.get("starts") {
            Some(starts) => starts.as_array()?.iter().map(start).collect::<Option<_>>()?,
            None => Vec::new(),
        };
        let shortest = match told.get("shortest") {
            None => None,
            Some(shortest) => {
                let numbers =
                    |key| shortest.get(key)?.as_array()?.iter().map(number).collect::<Option<Vec<u32>>>();
                let ids = numbers("order")?.into_iter().map(|id| u16::try_from(id).ok()?.checked_sub(1));
                let ids: Vec<u16> = ids.collect::<Option<_>>()?;
                let schedule = Schedule::from_order(&ids, &numbers("cycles")?, warps.count)?;
                Some(ShortestReport::new(&schedule, shortest.get("lower").and_then(number)?))
            }
        };
        Some(Self {
            lower: told.get("lower").and_then(number)?,
            upper: upper.map(|(upper, by)| (upper, by.to_owned())),
            states: told.get("states").and_then(Value::as_u64),
            bracket,
            shortest,
            starts,
            stop,
        })
    }
}
