//! Checks of small traces: each broken one breaks one rule, and differs from a correct one in one number.

mod late;
mod literal;
mod measured;
mod random;
mod records;
mod resources;
mod rules;

use expect_test::Expect;

use super::{CheckConfig, Checked, check};
use crate::rule::Rule;
use crate::small::small;

/// A small trace, as if simulated.
fn checked(text: &str) -> Checked {
    checked_with(&CheckConfig::simulated(), text)
}

fn checked_with(config: &CheckConfig, text: &str) -> Checked {
    let (setup, trace) = small(text);
    check(&setup, &trace, config)
}

/// All that was found, one line each.
fn lines(checked: &Checked) -> String {
    let violations = checked.violations.iter().map(ToString::to_string);
    let findings = checked.findings.iter().map(ToString::to_string);
    violations.chain(findings).collect::<Vec<_>>().join("\n")
}

/// The trace breaks this rule once and nothing else; with the other number in place of the first, nothing.
fn breaks(rule: Rule, text: &str, wrong: &str, right: &str, expected: Expect) {
    breaks_with(&CheckConfig::simulated(), rule, text, wrong, right, expected);
}

fn breaks_with(config: &CheckConfig, rule: Rule, text: &str, wrong: &str, right: &str, expected: Expect) {
    let found = checked_with(config, text);
    expected.assert_eq(&lines(&found));
    assert_eq!(found.broken.some().collect::<Vec<_>>(), [(rule, 1)], "{text}");
    assert_eq!(found.findings, [], "{text}");
    assert_eq!(text.matches(wrong).count(), 1, "{wrong} is there once");
    let correct = checked_with(config, &text.replace(wrong, right));
    assert_eq!(lines(&correct), "", "with {right}");
    assert!(correct.examined.by_rule.get(rule) > 0, "{} is examined", rule.name());
}
