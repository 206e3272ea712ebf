//! The closed form for equal times: right as corrected, and as printed wrong exactly where the errata say.

use super::super::closed_form::{Erratum, Halves, Line, closed_form};
use super::super::completions;
use super::task;
use base::{Nanos, Seeded};

fn printed(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|line| line.printed.completion.to_string()).collect()
}

fn corrected(lines: &[Line]) -> Vec<u64> {
    lines.iter().map(|line| line.corrected.completion.0).collect()
}

fn errata(lines: &[Line]) -> Vec<Erratum> {
    lines.iter().map(|line| line.erratum).collect()
}

#[test]
fn whole_waves_count_one_too_many() {
    let lines = closed_form(&[task(9, 6)], 3).expect("equal times");
    assert_eq!((printed(&lines), corrected(&lines)), (vec!["27".to_owned()], vec![18]));
    assert_eq!(errata(&lines), [Erratum::WholeWaves]);
}

#[test]
fn an_exact_fit_counts_half_a_wave() {
    let lines = closed_form(&[task(5, 3), task(5, 6)], 3).expect("equal times");
    assert_eq!(
        (printed(&lines), corrected(&lines)),
        (vec!["7.5".to_owned(), "17.5".to_owned()], vec![5, 15])
    );
    assert_eq!(errata(&lines), [Erratum::ExactFit, Erratum::Inherited]);
    assert_eq!(lines[0].printed.free, Halves(3));
}

#[test]
fn it_needs_equal_times_and_a_place() {
    assert_eq!(closed_form(&[task(5, 3), task(6, 3)], 3), None);
    assert_eq!(closed_form(&[task(5, 3)], 0), None);
    assert_eq!(closed_form(&[task(5, 0)], 3), None);
    assert_eq!(closed_form(&[], 3), None);
}

#[test]
fn corrected_it_is_algorithm_2_and_printed_it_is_wrong_where_the_errata_say() {
    let mut rng = Seeded::new(37, 0);
    let mut seen = [0; 4];
    for _ in 0..4_000 {
        let (places, time) = (1 + rng.below(9), 1 + u64::from(rng.below(9)));
        let tasks: Vec<_> = (0..1 + rng.below(6)).map(|_| task(time, 1 + rng.below(30))).collect();
        let lines = closed_form(&tasks, places).expect("equal times");
        assert_eq!(corrected(&lines), completions(&tasks, places).iter().map(|f| f.0).collect::<Vec<_>>());
        for line in &lines {
            match line.erratum {
                Erratum::None => assert!(line.agrees(), "{tasks:?} on {places}"),
                // Once an exact fit has spoilt t_a and g_f, a wrong number may be right by chance.
                Erratum::Inherited => {}
                Erratum::ExactFit | Erratum::WholeWaves => {
                    let first = lines.iter().position(|line| line.erratum == Erratum::ExactFit);
                    let sound = first.is_none_or(|first| std::ptr::eq(line, &lines[first]));
                    assert!(!sound || !line.agrees(), "{tasks:?} on {places}");
                }
            }
            seen[line.erratum as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
}

#[test]
fn the_largest_numbers_are_no_crash() {
    let huge = [task(u64::MAX, u32::MAX), task(u64::MAX, u32::MAX), task(u64::MAX, 1)];
    let lines = closed_form(&huge, 1).expect("equal times");
    assert_eq!(lines[2].corrected.completion, Nanos::NEVER);
}
