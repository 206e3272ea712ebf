//! What the page's workers tell of a study is what the command line prints: the plan, the rows byte for byte, the
//! document of a cell.

use base::Control;
use kit::job::Step;
use study_lab::Asked;
use study_lab::page::{Plan, Run, State, export};

use super::{SMALL, row, sound};

/// Drives a job by slices of so much; its news, and its report.
fn driven(asked: Asked, study: &study_lab::Study, slice: u64) -> (Vec<String>, String) {
    let Ok(mut job) = asked.job("t", study) else { unreachable!("{asked:?}") };
    let mut news = Vec::new();
    loop {
        match job.step(&mut Control::slice(slice)) {
            Step::Done(report) => return (news, report.line()),
            Step::More(_) => news.extend(job.news()),
        }
    }
}

#[test]
fn a_worker_tells_what_there_is_to_come() {
    let study = sound(SMALL);
    for slice in [1, u64::MAX] {
        let (news, line) = driven(Asked::Plan, &study, slice);
        let Some(plan) = Plan::new(&line) else { unreachable!("{line}") };
        assert_eq!((plan.cells, plan.samples, plan.axes.len()), (18, 3, 2));
        assert_eq!(plan.names().collect::<Vec<_>>(), ["makespan", "each"]);
        assert!(plan.estimate.is_some_and(|took| took.units > 0 && took.spent > 0));
        assert_eq!(news.len(), usize::from(slice == 1));
        assert!(news.iter().all(|line| Plan::new(line).is_some_and(|plan| plan.estimate.is_none())));
    }
}

#[test]
fn rows_of_the_page_are_those_of_the_command_line() {
    let study = sound(SMALL);
    let (_, line) = driven(Asked::Plan, &study, u64::MAX);
    let run = Plan::new(&line).and_then(Run::new);
    let Some(mut run) = run else { unreachable!("small") };
    let mut last = 0;
    let mut jobs = run.begin(|| {
        last += 1;
        last
    });
    // In another order than they were dealt out, and in slices.
    while let Some((job, asked)) = jobs.pop() {
        let (news, rest) = driven(asked, &study, 1);
        for rows in news.into_iter().chain([rest]) {
            run.rows(job, &rows);
        }
        run.over(job);
    }
    assert_eq!(run.state, State::Done);
    let expected: String = (0..study.cells()).filter_map(|cell| Some(study.evaluate(cell)? + "\n")).collect();
    assert_eq!(export::lines(&run.known), expected);
}

#[test]
fn a_cell_is_written_down_as_it_is_run() {
    let study = sound(SMALL);
    let (_, text) = driven(Asked::Document { cell: 7 }, &study, 1);
    let report = crate::LINKED.read(&text).map(|scenario| crate::LINKED.run(&scenario).line());
    let makespan = row(&study, 7)["values"]["makespan"].to_string();
    assert!(report.is_ok_and(|line| line.contains(&format!("\"makespan\":{makespan},"))), "{text}");
    assert!(Asked::Document { cell: 99 }.job("t", &study).is_err());
}
