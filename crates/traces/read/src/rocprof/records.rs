//! What was recorded: dispatches of kernels, copies, and calls of HIP.

use super::{Import, Named, each, field, handle};
use crate::draft::Found;
use crate::json::{Reader, Stop};
use traces::trace::{Direction, Kind, Shape, Stream};

/// A record of any kind, as far as it is needed.
#[derive(Debug, Default)]
pub(super) struct Item {
    kind: i64,
    operation: i64,
    thread: i64,
    correlation: Option<i64>,
    start: Option<i64>,
    end: Option<i64>,
    agent: Option<i64>,
    from: Option<i64>,
    to: Option<i64>,
    queue: Option<i64>,
    stream: Option<i64>,
    kernel: i64,
    bytes: u64,
    block: [u32; 3],
    items: [u32; 3],
    shared: Option<u64>,
}

impl Import {
    pub(super) fn records(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        if !json.object()? {
            return Ok(());
        }
        while json.key()? {
            match json.text() {
                "kernel_dispatch" => each(json, &mut |json| {
                    let item = Item::read(json)?;
                    self.kernel(&item);
                    Ok(())
                })?,
                "memory_copy" => each(json, &mut |json| {
                    let item = Item::read(json)?;
                    let number = self.draft.number();
                    self.copies.push((number, item));
                    Ok(())
                })?,
                "hip_api" => each(json, &mut |json| {
                    let item = Item::read(json)?;
                    self.call(&item);
                    Ok(())
                })?,
                other => {
                    let what = format!("records of {}", base::problem::named(other));
                    let mut count = 0;
                    if json.array()? {
                        while json.item()? {
                            json.skip()?;
                            count += 1;
                        }
                    }
                    self.draft.leave_out(&what, count);
                }
            }
        }
        Ok(())
    }

    fn kernel(&mut self, item: &Item) {
        let grid = [0, 1, 2].map(|side| {
            let (items, block) = (item.items.get(side).copied(), item.block.get(side).copied());
            items.zip(block).map_or(0, |(items, block)| items.div_ceil(block.max(1)))
        });
        let shape =
            Shape { grid, block: item.block, registers: None, shared: item.shared, ..Shape::default() };
        let number = self.draft.number();
        let kind = Kind::Kernel(self.draft.shapes.shared(shape));
        self.operation(number, item, item.agent, kind, Named::Symbol(item.kernel));
    }

    /// Adds the copies of a part, whose agents are known now.
    pub(super) fn add_copies(&mut self) {
        for (number, item) in std::mem::take(&mut self.copies) {
            self.copy(number, &item);
        }
    }

    fn copy(&mut self, number: u32, item: &Item) {
        let is_gpu = |agent: Option<i64>| {
            agent.filter(|agent| self.agents.get(agent).is_none_or(|agent| agent.gpu)).is_some()
        };
        let (from, to) = (is_gpu(item.from), is_gpu(item.to));
        let direction = match (from, to) {
            (true, true) if item.from == item.to => Direction::Within,
            (true, true) => Direction::Between,
            (true, false) => Direction::ToHost,
            (false, true) => Direction::ToDevice,
            (false, false) => Direction::Other,
        };
        let agent = if to { item.to } else { item.from };
        self.operation(
            number,
            item,
            agent,
            Kind::Copy(direction, item.bytes),
            Named::Operation(item.kind, item.operation),
        );
    }

    fn operation(&mut self, id: u32, item: &Item, agent: Option<i64>, kind: Kind, named: Named) {
        let (Some(agent), Some(start), Some(end)) = (agent, item.start, item.end) else {
            return self.draft.leave_out("operations without an agent or a time", 1);
        };
        let number = item.stream.or(item.queue).unwrap_or(-1);
        let process = self.process;
        let stream = self.draft.stream([process, agent, 0, number], |draft| Stream {
            device: draft.device(0, agent),
            process,
            number,
            ..Stream::default()
        });
        if self.draft.numbered(id, Found { stream, name: 0, start, end, graph_node: false, kind }).is_some() {
            self.correlations.push(item.correlation);
            self.kernels.push((process, named));
        }
    }

    fn call(&mut self, item: &Item) {
        let (Some(start), Some(end)) = (item.start, item.end) else {
            return self.draft.leave_out("calls without a time", 1);
        };
        let thread = self.draft.thread(self.process, item.thread);
        let Some(place) = self.draft.call(thread, 0, start, end) else { return };
        self.calls.push((self.process, Named::Operation(item.kind, item.operation)));
        if let Some(number) = item.correlation {
            self.joins.add(self.process, number, start, place);
        }
    }
}

impl Item {
    fn read(json: &mut Reader<'_>) -> Result<Self, Stop> {
        let mut item = Self::default();
        while json.key()? {
            match json.text() {
                "kind" => item.kind = json.int()?.unwrap_or(-1),
                "operation" => item.operation = json.int()?.unwrap_or(-1),
                "thread_id" => item.thread = json.int()?.unwrap_or(0),
                "correlation_id" => item.correlation = field(json, "internal")?.filter(|&number| number != 0),
                "start_timestamp" => item.start = json.int()?,
                "end_timestamp" => item.end = json.int()?,
                "stream_id" => item.stream = handle(json)?,
                "src_agent_id" => item.from = handle(json)?,
                "dst_agent_id" => item.to = handle(json)?,
                "bytes" => item.bytes = json.size()?.unwrap_or(0),
                "dispatch_info" => item.dispatch(json)?,
                _ => json.skip()?,
            }
        }
        Ok(item)
    }

    fn dispatch(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        if !json.object()? {
            return Ok(());
        }
        while json.key()? {
            match json.text() {
                "agent_id" => self.agent = handle(json)?,
                "queue_id" => self.queue = handle(json)?,
                "kernel_id" => self.kernel = json.int()?.unwrap_or(-1),
                "group_segment_size" => self.shared = json.size()?,
                "workgroup_size" => self.block = sides(json)?,
                "grid_size" => self.items = sides(json)?,
                _ => json.skip()?,
            }
        }
        Ok(())
    }
}

/// `{"x": 1, "y": 1, "z": 1}`.
fn sides(json: &mut Reader<'_>) -> Result<[u32; 3], Stop> {
    let [mut x, mut y, mut z] = [1; 3];
    if json.object()? {
        while json.key()? {
            match json.text() {
                "x" => x = json.small()?.unwrap_or(0),
                "y" => y = json.small()?.unwrap_or(0),
                "z" => z = json.small()?.unwrap_or(0),
                _ => json.skip()?,
            }
        }
    }
    Ok([x, y, z])
}
