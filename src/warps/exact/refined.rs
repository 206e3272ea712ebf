//! Crowds as a space: aggregated phases, each with the most instructions one of its warps has left in it.
//!
//! To what module `pooled` says of `n`, `r`, `x` and `y` of one phase comes `m`, the most that one of its
//! warps still executes in it. Of the warps that stay, either one with `m` left waits, and `m` remains; or all
//! of those execute, and `m` falls by one. Where one with `m` waits, the others that wait have from 1 to `m`
//! left and those that execute and stay from 2 to `m`:
//! `y + 2 (x-y) + (n-x-1) + m <= r <= y + m (n-y)`. Where all of them execute, there is one at least, and the
//! warps that wait have less than `m`:
//! `y + m + 2 (x-y-1) + (n-x) <= r <= y + m (x-y) + (m-1) (n-x)`. With `m = 1` all have one left: who executes,
//! leaves. Warps that enter have the whole phase before them. So every path of states is a path of crowds.

use super::outline::{Crowd, Group, Outline};
use super::pack::CrowdCode;
use super::select::{Selector, Waiting};
use super::sweep::{MOST_CHOICES, Space};

/// The space of crowds.
#[derive(Debug)]
pub struct Refined {
    code: CrowdCode,
    start: Crowd,
    selector: Selector,
    crowd: Crowd,
    next: Crowd,
    key: Vec<u64>,
}

impl Refined {
    /// The space of a problem.
    pub fn new(outline: &Outline) -> Self {
        Self {
            code: CrowdCode::new(outline),
            start: Crowd::start(outline),
            selector: Selector::default(),
            crowd: Crowd::default(),
            next: Crowd::default(),
            key: Vec::new(),
        }
    }
}

impl Space for Refined {
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
        outline: &Outline,
        key: &[u64],
        keep: &mut dyn FnMut(&Crowd, u32) -> bool,
        visit: &mut dyn FnMut(&[u64], u32),
    ) -> bool {
        let Self { code, selector, crowd, next, key: buffer, .. } = self;
        code.decode(key, crowd);
        let (mut waiting, mut present) = (Vec::new(), Vec::new());
        for (q, group) in crowd.0.iter().enumerate().filter(|(_, group)| group.warps > 0) {
            let phase = outline.phases[q];
            waiting.push(Waiting { unit: phase.unit, block: phase.block, warps: group.warps });
            present.push(q);
        }
        let mut count = 0;
        selector.each(outline, &waiting, &mut |chosen| {
            let executed = chosen.iter().sum();
            next.0.clone_from(&crowd.0);
            each_outcome(outline, &crowd.0, &present, chosen, present.len(), &mut next.0, &mut |next| {
                count += 1;
                if keep(next, executed) {
                    code.encode(next, buffer);
                    visit(buffer, executed);
                }
                count <= MOST_CHOICES
            })
        })
    }

    fn key_of(&mut self, crowd: &Crowd) -> Option<&[u64]> {
        self.code.encode(crowd, &mut self.key);
        Some(&self.key)
    }
}

/// Every outcome of a choice, phases from the last to the first: what enters a phase is known when the phase
/// before it is done, and what stays in that one no longer matters to it.
fn each_outcome(
    outline: &Outline,
    before: &[Group],
    present: &[usize],
    chosen: &[u32],
    i: usize,
    next: &mut Vec<Group>,
    visit: &mut dyn FnMut(&Crowd) -> bool,
) -> bool {
    let Some(i) = i.checked_sub(1) else {
        let crowd = Crowd(std::mem::take(next));
        let go_on = visit(&crowd);
        *next = crowd.0;
        return go_on;
    };
    let (q, x) = (present[i], chosen[i]);
    let (here, after) = (next[q], next.get(q + 1).copied());
    for y in 0..=x {
        for most in stays(before[q], x, y).into_iter().flatten() {
            next[q] = Group { warps: before[q].warps - y, left: before[q].left - x, most };
            if let (Some(after), true) = (after, y > 0) {
                let length = outline.phases[q + 1].length;
                next[q + 1] =
                    Group { warps: after.warps + y, left: after.left + y * length, most: length };
            }
            if !each_outcome(outline, before, present, chosen, i, next, visit) {
                return false;
            }
            if let Some(after) = after {
                next[q + 1] = after;
            }
        }
    }
    next[q] = here;
    true
}

/// What the most instructions left in a phase can become, for the warps that stay.
fn stays(group: Group, x: u32, y: u32) -> [Option<u32>; 2] {
    let Group { warps: n, left: r, most: m } = group;
    if m == 1 {
        return [(y == x).then_some(u32::from(n > y)), None];
    }
    let waits = n > x && y + 2 * (x - y) + (n - x - 1) + m <= r && r <= y + m * (n - y);
    let falls =
        x > y && y + m + 2 * (x - y - 1) + (n - x) <= r && r <= y + m * (x - y) + (m - 1) * (n - x);
    [waits.then_some(m), falls.then_some(m - 1)]
}
