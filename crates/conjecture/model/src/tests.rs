//! Formulas: read, refused and computed.

use super::formula::{NoValue, Surroundings};
use super::*;
use base::Seeded;
use base::formula::is_name;
use base::rational::{Rational, Span};
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
