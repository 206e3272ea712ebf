//! A closed upper bound on the completion of a kernel over all launch orders, from work that has to keep every place
//! busy.
//!
//! Assumes what [`super`] lists. Let `t` be the start of the kernel's last block and `M` the number of blocks
//! put down before that one: at the most all blocks of all kernels but one, the last block itself.
//!
//! When the last block starts, its place is the first to be free, so every place has been busy from 0 to `t`, and
//! the blocks put down on a place take at least `t` together. Cut every block down to `t` at the most: a place
//! with a block that was cut has `t` from that block alone, so what is on a place still takes `t` or more.
//! Now look at the `k` places with the fewest blocks, for any `k` up to all `G`. They have no more than
//! `floor(k * M / G)` of the blocks: if they had more, the average of these `k` would be over `M / G`, and so
//! would that of the others, which have no fewer each. Even if theirs are the longest blocks of all,
//!
//! > `k * t <= the sum of the floor(k * M / G) longest blocks, each cut to t`, for every `k` from 1 to `G`.
//!
//! `k = G` says that all work fills all places; `k = 1` that some place has few blocks. If `t` keeps one of these
//! inequalities, so does every smaller time: divided by `t`, the right side does not grow with `t`. So the
//! largest time that keeps them all is found by halving.
//!
//! Blocks may be counted shorter than they are as long as what is on each place still takes `t`: so are some of the
//! kernel's own, see [`own_blocks`]. Besides, `t` is the sum of the blocks on the place of the last block, and
//! so a multiple of the greatest common divisor of their times; none of those counted shorter is on it.

use super::task::Task;
use base::Nanos;

/// So many `k` are looked at, from 1 on, and `G`. Leaving some out weakens the bound and keeps it true.
const FEW_PLACES: u32 = 64;

/// The latest completion of `tasks[which]` in any launch order.
pub fn latest_completion(tasks: &[Task], which: usize, places: u32) -> Nanos {
    let time = tasks.get(which).map_or(Nanos::ZERO, |task| task.time);
    latest_start(tasks, which, places) + time
}

/// The latest start of the last block of `tasks[which]` in any launch order. Without places it never starts.
pub fn latest_start(tasks: &[Task], which: usize, places: u32) -> Nanos {
    if places == 0 {
        return Nanos::NEVER;
    }
    let before = Before::of(tasks, which, places);
    let (mut low, mut high) = (0, before.work());
    while low < high {
        let middle = high - (high - low) / 2;
        if before.allows(middle) { low = middle } else { high = middle - 1 }
    }
    let divisor = before.groups.iter().fold(0, |divisor, &(time, _)| common_divisor(divisor, time));
    let start = if divisor == 0 { 0 } else { low - low % u128::from(divisor) };
    Nanos(u64::try_from(start).unwrap_or(u64::MAX))
}

/// The blocks that may be put down before the last one of a kernel.
struct Before {
    /// How long, and how many of them; the longest first.
    groups: Vec<(u64, u64)>,
    places: u64,
}

impl Before {
    fn of(tasks: &[Task], which: usize, places: u32) -> Self {
        let others = tasks.iter().enumerate().filter(|&(other, _)| other != which).map(|(_, task)| task);
        let longest =
            others.clone().filter(|task| task.blocks > 0).map(|task| task.time.0).max().unwrap_or(0);
        let own = tasks.get(which).map(|task| own_blocks(task.time.0, task.blocks, longest, places));
        let others = others.map(|task| (task.time.0, task.blocks));
        let all = others.chain(own.into_iter().flatten()).filter(|&(time, count)| time > 0 && count > 0);
        let mut groups: Vec<(u64, u64)> = all.map(|(time, count)| (time, count.into())).collect();
        base::sort::sort_by(&mut groups, |a, b| b.cmp(a));
        Self { groups, places: places.into() }
    }

    fn work(&self) -> u128 {
        self.groups.iter().map(|&(time, count)| u128::from(time) * u128::from(count)).sum()
    }

    /// Whether a start keeps all inequalities.
    fn allows(&self, start: u128) -> bool {
        let blocks: u128 = self.groups.iter().map(|&(_, count)| u128::from(count)).sum();
        let few = (1..=self.places.min(FEW_PLACES.into())).chain([self.places]);
        // The sum of the longest blocks, for more and more of them.
        let mut groups =
            self.groups.iter().map(|&(time, count)| (u128::from(time).min(start), u128::from(count)));
        let (mut sum, mut taken) = (0, 0);
        let (mut time, mut left) = (0, 0);
        for k in few.map(u128::from) {
            let wanted = k * blocks / u128::from(self.places);
            while taken < wanted {
                if left == 0 {
                    let Some(group) = groups.next() else { break };
                    (time, left) = group;
                }
                let more = left.min(wanted - taken);
                sum += more * time;
                taken += more;
                left -= more;
            }
            if k * start > sum {
                return false;
            }
        }
        true
    }
}

/// The blocks of a kernel before its last one, as times and counts, each as long as it needs to be counted.
///
/// The kernel comes last, behind others that leave all places free within `longest` of each other: from `s` on, and
/// at `s + longest` at the latest. If its blocks (C) are longer than that, they start in waves: every place gets
/// a first one before any gets a second, and so on. With `q G + r` of them, `r < G`, there are `r` places with
/// `q + 1` and the others with `q`, and the last block starts on one of the latter, at `t`. These are busy until `t`,
/// so they were free of others at `t - q C` or later, and all places were at `t - q C - longest` or later. On
/// the places with `q + 1`, one block of them therefore need not take more than `longest` to reach `t`.
pub fn own_blocks(time: u64, blocks: u32, longest: u64, places: u32) -> [(u64, u32); 2] {
    let before = blocks.saturating_sub(1);
    let rest = before % places.max(1);
    [(time, before - rest), (time.min(longest), rest)]
}

/// The greatest number that divides both; of 0 and another, the other.
pub fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
