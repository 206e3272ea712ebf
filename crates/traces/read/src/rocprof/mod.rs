//! rocprofv3's JSON: kernel dispatches, copies, calls of HIP, agents and the names of kernels.
//!
//! Grids are told in work-items, and become blocks. Operations lie in streams where the file has them, else in queues.
//! Names and agents may come before or after what refers to them, so all are put together at the end.
//!
//! Invariant: a file that is cut off gives what came before, and numbers where names are missing.

mod finish;
mod records;

use crate::draft::{Draft, Joins};
use crate::json::{Reader, Scalar, Stop};
use crate::source::Feed;
use base::Problem;
use records::Item;
use std::collections::BTreeMap;
use traces::Trace;

/// A file being read.
#[derive(Default)]
struct Import {
    draft: Draft,
    joins: Joins,
    /// The number of the call of every operation.
    correlations: Vec<Option<i64>>,
    /// The processes of the file's parts; until the end, a part's place here stands for its process.
    processes: Vec<Option<i64>>,
    /// The part that is read.
    process: i64,
    /// Copies of the part: of what kind they are, its agents say, which may come after them.
    copies: Vec<(u32, Item)>,
    agents: BTreeMap<i64, Agent>,
    symbols: BTreeMap<(i64, i64), Symbol>,
    /// Names of operations, by process, kind and number.
    names: BTreeMap<(i64, i64, i64), String>,
    /// What kernels and calls are called, as numbers, in the order of `draft`.
    kernels: Vec<(i64, Named)>,
    calls: Vec<(i64, Named)>,
    found: bool,
}

/// What gives something its name.
#[derive(Debug, Clone, Copy)]
enum Named {
    Symbol(i64),
    Operation(i64, i64),
}

/// A processor.
#[derive(Debug, Clone, Default)]
struct Agent {
    gpu: bool,
    number: Option<i64>,
    node: Option<i64>,
    name: String,
    units: Option<u32>,
    wave: Option<u32>,
    waves: Option<u32>,
    shared: Option<u64>,
}

/// A kernel as it was compiled.
#[derive(Debug, Clone, Default)]
struct Symbol {
    name: String,
    registers: Option<u32>,
}

/// Reads a file.
pub fn read(feed: &mut dyn Feed) -> Result<Trace, Vec<Problem>> {
    let mut json = Reader::new(feed);
    let mut import = Import::default();
    let stop = import.document(&mut json).err();
    if !import.found && stop.is_none() {
        return Err(vec![Problem::at("file", "no rocprofiler-sdk-tool", "JSON of rocprofv3")]);
    }
    crate::ended(&json, stop, import.draft.operations.len() + import.draft.calls.len(), &mut import.draft)?;
    Ok(import.finish())
}

/// Does something with every object in an array.
fn each(
    json: &mut Reader<'_>,
    on_object: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    if !json.array()? {
        return Ok(());
    }
    while json.item()? {
        if json.object()? {
            on_object(json)?;
        }
    }
    Ok(())
}

/// The number within `{"handle": number}`, or a number.
fn handle(json: &mut Reader<'_>) -> Result<Option<i64>, Stop> {
    field(json, "handle")
}

/// One field of an object, or a number.
fn field(json: &mut Reader<'_>, name: &str) -> Result<Option<i64>, Stop> {
    if json.peek()? != b'{' {
        return json.int();
    }
    let mut found = None;
    json.object()?;
    while json.key()? {
        if json.text() == name { found = json.int()? } else { json.skip()? }
    }
    Ok(found)
}

/// A text; what is none gives none.
fn text(json: &mut Reader<'_>) -> Result<Option<String>, Stop> {
    Ok((json.scalar()? == Scalar::Text).then(|| json.text().to_owned()))
}

impl Import {
    fn document(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        if !json.object()? {
            return Ok(());
        }
        while json.key()? {
            if json.text() == "rocprofiler-sdk-tool" {
                self.found = true;
                each(json, &mut |json| self.run(json))?;
            } else {
                json.skip()?;
            }
        }
        Ok(())
    }

    /// One process's part.
    fn run(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        self.process = i64::try_from(self.processes.len()).unwrap_or(i64::MAX);
        self.processes.push(None);
        let read = self.part(json);
        // Also of a part that is cut off.
        self.add_copies();
        read
    }

    fn part(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        while json.key()? {
            match json.text() {
                "metadata" => {
                    let process = field(json, "pid")?;
                    if let Some(last) = self.processes.last_mut() {
                        *last = process;
                    }
                }
                "agents" => each(json, &mut |json| self.agent(json))?,
                "strings" => self.strings(json)?,
                "kernel_symbols" => each(json, &mut |json| self.symbol(json))?,
                "buffer_records" => self.records(json)?,
                _ => json.skip()?,
            }
        }
        Ok(())
    }

    fn agent(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        let (mut agent, mut id, mut product) = (Agent::default(), None, None);
        while json.key()? {
            match json.text() {
                "id" => id = handle(json)?,
                "type" => agent.gpu = json.int()? == Some(2),
                "node_id" => agent.node = json.int()?,
                "logical_node_type_id" => agent.number = json.int()?,
                "name" => agent.name = text(json)?.unwrap_or_default(),
                "product_name" => product = text(json)?,
                "cu_count" => agent.units = json.small()?,
                "wave_front_size" => agent.wave = json.small()?,
                "max_waves_per_cu" => agent.waves = json.small()?,
                "lds_size_in_kb" => agent.shared = json.size()?.and_then(|size| size.checked_mul(1024)),
                _ => json.skip()?,
            }
        }
        if let Some(product) = product.filter(|product| !product.is_empty()) {
            agent.name = product;
        }
        if let Some(id) = id {
            self.agents.insert(id, agent);
        }
        Ok(())
    }

    fn symbol(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        let (mut id, mut name, mut raw) = (None, None, None);
        let (mut vector, mut matrix) = (None, None);
        while json.key()? {
            match json.text() {
                "kernel_id" => id = json.int()?,
                "formatted_kernel_name" => name = text(json)?,
                "kernel_name" => raw = text(json)?,
                "arch_vgpr_count" => vector = json.small()?,
                "accum_vgpr_count" => matrix = json.small()?,
                _ => json.skip()?,
            }
        }
        let registers = vector.map(|vector: u32| vector.saturating_add(matrix.unwrap_or(0)));
        if let Some(id) = id {
            let name = name.or(raw).unwrap_or_default();
            self.symbols.insert((self.process, id), Symbol { name, registers });
        }
        Ok(())
    }

    /// The names of what buffers record.
    fn strings(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        if !json.object()? {
            return Ok(());
        }
        while json.key()? {
            if json.text() != "buffer_records" {
                json.skip()?;
                continue;
            }
            let mut kind = 0;
            each(json, &mut |json| {
                self.kind(json, kind)?;
                kind += 1;
                Ok(())
            })?;
        }
        Ok(())
    }

    fn kind(&mut self, json: &mut Reader<'_>, kind: i64) -> Result<(), Stop> {
        while json.key()? {
            if json.text() != "operations" {
                json.skip()?;
                continue;
            }
            if !json.array()? {
                continue;
            }
            let mut operation = 0;
            while json.item()? {
                if let Some(name) = text(json)? {
                    self.names.insert((self.process, kind, operation), name);
                }
                operation += 1;
            }
        }
        Ok(())
    }
}
