//! What the numbers rest on, as it stands beside them: each a way to where more is said of it.

use base::people;

use crate::report::{CodeReport, Rest};

/// So many are told one by one.
const MOST: usize = 3;

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chip {
    /// In a few words.
    pub what: String,
    /// In a sentence.
    pub said: String,
    /// Whether the numbers say little about the kernel while that is so.
    pub grave: bool,
    /// The section beneath the picture that has more of it.
    pub leads: &'static str,
}

/// All of them, the gravest first.
pub fn chips(report: &CodeReport) -> Vec<Chip> {
    if report.holds == "document" {
        let said = "Instructions, units and latencies are written out in the document: nothing is assumed of a real machine.";
        return vec![Chip {
            what: "the machine of the document".to_owned(),
            said: said.to_owned(),
            grave: false,
            leads: "code-assumptions",
        }];
    }
    let rests = &report.rests;
    // One more has as much room as the word that there is one.
    let few = if rests.len() > MOST + 1 { MOST } else { rests.len() };
    let mut chips: Vec<Chip> = rests[..few].iter().map(chip).collect();
    if let [first, ..] = &rests[few..] {
        let rest: Vec<&str> = rests[few..].iter().map(|rest| &rest.what[..]).collect();
        let said = format!("{}.", people::listed(&rest));
        let what = format!("{} more", rests.len() - few);
        chips.push(Chip { what, said, grave: first.is_grave(), leads: "code-assumed" });
    }
    chips
}

fn chip(rest: &Rest) -> Chip {
    let leads = match &rest.on[..] {
        "loops" | "rounds" => "code-loops",
        "latencies" | "tables" | "architecture" => "code-latencies",
        "lanes" => "code-units",
        "occupancy" => "code-occupancy",
        _ => "code-assumed",
    };
    Chip { what: rest.what.clone(), said: rest.said.clone(), grave: rest.is_grave(), leads }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(holds: &'static str, on: &[&'static str]) -> CodeReport {
        let tree = serde_json::json!({ "warpspan": 1, "warps": {
            "code": [{}], "machine": { "partitions": 1, "units": {} }, "count": 1, "method": { "policy": "oldest-first" }
        } });
        let scenario = crate::LINKED.from_tree(&tree).unwrap_or_else(|problems| unreachable!("{problems:?}"));
        let report = crate::LINKED.run(&scenario);
        let rest = |on: &&'static str| Rest { on: (*on).into(), what: (*on).to_owned(), said: String::new() };
        let own = report.of::<CodeReport>().unwrap_or_else(|| unreachable!("a report on code"));
        CodeReport { holds: holds.into(), rests: on.iter().map(rest).collect(), ..own.clone() }
    }

    #[test]
    fn what_numbers_rest_on_leads_to_where_it_is_told() {
        let own = chips(&report("document", &[]));
        assert_eq!((own.len(), own[0].grave, own[0].leads), (1, false, "code-assumptions"));
        let four = chips(&report("assumed", &["loops", "rounds", "lanes", "tables"]));
        let told: Vec<(&str, bool, &str)> =
            four.iter().map(|chip| (&chip.what[..], chip.grave, chip.leads)).collect();
        let expected = [
            ("loops", true, "code-loops"),
            ("rounds", false, "code-loops"),
            ("lanes", false, "code-units"),
            ("tables", false, "code-latencies"),
        ];
        assert_eq!(told, expected);
        let five = chips(&report("assumed", &["loops", "end", "lines", "timing", "tables"]));
        assert_eq!(five.len(), 4);
        let last = &five[3];
        assert_eq!(
            (&last.what[..], &last.said[..], last.leads),
            ("2 more", "timing and tables.", "code-assumed")
        );
    }
}
