//! Random configurations of the examiner, with the programs that they mean: spins, several kernels with copies and delays,
//! null streams, priorities, masks, shared memory, processes.

use serde_json::{Value, json};
use warpspan::base::Seeded;

use super::model::{Gpu, K5000, Kernel, Kind, MS, Op, Program, Setup, Stream, TX2, US};

/// What a configuration is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    Spins,
    Kernels,
    Copies,
    NullStream,
    Actions,
    Priorities,
    Masks,
    Shared,
    Small,
    Processes,
}

pub const FLAVOURS: [Flavour; 10] = [
    Flavour::Spins,
    Flavour::Kernels,
    Flavour::Copies,
    Flavour::NullStream,
    Flavour::Actions,
    Flavour::Priorities,
    Flavour::Masks,
    Flavour::Shared,
    Flavour::Small,
    Flavour::Processes,
];

struct Maker<'a> {
    rng: &'a mut Seeded,
    gpu: Gpu,
    flavour: Flavour,
    streams: Vec<Stream>,
    null: Option<usize>,
}

pub fn setup(rng: &mut Seeded, flavour: Flavour) -> Setup {
    let gpu = if flavour == Flavour::Small || rng.below(3) == 0 { K5000 } else { TX2 };
    let own_processes = flavour == Flavour::Processes;
    let count = 2 + rng.below(4) as usize;
    let mut maker = Maker { rng, gpu, flavour, streams: Vec::new(), null: None };
    let programs = (0..count).map(|i| maker.program(i, if own_processes { i } else { 0 })).collect();
    Setup { gpu, streams: maker.streams, programs, own_processes }
}

impl Maker<'_> {
    fn pick(&mut self, among: &[u32]) -> u32 {
        among[self.rng.below(among.len() as u32) as usize]
    }

    fn kernel(&mut self, name: String) -> Kernel {
        let small = self.flavour == Flavour::Small;
        let threads = if small { self.pick(&[32, 64]) } else { self.pick(&[64, 128, 256, 512, 768, 1024]) };
        let most = if small { 160 } else { 4 * u32::from(self.gpu.sms) };
        let shared =
            if self.flavour == Flavour::Shared { self.pick(&[0, 4_096, 8_192, 10_240]) * 4 } else { 0 };
        let blocks = if self.rng.below(3) == 0 { 1 } else { 1 + self.rng.below(most) };
        let duration = u64::from(2_000 + self.rng.below(20_000)) * US;
        Kernel { name, blocks, threads, shared, duration, mask: u64::MAX }
    }

    fn program(&mut self, i: usize, process: usize) -> Program {
        let label = format!("B{i}");
        let release = u64::from(self.rng.below(30)) * MS;
        let rounds = 1 + self.rng.below(3);
        let mut written = json!({"label": label.clone(), "log_name": format!("{label}.json"), "data_size": 0,
            "release_time": release as f64 / 1e9, "max_iterations": rounds, "thread_count": 1, "block_count": 1});
        let kind = match self.flavour {
            Flavour::Kernels | Flavour::Copies if i.is_multiple_of(2) => "multikernel",
            Flavour::Actions if i == 0 || self.rng.below(3) == 0 => "stream_action",
            Flavour::NullStream if i == 0 || self.rng.below(3) == 0 => "timer_spin_default_stream",
            Flavour::Shared => "sharedmem_timer_spin",
            _ => "timer_spin",
        };
        written["filename"] = json!(format!("./bin/{kind}.so"));
        let stream = self.stream(kind == "timer_spin_default_stream", process, &mut written);
        let mut mask = u64::MAX;
        if self.flavour == Flavour::Masks && self.rng.below(3) > 0 {
            // A set bit keeps a multiprocessor out; one at least stays.
            let out = self.rng.below((1 << self.gpu.sms) - 1);
            mask = !u64::from(out);
            written["sm_mask"] = json!(format!("{out:x}"));
        }
        let (mut ops, benchmark) = match kind {
            "multikernel" => (self.several(&label, stream, mask, &mut written), "Multi-kernel submission"),
            "stream_action" => (self.actions(&label, stream, process, &mut written), "Sequential action"),
            _ => {
                let kernel = Kernel { mask, ..self.kernel("GPUSpin".to_owned()) };
                written["thread_count"] = json!(kernel.threads);
                written["block_count"] = json!(kernel.blocks);
                written["additional_info"] = match kind {
                    "sharedmem_timer_spin" => {
                        json!({"duration": kernel.duration, "shared_memory_size": kernel.shared / 4})
                    }
                    _ => json!(kernel.duration),
                };
                let null = kind == "timer_spin_default_stream";
                let name = if null { "Timer Spin (default stream)" } else { "Timer Spin" };
                (vec![Op::Launch { stream, kernel }], name)
            }
        };
        ops.push(Op::Sync(stream));
        Program { label, benchmark, process, release, rounds, ops, written }
    }

    fn stream(&mut self, null: bool, process: usize, written: &mut Value) -> usize {
        if null {
            return self.null_stream(process);
        }
        let (mut kind, mut priority) = (Kind::Blocking, 0);
        let mixed = matches!(self.flavour, Flavour::NullStream | Flavour::Actions);
        if self.flavour == Flavour::Priorities || mixed && self.rng.below(3) == 0 {
            (kind, priority) = (Kind::NonBlocking, -i32::from(self.rng.below(2) == 1));
            written["stream_priority"] = json!(priority);
        }
        self.streams.push(Stream { kind, priority, process });
        self.streams.len() - 1
    }

    fn null_stream(&mut self, process: usize) -> usize {
        if let Some(null) = self.null {
            return null;
        }
        self.streams.push(Stream { kind: Kind::Null, priority: 0, process });
        self.null = Some(self.streams.len() - 1);
        self.streams.len() - 1
    }

    /// Several kernels in one stream, with delays and, where asked for, copies around them.
    fn several(&mut self, label: &str, stream: usize, mask: u64, written: &mut Value) -> Vec<Op> {
        let (mut ops, mut list) = (Vec::new(), Vec::new());
        for i in 0..1 + self.rng.below(4) {
            let kernel = Kernel { mask, ..self.kernel(format!("{label}K{i}")) };
            let mut entry = json!({"kernel_label": kernel.name.clone(), "duration": kernel.duration,
                "block_count": kernel.blocks, "thread_count": kernel.threads});
            if self.rng.below(3) == 0 {
                let delay = u64::from(1 + self.rng.below(8)) * MS;
                entry["delay"] = json!(delay as f64 / 1e9);
                ops.extend([Op::Sync(stream), Op::Sleep(delay)]);
            }
            let copies = self.flavour == Flavour::Copies;
            if copies && self.rng.below(2) == 0 {
                entry["copy_in_count"] = json!(1_000_000);
                ops.push(self.copy(stream));
            }
            ops.push(Op::Launch { stream, kernel });
            if copies && self.rng.below(3) == 0 {
                entry["copy_out_count"] = json!(1_000_000);
                ops.push(self.copy(stream));
            }
            list.push(entry);
        }
        written["additional_info"] = Value::from(list);
        ops
    }

    fn copy(&mut self, stream: usize) -> Op {
        Op::Copy { stream, duration: u64::from(200 + self.rng.below(9_000)) * US, wait: false }
    }

    /// Kernels, copies and waits; synchronous copies and memory sets go through the null stream.
    fn actions(&mut self, label: &str, stream: usize, process: usize, written: &mut Value) -> Vec<Op> {
        let (mut ops, mut list) = (Vec::new(), Vec::new());
        for i in 0..2 + self.rng.below(4) {
            let name = format!("{label}A{i}");
            let entry = match if i == 0 { 0 } else { self.rng.below(5) } {
                0 | 1 => {
                    let kernel = self.kernel(name.clone());
                    let parameters = json!({"type": "timer_spin", "duration": kernel.duration,
                        "block_count": kernel.blocks, "thread_count": kernel.threads});
                    ops.push(Op::Launch { stream, kernel });
                    json!({"type": "kernel", "label": name, "parameters": parameters})
                }
                2 => {
                    ops.push(Op::Sync(stream));
                    json!({"type": "synchronize", "label": name})
                }
                3 => {
                    let is_async = self.rng.below(2) == 0;
                    let to = if is_async { stream } else { self.null_stream(process) };
                    ops.push(self.copy(to));
                    json!({"type": "memset", "label": name, "parameters": {"async": is_async, "size": 1_000_000}})
                }
                _ => {
                    let is_async = self.rng.below(2) == 0;
                    let to = if is_async { stream } else { self.null_stream(process) };
                    let Op::Copy { duration, .. } = self.copy(to) else { continue };
                    ops.push(Op::Copy { stream: to, duration, wait: !is_async });
                    json!({"type": "memcpy", "label": name, "parameters":
                        {"async": is_async, "size": 1_000_000, "direction": "hostToDevice"}})
                }
            };
            list.push(entry);
        }
        written["additional_info"] = json!({"actions": list});
        ops
    }
}
