//! Cells, waits, lanes and what a pointer finds.

use super::*;
use crate::timeline::{Pictured, Rows, warps_timeline};
use kit::timeline::WaitKind;
use warps::idle::Cells;
use warps::{Kernel, Machine, PerUnit};

const MACHINE: Machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };

fn timeline(kernel: &str, rows: &[Vec<u32>], end: u32, what: impl Into<Pictured>) -> Timeline {
    let Ok(kernel) = Kernel::parse(kernel) else { unreachable!("parses") };
    warps_timeline(&Cells::of_rows(&kernel, &MACHINE, rows, end), None, what.into())
}

fn figure_2(what: impl Into<Pictured>) -> Timeline {
    timeline("LCL", &[vec![1, 2, 5], vec![2, 3, 6], vec![3, 4, 7], vec![4, 5, 8]], 8, what)
}

fn frame(width: f64, t0: f64, t1: f64) -> Frame {
    Frame {
        width,
        row: 20.0,
        t0,
        t1,
        selected: None,
        waited: None,
        range: None,
        lit: Lit::Nothing,
        differs: Differs::default(),
    }
}

fn picture(t0: f64, t1: f64) -> (Timeline, Frame) {
    (figure_2(Rows::Warps), Frame { selected: Some((1, 1)), ..frame(500.0, t0, t1) })
}

fn class_rects(list: &DrawList) -> Vec<(f64, f64)> {
    let rect = |mark: &Mark| match mark {
        Mark::Rect { x, w, ink: Ink::Class(_) | Ink::Density(..), .. } => Some((*x, *w)),
        _ => None,
    };
    list.marks.iter().filter_map(rect).collect()
}

/// Kind, left edge, top, width and height of the marks for waits.
fn waits(list: &DrawList) -> Vec<(WaitKind, [f64; 4])> {
    let wait = |mark: &Mark| match mark {
        Mark::Rect { x, y, w, h, ink: Ink::Wait(kind), .. }
        | Mark::Frame { x, y, w, h, ink: Ink::Wait(kind), .. } => Some((*kind, [*x, *y, *w, *h])),
        _ => None,
    };
    list.marks.iter().filter_map(wait).collect()
}

#[test]
fn every_visible_instruction_is_one_cell_inside_the_plot() {
    let (timeline, frame) = picture(0.0, 8.0);
    assert_eq!(class_rects(&draw(&timeline, &frame)).len(), 12);
    let (timeline, frame) = picture(2.5, 4.5);
    let cells = class_rects(&draw(&timeline, &frame));
    assert_eq!(cells.len(), 6); // cycles 3, 4 and 5, two instructions each
    let scale = frame.scale();
    assert!(cells.iter().all(|&(x, w)| x >= scale.left - 1e-9 && x + w <= scale.right + 1e-9));
}

#[test]
fn what_is_lit_stands_out_and_all_else_steps_back() {
    let inks = |list: &DrawList| {
        let ink = |mark: &Mark| match mark {
            Mark::Rect { ink: ink @ (Ink::Class(_) | Ink::Density(..)), hatch, .. } => Some((*ink, *hatch)),
            _ => None,
        };
        list.marks.iter().filter_map(ink).collect::<Vec<_>>()
    };
    let (timeline, frame) = picture(0.0, 8.0);
    let lit = Frame { lit: Lit::instructions(vec![1]), ..frame.clone() };
    let (all, some) = (inks(&draw(&timeline, &frame)), inks(&draw(&timeline, &lit)));
    assert_eq!(all.len(), some.len());
    let full = |inks: &[(Ink, Hatch)]| inks.iter().filter(|(ink, _)| matches!(ink, Ink::Class(_))).count();
    assert_eq!((full(&all), full(&some)), (12, 4)); // one instruction of each of four warps
    assert!(
        some.iter()
            .filter(|(ink, _)| matches!(ink, Ink::Density(_, 1)))
            .all(|(_, hatch)| *hatch == Hatch::None)
    );
    // Where cells are too narrow, columns do.
    let levels = |frame: &Frame| {
        let list = draw(&timeline, frame);
        inks(&list)
            .into_iter()
            .map(|(ink, _)| if let Ink::Density(_, level) = ink { level } else { 0 })
            .collect::<Vec<_>>()
    };
    let dense = Frame { width: 90.0, ..lit };
    assert!(dense.scale().per_unit() < DENSE);
    let seen = levels(&dense);
    assert!(
        seen.contains(&4) && seen.contains(&BACK) && seen.iter().all(|level| [BACK, 4].contains(level)),
        "{seen:?}"
    );
    let none = Frame { lit: Lit::instructions(vec![9]), ..dense };
    assert!(levels(&none).iter().all(|level| *level == BACK));
}

#[test]
fn a_click_finds_the_cell_that_was_drawn_there() {
    let (timeline, frame) = picture(0.0, 8.0);
    for (row, track) in timeline.tracks.iter().enumerate() {
        for span in &track.spans {
            let x = frame.scale().pixel(span.start + 0.5);
            let y = AXIS + (row as f64 + 0.5) * frame.row;
            let (hit, t) = frame.hit(4, x, y).unwrap_or((9, 0.0));
            assert_eq!(timeline.tracks[hit].at(t).map(|s| s.id), Some(span.id));
            assert_eq!(frame.nearest(&timeline, x, y), Some(Target::Span { row, id: span.id }));
        }
    }
    assert_eq!(frame.hit(4, 10.0, 50.0), None);
}

#[test]
fn far_out_the_number_of_marks_follows_the_pixels_not_the_instructions() {
    let row: Vec<u32> = (1..=10_000).map(|i| i * 3).collect();
    let timeline = timeline("5000(LC)", &[row.clone(), row], 30_000, Rows::Warps);
    let list = draw(&timeline, &frame(800.0, 0.0, 30_000.0));
    assert!(list.marks.len() < 700);
    assert_eq!(waits(&list), []);
}

#[test]
fn waits_differ_in_shape() {
    let width = GUTTER + 8.0 * 40.0 + MARGIN;
    let list = draw(&figure_2(Rows::Warps), &frame(width, 0.0, 8.0));
    let rows = |n: f64| AXIS + 20.0 * n;
    // Low bars: warp 2 in cycle 1, for instance, and warp 4 in the first three.
    let unit = |from: f64, to: f64, row: f64| {
        (WaitKind::Unit, [GUTTER + from * 40.0, rows(row) + 15.0, (to - from) * 40.0 - 1.0, 4.0])
    };
    let expected = [
        unit(2.0, 4.0, 0.0),
        unit(0.0, 1.0, 1.0),
        unit(3.0, 5.0, 1.0),
        unit(0.0, 2.0, 2.0),
        unit(4.0, 6.0, 2.0),
        unit(0.0, 3.0, 3.0),
        unit(5.0, 7.0, 3.0),
    ];
    // A stop where a warp has nothing left, unless that is at the very end.
    let done = |at: f64, row: f64| (WaitKind::Done, [GUTTER + at * 40.0, rows(row) + 5.0, 2.0, 10.0]);
    let stops = [done(5.0, 0.0), done(6.0, 1.0), done(7.0, 2.0)];
    assert_eq!(waits(&list), [&expected[..], &stops].concat());
    // It moves out of sight with the end, and does not stick to the edge.
    let later = draw(&figure_2(Rows::Warps), &self::frame(width, 5.5, 8.0));
    let stops = waits(&later).into_iter().filter(|(kind, _)| *kind == WaitKind::Done).count();
    assert_eq!(stops, 2);
    // A line for data, dots for slots, a hollow bar where nothing is in the way.
    let mut timeline = figure_2(Rows::Warps);
    let kinds = |kind, timeline: &mut Timeline| {
        timeline.shared[0] = vec![(0.0, kind)];
        timeline.wait_legend = vec![(kind, String::new())];
        let list = draw(timeline, &frame(width, 0.0, 8.0));
        waits(&list)
            .into_iter()
            .filter(|(_, [_, y, ..])| *y < rows(1.0))
            .map(|(_, mark)| mark)
            .collect::<Vec<_>>()
    };
    let dots = [2.0, 3.0].map(|cycle| [GUTTER + (cycle + 0.5) * 40.0 - 1.5, rows(0.0) + 8.5, 3.0, 3.0]);
    assert_eq!(kinds(WaitKind::Slot, &mut timeline), dots);
    assert_eq!(kinds(WaitKind::Data, &mut timeline), [[GUTTER + 80.0, rows(0.0) + 9.0, 79.0, 2.0]]);
    assert_eq!(kinds(WaitKind::Free, &mut timeline), [[GUTTER + 80.5, rows(0.0) + 5.0, 79.0, 10.0]]);
}

#[test]
fn long_waits_are_seen_where_cells_are_density() {
    let row = |from: u32| (0..20).map(|i| from + i * 40).collect::<Vec<u32>>();
    let timeline = timeline("20L", &[row(1), row(2)], 800, Rows::Warps);
    let seen = |per_cycle: f64| {
        waits(&draw(&timeline, &frame(GUTTER + 800.0 * per_cycle + MARGIN, 0.0, 800.0))).len()
    };
    // 19 gaps of each warp and its end; the cycle in which a warp waits for the other is too short.
    assert_eq!([seen(2.0), seen(1.0), seen(0.9)], [40, 40, 0]);
}

#[test]
fn lanes_stand_apart_beneath_and_show_the_selection_too() {
    let timeline = figure_2(Rows::Warps.with_lanes(0.5));
    assert_eq!(timeline.tracks.len(), 6);
    let frame = Frame { selected: Some((1, 1)), ..frame(500.0, 0.0, 8.0) };
    assert_eq!(frame.row_at(&timeline, 3), (AXIS + 60.0, 20.0));
    assert_eq!(frame.row_at(&timeline, 4), (AXIS + 86.0, 10.0));
    assert_eq!(frame.height(&timeline), AXIS + 80.0 + 6.0 + 20.0 + 4.0);
    let list = draw(&timeline, &frame);
    assert_eq!(class_rects(&list).len(), 24);
    let outlines = list.marks.iter().filter_map(|mark| match mark {
        Mark::Frame { y, h, ink: Ink::Accent, .. } => Some((*y, *h)),
        _ => None,
    });
    assert_eq!(outlines.collect::<Vec<_>>(), [(AXIS + 20.0, 20.0), (AXIS + 96.0, 10.0)]);
    // A click in a lane, between rows and lanes, and beneath all.
    let at = |cycle: f64, y: f64| frame.nearest(&timeline, frame.scale().pixel(cycle - 0.5), AXIS + y);
    assert_eq!(at(3.0, 97.0), Some(Target::Span { row: 5, id: (1, 1) }));
    assert_eq!(at(1.0, 97.0), Some(Target::Idle { row: 5, cycle: 1 }));
    assert_eq!((at(3.0, 83.0), at(3.0, 107.0)), (None, None));
    assert_eq!(figure_2(Rows::Units.with_lanes(0.5)), figure_2(Rows::Units));
}

#[test]
fn a_chosen_idle_cycle_is_outlined() {
    let (timeline, frame) = (figure_2(Rows::Warps), frame(GUTTER + 80.0 + MARGIN, 0.0, 8.0));
    let outlines = |chosen| {
        let list = draw_chosen(&timeline, &frame, chosen);
        let outline = |mark: &Mark| match mark {
            Mark::Frame { x, y, ink: Ink::Accent, .. } => Some((*x, *y)),
            _ => None,
        };
        list.marks.iter().filter_map(outline).collect::<Vec<_>>()
    };
    assert_eq!(outlines(Some(Target::Idle { row: 1, cycle: 5 })), [(GUTTER + 39.0, AXIS + 20.0)]);
    assert_eq!(outlines(Some(Target::Idle { row: 9, cycle: 5 })), []);
    assert_eq!(outlines(Some(Target::Span { row: 1, id: (1, 1) })), [(GUTTER + 19.0, AXIS + 20.0)]);
    assert_eq!(outlines(Some(Target::Span { row: 1, id: (2, 1) })), []);
}

#[test]
fn thin_bars_are_hit_from_nearby() {
    let at = |per_cycle: f64, cycle: f64| {
        let timeline = timeline("LCL", &[vec![2, 10, 20]], 40, Rows::Warps);
        let frame = frame(GUTTER + 40.0 * per_cycle + MARGIN, 0.0, 40.0);
        frame.nearest(&timeline, frame.scale().pixel(cycle), AXIS + 10.0)
    };
    let span = |i| Some(Target::Span { row: 0, id: (0, i) });
    let idle = |cycle| Some(Target::Idle { row: 0, cycle });
    // Bars from 1 to 2, 9 to 10, 19 to 20. Two pixels a cycle: two cycles off are near.
    assert_eq!([at(2.0, 1.5), at(2.0, 4.0), at(2.0, 4.5)], [span(0), span(0), idle(5)]);
    assert_eq!([at(2.0, 7.5), at(2.0, 11.9), at(2.0, 15.0)], [span(1), span(1), idle(16)]);
    // The nearer one of two.
    assert_eq!([at(0.5, 5.4), at(0.5, 5.6), at(0.5, 14.6)], [span(0), span(1), span(2)]);
    // At four pixels a cycle an idle cell is an idle cell.
    assert_eq!([at(4.0, 0.9), at(4.0, 1.1), at(4.0, 2.1)], [idle(1), span(0), idle(3)]);
    assert_eq!([at(2.0, -0.5), at(2.0, 40.5), at(2.0, 39.5)], [None, None, idle(40)]);
    // A bar that is wide enough is not missed by little.
    let mut wide = timeline("LCL", &[vec![2, 10, 20]], 40, Rows::Warps);
    wide.tracks[0].spans[0].end = 7.0;
    let frame = frame(GUTTER + 80.0 + MARGIN, 0.0, 40.0);
    assert_eq!(frame.nearest(&wide, frame.scale().pixel(7.5), AXIS + 10.0), span(1));
    wide.tracks[0].spans.remove(1);
    assert_eq!(frame.nearest(&wide, frame.scale().pixel(7.5), AXIS + 10.0), idle(8));
}

#[test]
fn rows_fit_the_room_there_is() {
    assert_eq!(row_to_fit(4, AXIS + 4.0 + 83.0), 20.75);
    assert_eq!([row_to_fit(64, 300.0), row_to_fit(1, 900.0), row_to_fit(0, 300.0)], [7.0, 120.0, 120.0]);
    let timeline = figure_2(Rows::Warps.with_lanes(0.5));
    // Four rows and two half as high, which stand apart.
    let row = row_to_fit_all(&timeline, AXIS + 4.0 + 6.0 + 101.0);
    assert_eq!(row, 20.1875);
    let own = Frame { row, ..frame(500.0, 0.0, 8.0) };
    assert_eq!(own.height(&timeline), AXIS + 4.0 + 6.0 + 100.0);
    // Whole pixels, and nothing between one row and the next.
    for rows in [0..4, 4..6] {
        let places: Vec<_> = rows.map(|row| own.row_at(&timeline, row)).collect();
        assert!(places.windows(2).all(|two| two[0].0 + two[0].1 == two[1].0), "{places:?}");
        assert!(places.iter().all(|place| place.0.fract() == 0.0), "{places:?}");
    }
    assert_eq!(row_to_fit_all(&figure_2(Rows::Warps), AXIS + 4.0 + 83.0), 20.75);
}

#[test]
fn rows_that_are_hardly_ever_busy_show_when_they_are() {
    // At first one cycle of forty is busy, then one of eight.
    let row = |from: u32| {
        (0..40u32).map(|i| from + 40 * i.min(20) + 8 * i.saturating_sub(20)).collect::<Vec<u32>>()
    };
    let timeline = timeline("40L", &[row(1), row(5)], 1_000, Rows::Warps);
    let list = draw(&timeline, &frame(GUTTER + 125.0 + MARGIN, 0.0, 1_000.0));
    let degrees: std::collections::BTreeSet<u8> = list
        .marks
        .iter()
        .filter_map(|mark| match mark {
            Mark::Rect { ink: Ink::Density(_, degree), .. } => Some(*degree),
            _ => None,
        })
        .collect();
    assert!(degrees.len() > 1 && degrees.contains(&4), "{degrees:?}");
}

#[test]
fn the_last_number_of_the_axis_stays_in_the_picture() {
    let timeline = timeline("2L", &[vec![1, 16_065]], 16_065, Rows::Warps);
    let list = draw(&timeline, &frame(1_000.0, 0.0, 16_065.0));
    let text = list.marks.iter().find_map(|mark| match mark {
        Mark::Text { x, text, align, .. } if text == "16,000" => Some((*x, *align)),
        _ => None,
    });
    assert_eq!(text, Some((1_000.0, Align::End)));
}

#[test]
fn a_column_of_narrow_cells_tells_its_average() {
    let timeline = timeline("40L", &[(0..40).map(|i| 1 + 2 * i).collect()], 80, Rows::Warps);
    let own = |per_cycle: f64| frame(GUTTER + 80.0 * per_cycle + MARGIN, 0.0, 80.0);
    let at = Target::Span { row: 0, id: (0, 20) };
    assert_eq!(averaged(&timeline, &own(4.0), at), None, "cells are seen");
    // Columns of eight cycles, with those on both sides; every other cycle is busy.
    let told = averaged(&timeline, &own(0.5), at).unwrap_or_default();
    assert!(told.starts_with("Cycles 33 to 56: 50 % busy, L"), "{told}");
    assert_eq!(averaged(&timeline, &own(0.5), Target::Idle { row: 7, cycle: 1 }), None);
}

/// However low rows are, what is written between two schedules is clear of the bars and of the lines of the axis.
#[test]
fn a_heading_has_a_ground_of_its_own() {
    let heading = "The worst case, proven: 8 cycles";
    let both = figure_2(Rows::Warps).above(Some((heading.to_owned(), figure_2(Rows::Warps))));
    for row in [7.0, 12.5, 40.0] {
        let own = Frame { row, ..frame(500.0, 0.0, 8.0) };
        let places: Vec<_> = (0..9).map(|at| own.row_at(&both, at)).collect();
        assert!(places.windows(2).all(|two| two[0].0 + two[0].1 == two[1].0), "{places:?}");
        let (top, high) = places[4];
        assert!(high >= 18.0, "{row}: {high}");
        assert_eq!(own.height(&both), places[8].0 + places[8].1 + 4.0);
        let drawn = draw(&both, &own);
        let text =
            drawn.marks.iter().position(|mark| matches!(mark, Mark::Text { text, .. } if text == heading));
        let text = text.expect("the heading");
        let Mark::Rect { x, y, w, h, ink: Ink::Ground, .. } = drawn.marks[text - 1] else {
            unreachable!("a ground beneath it: {:?}", drawn.marks[text - 1])
        };
        assert!(x == GUTTER && w > 180.0 && y > top && y + h <= top + high, "{row}");
        assert_eq!(text + 1, drawn.marks.len(), "nothing is drawn over it");
        let through = |mark: &&Mark| match mark {
            Mark::Rect { y, h, ink: Ink::Class(_), .. } => *y < top + high && y + h > top,
            _ => false,
        };
        assert_eq!(drawn.marks.iter().find(through), None, "{row}");
        // What is pointed at is found where it is drawn.
        let at = own.nearest(&both, own.scale().pixel(0.5), places[5].0 + 1.0);
        assert_eq!(at, Some(Target::Span { row: 5, id: (0, 0) }));
    }
    // In little room the rows make way for it, and all fits.
    let height = AXIS + 4.0 + 19.0 + 8.0 * 9.0;
    let row = row_to_fit_all(&both, height);
    assert_eq!(row, 9.0);
    assert!(Frame { row, ..frame(500.0, 0.0, 8.0) }.height(&both) <= height);
    // A narrow picture has as much of it as fits.
    let narrow = draw(&both, &frame(GUTTER + 100.0, 0.0, 8.0));
    let Some(Mark::Text { text, .. }) = narrow.marks.last() else { unreachable!("the heading") };
    assert!(text.starts_with("The worst") && text.ends_with('…'), "{text}");
}
