//! How long warps take in turn, for one of them and more: what a slider of their number shows beneath it.

use crate::scenario::WarpsScenario;
use warps::{Fairness, Start, construct};

/// No more instructions are placed for it.
const MOST: usize = 400_000;

/// How long one warp takes, two and so on up to so many; nothing where that would take long to find out, or where more
/// than their number decides.
pub fn in_turn(warps: &WarpsScenario, last: usize) -> Vec<u32> {
    let (kernel, machine) = (&warps.kernel, &warps.normalised.machine);
    let large = kernel.len().saturating_mul(last * (last + 1) / 2) > MOST;
    if large || warps.memory.is_some() || warps.fairness != Fairness::WorkConserving {
        return Vec::new();
    }
    let takes = |count| {
        let order = Start::RoundRobin.order(kernel, machine, count);
        Some(construct(kernel, machine, &order, count)?.makespan())
    };
    (1..=last).map_while(takes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, last: usize) -> Vec<u32> {
        let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("valid: {text}") };
        scenario.asked::<WarpsScenario>().map(|warps| in_turn(warps, last)).unwrap_or_default()
    }

    #[test]
    fn it_is_what_reports_say_of_each_number() {
        let text = |count: usize| {
            format!(
                r#"{{"warpspan": 1, "warps": {{"kernel": "2L 3C L", "machine": {{"L": 1, "C": 2}}, "count": {count}, "method": {{"initial": "round-robin"}}}}}}"#
            )
        };
        let curve = of(&text(3), 9);
        for count in 1..=9 {
            let Ok(scenario) = crate::LINKED.read(&text(count)) else { unreachable!("valid") };
            let line = crate::LINKED.run(&scenario).line();
            let told = kit::import::json::parse(&line).unwrap_or_default();
            assert_eq!(told["makespan"], curve[count - 1], "{count} warps");
        }
        assert_eq!(of(&text(3).replace("2L 3C L", "9000L"), 64), [0; 0], "too much for a picture so small");
    }
}
