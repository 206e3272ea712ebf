//! Schedules of warps: every instruction once, counters right.

use crate::export::perfetto::schedule_perfetto;
use crate::timeline::{Rows, warps_timeline};
use base::Seeded;
use kit::export::perfetto::sound::{number, sound, time};
use kit::timeline::Timeline;
use warps::idle::Cells;
use warps::{Kernel, Machine, Mode, PerUnit, Schedule, Start, construct};

/// The schedule of a random order of a random kernel on a random machine, as rows of warps or of units.
fn random(seed: u64, by: Rows) -> (Kernel, Schedule, Timeline) {
    let mut rng = Seeded::new(seed, 7);
    let letters: String = (0..1 + rng.below(12)).map(|_| if rng.below(2) == 0 { 'L' } else { 'C' }).collect();
    let Ok(kernel) = Kernel::parse(&letters) else { unreachable!("{letters} is a kernel") };
    let machine = Machine { capacity: PerUnit::from_fn(|_| 1 + rng.below(3)), issue: None };
    let warps = 1 + rng.below(9) as usize;
    let order = Start::Random(seed).order(&kernel, &machine, warps);
    let Some(schedule) = construct(&kernel, &machine, &order, warps) else { unreachable!("a schedule") };
    let timeline = warps_timeline(&Cells::whole(&kernel, &machine, None, &schedule), None, by.into());
    (kernel, schedule, timeline)
}

#[test]
fn every_instruction_is_there_once() {
    for (seed, by) in (0..200).map(|seed| (seed, if seed % 2 == 0 { Rows::Warps } else { Rows::Units })) {
        let (kernel, schedule, timeline) = random(seed, by);
        let mut found: Vec<(usize, usize, u64, char)> = Vec::new();
        for event in
            sound(&schedule_perfetto(&timeline, "Say \"A\"")).iter().filter(|event| event["ph"] == "X")
        {
            let name = event["name"].as_str().unwrap_or_default().chars().next().unwrap_or(' ');
            let (start, length) = (time(&event["ts"]).0 as u64, time(&event["dur"]).0);
            assert_eq!(length, 1.0);
            let args = &event["args"];
            found.push((number(&args["warp"]), number(&args["instruction"]), start + 1, name));
        }
        found.sort_unstable();
        let cycles = (0..schedule.warps()).flat_map(|warp| {
            let of = schedule.warp(warp).iter().zip(kernel.units()).enumerate();
            of.map(move |(i, (&cycle, unit))| (warp + 1, i + 1, u64::from(cycle), unit.letter()))
        });
        assert_eq!(found, cycles.collect::<Vec<_>>());
    }
}

#[test]
fn counters_say_how_many_units_are_in_use() {
    let mut checked = 0;
    for seed in 0..50 {
        let (kernel, schedule, timeline) = random(seed, Rows::Warps);
        let events = sound(&schedule_perfetto(&timeline, ""));
        for (class, name) in &timeline.legend {
            let label = format!("{name} in use");
            let counts: Vec<(f64, usize)> = events
                .iter()
                .filter(|event| event["ph"] == "C" && event["name"] == label.as_str())
                .map(|event| (time(&event["ts"]).0, number(&event["args"]["units"])))
                .collect();
            for cycle in 1..=schedule.makespan() {
                let rows =
                    (0..schedule.warps()).flat_map(|warp| schedule.warp(warp).iter().zip(kernel.units()));
                let busy = rows.filter(|(at, unit)| **at == cycle && **unit as u8 == *class).count();
                let told = counts.iter().rev().find(|(at, _)| *at <= f64::from(cycle) - 0.5);
                assert_eq!(told.map_or(0, |(_, units)| *units), busy, "{label} in cycle {cycle}");
                checked += busy;
            }
            assert_eq!(counts.last().map(|(_, units)| *units), Some(0), "nothing is in use at the end");
        }
    }
    assert!(checked > 500, "{checked}");
}

#[test]
fn what_a_microsecond_stands_for_is_said() {
    let (_, _, timeline) = random(3, Rows::Warps);
    let text = schedule_perfetto(&timeline, "Two \\ \"kernels\"");
    let named = sound(&text).iter().any(|event| {
        event["args"]["name"] == "Two \\ \"kernels\", 1 cycle = 1 µs" && event["name"] == "process_name"
    });
    assert!(named, "{text}");
    let other = kit::import::json::parse(&text).map(|file| file["otherData"].to_string());
    assert_eq!(other, Ok(r#"{"title":"Two \\ \"kernels\"","time":"1 cycle = 1 µs"}"#.to_owned()));
}

#[test]
fn a_load_is_as_long_as_it_takes() {
    let Ok(kernel) = Kernel::parse("LC") else { unreachable!("it parses") };
    let machine = Machine { capacity: PerUnit([1, 1, 0, 0]), issue: None };
    let lasting = Schedule::new(&[vec![1, 5]], 2).and_then(|made| made.lasting(vec![4, 1]));
    let Some(schedule) = lasting else { unreachable!("it fits") };
    for mode in [Mode::Held, Mode::Pipelined] {
        let cells = Cells::whole(&kernel, &machine, Some(mode), &schedule);
        let events =
            sound(&schedule_perfetto(&warps_timeline(&cells, Some(4), Rows::Warps.into()), "One load"));
        let load = events.iter().find(|event| event["ph"] == "X");
        assert_eq!(load.map(|event| time(&event["dur"]).0), Some(4.0));
        let counts = events
            .iter()
            .filter(|event| event["ph"] == "C" && event["name"] == "M load/store, missed in use");
        let counts: Vec<f64> = counts.map(|event| time(&event["ts"]).0).collect();
        assert_eq!(counts, [0.0, 4.0], "in use until its data is there");
    }
}
