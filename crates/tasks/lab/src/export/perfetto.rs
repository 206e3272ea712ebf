//! A witness of a set of tasks as trace events: what the processor executes by earliest deadline first, and the jobs of
//! each task from triggering to deadline. A unit of time is a microsecond.

use crate::timeline::tasks::{Job, Witnessed};
use base::Nanos;
use kit::export::perfetto::lanes::Lanes;
use kit::export::perfetto::{File, Micros, escaped, numbered};

/// The processor; readers take number 0 for an idle one. Tasks come after it.
const PROCESSOR: usize = 1;
/// What the processor executes, and the interval whose demand the witness reaches.
const EXECUTED: usize = 1;
const INTERVAL: usize = 2;
/// Triggerings and deadlines of a task; its jobs are in the lanes after that.
const INSTANTS: usize = 1;
/// What a microsecond stands for.
const UNIT: &str = "1 unit of time = 1 µs";

/// The jobs as JSON.
pub fn witness_perfetto(shown: &Witnessed, title: &str) -> String {
    let names = Names::new(shown);
    let mut events: Vec<(Nanos, Event)> = vec![(Nanos::ZERO, Event::Interval)];
    let executed = shown.slices.iter().enumerate();
    events.extend(executed.map(|(slice, of)| (time(of.start), Event::Executed(slice))));
    let lanes = job_events(shown, &mut events);
    base::sort::sort_by_key(&mut events, |&(at, _)| at);
    let mut file = File::new(200 * events.len());
    let threads = [(EXECUTED, "EDF".to_owned()), (INTERVAL, "interval".to_owned())];
    file.process(PROCESSOR, 0, &format!("{title}: processor, {UNIT}"), &threads);
    for (task, (row, &count)) in
        shown.rows.iter().zip(&lanes).enumerate().filter(|(_, (_, count))| **count > 0)
    {
        let mut threads = vec![(INSTANTS, "triggerings and deadlines".to_owned())];
        threads.extend(numbered(INSTANTS + 1, count));
        file.process(pid(task), task + 1, &format!("Task {}", row.name), &threads);
    }
    for (at, event) in events {
        names.event(shown, at, event, &mut file);
    }
    file.done(&[("title", title), ("time", UNIT)])
}

/// Something at a time; numbers are places in the witness.
#[derive(Debug, Clone, Copy)]
enum Event {
    Interval,
    Executed(usize),
    Job { job: usize, lane: u32 },
    Triggered(usize),
    Deadline(usize),
}

/// A time of the document as a time of the trace.
fn time(at: u64) -> Nanos {
    Nanos(at.saturating_mul(1_000))
}

fn pid(task: usize) -> usize {
    PROCESSOR + 1 + task
}

/// Adds all jobs, and tells how many lanes each task has.
fn job_events(shown: &Witnessed, events: &mut Vec<(Nanos, Event)>) -> Vec<u32> {
    let mut counts = Vec::with_capacity(shown.rows.len());
    for row in &shown.rows {
        let mut order: Vec<usize> = row.jobs.clone().filter(|&job| job < shown.jobs.len()).collect();
        base::sort::sort_by_key(&mut order, |&job| shown.jobs[job].load.time);
        let mut lanes = Lanes::default();
        for job in order {
            let load = shown.jobs[job].load;
            let lane = lanes.take(time(load.time), time(load.deadline));
            events.push((time(load.time), Event::Triggered(job)));
            events.push((time(load.time), Event::Job { job, lane }));
            events.push((time(load.deadline), Event::Deadline(job)));
        }
        counts.push(lanes.count());
    }
    counts
}

/// Names as JSON.
struct Names {
    tasks: Vec<String>,
    vertices: Vec<String>,
}

impl Names {
    fn new(shown: &Witnessed) -> Self {
        Self {
            tasks: shown.rows.iter().map(|row| escaped(&row.name)).collect(),
            vertices: shown.jobs.iter().map(|job| escaped(&job.vertex)).collect(),
        }
    }

    fn event(&self, shown: &Witnessed, at: Nanos, event: Event, file: &mut File) {
        let ts = Micros(at);
        match event {
            Event::Interval => file.add(format_args!(
                "{{\"name\":\"interval of {}\",\"ph\":\"X\",\"ts\":{ts},\"dur\":{},\"pid\":{PROCESSOR},\"tid\":{INTERVAL},\"args\":{{\"demand\":{}}}}}",
                shown.t,
                Micros(time(shown.t)),
                shown.demand(),
            )),
            Event::Executed(slice) => {
                let Some(slice) = shown.slices.get(slice) else { return };
                let Some((job, task, vertex)) = self.job(shown, slice.job) else { return };
                let dur = Micros(time(slice.end).since(at));
                let args = facts(job);
                file.add(format_args!(
                    "{{\"name\":\"{task}: {vertex}\",\"ph\":\"X\",\"ts\":{ts},\"dur\":{dur},\"pid\":{PROCESSOR},\"tid\":{EXECUTED},\"args\":{{{args}}}}}"
                ));
            }
            Event::Job { job, lane } => {
                let Some((job, _, vertex)) = self.job(shown, job) else { return };
                let (pid, tid) = (pid(job.load.task), INSTANTS + lane as usize);
                let dur = Micros(time(job.load.deadline).since(at));
                let args = facts(job);
                file.add(format_args!(
                    "{{\"name\":\"{vertex}\",\"ph\":\"X\",\"ts\":{ts},\"dur\":{dur},\"pid\":{pid},\"tid\":{tid},\"args\":{{{args}}}}}"
                ));
            }
            Event::Triggered(job) | Event::Deadline(job) => {
                let Some((of, _, vertex)) = self.job(shown, job) else { return };
                let what = match event {
                    Event::Triggered(_) => "triggered",
                    _ if of.is_late() => "deadline missed",
                    _ => "deadline",
                };
                let pid = pid(of.load.task);
                file.add(format_args!(
                    "{{\"name\":\"{what}: {vertex}\",\"ph\":\"i\",\"s\":\"t\",\"ts\":{ts},\"pid\":{pid},\"tid\":{INSTANTS},\"args\":{{\"done\":{}}}}}",
                    of.done
                ));
            }
        }
    }

    fn job<'a>(&'a self, shown: &'a Witnessed, job: usize) -> Option<(&'a Job, &'a str, &'a str)> {
        let of = shown.jobs.get(job)?;
        Some((of, self.tasks.get(of.load.task)?, self.vertices.get(job)?))
    }
}

/// What is known of a job, in the document's unit of time.
fn facts(job: &Job) -> String {
    let (load, counted, late) = (&job.load, job.counted, job.is_late());
    format!(
        "\"triggered\":{},\"deadline\":{},\"execution\":{},\"done\":{},\"counted\":{counted},\"late\":{late}",
        load.time, load.deadline, load.e, job.done
    )
}

#[cfg(test)]
mod tests;
