//! Schedules and the progress of searches as CSV.

use crate::timeline::Convergence;
use crate::timeline::convergence::{Axis, height};
use kit::export::csv::row;
use warps::{Kernel, Order, Schedule};

/// One line per instruction, in the order's order; with its last cycle where that may be another than its first.
pub fn schedule_csv(kernel: &Kernel, order: &Order, schedule: &Schedule) -> String {
    let columns = ["position", "warp", "instruction", "unit", "ready_cycle", "cycle", "waited_cycles"];
    let last = schedule.is_lasting().then_some("last_cycle");
    let mut out = row(columns.into_iter().chain(last).map(str::to_owned));
    let mut next = vec![0usize; schedule.warps()];
    for (position, &warp) in order.ids().iter().enumerate() {
        let warp = usize::from(warp);
        let instruction = next[warp];
        next[warp] += 1;
        let (ready, cycle) = (schedule.ready(warp, instruction), schedule.warp(warp)[instruction]);
        let last = last.map(|_| (cycle + schedule.lasts(warp, instruction) - 1).to_string());
        let fields = [
            (position + 1).to_string(),
            (warp + 1).to_string(),
            (instruction + 1).to_string(),
            kernel.units()[instruction].letter().to_string(),
            ready.to_string(),
            cycle.to_string(),
            (cycle - ready).to_string(),
        ];
        out += &row(fields.into_iter().chain(last));
    }
    out
}

/// One line per improvement, chain by chain. `envelope` is the largest makespan that any chain had found after
/// the same number of seconds. Then one line per narrowing of what is proven: found in `makespan`, proven at
/// most in `proven_at_most`.
pub fn convergence_csv(data: &Convergence) -> String {
    let mut out = row(["chain", "start", "iteration", "seconds", "makespan", "envelope", "proven_at_most"]
        .map(str::to_owned));
    let envelope = data.envelope(Axis::Seconds);
    for (i, chain) in data.chains.iter().enumerate() {
        for improvement in &chain.improvements {
            let largest = height(&envelope, improvement.seconds).unwrap_or(improvement.makespan);
            out += &row([
                (i + 1).to_string(),
                chain.start.clone(),
                improvement.iteration.to_string(),
                improvement.seconds.to_string(),
                improvement.makespan.to_string(),
                largest.to_string(),
                String::new(),
            ]);
        }
    }
    for step in data.bracket.iter().flat_map(|bracket| &bracket.steps) {
        let largest = height(&envelope, step.seconds).map_or(step.lower, |chains| chains.max(step.lower));
        out += &row([
            String::new(),
            "search".to_owned(),
            String::new(),
            step.seconds.to_string(),
            step.lower.to_string(),
            largest.to_string(),
            step.upper.to_string(),
        ]);
    }
    out
}

/// An instruction that runs in a cycle in only one of two schedules. Warp and instruction count from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The cycle.
    pub cycle: u32,
    /// The schedule it runs there in.
    pub only_in: &'static str,
    /// The warp, by the name under which the schedules were compared.
    pub warp: u32,
    /// The instruction.
    pub instruction: u32,
    /// The warp's name in its own schedule.
    pub own_warp: u32,
}

/// One line per instruction that runs in a cycle in only one of two schedules.
pub fn differences_csv(kernel: &Kernel, differences: &[Difference]) -> String {
    let mut out = row(["cycle", "only_in", "warp", "instruction", "unit", "own_warp"].map(str::to_owned));
    for difference in differences {
        out += &row([
            difference.cycle.to_string(),
            difference.only_in.to_owned(),
            (difference.warp + 1).to_string(),
            (difference.instruction + 1).to_string(),
            kernel.units()[difference.instruction as usize].letter().to_string(),
            (difference.own_warp + 1).to_string(),
        ]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use warps::{Machine, PerUnit, Start, construct};

    #[test]
    fn a_line_per_instruction() {
        let Ok(kernel) = Kernel::parse("LC") else { unreachable!("parses") };
        let machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };
        let order = Start::RoundRobin.order(&kernel, &machine, 2);
        let Some(schedule) = construct(&kernel, &machine, &order, 2) else { unreachable!("complete") };
        let csv = schedule_csv(&kernel, &order, &schedule);
        assert_eq!(csv.lines().count(), 5);
        assert!(csv.contains("\r\n2,2,1,L,1,2,1\r\n"), "{csv}");
    }

    #[test]
    fn a_line_per_improvement() {
        let csv = convergence_csv(&crate::draw::chart::sample::proven());
        let expected = [
            "chain,start,iteration,seconds,makespan,envelope,proven_at_most",
            "1,round-robin,0,0,154,154,",
            "1,round-robin,90,0.004,155,155,",
            "1,round-robin,20000,0.2,158,158,",
            "2,random,0,0,131,154,",
            "2,random,4,0.0002,140,154,",
            "2,random,800,0.01,156,156,",
            "2,random,900000,4.5,160,160,",
            ",search,,0.001,128,154,197",
            ",search,,0.05,159,159,197",
            ",search,,0.4,159,159,162",
            ",search,,0.9,160,160,160",
            "",
        ];
        assert_eq!(csv, expected.join("\r\n"));
    }

    #[test]
    fn a_line_per_difference() {
        let Ok(kernel) = Kernel::parse("LC") else { unreachable!("parses") };
        let difference = Difference { cycle: 7, only_in: "kept", warp: 2, instruction: 1, own_warp: 0 };
        let csv = differences_csv(&kernel, &[difference]);
        assert_eq!(csv, "cycle,only_in,warp,instruction,unit,own_warp\r\n7,kept,3,2,C,1\r\n");
    }
}
