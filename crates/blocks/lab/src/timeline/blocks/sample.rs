//! Runs for the tests of pictures and exports, made by a plain greedy packing: not by the rules of any device.

use base::{Nanos, Seeded};
use blocks::device::CopySpeed;
use blocks::{
    BlockRun, Copy, CopyRun, Device, Direction, Durations, Kernel, KernelRun, Mask, OpId, Setup, Slice,
    Stream, StreamKind, Trace,
};

/// A device of so many SMs of 2,048 threads.
pub(crate) fn device(sms: u16) -> Device {
    Device {
        name: "Test".to_owned(),
        sms,
        threads_per_sm: 2_048,
        blocks_per_sm: 32,
        shared_memory_per_sm: 65_536,
        registers_per_sm: 65_536,
        threads_per_block: 1_024,
        shared_memory_per_block: 49_152,
        thread_granularity: 1,
        sms_per_tpc: 1,
        copy_engines: 2,
        copy_speed: CopySpeed { latency: Nanos(1_000), host: 10_000_000_000, device: 100_000_000_000 },
    }
}

/// A kernel by name, blocks, threads, shared memory and the time of a block.
pub(crate) fn kernel(label: &str, blocks: u32, threads: u32, shared_memory: u32, nanos: u64) -> Kernel {
    Kernel {
        label: label.to_owned(),
        blocks,
        threads,
        shared_memory,
        registers: 0,
        duration: Durations::Same(Nanos(nanos)),
        mask: Mask::ALL,
        deadline: None,
        period: None,
    }
}

/// A device and streams, each with one kernel.
pub(crate) fn setup(sms: u16, kernels: Vec<Kernel>) -> Setup {
    let stream = |i: usize| Stream {
        label: format!("Stream {}", i + 1),
        priority: 0,
        kind: StreamKind::NonBlocking,
        process: 0,
    };
    Setup {
        device: device(sms),
        streams: (0..kernels.len()).map(stream).collect(),
        kernels,
        copies: Vec::new(),
    }
}

/// Packs launches one after another: each is a kernel, the time of its launch, and how much its blocks differ.
pub(crate) fn packed(setup: &Setup, launches: &[(usize, u64)], jitter: u32) -> Trace {
    let mut rng = Seeded::new(17, u64::from(jitter));
    let mut trace = Trace::default();
    // When each block that runs on an SM ends, with its threads and shared memory.
    let mut running: Vec<Vec<(u64, u32, u32)>> = vec![Vec::new(); usize::from(setup.device.sms)];
    let mut now = 0;
    for (op, &(kernel_index, launched)) in (0u32..).zip(launches) {
        let kernel = &setup.kernels[kernel_index];
        let first = trace.blocks.len();
        now = now.max(launched);
        let queued = now;
        for block in 0..kernel.blocks {
            let sm = loop {
                running.iter_mut().for_each(|sm| sm.retain(|&(end, ..)| end > now));
                if let Some(sm) = free_sm(&running, kernel) {
                    break sm;
                }
                now = running.iter().flatten().map(|&(end, ..)| end).min().unwrap_or(now + 1);
            };
            let length = kernel.duration.of(block).0 + u64::from(rng.below(jitter + 1));
            running[sm].push((now + length, kernel.threads, kernel.shared_memory));
            let (start, end) = (Nanos(now), Nanos(now + length));
            trace.blocks.push(BlockRun { start, end, sm: sm as u16 });
        }
        let blocks = &trace.blocks[first..];
        let end = blocks.iter().map(|block| block.end).max().unwrap_or_default();
        trace.end = trace.end.max(end);
        trace.kernels.push(KernelRun {
            op: OpId(op),
            kernel: kernel_index,
            stream: kernel_index % setup.streams.len().max(1),
            round: op,
            launched: Nanos(launched),
            queued: Nanos(queued),
            start: blocks.first().map_or(Nanos(queued), |block| block.start),
            dispatched: Nanos(now),
            end,
            blocks: first..trace.blocks.len(),
        });
    }
    trace
}

/// The SM with the most threads free among those a block of the kernel fits on.
fn free_sm(running: &[Vec<(u64, u32, u32)>], kernel: &Kernel) -> Option<usize> {
    let used = |sm: &[(u64, u32, u32)]| {
        sm.iter().fold((0, 0), |(threads, shared), &(_, t, s)| (threads + t, shared + s))
    };
    let fits = |sm: &&Vec<(u64, u32, u32)>| {
        let (threads, shared) = used(sm);
        sm.len() < 32 && threads + kernel.threads <= 2_048 && shared + kernel.shared_memory <= 65_536
    };
    let free = running.iter().enumerate().filter(|(_, sm)| fits(sm));
    free.min_by_key(|(_, sm)| used(sm).0).map(|(i, _)| i)
}

/// The four kernels of the TX2 example, milliseconds for units.
pub(crate) fn tx2() -> (Setup, Trace) {
    let ms = |t: u64| t * 1_000_000;
    let mut kernels = vec![
        kernel("K1", 2, 512, 0, ms(4)),
        kernel("K2", 7, 512, 0, ms(6)),
        kernel("K3", 2, 512, 0, ms(6)),
        kernel("K4", 5, 512, 0, ms(5)),
    ];
    for kernel in &mut kernels {
        kernel.deadline = Some(Nanos(ms(15)));
    }
    let setup = setup(2, kernels);
    let trace = packed(&setup, &[(0, 0), (1, 0), (2, 0), (3, 0)], 0);
    (setup, trace)
}

/// Many blocks: so many launches of 100 blocks each, of five kernels of different sizes, on `sms` SMs.
pub(crate) fn many(sms: u16, launches: u32, jitter: u32) -> (Setup, Trace) {
    let kernels = vec![
        kernel("fft", 100, 256, 4_096, 40_000),
        kernel("blur", 100, 128, 0, 9_000),
        kernel("matmul", 100, 1_024, 32_768, 150_000),
        kernel("scan", 100, 96, 1_024, 3_000),
        kernel("tiny", 100, 64, 0, 500),
    ];
    let setup = setup(sms, kernels);
    let launches: Vec<(usize, u64)> =
        (0..launches).map(|i| (i as usize * 7 % 5, u64::from(i) * 20_000)).collect();
    let trace = packed(&setup, &launches, jitter);
    (setup, trace)
}

/// So many blocks in no time: on each of four SMs eight lanes of 256 threads, with lengths of all magnitudes.
pub(crate) fn lanes(blocks: usize) -> (Setup, Trace) {
    const LAUNCH: usize = 1_000;
    let kernels = (0..6).map(|i| kernel(&format!("K{i}"), LAUNCH as u32, 256, 0, 1)).collect();
    let setup = setup(4, kernels);
    let mut rng = Seeded::new(23, 0);
    let mut ends = [0u64; 32];
    let mut trace = Trace::default();
    for first in (0..blocks).step_by(LAUNCH) {
        let op = (first / LAUNCH) as u32;
        let last = (first + LAUNCH).min(blocks);
        for i in first..last {
            let lane = i % 32;
            let start = ends[lane] + u64::from(rng.below(200));
            let most = 1 << (4 + (op % 9) + rng.below(3));
            ends[lane] = start + 1 + u64::from(rng.below(most));
            trace.blocks.push(BlockRun { start: Nanos(start), end: Nanos(ends[lane]), sm: lane as u16 / 8 });
        }
        let own = &trace.blocks[first..last];
        let start = own.iter().map(|block| block.start).min().unwrap_or_default();
        let end = own.iter().map(|block| block.end).max().unwrap_or_default();
        trace.end = trace.end.max(end);
        let (kernel, stream) = (op as usize % 6, op as usize % 6);
        let (launched, queued, dispatched) = (start, start, start);
        let blocks = first..last;
        let op = OpId(op);
        trace.kernels.push(KernelRun {
            op,
            kernel,
            stream,
            round: 0,
            launched,
            queued,
            start,
            dispatched,
            end,
            blocks,
        });
    }
    (setup, trace)
}

/// Eight SMs, shared memory, copies on two engines around each launch, two processes in turns.
pub(crate) fn rich() -> (Setup, Trace) {
    let us = |t: u64| t * 1_000;
    let mut setup = setup(
        8,
        vec![
            kernel("detect", 24, 512, 16_384, us(310)),
            kernel("track", 10, 256, 8_192, us(190)),
            kernel("plan", 40, 128, 2_048, us(75)),
        ],
    );
    let copy = |label: &str, direction, bytes, nanos| Copy {
        label: label.to_owned(),
        direction,
        bytes,
        duration: Nanos(nanos),
    };
    setup.copies =
        vec![copy("frame", Direction::In, 4 << 20, us(160)), copy("boxes", Direction::Out, 64 << 10, us(22))];
    let launches = [(0, us(180)), (1, us(200)), (2, us(420)), (0, us(900)), (1, us(1_100)), (2, us(1_150))];
    let mut trace = packed(&setup, &launches, 20_000);
    for (i, run) in trace.kernels.iter_mut().enumerate() {
        run.round = i as u32 / 3;
        run.op = OpId(i as u32 * 3 + 1);
    }
    for i in 0..2u32 {
        let (first, last) = (&trace.kernels[i as usize * 3], &trace.kernels[i as usize * 3 + 2]);
        let copy = |op: u32, copy: usize, engine: u16, issued: u64, start: u64| CopyRun {
            op: OpId(op),
            copy,
            stream: 0,
            round: i,
            engine,
            issued: Nanos(issued),
            queued: Nanos(issued),
            start: Nanos(start),
            end: Nanos(start) + setup.copies[copy].duration,
        };
        let before = first.launched.0 - us(170);
        trace.copies.push(copy(i * 9, 0, 0, before, before + us(3)));
        trace.copies.push(copy(i * 9 + 8, 1, 1, last.end.0, last.end.0));
    }
    trace.end = trace.copies.iter().map(|copy| copy.end).fold(trace.end, Nanos::max);
    (setup, trace)
}

/// Two processes that share one SM in slices: the blocks of the one stand still while the other has the device.
pub(crate) fn sliced() -> (Setup, Trace) {
    let mut setup = setup(1, vec![kernel("A", 2, 1_024, 0, 40), kernel("B", 4, 512, 0, 40)]);
    setup.streams[1].process = 1;
    let run = |op: u32, blocks: std::ops::Range<usize>, start: u64, end: u64| KernelRun {
        op: OpId(op),
        kernel: op as usize,
        stream: op as usize,
        round: 0,
        launched: Nanos(0),
        queued: Nanos(0),
        start: Nanos(start),
        dispatched: Nanos(start),
        end: Nanos(end),
        blocks,
    };
    let block = |start, end| BlockRun { start: Nanos(start), end: Nanos(end), sm: 0 };
    let slice = |process, start, end| Slice { process, start: Nanos(start), end: Nanos(end) };
    let trace = Trace {
        kernels: vec![run(0, 0..2, 0, 60), run(1, 2..6, 20, 80)],
        blocks: [vec![block(0, 60); 2], vec![block(20, 80); 4]].concat(),
        copies: Vec::new(),
        slices: vec![slice(0, 0, 20), slice(1, 20, 40), slice(0, 40, 60), slice(1, 60, 80)],
        end: Nanos(80),
    };
    (setup, trace)
}
