//! Damaged files: cut off anywhere, bytes changed at random, numbers made extreme, tables missing. Never a panic, never a
//! hang, and what is read is sound: it is explained like any other run, and its accounts add up.

mod fixtures;

use base::Seeded;
use fixtures::tables::{Cell, Table, database};
use traces::account::accounts;
use traces::leads::leads;
use traces::{Causes, Replay, Trace};

/// Files changed of each sort.
const CHANGED: u32 = 300;

fn files() -> Vec<(&'static str, Vec<u8>)> {
    let (kineto, rocprof) = (fixtures::kineto(), fixtures::rocprof());
    vec![
        ("nsight", fixtures::nsight()),
        ("tables", fixtures::tables()),
        ("kineto, packed", fixtures::gzip(&kineto)),
        ("rocprof, packed", fixtures::gzip(&rocprof)),
        ("kineto", kineto),
        ("rocprof", rocprof),
        ("examiner", fixtures::examiner()),
    ]
}

/// Explains a run as it is explained to anybody: the causes of idle time add up, and the replay is the recording.
fn explained(what: &str, trace: &Trace) {
    let causes = Causes::of(trace);
    let all = accounts(&causes, &mut |_, _| {});
    for own in all.devices.iter().chain(&all.streams).flatten() {
        assert_eq!(own.causes.iter().sum::<u64>(), own.idle, "{what}");
        assert_eq!(own.busy + own.idle, own.end.abs_diff(own.start), "{what}");
    }
    let replay = Replay::of(&causes);
    assert!(replay.replay(&[]).moved.is_empty(), "{what}");
    leads(&replay, 3);
}

/// Reads a file, and says how many operations came out of it.
fn read(what: &str, mut file: &[u8]) -> usize {
    let mut readings = 0_u64;
    let most = 10_000 + file.len() as u64;
    let result = warpspan_traces_read::read(&mut file, &mut |_| {
        readings += 1;
        readings < most
    });
    assert!(readings < most, "{what}: the reading goes on and on");
    match result {
        Ok(trace) => {
            assert_eq!(trace.check(), Ok(()), "{what}");
            explained(what, &trace);
            trace.operations.len()
        }
        Err(problems) => {
            assert!(!problems.is_empty(), "{what}");
            0
        }
    }
}

#[test]
fn cut_off_anywhere() {
    for (name, file) in files() {
        let whole = read(name, &file);
        for end in (0..file.len()).step_by(97) {
            let found = read(&format!("{name}, {end} bytes"), &file[..end]);
            assert!(found <= whole, "{name}, {end} bytes: {found} of {whole}");
        }
    }
}

#[test]
fn bytes_changed_at_random() {
    for (name, file) in files() {
        let mut random = Seeded::new(7, 1);
        let length = u32::try_from(file.len()).unwrap();
        for round in 0..CHANGED {
            let mut changed = file.clone();
            for _ in 0..=random.below(8) {
                let place = random.below(length) as usize;
                changed[place] = u8::try_from(random.below(256)).unwrap();
            }
            read(&format!("{name}, round {round}"), &changed);
        }
    }
}

/// The heads of pages are few bytes among many: change just those.
#[test]
fn heads_of_pages_changed_at_random() {
    for (name, file) in [("nsight", fixtures::nsight()), ("tables", fixtures::tables())] {
        let mut random = Seeded::new(7, 2);
        let pages = u32::try_from(file.len() / 512).unwrap();
        for round in 0..CHANGED {
            let mut changed = file.clone();
            for _ in 0..=random.below(4) {
                let place = random.below(pages) * 512 + random.below(40);
                let pick = random.below(3);
                changed[place as usize] =
                    if pick == 0 { 0xff } else { u8::try_from(random.below(40)).unwrap() };
            }
            read(&format!("{name}, round {round}"), &changed);
        }
    }
}

/// Numbers that no profiler should write, and some do.
const EXTREME: [&str; 12] = [
    "0",
    "-1",
    "-63857982592000",
    "1e30",
    "-1e-30",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "4294967295",
    "99999999999999999999999999999999999999999999",
    "null",
    "\"17\"",
];

#[test]
fn numbers_made_extreme() {
    let texts = [fixtures::kineto(), fixtures::rocprof(), fixtures::examiner()];
    for (name, file) in ["kineto", "rocprof", "examiner"].into_iter().zip(texts) {
        let text = String::from_utf8(file).unwrap();
        let digit = |at: usize| text.as_bytes().get(at).is_some_and(|byte| b"0123456789.".contains(byte));
        let begins = |at: &usize| digit(*at) && !digit(at - 1) && b" [:,".contains(&text.as_bytes()[at - 1]);
        let numbers: Vec<usize> = (1..text.len()).filter(begins).collect();
        assert!(numbers.len() > 15, "{name}");
        let mut random = Seeded::new(7, 3);
        for round in 0..CHANGED {
            let mut changed = text.clone();
            // From the last on, so that places stay.
            for &at in numbers.iter().rev() {
                if random.below(12) == 0 {
                    let end =
                        at + changed[at..].find(|one: char| !one.is_ascii_digit() && one != '.').unwrap_or(0);
                    changed.replace_range(at..end, EXTREME[random.below(EXTREME.len() as u32) as usize]);
                }
            }
            read(&format!("{name}, round {round}"), changed.as_bytes());
        }
    }
}

/// Rows of Nsight's tables with any numbers, and any of the tables missing.
#[test]
fn tables_of_anything() {
    const NUMBERS: [i64; 12] = [
        0,
        1,
        2,
        3,
        7,
        -1,
        i64::MAX,
        i64::MIN,
        1 << 62,
        0xffff_ffff,
        (1 << 48) | (10 << 24) | 1,
        60_000_000_000,
    ];
    const TABLES: [(&str, &str); 8] = [
        ("StringIds", "id INTEGER, value TEXT"),
        (
            "CUPTI_ACTIVITY_KIND_RUNTIME",
            "start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER",
        ),
        (
            "CUPTI_ACTIVITY_KIND_KERNEL",
            "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, \
             globalPid INTEGER, gridX INTEGER, blockX INTEGER, registersPerThread INTEGER, staticSharedMemory INTEGER, \
             dynamicSharedMemory INTEGER, graphNodeId INTEGER",
        ),
        (
            "CUPTI_ACTIVITY_KIND_MEMCPY",
            "start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, correlationId INTEGER, copyKind INTEGER, \
             bytes INTEGER, srcKind INTEGER",
        ),
        (
            "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
            "start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, \
             globalPid INTEGER, syncType INTEGER, eventId INTEGER",
        ),
        (
            "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
            "deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, eventId INTEGER, globalPid INTEGER",
        ),
        (
            "TARGET_INFO_CUDA_STREAM",
            "processId INTEGER, contextId INTEGER, streamId INTEGER, priority INTEGER, flag INTEGER",
        ),
        ("GPU_CONTEXT_SWITCH_EVENTS", "tag INTEGER, timestamp INTEGER, globalPid INTEGER, gpuId INTEGER"),
    ];
    let mut operations = 0;
    for round in 0..u64::from(CHANGED) {
        let mut random = Seeded::new(round, 4);
        let mut tables = Vec::new();
        for (name, columns) in TABLES {
            if random.below(8) == 0 {
                continue;
            }
            let cells = columns.split(',').count();
            let row = |random: &mut Seeded| {
                let mut row = Vec::new();
                for cell in 0..cells {
                    row.push(match random.below(10) {
                        0 => Cell::Null,
                        1 => Cell::Text("cudaStreamSynchronize"),
                        2 => Cell::Int(NUMBERS[random.below(NUMBERS.len() as u32) as usize]),
                        // Ends after beginnings, so that something is left to explain.
                        _ if cell == 1 => Cell::Int(1_000 + i64::from(random.below(5_000))),
                        _ if cell == 0 => Cell::Int(i64::from(random.below(1_000))),
                        _ => Cell::Int(i64::from(random.below(3))),
                    });
                }
                row
            };
            let count = random.below(20);
            let rows = (0..count).map(|_| row(&mut random)).collect();
            tables.push(Table { name, columns, rows });
        }
        operations += read(&format!("tables, round {round}"), &database(&tables));
    }
    assert!(operations > 1_000, "{operations}");
}
