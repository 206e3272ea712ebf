//! Whether kernels of different processes stay apart: P1. Each kernel is told about once.

use super::config::Processes;
use super::facts::Facts;
use super::fault::{Faults, Why};
use crate::rule::Rule;
use crate::trace::{BlockRun, Slice};

/// P1 as far as the configuration and the trace allow.
pub(super) fn apart(facts: &Facts, faults: &mut Faults) {
    if facts.processes.len() < 2 {
        return;
    }
    match facts.config.processes {
        Processes::NeverTogether => never_together(facts, faults),
        Processes::RemarkOverlaps => {
            let mut found = Faults::new(0);
            never_together(facts, &mut found);
            faults.overlaps = found.list;
        }
        Processes::BySlices if !facts.trace.slices.is_empty() => in_slices(facts, faults),
        Processes::BySlices => {}
    }
}

/// The slices of each process, ascending by start; those that end before they start are left out.
pub(super) fn slices(facts: &Facts) -> Vec<Vec<Slice>> {
    let mut slices = vec![Vec::new(); facts.processes.len()];
    for slice in &facts.trace.slices {
        if let Ok(process) = facts.processes.binary_search(&slice.process)
            && slice.start <= slice.end
        {
            slices[process].push(*slice);
        }
    }
    for own in &mut slices {
        base::sort::sort_by_key(own, |slice| slice.start);
    }
    slices
}

/// Blocks start and end only while their process has the device.
fn in_slices(facts: &Facts, faults: &mut Faults) {
    let (slices, tolerance) = (slices(facts), facts.config.tolerance);
    let mut told = vec![false; facts.ops.len()];
    for &index in &facts.by_start {
        let (block, op, number) = facts.block(index);
        let own = &slices[facts.ops[op].process];
        let wrong = [block.start, block.end].into_iter().find(|&at| {
            let begun = own.partition_point(|slice| slice.start <= at + tolerance);
            begun.checked_sub(1).is_none_or(|last| own[last].end + tolerance < at)
        });
        faults.examined.add(Rule::P1, 1);
        if let Some(at) = wrong {
            if !std::mem::replace(&mut told[op], true) {
                faults.add(Rule::P1, at, op, Some(number), Why::OtherProcess(None));
            }
            faults.told[index as usize] |= at == block.start;
        }
    }
}

/// Running blocks of two processes do not overlap. Those of a kernel that was told do not count against others.
fn never_together(facts: &Facts, faults: &mut Faults) {
    let tolerance = facts.config.tolerance;
    let mut told = vec![false; facts.ops.len()];
    // The block that ends last, and the one that does so of all other processes.
    let mut running: [Option<(usize, BlockRun)>; 2] = [None, None];
    for &index in &facts.by_start {
        let (block, op, number) = facts.block(index);
        let process = facts.ops[op].process;
        faults.examined.add(Rule::P1, 1);
        let overlaps =
            |other: &BlockRun| other.end > block.start + tolerance && other.start + tolerance < block.end;
        let other = running.iter().flatten().find(|(theirs, other)| *theirs != process && overlaps(other));
        if let Some((theirs, _)) = other {
            let why = Why::OtherProcess(Some(facts.processes[*theirs]));
            if !std::mem::replace(&mut told[op], true) {
                faults.add(Rule::P1, block.start, op, Some(number), why);
            }
        }
        if !told[op] {
            keep_the_last(&mut running, process, block);
        }
    }
}

fn keep_the_last(running: &mut [Option<(usize, BlockRun)>; 2], process: usize, block: BlockRun) {
    let [last, other] = running;
    if let Some((theirs, run)) = last
        && *theirs != process
    {
        if block.end >= run.end {
            *other = last.replace((process, block));
        } else if other.is_none_or(|(_, run)| run.end < block.end) {
            *other = Some((process, block));
        }
    } else if last.is_none_or(|(_, run)| run.end < block.end) {
        *last = Some((process, block));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{Nanos, Seeded};

    #[test]
    fn of_each_process_but_one_the_block_that_ends_last_is_known() {
        let mut rng = Seeded::new(17, 0);
        for _ in 0..200 {
            let (mut running, mut all) = ([None, None], Vec::new());
            for sm in 0..12 {
                let (process, end) = (rng.below(3) as usize, Nanos(rng.below(8).into()));
                let block = BlockRun { start: Nanos::ZERO, end, sm };
                keep_the_last(&mut running, process, block);
                all.push((process, end));
                let last = |but: Option<usize>| {
                    all.iter().filter(|(process, _)| Some(*process) != but).map(|(_, end)| *end).max()
                };
                let [first, second] = running.map(|kept| kept.map(|(process, run)| (process, run.end)));
                assert_eq!(first.map(|(_, end)| end), last(None));
                assert_eq!(second.map(|(_, end)| end), last(first.map(|(process, _)| process)));
                assert!([first, second].into_iter().flatten().all(|kept| all.contains(&kept)));
                assert!(first.map(|kept| kept.0) != second.map(|kept| kept.0));
            }
        }
    }
    #[test]
    fn of_those_that_end_together_the_one_that_began_first_is_kept() {
        let block = |start, end| BlockRun { start: Nanos(start), end: Nanos(end), sm: 0 };
        let mut running = [None, None];
        for (process, start, end) in [(0, 0, 9), (0, 1, 9), (1, 2, 5), (1, 3, 5)] {
            keep_the_last(&mut running, process, block(start, end));
        }
        assert_eq!(running, [Some((0, block(0, 9))), Some((1, block(2, 5)))]);
    }
}
