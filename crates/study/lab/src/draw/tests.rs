//! Where things stand: what a plan says is where a picture has them, and nothing reaches beyond it.

use kit::draw::list::Mark;
use kit::draw::{DrawList, Ink};
use serde_json::json;

use super::{Layout, Look, Spot, draw};
use crate::page::{Chart, Known, Plan};
use crate::scenario::{Drawing, Kind};

/// A study with two axes and four samples, all of whose rows are there.
fn known() -> Known {
    let line = json!({"study": {"scenario": "t", "cells": 24, "share": 24, "samples": 4, "seed": 1,
        "axes": [{"name": "n", "path": "a.n", "values": [1, 2, 4]}, {"name": "who", "path": "a.w", "values": ["x", "y"]}],
        "measures": {"m": "m", "ok": "ok"}, "draw": []}});
    let Some(mut known) = Plan::new(&line.to_string()).and_then(Known::new) else { unreachable!("small") };
    for cell in 0..24u64 {
        let row = json!({"point": {}, "sample": cell % 4, "seed": 1,
            "values": {"m": 10 * (cell / 4) + cell % 4, "ok": cell % 3 == 0}});
        assert!(known.take(cell, &row.to_string()));
    }
    known
}

fn drawing(kind: Kind, x: &str, y: &str, by: Option<&str>, z: Option<&str>) -> Drawing {
    let own = |name: &str| name.to_owned();
    Drawing { kind, x: own(x), y: vec![own(y)], by: by.map(own), z: z.map(own), title: None }
}

fn all() -> Vec<Chart> {
    let known = known();
    [
        drawing(Kind::Line, "n", "m", Some("who"), None),
        drawing(Kind::Line, "who", "ok", None, None),
        drawing(Kind::Box, "n", "m", Some("who"), None),
        drawing(Kind::Scatter, "m", "ok", Some("who"), None),
        drawing(Kind::Heat, "n", "who", None, Some("m")),
    ]
    .iter()
    .map(|drawing| Chart::new(&known, drawing))
    .collect()
}

fn ends(list: &DrawList) -> (f64, f64, f64, f64) {
    let corners = list.marks.iter().flat_map(|mark| match mark {
        Mark::Rect { x, y, w, h, .. } | Mark::Frame { x, y, w, h, .. } => [(*x, *y), (x + w, y + h)],
        Mark::Line { from, to, .. } => [*from, *to],
        Mark::Text { x, y, .. } => [(*x, *y), (*x, *y)],
    });
    corners.fold((0.0, 0.0, 0.0, 0.0), |(a, b, c, d): (f64, f64, f64, f64), (x, y)| {
        (a.min(x), b.min(y), c.max(x), d.max(y))
    })
}

#[test]
fn nothing_reaches_beyond_the_picture() {
    for chart in all() {
        for (width, height) in [(1_100.0, 620.0), (340.0, 320.0), (0.0, f64::NAN)] {
            let look = Look { width, height, titled: true, ..Look::default() };
            let list = draw(&chart, &look);
            let (left, top, right, bottom) = ends(&list);
            assert!(left >= 0.0 && top >= 0.0, "{:?} {left} {top}", chart.kind);
            assert!(right <= list.width && bottom <= list.height, "{:?} {right} {bottom}", chart.kind);
        }
    }
}

#[test]
fn the_pointer_finds_each_dot_where_it_is_drawn() {
    for chart in all() {
        let look = Look { width: 900.0, height: 500.0, ..Look::default() };
        let layout = Layout::new(&chart, &look);
        for (series, own) in chart.series.iter().enumerate() {
            for dot in 0..own.dots.len() {
                let spot = Spot { series, dot };
                let Some(at) = layout.spot(&chart, spot) else { unreachable!("it is drawn") };
                let found = layout.hit(&chart, at);
                // Two cells of a cloud may stand at one place.
                let same = found.and_then(|found| layout.spot(&chart, found)) == Some(at);
                assert!(same, "{:?} {spot:?} {found:?}", chart.kind);
            }
        }
        assert_eq!(layout.hit(&chart, (2.0, 2.0)), None);
    }
}

#[test]
fn every_series_has_its_own_shape_and_every_cell_its_colour() {
    let charts = all();
    let shapes = |series| {
        let mut marks = Vec::new();
        super::shape(series, (0.0, 0.0), &mut marks);
        marks
    };
    for one in 0..6 {
        for other in 0..one {
            assert_ne!(shapes(one), shapes(other));
        }
    }
    let list = draw(&charts[4], &Look { width: 600.0, height: 400.0, ..Look::default() });
    let cells = list.marks.iter().filter(|mark| matches!(mark, Mark::Rect { ink: Ink::Heat(_), .. }));
    assert_eq!(cells.count(), 6 + 9, "six cells, and the scale");
}

#[test]
fn an_empty_study_has_a_picture() {
    let line = json!({"study": {"scenario": "t", "cells": 1, "samples": 1, "seed": 1, "axes": [], "measures": {"m": "m"}, "draw": []}});
    let Some(known) = Plan::new(&line.to_string()).and_then(Known::new) else { unreachable!("small") };
    for kind in [Kind::Line, Kind::Box, Kind::Scatter, Kind::Heat] {
        let chart = Chart::new(&known, &drawing(kind, "", "m", None, Some("m")));
        let list = draw(&chart, &Look { width: 400.0, height: 300.0, ..Look::default() });
        assert!(list.marks.len() > 2 && chart.count() == 0, "{kind:?}");
    }
}

#[test]
fn an_axis_of_the_study_stands_still_while_points_come() {
    let whole = known();
    let Some(mut some) = Known::new(whole.plan.clone()) else { unreachable!("small") };
    let drawing = drawing(Kind::Line, "n", "m", Some("who"), None);
    let look = Look { width: 600.0, height: 400.0, ..Look::default() };
    let across = |known: &Known| {
        let layout = Layout::new(&Chart::new(known, &drawing), &look);
        (layout.x.from, layout.x.to, layout.across)
    };
    let empty = Layout::new(&Chart::new(&some, &drawing), &look);
    assert_eq!((empty.x.from, empty.x.to), (1.0, 4.0));
    assert!(empty.up.is_empty(), "nothing is known of the measure");
    assert!(some.take(9, whole.row(9).unwrap_or_default()));
    let (part, all) = (across(&some), across(&whole));
    assert_eq!((part.0, part.1), (all.0, all.1));
    let labels = |ticks: &[kit::draw::Tick]| ticks.iter().map(|tick| tick.label.clone()).collect::<Vec<_>>();
    assert_eq!(labels(&part.2), labels(&all.2));
}
