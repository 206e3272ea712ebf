//! One event of a trace, with the fields that matter here.
//!
//! An event is read into one that is used again, so that millions of them need no memory of their own.

use crate::json::{Reader, Scalar, Scaled, Stop};

/// An event.
#[derive(Debug, Default)]
pub(super) struct Event {
    pub phase: String,
    pub category: String,
    pub name: String,
    pub process: Option<i64>,
    pub thread: Option<i64>,
    pub start: Option<Scaled>,
    /// How long it took, if that is said; none where it is said and cannot be read.
    pub length: Option<Option<Scaled>>,
    pub args: Args,
}

/// What an event says about itself beyond name and time.
#[derive(Debug, Default)]
pub(super) struct Args {
    pub device: Option<i64>,
    pub context: Option<i64>,
    pub stream: Option<i64>,
    pub priority: Option<i64>,
    pub correlation: Option<i64>,
    pub grid: Option<[u32; 3]>,
    pub block: Option<[u32; 3]>,
    pub registers: Option<u32>,
    pub shared: Option<u64>,
    pub occupancy: Option<f64>,
    pub blocks_each: Option<f64>,
    pub warps_each: Option<f64>,
    pub graph_node: Option<u64>,
    pub bytes: Option<u64>,
    pub waits_for_stream: Option<i64>,
    pub waits_for_call: Option<i64>,
    pub waits_for_event: Option<i64>,
    /// What a thread or a process is called.
    pub called: Option<String>,
}

impl Event {
    /// Reads the next event; whatever is no object is skipped and gives an event without a phase.
    pub fn read(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        self.phase.clear();
        self.category.clear();
        self.name.clear();
        (self.process, self.thread, self.start, self.length) = (None, None, None, None);
        self.args = Args::default();
        if !json.object()? {
            return Ok(());
        }
        while json.key()? {
            match json.bytes() {
                b"ph" => text(json, &mut self.phase)?,
                b"cat" => text(json, &mut self.category)?,
                b"name" => text(json, &mut self.name)?,
                b"pid" => self.process = json.int()?,
                b"tid" => self.thread = json.int()?,
                b"ts" => self.start = json.scaled(3)?,
                b"dur" => self.length = Some(json.scaled(3)?),
                b"args" => self.args.read(json)?,
                _ => json.skip()?,
            }
        }
        Ok(())
    }
}

impl Args {
    fn read(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        if !json.object()? {
            return Ok(());
        }
        while json.key()? {
            match json.bytes() {
                b"device" => self.device = json.int()?,
                b"context" => self.context = json.int()?,
                b"stream" => self.stream = json.int()?,
                b"priority" => self.priority = json.int()?,
                b"correlation" => self.correlation = json.int()?,
                b"grid" => self.grid = json.three()?,
                b"block" => self.block = json.three()?,
                b"registers per thread" => self.registers = json.small()?,
                b"shared memory" => self.shared = json.size()?,
                b"est. achieved occupancy %" => self.occupancy = json.real()?,
                b"blocks per SM" => self.blocks_each = json.real()?,
                b"warps per SM" => self.warps_each = json.real()?,
                b"graph node id" => self.graph_node = json.bits()?.filter(|&node| node != 0),
                b"bytes" => self.bytes = json.size()?,
                b"wait_on_stream" => self.waits_for_stream = json.int()?,
                b"wait_on_cuda_event_record_corr_id" => self.waits_for_call = json.int()?,
                b"wait_on_cuda_event_id" => self.waits_for_event = json.int()?,
                b"name" => {
                    let found = json.scalar()? == Scalar::Text;
                    self.called = found.then(|| json.text().to_owned());
                }
                _ => json.skip()?,
            }
        }
        Ok(())
    }
}

/// Reads a text into a place.
fn text(json: &mut Reader<'_>, into: &mut String) -> Result<(), Stop> {
    into.clear();
    if json.scalar()? == Scalar::Text {
        into.push_str(json.text());
    }
    Ok(())
}
