//! All states once more: every latency is chosen when an instruction issues, every cycle is gone through, nothing is left
//! out.

use std::collections::HashSet;

use crate::launch::Launch;

/// A warp: how much has issued, cycles to the next by the stall, and what is under way, with cycles left.
type Own = (usize, u32, Vec<(u8, u32)>);

/// All warps, cycles left of holds by pool, misses, and cycles that anything is still under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    warps: Vec<Own>,
    holds: Vec<Vec<u32>>,
    misses: u32,
    rest: u32,
}

/// The longest makespan, and how many states there are; none where there are more than so many.
pub fn longest(launch: &Launch, most: u64) -> Option<(u32, u64)> {
    let start = State {
        warps: vec![(0, 0, Vec::new()); launch.warps().len()],
        holds: vec![Vec::new(); launch.machine().pools()],
        misses: 0,
        rest: 0,
    };
    let mut layer = HashSet::from([start]);
    let (mut cycle, mut states, mut longest) = (0u32, 0u64, 0u32);
    while !layer.is_empty() {
        let mut next = HashSet::new();
        for state in layer {
            states += 1;
            if states > most {
                return None;
            }
            if state.warps.iter().enumerate().all(|(warp, own)| own.0 == launch.length(warp)) {
                longest = longest.max(cycle + state.rest);
                continue;
            }
            let may: Vec<usize> = (0..state.warps.len()).filter(|&warp| may(launch, &state, warp)).collect();
            let mut work = 0;
            issue(launch, &state, &may, &mut Vec::new(), &mut |state| {
                work += 1;
                next.insert(passed(state));
            });
            states += work / 16;
        }
        layer = next;
        cycle += 1;
    }
    Some((longest, states))
}

/// Whether a warp's next instruction may issue but for units and slots.
fn may(launch: &Launch, state: &State, warp: usize) -> bool {
    let alone = |warp: usize| {
        let (place, stall, pending) = &state.warps[warp];
        *place < launch.length(warp)
            && *stall == 0
            && launch
                .at(warp, *place)
                .waits
                .iter()
                .all(|wait| pending.iter().filter(|one| one.0 == wait.board).count() as u32 <= wait.left)
    };
    let passed =
        |warp: usize| (0..state.warps[warp].0).filter(|&place| launch.at(warp, place).barrier).count();
    let place = state.warps[warp].0;
    if !alone(warp) || !launch.at(warp, place).barrier {
        return alone(warp);
    }
    (0..state.warps.len()).filter(|&other| launch.warps()[other].block == launch.warps()[warp].block).all(
        |other| {
            let at = state.warps[other].0;
            at == launch.length(other)
                || passed(other) > passed(warp)
                || passed(other) == passed(warp) && launch.at(other, at).barrier && alone(other)
        },
    )
}

/// Every way to issue some of these so that no other could.
fn issue(
    launch: &Launch,
    state: &State,
    may: &[usize],
    issued: &mut Vec<usize>,
    each: &mut dyn FnMut(State),
) {
    let fits = |warp: usize| {
        let partition = launch.warps()[warp].partition;
        let slots = issued.iter().filter(|&&other| launch.warps()[other].partition == partition).count();
        let place = state.warps[warp].0;
        slots < launch.machine().issue as usize
            && launch
                .pool(warp, place)
                .is_none_or(|pool| state.holds[pool].len() < launch.machine().unit_of(pool).count as usize)
    };
    let open: Vec<usize> = may.iter().copied().filter(|warp| !issued.contains(warp) && fits(*warp)).collect();
    if open.is_empty() {
        each(state.clone());
        return;
    }
    for &warp in &open {
        let place = state.warps[warp].0;
        let own = launch.at(warp, place);
        let mut ways = vec![state.clone()];
        for set in &own.sets {
            let with = |state: &State| {
                let one = |latency: u32| {
                    let mut state = state.clone();
                    state.warps[warp].2.push((set.board, latency));
                    state.misses +=
                        u32::from(launch.misses().is_some() && set.hit.is_some_and(|hit| latency > hit));
                    state.rest = state.rest.max(latency);
                    state
                };
                (set.least..=set.most).map(one).collect::<Vec<State>>()
            };
            ways = ways.iter().flat_map(with).collect();
        }
        ways.retain(|state| launch.misses().is_none_or(|most| state.misses <= most));
        issued.push(warp);
        for mut state in ways {
            state.warps[warp].0 += 1;
            state.warps[warp].1 = own.stall;
            state.rest = state.rest.max(own.hold);
            if let Some(pool) = launch.pool(warp, place) {
                state.holds[pool].push(own.hold);
            }
            issue(launch, &state, may, issued, each);
        }
        issued.pop();
    }
}

/// A state a cycle later.
fn passed(mut state: State) -> State {
    for (_, stall, pending) in &mut state.warps {
        *stall = stall.saturating_sub(1);
        pending.iter_mut().for_each(|one| one.1 -= 1);
        pending.retain(|one| one.1 > 0);
        pending.sort_unstable();
    }
    for holds in &mut state.holds {
        holds.iter_mut().for_each(|left| *left -= 1);
        holds.retain(|&left| left > 0);
        holds.sort_unstable();
    }
    state.rest = state.rest.saturating_sub(1);
    state
}
