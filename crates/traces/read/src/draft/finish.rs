//! From a draft to a trace: everything sorted, every place put right, devices on which nothing ran left out.

use super::Draft;
use base::sort::sort_by_key;
use traces::trace::{Does, Source, Trace};

/// An order of a list: which of the draft comes at each place, and where each of the draft went; nothing where all stay
/// where they are.
struct Order {
    from: Vec<u32>,
    to: Vec<u32>,
}

impl Order {
    fn by<T, K: Ord + Clone>(list: &[T], key: impl Fn(&T) -> K) -> Self {
        if list.is_sorted_by_key(&key) {
            return Self { from: Vec::new(), to: Vec::new() };
        }
        let mut keyed: Vec<(K, u32)> = list.iter().map(key).zip(0_u32..).collect();
        traces::woven::sort(&mut keyed);
        let from: Vec<u32> = keyed.into_iter().map(|(_, place)| place).collect();
        let mut to = vec![0; from.len()];
        for (place, old) in (0_u32..).zip(&from) {
            if let Some(new) = to.get_mut(*old as usize) {
                *new = place;
            }
        }
        Self { from, to }
    }

    fn place(&self, old: u32) -> u32 {
        self.to.get(old as usize).copied().unwrap_or(old)
    }

    fn sorted<T: Clone>(&self, list: Vec<T>) -> Vec<T> {
        if self.from.is_empty() {
            return list;
        }
        self.from.iter().filter_map(|&old| list.get(old as usize).cloned()).collect()
    }
}

impl Draft {
    /// Makes the trace.
    pub fn finish(mut self, source: Source) -> Trace {
        self.wait_for_only_devices();
        self.drop_idle_devices();
        let devices = Order::by(&self.devices, |device| device.number);
        let streams = Order::by(&self.streams, |stream| {
            (devices.place(stream.device), stream.process, stream.context, stream.number)
        });
        let threads = Order::by(&self.threads, |thread| (thread.process, thread.number));
        let calls = Order::by(&self.calls, |call| (call.start, call.end));
        let records = Order::by(&self.records, |record| record.at);

        let operations =
            Order::by(&self.operations, |operation| (operation.start, operation.end, operation.id));

        let mut trace = Trace { source, left_out: self.left_out(), ..Trace::default() };
        trace.devices = devices.sorted(self.devices);
        trace.streams = streams.sorted(self.streams);
        trace.streams.iter_mut().for_each(|stream| stream.device = devices.place(stream.device));
        trace.threads = threads.sorted(self.threads);
        trace.calls = calls.sorted(self.calls);
        for call in &mut trace.calls {
            call.thread = threads.place(call.thread);
            call.does = match call.does {
                Does::AwaitStream(stream) => Does::AwaitStream(streams.place(stream)),
                Does::AwaitDevice(device) => Does::AwaitDevice(devices.place(device)),
                Does::AwaitRecord(record) => Does::AwaitRecord(records.place(record)),
                Does::AwaitOperation(own) => Does::AwaitOperation(operations.place(own)),
                does => does,
            };
        }
        trace.records = records.sorted(self.records);
        for record in &mut trace.records {
            record.stream = streams.place(record.stream);
            record.call = record.call.map(|call| calls.place(call));
        }
        trace.waits = self.waits;
        for wait in &mut trace.waits {
            wait.stream = streams.place(wait.stream);
            wait.record = wait.record.map(|record| records.place(record));
            wait.call = wait.call.map(|call| calls.place(call));
        }
        sort_by_key(&mut trace.waits, |wait| wait.at);
        trace.operations = operations.sorted(self.operations);
        for operation in &mut trace.operations {
            operation.stream = streams.place(operation.stream);
            operation.call = operation.call.map(|call| calls.place(call));
        }
        trace.slices = self.slices;
        trace.slices.iter_mut().for_each(|slice| slice.device = devices.place(slice.device));
        sort_by_key(&mut trace.slices, |slice| (slice.device, slice.start, slice.end, slice.process));
        trace.names = self.names.list;
        trace
    }

    /// Leaves out the devices that nothing refers to.
    fn drop_idle_devices(&mut self) {
        let mut used = vec![false; self.devices.len()];
        let awaited = self.calls.iter().filter_map(|call| match call.does {
            Does::AwaitDevice(device) => Some(device),
            _ => None,
        });
        let named = self.streams.iter().map(|stream| stream.device);
        for device in named.chain(self.slices.iter().map(|slice| slice.device)).chain(awaited) {
            if let Some(used) = used.get_mut(device as usize) {
                *used = true;
            }
        }
        let mut to = Vec::with_capacity(used.len());
        let mut next = 0;
        for &used in &used {
            to.push(next);
            next += u32::from(used);
        }
        let idle = used.iter().filter(|used| !**used).count();
        self.leave_out("devices on which nothing ran", idle as u64);
        let mut kept = used.iter();
        self.devices.retain(|_| kept.next().copied().unwrap_or(false));
        let new = |old: u32| to.get(old as usize).copied().unwrap_or_default();
        self.streams.iter_mut().for_each(|stream| stream.device = new(stream.device));
        self.slices.iter_mut().for_each(|slice| slice.device = new(slice.device));
        for call in &mut self.calls {
            if let Does::AwaitDevice(device) = &mut call.does {
                *device = new(*device);
            }
        }
    }
}
