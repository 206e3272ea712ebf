//! The picture shows what runs, in its place, with few marks, and a click finds what was drawn.

use expect_test::expect;

use super::*;
use crate::timeline::blocks::{Measure, kernel_classes, sample};
use base::Nanos;
use kit::draw::list::Align;

/// Draws one run.
fn with<T>((setup, trace): &(Setup, Trace), measure: Measure, check: impl FnOnce(&Panel<'_>) -> T) -> T {
    let timeline = BlocksTimeline::new(setup, trace, &kernel_classes(&[(setup, trace)])[0], measure);
    check(&Panel { title: "run", setup, trace, timeline: &timeline })
}

fn tx2(check: impl FnOnce(&Panel<'_>, Look)) {
    with(&sample::tx2(), Measure::Threads, |panel| check(panel, Look::new(1_072.0, 520.0, 0.0, 20e6)));
}

/// Rectangles of blocks and density.
fn rects(list: &DrawList) -> Vec<(f64, f64, f64, f64)> {
    let rect = |mark: &Mark| match mark {
        Mark::Rect { x, y, w, h, ink: Ink::Class(_) | Ink::Density(..) | Ink::OnClass, .. } => {
            Some((*x, *y, *w, *h))
        }
        _ => None,
    };
    list.marks.iter().filter_map(rect).collect()
}

/// A text that was drawn.
struct Words {
    x: f64,
    y: f64,
    text: String,
    size: f64,
    align: Align,
}

fn texts(list: &DrawList) -> Vec<Words> {
    let words = |mark: &Mark| match mark {
        Mark::Text { x, y, text, size, align, .. } => {
            Some(Words { x: *x, y: *y, text: text.clone(), size: *size, align: *align })
        }
        _ => None,
    };
    list.marks.iter().filter_map(words).collect()
}

/// Fails where something is outside of the picture, of the plot, or of its row.
fn check_places(list: &DrawList, panels: &[Panel<'_>], look: &Look) {
    let (layout, scale) = (Layout::new(panels, look), look.scale());
    for (x, y, w, h) in rects(list) {
        let row = layout.at(y + h / 2.0).filter(|row| y >= row.y && y + h <= row.y + row.h);
        assert!(row.is_some(), "{y} to {} leaves its row", y + h);
        let is_swatch = row.is_some_and(|row| row.kind == Kind::Legend);
        assert!(
            is_swatch || x >= scale.left && x + w <= scale.right + 1.5,
            "{x} to {} leaves the plot",
            x + w
        );
        assert!(w > 0.0 && h > 0.0);
    }
    for Words { x, y, text, size, align } in texts(list) {
        let width = words::width(&text, size);
        let left = match align {
            Align::Start => x,
            Align::Middle => x - width / 2.0,
            Align::End => x - width,
        };
        assert!(left >= 0.0 && left + width <= list.width + 1.0, "{text} leaves the picture");
        assert!(y - size / 2.0 >= 0.0 && y + size / 2.0 <= list.height, "{text} leaves the picture");
    }
}

#[test]
fn the_tx2_example_block_by_block() {
    tx2(|panel, look| {
        let list = draw(&[*panel], &look);
        let mut labels = texts(&list);
        labels.retain(|words| words.text.contains(':'));
        labels.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
        let lines = labels.chunk_by(|a, b| a.y == b.y).map(|line| {
            line.iter().map(|words| format!("{} {}", words.text, words.x)).collect::<Vec<_>>().join(", ")
        });
        expect![[r#"
            K2:5 214.5, K4:4 489.5
            K2:3 214.5, K4:2 489.5
            K2:1 214.5, K4:0 489.5
            K1:1 164.5, K3:0 414.5
            K2:4 214.5, K4:3 489.5
            K2:2 214.5, K4:1 489.5
            K2:0 214.5, K3:1 514.5
            K1:0 164.5, K2:6 414.5"#]]
        .assert_eq(&lines.collect::<Vec<_>>().join("\n"));
        check_places(&list, &[*panel], &look);
    });
}

#[test]
fn a_click_finds_the_block_whose_label_was_drawn_there() {
    tx2(|panel, look| {
        let list = draw(&[*panel], &look);
        let mut found = 0;
        for Words { x, y, text, .. } in texts(&list) {
            let Some((kernel, block)) = text.split_once(':') else { continue };
            let Some(Hit { what: What::Thing(Selected::Block { run, block: hit }), .. }) =
                hit(&[*panel], &look, x, y)
            else {
                unreachable!("{text} at {x}, {y}")
            };
            let label = &panel.setup.kernels[panel.trace.kernels[run].kernel].label;
            assert_eq!((label.as_str(), hit.to_string().as_str()), (kernel, block));
            found += 1;
        }
        assert_eq!(found, 16);
        let what = |x, y| hit(&[*panel], &look, x, y).map(|hit| hit.what);
        let layout = Layout::new(&[*panel], &look);
        let middle =
            |kind| layout.rows.iter().find(|row| row.kind == kind).map_or(0.0, |row| row.y + row.h / 2.0);
        assert_eq!(what(800.0, middle(Kind::Sm(1))), Some(What::Sm(1)));
        assert_eq!(what(66.0, middle(Kind::Moments(2))), Some(What::Thing(Selected::Launch(2))));
        assert_eq!(what(812.0, middle(Kind::Moments(0))), Some(What::Deadline(0)));
        assert_eq!(what(100.0, middle(Kind::InUse)), Some(What::InUse(4_096)));
        assert_eq!(what(20.0, middle(Kind::Sm(0))), None);
    });
}

#[test]
fn every_block_that_is_drawn_by_itself_can_be_clicked() {
    for measure in [Measure::Threads, Measure::SharedMemory] {
        with(&sample::rich(), measure, |panel| {
            let look = Look::new(1_000.0, 620.0, 0.0, panel.timeline.end);
            let list = draw(&[*panel], &look);
            let outlines = |mark: &&Mark| matches!(mark, Mark::Rect { ink: Ink::OnClass, .. });
            let mut count = 0;
            for mark in list.marks.iter().filter(outlines) {
                let Mark::Rect { x, y, w, h, .. } = mark else { continue };
                for (dx, dy) in [(0.5, 0.5), (0.1, 0.1), (0.9, 0.9)] {
                    let found = hit(&[*panel], &look, x + w * dx, y + h * dy).map(|hit| hit.what);
                    assert!(
                        matches!(found, Some(What::Thing(Selected::Block { .. }))),
                        "{found:?} at {x}, {y}"
                    );
                }
                count += 1;
            }
            assert!(count > 40, "{count}");
            check_places(&list, &[*panel], &look);
        });
    }
}

#[test]
fn marks_are_few_at_every_zoom_however_many_blocks() {
    with(&sample::lanes(100_000), Measure::Threads, |panel| {
        let end = panel.timeline.end;
        let mut share = 1.0;
        while share * end > 20.0 {
            for from in [0.0, 0.37, 1.0] {
                let t0 = (end - share * end) * from;
                let look = Look::new(1_400.0, 700.0, t0, t0 + share * end);
                let list = draw(&[*panel], &look);
                assert!(list.marks.len() <= 4_000, "{} at {share}", list.marks.len());
                assert!(!rects(&list).is_empty(), "something runs at any time");
                check_places(&list, &[*panel], &look);
            }
            share /= 3.0;
        }
    });
}

#[test]
fn panning_moves_density_and_does_not_change_it() {
    with(&sample::lanes(20_000), Measure::Threads, |panel| {
        let (from, width) = (panel.timeline.end * 0.4, panel.timeline.end * 0.3);
        let shades = |t0: f64| {
            let look = Look::new(1_072.0, 500.0, t0, t0 + width);
            let inner = 300.0..700.0;
            let shift = (t0 - from) / width * 1_000.0;
            let mut all: Vec<_> = rects(&draw(&[*panel], &look));
            all.retain(|&(x, _, w, _)| inner.contains(&(x + shift)) && inner.contains(&(x + w + shift)));
            let mut all: Vec<_> =
                all.into_iter().map(|(x, y, w, h)| ((x + shift).round(), y, w, h)).collect();
            all.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
            all
        };
        let before = shades(from);
        assert!(before.len() > 100);
        assert_eq!(before, shades(from + width * 0.02)); // 20 pixels
    });
}

#[test]
fn runs_stand_one_above_the_other_on_one_axis() {
    let run = sample::tx2();
    with(&run, Measure::Threads, |panel| {
        let measured = Panel { title: "Measured", ..*panel };
        let look = Look { key: Key::Drawn, ..Look::new(700.0, 700.0, 0.0, 12e6) };
        let panels = [Panel { title: "Simulated", ..*panel }, measured];
        let list = draw(&panels, &look);
        check_places(&list, &panels, &look);
        let count = |wanted: &str| texts(&list).iter().filter(|words| words.text == wanted).count();
        assert_eq!(
            [count("Simulated"), count("Measured"), count("12"), count("K2:0"), count("SM 1")],
            [1, 1, 1, 2, 2]
        );
        let kinds: Vec<Kind> =
            Layout::new(&panels, &look).rows.iter().filter(|row| row.panel == 1).map(|r| r.kind).collect();
        use Kind::{Axis, InUse, Moments, Sm, Title};
        assert_eq!(kinds, [Title, Sm(1), Sm(0), Axis, Moments(0), Moments(1), Moments(2), Moments(3), InUse]);
    });
}

#[test]
fn selection_range_and_cursor_lie_over_everything() {
    tx2(|panel, look| {
        let plain = draw(&[*panel], &look).marks.len();
        let over = |look: Look| draw(&[*panel], &look).marks.split_off(plain);
        let selected = Some((0, Selected::Block { run: 1, block: 6 }));
        let marks = over(Look { selected, ..look.clone() });
        assert!(matches!(marks[0], Mark::Frame { x: 264.0, w: 301.0, .. }), "{marks:?}");
        // It was launched at once and starts later: along the row of its stream, then up to it.
        let lines: Vec<_> = marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Line { from, to, ink: Ink::Accent, .. } => Some((*from, *to)),
                _ => None,
            })
            .collect();
        let [((x0, y0), (x1, y1)), ((x2, y2), (x3, y3))] = lines[..] else { panic!("{lines:?}") };
        assert!(
            y0 == y1 && y1 == y2 && x1 == x2 && x2 == x3 && y3 < y2 && x0 == look.scale().left,
            "{lines:?}"
        );
        assert_eq!(x1, 264.0);
        let at_once =
            over(Look { selected: Some((0, Selected::Block { run: 1, block: 0 })), ..look.clone() });
        assert!(at_once.iter().all(|mark| matches!(mark, Mark::Frame { .. })), "{at_once:?}");
        let selected = Some((0, Selected::Launch(1)));
        assert_eq!(over(Look { selected, ..look.clone() }).len(), 14);
        let marks = over(Look { cursor: Some(5e6), ..look.clone() });
        assert!(matches!(marks[0], Mark::Rect { x: 314.0, w: 752.0, ink: Ink::Future, .. }), "{marks:?}");
        let marks = over(Look { cursor: Some(5e6), future: Future::Hidden, ..look.clone() });
        assert!(matches!(marks[0], Mark::Rect { ink: Ink::Band, .. }));
        let marks = over(Look { range: Some((7e6, 6e6)), ..look.clone() });
        assert!(matches!(marks[0], Mark::Rect { x: 364.0, w: 50.0, ink: Ink::Veil, .. }), "{marks:?}");
        assert!(over(Look { selected: Some((3, Selected::Copy(9))), cursor: Some(-4.0), ..look }).len() <= 2);
    });
}

#[test]
fn narrow_tall_and_odd_pictures_are_drawn_too() {
    with(&sample::many(132, 20, 100), Measure::Threads, |panel| {
        let look = Look { key: Key::Drawn, ..Look::new(320.0, 500.0, 0.0, panel.timeline.end) };
        let list = draw(&[*panel], &look);
        assert!(list.height > 132.0 * 14.0 && list.marks.len() <= 4_000);
        check_places(&list, &[*panel], &look);
        let part = draw(&[*panel], &Look { seen: Some((900.0, 1_400.0)), ..look.clone() });
        assert!(part.height == list.height && part.marks.len() < list.marks.len());
        // The numbers of the axis stay in sight, once.
        let numbers = |list: &DrawList, (top, bottom): (f64, f64)| {
            let all = texts(list);
            all.iter().filter(|words| words.text == "0" && (top..bottom).contains(&words.y)).count()
        };
        assert_eq!(numbers(&part, (900.0, 930.0)), 1);
        let upper = draw(&[*panel], &Look { seen: Some((0.0, 500.0)), ..look.clone() });
        assert_eq!(numbers(&upper, (0.0, 500.0)), 1);
        let end = (list.height - 500.0, list.height);
        assert_eq!(numbers(&draw(&[*panel], &Look { seen: Some(end), ..look.clone() }), end), 1);
    });
    tx2(|panel, look| {
        let bad = [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e300];
        for (a, b) in bad.into_iter().flat_map(|a| bad.map(|b| (a, b))) {
            let (cursor, range) = (Some(a), Some((a, b)));
            let look = Look { width: a, height: b, t0: b, t1: a, cursor, range, ..look.clone() };
            assert!(draw(&[*panel], &look).marks.len() <= 4_000);
            assert!(hit(&[*panel], &look, a, b).is_none_or(|hit| hit.panel == 0));
        }
    });
    assert!(draw(&[], &Look::new(300.0, 200.0, 0.0, 1.0)).marks.len() < 20);
}

#[test]
fn the_legend_names_kernels_stream_by_stream() {
    with(&sample::rich(), Measure::SharedMemory, |panel| {
        let shown = |stream: &StreamLegend| format!("{}: {:?}", stream.stream, stream.kernels);
        let all: Vec<String> = legend(panel).iter().map(shown).collect();
        assert_eq!(
            all,
            [r#"Stream 1: [(0, "detect")]"#, r#"Stream 2: [(1, "track")]"#, r#"Stream 3: [(2, "plan")]"#]
        );
        assert_eq!(caption(panel), "a band is 64 KiB of shared memory high");
    });
}

#[test]
fn empty_bands_say_why() {
    let empty = |measure| {
        with(&sample::tx2(), measure, |panel| {
            let list = draw(&[*panel], &Look::new(600.0, 400.0, 0.0, 12e6));
            texts(&list).iter().any(|words| words.text == "No block here takes shared memory.")
        })
    };
    assert!(empty(Measure::SharedMemory) && !empty(Measure::Threads));
}

#[test]
fn a_place_on_the_axis_has_a_time_and_a_place_in_a_band_is_none_on_it() {
    tx2(|panel, look| {
        let panels = [*panel];
        let layout = Layout::new(&panels, &look);
        let Some(axis) = layout.rows.iter().find(|row| row.kind == Kind::Axis) else {
            unreachable!("it has one")
        };
        let (scale, y) = (look.scale(), axis.y + axis.h / 2.0);
        for row in &layout.rows {
            let wanted = matches!(row.kind, Kind::Axis | Kind::TopAxis);
            assert_eq!(
                is_on_axis(&panels, &look, scale.left + 5.0, row.y + row.h / 2.0),
                wanted,
                "{:?}",
                row.kind
            );
        }
        assert!(!is_on_axis(&panels, &look, scale.left - 5.0, y), "names stand there");
        assert_eq!(time_at(&look, scale.pixel(5e6)), Nanos(5_000_000));
        assert_eq!([0.0, 1e6].map(|x| time_at(&look, x)), [Nanos(0), Nanos(20_000_000)]);
        // Scrolled to where no axis is in sight, the numbers stay at the top and count as one.
        let first = layout.rows.iter().find(|row| matches!(row.kind, Kind::Sm(_)));
        let top = first.map_or(0.0, |row| row.y + 1.0);
        let scrolled = Look { seen: Some((top, top + 40.0)), ..look };
        assert!(is_on_axis(&panels, &scrolled, scale.left + 5.0, top + 2.0));
        assert!(!is_on_axis(&panels, &scrolled, scale.left + 5.0, top + 38.0));
    });
}

#[test]
fn what_differs_from_another_run_is_framed_or_told_along_its_band() {
    let changed = |list: &DrawList| {
        let of = |mark: &&Mark| matches!(mark, Mark::Rect { ink: Ink::Changed, .. });
        list.marks.iter().filter(of).count()
    };
    let (setup, trace) = sample::tx2();
    let alone =
        BlocksTimeline::new(&setup, &trace, &kernel_classes(&[(&setup, &trace)])[0], Measure::Threads);
    let differs = (0..trace.blocks.len()).map(|place| place < 3).collect();
    let timeline = BlocksTimeline { differs, ..alone.clone() };
    let panel = |timeline| Panel { title: "run", setup: &setup, trace: &trace, timeline };
    let look = Look::new(1_072.0, 520.0, 0.0, 20e6);
    assert_eq!(changed(&draw(&[panel(&alone)], &look)), 0);
    assert_eq!(changed(&draw(&[panel(&timeline)], &look)), 3 * 4);
    // From afar: a line on each of the two bands.
    let afar = Look::new(1_072.0, 520.0, 0.0, 20e9);
    assert_eq!(changed(&draw(&[panel(&timeline)], &afar)), 2);
    let drawn = draw(&[panel(&timeline)], &Look { key: Key::Drawn, ..look });
    assert!(texts(&drawn).iter().any(|words| words.text == CHANGED));
}
