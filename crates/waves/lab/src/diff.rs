//! Two captures of one kernel beside each other: what got better and worse, by cause and by line.
//!
//! Lines are matched by their text and, of equal texts, by their order. Captures may have another number of waves, so
//! cycles are told for all waves and, for the whole, for each.

use std::collections::BTreeMap;

use serde::Serialize;

use kit::import::json;
use waves::cause::Sums;
use waves::{Account, Capture, Cause};

use crate::report::lines::by_line;

/// How many lines are told.
const LINES: usize = 60;

/// What changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diff {
    /// What the captures are called.
    pub runs: [String; 2],
    /// `waves`.
    pub lab: &'static str,
    /// How long it took to read and to answer.
    pub seconds: f64,
    /// Waves.
    pub waves: Change,
    /// The median of the waves' lives.
    pub life: Change,
    /// By how much of the first one that is longer, in percent.
    pub percent: Option<f64>,
    /// By how much it may, in percent, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// Whether it is longer by more than that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slower: Option<bool>,
    /// Cycles a wave by cause, rounded; what got worse first.
    pub causes: Vec<OfCause>,
    /// Lines of which the cycles a wave changed most; what got worse first.
    pub lines: Vec<OfLine>,
    /// How many more lines changed.
    pub others: usize,
}

/// A number before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Change {
    /// In the first capture.
    pub before: u64,
    /// In the second.
    pub after: u64,
    /// The second less the first.
    pub more: i64,
}

/// Cycles a wave that went to a cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OfCause {
    /// The cause.
    pub cause: &'static str,
    /// Cycles.
    #[serde(flatten)]
    pub cycles: Change,
}

/// Cycles a wave of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OfLine {
    /// Its number in the first capture.
    pub before_line: Option<u32>,
    /// Its number in the second.
    pub after_line: Option<u32>,
    /// The instruction.
    pub text: String,
    /// Cycles.
    #[serde(flatten)]
    pub cycles: Change,
    /// The cause that changed most.
    pub cause: &'static str,
    /// By how much.
    pub cause_more: i64,
}

impl Change {
    fn of(before: u64, after: u64) -> Self {
        Self { before, after, more: after.cast_signed().saturating_sub(before.cast_signed()) }
    }
}

/// One capture, summed up.
struct Side {
    waves: u64,
    life: u64,
    whole: Sums,
    /// By text and which of that text: the number and the cycles.
    lines: BTreeMap<(String, usize), (u32, Sums)>,
}

impl Side {
    fn of(capture: &Capture) -> Self {
        let account = Account::of(capture);
        let mut lives: Vec<u64> = capture.waves.iter().map(waves::Wave::life).collect();
        lives.sort_unstable();
        let mut whole = Sums::default();
        (0..capture.waves.len()).for_each(|wave| whole.add_all(&account.sums(wave)));
        let mut lines = BTreeMap::new();
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (line, (hits, sums)) in capture.lines.iter().zip(by_line(&account)) {
            let count = seen.entry(&line.text).or_default();
            if hits > 0 {
                lines.insert((line.text.clone(), *count), (line.number, sums));
            }
            *count += 1;
        }
        let life = lives.get(lives.len() / 2).copied().unwrap_or_default();
        Self { waves: capture.waves.len() as u64, life, whole, lines }
    }

    /// Cycles a wave, rounded.
    fn each(&self, cycles: u64) -> u64 {
        (cycles + self.waves / 2).checked_div(self.waves).unwrap_or_default()
    }
}

/// What changed from one capture to the other; `threshold` in millionths.
pub fn diff(before: (&str, &Capture), after: (&str, &Capture), threshold: Option<u32>) -> Diff {
    let (one, other) = (Side::of(before.1), Side::of(after.1));
    let life = Change::of(one.life, other.life);
    let cause = |&cause: &Cause| OfCause {
        cause: cause.name(),
        cycles: Change::of(one.each(one.whole.of(cause)), other.each(other.whole.of(cause))),
    };
    let mut causes: Vec<OfCause> = Cause::ALL.iter().map(cause).collect();
    causes.retain(|cause| cause.cycles != Change::default());
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.cycles.more));
    let mut lines = lines(&one, &other);
    let others = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    lines.sort_by_key(|line| std::cmp::Reverse(line.cycles.more));
    let slower = |most: u32| {
        u128::from(life.after.saturating_sub(life.before)) * 1_000_000
            > u128::from(life.before) * u128::from(most)
    };
    Diff {
        runs: [before.0.to_owned(), after.0.to_owned()],
        lab: "waves",
        seconds: 0.0,
        waves: Change::of(one.waves, other.waves),
        life,
        percent: (life.before > 0).then(|| 100.0 * life.more as f64 / life.before as f64),
        threshold: threshold.map(|most| f64::from(most) / 1e4),
        slower: threshold.map(slower),
        causes,
        lines,
        others,
    }
}

impl Diff {
    /// The report as one line of JSON.
    pub fn line(&self) -> String {
        json::line(self)
    }
}

/// Lines that changed, those that changed most first.
fn lines(one: &Side, other: &Side) -> Vec<OfLine> {
    let mut keys: Vec<_> = one.lines.keys().chain(other.lines.keys()).collect();
    keys.sort();
    keys.dedup();
    let line = |key: &(String, usize)| {
        let (before, after) = (one.lines.get(key), other.lines.get(key));
        let cycles = |cause: Cause| {
            let before = one.each(before.map_or(0, |(_, sums)| sums.of(cause)));
            Change::of(before, other.each(after.map_or(0, |(_, sums)| sums.of(cause))))
        };
        let most = Cause::ALL.into_iter().max_by_key(|cause| cycles(*cause).more.unsigned_abs())?;
        let total = Change::of(
            one.each(before.map_or(0, |(_, sums)| sums.total())),
            other.each(after.map_or(0, |(_, sums)| sums.total())),
        );
        let changed = total.more != 0 || cycles(most).more != 0;
        changed.then(|| OfLine {
            before_line: before.map(|(number, _)| *number),
            after_line: after.map(|(number, _)| *number),
            text: key.0.clone(),
            cycles: total,
            cause: most.name(),
            cause_more: cycles(most).more,
        })
    };
    let mut found: Vec<OfLine> = keys.into_iter().filter_map(line).collect();
    found.sort_by_key(|line| {
        std::cmp::Reverse(line.cycles.more.unsigned_abs().max(line.cause_more.unsigned_abs()))
    });
    found
}
