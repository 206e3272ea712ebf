//! The numbers of P, and Algorithm 2 against its naive twin.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::super::response::{State, Table};
use super::super::{Effort, Proven, completions, response, worst};
use super::{block_by_block, published, random, task};
use base::{Nanos, Seeded};

fn ns(times: &[Nanos]) -> Vec<u64> {
    times.iter().map(|time| time.0).collect()
}

#[test]
fn p_four_launch_orders() {
    let tasks = published();
    let of = |order: [usize; 4]| ns(&completions(order.iter().map(|&which| &tasks[which - 1]), 8));
    assert_eq!(of([1, 2, 3, 4]), [4, 10, 12, 11], "the example of section 3.6");
    assert_eq!(of([2, 3, 4, 1]), [6, 12, 11, 10], "scenario 1");
    assert_eq!(of([2, 4, 1, 3]), [6, 11, 10, 12], "scenario 2");
    assert_eq!(of([2, 1, 3, 4]), [6, 8, 12, 11], "scenario 3");
}

#[test]
fn worst_over_all_24_orders() {
    let tasks = published();
    let worst = worst(&tasks, 8, Effort::default()).expect("there are few");
    assert_eq!(worst.iter().map(|worst| worst.completion.0).collect::<Vec<_>>(), [10, 12, 12, 11]);
    for (which, worst) in worst.iter().enumerate() {
        assert_eq!(worst.upper, worst.completion);
        assert_ne!(worst.proof, Proven::NotProven);
        assert_eq!(worst.order.last(), Some(&which));
        assert_eq!(worst.completions.last(), Some(&worst.completion));
    }
}

fn shown(state: &State) -> String {
    let later: Vec<String> =
        state.later.iter().map(|(time, blocks)| format!("({}, {blocks})", time.0)).collect();
    format!("t_a={} g_f={} h={{{}}}", state.at.0, state.free, later.join(", "))
}

fn check_steps(tasks: &[super::Task], places: u32, expected: Expect) {
    let response = response(tasks, places);
    let mut text = String::new();
    for step in &response.steps {
        let sign = if step.free >= step.wanted { ">=" } else { "<" };
        let completion = step.completion.map_or(String::new(), |f| format!("f={} ", f.0));
        let (kernel, free, wanted) = (step.kernel + 1, step.free, step.wanted);
        writeln!(text, "{kernel}: g_f={free} {sign} g={wanted}: {completion}{}", shown(&step.after))
            .expect("text");
    }
    expected.assert_eq(&text);
    assert_eq!(response.table, Table::Whole);
    for (kernel, state) in response.after.iter().enumerate() {
        let last = response.steps.iter().rfind(|step| step.kernel == kernel).expect("it has a step");
        assert_eq!(&last.after, state);
        assert_eq!(last.completion, Some(response.completions[kernel]));
    }
}

#[test]
fn p_table_of_steps_of_section_3_6() {
    check_steps(
        &published(),
        8,
        expect![[r#"
            1: g_f=8 >= g=2: f=4 t_a=0 g_f=6 h={(4, 2)}
            2: g_f=6 < g=7: t_a=4 g_f=2 h={(6, 6)}
            2: g_f=2 >= g=1: f=10 t_a=4 g_f=1 h={(6, 6), (10, 1)}
            3: g_f=1 < g=2: t_a=6 g_f=6 h={(10, 2)}
            3: g_f=6 >= g=1: f=12 t_a=6 g_f=5 h={(10, 2), (12, 1)}
            4: g_f=5 >= g=5: f=11 t_a=6 g_f=0 h={(10, 2), (11, 5), (12, 1)}
        "#]],
    );
}

#[test]
fn after_an_exact_fit_nothing_is_free_until_the_next_pair() {
    check_steps(
        &[task(4, 8), task(6, 3), task(0, 20), task(2, 5)],
        8,
        expect![[r#"
        1: g_f=8 >= g=8: f=4 t_a=0 g_f=0 h={(4, 8)}
        2: g_f=0 < g=3: t_a=4 g_f=8 h={}
        2: g_f=8 >= g=3: f=10 t_a=4 g_f=5 h={(10, 3)}
        3: g_f=5 < g=20: f=4 t_a=4 g_f=5 h={(10, 3)}
        4: g_f=5 >= g=5: f=6 t_a=4 g_f=0 h={(6, 5), (10, 3)}
    "#]],
    );
}

#[test]
fn algorithm_2_says_what_block_by_block_says() {
    let mut rng = Seeded::new(36, 0);
    for _ in 0..2_000 {
        let (places, count) = (1 + rng.below(12), 1 + rng.below(7));
        let mut tasks = random(&mut rng, count, 12, 40);
        tasks[0].time = Nanos(rng.below(3).into());
        let response = response(&tasks, places);
        assert_eq!(response.completions, block_by_block(&tasks, places), "{tasks:?} on {places}");
        assert_eq!(response.completions, completions(&tasks, places));
        let steps: Vec<Nanos> = response.steps.iter().filter_map(|step| step.completion).collect();
        assert_eq!((steps, response.table), (response.completions, Table::Whole));
        let ends: Vec<usize> =
            (1..=response.steps.len()).filter(|&end| response.steps[end - 1].completion.is_some()).collect();
        let after: Vec<&State> = ends.iter().map(|end| &response.steps[end - 1].after).collect();
        let zero = |state: &&State| state.later.iter().map(|(_, n)| n).sum::<u32>() + state.free == places;
        assert!(after.iter().all(zero), "no place is lost");
    }
}

#[test]
fn long_tables_end_early_and_completions_do_not() {
    let tasks = [task(3, 7), task(1_000_000_000, 1), task(1, 4_000_000_000)];
    let response = response(&tasks, 8);
    assert_eq!(response.table, Table::Beginning);
    assert!(response.steps.len() > 1_000);
    assert_eq!(ns(&response.completions), [3, 1_000_000_000, 571_428_575]);
}

#[test]
fn without_places_nothing_ever_ends() {
    let response = response(&published(), 0);
    assert_eq!(response.completions, [Nanos::NEVER; 4]);
    assert!(
        worst(&published(), 0, Effort::default())
            .is_some_and(|w| w.iter().all(|w| w.completion == Nanos::NEVER))
    );
}
