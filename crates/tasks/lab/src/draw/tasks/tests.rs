//! Both pictures: what stands where, what is found there again, and how many marks it takes.

use super::{Layout, Look, WitnessLayout, draw, draw_witness};
use crate::timeline::tasks::{Demand, Witnessed, sample};
use kit::draw::{DrawList, Ink, Mark};

fn look(demand: &Demand) -> Look {
    Look::new(800.0, 400.0, 0.0, demand.horizon as f64)
}

fn texts(list: &DrawList) -> String {
    let text = |mark: &Mark| match mark {
        Mark::Text { text, .. } => Some(text.clone()),
        _ => None,
    };
    list.marks.iter().filter_map(text).collect::<Vec<_>>().join("|")
}

fn rects(list: &DrawList, wanted: Ink) -> Vec<(f64, f64, f64, f64)> {
    let rect = |mark: &Mark| match mark {
        Mark::Rect { x, y, w, h, ink, .. } if *ink == wanted => Some((*x, *y, *w, *h)),
        _ => None,
    };
    list.marks.iter().filter_map(rect).collect()
}

#[test]
fn an_interval_is_found_where_it_is_drawn() {
    let demand = Demand::new(&sample::differs());
    for (t0, t1) in [(0.0, 50.0), (12.0, 44.0), (19.0, 23.0)] {
        let layout = Layout::new(&demand, &Look { t0, t1, ..look(&demand) });
        let middle = (layout.top() + layout.bottom()) / 2.0;
        for t in 0..=50 {
            let Some(x) = layout.place(t) else { continue };
            assert_eq!(layout.hit(&demand, x, middle), Some(t), "{t} in {t0} to {t1}");
        }
    }
    let layout = Layout::new(&demand, &look(&demand));
    assert_eq!(layout.hit(&demand, 5.0, 200.0), None);
    // A pointer near a step means the step.
    let x = layout.x.pixel(20.0) - 4.0;
    assert_eq!(layout.hit(&demand, x, 200.0), Some(20));
}

#[test]
fn areas_stand_on_each_other_and_reach_the_sum() {
    let demand = Demand::new(&sample::fits());
    let list = draw(&demand, &look(&demand));
    let layout = Layout::new(&demand, &look(&demand));
    let x = layout.x.pixel(15.0);
    let at = |class: u8| {
        let mut all = rects(&list, Ink::Class(class)).into_iter().filter(|(_, y, ..)| *y > layout.top());
        all.find(|(left, _, w, _)| (*left..left + w).contains(&x)).map(|(_, y, _, h)| (y, y + h))
    };
    let (Some(camera), Some(filter), Some(planner)) = (at(0), at(1), at(2)) else {
        unreachable!("three areas at 15")
    };
    assert_eq!(camera.1, layout.bottom().round());
    assert_eq!((filter.1, planner.1), (camera.0, filter.0));
    assert_eq!(planner.0, layout.level(demand.at(15)).round());
}

#[test]
fn what_stands_out_is_named() {
    let said = |report| {
        let demand = Demand::new(&report);
        texts(&draw(&demand, &look(&demand)))
    };
    let fits = said(sample::fits());
    for wanted in
        ["Least slack at 4", "Check up to 23", "camera", "planner", "Demand of all tasks", "Time there is"]
    {
        assert!(fits.contains(wanted), "{wanted}: {fits}");
    }
    assert!(
        !fits.contains("equation") && !fits.contains("violation") && !fits.contains("more demand"),
        "{fits}"
    );
    let overloaded = said(sample::overloaded());
    assert!(overloaded.contains("First violation at 4") && overloaded.contains("More demand than time"));
    assert!(!overloaded.contains("Least slack"), "it is the first violation: {overloaded}");
    assert!(said(sample::differs()).contains("By the published test, where it differs"));
}

#[test]
fn the_equation_is_drawn_only_where_it_differs() {
    let demand = Demand::new(&sample::differs());
    let layout = Layout::new(&demand, &look(&demand));
    let drawn = rects(&draw(&demand, &Look { t0: 0.0, t1: 50.0, ..look(&demand) }), Ink::Proof);
    assert!(!drawn.is_empty());
    for (x, ..) in drawn {
        let t = layout.x.value(x).round() as u64;
        assert!((21..=30).contains(&t) || (41..=50).contains(&t), "{t}");
    }
    let fits = Demand::new(&sample::fits());
    assert_eq!(rects(&draw(&fits, &look(&fits)), Ink::Proof), []);
}

#[test]
fn more_demand_than_time_is_shaded() {
    let demand = Demand::new(&sample::overloaded());
    let layout = Layout::new(&demand, &look(&demand));
    let shaded = rects(&draw(&demand, &look(&demand)), Ink::WrongVeil);
    let in_plot: Vec<_> = shaded.into_iter().filter(|(.., h)| *h > 50.0).collect();
    assert_eq!(in_plot.len(), 2);
    assert_eq!(in_plot[0].0, layout.x.pixel(4.0).round());
    assert_eq!(in_plot[0].0 + in_plot[0].2, layout.x.pixel(6.0).round());
}

#[test]
fn many_steps_take_few_marks() {
    let demand = Demand::new(&sample::long(200_000));
    for (t0, t1) in [(0.0, 400_000.0), (1_000.0, 60_000.0), (100.0, 3_000.0), (5.0, 25.0)] {
        let list = draw(&demand, &Look { t0, t1, ..look(&demand) });
        assert!(list.marks.len() < 4_500, "{t0} to {t1}: {}", list.marks.len());
    }
}

#[test]
fn odd_windows_are_drawn_all_the_same() {
    let demand = Demand::new(&sample::overloaded());
    for (t0, t1) in [(f64::NAN, 3.0), (5.0, 1.0), (0.0, f64::INFINITY), (-9.0, -1.0), (1e300, 1e301)] {
        for width in [0.0, f64::NAN, 390.0] {
            let list = draw(&demand, &Look { t0, t1, width, ..look(&demand) });
            assert!(list.marks.len() < 5_000 && list.width.is_finite() && list.height.is_finite());
        }
    }
    let none = draw(&Demand::default(), &Look::new(390.0, 300.0, 0.0, 1.0));
    assert!(!none.marks.is_empty());
}

#[test]
fn jobs_are_found_where_they_are_drawn() {
    let shown = Witnessed::new(&sample::overloaded().witness);
    let look = Look::new(600.0, 0.0, 0.0, shown.end as f64);
    let layout = WitnessLayout::new(&shown, &look);
    for job in 0..shown.jobs.len() {
        let Some((x, y, w, h)) = layout.span(&shown, job) else { unreachable!("{job}") };
        assert_eq!(layout.hit(&shown, x + w / 2.0, y + h / 2.0), Some(job));
    }
    let processor = layout.rows[layout.rows.len() - 1];
    assert_eq!(layout.hit(&shown, layout.x.pixel(4.5), processor.y + 5.0), Some(1));
    assert_eq!(layout.hit(&shown, 3.0, processor.y + 5.0), None);
}

#[test]
fn a_witness_names_its_rows_and_late_jobs() {
    let shown = Witnessed::new(&sample::overloaded().witness);
    let list = draw_witness(&shown, &Look::new(600.0, 0.0, 0.0, shown.end as f64));
    let said = texts(&list);
    for wanted in ["Processor", "Interval of 4", "v0", "late"] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    assert_eq!(rects(&list, Ink::Density(1, 1)).len(), 1, "one job does not count");
}

#[test]
fn a_long_witness_takes_few_marks() {
    let mut report = sample::overloaded();
    let job = report.witness[0].jobs[0].clone();
    report.witness[0].jobs = (0..50_000)
        .map(|i| crate::report::tasks::JobReport { time: 10 * i, deadline: 10 * i + 4, ..job.clone() })
        .collect();
    let shown = Witnessed::new(&report.witness);
    let list = draw_witness(&shown, &Look::new(600.0, 0.0, 0.0, shown.end as f64));
    assert!(list.marks.len() < 3_000, "{}", list.marks.len());
}

#[test]
fn rows_of_large_sets_are_those_with_jobs() {
    let witness = sample::overloaded().witness;
    let idle = crate::report::tasks::WitnessReport { jobs: Vec::new(), ..witness[0].clone() };
    let rows = |idle_tasks: usize| {
        let reports: Vec<_> = vec![idle.clone(); idle_tasks].into_iter().chain(witness.clone()).collect();
        let shown = Witnessed::new(&reports);
        let layout = WitnessLayout::new(&shown, &Look::new(600.0, 0.0, 0.0, shown.end as f64));
        layout.rows.iter().map(|row| row.task).collect::<Vec<_>>()
    };
    assert_eq!(rows(1), [Some(0), Some(1), Some(2), None]);
    assert_eq!(rows(9), [Some(9), Some(10), None]);
}

#[test]
fn names_of_axes_do_not_meet() {
    let demand = Demand::new(&sample::fits());
    let said = |wide: f64| texts(&draw(&demand, &Look { width: wide, ..look(&demand) }));
    assert!(said(260.0).contains("Interval →|↑ Demand|"), "{}", said(260.0));
    assert!(said(800.0).contains("Length of the interval →|↑ Demand within it|"));
}
