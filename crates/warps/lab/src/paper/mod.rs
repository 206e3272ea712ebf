//! A schedule of warps on paper, and small.

mod grid;

use serde_json::Value;

use crate::draw::gantt::{self, Frame};
use crate::page::Shown;
use crate::report::WarpsReport;
use crate::timeline::Rows;
use base::people;
use kit::export::svg::svg;
use kit::import::json;
use kit::page::paper::{FULL, Fact, Paper, Sheet, Small, TooLarge, WIDTH, fact};
use warps::{Start, Unit, construct};

/// An order with more entries is not written out.
const LONGEST_ORDER: usize = 120;

/// The sheet of a document about warps, its report, and what a search beside it has proven; none where it is another.
pub fn sheet(paper: &Paper) -> Option<Sheet> {
    let (document, line, proven, link) = (paper.document, paper.line(), paper.proven, paper.link);
    let shown = Shown::new(document, line)?;
    let report = &shown.report;
    let whole = shown.whole_picture(Rows::Warps);
    let rows: Vec<String> = whole.tracks.iter().map(|track| track.label.clone()).collect();
    let end = f64::from(report.makespan);
    let fits = grid::fits(rows.len(), end);
    let known = Known::of(report, proven);
    Some(Sheet {
        kind: "A schedule of warps",
        given: [
            fact("Kernel", report.kernel.clone()),
            fact("Warps", report.count.to_string()),
            fact("Machine", machine(&shown)),
            fact("Turns are taken", report.fairness.clone()),
            fact("Order", report.method.clone()),
        ]
        .into_iter()
        .chain(in_full(&report.order))
        .collect(),
        asked: "Draw the schedule: in which cycle does each instruction run? How many cycles does it take?",
        blank: fits.then(|| grid::grid(&rows, end, "Cycle")),
        too_large: (!fits).then(|| too_large(document, &shown)),
        picture: Some(svg(&gantt::draw(&whole, &Frame::whole(&whole, WIDTH)), &shown.title, link)),
        found: vec![
            Fact { hint: known.verdict().to_owned(), ..fact("This schedule takes", cycles(report.makespan)) },
            Fact {
                hint: known.by.clone(),
                unit: "cycles".to_owned(),
                ..fact("The worst case takes", known.bounds())
            },
            fact("Units in use", used(&shown)),
        ],
        warns: report.notes.clone(),
        assumes: report.assumptions.clone(),
        ..Sheet::default()
    })
}

/// The small picture of a document and its report.
pub fn small(document: &Value, line: &str) -> Option<Small> {
    let shown = Shown::new(&json::line(document), line)?;
    let timeline = shown.whole_picture(Rows::Warps);
    let frame = Frame::whole(&timeline, FULL);
    let list = gantt::draw(&timeline, &frame);
    let scale = frame.scale();
    let part = (scale.left, gantt::AXIS, scale.right, list.height);
    Some((list, part))
}

/// The order entry by entry: whoever draws the schedule places them one after the other.
fn in_full(order: &[u16]) -> Option<Fact> {
    let words: Vec<String> = order.iter().map(u16::to_string).collect();
    (words.len() <= LONGEST_ORDER).then(|| fact("Warps in this order", words.join(" ")))
}

/// Why there is no grid, and with how many warps there would be one.
fn too_large(document: &str, shown: &Shown) -> TooLarge {
    let (kernel, machine) = (&shown.warps.kernel, &shown.warps.normalised.machine);
    let fits = |warps: usize| {
        let order = Start::RoundRobin.order(kernel, machine, warps);
        let schedule = construct(kernel, machine, &order, warps)?;
        grid::fits(warps, f64::from(schedule.makespan())).then_some(warps)
    };
    let most = shown.warps.count.saturating_sub(1).min(grid::MOST_ROWS);
    // Loads that take their time make a schedule longer than this finds.
    let fewer = (1..=most).rev().find_map(fits).filter(|_| shown.warps.memory.is_none());
    let tree = json::parse(document).ok();
    let fewer = fewer.and_then(|warps| {
        let mut tree = tree?;
        let own = tree.get_mut("warps")?.as_object_mut()?;
        own.insert("count".to_owned(), warps.into());
        own.insert("method".to_owned(), serde_json::json!({"initial": "round-robin"}));
        own.shift_remove("references");
        let title = tree.get("title").and_then(Value::as_str).unwrap_or_default();
        let [was, now] = [shown.warps.count, warps].map(|count| people::counted(count, "warp"));
        let title = if title.contains(&was) { title.replace(&was, &now) } else { format!("{title}, {now}") };
        tree.as_object_mut()?.insert("title".to_owned(), title.trim_start_matches(", ").into());
        tree.as_object_mut()?.shift_remove("notes");
        Some((warps, json::pretty(&tree)))
    });
    let why = format!(
        "A grid of {} and all cycles would have cells too small to write in: a page holds {} warps and about 30 cycles.",
        people::counted(shown.warps.count, "warp"),
        grid::MOST_ROWS
    );
    TooLarge { why, fewer }
}

/// What is known of the worst case, from the report and from a search beside it.
struct Known {
    makespan: u32,
    lower: u32,
    upper: Option<u32>,
    /// What proves the upper bound.
    by: String,
}

impl Known {
    fn of(report: &WarpsReport, proven: Option<(u32, u32)>) -> Self {
        let (lower, upper) = proven.unzip();
        let better = upper.filter(|upper| report.upper.is_none_or(|own| *upper < own));
        let by = match &report.upper_by {
            _ if better.is_some() => Some("the search for the worst case"),
            own => own.as_deref().map(warps::bounds::in_words),
        };
        Self {
            makespan: report.makespan,
            lower: report.lower.max(lower.unwrap_or(0)),
            upper: better.or(report.upper),
            by: by.map_or(String::new(), |by| format!("at most so many, proven by {by}")),
        }
    }

    fn verdict(&self) -> &'static str {
        match self.upper {
            Some(upper) if upper == self.makespan => "proven to be the worst case",
            _ if self.lower > self.makespan => "not the longest: a longer one was found",
            _ => "a lower bound on the worst case, not a proof",
        }
    }

    fn bounds(&self) -> String {
        match self.upper {
            Some(upper) if upper == self.lower => format!("{} exactly", cycles(upper)),
            Some(upper) => format!("{} to {}", self.lower, cycles(upper)),
            None => format!("at least {}", cycles(self.lower)),
        }
    }
}

fn cycles(n: u32) -> String {
    people::counted(n as usize, "cycle")
}

/// Kinds of unit that are there, with their capacities.
fn kinds(shown: &Shown) -> Vec<(String, u32, f64)> {
    let (machine, used) = (&shown.report.machine, &shown.report.utilisation);
    let capacities = [machine.L, machine.C, machine.S, machine.D];
    let all = Unit::ALL.into_iter().zip(capacities).zip([used.L, used.C, used.S, used.D]);
    all.filter(|((_, capacity), _)| *capacity > 0)
        .map(|((unit, capacity), share)| (unit.lettered(), capacity, share))
        .collect()
}

fn machine(shown: &Shown) -> String {
    let parts: Vec<String> =
        kinds(shown).iter().map(|(kind, capacity, _)| format!("{kind} {capacity}")).collect();
    let issue = match shown.report.machine.issue {
        Some(issue) => format!("at most {} issue", people::counted(issue as usize, "warp")),
        None => "no issue limit".to_owned(),
    };
    format!("warps per cycle: {}; {issue}", parts.join(", "))
}

fn used(shown: &Shown) -> String {
    let part = |(kind, _, share): &(String, u32, f64)| format!("{kind} {}", people::percent(*share));
    kinds(shown).iter().map(part).collect::<Vec<_>>().join(", ")
}
