//! The demand of a set and a witness of it as tables. All numbers are whole, in the document's unit of time.

use crate::timeline::tasks::{Demand, Witnessed};
use kit::export::csv::row;

/// One line per interval at which a sum grows: each task, the exact sum, the sum by equation (1).
pub fn demand_csv(demand: &Demand) -> String {
    let tasks = demand.names.iter().cloned();
    let sums = ["sum_exact", "sum_by_equation"].map(str::to_owned);
    let mut out = row(["interval".to_owned()].into_iter().chain(tasks).chain(sums));
    for &t in &demand.rows {
        let equation = demand.at_by_equation(t).map_or_else(String::new, |sum| sum.to_string());
        let shares = demand.shares(t).map(|(_, share)| share.to_string());
        out += &row([t.to_string()].into_iter().chain(shares).chain([demand.at(t).to_string(), equation]));
    }
    out
}

/// One line per job: when it is triggered, by when it must be done, what it needs, whether it counts, when it is done.
pub fn witness_csv(shown: &Witnessed) -> String {
    let names = ["task", "vertex", "triggered", "deadline", "execution", "counted", "done_by_edf"];
    let mut out = row(names.map(str::to_owned));
    for job in &shown.jobs {
        out += &row([
            shown.rows.get(job.load.task).map_or(String::new(), |row| row.name.clone()),
            job.vertex.clone(),
            job.load.time.to_string(),
            job.load.deadline.to_string(),
            job.load.e.to_string(),
            if job.counted { "yes" } else { "no" }.to_owned(),
            job.done.to_string(),
        ]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::tasks::sample;

    #[test]
    fn a_line_per_step() {
        let mut report = sample::differs();
        report.dbf[0].task = "a, \"b\"".to_owned();
        let csv = demand_csv(&Demand::new(&report));
        let lines: Vec<&str> = csv.split("\r\n").collect();
        assert_eq!(lines[0], "interval,\"a, \"\"b\"\"\",sum_exact,sum_by_equation");
        assert_eq!(lines[5], "21,21,21,22");
        assert_eq!(lines.len(), 1 + 8 + 1);
        report.equation.clear();
        assert!(demand_csv(&Demand::new(&report)).contains("\r\n21,21,21,\r\n"), "unknown is empty");
    }

    #[test]
    fn a_line_per_job() {
        let csv = witness_csv(&Witnessed::new(&sample::overloaded().witness));
        let expected = [
            "task,vertex,triggered,deadline,execution,counted,done_by_edf",
            "a,v0,0,4,3,yes,3",
            "b,v0,0,4,3,yes,6",
            "b,v1,2,11,5,no,11",
            "",
        ];
        assert_eq!(csv, expected.join("\r\n"));
    }
}
