//! What the page shows of a report: rows, sentences, edits, files.

#![allow(missing_docs)]

mod common;

use std::collections::{BTreeMap, HashMap};

use code_lab::draw::{Look, dim, draw};
use code_lab::page::seek::{Hit, TERMS};
use code_lab::page::stretch::{Sums, of_line, tables};
use code_lab::page::{Seen, edits, says, summary};
use code_lab::report::{CodeReport, Kind, ShortestReport};
use code_lab::timeline::Lane;
use code_lab::{LINKED, export};
use common::saxpy;
use kit::page::Stretch;
use kit::page::terms::Query;
use serde_json::{Value, json};
use warpspan_code_lab as code_lab;

fn seen(tree: &Value) -> Seen {
    let scenario = match LINKED.from_tree(tree) {
        Ok(scenario) => scenario,
        Err(problems) => unreachable!("{problems:?}"),
    };
    let report = LINKED.run(&scenario);
    let again = Seen::new(&report.line()).expect("a report that can be read again");
    assert_eq!(report.of::<CodeReport>(), Some(&again.report), "what is read is what was told");
    again
}

/// By hand: both loads in cycles 1 and 2, there in cycle 7; one multiplies in 7 and 11, the other in 9 and 13.
fn written() -> Value {
    json!({ "warpspan": 1, "title": "two warps", "warps": {
        "code": [
            { "unit": "lsu", "sets": { "0": [4, 6] } },
            { "unit": "fp32", "hold": 2, "stall": 4, "waits": [0] },
            { "unit": "fp32", "hold": 2 },
        ],
        "machine": { "partitions": 1, "issue": 1, "units": {
            "fp32": { "per": "partition", "count": 1 },
            "lsu": { "per": "multiprocessor", "count": 1 },
        } },
        "count": 2,
        "method": { "exact": {} },
    } })
}

#[test]
fn rows_hold_every_instruction_once_and_never_overlap() {
    for seen in [seen(&written()), seen(&saxpy())] {
        let report = &seen.report;
        let mut issued = vec![0; report.schedule.len()];
        let mut held: HashMap<u32, u32> = HashMap::new();
        for row in &seen.timeline.rows {
            assert!(row.bars.windows(2).all(|two| two[0].to <= two[1].from), "{}: bars overlap", row.label);
            assert!(row.waits.windows(2).all(|two| two[0].to <= two[1].from), "{}: waits overlap", row.label);
            for bar in &row.bars {
                match row.lane {
                    Lane::Warp(warp) => {
                        assert_eq!(report.schedule[bar.entry as usize].0, warp);
                        issued[bar.entry as usize] += 1;
                    }
                    Lane::Unit => *held.entry(bar.entry).or_default() += bar.to - bar.from,
                    Lane::Heading => unreachable!("a heading holds nothing"),
                }
            }
        }
        assert!(issued.iter().all(|times| *times == 1));
        for (entry, row) in report.schedule.iter().enumerate() {
            let line = &report.code[row.1 as usize];
            let expected = line.unit.as_ref().map(|_| line.hold.max(1));
            assert_eq!(held.get(&(entry as u32)).copied(), expected, "{}", line.text);
            let found = seen.timeline.find(report, entry as u32).map(|(_, bar)| bar.to);
            assert_eq!(found, Some(row.2));
        }
    }
}

#[test]
fn lanes_of_a_unit_are_no_more_than_it_takes_at_once() {
    let seen = seen(&saxpy());
    for (name, scope, count) in &seen.report.machine.units {
        let partitions = if scope == "partition" { seen.report.machine.partitions } else { 1 };
        let label = |row: &&code_lab::timeline::Row| {
            row.lane == Lane::Unit
                && row.label.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end() == name
        };
        let rows = seen.timeline.rows.iter().filter(label).count();
        assert!(rows <= (count * partitions) as usize, "{name}: {rows} rows");
    }
}

#[test]
fn whoever_waits_is_told_for_what() {
    let seen = seen(&written());
    let rows = &seen.report.schedule;
    let second = rows.iter().position(|row| row.0 == 1 && row.1 == 1).expect("a row") as u32;
    assert_eq!(
        says::waits(&seen, second),
        ["Warp 1 waits in cycles 2 to 6 for scoreboard 0: lsu, instruction 1 of the same warp."]
    );
    assert_eq!(
        says::entry(&seen, second).as_deref(),
        Some("Warp 1 issues fp32, instruction 2 in cycle 7, holds fp32 until cycle 8.")
    );
    let other = rows.iter().position(|row| row.0 == 2 && row.1 == 1).expect("a row") as u32;
    let said = says::waits(&seen, other).join(" ");
    assert!(said.contains("for a place of fp32, held by fp32, instruction 2 of warp 1"), "{said}");
}

#[test]
fn control_fields_are_told_in_words() {
    let seen = seen(&saxpy());
    let load = &seen.report.code[9];
    assert_eq!(says::control(load), "stall 4; sets scoreboard 2 until its result is there");
    assert_eq!(says::control_short(load), "4, sets 2");
    let multiply = &seen.report.code[11];
    assert_eq!(says::control(multiply), "stall 8; waits for scoreboard 2; prefers another warp next");
    assert_eq!(says::name(load, 9), "the LDG at 0x0090");
    let waited: u64 = says::waited(multiply).iter().map(|(_, cycles)| cycles).sum();
    assert!(waited > 0 && says::waited(multiply)[0].0 == Kind::Scoreboard);
}

/// While a search goes on, one schedule follows the other: the same instruction of the same warp is found in each.
#[test]
fn what_is_selected_is_found_in_another_schedule() {
    let mut tree = written();
    let first = seen(&tree);
    tree["warps"]["method"] = json!({ "policy": "loose-round-robin" });
    let other = seen(&tree);
    assert!(first.is_of_code(&other) && !first.is_of_code(&seen(&saxpy())));
    for entry in 0..first.report.schedule.len() as u32 {
        let again = other.again(&first, entry).expect("an entry");
        let of = |seen: &Seen, entry: u32| {
            let (warp, line, ..) = seen.report.schedule[entry as usize];
            (warp, line, seen.timeline.place(&seen.report, entry))
        };
        assert_eq!(of(&first, entry), of(&other, again));
    }
    assert_eq!(other.again(&first, 1000), None);
}

#[test]
fn how_a_run_stands_is_told_while_it_goes_on() {
    let mut told = kit::page::told::ToldOfTrial { running: true, ..Default::default() };
    let seen = seen(&written());
    assert_eq!(summary::state(&told, None), "Searches for long schedules…");
    let best = "The worst case is told; shorter schedules are being sought in all states…";
    assert_eq!(summary::state(&told, Some(&seen.report)), best);
    let mut longest = seen.report.clone();
    longest.shortest = None;
    assert_eq!(summary::state(&told, Some(&longest)), "Proven so far; all states are being tried…");
    longest.method = "beam of 3 states".to_owned();
    assert_eq!(summary::state(&told, Some(&longest)), "Proven so far; longer schedules are being sought…");
    longest.states = None;
    assert_eq!(summary::state(&told, Some(&longest)), "Proven so far; longer schedules are being sought…");
    told.stale = true;
    assert_eq!(summary::state(&told, Some(&longest)), "Searches for long schedules…");
    told = kit::page::told::ToldOfTrial { stopped: true, ..Default::default() };
    assert!(summary::state(&told, Some(&longest)).contains("stopped after"));
}

#[test]
fn what_is_at_a_place_is_found_there() {
    let seen = seen(&written());
    let look = Look::whole(&seen.timeline, 800.0);
    let (scale, tops) = (look.scale(), look.tops(&seen.timeline));
    let middle = |row: usize| code_lab::draw::AXIS + (tops[row] + tops[row + 1]) / 2.0;
    for entry in 0..seen.report.schedule.len() as u32 {
        let (row, bar) = seen.timeline.find(&seen.report, entry).expect("a bar");
        let x = scale.pixel(f64::from(bar.from) + 0.5);
        assert_eq!(look.hit(&seen.timeline, (x, middle(row))), Some((entry, None)));
    }
    // Warp 1 waits for its load from cycle 2 on.
    let row = seen.timeline.of_warp[0];
    let hit = look.hit(&seen.timeline, (scale.pixel(3.5), middle(row)));
    assert!(matches!(hit, Some((_, Some(_)))), "{hit:?}");
    assert_eq!(look.hit(&seen.timeline, (2.0, middle(row))), None);
}

#[test]
fn a_thin_bar_beside_a_long_wait_is_hit_two_pixels_away() {
    let seen = seen(&saxpy());
    let look = Look::whole(&seen.timeline, 500.0);
    let (scale, tops) = (look.scale(), look.tops(&seen.timeline));
    let row = seen.timeline.of_warp[0];
    let y = code_lab::draw::AXIS + (tops[row] + tops[row + 1]) / 2.0;
    let own = &seen.timeline.rows[row];
    let longest = own.waits.iter().max_by_key(|wait| wait.to - wait.from).expect("it waits for its loads");
    let bar = own.bars.iter().find(|bar| bar.from >= longest.to).expect("the instruction that waited");
    assert!(scale.per_unit() < 1.0, "bars are thinner than a pixel");
    for away in [-2.0, 0.2] {
        let hit = look.hit(&seen.timeline, (scale.pixel(f64::from(bar.from)) + away, y));
        assert_eq!(hit, Some((bar.entry, None)), "{away}");
    }
    let middle = scale.pixel(f64::from(longest.from + longest.to) / 2.0);
    assert_eq!(look.hit(&seen.timeline, (middle, y)), Some((longest.entry, Some(longest.part))));
}

#[test]
fn pictures_have_few_marks_however_long_the_code_is() {
    let mut tree = written();
    tree["warps"]["path"] = Value::from((0..1200).map(|place| place % 3).collect::<Vec<u32>>());
    tree["warps"]["count"] = json!(32);
    tree["warps"]["method"] = json!({ "policy": "loose-round-robin" });
    let seen = seen(&tree);
    let list = draw(&seen.report, &seen.timeline, &Look::whole(&seen.timeline, 900.0));
    let rows = seen.timeline.rows.len();
    assert!(list.marks.len() < rows * 900, "{} marks of {} instructions", list.marks.len(), 1200 * 32);
    let text = kit::export::svg::svg(&list, "title", "");
    assert!(text.starts_with("<svg") && text.contains("Warp 32"));
}

#[test]
fn numbers_say_what_they_hold_for() {
    let written = summary::tiles(&seen(&written()).report);
    assert_eq!(written[0].value, "14 cycles");
    assert_eq!((written[1].id, &written[1].value[..]), ("worst", "14 cycles"));
    assert!(
        written[1].hint.starts_with("Proven: no schedule of these instructions takes longer than 14 cycles.")
    );
    let listed = summary::tiles(&seen(&saxpy()).report);
    assert!(listed[1].value.contains(" to "), "{}", listed[1].value);
    assert!(listed[1].hint.contains("partly assumed"), "{}", listed[1].hint);
}

/// It stands beside the worst case where it was sought, and says whether it is known.
#[test]
fn the_best_case_is_told() {
    let mut report = seen(&written()).report;
    let best = |report: &CodeReport| summary::tiles(report).into_iter().find(|tile| tile.id == "best");
    report.shortest = None;
    assert_eq!(best(&report), None);
    let shortest =
        |lower| ShortestReport { makespan: 12, lower, exact: lower == 12, ..ShortestReport::default() };
    report.shortest = Some(shortest(12));
    assert_eq!(best(&report).map(|tile| tile.value).as_deref(), Some("12 cycles"));
    report.shortest = Some(shortest(9));
    let open = best(&report).expect("a tile");
    assert_eq!((open.label, &open.value[..]), ("The best case", "9 to 12 cycles"));
    assert!(open.hint.ends_with("none takes less than the first is proven."), "{}", open.hint);
}

#[test]
fn a_number_of_a_table_changes_the_document_and_the_makespan() {
    let tree = saxpy();
    let before = seen(&tree).report.makespan;
    let faster = edits::with_latency(&tree, "global", "20 40");
    assert_eq!(faster["warps"]["latencies"]["global"], json!([20, 40]));
    let after = seen(&faster).report;
    assert!(after.makespan < before, "{} and {before}", after.makespan);
    let row = after.tables.and_then(|own| own.latencies.into_iter().find(|row| row.0 == "global"));
    assert_eq!(row.map(|row| edits::latency(row.1, row.2, row.3)).as_deref(), Some("20-40"));
    assert_eq!(edits::with_latency(&tree, "global", "20-40"), faster);
    let three = edits::with_latency(&tree, "global", "20 30 40");
    assert_eq!(three["warps"]["latencies"]["global"], json!({ "range": [20, 40], "hit": 30 }));
    assert!(LINKED.from_tree(&three).is_ok());
    // What cannot be understood stays for the reader to refuse, and nothing brings the table back.
    assert!(LINKED.from_tree(&edits::with_latency(&tree, "global", "soon")).is_err());
    assert_eq!(edits::with_latency(&faster, "global", " "), tree);
    let lanes = edits::with_lanes(&tree, "fma", "4");
    assert_eq!(lanes["warps"]["lanes"]["fma"], json!(4));
    assert_eq!(edits::with_lanes(&lanes, "fma", ""), tree);
}

#[test]
fn loops_go_round_as_often_as_somebody_says() {
    let text = include_str!("../../../../www/scenarios/code-mandelbrot.json");
    let mut tree: Value = serde_json::from_str(text).expect("JSON");
    tree["warps"]["method"] = json!({ "policy": "oldest-first" });
    let four = seen(&tree).report;
    let loops = four.loops.clone().unwrap_or_default();
    assert_eq!(loops.iter().map(|own| (own.address, own.trips)).collect::<Vec<_>>(), [(0xc0, Some(4))]);
    let eight = edits::with_trips(&tree, &loops, 0xc0, "8");
    assert!(seen(&eight).report.makespan > four.makespan);
    let none = edits::with_trips(&eight, &loops, 0xc0, "");
    assert_eq!(none["warps"].get("loops"), None);
    tree["warps"]["loops"] = json!(4);
    assert_eq!(edits::with_trips(&tree, &loops, 0xc0, "5")["warps"]["loops"], json!({ "0xc0": 5 }));
}

#[test]
fn the_table_has_a_row_for_each_instruction_of_each_warp() {
    let seen = seen(&saxpy());
    let table = export::table(&seen);
    assert_eq!(table.lines().count(), seen.report.schedule.len() + 1);
    assert!(table.contains("for scoreboard 2: the LDG at 0x00a0 of the same warp"), "{table}");
}

#[test]
fn a_stretch_has_the_sums_of_its_cycles() {
    for tree in [written(), saxpy()] {
        let seen = seen(&tree);
        let end = seen.report.makespan;
        // Every cycle by itself, from the report alone.
        let waits = |cycle: u32| {
            seen.report.waits.iter().flatten().filter(move |(a, b, _)| (*a..=*b).contains(&cycle))
        };
        let mut from = 0;
        while from < end {
            let to = (from + 1 + from % 37).min(end);
            let sums = Sums::of(&seen, &Stretch::new(f64::from(to), f64::from(from)));
            assert_eq!((sums.first, sums.last), (from + 1, to));
            let issued = seen.report.schedule.iter().filter(|row| (from + 1..=to).contains(&row.2)).count();
            assert_eq!(sums.issued, issued as u64);
            let mut counted: BTreeMap<Kind, u64> = BTreeMap::new();
            for (_, _, (kind, ..)) in (from + 1..=to).flat_map(waits) {
                *counted.entry(*kind).or_default() += 1;
            }
            assert_eq!(sums.waited.iter().copied().collect::<BTreeMap<_, _>>(), counted);
            // The tables hold the same, and their lines know their entries.
            let stretch = Stretch::new(f64::from(from), f64::from(to));
            for table in tables(&seen, &stretch) {
                let by = |at: usize| table.lines.iter().map(|line| line.cells[at].by).sum::<f64>() as u64;
                match table.name.as_str() {
                    "Executed" => assert!(by(0) >= sums.issued, "what issues is executed"),
                    _ => assert_eq!(by(1), counted.values().sum::<u64>()),
                }
                for line in &table.lines {
                    let own = of_line(&seen, &stretch, line.key);
                    assert_eq!(own.len() as f64, line.cells[0].by, "{}", line.name);
                    assert!(own.iter().all(|&entry| seen.report.schedule.get(entry as usize).is_some()));
                }
            }
            let holds = |unit: &str| {
                let of = |row: &&(usize, u32, u32, u32)| {
                    seen.report.code[row.1 as usize].unit.as_deref() == Some(unit)
                };
                let cycles = |row: &(usize, u32, u32, u32)| {
                    let last = row.2 + seen.report.code[row.1 as usize].hold.max(1);
                    u64::from(last.min(to + 1).saturating_sub(row.2.max(from + 1)))
                };
                seen.report.schedule.iter().filter(of).map(cycles).sum::<u64>()
            };
            for (unit, (held, places)) in &sums.held {
                assert_eq!(*held, holds(unit), "{unit}");
                assert!(*held <= places * sums.cycles());
            }
            from = to;
        }
        let all = Sums::of(&seen, &Stretch::new(0.0, f64::from(end)));
        assert_eq!((all.issued, all.warps), (seen.report.schedule.len() as u64, None));
        // One row after the other adds up to all of them.
        let of_row = |row| Stretch { rows: Some((row, row)), ..Stretch::new(0.0, f64::from(end)) };
        let rows = (0..seen.timeline.rows.len()).map(|row| Sums::of(&seen, &of_row(row)));
        let (mut issued, mut waited, mut held) = (0, 0, 0);
        for sums in rows {
            assert!(sums.issued == 0 || sums.warps == Some(1) || seen.report.count == 1);
            issued += sums.issued;
            waited += sums.waited.iter().map(|(_, cycles)| cycles).sum::<u64>();
            held += sums.held.values().map(|(cycles, _)| cycles).sum::<u64>();
        }
        let total = |sums: &Sums| sums.waited.iter().map(|(_, cycles)| cycles).sum::<u64>();
        assert_eq!((issued, waited), (all.issued, total(&all)));
        assert_eq!(held, all.held.values().map(|(cycles, _)| cycles).sum::<u64>());
    }
    let seen = seen(&saxpy());
    let said = Sums::of(&seen, &Stretch::new(0.0, 1.0)).said(&seen);
    assert!(said.starts_with("Cycle 1: 4 instructions, 100 % of the issue slots."), "{said}");
    let said = Sums::of(&seen, &Stretch::new(100.0, 200.0)).said(&seen);
    assert!(said.starts_with("Cycles 101 to 200: ") && said.contains("scoreboard"), "{said}");
    let said = Sums::of(&seen, &Stretch { rows: Some((1, 1)), ..Stretch::new(100.0, 200.0) }).said(&seen);
    assert!(said.starts_with(&format!("Cycles 101 to 200 in 1 of {} warps: ", seen.report.count)), "{said}");
}

fn seek(seen: &Seen, text: &str) -> Vec<Hit> {
    seen.seek(&Query::read(text, &TERMS).unwrap_or_else(|why| unreachable!("{why}")))
}

#[test]
fn what_is_found_is_what_a_look_at_every_instruction_finds() {
    let seen = seen(&saxpy());
    let report = &seen.report;
    let lines: Vec<Hit> = seen.found("ldg").into_iter().map(Hit::Line).collect();
    assert_eq!((seek(&seen, "LDG"), lines.len()), (lines, 2));
    let waited = |entry: usize, kind: Option<Kind>| -> u32 {
        let own = report.waits[entry].iter().filter(|(.., why)| kind.is_none_or(|kind| why.0 == kind));
        own.map(|(from, to, _)| to + 1 - from).sum()
    };
    let check = |text: &str, holds: &dyn Fn(usize) -> bool| {
        let mut wanted: Vec<usize> = (0..report.schedule.len()).filter(|&entry| holds(entry)).collect();
        wanted.sort_by_key(|&entry| (report.schedule[entry].2, entry));
        let wanted: Vec<Hit> = wanted.into_iter().map(|entry| Hit::Entry(entry as u32)).collect();
        assert!(!wanted.is_empty(), "{text}");
        assert_eq!(seek(&seen, text), wanted, "{text}");
    };
    let row = |entry: usize| report.schedule[entry];
    check("warp:2", &|entry| row(entry).0 == 2);
    check("LDG warp:1..2", &|entry| {
        row(entry).0 <= 2 && report.code[row(entry).1 as usize].text.contains("LDG")
    });
    check("cycle:10..900 wait>3", &|entry| (10..=900).contains(&row(entry).2) && waited(entry, None) > 3);
    check("for:scoreboard wait>20", &|entry| {
        waited(entry, None) > 20 && waited(entry, Some(Kind::Scoreboard)) > 0
    });
}

#[test]
fn what_is_not_found_steps_back() {
    let seen = seen(&saxpy());
    let look = Look::whole(&seen.timeline, 900.0);
    let list = draw(&seen.report, &seen.timeline, &look);
    let mut all = list.clone();
    // All lines are found: only where nothing is issued the veil lies.
    let every: Vec<Hit> = (0..seen.report.schedule.len() as u32).map(Hit::Entry).collect();
    dim(&mut all, &seen, &look, &every);
    let mut none = list.clone();
    dim(&mut none, &seen, &look, &[]);
    let area = |own: &kit::draw::DrawList| -> f64 {
        let veils = own.marks[list.marks.len()..].iter();
        veils.map(|mark| if let kit::draw::Mark::Rect { w, h, .. } = mark { w * h } else { f64::NAN }).sum()
    };
    let scale = look.scale();
    let tops = look.tops(&seen.timeline);
    let whole = (scale.right - scale.left) * tops[tops.len() - 1];
    assert!((area(&none) - whole).abs() < 2.0, "{} of {whole}", area(&none));
    assert!(area(&all) < area(&none), "{} of {whole}", area(&all));
}

#[test]
fn what_changed_is_told_in_numbers() {
    use code_lab::page::compared::changes;
    use kit::page::compared::Way;
    let mut longer = written();
    longer["warps"]["code"][0]["sets"]["0"] = json!([8, 12]);
    let (before, after) = (seen(&written()), seen(&longer));
    let all = changes(&before, &after);
    let first = &all[0].difference;
    assert_eq!(first.both[0], format!("{} cycles", before.report.makespan));
    assert_eq!(first.more, format!("+{} cycles", after.report.makespan - before.report.makespan));
    assert_eq!(first.way, Way::Worse);
    assert!(
        all.iter().any(|change| change.name == "Waited: Scoreboard" && change.difference.way == Way::Worse)
    );
    assert!(all.iter().any(|change| change.name.starts_with("Waited before fp32")), "{all:?}");
    assert!(changes(&before, &before).iter().all(|change| change.difference.way == Way::Same));
}
