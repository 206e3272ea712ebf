//! The longest and the shortest schedule by trying everything: every latency, and every way to issue that leaves
//! nothing out.

use super::naive::Past;
use crate::launch::Launch;

/// The least and the greatest makespan; none where there are more than so many ways.
pub fn extremes(launch: &Launch, most: u64) -> Option<(u32, u32)> {
    let mut ways = 0u64;
    let mut found = (u32::MAX, 0);
    let sets: Vec<crate::Set> = launch.sets().map(|(_, _, set)| set).collect();
    let count: u64 = sets.iter().map(|set| u64::from(set.most - set.least + 1)).product();
    if count > most {
        return None;
    }
    let mut latencies: Vec<u32> = sets.iter().map(|set| set.least).collect();
    loop {
        let missed =
            sets.iter().zip(&latencies).filter(|(set, l)| set.hit.is_some_and(|hit| **l > hit)).count();
        if launch.misses().is_none_or(|allowed| missed as u32 <= allowed) {
            let mut past = Past::new(launch, latencies.clone());
            follow(&mut past, 1, &mut ways, most, &mut found)?;
        }
        let Some(at) = (0..sets.len()).find(|&at| latencies[at] < sets[at].most) else {
            return Some(found);
        };
        latencies[at] += 1;
        for (latency, set) in latencies.iter_mut().zip(&sets).take(at) {
            *latency = set.least;
        }
    }
}

fn follow(past: &mut Past<'_>, cycle: u32, ways: &mut u64, most: u64, found: &mut (u32, u32)) -> Option<()> {
    if past.over() {
        let makespan = past.schedule().makespan(past.launch);
        *found = (found.0.min(makespan), found.1.max(makespan));
        return Some(());
    }
    *ways += 1;
    if *ways > most {
        return None;
    }
    let may: Vec<usize> = (0..past.launch.warps().len()).filter(|&warp| past.may(warp, cycle)).collect();
    choose(past, &may, cycle, (ways, most), found)
}

/// Tries every subset of those that may: each in turn issues if it fits, or does not.
fn choose(
    past: &mut Past<'_>,
    may: &[usize],
    cycle: u32,
    (ways, most): (&mut u64, u64),
    found: &mut (u32, u32),
) -> Option<()> {
    for subset in 0..1u32 << may.len() {
        let before: Vec<usize> = past.issued.iter().map(Vec::len).collect();
        let chosen = |i: usize| subset >> i & 1 == 1;
        let fits = may.iter().enumerate().filter(|&(i, _)| chosen(i)).all(|(_, &warp)| {
            let fits = past.fits(warp, cycle);
            if fits {
                past.issued[warp].push(cycle);
            }
            fits
        });
        let full = fits
            && may.iter().enumerate().filter(|&(i, _)| !chosen(i)).all(|(_, &warp)| !past.fits(warp, cycle));
        let outcome = if full { follow(past, cycle + 1, ways, most, found) } else { Some(()) };
        for (row, &length) in past.issued.iter_mut().zip(&before) {
            row.truncate(length);
        }
        outcome?;
    }
    Some(())
}

#[test]
fn by_hand() {
    use crate::{Instruction, Machine, Scope, Unit};
    let unit = Unit { name: "u".to_owned(), scope: Scope::Partition, count: 1 };
    let machine = Machine { partitions: 1, issue: 1, units: vec![unit] };
    // B, figure 2 and 5: LCL with four warps takes 9 at the most where each unit has a place of its own.
    let two = Machine {
        issue: 4,
        units: ["L", "C"]
            .map(|name| Unit { name: name.to_owned(), scope: Scope::Partition, count: 1 })
            .to_vec(),
        ..machine.clone()
    };
    let code = [0, 1, 0].map(|unit| Instruction::plain(unit, 1, 1)).to_vec();
    let Ok(launch) = Launch::uniform(two, code, 3) else { unreachable!("sound") };
    assert_eq!(extremes(&launch, 1_000_000), Some((6, 7)));
    // One instruction that stalls: two warps take turns.
    let Ok(launch) = Launch::uniform(machine, vec![Instruction::plain(0, 1, 3); 2], 2) else {
        unreachable!("sound")
    };
    assert_eq!(extremes(&launch, 1_000), Some((5, 5)));
}
