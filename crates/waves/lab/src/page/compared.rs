//! Two captures beside each other on the page: what got better from one to the other, by cause and by line.
//!
//! Cycles are those of a wave in the mean, as captures may have another number of waves; less of them is better.

use base::people::{self, grouped, percent};
use waves::Cause;

use super::says::name_of;
use crate::diff::{Change, Diff, Side, between};
pub use kit::page::compared::{Difference, Way};

fn difference(change: Change) -> Difference {
    let said = |cycles: u64| grouped(cycles.into());
    let [before, after] = [change.before, change.after];
    Difference { more: signed(change.more), way: Way::of(change.more), both: [said(before), said(after)] }
}

/// What changed at a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number before, and after.
    pub numbers: [Option<u32>; 2],
    /// The instruction.
    pub text: String,
    /// Its cycles.
    pub cycles: Difference,
    /// The cause that changed most, and by how much.
    pub mostly: (Cause, String),
}

/// A comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// What the captures are called, before and after.
    pub names: [String; 2],
    /// What there is to say, first of all what came of the whole.
    pub told: Vec<String>,
    /// Which way the whole went.
    pub way: Way,
    /// What changed by cause, the most first.
    pub causes: Vec<(Cause, Difference)>,
    /// What changed by line, the most first.
    pub lines: Vec<Line>,
}

/// A number with its sign.
fn signed(number: i64) -> String {
    let size = grouped(number.unsigned_abs().into());
    match number {
        0 => size,
        number if number < 0 => format!("−{size}"),
        _ => format!("+{size}"),
    }
}

fn cause(name: &str) -> Cause {
    Cause::ALL.into_iter().find(|cause| cause.name() == name).unwrap_or(Cause::Unexplained)
}

impl Compared {
    /// From one capture to the other, each with what it is called.
    pub fn of(before: (&str, &Side), after: (&str, &Side)) -> Self {
        let diff = between(before, after, None);
        let told = told(&diff);
        let weight = |change: &Change| std::cmp::Reverse(change.more.unsigned_abs());
        let Diff { runs, life, mut causes, mut lines, .. } = diff;
        causes.sort_by_key(|own| weight(&own.cycles));
        // As the comparison chose them: what is exchanged between causes counts, too.
        lines.sort_by_key(|own| {
            std::cmp::Reverse(own.cycles.more.unsigned_abs().max(own.cause_more.unsigned_abs()))
        });
        let line = |own: crate::diff::OfLine| Line {
            numbers: [own.before_line, own.after_line],
            text: own.text,
            cycles: difference(own.cycles),
            mostly: (cause(own.cause), signed(own.cause_more)),
        };
        Self {
            names: runs,
            told,
            way: Way::of(life.more),
            causes: causes.into_iter().map(|own| (cause(own.cause), difference(own.cycles))).collect(),
            lines: lines.into_iter().map(line).collect(),
        }
    }
}

fn told(diff: &Diff) -> Vec<String> {
    let life = diff.life;
    let share = life.more.unsigned_abs() as f64 / life.before.max(1) as f64;
    let [before, after] = [life.before, life.after].map(|cycles| grouped(cycles.into()));
    let mut told = vec![match Way::of(life.more) {
        Way::Same | Way::Other => format!("The median wave lives {before} cycles in both."),
        Way::Better => {
            format!(
                "The median wave lives {after} cycles instead of {before}: {} shorter, better.",
                percent(share)
            )
        }
        Way::Worse => {
            format!(
                "The median wave lives {after} cycles instead of {before}: {} longer, worse.",
                percent(share)
            )
        }
    }];
    if diff.waves.more != 0 {
        let [before, after] = [diff.waves.before, diff.waves.after].map(|waves| grouped(waves.into()));
        told.push(format!(
            "There are {after} waves instead of {before}; cycles are those of a wave in the mean."
        ));
    }
    let all = diff.in_both + diff.in_one;
    if diff.in_one > 0 {
        let of = format!("{} of {} are in both", grouped(diff.in_both as u128), people::counted(all, "line"));
        let kernels = if diff.in_both < diff.in_one { ": these may be two kernels" } else { "" };
        told.push(format!("{of}{kernels}. Lines are the same whose text is, one after the other."));
    }
    if let Some(first) = diff.causes.iter().max_by_key(|own| own.cycles.more.unsigned_abs())
        && first.cycles.more != 0
    {
        told.push(format!(
            "Most changed: {}, {} cycles a wave.",
            name_of(cause(first.cause)),
            signed(first.cycles.more)
        ));
    }
    if diff.others > 0 {
        told.push(format!("{} changed less, and are not listed.", people::counted(diff.others, "line")));
    }
    told
}
