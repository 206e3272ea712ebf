//! Damaged files: cut off anywhere, bytes changed at random. Never a panic, never a hang, and what is read is sound.

mod fixtures;

use base::Seeded;

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
    ]
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
