//! Two captures of one kernel beside each other: what got better and worse, by cause and by line.
//!
//! Lines are matched by their text and, of equal texts, by their order. Captures may have another number of waves, so
//! cycles are told for all waves and, for the whole, for each.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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
    /// How many lines are in both: few of them, and these are two kernels.
    pub in_both: usize,
    /// How many are in one only.
    pub in_one: usize,
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

/// One capture, summed up: what a comparison needs of it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Side {
    waves: u64,
    life: u64,
    /// Cycles in the order of [`Cause::ALL`].
    whole: Vec<u64>,
    /// Lines that were executed, by text and which of that text.
    lines: Vec<LineOfSide>,
}

/// A line of a capture that is summed up.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct LineOfSide {
    text: String,
    /// How many lines before it have the same text.
    nth: usize,
    number: u32,
    cycles: Vec<u64>,
}

fn listed(sums: &Sums) -> Vec<u64> {
    Cause::ALL.iter().map(|&cause| sums.of(cause)).collect()
}

impl Side {
    /// Of an account.
    pub fn of(account: &Account) -> Self {
        let capture = account.capture;
        let mut lives: Vec<u64> = capture.waves.iter().map(waves::Wave::life).collect();
        lives.sort_unstable();
        let mut whole = Sums::default();
        (0..capture.waves.len()).for_each(|wave| whole.add_all(&account.sums(wave)));
        let mut lines = Vec::new();
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (line, (hits, sums)) in capture.lines.iter().zip(by_line(account)) {
            let count = seen.entry(&line.text).or_default();
            if hits > 0 {
                let (text, cycles) = (line.text.clone(), listed(&sums));
                lines.push(LineOfSide { text, nth: *count, number: line.number, cycles });
            }
            *count += 1;
        }
        lines.sort_by(|a, b| a.key().cmp(&b.key()));
        let life = lives.get(lives.len() / 2).copied().unwrap_or_default();
        Self { waves: capture.waves.len() as u64, life, whole: listed(&whole), lines }
    }

    /// Cycles a wave, rounded.
    fn each(&self, cycles: u64) -> u64 {
        (cycles + self.waves / 2).checked_div(self.waves).unwrap_or_default()
    }

    fn of_cause(&self, cause: Cause) -> u64 {
        self.each(self.whole.get(cause.place()).copied().unwrap_or_default())
    }
}

impl LineOfSide {
    fn key(&self) -> (&str, usize) {
        (&self.text, self.nth)
    }
}

/// What changed from one capture to the other; `threshold` in millionths.
pub fn diff(before: (&str, &Capture), after: (&str, &Capture), threshold: Option<u32>) -> Diff {
    let side = |capture| Side::of(&Account::of(capture));
    between((before.0, &side(before.1)), (after.0, &side(after.1)), threshold)
}

/// The same of captures that are summed up.
pub fn between(before: (&str, &Side), after: (&str, &Side), threshold: Option<u32>) -> Diff {
    let (one, other) = (before.1, after.1);
    let life = Change::of(one.life, other.life);
    let cause = |&cause: &Cause| OfCause {
        cause: cause.name(),
        cycles: Change::of(one.of_cause(cause), other.of_cause(cause)),
    };
    let mut causes: Vec<OfCause> = Cause::ALL.iter().map(cause).collect();
    causes.retain(|cause| cause.cycles != Change::default());
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.cycles.more));
    let pairs = pairs(one, other);
    let in_both = pairs.iter().filter(|(before, after)| before.is_some() && after.is_some()).count();
    let mut lines = lines(one, other, &pairs);
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
        in_both,
        in_one: pairs.len() - in_both,
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

/// A line of either capture, or of both.
type Pair<'a> = (Option<&'a LineOfSide>, Option<&'a LineOfSide>);

/// Lines of two captures by text and which of that text.
fn pairs<'a>(one: &'a Side, other: &'a Side) -> Vec<Pair<'a>> {
    let mut found: BTreeMap<(&str, usize), Pair<'a>> = BTreeMap::new();
    one.lines.iter().for_each(|line| found.entry(line.key()).or_default().0 = Some(line));
    other.lines.iter().for_each(|line| found.entry(line.key()).or_default().1 = Some(line));
    found.into_values().collect()
}

/// Lines that changed, those that changed most first.
fn lines(one: &Side, other: &Side, pairs: &[Pair<'_>]) -> Vec<OfLine> {
    let line = |&(before, after): &Pair<'_>| {
        let of = |line: Option<&LineOfSide>, cause: Cause| {
            line.and_then(|line| line.cycles.get(cause.place())).copied().unwrap_or_default()
        };
        let sum = |line: Option<&LineOfSide>| line.map_or(0, |line| line.cycles.iter().sum());
        let cycles = |cause: Cause| Change::of(one.each(of(before, cause)), other.each(of(after, cause)));
        let most = Cause::ALL.into_iter().max_by_key(|cause| cycles(*cause).more.unsigned_abs())?;
        let total = Change::of(one.each(sum(before)), other.each(sum(after)));
        let changed = total.more != 0 || cycles(most).more != 0;
        changed.then(|| OfLine {
            before_line: before.map(|line| line.number),
            after_line: after.map(|line| line.number),
            text: before.or(after).map(|line| line.text.clone()).unwrap_or_default(),
            cycles: total,
            cause: most.name(),
            cause_more: cycles(most).more,
        })
    };
    let mut found: Vec<OfLine> = pairs.iter().filter_map(line).collect();
    found.sort_by_key(|line| {
        std::cmp::Reverse(line.cycles.more.unsigned_abs().max(line.cause_more.unsigned_abs()))
    });
    found
}
