//! The report of a conjecture made of what the experiment has found.

use super::conjecture::{Cell, ClaimReport, ConjectureReport, MoreCells, Parameter, Totals};
use crate::scenario::document_of_refutation;
use conjecture::{Conjecture, Outcome, SubBlocks, Verdict};
use kit::scenario::Scenario;
use warps::ASSUMPTIONS;

/// The report of a conjecture of which so many cells, from the first, have been judged.
pub fn conjecture_report(
    scenario: &Scenario,
    conjecture: &Conjecture,
    outcomes: &[Outcome],
) -> ConjectureReport {
    let claim = &conjecture.claim;
    let cells: Vec<Cell> =
        (0..conjecture.cells()).map(|cell| cell_report(conjecture, cell, outcomes.get(cell))).collect();
    let mut assumptions: Vec<String> = ASSUMPTIONS.map(str::to_owned).to_vec();
    if conjecture.sub_blocks != SubBlocks::None {
        assumptions.push(
            "No instruction of a sub-block executes in place of one of an earlier sub-block.".to_owned(),
        );
    }
    ConjectureReport {
        scenario: scenario.title.clone(),
        lab: "conjecture".to_owned(),
        seconds: 0.0,
        claim: ClaimReport {
            named: claim.published.map(|published| published.name.to_owned()),
            formula: claim.formula.text().to_owned(),
            says: claim.says.name().to_owned(),
            source: claim.published.map(|published| published.source.to_owned()),
            about: claim.published.map(|published| published.about.to_owned()),
        },
        kernel: conjecture.template.text().to_owned(),
        machine: (&conjecture.normalised.machine).into(),
        fairness: match conjecture.sub_blocks {
            SubBlocks::None => "work-conserving".to_owned(),
            SubBlocks::Repetitions | SubBlocks::After(_) => "sub-block".to_owned(),
        },
        warps: conjecture.warps.iter().map(|formula| formula.text().to_owned()).collect(),
        parameters: conjecture
            .ranges
            .iter()
            .map(|range| Parameter { name: range.name.clone(), values: range.values.clone() })
            .collect(),
        totals: Totals::of(&cells),
        cells,
        notes: conjecture
            .template
            .kernel(1)
            .map(|kernel| conjecture.normalised.notes_for(&kernel))
            .unwrap_or_default(),
        assumptions,
    }
}

fn cell_report(conjecture: &Conjecture, cell: usize, outcome: Option<&Outcome>) -> Cell {
    let at = conjecture.point(cell);
    let Some(outcome) = outcome else {
        return Cell {
            at,
            warps: None,
            claimed: None,
            allowed: None,
            lower: None,
            upper: None,
            upper_by: None,
            verdict: Verdict::Open.name().to_owned(),
            margin: None,
            why: Some("not looked at yet".to_owned()),
            witness: None,
        };
    };
    let allowed = outcome.claimed.map(|claimed| claimed.high.floor());
    let document = |allowed: i64| {
        let setting = conjecture.setting(&at).ok()?;
        Some(document_of_refutation(conjecture, &at, &setting, outcome.witness.as_ref()?, allowed))
    };
    Cell {
        warps: outcome.warps,
        claimed: outcome.claimed.map(|claimed| claimed.to_string()),
        allowed,
        lower: outcome.bracket.map(|bracket| bracket.lower),
        upper: outcome.bracket.map(|bracket| bracket.upper),
        upper_by: outcome.bracket.map(|bracket| bracket.upper_by.to_owned()),
        verdict: outcome.verdict.name().to_owned(),
        margin: outcome.margin(),
        why: match &outcome.verdict {
            Verdict::Undefined(why) => Some(why.clone()),
            Verdict::Open => Some("a limit was reached before it was decided".to_owned()),
            Verdict::Refuted if outcome.witness.is_none() => {
                Some("no schedule takes exactly as long".to_owned())
            }
            Verdict::Confirmed | Verdict::Refuted => None,
        },
        witness: allowed.and_then(document),
        at,
    }
}

/// The cells that were judged after the first `from`.
pub fn more_cells(conjecture: &Conjecture, outcomes: &[Outcome], from: usize) -> MoreCells {
    let cells = from..outcomes.len();
    MoreCells { from, more: cells.map(|cell| cell_report(conjecture, cell, outcomes.get(cell))).collect() }
}
