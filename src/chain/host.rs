//! What host tasks ask of their cores, and what they wait for.

use super::figure::{Bracket, Figure};
use super::inputs::Inputs;
use super::model::SegmentKind;
use crate::base::Nanos;

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
    let mut load = Load { segments: Vec::new(), cpu: Bracket::OPEN, gpu: Bracket::OPEN };
    let mut on_core = Vec::new();
    for (place, (segment, wait)) in host.segments.iter().zip(waits).enumerate() {
        let computes = matches!(segment.kind, SegmentKind::Cpu(_) | SegmentKind::Ticks(_));
        let time = if computes { inputs.segment(task, place) } else { wait };
        on_core.push(computes);
        load.segments.push(time.unwrap_or(Bracket::OPEN));
    }
    let sum = |core: bool| {
        let parts = load.segments.iter().zip(&on_core).filter(|&(_, &on)| on == core);
        let parts: Vec<&Bracket<Nanos>> = parts.map(|(time, _)| time).collect();
        let why = if core { "its segments on the core" } else { "its copies and kernels" };
        Bracket::of(
            Figure::sum(parts.iter().map(|time| time.lower()), why),
            Figure::sum(parts.iter().map(|time| time.upper()), why),
        )
    };
    (load.cpu, load.gpu) = (sum(true), sum(false));
    load
}
