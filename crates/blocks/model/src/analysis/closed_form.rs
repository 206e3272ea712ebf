//! The formula for kernels whose blocks all take equally long (P, section 3.7), as printed and as corrected.
//!
//! With `g_i` blocks to start, `g_f` places free at `t_a` and all others free at `t_a + C`:
//!
//! - Printed: `K = floor(|g_i - g_f| / g_max)`, `alpha = (sgn(g_i - g_f) + 1) / 2`, then
//!   `t_a' = t_a + alpha C + K C` and `g_f' = alpha g_max - (g_i - g_f - K g_max)`.
//! - Corrected: if `g_i <= g_f`, `t_a' = t_a` and `g_f' = g_f - g_i`. Otherwise `n = ceil((g_i - g_f) / g_max)`,
//!   `t_a' = t_a + n C` and `g_f' = n g_max - (g_i - g_f)`.
//!
//! Both say `f_i = t_a' + C`. They differ in two cases. Where `g_i = g_f`, `alpha` is one half instead of 0, and
//! both `t_a'` and `g_f'` are wrong from then on. Where `g_i - g_f` is a positive multiple of `g_max`, one
//! wave too many is counted: `f_i` is wrong, but what follows is not, because "all places free at `t_a + C`"
//! and "none free at `t_a`" mean the same to the next kernel.
//!
//! Why the corrected one is right: what does not fit at `t_a` fills whole waves of `g_max` at `t_a + C`,
//! `t_a + 2C` and so on, for the places of one wave are free again when those of the next are. The last block is in
//! wave `n`, of which `n g_max - (g_i - g_f)` places are left.

use std::fmt;

use super::task::Task;
use base::Nanos;

/// A number of halves: the printed formula leaves whole numbers where it is wrong, and only ever by a half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Halves(pub u128);

impl Halves {
    /// A whole number.
    pub fn whole(number: impl Into<u128>) -> Self {
        Self(2 * number.into())
    }
}

/// `7.5`, `8`.
impl fmt::Display for Halves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0 / 2, if self.0.is_multiple_of(2) { "" } else { ".5" })
    }
}

/// What the printed formula says of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printed {
    /// `t_a'` in nanoseconds.
    pub at: Halves,
    /// `g_f'`.
    pub free: Halves,
    /// `f_i` in nanoseconds.
    pub completion: Halves,
}

/// What the corrected formula says of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corrected {
    /// `t_a'`.
    pub at: Nanos,
    /// `g_f'`.
    pub free: u32,
    /// `f_i`.
    pub completion: Nanos,
}

/// What is wrong with the printed formula at a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Erratum {
    /// Nothing.
    None,
    /// The kernel takes exactly what is free: `g_i = g_f`.
    ExactFit,
    /// What does not fit fills whole waves: `g_i - g_f` is a positive multiple of `g_max`.
    WholeWaves,
    /// Neither, but the printed `t_a` and `g_f` are wrong since an earlier kernel.
    Inherited,
}

/// Both formulas at one kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// As printed.
    pub printed: Printed,
    /// As corrected: what Algorithm 2 says too.
    pub corrected: Corrected,
    /// Why the printed one is not to be trusted here.
    pub erratum: Erratum,
}

impl Line {
    /// Whether both say the same completion.
    pub fn agrees(&self) -> bool {
        self.printed.completion == Halves::whole(self.corrected.completion.0)
    }
}

/// Both formulas for kernels in launch order; none where their times differ, where there is no place, or where a
/// kernel has no block.
pub fn closed_form(tasks: &[Task], places: u32) -> Option<Vec<Line>> {
    let time = tasks.first()?.time;
    if places == 0 || tasks.iter().any(|task| task.time != time || task.blocks == 0) {
        return None;
    }
    let all = Halves::whole(places);
    let mut printed = Printed { at: Halves(0), free: all, completion: Halves(0) };
    let mut corrected = Corrected { at: Nanos::ZERO, free: places, completion: Nanos::ZERO };
    let mut sound = true;
    let mut lines = Vec::with_capacity(tasks.len());
    for task in tasks {
        let erratum = match erratum(Halves::whole(task.blocks), printed.free, all) {
            Erratum::None if !sound => Erratum::Inherited,
            found => found,
        };
        sound &= erratum != Erratum::ExactFit;
        printed = printed.next(task, all);
        corrected = corrected.next(task, places);
        lines.push(Line { printed, corrected, erratum });
    }
    Some(lines)
}

/// Which case the printed formula gets wrong, seen from its own `g_f`.
fn erratum(wanted: Halves, free: Halves, all: Halves) -> Erratum {
    match wanted.0.checked_sub(free.0) {
        Some(0) => Erratum::ExactFit,
        Some(over) if over.is_multiple_of(all.0) => Erratum::WholeWaves,
        _ => Erratum::None,
    }
}

impl Printed {
    /// Everything in halves: `2 alpha` is 0, 1 or 2.
    fn next(self, task: &Task, all: Halves) -> Self {
        let (wanted, free) = (Halves::whole(task.blocks).0, self.free.0);
        let time = u128::from(task.time.0);
        let waves = wanted.abs_diff(free) / all.0;
        let twice_alpha = match wanted.cmp(&free) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        };
        let at = Halves(self.at.0 + twice_alpha * time + 2 * waves * time);
        // alpha g_max + K g_max + g_f - g_i, which is never negative.
        let supply = twice_alpha * all.0 / 2 + waves * all.0 + free;
        Self { at, free: Halves(supply.saturating_sub(wanted)), completion: Halves(at.0 + 2 * time) }
    }
}

impl Corrected {
    fn next(self, task: &Task, places: u32) -> Self {
        let over = task.blocks.saturating_sub(self.free);
        let waves = over.div_ceil(places);
        let at = self.at + Nanos(task.time.0.saturating_mul(waves.into()));
        let supply = u64::from(waves) * u64::from(places) + u64::from(self.free);
        let free = supply.saturating_sub(task.blocks.into());
        Self { at, free: u32::try_from(free).unwrap_or(u32::MAX), completion: at + task.time }
    }
}
