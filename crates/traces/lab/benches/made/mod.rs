//! A run that is made: two GPUs with four streams each, launched by a thread each that waits for its GPU now and then.

mod database;

use std::fmt::Write;

use base::Seeded;
use database::{Database, Value, Value::Int};

/// Names of kernels.
const KERNELS: [&str; 8] = ["gemm", "softmax", "layer_norm", "add", "gather", "reduce", "adam", "attention"];

/// What happens in a run, in nanoseconds.
enum Event {
    /// A call that launches an operation: its number, its GPU, its stream, and whether that is a copy.
    Launch { number: u32, gpu: i64, stream: i64, copy: bool, call: [i64; 2], ran: [i64; 2], kernel: i64 },
    /// A call that waits for a GPU.
    Wait { number: u32, gpu: i64, call: [i64; 2] },
}

/// So many operations.
fn run(operations: u32) -> impl Iterator<Item = Event> {
    let mut rng = Seeded::new(7, 0);
    let mut below = move |bound: u32| i64::from(rng.below(bound));
    // When each GPU's thread is free, and when each of its streams is.
    let mut gpus = [0; 2].map(|free| (free + below(50_000), [0_i64; 4]));
    (1..=operations).flat_map(move |number| {
        let (gpu, stream) = (i64::from(number % 2), below(4));
        let (now, streams) = &mut gpus[number as usize % 2];
        let call = [*now, *now + 3_000 + below(4_000)];
        *now = call[1] + below(3_000);
        let copy = below(12) == 0;
        let free = &mut streams[stream as usize];
        let start = (call[0] + 4_000 + below(2_000)).max(*free + 1_000);
        let longest = if copy { 30_000 } else { [20_000, 90_000][usize::from(below(9) == 0)] };
        let ran = [start, start + 4_000 + below(longest)];
        *free = ran[1];
        let kernel = below(8);
        let launch = Event::Launch { number, gpu, stream: 7 + stream, copy, call, ran, kernel };
        let wait = (below(60) == 0).then(|| {
            let until = streams.iter().fold(*now + 2_000, |last, &free| last.max(free)) + 3_000;
            let call = [std::mem::replace(now, until + below(20_000)), until];
            Event::Wait { number: operations + number, gpu, call }
        });
        std::iter::once(launch).chain(wait)
    })
}

/// The run as the PyTorch profiler writes it.
pub fn json(operations: u32) -> String {
    let device = |number: u32| {
        format!(
            "{{\"id\":{number},\"name\":\"made\",\"computeMajor\":8,\"computeMinor\":0,\"numSms\":108,\"warpSize\":32,\
             \"maxThreadsPerMultiprocessor\":2048,\"regsPerMultiprocessor\":65536,\"sharedMemPerMultiprocessor\":167936}}"
        )
    };
    let mut text = format!("{{\"deviceProperties\":[{},{}],\"traceEvents\":[", device(0), device(1));
    let mut event = |category: &str,
                     name: &str,
                     [process, thread]: [i64; 2],
                     time: [i64; 2],
                     rest: String| {
        let micro = |nanos: i64| format!("{}.{:03}", nanos / 1_000, nanos % 1_000);
        let (start, length) = (micro(time[0]), micro(time[1] - time[0]));
        let comma = if text.ends_with('[') { "" } else { ",\n" };
        let _ = write!(
            text,
            "{comma}{{\"ph\":\"X\",\"cat\":\"{category}\",\"name\":\"{name}\",\"pid\":{process},\"tid\":{thread},\
             \"ts\":{start},\"dur\":{length},\"args\":{{{rest}}}}}"
        );
    };
    for one in run(operations) {
        match one {
            Event::Wait { number, gpu, call } => {
                let rest = format!("\"correlation\":{number}");
                event("cuda_runtime", "cudaDeviceSynchronize", [1, gpu + 1], call, rest);
            }
            Event::Launch { number, gpu, stream, copy, call, ran, kernel } => {
                let name = if copy { "cudaMemcpyAsync" } else { "cudaLaunchKernel" };
                let own = format!("\"correlation\":{number}");
                let place = format!("\"device\":{gpu},\"stream\":{stream},{own}");
                event("cuda_runtime", name, [1, gpu + 1], call, own);
                if copy {
                    event(
                        "gpu_memcpy",
                        "Memcpy HtoD",
                        [gpu, stream],
                        ran,
                        format!("{place},\"bytes\":65536"),
                    );
                } else {
                    let shape = "\"grid\":[96,1,1],\"block\":[256,1,1],\"registers per thread\":32,\"shared memory\":0";
                    event("kernel", KERNELS[kernel as usize], [gpu, stream], ran, format!("{place},{shape}"));
                }
            }
        }
    }
    text + "]}"
}

/// The run as Nsight Systems exports it.
pub fn sqlite(operations: u32) -> Vec<u8> {
    const PROCESS: i64 = 10 << 24;
    let mut file = Database::new();
    let name = |name: &str| names().zip(0..).find(|known| known.0 == name).map_or(0, |known| known.1);
    let calls = ["cudaLaunchKernel", "cudaMemcpyAsync", "cudaDeviceSynchronize"].map(name);
    let texts = names().zip(0..).map(|(text, id)| vec![Int(id), Value::Text(text)]);
    file.table("StringIds", "id, value", texts);
    let devices = (0..2).map(|number| {
        let limits = [number, 8, 0, 108, 32, 64, 32, 65_536, 167_936];
        limits.map(Int).to_vec()
    });
    let limits = "id, computeMajor, computeMinor, smCount, threadsPerWarp, maxWarpsPerSm, maxBlocksPerSm, maxRegistersPerSm, maxShmemPerSm";
    file.table("TARGET_INFO_GPU", limits, devices);
    let called = run(operations).map(|event| {
        let (number, gpu, call, name) = match event {
            Event::Launch { number, gpu, copy, call, .. } => (number, gpu, call, calls[usize::from(copy)]),
            Event::Wait { number, gpu, call } => (number, gpu, call, calls[2]),
        };
        [call[0], call[1], PROCESS | (gpu + 1), number.into(), name].map(Int).to_vec()
    });
    file.table("CUPTI_ACTIVITY_KIND_RUNTIME", "start, end, globalTid, correlationId, nameId", called);
    let shared = "start, end, deviceId, contextId, streamId, correlationId, globalPid";
    for copies in [false, true] {
        let ran = run(operations).filter_map(|event| match event {
            Event::Launch { number, gpu, stream, copy, ran, kernel, .. } if copy == copies => {
                let mut row = vec![ran[0], ran[1], gpu, gpu + 1, stream, number.into(), PROCESS];
                let shape = [kernel, 96, 1, 1, 256, 1, 1, 32, 0, 0];
                row.extend(if copy { &[65_536, 1] } else { &shape[..] });
                Some(row.into_iter().map(Int).collect())
            }
            _ => None,
        });
        if copies {
            file.table("CUPTI_ACTIVITY_KIND_MEMCPY", &format!("{shared}, bytes, copyKind"), ran);
        } else {
            let shape = "demangledName, gridX, gridY, gridZ, blockX, blockY, blockZ, registersPerThread, staticSharedMemory, dynamicSharedMemory";
            file.table("CUPTI_ACTIVITY_KIND_KERNEL", &format!("{shared}, {shape}"), ran);
        }
    }
    let waits = run(operations).filter_map(|event| match event {
        Event::Wait { number, gpu, call } => {
            Some([call[0], call[1], gpu, gpu + 1, -1, number.into(), PROCESS, 4].map(Int).to_vec())
        }
        Event::Launch { .. } => None,
    });
    file.table("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", &format!("{shared}, syncType"), waits);
    file.bytes()
}

/// All names, each at its number.
fn names() -> impl Iterator<Item = &'static str> {
    KERNELS.into_iter().chain(["cudaLaunchKernel", "cudaMemcpyAsync", "cudaDeviceSynchronize"])
}
