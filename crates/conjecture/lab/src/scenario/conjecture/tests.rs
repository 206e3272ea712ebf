//! Published claims, and formulas of one's own, held against exhaustive search.

use super::*;
use crate::LINKED;
use crate::scenario::ConjectureScenario;
use base::{Control, Seeded};
use conjecture::{Experiment, Outcome, Setting, Verdict};
use expect_test::expect;
use warps::check_fair;

/// The conjecture of a document's inside.
fn conjecture(inside: &str) -> Conjecture {
    let text = format!(r#"{{"warpspan":1,"conjecture":{{{inside}}}}}"#);
    match LINKED.read(&text).map(|scenario| scenario.asked::<ConjectureScenario>().cloned()) {
        Ok(Some(conjecture)) => conjecture,
        other => unreachable!("{inside}: {other:?}"),
    }
}

/// `point: lower claimed verdict` for every cell.
fn judged(inside: &str) -> String {
    let mut experiment = Experiment::new(conjecture(inside));
    assert!(!experiment.step(&mut Control::unlimited()));
    let line = |(cell, outcome): (usize, &Outcome)| {
        let conjecture = experiment.conjecture();
        let point = conjecture.point(cell);
        let lower = outcome.bracket.map_or("-".to_owned(), |bracket| {
            if bracket.exact().is_some() { bracket.lower.to_string() } else { format!("{}..", bracket.lower) }
        });
        let claimed = outcome.claimed.map_or("-".to_owned(), |claimed| claimed.to_string());
        if let Some(witness) = &outcome.witness {
            let Ok(setting) = conjecture.setting(&point) else { unreachable!("it was judged") };
            let rows: Vec<Vec<u32>> = (0..witness.warps()).map(|warp| witness.warp(warp).to_vec()).collect();
            assert_eq!(check_fair(&setting.kernel, &setting.machine, &setting.fairness, &rows), []);
            assert_eq!(Some(witness.makespan()), outcome.bracket.map(|bracket| bracket.lower));
        }
        let verdict = outcome.verdict.name();
        format!("{}: {lower} of {claimed}, {verdict}", conjecture.shown(&point))
    };
    experiment.outcomes().iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// R's formula under R's fairness says 14, 22 and 30 for 64 threads; a cycle more is possible, and one warp alone
/// takes longer than it says, too.
#[test]
fn raravi_under_fairness() {
    expect![[r#"
        n = 16, rep = 1: 5 of 5, confirmed
        n = 16, rep = 2: 8 of 7, refuted
        n = 16, rep = 3: 11 of 9, refuted
        n = 32, rep = 1: 8 of 8, confirmed
        n = 32, rep = 2: 12 of 12, confirmed
        n = 32, rep = 3: 16 of 16, confirmed
        n = 48, rep = 1: 11 of 11, confirmed
        n = 48, rep = 2: 17 of 17, confirmed
        n = 48, rep = 3: 23 of 23, confirmed
        n = 64, rep = 1: 15 of 14, refuted
        n = 64, rep = 2: 23 of 22, refuted
        n = 64, rep = 3: 31 of 30, refuted"#]]
    .assert_eq(&judged(r#""claim":{"named":"raravi"},"ranges":{"n":[16,64,16],"rep":[1,3]}"#));
}

/// In R's figures three warps issue in a cycle. Without an issue limit the formula is right to the cycle, but for one
/// warp alone.
#[test]
fn raravi_as_drawn() {
    let lines =
        judged(r#""claim":{"named":"raravi"},"machine":{"L":1,"C":2},"ranges":{"W":[2,5],"rep":[1,3]}"#);
    assert!(lines.lines().all(|line| line.ends_with("confirmed")), "{lines}");
    for known in ["W = 4, rep = 1: 14 of 14", "W = 4, rep = 2: 22 of 22", "W = 4, rep = 3: 30 of 30"] {
        assert!(lines.contains(known), "{lines}");
    }
}

#[test]
fn raravi_without_fairness() {
    expect![[r#"
        W = 4, rep = 1: 15 of 14, refuted
        W = 4, rep = 2: 24 of 22, refuted
        W = 4, rep = 3: 33 of 30, refuted"#]]
    .assert_eq(&judged(
        r#""claim":{"named":"raravi"},"fairness":"work-conserving","ranges":{"W":4,"rep":[1,3]}"#,
    ));
}

/// FT of a kernel is the largest FT of its multiprocessors.
#[test]
fn raravi_over_several_multiprocessors() {
    expect![[r#"
        n = 16: 11 of 11, confirmed
        n = 64: 15 of 14, refuted"#]]
    .assert_eq(&judged(
        r#""claim":{"formula":"3*W + 2"},"kernel":"CLLCL","machine":{"C":2,"L":1,"issue":2},
        "fairness":"sub-block","sub_blocks":[5],"warps":["3","ceil(n/16)"],"ranges":{"n":[16,64,48]}"#,
    ));
}

/// B, section VIII: 44 cycles for four warps, taken four times.
#[test]
fn extrapolation_from_small_groups() {
    expect![[r#"
        W = 3: 37 of 44, confirmed
        W = 4: 45 of 44, refuted"#]]
    .assert_eq(&judged(r#""claim":{"named":"berezovskyi"},"ranges":{"W":[3,4]}"#));
    expect![[r#"
        a = 1, b = 1: 31 of 50, confirmed
        a = 1, b = 2: 37 of 56, confirmed
        a = 2, b = 1: 37 of 56, confirmed
        a = 2, b = 2: 45 of 62, confirmed"#]]
    .assert_eq(&judged(r#""claim":{"named":"sub-additive"},"ranges":{"a":[1,2],"b":[1,2]}"#));
    expect![[r#"
        W = 2, g = 2: 31 of 31, confirmed
        W = 3, g = 2: 37 of 62, confirmed
        W = 4, g = 2: 45 of 62, confirmed"#]]
    .assert_eq(&judged(r#""claim":{"named":"extrapolation"},"ranges":{"W":[2,4],"g":2}"#));
}

#[test]
fn plain_bounds() {
    expect![[r#"
        W = 1: 25 of 12, refuted
        W = 2: 31 of 23, refuted
        W = 3: 37 of 35, refuted"#]]
    .assert_eq(&judged(r#""claim":{"named":"busy-cycles"},"ranges":{"W":[1,3]}"#));
    for named in ["blocked-cycles", "one-by-one"] {
        let lines = judged(&format!(r#""claim":{{"named":"{named}"}},"ranges":{{"W":[1,3]}}"#));
        assert!(lines.lines().all(|line| line.ends_with("confirmed")), "{lines}");
    }
}

#[test]
fn equality_is_refuted_from_both_sides() {
    expect![[r#"
        x = 3: 4 of 3, refuted
        x = 4: 4 of 4, confirmed
        x = 5: 4 of 5, refuted"#]]
    .assert_eq(&judged(
        r#""claim":{"formula":"x","says":"exactly"},"kernel":"LCL","machine":{"L":1,"C":1},"warps":"2","ranges":{"x":[3,5]}"#,
    ));
}

#[test]
fn what_has_no_value_is_undefined_and_a_limit_leaves_cells_open() {
    expect![[r#"
        W = 1: - of -, undefined
        W = 2: 4 of 3, refuted"#]]
    .assert_eq(&judged(
        r#""claim":{"formula":"3/(W - 1)"},"kernel":"LCL","machine":{"L":1,"C":1},"ranges":{"W":[1,2]}"#,
    ));
    let with = |formula: &str| {
        let text = format!(
            r#""claim":{{"formula":"{formula}"}},"kernel":"4(3L 4C 2S 2D)","machine":{{"L":1,"C":2,"S":1,"D":1,"issue":3}},
            "ranges":{{"W":24}},"limit":{{"memory":1,"work":1}}"#
        );
        let mut experiment = Experiment::new(conjecture(&text));
        experiment.step(&mut Control::unlimited());
        let outcome = experiment.outcomes()[0].clone();
        let Some(bracket) = outcome.bracket else { unreachable!("it is bracketed") };
        (bracket.lower, bracket.upper, outcome.verdict.clone(), outcome.margin(), outcome.witness.is_some())
    };
    let (lower, upper, ..) = with("0");
    assert!(lower < upper, "too much for so little work: {lower}");
    assert_eq!(with(&lower.to_string()), (lower, upper, Verdict::Open, None, false));
    assert_eq!(with(&upper.to_string()), (lower, upper, Verdict::Confirmed, None, false));
    assert_eq!(with(&(lower - 1).to_string()), (lower, upper, Verdict::Refuted, Some(-1), true));
}

/// Machines as parameters, and random small claims, held against a search of its own.
#[test]
fn verdicts_agree_with_brute_force() {
    let mut rng = Seeded::new(3, 0);
    for _ in 0..40 {
        let kernel: String = (0..1 + rng.below(2)).map(|_| ['L', 'C'][rng.below(2) as usize]).collect();
        let (add, times) = (rng.below(3), 1 + rng.below(2));
        let text = format!(
            r#""claim":{{"formula":"I + {times}*(W-1) + {add} - issue"}},"kernel":"C{kernel}L","machine":{{"L":1,"C":2}},
            "ranges":{{"W":[1,3],"issue":[1,2]}}"#
        );
        let conjecture = conjecture(&text);
        let mut experiment = Experiment::new(conjecture.clone());
        experiment.step(&mut Control::unlimited());
        for (cell, outcome) in experiment.outcomes().iter().enumerate() {
            let point = conjecture.point(cell);
            let Ok(setting) = conjecture.setting(&point) else { unreachable!("{text}") };
            let worst = longest(&setting, &vec![0; point[0] as usize]);
            let instructions = setting.kernel.len() as u32;
            let claimed = i64::from(instructions + times * (point[0] - 1) + add) - i64::from(point[1]);
            let expected = if i64::from(worst) <= claimed { Verdict::Confirmed } else { Verdict::Refuted };
            assert_eq!(
                (&outcome.verdict, outcome.bracket.and_then(|bracket| bracket.exact())),
                (&expected, Some(worst)),
                "{text}"
            );
            assert_eq!(outcome.margin(), Some(claimed - i64::from(worst)));
            assert_eq!(outcome.witness.is_some(), expected == Verdict::Refuted);
        }
    }
}

/// The longest work-conserving schedule by trying every set of warps in every cycle.
fn longest(setting: &Setting, positions: &[usize]) -> u32 {
    let Setting { kernel, machine, .. } = setting;
    let pending: Vec<usize> = (0..positions.len()).filter(|&w| positions[w] < kernel.len()).collect();
    let fits = |set: &[usize]| {
        let count = |unit| set.iter().filter(|&&w| kernel.units()[positions[w]] == unit).count();
        let units = warps::Unit::ALL;
        set.len() <= machine.issue_limit() as usize
            && units.into_iter().all(|unit| count(unit) <= machine.capacity[unit] as usize)
    };
    let mut longest_found = 0;
    for mask in 1u32..1 << pending.len() {
        let set: Vec<usize> = (0..pending.len()).filter(|i| mask >> i & 1 == 1).map(|i| pending[i]).collect();
        let more = |w: &usize| !set.contains(w) && fits(&[&set[..], &[*w]].concat());
        if fits(&set) && !pending.iter().any(more) {
            let next: Vec<usize> =
                (0..positions.len()).map(|w| positions[w] + usize::from(set.contains(&w))).collect();
            longest_found = longest_found.max(1 + longest(setting, &next));
        }
    }
    longest_found
}
