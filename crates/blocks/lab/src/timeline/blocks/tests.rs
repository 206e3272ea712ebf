//! Bands hold what runs: nothing overlaps, nothing leaves its band, nothing is lost.

use super::sample::{many, packed, rich, setup, sliced, tx2};
use super::*;
use base::Seeded;
use blocks::{BlockRun, random, simulate};

fn timeline(setup: &Setup, trace: &Trace, measure: Measure) -> BlocksTimeline {
    BlocksTimeline::new(setup, trace, &kernel_classes(&[(setup, trace)])[0], measure)
}

/// Fails where two pieces overlap or one stands above the limit; only near ones are compared.
fn check_layout(track: &Track) {
    let mut pieces = track.pieces.all().to_vec();
    pieces.sort_by(|a, b| a.start.total_cmp(&b.start));
    let mut running: Vec<Piece> = Vec::new();
    for piece in pieces {
        assert!(piece.high <= track.limit && piece.low < piece.high, "{piece:?}");
        running.retain(|other| other.end > piece.start);
        for other in &running {
            assert!(piece.high <= other.low || other.high <= piece.low, "{piece:?} on {other:?}");
        }
        running.push(piece);
    }
    assert_eq!(track.top, track.limit);
}

#[test]
fn the_tx2_example_fills_two_bands() {
    let (setup, trace) = tx2();
    let timeline = timeline(&setup, &trace, Measure::Threads);
    let shown = |sm: &Track| {
        let mut pieces = sm.pieces.all().to_vec();
        pieces.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.low.cmp(&b.low)));
        let piece =
            |p: &Piece| format!("K{}:{} {}-{} {}", p.run + 1, p.item, p.start / 1e6, p.end / 1e6, p.low);
        pieces.iter().map(piece).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        shown(&timeline.sms[0]),
        "K1:0 0-4 0, K2:0 0-6 512, K2:2 0-6 1024, K2:4 0-6 1536, K2:6 4-10 0, K3:1 6-12 512, K4:1 6-11 1024, K4:3 6-11 1536"
    );
    assert_eq!(timeline.in_use.at(1e6), 4_096);
    assert_eq!((timeline.end, timeline.capacity), (12e6, 4_096));
    assert_eq!(timeline.points[2].starts[0], Point { at: 0.0, what: Moment::Launch(2) });
    assert_eq!(timeline.points[2].deadlines[0].at, 15e6);
}

#[test]
fn random_runs_never_overlap_and_never_leave_their_band() {
    for seed in 0..12 {
        let mut rng = Seeded::new(seed, 3);
        let kernel = |i| {
            let (threads, shared) = (1 + rng.below(1_024), rng.below(49_152));
            sample::kernel(
                &format!("K{i}"),
                1 + rng.below(60),
                threads,
                shared,
                1 + u64::from(rng.below(900)),
            )
        };
        let setup = setup(1 + seed as u16 % 5, (0..6).map(kernel).collect());
        let launches: Vec<(usize, u64)> = (0..12).map(|i| (i % 6, u64::from(rng.below(3_000)))).collect();
        let trace = packed(&setup, &launches, 1 << seed);
        for measure in [Measure::Threads, Measure::SharedMemory] {
            let timeline = timeline(&setup, &trace, measure);
            timeline.sms.iter().for_each(check_layout);
            for (run, kernel) in trace.kernels.iter().enumerate() {
                for block in 0..kernel.blocks.len() as u32 {
                    let parts = timeline.parts(&trace, run, block);
                    let area = |piece: &Piece| piece.length() * f64::from(piece.high - piece.low);
                    let found: f64 = parts.iter().map(|(_, piece)| area(piece)).sum();
                    let BlockRun { start, end, .. } = trace.blocks[kernel.blocks.start + block as usize];
                    let height = f64::from(measure.of(&setup, kernel.kernel));
                    assert_eq!(found, (end - start).0 as f64 * height);
                }
            }
        }
    }
}

#[test]
fn processes_in_turns_do_not_stand_in_each_others_way() {
    let (setup, trace) = sliced();
    let timeline = timeline(&setup, &trace, Measure::Threads);
    check_layout(&timeline.sms[0]);
    let times = |run, block| {
        let parts = timeline.parts(&trace, run, block);
        let mut times: Vec<(f64, f64)> = parts.iter().map(|(_, piece)| (piece.start, piece.end)).collect();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        times
    };
    assert_eq!(times(0, 1), [(0.0, 20.0), (40.0, 60.0)]);
    assert_eq!(times(1, 3), [(20.0, 40.0), (60.0, 80.0)]);
    assert_eq!(timeline.processes.as_ref().map(|track| track.pieces.all().len()), Some(4));
    assert_eq!(timeline.in_use.extremes(0.0, 80.0), (2_048, 2_048));
}

#[test]
fn copies_have_bands_of_their_own() {
    let (setup, trace) = rich();
    let timeline = timeline(&setup, &trace, Measure::SharedMemory);
    assert_eq!(timeline.engines.iter().map(|track| track.pieces.all().len()).collect::<Vec<_>>(), [2, 2]);
    assert!(matches!(timeline.points[0].starts[0].what, Moment::Release(0)));
}

#[test]
fn a_trace_that_makes_no_sense_is_drawn_as_far_as_it_goes() {
    let (setup, mut trace) = tx2();
    for (i, block) in trace.blocks.iter_mut().enumerate() {
        block.sm = [0, 7, 255, 60_000][i % 4];
        block.end = base::Nanos(if i % 3 == 0 { 0 } else { u64::MAX });
    }
    trace.kernels[0].kernel = 99;
    trace.kernels[1].stream = 99;
    trace.kernels[2].blocks = 3..900;
    let timeline = timeline(&setup, &trace, Measure::Threads);
    assert_eq!(timeline.sms.len(), 256);
    assert!(timeline.parts(&trace, 2, 0).is_empty() && timeline.parts(&trace, 77, 0).is_empty());
}

#[test]
fn kernels_of_the_same_name_look_the_same_in_two_runs() {
    let names =
        |names: &[&str]| setup(1, names.iter().map(|name| sample::kernel(name, 1, 32, 0, 1)).collect());
    let run = |setup: &Setup| {
        let launches: Vec<_> = (0..setup.kernels.len()).map(|kernel| (kernel, 0)).collect();
        packed(setup, &launches, 1)
    };
    let (a, b) = (names(&["x", "y", "x"]), names(&["new", "x", "y", "x"]));
    let classes = kernel_classes(&[(&a, &run(&a)), (&b, &run(&b))]);
    assert_eq!(classes, [vec![0, 1, 0], vec![2, 0, 1, 0]]);
}

#[test]
fn a_kernel_keeps_its_colour_when_another_is_launched_first() {
    let mut setup = setup(1, ["a", "b", "c"].map(|name| sample::kernel(name, 2, 32, 0, 9)).to_vec());
    let orders = [[0, 1, 2], [2, 1, 0], [1, 2, 0]];
    for order in orders {
        let trace = packed(&setup, &order.map(|kernel| (kernel, 0)), 1);
        assert_eq!(kernel_classes(&[(&setup, &trace)]), [[0, 1, 2]], "{order:?}");
    }
    // Nor where several programs share a null stream, whose first entry may be the one that is launched last.
    setup.streams.truncate(1);
    setup.streams[0].kind = blocks::StreamKind::Null;
    for order in orders {
        let trace = packed(&setup, &order.map(|kernel| (kernel, 0)), 1);
        assert_eq!(kernel_classes(&[(&setup, &trace)]), [[0, 1, 2]], "{order:?}");
    }
}

#[test]
fn levels_from_afar_are_few() {
    let (setup, trace) = many(4, 200, 300);
    let timeline = timeline(&setup, &trace, Measure::Threads);
    let cells: usize = timeline.sms.iter().map(|sm| sm.dense.cells()).sum();
    assert!(cells < 5 * trace.blocks.len(), "{cells} cells for {} blocks", trace.blocks.len());
}

#[test]
fn blocks_are_seldom_in_several_pieces() {
    let (setup, trace) = many(8, 100, 3_000);
    let timeline = timeline(&setup, &trace, Measure::Threads);
    let pieces: usize = timeline.sms.iter().map(|sm| sm.pieces.all().len()).sum();
    assert!(pieces < trace.blocks.len() * 8 / 5, "{pieces} pieces of {} blocks", trace.blocks.len());
}

#[test]
fn simulated_runs_never_overlap_and_never_leave_their_band() {
    for seed in 0..200 {
        let workload = random::workload(&mut Seeded::new(seed, 9));
        let trace = simulate(&workload).trace;
        for measure in [Measure::Threads, Measure::SharedMemory] {
            let timeline = timeline(&workload.setup, &trace, measure);
            timeline.sms.iter().chain(&timeline.engines).for_each(check_layout);
        }
    }
}
