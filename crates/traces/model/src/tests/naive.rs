//! The twin: definitions applied to every pair, and idle time marked nanosecond by nanosecond.

mod before;
mod latency;

use crate::account::Scope;
use crate::cause::Cause;
use crate::order::NONE;
use crate::trace::{Direction, Does, Kind, Shape, StreamKind, Trace};

/// A time and the operation whose end it is.
type Passed = Option<(i64, u32)>;

pub struct Naive<'a>(pub &'a Trace);

/// A cause, the time that it permits, and the operation to blame.
pub type Known = (Cause, i64, u32);

impl Naive<'_> {
    fn end(&self, operation: u32) -> i64 {
        self.0.operations[operation as usize].end
    }

    fn all(&self) -> std::ops::Range<u32> {
        0..self.0.operations.len() as u32
    }

    fn calls(&self, operation: u32) -> Option<(i64, i64)> {
        let call = self.0.operations[operation as usize].call?;
        Some((self.0.calls[call as usize].start, self.0.calls[call as usize].end))
    }

    fn stream(&self, stream: u32) -> Vec<u32> {
        self.all().filter(|&own| self.0.operations[own as usize].stream == stream).collect()
    }

    fn from(&self, operation: u32) -> Option<i64> {
        let mates = self.stream(self.0.operations[operation as usize].stream);
        mates.into_iter().filter(|&mate| mate <= operation).filter_map(|mate| Some(self.calls(mate)?.0)).max()
    }

    fn by(&self, operation: u32) -> Option<i64> {
        let mates = self.stream(self.0.operations[operation as usize].stream);
        mates.into_iter().filter(|&mate| mate >= operation).filter_map(|mate| Some(self.calls(mate)?.1)).min()
    }

    /// What a stream certainly held by a time.
    fn held(&self, stream: u32, time: i64) -> Vec<u32> {
        self.stream(stream).into_iter().filter(|&own| self.by(own).is_some_and(|by| by <= time)).collect()
    }

    fn last(&self, of: impl IntoIterator<Item = u32>) -> Passed {
        of.into_iter().map(|own| (self.end(own), own)).max()
    }

    /// The first operation of a batch, and the operation before it.
    fn before(&self, operation: u32) -> (u32, Option<u32>) {
        let own = |place: u32| &self.0.operations[place as usize];
        let mates = self.stream(own(operation).stream);
        let mut at = mates.iter().position(|&mate| mate == operation).unwrap();
        let joins = |one: u32, other: u32| {
            own(one).call.is_some()
                && own(one).call == own(other).call
                && own(one).graph_node
                && own(other).graph_node
        };
        while at > 0 && joins(mates[at - 1], mates[at]) {
            at -= 1;
        }
        (mates[at], at.checked_sub(1).map(|before| mates[before]))
    }

    fn since(&self, wait: usize) -> i64 {
        let told = |wait: &crate::trace::Wait| {
            wait.call.map_or(wait.at, |call| self.0.calls[call as usize].end.max(wait.at))
        };
        let own = &self.0.waits[wait];
        self.0.waits[..=wait].iter().filter(|other| other.stream == own.stream).map(told).max().unwrap()
    }

    /// When a wait and those before it in its stream were passed.
    pub fn passed(&self, wait: usize) -> Passed {
        let own = &self.0.waits[wait];
        let mine = (0..=wait).filter(|&other| self.0.waits[other].stream == own.stream);
        mine.filter_map(|other| {
            let told = &self.0.waits[other];
            told.record.filter(|&record| self.0.records[record as usize].at <= told.at)
        })
        .filter_map(|record| self.record(record as usize))
        .max()
    }

    fn holding(&self, stream: u32, time: i64) -> Option<usize> {
        let waits = (0..self.0.waits.len()).filter(|&wait| self.0.waits[wait].stream == stream);
        waits.filter(|&wait| self.since(wait) <= time).max()
    }

    fn record(&self, record: usize) -> Passed {
        let own = &self.0.records[record];
        let streams = self.with_blocking(own.stream);
        let held = self.last(streams.into_iter().flat_map(|stream| self.held(stream, own.at)));
        let waits = (0..self.0.waits.len()).filter(|&wait| {
            self.0.waits[wait].stream == own.stream
                && self.0.waits[wait].at < own.at
                && self.since(wait) <= own.at
        });
        held.max(waits.max().and_then(|wait| self.passed(wait)))
    }

    /// A stream and, if it is a null stream, the blocking ones of its context on its device.
    fn with_blocking(&self, stream: u32) -> Vec<u32> {
        let group = |stream: &crate::trace::Stream| (stream.device, stream.process, stream.context);
        let own = &self.0.streams[stream as usize];
        let beside = (0..self.0.streams.len() as u32).filter(|&other| {
            let other = &self.0.streams[other as usize];
            own.kind == StreamKind::Null && other.kind == StreamKind::Blocking && group(other) == group(own)
        });
        std::iter::once(stream).chain(beside).collect()
    }

    pub fn waited(&self, call: usize) -> u32 {
        let own = &self.0.calls[call];
        let process = self.0.threads[own.thread as usize].process;
        let of = |device: Option<u32>| {
            (0..self.0.streams.len() as u32).filter(move |&stream| {
                let stream = &self.0.streams[stream as usize];
                stream.process == process && device.is_none_or(|device| stream.device == device)
            })
        };
        let passed = match own.does {
            Does::Other => None,
            Does::AwaitStream(stream) => {
                let all = self.with_blocking(stream);
                let told = self.holding(stream, own.start).filter(|_| all.len() == 1);
                let held = self.last(all.into_iter().flat_map(|one| self.held(one, own.start)));
                held.max(told.and_then(|wait| self.passed(wait)))
            }
            Does::AwaitOperation(operation) => {
                Some((self.end(operation), operation)).filter(|passed| passed.0 <= own.end)
            }
            Does::AwaitDevice(device) => {
                self.last(of(Some(device)).flat_map(|stream| self.held(stream, own.start)))
            }
            Does::AwaitRecord(record) if self.0.records[record as usize].at <= own.start => {
                self.record(record as usize)
            }
            Does::AwaitRecord(_) => None,
            Does::AwaitUnknown => {
                let ended =
                    of(None).flat_map(|stream| self.stream(stream)).filter(|&one| self.end(one) <= own.end);
                let here = |one: u32| {
                    self.by(one).is_some_and(|by| by <= own.start)
                        || self.0.operations[one as usize].call == Some(call as u32)
                };
                self.last(ended).filter(|last| last.0 > own.start && here(last.1))
            }
        };
        passed.filter(|passed| passed.0 <= own.end.saturating_add(1_000_000)).map_or(NONE, |passed| passed.1)
    }

    /// Everything that is known to hold an operation back.
    pub fn known(&self, operation: u32) -> Vec<Known> {
        let trace = self.0;
        let own = &trace.operations[operation as usize];
        let mut known: Vec<Known> =
            self.calls(operation).iter().map(|call| (Cause::Launch, call.0, NONE)).collect();
        let (first, before) = self.before(operation);
        let mates = self.stream(own.stream);
        if before.is_some() {
            let (time, last) = self.last(mates.iter().copied().filter(|&mate| mate < first)).unwrap();
            known.push((Cause::Stream, time, last));
        }
        let nodes = mates.iter().copied().filter(|&mate| mate >= first && mate < operation);
        if let Some((time, last)) = self.last(nodes.filter(|&mate| self.end(mate) <= own.start)) {
            known.push((Cause::Stream, time, last));
        }
        let holding = |place: u32| self.from(place).and_then(|from| self.holding(own.stream, from));
        let wait = holding(operation).filter(|&wait| Some(wait) != before.and_then(holding));
        known.extend(wait.and_then(|wait| self.passed(wait)).map(|(time, last)| (Cause::Event, time, last)));
        known.extend(self.nulls(operation, before));
        known.extend(self.engine(operation).map(|copy| (Cause::CopyEngine, self.end(copy), copy)));
        known.extend(self.room(operation).map(|(until, holding)| (Cause::Room, until, holding)));
        let latest = known.iter().map(|known| known.1).max();
        known.extend(
            latest.and_then(|latest| self.slice(operation, latest)).map(|at| (Cause::Process, at, NONE)),
        );
        known
    }

    fn nulls(&self, operation: u32, before: Option<u32>) -> Vec<Known> {
        let own = &self.0.streams[self.0.operations[operation as usize].stream as usize];
        let other = match own.kind {
            StreamKind::Null => StreamKind::Blocking,
            StreamKind::Blocking => StreamKind::Null,
            _ => return Vec::new(),
        };
        let group = |stream: &crate::trace::Stream| (stream.device, stream.process, stream.context);
        let others = (0..self.0.streams.len() as u32).filter(|&stream| {
            let stream = &self.0.streams[stream as usize];
            stream.kind == other && group(stream) == group(own)
        });
        let held = |stream: u32, place: Option<u32>| {
            place.and_then(|place| self.from(place)).map_or(Vec::new(), |from| self.held(stream, from))
        };
        let fresh = others.filter(|&stream| held(stream, Some(operation)).len() > held(stream, before).len());
        let mut last: Vec<u32> = fresh.map(|stream| *held(stream, Some(operation)).last().unwrap()).collect();
        // In the order of streams.
        last.sort_by_key(|&one| self.0.operations[one as usize].stream);
        let upto = |one: u32| {
            self.stream(self.0.operations[one as usize].stream).into_iter().filter(move |&mate| mate <= one)
        };
        last.into_iter()
            .filter_map(|one| self.last(upto(one)))
            .map(|(time, one)| (Cause::NullStream, time, one))
            .collect()
    }

    /// The copy engine that an operation needs.
    fn line(&self, place: u32) -> Option<(u32, Direction)> {
        let own = &self.0.operations[place as usize];
        match own.kind {
            Kind::Copy(way @ (Direction::ToDevice | Direction::ToHost), _) => {
                Some((self.0.streams[own.stream as usize].device, way))
            }
            _ => None,
        }
    }

    fn engine(&self, operation: u32) -> Option<u32> {
        let own = self.line(operation)?;
        let mates: Vec<u32> = self.all().filter(|&mate| self.line(mate) == Some(own)).collect();
        let overlap =
            mates.windows(2).any(|pair| self.end(pair[0]) > self.0.operations[pair[1] as usize].start);
        mates.into_iter().filter(|&mate| mate < operation && !overlap).max()
    }

    fn shape(&self, operation: u32) -> Option<Shape> {
        match &self.0.operations[operation as usize].kind {
            Kind::Kernel(shape) => Some(**shape),
            _ => None,
        }
    }

    /// Whether a multiprocessor holds so many blocks of kernels, as the twin's devices are; none where a need that
    /// decides it is not known.
    fn fit(&self, blocks: &[(u64, Shape)]) -> Option<bool> {
        let warps = |shape: &Shape| u64::from(shape.block[0]).div_ceil(32);
        let sum = |of: &dyn Fn(&Shape) -> Option<u64>| -> Option<u64> {
            blocks.iter().map(|(count, shape)| Some(count * of(shape)?)).sum()
        };
        if sum(&|shape| Some(warps(shape)))? > 4 {
            return Some(false);
        }
        let registers =
            |shape: &Shape| Some((u64::from(shape.registers?) * 32).div_ceil(256) * 256 * warps(shape));
        let shared = sum(&|shape| Some((shape.shared? + 1_024).div_ceil(128) * 128))?;
        Some(sum(&registers)? <= 65_536 && shared <= 8192 && sum(&|_| Some(1))? <= 4)
    }

    /// Until when a kernel fills its device, and with how many blocks on a multiprocessor.
    fn fills(&self, holding: u32) -> Option<(i64, u64)> {
        let shape = self.shape(holding)?;
        shape.registers?;
        let blocks = (1..).take_while(|&count| self.fit(&[(count, shape)]) == Some(true)).last()?;
        let (grid, capacity) = (u64::from(shape.grid[0]), 2 * blocks);
        let own = &self.0.operations[holding as usize];
        let length = own.nanos() * (grid / capacity) / grid.div_ceil(capacity);
        (grid >= capacity).then_some((own.start + i64::try_from(length).unwrap(), blocks))
    }

    /// Until when there was no room for a kernel, and beside which one.
    fn room(&self, operation: u32) -> Option<(i64, u32)> {
        let own = |place: u32| &self.0.operations[place as usize];
        let stream = |place: u32| &self.0.streams[own(place).stream as usize];
        let wanted = self.shape(operation)?;
        let kernels =
            |&mate: &u32| self.shape(mate).is_some() && stream(mate).device == stream(operation).device;
        let mates: Vec<u32> = self.all().filter(kernels).collect();
        let alone = |holding: u32| {
            self.fills(holding).is_some_and(|(until, _)| {
                mates.iter().all(|&mate| {
                    mate == holding
                        || mate < holding && self.end(mate) <= own(holding).start
                        || mate > holding && own(mate).start >= until
                })
            })
        };
        let holding = mates.iter().copied().filter(|&mate| mate < operation && alone(mate)).max()?;
        let (until, blocks) = self.fills(holding)?;
        let apart = own(holding).stream != own(operation).stream
            && stream(holding).process == stream(operation).process;
        let none = self.fit(&[(blocks, self.shape(holding)?), (1, wanted)]) == Some(false);
        (none && apart && until <= own(operation).start).then_some((until, holding))
    }

    fn slice(&self, operation: u32, latest: i64) -> Option<i64> {
        let own = &self.0.operations[operation as usize];
        let stream = &self.0.streams[own.stream as usize];
        let here = self.0.slices.iter().filter(|slice| slice.device == stream.device);
        let mine = here.clone().filter(|slice| slice.process == stream.process && slice.start <= own.start);
        let mine = mine.max_by_key(|slice| (slice.start, slice.end))?;
        let mut others = here.filter(|slice| slice.process != stream.process && slice.start < mine.start);
        let held = mine.end >= own.start && mine.start > latest && others.any(|slice| slice.end > latest);
        held.then_some(mine.start)
    }

    /// In which call a thread is at a time, laid flat.
    fn owner(&self, call: u32) -> u32 {
        let own = &self.0.calls[call as usize];
        let around = (0..call).rev().find(|&other| {
            let other = &self.0.calls[other as usize];
            other.thread == own.thread && other.end > own.start
        });
        let around = around.map(|around| self.owner(around));
        let waits = |call: &u32| self.0.calls[*call as usize].does != Does::Other;
        around
            .filter(|around| waits(around) && !waits(&call) && self.0.calls[*around as usize].end >= own.end)
            .unwrap_or(call)
    }

    fn host(&self, launch: u32, time: i64) -> Cause {
        let thread = self.0.calls[launch as usize].thread;
        let open = self
            .0
            .calls
            .iter()
            .zip(0..)
            .filter(|(call, _)| call.thread == thread && call.start <= time && time < call.end);
        let Some(owner) = open.last().map(|(_, place)| self.owner(place)) else { return Cause::Launch };
        let waited = self.waited(owner as usize);
        let really = waited != NONE && self.end(waited) > self.0.calls[owner as usize].start;
        if really { Cause::HostWait } else { Cause::Launch }
    }

    fn in_scope(&self, scope: Scope, operation: u32) -> bool {
        let stream = self.0.operations[operation as usize].stream;
        match scope {
            Scope::Stream(one) => stream == one,
            Scope::Device(device) => self.0.streams[stream as usize].device == device,
        }
    }

    /// The nanoseconds of an interval in which something runs, but no kernel.
    pub fn only_copies(&self, scope: Scope, start: i64, end: i64) -> u64 {
        let runs = |time: i64, kernels: bool| {
            self.all().filter(|&place| self.in_scope(scope, place)).any(|place| {
                let own = &self.0.operations[place as usize];
                own.start <= time && time < own.end && (!kernels || matches!(own.kind, Kind::Kernel(_)))
            })
        };
        (start..end).filter(|&time| runs(time, false) && !runs(time, true)).count() as u64
    }

    /// The operation that ends the idle stretch in which a nanosecond lies; none where something runs.
    fn ended_by(&self, scope: Scope, time: i64) -> Option<u32> {
        let trace = self.0;
        let mine: Vec<u32> = self.all().filter(|&own| self.in_scope(scope, own)).collect();
        let runs = |&own: &u32| trace.operations[own as usize].start <= time && time < self.end(own);
        if mine.iter().any(runs) {
            return None;
        }
        let begins = |own: &u32| trace.operations[*own as usize].start;
        let start = mine.iter().map(begins).filter(|&start| start > time).min()?;
        let permitted = |own: u32| self.not_refuted(own).iter().map(|known| known.1).max();
        let together: Vec<u32> = mine.into_iter().filter(|own| begins(own) == start).collect();
        let stream = |own: u32| trace.operations[own as usize].stream;
        let first =
            |own: &&u32| together.iter().all(|other| other >= *own || stream(*other) != stream(**own));
        together.iter().filter(first).copied().min_by_key(|&own| (permitted(own), own))
    }

    /// What may be blamed for the start of an operation and had happened by then, but for launches.
    fn not_refuted(&self, own: u32) -> Vec<Known> {
        let start = self.0.operations[own as usize].start;
        let mut known = self.blamed(own);
        if known.iter().any(|known| known.1 > start) {
            known.retain(|known| known.1 <= start || known.0 == Cause::Launch);
        }
        known
    }

    /// What a nanosecond is: none where something runs, else a cause.
    pub fn nanosecond(&self, scope: Scope, time: i64, latency: &[[u64; 4]]) -> Option<Cause> {
        let trace = self.0;
        let next = self.ended_by(scope, time)?;
        let start = trace.operations[next as usize].start;
        let known = self.not_refuted(next);
        let latest = known.iter().map(|known| known.1).max();
        let Some(latest) = latest else { return Some(Cause::Unexplained) };
        let cause = known.iter().filter(|known| known.1 == latest).map(|known| known.0).min().unwrap();
        if time < latest {
            let call = trace.operations[next as usize].call;
            return Some(if cause == Cause::Launch { self.host(call.unwrap(), time) } else { cause });
        }
        let call = trace.operations[next as usize].call.map(|call| &trace.calls[call as usize]);
        let own_wait = call.is_some_and(|call| call.does == Does::AwaitOperation(next));
        let call = call.filter(|_| cause == Cause::Launch || !own_wait);
        let ready = call.map_or(latest, |call| call.end).min(start).max(latest);
        let device = trace.streams[trace.operations[next as usize].stream as usize].device;
        let kernel = usize::from(matches!(trace.operations[next as usize].kind, Kind::Kernel(_)));
        Some(match time {
            _ if time < ready => Cause::Launch,
            _ if (time - ready).unsigned_abs() < latency[device as usize][kernel] => Cause::Latency,
            _ if call.is_some_and(|call| {
                time < call.end.saturating_add_unsigned(latency[device as usize][2 + kernel])
            }) =>
            {
                Cause::Latency
            }
            _ => Cause::Unexplained,
        })
    }
}
