//! What came of a run in a line: how it stands, its numbers, and what they hold for.

use base::StopReason;
use base::people::{counted, duration, grouped};
use kit::page::guess::{Answer, CLOSE, Question};
use kit::page::tile::{Tile, Tone};
use kit::page::told::ToldOfTrial;

use super::proof;
use crate::report::CodeReport;

/// How the run stands, and what its bounds hold for.
pub fn state(told: &ToldOfTrial, report: Option<&CodeReport>) -> String {
    if told.running {
        let said = match report {
            Some(report) if !told.stale && report.shortest.is_some() => {
                "The worst case is told; shorter schedules are being sought in all states…"
            }
            Some(report) if !told.stale && report.states.is_some() && !report.method.starts_with("beam") => {
                "Proven so far; all states are being tried…"
            }
            Some(_) if !told.stale => "Proven so far; longer schedules are being sought…",
            _ => "Searches for long schedules…",
        };
        return said.to_owned();
    }
    if let Some(said) = told.instead(report.is_some()) {
        return said.to_owned();
    }
    let Some(report) = report else { return String::new() };
    let took = duration(report.seconds);
    let stopped = if told.stopped { "stopped after " } else { "computed in " };
    format!("{}; {stopped}{took}.", assumes(report))
}

/// What the numbers rest on, in a few words.
fn assumes(report: &CodeReport) -> String {
    if rounds_are_assumed(report) {
        return "Nobody says how often a loop goes round: taken as once".to_owned();
    }
    let tables = match (&report.architecture, &report.holds[..]) {
        (_, "document") => return "Holds for the machine of the document".to_owned(),
        (Some(architecture), _) => format!("Assumes tables of {architecture}"),
        (None, _) => "Assumes the tables taken".to_owned(),
    };
    match &report.timing[..] {
        "derived" => tables + ", and stalls and scoreboards derived, as the text has no control words",
        _ => tables,
    }
}

/// Whether some loop was gone round once only as nobody says how often it goes round.
fn rounds_are_assumed(report: &CodeReport) -> bool {
    report.loops.iter().flatten().any(|own| own.stated == "assumed")
}

/// The numbers of a run whose result is not there yet, once anything is proven; `shown` is the run that has one.
pub fn begun(told: &ToldOfTrial, shown: u32) -> Option<Vec<Tile>> {
    let (lower, upper) = told.bracket.filter(|_| told.running && !told.stale && told.job != shown)?;
    let hint = "The first number is of a schedule that was found; none takes longer than the second. What that rests on is told with the schedule.";
    Some(vec![
        tile("makespan", "This schedule takes", cycles(lower.into()), "The longest so far.".to_owned()),
        tile("worst", "The worst case", between(lower.into(), upper.into()), hint.to_owned()),
    ])
}

fn tile(id: &'static str, label: &'static str, value: String, hint: String) -> Tile {
    Tile { id, label, value, hint, tone: Tone::Plain }
}

fn cycles(n: u64) -> String {
    counted(usize::try_from(n).unwrap_or(usize::MAX), "cycle")
}

fn between(lower: u64, upper: u64) -> String {
    if lower == upper { cycles(upper) } else { format!("{} to {}", grouped(lower.into()), cycles(upper)) }
}

/// The numbers.
pub fn tiles(report: &CodeReport) -> Vec<Tile> {
    let (lower, upper) = (u64::from(report.lower), report.upper);
    let worst = between(lower, upper);
    let proof = proof::sentences(report).join(" ");
    let full = report.stop == StopReason::MemoryLimit;
    let of = match report.rests.iter().find(|rest| rest.is_grave()).map(|rest| &rest.on[..]) {
        Some("loops") => "The worst case, loops once",
        Some("opcodes" | "waits") => "The worst case, not all known",
        Some("occupancy") => "The worst case, if they fit",
        Some(_) => "The worst case of what is there",
        None if full => "The worst case, out of memory",
        None => "The worst case",
    };
    let mut all = vec![tile(
        "makespan",
        "This schedule takes",
        cycles(report.makespan.into()),
        format!("How it was found: {}.", report.method),
    )];
    all.push(tile("worst", of, worst, proof));
    let Some(best) = &report.shortest else { return all };
    let makespan = u64::from(best.makespan);
    let (value, hint) = match best.exact {
        true => (cycles(makespan), "Proven: a schedule takes so long, and none takes less.".to_owned()),
        false => (
            between(best.lower, makespan),
            "The second number is of a schedule that was found; that none takes less than the first is proven."
                .to_owned(),
        ),
    };
    all.push(tile("best", "The best case", value, hint));
    all
}

/// The worst case in a sentence, where a change of the document is typed.
pub fn now(told: &ToldOfTrial, report: &CodeReport) -> String {
    let worst = between(report.lower.into(), report.upper);
    match (told.stale, told.running) {
        (true, _) => format!("Worst case before the change: {worst}."),
        (false, true) => format!("Worst case so far: {worst}."),
        (false, false) => format!("Worst case: {worst}."),
    }
}

/// What is asked while the answer is hidden.
pub fn questions(report: &CodeReport) -> Vec<Question> {
    let right = Answer::Estimate(f64::from(report.makespan), "cycles", CLOSE);
    let asks = format!("About how many cycles does this schedule of {} take?", counted(report.count, "warp"));
    vec![Question { given: given(report), ..Question::new(asks, right) }]
}

/// Of what a schedule is and how it was made, where it is asked about: `saxpy, 26 instructions; oldest first`.
fn given(report: &CodeReport) -> String {
    let code = counted(report.code.len(), "instruction");
    let of = match report.function.as_deref() {
        Some(function) => format!("{function:.60}, {code}"),
        None => code,
    };
    let how = match &report.method[..] {
        "greedy-then-oldest" => {
            "each partition issues one warp until it has to wait, then the oldest".to_owned()
        }
        "loose-round-robin" => "the warps of a partition take turns".to_owned(),
        "oldest-first" => "the oldest warp of a partition goes first".to_owned(),
        "longest found" => "the longest schedule that is found".to_owned(),
        "exact search" => "the longest schedule that a search through all states finds".to_owned(),
        beam => format!("the longest schedule that a {beam} finds"),
    };
    format!("{of}; {how}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_has_proven_is_told_until_its_schedule_is_there() {
        let told =
            ToldOfTrial { job: 2, running: true, bracket: Some((1_340, 1_500)), ..ToldOfTrial::default() };
        let values = |told: &ToldOfTrial, shown| {
            begun(told, shown).map(|tiles| tiles.into_iter().map(|tile| tile.value).collect::<Vec<_>>())
        };
        assert_eq!(values(&told, 1).unwrap(), ["1,340 cycles", "1,340 to 1,500 cycles"]);
        assert_eq!(values(&told, 2), None, "its schedule is there, and says more");
        for other in [
            ToldOfTrial { running: false, ..told.clone() },
            ToldOfTrial { stale: true, ..told.clone() },
            ToldOfTrial { bracket: None, ..told },
        ] {
            assert_eq!(values(&other, 1), None);
        }
    }
}
