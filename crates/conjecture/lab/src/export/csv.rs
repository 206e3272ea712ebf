//! The cells of a conjecture as CSV.

use crate::report::ConjectureReport;
use kit::export::csv::row;

/// One line per cell of a conjecture: the parameters by their names, then what is known.
pub fn conjecture_csv(report: &ConjectureReport) -> String {
    let known = ["warps", "claimed", "allowed_cycles", "lower_cycles", "upper_cycles", "upper_by", "verdict"];
    let known = known.into_iter().chain(["margin_cycles", "why"]).map(str::to_owned);
    let mut out = row(report.parameters.iter().map(|parameter| parameter.name.clone()).chain(known));
    for cell in &report.cells {
        let fields = [
            shown(cell.warps),
            shown(cell.claimed.as_ref()),
            shown(cell.allowed),
            shown(cell.lower),
            shown(cell.upper),
            shown(cell.upper_by.as_ref()),
            cell.verdict.clone(),
            shown(cell.margin),
            shown(cell.why.as_ref()),
        ];
        out += &row(cell.at.iter().map(u32::to_string).chain(fields));
    }
    out
}

/// What is there, or nothing.
fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::conjecture_report;
    use crate::scenario::ConjectureScenario;
    use base::Control;
    use conjecture::Experiment;

    #[test]
    fn a_line_per_cell() {
        let text = r#"{"warpspan":1,"conjecture":{"claim":{"formula":"W/(W-1)*2"},"kernel":"LC","machine":{"L":1,"C":1},"ranges":{"W":[1,3]}}}"#;
        let Ok(scenario) = crate::LINKED.read(text) else { unreachable!("valid") };
        let Some(asked) = scenario.asked::<ConjectureScenario>() else { unreachable!("a conjecture") };
        let mut experiment = Experiment::new(asked.clone());
        experiment.step(&mut Control::unlimited());
        let mut report = conjecture_report(&scenario, asked, experiment.outcomes());
        for cell in report.cells.iter_mut().filter(|cell| cell.upper.is_some()) {
            cell.upper_by = Some("a proof".to_owned()); // whichever it was
        }
        let expected = [
            "W,warps,claimed,allowed_cycles,lower_cycles,upper_cycles,upper_by,verdict,margin_cycles,why",
            "1,,,,,,,undefined,,a division by 0",
            "2,2,4,4,3,3,a proof,confirmed,1,",
            "3,3,3,3,4,4,a proof,refuted,-1,",
            "",
        ];
        assert_eq!(conjecture_csv(&report), expected.join("\r\n"));
    }
}
