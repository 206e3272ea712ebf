//! How a published value compares with ours.

use serde::Serialize;
use serde_json::Value;

/// How a published value is meant, and so what it takes to refute it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// A result somebody got: another one differs.
    Result,
    /// A statement that it is exactly this: another value refutes it.
    Exact,
    /// A bound: a larger value refutes it.
    AtMost,
    /// A bound: a smaller value refutes it.
    AtLeast,
    /// What a longer text of ours has in it.
    Within,
    /// A time on some machine: ours is told beside it and always differs.
    Measured,
}

impl Claim {
    /// The words for them.
    pub const WORDS: [(&'static str, Self); 6] = [
        ("result", Self::Result),
        ("exact", Self::Exact),
        ("at-most", Self::AtMost),
        ("at-least", Self::AtLeast),
        ("within", Self::Within),
        ("measured", Self::Measured),
    ];

    /// What stands before the published value, for people.
    pub fn sign(self) -> &'static str {
        match self {
            Claim::Result | Claim::Exact | Claim::Within | Claim::Measured => "",
            Claim::AtMost => "at most ",
            Claim::AtLeast => "at least ",
        }
    }
}

/// How two values compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Ours is the published one, or within the published bound.
    Agree,
    /// Ours is another one, and both may be right.
    Differ,
    /// Ours shows that the published one is wrong.
    Refuted,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Agree, Self::Differ, Self::Refuted];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Agree => "agree",
            Verdict::Differ => "differ",
            Verdict::Refuted => "refuted",
        }
    }

    /// What a value with it does: it should *agree*, *differ* or *be refuted*.
    pub fn known(self) -> &'static str {
        match self {
            Verdict::Refuted => "be refuted",
            other => other.word(),
        }
    }
}

/// Compares; none where the values are not of a kind that can be compared so.
pub fn judge(claim: Claim, published: &Value, ours: &Value, within: f64) -> Option<Verdict> {
    let numbers = published.as_f64().zip(ours.as_f64());
    let holds = match claim {
        Claim::Result | Claim::Exact => same(published, ours, within),
        Claim::AtMost => numbers.map(|(published, ours)| ours <= published + within)?,
        Claim::AtLeast => numbers.map(|(published, ours)| ours >= published - within)?,
        Claim::Within => published.as_str().zip(ours.as_str()).map(|(part, whole)| whole.contains(part))?,
        Claim::Measured => return numbers.map(|_| Verdict::Differ),
    };
    Some(match claim {
        _ if holds => Verdict::Agree,
        Claim::Result | Claim::Within => Verdict::Differ,
        _ => Verdict::Refuted,
    })
}

/// Ours as a multiple of the published one, where that makes sense.
pub fn ratio(published: &Value, ours: &Value) -> Option<f64> {
    let quotient = ours.as_f64()? / published.as_f64()?;
    quotient.is_finite().then_some(quotient)
}

fn same(one: &Value, other: &Value, within: f64) -> bool {
    match (one, other) {
        (Value::Number(_), Value::Number(_)) => {
            one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| (one - other).abs() <= within)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other, within))
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn verdicts() {
        use Verdict::{Agree, Differ, Refuted};
        let table = [
            (Claim::Result, json!(160), json!(160), Some(Agree)),
            (Claim::Result, json!(160), json!(160.0), Some(Agree)),
            (Claim::Result, json!(160), json!(158), Some(Differ)),
            (Claim::Exact, json!(44), json!(45), Some(Refuted)),
            (Claim::AtMost, json!(176), json!(160), Some(Agree)),
            (Claim::AtMost, json!(176), json!(176), Some(Agree)),
            (Claim::AtMost, json!(176), json!(184), Some(Refuted)),
            (Claim::AtLeast, json!(4), json!(3), Some(Refuted)),
            (Claim::AtLeast, json!(4), json!(5), Some(Agree)),
            (Claim::AtMost, json!("176"), json!(184), None),
            (Claim::Measured, json!(58), json!(58), Some(Differ)),
            (Claim::Measured, json!(58), json!(null), None),
            (Claim::Within, json!("cycle 5"), json!("idle at cycle 5: L"), Some(Agree)),
            (Claim::Within, json!("cycle 6"), json!("idle at cycle 5: L"), Some(Differ)),
            (Claim::Within, json!("5"), json!(5), None),
            (Claim::Result, json!([[4, 2], [6, 6]]), json!([[4, 2], [6, 6]]), Some(Agree)),
            (Claim::Result, json!([4, 2]), json!([4, 2, 1]), Some(Differ)),
            (Claim::Result, json!("L C"), json!("L C"), Some(Agree)),
            (Claim::Result, json!(1), json!("1"), Some(Differ)),
        ];
        for (claim, published, ours, expected) in table {
            assert_eq!(judge(claim, &published, &ours, 0.0), expected, "{claim:?} {published} {ours}");
        }
        assert_eq!(judge(Claim::Exact, &json!([0.909]), &json!([0.9091]), 0.0005), Some(Agree));
        assert_eq!(judge(Claim::Exact, &json!(0.909), &json!(0.9101), 0.0005), Some(Refuted));
    }

    #[test]
    fn ratios() {
        assert_eq!(ratio(&json!(4), &json!(6)), Some(1.5));
        assert_eq!(ratio(&json!(0), &json!(6)), None);
        assert_eq!(ratio(&json!([4]), &json!(6)), None);
    }
}
