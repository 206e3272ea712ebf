//! Pools of pretended workers: work that waits, pauses, cancellations, deaths, memory.

use super::*;

fn ready() -> FromWorker {
    FromWorker::Ready { build: "b1".to_owned() }
}

fn done(job: u32) -> FromWorker {
    FromWorker::Done { job, reason: StopReason::Done, report: Some("{}".to_owned()), work: 7 }
}

fn start(job: u32) -> ToWorker {
    ToWorker::Start { job, text: format!("t{job}") }
}

/// A pool of one worker that is at work on job 1.
fn busy() -> Pool {
    let mut pool = Pool::new(1, "b1");
    assert_eq!(pool.submit(start(1)), [Action::Spawn(0, 1)]);
    assert_eq!(pool.hear(0, 1, ready()), [Action::Post(0, start(1))]);
    pool
}

#[test]
fn jobs_wait_for_a_ready_worker_and_run_in_turn() {
    let mut pool = busy();
    assert_eq!(pool.submit(start(2)), []);
    let worked = Action::Tell(1, Heard::Worked(7));
    let told = Action::Tell(1, Heard::Done(StopReason::Done, Some("{}".to_owned())));
    assert_eq!(pool.hear(0, 1, done(1)), [worked, told, Action::Post(0, start(2))]);
}

#[test]
fn more_jobs_start_more_workers_up_to_the_limit() {
    let mut pool = Pool::new(2, "b1");
    assert_eq!(pool.submit(start(1)), [Action::Spawn(0, 1)]);
    assert_eq!(pool.submit(start(2)), [Action::Spawn(1, 1)]);
    assert_eq!(pool.submit(start(3)), []);
}

#[test]
fn a_worker_of_another_build_gets_no_work() {
    let mut pool = Pool::new(1, "b1");
    pool.submit(start(1));
    let old = FromWorker::Ready { build: "b0".to_owned() };
    assert_eq!(pool.hear(0, 1, old), [Action::Terminate(0), Action::Mismatch("b0".to_owned())]);
    assert_eq!(pool.give_up("old"), [Action::Tell(1, Heard::Crashed("old".to_owned()))]);
}

#[test]
fn a_crash_is_told_and_the_worker_replaced() {
    let mut pool = busy();
    let told = Action::Tell(1, Heard::Crashed("trap".to_owned()));
    assert_eq!(pool.died(0, 1, "trap"), [Action::Terminate(0), told, Action::Spawn(0, 2)]);
    assert_eq!(pool.hear(0, 1, done(1)), [], "the dead are not heard");
    pool.submit(start(2));
    assert_eq!(pool.hear(0, 2, ready()), [Action::Post(0, start(2))]);
}

#[test]
fn a_worker_that_never_comes_up_is_given_up_on() {
    let mut pool = Pool::new(1, "b1");
    pool.submit(start(1));
    assert_eq!(pool.died(0, 1, "404"), [Action::Terminate(0), Action::Spawn(0, 2)]);
    assert_eq!(pool.died(0, 2, "404"), [Action::Terminate(0), Action::Spawn(0, 3)]);
    let told = Action::Tell(1, Heard::Crashed("404".to_owned()));
    assert_eq!(pool.died(0, 3, "404"), [Action::Terminate(0), told]);
    assert_eq!(pool.submit(start(2)), [Action::Spawn(0, 4)], "a new job tries again");
}

fn idle(bytes: u64) -> FromWorker {
    FromWorker::Idle { bytes }
}

#[test]
fn memory_is_given_back_once_there_is_nothing_to_do() {
    let mut pool = busy();
    pool.hear(0, 1, done(1));
    assert_eq!(pool.hear(0, 1, idle(MOST_IDLE_BYTES + 1)), []);
    assert!(pool.needs_ticks());
    assert_eq!(pool.tick(1_000.0), [], "it is kept for a while, from the first tick on");
    assert_eq!(pool.tick(1_000.0 + IDLE_MS - 1.0), []);
    assert_eq!(pool.tick(1_000.0 + IDLE_MS), [Action::Terminate(0)]);
    assert!(!pool.needs_ticks());
    assert_eq!(pool.tick(1e9), []);
    assert_eq!(pool.submit(start(2)), [Action::Spawn(0, 2)], "the next job starts another");
    assert_eq!(pool.hear(0, 1, idle(1 << 40)), [], "the dead are not heard");
    assert_eq!(pool.hear(0, 2, ready()), [Action::Post(0, start(2))]);
    assert!(!pool.needs_ticks(), "the new one holds nothing");
}

#[test]
fn little_memory_is_kept() {
    let mut pool = busy();
    pool.hear(0, 1, done(1));
    pool.hear(0, 1, idle(MOST_IDLE_BYTES));
    assert!(!pool.needs_ticks());
    assert_eq!(pool.tick(1e9), []);
}

#[test]
fn a_worker_at_work_keeps_its_memory() {
    let mut pool = busy();
    pool.submit(start(2));
    // The next job begins before the worker has said what it holds.
    assert_eq!(pool.hear(0, 1, done(1)).last(), Some(&Action::Post(0, start(2))));
    pool.hear(0, 1, idle(1 << 30));
    assert!(!pool.needs_ticks());
    assert_eq!(pool.tick(1e9), []);
    // One job after the other: the time begins anew with each.
    pool.hear(0, 1, done(2));
    pool.hear(0, 1, idle(1 << 30));
    assert_eq!(pool.tick(0.0), []);
    assert_eq!(pool.submit(start(3)), [Action::Post(0, start(3))]);
    assert_eq!(pool.tick(IDLE_MS), []);
    pool.hear(0, 1, done(3));
    pool.hear(0, 1, idle(1 << 30));
    assert_eq!(pool.tick(2.0 * IDLE_MS), []);
    assert_eq!(pool.tick(3.0 * IDLE_MS), [Action::Terminate(0)]);
}

#[test]
fn a_job_in_a_pause_keeps_its_worker_and_others_run_beside_it() {
    let (pause, resume) = (ToWorker::Pause { job: 1 }, ToWorker::Resume { job: 1 });
    let mut pool = busy();
    assert_eq!(pool.pause(1), [Action::Post(0, pause.clone())]);
    assert_eq!(pool.pause(77), []);
    assert!(!pool.needs_ticks());
    // One worker is all there may be, beside it.
    assert_eq!(pool.submit(start(2)), [Action::Spawn(1, 1)]);
    assert_eq!(pool.hear(1, 1, ready()), [Action::Post(1, start(2))]);
    assert_eq!(pool.submit(start(3)), []);
    assert_eq!(pool.resume(1), [Action::Post(0, resume)]);
    assert_eq!(pool.resume(1), []);
    assert_eq!(pool.hear(0, 1, done(1)).last(), Some(&Action::Post(0, start(3))));

    // It may have ended before it heard of the pause, and it can be stopped.
    let told = Action::Tell(1, Heard::Done(StopReason::Done, Some("{}".to_owned())));
    let mut pool = busy();
    pool.pause(1);
    assert_eq!(pool.hear(0, 1, done(1)).last(), Some(&told));
    let mut pool = busy();
    pool.pause(1);
    assert_eq!(pool.cancel(1, 0.0), [Action::Post(0, ToWorker::Cancel { job: 1 })]);
    let mut pool = busy();
    pool.pause(1);
    let crashed = Action::Tell(1, Heard::Crashed("why".to_owned()));
    assert_eq!(pool.died(0, 1, "why")[1], crashed);

    // What waits for a worker gets none until it goes on.
    let mut pool = busy();
    pool.submit(start(2));
    assert_eq!(pool.pause(2), []);
    assert_eq!(pool.hear(0, 1, done(1)).len(), 2);
    assert_eq!(pool.resume(2), [Action::Post(0, start(2))]);
    let mut pool = busy();
    pool.submit(start(2));
    pool.pause(2);
    assert_eq!(pool.cancel(2, 0.0), [Action::Tell(2, Heard::Done(StopReason::Cancelled, None))]);
}

#[test]
fn a_cancelled_worker_stops_or_is_replaced_in_time() {
    let mut pool = busy();
    assert_eq!(pool.cancel(1, 1000.0), [Action::Post(0, ToWorker::Cancel { job: 1 })]);
    assert!(pool.needs_ticks());
    assert_eq!(pool.tick(999.0 + PATIENCE_MS), []);
    let told = Action::Tell(1, Heard::Done(StopReason::Cancelled, None));
    assert_eq!(pool.tick(1000.0 + PATIENCE_MS), [Action::Terminate(0), told.clone(), Action::Spawn(0, 2)]);

    let mut pool = busy();
    pool.cancel(1, 0.0);
    let stopped = FromWorker::Done { job: 1, reason: StopReason::Cancelled, report: None, work: 3 };
    assert_eq!(pool.hear(0, 1, stopped), [Action::Tell(1, Heard::Worked(3)), told]);
    assert!(!pool.needs_ticks());

    let mut pool = busy();
    pool.submit(start(2));
    assert_eq!(pool.cancel(2, 0.0), [Action::Tell(2, Heard::Done(StopReason::Cancelled, None))]);
    assert_eq!(pool.cancel(77, 0.0), []);
}
