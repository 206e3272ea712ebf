//! A finer state-space relaxation as a search space: aggregates that also keep the largest remainder of each phase.
//!
//! To what module `table` says of `n`, `r`, `x` and `y` of one phase comes `m`, the most that one of its
//! warps still executes in it. Of the warps that stay, either one with `m` left waits, and `m` remains; or all
//! of those execute, and `m` falls by one. Where one with `m` waits, the others that wait have from 1 to `m`
//! left and those that execute and stay from 2 to `m`:
//! `y + 2 (x-y) + (n-x-1) + m <= r <= y + m (n-y)`. Where all of them execute, there is one at least, and the
//! warps that wait have less than `m`:
//! `y + m + 2 (x-y-1) + (n-x) <= r <= y + m (x-y) + (m-1) (n-x)`. With `m = 1` all have one left: who executes,
//! leaves. Warps that enter have the whole phase before them. So every path of states is a path of aggregates.

use super::super::Goal;
use super::super::instance::{Aggregate, Group, Instance};
use super::super::pack::AggregateCode;
use super::super::select::{Selector, Waiting};
use super::super::space::{MOST_CHOICES, Space};

/// The space of aggregates.
#[derive(Debug)]
pub struct RefinedAggregates {
    code: AggregateCode,
    start: Aggregate,
    selector: Selector,
    aggregate: Aggregate,
    next: Aggregate,
    key: Vec<u64>,
    goal: Goal,
    tails: Vec<[Option<u32>; 2]>,
}

impl RefinedAggregates {
    /// The space of a problem.
    pub fn new(goal: Goal, instance: &Instance) -> Self {
        Self {
            code: AggregateCode::new(instance),
            start: Aggregate::start(instance),
            selector: Selector::default(),
            aggregate: Aggregate::default(),
            next: Aggregate::default(),
            key: Vec::new(),
            goal,
            tails: Vec::new(),
        }
    }
}

impl Space for RefinedAggregates {
    fn stride(&self) -> usize {
        self.code.stride()
    }

    fn start(&self) -> Vec<u64> {
        let mut key = Vec::new();
        self.code.encode(&self.start, &mut key);
        key
    }

    fn expand(
        &mut self,
        instance: &Instance,
        key: &[u64],
        keep: &mut dyn FnMut(&Aggregate, u32) -> bool,
        visit: &mut dyn FnMut(&[u64], u32),
    ) -> bool {
        let Self { code, selector, aggregate, next, key: buffer, goal, tails, .. } = self;
        code.decode(key, aggregate);
        let (mut waiting, mut present) = (Vec::new(), Vec::new());
        for (q, group) in aggregate.0.iter().enumerate().filter(|(_, group)| group.warps > 0) {
            let phase = instance.phases[q];
            waiting.push(Waiting { unit: phase.unit, block: phase.block, warps: group.warps });
            present.push(q);
        }
        tails.clear();
        tails.resize(present.len(), [None; 2]);
        let mut count = 0;
        selector.each(instance, &waiting, &mut |chosen| {
            let executed = chosen.iter().sum();
            next.0.clone_from(&aggregate.0);
            // Who leaves first: that much decides about the bound, for the most part.
            let last = present.len();
            each_leave(
                *goal,
                instance,
                &aggregate.0,
                &present,
                chosen,
                last,
                next,
                tails,
                &mut |next, tails| {
                    count += 1;
                    if keep(next, executed) {
                        each_tail(next, &present, tails, 0, &mut |next| {
                            code.encode(next, buffer);
                            visit(buffer, executed);
                        });
                    }
                    count <= MOST_CHOICES
                },
            )
        })
    }
}

/// What the most instructions left may become in each phase: one less, or what it was.
type Tails = [[Option<u32>; 2]];

/// Everyone who may leave, phases from the last to the first: what enters a phase is known when the phase
/// before it is done, and what stays in that one no longer matters to it. Of what the most instructions left
/// may become, the aggregate visited has what promises most: the largest for the longest schedule, the smallest
/// for the shortest.
#[allow(clippy::too_many_arguments)] // the state of a recursion
fn each_leave(
    goal: Goal,
    instance: &Instance,
    before: &[Group],
    present: &[usize],
    chosen: &[u32],
    i: usize,
    next: &mut Aggregate,
    tails: &mut Tails,
    visit: &mut dyn FnMut(&mut Aggregate, &Tails) -> bool,
) -> bool {
    let Some(i) = i.checked_sub(1) else { return visit(next, tails) };
    let (q, x) = (present[i], chosen[i]);
    let (here, after) = (next.0[q], next.0.get(q + 1).copied());
    let tails_after = tails.get(i + 1).copied();
    for y in 0..=x {
        let choices = stays(before[q], x, y);
        let best = match goal {
            Goal::Longest => choices[0].or(choices[1]),
            Goal::Shortest => choices[1].or(choices[0]),
        };
        let Some(most) = best else { continue };
        next.0[q] = Group { warps: before[q].warps - y, left: before[q].left - x, most };
        tails[i] = choices;
        if let (Some(after), true) = (after, y > 0) {
            let length = instance.phases[q + 1].length;
            next.0[q + 1] = Group { warps: after.warps + y, left: after.left + y * length, most: length };
            if present.get(i + 1) == Some(&(q + 1)) {
                tails[i + 1] = [Some(length), None];
            }
        }
        if !each_leave(goal, instance, before, present, chosen, i, next, tails, visit) {
            return false;
        }
        if let Some(after) = after {
            next.0[q + 1] = after;
        }
        if let Some(tail) = tails_after {
            tails[i + 1] = tail;
        }
    }
    next.0[q] = here;
    true
}

/// Every combination of what the most instructions left may become.
fn each_tail(
    next: &mut Aggregate,
    present: &[usize],
    tails: &Tails,
    i: usize,
    visit: &mut dyn FnMut(&Aggregate),
) {
    let Some(&q) = present.get(i) else {
        visit(next);
        return;
    };
    let kept = next.0[q].most;
    for most in tails[i].into_iter().flatten() {
        next.0[q].most = most;
        each_tail(next, present, tails, i + 1, visit);
    }
    next.0[q].most = kept;
}

/// What the most instructions left in a phase can become, for the warps that stay.
fn stays(group: Group, x: u32, y: u32) -> [Option<u32>; 2] {
    let Group { warps: n, left: r, most: m } = group;
    if m == 1 {
        return [(y == x).then_some(u32::from(n > y)), None];
    }
    let waits = n > x && y + 2 * (x - y) + (n - x - 1) + m <= r && r <= y + m * (n - y);
    let falls = x > y && y + m + 2 * (x - y - 1) + (n - x) <= r && r <= y + m * (x - y) + (m - 1) * (n - x);
    [waits.then_some(m), falls.then_some(m - 1)]
}
