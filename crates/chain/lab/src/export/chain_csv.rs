//! The kernels and the tasks of a chain as tables: each number in a column of its own unit, with what it is worth.

use crate::report::chain::{Bracket, Unit, WholeReport};
use crate::timeline::chain::Worth;
use kit::export::csv::row;

/// The lower side, the upper side and the worth of a bound; empty where nothing is known, or in another unit.
fn cells(bracket: &Bracket, unit: Unit) -> [String; 3] {
    let side = |figure: &Option<crate::report::chain::Figure>| {
        let own = figure.as_ref().filter(|figure| figure.unit == unit);
        own.map_or_else(String::new, |figure| figure.value.to_string())
    };
    let worth = Worth::of_bracket(bracket).name().to_owned();
    [side(&bracket.lower), side(&bracket.upper), worth]
}

fn heads(what: &str, unit: &str) -> [String; 3] {
    [format!("{what}_lower_{unit}"), format!("{what}_upper_{unit}"), format!("{what}_is")]
}

/// One line per kernel.
pub fn kernels_csv(report: &WholeReport) -> String {
    let first = ["kernel", "source", "blocks", "threads", "warps", "resident_blocks", "limited_by"];
    let numbers = [("makespan", "cycles"), ("block", "ns"), ("alone", "ns"), ("completion", "ns")];
    let numbers = numbers.iter().flat_map(|(what, unit)| heads(what, unit));
    let last = ["launched_by".to_owned()];
    let mut out = row(first.map(str::to_owned).into_iter().chain(numbers).chain(last));
    for kernel in &report.kernels {
        let first = [
            kernel.name.clone(),
            kernel.source.clone(),
            kernel.blocks.to_string(),
            kernel.threads.to_string(),
            kernel.warps.to_string(),
            kernel.residency.blocks.to_string(),
            kernel.residency.limited_by.clone(),
        ];
        let numbers = [
            (&kernel.makespan, Unit::Cycles),
            (&kernel.block, Unit::Ns),
            (&kernel.alone, Unit::Ns),
            (&kernel.completion, Unit::Ns),
        ];
        let numbers = numbers.into_iter().flat_map(|(bracket, unit)| cells(bracket, unit));
        out += &row(first.into_iter().chain(numbers).chain([kernel.task.clone().unwrap_or_default()]));
    }
    out
}

/// One line per task.
pub fn tasks_csv(report: &WholeReport) -> String {
    let first = ["task", "core", "priority", "period_ns", "deadline_ns"];
    let numbers = ["cpu", "gpu", "response"].into_iter().flat_map(|what| heads(what, "ns"));
    let last = ["meets_deadline", "meets_is", "because"];
    let mut out = row(first.map(str::to_owned).into_iter().chain(numbers).chain(last.map(str::to_owned)));
    for task in &report.tasks {
        let first = [
            task.name.clone(),
            task.core.clone(),
            task.priority.to_string(),
            task.period.to_string(),
            task.deadline.to_string(),
        ];
        let numbers = [&task.cpu, &task.gpu, &task.response].into_iter().flat_map(|own| cells(own, Unit::Ns));
        let meets = match task.meets {
            Some(true) => "yes",
            Some(false) => "no",
            None => "open",
        };
        let last = [meets.to_owned(), Worth::of(task.kind).name().to_owned(), task.because.clone()];
        out += &row(first.into_iter().chain(numbers).chain(last));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    #[test]
    fn units_stand_in_the_names_of_columns() {
        let csv = kernels_csv(&sample::open());
        let lines: Vec<&str> = csv.split("\r\n").collect();
        assert!(lines[0].starts_with(
            "kernel,source,blocks,threads,warps,resident_blocks,limited_by,makespan_lower_cycles,"
        ));
        assert!(lines[2].starts_with(
            "edges,ptx,16,256,8,4,registers,92,110,upper,71,85,upper,71,339,upper,71,2439,simulated,"
        ));
        assert_eq!(lines.len(), 1 + 3 + 1);
    }

    #[test]
    fn what_is_not_known_is_empty() {
        let csv = tasks_csv(&sample::begun());
        let lines: Vec<&str> = csv.split("\r\n").collect();
        assert_eq!(
            lines[0],
            "task,core,priority,period_ns,deadline_ns,cpu_lower_ns,cpu_upper_ns,cpu_is,gpu_lower_ns,gpu_upper_ns,gpu_is,response_lower_ns,response_upper_ns,response_is,meets_deadline,meets_is,because"
        );
        assert!(lines[1].starts_with("camera,cpu,1,20000,12000,3500,3500,given,,,unknown,,,unknown,open,"));
    }
}
