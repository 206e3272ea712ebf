//! Where everything stands on the picture of a chain: cards for stations, and the ways between them.
//!
//! A wide picture has a column for each station; the rows of kernels lead to the row of the task that waits for them.
//! On narrower ones the cards of a row stand two by two, on the narrowest one below the other.

use crate::report::chain::WholeReport;
use crate::timeline::chain::{Node, Row, Station, Walk};

/// From this width on there is a column for each station.
const WIDE: f64 = 860.0;
/// From this width on two cards stand side by side.
const PAIRS: f64 = 500.0;
/// Height of a card.
const HIGH: f64 = 104.0;
/// Height of a card in a narrow picture.
const LOW: f64 = 92.0;
/// Above the columns.
const HEAD: f64 = 36.0;
/// Between the cards of two columns.
const GAP: f64 = 20.0;
/// Between cycles and nanoseconds, where the clock stands.
const CLOCK: f64 = 80.0;
/// Between two rows of a group.
const ROWS: f64 = 14.0;
/// Between two groups.
const GROUPS: f64 = 34.0;
/// Below a narrow card, where an arrow leads on.
const DROP: f64 = 30.0;
/// Shares of the width that columns take.
const SHARES: [f64; 6] = [0.92, 1.12, 0.98, 1.16, 1.28, 1.0];

/// How a picture is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    /// A column for each station.
    Columns,
    /// So many cards in a row, one row below the other.
    Stacked(usize),
}

/// A station as a card.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Card {
    /// Which.
    pub node: Node,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

/// A way from one card to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    /// Where it begins.
    pub from: Node,
    /// Its corners.
    pub points: Vec<(f64, f64)>,
    /// Whether cycles become nanoseconds on it, and where that is written.
    pub clock: Option<(f64, f64)>,
}

/// Where everything stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// How it is laid out.
    pub arrangement: Arrangement,
    /// Width of the picture.
    pub width: f64,
    /// Height of the picture.
    pub height: f64,
    /// The cards, row by row.
    pub cards: Vec<Card>,
    /// The ways between them.
    pub ways: Vec<Way>,
    /// Lines that set groups apart.
    pub rules: Vec<f64>,
    /// Left edges and widths of the columns; none where there are none.
    pub columns: Vec<(f64, f64)>,
    /// Texts that say what is not there: where, how wide, and what.
    pub remarks: Vec<((f64, f64), f64, &'static str)>,
}

impl Layout {
    /// The layout of a report for a picture of this width.
    pub fn new(report: &WholeReport, width: f64) -> Self {
        let arrangement = match width {
            width if width >= WIDE => Arrangement::Columns,
            width if width >= PAIRS => Arrangement::Stacked(2),
            _ => Arrangement::Stacked(1),
        };
        let mut layout = Self {
            arrangement,
            width: width.max(1.0),
            height: 0.0,
            cards: Vec::new(),
            ways: Vec::new(),
            rules: Vec::new(),
            columns: Vec::new(),
            remarks: Vec::new(),
        };
        let walk = Walk::new(report);
        match arrangement {
            Arrangement::Columns => layout.in_columns(&walk),
            Arrangement::Stacked(across) => layout.stacked(&walk, across),
        }
        layout
    }

    /// The card of a station.
    pub fn card(&self, node: Node) -> Option<&Card> {
        self.cards.iter().find(|card| card.node == node)
    }

    fn in_columns(&mut self, walk: &Walk) {
        let gaps = 4.0 * GAP + CLOCK;
        let one = (self.width - gaps - 2.0) / SHARES.iter().sum::<f64>();
        let mut x = 1.0;
        for (column, share) in SHARES.into_iter().enumerate() {
            self.columns.push((x, one * share));
            x += one * share + if column == Station::Warps.column() { CLOCK } else { GAP };
        }
        let mut y = HEAD;
        for (at, group) in walk.groups.iter().enumerate() {
            if at > 0 {
                self.rules.push(y + GROUPS / 2.0);
                y += GROUPS;
            }
            let rows = group.kernels.len().max(1) as f64;
            let high = rows * HIGH + (rows - 1.0) * ROWS;
            let middle = y + (high - HIGH) / 2.0;
            for (row, &kernel) in group.kernels.iter().enumerate() {
                let top = y + row as f64 * (HIGH + ROWS);
                self.row(Row::Kernel(kernel), &Station::KERNEL, top);
                if group.task.is_some() {
                    self.join(Row::Kernel(kernel), top, middle);
                }
            }
            let (left, wide) = self.columns[Station::Gpu.column()];
            match group.task {
                Some(task) => self.row(Row::Task(task), &Station::TASK, middle),
                None => {
                    let start = left + wide + GAP;
                    self.remarks.push(((start, y + high / 2.0), self.width - start, "No task waits for it."));
                }
            }
            if group.kernels.is_empty() {
                let (start, _) = self.columns[0];
                self.remarks.push(((start, y + high / 2.0), left + wide - start, "This task uses no GPU."));
            }
            y += high;
        }
        self.height = y + 2.0;
    }

    /// The cards of a row, and the ways between them.
    fn row(&mut self, row: Row, stations: &[Station], y: f64) {
        for (at, &station) in stations.iter().enumerate() {
            let (x, w) = self.columns[station.column()];
            self.cards.push(Card { node: Node { row, station }, x, y, w, h: HIGH });
            if at > 0 {
                let from = Node { row, station: stations[at - 1] };
                let (left, wide) = self.columns[from.station.column()];
                let middle = y + HIGH / 2.0;
                let clock = (station == Station::Block).then_some(((left + wide + x) / 2.0, middle - 10.0));
                self.ways.push(Way { from, points: vec![(left + wide, middle), (x, middle)], clock });
            }
        }
    }

    /// The way from the last card of a kernel to its task.
    fn join(&mut self, row: Row, top: f64, middle: f64) {
        let (left, wide) = self.columns[Station::Gpu.column()];
        let (to, _) = self.columns[Station::Task.column()];
        let (from, y) = (top + HIGH / 2.0, middle + HIGH / 2.0);
        let turn = left + wide + (to - left - wide) / 2.0 - 3.0;
        let points = if (from - y).abs() < 0.5 {
            vec![(left + wide, y), (to, y)]
        } else {
            vec![(left + wide, from), (turn, from), (turn, y), (to, y)]
        };
        self.ways.push(Way { from: Node { row, station: Station::Gpu }, points, clock: None });
    }

    fn stacked(&mut self, walk: &Walk, across: usize) {
        let gap = if across > 1 { CLOCK } else { 0.0 };
        let wide = (self.width - 2.0 - gap * (across as f64 - 1.0)) / across as f64;
        let mut y = 2.0;
        for (at, group) in walk.groups.iter().enumerate() {
            if at > 0 {
                self.rules.push(y - DROP + GROUPS / 2.0);
                y += GROUPS - DROP;
            }
            for &kernel in &group.kernels {
                y = self.lines(Row::Kernel(kernel), &Station::KERNEL, y, (wide, gap, across));
                let said = match group.task {
                    None => "No task waits for it.",
                    Some(_) if group.kernels.last() != Some(&kernel) => "Its task waits for it, below.",
                    Some(_) => {
                        self.drop(Node { row: Row::Kernel(kernel), station: Station::Gpu }, y);
                        continue;
                    }
                };
                self.remarks.push(((1.0, y - DROP / 2.0), self.width, said));
            }
            if let Some(task) = group.task {
                y = self.lines(Row::Task(task), &Station::TASK, y, (wide, gap, across));
            }
        }
        self.height = (y - DROP + 2.0).max(1.0);
        if walk.groups.last().is_some_and(|group| group.task.is_none()) {
            self.height += DROP; // for what is said below it
        }
    }

    /// The cards of a row in lines of a few, and the ways between them; where the next line begins.
    fn lines(
        &mut self,
        row: Row,
        stations: &[Station],
        top: f64,
        (w, gap, across): (f64, f64, usize),
    ) -> f64 {
        let mut y = top;
        for (at, &station) in stations.iter().enumerate() {
            let place = at % across;
            if at > 0 && place == 0 {
                y += LOW + DROP;
            }
            let x = 1.0 + place as f64 * (w + gap);
            self.cards.push(Card { node: Node { row, station }, x, y, w, h: LOW });
            let Some(&before) = at.checked_sub(1).and_then(|before| stations.get(before)) else { continue };
            let from = Node { row, station: before };
            let is_clock = station == Station::Block;
            if place > 0 {
                let middle = y + LOW / 2.0;
                let clock = is_clock.then_some((x - gap / 2.0, middle - 10.0));
                self.ways.push(Way { from, points: vec![(x - gap, middle), (x, middle)], clock });
            } else if across == 1 {
                let middle = w / 2.0;
                let clock = is_clock.then_some((middle + 12.0, y - DROP / 2.0));
                self.ways.push(Way { from, points: vec![(middle, y - DROP), (middle, y)], clock });
            } else {
                let (out, inn) = (1.0 + (across as f64 - 1.0) * (w + gap) + w / 2.0, 1.0 + w / 2.0);
                let turn = y - DROP / 2.0;
                let points = vec![(out, y - DROP), (out, turn), (inn, turn), (inn, y)];
                let clock = is_clock.then_some(((out + inn) / 2.0, turn - 10.0));
                self.ways.push(Way { from, points, clock });
            }
        }
        y + LOW + DROP
    }

    /// The way from the last card of a kernel down to what follows.
    fn drop(&mut self, from: Node, y: f64) {
        let Some(card) = self.card(from) else { return };
        let x = card.x + card.w / 2.0;
        let inn = match self.arrangement {
            Arrangement::Stacked(across) if across > 1 => 1.0 + card.w / 2.0,
            _ => x,
        };
        let turn = y - DROP / 2.0;
        let points = if (x - inn).abs() < 0.5 {
            vec![(x, y - DROP), (x, y)]
        } else {
            vec![(x, y - DROP), (x, turn), (inn, turn), (inn, y)]
        };
        self.ways.push(Way { from, points, clock: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    fn apart(a: &Card, b: &Card) -> bool {
        a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y
    }

    #[test]
    fn no_card_lies_on_another_or_sticks_out() {
        let report = sample::open();
        for width in [320.0, 499.0, 500.0, 640.0, 860.0, 996.0, 2_000.0] {
            let layout = Layout::new(&report, width);
            assert_eq!(layout.cards.len(), Walk::new(&report).nodes().len());
            for (at, card) in layout.cards.iter().enumerate() {
                assert!(
                    card.x >= 0.0 && card.x + card.w <= width && card.y + card.h <= layout.height,
                    "{width}: {card:?}"
                );
                assert!(layout.cards[..at].iter().all(|other| apart(card, other)), "{width}: {card:?}");
            }
        }
    }

    #[test]
    fn cycles_become_nanoseconds_once_in_each_row_of_a_kernel() {
        for width in [320.0, 600.0, 1_000.0] {
            let layout = Layout::new(&sample::open(), width);
            assert_eq!(layout.ways.iter().filter(|way| way.clock.is_some()).count(), 3, "{width}");
            // Three within each kernel, one to the task that waits (from the last alone where they stand below each
            // other), one within each task.
            let joins = if layout.arrangement == Arrangement::Columns { 2 } else { 1 };
            assert_eq!(layout.ways.len(), 9 + joins + 2, "{width}");
        }
    }

    #[test]
    fn a_chain_of_nothing_has_a_picture() {
        for width in [0.0, 320.0, 1_000.0] {
            let layout = Layout::new(&WholeReport::default(), width);
            assert!(layout.cards.is_empty() && layout.height > 0.0 && layout.width > 0.0);
        }
    }
}
