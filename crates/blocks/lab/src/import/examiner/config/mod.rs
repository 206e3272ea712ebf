//! Configurations: what the examiner is told to run, as a workload.
//!
//! A benchmark becomes a program with a stream of its own, and a process of its own with `use_processes`. Reading
//! has two steps: the file becomes a plan, in which every benchmark is a list of steps, and the plan becomes
//! programs, streams, kernels and copies with their indices.

mod build;
mod host;
mod info;
mod limits;
mod mask;
mod multikernel;
mod plan;
mod sized;
mod spin;
mod stream_action;

use serde_json::Value;

use super::notes::{Notes, Warning};
use super::section::Section;
use super::{DEFAULT_DURATION, Options};
use base::Nanos;
use blocks::{Device, Workload};
use kit::import::reader::Reader;

pub use mask::tpcs;

/// A configuration that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The name it gives itself.
    pub title: String,
    /// What it asks for. Placement, slicing and the most blocks are defaults: the file says nothing of them.
    pub workload: Workload,
    /// What was assumed or left out, and where.
    pub warnings: Vec<Warning>,
}

/// Reads a configuration for a device; what cannot be run is noted as problems, and then there is no workload.
pub fn read(
    reader: &mut Reader,
    path: &str,
    value: &Value,
    device: &Device,
    options: &Options,
) -> Option<Imported> {
    let before = reader.noted();
    let mut context = Context { reader, notes: Notes::default(), device, options };
    let plan = plan::read(&mut context, path, value, plan::Depth::OUTERMOST)?;
    if context.reader.noted() > before {
        return None;
    }
    let workload = build::workload(&mut context, &plan);
    Some(Imported { title: plan.title, workload, warnings: context.notes.into_warnings() })
}

/// What everything that reads needs.
struct Context<'c> {
    reader: &'c mut Reader,
    notes: Notes,
    device: &'c Device,
    options: &'c Options,
}

impl Context<'_> {
    /// How long a block takes of a benchmark whose time depends on data, and whether someone said so.
    fn duration(&self, name: &str) -> (Nanos, Said) {
        match self.options.durations.get(name) {
            Some(duration) => (*duration, Said::ByOptions),
            None => (DEFAULT_DURATION, Said::ByNobody),
        }
    }

    /// Names keys of a section that are none of `known`.
    fn name_unknown(&mut self, section: &Section<'_>, known: &[&str]) {
        section.name_unknown(&mut self.notes, known);
    }
}

/// Who said how long something takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    ByOptions,
    ByNobody,
}
