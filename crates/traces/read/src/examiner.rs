//! Logs of the scheduling examiner: kernels block by block, as one file for each stream.
//!
//! A log is read here where it is of one run with other recordings; alone it is for the rules that are checked block by
//! block. A kernel runs from its first block's start to its last one's end. Times are decimal seconds, exact.
//!
//! Invariant: what says nothing of time on the device is counted and left out; a log that is cut off gives what was sound.

use crate::draft::{Draft, Found};
use crate::json::{Reader, Scalar, Scaled, Stop};
use crate::source::Feed;
use base::Problem;
use traces::Trace;
use traces::trace::{Does, Kind, Shape, Source, Stream};

/// A log being read.
#[derive(Default)]
struct Import {
    draft: Draft,
    label: String,
    process: i64,
    thread: i64,
    launches: Vec<Launch>,
    /// Whether there was a list of times.
    listed: bool,
}

/// A kernel that was launched.
#[derive(Default)]
struct Launch {
    name: String,
    blocks: Option<u32>,
    threads: Option<u32>,
    shared: Option<u64>,
    called: Vec<Option<Scaled>>,
    ran: Vec<Option<Scaled>>,
    found: bool,
}

/// Reads a log.
pub fn read(feed: &mut dyn Feed) -> Result<Trace, Vec<Problem>> {
    let mut json = Reader::new(feed);
    let mut import = Import::default();
    let stop = import.document(&mut json).err();
    if !import.listed && stop.is_none() {
        return Err(vec![Problem::at("file", "no list of times", "a log of the scheduling examiner")]);
    }
    crate::ended(&json, stop, import.launches.len(), &mut import.draft)?;
    Ok(import.finish())
}

impl Import {
    fn document(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        if !json.object()? {
            return Ok(());
        }
        while json.key()? {
            match json.text() {
                "label" => {
                    if json.scalar()? == Scalar::Text {
                        json.text().clone_into(&mut self.label);
                    }
                }
                "PID" => self.process = json.int()?.unwrap_or(0),
                "TID" => self.thread = json.int()?.unwrap_or(0),
                "times" => self.times(json)?,
                _ => json.skip()?,
            }
        }
        Ok(())
    }

    fn times(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        if !json.array()? {
            return Ok(());
        }
        self.listed = true;
        while json.item()? {
            if !json.object()? {
                continue;
            }
            let mut launch = Launch::default();
            let read = launch.read(json);
            // Also of one that is cut off.
            if launch.found {
                self.launches.push(launch);
            }
            read?;
        }
        Ok(())
    }

    fn finish(mut self) -> Trace {
        let device = self.draft.device(0, 0);
        let (process, number) = (self.process, self.thread);
        let stream = self.draft.stream([0, process, 0, number], |_| Stream {
            device,
            process,
            number,
            ..Stream::default()
        });
        let thread = self.draft.thread(process, number);
        if let Some(own) = self.draft.threads.get_mut(thread as usize) {
            own.name = std::mem::take(&mut self.label);
        }
        for launch in std::mem::take(&mut self.launches) {
            self.launch(stream, thread, &launch);
        }
        self.draft.finish(Source::Examiner)
    }

    fn launch(&mut self, stream: u32, thread: u32, launch: &Launch) {
        let time = |found: Option<&Option<Scaled>>| found.copied().flatten().map(|found| found.value);
        let nanos =
            |all: &[Option<Scaled>]| all.iter().copied().flatten().map(|own| own.value).collect::<Vec<_>>();
        let ran = nanos(&launch.ran);
        let expected = launch.blocks.map_or(ran.len(), |blocks| 2 * blocks as usize);
        let missing = expected.saturating_sub(ran.len()).div_ceil(2);
        self.draft.leave_out("blocks of which the log has no times", missing as u64);
        let called = [time(launch.called.first()), time(launch.called.get(1)), time(launch.called.get(2))];
        let call = match called {
            [Some(before), Some(after), _] => self.call(thread, "cudaLaunchKernel", before, after),
            _ => None,
        };
        if let [_, Some(after), Some(done)] = called
            && done > after
            && let Some(wait) = self.call(thread, "cudaStreamSynchronize", after, done)
        {
            self.draft.call_does(wait, Does::AwaitStream(stream));
        }
        let (Some(&start), Some(&end)) = (ran.iter().min(), ran.iter().max()) else {
            return self.draft.leave_out("kernels without the time of any block", 1);
        };
        let one = |number: Option<u32>| [number.unwrap_or(0), 1, 1];
        let shape = Shape {
            grid: one(launch.blocks),
            block: one(launch.threads),
            shared: launch.shared,
            ..Shape::default()
        };
        let name = self.draft.names.place(&launch.name);
        let found = Found {
            stream,
            name,
            start,
            end,
            graph_node: false,
            kind: Kind::Kernel(self.draft.shapes.shared(shape)),
        };
        if let Some(place) = self.draft.operation(found)
            && let Some(own) = self.draft.operations.get_mut(place as usize)
        {
            own.call = call;
        }
        let what = "times of blocks, which warpspan check and Blocks hold against the rules";
        self.draft.leave_out(what, (ran.len() / 2) as u64);
    }

    fn call(&mut self, thread: u32, name: &str, start: i64, end: i64) -> Option<u32> {
        let name = self.draft.names.place(name);
        self.draft.call(thread, name, start, end)
    }
}

impl Launch {
    fn read(&mut self, json: &mut Reader<'_>) -> Result<(), Stop> {
        while json.key()? {
            match json.text() {
                "kernel_name" => {
                    if json.scalar()? == Scalar::Text {
                        json.text().clone_into(&mut self.name);
                    }
                }
                "block_count" => self.blocks = json.small()?,
                "thread_count" => self.threads = json.small()?,
                "shared_memory" => self.shared = json.size()?,
                "cuda_launch_times" => {
                    self.found = true;
                    numbers(json, &mut self.called)?;
                }
                "block_times" => {
                    self.found = true;
                    numbers(json, &mut self.ran)?;
                }
                _ => json.skip()?,
            }
        }
        Ok(())
    }
}

/// Reads a list of seconds, as nanoseconds.
fn numbers(json: &mut Reader<'_>, into: &mut Vec<Option<Scaled>>) -> Result<(), Stop> {
    if !json.array()? {
        return Ok(());
    }
    while json.item()? {
        into.push(json.scaled(9)?);
    }
    Ok(())
}
