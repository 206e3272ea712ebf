//! Devices with their limits, contexts, streams, threads, and the time slices of processes.

use super::Import;
use super::state::{State, thread};
use crate::source::Halt;
use crate::sqlite::Row;
use std::collections::{BTreeMap, BTreeSet};
use traces::trace::{Limits, Slice, StreamKind};

/// The number of a tag that begins a slice, and of one that ends it, where the file does not name tags.
const BEGINS: i64 = 8;
const ENDS: i64 = 7;

impl Import<'_> {
    pub(super) fn read_devices(&mut self) -> Result<(), Halt> {
        self.rows("TARGET_INFO_CUDA_DEVICE", &["gpuId", "cudaId", "pid"], &mut |state, row| {
            if let (Some(gpu), Some(number), Some(process)) = (row.int(0), row.int(1), row.int(2)) {
                state.gpus.insert((process, number), gpu);
            }
        })?;
        self.rows(
            "TARGET_INFO_CUDA_CONTEXT_INFO",
            &["processId", "contextId", "deviceId", "hwId", "vmId"],
            &mut |state, row| {
                let process =
                    row.int(0).and_then(|number| state.process_told(number, row.int(3).zip(row.int(4))));
                if let (Some(process), Some(context), Some(device)) = (process, row.int(1), row.int(2)) {
                    state.contexts.insert((process, context), device);
                }
            },
        )?;
        let columns = [
            "id",
            "cuDevice",
            "name",
            "computeMajor",
            "computeMinor",
            "smCount",
            "threadsPerWarp",
            "maxWarpsPerSm",
            "maxBlocksPerSm",
            "maxRegistersPerSm",
            "maxShmemPerSm",
            "maxShmemPerBlockOptin",
        ];
        self.rows("TARGET_INFO_GPU", &columns, &mut |state, row| {
            // Operations name GPUs by these numbers where the file ties processes' numbers to them.
            let number = if state.gpus.is_empty() { row.int(1).or_else(|| row.int(0)) } else { row.int(0) };
            let Some(number) = number else { return };
            if state.has_hosts() {
                let what =
                    "descriptions of devices, as the file does not say on which of several hosts they are";
                return state.draft.leave_out(what, 1);
            }
            let place = state.draft.device(0, number);
            if let Some(device) = state.draft.devices.get_mut(place as usize) {
                device.name = row.text(2).unwrap_or_default().into_owned();
                device.limits = limits(row);
            }
        })?;
        Ok(())
    }

    /// Fills in what the file says of streams that something was put into.
    pub(super) fn read_streams(&mut self) -> Result<(), Halt> {
        let columns = ["processId", "contextId", "streamId", "priority", "flag", "hwId", "vmId"];
        self.rows("TARGET_INFO_CUDA_STREAM", &columns, &mut |state, row| {
            let places = state.told_streams(row, row.int(5).zip(row.int(6)));
            if places.is_empty() {
                state.draft.leave_out("streams into which nothing was put", 1);
            }
            for place in places {
                let Some(stream) = state.draft.streams.get_mut(place as usize) else { continue };
                stream.priority = row.int(3).map(priority);
                stream.kind = match row.int(4) {
                    Some(1) => StreamKind::Blocking,
                    Some(2) => StreamKind::NonBlocking,
                    Some(3) => StreamKind::Null,
                    _ => StreamKind::Unknown,
                };
            }
        })?;
        let columns = ["processId", "contextId", "nullStreamId", "hwId", "vmId"];
        self.rows("TARGET_INFO_CUDA_CONTEXT_INFO", &columns, &mut |state, row| {
            for place in state.told_streams(row, row.int(3).zip(row.int(4))) {
                let stream = state.draft.streams.get_mut(place as usize);
                if let Some(stream) = stream.filter(|stream| stream.kind == StreamKind::Unknown) {
                    stream.kind = StreamKind::Null;
                }
            }
        })?;
        Ok(())
    }

    pub(super) fn read_threads(&mut self) -> Result<(), Halt> {
        let mut texts: BTreeMap<i64, Vec<u32>> = BTreeMap::new();
        self.rows("ThreadNames", &["globalTid", "nameId"], &mut |state, row| {
            let (Some(global), Some(name)) = (row.int(0), row.int(1)) else { return };
            if let Some(place) = state.known_thread(global) {
                texts.entry(name).or_default().push(place);
            }
        })?;
        if texts.is_empty() {
            return Ok(());
        }
        self.texts(&|id| texts.contains_key(&id), &mut |state, id, text| {
            for place in texts.get(&id).into_iter().flatten() {
                if let Some(thread) = state.draft.threads.get_mut(*place as usize) {
                    text.clone_into(&mut thread.name);
                }
            }
        })
    }

    /// Pairs the switches of each GPU. The table's contexts are not CUDA's: what counts is the process.
    pub(super) fn read_slices(&mut self) -> Result<(), Halt> {
        let (mut begins, mut ends) = (BTreeSet::new(), BTreeSet::new());
        self.rows("ENUM_GPU_CTX_SWITCH", &["id", "name"], &mut |_, row| {
            let (Some(id), Some(name)) = (row.int(0), row.text(1)) else { return };
            let name = name.to_ascii_uppercase();
            let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
            if has(&["RESTORE_START", "CONTEXT_START", "CTX_START", "BEGIN"]) {
                begins.insert(id);
            } else if has(&["SAVE_END", "CONTEXT_END", "CTX_END"]) {
                ends.insert(id);
            }
        })?;
        if begins.is_empty() || ends.is_empty() {
            (begins, ends) = (BTreeSet::from([BEGINS]), BTreeSet::from([ENDS]));
        }
        let mut switches = Vec::new();
        let columns = ["tag", "timestamp", "globalPid", "gpuId", "contextId", "seqNo"];
        self.rows("GPU_CONTEXT_SWITCH_EVENTS", &columns, &mut |state, row| {
            let tag = row.int(0).filter(|tag| begins.contains(tag) || ends.contains(tag));
            match (tag, row.int(1), row.int(2)) {
                (Some(tag), Some(at), Some(global)) => {
                    let lane = (row.int(3).unwrap_or(0), state.process(global), row.int(4).unwrap_or(0));
                    switches.push((lane, at, row.int(5).unwrap_or(0), begins.contains(&tag)));
                }
                _ => {
                    state.draft.leave_out("switches between contexts of other kinds, or without a process", 1)
                }
            }
        })?;
        if self.state.gpus.is_empty() {
            // Numbers of GPUs are not those of devices, and nothing here says which is which.
            let what = "switches between contexts, as the file does not say which device a GPU is";
            self.state.draft.leave_out(what, switches.len() as u64);
            return Ok(());
        }
        base::sort::sort(&mut switches);
        self.state.pair(&switches);
        Ok(())
    }
}

/// A context on a GPU, of a process.
type Lane = (i64, i64, i64);

impl State {
    /// The streams that a row tells of: process, context and number.
    fn told_streams(&self, row: &Row<'_>, host: Option<(i64, i64)>) -> Vec<u32> {
        let process = row.int(0).and_then(|number| self.process_told(number, host));
        match (process, row.int(1), row.int(2)) {
            (Some(process), Some(context), Some(number)) => self.streams_of(Some(process), context, number),
            _ => Vec::new(),
        }
    }

    /// The place of a thread that has been seen, by its serialised id.
    fn known_thread(&mut self, global: i64) -> Option<u32> {
        let process = self.process(global);
        self.draft.known_thread(process, thread(global))
    }

    fn pair(&mut self, switches: &[(Lane, i64, i64, bool)]) {
        let mut open: Option<(Lane, i64)> = None;
        for &(lane, at, _, begins) in switches {
            match open {
                _ if begins => open = Some((lane, at)),
                Some((opened, start)) if opened == lane => {
                    let device = self.device_of_gpu(lane.1, lane.0);
                    self.draft.slices.push(Slice { device, process: lane.1, start, end: at });
                    open = None;
                }
                _ => self.draft.leave_out("ends of time slices whose beginning was not recorded", 1),
            }
        }
    }
}

/// Priorities are signed, and written without their sign.
fn priority(number: i64) -> i64 {
    u32::try_from(number).map_or(number, |number| i64::from(number.cast_signed()))
}

fn limits(row: &Row<'_>) -> Limits {
    let some = |place: usize| row.small(place).filter(|&number| number > 0);
    let warp = some(6);
    Limits {
        capability: some(3).map(|major| (major, row.small(4).unwrap_or(0))),
        multiprocessors: some(5),
        warp,
        threads: some(7).and_then(|warps| warps.checked_mul(warp?)),
        blocks: some(8),
        registers: some(9),
        shared: some(10).map(u64::from),
        shared_of_block: some(11).map(u64::from),
        shared_reserved: None,
    }
}
