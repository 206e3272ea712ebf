//! A conjecture's result on the page: what a worker tells of it, laid out as rows and columns and in words.

use serde::Deserialize;

use crate::report::{Cell, ConjectureReport, MoreCells, Parameter, Totals};
use base::people;
use kit::draw::heat::{HeatCell, HeatMap, heat_map};
use kit::draw::{DrawList, Ink};
use kit::import::json;

/// A conjecture whose cells have been judged, all or some of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The report.
    pub report: ConjectureReport,
}

/// What a worker tells: everything, or what came to be known since.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Whole(Box<ConjectureReport>),
    More(MoreCells),
}

/// A parameter that varies, and its place among the parameters.
pub type Axis<'a> = (usize, &'a Parameter);

/// What a cell looks like; the report knows no difference between holding and being tight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The claim holds, with cycles to spare.
    Slack,
    /// It holds and leaves nothing over.
    Tight,
    /// It does not hold.
    Refuted,
    /// That is not known.
    Open,
    /// It says nothing here.
    Undefined,
}

impl Kind {
    /// All of them, as a legend lists them.
    pub const ALL: [Kind; 5] = [Kind::Refuted, Kind::Tight, Kind::Slack, Kind::Open, Kind::Undefined];

    /// What a cell is.
    pub fn of(cell: &Cell) -> Self {
        match (cell.verdict.as_str(), cell.margin) {
            ("refuted", _) => Self::Refuted,
            ("confirmed", Some(0)) => Self::Tight,
            ("confirmed", _) => Self::Slack,
            ("undefined", _) => Self::Undefined,
            _ => Self::Open,
        }
    }

    /// Its name, which the style sheet uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Slack => "slack",
            Self::Tight => "tight",
            Self::Refuted => "refuted",
            Self::Open => "open",
            Self::Undefined => "undefined",
        }
    }

    /// What a legend says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Slack => "confirmed, cycles to spare",
            Self::Tight => "confirmed, to the cycle",
            Self::Refuted => "refuted",
            Self::Open => "open",
            Self::Undefined => "undefined",
        }
    }

    /// The sign that tells it from the others without a colour.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Slack => "✓",
            Self::Tight => "=",
            Self::Refuted => "✗",
            Self::Open => "?",
            Self::Undefined => "–",
        }
    }
}

/// The number in a cell: cycles to spare, with a sign; empty where there is none.
pub fn margin(cell: &Cell) -> String {
    match cell.margin {
        Some(0) => "0".to_owned(),
        Some(n) if n < 0 => format!("\u{2212}{}", n.unsigned_abs()),
        Some(n) => format!("+{n}"),
        None => String::new(),
    }
}

/// The worst case as far as it is known.
pub fn worst_case(cell: &Cell) -> String {
    match (cell.lower, cell.upper) {
        (Some(lower), Some(upper)) if lower == upper => lower.to_string(),
        (Some(lower), Some(upper)) => format!("{lower} to {upper}"),
        _ => String::new(),
    }
}

/// How a cell is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// What it is.
    pub kind: Kind,
    /// How strong its colour is, 1 to 4: the further a claim is off, or the closer it fits, the stronger.
    pub strength: u8,
    /// The number in it.
    pub number: String,
    /// All of that in words.
    pub words: String,
}

impl Default for Look {
    fn default() -> Self {
        Self { kind: Kind::Open, strength: 4, number: String::new(), words: String::new() }
    }
}

impl Look {
    /// How a cell of a result is shown.
    pub fn of(judged: &Judged, cell: usize) -> Option<Self> {
        let cell = judged.report.cells.get(cell)?;
        let kind = Kind::of(cell);
        let strength = match (kind, cell.margin.map_or(0, i64::unsigned_abs)) {
            (Kind::Slack, 4..=10) => 2,
            (Kind::Refuted, 0..=2) | (Kind::Slack, 0..=3) => 3,
            (Kind::Slack, _) => 1,
            _ => 4,
        };
        let number = margin(cell);
        let spare = match cell.margin {
            Some(n) if n < 0 => format!(", {} too few", n.unsigned_abs()),
            Some(n) if n > 0 => format!(", {n} to spare"),
            _ => String::new(),
        };
        let words = format!("{}: {}{spare}", judged.place(cell), kind.label());
        Some(Self { kind, strength, number, words })
    }

    /// The same with the colours of drawings.
    fn drawn(&self) -> HeatCell {
        let ink = match self.kind {
            Kind::Refuted => Ink::Density(1, self.strength),
            Kind::Tight | Kind::Slack => Ink::Density(0, self.strength),
            Kind::Open => Ink::Band,
            Kind::Undefined => Ink::Ground,
        };
        HeatCell { ink, text: format!("{} {}", self.kind.sign(), self.number).trim_end().to_owned() }
    }
}

impl Judged {
    /// The map as a picture.
    pub fn picture(&self) -> DrawList {
        let names = |axis: Option<Axis<'_>>| {
            axis.map_or((String::new(), vec![String::new()]), |(_, axis)| {
                (axis.name.clone(), axis.values.iter().map(u32::to_string).collect())
            })
        };
        let (rows, columns) = self.axes();
        let cells = (0..self.report.cells.len()).filter_map(|cell| Some(Look::of(self, cell)?.drawn()));
        let says = self.report.claim.says.replace('-', " ");
        heat_map(&HeatMap {
            heading: format!("{} {}", says, self.report.claim.formula),
            below: self.report.summary(),
            rows: names(rows),
            columns: names(columns),
            cells: cells.collect(),
        })
    }

    /// The report a worker made; `None` if it is none.
    pub fn new(line: &str) -> Option<Self> {
        match serde_json::from_str(line).ok()? {
            Line::Whole(report) if report.fits() => Some(Self { report: *report }),
            _ => None,
        }
    }

    /// Takes what a worker tells next; false if it does not fit.
    pub fn hear(&mut self, line: &str) -> bool {
        match serde_json::from_str(line) {
            Ok(Line::Whole(report)) if report.fits() => self.report = *report,
            Ok(Line::More(MoreCells { from, more })) => {
                let cells = &mut self.report.cells;
                let Some(slots) = cells.get_mut(from..from.saturating_add(more.len())) else { return false };
                for (slot, cell) in slots.iter_mut().zip(more) {
                    *slot = cell;
                }
                self.report.totals = Totals::of(cells);
            }
            _ => return false,
        }
        true
    }

    /// What rows and columns stand for; a parameter with one value is neither.
    pub fn axes(&self) -> (Option<Axis<'_>>, Option<Axis<'_>>) {
        let parameters = self.report.parameters.iter().enumerate();
        let mut varying = parameters.filter(|(_, parameter)| parameter.values.len() > 1);
        match (varying.next(), varying.next()) {
            (Some(rows), Some(columns)) => (Some(rows), Some(columns)),
            (only, _) => (None, only),
        }
    }

    /// How many cells a row has.
    pub fn width(&self) -> usize {
        // The last parameter that varies changes fastest.
        self.axes().1.map_or(1, |(_, parameter)| parameter.values.len()).max(1)
    }

    /// The cells row by row.
    pub fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        self.report.cells.chunks(self.width())
    }

    /// `W = 4, rep = 2`: where a cell stands.
    pub fn place(&self, cell: &Cell) -> String {
        let named = self.report.parameters.iter().zip(&cell.at);
        named.map(|(parameter, value)| format!("{} = {value}", parameter.name)).collect::<Vec<_>>().join(", ")
    }

    /// The cell someone will want to see first: the one that is refuted by most.
    pub fn striking(&self) -> Option<usize> {
        let refuted = self.report.cells.iter().enumerate().filter(|(_, cell)| cell.witness.is_some());
        refuted.min_by_key(|(_, cell)| cell.margin).map(|(i, _)| i)
    }

    /// The scenario that shows the refutation in a cell, laid out for people.
    pub fn refutation(&self, cell: usize) -> Option<String> {
        self.report.cells.get(cell)?.witness.as_ref().map(json::pretty)
    }

    /// Everything there is to say about a cell.
    pub fn details(&self, cell: usize) -> String {
        let Some(cell) = self.report.cells.get(cell) else { return String::new() };
        let cycles = |n: u32| people::counted(n as usize, "cycle");
        let mut said = format!("{}: ", self.place(cell));
        said += match Kind::of(cell) {
            Kind::Slack => "confirmed.",
            Kind::Tight => "confirmed, to the cycle.",
            Kind::Refuted => "refuted.",
            Kind::Open => "open.",
            Kind::Undefined => "undefined.",
        };
        if let Some(claimed) = &cell.claimed {
            let says = if self.report.claim.says == "exactly" { "exactly" } else { "at most" };
            said += &format!(" The claim says {says} {claimed}.");
        }
        match (cell.warps, cell.lower, cell.upper) {
            (Some(warps), Some(lower), Some(upper)) if lower == upper => {
                let warps = people::counted(warps, "warp");
                said += &format!(" The worst case of {warps} is {}, proven", cycles(upper));
                if let Some(by) = cell.proven_by() {
                    said += &format!(" by {by}");
                }
                said += ".";
            }
            (Some(warps), Some(lower), Some(upper)) => {
                let warps = people::counted(warps, "warp");
                said += &format!(" The worst case of {warps} is {lower} to {}.", cycles(upper));
            }
            _ => {}
        }
        match (Kind::of(cell), cell.margin) {
            (Kind::Slack, Some(n)) => said += &format!(" {n} to spare."),
            (Kind::Refuted, Some(n)) if n < 0 => {
                said +=
                    &format!(" A schedule takes {} more than it allows.", cycles(n.unsigned_abs() as u32));
            }
            _ => {}
        }
        if let Some(why) = &cell.why {
            said += &format!(" Why: {why}.");
        }
        said
    }
}

impl ConjectureReport {
    /// Whether there is a cell for each choice of values.
    fn fits(&self) -> bool {
        let all: usize = self.parameters.iter().map(|parameter| parameter.values.len()).product();
        self.cells.len() == all && self.cells.iter().all(|cell| cell.at.len() == self.parameters.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(inside: &str) -> (Judged, kit::report::Report) {
        let text = format!(r#"{{"warpspan":1,"notes":"n","conjecture":{{{inside}}}}}"#);
        let Ok(scenario) = crate::LINKED.read(&text) else { unreachable!("{text}") };
        let report = crate::LINKED.run(&scenario);
        match Judged::new(&report.line()) {
            Some(judged) => (judged, report),
            None => unreachable!("a report fits its document"),
        }
    }

    const RARAVI: &str = r#""claim":{"named":"raravi"},"ranges":{"n":[16,48,16],"rep":[1,2]}"#;

    #[test]
    fn what_a_worker_tells_is_read_back_whole() {
        let odd = r#""claim":{"formula":"9/(W-1)/2","says":"exactly"},"kernel":"LC","machine":{"L":1,"C":1},"ranges":{"W":[1,3]}"#;
        for inside in [RARAVI, odd] {
            let (judged, report) = judged(inside);
            assert_eq!(kit::report::Report::new(judged.report.clone()), report);
        }
        assert_eq!([Judged::new("{}"), Judged::new(r#"{"from":0,"more":[]}"#)], [None, None]);
    }

    #[test]
    fn rows_and_columns() {
        let names = |judged: &Judged| {
            let (rows, columns) = judged.axes();
            [rows, columns].map(|axis| axis.map(|(_, parameter)| parameter.name.clone()).unwrap_or_default())
        };
        let (two, _) = judged(RARAVI);
        assert_eq!(names(&two), ["n", "rep"]);
        let verdicts: Vec<Vec<&str>> =
            two.rows().map(|row| row.iter().map(|cell| cell.verdict.as_str()).collect()).collect();
        assert_eq!(
            verdicts,
            [["confirmed", "refuted"], ["confirmed", "confirmed"], ["confirmed", "confirmed"]]
        );
        let (one, _) = judged(r#""claim":{"named":"raravi"},"ranges":{"n":[16,48,16],"rep":2}"#);
        assert_eq!((names(&one), one.rows().count()), (["".to_owned(), "n".to_owned()], 1));
        let (none, _) = judged(r#""claim":{"named":"raravi"},"ranges":{"n":16,"rep":2}"#);
        assert_eq!((names(&none), none.rows().count()), (["".to_owned(), "".to_owned()], 1));
    }

    #[test]
    fn a_refutation_is_one_text_away() {
        let (judged, _) = judged(RARAVI);
        let open =
            |cell| judged.refutation(cell).map(|text| kit::scenario::read(warps_lab::LABS, &text).is_ok());
        assert_eq!([open(0), open(1), open(9)], [None, Some(true), None]);
    }

    #[test]
    fn cells_come_one_after_the_other() {
        use base::Control;
        use kit::job::Step;
        let text = format!(r#"{{"warpspan":1,"conjecture":{{{RARAVI}}}}}"#);
        let Ok(scenario) = crate::LINKED.read(&text) else { unreachable!("{text}") };
        let mut job = crate::LINKED.start(&scenario);
        let first = job.news().and_then(|line| Judged::new(&line));
        let Some(mut judged) = first else { unreachable!("a report") };
        assert_eq!((judged.report.totals.open, job.news()), (6, None));
        let whole = loop {
            match job.step(&mut Control::slice(1)) {
                Step::More(progress) => {
                    if let Some(line) = job.news() {
                        assert!(judged.hear(&line), "{line}");
                    }
                    assert_eq!(judged.report.totals.open as u64, 6 - progress.done);
                }
                Step::Done(report) => break report,
            }
        };
        assert!(judged.hear(&whole.line()) && !judged.hear(r#"{"from":6,"more":[]}x"#));
        assert_eq!(Judged::new(&whole.line()), Some(judged));
    }

    #[test]
    fn a_cell_in_words() {
        let (judged, _) = judged(RARAVI);
        let cells = &judged.report.cells;
        let signs: Vec<String> =
            cells.iter().map(|cell| format!("{} {}", Kind::of(cell).sign(), margin(cell))).collect();
        expect_test::expect!["= 0, ✗ −1, = 0, = 0, = 0, = 0"].assert_eq(&signs.join(", "));
        expect_test::expect![[r#"
            n = 16, rep = 1: confirmed, to the cycle. The claim says at most 5. The worst case of 1 warp is 5 cycles, proven by the cycles in which others keep the warp that ends last from issuing.
            n = 16, rep = 2: refuted. The claim says at most 7. The worst case of 1 warp is 8 cycles, proven by the cycles in which others keep the warp that ends last from issuing. A schedule takes 1 cycle more than it allows."#]].assert_eq(&format!("{}\n{}", judged.details(0), judged.details(1)));
        assert_eq!((judged.striking(), judged.details(99)), (Some(1), String::new()));
        assert_eq!(judged.place(&cells[1]), "n = 16, rep = 2");
    }
}
