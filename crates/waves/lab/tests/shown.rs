//! What the page shows of a capture: rows, columns, sentences, pictures, documents; without a browser.

#![allow(missing_docs)]

use base::Seeded;
use serde_json::{Value, json};
use warpspan_waves_lab as waves_lab;
use waves_lab::draw::{Drawer, Look, Place, Under, draw, strip};
use waves_lab::page::layout::Layout;
use waves_lab::page::packed::KINDS;
use waves_lab::page::run::range;
use waves_lab::page::{Bar, Desk, Held, Kind, Packed, Run, STEPS, Shown, UnitKind, summary, table, tip};
use waves_lab::{Account, Capture, Cause, Detail, LINKED, captures, report};

fn capture(name: &str) -> Capture {
    let file = captures::file(name).expect("a shipped capture");
    waves_read::compact::read(file).expect("a sound one").capture
}

fn run(account: &Account) -> Run {
    Run::new(Packed::of(account, &Layout::of(account)))
}

/// The first capture again and again, one after the other: as many instructions as asked for, at least.
fn many(instructions: usize) -> Capture {
    let one = capture("rmsnorm");
    let (begin, end) =
        one.waves.iter().fold((i64::MAX, 0), |(a, b), wave| (a.min(wave.begin), b.max(wave.end)));
    let mut all = one.clone();
    let mut n = 0;
    while all.instructions() < instructions {
        n += 1;
        for wave in &one.waves {
            let by = i64::from(n) * (end - begin + 100);
            let mut wave = wave.clone();
            (wave.begin, wave.end, wave.n) = (wave.begin + by, wave.end + by, wave.n + 1_000 * n);
            wave.instrs.iter_mut().for_each(|instr| instr.clock += by);
            all.waves.push(wave);
        }
    }
    all
}

#[test]
fn rows_hold_every_stretch_once_and_add_up_to_the_account() {
    for name in captures::NAMES {
        let capture = capture(name);
        let account = Account::of(&capture);
        let run = run(&account);
        let parts: usize = account.parts.iter().map(Vec::len).sum();
        assert_eq!(run.len(), parts);
        let mut sums = [0.0; KINDS];
        for (row, own) in run.rows.iter().enumerate() {
            let bars: Vec<Bar> = range(own).map(|place| run.bar(row, place)).collect();
            assert!(bars.windows(2).all(|two| two[0].end <= two[1].start), "{name}: bars overlap");
            sums.iter_mut().zip(run.spent(row, 0.0, run.end)).for_each(|(sum, own)| *sum += own);
        }
        for cause in Cause::ALL {
            let of = |number: &u8| Kind::numbered(*number).cause() == cause;
            let drawn: f64 = (0..KINDS as u8).filter(of).map(|number| sums[usize::from(number)]).sum();
            let told: u64 = (0..capture.waves.len()).map(|wave| account.sums(wave).of(cause)).sum();
            assert_eq!(drawn as u64, told, "{name}: {cause:?}");
        }
    }
}

#[test]
fn bars_lead_to_the_instructions_of_their_witnesses() {
    let capture = capture("rmsnorm");
    let account = Account::of(&capture);
    let (layout, run) = (Layout::of(&account), run(&account));
    let mut witnesses = 0;
    for place in 0..run.len() {
        let (wave, at) = layout.part(place as u32).expect("a part for every bar");
        let (part, bar) = (account.parts[wave as usize][at], run.placed(place).expect("a bar"));
        assert_eq!((bar.end - bar.start) as u64, part.cycles());
        assert_eq!(run.wave(place), Some(wave as usize));
        assert_eq!(run.at(wave as usize, bar.start), Some(bar));
        let witness = part.witness.filter(|_| part.cause != Cause::Issue);
        let Some((witness, shown)) = witness.zip(run.witness(place)) else {
            assert_eq!(witness.is_some(), run.witness(place).is_some(), "{part:?}");
            continue;
        };
        let instr = capture.instr(witness.wave, witness.item).expect("an instruction");
        assert_eq!(shown.line, Some(instr.line as usize));
        assert_eq!(run.wave(shown.place), Some(witness.wave as usize));
        witnesses += 1;
    }
    assert!(witnesses > 10_000, "{witnesses}");
}

#[test]
fn columns_show_what_a_walk_over_all_bars_finds() {
    let capture = many(60_000);
    let account = Account::of(&capture);
    let run = run(&account);
    let mut seeded = Seeded::new(7, 1);
    for _ in 0..60 {
        let row = seeded.below(run.rows.len() as u32) as usize;
        let wide = f64::from(1 << seeded.below(14));
        let first = i64::from(seeded.below(((run.end / wide) as u32).max(1)));
        let mut found = Vec::new();
        run.columns(row, wide, first..first + 5, &mut found);
        for (column, shown) in (first..).zip(found) {
            let (from, to) = (column as f64 * wide, (column + 1) as f64 * wide);
            let mut cycles = [0.0; KINDS];
            for bar in range(&run.rows[row]).map(|place| run.bar(row, place)) {
                let part = bar.end.min(to) - bar.start.max(from);
                cycles[usize::from(bar.kind.number())] += part.max(0.0);
            }
            assert_eq!(shown, Shown::of(&cycles, wide), "{row}, {from} to {to}");
            assert!(shown.issues <= shown.lives && shown.lives <= STEPS);
        }
    }
}

#[test]
fn what_is_lit_are_the_stretches_of_the_line() {
    let capture = capture("hgemm_splitk");
    let account = Account::of(&capture);
    let run = run(&account);
    for line in 0..run.lines.len() {
        let of_rows: Vec<u32> =
            (0..run.rows.len()).flat_map(|row| run.lit(line, row, 0.0, run.end).to_vec()).collect();
        assert_eq!(of_rows, run.of_line(line));
        let all: Vec<u32> = (0..run.len())
            .filter(|&at| run.placed(at).and_then(|bar| bar.line) == Some(line))
            .map(|at| at as u32)
            .collect();
        assert_eq!(all, run.of_line(line));
        let cycles: f64 =
            all.iter().filter_map(|&at| run.placed(at as usize)).map(|bar| bar.end - bar.start).sum();
        assert_eq!(cycles, run.lines[line].causes.iter().sum::<f64>(), "line {line}");
        let first = run.first_of(line, 0.0);
        assert_eq!(first.is_some(), !all.is_empty());
    }
}

#[test]
fn a_wave_is_followed_from_one_time_at_a_line_to_the_next_and_back() {
    let mut capture = capture("hgemm_splitk");
    // None of the shipped kernels has a loop: every wave does all of it again.
    for wave in &mut capture.waves {
        let life = wave.end - wave.begin;
        let again: Vec<_> =
            wave.instrs.iter().map(|own| waves::Instr { clock: own.clock + life, ..*own }).collect();
        wave.instrs.extend(again);
        wave.end += life;
    }
    let account = Account::of(&capture);
    let run = run(&account);
    let mut most = 0;
    for line in 0..run.lines.len() {
        let Some(first) = run.of_line(line).first().and_then(|&place| run.placed(place as usize)) else {
            continue;
        };
        let wave = &capture.waves[run.wave(first.place).expect("a wave")];
        let times = wave.instrs.iter().filter(|instr| instr.line as usize == line).count();
        let next = std::iter::successors(Some(first), |bar| run.again(bar, true));
        let all: Vec<Bar> = next.take(10_000).collect();
        assert_eq!(all.len(), times, "line {line}");
        assert!(all.windows(2).all(|two| run.again(&two[1], false) == Some(two[0])), "line {line}");
        assert_eq!(run.again(&first, false), None);
        most = most.max(times);
        let name = run.name(&first).expect("a name");
        assert_eq!(run.named(&name), Some(first));
    }
    assert!(most > 1, "no line is run twice");
    assert!(run.named("wave 99999 cycle 3").is_none() && run.named("x").is_none());
}

#[test]
fn every_stretch_has_its_sentence() {
    for name in captures::NAMES {
        let capture = capture(name);
        let account = Account::of(&capture);
        let (desk, run) = (Desk::new(&account, name), run(&account));
        let mut waits = 0;
        for place in (0..run.len()).step_by(7) {
            let (bar, said) =
                (run.placed(place).expect("a bar"), desk.said(place as u32).expect("a sentence"));
            let number = base::people::grouped((bar.end - bar.start) as u128);
            assert!(said.why.contains(&number) || said.why.contains("Nothing explains"), "{}", said.why);
            assert!(said.head.starts_with("Wave "), "{}", said.head);
            assert_eq!(said.witness, run.witness(place).map(|bar| bar.place as u32));
            assert!(!tip::pointed(&run, &bar).is_empty());
            if bar.kind == Kind::Wait(Cause::Data) {
                assert!(said.why.contains("; it took ") && said.why.contains("issued at "), "{}", said.why);
                waits += 1;
            }
            for (text, to) in said.back {
                assert!(text.contains(" cycle") && to.is_none_or(|to| (to as usize) < run.len()), "{text}");
            }
        }
        assert!(waits > 10, "{name}: {waits}");
        assert!(desk.said(run.len() as u32).is_none());
    }
}

#[test]
fn pictures_have_no_more_marks_than_room_and_panned_ones_are_those_drawn_anew() {
    let capture = many(200_000);
    let account = Account::of(&capture);
    let run = run(&account);
    let whole = Look::whole(&run, 1_200.0);
    assert!(strip(&run, 1_200.0).marks.len() < 2_000);
    let mut drawer = Drawer::default();
    for (t0, t1) in [(0.0, 1.0), (0.2, 0.5), (0.21, 0.51), (0.19, 0.49), (0.3, 0.302), (0.3, 0.30002)] {
        let look = Look { t0: t0 * run.end, t1: t1 * run.end, line: Some(30), ..whole };
        let list = drawer.draw(&run, &look);
        assert!(
            list.marks.len() < (run.rows.len() + run.lanes.all.len()) * 2_500,
            "{t0}: {}",
            list.marks.len()
        );
        assert_eq!(list, draw(&run, &look), "{t0}");
    }
}

#[test]
fn a_place_of_the_picture_is_the_bar_drawn_there() {
    let capture = capture("layernorm");
    let account = Account::of(&capture);
    let run = run(&account);
    let look = Look { t0: 0.0, t1: 600.0, ..Look::whole(&run, 900.0) };
    let scale = look.scale();
    let mut seen = [0; 3];
    for own in look.places(&run) {
        let y = waves_lab::draw::AXIS + own.top + own.high / 2.0;
        match own.what {
            Place::Row(row) => {
                for place in run.within(row, 0.0, 600.0).step_by(3) {
                    let bar = run.bar(row, place);
                    let x = scale.pixel((bar.start.max(0.0) + bar.end.min(600.0)) / 2.0);
                    assert_eq!(look.hit(&run, (x, y)), Some(Under::Bar(bar)));
                    seen[0] += 1;
                }
            }
            Place::Lane(lane) => {
                for held in run.lanes.within(lane, 0.0, 600.0).collect::<Vec<_>>() {
                    let x = scale.pixel((held.from + held.to.min(600.0)) / 2.0);
                    let Some(Under::Held(found)) = look.hit(&run, (x, y)) else { panic!("{held:?}") };
                    assert!((found.lane, found.from) == (lane, held.from), "{found:?}");
                    assert!(tip::held(&run, &found).contains(", held by wave "));
                    seen[1] += 1;
                }
            }
            Place::Engine(engine) => {
                let at = scale.value(scale.pixel(300.0));
                assert_eq!(look.hit(&run, (scale.pixel(300.0), y)), Some(Under::Engine(engine, at)));
                seen[2] += 1;
            }
        }
    }
    assert!(seen[0] > 40 && seen[1] > 40 && seen[2] > 0, "{seen:?}");
    assert_eq!(look.hit(&run, (scale.left + 1.0, 2.0)), None, "the axis");
}

/// Holds as they follow from the account, one by one, without anything that is kept.
#[test]
fn lanes_show_who_holds_a_unit_in_every_cycle() {
    let mut random = Seeded::new(5, 9);
    for name in captures::NAMES {
        let capture = capture(name);
        let account = Account::of(&capture);
        let (layout, run) = (Layout::of(&account), run(&account));
        for (lane, own) in run.lanes.all.iter().enumerate() {
            let mut holds: Vec<(i64, i64, u32)> = Vec::new();
            for ((simd, _), events) in &account.units.events {
                for event in events.iter().filter(|_| *simd == (own.se, own.cu, own.simd)) {
                    let instr = capture.instr(event.who.wave, event.who.item).expect("an instruction");
                    if UnitKind::of(&capture, instr) == own.unit() {
                        let time = |clock| layout.time(own.se, clock);
                        holds.push((time(event.issued), time(event.held), event.who.wave));
                    }
                }
            }
            holds.sort_unstable();
            assert!(!holds.is_empty());
            let free_again = |&(from, to, wave): &(i64, i64, u32)| {
                let next = holds.iter().map(|other| other.0).filter(|other| *other > from).min();
                (from as f64, next.map_or(to, |next| next.min(to)) as f64, Some(wave as usize))
            };
            let mut naive: Vec<_> = holds.iter().map(free_again).collect();
            let told = |held: Held| (held.from, held.to, held.by.and_then(|by| run.wave(by)));
            let mut found: Vec<_> = run.lanes.within(lane, -1.0, f64::INFINITY).map(told).collect();
            let by = |a: &(f64, f64, Option<usize>), b: &(f64, f64, Option<usize>)| {
                a.partial_cmp(b).expect("numbers")
            };
            naive.sort_by(by);
            found.sort_by(by);
            assert_eq!(found, naive, "{name}, {:?} of SIMD {}", own.unit(), own.simd);
            for _ in 0..20 {
                let from = f64::from(random.below(run.end as u32));
                let to = from + f64::from(1 + random.below(300));
                let is_held = |cycle: f64| naive.iter().any(|own| own.0 <= cycle && cycle < own.1);
                let cycles = (from as i64..to as i64).filter(|&cycle| is_held(cycle as f64)).count();
                assert_eq!(run.lanes.spent(lane, from, to), cycles as f64);
                if !is_held(from) {
                    let (since, until) = run.lanes.free(lane, from);
                    assert!(since <= from && until.is_none_or(|until| until > from));
                    let last = (until.unwrap_or(run.end) as i64).min(from as i64 + 400);
                    assert!((since.max(from - 400.0) as i64..last).all(|cycle| !is_held(cycle as f64)));
                    assert!(tip::free(&run, lane, from).contains("held by nobody"));
                }
            }
        }
    }
}

#[test]
fn the_waves_of_an_engine_are_those_that_came_and_have_not_gone() {
    for name in captures::NAMES {
        let capture = capture(name);
        let account = Account::of(&capture);
        let (layout, run) = (Layout::of(&account), run(&account));
        let engines: std::collections::BTreeSet<u32> = capture.waves.iter().map(|wave| wave.se).collect();
        assert_eq!(run.engines.iter().map(|own| own.se).collect::<Vec<_>>(), Vec::from_iter(engines));
        for own in &run.engines {
            let mut sums = (0.0, 0.0);
            for cycle in 0..run.end as i64 {
                let there = |cu: &dyn Fn(u32) -> bool| {
                    let of = capture.occupancy.iter().filter(|one| one.se == own.se && cu(one.cu));
                    let before = of.filter(|one| layout.time(own.se, one.clock) <= cycle);
                    before.map(|one| if one.came { 1 } else { -1 }).sum::<i64>()
                };
                if cycle % 97 == 0 {
                    let (all, traced) = own.at(cycle as f64);
                    assert_eq!(i64::from(all), there(&|_| true), "{name}: {cycle}");
                    assert_eq!(i64::from(traced), there(&|cu| own.cus.contains(&cu)));
                    assert!(all <= own.most && traced <= all);
                }
                let now = own.at(cycle as f64);
                sums = (sums.0 + f64::from(now.0), sums.1 + f64::from(now.1));
            }
            let mean = own.mean(0.0, run.end);
            assert!((mean.0 - sums.0 / run.end).abs() < 1e-9 && (mean.1 - sums.1 / run.end).abs() < 1e-9);
        }
        assert!(tip::engine(&run, 0, 500.0).contains(" waves at cycle 500, "));
    }
}

#[test]
fn units_may_be_left_out_of_the_picture() {
    let capture = capture("layernorm");
    let account = Account::of(&capture);
    let run = run(&account);
    let with = Look::whole(&run, 900.0);
    let without = Look { units: false, ..with };
    let lanes =
        |look: &Look| look.places(&run).iter().filter(|own| matches!(own.what, Place::Lane(_))).count();
    assert_eq!((lanes(&with), lanes(&without)), (run.lanes.all.len(), 0));
    assert!(without.all_height(&run) < with.all_height(&run));
    let places = with.places(&run);
    assert!(places.windows(2).all(|two| two[0].top + two[0].high <= two[1].top));
    assert_eq!(places.iter().filter(|own| matches!(own.what, Place::Row(_))).count(), run.rows.len());
}

#[test]
fn waves_that_overlap_in_a_slot_have_rows_of_their_own() {
    let mut capture = capture("layernorm");
    let again = capture.waves[0].clone();
    capture.waves.push(again);
    let account = Account::of(&capture);
    let rows = |account: &Account| Layout::of(account).rows.len();
    let before = rows(&Account::of(&self::capture("layernorm")));
    assert_eq!(rows(&account), before + 1);
    for (row, own) in run(&account).rows.iter().enumerate() {
        let run = run(&account);
        assert!(range(own).skip(1).all(|place| run.bar(row, place - 1).end <= run.bar(row, place).start));
    }
}

#[test]
fn a_shipped_capture_runs_from_its_document() {
    for name in captures::NAMES {
        let tree = json!({"warpspan": 1, "title": name, "waves": {"capture": name}});
        let scenario = LINKED.from_tree(&tree).expect("a document");
        let line = LINKED.run(&scenario).line();
        assert_eq!(line, report(name, &capture(name), Detail::Summary).line());
        let told: Value = serde_json::from_str(&line).expect("JSON");
        let tiles = summary::tiles(&told);
        assert_eq!(
            tiles.iter().map(|tile| tile.id).collect::<Vec<_>>(),
            ["waves-cycles", "waves-named", "waves-replay", "waves-between"]
        );
        let share: f64 = table::causes(&told).iter().map(|own| own.2).sum();
        assert!((share - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_document_of_files_says_what_it_waits_for() {
    for given in [json!({"file": {"name": "x.zip", "bytes": 7}}), json!({"folder": {"name": "x.zip"}})] {
        let scenario = LINKED.from_tree(&json!({"warpspan": 1, "waves": given})).expect("a document");
        let told: Value = serde_json::from_str(&LINKED.run(&scenario).line()).expect("JSON");
        assert_eq!((&told["lab"], &told["waits_for"]), (&json!("waves"), &json!(["x.zip"])));
    }
}

#[test]
fn what_is_wrong_with_a_document_is_said() {
    let wrong = [
        (json!({}), "waves: no capture in it"),
        (json!({"capture": "x"}), "waves.capture: no capture is called \"x\""),
        (json!({"capture": "rmsnorm", "file": {"name": "x"}}), "waves: no capture in it"),
        (json!({"file": {"bytes": 1}}), "waves.file"),
        (json!({"file": {"name": "x", "files": 1}}), "waves.file.files"),
        (json!({"folder": {"name": "x", "files": -1}}), "waves.folder.files"),
        (json!({"folder": "x"}), "waves.folder"),
    ];
    for (given, expected) in wrong {
        let problems = LINKED.from_tree(&json!({"warpspan": 1, "waves": given.clone()})).expect_err("wrong");
        assert!(problems.iter().any(|one| one.to_string().contains(expected)), "{given}: {problems:?}");
    }
}

#[test]
fn what_is_found_is_what_a_look_at_every_stretch_finds() {
    use kit::page::terms::Query;
    use waves_lab::page::seek::{Hit, TERMS};
    let capture = capture("rmsnorm");
    let account = Account::of(&capture);
    let run = run(&account);
    let seek = |text: &str| run.seek(&Query::read(text, &TERMS).unwrap_or_else(|why| unreachable!("{why}")));
    let lines: Vec<Hit> =
        (0..run.lines.len()).filter(|&at| run.lines[at].text.contains("s_waitcnt")).map(Hit::Line).collect();
    assert!(!lines.is_empty());
    assert_eq!(seek("S_WAITCNT"), lines);
    let all: Vec<Bar> = (0..run.rows.len())
        .flat_map(|row| range(&run.rows[row]).map(move |place| (row, place)))
        .map(|(row, place)| run.bar(row, place))
        .collect();
    let check = |text: &str, holds: &dyn Fn(&Bar) -> bool| {
        let mut wanted: Vec<&Bar> = all.iter().filter(|bar| holds(bar)).collect();
        wanted.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.place.cmp(&b.place)));
        let wanted: Vec<Hit> = wanted.into_iter().map(|bar| Hit::Bar(bar.place as u32)).collect();
        assert!(!wanted.is_empty(), "{text}");
        assert_eq!(seek(text), wanted, "{text}");
    };
    check("wave:3", &|bar| run.wave(bar.place) == Some(3));
    check("simd:1 wait>100 for:data", &|bar| {
        run.rows[bar.row].simd == 1 && bar.kind == Kind::Wait(Cause::Data) && bar.end - bar.start > 100.0
    });
    check("unit:scalar cycle<2000", &|bar| {
        matches!(bar.kind, Kind::Issue(UnitKind::Scalar | UnitKind::ScalarMemory)) && bar.start < 2_000.0
    });
    let is_waitcnt = |bar: &Bar| bar.line.is_some_and(|line| run.lines[line].text.contains("s_waitcnt"));
    check("s_waitcnt slot:0", &|bar| is_waitcnt(bar) && run.rows[bar.row].slot == 0);
}
