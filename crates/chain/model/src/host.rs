//! What host tasks ask of their cores, and what they wait for.

use super::inputs::Inputs;
use super::model::{Host, SegmentKind};
use super::valued::{Bracket, Valued};
use base::Nanos;

/// What a task asks of its core and waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Load {
    /// Time of each segment.
    pub segments: Vec<Bracket<Nanos>>,
    /// Time on the core, without waiting.
    pub cpu: Bracket<Nanos>,
    /// Time of waiting.
    pub gpu: Bracket<Nanos>,
}

/// The load of a task, with what it waits for each segment.
pub fn load(inputs: &Inputs<'_>, task: usize, waits: Vec<Option<Bracket<Nanos>>>) -> Load {
    let host = &inputs.chain().tasks[task];
    let mut segments = Vec::new();
    for (place, (segment, wait)) in host.segments.iter().zip(waits).enumerate() {
        let computes = segment.kind.is_on_core();
        let time = if computes { inputs.segment(task, place) } else { wait };
        segments.push(time.unwrap_or(Bracket::OPEN));
    }
    of_segments(host, segments)
}

/// The load of a task whose segments take so long.
pub fn of_segments(host: &Host, segments: Vec<Bracket<Nanos>>) -> Load {
    let awaits = host.segments.iter().any(|segment| matches!(segment.kind, SegmentKind::Await(_)));
    let waiting = if awaits { "its copies, kernels and waits for tasks" } else { "its copies and kernels" };
    let sum = |core: bool| {
        let parts = segments.iter().zip(&host.segments).filter(|(_, of)| of.kind.is_on_core() == core);
        let parts: Vec<&Bracket<Nanos>> = parts.map(|(time, _)| time).collect();
        let why = if core { "its segments on the core" } else { waiting };
        Bracket::of(
            Valued::sum(parts.iter().map(|time| time.lower()), why),
            Valued::sum(parts.iter().map(|time| time.upper()), why),
        )
    };
    let (cpu, gpu) = (sum(true), sum(false));
    Load { segments, cpu, gpu }
}
