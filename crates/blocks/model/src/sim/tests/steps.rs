//! Stepping in slices, progress, and stopping half-way.

use super::*;
use crate::{Simulation, Stop};
use base::Control;

/// Two streams with a few kernels each, one copy, and a process that interferes.
fn busy() -> Workload {
    let mut w = idle();
    w.slicing.switch = Switch::Preempt;
    let (stream, kernel) = w.alone(9, 2, 7);
    let copy = w.copy(Direction::Out, 5);
    w.programs[0].repeat.rounds = Some(3);
    w.programs[0].repeat.body.extend([Action::Copy { stream, copy, wait: true }, sleep(2)]);
    let other = w.stream_as(StreamKind::NonBlocking, 0, 1);
    w.program_of(1, vec![sleep(9), launch(other, kernel), launch(other, kernel)]);
    w
}

#[test]
fn slices_make_no_difference() {
    let w = busy();
    let whole = simulate(&w);
    assert_eq!(whole.stop, Stop::Done);
    for fuel in [1, 2, 7] {
        let mut simulation = Simulation::new(&w);
        let mut blocks = 0;
        while simulation.step(&mut Control::slice(fuel)) {
            assert!(blocks <= simulation.done_blocks());
            assert!(simulation.done_blocks() <= simulation.launched_blocks());
            blocks = simulation.done_blocks();
        }
        assert_eq!((blocks, simulation.launched_blocks()), (45, 45));
        assert_eq!(simulation.finish(), whole);
    }
}

#[test]
fn stopped_at_any_point_the_trace_holds_what_has_ended() {
    let w = busy();
    let whole = simulate(&w);
    for steps in 0.. {
        let mut simulation = Simulation::new(&w);
        let mut more = true;
        for _ in 0..steps {
            more = simulation.step(&mut Control::slice(1));
        }
        let Run { trace, decisions, stop } = simulation.stop();
        if !more {
            assert_eq!(stop, Stop::Done);
            break;
        }
        let Stop::Cancelled(at) = stop else { unreachable!("{stop:?}") };
        assert!(whole.decisions.starts_with(&decisions));
        assert!(trace.end <= at && trace.slices.iter().all(|slice| slice.end <= at));
        for run in &trace.kernels {
            let twin = whole.trace.kernels.iter().find(|twin| twin.op == run.op).unwrap();
            assert_eq!((run.start, run.end), (twin.start, twin.end));
            assert_eq!(trace.blocks[run.blocks.clone()], whole.trace.blocks[twin.blocks.clone()]);
        }
        assert!(trace.copies.iter().all(|copy| whole.trace.copies.contains(copy)));
    }
}

#[test]
fn a_program_that_never_ends_can_be_stopped() {
    let mut w = idle();
    w.program(vec![]).rounds = None;
    let mut simulation = Simulation::new(&w);
    assert!(simulation.step(&mut Control::slice(1_000)));
    assert_eq!(simulation.stop().stop, Stop::Cancelled(Nanos(0)));
}
