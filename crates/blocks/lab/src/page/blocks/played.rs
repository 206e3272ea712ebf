//! A run, event by event: where the player can stand, and what stands out on its slider.

use super::{Runs, Which};
use base::Nanos;
use blocks::replay::{Event, EventKind, Replay, State};

/// Marks beneath the slider at the most; beyond that they would run into each other.
const MOST_MARKS: usize = 240;

/// The events of a run.
pub struct Played {
    /// Which run it is.
    pub which: Which,
    replay: Replay<'static>,
}

/// What a mark beneath the slider stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// A kernel or a copy was issued.
    Begins,
    /// A kernel or a copy has ended.
    Ends,
}

impl Played {
    /// The events of a run; none where there is no such run.
    pub fn new(runs: &Runs, which: Which) -> Option<Self> {
        let known = runs.pictured(which)?;
        Some(Self { which, replay: Replay::keeping(known.setup.clone(), known.trace.clone()) })
    }

    /// How many there are.
    pub fn total(&self) -> usize {
        self.replay.events().len()
    }

    /// When it is after so many of them.
    pub fn at(&self, step: usize) -> Nanos {
        self.last(step).map_or(Nanos::ZERO, |event| event.at)
    }

    /// The last of so many events.
    pub fn last(&self, step: usize) -> Option<&Event> {
        self.replay.events().get(step.min(self.total()).checked_sub(1)?)
    }

    /// How many there have been by then.
    pub fn step_at(&self, at: Nanos) -> usize {
        self.replay.step_at(at)
    }

    /// How things stand after so many of them.
    pub fn state(&self, step: usize) -> State {
        self.replay.state_at(step)
    }

    /// What stands out on a slider that is one wide: where, and what.
    pub fn marks(&self) -> Vec<(f64, MarkKind)> {
        let all = self.total().max(1) as f64;
        let kind = |event: &Event| match event.kind {
            EventKind::Issued(_) => Some(MarkKind::Begins),
            EventKind::KernelEnded(_) | EventKind::CopyEnded(_) => Some(MarkKind::Ends),
            _ => None,
        };
        let place = |step: usize| step as f64 / all;
        let all = (1..).zip(self.replay.events());
        let mut marks: Vec<(f64, MarkKind)> =
            all.filter_map(|(step, event)| Some((place(step), kind(event)?))).collect();
        if marks.len() > MOST_MARKS {
            let raster = |(at, kind): (f64, MarkKind)| ((at * MOST_MARKS as f64 / 2.0).round() as u32, kind);
            let mut kept: Vec<(u32, MarkKind)> = marks.into_iter().map(raster).collect();
            base::sort::sort(&mut kept);
            kept.dedup();
            let place = |(at, kind): (u32, MarkKind)| (f64::from(at) * 2.0 / MOST_MARKS as f64, kind);
            marks = kept.into_iter().map(place).collect();
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::blocks::sample;

    #[test]
    fn the_player_stands_at_the_time_of_the_last_event() {
        let runs = sample::runs();
        let Some(played) = Played::new(&runs, Which::Simulated) else { unreachable!("it was simulated") };
        assert_eq!((played.at(0), played.at(played.total())), (Nanos(0), runs.end));
        assert!(played.last(0).is_none() && played.last(1).is_some());
        for step in 1..=played.total() {
            assert!(played.step_at(played.at(step)) >= step);
        }
        let marks = played.marks();
        assert_eq!(marks.iter().filter(|(_, kind)| *kind == MarkKind::Ends).count(), 4);
        assert_eq!(marks.last(), Some(&(1.0, MarkKind::Ends)));
        assert!(Played::new(&runs, Which::Measured).is_none());
    }

    #[test]
    fn a_time_leads_to_the_last_event_by_then() {
        let runs = sample::runs();
        let Some(played) = Played::new(&runs, Which::Simulated) else { unreachable!("it was simulated") };
        for percent in 0..=100 {
            let time = Nanos(runs.end.0 * percent / 100);
            // The naive way: look at all of them.
            let by_then = (1..=played.total()).filter(|&step| played.at(step) <= time).max().unwrap_or(0);
            assert_eq!(played.step_at(time), by_then, "at {time}");
        }
    }
}
