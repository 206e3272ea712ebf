//! Formulas: read, refused and computed. Published claims: their values, and what exhaustive search says of them.

use super::formula::{NoValue, Surroundings};
use super::parse::is_name;
use super::rational::{Rational, Span};
use super::*;
use crate::base::{Control, Seeded};
use crate::scenario::{Question, read};
use crate::warps::check_fair;
use expect_test::{Expect, expect};

/// x is 7, y is 2 or 3; the worst case of W warps is 10 W, of three 30 to 32, of five not known yet.
struct Here;

impl Surroundings for Here {
    fn value(&self, name: &str) -> Option<Span> {
        match name {
            "x" => Some(Span::whole(7)),
            "y" => Some(Span { low: Rational::whole(2), high: Rational::whole(3) }),
            _ => None,
        }
    }

    fn exact(&self, warps: usize) -> Option<Result<Span, String>> {
        let whole = |n: usize| Rational::whole(i64::try_from(n).unwrap_or(i64::MAX));
        match warps {
            3 => Some(Ok(Span { low: whole(30), high: whole(32) })),
            5 => None,
            6 => Some(Err("no bound".to_owned())),
            warps => Some(Ok(Span::exactly(whole(10 * warps)))),
        }
    }
}

fn formula(text: &str, expected: Expect) {
    let shown = match Formula::parse(text, &["x", "y", "z"]) {
        Ok(formula) => match formula.value(&Here) {
            Ok(value) => value.to_string(),
            Err(NoValue::Needs(warps)) => format!("needs {warps} warps"),
            Err(NoValue::Undefined(why)) => format!("undefined: {why}"),
        },
        Err(e) => format!("column {}: {}, expected {}", e.column, e.what, e.expected),
    };
    expected.assert_eq(&shown);
}

#[test]
fn formulas_have_exact_values() {
    formula("1 + 2*3 - 4/2", expect!["5"]);
    formula("8 - 3 - 2", expect!["3"]);
    formula("8/4/2", expect!["1"]);
    formula("-x + 2*-3", expect!["-13"]);
    formula("--x", expect!["7"]);
    formula("x/2", expect!["7/2"]);
    formula("0.1 + 0.2", expect!["3/10"]);
    formula("ceil(x/2) + floor(x/2)", expect!["7"]);
    formula("ceil(-x/2)*10 + floor(-x/2)", expect!["-34"]);
    formula("max(1, x, 3) - min(x, 2)", expect!["5"]);
    formula("(x)", expect!["7"]);
    formula("1/3 + 1/3 + 1/3", expect!["1"]);
}

#[test]
fn what_is_only_bracketed_stays_so() {
    formula("y", expect!["2 to 3"]);
    formula("x - y", expect!["4 to 5"]);
    formula("-y * y", expect!["-9 to -4"]);
    formula("ceil(x/y)", expect!["3 to 4"]);
    formula("x / (y - 2)", expect!["undefined: a division by 0"]);
    formula("exact(3) + exact(2)", expect!["50 to 52"]);
    formula("max(exact(3), 31)", expect!["31 to 32"]);
}

#[test]
fn worst_cases_are_asked_for() {
    formula("exact(4)", expect!["40"]);
    formula("exact(0)", expect!["0"]);
    formula("ceil(x/2) * exact(5)", expect!["needs 5 warps"]);
    formula("exact(6)", expect!["undefined: no bound"]);
    formula("exact(x/2)", expect!["undefined: exact(7/2), where a number of warps from 0 to 64 belongs"]);
    formula("exact(y)", expect!["undefined: exact(2 to 3), where a number of warps from 0 to 64 belongs"]);
    formula("exact(65)", expect!["undefined: exact(65), where a number of warps from 0 to 64 belongs"]);
    formula("exact(-1)", expect!["undefined: exact(-1), where a number of warps from 0 to 64 belongs"]);
}

#[test]
fn values_that_do_not_fit_are_refused() {
    formula("1/0", expect!["undefined: a division by 0"]);
    formula("z", expect!["undefined: z has no value"]);
    let big = "999999999999999";
    formula(&format!("{big}*{big}"), expect!["undefined: a number that does not fit 64 bits"]);
    formula(&format!("1/{big}/{big}"), expect!["undefined: a number that does not fit 64 bits"]);
}

#[test]
fn wrong_formulas_say_where() {
    formula("", expect![[r#"column 1: the end, expected a number, a name, a function or "(""#]]);
    formula("  x +", expect![[r#"column 6: the end, expected a number, a name, a function or "(""#]]);
    formula("x + * 2", expect![[r#"column 5: "*", expected a number, a name, a function or "(""#]]);
    formula("3 x", expect![[r#"column 3: "x", expected an operator + - * / or the end"#]]);
    formula("2*Wrap", expect![[r#"column 3: "Wrap", expected one of x, y, z"#]]);
    formula("(x", expect![[r#"column 3: the end inside the "(" of column 1, expected ")""#]]);
    formula("x)", expect![[r#"column 2: ")" without a "(" before it, expected balanced parentheses"#]]);
    formula("x, y", expect![[r#"column 2: "," outside of a function, expected an operator or the end"#]]);
    formula(
        "(x, y)",
        expect![[r#"column 7: several values in parentheses, expected one, or a function before "(""#]],
    );
    formula("ceil(x, y)", expect!["column 1: ceil of 2 values, expected ceil of one value"]);
    formula("1 + ceil", expect!["column 5: ceil without \"(\", expected ceil(...)"]);
    formula("max()", expect![[r#"column 5: ")", expected a number, a name, a function or "(""#]]);
    formula(
        "sin(x)",
        expect![[
            r#"column 1: "sin" before "(", expected an operator, or one of ceil, floor, max, min, exact"#
        ]],
    );
    formula(
        "x(2)",
        expect![[
            r#"column 1: "x" before "(", expected an operator, or one of ceil, floor, max, min, exact"#
        ]],
    );
    formula("x ^ 2", expect![[r#"column 3: "^", expected an operator + - * / or the end"#]]);
    formula("⌈x⌉", expect![[r#"column 1: "⌈", expected a number, a name, a function or "(""#]]);
    formula("1. + x", expect!["column 3: a point without decimals, expected digits after it, such as 1.5"]);
    formula("1.5.2", expect![[r#"column 4: ".", expected an operator + - * / or the end"#]]);
    formula(
        "x + 1234567890123456",
        expect!["column 5: a number with many digits, expected at most 15 digits"],
    );
    formula(
        &"(".repeat(100_000),
        expect!["column 1001: the formula goes on, expected at most 1000 characters"],
    );
    formula(&"(".repeat(100), expect!["column 65: nested too deep, expected at most 64 levels"]);
    formula(&"-".repeat(100), expect!["column 65: nested too deep, expected at most 64 levels"]);
}

#[test]
fn names_of_parameters() {
    assert!(["W", "n", "rep", "cap_L", "group2"].into_iter().all(is_name));
    assert!(!["", "2", "_x", "a b", "a-b", "ä", &"x".repeat(21)].into_iter().any(is_name));
}

/// A formula made at random, with its value computed along the way over one common denominator.
fn random(rng: &mut Seeded, depth: u32) -> (String, f64) {
    let number = f64::from(rng.below(9) + 1);
    if depth == 0 || rng.below(5) == 0 {
        return if rng.below(3) == 0 { ("x".to_owned(), 7.0) } else { (number.to_string(), number) };
    }
    let (a, x) = random(rng, depth - 1);
    let (b, y) = random(rng, depth - 1);
    match rng.below(8) {
        0 => (format!("({a} + {b})"), x + y),
        1 => (format!("({a} - {b})"), x - y),
        2 => (format!("{a}*{b}"), x * y),
        3 => (format!("{a}/{number}"), x / number),
        4 => (format!("ceil({a})"), (x - 1e-9).ceil()),
        5 => (format!("floor({a})"), (x + 1e-9).floor()),
        6 => (format!("max({a}, {b})"), x.max(y)),
        _ => (format!("min({a}, {b})"), x.min(y)),
    }
}

#[test]
fn random_formulas_agree_with_floating_point() {
    let mut rng = Seeded::new(7, 0);
    let mut compared = 0;
    while compared < 3_000 {
        let (text, expected) = random(&mut rng, 3);
        let Ok(formula) = Formula::parse(&text, &["x"]) else { unreachable!("{text}") };
        let Ok(value) = formula.value(&Here) else { continue };
        let Some(value) = value.known() else { unreachable!("{text} is known") };
        let parts: Vec<f64> = value.to_string().split('/').map(|part| part.parse().unwrap_or(0.0)).collect();
        let found = parts[0] / parts.get(1).unwrap_or(&1.0);
        assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{text}: {found}, {expected}");
        compared += 1;
    }
}

#[test]
fn published_claims_can_be_read() {
    for claim in &PUBLISHED {
        let mut known: Vec<&str> = grid::NAMES.iter().map(|(name, _)| *name).collect();
        known.extend(["n", "rep", "g", "a", "b"]);
        for text in [claim.formula, claim.warps] {
            assert!(Formula::parse(text, &known).is_ok(), "{}: {text}", claim.name);
        }
        assert!(Template::parse(claim.kernel).is_ok(), "{}", claim.name);
        assert_eq!(Published::named(claim.name), Some(claim));
    }
    let known: Vec<&str> =
        Says::ALL.into_iter().map(|(name, says)| if says.name() == name { name } else { "" }).collect();
    assert_eq!(known, ["at-most", "exactly"]);
}

/// The conjecture of a document's inside.
fn conjecture(inside: &str) -> Conjecture {
    let text = format!(r#"{{"warpspan":1,"conjecture":{{{inside}}}}}"#);
    match read(&text).map(|scenario| scenario.question) {
        Ok(Question::Conjecture(conjecture)) => *conjecture,
        other => unreachable!("{inside}: {other:?}"),
    }
}

/// `point: lower claimed verdict` for every cell.
fn judged(inside: &str) -> String {
    let mut bench = Bench::new(conjecture(inside));
    assert!(!bench.step(&mut Control::unlimited()));
    let line = |(cell, outcome): (usize, &Outcome)| {
        let conjecture = bench.conjecture();
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
    bench.outcomes().iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
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
        let mut bench = Bench::new(conjecture(&text));
        bench.step(&mut Control::unlimited());
        let outcome = bench.outcomes()[0].clone();
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
        let mut bench = Bench::new(conjecture.clone());
        bench.step(&mut Control::unlimited());
        for (cell, outcome) in bench.outcomes().iter().enumerate() {
            let point = conjecture.point(cell);
            let Ok(setting) = conjecture.setting(&point) else { unreachable!("{text}") };
            let worst = longest(&setting, &vec![0; point[0] as usize]);
            let instructions = setting.kernel.len() as u32;
            let claimed = i64::from(instructions + times * (point[0] - 1) + add) - i64::from(point[1]);
            let expected = if i64::from(worst) <= claimed { Verdict::Confirmed } else { Verdict::Refuted };
            assert_eq!(
                (&outcome.verdict, outcome.bracket.and_then(Bracket::exact)),
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
        let units = crate::warps::Unit::ALL;
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
