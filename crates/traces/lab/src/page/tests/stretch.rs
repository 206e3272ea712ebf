//! What a stretch of time adds up to, by name, is what a walk over its bars finds.

use super::*;

#[test]
fn names_take_as_long_in_a_stretch_as_their_bars() {
    for (seed, example_name) in (0..).zip(EXAMPLES) {
        let (tree, _) = example(example_name);
        let Some(run) = &super::run_in(&tree) else { panic!("{example_name} holds a run") };
        let (from, to) = (run.end * 0.1 * f64::from(seed), run.end * 0.7);
        for lane in [Lane::Stream, Lane::Thread] {
            let rows = (seed > 0).then_some((0, run.rows.len() / 2));
            let stretch = Stretch { rows, ..Stretch::new(from, to) };
            let told = run.longest_names(lane, &stretch);
            let inside = |at: usize| rows.is_none_or(|(_, last)| at <= last);
            let rows = || run.rows.iter().enumerate().filter(|(at, row)| row.lane == lane && inside(*at));
            for (at, count, nanos) in run.spent_in_rows(&stretch) {
                let bars = range(&run.rows[at]).map(|place| run.bar(at, place));
                let met: Vec<Bar> = bars.filter(|bar| bar.start < to && bar.end > from).collect();
                assert_eq!(count, met.len(), "row {at} of {example_name}");
                // Every edge of a bar, and whether anything is there until the next.
                let mut edges: Vec<f64> = met
                    .iter()
                    .flat_map(|bar| [bar.start, bar.end])
                    .map(|edge| edge.clamp(from, to))
                    .collect();
                edges.sort_by(f64::total_cmp);
                let there = |at: f64| met.iter().any(|bar| bar.start <= at && bar.end > at);
                let walked: f64 =
                    edges.windows(2).filter(|pair| there(pair[0])).map(|pair| pair[1] - pair[0]).sum();
                assert!((walked - nanos).abs() < 1.0, "row {at} of {example_name}: {walked} and {nanos}");
            }
            let walked = |name: &str| -> f64 {
                let bars = rows().flat_map(|(at, row)| range(row).map(move |place| run.bar(at, place)));
                let named = bars.filter(|bar| run.text(bar) == name);
                named.map(|bar| (bar.end.min(to) - bar.start.max(from)).max(0.0)).sum()
            };
            assert!((seed > 0 || !told.is_empty()) && told.is_sorted_by(|a, b| a.1 >= b.1), "{example_name}");
            let names = || rows().flat_map(|(_, row)| range(row)).map(|place| run.text(&run.bar(0, place)));
            for (name, nanos) in &told {
                assert!((walked(name) - nanos).abs() < 1.0, "{name} of {example_name}");
            }
            // The table holds the same, and its lines know their bars.
            let head = if lane == Lane::Stream { "On the GPU" } else { "On the host" };
            let tables = run.sums(&stretch);
            let table = tables.iter().enumerate().find(|(_, table)| table.name == head);
            assert_eq!(table.is_none(), told.is_empty(), "{example_name}");
            for line in table.iter().flat_map(|(_, table)| &table.lines) {
                let time = walked(&line.name);
                assert!((line.cells[1].by - time).abs() < 1.0, "{} of {example_name}", line.name);
                let own = run.of_line(&stretch, (table.map_or(0, |(at, _)| at), line.key));
                assert_eq!(own.len() as f64, line.cells[0].by, "{} of {example_name}", line.name);
                let bars = || own.iter().filter_map(|&place| run.at(place));
                assert!(bars().all(|bar| run.text(&bar) == line.name && bar.start < to && bar.end > from));
                let longest = bars().map(|bar| bar.end.min(to) - bar.start.max(from)).fold(0.0, f64::max);
                assert_eq!(longest, line.cells[3].by, "{} of {example_name}", line.name);
            }
            let least = told.last().map_or(0.0, |last| last.1);
            let others = names().filter(|name| told.iter().all(|(known, _)| known != name));
            for name in others.take(200) {
                assert!(walked(name) <= least + 1.0, "{name} of {example_name}");
            }
        }
    }
    // More than can be added up while somebody drags.
    let many = made(1, crate::page::stretch::MOST + 1);
    assert!(many.longest_names(Lane::Stream, &Stretch::new(0.0, many.end)).is_empty());
    assert!(many.sums(&Stretch::new(0.0, many.end)).iter().all(|table| table.name != "On the GPU"));
    assert_eq!(made(1, 20).longest_names(Lane::Stream, &Stretch::new(0.0, 5_000.0)).len(), 2);
}
