//! A chain as marks: a card for each station with its number, what the number is worth, and a small picture of it.
//!
//! Every number wears a badge: its sign says what it is worth, its colour only repeats that.

mod layout;
mod minis;

pub use layout::{Arrangement, Card, Layout, Way};

use crate::report::chain::WholeReport;
use crate::timeline::chain::{Content, Node, Station, Walk, Worth, content, conversion};
use kit::draw::list::{Align, DrawList, Hatch, Ink, Mark};
use kit::draw::words::{fitted, width};

/// The size of ordinary text.
const SMALL: f64 = 12.0;
/// The sizes a number may have, the first that fits.
const NUMBERS: [f64; 4] = [16.0, 14.5, 13.0, 12.0];
/// The side of a badge.
const BADGE: f64 = 18.0;
/// Within a card, at its left and right.
const PAD: f64 = 8.0;
/// Texts are taken to be wider than they are in most fonts.
const SLACK: f64 = 0.94;

/// The colour of what a number is worth.
pub fn ink(worth: Worth) -> Ink {
    match worth {
        Worth::Exact | Worth::Upper => Ink::Class(2),
        Worth::Lower => Ink::Class(0),
        Worth::Simulated => Ink::Class(4),
        Worth::Given | Worth::Unknown => Ink::Muted,
    }
}

/// What is meant where a number is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// It is not known.
    Unknown,
    /// It is still being computed.
    Pending,
}

/// What the card of the weakest link says.
const WEAKEST: &str = "weakest";
/// How high that is.
const TAG: f64 = 14.0;

/// The picture of a report.
pub fn draw(report: &WholeReport, layout: &Layout, missing: Missing) -> DrawList {
    let mut list = DrawList::new(layout.width, layout.height);
    list.rect((0.0, 0.0), (layout.width, layout.height), Ink::Ground);
    for (station, &(x, w)) in Station::ALL.into_iter().zip(&layout.columns) {
        list.text((x, 12.0), fitted(station.heading(), w, 13.0), Ink::Text, 13.0, Align::Start);
    }
    for &y in &layout.rules {
        list.line((0.0, y), (layout.width, y), Ink::Grid);
    }
    for &((x, y), wide, said) in &layout.remarks {
        list.text((x, y), fitted(said, wide, SMALL), Ink::Muted, SMALL, Align::Start);
    }
    let said = conversion(report);
    for way in &layout.ways {
        draw_way(&mut list, way, ink_of_way(report, way.from));
        if let Some(at) = way.clock {
            let align =
                if layout.arrangement == Arrangement::Stacked(1) { Align::Start } else { Align::Middle };
            list.text(at, said.as_str(), Ink::Text, SMALL, align);
        }
    }
    let weakest = Walk::new(report).weakest(report);
    for card in &layout.cards {
        if let Some(mut content) = content(report, card.node) {
            if missing == Missing::Pending && content.worth == Some(Worth::Unknown) {
                (content.number, content.most) = ("computing…".to_owned(), "…".to_owned());
            }
            draw_card(&mut list, report, layout.arrangement, card, &content, weakest == Some(card.node));
        }
    }
    list
}

fn ink_of_way(report: &WholeReport, from: Node) -> Ink {
    content(report, from).and_then(|content| content.worth).map_or(Ink::Muted, ink)
}

/// A line with corners that ends in an arrow.
fn draw_way(list: &mut DrawList, way: &Way, ink: Ink) {
    const LINE: f64 = 2.0;
    for pair in way.points.windows(2) {
        list.marks.push(Mark::Line { from: pair[0], to: pair[1], ink, line: LINE });
    }
    let [.., (x0, y0), (x, y)] = way.points[..] else { return };
    let (dx, dy) = ((x - x0).signum() * f64::from(x != x0), (y - y0).signum() * f64::from(y != y0));
    for side in [-1.0, 1.0] {
        let from = (x - 6.0 * dx + 4.0 * side * dy, y - 6.0 * dy + 4.0 * side * dx);
        list.marks.push(Mark::Line { from, to: (x, y), ink, line: LINE });
    }
}

/// A badge with its top left corner here.
fn draw_badge(list: &mut DrawList, (x, y): (f64, f64), worth: Worth) {
    let own = ink(worth);
    let middle = (x + BADGE / 2.0, y + BADGE / 2.0 + 0.5);
    let filled = matches!(worth, Worth::Exact | Worth::Upper | Worth::Simulated);
    if filled {
        list.rect((x, y), (BADGE, BADGE), own);
        list.text(middle, worth.sign(), Ink::OnClass, 14.0, Align::Middle);
    } else {
        let frame =
            Mark::Frame { x: x + 0.75, y: y + 0.75, w: BADGE - 1.5, h: BADGE - 1.5, ink: own, line: 1.5 };
        list.marks.push(frame);
        list.text(middle, worth.sign(), Ink::Text, 14.0, Align::Middle);
    }
}

fn draw_card(
    list: &mut DrawList,
    report: &WholeReport,
    arrangement: Arrangement,
    card: &Card,
    content: &Content,
    weakest: bool,
) {
    let Card { x, y, w, h, node } = *card;
    list.rect((x, y), (w, h), Ink::Band);
    let frame = if weakest { (Ink::Class(1), 2.5) } else { (Ink::Grid, 1.0) };
    let half = frame.1 / 2.0;
    list.marks.push(Mark::Frame {
        x: x + half,
        y: y + half,
        w: w - frame.1,
        h: h - frame.1,
        ink: frame.0,
        line: frame.1,
    });
    let stacked = arrangement != Arrangement::Columns;
    // A narrow picture has no columns: each card says what it is.
    let title = match (stacked, node.station) {
        (false, _) => content.title.clone(),
        (true, Station::Code | Station::Task) => format!("{} · {}", content.title, node.station.heading()),
        (true, _) => format!("{} · {}", node.station.heading(), content.title),
    };
    let inner = w - 2.0 * PAD;
    let wide = width(WEAKEST, SMALL) + 8.0;
    // Above the frame, where it hides no word and no frame strikes it out; beside the title where the picture ends there.
    let above = y >= TAG;
    let beside = if weakest && !above { wide + 6.0 } else { 0.0 };
    list.text((x + PAD, y + 16.0), fitted(&title, inner - beside, 13.0), Ink::Text, 13.0, Align::Start);
    if weakest {
        let top = if above { y - TAG } else { y + 8.0 };
        list.rect((x + w - wide - PAD, top), (wide, TAG), Ink::Class(1));
        list.text(
            (x + w - wide / 2.0 - PAD, top + TAG / 2.0 - 0.5),
            WEAKEST,
            Ink::OnClass,
            SMALL,
            Align::Middle,
        );
    }
    let mut at = x + PAD;
    if let Some(worth) = content.worth {
        draw_badge(list, (at, y + 28.0), worth);
        at += BADGE + 7.0;
    }
    let room = x + w - PAD - at;
    let fits = |text: &str| NUMBERS.into_iter().find(|&size| width(text, size) * SLACK <= room);
    let (number, size) = match (fits(&content.number), fits(&content.most)) {
        (Some(size), _) => (content.number.clone(), size),
        (None, Some(size)) => (content.most.clone(), size),
        (None, None) => (fitted(&content.most, room / SLACK, SMALL), SMALL),
    };
    list.text((at, y + 37.5), number, Ink::Text, size, Align::Start);
    let place = minis::Place { x: x + PAD, y: y + 54.0, w: inner, h: if stacked { 13.0 } else { 18.0 } };
    minis::draw(list, report, node, place);
    let note = fitted(&content.note, inner, SMALL);
    list.text((x + PAD, y + h - if stacked { 14.0 } else { 17.0 }), note, Ink::Muted, SMALL, Align::Start);
}

/// A rectangle with the hatch of its class.
fn bar(list: &mut DrawList, (x, y): (f64, f64), (w, h): (f64, f64), ink: Ink) {
    let hatch = match ink {
        Ink::Class(class) => Hatch::Class(class),
        _ => Hatch::None,
    };
    list.marks.push(Mark::Rect { x, y, w, h, ink, hatch });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::chain::sample;

    #[test]
    fn everything_drawn_is_on_the_picture_and_large_enough_to_read() {
        for report in [sample::open(), sample::meets(), sample::missed(), sample::begun()] {
            for width in [320.0, 600.0, 900.0, 1_400.0] {
                let layout = Layout::new(&report, width);
                for mark in draw(&report, &layout, Missing::Pending).marks {
                    match mark {
                        Mark::Rect { x, y, w, h, .. } => {
                            assert!(
                                x >= 0.0 && w >= 0.0 && h >= 0.0 && x + w <= width + 0.01,
                                "{width} {x} {y} {w} {h}"
                            );
                            assert!(y + h <= layout.height + 0.01);
                        }
                        Mark::Text { size, .. } => assert!(size >= 12.0),
                        _ => {}
                    }
                }
            }
        }
    }

    #[test]
    fn every_number_wears_its_sign() {
        let report = sample::open();
        let signs = |width: f64| {
            let marks = draw(&report, &Layout::new(&report, width), Missing::Unknown).marks;
            let signs = marks.into_iter().filter_map(|mark| match mark {
                Mark::Text { text, .. } if Worth::ALL.iter().any(|worth| worth.sign() == text) => Some(text),
                _ => None,
            });
            signs.collect::<String>()
        };
        assert_eq!(signs(1_000.0), "==~≤≤~~~≤?••~");
        assert_eq!(signs(390.0), "==~≤≤~~~≤?••~");
    }
}
